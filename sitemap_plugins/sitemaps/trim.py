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


def trimmed(
    folder: Path, is_unwanted: Callable[[str], bool]
) -> Iterator[tuple[Path, bytes | None]]:
    """Yield each file of a folder's sitemap that lists unwanted URLs, with its new content.

    The content is None for a file without any other URL, as crawlers treat an empty one as a
    fault: it is to be removed, after the index that lists it is replaced. Compressed twins are
    trimmed too; links are not followed.
    """
    sitemap = next(filter(is_file, (folder / "sitemap.xml", folder / "sitemap.xml.gz")), None)
    if sitemap is None:
        return
    first, *parts = find_sitemaps(FileLocation(sitemap))
    emptied: list[Path] = []
    unwanted: set[str] = set()
    for file in (*parts, first):
        plain = file.path.with_name(file.path.name.removesuffix(".gz"))
        for each in (plain, plain.with_name(f"{plain.name}.gz")):
            of_index = file is first and first.parts
            new = _left(each, folder, unwanted.__contains__ if of_index else is_unwanted)
            if new:
                yield each, new
            elif new is not None:
                emptied.append(each)
                unwanted |= {part.url for part in first.parts if part.location.path == each}
    yield from ((each, None) for each in reversed(emptied))  # An index before its parts.


def _left(file: Path, top: Path, is_unwanted: Callable[[str], bool]) -> bytes | None:
    """Return a file's new content, empty without an entry; None to leave it as it is."""
    try:
        packed = read_regular_file(file, max_bytes=MAX_BYTES, root=top)
        old = unpacked(io.BytesIO(packed)).readall()
        root, entries = _listed(old)
        wanted = [each for each in entries if not is_unwanted(each.get("loc"))]
        end = b"</sitemap>" if root == "sitemapindex" else b"</url>"
        *texts, last = old.split(end)
        if len(wanted) == len(entries) or len(texts) != len(entries):
            return None
        kept = [
            text.rpartition(end.replace(b"/", b""))[0].rstrip()
            if is_unwanted(each.get("loc"))
            else text + end
            for text, each in zip(texts, entries, strict=True)
        ]
        new = b"".join((*kept, last))
        if _listed(new) != (root, wanted):
            return None
    except (OSError, FileError):
        return None
    if not wanted:
        return b""
    return gzip.compress(new, mtime=0) if packed.startswith(GZIP) else new


def _listed(content: bytes) -> tuple[str, list[Element]]:
    """Return the root's name and what the file lists, wherever that is in it."""
    root, *found = read_stream(unpacked(io.BytesIO(content)), "")
    return root.name, [each._replace(line=0) for each in found if isinstance(each, Element)]
