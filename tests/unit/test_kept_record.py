"""The record in the cache folder: what it says, and whose it must be."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sitemap_plugins import Options, Page, Site, generate
from sitemap_plugins.core import kept_record
from sitemap_plugins.core.kept_record import read_kept, with_subjects
from sitemap_plugins.core.untrusted_files import read_sealed, write_sealed
from tests.git_repository import ENVIRON, GitRepository
from tests.written import codes

BASE = "https://example.com/"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """The folder of the records, which is not there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/sitemap-plugins/records-3"


@pytest.fixture
def project(tmp_path):
    """A project with a page that moved, and one that includes an edited file."""
    made = GitRepository(tmp_path / "project")
    tree = {"shows.md": "1", "part.md": "1", "plain.md": "1"}
    made.commit({**tree, "before.md": "moved"})
    made.commit({**tree, "moved.md": "moved"})
    made.commit({**tree, "moved.md": "moved", "part.md": "2"})
    made.write(checkout=True)
    return made.folder


def build(project, **options):
    """Build, and return the report."""
    pages = [
        Page(path="shows/", sources=(project / "shows.md",), name="shows.md",
             included=(project / "part.md",)),
        Page(path="moved/", sources=(project / "moved.md",), name="moved.md"),
        Page(path="new/", sources=(project / "new.md",), name="new.md"),
        Page(path="url/", sources=(project / "plain.md",), name="url.md",
             unknown="includes 'https://x.example/', whose date is unknown"),
        Page(path="old/", sources=(project / "plain.md",), name="old.md"),
        Page(path="own/", name="own.md",
             metadata={"sitemap": {"lastmod": "2020-02-03"}}),
    ]  # fmt: skip
    folder = project / "out"
    folder.mkdir(exist_ok=True)
    given = {"base_url": BASE, "exclude": ["old/"], **options}
    return generate(
        pages,
        site=Site(output_dir=folder, project_dir=project),
        options=Options.parse(given, where=""),
        environ={**ENVIRON, "CI": "true"},
    )


def read(project):
    return read_kept(project / "out/sitemap.xml")


def test_it_says_of_each_page_what_the_verbose_output_says(project):
    lines = {line.strip() for line in build(project).details()}
    record = read(project)

    assert BASE == record.base_url
    rows = with_subjects(record.pages, ENVIRON)
    found = {
        f"{row.page}: left out ({row.left_out}: {row.why})"
        for row in rows
        if row.left_out
    }
    assert lines >= {str(row.reason) for row in rows if row.reason} | found
    assert ["excluded"] == [row.left_out for row in rows if row.left_out]
    assert {"shows.md", "moved.md", "new.md", "plain.md", ""} == {
        Path(row.source).name for row in rows
    }
    (unknown,) = (row.reason for row in rows if row.page == "url.md")
    assert (
        "no date, because the page includes 'https://x.example/', whose"
        in unknown.words
    )


@pytest.mark.parametrize("options", [{}, {"max_urls": 2}], ids=["one file", "index"])
def test_it_belongs_to_the_bytes_of_the_sitemap(project, tmp_path, options):
    build(project, **options)
    copy = tmp_path / "copy"
    shutil.copytree(project / "out", copy)
    assert read_kept(copy / "sitemap.xml") == read(project)
    assert read(project) is not None

    part = min(copy.glob("sitemap*.xml"))
    part.write_bytes(part.read_bytes() + b"\n")
    assert read_kept(copy / "sitemap.xml") is None
    assert read_kept(tmp_path / "none.xml") is None


def test_only_the_user_can_read_it(project, cache):
    build(project)
    (file,) = cache.iterdir()

    assert (0o700, 0o600) == (cache.stat().st_mode & 0o777, file.stat().st_mode & 0o777)


def test_dry_run_keeps_none(project, cache):
    folder = project / "out"
    folder.mkdir()
    (project / "built").mkdir()
    site = Site(output_dir=folder, built_dir=project / "built")
    options = Options.parse({"base_url": BASE}, where="")
    report = generate([Page(path="")], site=site, options=options, environ=ENVIRON)

    assert 1 == report.listed
    assert not cache.exists()


def occupied_by_a_file(cache):
    cache.parent.mkdir(parents=True)
    cache.write_text("")


def led_elsewhere(cache):
    cache.parent.mkdir(parents=True)
    other = cache.parent.parent / "other"
    other.mkdir()
    cache.symlink_to(other)


def owned_by_another_user(cache):
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root gives folders away")
    cache.mkdir(parents=True)
    os.chown(cache, 12_345, 12_345)


@pytest.mark.parametrize(
    "spoil", [occupied_by_a_file, led_elsewhere, owned_by_another_user]
)
def test_sitemap_is_written_whatever_prevents_its_record(project, cache, spoil):
    spoil(cache)
    report = build(project)

    assert 5 == report.listed
    assert "record-not-kept" in {notice.code for notice in report.standing}
    assert "record-not-kept" not in codes(report)
    assert read(project) is None


