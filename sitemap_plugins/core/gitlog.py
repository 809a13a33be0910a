"""Git's log bytes → for each path, the newest commit that changed its content.

The files are handed down the history, from each commit to the parent that has the same content,
until a commit is met that changed it: what `git log -1 -- <file>` does for one file, for all files
in one walk. Three things are no change: another mode, a move of the unchanged file, and what a
commit on the list of ignored ones did.

The log must hold every commit below the starts, with its real parents and its changes against the
first one. The combined form (`-c`) tells what a merge changed itself, but not which parent it has a
file from, and so cannot see that one of two equal changes was discarded.

Paths and names of objects are bytes, as git says them. This module does no I/O.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

__all__ = [
    "LOG_ARGUMENTS",
    "Change",
    "Commit",
    "Origin",
    "Search",
    "Trail",
    "commits",
    "files",
    "ignored_commits",
    "moves",
    "pathspecs",
    "status",
]

LOG_ARGUMENTS = (
    "-z",
    "--raw",
    "--format=%H %ct %P",
    "--diff-merges=first-parent",
    "--no-abbrev",
    "--no-renames",
)
"""Arguments of `git log` for the form that `commits` reads."""

MAX_PATHSPECS = 8
"""Git compares what changed with each of them: 30 make a walk up to twice as long."""

MAX_PASSED = 10_000
"""Commits to keep for a child that comes later, as committers' clocks differ: about 5 MB."""

