"""Pages of API documentation built by Sphinx: the dates of what they show."""

from __future__ import annotations

import pickle

import pytest

from tests.full import FULL
from tests.hosts.python_package import (
    BASE,
    BODY,
    CORE,
    EDITS,
    NEW,
    OF_PARENT,
    ONE,
    PARENTS,
    SIGNATURE,
    TEXT,
    commit,
    commit_package,
    commit_values,
    edit,
)
from tests.hosts.sphinx_site import BASE_URL, build, title, write
from tests.sites import git

AUTODOC = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "sitemap_plugins.sphinx"]


TABLE = """


class Table(dict):
    pass
"""


def make(folder, pages, *, core=CORE, edits=EDITS, **settings):
    """Write a project with a package, whose history is that of the package."""
    site = write_site(folder, pages, **settings)
    commit_package(folder, core=core, edits=edits)
    return site


def write_site(folder, pages, **settings):
    toctree = ".. toctree::\n   :glob:\n\n   *\n"
    files = {"index.rst": title("Home") + toctree}
    files |= {f"{name}.rst": title(name) + text for name, text in pages.items()}
    defaults = {"extensions": AUTODOC, "autosummary_generate": True}
    site = write(folder / "docs", files, **(defaults | settings))
    with (site / "conf.py").open("a") as file:
        file.write("sys.path.insert(0, os.path.abspath('../src'))\n")
    return site


def write_module(folder, name, text):
    file = folder / f"src/pkg/{name}.py"
    file.parent.mkdir(parents=True)
    file.write_text(text)


def dates(built):
    """Return each page's date, by its name."""
    assert 0 == built.returncode, built.log
    found = {}
    for url, entry in built.entries.items():
        name = url.removeprefix(BASE_URL).removesuffix(".html")
        found[name] = entry.get("lastmod")
    found.pop("index")
    return found


PAGES = {
    "text": ("Nothing of Python.\n", ONE),
    "by_hand": (".. py:function:: pkg.work()\n\n   Work.\n", ONE),
    "body": (".. autofunction:: pkg.other\n", ONE),
    "docstring": (".. autofunction:: pkg.work\n", TEXT),
    "unlisted": (".. autofunction:: pkg.work\n   :no-index:\n", TEXT),
    "table": (".. autosummary::\n\n   pkg.work\n", ONE),
    "both": (".. autosummary::\n\n   pkg.work\n\n.. autofunction:: pkg.work\n", TEXT),
    "of_class": (".. autoclass:: pkg.Client\n", SIGNATURE),
    "methods": (
        ".. autoclass:: pkg.Client\n   :members:\n   :exclude-members: explained\n",
        SIGNATURE,
    ),
    "undocumented": (
        ".. autoclass:: pkg.Client\n   :members:\n   :undoc-members:\n",
        NEW,
    ),
    "inherited": (
        ".. autoclass:: pkg.Client\n   :members:\n   :inherited-members:\n",
        BASE,
    ),
    "module": (".. automodule:: pkg._core\n   :members:\n", BASE),
    "module_alone": (".. automodule:: pkg._core\n", ONE),
    "elsewhere": (".. autofunction:: json.dumps\n", None),
    "partly_elsewhere": (
        ".. autofunction:: pkg.work\n.. autofunction:: json.loads\n",
        None,
    ),
    "of_python": (
        ".. autofunction:: pkg.work\n.. automethod:: pkg.Table.fromkeys\n",
        TEXT,
    ),
    "stubs": (
        """.. autosummary::
   :toctree: generated

   pkg.work
   pkg.other
   pkg.Client
""",
        SIGNATURE,
    ),
}
STUBS = {
    "generated/pkg.work": TEXT,
    "generated/pkg.other": ONE,
    # Its table lists also methods without a docstring.
    "generated/pkg.Client": NEW,
}


def test_a_page_has_the_date_of_the_last_change_of_what_it_shows(tmp_path):
    """Of docstrings, signatures and members; and all of its text, as before."""
    pages = {name: text for name, (text, _) in PAGES.items()}
    site = make(tmp_path, pages, core=CORE + TABLE)
    built = build(site, "-v")

    assert dates(built) == {name: date for name, (_, date) in PAGES.items()} | STUBS
    assert "elsewhere.rst: the page documents json.dumps" in built.log
    assert ", in src/pkg/_core.py (work)" in built.log

    # Again with what is kept, and anew by two processes.
    content = (built.output_dir / "sitemap.xml").read_bytes()
    build(site)
    assert content == (built.output_dir / "sitemap.xml").read_bytes()
    build(site, "-E", "-j", "2")
    assert content == (built.output_dir / "sitemap.xml").read_bytes()


