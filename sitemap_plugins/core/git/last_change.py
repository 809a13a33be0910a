"""A log → for each file, the newest commit that changed its content.

The result of `git log -1 -- <file>` for all files at once, from one combined log (`-c`) of their
folders. Three things are no change: a new mode, a move of the unchanged file, and whatever a commit
on the list of ignored ones did.

Nearly every content was made by one commit only, and that is the answer whichever parents git would
follow. If several made it (a revert, a cherry-picked commit) with merges in between, only git knows
which parent each merge took it from: git is asked about these files one by one.

This module does no I/O: it gets a function that asks git.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.git.lineage import Landmarks, Lineage
from sitemap_plugins.core.git.moves import moves

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from sitemap_plugins.core.git.log import Change, Commit

    Ask = Callable[[bytes, bytes], Commit | None]

__all__ = ["LastChange", "Traced", "TracedFile", "follow", "trace"]

MAX_ASKED = 100
"""Questions to git, each of which can take as long as a walk. One serves all files that the same
commits changed and changed back; of four large repositories one needs ten, the others at most
three."""


class LastChange(NamedTuple):
    """The commit that a file's present content comes from."""

    commit: bytes
    """Full object name of the newest commit that changed the content."""

    time: int | None
    """The committer's, in seconds since 1970 (UTC); None where git cannot read it."""


class TracedFile(NamedTuple):
    """One file, traced down the history to some commit."""

    name: bytes
    """Its path at the beginning."""

    path: bytes
    """Its path at that commit: another one below a move."""

    blob: bytes
    """Its content at that commit: another one below an ignored commit."""

    below: bytes = b""
    """The commit that moved it, from outside of an earlier log; empty at the log's beginning."""


@dataclass(frozen=True, slots=True)
class Traced:
    """What one log shows about the files."""

    found: dict[bytes, LastChange] = field(default_factory=dict)
    """The answer for each name."""

    added: dict[bytes, list[TracedFile]] = field(default_factory=lambda: defaultdict(list))
    """By commit: the files that it added; outside of the log's pathspecs may be their past."""


def trace(
    trails: Iterable[TracedFile],
    log: Iterable[Commit],
    *,
    ask: Ask,
    ignored: Collection[bytes] = (),
) -> Traced:
    """Follow files down a log, from its first commit or from where each file was moved.

    `ask` returns the newest commit, from one down, that changed a path, with its real parents and
    all its changes; or None. A file whose content is not in the log has no answer.
    """
    traced = Traced()
    ancestry = _Ancestry(log, _Questions(ask))
    past = _Past(ignored)
    for trail in trails:
        here, start = trail, ancestry.start(trail)
        passed: set[bytes] = set()
        # An inconsistent log (a forged commit-graph) could contain a cycle.
        while (maker := ancestry.maker(here, start)) and maker.id not in passed:
            passed.add(maker.id)
            change = ancestry.changes[here.path][maker.id]
            older = past.before(here, maker, change)
            if older is None:
                traced.found[trail.name] = LastChange(maker.id, maker.time)
                if not change.before:
                    traced.added[maker.id].append(here)
                break
            here, start = older, maker.parents[0]
    return traced


def follow(
    trails: Iterable[TracedFile], head: bytes, *, ask: Ask, ignored: Collection[bytes] = ()
) -> dict[bytes, LastChange]:
    """Follow files from `head`, or from the commits that moved them, asking git at each step.

    `ask` is as for `trace`. When no question is left, the last commit that was found counts, even
    if it is ignored or a move.
    """
    found = {}
    questions, past = _Questions(ask), _Past(ignored)
    for trail in trails:
        here, start = trail, trail.below + b"^" if trail.below else head
        while (answer := questions.newest(start, here.path)) and answer[1].after == here.blob:
            commit, change = answer
            found[trail.name] = LastChange(commit.id, commit.time)
            older = past.before(here, commit, change)
            if older is None:
                break
            here, start = older, commit.parents[0]
    return found


