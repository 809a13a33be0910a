"""What front matter says: every form, and a notice for each field that is wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from sitemap_plugins.core.author import applied
from sitemap_plugins.core.pages import Page

SOURCE = Path("/site/docs/guide.md")
PAGE = Page(path="guide/", name="guide.md", sources=(SOURCE,))


def page_with(**metadata):
    return replace(PAGE, metadata=metadata)


@pytest.mark.parametrize("value", [False, "false", "False", " no ", "off", "0", "NO"])
def test_sitemap_false_leaves_the_page_out(value):
    page, notices = applied(page_with(sitemap=value))

    assert (page.left_out, notices) == ("author", ())


@pytest.mark.parametrize("value", [True, "true", "yes", "on", "1", "", None, {}, "{}"])
def test_sitemap_true_or_empty_changes_nothing(value):
    before = page_with(sitemap=value)

    assert (before, ()) == applied(before)


@pytest.mark.parametrize("metadata", [{}, {"robots": None}, {"robots": "index, follow"}])
def test_a_page_that_says_nothing_is_the_same(metadata):
    before = page_with(**metadata)

    assert (before, ()) == applied(before)


@pytest.mark.parametrize(
    "value",
    [
        {"lastmod": date(2024, 5, 1), "changefreq": "Daily", "priority": 0.8},
        {"lastmod": "2024-05-01", "changefreq": "daily", "priority": "0.8"},
        "lastmod: 2024-05-01, changefreq: daily, priority: 0.8",
        '{"lastmod": "2024-05-01", "changefreq": "daily", "priority": 0.8}',
    ],
)
def test_fields_as_a_mapping_as_text_and_as_json(value):
    page, notices = applied(page_with(sitemap=value))

    assert ((date(2024, 5, 1), "daily", 0.8), ()) == (
        (page.modified, page.changefreq, page.priority),
        notices,
    )
    assert page.left_out is None


def test_a_time_in_text_keeps_its_colons():
    page, notices = applied(page_with(sitemap="lastmod: 2024-05-01T10:30:00+02:00"))

    assert (datetime(2024, 5, 1, 8, 30, tzinfo=UTC), ()) == (page.modified, notices)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["../a.txt", "b.py"], (SOURCE, Path("/site/docs/../a.txt"), Path("/site/docs/b.py"))),
        ("b.py", (SOURCE, Path("/site/docs/b.py"))),
        ([], (SOURCE,)),
    ],
)
def test_sources_are_added_relative_to_the_pages_own(value, expected):
    page, notices = applied(page_with(sitemap={"sources": value}))

    assert (expected, ()) == (page.sources, notices)


@pytest.mark.parametrize(
    ("value", "field", "cure"),
    [
        ({"lastmod": "yesterday"}, "sitemap.lastmod", "2004-12-23"),
        ({"lastmod": None}, "sitemap.lastmod", "2004-12-23"),
        ({"lastmod": 10**5000}, "sitemap.lastmod", ""),
        ({"changefreq": "dayly"}, "sitemap.changefreq", "did you mean 'daily'?"),
        ({"priority": 7}, "sitemap.priority", "from 0.0 to 1.0"),
        ({"priority": 10**400}, "sitemap.priority", "from 0.0 to 1.0"),
        ({"sources": [1]}, "sitemap.sources", "['../snippet.md']"),
        ({"priorty": 1}, "sitemap.priorty", "did you mean 'priority'?"),
        ({"qqq": 1}, "sitemap.qqq", "known are lastmod, changefreq, priority, sources"),
        ({1: 1}, "sitemap.1", "known are"),
        (0, "sitemap", "write false"),
        ([], "sitemap", "write false"),
        (3.5, "sitemap", "write false"),
        ("maybe", "sitemap", "write false"),
        ("{lastmod", "sitemap", "write false"),
        pytest.param('{"a":' * 100_000, "sitemap", "", id="too deep"),
    ],
)
def test_a_wrong_value_is_named_with_page_field_and_cure(value, field, cure):
    page, notices = applied(page_with(sitemap=value))

    assert (notices[0].code, notices[0].source) == ("bad-metadata", "guide.md")
    assert notices[0].text.startswith(f"guide.md: {field}")
    assert cure in notices[0].text
    assert (replace(page, metadata=PAGE.metadata), page.left_out) == (PAGE, None)


def test_a_wrong_field_costs_no_other():
    page, notices = applied(page_with(sitemap={"lastmod": "?", "priority": 0.1, "what": 1}))

    assert (page.priority, page.modified, len(notices)) == (0.1, None, 2)


def test_sources_need_a_source_beside_which_they_stand():
    page, notices = applied(Page(path="tags/", metadata={"sitemap": {"sources": ["a.md"]}}))

    assert (page.sources, notices[0].code) == ((), "bad-metadata")


@pytest.mark.parametrize(
    ("robots", "expected"),
    [
        ("noindex", True),
        ("NoIndex, Follow", True),
        ("nofollow,noindex", True),
        ("follow noindex", True),
        ("none", True),
        (["noindex", "follow"], True),
        ("index, follow, all", False),
        ("noindexing", False),
        # Google: `max-image-preview: [setting]` takes `none` as its own value.
        ("max-image-preview: none", False),
        ("max-image-preview:none, max-snippet : -1", False),
        ("", False),
        (None, False),
        (False, False),
        ({"noindex": True}, False),
        ([None, 1], False),
    ],
)
def test_noindex_and_none_are_tokens_in_any_case(robots, expected):
    page, _ = applied(page_with(robots=robots))

    assert (page.left_out == "noindex") is expected


def test_robots_noindex_leaves_the_page_out_whatever_sitemap_says():
    page, notices = applied(page_with(robots="noindex", sitemap={"priority": 1}))

    assert (page.left_out, notices) == ("noindex", ())


@pytest.mark.parametrize("metadata", [{"sitemap": False}, {"robots": "noindex"}])
def test_the_hosts_own_reason_stays(metadata):
    page, _ = applied(replace(PAGE, left_out="draft", metadata=metadata))

    assert page.left_out == "draft"


@pytest.mark.parametrize(
    ("fields", "expected", "codes"),
    [
        ({}, ("weekly", 0.5), []),
        ({"priority": 0.9}, ("weekly", 0.9), []),
        ({"priority": "?"}, ("weekly", 0.5), ["bad-metadata"]),
    ],
)
def test_a_hosts_value_counts_until_the_author_gives_a_good_one(fields, expected, codes):
    before = replace(PAGE, changefreq="Weekly", priority=0.5, metadata={"sitemap": fields})

    page, notices = applied(before)

    assert (expected, codes) == ((page.changefreq, page.priority), [n.code for n in notices])


@pytest.mark.parametrize("metadata", [{}, {"sitemap": "maybe"}])
def test_a_hosts_wrong_value_never_reaches_the_file(metadata):
    page, notices = applied(replace(PAGE, changefreq="<b>", priority=7, metadata=metadata))

    assert (page.changefreq, page.priority) == (None, None)
    assert {"bad-metadata"} == {notice.code for notice in notices}