OF_VALUES = {
    "late": SIGNATURE,
    "unused": ONE,
    # What a decorator writes, and defaults of fields of a base, do not count.
    "written": ONE,
    "Child": ONE,
    "Scope.method": NEW,
}


def test_values_of_names_date_the_page_that_shows_them(tmp_path):
    """Also those of other modules."""
    pages = {}
    for name in OF_VALUES:
        kind = "class" if name == "Child" else "function"
        kind = "method" if name == "Scope.method" else kind
        pages[name] = f".. auto{kind}:: pkg._core.{name}\n"
    site = write_site(tmp_path, pages)
    commit_values(tmp_path)
    built = build(site, "-v")

    assert OF_VALUES == dates(built)
    assert ", in src/pkg/_config.py (TIMEOUT)" in built.log


IMPORTS = '''"""Its own function, and others that no reader sees here."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, overload

from pkg._core import Client, work


def own():
    """Do."""
'''


@FULL
def test_what_a_documented_module_imports_does_not_date_its_page(tmp_path):
    """Since Sphinx 9, autodoc looks at all of it, and shows none."""
    text = ".. automodule:: pkg.use\n   :members:\n"
    pages = {
        "own": text,
        "undocumented": f"{text}   :undoc-members:\n",
        "unlisted": f"{text}   :no-index:\n",
        "table": f"{text}\n.. autosummary::\n\n   pkg.use.Client\n",
        "imported": f"{text}   :imported-members:\n",
        "chosen": ".. automodule:: pkg.use\n   :members: own, work\n",
        "beside": f"{text}   :no-index:\n\n.. autofunction:: pkg._core.work\n",
    }
    write_module(tmp_path, "use", IMPORTS)
    site = make(tmp_path, pages)

    assert dates(build(site)) == {
        "own": ONE,
        "undocumented": ONE,
        "unlisted": ONE,
        # Its signature.
        "table": SIGNATURE,
        # There are others of Python, too.
        "imported": None,
        "chosen": TEXT,
        "beside": TEXT,
    }


UNDOCUMENTED = '''"""Attributes."""

from typing import List


class First:
    """The first."""

    limit = 1
    gone = 1
    Kind = List[int]

    def work(self):
        """Work."""


class Second:
    """The second.

    Attributes:
        size: In bytes.
    """

    size: int = 1
'''
OF_UNDOCUMENTED = {
    BODY: ("limit = 1", "limit = 2"),
    SIGNATURE: ("    gone = 1\n", ""),
    TEXT: ("List[int]", "List[str]"),
    BASE: ("size: int = 1", "size: int = 2"),
}


@FULL
def test_attributes_without_docstrings_date_the_page_that_shows_them(tmp_path):
    """autodoc has no event for these."""
    text = ".. autoclass:: pkg._core.{}\n   :members:\n"
    pages = {}
    for name in ("First", "Second"):
        pages[name] = text.format(name)
        pages[f"{name}_all"] = f"{pages[name]}   :undoc-members:\n"
    extensions = ["sphinx.ext.napoleon", *AUTODOC]
    site = write_site(tmp_path, pages, extensions=extensions)
    commit_package(tmp_path, core=UNDOCUMENTED, edits={})
    found = {name: [] for name in pages}
    for date, (old, new) in OF_UNDOCUMENTED.items():
        edit(tmp_path / "src/pkg/_core.py", old, new)
        commit(tmp_path, date)
        for name, each in dates(build(site, "-E")).items():
            found[name].append(each)

    assert found == {
        "First": [ONE] * 4,
        "First_all": [BODY, SIGNATURE, TEXT, TEXT],
        # It does not show the value.
        "Second": [ONE] * 4,
        "Second_all": [ONE] * 3 + [BASE],
    }


def test_a_generated_page_that_lists_the_modules_of_a_package_has_no_date(tmp_path):
    """Unlike one whose author lists them."""
    table = ".. autosummary::\n   :toctree: generated\n   :recursive:\n\n   pkg\n"
    pages = {"table": table, "by_hand": ".. autosummary::\n\n   pkg._core\n"}
    write_module(tmp_path, "sub", '"""A module."""\n')
    site = make(tmp_path, pages, edits={})

    assert dates(build(site)) == {
        "table": ONE,
        "by_hand": ONE,
        "generated/pkg": None,
        "generated/pkg.sub": ONE,
    }


