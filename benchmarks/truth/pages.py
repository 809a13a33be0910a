"""The built site behind a server on loopback, as a crawler sees it; by the standard library."""

from __future__ import annotations

import contextlib
import functools
import re
import threading
import urllib.error
import urllib.request
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ERROR_PAGES = re.compile(r"(?:^|/)(?:404|500|not[-_]found)(?:\.html|/|/index\.html)$")

REFRESH = re.compile(r"<meta[^>]+http-equiv=[\"']?refresh", re.IGNORECASE)
NO_TAGS = re.compile(r"<!--.*?-->|<script\b.*?</script>", re.IGNORECASE | re.DOTALL)

FINE, DEAD, NOT_INDEXED = "fine", "dead", "not to be indexed"
"""Verdicts on URLs."""


class Head(HTMLParser):
    """What the head of a page says to search engines."""

    def __init__(self, html: str) -> None:
        """Read a page up to its `<body>`; but browsers follow a refresh wherever it is."""
        super().__init__()
        self.noindex = False
        self.refresh = bool(REFRESH.search(html) and REFRESH.search(NO_TAGS.sub("", html)))
        self.canonical: str | None = None
        with contextlib.suppress(StopIteration):
            self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what a tag says; the parser calls this."""
        if tag == "body":
            raise StopIteration
        values = {name: (value or "").strip() for name, value in attrs}
        if tag == "meta" and values.get("name", "").lower() in {"robots", "googlebot"}:
            words = set(re.split(r"[,\s]+", values.get("content", "").lower()))
            self.noindex |= not words.isdisjoint({"noindex", "none"})
        elif tag == "link" and "canonical" in values.get("rel", "").lower().split():
            self.canonical = self.canonical or values.get("href")

    def against(self, url: str) -> str:
        """Return why a search engine does not index the page at its URL; empty if it may."""
        canonical = urljoin(url, urldefrag(self.canonical or "").url)
        if self.noindex:
            return "noindex"
        if self.refresh:
            return "a redirect"
        return "" if same_url(canonical, url) else f"its canonical URL is {canonical}"


class Site:
    """The built site behind its server."""

    def __init__(
        self, output_dir: Path, base_url: str, fetch: Callable[[str], tuple[int, str]]
    ) -> None:
        """`fetch` returns the status and the text of a URL, as that of `served`."""
        self._output_dir, self._base_url, self._fetch = output_dir, base_url, fetch
        self._robots = RobotFileParser()
        at_root = urlsplit(base_url).path in {"", "/"} and (output_dir / "robots.txt").is_file()
        text = (output_dir / "robots.txt").read_text("utf-8", "replace") if at_root else ""
        self._robots.parse(text.splitlines())

    def verdict(self, url: str) -> tuple[str, str]:
        """Return the verdict on an absolute URL, with a reason unless it is fine."""
        if not url.startswith(self._base_url):
            return DEAD, f"it is not below {self._base_url}"
        status, html = self._fetch(url)
        if status != 200:
            return DEAD, f"status {status}"
        if ERROR_PAGES.search(urlsplit(url).path):
            return NOT_INDEXED, "an error page"
        if not self._robots.can_fetch("Googlebot", url):
            return NOT_INDEXED, "disallowed by robots.txt"
        why = Head(html).against(url)
        return (NOT_INDEXED, why) if why else (FINE, "")

    def file(self, url: str) -> str | None:
        """Return the output file that answers to a URL, as the server finds it; or None."""
        if not url.startswith(self._base_url):
            return None
        path = unquote(urlsplit(url).path[len(urlsplit(self._base_url).path) :]).lstrip("/")
        path += "index.html" if not path or path.endswith("/") else ""
        return path if ".." not in path and (self._output_dir / path).is_file() else None

    def url(self, file: str) -> str:
        """Return the address of an output file: a folder's, unless the page names its own file."""
        full = self._base_url + quote(file)
        canonical = Head((self._output_dir / file).read_text("utf-8", "replace")).canonical
        return full if same_url(canonical or "", full) else re.sub(r"/index\.html$", "/", full)


def same_url(one: str, other: str) -> bool:
    """Tell whether two absolute URLs differ in nothing but escaping."""
    parts = (urlsplit(one), urlsplit(other))
    first, second = ((p.scheme, p.netloc, unquote(p.path) or "/", unquote(p.query)) for p in parts)
    return first == second


@contextlib.contextmanager
def served(output_dir: Path, base_url: str) -> Iterator[Callable[[str], tuple[int, str]]]:
    """Serve a folder at the path of its address; yield what fetches a URL: status and text."""
    below = urlsplit(base_url).path.rstrip("/")

    class Handler(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            return super().translate_path(path.removeprefix(below))

        def list_directory(self, path: str) -> None:  # noqa: ARG002
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    opener = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))

    def fetch(url: str) -> tuple[int, str]:
        parts = urlsplit(url)
        # What is not encoded is sent as a browser would.
        path = quote(f"{parts.path}?{parts.query}", safe="/%:@!$&'()*+,;=~?")
        try:
            with opener.open(f"http://127.0.0.1:{server.server_port}{path}") as answer:
                return answer.status, answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            return error.code, ""

    handler = functools.partial(Handler, directory=str(output_dir))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield fetch
        finally:
            server.shutdown()
