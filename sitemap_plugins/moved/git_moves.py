"""Where files went that are gone: followed through git's renames, or deleted.

The log is looked through from the last commit down. At each step, what happened later
to every path is already known, so that a chain of moves costs no more than one. If the
folder itself was moved to its name, the search goes on in the older folder.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sitemap_plugins.core.git.log import Change, namesakes
from sitemap_plugins.core.git.repository import Repository

_SPECIAL = re.compile(r"[\\*?\[]")
"""Characters that mean something in a pattern of git's."""

_ALIKE = 50
"""Per cent of its content that a renamed file kept; git's own default."""


class Fate(NamedTuple):
    """What became of a path."""

    to: bytes = b""
    """The file that it is now; empty if it was deleted."""

    commit: bytes = b""
    """The one that moved or deleted the path itself; empty if that is not committed."""


_ABSENT = Fate()


@dataclass(frozen=True, slots=True)
class Moves:
    """What became of the files of a folder."""

    fates: Mapping[bytes, Fate]
    """What became of each path that was moved or deleted."""

    folders: Sequence[bytes]
    """The folder, and the names that it had before, from the newest."""

    is_exact: bool
    """Whether old contents are missing, so that only unchanged files were followed."""


def find_moves(
    repository: Repository,
    folder: bytes,
    suffixes: Collection[str],
    *,
    since: bytes = b"",
    living: Collection[bytes],
) -> Moves:
    """Return what became of the files in a folder with one of some suffixes.

    `living` are the paths of the files that are there now. Commits up to `since`, if
    given, are not looked at.

    Raises:
        GitError: Git failed or took too long.
    """
    search = _Search(repository, tuple(suffixes), since, living)
    search.run(folder)
    return Moves(search.fates, search.folders, search.is_exact)


@dataclass
class _Search:
    """A search, and what it found so far."""

    repository: Repository
    suffixes: tuple[str, ...]
    since: bytes
    living: Collection[bytes]
    fates: dict[bytes, Fate] = field(default_factory=dict)
    folders: list[bytes] = field(default_factory=list)
    is_exact: bool = False
    _later: dict[bytes, Fate] = field(default_factory=dict)
    """What became of paths after the commit that is looked at."""

    def run(self, folder: bytes) -> None:
        """Look through the history of a folder, then of the one that it was before."""
        patterns = self._patterns(folder)
        self._note(self.repository.uncommitted_renames(patterns), b"")
        start = self.repository.head
        while True:
            self.folders.append(folder)
            oldest = self._walk(folder, start)
            # A folder that its oldest commit made may have been moved by that commit.
            if not (folder and oldest) or self._was_there(folder, oldest):
                return
            changes = self._renames([oldest], self._patterns(b""))[oldest]
            before = _name_before(folder, changes)
            if before is None or before in self.folders:
                return
            self._note(changes, oldest)
            folder = before
            start = oldest + b"^"

    def _walk(self, folder: bytes, start: bytes) -> bytes:
        """Note what commits did in a folder, and return the oldest of them.

        Only commits that both delete and add pages are searched for moves, among pages
        alone: what git reads of others, and of images, would take most of the time.
        """
        suffixes = tuple(map(os.fsencode, self.suffixes))
        starts = [start, b"^" + self.since] if self.since else [start]
        commits: dict[bytes, list[Change]] = {}
        oldest = b""
        # A move is the addition of one path and the deletion of another one.
        form = ("--no-merges", "--topo-order", "--diff-filter=AD")
        paths = [folder] if folder else []
        for commit in self.repository.log(*form, starts=starts, paths=paths):
            oldest = commit.id
            changes = [each for each in commit.changes if each.path.endswith(suffixes)]
            if changes:
                commits[commit.id] = changes
        both = [name for name, changes in commits.items() if _can_move(changes)]
        commits.update(self._renames(both, self._patterns(folder)))
        for name, changes in commits.items():
            self._note(changes, name)
        return oldest

    def _renames(
        self, commits: Sequence[bytes], patterns: Sequence[str]
    ) -> dict[bytes, list[Change]]:
        """Return the changes of commits, with renames."""
        if not commits:
            return {}
        repository = self.repository
        kept = _ALIKE
        # Unchanged files are followed without contents; for the others, git needs the
        # contents before and after, which a partial clone has to fetch.
        if repository.may_lack_contents():
            blobs: set[bytes] = set()
            for each in repository.renames(commits, patterns, kept=100):
                for change in each.changes:
                    blobs |= {change.before, change.after}
            whole = repository.with_contents(blobs - {b""})
            if whole is None:
                self.is_exact = True
                kept = 100
            else:
                repository = whole
        found: dict[bytes, list[Change]] = {name: [] for name in commits}
        for each in repository.renames(commits, patterns, kept=kept):
            found[each.id] = [*each.changes]
        return found

    def _note(self, changes: Iterable[Change], commit: bytes) -> None:
        """Note what a commit did; all later commits have been noted before."""
        added = {each.path for each in changes if each.after or not each.before}
        moved = {each.moved_from: each.path for each in changes if each.moved_from}
        for path, deletion in namesakes(changes, moved).items():
            moved[deletion.path] = path
        ends = {}
        for old, new in moved.items():
            ends[old] = self._follow(new)._replace(commit=commit)
        for change in changes:
            if change.path not in added and change.path not in moved:
                ends[change.path] = Fate(commit=commit)
        # For commits further down: a path that was added here had no file before.
        self._later |= dict.fromkeys(added, _ABSENT) | ends
        for path, fate in ends.items():
            self.fates.setdefault(path, fate)

    def _follow(self, path: bytes) -> Fate:
        """Return what became of a path later."""
        fate = self._later.get(path, _ABSENT)
        if fate is not _ABSENT:
            return fate
        # Nothing happened to the path later, or only on another branch.
        if path in self.living:
            return Fate(path)
        return self.fates.get(path, _ABSENT)

    def _patterns(self, folder: bytes) -> list[str]:
        """Return git's patterns for pages below a folder."""
        above = os.fsdecode(folder) + "/" if folder else ""
        above = _SPECIAL.sub(r"\\\g<0>", above)
        return [f":(top,glob){above}**/*{suffix}" for suffix in self.suffixes]

    def _was_there(self, folder: bytes, commit: bytes) -> bool:
        """Tell whether a commit's parent has a folder."""
        _, kind = self.repository.find(commit + b"^:" + folder)
        return kind == b"tree"


def _can_move(changes: Collection[Change]) -> bool:
    added = sum(not each.before for each in changes)
    return 0 < added < len(changes)


def _name_before(folder: bytes, changes: Iterable[Change]) -> bytes | None:
    """Return the folder from which most files of a folder came; None for no other."""
    votes: Counter[bytes] = Counter()
    for change in changes:
        below = change.path.removeprefix(folder)
        old = b"/" + change.moved_from
        if change.moved_from and below != change.path and old.endswith(below):
            votes[old.removesuffix(below)[1:]] += 1
    return max(votes, key=votes.__getitem__, default=None)