def test_what_a_class_assigns_counts_if_its_parameters_are_that(tmp_path):
    core = (
        '"""Classes."""\n\nfrom dataclasses import dataclass\n\n\n'
        'class Plain(Exception):\n    """Plain."""\n\n    size = 1\n\n\n'
        '@dataclass\nclass Data:\n    """Data."""\n\n    weight: int = 1\n'
    )
    edits = {BODY: ("size = 1", "size = 2"), TEXT: ("int = 1", "int = 2")}
    pages = {
        "Plain": ".. autoexception:: pkg._core.Plain\n",
        "Data": ".. autoclass:: pkg._core.Data\n",
    }
    site = make(tmp_path, pages, core=core, edits=edits)

    assert {"Plain": ONE, "Data": TEXT} == dates(build(site))


def test_class_methods_of_pythons_own_classes_do_not_matter(tmp_path):
    """A page that lists all members of a `TypedDict` has those of `dict`."""
    core = f'{CORE}\n\nclass Table(dict):\n    """A table."""\n'
    text = ".. autoclass:: pkg.Table\n\n   .. automethod:: {}\n"
    pages = {name: text.format(name) for name in ("clear", "fromkeys")}
    site = make(tmp_path, pages, core=core)

    assert {"clear": ONE, "fromkeys": ONE} == dates(build(site))


@FULL
def test_a_class_has_the_date_of_what_it_inherits_and_of_what_it_no_longer_does(
    tmp_path,
):
    inherited = ".. autoclass:: pkg.Child\n   :members:\n   :inherited-members:\n"
    stub = ".. autosummary::\n   :toctree: generated\n\n   pkg.Child\n"
    pages = {"fields": ".. autoclass:: pkg.Child\n", "inherited": inherited}
    site = make(tmp_path, pages | {"stub": stub}, core=PARENTS, edits=OF_PARENT)

    assert dates(build(site)) == {
        "fields": BODY,
        "inherited": TEXT,
        "stub": BODY,
        "generated/pkg.Child": TEXT,
    }


def test_with_changes_any_every_edit_of_the_module_counts(tmp_path):
    pages = {name: f".. autofunction:: pkg.{name}\n" for name in ("work", "other")}
    site = make(tmp_path, pages, sitemap_changes="any")

    assert {"work": NEW, "other": NEW} == dates(build(site))


@pytest.mark.parametrize("changed", [False, True])
def test_an_installed_copy_is_the_projects_own_file_if_it_has_its_bytes(
    tmp_path, changed
):
    """As after `pip install .`; a release from the index differs."""
    site = make(tmp_path, {"work": ".. autofunction:: pkg.work\n"})
    packages = tmp_path / "venv/lib/python3/site-packages"
    (packages / "pkg").mkdir(parents=True)
    for name in ("__init__.py", "_core.py"):
        content = (tmp_path / "src/pkg" / name).read_bytes()
        if changed:
            content += b"# released\n"
        (packages / "pkg" / name).write_bytes(content)
    with (tmp_path / ".gitignore").open("a") as file:
        file.write("venv\n")
    with (site / "conf.py").open("a") as file:
        file.write(
            f"sys.path.insert(0, {str(packages)!r})\n"
            "from sitemap_plugins.core import opened\n"
            f"opened._PLACES_OF_CODE += ({str(packages)!r},)\n"
        )
    commit(tmp_path, NEW)

    # conf.py itself is no part of a page.
    assert {"work": None if changed else TEXT} == dates(build(site))


def test_only_documents_that_sphinx_reads_again_are_looked_at_again(tmp_path):
    pages = {name: f".. autofunction:: pkg.{name}\n" for name in ("work", "other")}
    site = make(tmp_path, pages)
    build(site)
    edit(tmp_path / "src/pkg/_core.py", "Do something else.", "Do much.")
    commit(tmp_path, "2025-01-02T03:04:05+00:00")
    again = build(site, "-v")

    found = {"work": TEXT, "other": "2025-01-02T03:04:05+00:00"}
    assert found == dates(again)
    environment = site / again.output_dir / ".doctrees/environment.pickle"
    kept = pickle.loads(environment.read_bytes()).sitemap_shown
    assert {"work", "other"} == set(kept)
    assert (environment.parent / "sitemap_parts.json").is_file()


