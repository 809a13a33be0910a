"""What a sitemap lists, its parts followed; lazy, one element in memory at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import FileError, SitemapError
from sitemap_plugins.core.files.read import Element, Root, read_sitemap
from sitemap_plugins.core.limits import MAX_INDEX_PARTS
from sitemap_plugins.core.messages import quoted

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from sitemap_plugins.deployed.places import Place

__all__ = ["Part", "file_parts", "listed", "listed_in"]


def listed(places: Iterable[Place]) -> Generator[Element]:
    """Yield each `<url>` of sitemaps and of the parts of indexes; each file is read once.

    Raises:
        SitemapError: A file cannot be read to its end, is no sitemap, is an index in an index, or
            lists more parts than the protocol allows; with its name.
    """
    seen = set()
    for place in places:
        for part in file_parts(place):
            if part.place.name not in seen:
                seen.add(part.place.name)
                yield from listed_in(part.place)


class Part(NamedTuple):
    """One sitemap of pages."""

    url: str
    """As an index lists it; empty for a sitemap that is its own part."""

    place: Place

    lastmod: str = ""
    """As an index lists it; may be empty."""


def file_parts(place: Place) -> Iterator[Part]:
    """Yield the parts of an index; a sitemap is its own part.

    A part comes once, however often it is listed. The index is read before the first one comes.

    Raises:
        SitemapError: As `listed`.
    """
    by_identity: dict[str, tuple[str, str]] = {}
    for url, lastmod in _part_urls(place):
        by_identity.setdefault(urls.identity(url), (url, lastmod))
    found: dict[str, Part] = {}
    for url, lastmod in by_identity.values():
        try:
            part = place.part(url) if url else place
        except SitemapError as error:
            raise _error(place, error.problem, error.cure) from None
        found.setdefault(part.name, Part(url, part, lastmod))
    yield from found.values()


def _part_urls(place: Place) -> Iterator[tuple[str, str]]:
    """Yield URL and lastmod that an index lists; empty texts for a sitemap of pages."""
    count = 0
    for element in _elements(place):
        if isinstance(element, Root):
            if element.name == "urlset":
                yield "", ""
                return
            if element.name != "sitemapindex":
                raise _error(place, f"its root is {quoted(element.name)}", "it is no sitemap")
        elif element.name == "sitemap" and (url := element.get("loc")):
            count += 1
            if count <= MAX_INDEX_PARTS:
                yield url, element.get("lastmod")
    if count > MAX_INDEX_PARTS:
        msg = f"it lists {count:,} sitemaps, more than {MAX_INDEX_PARTS:,}"
        raise _error(place, msg, "divide it")


def listed_in(place: Place) -> Iterator[Element]:
    """Yield each `<url>` of one file.

    Raises:
        SitemapError: As `listed`.
    """
    for element in _elements(place):
        if isinstance(element, Element):
            if element.name == "url" and element.get("loc"):
                yield element
        elif element.name != "urlset":
            what = "an index, and an index lists it" if element.name == "sitemapindex" else ""
            raise _error(place, f"it is {what or 'no sitemap'}", "list only sitemaps of pages")


def _elements(place: Place) -> Iterator[Root | Element]:
    try:
        with place.open() as stream:
            yield from read_sitemap(stream)
    except FileError as error:
        raise _error(place, error.problem, error.cure, error.line) from None


def _error(place: Place, problem: str, cure: str, line: int = 0) -> FileError:
    where = f"{place.name}:{line}" if line else place.name
    return FileError(problem, cure=cure, place=where, line=line)
