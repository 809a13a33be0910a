"""Git's arguments and output: pathspecs, commits with their changes and moves, trees.

Paths and object names are bytes, as in git's output. This module does no I/O.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from sitemap_plugins.core.messages import GitError

LOG_ARGUMENTS = (
    "-z",
    "--raw",
    "-c",
    "--no-abbrev",
    "--no-renames",
    "--format=%H %ct %at %P",
)
"""Arguments of `git log` for the format that `parse_log` reads."""

MAX_PATHSPECS = 8
"""Git compares every change with each: with 30, a walk takes up to twice as long."""

_ABSENT = frozenset({b"0" * 40, b"0" * 64})
# The empty blob in both of git's hash functions: that two empty files are equal proves
# no move.
_EMPTY = frozenset(
    {
        b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)


class Change(NamedTuple):
    """A change of one path's content."""

    path: bytes
    """Relative to the repository's root."""

    before: bytes
    """Blob in the parent, in the first one of a merge; empty without the path."""

    after: bytes
    """Blob in the commit; empty without the path."""

    moved_from: bytes = b""
    """The old path, where the log finds renames."""


class Commit(NamedTuple):
    """One commit of a log."""

    id: bytes
    """Full object name."""

    time: int | None
    """The committer's, in seconds since 1970 (UTC); None where git cannot read it."""

    parents: tuple[bytes, ...]
    """The commit's parents, in order."""

    changes: Sequence[Change]
    """Within the log's pathspecs; of a merge, paths that differ from all parents."""

    authored: int | None = None
    """The author's, as `time`; earlier than `time` if the commit was rebased or applied
    as a patch."""

    @property
    def first_parent(self) -> bytes:
        """The first of the parents; empty for a commit without any."""
        return self.parents[0] if self.parents else b""


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
            # Git writes a line break between a commit and its first change.
            if item.startswith((b"\n:", b":")):
                change = _change(item, items)
                if change is not None:
                    changes.append(change)
            elif item:  # An empty item follows each merge.
                if head:
                    yield _commit(head, changes)
                head = item
                changes = []
        if head:
            yield _commit(head, changes)
    except (IndexError, ValueError):
        raise GitError(
            "cannot parse the output of `git log`",
            cure="report it with the output of `git --version`",
            code="git-failed",
        ) from None


def _commit(head: bytes, changes: Sequence[Change]) -> Commit:
    # The head has the fields of `--format` in `LOG_ARGUMENTS`.
    name, time, authored, parents = head.split(b" ", 3)
    return Commit(
        id=name,
        time=_seconds(time),
        parents=tuple(parents.split()),
        changes=changes,
        authored=_seconds(authored),
    )


def _seconds(text: bytes) -> int | None:
    return int(text) if text else None


def parse_changes(listing: bytes) -> list[Change]:
    """Read the changes in the bytes of `git diff --raw -z`."""
    items = _items([listing])
    changes = (_change(item, items) for item in items)
    return [change for change in changes if change is not None]


