"""For each file, the newest commit that changed its content, as `git log -1 -- <file>`.

Three kinds of edits do not count as changes: a new mode, a move of the unchanged file,
and what a commit on the list of ignored ones did to a file that was there before. A
caller can add a fourth: an edit, also of a moved file, after which the file reads the
same as before. What reads the same is the caller's decision; it can also read several
parts of a file, each of which has its own commit. Such a part can move to another file,
too. A part that a version lacks is unlike any other: perhaps nobody can read it there.

One walk serves all files. It shows commits with their parents, and what each changed
against its first parent. With that, each file is followed as git would follow it alone:
down first parents to a change, and from a merge to the first parent that has the same
file. What is not a change is passed over in rounds: each goes on below the commits that
the last one found. The walk ends as soon as all files are known.
"""

from __future__ import annotations

import math
import posixpath
from collections import OrderedDict, defaultdict
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
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.git.log import (
    Change,
    Commit,
    cover_paths,
    is_covered,
    moves,
    namesakes,
)
from sitemap_plugins.core.messages import GitError, SitemapError

if TYPE_CHECKING:  # It runs programs.
    from sitemap_plugins.core.git.repository import Contents, Repository

ReadFile = Callable[[bytes, bytes], object]
"""Takes a path of the last commit and the content of one of its versions.

Returns equal values for versions that read the same.
"""

ReadParts = Callable[[bytes, bytes], Mapping[Hashable, object]]
"""Likewise, but returns the file's parts by what stands for them.

Those of a missing file for no content. A part that is `Distinct` can move.
"""

ReadOther = Callable[[bytes], Mapping[str, object]]
"""Takes the content of a file that has what is `Elsewhere`; returns parts by name."""

_ReadVersion = Callable[[bytes, bytes], Mapping[Hashable, object] | None]
"""Takes a path of the last commit and a version's blob, none for a missing file.

Returns its parts, or None if it cannot be read.
"""

MAX_WALKS = 16
"""Walks over the history; most repositories need one.

One is for the folders of the files, and one for each further set of folders that files
were moved from.
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
"""Files that a commit changed, in which a part is looked for that it gave to a file."""

MAX_OTHERS = 64
"""Files of commits whose parts are kept: many names lead to the same one."""

MAX_STEPS = 256
"""Files of one commit in which a part is looked for that is elsewhere.

networkx imports all names of 60 modules into one.
"""

_WHOLE = ""
"""The name of the only part of a file that is read as one."""


class Distinct(NamedTuple):
    """A part that is known again in another file: no two are the same by chance."""

    value: Hashable


class Elsewhere(NamedTuple):
    """A part that another file has: two are the same if what they lead to is."""

    files: tuple[str, ...]
    """Where it is, the first that has it: paths relative to the file's folder.

    One that begins with `/` is relative to the nearest folder above that has the name
    of its first folder.
    """

    parts: tuple[str, ...]
    """Its names there, the first that there is; empty for those that were sought."""

    own: tuple[str, ...] = ()
    """Likewise in this file, of which an older version can have it."""


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
    """The author's, likewise."""

    passed_over: tuple[tuple[bytes, str], ...] = ()
    """Newer commits that do not count, from the newest, each with the reason.

    They are `ignored`, they `moved` the file, or it reads the `same`.
    """

    @property
    def earliest(self) -> int | None:
        """The earlier of both; the committer's where one cannot be read."""
        if self.time is None or self.authored is None:
            return self.time
        return min(self.time, self.authored)


FilePart = tuple[bytes, Hashable]
"""A file's path in the last commit, and what stands for a part of it."""

PartChanges = dict[FilePart, LastChange | None]
"""Which commit changed each part last; None if none did."""


class _Trail(NamedTuple):
    """A file, or a part of it, followed down the history to some commit."""

    key: FilePart
    """Its path at the beginning, and the part's name."""

    path: bytes
    """Its path at that commit: another one below a move."""

    blob: bytes
    """Its content at that commit: another one below a commit that was passed over."""

    commit: bytes
    """That commit."""


class _Introduction(NamedTuple):
    """A commit that gave a path its content, which none of its parents has there."""

    commit: Commit

    before: list[tuple[bytes, bytes]]
    """The blob in each parent that has the path, and that parent, in order."""


class _Edit(NamedTuple):
    """A change of a file that may read the same as before."""

    change: LastChange

    after: _Trail

    before: list[_Trail]
    """What the parents have."""

    became: Sequence[_Trail] = ()
    """What the commit made of these, if they are other files: a copy is no move."""


