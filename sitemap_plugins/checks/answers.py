"""What a server answers for listed URLs, and the checks of it: one function for each code."""

from __future__ import annotations

import re
import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.checks.server import content_type
from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import WebError
from sitemap_plugins.core.html.head import HeadMeta, header_says_noindex, read_head
from sitemap_plugins.core.messages import a_few, quoted
from sitemap_plugins.core.records import record
from sitemap_plugins.core.url_forms import PAGE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitemap_plugins.checks.server import Redirects, Server
    from sitemap_plugins.core.codes import Code
    from sitemap_plugins.core.crawlers.robots_txt import Robots
    from sitemap_plugins.web import Answer

    AnswerCheck = Callable[["Visit", Server], Iterator[Finding]]

__all__ = ["ANSWER_CHECKS", "PageUrl", "Visit", "disallowed", "soft_404", "visit"]

PAGE_BYTES = 1024 * 1024
"""Bytes of a page that are read: its head is within the first few thousand."""

_HTML_TYPES = {"", "text/html", "application/xhtml+xml"}

_PAGE_TYPES = {"text/html", "application/xhtml+xml"}
_UNKNOWN_TYPES = {"", "text/plain", "application/octet-stream"}
"""Types with which servers send files of unknown type."""

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


@record
class PageUrl:
    """A listed URL, and where it is listed."""

    url: str
    file: str
    line: int


@record
class Visit:
    """The result of requesting a URL."""

    page: PageUrl

    redirects: Redirects | None = None
    """None if there is no answer, or if robots.txt disallows the request."""

    problem: str = ""
    """Why there is no answer; one sentence without a full stop."""

    head: HeadMeta = HeadMeta()
    """The metadata of the page; empty if the answer is not a page."""


def visit(
    pages: Iterable[PageUrl], server: Server, *, may_ask: Callable[[str], bool], concurrency: int
) -> Iterator[Visit]:
    """Yield the answers for the site's URLs, in order; some are requested ahead.

    Raises:
        TimeUpError: The time for all requests ran out.
    """
    tasks: SimpleQueue[tuple[Future[Visit], PageUrl] | None] = SimpleQueue()

    def run() -> None:
        while (task := tasks.get()) is not None:
            future, page = task
            try:
                is_allowed = may_ask(page.url)
                future.set_result(_visit(page, server) if is_allowed else Visit(page=page))
            except BaseException as error:  # noqa: BLE001 raised again by `result`
                future.set_exception(error)

    for _ in range(concurrency):
        # As a daemon it does not keep an interrupted check waiting for a slow server.
        threading.Thread(target=run, daemon=True).start()
    waiting: deque[Future[Visit]] = deque()
    try:
        for page in pages:
            waiting.append(Future())
            tasks.put((waiting[-1], page))
            if len(waiting) > 2 * concurrency:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for _ in range(concurrency):
            tasks.put(None)


def disallowed(visit: Visit, robots: Robots | None) -> Iterator[Finding]:
    """A URL that no crawler may request is not requested here either."""
    url = visit.page.url
    if robots is not None and not robots.allow(url):
        yield _finding("robots", f"robots.txt disallows {quoted(url)} for every crawler", visit)
    elif robots is not None and (crawlers := robots.disallowed_crawlers(url)):
        text = f"robots.txt disallows {quoted(url)} for {' and '.join(crawlers)}"
        yield replace(_finding("robots", text, visit), matters="warning")


