"""When each source file last changed: from git, or from the file's own time outside of it.

Likewise for excerpts: several pages can show parts of one file, such as a catalog of
translations, and a commit that changed the file need not have changed all parts.

A file's own time counts only if it can be its author's: not on a CI service, not if
nearly all files have the same one, as copies do, not after `SOURCE_DATE_EPOCH`, and not
if the build itself wrote the file.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.date_values import (
    NEVER,
    NOTHING,
    Evidence,
    Origin,
    from_seconds,
    to_utc,
)
from sitemap_plugins.core.dates.content import read_content
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.last_change import LastChange, find_part_changes
from sitemap_plugins.core.git.repository import Repository, read_ignore_revs, root_above
from sitemap_plugins.core.messages import GitError, Notice, a_few
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage, Excerpt

MIN_COPIED = 3
"""Files with one time that prove a copy; fewer can share it by chance."""

MIN_BULK = 20
"""Pages that one commit dates before it is examined, if they are a large part of all."""

_LARGE_PART = 0.3
_NEARLY_ALL = 0.8

_LATE = Evidence(unknown_until=NEVER)
"""What is known about a file with a time after `SOURCE_DATE_EPOCH`."""

Known = dict[str | Excerpt, Evidence]
"""What is known about files, by real path, and about excerpts."""

_Changes = Mapping[bytes, LastChange | None]
"""By path in the repository; None for a file that is not in the last commit."""

_Part = tuple[bytes, str]
"""A file's path in its repository, and the name of an excerpt of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDates:
    """What is known about each source file."""

    real: Mapping[Path, str]
    """The real path of each source, as text: pathlib takes ten times as long."""

    tracked: Known
    """Files in a repository, by real path, and excerpts of such files."""

    untracked: Known
    """Files in none, by real path, and excerpts of such files."""

    copied: frozenset[str]
    """Untracked files whose time is that of a copy."""

    late: frozenset[str]
    """Untracked and edited files whose time is after `SOURCE_DATE_EPOCH`."""

    is_shallow: bool
    """Whether the history of any repository is incomplete."""

    options: Options
    """Those with which the dates were looked for."""

    repositories: Mapping[str, Repository]
    """By root."""

    def of(self, page: CheckedPage, known: Known) -> Evidence:
        """Return the evidence of a page whose sources are among the known ones.

        What it includes counts too, also from a repository, but only beside the date of
        a source.
        """
        own = [self.real[file] for file in page.sources] or page.excerpts
        if all(known.get(key, NOTHING) == NOTHING for key in own):
            return NOTHING
        included = [self.real[file] for file in page.included]
        keys: list[str | Excerpt] = [*own, *included, *page.excerpts]
        return Evidence.of_all(
            [known.get(key) or self.tracked.get(key, NOTHING) for key in keys]
        )


class _Request(NamedTuple):
    """An excerpt whose date is wanted."""

    excerpt: Excerpt

    file: str
    """The real path of its file."""

    sources: Sequence[str]
    """The real paths of the page's own files: older changes are not looked for."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The files in one repository, or in none, whose dates are wanted."""

    files: dict[str, int] = field(default_factory=dict)
    """The number of pages whose own file each is, by real path."""

    requests: list[_Request] = field(default_factory=list)
    """Excerpts of these files."""


def find_file_dates(
    pages: Sequence[CheckedPage], options: Options, environment: Environment
) -> tuple[FileDates, tuple[Notice, ...]]:
    """Ask each file's repository, or take the file's own time if there is none."""
    real = _real_paths(pages)
    groups = _by_root(pages, real)
    untracked, copied = _ask_files(groups.pop("", _Group()), options, environment)
    tracked: Known = {}
    repositories = {}
    notices: list[Notice] = []
    if "git" in options.lastmod:
        for root, group in groups.items():
            answer = _ask_git(root, group, options, environment)
            tracked |= answer.found
            notices += answer.notices
            if answer.repository is not None:
                repositories[str(answer.repository.root)] = answer.repository
    known = untracked | tracked
    dates = FileDates(
        real=real,
        tracked=tracked,
        untracked=untracked,
        copied=copied,
        late=frozenset(file for file in real.values() if known.get(file) is _LATE),
        options=options,
        repositories=repositories,
        is_shallow=any(repository.boundary for repository in repositories.values()),
    )
    return dates, tuple(dict.fromkeys(notices))


