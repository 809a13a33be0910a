"""What hosting services answer.

The answer depends on the form of a URL, and on the files `_headers` and `_redirects`.
Cloudflare and Netlify read these files at the root of the site, and a crawler gets what
they say instead of the built page:
https://developers.cloudflare.com/pages/configuration/headers/, …/redirects/,
https://docs.netlify.com/manage/routing/headers/, …/redirects/overview/. Which lines
Cloudflare ignores is in parseRedirects.ts of https://github.com/cloudflare/workers-sdk.

Only what is certain leaves a page out: a path, or a folder with `/*`, alone or after
the site's own address. Every other pattern can match any page in the folder that it
begins with, and then it keeps these pages in the sitemap: as an earlier redirect, or by
detaching a header (`! X-Robots-Tag`). Rules for another address are ignored. For a URL
without a file, any line that may redirect it is enough.
"""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.html.head import header_says_noindex
from sitemap_plugins.core.messages import Notice, Notices, count_pages, quoted
from sitemap_plugins.core.untrusted_files import read_own_file
from sitemap_plugins.core.url_forms import INDEX_NAMES, Form, any_form


class Service(NamedTuple):
    """How a service answers; services.toml explains the fields."""

    name: str
    host: str = ""
    file_first: bool = False
    fixed: bool = False
    redirects: Collection[Form] = ()
    missing: Collection[Form] = ()


_TABLE = tomllib.loads(files(__package__).joinpath("services.toml").read_text("utf-8"))

SERVICES = {service: Service(**facts) for service, facts in _TABLE.items()}
"""By what users and `CI.hosting` call them."""

_UNKNOWN = Service("nearly every server", fixed=True, redirects=["folder"])


def facts_of(service: str) -> Service:
    """Return how a service answers, one of `SERVICES`.

    A service of any other name answers as nearly every server does.
    """
    return SERVICES.get(service, _UNKNOWN)


def service_of(base_url: str) -> str:
    """Return the service that a site's normalized address shows; empty for none.

    >>> service_of("https://owner.github.io/name/"), service_of("https://example.com/")
    ('github', '')
    """
    host = urls.host_root(base_url).rstrip("/")
    for name, facts in SERVICES.items():
        if facts.host and host.endswith(facts.host):
            return name
    return ""


def answer(service: str, form: Form) -> str:
    """Return what a service does at a form of a URL instead of answering.

    The result is empty if the service answers with the page. `service` is one of
    `SERVICES`, or empty for any other service.

    >>> answer("cloudflare", "file.html"), answer("cloudflare", "file")
    ('redirects', '')
    """
    facts = facts_of(service)
    if form in facts.missing:
        return "does not serve"
    return "redirects" if form in facts.redirects else ""


_HEADERS_FILE = "_headers"
"""The file that adds headers to answers."""

_REDIRECTS_FILE = "_redirects"
"""The file that redirects."""

MAX_BYTES = 4 * 1024 * 1024
"""Bytes of each file: twice what Cloudflare takes, 2,100 redirects of 1,000
characters."""

MAX_LINE = 2_000
"""Characters of a line; Cloudflare ignores longer ones."""

MAX_LINES = 50_000
"""Lines of a file that are read."""

MAX_PATTERNS = 250
"""Lines with `*` or a placeholder that a removed URL is compared with: Cloudflare takes
100, and `fnmatch` keeps 256 compiled."""

_ABSOLUTE = ("https://", "http://")
_NOT_LITERAL = re.compile(r"[*?]|:[A-Za-z]")
_PLACEHOLDER = re.compile(r":[A-Za-z]\w*")
_STATUS = re.compile(r"[0-9]{3}!?")


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
        problem = (
            f"it {does} {count_pages(len(labels))}, such as {quoted(labels[0])}, so the"
            f" sitemap does not list {them}"
        )
        place = f"{self.file}, line {self.line}"
        return Notice("host-rule", problem, "correct it if it should", place)


