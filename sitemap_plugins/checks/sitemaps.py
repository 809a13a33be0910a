"""The files of a sitemap on disk: the index, its parts, and what each holds, streamed.

A sitemap is XML, or a text file with one URL in each line (sitemaps.org, protocol, "Text file").
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import FileError
from sitemap_plugins.core.files.parts import part_file
from sitemap_plugins.core.files.read import Element, Root, open_sitemap, read_sitemap, refuse_html
from sitemap_plugins.core.limits import MAX_INDEX_PARTS, SITEMAP_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from sitemap_plugins.core.codes import Code, Severity
    from sitemap_plugins.core.files.read import LanguageLink, SitemapStream

    Locate = Callable[[str], tuple[Path, str] | None]
    """The URL of a part → its file, and why that is not there (empty if it is); None to stop."""

__all__ = [
    "Listed",
    "Part",
    "SitemapFile",
    "elements_of",
    "find_sitemaps",
    "listed_in",
]

_BLOCK_BYTES = 64 * 1024
_LINE_BYTES = 16 * 1024
"""Of one line of a text sitemap; what is longer is no URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """One file that is to be checked."""

    path: Path

    name: str
    """As the user knows it, for messages."""

    url: str = ""
    """Where it was fetched; empty for a file that was there."""

    root: Root | None = None
    """None where it cannot be read."""

    error: FileError | None = None
    """Why it cannot be read to its end."""

    parts: tuple[Part, ...] = ()
    """What an index lists, at most `MAX_INDEX_PARTS`."""

    index: SitemapFile | None = None
    """The index that lists it."""


class Part(NamedTuple):
    """One `<sitemap>` of an index."""

    url: str
    lastmod: str
    line: int
    path: Path
    """Where its file would be."""
    problem: str
    """Why it is not there, after its URL; empty where it is."""


class Listed(NamedTuple):
    """One `<url>` where it stands."""

    file: SitemapFile
    element: Element

    url: str
    """The text of `<loc>`; empty without one."""

    identity: str
    """What the URL compares by: `urls.identity`."""

    targets: tuple[str, ...]
    """What the links to its versions compare by, in order."""

    @classmethod
    def make(cls, file: SitemapFile, element: Element) -> Listed:
        """Work out once what many checks compare by."""
        url = element.get("loc")
        targets = tuple(urls.identity(link.url) for link in element.links)
        return cls(file, element, url, urls.identity(url), targets)

    @property
    def links(self) -> tuple[LanguageLink, ...]:
        """The links to its versions."""
        return self.element.links

    def finding(
        self,
        code: Code,
        problem: str,
        cure: str = "",
        *,
        about: str = "",
        matters: Severity | None = None,
    ) -> Finding:
        """Return what is wrong with it, and where; `about` and `matters` as in `Finding`."""
        return Finding(
            code,
            problem,
            cure,
            url=self.url,
            file=self.file.name,
            line=self.element.line,
            about=about,
            matters=matters,
        )


def find_sitemaps(
    path: Path,
    name: str,
    *,
    url: str = "",
    locate: Locate | None = None,
    seen: set[Path] | None = None,
) -> list[SitemapFile]:
    """Return a sitemap, and the parts that it lists and that are there, each once.

    Parts are looked for in its folder and below, by the ends of their URLs, unless `locate` finds
    them; those beyond `MAX_INDEX_PARTS` are not. Files in `seen` are not returned again, and those
    that are returned are added to it.
    """
    seen = set() if seen is None else seen
    if path in seen:
        return []
    locate = locate or _below(path)
    first = _look_at(path, name, url=url, locate=locate)
    found = [first]
    seen.add(path)
    for part in first.parts:
        if part.path not in seen and not part.problem:
            seen.add(part.path)
            if url:
                found.append(_look_at(part.path, part.url, url=part.url, index=first))
            else:
                below = part.path.relative_to(path.parent).as_posix()
                beside = f"{folder}/{below}" if (folder := name.rpartition("/")[0]) else below
                found.append(_look_at(part.path, beside, index=first))
    return found