def test_a_version_that_notes_more_reads_all_documents_again(tmp_path):
    site = make(tmp_path, {"work": ".. autofunction:: pkg.work\n"})
    build(site)
    why = "build environment version not current"
    assert why not in build(site).log
    with (site / "conf.py").open("a", encoding="utf-8") as file:
        file.write("from sitemap_plugins.sphinx import modules\nmodules.VERSION += 1\n")

    assert why in build(site).log


@FULL
def test_pages_of_autoapi_have_the_dates_of_their_objects(tmp_path):
    """It reads the source alone, and removes its documents after the build."""
    pytest.importorskip("autoapi")
    site = make(
        tmp_path,
        {},
        extensions=["autoapi.extension", "sitemap_plugins.sphinx"],
        autoapi_dirs=["../src"],
        autoapi_own_page_level="function",
    )
    found = dates(build(site))

    assert not (site / "autoapi").exists()
    assert TEXT == found["autoapi/pkg/_core/work"]
    assert ONE == found["autoapi/pkg/_core/other"]
    # No version of a package's file says which modules are no more beside it.
    assert {None} == {found[f"autoapi/{name}index"] for name in ("", "pkg/")}


def test_a_page_of_sphinx_click_has_the_date_of_its_commands(tmp_path):
    pytest.importorskip("sphinx_click")
    core = (
        "import click\n\nFAST = 'Be quick.'\n\n\n"
        "@click.group()\ndef main():\n    'Run.'\n\n\n"
        "@main.command()\n@click.option('--fast', help=FAST)\n"
        "def work(fast):\n    'Work.'\n    return 1\n"
    )
    edits = {TEXT: ("Be quick.", "Be quicker."), BODY: ("return 1", "return 2")}
    site = make(
        tmp_path,
        {"cli": ".. click:: pkg._core:main\n   :prog: main\n   :nested: full\n"},
        core=core,
        edits=edits,
        extensions=["sphinx_click", "sitemap_plugins.sphinx"],
    )

    assert {"cli": TEXT} == dates(build(site))


OPTIONS = """import click

FAST = "Be quick."
UNUSED = 1


def slowly(function):
    return click.option("--slow", help="Be slow.")(function)
"""


@FULL
def test_a_page_of_sphinx_click_has_the_date_of_options_from_other_modules(tmp_path):
    pytest.importorskip("sphinx_click")
    core = (
        "import click\nfrom ._options import FAST, slowly\n\n\n"
        "@click.command()\n@click.option('--fast', help=FAST)\n@slowly\n"
        "def main(fast, slow):\n    'Run.'\n"
    )
    pages = {"cli": ".. click:: pkg._core:main\n   :prog: main\n"}
    site = write_site(
        tmp_path, pages, extensions=["sphinx_click", "sitemap_plugins.sphinx"]
    )
    write_module(tmp_path, "_options", OPTIONS)
    commit_package(tmp_path, core=core, edits={})
    found = []
    edits = {
        BODY: ("UNUSED = 1", "UNUSED = 2"),
        TEXT: ("quick", "quicker"),
        # What a function does to the command is not its own text.
        NEW: ("slow.", "slower."),
    }
    for date, (old, new) in edits.items():
        edit(tmp_path / "src/pkg/_options.py", old, new)
        commit(tmp_path, date)
        found.append(dates(build(site, "-E"))["cli"])

    assert [ONE, TEXT, TEXT] == found


def test_a_class_below_many_names_does_not_break_the_build(tmp_path):
    site = write_site(tmp_path, {"many": ".. autoclass:: pkg.B\n"})
    names = "".join(f"A{number} = A{number - 1}\n" for number in range(1, 1200))
    write_module(
        tmp_path, "__init__", f"class A0: 1\n{names}class B(A1199):\n    'B.'\n"
    )
    git(tmp_path, "init", "-q")
    commit(tmp_path, ONE)

    assert dates(build(site)).keys() == {"many"}


@FULL
def test_page_of_an_object_with_too_many_names_has_no_date(tmp_path):
    """Nobody knows which of so many values decide it."""
    site = write_site(tmp_path, {"many": ".. autodata:: pkg.TABLE\n"})
    names = ", ".join(f"a{number}" for number in range(5000))
    write_module(tmp_path, "__init__", f"a0 = 1\n#: All.\nTABLE = lambda: [{names}]\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path, ONE)
    built = build(site, "-v")

    assert {"many": None} == dates(built)
    assert "many.rst: the page documents pkg.TABLE, whose file" in built.log
