"""Rules of static hosts in the output folder: `_headers` and `_redirects`.

Cloudflare and Netlify read these files at the root of the site, and a crawler gets what they say
instead of the built page:
https://developers.cloudflare.com/pages/configuration/headers/, …/redirects/,
https://docs.netlify.com/manage/routing/headers/, …/redirects/overview/. Which lines Cloudflare
reads past is in parseRedirects.ts of https://github.com/cloudflare/workers-sdk.

A page is left out only where both hosts, or the one that builds, surely do what a rule says: its
pattern is a path, or a folder with `/*`. Every other pattern may match whatever is in the folder
that it begins with, and then it can only keep pages in the sitemap: as an earlier redirect, or by
detaching a header (`! X-Robots-Tag`). Rules for another host do not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import count_pages, quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.robots_tag import header_says_noindex
from sitemap_plugins.core.untrusted_files import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemap_plugins.core.reasons import Reason

__all__ = ["HEADERS", "REDIRECTS", "ServerRule", "ServerRules", "read_server_rules"]

HEADERS = "_headers"
"""The file that adds headers to answers."""

REDIRECTS = "_redirects"
"""The file that redirects."""

MAX_BYTES = 4 * 1024 * 1024
"""Bytes of each file: twice what Cloudflare takes, 2,100 redirects of 1,000 characters."""

MAX_LINE = 2_000
"""Characters of a line; Cloudflare ignores longer ones."""

MAX_LINES = 50_000
"""Lines of a file that are read."""

_ROBOTS_TAG = "x-robots-tag"
_ABSOLUTE = ("https://", "http://")
_NOT_LITERAL = re.compile(r"[*?]|:[A-Za-z]")
_STATUS = re.compile(r"30[12378](!?)")
_INDEX = re.compile(r"/(?:[^/].*/)?index(?:\.html)?")


class ServerRule(NamedTuple):
    """A line that leaves pages out."""

    reason: Reason
    """`noindex` or `redirect`."""

    file: str

    line: int

    def notice(self, labels: Sequence[str]) -> Notice:
        """Say which pages it leaves out, by their labels."""
        does = "says noindex for" if self.reason == "noindex" else "redirects"
        them = "it" if len(labels) == 1 else "them"
        text = (
            f"it {does} {count_pages(len(labels))}, such as {quoted(labels[0])}, so the sitemap"
            f" does not list {them}: correct it if it should"
        )
        return Notice(code="host-rule", text=text, location=f"{self.file}, line {self.line}")


class _Pattern(NamedTuple):
    """Which URLs a rule is for."""

    key: str
    """The path in `urls.path_identity`; with a last `*` for all paths that begin so."""

    is_certain: bool
    """Whether the rule is for all of these URLs, or perhaps for some."""


class _Redirect(NamedTuple):
    line: int

    key: str
    """The pattern's."""

    target: str
    """As written; empty where it is not certain that crawlers are sent anywhere."""

    is_forced: bool
    """Whether it counts even for a URL with a file."""


