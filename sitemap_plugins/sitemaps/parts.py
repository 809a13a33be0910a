"""One sitemap file → what it lists, in XML or text.

An index → its parts, and what they list. `find_sitemaps`, `listed_in` and `elements_in`
skip files that cannot be read; `parts_of`, `elements_of` and `all_elements` raise an
error for them.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from sitemap_plugins.core import urls
from sitemap_plugins.core.limits import MAX_INDEX_PARTS, SITEMAP_NAMESPACE
from sitemap_plugins.core.messages import FileError, SitemapError, TimeUpError, quoted
from sitemap_plugins.core.publishing.read import (
    BLANKS,
    Element,
    Root,
    SitemapStream,
    read_sitemap,
    refuse_others,
)
from sitemap_plugins.sitemaps.locations import FileLocation, Location

_TEXT_BLOCK_BYTES = 64 * 1024
_LINE_BYTES = 16 * 1024
"""Bytes of one line of a text sitemap; longer lines are not URLs."""

_ABSOLUTE = re.compile(r"https?://[^\0-\x1f\x7f-\x9f]+", re.IGNORECASE)

L = TypeVar("L", bound=Location)


def read(location: Location) -> Iterator[Root | Element]:
    """Yield the root of the sitemap at a location, then each of its children; lazy.

    Raises:
        SitemapError: The sitemap cannot be read to its end; the error names the file.
    """
    try:
        with location.open() as stream:
            yield from read_stream(stream, location.name)
    except FileError as error:
        raise _error(location, error.problem, error.cure, error.line) from None


def read_stream(stream: SitemapStream, name: str) -> Iterator[Root | Element]:
    """Yield the root of a sitemap, then each of its children; lazy.

    A text sitemap, recognized by its `name` and its beginning, has the elements that
    the same URLs in XML would have. A wrong namespace of the root is one fault: its
    children are named as in the right one.

    Raises:
        FileError: The sitemap cannot be read to its end.
    """
    elements = _lines(stream) if _is_text(stream, name) else read_sitemap(stream)
    root = next(elements)  # XML without a root is an error.
    yield root
    if not isinstance(root, Root) or root.namespace in {"", SITEMAP_NAMESPACE}:
        yield from elements
        return
    prefix = f"{{{root.namespace}}}"
    for element in elements:
        if isinstance(element, Element):
            fields = tuple(
                (name.removeprefix(prefix), text) for name, text in element.fields
            )
            yield element._replace(
                name=element.name.removeprefix(prefix), fields=fields
            )


def _names_text(name: str) -> bool:
    return name.lower().partition("?")[0].removesuffix(".gz").endswith(".txt")


def _is_text(stream: SitemapStream, name: str) -> bool:
    if not _names_text(name):
        return False
    beginning = stream.read(_LINE_BYTES)
    stream.rewind()
    return not beginning.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<")


def _lines(stream: SitemapStream) -> Iterator[Root | Element]:
    """Yield the lines as if the same URLs were listed in XML."""
    yield Root(name="urlset", namespace=SITEMAP_NAMESPACE, line=1)
    for number, line in enumerate(_split(stream), 1):
        text = (
            line.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").strip(BLANKS)
        )
        if text:
            yield Element("url", number, (("loc", text),))


def _split(stream: SitemapStream) -> Iterator[bytes]:
    rest = b""
    while block := stream.read(_TEXT_BLOCK_BYTES):
        if stream.size == len(block):  # The first one.
            refuse_others(block)
        # A line without an end is cut, as it would be searched again with each block.
        *lines, rest = (rest[:_LINE_BYTES] + block).split(b"\n")
        yield from lines
    yield rest


class Part(NamedTuple, Generic[L]):
    """One sitemap that an index lists."""

    location: L

    url: str = ""
    """As the index lists it; empty for a sitemap that is its own part."""

    lastmod: str = ""
    """As the index lists it; may be empty."""

    line: int = 0
    """Where the index lists it, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """One file of a sitemap on disk."""

    location: FileLocation

    parts: tuple[Part[FileLocation], ...] = ()
    """What an index lists, at most `MAX_INDEX_PARTS`."""

    index: SitemapFile | None = None
    """The index that lists it."""

    @property
    def path(self) -> Path:
        """The file on disk."""
        return self.location.path

    @property
    def name(self) -> str:
        """The name for messages."""
        return self.location.name

    @property
    def url(self) -> str:
        """Where it was fetched from; empty for the user's own file."""
        return self.location.url


class ListedUrl(NamedTuple):
    """One `<url>`, and the file that lists it."""

    file: SitemapFile
    element: Element

    url: str
    """The text of `<loc>`; empty without one."""

    identity: str
    """The URL as it is compared: `urls.identity`."""

    targets: tuple[str, ...]
    """The identities of its links to versions, in order."""

    @classmethod
    def make(cls, file: SitemapFile, element: Element) -> ListedUrl:
        """Compute the identities, which many checks compare, once."""
        url = element.get("loc")
        targets = tuple([urls.identity(link.url) for link in element.links])
        return cls(file, element, url, urls.identity(url), targets)


