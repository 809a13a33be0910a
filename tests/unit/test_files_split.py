"""Groups of pages: cut by their URLs alone."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.files.plan import Group, halves, sections
from sitemap_plugins.core.records import Entry

BASE = "https://example.com/"


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
def test_a_group_is_cut_where_its_urls_differ_first(paths, expected):
    assert expected == tuple(map(paths_of, halves(group(*paths))))


def test_the_halves_names_depend_on_where_they_begin_and_on_nothing_else():
    """Whatever else is listed, pages from `a` to `c` are called the same."""
    few = halves(group("a", "x"))
    many = halves(group("a", "b", "c", "x", "y"))

    assert [half.key for half in few] == [half.key for half in many]
    assert few[0].key != few[1].key


def test_a_divided_half_has_another_name():
    first, second = halves(group("a", "b", "x"))

    assert 4 == len({first.key, second.key, *(half.key for half in halves(first))})


def test_the_whole_site_has_no_key():
    assert "" == group("a").key


def test_sections_are_cut_by_their_names_and_keep_the_order():
    found = sections(group("b/1", "a/2", "a/1", "c"), lambda url: url.removeprefix(BASE)[0])

    assert [
        ("a", ["a/1", "a/2"]),
        ("b", ["b/1"]),
        ("c", ["c"]),
    ] == [(one.key, paths_of(one)) for one in found]


def test_a_divided_section_keeps_its_name_in_front():
    (section,) = sections(group("a/1", "a/2"), lambda _: "guide")

    assert ["guide-", "guide-"] == [half.key[:6] for half in halves(section)]
    assert [18, 18] == [len(half.key) for half in halves(section)]
