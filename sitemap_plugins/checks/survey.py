"""What only all URLs together can tell, gathered in one pass over the files.

Per URL it keeps a hash of 64 bits, so that a million URLs fit into memory.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemap_plugins.checks.sitemaps import Listed, elements_of
from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import parse_lastmod, to_utc
from sitemap_plugins.core.errors import FileError, PageError
from sitemap_plugins.core.files.read import Element, is_html, open_sitemap
from sitemap_plugins.core.files.xml import is_signed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from sitemap_plugins.checks.sitemaps import SitemapFile
    from sitemap_plugins.core.date_values import DateOrDatetime

__all__ = ["BUILD", "FileFacts", "Survey", "is_one_build", "survey"]

BUILD = 15 * 60
"""Seconds within which the dates of one build lie."""

MOST_STRAYS = 1_000
"""Children of an index that are no sitemaps and that are named."""

_CHILDREN = {"urlset": "url", "sitemapindex": "sitemap"}
_NEWS = "{http://www.google.com/schemas/sitemap-news/"

_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""")
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True, kw_only=True)
class FileFacts:
    """What one file holds."""

    file: SitemapFile

    encoding: str = "UTF-8"
    """As the file declares it, upper case."""

    has_bom: bool = False

    is_html: bool = False
    """Whether it begins as a page for people does: servers answer so in place of an error."""

    is_signed: bool = False
    """Whether a plugin of ours, or `sitemap-plugins build`, wrote it."""

    children: int = 0
    """Those that the root element lists: `<url>` or `<sitemap>`."""

    strays: list[Element] = field(default_factory=list)
    """Other children of an index, some of them."""

    size: int = 0
    """Uncompressed bytes."""

    newest: datetime | None = None
    """The newest date inside, in UTC."""

    error: FileError | None = None


@dataclass(slots=True, kw_only=True)
class Survey:
    """What all files hold."""

    files: list[FileFacts] = field(default_factory=list)

    urls: int = 0
    """All that are listed, valid or not."""

    listed: set[int] = field(default_factory=set)
    """Hashes of the identities of all URLs."""

    duplicates: set[int] = field(default_factory=set)
    """Those that are listed more than once."""

    below: int = 0
    """URLs below the base URL; all where that is not known."""

    origins: Counter[str] = field(default_factory=Counter)
    """Scheme, host and port → number of URLs; those alone that a URL can have."""

    links: set[int] = field(default_factory=set)
    """Hashes of the pairs of a URL and a version that it links to."""

    news: int = 0
    """URLs of a news sitemap."""

    dated: int = 0
    """URLs with a date."""

    builds: Counter[tuple[int, float]] = field(default_factory=Counter)
    """URLs by the quarter of an hour that their date is in, on two grids."""

    @property
    def origin(self) -> str:
        """The scheme, host and port of most URLs; empty for none."""
        return self.origins.most_common(1)[0][0] if self.origins else ""

    def has_origin(self, identity: str) -> bool:
        """Tell whether a listed URL has a host: one that is not valid may have none."""
        return _origin(identity) in self.origins

    def is_listed(self, identity: str) -> bool:
        """Tell whether a URL is listed, in any spelling."""
        return hash(identity) in self.listed

    def links_back(self, url: str, target: str) -> bool:
        """Tell whether the target of a link links to the URL where it stands; both identities."""
        return hash((target, url)) in self.links


def survey(
    files: Iterable[SitemapFile], *, base_url: str, look: Callable[[Listed], None]
) -> Survey:
    """Read all files once, and let each URL be looked at; `base_url` may be empty."""
    found = Survey()
    base = urls.identity(base_url) if base_url else ""
    for file in files:
        found.files.append(_read(file, found, base, look))
    found.origins = Counter({o: number for o, number in found.origins.items() if _is_origin(o)})
    return found


def is_one_build(dates: Iterable[DateOrDatetime]) -> bool:
    """Tell whether nearly all dates lie as close together as those of a build, and are any."""
    builds: Counter[tuple[int, float]] = Counter()
    total = sum(_note_build(to_utc(date), builds) for date in dates)
    return total > 0 and max(builds.values()) * 10 >= total * 9


def _read(file: SitemapFile, found: Survey, base: str, look: Callable[[Listed], None]) -> FileFacts:
    facts = FileFacts(file=file, error=file.error)
    try:
        with open_sitemap(file.path) as stream:
            _sniff(stream.read(1024), facts)
        with open_sitemap(file.path) as stream:
            root = file.root.name if file.root is not None else ""
            child = _CHILDREN.get(root)
            for element in elements_of(file, stream):
                if isinstance(element, Element):
                    if child is None or element.name == child:
                        facts.children += 1
                    elif root == "sitemapindex" and len(facts.strays) < MOST_STRAYS:
                        facts.strays.append(element)
                    _note_date(element, facts)
                    if root == "urlset":
                        listed = Listed.make(file, element)
                        _note(listed, found, base)
                        look(listed)
            facts.size = stream.size
    except FileError as error:
        facts.error = error
    return facts


def _sniff(beginning: bytes, facts: FileFacts) -> None:
    facts.has_bom = beginning.startswith(_BOM)
    facts.is_signed = is_signed(beginning)
    facts.is_html = is_html(beginning)
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        facts.encoding = "UTF-16"
    elif declared := _ENCODING.search(beginning):
        facts.encoding = declared[1].decode("ascii").upper()


def _note_date(element: Element, facts: FileFacts) -> None:
    said = parse_lastmod(element.get("lastmod"))
    if said is not None:
        date = to_utc(said)
        facts.newest = max(facts.newest or date, date)


def _note(listed: Listed, found: Survey, base: str) -> None:
    if listed.element.name != "url" or not listed.url:
        return
    identity = listed.identity
    key = hash(identity)
    (found.duplicates if key in found.listed else found.listed).add(key)
    found.urls += 1
    found.origins[_origin(identity)] += 1
    fields = listed.element.fields
    found.news += len(fields) > 2 and any(name.startswith(_NEWS) for name, _ in fields)
    found.below += identity.startswith(base)
    for target in listed.targets:
        found.links.add(hash((identity, target)))
    said = parse_lastmod(listed.element.get("lastmod"))
    if said is not None:
        found.dated += _note_build(to_utc(said), found.builds)


def _note_build(moment: datetime, builds: Counter[tuple[int, float]]) -> int:
    """Count a date in the quarters of an hour that it is in, on two grids; return 1."""
    seconds = moment.timestamp()
    for shift in (0, BUILD / 2):
        builds[int((seconds + shift) // BUILD), shift] += 1
    return 1


def _origin(identity: str) -> str:
    scheme, separator, rest = identity.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}" if separator else ""


def _is_origin(text: str) -> bool:
    try:
        urls.normalize_base_url(text)
    except PageError:
        return False
    return True