@dataclass(slots=True, kw_only=True)
class ServerRules:
    """What a static host does instead of answering with a page."""

    base_url: str
    """Normalized, the root of its host."""

    ignores_files: bool
    """Whether a redirect counts even for a URL with a file, as on Cloudflare."""

    _noindex: dict[str, int] = field(default_factory=dict)
    """The last line that says noindex, by pattern."""

    _detached: dict[str, int] = field(default_factory=dict)
    """The last line that takes the header back, by pattern."""

    _redirects: dict[str, _Redirect] = field(default_factory=dict)
    """The first line, by pattern."""

    def __bool__(self) -> bool:
        """Tell whether any rule can leave a page out."""
        return bool(self._noindex or self._redirects)

    def match(self, url: str) -> ServerRule | None:
        """Return the rule that leaves out a page with a file; `url` is below the base URL."""
        path = urls.path_identity(f"/{url.removeprefix(self.base_url)}".partition("?")[0])
        keys = tuple(_keys(path))
        redirects = [self._redirects[key] for key in keys if key in self._redirects]
        if redirects and self._leads_away(url, path, first := min(redirects)):
            return ServerRule("redirect", REDIRECTS, first.line)
        line = max(self._noindex.get(key, 0) for key in keys)
        if line > max(self._detached.get(key, 0) for key in keys):
            return ServerRule("noindex", HEADERS, line)
        return None

    def _leads_away(self, url: str, path: str, rule: _Redirect) -> bool:
        if not rule.target or not (rule.is_forced or self.ignores_files):
            return False
        # What the `*` stands for; the target can be the page itself.
        splat = path[len(rule.key) - 1 :] if rule.key.endswith("*") else ""
        try:
            target = urljoin(url, rule.target.replace(":splat", splat))
        except ValueError:  # No URL, such as `http://[`.
            return False
        return urls.identity(target) != urls.identity(url)

    def add_headers(self, text: str) -> None:
        """Add the rules of a `_headers` file."""
        pattern: _Pattern | None = None
        for number, line in _lines(text):
            if line.startswith(("/", *_ABSOLUTE)):
                pattern = self._pattern(line)
            elif pattern is None:
                continue
            elif line.startswith("!"):
                if line[1:].strip().lower() == _ROBOTS_TAG:
                    self._detached[pattern.key] = number
            elif pattern.is_certain and _is_noindex(line):
                self._noindex[pattern.key] = number

    def add_redirects(self, text: str) -> None:
        """Add the rules of a `_redirects` file."""
        for number, line in _lines(text):
            source, *rest = line.partition(" #")[0].split()
            pattern = self._pattern(source)
            if pattern is not None and pattern.key not in self._redirects:
                target, is_forced = _target(rest) if pattern.is_certain else ("", False)
                if self.ignores_files and (is_forced or _is_loop(source, target)):
                    target = ""  # Cloudflare reads past such a line.
                self._redirects[pattern.key] = _Redirect(number, pattern.key, target, is_forced)

    def _pattern(self, text: str) -> _Pattern | None:
        """Return what a rule is for; None where it is no path, or for another host."""
        if text.startswith(_ABSOLUTE):
            host, _, path = text.partition("://")[2].partition("/")
            if host.lower() != urlsplit(self.base_url).hostname:
                return None
            text = f"/{path}"
        elif not text.startswith("/"):
            return None
        text = text.partition("#")[0]
        if (found := _NOT_LITERAL.search(text)) is None:
            return _Pattern(urls.path_identity(text), is_certain=True)
        folder, slash, name = text[: found.start()].rpartition("/")
        is_certain = not name and text[found.start() :] == "*"
        return _Pattern(f"{urls.path_identity(folder + slash)}*", is_certain)


def read_server_rules(
    output_dir: Path, base_url: str, *, ignores_files: bool
) -> tuple[ServerRules, tuple[Notice, ...]]:
    """Read the files of an output folder; a notice says which of them cannot be read.

    Only the root of a host has such files: for any other base URL there are no rules.
    """
    rules = ServerRules(base_url=base_url, ignores_files=ignores_files)
    notices = []
    if base_url == urls.host_root(base_url):
        for name, add in ((HEADERS, rules.add_headers), (REDIRECTS, rules.add_redirects)):
            try:
                content = read_regular_file(output_dir / name, max_bytes=MAX_BYTES)
            except FileNotFoundError:
                continue
            except OSError as error:
                text = f"it cannot be read ({error.strerror or error}), and leaves out no page"
                notices.append(Notice(code="host-rule", text=text, location=name))
            else:
                add(content.decode("utf-8", "replace"))
    return rules, tuple(notices)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that may be rules, by number, without white space around them.

    Comments are among them: what begins with `#` is no pattern and no header.
    """
    for number, line in enumerate(text.split("\n", MAX_LINES)[:MAX_LINES], start=1):
        if (stripped := line.strip()) and len(stripped) <= MAX_LINE:
            yield number, stripped


def _keys(path: str) -> Iterator[str]:
    """Yield the keys of all patterns that a path can match.

    >>> list(_keys("/a/b"))
    ['/a/b', '/*', '/a/*']
    """
    yield path
    end = 0
    while end := path.find("/", end) + 1:
        yield f"{path[:end]}*"


def _is_noindex(line: str) -> bool:
    """Tell whether a header keeps a page from Google's index, or from all.

    >>> _is_noindex("X-Robots-Tag: noindex"), _is_noindex("x-robots-tag: a: none")
    (True, False)
    """
    name, _, value = line.partition(":")
    return name.strip().lower() == _ROBOTS_TAG and header_says_noindex(value)


def _is_loop(source: str, target: str) -> bool:
    """Tell whether Cloudflare, which serves `index.html` as its folder, could follow for ever.

    >>> [_is_loop("/*", target) for target in ("/index.html", "/a/", "https://b.example/index")]
    [True, False, False]
    """
    return source.endswith(("/", "/*")) and _INDEX.fullmatch(target) is not None


def _target(words: Sequence[str]) -> tuple[str, bool]:
    """Return where a redirect leads, empty if perhaps nowhere, and whether it is forced.

    `words` are what follows the source: target, status and conditions. Parameters of the query
    stand before the target; without a status it is 301 or 302.
    """
    if not words or not words[0].startswith(("/", *_ABSOLUTE)) or len(words) > 2:
        return "", False
    if words[0].count(":splat") > 1:  # Long paths would become very long ones.
        return "", False
    if len(words) == 1:
        return words[0], False
    status = _STATUS.fullmatch(words[1])
    return (words[0], bool(status[1])) if status else ("", False)
