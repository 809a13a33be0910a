"""A site's server: its sitemaps as files, and checks of its answers for listed URLs."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.checks.findings import Finding, Findings
from sitemap_plugins.checks.urls import disallowed_for_some
from sitemap_plugins.core import messages, urls
from sitemap_plugins.core.codes import Code
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.date_values import is_past
from sitemap_plugins.core.files.read import is_html
from sitemap_plugins.core.html.error_page import error_title
from sitemap_plugins.core.html.head import (
    HeadMeta,
    header_says_noindex,
    read_head,
    refresh_target,
    unavailable_after,
)
from sitemap_plugins.core.limits import MAX_BYTES, MAX_INDEX_PARTS, ROBOTS_READ_BYTES
from sitemap_plugins.core.messages import a_few, quoted
from sitemap_plugins.core.url_forms import PAGE_SUFFIXES
from sitemap_plugins.sitemaps.locations import FileLocation

if TYPE_CHECKING:
    from sitemap_plugins.web import Answer, Web  # It is slow to import.

AnswerCheck = Callable[["Requested", "Server"], Findings]
PageCheck = Callable[["Requested", "Answer"], Findings]


MAX_REDIRECTS = 10
"""Redirects that are followed; Google follows as many (HTTP status codes, 3xx)."""

MAX_KEPT_BYTES = 1 << 32
"""Bytes of all sitemaps together, as an index can list 50,000: twenty million URLs."""

MAX_FILES = MAX_INDEX_PARTS + 1
"""An index and its parts: robots.txt could name thousands of indexes."""

_SERVER_FAILS = 500
"""The first of the statuses of a failing server."""

_DEFAULT_PORTS = {None, 80, 443}
_XML_TYPES = {
    "text/xml",
    "application/xml",
    "application/rss+xml",
    "application/atom+xml",
}
_OTHER_TYPES = {
    ".txt": {"text/plain"},
    ".gz": {
        *_XML_TYPES,
        "application/gzip",
        "application/x-gzip",
        "application/octet-stream",
    },
}


class Redirects(NamedTuple):
    """What a server answered, one redirect after the other."""

    answers: tuple[Answer, ...]
    """At least one."""

    is_loop: bool
    """Whether the redirects form a loop, or do not end."""

    @property
    def last(self) -> Answer:
        """Where the redirects end, as far as they were followed."""
        return self.answers[-1]

    @property
    def target(self) -> str:
        """Absolute URL that the first answer redirects to.

        Empty if it is not a redirect.
        """
        return _redirect(self.answers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """The server at which the URLs of one site are requested."""

    web: Web

    host_root: str
    """The root of the site's host, normalized: its URLs begin with it."""

    at: str
    """The address at which they are requested, normalized: the site's own, or a
    preview's."""

    @property
    def place(self) -> str:
        """The words for a message that say that a preview answers.

        Empty for the site's host.
        """
        return "" if self.at == self.host_root else f" at {quoted(self.at)}"

    def address(self, url: str) -> str:
        """Return where to request a URL.

        Empty for one of another site, and for an invalid URL.
        """
        try:
            whole = urls.normalize_url(url.partition("#")[0])
        except messages.PageError:
            return ""
        if not whole.startswith(self.host_root):
            return ""
        return self.at + whole.removeprefix(self.host_root)

    def published(self, url: str) -> str:
        """Return the URL under which an address of the server is published."""
        if not url.startswith(self.at):
            return url
        return self.host_root + url.removeprefix(self.at)


def follow(
    web: Web, address: str, *, limit: int, within: tuple[str, ...] = ()
) -> Redirects:
    """Request an address, up to `limit` bytes of a body, and follow redirects.

    They are followed to URLs that begin with one of `within`, which are normalized; if
    there are none, to URLs near the address.

    Raises:
        WebError: The server does not answer.
    """
    answers = [web.get(address, limit=limit)]
    seen = {urls.identity(address)}
    while True:
        target = _redirect(answers[-1])
        is_followed = is_near(target, address)
        if within:
            is_followed = requestable(target).startswith(within)
        if not is_followed:
            return Redirects(tuple(answers), is_loop=False)
        key = urls.identity(target)
        if key in seen or len(answers) > MAX_REDIRECTS:
            return Redirects(tuple(answers), is_loop=True)
        seen.add(key)
        answers.append(web.get(target, limit=limit))


def is_near(url: str, other: str) -> bool:
    """Tell whether two URLs are on one host, with `www.` or without, by http or https.

    They are compared as they are requested; a URL that cannot be requested is not near
    any other.
    """
    one = urlsplit(requestable(url))
    two = urlsplit(requestable(other))
    if not one.hostname or not two.hostname:
        return False
    if one.hostname.removeprefix("www.") != two.hostname.removeprefix("www."):
        return False
    return one.port == two.port or {one.port, two.port} <= _DEFAULT_PORTS


