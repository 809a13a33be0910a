"""A log → for each file, the newest commit that changed its content.

What `git log -1 -- <file>` says of one file, for all files at once, from the combined log (`-c`)
that `git log` makes of their folders. Three things are no change: another mode, a move of the
unchanged file, and what a commit on the list of ignored ones did.

Nearly every content was given to its path by one commit, and that is the answer whichever way git
would go. Where several did (a revert, a commit picked onto another branch) and merges lie between,
only git knows which way each merge took the content from: it is asked for these files one by one.

This module does no I/O: it is given a function to ask git by.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from sitemap_plugins.core.gitlog import Change, Commit

__all__ = ["Origin", "Traced", "Trail", "moves", "trace"]

MAX_ASKED = 100
"""Questions to git at most, each of which can take as long as a walk: for one file, or for all that
were changed and changed back in the same commits. Of four large repositories one asks ten, the
others three or fewer."""

# The names of the empty blob in both of git's hash functions: any two empty files are equal, which
# says nothing about a move.
_EMPTY = frozenset(
    {
        b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)


class Origin(NamedTuple):
    """Where a file's present content comes from."""

    commit: bytes
    """Full object name of the newest commit that changed the content."""

    time: int | None
    """The committer's, in seconds since 1970 (UTC); None where git cannot read it."""


class Trail(NamedTuple):
    """One file somewhere on its way down the history."""

    name: bytes
    """Its path where the way began."""

    path: bytes
    """Its path now: another one below a move."""

    blob: bytes
    """Its content now: another one below an ignored commit."""

    below: bytes = b""
    """The commit that moved it, from outside of an earlier log; empty at the log's beginning."""


@dataclass(frozen=True, slots=True)
class Traced:
    """What one log tells of the files."""

    found: dict[bytes, Origin] = field(default_factory=dict)
    """The answer for each name."""

    added: dict[bytes, list[Trail]] = field(default_factory=lambda: defaultdict(list))
    """By commit: the files that it added; outside of the log's pathspecs may be their past."""


def trace(
    trails: Iterable[Trail],
    log: Iterable[Commit],
    *,
    ask: Callable[[bytes, bytes], bytes],
    ignored: Collection[bytes] = (),
) -> Traced:
    """Follow files down a log, which has one beginning or those that the trails are below.

    `ask` returns the newest change that git finds from a commit down to a path; empty for none.
    A file that the log does not know in this content has no answer.
    """
    traced = Traced()
    ancestry = _Ancestry(log, ask)
    for trail in trails:
        here, start = trail, ancestry.start(trail)
        passed: set[bytes] = set()
        # A log that contradicts itself (a forged commit-graph) could lead around in a circle.
        while (maker := ancestry.maker(here, start)) and maker.id not in passed:
            passed.add(maker.id)
            change = ancestry.changes[here.path][maker.id]
            older = ancestry.before(here, maker, change, ignored=ignored)
            if older is None:
                traced.found[trail.name] = Origin(maker.id, maker.time)
                if not change.before:
                    traced.added[maker.id].append(here)
                break
            here, start = older, maker.parents[0]
    return traced


class _Ancestry:
    """A log in memory: some hundred bytes for each commit and each change."""

    def __init__(self, log: Iterable[Commit], ask: Callable[[bytes, bytes], bytes]) -> None:
        self.commits: dict[bytes, Commit] = {}
        self.changes: dict[bytes, dict[bytes, Change]] = defaultdict(dict)
        """By path and commit."""
        for commit in log:
            self.commits[commit.id] = commit
            for change in commit.changes:
                self.changes[change.path][commit.id] = change
        self._ask = ask
        # Thousands of files can be moved by one commit, or be changed by the same few. (No caches
        # of functools: they would hold the log until the garbage collector comes by.)
        self._answers: dict[tuple[object, ...], bytes] = {}
        self._moves: dict[bytes, Mapping[bytes, bytes]] = {}
        self._makers: dict[bytes, Mapping[bytes, Sequence[bytes]]] = {}

    def start(self, trail: Trail) -> bytes:
        """Return the newest commit of a file's way; empty for none."""
        if not trail.below:
            return next(iter(self.commits), b"")
        mover = self.commits.get(trail.below)
        return mover.parents[0] if mover and mover.parents else b""

    def maker(self, trail: Trail, start: bytes) -> Commit | None:
        """Return the commit, not after the start, that gave a file the content that it has."""
        makers = self._makers_of(trail.path).get(trail.blob, ())
        if len(makers) == 1:
            return self.commits[makers[0]]
        if not makers or not start:
            return None
        changes = self.changes[trail.path]
        commit = start
        while commit not in changes and len(parents := self.commits[commit].parents) == 1:
            commit = parents[0]
        # Without a merge there is one way; after one, git knows which.
        if commit not in changes or changes[commit].after != trail.blob:
            commit = self._asked(trail.path, commit, makers)
        return self.commits[commit]

    def before(
        self, trail: Trail, maker: Commit, change: Change, *, ignored: Collection[bytes]
    ) -> Trail | None:
        """Return the file as it was before a commit that is looked through; None for any other."""
        if len(maker.parents) != 1:
            return None
        if change.before:
            return trail._replace(blob=change.before) if maker.id in ignored else None
        if maker.id not in self._moves:
            self._moves[maker.id] = moves(maker.changes)
        old_path = self._moves[maker.id].get(trail.path)
        return None if old_path is None else trail._replace(path=old_path)

    def _makers_of(self, path: bytes) -> Mapping[bytes, Sequence[bytes]]:
        """Return the commits that made each content of a path, in the log's order."""
        if path not in self._makers:
            found = defaultdict(list)
            for commit, change in self.changes.get(path, {}).items():
                found[change.after].append(commit)
            self._makers[path] = found
        return self._makers[path]

    def _asked(self, path: bytes, start: bytes, makers: Sequence[bytes]) -> bytes:
        # Files that were changed and changed back together have one answer.
        question = start, tuple(self.changes[path]), tuple(makers)
        if question not in self._answers and len(self._answers) < MAX_ASKED:
            found = self._ask(start, path)
            while found and found not in makers:  # It gave the file another mode.
                commit = self.commits.get(found)
                found = self._ask(commit.parents[0], path) if commit and commit.parents else b""
            self._answers[question] = found
        return self._answers.get(question) or makers[0]


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
    """Return paths by the name of their file, the last one first."""
    found = defaultdict(list)
    for path in reversed([*paths]):
        found[_name(path)].append(path)
    return found


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]
