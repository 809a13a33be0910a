"""Entries are divided into files: one `<urlset>`, or parts and their indexes."""

from __future__ import annotations

import gc
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lxml import etree

from sitemap_plugins.core.options import Options
from sitemap_plugins.core.publishing import plan, xml
from sitemap_plugins.core.publishing.plan import (
    REST,
    Group,
    digest,
    halves,
    is_submitted,
    plan_files,
    section_of,
    sections,
)
from sitemap_plugins.core.records import Entry, Link
from sitemap_plugins.core.values import is_section_name
from tests.written import locs

BASE = "https://example.com/"
OPTIONS = Options()
NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def entries(count):
    return [Entry(url=f"{BASE}{number:06}/") for number in range(count)]


def files_of(some, options=OPTIONS, base_url=BASE, **limits):
    return {file.name: file for file in plan_files(some, base_url, options, **limits)}


def content(file):
    return b"".join(file.chunks)


def test_no_entries_give_no_file():
    assert {} == files_of([])


def test_entries_that_fit_one_file_are_one_urlset():
    files = files_of(entries(3))

    assert ["sitemap.xml"] == list(files)
    assert [f"{BASE}00000{n}/" for n in range(3)] == locs(content(files["sitemap.xml"]))
    assert is_submitted("sitemap.xml", "sitemap.xml")


def parts_of(files):
    """Return the names of the parts, in order."""
    return [name for name in files if not is_submitted(name, "sitemap.xml")]


def test_parts_precede_their_index_and_only_the_index_is_submitted():
    files = files_of(entries(5), replace(OPTIONS, max_urls=2))

    *parts, index = files
    assert "sitemap.xml" == index
    assert parts == parts_of(files)
    assert all(re.fullmatch(r"sitemap-[0-9a-f]{12}\.xml", name) for name in parts)
    assert [BASE + name for name in parts] == locs(content(files["sitemap.xml"]))
    # By the bits of the last digits that differ: 000 and 001, 010 and 011, 100.
    assert [2, 2, 1] == [len(locs(content(files[name]))) for name in parts]


DAY, LATER = datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 3, tzinfo=UTC)


def test_part_has_the_newest_date_of_its_pages_in_the_index():
    dates = (None, None, DAY, LATER)
    some = [Entry(url=f"{BASE}{n:06}/", lastmod=date) for n, date in enumerate(dates)]
    options = replace(OPTIONS, max_urls=2, lastmod_format="date")
    files = files_of(some, options)

    root = etree.fromstring(content(files["sitemap.xml"]))
    assert [None, "2026-01-03"] == [part.findtext(f"{NS}lastmod") for part in root]


def test_full_index_is_followed_by_others_that_it_does_not_list(monkeypatch):
    monkeypatch.setattr(plan, "MAX_INDEX_PARTS", 2)
    files = files_of(entries(5), replace(OPTIONS, max_urls=1))

    assert ["sitemap.xml", "sitemap-index-2.xml", "sitemap-index-3.xml"] == list(files)[
        5:
    ]
    parts = [BASE + name for name in list(files)[:5]]
    assert [parts[:2], parts[2:4], parts[4:]] == [
        locs(content(file)) for file in list(files.values())[5:]
    ]
    assert [False] * 5 + [True] * 3 == [
        is_submitted(name, "sitemap.xml") for name in files
    ]


@pytest.mark.parametrize(("parts", "expected"), [(2, 1), (3, 2)])
def test_index_is_filled_to_the_last_part(monkeypatch, parts, expected):
    monkeypatch.setattr(plan, "MAX_INDEX_PARTS", 2)
    files = files_of(entries(parts), replace(OPTIONS, max_urls=1))

    assert expected == sum(
        b"<sitemapindex" in file.chunks[0] for file in files.values()
    )


def test_index_has_the_date_of_each_part():
    days = [datetime(2024, 1, day, tzinfo=UTC) for day in (3, 9, 5)]
    some = [Entry(url=f"{BASE}{n}", lastmod=day) for n, day in enumerate([*days, None])]

    files = files_of(some, replace(OPTIONS, max_urls=2, lastmod_format="date"))

    root = etree.fromstring(content(files["sitemap.xml"]))
    assert ["2024-01-09", "2024-01-05"] == [e.text for e in root.iter(f"{NS}lastmod")]


