"""For each file, the newest commit that changed its content: the result of `git log -1 -- <file>`.

Three things are not a change: a new mode, a move of the unchanged file, and whatever a commit on
the list of ignored ones did to a file that was there before.

One walk over the whole history of the files' folders shows which commits introduced which contents.
Nearly every content of a path was introduced by one commit only, and that is the answer, whichever
parents git would follow. Where several did (a revert, a cherry-picked commit), the parents that git
would follow are followed, for all such files together.

A file whose history is longer than the limits has no answer, so that no other commit is taken for
the right one.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.git.moves import moves
from sitemap_plugins.core.git.pathspecs import cover_paths, is_covered, lone_files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sitemap_plugins.core.git.log import Change, Commit
    from sitemap_plugins.core.git.repository import Repository

__all__ = ["LastChange", "find_last_changes"]

MAX_STEPS = 1000
"""Moves and ignored commits on the way to the change of one file; a forged history could contain a
cycle."""

MAX_WALKS = 16
"""Walks over the whole history: one for the folders of the files, and one for each further set of
folders that files were moved from; most repositories need one."""

MAX_FOLLOWED = 1000
"""Walks down first parents: one for all files whose content several commits introduced, and one for
each merge that brought some of them. The 1,065 such files of Read the Docs take eight."""


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


class _Introduction(NamedTuple):
    """A commit that gave a path its content, which none of its parents has there."""

    commit: Commit
    change: Change


def find_last_changes(
    repository: Repository, blobs: Mapping[bytes, bytes], *, ignored: Collection[bytes]
) -> dict[bytes, LastChange]:
    """Return the newest commit that changed each path; `blobs` has the content of each now.

    Raises:
        GitError: Git failed or took too long.
    """
    history = _History(repository)
    found: dict[bytes, LastChange] = {}
    trails = [_Trail(path, path, blob, repository.head) for path, blob in blobs.items()]
    for _ in range(MAX_STEPS):
        added: dict[bytes, list[_Trail]] = defaultdict(list)
        older: list[_Trail] = []
        for trail, (commit, change) in history.introductions(trails):
            if not change.before:
                added[commit.id].append(trail)
            elif commit.id in ignored:
                parent = commit.parents[change.parent]
                older.append(trail._replace(blob=change.before, commit=parent))
                continue
            found[trail.name] = LastChange(commit.id, commit.time)
        trails = older + _before_moves(repository, added)
        for trail in trails:
            found.pop(trail.name, None)
        if not trails:
            break
    return found


def _before_moves(repository: Repository, added: Mapping[bytes, Iterable[_Trail]]) -> list[_Trail]:
    """Return those of the added files that the commit only moved, each as it was before.

    All that the commit changed is read: from a part of it, another file could seem to be moved.
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
    """What is known of a repository's history, read as far as it is needed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._walked: list[list[bytes]] = []
        """The pathspecs of each walk."""
        self._followed = 0
        self._introductions: dict[tuple[bytes, bytes], list[_Introduction]] = defaultdict(list)
        """By path and content; all of them, for paths that a walk covers."""

    def introductions(self, trails: Sequence[_Trail]) -> list[tuple[_Trail, _Introduction]]:
        """Return where git would find the content of each file, as far as the limits allow."""
        self._walk(trails)
        found: list[tuple[_Trail, _Introduction]] = []
        doubtful: dict[bytes, list[_Trail]] = defaultdict(list)
        for trail in trails:
            known = self._introductions.get((trail.path, trail.blob), [])
            if len({introduction.commit.id for introduction in known}) == 1:
                found.append((trail, known[0]))
            else:
                doubtful[trail.commit].append(trail)
        for start, some in doubtful.items():
            followed = self._follow(start, {trail.path: trail.blob for trail in some})
            found += [(trail, followed[trail.path]) for trail in some if trail.path in followed]
        return found

    def _walk(self, trails: Iterable[_Trail]) -> None:
        """Read all introductions of contents of the files, unless an earlier walk covers them.

        A walk cannot end early, because a second commit with the same content can come last. If
        there are only a few files, they are followed instead.
        """
        new = {t.path for t in trails if not any(is_covered(t.path, s) for s in self._walked)}
        new -= lone_files(new)
        if not new or len(self._walked) == MAX_WALKS:
            return
        pathspecs = cover_paths(new)
        self._walked.append(pathspecs)
        starts = {trail.commit for trail in trails}
        for commit in self._repository.log("--full-history", starts=starts, paths=pathspecs):
            for change in commit.changes:
                introduction = _Introduction(commit, change)
                self._introductions[change.path, change.after].append(introduction)

    def _follow(self, start: bytes, blobs: Mapping[bytes, bytes]) -> dict[bytes, _Introduction]:
        """Return the introductions that git would find for paths with their content in a commit.

        Git goes from a merge to the first parent that has the same file. So the newest change on
        the way down first parents is the answer, unless it is a merge and another parent has the
        file.
        """
        found: dict[bytes, _Introduction] = {}
        ahead: list[tuple[bytes, Mapping[bytes, bytes]]] = [(start, blobs)]
        while ahead and self._followed < MAX_FOLLOWED:
            self._followed += 1
            for commit, changes in self._newest_changes(*ahead.pop()):
                taken, own = self._split(commit, changes)
                ahead += taken
                found |= {change.path: _Introduction(commit, change) for change in own}
        return found

    def _newest_changes(
        self, start: bytes, blobs: Mapping[bytes, bytes]
    ) -> Iterator[tuple[Commit, list[Change]]]:
        """Yield the commits on the way down first parents that last changed the paths."""
        wanted = dict(blobs)
        form = ("--first-parent", "--diff-merges=first-parent")
        log = self._repository.log(*form, starts=[start], paths=cover_paths(wanted))
        with closing(log):
            for commit in log:
                changes = [c for c in commit.changes if c.after == wanted.pop(c.path, None)]
                if changes:
                    yield commit, changes
                if not wanted:
                    break

    def _split(
        self, commit: Commit, changes: Iterable[Change]
    ) -> tuple[list[tuple[bytes, dict[bytes, bytes]]], Iterable[Change]]:
        """Divide what a commit changed against its first parent.

        Return the files that a merge took from other parents, with each of these, and the changes
        that the commit made itself.
        """
        taken, own = [], {change.path: change for change in changes}
        for number, parent in enumerate(commit.parents[1:], start=1):
            theirs = self._repository.blobs(own, parent) if own else {}
            same = {path: blob for path, blob in theirs.items() if blob == own[path].after}
            if same:
                taken.append((parent, same))
            for path, blob in theirs.items():
                if path in same:
                    del own[path]
                elif not own[path].before:
                    own[path] = own[path]._replace(before=blob, parent=number)
        return taken, own.values()
