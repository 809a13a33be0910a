"""The dates that a host shows on its pages: found before it writes them, as the sitemap's are."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from sitemap_plugins.core.date_values import DateOrDatetime, format_date
from sitemap_plugins.core.dates.lastmod import add_sources, resolve
from sitemap_plugins.core.environment import CI, Environment, now
from sitemap_plugins.core.pages.select import judge_alone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from pathlib import Path

    from sitemap_plugins.core.git.last_change import GitCache
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.records import Page

PROPERTY = "article:modified_time"
"""What search engines read on a page (https://ogp.me/#type_article)."""

_ANY_SITE = "https://localhost/"
"""No page's date depends on its URL, and a site without an address has dates too."""


def find_page_dates(
    pages: Iterable[Page],
    *,
    project_dir: Path,
    began: datetime,
    options: Options,
    git_cache: GitCache,
) -> Mapping[str, DateOrDatetime]:
    """Return by `Page.path` when the content of each page last changed, if that is known.

    For a page that the sitemap will list, it is the value that it will list; other pages have
    theirs too. Git's answers are kept in `git_cache`, so that `generate` does not ask again.

    Never raises: what fails here fails in `generate` too, which reports it. `project_dir` and
    `began` are as in `Site`.
    """
    environment = Environment(
        now=now(),
        ci=CI.from_environ(os.environ),
        environ=os.environ,
        git_cache=git_cache,
        began=began,
        fetches_history=options.fetch_history,
    )
    try:
        unwritten = (replace(page, output_file=None) for page in pages)
        judged = judge_alone(unwritten, _ANY_SITE, options)
        complete, _ = add_sources(judged.pages, options, project_dir)
        return resolve(complete, options=options, environment=environment).by_path
    except Exception:  # noqa: BLE001 a failure here must not stop the site's build
        return {}


def meta_tag(date: DateOrDatetime) -> str:
    """Return the element of a page's head that says when the page changed."""
    return f'<meta property="{PROPERTY}" content="{format_date(date)}" />'


def with_meta_tag(html: str, date: DateOrDatetime | None) -> str:
    """Return a page with its date in the head; as it is without a date, or if it names one."""
    if date is None:
        return html
    head, end, rest = html.partition("</head>")
    return f"{head}{meta_tag(date)}\n{end}{rest}" if end and PROPERTY not in head else html