def _change(entry: bytes, items: Iterator[bytes]) -> Change | None:
    """Read one change: `:<mode>… <blob>… <kind>`, then the path as the next item.

    The modes and blobs are those of each parent, and last that of the commit. If the
    kind is that of a rename, the old path comes before the new one. A change of the
    mode alone gives None.
    """
    words = entry.split(b" ")
    kind = words[-1]
    *olds, new = words[len(words) // 2 : -1]
    old = olds[0]
    path = next(items, b"")
    if kind.startswith(b"R"):
        return Change(next(items, b""), old, new, path)
    if new in olds:
        return None
    return Change(path, _present(old), _present(new))


def _present(blob: bytes) -> bytes:
    # For a path that is missing, git writes zeros.
    return b"" if blob in _ABSENT else blob


def _items(chunks: Iterable[bytes]) -> Iterator[bytes]:
    # Each item ends in NUL; a chunk can end within an item.
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole


def parse_tree(listing: bytes) -> dict[bytes, bytes]:
    """Return the blob of each regular file by its path; from `git ls-tree -r -z`."""
    found = {}
    for line in listing.split(b"\0"):
        entry, _, path = line.partition(b"\t")
        mode, _, blob = entry.partition(b" blob ")
        if mode in {b"100644", b"100755"}:
            found[path] = blob
    return found


def parse_status(listing: bytes) -> set[bytes]:
    """Return the paths that `git status --porcelain=v1 -z --no-renames` prints."""
    return {line[3:] for line in listing.split(b"\0") if line}


def parse_filters(listing: bytes, filters: Collection[bytes]) -> set[bytes]:
    """Return the paths with one of these filters; from `git check-attr -z filter`."""
    items = listing.split(b"\0")
    names = zip(items[::3], items[2::3], strict=False)
    return {path for path, name in names if name in filters}


def moves(changes: Iterable[Change]) -> dict[bytes, bytes]:
    """Return the old path of each file that a commit only moved, by its new path.

    Each deleted path serves one added path with the same blob, first one with the same
    name.

    >>> moves([(b"a/x", b"1", b""), (b"b/x", b"", b"1"), (b"c", b"", b"1")])
    {b'b/x': b'a/x'}
    """
    old: dict[bytes, list[bytes]] = defaultdict(list)
    new: dict[bytes, list[bytes]] = defaultdict(list)
    for path, before, after, *_ in sorted(changes):
        if not after:
            old[before].append(path)
        elif not before:
            new[after].append(path)
    pairs: dict[bytes, bytes] = {}
    for blob in old.keys() & new.keys():
        pairs |= _pairs(old[blob], new[blob], is_empty=blob in _EMPTY)
    return pairs


def _pairs(
    old: Sequence[bytes], new: Iterable[bytes], *, is_empty: bool
) -> dict[bytes, bytes]:
    """Return the deleted path from which each added one was moved, by the added path.

    All these files have one content; both lists are ascending. A deleted file of the
    same name is taken first. Any other one will do, as the content is the same; but an
    empty file shows nothing of where it was, so that its name must be the same.
    """
    gone: dict[bytes, list[bytes]] = defaultdict(list)
    for path in reversed(old):  # The last of each list is taken first.
        gone[_name(path)].append(path)
    pairs = {}
    others = []
    for path in new:
        same_name = gone[_name(path)]
        if same_name:
            pairs[path] = same_name.pop()
        else:
            others.append(path)
    if not is_empty:
        rest = sorted(chain.from_iterable(gone.values()))
        pairs.update(zip(others, rest, strict=False))
    return pairs


def namesakes(
    changes: Iterable[Change], moved: Mapping[bytes, bytes]
) -> dict[bytes, Change]:
    """Return the deletion that belongs to each added path.

    A deletion belongs to an added path if each is the only one of its file name.
    `moved` are the moves among the changes.

    >>> deleted, added = Change(b"a/x", b"1", b""), Change(b"b/x", b"", b"2")
    >>> namesakes([deleted, added], {}) == {b"b/x": deleted}
    True
    """
    old: dict[bytes, list[Change]] = defaultdict(list)
    new: dict[bytes, list[Change]] = defaultdict(list)
    known = {*moved, *moved.values()}
    for change in changes:
        if change.path in known:
            continue
        if not change.after:
            old[_name(change.path)].append(change)
        elif not change.before:
            new[_name(change.path)].append(change)
    pairs = {}
    for name, added in new.items():
        deleted = old.get(name, [])
        if len(added) == len(deleted) == 1:
            pairs[added[0].path] = deleted[0]
    return pairs


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def cover_paths(paths: Collection[bytes]) -> list[bytes]:
    """Return a few files and folders that cover all paths, sorted.

    The result is empty for the whole repository. The folders with most files replace
    their files, so that a single file elsewhere (a README at the root, included as a
    snippet) does not widen a walk.

    >>> cover_paths([b"README.md", *(b"docs/%d.md" % number for number in range(99))])
    [b'README.md', b'docs']
    """
    specs = set(paths)
    while len(specs) > MAX_PATHSPECS:
        counts = Counter(spec.rpartition(b"/")[0] for spec in specs)
        if len(counts) > 1:
            del counts[b""]  # The root covers everything: the last resort.
        most = max(counts.values())
        # Folders with at least half as many files as the fullest one.
        full = {folder for folder, count in counts.items() if 2 * count >= most}
        if b"" in full:
            return []
        outermost = set()
        outer = b""
        # With its slash, a folder is sorted right before what is in it.
        for path in sorted(spec + b"/" for spec in specs | full):
            if not (outer and path.startswith(outer)):
                outermost.add(path[:-1])
                outer = path
        specs = outermost
    return sorted(specs)


def is_covered(path: bytes, pathspecs: Collection[bytes]) -> bool:
    """Tell whether a path is one of these files or below one of these folders."""
    if not pathspecs:
        return True
    return any(path == s or path.startswith(s + b"/") for s in pathspecs)