def _real_paths(pages: Iterable[CheckedPage]) -> dict[Path, str]:
    """Return the real path of each file, in the order of pages: so each build says the same."""
    folders: dict[str, str] = {}
    real = {}
    for page in pages:
        files = [*page.sources, *(excerpt.file for excerpt in page.excerpts)]
        if files:  # What is included counts only beside these.
            files += page.included
        for file in files:
            if file not in real:
                real[file] = _real(file, folders)
    return real


def _by_root(
    pages: Iterable[CheckedPage], real: Mapping[Path, str]
) -> dict[str, _Group]:
    """Return what is wanted by the root of its repository; empty for files in none."""
    roots: dict[str, str | None] = {}
    groups: dict[str, _Group] = defaultdict(_Group)
    group_of = {}
    for file in real.values():
        root = root_above(os.path.dirname(file), roots)
        group_of[file] = groups[root or ""]
        group_of[file].files[file] = 0
    for page in pages:
        sources = [real[source] for source in page.sources]
        if sources:
            first = sources[0]
            group_of[first].files[first] += 1
        for excerpt in page.excerpts:
            file = real[excerpt.file]
            group_of[file].requests.append(_Request(excerpt, file, sources))
    return groups


def _ask_files(
    group: _Group, options: Options, environment: Environment
) -> tuple[Known, frozenset[str]]:
    """Return the evidence of files outside git, and which of them have the time of a copy."""
    found: Known = dict.fromkeys(group.files, NOTHING)
    if not {"git", "mtime"}.intersection(options.lastmod):
        return found, frozenset()
    times = {}
    for file in group.files:
        time = _mtime(file)
        if time is not None:
            times[file] = time
    if environment.ci.is_ci or _share_one_time(sorted(times.values())):
        return found, frozenset(times)
    if "mtime" in options.lastmod:
        for file, time in times.items():
            found[file] = _by_time(file, time, environment)
        for request in group.requests:
            limit = _latest(found[request.file])
            if limit is not None:
                # Which part of the file changed is not known.
                found[request.excerpt] = Evidence(unknown_until=limit)
    return found, frozenset()


class _Answer(NamedTuple):
    """What a repository knows about files and excerpts."""

    found: Known
    """Of files, by real path, and of excerpts."""

    notices: Sequence[Notice] = ()

    repository: Repository | None = None


def _ask_git(
    root: str, group: _Group, options: Options, environment: Environment
) -> _Answer:
    """Return what a repository knows about files below its root, and excerpts of them."""
    try:
        with environment.repository(root) as clone:
            return _answer(clone, group, options, environment)
    except GitError as error:
        keys: list[str | Excerpt] = [
            *group.files,
            *(request.excerpt for request in group.requests),
        ]
        unknown = Evidence(unknown_until=NEVER)
        return _Answer(dict.fromkeys(keys, unknown), [Notice.of(error, error.code)])


def _answer(
    clone: Repository, group: _Group, options: Options, environment: Environment
) -> _Answer:
    """Ask an open repository.

    Raises:
        GitError: Git failed or took too long.
    """
    paths = {}
    for file in group.files:
        path = clone.path(file)
        if path is not None:
            paths[file] = path
    asked = set(paths.values())
    repository, about_history = _complete(clone, asked, environment)
    ignored, about_ignored = read_ignore_revs(
        repository.root, option=options.ignore_revs
    )
    changes, originals = _last_changes(repository, asked, ignored, options, environment)
    edited = _edited(repository, asked, options, environment)

    found: Known = dict.fromkeys(group.files, NOTHING)
    for file, path in paths.items():
        name = originals.get(path, path)
        change = changes[name]
        if change is None:
            continue  # Never committed: the time can be that of any build.
        if path in edited and path == name:
            found[file] = _by_time(file, _mtime(file), environment)
        else:
            time = change.earliest if environment.earliest else change.time
            found[file] = _by_commit(name, change, repository, time)
    excerpts, unread = _of_excerpts(repository, group.requests, found, edited, ignored)

    doubtful = {
        path for path in asked if (change := changes[path]) and not change.is_certain
    }
    notices = [*about_history, *about_ignored]
    notices += _about_unread(repository, doubtful, "so any change dates their pages")
    notices += _about_unread(
        repository, unread, "so pages that show parts of these have no date"
    )
    if options.changes == "any":
        pages = {path: group.files[file] for file, path in paths.items()}
        notices += _about_bulk(repository, pages, changes)
    return _Answer(found | excerpts, notices, repository)


