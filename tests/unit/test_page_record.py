"""The record: what it says of each page, and which file of that name is ours."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from sitemap_plugins import Options, OptionsError, Page, Site, generate
from sitemap_plugins.core.page_record import find_records
from tests.git_repository import ENVIRON, GitRepository
from tests.written import codes

BASE = "https://example.com/"
SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs/record.schema.json").read_text("utf-8")
)
SOURCES = ("moved.md", "plain.md", "shows.md", "part.md", "écrit.md")


@pytest.fixture
def project(tmp_path):
    """A project with a page that moved, one that includes a file, and an edited one."""
    made = GitRepository(tmp_path / "project")
    tree = {name: name for name in SOURCES if name != "moved.md"}
    made.commit({**tree, "before.md": "moved"})
    made.commit({**tree, "moved.md": "moved"})
    made.commit({**tree, "moved.md": "moved", "part.md": "2"})
    made.write()
    return made.folder


def pages(project):
    return [
        Page(path="shows/", sources=(project / "shows.md",), name="shows.md",
             included=(project / "part.md",)),
        Page(path="moved/", sources=(project / "moved.md",), name="moved.md"),
        Page(path="new/", sources=(project / "new.md",), name="new.md"),
        Page(path="old/", sources=(project / "plain.md",), name="old/plain.md"),
        Page(path="tags/", name="tags", exclude_reason="generated"),
        Page(path="%C3%A9/", sources=(project / "écrit.md",), name="écrit.md",
             metadata={"sitemap": {"lastmod": "2020-02-03"}}),
    ]  # fmt: skip


def written(project, described=None, **options):
    """Build with a record, and return the report."""
    folder = project / "out"
    folder.mkdir(exist_ok=True)
    given = {"base_url": BASE, "exclude": ["old/"], "record": "pages.json", **options}
    return generate(
        pages(project) if described is None else described,
        site=Site(output_dir=folder, project_dir=project),
        options=Options.parse(given, where=""),
        environ={**ENVIRON, "CI": "true"},
    )


def rows(project):
    """Return what the record says of each page, by its name."""
    record = json.loads((project / "out/pages.json").read_text("ascii"))
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(record, SCHEMA)  # It allows no other names, and requires all.
    return {row["page"]: row for row in record["pages"]}


def test_it_says_of_each_page_what_the_verbose_lines_say(project):
    report = written(project)
    found = rows(project)
    lines = dict(line.split(": ", 1) for line in report.details())

    assert found.keys() == lines.keys() - {"no-source"}
    shows = found["shows.md"]
    assert ("git", "part.md", "included", "shows.md") == tuple(
        shows[name] for name in ("origin", "file", "how", "source")
    )
    assert lines["shows.md"] == (
        f'{shows["date"][:10]}, {shows["commit"][:7]} "{shows["subject"]}", in part.md (included)'
    )
    (moved,) = found["moved.md"]["passed_over"]
    assert lines["moved.md"].endswith(
        f'passed over: {moved["commit"][:7]} "{moved["subject"]}" (moved only)'
    )
    assert (40, 40) == (len(moved["commit"]), len(shows["commit"]))
    assert {
        "url": f"{BASE}old/",
        "page": "old/plain.md",
        "source": "plain.md",
        "left_out": "excluded",
        "why": "'old/' in the option exclude",
    } == found["old/plain.md"]
    assert ("2020-02-03", "page", "écrit.md") == tuple(
        found["écrit.md"][name] for name in ("date", "origin", "source")
    )
    assert (None, "", "its source is not committed") == tuple(
        found["new.md"][name] for name in ("date", "origin", "why")
    )


def test_it_is_sorted_by_url_and_the_same_build_writes_the_same_bytes(project):
    written(project)
    file = project / "out/pages.json"
    first, time = file.read_bytes(), file.stat().st_mtime_ns
    urls = [row["url"] for row in json.loads(first)["pages"]]

    written(project, pages(project)[::-1])

    assert sorted(urls) == urls
    assert (first, time) == (file.read_bytes(), file.stat().st_mtime_ns)
    assert str(project).encode() not in first


def test_file_outside_git_is_named_from_the_project(project, tmp_path):
    """An absolute name would tell every visitor where the builder's home is."""
    (project / "new.md").write_text("1")
    described = [
        Page(path="a/", name="a", sources=(tmp_path / "elsewhere/a.md",)),
        Page(path="b/", name="b", sources=(project / "new.md",)),
    ]
    (project / ".git").rename(project / ".other")
    written(project, described)
    found = rows(project)

    assert ["a.md", "new.md"] == [found[name]["source"] for name in "ab"]
    assert str(tmp_path) not in (project / "out/pages.json").read_text()


def test_it_is_announced_nowhere_and_listed_never(project):
    written(project, files=["*.json"])
    written(project, files=["*.json"])
    folder = project / "out"

    for name in ("sitemap.xml", "robots.txt"):
        assert "pages.json" not in (folder / name).read_text()

    written(project, files=["*.json"], record="")

    assert "pages.json" not in (folder / "sitemap.xml").read_text()


def test_it_is_removed_with_its_option_or_its_name(project):
    written(project)
    other = project / "out/other.json"
    other.write_text('{"sitemap_plugins": "other.xml", "version": 1, "pages": [\n]}\n')

    written(project, record="facts.json")
    assert {"facts.json", "other.json"} == {f.name for f in other.parent.glob("*.json")}

    written(project, record="")
    assert ["other.json"] == [f.name for f in other.parent.glob("*.json")]


@pytest.mark.parametrize("make", ["file", "link", "folder"])
def test_file_of_another_program_is_kept(project, make):
    file = project / "out/pages.json"
    file.parent.mkdir()
    if make == "file":
        file.write_text("[]")
    elif make == "link":
        file.symlink_to(project / "nowhere")
    else:
        file.mkdir()
    report = written(project)

    assert "other-record" in codes(report)
    assert file.is_symlink() or file.is_dir() or "[]" == file.read_text()
    assert (file.parent / "sitemap.xml").exists()


@pytest.mark.parametrize(
    "name",
    ["../a.json", "a/b.json", "/a.json", "a.xml", "sitemap.css", ".json", "a.json\n"],
)
def test_name_is_plain_and_that_of_no_other_output(name):
    with pytest.raises(
        OptionsError, match=r"not a plain file name that ends in \.json"
    ):
        Options.parse({"record": name}, where="")


def test_without_dates_pages_are_there_all_the_same(project):
    written(project, lastmod=False)
    found = rows(project)

    why = "because the option lastmod names no origin"
    assert (None, why) == tuple(found["moved.md"][name] for name in ("date", "why"))


def test_record_of_another_version_is_ours(tmp_path):
    head = '{"sitemap_plugins": "sitemap.xml", "version": 99, "pages": [\n'
    (tmp_path / "a.json").write_text(f"{head}]}}\n")

    assert [tmp_path / "a.json"] == find_records(tmp_path, "sitemap.xml")
