"""Read and print W3C datetimes, and combine what is known about a date.

A moment is an aware datetime, or a date if only the day is known; it is never printed
with more precision than it has. Times without a zone are UTC.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Literal, NamedTuple

from sitemap_plugins.core.messages import PageError, quoted

DateOrDatetime = date | datetime
"""An aware datetime, or a date without a time of day."""

Format = Literal["datetime", "date"]
"""How to print: to the second with its zone, or the day alone."""

# W3C Datetime (NOTE-datetime): YYYY, YYYY-MM, YYYY-MM-DD, and with a time of at least
# minutes. Authors also leave out the zone and write a space for the T; both are
# unambiguous.
_YEAR_OR_MONTH = re.compile(r"(\d{4})(?:-(\d\d))?", re.ASCII)
_USUAL = 40
"""Characters of a date that is remembered: a stranger's can be of any length."""


def to_utc(moment: DateOrDatetime) -> datetime:
    """Return the aware UTC datetime to compare by: a date stands for its midnight UTC.

    A moment in the years 1 or 9999 that UTC would move outside the calendar keeps its
    clock time.
    """
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), UTC)
    if moment.tzinfo is UTC:  # As nearly all are.
        return moment
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def parse_date(value: object) -> DateOrDatetime:
    """Read a moment as front matter holds it: a datetime, a date, or W3C Datetime text.

    Raises:
        PageError: The value is none of these.

    >>> parse_date("2004-12-23T18:00+01:00").isoformat()
    '2004-12-23T17:00:00+00:00'
    >>> parse_date("2004-12").isoformat()
    '2004-12-01'
    """
    if isinstance(value, datetime):
        return _aware(value)
    if isinstance(value, date):
        return value
    try:
        # YAML reads `lastmod: 2004` as a number.
        text = str(value).strip() if isinstance(value, str | int) else ""
        if short := _YEAR_OR_MONTH.fullmatch(text):
            return date(int(short[1]), int(short[2] or 1), 1)
        if ":" not in text:  # `20041223` too is a day, not its midnight.
            return date.fromisoformat(text)
        return _aware(datetime.fromisoformat(text))
    except ValueError:
        msg = f"{quoted(value)} is not a date"
        cure = "write it as 2004-12-23 or 2004-12-23T18:00:15+00:00"
        raise PageError(msg, cure=cure) from None


@lru_cache(maxsize=4_096)
def parse_lastmod(text: str) -> DateOrDatetime | None:
    """Return the date in a sitemap's `<lastmod>`; None if the text is not a date."""
    try:
        return parse_date(text) if text else None
    except PageError:
        return None


def lastmod_in_utc(text: str) -> datetime | None:
    """Return the date in a sitemap's `<lastmod>` as an aware datetime in UTC.

    The result is None if the text is not a date. Answers are remembered, as many URLs
    have the same text, but not those for long texts.
    """
    if len(text) <= _USUAL:
        return _usual_in_utc(text)
    return _usual_in_utc.__wrapped__(text)


def is_past(text: str, now: datetime) -> bool:
    """Tell whether a date of ISO 8601, RFC 822 or RFC 850 is over in all time zones.

    False for any other text.
    """
    moment = lastmod_in_utc(text)
    if moment is None:
        try:
            moment = to_utc(parsedate_to_datetime(text))
        except (ValueError, OverflowError):
            return False
    return moment + timedelta(days=1) < now


@lru_cache(maxsize=10_000)
def _usual_in_utc(text: str) -> datetime | None:
    moment = parse_lastmod(text)
    return None if moment is None else to_utc(moment)


def is_future(moment: DateOrDatetime, now: datetime) -> bool:
    """Tell whether a moment is after `now`, which is aware, in all time zones."""
    if isinstance(moment, datetime):
        return to_utc(moment) > now
    # In the author's zone a day can begin up to 14 hours earlier than in UTC.
    return to_utc(moment) > now + timedelta(days=1)


def format_date(moment: DateOrDatetime, how: Format = "datetime") -> str:
    """Return the moment in the format of `<lastmod>`.

    `2004-12-23T18:00:15+00:00` or `2004-12-23`, always in UTC, so that the same moment
    gives the same text on every machine.
    """
    if not isinstance(moment, datetime):
        return moment.isoformat()
    utc = to_utc(moment)
    if how == "date":
        return utc.date().isoformat()
    return utc.isoformat(timespec="seconds")


