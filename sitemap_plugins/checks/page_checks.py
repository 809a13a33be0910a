"""Checks of one listed URL against the page that answers there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sitemap_plugins.core.dates import parse_lastmod, to_utc
from sitemap_plugins.core.hosting import answer
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.reasons import REASONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitemap_plugins.checks.context import Context
    from sitemap_plugins.checks.findings import Finding
    from sitemap_plugins.checks.sitemaps import Listed

    PageCheck = Callable[[Listed, Context], Iterator[Finding]]

__all__ = ["PAGE_CHECKS"]

SLACK = timedelta(days=1)
"""A date without a time of day, or with a wrong zone, is off by less."""


def missing(listed: Listed, context: Context) -> Iterator[Finding]:
    """Every URL must answer with a page of its own."""
    identity = listed.identity
    if context.path_of(identity) is not None and context.file_of(identity) is None:
        yield listed.finding("missing", f"no file is served at {quoted(listed.url)}")


def left_out(listed: Listed, context: Context) -> Iterator[Finding]:
    """What a plugin would leave out; the code is the reason."""
    file = context.file_of(listed.identity)
    if context.site is not None and file is not None and file in context.site.reasons:
        reason = context.site.reasons[file]
        yield listed.finding(reason, f"{quoted(listed.url)}: {REASONS[reason]}")


def date_too_new(listed: Listed, context: Context) -> Iterator[Finding]:
    """A date that no change stands behind teaches crawlers to distrust all others.

    Our plugins date a page by the files that it includes, too, which a folder does not show.
    """
    if context.is_signed:
        return
    said, known = _dates(listed, context)
    if said is not None and known is not None and said > known + SLACK:
        text = f"lastmod is {said:%Y-%m-%d}, and the source changed on {known:%Y-%m-%d}"
        yield listed.finding("date-too-new", text)


def date_too_old(listed: Listed, context: Context) -> Iterator[Finding]:
    """Crawlers do not come back for the change."""
    said, known = _dates(listed, context)
    if said is not None and known is not None and said < known - SLACK:
        text = f"lastmod is {said:%Y-%m-%d}, and the source changed on {known:%Y-%m-%d}"
        yield listed.finding("date-too-old", text)


def host_redirects(listed: Listed, context: Context) -> Iterator[Finding]:
    """What the hosting service makes of the URL's form (`--hosting`)."""
    file = context.file_of(listed.identity)
    if file is not None and context.hosting:
        path = context.path_of(listed.identity) or ""
        if problem := answer(context.hosting, path=path, file=file):
            text = f"{context.hosting} {problem} {quoted(listed.url)}"
            yield listed.finding("host-redirects", text)


PAGE_CHECKS: tuple[PageCheck, ...] = (
    *(missing, left_out, date_too_new, date_too_old, host_redirects),
)
"""Every check of a URL against its page, in the manual's order."""


def _dates(listed: Listed, context: Context) -> tuple[datetime | None, datetime | None]:
    """Return when the sitemap and when the source say that the page changed, in UTC."""
    file = context.file_of(listed.identity)
    known = context.site.dates.get(file) if context.site is not None and file else None
    said = parse_lastmod(listed.element.get("lastmod"))
    return (None, None) if known is None or said is None else (to_utc(said), to_utc(known))
