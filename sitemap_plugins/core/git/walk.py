"""Find, for each file at a commit, the commit that gave its path that content.

Git is asked once for all files: one log shows commits with their parents, and what each
changed against its first parent. With that, each file is followed as `git log -1`
would follow it alone: down first parents to a change, and from a merge to the first
parent that has the same file. The log is read only as far as the files need.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.git.log import Change, Commit, cover_paths, is_covered
from sitemap_plugins.core.messages import GitError

if TYPE_CHECKING:  # It runs programs.
    from sitemap_plugins.core.git.repository import Repository

MAX_WALKS = 16
"""Walks over the history; most repositories need one.

One is for the folders of the files, and one for each further set of folders that files
were moved from.
"""

FilePart = tuple[bytes, Hashable]
"""A file's path in the last commit, and the name of a part of the file."""


class Trail(NamedTuple):
    """A file, or a part of it, followed down the history to some commit."""

    key: FilePart
    """The file's path in the last commit, and the part's name."""

    path: bytes
    """The file's path at `commit`: another one below a move."""

    blob: bytes
    """The content at `commit`: another one below a commit that was passed over."""

    commit: bytes
    """The commit down to which the file has been followed."""


class Introduction(NamedTuple):
    """A commit that gave a path its content, which none of its parents has there."""

    commit: Commit

    before: list[tuple[bytes, bytes]]
    """The blob in each parent that has the path, and that parent, in order."""


class Walks:
    """The history of a repository, walked where files lead."""

    def __init__(self, repository: Repository, closer: ExitStack) -> None:
        """Start without walks; those to come are ended by `closer`."""
        self._repository = repository
        self._closer = closer
        self._walks: list[_Walk] = []

    def introductions(
        self, trails: Sequence[Trail]
    ) -> list[tuple[Trail, Introduction]]:
        """Return each trail with the commit that gave its path its content.

        Trails that no walk covers are absent: there are at most `MAX_WALKS` walks.
        """
        new = {trail.path for trail in trails if self._walk_of(trail.path) is None}
        if new and len(self._walks) < MAX_WALKS:
            starts = {trail.commit for trail in trails}
            walk = _Walk(self._repository, cover_paths(new), starts, self._closer)
            self._walks.append(walk)

        together: dict[tuple[_Walk, bytes], list[Trail]] = defaultdict(list)
        for trail in trails:
            of_path = self._walk_of(trail.path)
            if of_path is not None:
                together[of_path, trail.commit].append(trail)

        found = []
        for (walk, start), some in together.items():
            blobs = {trail.path: trail.blob for trail in some}
            known = walk.introductions(start, blobs)
            dated = [trail for trail in some if trail.path in known]
            found += [(trail, known[trail.path]) for trail in dated]
        return found

    def _walk_of(self, path: bytes) -> _Walk | None:
        for walk in self._walks:
            if is_covered(path, walk.pathspecs):
                return walk
        return None


