"""Entries → the set of files: one `<urlset>`, or parts and indexes."""

from __future__ import annotations

import gc
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lxml import etree

from sitemap_plugins.core import encode, split
from sitemap_plugins.core.alternates import Link
from sitemap_plugins.core.entries import Entry
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.fileset import from_entries
from sitemap_plugins.core.options import MIN_BYTES, Options, check
from sitemap_plugins.core.protocol import MAX_BYTES, MAX_LOC_LENGTH, MAX_URLS

BASE = "https://example.com/"
OPTIONS = Options(base_url=BASE)
NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def entries(count):
    return [Entry(url=f"{BASE}{number:06}/") for number in range(count)]


def files_of(some, options=OPTIONS, **limits):
    return {file.name: file for file in from_entries(some, options, **limits)}


def content(file):
    return b"".join(file.chunks)


def locs(file):
    return [loc.text for loc in etree.fromstring(content(file)).iter(f"{NS}loc")]


def test_no_entry_gives_no_file():
    assert files_of([]) == {}


def test_one_file_is_the_urlset_itself():
    files = files_of(entries(3))

    assert list(files) == ["sitemap.xml"]
    assert [f"{BASE}00000{n}/" for n in range(3)] == locs(files["sitemap.xml"])
    assert files["sitemap.xml"].submitted


def test_more_are_parts_then_their_index_which_alone_is_submitted():
    files = files_of(entries(5), replace(OPTIONS, max_urls=2))

    assert list(files) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]
    assert [file.submitted for file in files.values()] == [False, False, False, True]
    assert [f"{BASE}sitemap-{n}.xml" for n in (1, 2, 3)] == locs(files["sitemap.xml"])
    assert [len(locs(files[f"sitemap-{n}.xml"])) for n in (1, 2, 3)] == [2, 2, 1]


@pytest.mark.parametrize(
    ("count", "expected"), [(MAX_URLS, [MAX_URLS]), (MAX_URLS + 1, [MAX_URLS, 1])]
)
def test_the_protocols_50_000_urls(count, expected):
    files = files_of(entries(count))

    urlsets = [file for file in files.values() if b"<urlset" in file.chunks[0]]
    assert expected == [len(file.chunks) - 2 for file in urlsets]
    assert len(expected) + (len(expected) > 1) == len(files)


@pytest.mark.parametrize("spare", [0, -1])
def test_the_protocols_52_428_800_bytes(spare):
    """A file may be as large as the limit, to the byte, its first and last lines included."""
    frame = len(encode.urlset_head("sitemap.xml", links=False)) + len(encode.URLSET_FOOT)
    around = len(encode.url_element(Entry(url=""), "datetime"))
    full, rest = divmod(MAX_BYTES - frame, around + MAX_LOC_LENGTH)
    lengths = [MAX_LOC_LENGTH] * (full - 1)
    lengths += [MAX_LOC_LENGTH + rest - around - 100, 100]  # Together what is left.
    some = [Entry(url="u" * (length - spare * (n == 0))) for n, length in enumerate(lengths)]

    files = files_of(some)

    sizes = {name: len(content(file)) for name, file in files.items()}
    if spare == 0:
        assert sizes == {"sitemap.xml": MAX_BYTES}
    else:
        assert list(sizes) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]


