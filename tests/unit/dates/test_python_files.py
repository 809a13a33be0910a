"""Where a project defines an object, by its dotted name: from source alone."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.dates.python_files import PythonFiles

PACKAGE = {
    "__init__.py": (
        "from . import sub\nfrom ._core import *\nfrom ._core import work as do\n"
        "from .sub.deep import Deep\nimport own.sub.deep as renamed\n"
        "from json import dumps\n"
    ),
    "_core.py": (
        '"""Core."""\nimport own.sub.deep\nLIMIT = 5\n\ndef work():\n    """Work."""\n\n'
        "task = work\nmade = work()\n\n"
        "class Base:\n    def shared(self):\n        '''Share.'''\n\n"
        "    def run(self):\n        '''Run.'''\n\n    again = run\n\n"
        "class Client(Base, own.sub.deep.Deep[int]):\n    def run(self): pass\n\n"
        "    class Inner(Base): pass\n"
    ),
    "sub/__init__.py": "",
    "sub/__init__.pyi": "from .deep import Deep as Lazy\ndef stub(): ...\n",
    "sub/deep.py": "class Deep:\n    '''Deep.'''\n    def dig(self): '''Dig.'''\n",
    "loop.py": "from .loop2 import *\n",
    "loop2.py": "from .loop import *\n",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / ".git").mkdir()
    for name, text in PACKAGE.items():
        file = folder / "src/own" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return PythonFiles(folder / "docs", [folder / "src"])


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("own._core.work", ["_core.py work"]),
        ("own.work", ["_core.py work"]),
        ("own.do", ["_core.py work"]),
        ("own.LIMIT", ["_core.py LIMIT"]),
        ("own.made", ["_core.py made"]),
        ("own.task", ["_core.py task", "_core.py work"]),
        ("own.Client.shared", ["_core.py Base.shared"]),
        ("own.Client.run", ["_core.py Client.run", "_core.py Base.run"]),
        ("own.Client.dig", ["sub/deep.py Deep.dig"]),
        ("own.Client.Inner.shared", ["_core.py Base.shared"]),
        ("own.Base.again", ["_core.py Base.again", "_core.py Base.run"]),
        ("own.Deep", ["sub/deep.py Deep"]),
        ("own.renamed.Deep.dig", ["sub/deep.py Deep.dig"]),
        ("own.sub.Lazy", ["sub/deep.py Deep"]),
        ("own.sub.stub", []),
        ("own.dumps", []),
        ("own.Client.missing", []),
        ("own.loop.missing", []),
        ("json.dumps", []),
        ("missing.x", []),
        ("own", []),
        ("", []),
    ],
)
def test_an_object_is_followed_to_where_it_is_defined(files, name, places):
    """Through imports, stars, other names, bases, and a lazy package's stub."""
    found = []
    for place in files.find(name):
        file = place.file.as_posix().partition("/src/own/")[2]
        found.append(f"{file} {place.name}")

    assert places == found


def test_a_module_is_found_without_being_imported(files):
    (place,) = files.find_module("own.sub.deep")

    assert ("", True) == (place.name, place.has_members)
    assert place.file.match("src/own/sub/deep.py")
    assert [] == files.find_module("own.missing") == files.find_module("json")