def find_last_changes(
    repository: Repository,
    blobs: Mapping[bytes, bytes],
    *,
    ignored: Collection[bytes],
    read: ReadFile | None = None,
) -> dict[bytes, LastChange]:
    """Return the newest commit that changed each path.

    `blobs` has the content of each now. With `read`, an edit after which a file reads
    the same is not a change. A file beyond the limits has none.

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
    if read is None:
        return None
    return lambda path, content: {_WHOLE: read(path, content)}


def find_part_changes(
    repository: Repository,
    since: Mapping[FilePart, float],
    *,
    ignored: Collection[bytes],
    read: ReadParts,
    reader_of: Callable[[FilePart], ReadOther] | None = None,
) -> PartChanges:
    """Return the newest commit that changed each part of files, by path and name.

    None for a part that has always been as that of a missing file. Parts beyond the
    limits, and of paths that are not in the last commit, are absent. `since` has a time
    in seconds since 1970 for each part: it is not followed below older commits. Beyond
    `MAX_READ`, no further version is read. `reader_of` returns what reads the files to
    which a part leads that is `Elsewhere`; without it, what such a part was is unknown.

    Raises:
        GitError: Git failed or took too long.
    """
    search = _Search(
        repository=repository,
        ignored=ignored,
        read=read,
        reader_of=reader_of,
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
    reader_of: Callable[[FilePart], ReadOther] | None = None
    since: Mapping[FilePart, float] = field(default_factory=dict)
    """Of each part; empty for no limit."""

    bytes_left: float = math.inf
    """Bytes of versions that may still be read."""

    found: PartChanges = field(default_factory=dict)

    passed: dict[FilePart, list[tuple[bytes, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """The commits that are passed over, and why."""

    contents: Contents | None = None
    """Of the repository, if versions are read."""

    others: OrderedDict[tuple[ReadOther, bytes, bytes], Mapping[str, object]] = field(
        default_factory=OrderedDict
    )
    """The parts of files by reader, commit and path: the last ones that were needed.

    No `lru_cache` of a method: the cycle would keep a fetched history after the build.
    """

    def run(
        self, blobs: Mapping[bytes, bytes], keys: Iterable[FilePart]
    ) -> PartChanges:
        """Return the newest change of parts of files, by path and name."""
        trails = []
        for key in keys:
            path, _ = key
            if path in blobs:
                trails.append(_Trail(key, path, blobs[path], self.repository.head))
        with ExitStack() as closer:
            walks = _Walks(self.repository, closer)
            read = self._reader(closer)
            for _ in range(MAX_LOOKED_THROUGH):
                if not trails:
                    break
                trails = self._below(walks.introductions(trails), read)
        return self.found

    def _reader(self, closer: ExitStack) -> _ReadVersion | None:
        """Return a function that reads versions of files until `closer` ends.

        None if there is no need.
        """
        if self.read is None:
            return None
        read_parts = self.read
        self.contents = closer.enter_context(self.repository.contents())

        @lru_cache(maxsize=MAX_VERSIONS if self.since else 0)
        def read(name: bytes, blob: bytes) -> Mapping[Hashable, object] | None:
            content = self._content(blob) if blob else b""
            if content is None:
                return None
            # What takes long is not git.
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

    def _below(
        self,
        introductions: Iterable[tuple[_Trail, _Introduction]],
        read: _ReadVersion | None,
    ) -> list[_Trail]:
        """Note the commit that changed each file; return the files to follow below it.

        All commits that are passed over are met here, each with its reason: it is
        ignored, it moved the file, or the file reads the same as
        before. All versions that a round compares are known before the first of them is
        read.
        """
        further: list[_Trail] = []
        edits: list[_Edit] = []
        added: dict[bytes, list[_Trail]] = defaultdict(list)
        for trail, (commit, parents) in introductions:
            before = [trail._replace(blob=blob, commit=name) for blob, name in parents]
            if self._passes_over(trail, commit, before):
                further.append(before[0])
                continue
            change = _change_by(commit)
            self.found[trail.key] = change
            if self._is_too_old(trail, commit):
                continue
            if before:
                edits.append(_Edit(change, trail, before))
            else:
                added[commit.id].append(trail)

        moved, others = self._before_moves(added)
        further += moved
        if read is not None:
            further += self._below_edits([*edits, *others], read)
        return further

    def _below_edits(self, edits: Sequence[_Edit], read: _ReadVersion) -> list[_Trail]:
        """Return what edits left as it was: in the same file, or in another one."""
        self._fetch(_versions_of(edits))
        unchanged: list[_Trail] = []
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
        """Return parts that are new in their files as edits of what others had."""
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
        self, trail: _Trail, commit: Commit, before: Sequence[_Trail]
    ) -> bool:
        """Tell whether a commit is no change of a file, and note why."""
        if not before or commit.id not in self.ignored:
            return False
        self.passed[trail.key].append((commit.id, "ignored"))
        self.found.pop(trail.key, None)
        return True

    def _is_too_old(self, trail: _Trail, commit: Commit) -> bool:
        """Tell whether a part is not to be followed below a commit."""
        since = self.since.get(trail.key, -math.inf)
        return commit.time is not None and commit.time < since

    def _fetch(self, trails: Collection[_Trail]) -> None:
        """Fetch versions of files, and perhaps all older ones of these files."""

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
        self, added: Mapping[bytes, Iterable[_Trail]]
    ) -> tuple[list[_Trail], list[_Edit]]:
        """Return those of the added files that were only moved, each as it was before.

        Also return the others with what they may be an edit of: the only deleted file
        of the same name, or no file. All that a commit changed is read: from a part of
        it, another file could seem to be the old one.
        """
        moved: list[_Trail] = []
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
                elif not self.since:
                    continue
                others.append(_Edit(_change_by(commit), trail, [before]))
        return moved, others

    def _files_before(
        self, commit: Commit
    ) -> tuple[Mapping[bytes, bytes], Mapping[bytes, Change]]:
        """Return the old paths of moved files, and the namesakes of others, if read."""
        if len(commit.parents) != 1:
            return {}, {}
        old_paths = moves(commit.changes)
        if self.read is None:
            return old_paths, {}
        return old_paths, namesakes(commit.changes, old_paths)

    def _unchanged(self, edit: _Edit, read: _ReadVersion) -> Iterator[_Trail]:
        """Yield the first of a file's older versions that reads the same, if any."""
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
            try:
                is_same = self._is_same(edit, old, now[part], before.get(part))
            except _UnreadError:
                self.found[key] = uncertain
                continue
            if not is_same:
                continue
            still = became and read(name, became.blob)
            if still and still.get(part) == now[part]:
                continue
            if old.blob:
                # The change is an older one, yet to be found.
                self.found[key] = uncertain
                self.passed[key].append((edit.change.commit, "same"))
                yield old
            else:
                self.found[key] = None
            return

    def _is_same(self, edit: _Edit, old: _Trail, now: object, before: object) -> bool:
        """Tell whether a part is the same before an edit, or what it leads to is.

        Raises:
            _UnreadError: That is not known.
        """
        if now == before:
            return True
        if not isinstance(now, Elsewhere):
            return False
        if not old.blob:  # The file is new: what the part was, and where, is not known.
            return True
        if not isinstance(before, Elsewhere):
            name = old.path.rpartition(b"/")[2]
            before = Elsewhere((name.decode(errors="replace"),), now.own)
        reached = self._reached(edit.after, edit.change.commit, now)
        if reached is None:
            return False
        return reached == self._reached(old, old.commit, before)

    def _reached(self, trail: _Trail, commit: bytes, to: Elsewhere) -> object:
        """Return what a part is in a commit that is elsewhere; None if it is nowhere.

        Raises:
            _UnreadError: It is beyond the limits, or a file on the way cannot be read.
        """
        if self.reader_of is None:
            raise _UnreadError("nothing reads other files")
        read = self.reader_of(trail.key)
        ahead = [(path, to.parts) for path in _paths_from(trail.path, to)]
        seen: set[tuple[bytes, tuple[str, ...]]] = set()
        while ahead:
            step = ahead.pop(0)
            if step in seen:
                continue
            if len(seen) == MAX_STEPS:
                raise _UnreadError("it is behind too many files")
            seen.add(step)
            path, names = step
            parts = self._parts_in(read, commit, path)
            known = [parts[name] for name in names if name in parts]
            if not known:
                continue
            found = known[0]
            if not isinstance(found, Elsewhere):
                return found
            further = [
                (each, found.parts or names) for each in _paths_from(path, found)
            ]
            ahead = further + ahead
        return None

    def _parts_in(
        self, read: ReadOther, commit: bytes, path: bytes
    ) -> Mapping[str, object]:
        """Return the parts of a file in a commit; none if it is not there.

        Raises:
            _UnreadError: It cannot be read.
        """
        file = (read, commit, path)
        if file in self.others:
            self.others.move_to_end(file)
            return self.others[file]
        parts: Mapping[str, object] = {}
        blob = self.repository.blob_in(commit, path)
        if blob:
            self._fetch([_Trail((path, _WHOLE), path, blob, commit)])
            content = self._content(blob)
            if content is None:
                raise _UnreadError("its file cannot be read")
            with self.repository.git.clock.stop():
                parts = read(content)
        self.others[file] = parts
        if len(self.others) > MAX_OTHERS:
            self.others.popitem(last=False)
        return parts


