"""What a sitemap's files contain, and what all URLs together show, in one pass."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import lastmod_in_utc, spans_of
from sitemap_plugins.core.messages import FileError, PageError
from sitemap_plugins.core.publishing.read import (
    NEWS,
    Element,
    Root,
    is_html,
)
from sitemap_plugins.core.publishing.xml import is_signed
from sitemap_plugins.sitemaps.parts import ListedUrl, SitemapFile, read_stream

BUILD = 15 * 60
"""Seconds within which all dates of one build lie."""

MAX_STRAYS = 1_000
"""Children of an index that are not sitemaps and that are kept."""

Look = Callable[[ListedUrl, int], None]
"""What looks at a URL, which has this number in its file, from 1."""

_DAY = 24 * 60 * 60
_AGES = {
    "in the future": -1,
    "up to a week": 7,
    "up to a month": 31,
    "up to 3 months": 92,
    "up to a year": 366,
    "up to 2 years": 731,
    "up to 5 years": 1_827,
}
"""Days, ascending."""
_OLDER = "older"
_NO_DATE = "no date"

_CHILDREN = {"urlset": "url", "sitemapindex": "sitemap"}

Links = tuple[tuple[str, str], ...]
"""The lowercase language and the target of each link of a URL, in order."""

_MAX_LINKS = 500
"""Links of one URL that are kept: more than there are languages with a country each."""

_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""")


@dataclass(slots=True)
class ListedUrls:
    """What only all listed URLs show: duplicates, and the links between languages.

    URLs are as `urls.identity` returns them, so all spellings of a URL count as one.
    """

    by_extensions: dict[frozenset[str], set[str]] = field(default_factory=dict)
    """The URLs by the names of their extensions.

    Google, image sitemaps: "a separate image sitemap" lists the pages of another one
    again.
    """

    duplicates: set[str] = field(default_factory=set)
    """The URLs that are listed more than once."""

    links: dict[str, Links] = field(default_factory=dict)
    """The links of each URL that has any; at most `_MAX_LINKS` of each."""

    _groups: dict[Links, Links] = field(default_factory=dict)
    """One record for all versions of a page, as all have the same links."""

    @property
    def are_plain(self) -> bool:
        """Whether no URL is listed more than once, and none links to its versions."""
        return not (self.duplicates or self.links)

    def add(self, url: str, targets: Iterable[str], element: Element) -> None:
        """Note a listed URL, and the URLs that its element's links lead to."""
        names = frozenset([each.name for each in element.extensions])
        alike = self.by_extensions.setdefault(names, set())
        if url in alike:
            self.duplicates.add(url)
        alike.add(url)
        if element.links:
            languages = [link.language.lower() for link in element.links]
            known = self.links.get(url, ())
            links = (*known, *zip(languages, targets, strict=True))[:_MAX_LINKS]
            # The links of a URL that is listed again are no group's: more can follow.
            self.links[url] = links if known else self._groups.setdefault(links, links)

    def has(self, url: str) -> bool:
        """Tell whether a URL is listed."""
        return any(url in alike for alike in self.by_extensions.values())

    def has_link(self, url: str, target: str) -> bool:
        """Tell whether a URL links to another one as its version.

        A URL with more links than are kept is believed to link to every other one.
        """
        links = self.links.get(url, ())
        return len(links) == _MAX_LINKS or any(each == target for _, each in links)


@dataclass(slots=True, kw_only=True)
class FileFacts:
    """What one file contains."""

    file: SitemapFile

    root: Root | None = None
    """None if it cannot be read."""

    encoding: str = "UTF-8"
    """As the file declares it, in upper case."""

    has_bom: bool = False

    is_html: bool = False
    """Whether it begins as a web page does: some servers send one in place of an
    error."""

    is_signed: bool = False
    """Whether a plugin of ours, or `sitemap-plugins build`, wrote it."""

    children: int = 0
    """Number of `<url>`, or of `<sitemap>` in an index."""

    above: int = 0
    """Listed URLs of the site that are not below the file's own folder; of parts."""

    strays: list[Element] = field(default_factory=list)
    """Children of an index that hold more or less than a sitemap does, at most
    `MAX_STRAYS`."""

    news: int = 0
    """Number of `<news:news>`."""

    size: int = 0
    """Uncompressed bytes."""

    newest: datetime | None = None
    """The newest date inside, in UTC."""

    error: FileError | None = None
    """Why the file cannot be read to its end."""


