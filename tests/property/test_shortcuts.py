"""Fast code for usual pages gives the same results as the general code."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING
from unittest.mock import patch
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.date_values import format_date, newest, to_utc
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.files.xml import url_element, url_elements
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.pages.among_others import select
from sitemap_plugins.core.records import Page
from tests.property.examples import examples
from tests.property.strategies import BASE_URLS, entries_below

if TYPE_CHECKING:
    from sitemap_plugins.core.records import Entry

BASE = "https://example.com/docs/"
PIECES = st.sampled_from(
    [
        *"aB09-._~/'&<%?#;:\n\r\t é\0",
        "..",
        "/.",
        "%2e",
        "%2F",
        "%c3%a9",
        "index.html",
        "a/",
        "x" * 500,
    ]
)
PATHS = st.lists(PIECES, max_size=6).map("".join) | st.sampled_from(["", "a", "a/", "b", "%61"])


def long_way(path: str) -> str | None:
    """Return the URL of a path, computed by the general code; None if it is invalid."""
    try:
        return urls.join(BASE, path)
    except PageError:
        return None


@examples(500)
@given(st.lists(PATHS, max_size=8))
@example(["a", ""])
@example(["a\n/b"])
@example(["x" * (2047 - len(BASE)), "b"])
@example(["x" * (2048 - len(BASE)), "b"])
def test_plain_paths_are_unchanged_by_the_general_code(paths: list[str]) -> None:
    if urls.are_plain(paths, BASE):
        assert [BASE + path for path in paths] == [long_way(path) for path in paths]
        assert paths == [urls.path_identity(path) for path in paths]


@examples(500)
@given(st.sampled_from(["http", "https", "HTTP"]), st.text("aZ0.-:%é", max_size=6), PATHS)
def test_plain_url_is_its_own_identity(scheme: str, host: str, path: str) -> None:
    url = f"{scheme}://{host}/{path}"
    with patch.object(urls, "_PLAIN", urls._ESCAPE):  # No URL is an escape.
        expected = urls.identity(url)

    assert expected == urls.identity(url)


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["", "a.md", "b.md"]),
        "metadata": st.sampled_from(
            [{}, {"sitemap": False}, {"sitemap": True}, {"robots": "none"}, {"sitemap": 7}, None]
        ),
        "exclude_reason": st.sampled_from([None, "hidden", "static"]),
        "changefreq": st.sampled_from([None, "daily", "no", 0]),
        "priority": st.sampled_from([None, 0, 0.0, 1, "x"]),
        "bug": st.sampled_from(["", "an error"]),
        "modified": st.just(date(2024, 5, 1)),
        "lists": st.just(("a",)),
    },
)
PAGES = st.lists(
    st.builds(lambda path, values: Page(path=path, **values), PATHS, st.just({}) | VALUES),
    max_size=12,
)
OPTIONS = [
    Options.parse(values, where="")
    for values in ({}, {"exclude": ["a"]}, {"changefreq": {"a": "daily"}}, {"static_html": True})
]
ROBOTS = [
    None,
    Robots(None, base_url=BASE, on_read_the_docs=False),
    Robots(b"User-agent: *\nDisallow: /docs/b", base_url=BASE, on_read_the_docs=False),
]


@examples(200)
@given(PAGES, st.sampled_from(OPTIONS), st.sampled_from(ROBOTS), st.integers(1, 5))
def test_blocks_of_pages_give_the_same_selection_as_single_pages(
    pages: list[Page], options: Options, robots: Robots | None, size: int
) -> None:
    values = {"base_url": BASE, "options": options, "robots": robots}
    with (
        patch("sitemap_plugins.core.pages.alone._PAGES_IN_BLOCK", 1),
        patch("sitemap_plugins.core.pages.alone.has_values", lambda _: True),
        patch("sitemap_plugins.core.urls.are_plain", lambda *_: False),
    ):
        expected = select(pages, **values)
    with patch("sitemap_plugins.core.pages.alone._PAGES_IN_BLOCK", size):
        found = select(iter(pages), **values)

    assert expected == found


ZONES = st.sampled_from(
    [None, UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Kiritimati")]
) | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# Both clock times of an hour that comes twice, microseconds, and the first and last years.
MOMENTS = st.datetimes(timezones=ZONES) | st.builds(
    datetime.replace,
    st.datetimes(datetime(2024, 10, 27), datetime(2024, 10, 27, 4), timezones=ZONES),  # noqa: DTZ001
    fold=st.sampled_from([0, 1]),
)

TWICE = datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))


@examples(500)
@given(MOMENTS)
def test_dates_are_written_as_by_the_standard_library(moment: datetime) -> None:
    utc = to_utc(moment)

    assert utc.replace(microsecond=0).isoformat() == format_date(moment)
    assert utc.date().isoformat() == format_date(moment, "date")


@examples(500)
@given(st.lists(MOMENTS | st.dates(), min_size=1, max_size=4))
@example([TWICE, TWICE.replace(minute=15, fold=1)])
@example([TWICE, TWICE.replace(minute=15, fold=1), datetime(2024, 10, 27, 0, 45, tzinfo=UTC)])
def test_newest_date_is_the_last_in_utc(moments: list[date]) -> None:
    assert to_utc(max(moments, key=to_utc)) == to_utc(newest(moments))


@examples(300)
@given(
    BASE_URLS.flatmap(lambda base: entries_below(base, max_size=6)),
    st.sampled_from(["date", "datetime"]),
    st.sampled_from([0, 2]),
)
def test_entries_written_together_have_the_same_bytes(
    entries: list[Entry], how, indent: int
) -> None:
    expected = [url_elements([entry], how, indent) for entry in entries]

    assert b"".join(expected) == url_elements(entries, how, indent)
    assert b"".join(url_element(entry, how) for entry in entries) == url_elements(entries, how)