def find_sitemaps(
    location: FileLocation, *, seen: set[Path] | None = None
) -> list[SitemapFile]:
    """Return a sitemap, and the existing parts that it lists, each once.

    Parts beyond `MAX_INDEX_PARTS` are not returned. Files in `seen` are not returned
    again, and those that are returned are added to it.
    """
    seen = set() if seen is None else seen
    if location.path in seen:
        return []
    seen.add(location.path)
    parts: list[Part[FileLocation]] = []
    try:
        root, elements = _begin(location)
        if root == "sitemapindex":
            for element in islice(_sitemaps(elements), MAX_INDEX_PARTS):
                parts.append(_part(location, element))  # noqa: PERF401 kept if time runs out
    except FileError:  # A later reading of its elements reports it.
        parts = []
    except TimeUpError:  # The parts so far are kept.
        pass
    first = SitemapFile(location=location, parts=tuple(parts))
    found = [first]
    for part in parts:
        if part.location.path not in seen and not part.location.problem:
            seen.add(part.location.path)
            found.append(SitemapFile(location=part.location, index=first))
    return found


def listed_in(files: Iterable[SitemapFile]) -> Iterator[ListedUrl]:
    """Yield each `<url>` of the files in order, as far as they can be read; lazy."""
    for file in files:
        for element in elements_in(file):
            yield ListedUrl.make(file, element)


def elements_in(file: SitemapFile) -> Iterator[Element]:
    """Yield each `<url>` of one file, as far as it can be read; none of an index."""
    try:
        root, elements = _begin(file.location)
        if root == "urlset":
            yield from elements
    except FileError:
        return


def parts_of(location: L) -> Iterator[Part[L]]:
    """Yield the parts of an index, each once; a sitemap of pages is its own part.

    The whole index is read before the first part is yielded.

    Raises:
        SitemapError: The file cannot be read to its end, is not a sitemap, or lists
            more parts than the protocol allows; the error names the file.
    """
    root, elements = _begin(location)
    if root == "urlset":
        yield Part(location)
        return
    if root != "sitemapindex":
        msg = f"it is not a sitemap: its root is {quoted(root)}"
        raise _error(location, msg, "name a sitemap")
    found: dict[str, Part[L]] = {}
    for element in _by_identity(elements, location).values():
        try:
            part = _part(location, element)
        except SitemapError as error:
            raise _error(location, error.problem, error.cure) from None
        found.setdefault(part.location.name, part)
    yield from found.values()


def _by_identity(elements: Iterable[Element], location: Location) -> dict[str, Element]:
    """Return the first element of each part of an index.

    Raises:
        SitemapError: The index lists more parts than the protocol allows.
    """
    found: dict[str, Element] = {}
    with_url = (element for element in _sitemaps(elements) if element.get("loc"))
    for count, element in enumerate(with_url):
        if count == MAX_INDEX_PARTS:
            msg = f"it lists more than {count:,} sitemaps"
            raise _error(location, msg, "divide it")
        found.setdefault(urls.identity(element.get("loc")), element)
    return found


def elements_of(location: Location) -> Iterator[Element]:
    """Yield each `<url>` with a `<loc>` of one file; lazy.

    Raises:
        SitemapError: The file cannot be read to its end, or is not a sitemap of pages;
            the error names the file.
    """
    root, elements = _begin(location)
    if root != "urlset":
        is_index = root == "sitemapindex"
        what = "an index, and an index lists it" if is_index else "not a sitemap"
        raise _error(location, f"it is {what}", "list only sitemaps of pages")
    is_text = _names_text(location.name)
    count = 0
    for element in elements:
        loc = element.get("loc")
        if element.name != "url" or not loc:
            continue
        if is_text and not _ABSOLUTE.fullmatch(loc):
            msg = f"{quoted(loc)} is not an absolute URL"
            raise _error(location, msg, "correct or remove the line", element.line)
        count += 1
        yield element
    if is_text and not count:
        raise _error(location, "it is empty", "build it again")


def all_elements(locations: Iterable[Location]) -> Generator[Element]:
    """Yield each `<url>` with a `<loc>` of sitemaps, and of the parts of indexes; lazy.

    Each file is read once.

    Raises:
        SitemapError: As `parts_of` and `elements_of`.
    """
    seen = set()
    for location in locations:
        for part in parts_of(location):
            if part.location.name not in seen:
                seen.add(part.location.name)
                yield from elements_of(part.location)


def _begin(location: Location) -> tuple[str, Iterator[Element]]:
    """Return the name of a sitemap's root, and the root's children; lazy.

    Raises:
        SitemapError: As `read`, and so does reading the children.
    """
    elements = read(location)
    root = next(elements)
    return root.name, (each for each in elements if isinstance(each, Element))


def _sitemaps(elements: Iterable[Element]) -> Iterator[Element]:
    return (element for element in elements if element.name == "sitemap")


def _part(location: L, element: Element) -> Part[L]:
    url = element.get("loc")
    return Part(location.part(url), url, element.get("lastmod"), element.line)


def _error(location: Location, problem: str, cure: str, line: int = 0) -> FileError:
    where = f"{location.name}:{line}" if line else location.name
    return FileError(problem, cure=cure, place=where, line=line)
