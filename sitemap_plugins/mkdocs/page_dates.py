"""Dates for the theme, under the names that git-revision-date-localized gives them.

Material and other themes show `git_revision_date_localized` of a page's metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from sitemap_plugins.core.date_values import DateOrDatetime, format_date, to_utc
from sitemap_plugins.core.messages import Notice
from sitemap_plugins.mkdocs.pages import url_path

RIVALS = ("git-revision-date-localized", "document-dates")
"""Plugins that show dates of their own. The first gives themes the values that this module does; of
the second, MaterialX's template of the sitemap takes its dates."""

NAME = "git_revision_date_localized"
"""Its name for a page's date in the page's metadata."""

_AUTHORS = "revision_date"
"""The author's own text for the date, which Material shows in its place."""

_CLASSES = f"{RIVALS[0]}-plugin {RIVALS[0]}-plugin-date"
"""What style sheets know its dates by."""


def shows_other_dates(config: MkDocsConfig) -> str:
    """Return the other plugin that shows its own dates; empty for none."""
    for name in RIVALS:
        options = getattr(config.plugins.get(name), "config", {"enabled": False})
        if options.get("enabled", True) and options.get("show_updated", True):
            return name
    return ""


def about_other_dates(plugin: str) -> Notice:
    """Return the notice that the other plugin's dates are shown."""
    shown = f"the pages show the dates of the plugin {plugin}"
    problem = f"{shown}, which can differ from the sitemap's"
    return Notice("other-dates", problem, cure="remove that plugin, or set page_dates to false")


def show_dates(files: Files, dates: Mapping[str, DateOrDatetime], config: MkDocsConfig) -> None:
    """Give each page of a build its date, by `Page.path`; one without shows none."""
    for file in files.documentation_pages(inclusion=lambda _: True):
        if (page := file.page) is None:
            continue
        date = dates.get(url_path(file))
        page.update_date = "" if date is None else format_date(date, "date")
        if date is not None and _AUTHORS not in page.meta:
            page.meta = {**_values(date, _language(file, config)), **page.meta}


def _values(date: DateOrDatetime, language: str) -> dict[str, str]:
    """Return the date as the other plugin's `date`, and in its forms without markup."""
    moment, day = format_date(date), format_date(date, "date")
    text = _localized(date, language) or day
    time = moment[len("2004-12-23T") : len("2004-12-23T18:00:15")]
    return {
        NAME: f'<time class="{_CLASSES}" datetime="{moment}" title="{moment}">{text}</time>',
        f"{NAME}_raw_date": text,
        f"{NAME}_raw_datetime": f"{text} {time}".rstrip(),
        f"{NAME}_raw_iso_date": day,
        f"{NAME}_raw_iso_datetime": f"{day} {time}".rstrip(),
    }


def _localized(date: DateOrDatetime, language: str) -> str:
    """Return the day in words; empty without Babel, or in a language that it does not know.

    Material brings Babel; MkDocs alone does not.
    """
    try:
        from babel import Locale, UnknownLocaleError, dates  # noqa: PLC0415 slow, and not needed by most
    except ImportError:
        return ""
    try:
        return dates.format_date(to_utc(date), "long", Locale.parse(language.replace("-", "_")))
    except (ValueError, UnknownLocaleError):
        return ""


def _language(file: File, config: MkDocsConfig) -> str:
    """Return a page's language: from static-i18n, its front matter, or the theme."""
    theme: Any = config.theme
    of_page = getattr(file, "locale", None) or (file.page and file.page.meta.get("locale"))
    return str(of_page or theme.get("language") or theme.get("locale") or "en")
