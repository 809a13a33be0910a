"""What the heads of built pages say, kept in a file for the next build.

If one page has changed, a third of our time would go into reading and parsing the heads
of all. So the next build reads again only pages whose files have another size or time.
This helps hosts that leave unchanged pages as they are: Sphinx does, MkDocs and Pelican
write every page in each build.

The file is JSON: whatever is in it, reading it runs nothing.
"""

from __future__ import annotations

from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from sitemap_plugins.core.html.head import HeadMeta, read_head_of
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.untrusted_files import (
    checked_values,
    read_sealed,
    write_sealed,
)

_CLOSE = 2
"""Seconds within which two versions of a file can have one time (FAT)."""

_KINDS = get_type_hints(HeadMeta)
"""What each value of a head is, in their order."""


class _Kept(NamedTuple):
    """One page's head."""

    size: int
    """The size of the page's file in bytes."""

    time: int
    """When the file was last changed, in nanoseconds since 1970."""

    head: HeadMeta


class KeptHeads:
    """The heads of one site's pages, each read once until its file changes."""

    def __init__(self, file: Path, now: datetime) -> None:
        """Read what the last build kept in a file, if it did.

        A file of another version of this package, or of the parser, is not used.
        """
        self._file = file
        self._before = read_sealed(file, _parse, *_makers()) or {}
        self._kept: dict[str, _Kept] = {}
        # What changes a file after this gives it another time.
        self._settled = int((now.timestamp() - _CLOSE) * 1e9)

    def of(self, page: Path) -> HeadMeta | None:
        """Return the head of a built page; None if its file cannot be read."""
        name = str(page)
        try:
            status = page.stat()
            kept = self._before.get(name)
            if kept and kept[:2] == (status.st_size, status.st_mtime_ns):
                self._kept[name] = kept
                return kept.head
            head = read_head_of(page)
        except (OSError, PageError):
            return None
        if status.st_mtime_ns < self._settled:
            self._kept[name] = _Kept(status.st_size, status.st_mtime_ns, head)
        return head

    def write(self) -> None:
        """Keep the heads that were read, unless the file has just these.

        Raises:
            OSError: The file cannot be written.
        """
        if self._kept == self._before:
            return
        write_sealed(self._file, self._kept, *_makers())


def _makers() -> list[str]:
    """Return what decides which head is read of a page, and how it is kept."""
    return [version("sitemap-plugins"), version("selectolax"), *_KINDS]


def _parse(found: Any) -> dict[str, _Kept]:  # noqa: ANN401 whatever JSON holds
    kinds = [*_KINDS.values()]
    kept = {}
    for name, (size, time, values) in found.items():
        head = HeadMeta(*checked_values(values, kinds))
        kept[name] = _Kept(size, time, head)
    return kept
