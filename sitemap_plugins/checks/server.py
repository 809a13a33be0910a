"""The server of a site: which addresses are the site's, what it answers, and its sitemaps as files.

A site can be requested from a server other than its own (`--map-host`), such as a preview before
the deploy. Its URLs are then judged as if they were already published.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.errors import (
    OutputError,
    PageError,
    RequestError,
    RobotsError,
    TimeUpError,
)
from sitemap_plugins.core.files.read import is_html
from sitemap_plugins.core.limits import MAX_BYTES, MAX_INDEX_PARTS, ROBOTS_READ_BYTES
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.records import record
from sitemap_plugins.core.urls import request_url
from sitemap_plugins.sitemaps.locations import FileLocation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sitemap_plugins.core.codes import Code
    from sitemap_plugins.web import Answer, Web

__all__ = [
    "Download",
    "FetchedLocation",
    "Redirects",
    "Server",
    "content_type",
    "fetch_robots",
    "follow",
    "is_near",
    "requestable",
]

MOST_REDIRECTS = 10
"""Redirects that are followed; Google follows as many (HTTP status codes, 3xx)."""

MOST_KEPT_BYTES = 1 << 32
"""Bytes of all sitemaps together, as an index can list 50,000: twenty million URLs."""

MOST_FILES = MAX_INDEX_PARTS + 1
"""An index and its parts: robots.txt could name thousands of indexes."""

_FAILURE = 500
"""The first of the statuses of a failing server."""

_DEFAULT_PORTS = {None, 80, 443}
_XML_TYPES = {"text/xml", "application/xml", "application/rss+xml", "application/atom+xml"}
_OTHER_TYPES = {
    ".txt": {"text/plain"},
    ".gz": {*_XML_TYPES, "application/gzip", "application/x-gzip", "application/octet-stream"},
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
        """Absolute URL that the first answer redirects to; empty if it is not a redirect."""
        return _redirect(self.answers[0])


@record
class Server:
    """The server at which the URLs of one site are requested."""

    web: Web

    host_root: str
    """The root of the site's host, normalized: its URLs begin with it."""

    at: str
    """The address at which they are requested, normalized: the site's own, or a preview's."""

    def address(self, url: str) -> str:
        """Return where to request a URL; empty for one of another site, and for an invalid URL."""
        try:
            whole = urls.normalize_url(url.partition("#")[0])
        except PageError:
            return ""
        if not whole.startswith(self.host_root):
            return ""
        return self.at + whole.removeprefix(self.host_root)

    def published(self, url: str) -> str:
        """Return the URL under which an address of the server is published."""
        return self.host_root + url.removeprefix(self.at) if url.startswith(self.at) else url

    def ask(self, address: str, *, limit: int) -> Redirects:
        """Request an address of the site, and follow redirects within the site.

        Raises:
            WebError: The server does not answer.
        """
        here = (self.host_root, self.at)
        return follow(
            self.web, address, limit=limit, may_follow=lambda url: requestable(url).startswith(here)
        )


def follow(web: Web, address: str, *, limit: int, may_follow: Callable[[str], bool]) -> Redirects:
    """Request an address, with at most `limit` bytes of each body, and follow some redirects.

    Raises:
        WebError: The server does not answer.
    """
    answers = [web.get(address, limit=limit)]
    seen = {urls.identity(address)}
    while (target := _redirect(answers[-1])) and may_follow(target):
        key = urls.identity(target)
        if key in seen or len(answers) > MOST_REDIRECTS:
            return Redirects(tuple(answers), is_loop=True)
        seen.add(key)
        answers.append(web.get(target, limit=limit))
    return Redirects(tuple(answers), is_loop=False)


def is_near(url: str, other: str) -> bool:
    """Tell whether two URLs are on one host, with `www.` or without, by http or https.

    They are compared as they are requested; a URL that cannot be requested is not near any other.
    """
    one, two = urlsplit(requestable(url)), urlsplit(requestable(other))
    hosts = {(parts.hostname or "").removeprefix("www.") for parts in (one, two)}
    ports = {one.port, two.port}
    return bool(one.hostname) and len(hosts) == 1 and (len(ports) == 1 or ports <= _DEFAULT_PORTS)