def _last_changes(
    repository: Repository,
    paths: set[bytes],
    ignored: frozenset[bytes],
    options: Options,
    environment: Environment,
) -> tuple[_Changes, Mapping[bytes, bytes]]:
    """Return the last change of each path, and of which committed file another one is a copy."""
    last_changes = partial(
        environment.git_cache.last_changes, repository, ignored=ignored
    )
    if options.changes == "content":
        last_changes = partial(last_changes, read=read_content)
    changes = last_changes(paths)
    originals = repository.originals(path for path in paths if changes[path] is None)
    if originals:
        changes = last_changes(paths.union(originals.values()))
    return changes, originals


def _of_excerpts(
    repository: Repository,
    requests: Iterable[_Request],
    known: Known,
    edited: set[bytes],
    ignored: Collection[bytes],
) -> tuple[Known, set[bytes]]:
    """Return the evidence of excerpts in a repository; `known` has that of whole files.

    Also return the paths of files whose old versions cannot be read, though they were
    needed.

    Raises:
        GitError: Git failed or took too long.
    """
    found: Known = {}
    wanted: dict[_Part, _Request] = {}
    for request in requests:
        path = repository.path(request.file)
        limit = _latest(known.get(request.file, NOTHING))
        if path is None or limit is None:
            continue
        # The whole file is older, or its changes cannot be attributed to pages.
        if limit < _since(request, known) or not request.excerpt.certain:
            found[request.excerpt] = Evidence(unknown_until=limit)
        else:
            wanted[path, request.excerpt.name] = request

    readers = {path: request.excerpt.read for (path, _), request in wanted.items()}

    def read(path: bytes, content: bytes) -> dict[str, int]:
        excerpts = readers[path](content)
        # Many versions are kept.
        return {name: hash(excerpt) for name, excerpt in excerpts.items()}

    for part in _edited_parts(repository, wanted, edited, read):
        request = wanted.pop(part)
        found[request.excerpt] = known[request.file]
    if not wanted:
        return found, set()

    since = {
        part: _since(request, known).timestamp() for part, request in wanted.items()
    }
    changes = find_part_changes(repository, since, ignored=ignored, read=read)
    for part, request in wanted.items():
        found[request.excerpt] = _of_part(part, changes, repository)
    unread = {
        path
        for (path, _), change in changes.items()
        if change and not change.is_certain
    }
    return found, unread


def _of_part(
    part: _Part, changes: Mapping[_Part, LastChange | None], repository: Repository
) -> Evidence:
    if part not in changes:  # Beyond the limits, as if lost.
        return Evidence(unknown_until=NEVER)
    change = changes[part]
    if change is None:
        return NOTHING
    return _by_commit(
        part[0], change, repository, change.time, lost=not change.is_certain
    )


def _edited_parts(
    repository: Repository,
    parts: Collection[_Part],
    edited: set[bytes],
    read: Callable[[bytes, bytes], Mapping[str, object]],
) -> list[_Part]:
    """Return those of the parts that differ from the last commit; `edited` has such files."""
    found = []
    for path, old, new in repository.edits(
        edited.intersection(path for path, _ in parts)
    ):
        before = read(path, old or b"")
        now = read(path, new or b"")
        for part in parts:
            name = part[1]
            if part[0] == path and now.get(name) != before.get(name):
                found.append(part)
    return found


def _latest(found: Evidence) -> datetime | None:
    """Return the latest possible time of the last change; None for none."""
    return found.unknown_until if found.newest is None else to_utc(found.newest)


def _since(request: _Request, known: Known) -> datetime:
    """Return the date of the page's own files; the earliest possible one if they have none."""
    date = Evidence.of_all(
        [known[file] for file in request.sources if file in known]
    ).date
    return from_seconds(0) if date is None else to_utc(date)


def _by_commit(
    path: bytes,
    change: LastChange,
    repository: Repository,
    time: int | None,
    *,
    lost: bool = False,
) -> Evidence:
    origin = Origin("git", path, str(repository.root), change.commit)
    lost = lost or change.commit in repository.boundary
    return Evidence.of_change(time, lost=lost, origin=origin)


def _complete(
    clone: Repository, paths: Collection[bytes], environment: Environment
) -> tuple[Repository, Sequence[Notice]]:
    """Return a repository with its history, which is not fetched if it dates none of the paths.

    A page can use a file of a program that is installed in a clone of its own, which
    ignores it.
    """
    if clone.boundary and not (clone.blobs(paths) or clone.originals(paths)):
        return clone, ()
    return environment.complete(clone)


