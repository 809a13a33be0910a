"""Sitemaps as large as the protocol allows, and more."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest

from sitemap_plugins.core.limits import MAX_BYTES, MAX_LOC_LENGTH, MAX_URLS
from sitemap_plugins.core.publishing import xml
from sitemap_plugins.core.publishing.plan import is_submitted, plan_files
from sitemap_plugins.core.records import Entry, Link
from tests.full import FULL, full
from tests.unit.publishing.test_plan import BASE, OPTIONS, content, entries, files_of


def test_file_holds_50_000_urls_and_one_more_divides_it():
    most, more = (
        [content(file).count(b"<url>") for file in files_of(entries(count)).values()]
        for count in (MAX_URLS, MAX_URLS + 1)
    )

    assert [MAX_URLS] == most
    assert 3 == len(more)
    assert MAX_URLS + 1 == sum(more)
    assert max(more) <= MAX_URLS


def test_section_of_60_000_urls_is_divided():
    files = files_of(entries(60_000), replace(OPTIONS, split="section"))

    counts = [content(file).count(b"<url>") for file in files.values()]
    assert (3, 60_000) == (len(counts), sum(counts))


@pytest.mark.parametrize("spare", [0, full(-1)])
def test_file_has_at_most_52_428_800_bytes(spare):
    """A file may be exactly as large as the limit,
    including its first and last lines."""
    frame = len(xml.urlset_header("sitemap.xml", links=False)) + len(xml.URLSET_FOOTER)
    around = len(xml.url_element(Entry(url=""), "datetime"))
    full, rest = divmod(MAX_BYTES - frame, around + MAX_LOC_LENGTH)
    lengths = [MAX_LOC_LENGTH] * (full - 1)
    lengths += [MAX_LOC_LENGTH + rest - around - 100, 100]  # Together what is left.
    some = [
        Entry(url=f"{n:05}{'u' * (length - 5 - spare * (n == full))}")
        for n, length in enumerate(lengths)
    ]

    files = files_of(some)

    sizes = {name: len(content(file)) for name, file in files.items()}
    if spare == 0:
        assert {"sitemap.xml": MAX_BYTES} == sizes
    else:
        assert 3 == len(sizes)
        assert max(sizes.values()) < MAX_BYTES


@pytest.mark.parametrize("choose", [min, full(max)])
def test_index_has_as_many_bytes_as_the_protocol_allows(choose):
    """The last part leaves no byte free, or the next one lacks only a few bytes."""
    around = len(
        xml.sitemap_element(f"{BASE}sitemap-0123456789ab.xml", None, "datetime")
    )
    # As much room as the index with the longest name has.
    frame = len(xml.index_header("sitemap.xml", "index-50000")) + len(xml.INDEX_FOOTER)
    room = MAX_BYTES - frame
    length = choose(range(10_800, 11_900), key=lambda length: room % (around + length))
    escaped, plain = divmod(length, len("&apos;"))
    base_url = BASE + "'" * escaped + "a" * plain
    most = room // (around + length)

    files = files_of(entries(most + 1), replace(OPTIONS, max_urls=1), base_url=base_url)

    indexes = [
        content(file)
        for name, file in files.items()
        if is_submitted(name, "sitemap.xml")
    ]
    assert [most, 1] == [index.count(b"<sitemap>") for index in indexes]
    assert max(map(len, indexes)) <= MAX_BYTES


@FULL
def test_part_that_is_too_large_is_divided_piece_by_piece():
    """The entries fill 25 MB; no more than one or two files are in memory at once."""
    links = tuple(Link("en", "u" * 100) for _ in range(30))
    some = [Entry(url=f"{BASE}{number:05}", links=links) for number in range(5_000)]
    tracemalloc.start()

    for file in plan_files(some, BASE, replace(OPTIONS, max_bytes=1_000_000)):
        assert len(content(file)) <= 1_000_000

    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()