def requestable(url: str) -> str:
    """Return a URL as it is requested; empty if it cannot be."""
    try:
        return request_url(url)
    except PageError:
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

    findings: list[Finding]

    def __init__(self, server: Server, folder: Path) -> None:
        """Fetch from a server into a folder, which exists."""
        self.findings = []
        self._server = server
        self._folder = folder
        self._fetched: dict[str, FetchedLocation] = {}
        self._size = 0

    def fetch(self, url: str) -> FetchedLocation | None:
        """Fetch a sitemap that is given to crawlers; None, with a finding, if there is none."""
        fetched = self._fetch(url)
        if fetched.problem:
            self._find(fetched.code, f"{quoted(url)} {fetched.problem}", url)
        return None if fetched.problem else fetched

    def part(self, url: str) -> FetchedLocation:
        """Fetch a part; the location says why there is none.

        Raises:
            TimeUpError: There is no time for more parts; a finding reports it too.
        """
        if not is_near(url, self._server.host_root):
            failure = "is on another host, from which nothing is fetched"
            return FetchedLocation(path=self._folder / "none", download=self, failure=failure)
        fetched = self._fetch(url)
        if fetched.code == "max-time":
            self._find(fetched.code, f"{quoted(url)} {fetched.problem}", url)
            raise TimeUpError(url, fetched.problem)
        return fetched

    def _fetch(self, url: str) -> FetchedLocation:
        key = urls.identity(url)
        if key not in self._fetched:
            if len(self._fetched) == MOST_FILES:
                msg = f"there are more than {MOST_FILES:,} sitemaps"
                raise OutputError(msg, cure="check one after the other")
            self._fetched[key] = self._save(url, self._folder / f"{len(self._fetched)}")
        return self._fetched[key]

    def _save(self, url: str, path: Path) -> FetchedLocation:
        """Write what the server answers into a file; the location says why there is none."""
        address = self._server.address(url) or url
        missing = partial(FetchedLocation, path, url, url, download=self, address=address)
        try:
            redirects = follow(
                self._server.web,
                address,
                limit=MAX_BYTES,
                may_follow=lambda target: is_near(target, address),
            )
        except RequestError as error:
            code: Code = "max-time" if isinstance(error, TimeUpError) else "no-answer"
            fault = f"leads to {quoted(error.url)}, which " if error.url != address else ""
            return missing(code=code, failure=fault + error.fault)
        last = redirects.last
        if redirects.is_loop:
            return missing(code="redirect-loop", failure="redirects again and again")
        if redirects.target:
            target = quoted(self._server.published(redirects.target))
            status = redirects.answers[0].status
            text = f"{quoted(url)} redirects ({status}) to {target}"
            self._find("redirect", text, url, "name that address wherever you name this one")
        if last.status != 200:
            return missing(code="http-status", failure=f"answers {last.status}")
        if last.is_cut:
            return missing(code="too-large", failure=f"has more than {MAX_BYTES:,} bytes")
        found = content_type(last)
        is_page = not last.body or is_html(last.body)
        if not redirects.target and not is_page and found not in _types(url):
            what = f"the Content-Type {quoted(found)}" if found else "no Content-Type"
            self._find("content-type", f"the sitemap answers with {what}", url)
        self._keep(path, last.body)
        return FetchedLocation(path, url, url, download=self, address=last.url)

    def _keep(self, path: Path, body: bytes) -> None:
        self._size += len(body)
        if self._size > MOST_KEPT_BYTES:
            msg = f"the sitemaps have more than {MOST_KEPT_BYTES:,} bytes"
            raise OutputError(msg, cure="check one after the other")
        try:
            path.write_bytes(body)
        except OSError as error:
            msg = f"the sitemaps cannot be kept ({error.strerror})"
            raise OutputError(msg, cure="set TMPDIR to a folder with room") from None

    def _find(self, code: Code, text: str, url: str, cure: str = "") -> None:
        self.findings.append(Finding(code, text, cure, url=url, file=url))


def fetch_robots(web: Web, root: str) -> tuple[str, Robots | None, tuple[Finding, ...]]:
    """Return the root of the host that serves robots.txt, its rules, and what is wrong with it.

    `root` is an address's host, with a slash. The returned root differs from it if the server
    redirects to the host with or without `www.`. The rules are None if crawlers would read none.

    Raises:
        WebError: The server does not answer.
    """
    redirects = follow(
        web,
        f"{root}robots.txt",
        limit=ROBOTS_READ_BYTES,
        may_follow=lambda target: is_near(target, root),
    )
    last = redirects.last
    if urlsplit(last.url).path == "/robots.txt":
        root = urls.host_root(last.url)
    if last.redirect:
        problem = f"robots.txt redirects to {quoted(last.redirect)}, which is not requested"
        cure = "let the server answer with the file"
    elif last.status >= _FAILURE:
        # RFC 9309, section 2.3.1.4: then crawlers "MUST assume complete disallow".
        problem = f"robots.txt answers {last.status}, and crawlers then fetch nothing"
        cure = "let the server answer with the file, or with 404"
    else:
        text = last.body if last.status == 200 else None
        try:
            return root, Robots(text, base_url=root, on_read_the_docs=False), ()
        except RobotsError as error:
            problem, cure = error.problem, error.cure
    return root, None, (Finding("bad-robots", problem, cure, file=last.url),)


def _redirect(answer: Answer) -> str:
    """Return the target of a redirect, encoded if only that is missing for a valid URL."""
    target = answer.redirect
    if not target.isascii():
        # Headers are read as Latin-1, and most servers write UTF-8.
        with suppress(UnicodeError):
            target = target.encode("latin-1").decode("utf-8")
    return requestable(target) or target


def _types(url: str) -> set[str]:
    path = urlsplit(url).path.lower()
    return next((t for suffix, t in _OTHER_TYPES.items() if path.endswith(suffix)), _XML_TYPES)
