"""Git's bytes → commits with their changes, files with their contents, edited paths.

Paths and names of objects are bytes, as git says them. This module does no I/O.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

__all__ = [
    "LOG_ARGUMENTS",
    "Change",
    "Commit",
    "commits",
    "files",
    "filtered",
    "ignored_commits",
    "pathspecs",
    "status",
]

LOG_ARGUMENTS = (
    *("-z", "--raw", "-c", "--no-abbrev", "--no-renames"),
    *("--parents", "--format=%H %ct %P"),
)
"""Arguments of `git log` for the form that `commits` reads."""

MAX_PATHSPECS = 8
"""Git compares what changed with each of them: 30 make a walk up to twice as long."""

_ABSENT = frozenset({b"0" * 40, b"0" * 64})
_OBJECT_NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Change(NamedTuple):
    """Another content of one path."""

    path: bytes
    """Relative to the repository's root."""

    before: bytes
    """Blob in the parent, in the first one of a merge; empty where the path was not there."""

    after: bytes
    """Blob in the commit; empty where the path is not there."""


class Commit(NamedTuple):
    """One commit as the log tells it."""

    id: bytes
    """Full object name."""

    time: int | None
    """The committer's, in seconds since 1970 (UTC); None where git cannot read it."""

    parents: tuple[bytes, ...]
    """In order: for each parent the nearest commit in the log that has the same files. There are
    fewer than real ones where that is one commit for two, or none because no file was there yet."""

    changes: Sequence[Change]
    """Within the log's pathspecs; those of a merge are what it has from none of its parents."""


def commits(chunks: Iterable[bytes]) -> Iterator[Commit]:
    """Read a log made with `LOG_ARGUMENTS`, lazily, in its order.

    Raises:
        GitError: The bytes are no such log.
    """
    items = _items(chunks)
    head = b""
    changes: list[Change] = []
    try:
        for item in items:
            if item.startswith((b"\n:", b":")):
                if change := _change(item, next(items, b"")):
                    changes.append(change)
            elif item:  # There is an empty one after each merge.
                if head:
                    yield _commit(head, changes)
                head, changes = item, []
        if head:
            yield _commit(head, changes)
    except (IndexError, ValueError):
        raise GitError(
            "git log says what this version cannot read: report it, with the version of git",
            code="git-failed",
        ) from None


def _commit(head: bytes, changes: Sequence[Change]) -> Commit:
    name, time, parents = head.split(b" ", 2)
    return Commit(name, int(time) if time else None, tuple(parents.split()), changes)


def _change(entry: bytes, path: bytes) -> Change | None:
    """Read `:<mode>… <blob>… <kind>`: one of each for every parent, then the commit's own.

    Another mode alone is no change.
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


def files(listing: bytes) -> dict[bytes, bytes]:
    """Return the blob of each regular file in the bytes of `git ls-tree -r -z`, by its path."""
    found = {}
    for line in listing.split(b"\0"):
        entry, _, path = line.partition(b"\t")
        mode, _, blob = entry.partition(b" blob ")
        if mode in {b"100644", b"100755"}:
            found[path] = blob
    return found


def status(listing: bytes) -> set[bytes]:
    """Return the paths in the bytes of `git status --porcelain=v1 -z --no-renames`."""
    return {line[3:] for line in listing.split(b"\0") if line}


def filtered(listing: bytes, filters: Collection[bytes]) -> set[bytes]:
    """Return the paths with one of these filters in the bytes of `git check-attr -z filter`."""
    items = listing.split(b"\0")
    return {path for path, name in zip(items[::3], items[2::3], strict=False) if name in filters}


def ignored_commits(content: bytes) -> tuple[frozenset[bytes], list[str]]:
    """Return the commits that a file for `blame.ignoreRevsFile` lists, and its wrong lines.

    A line holds one full name; a comment begins with `#`.
    """
    lines = [line.partition(b"#")[0].strip().lower() for line in content.splitlines()]
    commits = frozenset(line for line in lines if _OBJECT_NAME.fullmatch(line))
    return commits, [
        line.decode(errors="replace") for line in lines if line and line not in commits
    ]


def pathspecs(paths: Collection[bytes]) -> list[bytes]:
    """Return a few files and folders that cover all paths, sorted; none for the whole repository.

    The fullest folders stand for their files, so that a lone file in another folder (a README at
    the root, included as a snippet) does not widen a walk.

    >>> pathspecs([b"README.md", *(b"docs/%d.md" % number for number in range(99))])
    [b'README.md', b'docs']
    """
    specs = set(paths)
    while len(specs) > MAX_PATHSPECS:
        counts = Counter(_folder(spec) for spec in specs)
        if len(counts) > 1:
            del counts[b""]  # The root stands for all: last of all.
        most = max(counts.values())
        full = {folder for folder, count in counts.items() if 2 * count >= most}
        if b"" in full:
            return []
        below = tuple(folder + b"/" for folder in full)
        specs = {spec for spec in specs | full if not spec.startswith(below)}
    return sorted(specs)


def _folder(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]
