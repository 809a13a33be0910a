"""Judge one built sitemap, with nothing but the standard library, git and a server on loopback.

Of each URL: does it answer, and may the page be indexed? Of each document that the generator
built: is it listed? Of each date: what do the histories of the source and of the files that were
read for the page say? What cannot be decided is counted as undecided, whoever wrote the date.
"""

from __future__ import annotations

import contextlib
import functools
import re
import threading
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

from history import same_day

if TYPE_CHECKING:
    from collections.abc import Iterator

    from building import Built
    from history import History

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
NO_TEXT = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".pdf", ".avif", ".pyc")
CODE = (".py", ".pyi", ".pyx", ".so")
ERROR_PAGES = re.compile(r"(?:^|/)(?:404|500|not[-_]found)(?:\.html|/|/index\.html)$")
STATED = re.compile(
    r"^[ \t:.#-]*(?:[\w -]*(?:modified|updated|lastmod|revis\w*)[\w -]*)\b[^\n\d]*(\d{4}-\d\d-\d\d)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of front matter with the date of the last change, as the author writes it."""

# Verdicts on URLs.
FINE, DEAD, NOT_INDEXED = "fine", "dead", "not to be indexed"
# Verdicts on dates.
TRUE, MOVES, CODE_APART, FALSE = "true", "moves", "code", "false"
ABSENT, UNDECIDED = "absent", "undecided"


@dataclass
class Verdicts:
    """What was found of one sitemap."""

    counts: Counter[str] = field(default_factory=Counter)
    """By verdict; `urls` and `missing` besides."""

    notes: list[tuple[str, str, str]] = field(default_factory=list)
    """Each verdict against the tool: verdict, URL or file, and why."""

    def add(self, verdict: str, place: str, why: str = "") -> None:
        self.counts[verdict] += 1
        if why:
            self.notes.append((verdict, place, why))


class Entry(NamedTuple):
    """One `<url>`, as written."""

    loc: str
    lastmod: str | None


class Head(HTMLParser):
    """What the head of a page says to search engines."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.noindex = False
        self.refresh = False
        self.canonical: str | None = None
        self._body = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: (value or "").strip() for name, value in attrs}
        self._body = self._body or tag == "body"
        if self._body:
            return
        if tag == "meta":
            if values.get("name", "").lower() in {"robots", "googlebot"}:
                self.noindex |= bool(re.search("noindex|none", values.get("content", "").lower()))
            self.refresh |= values.get("http-equiv", "").lower() == "refresh"
        elif tag == "link" and "canonical" in values.get("rel", "").lower().split():
            self.canonical = self.canonical or values.get("href")


def judge(built: Built, source: Path, base_url: str, history: History) -> Verdicts:
    """Judge the sitemap of a built site whose sources are in a clone."""
    verdicts = Verdicts()
    pages: dict[str, list[str]] = built.record["pages"]
    with served(built.output_dir, base_url) as fetch:
        site = _Site(built.output_dir, base_url, fetch)
        listed: dict[str, Entry] = {}
        for entry in entries(built.output_dir / "sitemap.xml", base_url):
            verdicts.counts["urls"] += 1
            verdict, why = site.verdict(entry.loc)
            if verdict == FINE and site.file(entry.loc) in listed:
                verdict, why = NOT_INDEXED, "a second URL of its page"
            verdicts.add(verdict, entry.loc, why)
            listed.setdefault(site.file(entry.loc) or entry.loc, entry)
        for file in sorted(pages.keys() - listed.keys()):
            if (built.output_dir / file).is_file() and site.verdict(site.url(file))[0] == FINE:
                verdicts.add("missing", file, "a document that may be indexed")
    for file, entry in listed.items():
        verdicts.add(*_date(entry, pages.get(file, []), source, history))
    return verdicts


def entries(file: Path, base_url: str) -> Iterator[Entry]:
    """Yield the URLs of a sitemap, or of those that an index lists, in order."""
    for _, element in ElementTree.iterparse(file):
        loc = (element.findtext(f"{NAMESPACE}loc") or "").strip()
        if element.tag == f"{NAMESPACE}sitemap":
            yield from entries(file.with_name(unquote(loc.removeprefix(base_url))), base_url)
        elif element.tag == f"{NAMESPACE}url":
            yield Entry(loc, (element.findtext(f"{NAMESPACE}lastmod") or "").strip() or None)


class _Site:
    """The built site behind its server."""

    def __init__(self, output_dir: Path, base_url: str, fetch) -> None:
        self._output_dir, self._base_url, self._fetch = output_dir, base_url, fetch
        self._robots = RobotFileParser()
        at_root = urlsplit(base_url).path in {"", "/"} and (output_dir / "robots.txt").is_file()
        text = (output_dir / "robots.txt").read_text("utf-8", "replace") if at_root else ""
        self._robots.parse(text.splitlines())

    @functools.cache  # noqa: B019
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
        head = Head(html)
        if head.noindex:
            return NOT_INDEXED, "noindex"
        if head.refresh:
            return NOT_INDEXED, "a redirect"
        canonical = urljoin(url, urldefrag(head.canonical or "").url)
        if _spelled(canonical) != _spelled(url):
            return NOT_INDEXED, f"its canonical URL is {canonical}"
        return FINE, ""

    def file(self, url: str) -> str | None:
        """Return the output file that answers to a URL; None if there is none."""
        if not url.startswith(self._base_url):
            return None
        path = unquote(urlsplit(url).path[len(urlsplit(self._base_url).path) :])
        path += "index.html" if not path or path.endswith("/") else ""
        return path if (self._output_dir / path).is_file() else None

    def url(self, file: str) -> str:
        """Return the address of an output file; a folder's, if it is the folder's page."""
        path = quote(file)
        folder = re.sub(r"(^|/)index\.html$", r"\1", path)
        canonical = Head((self._output_dir / file).read_text("utf-8", "replace")).canonical
        # Some sites name the file of a folder in their canonical URLs.
        full = self._base_url + path
        return full if _spelled(canonical or "") == _spelled(full) else self._base_url + folder


def _spelled(url: str) -> str:
    """Return a URL without differences of escaping."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}{unquote(parts.path) or '/'}?{unquote(parts.query)}"


def _date(
    entry: Entry, files: list[str], source: Path, history: History
) -> tuple[str, str, str]:
    """Return the verdict on a date, the URL, and why unless it is plain.

    `files` are those read for the page, its source first; empty if the generator made it of none.
    """
    known = _Sources.of(files, source, history)
    date = _moment(entry.lastmod) if entry.lastmod else None
    if entry.lastmod and date is None:
        return FALSE, entry.loc, f"{entry.lastmod} is not a date"
    if date and date > history.newest and not same_day(date, history.newest):
        return FALSE, entry.loc, f"{entry.lastmod} is later than every commit"
    if known.why:
        return UNDECIDED, entry.loc, known.why
    if date is None:
        return ABSENT, entry.loc, "no date"
    if same_day(date, newest(history.last_commit, [*known.texts, *known.code])):
        return TRUE, entry.loc, ""
    if _states(source / known.texts[0], date):
        return TRUE, entry.loc, ""
    last = newest(history.last_commit, known.texts)
    if same_day(date, last):
        return CODE_APART, entry.loc, f"{entry.lastmod}, the code that it documents is newer"
    change = newest(history.last_change, known.texts) or last
    if same_day(date, change):
        return MOVES, entry.loc, f"{entry.lastmod}, before {last.isoformat()}"
    without = f"{change.isoformat()} without moves" if change != last else "no move"
    return FALSE, entry.loc, f"{entry.lastmod}, but {last.isoformat()} ({without})"


def newest(date, paths: list[str]) -> datetime | None:
    return max(filter(None, map(date, paths)), default=None)


class _Sources(NamedTuple):
    """The tracked files that a page was made from, by their paths in the clone."""

    texts: list[str]
    """The source first, then what it includes."""

    code: list[str]
    """Modules that were read for the page, but which it does not name."""

    why: str
    """Why nothing can be decided, or empty."""

    @classmethod
    def of(cls, files: list[str], source: Path, history: History) -> _Sources:
        """Sort the files that were read for a page, its source first, all absolute."""
        if not files:
            return cls([], [], "the generator made it of no document")
        texts, code = [], []
        for file in dict.fromkeys(files):
            if not Path(file).is_relative_to(source):
                if file == files[0]:
                    return cls([], [], "its source is not in the repository")
                continue
            path = Path(file).relative_to(source).as_posix()
            if path.lower().endswith(NO_TEXT) or not Path(file).is_file():
                continue
            if path not in history.tracked:
                original = history.original(path)
                if original is None:
                    return cls([], [], f"{path} was written by the build")
                path = original
            if path in history.changed:
                return cls([], [], f"{path} was changed by the build")
            named = path.endswith(CODE) and file != files[0] and not _names(source, texts, path)
            (code if named else texts).append(path)
        return cls(texts, code, "" if texts else "its source is not in the repository")


def _names(source: Path, texts: list[str], path: str) -> bool:
    """Tell whether any of these texts names a file, as an include does."""
    name = Path(path).name
    return any(name in (source / text).read_text("utf-8", "replace") for text in texts)


def _states(source: Path, date: datetime) -> bool:
    """Tell whether the author wrote this date of a change into the first lines of the source."""
    head = "\n".join(source.read_text("utf-8", "replace").splitlines()[:40])
    return any(day == date.date().isoformat() for day in STATED.findall(head))


def _moment(lastmod: str) -> datetime | None:
    try:
        date = datetime.fromisoformat(lastmod)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


@contextlib.contextmanager
def served(output_dir: Path, base_url: str):
    """Serve a folder at the path of its address; yield what fetches a URL: status and text."""
    prefix = urlsplit(base_url).path

    class Handler(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            inside = path.removeprefix(prefix) if path.startswith(prefix) else "\0"
            return super().translate_path("/" + inside)

        def list_directory(self, _path):
            self.send_error(404)

        def log_message(self, *_arguments) -> None:
            pass

    handler = functools.partial(Handler, directory=str(output_dir))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_port}"
        opener = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))

        def fetch(url: str) -> tuple[int, str]:
            parts = urlsplit(url)
            # What is not encoded is sent as a browser would.
            path = quote(parts.path, safe="/%:@!$&'()*+,;=~")
            try:
                with opener.open(root + path + (f"?{parts.query}" if parts.query else "")) as answer:
                    return answer.status, answer.read().decode("utf-8", "replace")
            except urllib.error.HTTPError as error:
                return error.code, ""

        yield fetch
        server.shutdown()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments) -> None:
        return None