def listed_in(files: Iterable[SitemapFile]) -> Iterator[Listed]:
    """Yield each `<url>` of the files in order, as far as they can be read; lazy, and anew."""
    for file in files:
        if file.root is not None and file.root.name == "urlset":
            yield from _listed(file)


def elements_of(file: SitemapFile, stream: SitemapStream) -> Iterator[Root | Element]:
    """Yield the root of a sitemap, then each of its children; lazy.

    A wrong namespace of the root is one fault: its children are named as in the right one.

    Raises:
        FileError: It cannot be read to its end.
    """
    elements = _lines(stream) if _is_text(file.name) else read_sitemap(stream)
    root = next(elements, None)
    if isinstance(root, Root) and root.namespace not in {"", SITEMAP_NAMESPACE}:
        elements = _without(f"{{{root.namespace}}}", elements)
    return elements if root is None else chain([root], elements)


def _without(prefix: str, elements: Iterable[Root | Element]) -> Iterator[Root | Element]:
    """Yield the children of a root with names without a prefix."""
    for element in elements:
        if isinstance(element, Element):
            fields = tuple((name.removeprefix(prefix), text) for name, text in element.fields)
            yield element._replace(name=element.name.removeprefix(prefix), fields=fields)


def _below(index: Path) -> Locate:
    def locate(url: str) -> tuple[Path, str]:
        file = part_file(index, url)
        return file, "" if file.is_file() else "does not exist"

    return locate


def _parts(elements: Iterable[Root | Element], locate: Locate) -> Iterator[Part]:
    listed = (each for each in elements if isinstance(each, Element) and each.name == "sitemap")
    for element in islice(listed, MAX_INDEX_PARTS):
        url = element.get("loc")
        if (found := locate(url)) is None:
            return
        yield Part(url, element.get("lastmod"), element.line, *found)


def _look_at(
    path: Path,
    name: str,
    *,
    url: str = "",
    locate: Locate | None = None,
    index: SitemapFile | None = None,
) -> SitemapFile:
    """Read a file as far as it must be read to know what it is; its parts if `locate` is there."""
    file = SitemapFile(path=path, name=name, url=url, index=index)
    root = None
    try:
        with open_sitemap(path) as stream:
            elements = elements_of(file, stream)
            first = next(elements, None)
            root = first if isinstance(first, Root) else None
            if root is not None and root.name == "sitemapindex" and locate:
                return replace(file, root=root, parts=tuple(_parts(elements, locate)))
    except FileError as error:
        return replace(file, root=root, error=error)
    return replace(file, root=root)


def _listed(file: SitemapFile) -> Iterator[Listed]:
    try:
        with open_sitemap(file.path) as stream:
            for element in elements_of(file, stream):
                if isinstance(element, Element):
                    yield Listed.make(file, element)
    except FileError:  # `file_checks` says it.
        return


def _is_text(name: str) -> bool:
    return name.lower().partition("?")[0].removesuffix(".gz").endswith(".txt")


def _lines(stream: SitemapStream) -> Iterator[Root | Element]:
    """Yield what the same URLs in XML would be."""
    yield Root(name="urlset", namespace=SITEMAP_NAMESPACE, line=1)
    for number, line in enumerate(_split(stream), 1):
        if text := line.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").strip():
            yield Element("url", number, (("loc", text),))


def _split(stream: SitemapStream) -> Iterator[bytes]:
    rest = b""
    while block := stream.read(_BLOCK_BYTES):
        if stream.size == len(block):  # The first one.
            refuse_html(block)
        # A line without an end would be kept, and searched, time and again.
        *lines, rest = (rest[:_LINE_BYTES] + block).split(b"\n")
        yield from lines
    yield rest
