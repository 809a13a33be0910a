"""Dates that pages give themselves: they count only where they differ from page to page.

Some themes write the time of the build into every page (TYPO3's into `article:modified_time`), and
nothing in one page tells that from a true date. A date of publication is never one of change: what
was edited later keeps it.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sitemap_plugins.core.date_values import parse_date, to_utc
from sitemap_plugins.core.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_plugins.core.date_values import DateOrDatetime
    from sitemap_plugins.folder.marks import Marks

__all__ = ["trusted_dates"]

WINDOW = 3600
"""Seconds within which pages of one build are made."""

_YEARS = range(1901, 3000)
"""Nuxt's rule: what lies outside is a placeholder."""


def trusted_dates(marks: Mapping[str, Marks]) -> dict[str, DateOrDatetime]:
    """Return the dates of change, by page, if at most half of them lie within one build's time.

    One date alone cannot differ from others.
    """
    dates = {page: date for page, mark in marks.items() if (date := _changed(mark))}
    # Two grids, half a window apart: one build lies whole in a cell of one of them.
    seconds = [
        (to_utc(date) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() for date in dates.values()
    ]
    for shift in (0, WINDOW / 2):
        cells = Counter((second + shift) // WINDOW for second in seconds)
        if cells and 2 * max(cells.values()) > len(dates):
            return {}
    return dates


def _changed(marks: Marks) -> DateOrDatetime | None:
    """Return when a page says that it changed, if that is not its date of publication.

    jekyll-seo-tag and others repeat that for a page of which they know nothing else.
    """
    changed, published = _parse(marks.modified), _parse(marks.published)
    if changed and published and to_utc(changed) == to_utc(published):
        return None
    return changed


def _parse(text: str) -> DateOrDatetime | None:
    try:
        date = parse_date(text)
    except PageError:
        return None
    return date if date.year in _YEARS else None