def test_names_and_addresses_follow_the_options():
    options = replace(OPTIONS, filename="map.v1.xml", max_urls=1)

    files = files_of(entries(2), options, base_url=f"{BASE}docs/")

    *parts, index = files
    assert "map.v1.xml" == index
    assert all(re.fullmatch(r"map\.v1-[0-9a-f]{12}\.xml", name) for name in parts)
    assert [f"{BASE}docs/{name}" for name in parts] == locs(
        content(files["map.v1.xml"])
    )


@pytest.mark.parametrize(
    "filename", ["a-.xml", "_.xml", "a.b-c_d.xml", "a" * 250 + ".xml"]
)
def test_every_valid_file_name_gives_well_formed_files(filename):
    options = replace(
        Options.parse({"filename": filename}, where=""), base_url=BASE, max_urls=1
    )

    roots = [
        etree.fromstring(content(file))
        for file in files_of(entries(2), options).values()
    ]

    assert ["urlset", "urlset", "sitemapindex"] == [
        etree.QName(root).localname for root in roots
    ]


def test_gzip_applies_to_every_file():
    files = files_of(entries(2), replace(OPTIONS, gzip=True, max_urls=1))

    assert [True] * 3 == [file.gzip for file in files.values()]


def site(*paths):
    return [Entry(url=BASE + path) for path in sorted(paths)]


def test_sections_are_the_first_folders_and_are_divided_when_full():
    some = site(
        "", "a.html", "guide/", *(f"guide/{n}" for n in "123"), "api/x", "Blog/2024/"
    )

    files = files_of(some, replace(OPTIONS, split="section", max_urls=3))
    more = files_of(
        [*some, *site("guide/4")], replace(OPTIONS, split="section", max_urls=3)
    )

    first, *rest, index = files
    assert re.fullmatch(r"sitemap-api\.xml", first)
    assert [BASE + name for name in (first, *rest)] == locs(content(files[index]))
    assert re.fullmatch(r"sitemap-blog-[0-9a-f]{12}\.xml", rest[0])
    assert ["sitemap-guide.xml", "sitemap-pages.xml"] == rest[1:]
    assert [f"{BASE}guide/{n}" for n in "123"] == locs(
        content(files["sitemap-guide.xml"])
    )
    assert [BASE, f"{BASE}a.html", f"{BASE}guide/"] == locs(
        content(files["sitemap-pages.xml"])
    )
    divided = [name for name in more if name not in files]
    assert 2 == len(divided)
    assert all(
        re.fullmatch(r"sitemap-guide-[0-9a-f]{12}\.xml", name) for name in divided
    )
    assert {"sitemap-guide.xml"} == files.keys() - more.keys()


def test_own_sections_are_matched_by_pattern_and_the_rest_is_one_section():
    split_by = {
        "docs/*/guide/": "guide",
        "docs/**": "reference",
        "re:^news|^blog": "news",
    }
    options = replace(Options.parse({"split": split_by}, where=""), max_urls=2)

    files = files_of(
        site("", "docs/a/guide/x", "docs/a/api", "blog/1", "news/2"), options
    )

    assert {
        "sitemap-guide.xml": [f"{BASE}docs/a/guide/x"],
        "sitemap-news.xml": [f"{BASE}blog/1", f"{BASE}news/2"],
        "sitemap-pages.xml": [BASE],
        "sitemap-reference.xml": [f"{BASE}docs/a/api"],
    } == {
        name: locs(content(file))
        for name, file in files.items()
        if name != "sitemap.xml"
    }


