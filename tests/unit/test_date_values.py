"""Dates: every form of W3C Datetime is read, and two forms are written."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from sitemap_plugins.core import date_values as dates
from sitemap_plugins.core.messages import PageError

NAIVE = datetime(2004, 12, 23, 18)  # noqa: DTZ001
CET = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # The six forms of NOTE-datetime.
        ("2004", date(2004, 1, 1)),
        ("2004-12", date(2004, 12, 1)),
        ("2004-12-23", date(2004, 12, 23)),
        ("2004-12-23T18:00+00:00", datetime(2004, 12, 23, 18, 0, tzinfo=UTC)),
        ("2004-12-23T18:00:15+00:00", datetime(2004, 12, 23, 18, 0, 15, tzinfo=UTC)),
        (
            "2004-12-23T18:00:15.5Z",
            datetime(2004, 12, 23, 18, 0, 15, 500_000, tzinfo=UTC),
        ),
        # What authors and YAML make of them.
        (2004, date(2004, 1, 1)),
        (" 2004-12-23 ", date(2004, 12, 23)),
        ("20041223", date(2004, 12, 23)),
        (20041223, date(2004, 12, 23)),
        ("2004-12-23 18:00", datetime(2004, 12, 23, 18, 0, tzinfo=UTC)),
        ("2004-12-23T18:00:15", datetime(2004, 12, 23, 18, 0, 15, tzinfo=UTC)),
        (date(2004, 12, 23), date(2004, 12, 23)),
        (NAIVE, datetime(2004, 12, 23, 18, tzinfo=UTC)),
        (
            datetime(2004, 12, 23, 18, tzinfo=CET),
            datetime(2004, 12, 23, 17, tzinfo=UTC),
        ),
    ],
)
def test_every_form_is_read(value: object, expected: dates.DateOrDatetime) -> None:
    moment = dates.parse_date(value)
    assert (type(expected), expected) == (type(moment), moment)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "yesterday",
        "23.12.2004",
        "2004-13-01",
        "2004-02-30",
        "2004-00",
        "0000",
        "04",
        "2004-12-23T18",
        "2004-12-23T25:00Z",
        "\N{FULLWIDTH DIGIT TWO}004-12",
        "2004-12-23T",
        None,
        True,
        20.04,
        [2004],
        -1,
        10**20,
        "0001-01-01T00:00+14:00",
        "9999-12-31T23:00-05:00",
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    ],
)
def test_invalid_date_is_refused(value: object) -> None:
    with pytest.raises(PageError):
        dates.parse_date(value)


def test_message_has_the_value_and_the_cure() -> None:
    with pytest.raises(
        PageError, match=r"^'soon' is not a date: write it as 2004-12-23 or "
    ):
        dates.parse_date("soon")


@pytest.mark.parametrize(
    ("moment", "how", "expected"),
    [
        (
            datetime(2004, 12, 23, 18, 0, 15, tzinfo=UTC),
            "datetime",
            "2004-12-23T18:00:15+00:00",
        ),
        (
            datetime(2004, 12, 23, 18, 0, tzinfo=CET),
            "datetime",
            "2004-12-23T17:00:00+00:00",
        ),
        (
            datetime(2004, 12, 23, 18, 0, 15, 999_999, UTC),
            "datetime",
            "2004-12-23T18:00:15+00:00",
        ),
        (NAIVE, "datetime", "2004-12-23T18:00:00+00:00"),
        (datetime(2004, 12, 23, 0, 30, tzinfo=CET), "date", "2004-12-22"),
        (date(2004, 12, 23), "datetime", "2004-12-23"),
        (date(2004, 12, 23), "date", "2004-12-23"),
        (date(804, 1, 2), "date", "0804-01-02"),
    ],
)
def test_dates_are_formatted(
    moment: dates.DateOrDatetime, how: dates.Format, expected: str
) -> None:
    assert expected == dates.format_date(moment, how)


def test_written_dates_are_read_back() -> None:
    moment = datetime(2004, 12, 23, 18, 0, 15, tzinfo=CET)
    assert dates.parse_date(dates.format_date(moment)) == moment


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("hours", [-14, 14])
def test_first_and_last_year_are_converted(year: int, hours: int) -> None:
    day = date(year, 1, 1) if year == 1 else date(year, 12, 31)
    moment = datetime.combine(day, time(12), timezone(timedelta(hours=hours)))

    assert dates.to_utc(moment).year == year
    assert dates.to_utc(moment).tzinfo is UTC
    assert dates.format_date(moment).startswith(f"{day.isoformat()[:8]}")


def test_day_begins_at_midnight_utc() -> None:
    moments = [
        date(2004, 12, 23),
        datetime(2004, 12, 22, 23, 59, tzinfo=UTC),
        datetime(2004, 12, 23, 1, 1, tzinfo=CET),
    ]
    assert [moments[1], moments[0], moments[2]] == sorted(moments, key=dates.to_utc)


@pytest.mark.parametrize("start", [0, 899, 900, 1_799])
@pytest.mark.parametrize(("apart", "expected"), [(899, 2), (1_800, 1)])
def test_moments_within_half_a_span_are_together_wherever_it_begins(
    start: int, apart: int, expected: int
) -> None:
    moments = [dates.from_seconds(start), dates.from_seconds(start + apart)]

    assert expected == dates.densest(moments, 1_800)
    assert dates.densest([], 1_800) == 0
