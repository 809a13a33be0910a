"""Find the newest commit that changed each file, as `git log -1 -- <file>` does.

Three kinds of edits do not count as changes: a new mode, a move of the unchanged file,
and what a commit on the list of ignored ones did to a file that was there before. A
caller can add a fourth: an edit, also of a moved file, after which the file reads the
same as before. What reads the same is the caller's decision; it can also read several
parts of a file, each of which has its own commit. Such a part can move to another file,
too. A part that a version lacks is unlike any other: perhaps nobody can read it there.

The search goes in rounds. In each, `walk` says which commits gave the files their
content. A commit that is no change is passed over: the next round begins below it.
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
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.git.log import (
    Change,
    Commit,
    cover_paths,
    moves,
    namesakes,
)
from sitemap_plugins.core.git.walk import FilePart, Introduction, Trail, Walks

if TYPE_CHECKING:  # It runs programs.
    from sitemap_plugins.core.git.repository import Contents, Repository

ReadFile = Callable[[bytes, bytes], object]
"""Takes a path of the last commit and the content of one of its versions.

Returns equal values for versions that read the same.
"""

ReadParts = Callable[[bytes, bytes], Mapping[Hashable, object]]
"""Takes the same as `ReadFile`. Returns a value for the name of each part of the file.

The value is equal for versions in which the part reads the same. For an empty content
(there is no such file), the parts are those of an empty file. A part whose value is
`Distinct` can move to another file.
"""

_ReadVersion = Callable[[bytes, bytes], Mapping[Hashable, object] | None]
"""Takes a path of the last commit and a version's blob, empty for a missing file.

Returns the version's parts, or None if the version cannot be read.
"""

MAX_LOOKED_THROUGH = 1000
"""Commits that are passed over for one file."""

MAX_VERSIONS = 4096
"""Versions whose parts are kept.

The next round compares them too, and so can other branches.
"""

MAX_READ = 1 << 28
"""Bytes of all versions whose parts are read; the same on each machine.

A first build of networkx, with 1,276 pages of objects, reads 0.43 of them.
"""

MAX_OTHER_FILES = 16
"""Other files of a commit in which a part is looked for that is new in its file."""

_WHOLE = ""
"""The name of the only part of a file that is read as one."""


class Distinct(NamedTuple):
    """The value of a part that is recognized in another file.

    Two parts with the same value are never the same by chance.
    """

    value: Hashable


class LastChange(NamedTuple):
    """The commit that the present content of a file, or of a part of it, comes from."""

    commit: bytes
    """Full object name of the newest commit that changed the content."""

    time: int | None
    """The committer's, in seconds since 1970 (UTC); None where git cannot read it."""

    is_certain: bool = True
    """False if older versions could not be read, or were not.

    The content may be older still.
    """

    authored: int | None = None
    """The author's, in seconds since 1970 (UTC); None where git cannot read it."""

    passed_over: tuple[tuple[bytes, str], ...] = ()
    """Newer commits that do not count, from the newest, each with the reason.

    The reason is `ignored`, `moved` (the commit changed only the file's path) or `same`
    (the file reads the same as before).
    """

    @property
    def earliest(self) -> int | None:
        """The earlier of both; the committer's where one cannot be read."""
        if self.time is None or self.authored is None:
            return self.time
        return min(self.time, self.authored)


PartChanges = dict[FilePart, LastChange | None]
"""Which commit changed each part last; None if none did."""


class _Edit(NamedTuple):
    """A change of a file that may read the same as before."""

    change: LastChange

    after: Trail

    before: list[Trail]
    """The paths and blobs that the parents have."""

    became: Sequence[Trail] = ()
    """The paths and blobs that the commit made of them, if these are other files: a
    copy is not a move."""


def find_last_changes(
    repository: Repository,
    blobs: Mapping[bytes, bytes],
    *,
    ignored: Collection[bytes],
    read: ReadFile | None = None,
) -> dict[bytes, LastChange]:
    """Return the newest commit that changed each path.

    `blobs` has the blob of each path in the last commit. With `read`, an edit after
    which a file reads the same is not a change. A file beyond the limits has no commit.

    Raises:
        GitError: Git failed or took too long.
    """
    search = _Search(repository=repository, ignored=ignored, read=_whole(read))
    found = search.run(blobs, [(path, _WHOLE) for path in blobs])
    changes = {}
    for key, change in found.items():
        if change is not None:
            passed_over = tuple(search.passed.get(key, ()))
            changes[key[0]] = change._replace(passed_over=passed_over)
    return changes


