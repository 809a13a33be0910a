"""Checks of what a server answers for a listed URL: one function for each code."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_plugins.checks.findings import MOST_NAMED, Finding
from sitemap_plugins.checks.visits import content_type
from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.robots_tag import header_says_noindex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitemap_plugins.checks.server import Server
    from sitemap_plugins.checks.visits import Visit
    from sitemap_plugins.core.codes import Code
    from sitemap_plugins.core.crawlers.robots_txt import Robots

    AnswerCheck = Callable[[Visit, Server], Iterator[Finding]]

__all__ = ["ANSWER_CHECKS", "disallowed"]

_PAGE_TYPES = {"text/html", "application/xhtml+xml"}
_PAGE_SUFFIXES = {"html", "htm", "xhtml", "php"}
_UNKNOWN_TYPES = {"", "text/plain", "application/octet-stream"}
"""What servers say of a file whose type they do not know."""

_TITLE = re.compile(rb"<(?:title|h1)\b[^<>]{0,200}>([^<]{1,200})<", re.IGNORECASE)
_SEGMENTS = re.compile(r"\s[-\u2013\u2014\u00b7\u2022\u00bb]+\s|[:|]")
_NOT_WORD = re.compile(r"[\W_]+")
_OF_ERROR_PAGE = re.compile(
    r"(?:(?:oops|sorry|error|http) )*(?:404(?: error)?|(?:404 )?(?:the |this )?"
    r"(?:(?:requested )?(?:page|file|document|url) )?(?:was |is |could |can)?not (?:be )?found"
    r"(?: error)?(?: 404)?)"
)

# RFC 8288: `<address>; rel="canonical"`.
_CANONICAL = re.compile(r"""<([^<>]*)>[^,<]*;\s*rel\s*=\s*["']?canonical\b""", re.IGNORECASE)


def disallowed(visit: Visit, robots: Robots | None) -> Iterator[Finding]:
    """A URL that no crawler may request is not requested here either."""
    url = visit.place.url
    if robots is not None and not robots.allow(url):
        yield _finding("robots", f"robots.txt disallows {quoted(url)} for every crawler", visit)
    elif robots is not None and (crawlers := robots.disallowed_crawlers(url)):
        text = f"robots.txt disallows {quoted(url)} for {' and '.join(crawlers)}"
        yield replace(_finding("robots", text, visit), matters="warning")


def no_answer(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Crawlers come back less often to a server that does not answer."""
    if visit.problem:
        yield _finding("no-answer", visit.problem, visit)


def http_status(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Google, HTTP status codes: only 200 leads to the index."""
    if visit.trail and not visit.trail.target and visit.trail.last.status != 200:
        text = f"{quoted(visit.place.url)} answers {visit.trail.last.status}"
        yield _finding("http-status", text, visit)


def redirect(visit: Visit, server: Server) -> Iterator[Finding]:
    """The URL redirects, by HTTP or in the page; the finding names the target and its answer."""
    url, trail = visit.place.url, visit.trail
    if trail and trail.target and not trail.is_circle:
        first, last = trail.answers[0], trail.last
        text = (
            f"{quoted(url)} redirects ({first.status}) to {quoted(server.published(trail.target))}"
        )
        if last is not first and last.status != 200:
            text += f", which leads to an answer {last.status}"
        yield _finding("redirect", text, visit)
    target = visit.head.refresh_url(url)
    if target is not None and not _same(target, url):
        yield _finding("redirect", f"the page {quoted(url)} redirects to {quoted(target)}", visit)


def redirect_loop(visit: Visit, server: Server) -> Iterator[Finding]:
    """Browsers say that a page "redirected you too many times"."""
    if visit.trail and visit.trail.is_circle:
        back = server.published(visit.trail.last.redirect)
        text = f"{quoted(visit.place.url)} redirects again and again, last to {quoted(back)}"
        yield _finding("redirect-loop", text, visit)


def wrong_type(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Of an address like a page's; a listed PDF or image is what its type says.

    An address without a suffix can be that of either.
    """
    if not _is_answered(visit):
        return
    name = urlsplit(visit.place.url).path.rpartition("/")[2]
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    found = content_type(visit.trail.last) if visit.trail else ""
    is_page = suffix in _PAGE_SUFFIXES and found not in _PAGE_TYPES
    if not found or is_page or (not suffix and found in _UNKNOWN_TYPES):
        what = f"the Content-Type {quoted(found)}" if found else "no Content-Type"
        yield _finding("content-type", f"{quoted(visit.place.url)} answers with {what}", visit)


def soft_404(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Google, "Soft 404 errors": a page that says it is none must not answer with success."""
    if not visit.trail or not _is_answered(visit):
        return
    url, answer = quoted(visit.place.url), visit.trail.last
    if not answer.body.strip() and not answer.is_cut:
        yield _finding("soft-404", f"{url} answers 200 with nothing", visit)
    elif content_type(answer) in _PAGE_TYPES and (title := _error_title(answer.body)):
        yield _finding("soft-404", f"{url} answers 200 with {quoted(title)}", visit)


def noindex(visit: Visit, _server: Server) -> Iterator[Finding]:
    """In the header or in the page: crawlers obey both."""
    if not visit.trail or not _is_answered(visit):
        return
    url = quoted(visit.place.url)
    header = visit.trail.last.headers.get("X-Robots-Tag", "")
    if header_says_noindex(header):
        yield _finding("noindex", f"{url}: the header X-Robots-Tag is {quoted(header)}", visit)
    elif visit.head.noindex:
        yield _finding("noindex", f"{url}: the page's HTML says noindex", visit)


def canonical(visit: Visit, _server: Server) -> Iterator[Finding]:
    """In the page, or in the header Link, which Google reads too."""
    if not visit.trail or not _is_answered(visit):
        return
    url = visit.place.url
    linked = _CANONICAL.search(visit.trail.last.headers.get("Link", ""))
    named = visit.head.canonical_url(url) or (linked[1] if linked else "")
    if named and not _same(named, url):
        text = f"the canonical link of {quoted(url)} is {quoted(named)}"
        yield _finding("canonical", text, visit)


def several_canonicals(visit: Visit, _server: Server) -> Iterator[Finding]:
    """As in a folder: crawlers may ignore them all."""
    url = visit.place.url
    found = visit.head.canonical_urls(url)
    if len(found) > 1:
        named = " and ".join(map(quoted, found[:MOST_NAMED]))
        yield _finding("several-canonicals", f"{quoted(url)} names {named} as canonical", visit)


ANSWER_CHECKS: tuple[AnswerCheck, ...] = (
    *(no_answer, http_status, redirect, redirect_loop, soft_404, wrong_type, noindex, canonical),
    several_canonicals,
)
"""Every check of an answer, in the manual's order."""


def _error_title(html: bytes) -> str:
    """Return the title or first heading of an error page; empty for that of any other."""
    for found in _TITLE.finditer(html):
        title = found[1].decode("utf-8", "replace").strip()
        words = _NOT_WORD.sub(" ", _SEGMENTS.split(title)[0]).strip().lower()
        if _OF_ERROR_PAGE.fullmatch(words):
            return title
    return ""


def _is_answered(visit: Visit) -> bool:
    """Tell whether the URL itself has an answer that can be judged."""
    trail = visit.trail
    return trail is not None and len(trail.answers) == 1 and trail.last.status == 200


def _same(one: str, other: str) -> bool:
    return urls.identity(one) == urls.identity(other)


def _finding(code: Code, text: str, visit: Visit) -> Finding:
    place = visit.place
    return Finding(code, text, url=place.url, file=place.file, line=place.line)