class _UnreadError(SitemapError):
    """What a part was is not known."""


def _versions_of(edits: Iterable[_Edit]) -> list[_Trail]:
    """Return the versions of files that are compared for edits."""
    trails: list[_Trail] = []
    for edit in edits:
        trails += [edit.after, *edit.before, *edit.became]
    return trails


def _paths_from(path: bytes, to: Elsewhere) -> list[bytes]:
    """Return the paths in the repository that a part of a file leads to."""
    *folders, _ = path.decode(errors="replace").split("/")
    paths = []
    for file in to.files:
        first = file.split("/")[1] if file.startswith("/") else ""
        if first and first not in folders:
            continue
        start = folders
        if first:
            nearest = folders[::-1].index(first) + 1
            start = folders[:-nearest]
        found = posixpath.normpath("/".join([*start, file.lstrip("/")]))
        # Git takes one name a line.
        if not found.startswith("..") and "\n" not in found:
            paths.append(found.encode())
    return paths


def _is_new(edit: _Edit, read: _ReadVersion) -> bool:
    """Tell whether a part that can move was in none of the older versions."""
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
    """Return what a commit did to other files of that kind, of the same name first."""
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


class _Walks:
    """The history of a repository, walked where files lead."""

    def __init__(self, repository: Repository, closer: ExitStack) -> None:
        """Start without walks; those to come are ended by `closer`."""
        self._repository = repository
        self._closer = closer
        self._walks: list[_Walk] = []

    def introductions(
        self, trails: Sequence[_Trail]
    ) -> list[tuple[_Trail, _Introduction]]:
        """Return where git finds the content of each file."""
        new = {trail.path for trail in trails if self._walk_of(trail.path) is None}
        if new and len(self._walks) < MAX_WALKS:
            starts = {trail.commit for trail in trails}
            walk = _Walk(self._repository, cover_paths(new), starts, self._closer)
            self._walks.append(walk)

        together: dict[tuple[_Walk, bytes], list[_Trail]] = defaultdict(list)
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
        self.pathspecs = pathspecs
        self._repository = repository
        self._closer = closer
        form = ("--first-parent", "--sparse", "--diff-merges=first-parent")
        log = repository.log(*form, starts=starts, paths=pathspecs)
        self._log = closer.enter_context(closing(log))
        self._coming = set(starts)
        """The next commit that the log will show of each line of first parents."""
        self._log_time = math.inf
        """The time of the last commit that the log has shown."""
        self._show: Callable[[bytes], Iterator[Commit]] | None = None
        """Shows one commit by its name, once it is needed."""
        self._first_parents: dict[bytes, bytes] = {}
        """Of all commits that were read; empty for a commit without parents."""
        self._changes: dict[bytes, tuple[Commit, Mapping[bytes, Change]]] = {}
        """Of the commits that changed a path, by commit and path."""

    def introductions(
        self, start: bytes, blobs: Mapping[bytes, bytes]
    ) -> dict[bytes, _Introduction]:
        """Return where git finds paths with their content in a commit."""
        found: dict[bytes, _Introduction] = {}
        ahead = []
        for commit, changes in self._newest_changes(start, blobs):
            ahead.append((commit, _with_content(changes, blobs)))
        while ahead:
            commit, changes = ahead.pop()
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
        """Yield the commits down first parents that last changed the paths, and how."""
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
        """Tell whether a commit is named, and read it if it is not known yet."""
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
            GitError: It is missing.
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


def _by_first_parent(commit: Commit, change: Change) -> _Introduction:
    before = [(change.before, commit.first_parent)] if change.before else []
    return _Introduction(commit, before)