# The names of the empty blob in both of git's hash functions: any two empty files are equal, which
# says nothing about a move.
_EMPTY = frozenset(
    {
        b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)

_OBJECT_NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Change(NamedTuple):
    """What a commit did to one path."""

    path: bytes
    """Relative to the repository's root."""

    before: bytes
    """Blob in the first parent; empty where the path was not there."""

    after: bytes
    """Blob in the commit; empty where the path is not there."""


class Commit(NamedTuple):
    """One commit as the log tells it."""

    id: bytes
    """Full object name."""

    time: int
    """The committer's, in seconds since 1970 (UTC)."""

    parents: tuple[bytes, ...]
    """Real parents in order; none for a root and on the boundary of a shallow clone."""

    changes: tuple[Change, ...]
    """Against the first parent, within the log's pathspecs."""


class Origin(NamedTuple):
    """Where a file's present content comes from."""

    commit: bytes
    """Full object name of the newest commit that changed the content."""

    time: int
    """The committer's, in seconds since 1970 (UTC)."""


class Doubt(NamedTuple):
    """A merge that has a file from none of the parents that were looked at."""

    merge: Origin
    """Where the content comes from if no other parent has it either."""

    parents: tuple[bytes, ...]
    """The ones still to be looked at."""


@dataclass(slots=True)
class Trail:
    """One file on its way down the history."""

    name: bytes
    """Its path in the commit that the search is about."""

    path: bytes
    """Its path at the commit where it waits: another one before a move."""

    blob: bytes
    """Its content there."""

    doubt: Doubt | None = None
    """Set from a merge on until a change shows whether that content is there at all."""


class Search:
    """Hands files down the history, commit by commit."""

    found: dict[bytes, Origin]
    """The answer for each name, so far."""

    added: dict[bytes, list[Trail]]
    """By commit: the files that it seems to have added; outside the pathspecs may be their past."""

    def __init__(
        self, starts: Mapping[bytes, Iterable[Trail]], *, ignored: Collection[bytes] = ()
    ) -> None:
        """Let each file wait at the commit where its search begins."""
        self.found = {}
        self.added = defaultdict(list)
        self._ignored = ignored
        self._waiting: dict[bytes, dict[bytes, list[Trail]]] = {}
        self._passed: OrderedDict[bytes, Commit] = OrderedDict()
        self._late: list[Commit] = []
        for commit, trails in starts.items():
            for trail in trails:
                self._hand(trail, commit)

    @property
    def done(self) -> bool:
        """Tell whether no file waits any more."""
        return not self._waiting

    @property
    def waiting(self) -> dict[bytes, list[Trail]]:
        """Where another search must go on after the log's end: a child came too long after."""
        return {
            commit: [trail for trails in paths.values() for trail in trails]
            for commit, paths in self._waiting.items()
        }

    def take(self, commit: Commit) -> None:
        """Answer for the files that the commit changed and hand the others to its parents."""
        self._passed[commit.id] = commit
        if len(self._passed) > MAX_PASSED:
            self._passed.popitem(last=False)
        self._late.append(commit)
        while self._late:
            commit = self._late.pop()
            here = self._waiting.pop(commit.id, None)
            if here is not None:
                self._settle(commit, here)

    def _settle(self, commit: Commit, here: dict[bytes, list[Trail]]) -> None:
        met = [(change, here.pop(change.path)) for change in commit.changes if change.path in here]
        old_paths = moves(commit.changes) if met and len(commit.parents) == 1 else {}
        for change, trails in met:
            for trail in trails:
                self._meet(trail, change, commit, old_paths.get(change.path))
        if here and commit.parents:
            self._hand_all(here, commit.parents[0])
        elif here:
            for trail in (trail for trails in here.values() for trail in trails):
                self._refute(trail)

    def _meet(self, trail: Trail, change: Change, commit: Commit, old_path: bytes | None) -> None:
        if change.after != trail.blob:
            self._refute(trail)
            return
        trail.doubt = None
        origin = Origin(commit.id, commit.time)
        if not commit.parents:
            self.found[trail.name] = origin
        elif change.before == change.after:  # Another mode.
            self._hand(trail, commit.parents[0])
        elif len(commit.parents) > 1:
            # The second parent has this content, or the merge itself made it: the next change on
            # the way down tells.
            trail.doubt = Doubt(origin, commit.parents[2:])
            self._hand(trail, commit.parents[1])
        elif old_path is not None:
            trail.path = old_path
            self._hand(trail, commit.parents[0])
        elif change.before and commit.id in self._ignored:
            trail.blob = change.before
            self._hand(trail, commit.parents[0])
        else:
            self.found[trail.name] = origin
            if not change.before:
                self.added[commit.id].append(trail)

    def _refute(self, trail: Trail) -> None:
        """Go on where the content is not what it would be had the last merge taken it from here."""
        if trail.doubt is None:
            return  # The log contradicts the tree: no answer.
        merge, parents = trail.doubt
        if parents:
            trail.doubt = Doubt(merge, parents[1:])
            self._hand(trail, parents[0])
        else:
            self.found[trail.name] = merge

    def _hand(self, trail: Trail, commit: bytes) -> None:
        self._hand_all({trail.path: [trail]}, commit)

    def _hand_all(self, paths: dict[bytes, list[Trail]], commit: bytes) -> None:
        if commit in self._passed:
            self._late.append(self._passed[commit])
        there = self._waiting.setdefault(commit, paths)
        if there is paths:
            return
        # The smaller set moves, so that a long history of merges costs no more than its changes.
        if len(there) < len(paths):
            there, paths = paths, there
            self._waiting[commit] = there
        for path, trails in paths.items():
            there.setdefault(path, []).extend(trails)


def commits(chunks: Iterable[bytes]) -> Iterator[Commit]:
    """Read a log made with `LOG_ARGUMENTS`, lazily, in its order.

    Raises:
        GitError: The bytes are no such log.
    """
    items = _items(chunks)
    head: bytes | None = None
    changes: list[Change] = []
    try:
        for item in items:
            if item.startswith((b"\n:", b":")):  # `:100644 100644 <before> <after> M`, the path
                _, _, before, after, kind = item.split(b" ")
                added, deleted = kind == b"A", kind == b"D"
                change = Change(
                    next(items, b""), b"" if added else before, b"" if deleted else after
                )
                changes.append(change)
                continue
            if head is not None:
                yield _commit(head, changes)
            head, changes = item, []
        if head is not None:
            yield _commit(head, changes)
    except ValueError:
        raise GitError(
            "git log says what this version cannot read: report it, with the version of git",
            code="git-failed",
        ) from None


def _commit(head: bytes, changes: Iterable[Change]) -> Commit:
    name, time, *parents = head.split()
    return Commit(name, int(time), tuple(parents), tuple(changes))


def _items(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole


def moves(changes: Iterable[Change]) -> dict[bytes, bytes]:
    """Return the old path of each file that a commit moved without changing it, by its new path.

    Each deleted path serves one added path with the same blob, first one with the same name.

    >>> moves([Change(b"a/x", b"1", b""), Change(b"b/x", b"", b"1"), Change(b"c", b"", b"1")])
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
        for path in new[blob]:
            same = (gone for gone in old[blob] if _file_name(gone) == _file_name(path))
            if (gone := next(same, None)) is not None:
                old[blob].remove(gone)
                pairs[path] = gone
        if blob not in _EMPTY:
            rest = (path for path in new[blob] if path not in pairs)
            pairs.update(zip(rest, old[blob], strict=False))
    return pairs


def _file_name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


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
        specs = {spec for spec in specs | full if full.isdisjoint(_folders(spec))}
    return sorted(specs)


def _folder(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]


def _folders(path: bytes) -> Iterator[bytes]:
    while path := _folder(path):
        yield path