class _Questions:
    """Questions to git, `MAX_ASKED` at most."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._left = MAX_ASKED

    def newest(self, start: bytes, path: bytes) -> tuple[Commit, Change] | None:
        """Return the newest commit, from one down, that changed the content of a path, and how."""
        while start and self._left:
            self._left -= 1
            commit = self._ask(start, path)
            if commit is None:
                return None
            for change in commit.changes:
                if change.path == path:
                    return commit, change
            start = commit.parents[0] if commit.parents else b""  # It only changed the mode.
        return None


class _Past:
    """Files as they were before moves and ignored commits."""

    def __init__(self, ignored: Collection[bytes]) -> None:
        self._ignored = ignored
        self._moves: dict[bytes, Mapping[bytes, bytes]] = {}
        """By commit: thousands of files can be moved by one."""

    def before(self, trail: TracedFile, commit: Commit, change: Change) -> TracedFile | None:
        """Return the file before a commit that changed it; None if that commit counts."""
        if len(commit.parents) != 1:
            return None
        if change.before:
            return trail._replace(blob=change.before) if commit.id in self._ignored else None
        if commit.id not in self._moves:
            self._moves[commit.id] = moves(commit.changes)
        old_path = self._moves[commit.id].get(trail.path)
        return None if old_path is None else trail._replace(path=old_path)


class _Ancestry:
    """A log in memory: some hundred bytes for each commit and each change."""

    def __init__(self, log: Iterable[Commit], questions: _Questions) -> None:
        self.commits: dict[bytes, Commit] = {}
        self.changes: dict[bytes, dict[bytes, Change]] = defaultdict(dict)
        """By path and commit."""
        for commit in log:
            self.commits[commit.id] = commit
            for change in commit.changes:
                self.changes[change.path][commit.id] = change
        self._questions = questions
        # No caches on methods: they would keep the log until the next garbage collection.
        self._makers: dict[bytes, Mapping[bytes, Sequence[bytes]]] = {}
        self._reverts: dict[bytes, _Reverts] = {}
        self._patterns: dict[tuple[bytes, ...], int] = {}
        self._answers: dict[tuple[bytes, int, bytes], bytes] = {}

    @cached_property
    def lineage(self) -> Lineage:
        """The lineage of the log's commits; few files need it."""
        return Lineage(self.commits)

    def start(self, trail: TracedFile) -> bytes:
        """Return the commit to begin with for a file; empty for none."""
        if not trail.below:
            return next(iter(self.commits), b"")
        mover = self.commits.get(trail.below)
        return mover.parents[0] if mover and mover.parents else b""

    def maker(self, trail: TracedFile, start: bytes) -> Commit | None:
        """Return the commit, from the start down, that made a file's content."""
        makers = self._makers_of(trail.path).get(trail.blob, ())
        if len(makers) == 1:
            return self.commits[makers[0]]
        if not makers or not start:
            return None
        changes, reverts = self.changes[trail.path], self._reverts_of(trail.path)
        commit = self.lineage.first(start, reverts.landmarks)
        # Up to the next merge there is one way down; beyond it, only git knows which.
        if commit not in changes or changes[commit].after != trail.blob:
            commit = self._asked(trail, commit, makers[0], reverts.pattern)
        return self.commits[commit]

    def _makers_of(self, path: bytes) -> Mapping[bytes, Sequence[bytes]]:
        """Return the commits that made each content of a path, in the log's order."""
        if path not in self._makers:
            found = defaultdict(list)
            for commit, change in self.changes.get(path, {}).items():
                found[change.after].append(commit)
            self._makers[path] = found
        return self._makers[path]

    def _reverts_of(self, path: bytes) -> _Reverts:
        """Return what is needed to find out which of several commits made a content."""
        if path not in self._reverts:
            changes, makers = self.changes[path], self._makers_of(path)
            pattern = [n for name, c in changes.items() for n in (name, makers[c.after][0])]
            number = self._patterns.setdefault(tuple(pattern), len(self._patterns))
            self._reverts[path] = _Reverts(self.lineage.landmarks(changes), number)
        return self._reverts[path]

    def _asked(self, trail: TracedFile, start: bytes, newest: bytes, pattern: int) -> bytes:
        """Return the commit that git names, or the newest one that made the content."""
        question = start, pattern, newest
        if question not in self._answers:
            commit, _ = self._questions.newest(start, trail.path) or (self.commits[newest], None)
            change = self.changes[trail.path].get(commit.id)
            made = change is not None and change.after == trail.blob
            self._answers[question] = commit.id if made else newest
        return self._answers[question]


class _Reverts(NamedTuple):
    """The commits of a path that several of them gave the same content."""

    landmarks: Landmarks
    """The commits that changed it."""

    pattern: int
    """Equal for files that the same commits changed and changed back."""
