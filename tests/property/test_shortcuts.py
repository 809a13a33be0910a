"""Fast code for usual pages gives the same results as the general code."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from unittest.mock import patch
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import format_date, newest, to_utc
from tests.property.examples import examples

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
PATHS = st.lists(PIECES, max_size=6).map("".join) | st.sampled_from(
    ["", "a", "a/", "b", "%61"]
)


@examples(500)
@given(
    st.sampled_from(["http", "https", "HTTP"]), st.text("aZ0.-:%é", max_size=6), PATHS
)
def test_plain_url_is_its_own_identity(scheme: str, host: str, path: str) -> None:
    url = f"{scheme}://{host}/{path}"
    with patch.object(urls, "_PLAIN", urls._ESCAPE):  # No URL is an escape.
        expected = urls.identity(url)

    assert expected == urls.identity(url)


ZONES = st.sampled_from(
    [None, UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Kiritimati")]
) | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# Both clock times of an hour that comes twice, microseconds, and the first and last
# years.
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
@example(
    [TWICE, TWICE.replace(minute=15, fold=1), datetime(2024, 10, 27, 0, 45, tzinfo=UTC)]
)
def test_newest_date_is_the_last_in_utc(moments: list[date]) -> None:
    assert to_utc(max(moments, key=to_utc)) == to_utc(newest(moments))