def test_a_full_index_is_followed_by_others_that_it_does_not_list():
    files = files_of(entries(5), replace(OPTIONS, max_urls=1), max_index_parts=2)

    assert list(files)[5:] == ["sitemap.xml", "sitemap-index-2.xml", "sitemap-index-3.xml"]
    assert [
        [f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"],
        [f"{BASE}sitemap-3.xml", f"{BASE}sitemap-4.xml"],
        [f"{BASE}sitemap-5.xml"],
    ] == [locs(file) for file in list(files.values())[5:]]
    assert [file.submitted for file in files.values()] == [False] * 5 + [True] * 3


@pytest.mark.parametrize(("parts", "expected"), [(2, 1), (3, 2)])
def test_an_index_is_filled_to_the_last_part(parts, expected):
    files = files_of(entries(parts), replace(OPTIONS, max_urls=1), max_index_parts=2)

    assert expected == sum(b"<sitemapindex" in file.chunks[0] for file in files.values())


def test_the_index_says_when_each_part_last_changed():
    days = [datetime(2024, 1, day, tzinfo=UTC) for day in (3, 9, 5)]
    some = [Entry(url=f"{BASE}{n}", lastmod=day) for n, day in enumerate([*days, None])]

    files = files_of(some, replace(OPTIONS, max_urls=2, lastmod_format="date"))

    root = etree.fromstring(content(files["sitemap.xml"]))
    assert [e.text for e in root.iter(f"{NS}lastmod")] == ["2024-01-09", "2024-01-05"]


def test_names_and_addresses_follow_the_options():
    options = replace(OPTIONS, base_url=BASE + "docs/", filename="map.v1.xml", max_urls=1)

    files = files_of(entries(2), options)

    assert list(files) == ["map.v1-1.xml", "map.v1-2.xml", "map.v1.xml"]
    assert f"{BASE}docs/map.v1-1.xml" == locs(files["map.v1.xml"])[0]


@pytest.mark.parametrize("filename", ["a-.xml", "_.xml", "a.b-c_d.xml", "a" * 250 + ".xml"])
def test_every_name_that_the_options_take_gives_well_formed_files(filename):
    options = replace(check({"filename": filename}, where=""), base_url=BASE, max_urls=1)

    for file in files_of(entries(2), options).values():
        etree.fromstring(content(file))


def test_gzip_is_asked_of_every_file():
    files = files_of(entries(2), replace(OPTIONS, gzip=True, max_urls=1))

    assert [file.gzip for file in files.values()] == [True, True, True]


def test_links_declare_their_namespace_in_every_part():
    some = [Entry(url=BASE), Entry(url=BASE + "a", links=(Link("en", BASE),))]

    files = files_of(some, replace(OPTIONS, max_urls=1))

    assert [b"xmlns:xhtml" in file.chunks[0] for file in files.values()] == [True, True, False]


def test_a_text_sitemap_is_one_url_a_line_and_is_found_by_name_alone():
    """No index can list it, so it comes first, and robots.txt does not name it."""
    files = files_of(entries(2), replace(OPTIONS, text=True, gzip=True))

    assert list(files) == ["sitemap.txt", "sitemap.xml"]
    assert content(files["sitemap.txt"]) == f"{BASE}000000/\n{BASE}000001/\n".encode()
    assert (files["sitemap.txt"].submitted, files["sitemap.txt"].gzip) == (False, True)


def test_a_text_sitemap_has_the_same_limits():
    files = files_of(entries(3), replace(OPTIONS, text=True, max_urls=2))

    assert [name for name in files if name.endswith(".txt")] == ["sitemap.txt", "sitemap-2.txt"]
    assert content(files["sitemap-2.txt"]) == f"{BASE}000002/\n".encode()


def test_text_is_not_escaped_as_xml_is():
    files = files_of([Entry(url=f"{BASE}?a&b='c'")], replace(OPTIONS, text=True))

    assert content(files["sitemap.txt"]) == f"{BASE}?a&b='c'\n".encode()


def test_indented_files_show_each_child_on_its_own_line():
    options = replace(OPTIONS, indent=4, max_urls=1)
    some = [Entry(url=BASE, priority=0.5, links=(Link("en", BASE),)), *entries(1)]

    files = files_of(some, options)

    assert content(files["sitemap-1.xml"]).decode().splitlines()[3:-1] == [
        "    <url>",
        "        <loc>https://example.com/</loc>",
        "        <priority>0.5</priority>",
        '        <xhtml:link rel="alternate" hreflang="en" href="https://example.com/"/>',
        "    </url>",
    ]
    assert content(files["sitemap.xml"]).decode().splitlines()[3:6] == [
        "    <sitemap>",
        "        <loc>https://example.com/sitemap-1.xml</loc>",
        "    </sitemap>",
    ]


def test_the_least_max_bytes_has_room_for_the_longest_url():
    longest = Entry(
        url="'" * MAX_LOC_LENGTH,
        lastmod=datetime(2024, 1, 1, tzinfo=UTC),
        changefreq="monthly",
        priority=0.25,
    )

    assert len(files_of([longest], replace(OPTIONS, max_bytes=MIN_BYTES, indent=8))) == 1


def test_an_entry_without_room_is_the_options_fault():
    huge = Entry(url=BASE, links=tuple(Link("en", "u" * MAX_LOC_LENGTH) for _ in range(9)))

    with pytest.raises(OptionsError, match="max_bytes = 16384 has no room"):
        files_of([huge], replace(OPTIONS, max_bytes=MIN_BYTES))


def test_at_most_two_parts_are_in_memory():
    """However many parts: the one that is written, and the one that is filled."""

    def count():
        return sum(type(thing) is split.Part for thing in gc.get_objects())

    gc.collect()
    before = count()

    counts = [count() for _ in from_entries(entries(6), replace(OPTIONS, max_urls=1))]

    assert max(counts[:6]) - before <= 2
