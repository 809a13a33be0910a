"""robots.txt: bytes in, bytes out with our Sitemap lines; and what its rules disallow.

No existing byte is changed, moved or removed; each line is added once; a file without a
final line break gets one first, because crawlers would read our line as the end of the
user's.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from protego import Protego

from sitemap_plugins.core import urls
from sitemap_plugins.core.limits import ROBOTS_READ_BYTES
from sitemap_plugins.core.messages import (
    Notice,
    Notices,
    OutputError,
    RobotsError,
    quoted,
)
from sitemap_plugins.core.untrusted_files import read_own_file

# RFC 9309, section 2.2: EOL = CR / LF / CRLF.
_END_OF_LINE = re.compile(rb"\r\n|\n|\r")
# RFC 9309, section 2.2.4 leaves other records to the crawlers: they take the key in any
# case, white space around it, and a comment behind the value. A control character stays
# part of the value there, though it is none of a URL's: such a line names no sitemap.
_SITEMAP_LINE = re.compile(
    rb"[ \t]*sitemap[ \t]*:[ \t]*([^\s#\x00-\x1f\x7f]+)\s*(?:#|\Z)", re.IGNORECASE
)
# Google's parser reads these spellings, and one word after a key without a colon
# (google/robotstxt, robots.cc); other crawlers do not.
_RECORD = re.compile(
    r"""
    [ \t]* (?:
        (?P<agent> user [- ]? agent )
        | (?P<allow> allow )
        | disallow | dissallow | dissalow | disalow | diasllow | disallaw
    )
    (?: [ \t]* : [ \t]* (?P<value> (?: [ \t]*+ [^ \t#]++ )*+ )
        | [ \t]+ (?P<word> [^\s:#]+ ) )
    [ \t]* (?: \# .* )? $
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
# RFC 9309, section 2.2.1: product-token = identifier / "*".
_TOKEN = re.compile(r"\*(?!\S)|[A-Za-z_-]+")
# A page that crawlers may fetch is allowed by its folder's name too (Google alone).
_INDEX = re.compile(r"/index\.html?$", re.IGNORECASE)
_MAX_LINE = 16_663
"""Bytes of a line that Google reads (robots.cc)."""

# A comment of HTML and a conflict of git are wrong lines among others.
_MARKUP = re.compile(rb"\s*<(?!!--|<)")
_NOINDEX_LINE = re.compile(rb"[ \t]*noindex[ \t]*:[^\n\r#]*", re.IGNORECASE)

_LARGEST = ("Googlebot", "bingbot")

MAX_READ_BYTES = 16 * 1024 * 1024
"""Bytes of the largest robots.txt that is read: 32 times what crawlers read."""

MAX_CHECKS = 50_000
"""Crawlers times rules and wildcards that a page is checked against at most, which
takes some 25 ms: the longest lists of real sites name a hundred crawlers, with a few
rules for each."""


class Record(NamedTuple):
    """A line that begins a group or has a rule: other lines end no group.

    RFC 9309, section 2.2.1: "Other records […] MUST NOT be treated as part of a group",
    and section 2.2.4.
    """

    number: int
    """The number of the line, from 1."""

    kind: Literal["agent", "allow", "disallow"]

    value: str
    """A crawler's token, or a pattern of paths; empty for no path."""

    text: str
    """The line as written, without white space around it."""


def with_sitemaps(robots: bytes, sitemaps: Sequence[str]) -> bytes:
    r"""Return robots.txt with a `Sitemap:` line for each URL that it does not name yet.

    The lines stand at the end, in the order given, and end as the file's first line
    does.

    Raises:
        RobotsError: The bytes are not a robots.txt (RFC 9309, section 2.3: UTF-8).

    >>> with_sitemaps(b"User-agent: *\r\nDisallow:", ["https://example.com/sitemap.xml"])
    b'User-agent: *\r\nDisallow:\r\nSitemap: https://example.com/sitemap.xml\r\n'
    """
    _refuse_other_formats(robots)
    missing = _unnamed(robots, sitemaps)
    if not missing:
        return robots
    found = _END_OF_LINE.search(robots)
    end = found[0] if found else b"\n"
    # After a byte order mark alone too: not every crawler knows it.
    gap = end if robots and not robots.endswith((b"\r", b"\n")) else b""
    return robots + gap + b"".join(b"Sitemap: " + url + end for url in missing)


class Robots:
    """The robots.txt of one built site: its rules, and what to write."""

    def __init__(
        self, text: bytes | None, *, base_url: str, on_read_the_docs: bool
    ) -> None:
        """Read the rules, as far as every crawler reads a file (RFC 9309, section 2.5).

        `text` is None if the site has no robots.txt. `base_url` is the site's address.

        Raises:
            RobotsError: The bytes are not a robots.txt.
        """
        self.base_url = base_url
        self._is_missing = text is None
        self._text = text or b""
        root = urls.host_root(base_url)
        self._on_read_the_docs = on_read_the_docs or root.endswith(".readthedocs.io/")
        # RFC 9309, section 2.3: the rules are in "/robots.txt" in the top-level path of
        # the host. Read the Docs serves the file of the default version there, wherever
        # the build stands.
        self.counts = self._on_read_the_docs or base_url == root
        """Whether crawlers read the file at its address."""
        _refuse_other_formats(self._text)
        self.lines = _lines(self._text[:ROBOTS_READ_BYTES])
        """What crawlers read of the file, without line ends."""
        self.records = list(_records(self.lines))
        """The lines that begin a group or have a rule, in order."""
        self._read_rules()

    def _read_rules(self) -> None:
        """Read the rules, unless they are too many, or crawlers do not read them."""
        named = [each.value.lower() for each in self.records if each.kind == "agent"]
        patterns = [each.value for each in self.records if each.kind != "agent"]
        # What follows a wildcard is looked for in a URL, as a rule is.
        rules = len(patterns) + "".join(patterns).count("*")
        agents = {*named, "*"}
        # Protego gives every rule of a group to each of its crawlers.
        self._too_many = f"{len(agents)} crawlers and {rules} rules and wildcards"
        self._is_checked = len(agents) * rules <= MAX_CHECKS
        self._agents: list[str] = []
        read: list[str] = []
        if self.counts and self._text and self._is_checked:
            self._agents = sorted(agents)
            for record in self.records:
                read += _for_protego(record)
        self._rules = Protego.parse("\n".join(read))

    @classmethod
    def read(cls, folder: Path, base_url: str, *, on_read_the_docs: bool) -> Robots:
        """Read the file of a folder whose address is `base_url`, normalized.

        Raises:
            OutputError: As `read_file`.
            RobotsError: The bytes are not a robots.txt.
        """
        text = read_file(folder / "robots.txt")
        if text is None and folder.is_dir():
            _refuse_capital_letters(folder)
        return cls(text, base_url=base_url, on_read_the_docs=on_read_the_docs)

    def read_again(self, folder: Path) -> Robots:
        """Read the site's file anew, as `read`.

        Another program may have changed it since.
        """
        return Robots.read(
            folder, self.base_url, on_read_the_docs=self._on_read_the_docs
        )

    def line_of(self, sitemap: str) -> int:
        """Return the number of the first line that names a sitemap; 0 for none."""
        for number, line in enumerate(self.lines, start=1):
            found = _SITEMAP_LINE.match(line)
            if found and found[1].decode("utf-8", "replace") == sitemap:
                return number
        return 0

    @property
    def exists(self) -> bool:
        """Whether the site has the file."""
        return not self._is_missing

    @property
    def has_rules(self) -> bool:
        """Whether any page can be disallowed."""
        return bool(self._agents)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """What the file's Sitemap lines name, in order, as written."""
        return tuple(_sitemap_values(self._text))

    def allow(self, url: str) -> bool:
        """Tell whether any crawler may fetch an absolute URL.

        The crawler may be one that the file names, or any other.
        """
        if not self._agents:
            return True
        return any(self._rules.can_fetch(url, agent) for agent in self._agents)

    def decisive_line(self, url: str) -> tuple[int, str]:
        """Return number and text of the rule for all crawlers that disallows a URL.

        The longest one does (RFC 9309, section 2.2.2). Number 0 if none is found.
        """
        for record, alone in self._rules_for_all:
            if not alone.can_fetch(url, "*"):
                return record.number, record.text
        return 0, ""

    @cached_property
    def _rules_for_all(self) -> list[tuple[Record, Protego]]:
        """The rules for all crawlers, each alone too, the longest first."""
        is_for_all = False
        is_rule = False
        found = []
        for record in self.records:
            if record.kind == "agent":
                continues = is_for_all and not is_rule
                is_for_all = record.value == "*" or continues
                is_rule = False
                continue
            is_rule = True
            if is_for_all:
                rule = "\n".join(["User-agent: *", *_for_protego(record)])
                found.append((record, Protego.parse(rule)))
        # RFC 9309, section 2.2.2: the longest match decides.
        found.sort(key=lambda rule: len(rule[0].value), reverse=True)
        return found

    def disallowed_crawlers(self, url: str) -> tuple[str, ...]:
        """Return which of the largest search engines' crawlers may not fetch a URL."""
        if not self._agents:
            return ()
        disallowed = []
        for crawler in _LARGEST:
            # RFC 9309, section 2.2.1: the whole name; Protego takes any part of it.
            name = crawler.lower()
            group = name if name in self._agents else "*"
            if not self._rules.can_fetch(url, group):
                disallowed.append(crawler)
        return tuple(disallowed)

    def crawl_delay(self, agent: str) -> float:
        """Return the seconds between two requests that the file asks a crawler for.

        0 for none.
        """
        text = b"\n".join(self.lines).decode("utf-8", "replace")
        return float(Protego.parse(text).crawl_delay(agent) or 0)

    def with_sitemap_lines(self, sitemaps: Sequence[str]) -> bytes | None:
        """Return the file's bytes with the lines for these absolute URLs.

        The result is None if no file is to be written. A missing file is only created
        where crawlers read it, and never on Read the Docs, which serves one of its own
        that hides versions.
        """
        if self._is_missing and (self._on_read_the_docs or not self.counts):
            return None
        return with_sitemaps(self._text, sitemaps)

    def notices(
        self, sitemaps: Sequence[str], *, announced: bool = True
    ) -> Iterator[Notice]:
        """Say what keeps crawlers from these URLs, `announced` there or elsewhere."""
        if self.counts and not self._is_checked:
            problem = (
                f"the file has {self._too_many}, too many to check each page against,"
                " so robots.txt excludes no page"
            )
            yield _notice("robots-unchecked", problem, "merge groups and rules")
        for url in sitemaps:
            if not self.allow(url):
                problem = f"a rule blocks every crawler from {quoted(url)}"
                yield _notice("robots-blocks-sitemap", problem, "allow it")
        yield from _about_noindex(self._text)
        if announced:
            yield from self._about_lines(sitemaps)

    def _about_lines(self, sitemaps: Sequence[str]) -> Iterator[Notice]:
        """Say what keeps crawlers from our lines."""
        yield from _about_other_lines(self._text, sitemaps)
        if not self.counts:
            lines = " and ".join(f"'Sitemap: {url}'" for url in sitemaps)
            root = urls.host_root(self.base_url)
            problem = f"crawlers read robots.txt only at {root}robots.txt"
            yield _notice("robots-not-at-root", problem, f"add the line {lines} there")
        written = self.with_sitemap_lines(sitemaps) or b""
        is_long = len(written) > ROBOTS_READ_BYTES
        if is_long and _unnamed(written[:ROBOTS_READ_BYTES], sitemaps):
            problem = (
                f"the file has {len(written):,} bytes, and crawlers may read only the"
                f" first {ROBOTS_READ_BYTES:,}"
            )
            yield _notice("robots-too-long", problem, "put a Sitemap line near the top")


def read_file(file: Path) -> bytes | None:
    """Return the bytes of a robots.txt, or None if there is no such file.

    Raises:
        OutputError: The file exists and cannot be read: it leads out of the folder and
            its repository, is not a regular file, has more than `MAX_READ_BYTES`, or
            the system refuses.
    """
    try:
        return read_own_file(file, max_bytes=MAX_READ_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        cure = "put a short text file in its place"
        if error.strerror:
            cure = "check the output folder"
        msg = f"{file} cannot be read ({error.strerror or error})"
        raise OutputError(msg, cure=cure) from error


def _refuse_capital_letters(folder: Path) -> None:
    for file in folder.iterdir():
        if file.name.lower() == "robots.txt":
            msg = f"crawlers do not read {file.name}, as its name has capital letters"
            raise RobotsError(msg, cure="rename it to robots.txt")


def read_robots(
    folder: Path, base_url: str, *, on_read_the_docs: bool
) -> tuple[Robots | None, Notices]:
    """Return the robots.txt of a folder, as `Robots.read`.

    If the file cannot be read, return None with a notice.
    """
    try:
        return Robots.read(folder, base_url, on_read_the_docs=on_read_the_docs), ()
    except (OutputError, RobotsError) as error:
        return None, (Notice.of(error, "bad-robots"),)


def _about_noindex(robots: bytes) -> Iterator[Notice]:
    """Yield a notice for each line that says noindex, which crawlers do not read."""
    for line in _lines(robots):
        found = _NOINDEX_LINE.match(line)
        if found is None:
            continue
        text = quoted(found[0].decode("utf-8", "replace").strip())
        problem = (
            f"{text} has no effect: search engines have not read such lines since 2019"
        )
        cure = 'write <meta name="robots" content="noindex"> in the pages'
        yield _notice("hidden-noindex", problem, cure)


def _about_other_lines(robots: bytes, sitemaps: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice for each Sitemap line that names one of these URLs wrongly.

    A line is wrong if it has another scheme or none, or names the local server that
    mystmd builds with.
    """
    right = {urls.identity(url) for url in sitemaps}
    wrong = _wrong_names(sitemaps)
    is_local = any(map(urls.is_local, sitemaps))
    for line in dict.fromkeys(_sitemap_values(robots[:ROBOTS_READ_BYTES])):
        key = urls.identity(line)
        if key in wrong and key not in right:
            problem = f"'Sitemap: {line}' is not the sitemap's address"
            cure = f"write 'Sitemap: {wrong[key]}'"
            yield _notice("robots-other-line", problem, cure)
        elif urls.is_local(line) and not is_local:
            problem = f"'Sitemap: {line}' is on a local server"
            yield _notice("local-address", problem, "remove it")


def _wrong_names(sitemaps: Iterable[str]) -> dict[str, str]:
    """Return URLs by what authors write in their place: without a host, or http."""
    wrong = {}
    for url in sitemaps:
        path = url.removeprefix(urls.host_root(url))
        wrong[path] = url
        wrong[f"/{path}"] = url
        wrong[urls.identity(urls.scheme_twin(url))] = url
    return wrong


def _notice(code: str, problem: str, cure: str) -> Notice:
    return Notice(code, problem, cure, "robots.txt")


def _records(lines: Sequence[bytes]) -> Iterator[Record]:
    """Yield the user-agent, allow and disallow lines, with their numbers."""
    for number, line in enumerate(lines, start=1):
        text = line[:_MAX_LINE].decode("utf-8", "replace")
        found = _RECORD.match(text)
        if found is None:
            continue
        value = (found["value"] or found["word"] or "").strip()
        if found["agent"]:
            token = _TOKEN.match(value)
            # 360Spider goes by its whole name.
            value = token[0] if token else value
            yield Record(number, "agent", value, text.strip())
        elif found["allow"]:
            yield Record(number, "allow", value, text.strip())
        else:
            yield Record(number, "disallow", value, text.strip())


def _for_protego(record: Record) -> Iterator[str]:
    """Yield the lines that Protego reads as Google reads a record."""
    if record.kind == "agent":
        yield f"User-agent: {record.value}"
    elif record.kind == "disallow":
        yield f"Disallow: {record.value}"
    else:
        yield f"Allow: {record.value}"
        if _INDEX.search(record.value):
            yield f"Allow: {_INDEX.sub('/$', record.value)}"


def _lines(robots: bytes) -> list[bytes]:
    """Split into lines, without a byte order mark and line ends."""
    return _END_OF_LINE.split(robots.removeprefix(codecs.BOM_UTF8))


def _unnamed(robots: bytes, sitemaps: Sequence[str]) -> list[bytes]:
    """Return the URLs that no Sitemap line names, in any spelling."""
    named = set(map(urls.identity, _sitemap_values(robots)))
    return [url.encode("ascii") for url in sitemaps if urls.identity(url) not in named]


def _sitemap_values(robots: bytes) -> list[str]:
    """Return what the Sitemap lines name, in order, as written."""
    found = filter(None, map(_SITEMAP_LINE.match, _lines(robots)))
    return [match[1].decode("utf-8", "replace") for match in found]


def _refuse_other_formats(robots: bytes) -> None:
    # Servers answer with a page in place of the file, and people save that.
    if _MARKUP.match(robots.removeprefix(codecs.BOM_UTF8)):
        msg = "robots.txt is an HTML page, which crawlers cannot use"
        raise RobotsError(msg, cure="write plain text")
    # UTF-16 and binary files have NUL bytes; a line of ours would end up as garbage in
    # them.
    if b"\0" in robots:
        msg = "robots.txt is not UTF-8 text (it holds NUL bytes)"
        raise RobotsError(msg, cure="save it as UTF-8")
