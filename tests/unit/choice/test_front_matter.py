"""Front matter: every form of a value, and a notice for each field that is wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from sitemap_plugins.core.choice.front_matter import check_page
from sitemap_plugins.core.records import Page

SOURCE = Path("/site/docs/guide.md")
PAGE = Page(path="guide/", name="guide.md", sources=(SOURCE,))


URL = "https://example.com/guide/"


def page_with(**metadata):
    return replace(PAGE, metadata=metadata)


def read(page):
    return check_page(page, URL)


@pytest.mark.parametrize("value", [False, "false", "False", " no ", "off", "0", "NO"])
def test_sitemap_false_leaves_the_page_out(value):
    _, reason, notices, *_ = read(page_with(sitemap=value))

    assert ("front-matter", ()) == (reason, notices)


@pytest.mark.parametrize("value", ["", None, {}, "{}"])
@pytest.mark.parametrize("robots", [{}, {"robots": None}, {"robots": "index, follow"}])
def test_front_matter_without_our_keys_changes_nothing(value, robots):
    expected = (PAGE.path, PAGE.name, URL, PAGE.sources, None, None, None)

    page, reason, notices, forced, *_ = read(page_with(sitemap=value, **robots))

    assert (None, False, ()) == (reason, forced, notices)
    assert expected == (
        page.path,
        page.label,
        page.url,
        page.sources,
        page.modified,
        page.changefreq,
        page.priority,
    )


@pytest.mark.parametrize("value", [True, "true", "Yes", "on", "1"])
@pytest.mark.parametrize(
    ("host", "expected"),
    [(None, None), ("hidden", None), ("draft", "draft"), ("generated", "generated")],
)
def test_sitemap_true_lists_a_page_that_the_host_only_hides(value, host, expected):
    found = read(replace(page_with(sitemap=value), exclude_reason=host))

    assert (expected, True, ()) == (found.reason, found.forced, found.notices)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"lastmod": date(2024, 5, 1)}, date(2024, 5, 1)),
        ({"updated": "2024-05-01 10:00:00"}, datetime(2024, 5, 1, 10, tzinfo=UTC)),
        ({"last_update": {"date": "2024-05-01", "author": "x"}}, date(2024, 5, 1)),
        (
            {"date": {"created": date(2020, 1, 1), "updated": date(2024, 5, 1)}},
            date(2024, 5, 1),
        ),
        ({"lastUpdated": False, "last_modified_at": "2024-05-01"}, date(2024, 5, 1)),
        ({"date-modified": "last-modified"}, None),
        ({"date": date(2024, 5, 1)}, None),
        (
            {"lastmod": date(2023, 1, 1), "sitemap": {"lastmod": "2024-05-01"}},
            date(2024, 5, 1),
        ),
        (
            {"lastmod": date(2024, 5, 1), "sitemap": {"lastmod": "soon"}},
            date(2024, 5, 1),
        ),
    ],
)
def test_date_of_change_is_what_generators_call_it(metadata, expected):
    page = replace(PAGE, metadata=metadata)

    assert expected == read(page).page.modified
    host = datetime(2022, 1, 1, tzinfo=UTC)
    ours = metadata.get("sitemap") == {"lastmod": "2024-05-01"}
    assert (expected if ours else host) == read(
        replace(page, modified=host)
    ).page.modified
    unknown = [
        n.code for n in read(replace(page, unknown="includes what is unknown")).notices
    ]
    assert ("unknown-include" in unknown) is (expected is None)


def test_fields_alone_do_not_list_a_hidden_page():
    page = replace(page_with(sitemap={"priority": 1}), exclude_reason="hidden")

    assert "hidden" == read(page).reason


def test_sitemap_true_does_not_overrule_noindex():
    assert "noindex" == read(page_with(sitemap=True, robots="noindex")).reason


@pytest.mark.parametrize(
    "value",
    [
        {"lastmod": date(2024, 5, 1), "changefreq": "Daily", "priority": 0.8},
        {"lastmod": "2024-05-01", "changefreq": "daily", "priority": "0.8"},
        "lastmod: 2024-05-01, changefreq: daily, priority: 0.8",
        "{lastmod: 2024-05-01, changefreq: daily, priority: 0.8}",
        '{"lastmod": "2024-05-01", "changefreq": "daily", "priority": 0.8}',
    ],
)
def test_fields_can_be_a_mapping_text_or_json(value):
    page, reason, notices, *_ = read(page_with(sitemap=value))

    assert ((date(2024, 5, 1), "daily", 0.8), ()) == (
        (page.modified, page.changefreq, page.priority),
        notices,
    )
    assert reason is None


def test_time_in_text_keeps_its_colons():
    page, _, notices, *_ = read(page_with(sitemap="lastmod: 2024-05-01T10:30:00+02:00"))

    assert (datetime(2024, 5, 1, 8, 30, tzinfo=UTC), ()) == (page.modified, notices)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["../a.txt", "b.py"], ("../a.txt", "b.py")),
        ("b.py", ("b.py",)),
        ([], ()),
    ],
)
def test_further_sources_can_be_named(value, expected):
    page, _, notices, *_ = read(page_with(sitemap={"sources": value}))

    assert (expected, (SOURCE,), ()) == (page.named_sources, page.sources, notices)


@pytest.mark.parametrize(
    ("value", "field", "cure"),
    [
        ({"lastmod": "yesterday"}, "sitemap.lastmod", "2004-12-23"),
        ({"lastmod": None}, "sitemap.lastmod", "2004-12-23"),
        ({"lastmod": 10**5000}, "sitemap.lastmod", "not a date"),
        ({"changefreq": "dayly"}, "sitemap.changefreq", "did you mean 'daily'?"),
        ({"priority": 7}, "sitemap.priority", "from 0.0 to 1.0"),
        ({"priority": 10**400}, "sitemap.priority", "from 0.0 to 1.0"),
        ({"sources": [1]}, "sitemap.sources", "['../snippet.md']"),
        ({"sources": ["a\0b"]}, "sitemap.sources", "['../snippet.md']"),
        ({"sources": ["\ud800"]}, "sitemap.sources", "['../snippet.md']"),
        ({"priorty": 1}, "sitemap.priorty", "did you mean 'priority'?"),
        (
            {"qqq": 1},
            "sitemap.qqq",
            "the fields are lastmod, changefreq, priority, sources",
        ),
        ({1: 1}, "sitemap.1", "the fields are"),
        (0, "sitemap", "write false"),
        ([], "sitemap", "write false"),
        (3.5, "sitemap", "write false"),
        ("maybe", "sitemap", "write false"),
        ("{lastmod", "sitemap", "write false"),
        pytest.param('{"a":' * 100_000, "sitemap", "", id="too deep"),
    ],
)
def test_wrong_value_is_reported_with_page_field_and_cure(value, field, cure):
    page, reason, notices, *_ = read(page_with(sitemap=value))

    assert ("bad-metadata", "guide.md") == (notices[0].code, notices[0].place)
    assert notices[0].text.startswith(field)
    assert cure in notices[0].text
    assert (check_page(PAGE, URL).page, None) == (page, reason)


def test_wrong_field_does_not_affect_others():
    page, _, notices, *_ = read(
        page_with(sitemap={"lastmod": "?", "priority": 0.1, "what": 1})
    )

    assert (0.1, None, 2) == (page.priority, page.modified, len(notices))


def test_further_sources_need_a_page_with_a_source():
    page, _, notices, *_ = read(
        Page(path="tags/", metadata={"sitemap": {"sources": ["a.md"]}})
    )

    assert ((), "bad-metadata") == (page.sources, notices[0].code)


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
def test_noindex_and_none_are_read_in_any_case(robots, expected):
    reason = read(page_with(robots=robots)).reason

    assert (reason == "noindex") is expected


def test_robots_noindex_wins_over_sitemap_true():
    _, reason, notices, *_ = read(page_with(robots="noindex", sitemap={"priority": 1}))

    assert ("noindex", ()) == (reason, notices)


@pytest.mark.parametrize("metadata", [{"sitemap": False}, {"robots": "noindex"}])
def test_reason_of_the_host_is_kept(metadata):
    reason = read(replace(PAGE, exclude_reason="draft", metadata=metadata)).reason

    assert "draft" == reason


@pytest.mark.parametrize(
    ("fields", "expected", "codes"),
    [
        ({}, ("weekly", 0.5), []),
        ({"priority": 0.9}, ("weekly", 0.9), []),
        ({"priority": "?"}, ("weekly", 0.5), ["bad-metadata"]),
    ],
)
def test_value_of_the_host_applies_unless_the_author_gives_a_valid_one(
    fields, expected, codes
):
    before = replace(
        PAGE, changefreq="Weekly", priority=0.5, metadata={"sitemap": fields}
    )

    page, _, notices, *_ = read(before)

    assert (expected, codes) == (
        (page.changefreq, page.priority),
        [n.code for n in notices],
    )


@pytest.mark.parametrize("metadata", [{}, {"sitemap": "maybe"}])
def test_wrong_value_of_the_host_is_never_written(metadata):
    page, _, notices, *_ = read(
        replace(PAGE, changefreq="<b>", priority=7, metadata=metadata)
    )

    assert (None, None) == (page.changefreq, page.priority)
    assert {"bad-metadata"} == {notice.code for notice in notices}


def test_unreadable_front_matter_is_a_notice_and_the_page_is_listed():
    page, reason, notices, *_ = read(replace(PAGE, metadata_problem="line 2: no"))

    assert (URL, None) == (page.url, reason)
    text = "guide.md: the front matter cannot be read (line 2: no): correct it"
    assert [("bad-metadata", text)] == [
        (notice.code, str(notice)) for notice in notices
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\x1b[31m", r"sitemap.'\x1b[31m'"),
        pytest.param(16**4_000, "sitemap.a value of type int", id="huge"),
        (None, "sitemap.None"),
        pytest.param("x" * 1_000, f"sitemap.'{'x' * 39}…{'x' * 39}'", id="long"),
    ],
)
def test_unknown_field_of_any_name_is_quoted(name, shown):
    (notice,) = read(page_with(sitemap={name: 1})).notices

    assert notice.text.startswith(f"{shown}: is not a field")


def test_unknown_field_in_a_text_is_quoted_too():
    (notice,) = read(page_with(sitemap=f"{'x' * 1_000}: 1")).notices

    assert notice.text.startswith(f"sitemap.'{'x' * 39}…{'x' * 39}': is not a field")


def test_many_aliases_of_a_long_value_are_read_once():
    """A list of 32 KiB can have an alias for every two bytes."""
    name = "x" * 1_000_000
    page = read(
        page_with(sitemap={"sources": [name] * 16_000}, robots=[name] * 16_000)
    ).page

    assert (name,) == page.named_sources
