"""Git's output → commits with their changes, blobs of files, edited paths, paths with filters.

Paths and object names are bytes, as in git's output. This module does no I/O.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

__all__ = [
    "LOG_ARGUMENTS",
    "Change",
    "Commit",
    "parse_filters",
    "parse_log",
    "parse_status",
    "parse_tree",
]

LOG_ARGUMENTS = ("-z", "--raw", "-c", "--no-abbrev", "--no-renames", "--format=%H %ct %P")
"""Arguments of `git log` for the format that `parse_log` reads."""

_ABSENT = frozenset({b"0" * 40, b"0" * 64})


class Change(NamedTuple):
    """A change of one path's content."""

    path: bytes
    """Relative to the repository's root."""

    before: bytes
    """Blob in the parent, in the first one of a merge; empty where the path was not there."""

    after: bytes
    """Blob in the commit; empty where the path is not there."""


class Commit(NamedTuple):
    """One commit of a log."""

    id: bytes
    """Full object name."""

    time: int | None
    """The committer's, in seconds since 1970 (UTC); None where git cannot read it."""

    parents: tuple[bytes, ...]
    """In order. With `--parents` the nearest commit in the log that has the same files, for each:
    fewer than real ones where that is one commit for two, or none because no file was there yet."""

    changes: Sequence[Change]
    """Within the log's pathspecs; for a merge, paths that differ from all of its parents."""


def parse_log(chunks: Iterable[bytes]) -> Iterator[Commit]:
    """Read a log made with `LOG_ARGUMENTS`, lazily, in its order.

    Raises:
        GitError: The bytes are not such a log.
    """
    items = _items(chunks)
    head = b""
    changes: list[Change] = []
    try:
        for item in items:
            if item.startswith((b"\n:", b":")):
                if change := _change(item, next(items, b"")):
                    changes.append(change)
            elif item:  # An empty item follows each merge.
                if head:
                    yield _commit(head, changes)
                head, changes = item, []
        if head:
            yield _commit(head, changes)
    except (IndexError, ValueError):
        raise GitError(
            "cannot parse the output of `git log`",
            cure="report it with the output of `git --version`",
            code="git-failed",
        ) from None


def _commit(head: bytes, changes: Sequence[Change]) -> Commit:
    name, time, parents = head.split(b" ", 2)
    return Commit(name, int(time) if time else None, tuple(parents.split()), changes)


def _change(entry: bytes, path: bytes) -> Change | None:
    """Read `:<mode>… <blob>… <kind>`: one of each for every parent, then the commit's own.

    A change of the mode alone gives None.
    """
    words = entry.split(b" ")
    *olds, new = words[len(words) // 2 : -1]
    old = olds[0]
    if new in olds:
        return None
    return Change(path, b"" if old in _ABSENT else old, b"" if new in _ABSENT else new)


def _items(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole


def parse_tree(listing: bytes) -> dict[bytes, bytes]:
    """Return the blob of each regular file in the bytes of `git ls-tree -r -z`, by its path."""
    found = {}
    for line in listing.split(b"\0"):
        entry, _, path = line.partition(b"\t")
        mode, _, blob = entry.partition(b" blob ")
        if mode in {b"100644", b"100755"}:
            found[path] = blob
    return found


def parse_status(listing: bytes) -> set[bytes]:
    """Return the paths in the bytes of `git status --porcelain=v1 -z --no-renames`."""
    return {line[3:] for line in listing.split(b"\0") if line}


def parse_filters(listing: bytes, filters: Collection[bytes]) -> set[bytes]:
    """Return the paths with one of these filters in the bytes of `git check-attr -z filter`."""
    items = listing.split(b"\0")
    return {path for path, name in zip(items[::3], items[2::3], strict=False) if name in filters}