def test_sitemap_is_written_if_its_record_has_no_space(project, cache):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    build(project, stylesheet=False)
    (file,) = cache.iterdir()
    size = file.stat().st_size
    assert size > (project / "out/sitemap.xml").stat().st_size
    file.unlink()
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - 1, before[1]))
    try:
        report = build(project, stylesheet=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert "record-not-kept" in {notice.code for notice in report.standing}
    assert [] == [*cache.iterdir()]


def test_bug_while_it_is_kept_is_no_failure_of_the_sitemap(project, monkeypatch):
    monkeypatch.setattr(kept_record, "_row", None)
    report = build(project)

    assert "failed" not in codes(report)
    assert (project / "out/sitemap.xml").is_file()


def test_builds_at_once_leave_one_whole_record(project, cache):
    report = build(project)
    (file,) = cache.iterdir()
    content = file.read_bytes()
    sitemap = project / "out/sitemap.xml"

    def keep(_number):
        kept_record.keep_record(report, sitemap, base_url=BASE)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(keep, range(50)))

    assert [(file, content)] == [(each, each.read_bytes()) for each in cache.iterdir()]


def test_oldest_records_go_if_all_are_too_large(project, cache, monkeypatch):
    build(project)
    (first,) = cache.iterdir()
    os.utime(first, (1, 1))
    monkeypatch.setattr(kept_record, "_MAX_BYTES", first.stat().st_size * 3 // 2)
    build(project, exclude=["moved/"])

    assert first not in set(cache.iterdir())
    assert read(project) is not None

    monkeypatch.setattr(kept_record, "_MAX_BYTES", 10)
    assert "record-not-kept" in {notice.code for notice in build(project).standing}


def test_record_is_kept_to_the_last_byte_of_the_limit(project, cache, monkeypatch):
    def refused(limit):
        monkeypatch.setattr(kept_record, "_MAX_BYTES", limit)
        return "record-not-kept" in {notice.code for notice in build(project).standing}

    build(project)
    (file,) = cache.iterdir()
    size = len(file.read_bytes().partition(b"\n")[2])

    assert (False, True) == (refused(size), refused(size - 1))


def test_too_many_pages_are_known_before_their_rows(project, cache, monkeypatch):
    """No row is shorter than `_LEAST_ROW` and its URL."""
    row = json.dumps([*[""] * 12, []], separators=(",", ":")) + ","
    assert kept_record._LEAST_ROW == len(row)

    monkeypatch.setattr(kept_record, "_MAX_BYTES", 5 * len(f"{row}{BASE}"))
    monkeypatch.setattr(kept_record, "_row", None)
    standing = {notice.code: notice.problem for notice in build(project).standing}
    assert "bytes" in standing["record-not-kept"]


def poisoned():
    """Yield what somebody could write into the record, by the name of the value."""
    for index in range(12):
        yield pytest.param(("pages", 0, index), 1, id=f"value {index}")
    yield ("pages", 0, 5), "soon"
    yield ("pages", 0, 6), "else"
    yield ("pages", 0, 9), "--output=x"
    yield ("pages", 0, 12), [["--output=x", ""]]
    yield ("pages", 0, 12), 7
    yield ("pages", 0), []
    yield ("pages",), 1
    yield ("base_url",), None
    yield ("files",), []
    yield ("files", "../sitemap.xml"), 1


@pytest.mark.parametrize(("place", "value"), [*poisoned()])
def test_record_with_a_wrong_value_is_not_used(project, cache, place, value):
    build(project)
    (file,) = cache.iterdir()
    document = read_sealed(file, dict, kept_record._FORM)
    holder = document
    *path, last = place
    for step in path:
        holder = holder[step]
    holder[last] = value
    write_sealed(file, document, kept_record._FORM)

    assert read(project) is None


def test_record_with_another_byte_is_not_used(project, cache):
    """It would otherwise name another date, or a page that is not there."""
    build(project)
    (file,) = cache.iterdir()
    content = file.read_bytes()
    for place in range(0, len(content), 7):
        other = content[place] ^ 1
        file.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
        assert read(project) is None


@pytest.mark.parametrize("content", ["", "[" * 100_000, "1", "[]", "\udcff"])
def test_record_that_is_not_json_is_not_used(project, cache, content):
    build(project)
    (file,) = cache.iterdir()
    file.write_bytes(content.encode("utf-8", "surrogateescape"))

    assert read(project) is None


def test_repository_of_a_forged_record_can_have_any_name(project):
    build(project)
    row = next(row for row in read(project).pages if row.reason and row.reason.origin)
    origin = row.reason.origin._replace(root="/\ud800")
    forged = row._replace(reason=row.reason._replace(origin=origin))

    assert [forged] == with_subjects([forged], ENVIRON)