@pytest.mark.parametrize("how", ["section", {"a/": "a", "b/": "b"}])
def test_sections_have_parts_of_the_same_names_at_every_size(how):
    """Search Console reports on each sitemap file,
    and on the same one from build to build."""
    options = Options.parse({"split": how}, where="")

    assert ["sitemap-a.xml", "sitemap.xml"] == list(files_of(site("a/1"), options))
    assert [
        "sitemap-a.xml",
        "sitemap-b.xml",
        "sitemap-pages.xml",
        "sitemap.xml",
    ] == list(files_of(site("", "a/1", "a/2", "b/2"), options))


def test_only_files_with_links_declare_their_namespace():
    """Otherwise the first page with links would change all parts."""
    some = [Entry(url=BASE), Entry(url=BASE + "a", links=(Link("en", BASE),))]

    files = files_of(some, replace(OPTIONS, max_urls=1))

    assert [False, True, False] == [
        b"xmlns:xhtml" in file.chunks[0] for file in files.values()
    ]


def test_text_sitemap_is_one_url_a_line_and_is_not_submitted():
    """No index can list it, so it comes first, and robots.txt does not name it."""
    files = files_of(entries(2), replace(OPTIONS, text=True, gzip=True))

    assert ["sitemap.txt", "sitemap.xml"] == list(files)
    assert content(files["sitemap.txt"]) == f"{BASE}000000/\n{BASE}000001/\n".encode()
    assert (False, True) == (
        is_submitted("sitemap.txt", "sitemap.xml"),
        files["sitemap.txt"].gzip,
    )


def test_each_part_has_a_text_sitemap_of_its_name():
    files = files_of(entries(3), replace(OPTIONS, text=True, max_urls=2))

    first, first_xml, second, second_xml, index = files
    assert "sitemap.xml" == index
    assert [first, second] == [
        name.replace(".xml", ".txt") for name in (first_xml, second_xml)
    ]
    assert content(files[first]) == f"{BASE}000000/\n{BASE}000001/\n".encode()
    assert content(files[second]) == f"{BASE}000002/\n".encode()


def test_text_sitemap_is_not_escaped_as_xml():
    files = files_of([Entry(url=f"{BASE}?a&b='c'")], replace(OPTIONS, text=True))

    assert content(files["sitemap.txt"]) == f"{BASE}?a&b='c'\n".encode()


def test_indented_files_show_each_child_on_its_own_line():
    options = replace(OPTIONS, indent=4, max_urls=1)
    some = [Entry(url=BASE, priority=0.5, links=(Link("en", BASE),)), *entries(1)]

    files = files_of(some, options)

    first, _, index = files
    assert [
        "    <url>",
        "        <loc>https://example.com/</loc>",
        "        <priority>0.5</priority>",
        '        <xhtml:link rel="alternate" hreflang="en" href="https://example.com/"/>',
        "    </url>",
    ] == content(files[first]).decode().splitlines()[3:-1]
    assert [
        "    <sitemap>",
        f"        <loc>https://example.com/{first}</loc>",
        "    </sitemap>",
    ] == content(files[index]).decode().splitlines()[3:6]


@pytest.mark.parametrize("spare", [0, -1])
def test_entries_may_fill_their_file_to_the_byte(spare, monkeypatch):
    some = entries(9)
    size = len(content(files_of(some)["sitemap.xml"]))
    monkeypatch.setattr(plan, "MAX_BYTES", size + spare)

    files = files_of(some)

    assert (1 if spare == 0 else 3) == len(files)
    assert all(len(content(file)) <= size + spare for file in files.values())


def test_at_most_two_parts_are_in_memory():
    """They are the one being written and the one being filled,
    whatever the number of parts."""

    def count():
        lists = (each for each in gc.get_objects() if type(each) is list)
        return sum(each[-1:] == [xml.URLSET_FOOTER] for each in lists)

    gc.collect()
    before = count()

    counts = [
        count() for _ in plan_files(entries(6), BASE, replace(OPTIONS, max_urls=1))
    ]

    assert max(counts[:6]) - before <= 2


@pytest.mark.parametrize("longest", [20, 2_000])
def test_urls_that_are_prefixes_of_each_other_are_divided(longest):
    """The site can be divided at each bit of the longest URL, without recursion."""
    some = [Entry(url=BASE + "a" * number) for number in range(longest)]

    files = files_of(some, replace(OPTIONS, max_urls=1))

    assert len(files) == longest + 1


