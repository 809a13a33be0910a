"""Requests for the listed URLs of a site, and the checks of what its server answers."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from queue import SimpleQueue
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_plugins.check.urls import disallowed_for_some
from sitemap_plugins.core import messages, urls
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.date_values import is_past
from sitemap_plugins.core.html.head import (
    HeadMeta,
    header_says_noindex,
    read_head,
    refresh_target,
    unavailable_after,
)
from sitemap_plugins.core.messages import a_few, quoted
from sitemap_plugins.core.url_forms import PAGE_SUFFIXES
from sitemap_plugins.findings.records import Finding, Findings
from sitemap_plugins.folder.error_page import why_soft_404
from sitemap_plugins.live.server import (
    Redirects,
    Server,
    content_type,
    cure_for,
    follow,
    type_in_words,
)

if TYPE_CHECKING:
    from sitemap_plugins.sitemaps.web import Answer  # It is slow to import.

AnswerCheck = Callable[["Requested", "Server"], Findings]
PageCheck = Callable[["Requested", "Answer"], Findings]


PAGE_BYTES = 1024 * 1024
"""Bytes of a page that are read: its head is within the first few thousand."""

_HTML_TYPES = {"", "text/html", "application/xhtml+xml"}

_PAGE_TYPES = {"text/html", "application/xhtml+xml"}
_UNKNOWN_TYPES = {"", "text/plain", "application/octet-stream", "application/json"}
"""Types with which servers send files of unknown type, and errors of programs."""

# RFC 8288: `<address>; rel="canonical"`.
_CANONICAL = re.compile(
    r"""<([^<>]*)>[^,<]*;\s*rel\s*=\s*["']?canonical\b""", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requested:
    """The result of requesting a URL."""

    url: str

    redirects: Redirects | None = None
    """None if there is no answer, or if robots.txt disallows the request."""

    problem: str = ""
    """Why there is no answer; one sentence without a full stop."""

    head: HeadMeta = HeadMeta()
    """The metadata of the page; empty if the answer is not a page."""

    @property
    def own_answer(self) -> Answer | None:
        """The answer for the URL itself; None if it redirects or fails."""
        if self.redirects is None:
            return None
        first = self.redirects.answers[0]
        return first if first.status == 200 else None


def request_all(
    listed: Iterable[str],
    server: Server,
    *,
    may_ask: Callable[[str], bool],
    concurrency: int,
) -> Iterator[Requested]:
    """Yield the answers for the site's URLs, in order; some are requested ahead.

    Raises:
        TimeUpError: The time for all requests ran out.
    """
    tasks: _Tasks = SimpleQueue()

    def request(url: str) -> Requested:
        return _request(url, server) if may_ask(url) else Requested(url=url)

    def run() -> None:
        _work(tasks, request)

    for _ in range(concurrency):
        # As a daemon it does not keep an interrupted check waiting for a slow server.
        threading.Thread(target=run, daemon=True).start()
    waiting: deque[Future[Requested]] = deque()
    try:
        for each in listed:
            waiting.append(Future())
            tasks.put((waiting[-1], each))
            if len(waiting) > 2 * concurrency:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for _ in range(concurrency):
            tasks.put(None)


_Tasks = SimpleQueue[tuple[Future[Requested], str] | None]
"""What to request; None for no more."""


def _work(tasks: _Tasks, request: Callable[[str], Requested]) -> None:
    """Do tasks until there are no more."""
    while (task := tasks.get()) is not None:
        future, url = task
        try:
            future.set_result(request(url))
        except BaseException as error:  # noqa: BLE001 raised again by `result`
            future.set_exception(error)


def no_answer(requested: Requested, _server: Server) -> Findings:
    """Crawlers visit a server less often if it does not answer."""
    if requested.problem:
        yield Finding("no-answer", requested.problem)


def http_status(requested: Requested, server: Server) -> Findings:
    """Google, HTTP status codes: only 200 leads to the index."""
    if requested.redirects is None or requested.redirects.target:
        return
    status = requested.redirects.last.status
    if status != 200:
        text = f"{quoted(requested.url)} answers {status}{server.place}"
        yield Finding("http-status", text, cure_for(status))


def redirect(requested: Requested, server: Server) -> Findings:
    """The URL redirects, by HTTP or in the page.

    The finding names the target and its answer.
    """
    url = requested.url
    redirects = requested.redirects
    if redirects and redirects.target and not redirects.is_loop:
        first = redirects.answers[0]
        last = redirects.last
        target = server.published(redirects.target)
        text = f"{quoted(url)} redirects ({first.status}) to {quoted(target)}"
        if last is not first and last.status != 200:
            text += f", which leads to an answer {last.status}"
        yield Finding("redirect", text)
    refresh = requested.head.refresh_url(url)
    if refresh and not _same(refresh, url):
        text = f"the page {quoted(url)} redirects to {quoted(refresh)}"
        yield Finding("redirect", text)


def redirect_loop(requested: Requested, server: Server) -> Findings:
    """Browsers report that a page "redirected you too many times"."""
    if requested.redirects and requested.redirects.is_loop:
        back = quoted(server.published(requested.redirects.last.redirect))
        text = f"{quoted(requested.url)} redirects in a loop (last target: {back})"
        yield Finding("redirect-loop", text)


def wrong_type(requested: Requested, answer: Answer) -> Findings:
    """The type does not fit a page's address.

    A listed PDF or image has a type of its own. An address without a suffix can be that
    of a page or of such a file.
    """
    found = content_type(answer)
    name = urlsplit(requested.url).path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    if not found:
        is_wrong = True
    elif dot and f".{suffix.lower()}" in PAGE_SUFFIXES:
        is_wrong = found not in _PAGE_TYPES
    else:
        is_wrong = not dot and found in _UNKNOWN_TYPES
    if is_wrong:
        text = f"{quoted(requested.url)} answers with {type_in_words(found)}"
        yield Finding("content-type", text)


def attachment(requested: Requested, answer: Answer) -> Findings:
    """RFC 6266, section 4.2: browsers save such a page and do not show it."""
    disposition = answer.headers.get("Content-Disposition", "").strip().lower()
    if content_type(answer) in _PAGE_TYPES and disposition.startswith("attachment"):
        text = f"{quoted(requested.url)} is sent as a file to save"
        cure = "remove the header Content-Disposition"
        yield Finding("content-type", text, cure)


def soft_404(requested: Requested, answer: Answer) -> Findings:
    """Google, "Soft 404 errors": an error page must not answer with success."""
    is_page = content_type(answer) in _PAGE_TYPES and not answer.is_cut
    why = why_soft_404(answer.body) if is_page or not answer.body else ""
    if why and not requested.head.refresh:
        text = f"{quoted(requested.url)} answers 200 and {why}"
        yield Finding("soft-404", text)


def noindex(requested: Requested, answer: Answer) -> Findings:
    """Crawlers obey noindex in the header and in the page."""
    url = quoted(requested.url)
    header = answer.headers.get("X-Robots-Tag", "")
    if header_says_noindex(header):
        yield Finding("noindex", f"{url}: the header X-Robots-Tag is {quoted(header)}")
    elif requested.head.noindex:
        yield Finding("noindex", f"{url}: the page's HTML says noindex")


def expired(requested: Requested, answer: Answer, now: datetime) -> Findings:
    """Google, robots meta tag: `unavailable_after` is noindex from a date on."""
    header = unavailable_after(answer.headers.get("X-Robots-Tag", ""))
    for date in (header, requested.head.unavailable_after):
        if is_past(date, now):
            rule = quoted(f"unavailable_after: {date}")
            text = f"{quoted(requested.url)} says {rule}, which is past"
            yield Finding("noindex", text)
            return


def canonical(requested: Requested, _answer: Answer) -> Findings:
    """The page or the header Link names another URL; Google reads both."""
    url = requested.url
    named = requested.head.canonical_url(url)
    if named and not _same(named, url):
        text = f"the canonical link of {quoted(url)} is {quoted(named)}"
        yield Finding("canonical", text)


def several_canonicals(requested: Requested, _answer: Answer) -> Findings:
    """Crawlers may ignore all of several canonical URLs."""
    url = requested.url
    found = requested.head.canonical_urls(url)
    if len(found) > 1:
        named = a_few([*map(quoted, found)])
        yield Finding("several-canonicals", f"{quoted(url)} names {named} as canonical")


ANSWER_CHECKS: tuple[AnswerCheck, ...] = (
    no_answer,
    http_status,
    redirect,
    redirect_loop,
)
"""Every check of an answer."""

PAGE_CHECKS: tuple[PageCheck, ...] = (
    soft_404,
    wrong_type,
    attachment,
    noindex,
    canonical,
    several_canonicals,
)
"""Every check of an answer for the URL itself."""


def judged(
    requested: Requested, server: Server, robots: Robots | None, now: datetime
) -> Findings:
    """Yield what is wrong with the answer for a URL."""
    if robots is not None and not robots.allow(requested.url):
        # A URL that no crawler may request is not requested here either.
        text = f"robots.txt disallows {quoted(requested.url)} for every crawler"
        yield Finding("robots", text)
    yield from disallowed_for_some(requested.url, robots)
    for check in ANSWER_CHECKS:
        yield from check(requested, server)
    answer = requested.own_answer
    if answer is not None:
        yield from expired(requested, answer, now)
        for check_page in PAGE_CHECKS:
            yield from check_page(requested, answer)


def _request(url: str, server: Server) -> Requested:
    """Request a page; its head is that of the URL's own answer, before any redirect.

    Only redirects to the site's host, or to where the site is served now, are followed.
    """
    address = server.address(url)
    within = (server.host_root, server.at)
    try:
        redirects = follow(server.web, address, limit=PAGE_BYTES, within=within)
    except messages.WebError as error:
        return Requested(url=url, problem=error.problem)
    return Requested(url=url, redirects=redirects, head=_head(redirects.answers[0]))


def _head(answer: Answer) -> HeadMeta:
    """Return what an answer's HTML says in its head, with what its header adds."""
    is_page = answer.status == 200 and content_type(answer) in _HTML_TYPES
    head = read_head(answer.body) if is_page else HeadMeta()
    refresh = refresh_target(answer.headers.get("Refresh", ""))
    if refresh:
        head = head._replace(refresh=refresh)
    # The header's canonical link is kept beside that of the HTML, which can differ.
    linked = _CANONICAL.search(answer.headers.get("Link", ""))
    if linked and answer.status == 200:
        head = head._replace(
            canonical=head.canonical or linked[1],
            other_canonicals=(linked[1], *head.other_canonicals),
        )
    return head


def _same(one: str, other: str) -> bool:
    return urls.identity(one) == urls.identity(other)