def requestable(url: str) -> str:
    """Return a URL as it is requested; empty if it cannot be."""
    try:
        return urls.request_url(url)
    except messages.PageError:
        return ""


def content_type(answer: Answer) -> str:
    """Return the type that an answer's headers name, in lower case; empty for none."""
    return answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedLocation(FileLocation):
    """A sitemap of a server, kept in a file."""

    download: Download

    address: str = ""
    """The address after redirects."""

    code: Code = "no-answer"
    """The code of the finding, if there is no file."""

    failure: str = ""
    """Why there is no file; follows its URL in a sentence."""

    cure: str = ""
    """The cure, if it is not that of the code."""

    @property
    def problem(self) -> str:
        """Why the file is not there."""
        return self.failure

    def part(self, url: str) -> FetchedLocation:
        """Fetch a part.

        Raises:
            TimeUpError: There is no time for more parts.
        """
        return self.download.part(url)


class Download:
    """Fetches sitemaps, and collects findings about the answers."""

    def __init__(self, server: Server, folder: Path) -> None:
        """Fetch from a server into a folder, which exists."""
        self.findings: list[Finding] = []
        self._server = server
        self._folder = folder
        self._fetched: dict[str, FetchedLocation] = {}
        self._size = 0

    def fetch(self, url: str) -> FetchedLocation | None:
        """Fetch a sitemap that is given to crawlers.

        None, with a finding, if there is none.
        """
        fetched = self._fetch(url)
        if not fetched.problem:
            return fetched
        text = f"{quoted(url)} {fetched.problem}"
        self._find(fetched.code, text, url, fetched.cure)
        return None

    def part(self, url: str) -> FetchedLocation:
        """Fetch a part; the location says why there is none.

        Raises:
            TimeUpError: There is no time for more parts; a finding reports it too.
        """
        if not is_near(url, self._server.host_root):
            failure = "is on another host, from which nothing is fetched"
            return FetchedLocation(
                path=self._folder / "none", download=self, failure=failure
            )
        fetched = self._fetch(url)
        if fetched.code == "max-time":
            self._find(fetched.code, f"{quoted(url)} {fetched.problem}", url)
            raise messages.TimeUpError(url, fetched.problem)
        return fetched

    def _fetch(self, url: str) -> FetchedLocation:
        key = urls.identity(url)
        if key not in self._fetched:
            if len(self._fetched) == MAX_FILES:
                msg = f"there are more than {MAX_FILES:,} sitemaps"
                raise messages.OutputError(msg, cure="check one after the other")
            self._fetched[key] = self._save(url, self._folder / f"{len(self._fetched)}")
        return self._fetched[key]

    def _save(self, url: str, path: Path) -> FetchedLocation:
        """Write what the server answers into a file.

        The location says why there is none.
        """
        address = self._server.address(url) or url
        location = FetchedLocation(path, url, url, download=self, address=address)
        try:
            redirects = follow(self._server.web, address, limit=MAX_BYTES)
        except messages.TimeUpError as error:
            return replace(location, code="max-time", failure=_fault(error, address))
        except messages.RequestError as error:
            return replace(location, code="no-answer", failure=_fault(error, address))
        if redirects.is_loop:
            failure = "redirects in a loop"
            return replace(location, code="redirect-loop", failure=failure)
        if redirects.target:
            self._about_redirect(url, redirects)
        last = redirects.last
        if last.status != 200:
            failure = f"answers {last.status}{self._server.place}"
            cure = _cure(last.status)
            return replace(location, code="http-status", failure=failure, cure=cure)
        if last.is_cut:
            failure = f"has more than {MAX_BYTES:,} bytes"
            return replace(location, code="too-large", failure=failure)
        if not redirects.target:
            self._about_type(url, last)
        self._keep(path, last.body)
        return replace(location, address=last.url)

    def _about_redirect(self, url: str, redirects: Redirects) -> None:
        target = quoted(self._server.published(redirects.target))
        status = redirects.answers[0].status
        text = f"{quoted(url)} redirects ({status}) to {target}"
        cure = "use that address in robots.txt and in Search Console"
        self._find("redirect", text, url, cure)

    def _about_type(self, url: str, answer: Answer) -> None:
        found = content_type(answer)
        if answer.body and not is_html(answer.body) and found not in _types(url):
            text = f"the sitemap answers with {_type(found)}"
            self._find("content-type", text, url)

    def _keep(self, path: Path, body: bytes) -> None:
        self._size += len(body)
        if self._size > MAX_KEPT_BYTES:
            msg = f"the sitemaps have more than {MAX_KEPT_BYTES:,} bytes"
            raise messages.OutputError(msg, cure="check one after the other")
        try:
            path.write_bytes(body)
        except OSError as error:
            msg = f"the sitemaps cannot be kept ({error.strerror})"
            cure = "set TMPDIR to a folder with room"
            raise messages.OutputError(msg, cure=cure) from None

    def _find(self, code: Code, text: str, url: str, cure: str = "") -> None:
        self.findings.append(Finding(code, text, cure, url=url, file=url))


