"""A site's server: what it answers, through redirects, and its sitemaps as files."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.core import messages, urls
from sitemap_plugins.core.codes import Code
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.limits import MAX_BYTES, MAX_INDEX_PARTS, ROBOTS_READ_BYTES
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.publishing.read import is_html
from sitemap_plugins.findings.records import Finding, Findings
from sitemap_plugins.sitemaps.locations import FileLocation

if TYPE_CHECKING:
    from sitemap_plugins.sitemaps.web import Answer, Web  # It is slow to import.

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

    Only redirects to URLs that begin with one of `within`, normalized, are followed; if
    `within` is empty, only those to URLs near the address.

    Raises:
        WebError: The server does not answer.
    """
    answers = [web.get(address, limit=limit)]
    seen = {urls.identity(address)}
    while True:
        target = _redirect(answers[-1])
        is_followed = is_near(target, address)
        if within:
            is_followed = urls.requestable(target).startswith(within)
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
    one = urlsplit(urls.requestable(url))
    two = urlsplit(urls.requestable(other))
    if not one.hostname or not two.hostname:
        return False
    if one.hostname.removeprefix("www.") != two.hostname.removeprefix("www."):
        return False
    return one.port == two.port or {one.port, two.port} <= _DEFAULT_PORTS


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
            TimeUpError: The time for requests is over.
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
        """Fetch a part; if that fails, the location says why.

        Raises:
            TimeUpError: The time for requests is over; a finding reports it too.
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
        """Write what the server answers into a file, and return its location.

        If the server sends no sitemap, no file is written, and the location says why.
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
            cure = cure_for(last.status)
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
            text = f"the sitemap answers with {type_in_words(found)}"
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
        text = f"robots.txt answers with {type_in_words(found)}"
        yield Finding("content-type", text, "send it as text/plain", file=answer.url)


def cure_for(status: int) -> str:
    """Return what to do about a status that is not that of a missing page.

    Empty for others.
    """
    if status in {401, 403}:
        refused = "if only this command is refused"
        return f"let crawlers in; or give --user-agent or --header {refused}"
    if status == 429:
        return "check again with a lower --rate and --concurrency"
    if status >= _SERVER_FAILS:
        return "fix what the server's log says, or remove the URL"
    return ""


def _redirect(answer: Answer) -> str:
    """Return a redirect's target, encoded if that makes it a valid URL."""
    target = answer.redirect
    if not target.isascii():
        # Headers are read as Latin-1, and most servers write UTF-8.
        with suppress(UnicodeError):
            target = target.encode("latin-1").decode("utf-8")
    return urls.requestable(target) or target


def _types(url: str) -> set[str]:
    """Return the types with which a sitemap may be sent."""
    suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
    return _OTHER_TYPES.get(suffix, _XML_TYPES)


def type_in_words(sent: str) -> str:
    """Return words for a type; it is empty if the server sends none."""
    return f"the Content-Type {quoted(sent)}" if sent else "no Content-Type"
