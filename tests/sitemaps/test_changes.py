"""What tells two sitemaps apart."""

from __future__ import annotations

import tracemalloc
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.publishing.plan import plan_files
from sitemap_plugins.core.publishing.read import Element
from sitemap_plugins.sitemaps.changes import UrlChange, find_changes, scratch_database
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import all_elements
from tests.check.checked_site import index, url, urlset
from tests.folder.html_folder import write
from tests.full import FULL
from tests.property.strategies import BASE_URLS, entries_below

A, B = "https://example.com/a", "https://example.com/b"
DAY, LATER = "2024-05-01", "2024-05-02T10:00:00+00:00"


def entry(loc, lastmod=""):
    fields = [("loc", loc), ("lastmod", lastmod)] if lastmod else [("loc", loc)]
    return Element("url", 1, tuple(fields))


def changes(old, new):
    return list(find_changes([entry(*o) for o in old], [entry(*n) for n in new]))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [(A, DAY)], [UrlChange(A, None, DAY)]),
        ([(A,)], [], [UrlChange(A, "", None)]),
        ([(A, DAY)], [(A, LATER)], [UrlChange(A, DAY, LATER)]),
        ([(A,)], [(A, DAY)], []),
        ([(A, DAY)], [(A,)], []),
        ([(B,), (A,)], [(A,), (B,)], []),
        ([(A, "2024-05-02T10:00Z")], [(A, LATER)], []),
        ([(A, "soon")], [(A, "later")], [UrlChange(A, "soon", "later")]),
        ([(A, "soon")], [(A, "soon")], []),
        ([(A, DAY), (A, LATER)], [(A, LATER)], []),
        ([(f"{A}/vers\u00e3o", DAY)], [(f"{A}/vers%C3%A3o", DAY)], []),
        ([(f"{A}/%7e", DAY)], [(f"{A}/~", LATER)], [UrlChange(f"{A}/~", DAY, LATER)]),
    ],
)
def test_a_change_is_a_url_or_a_moment(old, new, expected):
    assert expected == changes(old, new)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (DAY, LATER, True),
        (LATER, DAY, False),
        ("", DAY, False),
        (DAY, "", False),
        (None, DAY, False),
        (DAY, None, False),
        ("soon", DAY, False),
    ],
)
def test_only_a_later_date_is_newer(old, new, expected):
    assert expected == UrlChange(A, old, new).is_newer


@st.composite
def two_sitemaps(draw):
    """Draw two sitemaps of one site that have most entries in common,
    each URL in one spelling."""
    base = draw(BASE_URLS)
    drawn = draw(entries_below(base, max_size=8))
    every = [*{urls.identity(entry.url): entry for entry in drawn}.values()]
    sides = [[entry for entry in every if draw(st.integers(0, 3))] for _ in range(2)]
    dates = st.none() | st.datetimes(timezones=st.just(UTC))
    sides[1] = [
        e if draw(st.booleans()) else e._replace(lastmod=draw(dates)) for e in sides[1]
    ]
    return [(base, side) for side in sides]


def written(base, entries, folder, max_urls):
    """Write a sitemap; return what it lists as others read it."""
    options = Options.parse({"max_urls": max_urls}, where="test")
    folder.mkdir()
    for file in plan_files(sorted(entries), base, options):
        (folder / file.name).write_bytes(b"".join(file.chunks))
    return [FileLocation(folder / "sitemap.xml")] if entries else []


@given(sites=two_sitemaps(), max_urls=st.integers(1, 4))
def test_old_with_its_changes_is_new(sites, max_urls):
    """Any two sitemaps, one file or many; but for dates that only one of them has."""
    with TemporaryDirectory() as name:
        old, new = (
            written(base, entries, Path(name, str(n)), max_urls)
            for n, (base, entries) in enumerate(sites)
        )
        before, now = (
            {e.get("loc"): e.get("lastmod") for e in all_elements(s)}
            for s in (old, new)
        )
        found = list(find_changes(all_elements(old), all_elements(new)))
    for change in found:
        assert before.get(change.url) == change.old
        before.pop(change.url, None)
        if change.new is not None:
            before[change.url] = change.new

    assert now.keys() == before.keys()
    for loc, date in now.items():
        # A date that only one side has is no change.
        assert date == before[loc] or not (date and before[loc])
    assert [c.url for c in found] == sorted({c.url for c in found}, key=str.encode)


@FULL
def test_memory_does_not_grow_with_the_sitemap():
    def peak(count):
        tracemalloc.start()
        old = (entry(f"{A}{n * 7919 % count}", DAY) for n in range(count))
        new = (entry(f"{A}{n}", DAY) for n in range(count))
        assert [] == list(find_changes(old, new))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(20_000) < 2 * peak(1_000)


def test_a_full_disk_is_reported_in_one_sentence():
    full = pytest.raises(OutputError, match=r"\(database or disk is full\): set TMPDIR")
    with full, scratch_database() as database:
        database.execute("PRAGMA max_page_count = 4")
        database.execute("CREATE TABLE large (content)")
        database.execute("INSERT INTO large VALUES (randomblob(1000000))")


def test_the_parts_of_an_index_are_read(tmp_path):
    write(
        tmp_path,
        {
            "sitemap.xml": index(
                "https://example.com/b/sitemap.xml", "https://example.com/a.xml"
            ),
            "b/sitemap.xml": urlset(url("b/1")),
            "a.xml": urlset(url("a/1", DAY), url("")),
        },
    )
    found = [
        element.get("loc")
        for element in all_elements([FileLocation(tmp_path / "sitemap.xml")])
    ]

    assert ["b/1", "a/1", ""] == [
        loc.removeprefix("https://example.com/") for loc in found
    ]