def newest(moments: Iterable[DateOrDatetime]) -> DateOrDatetime | None:
    """Return the latest moment in UTC, the first of equal ones; None for no moments."""
    return max(moments, key=to_utc, default=None)


@lru_cache(maxsize=10_000)
def spans_of(
    moment: datetime, seconds: int
) -> tuple[tuple[int, float], tuple[int, float]]:
    """Return the two spans of time that an aware moment is in.

    Each grid divides time into spans of so many seconds; the second grid is shifted by
    half a span, so that two moments less than half a span apart share a span of one
    grid. A span is its number and the shift of its grid.
    """
    since = moment.timestamp()
    shift = seconds / 2
    shifted = (int((since + shift) // seconds), shift)
    return (int(since // seconds), 0), shifted


def densest(moments: Iterable[DateOrDatetime], seconds: int) -> int:
    """Return how many moments the fullest span has, as `spans_of` divides time.

    This is the largest number of dates that one build can have written.

    >>> densest([date(2004, 12, 23), date(2004, 12, 23), date(2004, 12, 24)], 3600)
    2
    """
    spans: Counter[tuple[int, float]] = Counter()
    for moment in moments:
        spans.update(spans_of(to_utc(moment), seconds))
    return max(spans.values(), default=0)


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # Year 1 or 9999, moved over the edge by its zone.
        msg = f"{quoted(moment.isoformat())} is outside the years 1 to 9999"
        raise PageError(msg, cure="write a real date") from None


NEVER = datetime.max.replace(tzinfo=UTC)
"""Later than any date: stands for a change at an unknown time."""


class Origin(NamedTuple):
    """Where a date is from."""

    kind: str
    """As in the option `lastmod`: `page`, `published`, `git` or `mtime`."""

    file: str = ""
    """The file that has the date: its path in the repository, or its real path.

    As `os.fsdecode` makes it. For an author's date, the page's label.
    """

    root: str = ""
    """The repository's root; empty for none."""

    commit: bytes = b""
    """Full object name; empty for none."""

    excerpt: str = ""
    """What in the file has the date, as readers call it; empty for all of it."""

    passed_over: tuple[tuple[bytes, str], ...] = ()
    """As of `LastChange`."""


class Evidence(NamedTuple):
    """What is known about the date of a file or page."""

    newest: DateOrDatetime | None = None
    """The newest known change."""

    lost_until: datetime | None = None
    """The latest possible time of another change, whose own time is unknown; None if
    there is no such change."""

    origin: Origin | None = None
    """Where the newest change is from, for the verbose output; None for a removed
    file."""

    written: DateOrDatetime | None = None
    """When the newest change was written, which can be before `newest`: its commit can
    be younger. None if both are the same."""

    @property
    def date(self) -> DateOrDatetime | None:
        """The newest change, if no unknown one can be newer."""
        if self.newest is None or self.lost_until is None:
            return self.newest
        return self.newest if to_utc(self.newest) > self.lost_until else None

    @classmethod
    def of_change(
        cls,
        seconds: int | None,
        *,
        lost: bool,
        origin: Origin | None = None,
        written: int | None = None,
    ) -> Evidence:
        """Return the evidence of a commit at a time in seconds since 1970.

        If `lost`, the change itself is in this commit or an older one. `written` is
        when the commit was written or made, whichever was earlier. Without `seconds`,
        the change has an unknown time.
        """
        if seconds is None:
            return cls(lost_until=NEVER)
        when = from_seconds(seconds)
        if lost:
            return cls(lost_until=when)
        if written is None or written == seconds:
            return cls(when, None, origin)
        # A forged time can be outside the calendar.
        return cls(when, None, origin, min(from_seconds(written), when))

    @classmethod
    def of_all(cls, parts: Sequence[Evidence]) -> Evidence:
        """Return the evidence for something that consists of several parts."""
        if len(parts) == 1:
            return parts[0]
        last = newest(part.newest for part in parts if part.newest is not None)
        limits = [part.lost_until for part in parts if part.lost_until is not None]
        origin = next((part.origin for part in parts if part.newest is last), None)
        known = [part.written or part.newest for part in parts]
        # The part with the newest change need not be the one that was written last.
        written = newest(each for each in known if each is not None)
        return cls(last, max(limits, default=None), origin, written)


NOTHING = Evidence()
"""No date, and no unknown change."""


def from_seconds(seconds: float) -> datetime:
    """Return seconds since 1970 as an aware datetime; `NEVER` outside the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    # A forged commit; beyond the year 9999.
    except (OverflowError, ValueError, OSError):
        return NEVER