def no_answer(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Crawlers visit a server less often if it does not answer."""
    if visit.problem:
        yield _finding("no-answer", visit.problem, visit)


def http_status(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Google, HTTP status codes: only 200 leads to the index."""
    if visit.redirects and not visit.redirects.target and visit.redirects.last.status != 200:
        text = f"{quoted(visit.page.url)} answers {visit.redirects.last.status}"
        yield _finding("http-status", text, visit)


def redirect(visit: Visit, server: Server) -> Iterator[Finding]:
    """The URL redirects, by HTTP or in the page; the finding names the target and its answer."""
    url, redirects = visit.page.url, visit.redirects
    if redirects and redirects.target and not redirects.is_loop:
        first, last = redirects.answers[0], redirects.last
        target = server.published(redirects.target)
        text = f"{quoted(url)} redirects ({first.status}) to {quoted(target)}"
        if last is not first and last.status != 200:
            text += f", which leads to an answer {last.status}"
        yield _finding("redirect", text, visit)
    refresh = visit.head.refresh_url(url)
    if refresh is not None and not _same(refresh, url):
        yield _finding("redirect", f"the page {quoted(url)} redirects to {quoted(refresh)}", visit)


def redirect_loop(visit: Visit, server: Server) -> Iterator[Finding]:
    """Browsers report that a page "redirected you too many times"."""
    if visit.redirects and visit.redirects.is_loop:
        back = server.published(visit.redirects.last.redirect)
        text = f"{quoted(visit.page.url)} redirects again and again, last to {quoted(back)}"
        yield _finding("redirect-loop", text, visit)


def wrong_type(visit: Visit, _server: Server) -> Iterator[Finding]:
    """The type does not fit a page's address; a listed PDF or image has a type of its own.

    An address without a suffix can be that of either.
    """
    if (answer := _own_answer(visit)) is None:
        return
    name, found = urlsplit(visit.page.url).path.rpartition("/")[2], content_type(answer)
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    is_page = f".{suffix}" in PAGE_SUFFIXES and found not in _PAGE_TYPES
    if not found or is_page or (not suffix and found in _UNKNOWN_TYPES):
        what = f"the Content-Type {quoted(found)}" if found else "no Content-Type"
        yield _finding("content-type", f"{quoted(visit.page.url)} answers with {what}", visit)


def soft_404(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Google, "Soft 404 errors": an error page must not answer with success."""
    if (answer := _own_answer(visit)) is None:
        return
    url = quoted(visit.page.url)
    if not answer.body.strip() and not answer.is_cut:
        yield _finding("soft-404", f"{url} answers 200 with nothing", visit)
    elif content_type(answer) in _PAGE_TYPES and (title := _error_title(answer.body)):
        yield _finding("soft-404", f"{url} answers 200 with {quoted(title)}", visit)


def noindex(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Crawlers obey noindex in the header and in the page."""
    if (answer := _own_answer(visit)) is None:
        return
    url, header = quoted(visit.page.url), answer.headers.get("X-Robots-Tag", "")
    if header_says_noindex(header):
        yield _finding("noindex", f"{url}: the header X-Robots-Tag is {quoted(header)}", visit)
    elif visit.head.noindex:
        yield _finding("noindex", f"{url}: the page's HTML says noindex", visit)


def canonical(visit: Visit, _server: Server) -> Iterator[Finding]:
    """The page can name it, or the header Link, which Google reads too."""
    if (answer := _own_answer(visit)) is None:
        return
    url, linked = visit.page.url, _CANONICAL.search(answer.headers.get("Link", ""))
    named = visit.head.canonical_url(url) or (linked[1] if linked else "")
    if named and not _same(named, url):
        text = f"the canonical link of {quoted(url)} is {quoted(named)}"
        yield _finding("canonical", text, visit)


def several_canonicals(visit: Visit, _server: Server) -> Iterator[Finding]:
    """Crawlers may ignore them all; a folder is checked in the same way."""
    url = visit.page.url
    if len(found := visit.head.canonical_urls(url)) > 1:
        named = a_few([*map(quoted, found)])
        yield _finding("several-canonicals", f"{quoted(url)} names {named} as canonical", visit)


ANSWER_CHECKS: tuple[AnswerCheck, ...] = (
    *(no_answer, http_status, redirect, redirect_loop, soft_404, wrong_type, noindex, canonical),
    several_canonicals,
)
"""Every check of an answer."""


def _visit(page: PageUrl, server: Server) -> Visit:
    try:
        redirects = server.ask(server.address(page.url), limit=PAGE_BYTES)
    except WebError as error:
        return Visit(page=page, problem=error.problem)
    first = redirects.answers[0]
    is_page = first.status == 200 and content_type(first) in _HTML_TYPES
    head = read_head(first.body) if is_page else HeadMeta()
    return Visit(page=page, redirects=redirects, head=head)


def _error_title(html: bytes) -> str:
    """Return the title or first heading of an error page; empty for that of any other."""
    for found in _TITLE.finditer(html):
        title = found[1].decode("utf-8", "replace").strip()
        words = _NOT_WORD.sub(" ", _SEGMENTS.split(title)[0]).strip().lower()
        if _OF_ERROR_PAGE.fullmatch(words):
            return title
    return ""


def _own_answer(visit: Visit) -> Answer | None:
    """Return the answer for the URL itself; None if it redirects or fails."""
    answers = visit.redirects.answers if visit.redirects else ()
    return answers[0] if len(answers) == 1 and answers[0].status == 200 else None


def _same(one: str, other: str) -> bool:
    return urls.identity(one) == urls.identity(other)


def _finding(code: Code, text: str, visit: Visit) -> Finding:
    page = visit.page
    return Finding(code, text, url=page.url, file=page.file, line=page.line)
