"""For each file, the newest commit that changed its content: the result of `git log -1 -- <file>`.

Three kinds of edits do not count as changes: a new mode, a move of the unchanged file, and what a
commit on the list of ignored ones did to a file that was there before.

One walk serves all files. It shows every commit with its parents, and what each changed against its
first parent. With that, each file is followed as git would follow it alone: down first parents to a
change, and from a merge to the first parent that has the same file. The walk ends as soon as all
files are known. `GitCache` keeps the answers over the rebuilds of one process.
"""

from __future__ import annotations

import time
from collections import defaultdict
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.log import cover_paths, is_covered, moves

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.git.log import Change, Commit
    from sitemap_plugins.core.git.repository import Repository

__all__ = ["GitCache", "LastChange", "find_last_changes"]

MAX_WALKS = 16
"""Walks over the history: one for the folders of the files, and one for each further set of
folders that files were moved from; most repositories need one."""

MAX_LOOKED_THROUGH = 1000
"""Moves and ignored commits that are followed for one file."""


class LastChange(NamedTuple):
    """The commit that a file's present content comes from."""

    commit: bytes
    """Full object name of the newest commit that changed the content."""

    time: int | None
    """The committer's, in seconds since 1970 (UTC); None where git cannot read it."""


class _Trail(NamedTuple):
    """One file, followed down the history to some commit."""

    name: bytes
    """Its path at the beginning."""

    path: bytes
    """Its path at that commit: another one below a move."""

    blob: bytes
    """Its content at that commit: another one below an ignored commit."""

    commit: bytes
    """That commit."""


class _Introduction(NamedTuple):
    """A commit that gave a path its content, which none of its parents has there."""

    commit: Commit

    before: bytes
    """Blob in the first parent that has the path; empty where none has."""

    parent: bytes
    """That parent."""


def find_last_changes(
    repository: Repository, blobs: Mapping[bytes, bytes], *, ignored: Collection[bytes]
) -> dict[bytes, LastChange]:
    """Return the newest commit that changed each path; `blobs` has the content of each now.

    A file beyond the limits has none.

    Raises:
        GitError: Git failed or took too long.
    """
    found: dict[bytes, LastChange] = {}
    trails = [_Trail(path, path, blob, repository.head) for path, blob in blobs.items()]
    with ExitStack() as walks:
        history = _History(repository, walks)
        for _ in range(MAX_LOOKED_THROUGH):
            added: dict[bytes, list[_Trail]] = defaultdict(list)
            further: list[_Trail] = []
            for trail, (commit, before, parent) in history.introductions(trails):
                if before and commit.id in ignored:
                    further.append(trail._replace(blob=before, commit=parent))
                    continue
                found[trail.name] = LastChange(commit.id, commit.time)
                if not before:
                    added[commit.id].append(trail)
            trails = further + _before_moves(repository, added)
            for trail in trails:
                found.pop(trail.name, None)
            if not trails:
                break
    return found


def _before_moves(repository: Repository, added: Mapping[bytes, Iterable[_Trail]]) -> list[_Trail]:
    """Return those of the added files that were only moved, each as it was before.

    All that a commit changed is read: from a part of it, another file could seem to be the old one.
    """
    commits = added.keys() - repository.boundary
    if not commits:
        return []
    found = []
    for commit in repository.log("--no-walk", starts=commits):
        old_paths = moves(commit.changes) if len(commit.parents) == 1 else {}
        found += [
            trail._replace(path=old_paths[trail.path], commit=commit.parents[0])
            for trail in added[commit.id]
            if trail.path in old_paths
        ]
    return found


class _History:
    """The history of a repository, walked where files lead."""

    def __init__(self, repository: Repository, closer: ExitStack) -> None:
        """Start without walks; those to come are ended by `closer`."""
        self._repository = repository
        self._closer = closer
        self._walks: list[_Walk] = []

    def introductions(self, trails: Sequence[_Trail]) -> list[tuple[_Trail, _Introduction]]:
        """Return where git finds the content of each file."""
        new = {trail.path for trail in trails if self._walk_of(trail.path) is None}
        if new and len(self._walks) < MAX_WALKS:
            self._start(new, {trail.commit for trail in trails})
        together: dict[tuple[_Walk, bytes], list[_Trail]] = defaultdict(list)
        for trail in trails:
            if walk := self._walk_of(trail.path):
                together[walk, trail.commit].append(trail)
        found = []
        for (walk, start), some in together.items():
            known = walk.introductions(start, {trail.path: trail.blob for trail in some})
            found += [(trail, known[trail.path]) for trail in some if trail.path in known]
        return found

    def _walk_of(self, path: bytes) -> _Walk | None:
        return next((walk for walk in self._walks if is_covered(path, walk.pathspecs)), None)

    def _start(self, paths: Collection[bytes], starts: Collection[bytes]) -> None:
        """Start a walk over the whole history of some paths."""
        form = ("--full-history", "--sparse", "--diff-merges=first-parent")
        pathspecs = cover_paths(paths)
        log = self._repository.log(*form, starts=starts, paths=pathspecs)
        deadline = self._repository.git.deadline
        self._walks.append(_Walk(self._closer.enter_context(closing(log)), pathspecs, deadline))


