"""Checks of one listed URL against the page that answers there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sitemap_plugins.checks.urls import finding_at
from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import FINDINGS, REASONS
from sitemap_plugins.core.crawlers.hosting import DISPLAY_NAMES, answer
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
"""More than the error of a date without a time of day, or with a wrong zone."""

_SHOWN = {"missing", "noindex", "redirect", "canonical", "robots"}
"""Reasons to leave a page out that crawlers see; the generator alone knows the others."""


def missing(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Every URL must answer with a page of its own, or with a PDF, an image and the like."""
    path = context.path_of(listed.identity)
    if path is not None and not context.facts.answers(path):
        yield finding_at(listed, "missing", f"{quoted(listed.url)} has no file")


def left_out(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """A plugin would leave the page out; the code is the reason."""
    reason = context.facts.reasons.get(context.file_of(listed.identity))
    is_ours = listed.file.path in context.signed
    if reason in FINDINGS and (reason in _SHOWN or not is_ours):
        yield finding_at(listed, reason, f"{quoted(listed.url)}: {REASONS[reason]}")


def canonical(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """The page names another spelling of its URL; other canonical URLs are seen by `left_out`."""
    file = context.file_of(listed.identity)
    named = context.facts.canonicals.get(file)
    if not named or file in context.facts.reasons:
        return
    path = context.path_of(urls.identity(named[0]))
    if path is not None and path != context.path_of(listed.identity):
        text = f"the canonical link of {quoted(listed.url)} is {quoted(named[0])}"
        yield finding_at(listed, "canonical", text)


def disallowed(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Pages disallowed for every crawler are reported by `left_out`."""
    robots = context.robots
    if robots is None or not robots.allow(listed.url):
        return
    if crawlers := robots.disallowed_crawlers(listed.url):
        text = f"robots.txt disallows {quoted(listed.url)} for {' and '.join(crawlers)}"
        yield finding_at(listed, "robots", text, matters="warning")


def date_too_new(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """A new date without a change teaches crawlers to distrust all dates.

    A file that the page includes may have changed then, which a folder does not show.
    """
    if (dates := _dates(listed, context)) and dates[0] > dates[1] + SLACK:
        yield finding_at(listed, "date-too-new", _both(listed, dates[1]))


def date_too_old(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Crawlers do not come back for the change."""
    if (dates := _dates(listed, context)) and dates[0] < dates[1] - SLACK:
        text = _both(listed, dates[1])
        yield finding_at(listed, "date-too-old", text, matters=context.doubt)


def date_on_page(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Search engines compare the two, and trust neither if they differ."""
    shown = context.facts.shown.get(context.file_of(listed.identity))
    said = parse_lastmod(listed.element.get("lastmod"))
    if shown is not None and said is not None and abs(to_utc(said) - to_utc(shown)) > SLACK:
        text = (
            f"lastmod is {to_utc(said):%Y-%m-%d}, and the page itself says {to_utc(shown):%Y-%m-%d}"
        )
        yield finding_at(listed, "date-on-page", text)


def host_redirects(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """The hosting service redirects a URL of this form, or does not serve it (`--hosting`)."""
    file, path = context.file_of(listed.identity), context.path_of(listed.identity)
    if not file or path is None or not context.hosting:
        return
    if problem := answer(context.hosting, path=path, file=file):
        text = f"{DISPLAY_NAMES[context.hosting]} {problem} {quoted(listed.url)}"
        yield finding_at(listed, "host-redirects", text)


PAGE_CHECKS: tuple[PageCheck, ...] = (
    *(missing, left_out, canonical, disallowed, date_too_new, date_too_old, date_on_page),
    host_redirects,
)
"""Every check of a URL against its page."""


def _both(listed: ListedUrl, known: datetime) -> str:
    """Return a text with both days; the sitemap's is as written, in any time zone."""
    written = listed.element.get("lastmod")[: len("2024-05-01")]
    return f"lastmod is {written}, and the source changed on {known:%Y-%m-%d}"


def _dates(listed: ListedUrl, context: Context) -> tuple[datetime, datetime] | None:
    """Return the page's dates in the sitemap and of its source, in UTC; None if one is unknown.

    A date that a plugin of ours wrote is not compared: the plugin knows more.
    """
    known = context.facts.dates.get(context.file_of(listed.identity))
    said = parse_lastmod(listed.element.get("lastmod"))
    if known is None or said is None or listed.file.path in context.signed:
        return None
    return to_utc(said), to_utc(known)
