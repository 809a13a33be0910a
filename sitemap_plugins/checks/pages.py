"""Checks of one listed URL against the page that answers there."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sitemap_plugins.checks.urls import about
from sitemap_plugins.core.codes import FINDINGS, REASONS
from sitemap_plugins.core.crawlers.hosting import answer
from sitemap_plugins.core.date_values import parse_lastmod, to_utc
from sitemap_plugins.core.messages import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitemap_plugins.checks.context import Context
    from sitemap_plugins.checks.findings import Finding
    from sitemap_plugins.sitemaps.parts import ListedUrl

    PageCheck = Callable[[ListedUrl, Context], Iterator[Finding]]

__all__ = ["PAGE_CHECKS"]

SLACK = timedelta(days=1)
"""A date without a time of day, or with a wrong zone, is off by less."""

_SHOWN = {"missing", "noindex", "redirect", "canonical", "robots"}
"""Reasons to leave a page out that crawlers see; others only the page's generator knows."""


def missing(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Every URL must answer with a page of its own, or with a PDF, an image and the like."""
    path = context.path_of(listed.identity)
    site = context.site
    if site is not None and path is not None and not site.answers(path.partition("?")[0]):
        yield about(listed, "missing", f"no file is served at {quoted(listed.url)}")


def left_out(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """What a plugin would leave out; the code is the reason."""
    file = context.file_of(listed.identity)
    reason = context.site.reasons.get(file) if context.site is not None and file else None
    is_ours = listed.file.path in context.signed
    if reason in FINDINGS and (reason in _SHOWN or not is_ours):
        yield about(listed, reason, f"{quoted(listed.url)}: {REASONS[reason]}")


def disallowed(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Pages disallowed for every crawler are reported by `left_out`."""
    robots = context.robots
    crawlers = robots.disallowed_crawlers(listed.url) if robots is not None else ()
    if robots is not None and crawlers and robots.allow(listed.url):
        text = f"robots.txt disallows {quoted(listed.url)} for {' and '.join(crawlers)}"
        yield replace(about(listed, "robots", text), matters="warning")


def date_too_new(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """A date without a change teaches crawlers to distrust all others.

    A file that the page includes may have changed then, which a folder does not show.
    """
    said, known = _dates(listed, context)
    if said is not None and known is not None and said > known + SLACK:
        text = _both(listed, known)
        yield about(listed, "date-too-new", text)


def date_too_old(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Crawlers do not come back for the change."""
    said, known = _dates(listed, context)
    if said is not None and known is not None and said < known - SLACK:
        text = _both(listed, known)
        yield replace(about(listed, "date-too-old", text), matters=context.doubt)


def host_redirects(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """What the hosting service makes of the URL's form (`--hosting`)."""
    file = context.file_of(listed.identity)
    if file is not None and context.hosting:
        path = context.path_of(listed.identity) or ""
        if problem := answer(context.hosting, path=path, file=file):
            text = f"{context.hosting} {problem} {quoted(listed.url)}"
            yield about(listed, "host-redirects", text)


PAGE_CHECKS: tuple[PageCheck, ...] = (
    *(missing, left_out, disallowed, date_too_new, date_too_old, host_redirects),
)
"""Every check of a URL against its page, in the manual's order."""


def _both(listed: ListedUrl, known: datetime) -> str:
    """Name both days: the sitemap's as written, in any time zone."""
    written = listed.element.get("lastmod")[: len("2024-05-01")]
    return f"lastmod is {written}, and the source changed on {known:%Y-%m-%d}"


def _dates(listed: ListedUrl, context: Context) -> tuple[datetime | None, datetime | None]:
    """Return when the sitemap and when the source say that the page changed, in UTC.

    Both are None if one is unknown, or if a plugin of ours dated the page: it knows more.
    """
    file = context.file_of(listed.identity) if listed.file.path not in context.signed else None
    known = context.site.dates.get(file) if context.site is not None and file else None
    said = parse_lastmod(listed.element.get("lastmod"))
    return (None, None) if known is None or said is None else (to_utc(said), to_utc(known))