@dataclass(slots=True, kw_only=True)
class ServerRules:
    """What a static host does instead of answering with a page.

    Rules are kept by the path that they are for, in `urls.path_identity`, with a last
    `*` for all paths that begin so.
    """

    base_url: str
    """Normalized, the root of its host."""

    service: str = ""
    """One of `hosting.SERVICES`, or empty for any."""

    _headers: dict[str, tuple[int, bool]] = field(default_factory=dict)
    """The last line that sets or removes noindex, and whether it sets it."""

    _redirects: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The first line, and its target; empty if it is not certain that the line
    redirects."""

    _moved: set[str] = field(default_factory=set)
    """The paths that any line may redirect, by `any_form`."""

    _moving: list[str] = field(default_factory=list)
    """What other lines may redirect: decoded paths, as patterns of `fnmatch`."""

    def __bool__(self) -> bool:
        """Tell whether any rule can leave a page out."""
        return bool(self._headers or self._redirects)

    def match(self, url: str) -> ServerRule | None:
        """Return the rule that leaves out a page with a file.

        `url` is below the base URL.
        """
        line, target = self.redirect(url)
        if target:
            return ServerRule("redirect", _REDIRECTS_FILE, line)
        keys = self._keys(url)
        headers = [self._headers[key] for key in keys if key in self._headers]
        line, is_noindex = max(headers, default=(0, False))
        return ServerRule("noindex", _HEADERS_FILE, line) if is_noindex else None

    def redirect(self, url: str) -> tuple[int, str]:
        """Return the line that certainly redirects a URL, and where to.

        Both are empty if no line does.
        """
        keys = self._keys(url)
        found = [(*self._redirects[key], key) for key in keys if key in self._redirects]
        line, pattern, key = min(found, default=(0, "", ""))
        if not pattern:
            return line, ""
        splat = keys[0][len(key) - 1 :]
        target = urls.resolve(pattern.replace(":splat", splat), url)
        # The target can be the page itself.
        if urls.identity(target) == urls.identity(url):
            return line, ""
        return line, target

    def _keys(self, url: str) -> list[str]:
        path = self._path(url)
        return [path, *(f"{path[: slash.end()]}*" for slash in re.finditer("/", path))]

    def may_redirect(self, url: str) -> bool:
        """Tell whether any rule may redirect a URL without a file, in any form."""
        path = self._path(url)
        decoded = urls.percent_decode(path)
        spellings = (decoded, f"{decoded}/")
        if any_form(path) in self._moved:
            return True
        for glob in self._moving:
            if any(fnmatch.fnmatchcase(spelling, glob) for spelling in spellings):
                return True
        return False

    def add_headers(self, text: str) -> None:
        """Add the rules of a `_headers` file."""
        key = ""
        is_certain = False
        for number, line in _lines(text):
            name, _, value = line.partition(":")
            if line.startswith(("/", *_ABSOLUTE)):
                key, is_certain = self._pattern(line)
            elif name.removeprefix("!").strip().lower() == "x-robots-tag":
                if name.startswith("!"):
                    self._headers[key] = (number, False)
                elif is_certain and header_says_noindex(value):
                    self._headers[key] = (number, True)

    def add_redirects(self, text: str) -> None:
        """Add the rules of a `_redirects` file."""
        for number, line in _lines(text):
            source, *rest = line.partition(" #")[0].split()
            key, is_certain = self._pattern(source)
            target = self._target(source, rest) if is_certain else ""
            self._redirects.setdefault(key, (number, target))
            status = next((word for word in rest if _STATUS.fullmatch(word)), "3")
            if rest and status.startswith("3"):
                self._add_moved(source)

    def _add_moved(self, source: str) -> None:
        """Note the path that a redirect is for: one path, or a pattern."""
        path = self._own_path(source)
        if not _NOT_LITERAL.search(path):
            self._moved.add(any_form(path))
        elif path.startswith("/") and len(self._moving) < MAX_PATTERNS:
            glob = _PLACEHOLDER.sub("*", urls.percent_decode(path)).replace("[", "[[]")
            self._moving.append(glob)

    def _own_path(self, text: str) -> str:
        """Return the path that a rule is for, as written.

        The URL of another host stays whole.
        """
        return text.removeprefix(self.base_url.rstrip("/")).partition("#")[0]

    def _path(self, url: str) -> str:
        """Return the path of a URL below the base URL, as the rules' keys spell it."""
        path, _, _ = url.removeprefix(self.base_url).partition("?")
        return urls.path_identity(f"/{path}")

    def _pattern(self, text: str) -> tuple[str, bool]:
        """Return the key of a rule, and whether it is certain what the rule matches.

        The key of a comment, or of a rule for another host, matches no path: it lacks
        the slash.
        """
        path = self._own_path(text)
        found = _NOT_LITERAL.search(path)
        if found is None:
            return urls.path_identity(path), True
        folder, slash, name = path[: found.start()].rpartition("/")
        is_certain = not name and path[found.start() :] == "*"
        return f"{urls.path_identity(folder + slash)}*", is_certain

    def _target(self, source: str, words: Sequence[str]) -> str:
        """Return where a redirect certainly sends crawlers; empty if that is uncertain.

        `words` are what follows the source: target, status and conditions. Parameters
        of the query stand before the target; without a status it is 301 or 302.
        """
        target, status = (*words, "", "")[:2]
        # A redirect comes before a file on Cloudflare; elsewhere only one with `!`
        # does.
        is_on_cloudflare = self.service.startswith("cloudflare")
        counts = r"(30[12378])?" if is_on_cloudflare else r"30[12378]!"
        # Cloudflare serves `index.html` as its folder, and ignores what it could follow
        # for ever.
        if is_on_cloudflare and source.endswith(("/", "/*")):
            is_index = target.rpartition("/")[2] in INDEX_NAMES
            if is_index and target.startswith("/"):
                return ""
        has_conditions = len(words) > 2
        if has_conditions or not re.fullmatch(counts, status):
            return ""
        # Many would make very long targets.
        if target.count(":splat") > source.count("*"):
            return ""
        return target if target.startswith(("/", *_ABSOLUTE)) else ""


