"""Entries → the files of one sitemap, named, in the order in which to write them.

`sitemap.xml` is always the name that crawlers get: the `<urlset>` itself while one file holds all
entries, the index of the parts once there are more. An index that is full is followed by
`sitemap-index-2.xml`; indexes never list each other, because crawlers refuse that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.dates import Evidence, newest
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.files import split, xml
from sitemap_plugins.core.files.names import REST, section_of
from sitemap_plugins.core.limits import MAX_BYTES, MAX_INDEX_PARTS
from sitemap_plugins.core.patterns import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sitemap_plugins.core.dates import DateOrDatetime
    from sitemap_plugins.core.entry import Entry
    from sitemap_plugins.core.options import Options

__all__ = ["File", "is_submitted", "plan_files"]

_ENTRIES_IN_CHUNK = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file to be written."""

    name: str
    """Plain name, without a folder."""

    chunks: Iterable[bytes]
    """The content, in pieces."""

    plain: bool = True
    """Whether the file is written under its own name."""

    gzip: bool = False
    """Whether a compressed twin `name.gz` is written too, or alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One `<urlset>`, whole in memory."""

    group: split.Group
    chunks: Sequence[bytes]

    def lastmod(self, removal: Evidence) -> DateOrDatetime | None:
        """Return when the file last changed: the newest date inside, or a later removal.

        None if no entry has a date, or if something can have been removed later.
        """
        date = newest(filter(None, map(attrgetter("lastmod"), self.group.entries)))
        return None if date is None else Evidence.of_all([Evidence(date), removal]).date


def plan_files(  # noqa: PLR0913 all by name
    entries: Sequence[Entry],
    base_url: str,
    options: Options,
    *,
    stylesheet: str = "",
    find_last_removal: Callable[[], Evidence] = Evidence,
    max_index_parts: int = MAX_INDEX_PARTS,
) -> Iterator[File]:
    """Yield the files lazily: parts, then the index files that list them; or one `<urlset>`.

    No entry gives no file. At most two parts are in memory at a time. Each `<urlset>` follows its
    text sitemap, if any, which no index can list.

    Args:
        entries: Ascending by URL, unique.
        base_url: Normalized.
        options: How to divide and name the files.
        stylesheet: URL of the style sheet that the files name; empty for none.
        find_last_removal: When an entry was last removed, from any part; asked if there are parts.
        max_index_parts: Parts that one index file may list.

    Raises:
        OptionsError: `max_bytes` is too small for an entry.
    """
    in_index: list[bytes] = []
    removal = Evidence()
    for part in _parts(entries, base_url, options, stylesheet):
        key = part.group.key
        if options.text:
            text = _text_chunks(part.group.entries)
            yield _file(key, text, options, part=bool(key), extension=".txt")
        file = _file(key, part.chunks, options, part=bool(key))
        if key:
            url = urls.join(base_url, file.name if file.plain else f"{file.name}.gz")
            removal = removal if in_index else find_last_removal()
            element = xml.sitemap_element(url, part.lastmod(removal), options.lastmod_format)
            in_index.append(xml.indented(element, options.indent))
        yield file
    yield from _index_files(in_index, options, stylesheet, max_index_parts)


def is_submitted(name: str, filename: str) -> bool:
    """Tell whether crawlers are given a file of the set that `filename` names; not the parts."""
    further = re.escape(filename.removesuffix(".xml")) + r"-index-\d+\.xml"
    return name == filename or re.fullmatch(further, name) is not None


def _parts(
    entries: Sequence[Entry], base_url: str, options: Options, stylesheet: str
) -> Iterator[_Part]:
    """Divide the site, into sections first if the user wants that, until each group fits a file."""
    waiting = [split.Group(entries)] if entries else []
    while waiting:
        group = waiting.pop()
        part = _part(group, options, stylesheet)
        if part is not None:
            yield part
        elif options.split == "size" or group.key:
            waiting.extend(reversed(split.halves(group)))
        else:
            name_of = partial(_section, base_url, options)
            waiting.extend(reversed(split.sections(group, name_of)))


def _section(base_url: str, options: Options, url: str) -> str:
    path = url.removeprefix(base_url)
    if isinstance(options.split, Rules):
        return options.split.first(path) or REST
    return section_of(path)


def _part(group: split.Group, options: Options, stylesheet: str) -> _Part | None:
    """Return the group's file; None where it would be too large for one."""
    if len(group.entries) > options.max_urls:
        return None
    entries = [*group.entries]  # They may be in a file, which is read once.
    header = xml.urlset_header(
        options.filename,
        group.key,
        stylesheet=stylesheet,
        links=any(map(attrgetter("links"), entries)),
        images=any(map(attrgetter("images"), entries)),
    )
    chunks = [header]
    room = options.max_bytes - len(chunks[0]) - len(xml.URLSET_FOOTER)
    for start in range(0, len(entries), _ENTRIES_IN_CHUNK):
        some = entries[start : start + _ENTRIES_IN_CHUNK]
        chunk = xml.url_elements(some, options.lastmod_format, options.indent)
        room -= len(chunk)
        if room < 0 and len(entries) == 1:
            problem = f"max_bytes = {options.max_bytes} has no room for one entry of"
            raise OptionsError(f"{problem} {len(chunk)} bytes", cure="raise it")
        if room < 0:
            return None
        chunks.append(chunk)
    chunks.append(xml.URLSET_FOOTER)
    return _Part(group=replace(group, entries=entries), chunks=chunks)


def _text_chunks(entries: Sequence[Entry]) -> Iterator[bytes]:
    """Yield a text sitemap; it is smaller than the XML, so that it has room in one file too."""
    return (f"{entry.url}\n".encode() for entry in entries)


def _index_files(
    elements: Sequence[bytes], options: Options, stylesheet: str, most: int
) -> Iterator[File]:
    """Yield the files of an index that lists these elements, at most so many in each."""
    if not elements:
        return
    header_of = partial(xml.index_header, options.filename, stylesheet=stylesheet)
    frame = len(header_of("index-50000")) + len(xml.INDEX_FOOTER)
    step = min(most, (MAX_BYTES - frame) // max(map(len, elements)))
    for number, start in enumerate(range(0, len(elements), step), start=1):
        key = f"index-{number}" if number > 1 else ""
        chunks = [header_of(key), *elements[start : start + step], xml.INDEX_FOOTER]
        yield _file(key, chunks, options, part=False)


def _file(
    key: str, chunks: Iterable[bytes], options: Options, *, part: bool, extension: str = ".xml"
) -> File:
    """Return a file; `part` says whether it is one of several."""
    stem = options.filename.removesuffix(".xml")
    only = options.gzip == "only"
    return File(
        name=f"{stem}-{key}{extension}" if key else f"{stem}{extension}",
        chunks=chunks,
        plain=not (part and only),
        gzip=part if only else bool(options.gzip),
    )
