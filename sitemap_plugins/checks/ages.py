"""How old the pages of a site are, as its sitemap tells it: for people to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.checks.survey import BUILD

if TYPE_CHECKING:
    from datetime import datetime

    from sitemap_plugins.checks.survey import Survey

__all__ = ["count_ages"]

_DAY = 24 * 60 * 60
_AGES = {
    "up to a week": 7,
    "up to a month": 31,
    "up to 3 months": 92,
    "up to a year": 366,
    "up to 2 years": 731,
    "up to 5 years": 1_827,
}
"""Days, ascending."""
_OLDER = "older"
_NO_DATE = "no date"


def count_ages(survey: Survey, now: datetime) -> dict[str, int]:
    """Return the number of URLs of each age, the youngest first, then of those without a date.

    A date in the future counts as the youngest; the ages are exact to a quarter of an hour.
    """
    counts = dict.fromkeys((*_AGES, _OLDER, _NO_DATE), 0)
    for (quarter, shift), count in survey.builds.items():
        if not shift:
            counts[_age(now.timestamp() - quarter * BUILD)] += count
    counts[_NO_DATE] = survey.urls - survey.dated
    return counts


def _age(seconds: float) -> str:
    return next((name for name, days in _AGES.items() if seconds <= days * _DAY), _OLDER)