class _Walk:
    """Commits down first parents, read as far as needed, and what they changed.

    Git goes down first parents, too, and turns into a branch only at the merge that
    brought the file. So one log shows the first parents of the starts, and the few
    commits of such branches are read one by one.
    """

    def __init__(
        self,
        repository: Repository,
        pathspecs: Sequence[bytes],
        starts: Collection[bytes],
        closer: ExitStack,
    ) -> None:
        """Start a log of what changed `pathspecs`, from the commits `starts` down.

        `closer` ends the log.
        """
        self.pathspecs = pathspecs
        self._repository = repository
        self._closer = closer
        # With `--sparse`, the commits that change none of the paths are shown too, so
        # that no line of first parents has a gap.
        form = ("--first-parent", "--sparse", "--diff-merges=first-parent")
        log = repository.log(*form, starts=starts, paths=pathspecs)
        self._log = closer.enter_context(closing(log))
        self._coming = set(starts)
        """The commits that the log shows next, one for each line of first parents."""
        self._log_time = math.inf
        """The time of the last commit that the log has shown."""
        self._show: Callable[[bytes], Iterator[Commit]] | None = None
        """Shows one commit by its name, once it is needed."""
        self._first_parents: dict[bytes, bytes] = {}
        """The first parent of each commit that was read; empty without parents."""
        self._changes: dict[bytes, tuple[Commit, Mapping[bytes, Change]]] = {}
        """The changes of the commits that changed a path, by commit and path."""

    def introductions(
        self, start: bytes, blobs: Mapping[bytes, bytes]
    ) -> dict[bytes, Introduction]:
        """Return for each path the commit that gave it its content.

        `blobs` has the content of each path in the commit `start`. A merge is followed
        into the parent below which the same content was made.
        """
        found: dict[bytes, Introduction] = {}
        ahead = []
        for commit, changes in self._newest_changes(start, blobs):
            ahead.append((commit, _with_content(changes, blobs)))
        while ahead:
            commit, changes = ahead.pop()
            # The paths that the commit itself changed, as far as its parents show.
            own = {path: _by_first_parent(commit, c) for path, c in changes.items()}
            after = {path: change.after for path, change in changes.items()}
            for other in commit.parents[1:]:
                for below, theirs in self._newest_changes(other, own):
                    same = _with_content(theirs, after)
                    if same:
                        ahead.append((below, same))
                    for path, change in theirs.items():
                        if path in same:
                            # Git follows the parent that has the same file.
                            del own[path]
                        elif change.after:
                            own[path].before.append((change.after, other))
            found |= own
        return found

    def _newest_changes(
        self, start: bytes, paths: Iterable[bytes]
    ) -> Iterator[tuple[Commit, dict[bytes, Change]]]:
        """Yield the commits that last changed `paths`, each with its changes by path.

        Only `start` and the first parents below it are looked at.
        """
        wanted = set(paths)
        here = start
        while wanted and self._has(here):
            if here in self._changes:
                commit, changes = self._changes[here]
                met = changes.keys() & wanted
                if met:
                    wanted -= met
                    yield commit, {path: changes[path] for path in met}
            here = self._first_parents[here]

    def _has(self, name: bytes) -> bool:
        """Read the commit of a name, unless it is known already.

        Return False for an empty name, which stands for the missing parent of a first
        commit.
        """
        if self._repository.git.is_late():
            # A forged history can have a cycle.
            text = "the history of the files is too long, or has a cycle"
            raise GitError(text, cure="run `git fsck` there", code="git-failed")
        while name in self._coming:
            self._read_log()
        if name and name not in self._first_parents:
            self._read_alone(name)
        return bool(name)

    def _read_log(self) -> None:
        """Read the next commit of the log, or note that it has ended."""
        commit = next(self._log, None)
        if commit is None:
            self._coming.clear()
            self._log_time = -math.inf
            return
        self._note(commit)
        self._coming.discard(commit.id)
        self._coming.update(commit.parents[:1])
        self._log_time = commit.time or 0

    def _read_alone(self, name: bytes) -> None:
        """Read a commit of a branch that the log does not show.

        Raises:
            GitError: The repository does not have the commit.
        """
        if self._show is None:
            commits = self._repository.commits(self.pathspecs)
            self._show = self._closer.enter_context(commits)
        for commit in self._show(name):
            self._note(commit)
            # The branch began at a commit of the log that is older than its own ones:
            # from there on, the log is read instead.
            while self._log_time > (commit.time or 0):
                self._read_log()
        if name not in self._first_parents:
            text = f"commit {name.decode()} is missing"
            raise GitError(text, cure="run `git fsck` there", code="git-failed")

    def _note(self, commit: Commit) -> None:
        self._first_parents[commit.id] = commit.first_parent
        if commit.changes:
            changes = {change.path: change for change in commit.changes}
            self._changes[commit.id] = (commit, changes)


def _with_content(
    changes: Mapping[bytes, Change], blobs: Mapping[bytes, bytes]
) -> dict[bytes, Change]:
    """Return the changes that gave their paths these contents."""
    return {path: c for path, c in changes.items() if c.after == blobs[path]}


def _by_first_parent(commit: Commit, change: Change) -> Introduction:
    """Return a commit's change of a path, with the first parent's version, if any."""
    before = [(change.before, commit.first_parent)] if change.before else []
    return Introduction(commit, before)