def read_server_rules(
    built_dir: Path, base_url: str, *, service: str
) -> tuple[ServerRules, Notices]:
    """Read the files of a built folder; a notice says which of them cannot be read.

    Only the root of a host has such files: for any other base URL there are no rules.
    `service` is the service that is known to serve the site; if it is empty, the
    address can show the service.
    """
    rules = ServerRules(base_url=base_url, service=service or service_of(base_url))
    if base_url != urls.host_root(base_url):
        return rules, ()
    headers, about_headers = _read(built_dir, _HEADERS_FILE)
    rules.add_headers(headers)
    redirects, about_redirects = _read(built_dir, _REDIRECTS_FILE)
    rules.add_redirects(redirects)
    return rules, (*about_headers, *about_redirects)


def _read(built_dir: Path, name: str) -> tuple[str, Notices]:
    """Return the text of a file of rules; empty if there is none, or with a notice."""
    try:
        content = read_own_file(built_dir / name, max_bytes=MAX_BYTES)
    except FileNotFoundError:
        return "", ()
    except OSError as error:
        reason = error.strerror or error
        problem = f"it cannot be read ({reason}), and leaves out no page"
        return "", (Notice("host-rule", problem, place=name),)
    return content.decode("utf-8", "replace"), ()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that may be rules, by number, without white space around them.

    Comments are included: a line that begins with `#` is neither a pattern nor a
    header.
    """
    for number, line in enumerate(text.split("\n", MAX_LINES)[:MAX_LINES], start=1):
        stripped = line.strip()
        if stripped and len(stripped) <= MAX_LINE:
            yield number, stripped
