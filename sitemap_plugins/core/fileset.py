"""Entries → the files of one sitemap, named, in the order in which to write them.

`sitemap.xml` is always the name that crawlers get: the `<urlset>` itself while one file holds all
entries, the index of `sitemap-1.xml` … once there are more. An index that is full is followed by
`sitemap-index-2.xml`; indexes never list each other, because crawlers refuse that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from sitemap_plugins.core import encode, split, urls
from sitemap_plugins.core.protocol import MAX_BYTES, MAX_INDEX_PARTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_plugins.core.entries import Entry
    from sitemap_plugins.core.options import Options

__all__ = ["File", "from_entries"]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file to be written."""

    name: str
    """Plain name, without a folder."""

    chunks: Iterable[bytes]
    """The content, in pieces."""

    gzip: bool = False
    """Whether a compressed twin `name.gz` is written too."""

    submitted: bool = False
    """Whether crawlers get this file's name; they find the others in it."""


def from_entries(
    entries: Sequence[Entry], options: Options, *, max_index_parts: int = MAX_INDEX_PARTS
) -> Iterator[File]:
    """Yield the files lazily: parts, then the index files that list them; or one `<urlset>`.

    No entry gives no file. At most two parts are in memory at a time. The text sitemap, which no
    index can list, comes first.

    Raises:
        OptionsError: `max_bytes` is too small for an entry.
    """
    if options.text:
        yield from _text_files(entries, options)
    parts = _parts(entries, options)
    first_two = list(islice(parts, 2))
    if len(first_two) < 2:
        yield from (_file(part, options, submitted=True) for part in first_two)
        return
    in_index: list[split.Element] = []
    # Taken out of the list, so that no part stays in memory for its sake.
    for part in chain((first_two.pop(0) for _ in range(2)), parts):
        file = _file(part, options, suffix=f"-{part.number}")
        url = urls.join(options.base_url, file.name)
        element = _element(
            encode.sitemap_element(url, part.lastmod, options.lastmod_format), options
        )
        in_index.append((element, part.lastmod))
        yield file
    frame = split.Frame(
        head=encode.index_head(options.filename),
        foot=encode.INDEX_FOOT,
        max_elements=max_index_parts,
        max_bytes=MAX_BYTES,
    )
    for index in split.into_parts(in_index, frame):
        suffix = "" if index.number == 1 else f"-index-{index.number}"
        yield _file(index, options, suffix=suffix, submitted=True)


def _parts(entries: Sequence[Entry], options: Options) -> Iterator[split.Part]:
    how = options.lastmod_format
    frame = split.Frame(
        head=encode.urlset_head(options.filename, links=any(entry.links for entry in entries)),
        foot=encode.URLSET_FOOT,
        max_elements=options.max_urls,
        max_bytes=options.max_bytes,
    )
    return split.into_parts(
        ((_element(encode.url_element(entry, how), options), entry.lastmod) for entry in entries),
        frame,
    )


def _element(element: bytes, options: Options) -> bytes:
    return encode.indented(element, options.indent) if options.indent else element


def _text_files(entries: Sequence[Entry], options: Options) -> Iterator[File]:
    """Yield `sitemap.txt`; once that is full `sitemap-2.txt`, and so on."""
    frame = split.Frame(
        head=b"", foot=b"", max_elements=options.max_urls, max_bytes=options.max_bytes
    )
    for part in split.into_parts(((f"{e.url}\n".encode(), None) for e in entries), frame):
        suffix = "" if part.number == 1 else f"-{part.number}"
        yield _file(part, options, suffix=suffix, extension=".txt")


def _file(
    part: split.Part,
    options: Options,
    *,
    suffix: str = "",
    extension: str = ".xml",
    submitted: bool = False,
) -> File:
    name = f"{options.filename.removesuffix('.xml')}{suffix}{extension}"
    return File(name=name, chunks=part.chunks, gzip=options.gzip, submitted=submitted)
