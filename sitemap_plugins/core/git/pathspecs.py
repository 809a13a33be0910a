"""Paths of files → the fastest way to ask git about them.

This module does no I/O.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["cover_paths", "is_covered"]

MAX_PATHSPECS = 8
"""Git compares every change with each pathspec: with 30, a walk takes up to twice as long."""


def cover_paths(paths: Collection[bytes]) -> list[bytes]:
    """Return a few files and folders that cover all paths, sorted; none for the whole repository.

    The folders with most files replace their files, so that a single file elsewhere (a README at
    the root, included as a snippet) does not widen a walk.

    >>> cover_paths([b"README.md", *(b"docs/%d.md" % number for number in range(99))])
    [b'README.md', b'docs']
    """
    specs = set(paths)
    while len(specs) > MAX_PATHSPECS:
        counts = Counter(_folder(spec) for spec in specs)
        if len(counts) > 1:
            del counts[b""]  # The root covers everything: the last resort.
        most = max(counts.values())
        full = {folder for folder, count in counts.items() if 2 * count >= most}
        if b"" in full:
            return []
        specs = _outermost(specs | full)
    return sorted(specs)


def is_covered(path: bytes, pathspecs: Collection[bytes]) -> bool:
    """Tell whether a path is one of these files or below one of these folders."""
    return not pathspecs or any(path == s or path.startswith(s + b"/") for s in pathspecs)


def _outermost(paths: Iterable[bytes]) -> set[bytes]:
    """Return the paths without those that are inside another one."""
    kept, outer = set(), b""
    # With its slash, a folder is sorted right before what is in it.
    for path in sorted(path + b"/" for path in paths):
        if not (outer and path.startswith(outer)):
            kept.add(path[:-1])
            outer = path
    return kept


def _folder(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]
