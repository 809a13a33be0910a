"""Pages of API documentation built by MkDocs: the dates of what they show."""

from __future__ import annotations

import os

import pytest

from tests.full import FULL
from tests.hosts.mkdocs_project import BASE as ADDRESS
from tests.hosts.mkdocs_project import build, write
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
    edit,
)

MKDOCSTRINGS = {"mkdocstrings": {"handlers": {"python": {"paths": ["src"]}}}}


def make(folder, pages, plugins, *, options=None, core=CORE, edits=EDITS, **settings):
    files = {f"docs/{name}.md": text for name, text in pages.items()}
    settings["plugins"] = [{"sitemap": options or {}}, *plugins]
    write(folder, files | settings.pop("files", {}), **settings)
    commit_package(folder, core=core, edits=edits)


def dates(folder, *arguments):
    """Build, and return each page's date, by its name, and the log."""
    paths = [str(folder / "src"), os.environ.get("PYTHONPATH", "")]
    built = build(folder, *arguments, PYTHONPATH=os.pathsep.join(filter(None, paths)))
    found = {}
    for url, entry in built.entries.items():
        found[url.removeprefix(ADDRESS).strip("/")] = entry.get("lastmod")
    found.pop("")
    return found, built.log


def block(name, *options):
    lines = [f"::: {name}", "    options:", *(f"      {each}" for each in options)]
    return "\n".join(lines if options else lines[:1]) + "\n"


PAGES = {
    "text": ("Nothing of Python.\n", ONE),
    "body": (block("pkg._core.other"), ONE),
    "docstring": (block("pkg._core.work"), TEXT),
    "renamed": (block("pkg.work"), TEXT),
    "class_alone": (block("pkg._core.Client", "members: false"), SIGNATURE),
    "methods": (block("pkg._core.Client"), SIGNATURE),
    "some": (block("pkg._core.Base", "members: [explained]"), SIGNATURE),
    "undocumented": (block("pkg._core.Client", "show_if_no_docstring: true"), NEW),
    "inherited": (block("pkg._core.Client", "inherited_members: true"), BASE),
    "module": (block("pkg._core"), BASE),
    "elsewhere": (block("json.dumps"), None),
}


def test_a_page_has_the_date_of_the_last_change_of_what_mkdocstrings_shows(tmp_path):
    pytest.importorskip("mkdocstrings")
    pages = {name: text for name, (text, _) in PAGES.items()}
    make(tmp_path, pages, [MKDOCSTRINGS])
    found, log = dates(tmp_path, "-v")

    assert {name: date for name, (_, date) in PAGES.items()} == found
    assert ", in src/pkg/_core.py (work)" in log
    assert "elsewhere.md: the page documents json/__init__.py, which is not a" in log


def test_what_is_appended_to_each_docstring_dates_no_page(tmp_path):
    """As on hatch.pypa.io: mkdocstrings renders docstrings with the same extensions."""
    pytest.importorskip("mkdocstrings")
    snippets = {"base_path": ["parts"], "auto_append": ["links.txt"]}
    pages = {"docstring": PAGES["docstring"][0]}
    extensions = [{"pymdownx.snippets": snippets}]
    files = {"parts/links.txt": "[a]: https://a.example\n"}
    make(tmp_path, pages, [MKDOCSTRINGS], files=files, markdown_extensions=extensions)
    edit(tmp_path / "parts/links.txt", "a.example", "b.example")
    commit(tmp_path, "2024-01-01T00:00:00+00:00")

    assert {"docstring": TEXT} == dates(tmp_path)[0]


@FULL
def test_a_page_that_lists_the_modules_of_a_package_has_no_date(tmp_path):
    """Which were there before, no version of its file says."""
    pytest.importorskip("mkdocstrings")
    pages = {
        "list": block("pkg", "summary: true"),
        "no_list": block("pkg", "summary: false"),
        "sections": block("pkg", "summary: {modules: true}"),
        "no_sections": block("pkg", "summary: {functions: true}"),
        "whole": block("pkg", "show_submodules: true"),
        "no_modules": block("pkg.listed", "summary: true"),
    }
    files = {"src/pkg/listed.py": '"""What is listed."""\n'}
    make(tmp_path, pages, [MKDOCSTRINGS], files=files, edits={})
    found, log = dates(tmp_path, "-v")

    dated = {name for name, date in found.items() if date == ONE}
    assert {"no_list", "no_modules", "no_sections"} == dated
    assert "list.md: the page lists the modules of a package" in log


@FULL
def test_the_stub_of_a_module_counts(tmp_path):
    """Griffe merges both."""
    pytest.importorskip("mkdocstrings")
    stub = (
        '"""Stub."""\n\ndef work() -> int: ...\n\n'
        'def only() -> int:\n    """Be alone."""\n'
    )
    pages = {name: block(f"pkg._core.{name}") for name in ("work", "other", "only")}
    files = {"src/pkg/_core.pyi": stub}
    make(tmp_path, pages, [MKDOCSTRINGS], files=files, edits={BODY: EDITS[BODY]})
    file = tmp_path / "src/pkg/_core.pyi"
    for date, name in ((TEXT, "work"), (NEW, "only")):
        edit(file, f"{name}() -> int", f"{name}() -> str")
        commit(tmp_path, date)
    found, _ = dates(tmp_path)

    assert {"work": TEXT, "other": ONE, "only": NEW} == found


