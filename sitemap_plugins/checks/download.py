"""Sitemaps of a server → files in a folder, and what is wrong with the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.checks.server import Trail, follow, is_near
from sitemap_plugins.checks.visits import content_type
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.errors import OutputError, RobotsError
from sitemap_plugins.core.files.read import is_html
from sitemap_plugins.core.limits import MAX_BYTES, MAX_INDEX_PARTS, ROBOTS_READ_BYTES
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.web import RequestError, TimeUpError

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_plugins.checks.server import Server
    from sitemap_plugins.core.codes import Code
    from sitemap_plugins.web import Answer, Web

__all__ = ["Download", "fetch_robots"]

_XML_TYPES = {"text/xml", "application/xml", "application/rss+xml", "application/atom+xml"}
_OTHER_TYPES = {
    ".txt": {"text/plain"},
    ".gz": {*_XML_TYPES, "application/gzip", "application/x-gzip", "application/octet-stream"},
}

MOST_KEPT_BYTES = 1 << 32
"""Of all sitemaps together, as an index can list 50,000: twenty million URLs."""

MOST_FILES = MAX_INDEX_PARTS + 1
"""An index and its parts: robots.txt could name thousands of indexes."""

_FAILURE = 500
"""The first of the statuses with which a server says that it fails."""


class Download:
    """Fetches sitemaps; what is wrong with an answer is kept."""

    findings: list[Finding]

    def __init__(self, server: Server, folder: Path) -> None:
        """Fetch from a server into a folder, which exists."""
        self.findings = []
        self._server = server
        self._folder = folder
        self._fetched: dict[str, _Fetched] = {}
        self._size = 0

    def fetch(self, url: str) -> tuple[Path, str] | None:
        """Fetch a sitemap that crawlers are given; return its file, and the address it came from.

        None, with a finding, where there is none.
        """
        fetched = self._fetch(url)
        if not fetched.problem:
            return fetched.path, fetched.address
        self._find(fetched.code, f"{quoted(url)} {fetched.problem}", url)
        return None

    def locate(self, url: str) -> tuple[Path, str] | None:
        """Fetch a part; return its file, and why it is not there, after its URL.

        None if there is no time for more parts.
        """
        if not is_near(url, self._server.site):
            return self._folder / "none", "is on another host, where nothing is fetched"
        fetched = self._fetch(url)
        if fetched.code == "max-time":
            self._find(fetched.code, f"{quoted(url)} {fetched.problem}", url)
            return None
        return fetched.path, fetched.problem

    def _fetch(self, url: str) -> _Fetched:
        key = urls.identity(url)
        if key not in self._fetched:
            if len(self._fetched) == MOST_FILES:
                msg = f"there are more than {MOST_FILES:,} sitemaps"
                raise OutputError(msg, cure="check one after the other")
            self._fetched[key] = self._save(url, self._folder / f"{len(self._fetched)}")
        return self._fetched[key]

    def _save(self, url: str, path: Path) -> _Fetched:
        """Write what the server answers into a file."""
        address = self._server.address(url) or url
        try:
            trail = follow(
                self._server.web,
                address,
                limit=MAX_BYTES,
                may_follow=lambda target: is_near(target, address),
            )
        except RequestError as error:
            code: Code = "max-time" if isinstance(error, TimeUpError) else "no-answer"
            fault = f"leads to {quoted(error.url)}, which " if error.url != address else ""
            return _Fetched(path, address, code, fault + error.fault)
        self._about(trail, url)
        if trail.is_circle:
            return _Fetched(path, address, "redirect-loop", "redirects again and again")
        if trail.last.status != 200:
            return _Fetched(path, address, "http-status", f"answers {trail.last.status}")
        if trail.last.is_cut:
            return _Fetched(path, address, "too-large", f"has more than {MAX_BYTES:,} bytes")
        self._keep(path, trail.last.body)
        return _Fetched(path, trail.last.url)

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

    def _about(self, trail: Trail, url: str) -> None:
        last = trail.last
        if trail.target and not trail.is_circle:
            target = quoted(self._server.published(trail.target))
            status = trail.answers[0].status
            self._find("redirect", f"{quoted(url)} redirects ({status}) to {target}", url)
        elif last.status == 200 and not last.is_cut and last.body and not is_html(last.body):
            found = content_type(last)
            if found not in _types(url):
                what = f"the Content-Type {quoted(found)}" if found else "no Content-Type"
                self._find("content-type", f"the sitemap answers with {what}", url)

    def _find(self, code: Code, text: str, url: str) -> None:
        self.findings.append(Finding(code, text, url=url, file=url))


class _Fetched(NamedTuple):
    path: Path

    address: str
    """Where it was found at last."""

    code: Code = "no-answer"
    """The finding's, where there is no file."""

    problem: str = ""
    """Why there is no file, after its URL."""


def fetch_robots(web: Web, root: str) -> tuple[str, Robots | None, tuple[Finding, ...]]:
    """Return where the host's robots.txt stands, its rules, and what is wrong with it.

    `root` is an address's host, with a slash. It is another host's where the server sends crawlers
    there with `www.` or without. None for the rules where crawlers would read none.

    Raises:
        WebError: The server does not answer.
    """
    trail = follow(
        web,
        f"{root}robots.txt",
        limit=ROBOTS_READ_BYTES,
        may_follow=lambda target: is_near(target, root),
    )
    last = trail.last
    if urlsplit(last.url).path == "/robots.txt":
        root = urls.host_root(last.url)
    text = last.body if last.status == 200 else None
    if last.redirect or last.status >= _FAILURE:
        return root, None, (_failing(last),)
    try:
        return root, Robots(text, base_url=root, on_read_the_docs=False), ()
    except RobotsError as error:
        finding = Finding("bad-robots", error.problem, error.cure, file=last.url)
        return root, None, (finding,)


def _failing(answer: Answer) -> Finding:
    """RFC 9309, section 2.3.1.4: crawlers "MUST assume complete disallow" where servers fail."""
    if answer.redirect:
        text = f"robots.txt redirects to {quoted(answer.redirect)}, which is not asked"
        cure = "let the server answer with the file"
    else:
        text = f"robots.txt answers {answer.status}, and crawlers then fetch nothing"
        cure = "let the server answer with the file, or with 404"
    return Finding("bad-robots", text, cure=cure, file=answer.url)


def _types(url: str) -> set[str]:
    path = urlsplit(url).path.lower()
    return next((t for suffix, t in _OTHER_TYPES.items() if path.endswith(suffix)), _XML_TYPES)