@dataclass(slots=True, kw_only=True)
class Survey:
    """What all files contain."""

    files: list[FileFacts] = field(default_factory=list)

    urls: int = 0
    """All listed URLs, valid or not."""

    listed: ListedUrls = field(default_factory=ListedUrls)
    """Duplicates, and the links between languages."""

    below: int = 0
    """URLs below the base URL; all if it is not known."""

    origins: Counter[str] = field(default_factory=Counter)
    """Scheme, host and port → number of URLs; only valid ones."""

    origin: str = ""
    """The scheme, host and port of most URLs; empty for none.

    A local server counts only if no URL is on another."""

    dated: int = 0
    """URLs with a date."""

    builds: Counter[tuple[int, float]] = field(default_factory=Counter)
    """URLs by the quarter of an hour that their date is in, on two grids half of one
    apart."""

    @property
    def has_news(self) -> bool:
        """Whether a sitemap is one of news."""
        return any(facts.news for facts in self.files)

    def has_origin(self, identity: str) -> bool:
        """Tell whether a listed URL has a valid scheme, host and port."""
        return _origin(identity) in self.origins

    def ages(self, now: datetime) -> dict[str, int]:
        """Return the number of URLs of each age, ascending, then of those without one.

        A date more than a day ahead is in the future; ages are exact to a quarter of an
        hour. The result is empty if no URL has a date.
        """
        if not self.dated:
            return {}
        counts = dict.fromkeys((*_AGES, _OLDER, _NO_DATE), 0)
        for (quarter, shift), count in self.builds.items():
            # Each date is in two spans, of a grid and of one that is shifted.
            if shift:
                continue
            seconds = now.timestamp() - quarter * BUILD
            names = (name for name, days in _AGES.items() if seconds <= days * _DAY)
            counts[next(names, _OLDER)] += count
        counts[_NO_DATE] = self.urls - self.dated
        return counts


def survey(files: Iterable[SitemapFile], *, base_url: str, look: Look) -> Survey:
    """Read all files once, and look at each URL; `base_url` may be empty."""
    found = Survey()
    base = urls.identity(base_url) if base_url else ""
    for file in files:
        found.files.append(_read(file, found, base, look))
    # Each origin is checked once, not with each of its URLs.
    for origin in list(found.origins):
        try:
            urls.normalize_base_url(origin)
        except PageError:
            del found.origins[origin]
    public = [each for each in found.origins if not urls.is_private(each)]
    known = public or found.origins
    found.origin = max(known, key=found.origins.__getitem__, default="")
    return found


def is_one_build(densest: int, dates: int) -> bool:
    """Tell whether nearly all dates can be those of one build.

    `densest` is how many of the `dates` lie within the time of one build. False without
    dates.
    """
    return densest * 10 >= dates * 9 > 0


def _read(file: SitemapFile, found: Survey, base: str, look: Look) -> FileFacts:
    """Return what a file contains, and note its URLs in `found`.

    `base` is the base URL as `urls.identity` spells it; empty if not known.
    """
    facts = FileFacts(file=file)
    folder = _folder_of(file, base)
    try:
        with file.location.open() as stream:
            try:
                for number, element in enumerate(read_stream(stream, file.name)):
                    if isinstance(element, Root):
                        facts.root = element
                        continue
                    date = lastmod_in_utc(element.get("lastmod"))
                    _count(element, date, facts)
                    if facts.root is not None and facts.root.name == "urlset":
                        listed = ListedUrl.make(file, element)
                        _note(listed, date, found, base)
                        facts.above += _is_above(listed, folder, base)
                        look(listed, number)
                facts.size = stream.size
            finally:  # The beginning shows what a file is that cannot be read.
                _sniff(stream.beginning, facts)
    except FileError as error:
        facts.error = error
    return facts


def _folder_of(file: SitemapFile, base: str) -> str:
    """Return the identity of a part's folder, with a slash; of other files the base."""
    if file.index is None or not base:
        return base
    url = file.url or base + urls.percent_encode(file.name)
    return urls.identity(url[: url.rfind("/") + 1])


def _is_above(listed: ListedUrl, folder: str, base: str) -> bool:
    url = listed.identity
    return folder != base and url.startswith(base) and not url.startswith(folder)


def _count(element: Element, date: datetime | None, facts: FileFacts) -> None:
    """Add a child of the root to the facts about its file.

    `date` is its date in UTC.
    """
    root = facts.root.name if facts.root is not None else ""
    if element.name == _CHILDREN.get(root, element.name):
        facts.children += 1
    if date is not None and (facts.newest is None or date > facts.newest):
        facts.newest = date
    if root == "urlset" and element.extensions:
        facts.news += any(each.name == NEWS for each in element.extensions)
    has_room = len(facts.strays) < MAX_STRAYS
    if root == "sitemapindex" and has_room and _is_stray(element):
        facts.strays.append(element)


def _is_stray(element: Element) -> bool:
    """Tell whether an index's child holds anything but a sitemap's URL and date."""
    if element.name != "sitemap":
        return True
    for name, text in element.fields:
        if name not in {"loc", "lastmod"}:
            return True
        if name == "lastmod" and not text:
            return True
    return False


def _sniff(beginning: bytes, facts: FileFacts) -> None:
    facts.has_bom = beginning.startswith(codecs.BOM_UTF8)
    facts.is_signed = is_signed(beginning)
    facts.is_html = is_html(beginning)
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        facts.encoding = "UTF-16"
    elif declared := _ENCODING.search(beginning):
        facts.encoding = declared[1].decode("ascii").upper()


def _note(listed: ListedUrl, date: datetime | None, found: Survey, base: str) -> None:
    """Note a listed URL and its date in UTC in `found`; `base` is as in `_read`."""
    if listed.element.name != "url" or not listed.url:
        return
    identity = listed.identity
    found.listed.add(identity, listed.targets, listed.element)
    found.urls += 1
    found.origins[_origin(identity)] += 1
    found.below += identity.startswith(base)
    if date is not None:
        found.dated += 1
        for span in spans_of(date, BUILD):  # On two grids.
            found.builds[span] += 1


def _origin(identity: str) -> str:
    scheme, separator, rest = identity.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}" if separator else ""