def group(*paths):
    return Group([Entry(url=BASE + path) for path in sorted(paths)])


def paths_of(some):
    return [entry.url.removeprefix(BASE) for entry in some.entries]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a", "b"], (["a"], ["b"])),
        # One that another begins with comes first.
        (["", "a"], ([""], ["a"])),
        (["a", "a/b"], (["a"], ["a/b"])),
        # By the first bit that differs: "0" to "7" from "8" and "9".
        (list("0123456789"), (list("01234567"), list("89"))),
        (list("01234567"), (list("0123"), list("4567"))),
        (["page-1", "page-2", "page-30"], (["page-1"], ["page-2", "page-30"])),
        # What comes before them does not matter.
        (["deep/er/a", "deep/er/b"], (["deep/er/a"], ["deep/er/b"])),
    ],
)
def test_group_is_divided_where_its_urls_first_differ(paths, expected):
    assert expected == tuple(map(paths_of, halves(group(*paths))))


def test_names_of_halves_depend_only_on_where_they_begin():
    """The half with the pages from `a` to `c` has the same name
    whatever else is listed."""
    few = halves(group("a", "x"))
    many = halves(group("a", "b", "c", "x", "y"))

    assert [half.key for half in few] == [half.key for half in many]
    assert few[0].key != few[1].key


def test_divided_half_has_another_name():
    first, second = halves(group("a", "b", "x"))

    assert 4 == len({first.key, second.key, *(half.key for half in halves(first))})


def test_whole_site_has_no_key():
    assert "" == group("a").key


def test_sections_are_divided_by_name_and_keep_the_order():
    found = sections(
        group("b/1", "a/2", "a/1", "c").entries, lambda url: url.removeprefix(BASE)[0]
    )

    assert [
        ("a", ["a/1", "a/2"]),
        ("b", ["b/1"]),
        ("c", ["c"]),
    ] == [(one.key, paths_of(one)) for one in found]


def test_names_of_divided_sections_begin_with_the_section():
    (section,) = sections(group("a/1", "a/2").entries, lambda _: "guide")

    assert ["guide-", "guide-"] == [half.key[:6] for half in halves(section)]
    assert [18, 18] == [len(half.key) for half in halves(section)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("guide/start/", "guide"),
        ("guide/start.html", "guide"),
        ("guide//", "guide"),
        ("v2-beta/a/b/c/", "v2-beta"),
        ("2024/05/post/", "2024"),
        # Pages at the root, and a folder that is called like their section.
        ("", REST),
        ("about.html", REST),
        ("about/", REST),
        ("?a=b/c", "a-b-" + digest("?a=b")),
        ("pages/a/", REST),
    ],
)
def test_page_is_in_the_section_of_its_first_folder(path, expected):
    assert expected == section_of(path)


@pytest.mark.parametrize(
    "folder",
    [
        "Guide",
        "user_guide",
        "user--guide",
        "-guide",
        "guide-",
        "..",
        ".",
        "%2e%2e",
        "~",
        "a.b",
        # What a second index and the divisions of a section are called.
        "index-2",
        "0123456789ab",
        "guide-0123456789ab",
        "x" * 41,
        "caf%C3%A9",
        "%5C",
        "%00",
    ],
)
def test_other_folders_have_names_with_a_digest(folder):
    name = section_of(f"{folder}/page/")

    assert name.endswith(digest(folder))
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 40 + 1 + 12
    assert not is_section_name(name)


def test_different_folders_have_different_names():
    folders = ["a b", "a-b", "a_b", "A-b", "a--b", "a.b", "a%20b", "%", "-", "--"]

    assert len({section_of(f"{folder}/x") for folder in folders}) == len(folders)


@pytest.mark.parametrize(
    "name", ["guide", "user-guide", "2024", "index", "index-two", "x" * 40]
)
def test_plain_names_are_unchanged(name):
    assert is_section_name(name)
    assert name == section_of(f"{name}/page/")
