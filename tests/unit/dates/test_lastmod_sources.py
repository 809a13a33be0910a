"""Further sources of pages, from front matter and options, with real files."""

from __future__ import annotations

import time

import pytest

from sitemap_plugins.core import untrusted_files
from sitemap_plugins.core.dates.lastmod import add_sources
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Page
from tests.checked import checked


@pytest.fixture
def project(tmp_path):
    for name in ("docs/a.md", "docs/[b].md", "src/a.py", "src/deep/b.py", "src/c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def test_option_names_no_file_without_a_project_folder(project):
    options = Options.parse({"sources": {"**": ["docs/a.md"]}}, where="test")

    (page,), (notice,) = add_sources([checked(Page(path="a/"))], options, None)

    assert ((), "missing-source") == (page.sources, notice.code)


def added(project, sources=None, named=None):
    """Return the names of the files that are added to one page, and the notices."""
    metadata = {"sitemap": {"sources": named}} if named else {}
    own = project / "docs/a.md"
    page = Page(path="api/a/", name="api/a.md", sources=(own,), metadata=metadata)
    options = Options.parse({"sources": sources or {}}, where="test")

    (complete,), notices = add_sources([checked(page)], options, project)

    first, *more = complete.sources
    assert own == first
    return [file.resolve().relative_to(project).as_posix() for file in more], [
        str(notice) for notice in notices
    ]


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (["../src/a.py"], ["src/a.py"]),
        ("../src/**/*.py", ["src/a.py", "src/deep/b.py"]),
        (["[b].md"], ["docs/[b].md"]),  # A file of this name comes before a pattern.
    ],
)
def test_front_matter_names_files_relative_to_the_source(project, named, expected):
    assert (expected, []) == added(project, named=named)


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ({"api/**": ["src/**/*.py"]}, ["src/a.py", "src/deep/b.py"]),
        ({"api/a.md": "src/c.txt"}, ["src/c.txt"]),  # By the source's name.
        ({"api/": ["src/*"]}, ["src/a.py", "src/c.txt"]),  # Not the folder.
        ({"api/": ["src/**/*"]}, ["src/a.py", "src/c.txt", "src/deep/b.py"]),
        ({"api/": ["src/a.py"], "a.md": ["src/c.txt"]}, ["src/a.py", "src/c.txt"]),
        ({"blog/": ["src/a.py"]}, []),
    ],
)
def test_options_name_files_of_the_project_by_pattern(project, sources, expected):
    assert (expected, []) == added(project, sources=sources)


@pytest.mark.parametrize("pattern", ["src/*", "src/**", "src/*/*"])
def test_endless_link_hides_no_other_file(project, pattern):
    before = added(project, sources={"**": [pattern]})
    (project / "src/loop").symlink_to("loop")

    assert before == added(project, sources={"**": [pattern]})
    assert before[0]


@pytest.mark.parametrize(
    "name", ["gone.py", "src", "no/**", "/no/such/file", "", "x" * 5000]
)
def test_name_without_a_file_is_a_notice(project, name):
    files, (message,) = added(project, sources={"**": [name]})

    assert [] == files
    assert message.startswith(f"sources: {quoted(name)} matches no file below ")


def anchored(file):
    """Return names that begin at a root, a drive or another machine,
    the first of a real file."""
    return [
        str(file),
        f"//{file}",
        "//host/share/x",
        r"\\host\share\x",
        r"\x",
        r"c:\x",
        "c:x",
    ]


def test_absolute_name_is_refused(project):
    """On Windows, `//host/share/x` would connect to another machine."""
    for name in anchored(project / "src/a.py"):
        assert [] == added(project, sources={"**": [name]})[0]
        assert [] == added(project, named=[name])[0]


def test_page_whose_front_matter_names_no_file_is_a_notice(project):
    message = "api/a.md: sitemap.sources: 'gone.md' matches no file: correct it"

    assert ([], [message]) == added(project, named=["gone.md"])


def test_missing_source_has_its_own_code(project):
    metadata = {"sitemap": {"sources": ["gone.md"]}}
    page = Page(path="a/", sources=(project / "docs/a.md",), metadata=metadata)

    _, (notice,) = add_sources([checked(page)], Options(), project)

    assert "missing-source" == notice.code


def test_page_without_further_sources_is_unchanged(project):
    page = checked(Page(path="a/"))

    assert ([page], ()) == add_sources([page], Options(), project)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../**/d*/**/b.py", ["src/deep/b.py"]),
        ("**/" * 30 + "a.md", ["docs/a.md"]),
        ("../" + "**/*/" * 12 + "*.zzz", []),
        ("../docs/" + "*/" * 40 + "*.zzz", []),
        ("../docs/" + "*a*" * 40 + "/b", []),
    ],
)
def test_no_pattern_takes_long(project, name, expected):
    """Each `**` tripled the time for 36 folders, so 30 of them would never finish."""
    (project / "docs" / "/".join(["a"] * 40)).mkdir(parents=True)
    (project / "docs/a/loop").symlink_to(project / "docs")
    began = time.process_time()

    assert expected == added(project, named=[name])[0]
    assert time.process_time() - began < 1


@pytest.mark.parametrize("repeats", [3, 6, 100])
def test_no_pattern_goes_up_after_a_wildcard(project, repeats):
    """With 12 folders, 6 repeats did not end."""
    for number in range(12):
        (project / f"docs/d{number}").mkdir()
    name = "*/../" * repeats + "*.md"
    problem = f"{quoted(name)} has '..' after a wildcard: correct it"
    began = time.process_time()

    assert ([], [f"api/a.md: sitemap.sources: {problem}"]) == added(
        project, named=[name]
    )
    assert ([], [f"sources: {problem}"]) == added(project, sources={"**": [f"{name}"]})
    assert time.process_time() - began < 1


def test_patterns_look_at_a_limited_number_of_files_together(project, monkeypatch):
    monkeypatch.setattr(untrusted_files, "MAX_ENTRIES", 12)
    same, other = ["../src/**/*.py"] * 50, ["../**/*.py"]

    files, (notice,) = added(project, named=[*same, *other])

    assert ["src/a.py", "src/deep/b.py"] == files
    assert "'../**/*.py' matches too much: more than 12 files were examined" in notice
