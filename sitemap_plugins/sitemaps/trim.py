"""The files of a sitemap without some of their entries, every other byte as it was.

What is left is read again: it must list what the file listed before, except for those entries.
Otherwise the file is left alone. This module writes no file.
"""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import FileError
from sitemap_plugins.core.files.read import GZIP, Element, unpacked
from sitemap_plugins.core.limits import MAX_BYTES
from sitemap_plugins.core.untrusted_files import is_file, read_regular_file
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import find_sitemaps, read_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["trimmed"]


def trimmed(folder: Path, is_unwanted: Callable[[str], bool]) -> Iterator[tuple[Path, bytes]]:
    """Yield each file of a folder's sitemap that lists unwanted URLs, with its new content.

    The content is empty for a file without any other URL, as crawlers treat a list of nothing as a
    fault: it is to be removed, after the index that lists it is replaced. Compressed twins are
    trimmed too; links are not followed.
    """
    sitemap = next(filter(is_file, (folder / "sitemap.xml", folder / "sitemap.xml.gz")), None)
    if sitemap is None:
        return
    first, *parts = find_sitemaps(FileLocation(sitemap))
    emptied = []
    unlisted: set[str] = set()
    for file in (*parts, first):
        plain = file.path.with_name(file.path.name.removesuffix(".gz"))
        for each in (plain, plain.with_name(f"{plain.name}.gz")):
            new = _left(each, folder, lambda url: url in unlisted or is_unwanted(url))
            if new:
                yield each, new
            elif new is not None:
                emptied.append((each, new))
                unlisted.update(p.url for p in first.parts if p.location.path == each)
    yield from reversed(emptied)  # An index before its parts.


def _left(file: Path, top: Path, is_unwanted: Callable[[str], bool]) -> bytes | None:
    """Return a file's new content, empty without an entry; None to leave it as it is."""
    try:
        packed = read_regular_file(file, max_bytes=MAX_BYTES, root=top)
        old = unpacked(io.BytesIO(packed)).readall()
        root, entries = _listed(old)
        name = b"sitemap" if root == "sitemapindex" else b"url"
        *texts, end = old.split(b"</%s>" % name)
        new, wanted = [], []
        for text, entry in zip(texts, entries, strict=True):
            if is_unwanted(entry.get("loc")):
                new.append(text.rpartition(b"<%s>" % name)[0].rstrip())
            else:
                new.append(b"%s</%s>" % (text, name))
                wanted.append(entry)
        left = b"".join((*new, end))
        if left == old or _listed(left) != (root, wanted):
            return None
    except (OSError, FileError, ValueError):  # Nothing to read, or entries that are not plain.
        return None
    if not wanted:
        return b""
    return gzip.compress(left, mtime=0) if packed.startswith(GZIP) else left


def _listed(content: bytes) -> tuple[str, list[Element]]:
    """Return the root's name and what the file lists, wherever that is in it."""
    root, *found = read_stream(unpacked(io.BytesIO(content)), "")
    return root.name, [each._replace(line=0) for each in found if isinstance(each, Element)]