def _edited(
    repository: Repository,
    paths: Collection[bytes],
    options: Options,
    environment: Environment,
) -> set[bytes]:
    """Return the files that count as changed since the last commit."""
    if environment.ci.is_ci:  # Edits in the working tree are made by its scripts.
        return set()
    edited = repository.edited(paths)
    if options.changes == "any":
        return edited
    return {
        path for path, *it in repository.edits(edited) if not _reads_the_same(path, *it)
    }


def _about_unread(
    repository: Repository, paths: Collection[bytes], consequence: str
) -> Iterable[Notice]:
    if not paths or not (repository.history or repository.is_partial()):
        return
    problem = (
        f"the clone in {repository.root} lacks old versions of files, {consequence}"
    )
    cure = "set the option fetch_history, or clone without `--filter`"
    if repository.fetch:
        failure = repository.fetch(())
        if not isinstance(failure, Notice):
            return  # They are there, but too large.
        problem = f"{problem}; {failure.problem}"
        cure = failure.cure
    files = a_few(sorted(map(os.fsdecode, paths)))
    yield Notice("missing-contents", problem, f"{cure} ({files})")


def _about_bulk(
    repository: Repository,
    pages: Mapping[bytes, int],
    changes: _Changes,
) -> Iterator[Notice]:
    """Name a commit that dates many pages, most of which read the same before it.

    `pages` has the number of pages for each file. Nothing is read unless there is such
    a commit.
    """
    dated: dict[bytes, list[bytes]] = defaultdict(list)
    for path, number in pages.items():
        change = changes[path]
        if change is not None:
            dated[change.commit] += [path] * number
    total = sum(pages.values())
    for commit, paths in dated.items():
        if len(paths) < max(MIN_BULK, total * _LARGE_PART):
            continue
        same = _count_unseen(repository, commit, paths)
        if same < len(paths) * _NEARLY_ALL:
            continue
        problem = (
            f"commit {commit[:10].decode()} dates {len(paths)} of {total} pages, and {same} of"
            " them read the same before it"
        )
        cure = (
            "set the option changes to `content`, or list it in .git-blame-ignore-revs"
        )
        yield Notice("bulk-change", problem, cure)


def _count_unseen(repository: Repository, name: bytes, paths: Sequence[bytes]) -> int:
    """Return how many files readers see no edit of in a commit; none if it made too many new."""
    (commit,) = repository.log("--no-walk", starts=[name])
    edits = {edit.path: edit for edit in commit.changes if edit.before and edit.after}
    edited = [edits[path] for path in paths if path in edits]
    if len(edited) < len(paths) * _NEARLY_ALL:
        return 0
    same = 0
    with repository.contents() as contents:
        contents.fetch(blob for edit in edited for blob in (edit.before, edit.after))
        for edit in edited:
            old = contents.read(edit.before)
            new = contents.read(edit.after)
            if _reads_the_same(edit.path, old, new):
                same += 1
    return same


def _reads_the_same(path: bytes, old: bytes | None, new: bytes | None) -> bool:
    """Tell whether readers do not see an edit; not if a version is missing."""
    if old is None or new is None:
        return False
    return read_content(path, old) == read_content(path, new)


def _mtime(file: str) -> datetime | None:
    try:
        return from_seconds(os.stat(file).st_mtime)
    except OSError:
        return None


def _by_time(file: str, mtime: datetime | None, environment: Environment) -> Evidence:
    """Return the evidence of a file's own time.

    https://reproducible-builds.org/specs/source-date-epoch/: times that are specific to
    one build "MUST use a timestamp no later than the value of this variable". A time
    that would have to be replaced by the variable's tells nothing about the page, so it
    has none.
    """
    if mtime is None:
        return NOTHING
    if environment.began and mtime >= environment.began:
        return NOTHING
    epoch = environment.ci.source_date_epoch
    if epoch is not None and mtime.timestamp() > epoch:
        return _LATE
    return Evidence(mtime, None, Origin("mtime", file))


def _share_one_time(times: Sequence[datetime]) -> bool:
    """Tell whether nearly all times, ascending, are as close together as those of copied files."""
    if len(times) < MIN_COPIED:
        return False
    window = timedelta(
        seconds=2 + len(times) / 100
    )  # Slow disks copy a hundred files a second.
    nearly_all = len(times) * 9 // 10
    spans = zip(times, times[nearly_all - 1 :], strict=False)
    return any(last - first <= window for first, last in spans)


def _real(source: Path, folders: dict[str, str]) -> str:
    """Return a file's path without symbolic links, asking once for each folder."""
    folder, name = os.path.split(source)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    file = os.path.join(folders[folder], name)
    return os.path.realpath(file) if os.path.islink(file) else file