class _Walk:
    """The commits of a log, read as far as they are needed, and what they changed."""

    def __init__(self, log: Iterator[Commit], pathspecs: Sequence[bytes], deadline: float) -> None:
        self.pathspecs = pathspecs
        self._log = log
        self._deadline = deadline
        self._first_parents: dict[bytes, bytes] = {}
        """Of all commits; empty for a commit without parents."""
        self._changes: dict[bytes, tuple[Commit, Mapping[bytes, Change]]] = {}
        """Of the commits that changed a path, by commit and path."""

    def introductions(
        self, start: bytes, blobs: Mapping[bytes, bytes]
    ) -> dict[bytes, _Introduction]:
        """Return where git finds paths with their content in a commit."""
        found: dict[bytes, _Introduction] = {}
        ahead = [
            (commit, {path: c for path, c in changes.items() if c.after == blobs[path]})
            for commit, changes in self._newest_changes(start, blobs)
        ]
        while ahead:
            commit, changes = ahead.pop()
            parent = commit.parents[0] if commit.parents else b""
            own = {path: _Introduction(commit, c.before, parent) for path, c in changes.items()}
            for other in commit.parents[1:]:
                for below, theirs in self._newest_changes(other, own):
                    same = {p: c for p, c in theirs.items() if c.after == changes[p].after}
                    if same:
                        ahead.append((below, same))
                    for path, change in theirs.items():
                        if path in same:
                            del own[path]
                        elif not own[path].before:
                            own[path] = _Introduction(commit, change.after, other)
            found |= own
        return found

    def _newest_changes(
        self, start: bytes, paths: Iterable[bytes]
    ) -> Iterator[tuple[Commit, dict[bytes, Change]]]:
        """Yield the commits on the way down first parents that last changed the paths, and how."""
        wanted, here = set(paths), start
        while wanted and self._has(here):
            if here in self._changes:
                commit, changes = self._changes[here]
                if met := changes.keys() & wanted:
                    wanted -= met
                    yield commit, {path: changes[path] for path in met}
            here = self._first_parents[here]

    def _has(self, name: bytes) -> bool:
        """Tell whether there is a commit of that name, reading the log as far as it."""
        if time.monotonic() >= self._deadline:  # A forged history can have a cycle.
            text = "the history of the files is too long, or has a cycle"
            raise GitError(text, cure="run `git fsck` there", code="git-failed")
        while name and name not in self._first_parents:
            commit = next(self._log, None)
            if commit is None:
                return False
            self._first_parents[commit.id] = commit.parents[0] if commit.parents else b""
            if commit.changes:
                changes = {change.path: change for change in commit.changes}
                self._changes[commit.id] = commit, changes
        return bool(name)


class GitCache:
    """Git's answers, kept over the rebuilds of one process."""

    def __init__(self) -> None:
        """Start without answers."""
        self._answers: dict[Path, tuple[object, dict[bytes, LastChange | None]]] = {}
        """By a repository's root: what the answers depend on, and the answers."""

    def last_changes(
        self, repository: Repository, paths: Collection[bytes], *, ignored: frozenset[bytes]
    ) -> Mapping[bytes, LastChange | None]:
        """Return the newest change of each path, None for one that is not in the last commit.

        Git is only asked about paths that are new since the last commit changed.

        Raises:
            GitError: Git failed or took too long.
        """
        state = (repository.head, repository.boundary, ignored)
        old_state, answers = self._answers.get(repository.root, (None, {}))
        if old_state != state:
            answers = {}
            self._answers[repository.root] = state, answers
        if asked := [path for path in paths if path not in answers]:
            found = find_last_changes(repository, repository.blobs(asked), ignored=ignored)
            answers.update({path: found.get(path) for path in asked})
        return answers
