"""What a commit changed → the files that it only moved.

This module does no I/O.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemap_plugins.core.git.log import Change

__all__ = ["moves"]

# The empty blob in both of git's hash functions: that two empty files are equal proves no move.
_EMPTY = frozenset(
    {
        b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)


def moves(changes: Iterable[Change]) -> dict[bytes, bytes]:
    """Return the old path of each file that a commit moved without changing it, by its new path.

    Each deleted path serves one added path with the same blob, first one with the same name.

    >>> moves([(b"a/x", b"1", b""), (b"b/x", b"", b"1"), (b"c", b"", b"1")])
    {b'b/x': b'a/x'}
    """
    old: dict[bytes, list[bytes]] = defaultdict(list)
    new: dict[bytes, list[bytes]] = defaultdict(list)
    for path, before, after in sorted(changes):
        if not after:
            old[before].append(path)
        elif not before:
            new[after].append(path)
    pairs = {}
    for blob in old.keys() & new.keys():
        gone = _by_name(old[blob])
        for path in new[blob]:
            if same := gone[_name(path)]:
                pairs[path] = same.pop()
        if blob not in _EMPTY:
            rest = sorted(path for paths in gone.values() for path in paths)
            pairs.update(zip((path for path in new[blob] if path not in pairs), rest, strict=False))
    return pairs


def _by_name(paths: Iterable[bytes]) -> dict[bytes, list[bytes]]:
    """Group paths by their file name, each group in descending order."""
    found = defaultdict(list)
    for path in reversed([*paths]):
        found[_name(path)].append(path)
    return found


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]
