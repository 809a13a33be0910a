"""Dates for the theme: `last_updated` of each page, and a meta tag in its head."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sphinx.locale import _
from sphinx.util.i18n import format_date as localize

from sitemap_plugins.core.date_values import format_date, to_utc
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sitemap_plugins.core.date_values import DateOrDatetime

__all__ = ["about_other_dates", "show_date", "shows_other_dates"]

RIVAL = "sphinx_last_updated_by_git"
"""The extension that gives themes the same values."""

_PROPERTY = "article:modified_time"
"""Of the Open Graph protocol (https://ogp.me/#type_article)."""


def shows_other_dates(app: Sphinx) -> bool:
    """Tell whether the other extension gives the theme its own dates."""
    return RIVAL in app.extensions


def about_other_dates() -> Notice:
    """Return the notice that the other extension's dates are shown."""
    problem = f"the pages show the dates of {RIVAL}, which can differ from the sitemap's"
    cure = "remove that extension, or set sitemap_page_dates to False"
    return Notice("other-dates", problem, cure)


def show_date(context: dict[str, Any], date: DateOrDatetime | None, config: Config) -> None:
    """Put a page's date into the context of its template; without one the page shows none."""
    context["last_updated"] = None if date is None else _localized(date, config)
    tags = context.get("metatags")  # Only documents have them.
    if date is not None and tags is not None and _PROPERTY not in tags:
        tag = f'<meta property="{_PROPERTY}" content="{format_date(date)}" />'
        context["metatags"] = f"{tags}\n    {tag}"


def _localized(date: DateOrDatetime, config: Config) -> str:
    """Return a date as Sphinx would write the build's: in local time, unless conf.py says UTC."""
    moment = to_utc(date)
    # Sphinx 8.0 has no such setting. A day is the author's, in whatever zone.
    if isinstance(date, datetime) and not getattr(config, "html_last_updated_use_utc", False):
        moment = moment.astimezone()
    pattern = config.html_last_updated_fmt or _("%b %d, %Y")
    return localize(pattern, date=moment, language=config.language)