@FULL
def test_a_class_has_the_date_of_what_it_inherits_and_of_what_it_no_longer_does(
    tmp_path,
):
    pytest.importorskip("mkdocstrings")
    name = "pkg._core.Child"
    pages = {"fields": block(name), "inherited": block(name, "inherited_members: true")}
    make(tmp_path, pages, [MKDOCSTRINGS], core=PARENTS, edits=OF_PARENT)
    found, _ = dates(tmp_path)

    assert {"fields": BODY, "inherited": TEXT} == found


GENERATOR = """
import mkdocs_gen_files

for name in ("work", "other"):
    page = f"api/{name}.md"
    with mkdocs_gen_files.open(page, "w") as file:
        file.write(f"::: pkg._core.{name}\\n")
    mkdocs_gen_files.set_edit_path(page, "../src/pkg/_core.py")
"""


def test_a_generated_page_has_the_date_of_the_objects_that_it_shows(tmp_path):
    pytest.importorskip("mkdocstrings")
    pytest.importorskip("mkdocs_gen_files")
    make(
        tmp_path,
        {},
        [{"gen-files": {"scripts": ["generate.py"]}}, MKDOCSTRINGS],
        files={"generate.py": GENERATOR},
    )
    found, _ = dates(tmp_path)

    assert {"api/work": TEXT, "api/other": ONE} == found


@FULL
def test_objects_that_mkautodoc_shows_date_their_pages(tmp_path):
    """As encode/httpx does: what is exported says that the package defined it."""
    pytest.importorskip("mkautodoc")
    text = "::: pkg.{}\n    :docstring:\n"
    pages = {
        "work": text.format("work"),
        "other": text.format("other"),
        "client": text.format("Client") + "    :members: get\n",
        "inherited": text.format("Client") + "    :members: get inherited\n",
        "all": text.format("Client") + "    :members:\n",
        "last": text.format("Last") + "    :members:\n",
    }
    core = f"{CORE}\n\nClient.__module__ = 'pkg'\n\n\nclass Last(Base):\n    'Z.'\n"
    make(tmp_path, pages, [], core=core, markdown_extensions=["mkautodoc"])
    found, _ = dates(tmp_path, "--strict")

    of_client = {"client": SIGNATURE, "inherited": BASE, "all": NEW, "last": BASE}
    assert {"work": TEXT, "other": ONE, **of_client} == found


@FULL
@pytest.mark.parametrize(
    ("old", "new"), [("Optional[int]", "int | None"), ("MOST = 1", "MOST = 2")]
)
def test_page_that_shows_an_object_as_it_is_written_and_as_it_is_run(
    tmp_path, old, new
):
    """Only mkdocstrings shows the first edit, and only mkautodoc the second."""
    pytest.importorskip("mkdocstrings")
    pytest.importorskip("mkautodoc")
    core = (
        "from typing import Optional\n\nMOST = 1\n\n\n"
        "def work(a: Optional[int] = MOST):\n    'Work.'\n"
    )
    name = "::: pkg._core.work\n"
    pages = {"both": f"{name}    :docstring:\n\n## {name}"}
    make(
        tmp_path,
        pages,
        [MKDOCSTRINGS],
        core=core,
        edits={TEXT: (old, new)},
        markdown_extensions=["mkautodoc"],
    )
    found, _ = dates(tmp_path, "--strict")

    assert {"both": TEXT} == found


@FULL
@pytest.mark.parametrize("name", ["mkdocs-click", "mkdocs_click:MKClickExtension"])
def test_commands_that_mkdocs_click_shows_date_their_pages(tmp_path, name):
    """Also those of other modules."""
    pytest.importorskip("mkdocs_click")
    group = (
        "import click\nfrom pkg._core import work\n\n\n"
        "@click.group()\ndef main():\n    'Run.'\n\n\nmain.add_command(work)\n"
    )
    core = (
        "import click\n\nFAST = 'Be quick.'\n\n\n"
        "@click.command()\n@click.option('--fast', help=FAST)\n"
        "def work(fast):\n    'Work.'\n    return 1\n"
    )
    edits = {TEXT: ("Be quick.", "Be quicker."), BODY: ("return 1", "return 2")}
    text = "::: mkdocs-click\n    :module: pkg.main\n    :command: main\n"
    make(
        tmp_path,
        {"cli": text},
        [],
        core=core,
        edits=edits,
        files={"src/pkg/main.py": group},
        markdown_extensions=[name],
    )
    found, _ = dates(tmp_path, "--strict")

    assert {"cli": TEXT} == found
