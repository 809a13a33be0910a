"""The files of a sitemap on disk: the index, its parts, and what each holds, streamed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.dates import parse_date
from sitemap_plugins.core.errors import FileError, PageError
from sitemap_plugins.core.files.parts import part_file
from sitemap_plugins.core.files.read import Element, Root, open_sitemap, read_sitemap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sitemap_plugins.core.dates import DateOrDatetime
    from sitemap_plugins.core.files.read import LanguageLink

__all__ = [
    "Listed",
    "Part",
    "SitemapFile",
    "find_sitemaps",
    "listed_in",
    "parse_lastmod",
    "parts_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """One file that is to be checked."""

    path: Path

    name: str
    """As the user knows it, for messages."""

    root: Root | None = None
    """None where it cannot be read."""

    error: FileError | None = None
    """Why it cannot be read to its end."""

    parts: tuple[Part, ...] = ()
    """What an index lists."""

    index: SitemapFile | None = None
    """The index that lists it."""


class Part(NamedTuple):
    """One `<sitemap>` of an index."""

    url: str
    lastmod: str
    line: int
    path: Path
    """Where its file is or would be, below the index's folder."""


class Listed(NamedTuple):
    """One `<url>` where it stands."""

    file: SitemapFile
    element: Element

    url: str
    """The text of `<loc>`; empty without one."""

    @property
    def links(self) -> tuple[LanguageLink, ...]:
        """The links to its versions."""
        return self.element.links


def find_sitemaps(path: Path, name: str) -> list[SitemapFile]:
    """Return a sitemap, and the parts that it lists and that are there, each once."""
    first = _look_at(path, name)
    found = [first]
    seen = {path}
    for part in first.parts:
        if part.path not in seen and part.path.is_file():
            seen.add(part.path)
            below = part.path.relative_to(path.parent).as_posix()
            folder = name.rpartition("/")[0]
            found.append(_look_at(part.path, f"{folder}/{below}" if folder else below, first))
    return found


def listed_in(files: Iterable[SitemapFile]) -> Iterator[Listed]:
    """Yield each `<url>` of the files in order, as far as they can be read; lazy, and anew."""
    for file in files:
        if file.root is not None and file.root.name == "urlset":
            for element in _elements(file.path):
                if isinstance(element, Element):
                    yield Listed(file, element, element.get("loc"))


def parts_of(path: Path, elements: Iterable[Root | Element]) -> Iterator[Part]:
    """Yield what an index lists; a part's file is looked for below the index, by its name."""
    for element in elements:
        if isinstance(element, Element) and element.name == "sitemap":
            url = element.get("loc")
            yield Part(url, element.get("lastmod"), element.line, part_file(path, url))


@lru_cache(maxsize=4_096)
def parse_lastmod(text: str) -> DateOrDatetime | None:
    """Return what a `<lastmod>` says; None where it says nothing that is a date."""
    try:
        return parse_date(text) if text else None
    except PageError:
        return None


def _look_at(path: Path, name: str, index: SitemapFile | None = None) -> SitemapFile:
    """Read a file as far as it must be read to know what it is."""
    root = None
    parts: tuple[Part, ...] = ()
    try:
        with open_sitemap(path) as stream:
            elements = read_sitemap(stream)
            first = next(elements, None)
            root = first if isinstance(first, Root) else None
            if root is not None and root.name == "sitemapindex":
                parts = tuple(parts_of(path, elements))
    except OSError as error:
        reason = FileError(f"it cannot be read ({error.strerror}): check the file")
        return SitemapFile(path=path, name=name, error=reason, index=index)
    except FileError as error:
        return SitemapFile(path=path, name=name, root=root, error=error, index=index)
    return SitemapFile(path=path, name=name, root=root, parts=parts, index=index)


def _elements(path: Path) -> Iterator[Root | Element]:
    try:
        with open_sitemap(path) as stream:
            yield from read_sitemap(stream)
    except (OSError, FileError):  # `file_checks` says it.
        return
