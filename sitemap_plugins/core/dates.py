"""Read and print W3C datetimes.

A moment is an aware datetime, or a date where only the day is known; it is printed as precisely
as it is known, never more. Times without a zone are UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import Literal

from sitemap_plugins.core.errors import PageError

__all__ = ["Format", "Moment", "format_moment", "instant", "read"]

Moment = date | datetime
"""An aware datetime, or a date without a time of day."""

Format = Literal["datetime", "date"]
"""How to print: to the second with its zone, or the day alone."""

# W3C Datetime (NOTE-datetime): YYYY, YYYY-MM, YYYY-MM-DD, and with a time of at least minutes.
# Authors also leave out the zone and write a space for the T; both have one meaning only.
_YEAR_OR_MONTH = re.compile(r"(\d{4})(?:-(\d\d))?", re.ASCII)


def instant(moment: Moment) -> datetime:
    """Return the aware UTC datetime to compare by: a date counts from its midnight UTC.

    A moment of the years 1 or 9999 that its zone moves over the calendar's edge stays where it is.
    """
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), UTC)
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def read(value: object) -> Moment:
    """Read a moment as front matter holds it: a datetime, a date, or W3C Datetime text.

    Raises:
        PageError: The value is none of these.

    >>> read("2004-12-23T18:00+01:00").isoformat()
    '2004-12-23T17:00:00+00:00'
    >>> read("2004-12").isoformat()
    '2004-12-01'
    """
    if isinstance(value, datetime):
        return _aware(value)
    if isinstance(value, date):
        return value
    # YAML reads `lastmod: 2004` as a number.
    text = str(value).strip() if isinstance(value, str | int) else ""
    try:
        if short := _YEAR_OR_MONTH.fullmatch(text):
            return date(int(short[1]), int(short[2] or 1), 1)
        if ":" not in text:  # `20041223` too is a day, not its midnight.
            return date.fromisoformat(text)
        return _aware(datetime.fromisoformat(text))
    except ValueError:
        msg = f"{value!r} is not a date: write it as 2004-12-23 or 2004-12-23T18:00:15+00:00"
        raise PageError(msg) from None


def format_moment(moment: Moment, how: Format = "datetime") -> str:
    """Return the moment as `<lastmod>` takes it: `2004-12-23T18:00:15+00:00` or `2004-12-23`.

    Always in UTC, so that the same moment gives the same text on every machine.
    """
    if not isinstance(moment, datetime):
        return moment.isoformat()
    utc = instant(moment)
    if how == "date":
        return utc.date().isoformat()
    # Twice as fast as isoformat(timespec="seconds") for the dates of git and most others.
    return utc.isoformat() if utc.microsecond == 0 else utc.isoformat(timespec="seconds")


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # Year 1 or 9999, moved over the edge by its zone.
        msg = f"{moment.isoformat()!r} is outside the years 1 to 9999: write a real date"
        raise PageError(msg) from None
