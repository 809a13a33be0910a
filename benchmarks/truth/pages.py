"""The built site behind a server on loopback, as a crawler sees it."""

from __future__ import annotations

import contextlib
import functools
import re
import threading
import urllib.error
import urllib.request
from html.parser import HTMLParser
from http.client import HTTPException
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ERROR_PAGES = re.compile(r"(?:404|500|not[-_]found)(?:\.html|/|/index\.html)")
"""Paths below a site's address."""

REFRESH = re.compile(
    r"""
    <meta (?= [^>]* content=["']? [\d.\s]* [;,] \s* [^\s"'>] )
    [^>]+ http-equiv=["']?refresh
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A refresh with an address; one without loads the same page again."""

NOT_MARKUP = re.compile(r"<!--.*?-->|<script\b.*?</script>", re.IGNORECASE | re.DOTALL)

FINE, DEAD, NOT_INDEXED = "fine", "dead", "not to be indexed"
"""Verdicts on URLs."""


class Head(HTMLParser):
    """What the head of a page says to search engines."""

    def __init__(self, html: str) -> None:
        """Read a page up to its `<body>`; browsers follow a refresh wherever it is."""
        super().__init__()
        self.noindex = False
        self.refresh = bool(
            REFRESH.search(html) and REFRESH.search(NOT_MARKUP.sub("", html))
        )
        self.canonical: str | None = None
        # The parser fails on declarations such as `<![foo[`.
        with contextlib.suppress(StopIteration, AssertionError):
            self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what a tag says; the parser calls this."""
        if tag == "body":
            raise StopIteration
        values = {name: (value or "").strip() for name, value in attrs}
        if tag == "meta" and values.get("name", "").lower() in {"robots", "googlebot"}:
            rules = {
                rule.strip() for rule in values.get("content", "").lower().split(",")
            }
            self.noindex |= not rules.isdisjoint({"noindex", "none"})
        elif tag == "link" and "canonical" in values.get("rel", "").lower().split():
            self.canonical = self.canonical or values.get("href")

    def why_not_indexed(self, url: str) -> str:
        """Return why no search engine indexes the page at its URL; empty if it may."""
        canonical = urljoin(url, urldefrag(self.canonical or "").url)
        if self.noindex:
            return "noindex"
        if self.refresh:
            return "a redirect"
        # Servers redirect the address of a folder without its slash to that with it.
        is_own = same_url(canonical, url) or same_url(f"{canonical}/", url)
        return "" if is_own else f"its canonical URL is {canonical}"


class Site:
    """The built site behind its server."""

    def __init__(
        self, output_dir: Path, base_url: str, fetch: Callable[[str], tuple[int, str]]
    ) -> None:
        """`fetch` returns the status and the text of a URL, as that of `served`."""
        self._output_dir, self._base_url, self._fetch = output_dir, base_url, fetch
        robots = output_dir / "robots.txt"
        text = ""
        if urlsplit(base_url).path in {"", "/"} and robots.is_file():
            text = robots.read_text("utf-8", "replace")
        self._rules = googlebots_rules(text)

    def verdict(self, url: str) -> tuple[str, str]:
        """Return the verdict on an absolute URL, with a reason unless it is fine."""
        if not url.startswith(self._base_url):
            return DEAD, f"it is not below {self._base_url}"
        status, html = self._fetch(url)
        if status != 200:
            return DEAD, f"status {status}"
        if ERROR_PAGES.fullmatch(urlsplit(url.removeprefix(self._base_url)).path):
            return NOT_INDEXED, "an error page"
        if not may_fetch(self._rules, url):
            return NOT_INDEXED, "disallowed by robots.txt"
        why = Head(html).why_not_indexed(url)
        return (NOT_INDEXED, why) if why else (FINE, "")

    def file(self, url: str) -> str | None:
        """Return the output file that the server sends for a URL; None for none."""
        if not url.startswith(self._base_url):
            return None
        below = urlsplit(url).path[len(urlsplit(self._base_url).path) :]
        path = unquote(below).lstrip("/")
        if not path or path.endswith("/"):
            path += "index.html"
        if ".." in path.split("/") or not (self._output_dir / path).is_file():
            return None
        return path

    def url(self, file: str) -> str:
        """Return the address of an output file: a folder's, or as the page names it."""
        full = self._base_url + quote(file)
        html = (self._output_dir / file).read_text("utf-8", "replace")
        if same_url(Head(html).canonical or "", full):
            return full
        return re.sub(r"/index\.html$", "/", full)


def googlebots_rules(text: str) -> list[tuple[str, bool]]:
    """Return the rules of a robots.txt for Googlebot (RFC 9309): path, and if allowed."""
    groups: dict[str, list[tuple[str, bool]]] = {"*": []}
    agents: list[str] = []
    is_open = False  # Further names of crawlers belong to the same group.
    for line in text.splitlines():
        name, _, value = (
            part.strip() for part in line.partition("#")[0].partition(":")
        )
        if name.lower() == "user-agent":
            agents = [*agents, value.lower()] if is_open else [value.lower()]
            groups.setdefault(value.lower(), [])
            is_open = True
        elif name.lower() in {"allow", "disallow"}:
            is_open = False
            for agent in agents:
                groups[agent].append((value, name.lower() == "allow"))
    return groups.get("googlebot", groups["*"])


def may_fetch(rules: list[tuple[str, bool]], url: str) -> bool:
    """Tell whether the longest rule for a URL allows it, or there is none."""
    parts = urlsplit(url)
    path = unquote(f"{parts.path}?{parts.query}" if parts.query else parts.path)

    def concerns(rule: str) -> bool:
        stars = re.escape(unquote(rule.removesuffix("$"))).replace(r"\*", ".*")
        return re.match(stars + ("$" if rule.endswith("$") else ""), path) is not None

    longest = (0, True)
    for rule, allowed in rules:
        if rule and concerns(rule):
            longest = max(longest, (len(rule), allowed))
    return longest[1]


def same_url(one: str, other: str) -> bool:
    """Tell whether two absolute URLs differ in nothing but escaping."""
    return _plain(one) == _plain(other)


def _plain(url: str) -> tuple[str, str, str, str]:
    parts = urlsplit(url)
    path = unquote(parts.path) or "/"
    return parts.scheme, parts.netloc, path, unquote(parts.query)


@contextlib.contextmanager
def served(
    output_dir: Path, base_url: str
) -> Iterator[Callable[[str], tuple[int, str]]]:
    """Serve a folder at the path of its address; yield what fetches a URL.

    That returns the status and the text.
    """
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
        except (urllib.error.URLError, HTTPException):
            return 0, ""  # No answer, as to a URL with `%00`.

    handler = functools.partial(Handler, directory=str(output_dir))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield fetch
        finally:
            server.shutdown()