def _fault(error: messages.RequestError, address: str) -> str:
    """Return why a request to an address failed, perhaps after redirects."""
    if error.url == address:
        return error.fault
    return f"leads to {quoted(error.url)}, which {error.fault}"


def fetch_robots(web: Web, root: str) -> tuple[str, Robots | None, tuple[Finding, ...]]:
    """Return the root of the host of robots.txt, its rules, and its faults.

    `root` is an address's host, with a slash. The returned root differs from it if the
    server redirects to the host with or without `www.`. The rules are None if crawlers
    would read none.

    Raises:
        WebError: The server does not answer.
    """
    address = f"{root}robots.txt"
    redirects = follow(web, address, limit=ROBOTS_READ_BYTES)
    last = redirects.last
    if urlsplit(last.url).path == "/robots.txt":
        root = urls.host_root(last.url)
    if last.redirect:
        target = quoted(last.redirect)
        problem = f"robots.txt redirects to {target}, which is not requested"
        cure = "let the server answer with the file"
    elif last.status >= _SERVER_FAILS:
        # RFC 9309, section 2.3.1.4: then crawlers "MUST assume complete disallow".
        problem = f"robots.txt answers {last.status}, and crawlers then fetch nothing"
        cure = "let the server answer with the file, or with 404"
    else:
        text = last.body if last.status == 200 else None
        try:
            robots = Robots(text, base_url=root, on_read_the_docs=False)
            return root, robots, tuple(_about_robots_type(last))
        except messages.RobotsError as error:
            problem = error.problem
            cure = error.cure
    return root, None, (Finding("bad-robots", problem, cure, file=last.url),)


def _about_robots_type(answer: Answer) -> Findings:
    """RFC 9309, section 2.3: the type "text/plain"."""
    found = content_type(answer)
    if answer.status == 200 and found not in {"", "text/plain"}:
        text = f"robots.txt answers with {_type(found)}"
        yield Finding("content-type", text, "send it as text/plain", file=answer.url)


def _cure(status: int) -> str:
    """Return what to do about a status that is not that of a missing page.

    Empty for others.
    """
    if status in {401, 403}:
        refused = "if only this command is refused"
        return f"let crawlers in; or give --user-agent or --header {refused}"
    if status == 429:
        return "check again with a lower --rate and --concurrency"
    if status >= _SERVER_FAILS:
        return "repair the server; its log says what failed"
    return ""


def _redirect(answer: Answer) -> str:
    """Return a redirect's target, encoded if that makes it a valid URL."""
    target = answer.redirect
    if not target.isascii():
        # Headers are read as Latin-1, and most servers write UTF-8.
        with suppress(UnicodeError):
            target = target.encode("latin-1").decode("utf-8")
    return requestable(target) or target


def _types(url: str) -> set[str]:
    """Return the types with which a sitemap may be sent."""
    suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
    return _OTHER_TYPES.get(suffix, _XML_TYPES)


def _type(sent: str) -> str:
    """Return words for a type; it is empty if the server sends none."""
    return f"the Content-Type {quoted(sent)}" if sent else "no Content-Type"


PAGE_BYTES = 1024 * 1024
"""Bytes of a page that are read: its head is within the first few thousand."""

_HTML_TYPES = {"", "text/html", "application/xhtml+xml"}

_PAGE_TYPES = {"text/html", "application/xhtml+xml"}
_UNKNOWN_TYPES = {"", "text/plain", "application/octet-stream"}
"""Types with which servers send files of unknown type."""

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
        yield Finding("http-status", text, _cure(status))


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
    of either.
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
        text = f"{quoted(requested.url)} answers with {_type(found)}"
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
    url = quoted(requested.url)
    if not answer.body.strip() and not answer.is_cut:
        yield Finding("soft-404", f"{url} answers 200 with nothing")
    elif content_type(answer) in _PAGE_TYPES:
        title = error_title(answer.body)
        if title:
            yield Finding("soft-404", f"{url} answers 200 with {quoted(title)}")


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
    """The page can name it, or the header Link, which Google reads too."""
    url = requested.url
    named = requested.head.canonical_url(url)
    if named and not _same(named, url):
        text = f"the canonical link of {quoted(url)} is {quoted(named)}"
        yield Finding("canonical", text)


def several_canonicals(requested: Requested, _answer: Answer) -> Findings:
    """Crawlers may ignore them all; a folder is checked in the same way."""
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
        head = replace(head, refresh=refresh)
    linked = _CANONICAL.search(answer.headers.get("Link", ""))
    if linked and answer.status == 200:
        head = replace(
            head,
            canonical=head.canonical or linked[1],
            other_canonicals=(linked[1], *head.other_canonicals),
        )
    return head


def _same(one: str, other: str) -> bool:
    return urls.identity(one) == urls.identity(other)
