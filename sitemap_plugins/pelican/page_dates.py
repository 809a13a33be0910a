"""Dates for the theme: `modified` and `locale_modified` of articles and pages."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pelican.utils import SafeDatetime

from sitemap_plugins.core.date_values import to_utc

if TYPE_CHECKING:
    from sitemap_plugins.core.date_values import DateOrDatetime

__all__ = ["show_date"]


def show_date(content: Any, date: DateOrDatetime) -> None:  # noqa: ANN401 Pelican has no types
    """Let an article or page say when it changed, if nobody else did and it was after `Date`."""
    published = getattr(content, "date", None)
    is_later = not isinstance(published, datetime) or to_utc(date) > to_utc(published)
    if is_later and getattr(content, "modified", None) is None:
        content.modified = _in_zone(date, content.timezone)
        content.locale_modified = content.modified.strftime(content.date_format)


def _in_zone(date: DateOrDatetime, zone: Any) -> SafeDatetime:  # noqa: ANN401
    if isinstance(date, datetime):
        return SafeDatetime.fromtimestamp(int(date.timestamp()), zone)
    return SafeDatetime(date.year, date.month, date.day, tzinfo=zone)  # The author's own day.