def _whole(read: ReadFile | None) -> ReadParts | None:
    """Return a reader of files as a single part, `_WHOLE`; None for no reader."""
    if read is None:
        return None
    return lambda path, content: {_WHOLE: read(path, content)}


def find_part_changes(
    repository: Repository,
    since: Mapping[FilePart, float],
    *,
    ignored: Collection[bytes],
    read: ReadParts,
) -> PartChanges:
    """Return the newest commit that changed each part of files, by path and name.

    The commit is None for a part that has always been as in a missing file. Parts
    beyond the limits, and of paths that are not in the last commit, are absent. The
    keys of `since` are the wanted parts; the value is a time in seconds since 1970. A
    part is not followed below a commit that is older than its time. Beyond `MAX_READ`,
    no further version is read.

    Raises:
        GitError: Git failed or took too long.
    """
    search = _Search(
        repository=repository,
        ignored=ignored,
        read=read,
        since=since,
        bytes_left=MAX_READ,
    )
    return search.run(repository.blobs({path for path, _ in since}), since)


@dataclass(slots=True, kw_only=True)
class _Search:
    """Follows files and parts of files to the commits that changed them."""

    repository: Repository
    ignored: Collection[bytes]
    read: ReadParts | None
    since: Mapping[FilePart, float] = field(default_factory=dict)
    """The limit of each part; empty for no limit."""

    bytes_left: float = math.inf
    """Bytes of versions that may still be read."""

    found: PartChanges = field(default_factory=dict)

    passed: dict[FilePart, list[tuple[bytes, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """The commits that are passed over, and why."""

    contents: Contents | None = None
    """Reads the repository's contents, if versions are read."""

    def run(
        self, blobs: Mapping[bytes, bytes], keys: Iterable[FilePart]
    ) -> PartChanges:
        """Return the newest change of parts of files, by path and name."""
        trails = []
        for key in keys:
            path, _ = key
            if path in blobs:
                trails.append(Trail(key, path, blobs[path], self.repository.head))
        with ExitStack() as closer:
            walks = Walks(self.repository, closer)
            read = self._reader(closer)
            for _ in range(MAX_LOOKED_THROUGH):
                if not trails:
                    break
                # What a round finds is in `self.found`; a later round can correct it.
                trails = self._trails_below(walks.introductions(trails), read)
        return self.found

    def _reader(self, closer: ExitStack) -> _ReadVersion | None:
        """Return a function that reads versions of files until `closer` ends.

        The function is None if no version has to be read.
        """
        if self.read is None:
            return None
        read_parts = self.read
        self.contents = closer.enter_context(self.repository.contents())

        # Only parts of one file ask for the same version again; whole files do not.
        @lru_cache(maxsize=MAX_VERSIONS if self.since else 0)
        def read(name: bytes, blob: bytes) -> Mapping[Hashable, object] | None:
            # A commit without the file has no blob of the file.
            content = self._content(blob) if blob else b""
            if content is None:
                return None
            # The time of the reader is not git's, whose time is limited.
            with self.repository.git.clock.stop():
                return read_parts(name, content)

        return read

    def _content(self, blob: bytes) -> bytes | None:
        """Return the content of a blob; None if it cannot be read, or none any more."""
        if self.contents is None or self.bytes_left <= 0:
            return None
        content = self.contents.read(blob)
        self.bytes_left -= len(content or b"")
        return content

    def _trails_below(
        self,
        introductions: Iterable[tuple[Trail, Introduction]],
        read: _ReadVersion | None,
    ) -> list[Trail]:
        """Note the commit that changed each file; return the files to follow below it.

        All commits that are passed over are met here, each with its reason: it is
        ignored, it moved the file, or the file reads the same as before. All versions
        that a round compares are known before the first of them is read.
        """
        further: list[Trail] = []
        edits: list[_Edit] = []
        added: dict[bytes, list[Trail]] = defaultdict(list)
        for trail, (commit, parents) in introductions:
            before = [trail._replace(blob=blob, commit=name) for blob, name in parents]
            if self._passes_over(trail, commit, before):
                further.append(before[0])
                continue
            change = _change_by(commit)
            self.found[trail.key] = change
            if self._is_too_old(trail, commit):
                continue
            # Without a version in a parent, the commit added the path.
            if before:
                edits.append(_Edit(change, trail, before))
            else:
                added[commit.id].append(trail)

        moved, others = self._before_moves(added)
        further += moved
        if read is not None:
            further += self._trails_below_edits([*edits, *others], read)
        return further

    def _trails_below_edits(
        self, edits: Sequence[_Edit], read: _ReadVersion
    ) -> list[Trail]:
        """Return the older versions of what edits left as it was.

        The older version is one of the same file, or of another file from which the
        commit moved a part.
        """
        self._fetch(_versions_of(edits))
        unchanged: list[Trail] = []
        new: list[_Edit] = []
        for edit in edits:
            same = list(self._unchanged(edit, read))
            unchanged += same
            if not same and _is_new(edit, read):
                new.append(edit)
        for edit in self._from_other_files(new):
            unchanged += self._unchanged(edit, read)
        return unchanged

    def _from_other_files(self, new: Iterable[_Edit]) -> list[_Edit]:
        """Return the edits of new parts, compared with other files of the commit.

        `new` are edits that gave a file a part that the file did not have. In each
        returned edit, `before` and `became` are what other files, which the same commit
        changed, were and became. Merges are left out.
        """
        by_commit: dict[bytes, list[_Edit]] = defaultdict(list)
        for edit in new:
            by_commit[edit.change.commit].append(edit)
        commits = by_commit.keys() - self.repository.boundary
        if not commits:
            return []
        edits = []
        for commit in self.repository.log("--no-walk", starts=commits):
            if len(commit.parents) != 1:
                continue
            others = cache(partial(_others_like, changes=commit.changes))
            for edit in by_commit[commit.id]:
                before = []
                became = []
                for change in others(edit.after.path):
                    now = edit.after._replace(path=change.path, blob=change.after)
                    old = now._replace(blob=change.before, commit=commit.first_parent)
                    before.append(old)
                    became.append(now)
                edits.append(edit._replace(before=before, became=became))
        self._fetch(_versions_of(edits))
        return edits

    def _passes_over(
        self, trail: Trail, commit: Commit, before: Sequence[Trail]
    ) -> bool:
        """Tell whether a commit is ignored as a change of the file, and record that.

        `before` are the file's trails in the parents. Without any, the commit added the
        file, and counts.
        """
        if not before or commit.id not in self.ignored:
            return False
        self.passed[trail.key].append((commit.id, "ignored"))
        self.found.pop(trail.key, None)
        return True

    def _is_too_old(self, trail: Trail, commit: Commit) -> bool:
        """Tell whether a commit is older than the time below which a part is followed.

        What changed the part earlier is then of no interest to the caller.
        """
        since = self.since.get(trail.key, -math.inf)
        return commit.time is not None and commit.time < since

    def _fetch(self, trails: Collection[Trail]) -> None:
        """Fetch the versions in `trails` that the clone lacks.

        From the second call on, all older versions of these files are fetched too.
        """

        def older() -> Iterator[bytes]:
            paths = {trail.path for trail in trails}
            starts = {trail.commit for trail in trails}
            pathspecs = cover_paths(paths)
            log = self.repository.log("--full-history", starts=starts, paths=pathspecs)
            for commit in log:
                for change in commit.changes:
                    if change.path in paths:
                        yield change.before
                        yield change.after

        if self.contents is not None:
            self.contents.fetch([trail.blob for trail in trails], older)

    def _before_moves(
        self, added: Mapping[bytes, Iterable[Trail]]
    ) -> tuple[list[Trail], list[_Edit]]:
        """Return the added files that were only moved, each as it was before.

        Also return the other added files, each with the file that it may be an edit of:
        the only deleted file of the same name, or none. Each commit is read whole: in a
        part of it, a wrong file could seem to be the old one.
        """
        moved: list[Trail] = []
        others: list[_Edit] = []
        commits = added.keys() - self.repository.boundary
        if not commits:
            return moved, others
        for commit in self.repository.log("--no-walk", starts=commits):
            old_paths, deleted = self._files_before(commit)
            for trail in added[commit.id]:
                before = trail._replace(blob=b"", commit=commit.first_parent)
                if trail.path in old_paths:
                    del self.found[trail.key]
                    self.passed[trail.key].append((commit.id, "moved"))
                    path = old_paths[trail.path]
                    moved.append(before._replace(path=path, blob=trail.blob))
                    continue
                if trail.path in deleted:
                    old = deleted[trail.path]
                    before = before._replace(path=old.path, blob=old.before)
                # A whole file that was added is a change. A part can still be as in a
                # missing file, or be from any other file.
                elif not self.since:
                    continue
                others.append(_Edit(_change_by(commit), trail, [before]))
        return moved, others

    def _files_before(
        self, commit: Commit
    ) -> tuple[Mapping[bytes, bytes], Mapping[bytes, Change]]:
        """Return the old path of each moved file, by its new path.

        Also return the deleted file of the same name for other added files; none if the
        search reads no versions, and so cannot compare the two.
        """
        if len(commit.parents) != 1:
            return {}, {}
        old_paths = moves(commit.changes)
        if self.read is None:
            return old_paths, {}
        return old_paths, namesakes(commit.changes, old_paths)

    def _unchanged(self, edit: _Edit, read: _ReadVersion) -> Iterator[Trail]:
        """Yield the older version in which the edited part reads the same, if any.

        The edit then does not count, and the part is followed from that version. If a
        version cannot be read, the edit counts for now, as an uncertain answer. A part
        that is still in the other file was copied, not moved, so that the edit counts.
        """
        key = edit.after.key
        name, part = key
        uncertain = edit.change._replace(is_certain=False)
        now = read(name, edit.after.blob)
        for old, became in zip_longest(edit.before, edit.became):
            before = read(name, old.blob)
            if now is None or before is None:
                self.found[key] = uncertain
                continue
            if part not in now:
                continue
            if now[part] != before.get(part):
                continue
            still = became and read(name, became.blob)
            if still and still.get(part) == now[part]:
                continue
            if old.blob:
                # The change is an older one, which a later round finds; until then, the
                # answer is uncertain.
                self.found[key] = uncertain
                self.passed[key].append((edit.change.commit, "same"))
                yield old
            else:  # The part is as in a missing file.
                self.found[key] = None
            return


def _versions_of(edits: Iterable[_Edit]) -> list[Trail]:
    """Return the versions of files that are compared for edits."""
    trails: list[Trail] = []
    for edit in edits:
        trails += [edit.after, *edit.before, *edit.became]
    return trails


def _is_new(edit: _Edit, read: _ReadVersion) -> bool:
    """Tell whether a part that can move was in none of the older versions of its file.

    False if a version cannot be read.
    """
    name, part = edit.after.key
    now = read(name, edit.after.blob)
    if now is None or not isinstance(now.get(part), Distinct):
        return False
    for old in edit.before:
        before = read(name, old.blob)
        if before is None or part in before:
            return False
    return True


def _others_like(path: bytes, *, changes: Iterable[Change]) -> list[Change]:
    """Return a commit's changes of other files with the suffix of a path.

    Files with the same name come first. At most `MAX_OTHER_FILES` are returned.
    """
    suffix = path[path.rfind(b".") :]
    name = _public_name(path)
    old = [change for change in changes if change.before and change.path != path]
    others = [change for change in old if change.path.endswith(suffix)]
    others.sort(key=lambda change: _public_name(change.path) != name)
    return others[:MAX_OTHER_FILES]


def _public_name(path: bytes) -> bytes:
    """Return a file's name as it was before it became private: `_client.py`."""
    return path.rpartition(b"/")[2].lstrip(b"_")


def _change_by(commit: Commit) -> LastChange:
    return LastChange(commit.id, commit.time, authored=commit.authored)
