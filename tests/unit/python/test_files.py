"""Where a project defines an object, by its dotted name: from source alone."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.python.files import Members, Place, PythonFiles
from tests.unit.python.hostile_modules import MANY, calls, many
from tests.unit.python.reading import read_parts, read_values

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
    "_config.py": (
        "LIMIT = _MOST = 5\nTIMES = {'slow': LIMIT}\n\nclass Mode(Enum):\n    FAST = 1\n\n"
        "def noted(text):\n    def add(f):\n        f.__doc__ += NOTE + text\n    return add\n\n"
        "def traced(f):\n    return f\n\nNOTE = 'Since '\noften = traced\n"
    ),
    "values.py": (
        "from enum import Enum\nfrom . import _config, _config as other\n"
        "from ._config import LIMIT, Mode, NOTE, TIMES, noted, traced\n\n"
        "def imported(x=LIMIT): 1\n"
        "def by_module(x=other.LIMIT): 1\n"
        "def by_key(x=TIMES['slow']): 1\n"
        "def member(x=Mode.FAST): 1\n"
        "def annotated(x: list[LIMIT]): 1\n"
        "def body():\n    return LIMIT\n"
        "@noted('1')\ndef written(): 1\n"
        "@traced\ndef read(): 1\n"
        "def python(x=Enum, y=int): 1\n"
        "def assigned(): 1\nassigned.__doc__ = NOTE\n"
        "class Scope:\n    N = 3\n    def method(self, n=N): 1\n"
        "    def __init__(self, n=LIMIT): 1\n"
        "class Plain:\n    n = LIMIT\n"
        "class Made(Plain):\n    n: int = LIMIT\n"
        "def documented(): 1\ndocumented.__doc__ = imported.__doc__ + Plain.__doc__\n"
        "@wraps(imported)\ndef wrapping(): 1\n"
        "class Owner:\n    N = 3\n    def method(self, n=N): 1\n"
        "    made = property(method)\n"
        "CHANGED = []\nCHANGED.append(LIMIT)\n"
        "class Noted: 1\nnoted(Noted)\n"
        "class Base:\n    def __init_subclass__(cls): 1\n"
        "class Derived(Base): 1\n"
        "same = noted\n"
        "def handed(x=noted): 1\n"
        "class Fields(Plain):\n    x: int = noted\n"
        "for each in LIST:\n    noted(each)\n"
    ),
    "lists/__init__.py": (
        "from . import one, two\n__all__ = one.__all__ + two.__all__ + ['x']\n"
    ),
    "lists/one.py": "__all__ = ['a']\n",
    "lists/two.py": "from .three import *\n",
    "lists/three.py": "def b(): 1\n",
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


NOTED = ["_config.py NOTE.$", "_config.py noted.&", "values.py noted.<"]
CONFIG_LIMIT = ["_config.py LIMIT.$", "values.py LIMIT.<"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("imported", CONFIG_LIMIT),
        ("imported.1", CONFIG_LIMIT),
        ("by_module", ["_config.py LIMIT.$"]),
        ("by_key", ["_config.py LIMIT.$", "_config.py TIMES.$", "values.py TIMES.<"]),
        ("member", ["_config.py Mode.FAST.$", "values.py Mode.<"]),
        ("annotated", CONFIG_LIMIT),
        ("body", []),
        ("written", [*NOTED, "values.py written.^"]),
        ("read", []),
        ("python", []),
        ("assigned", ["_config.py NOTE.$", "values.py NOTE.<"]),
        ("documented", [*CONFIG_LIMIT, "values.py Plain.=", "values.py imported"]),
        ("wrapping", [*CONFIG_LIMIT, "values.py imported"]),
        ("Owner.made", ["values.py Owner.N.$", "values.py Owner.method"]),
        ("CHANGED", [CONFIG_LIMIT[0], "values.py CHANGED.$", CONFIG_LIMIT[1]]),
        ("Noted", [*NOTED, "values.py Noted.^"]),
        ("Derived", ["values.py Base.&", "values.py Derived.^"]),
        ("same", [*NOTED, "values.py same.^"]),
        ("handed", [*NOTED, "values.py handed.^"]),
        ("Fields.()", [*NOTED, "values.py Fields.^"]),
        ("each", NOTED),
        ("Scope.method", ["values.py Scope.N.$"]),
        ("Scope.=", CONFIG_LIMIT),
        ("Plain.=", []),
        ("Plain.*", CONFIG_LIMIT),
        ("Made.=", []),
        ("Made.()", CONFIG_LIMIT),
        ("", []),
        ("=", []),
    ],
)
def test_values_of_names_that_an_object_reads(files, name, shown):
    place = Place(files.module("own.values"), "", "own.values", has_members=True)

    assert sorted(shown) == named(files, files.read_by(place, name))


def named(files, parts):
    folder = files.module("own").parent
    return sorted(
        {f"{file.relative_to(folder).as_posix()} {name}" for file, name in parts}
    )


def test_lists_of_names_that_a_module_takes_over(files):
    (place,) = files.find_module("own.lists")
    lists = ["lists/one.py", "lists/three.py", "lists/two.py"]

    assert [f"{name} __all__" for name in lists] == named(files, files.lists_in(place))


@pytest.mark.parametrize("name", MANY)
def test_work_grows_as_a_module_does_of_which_names_are_followed(name, tmp_path):
    found = []
    for times in (1, 2):
        folder = tmp_path / str(times)
        (folder / ".git").mkdir(parents=True)
        (folder / "own.py").write_text(many(name, times))
        files = PythonFiles(folder, [folder])
        found.append(calls(files.find, "own.missing"))

    one, two = found
    assert two < 3 * one


def test_a_chain_of_names_can_be_longer_than_pythons_stack(tmp_path):
    names = "".join(f"A{number} = A{number - 1}\n" for number in range(1, 990))
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(f"class A0: 'A.'\n{names}class B(A989): 1\n")
    found = PythonFiles(tmp_path, [tmp_path]).find("own.B")

    assert ("B", "A0") == (found[0].name, found[-1].name)


def test_a_module_is_read_once_for_all_classes_whose_members_are_not_shown(tmp_path):
    (tmp_path / ".git").mkdir()
    file = tmp_path / "own.py"
    file.write_text("".join(f"class A{n}(Exception): 1\n" for n in range(200)))
    files = PythonFiles(tmp_path, [tmp_path])
    members = Members(
        documented=None,
        is_ordered=False,
        shows_undocumented=False,
        ignores_exports=False,
        is_run=True,
    )
    first, second = (
        Place(file, name, "own", has_members=True) for name in ("A1", "A2")
    )

    before = calls(files.parts, first, members)
    assert calls(files.parts, second, members) < before / 10


@pytest.mark.parametrize("read", [read_parts, read_values])
def test_parts_that_are_read_are_in_the_file(files, read):
    """A part that is missing would be dated by every commit to its file."""
    place = Place(files.module("own.values"), "", "own.values", has_members=True)
    parts = read(place.file.read_bytes())
    shown = {name for file, name in files.read_by(place, "*") if file == place.file}

    assert {"same.^", "handed.^", "Derived.^", "Noted.^"} <= shown
    assert shown <= parts.keys()
