"""When each source file last changed: from git, or from the file's own time outside of it.

Likewise for excerpts: several pages can show parts of one file, such as a catalog of
translations, and a commit that changed the file need not have changed all parts.

A file's own time counts only if it can be its author's: not on a CI service, not if
nearly all files have the same one, as copies do, not after `SOURCE_DATE_EPOCH`, and not
if the build itself wrote the file.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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

_LARGE_PART, _NEARLY_ALL = 0.3, 0.8

_LATE = Evidence(unknown_until=NEVER)
"""What is known about a file with a time after `SOURCE_DATE_EPOCH`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDates:
    """What is known about each source file."""

    real: Mapping[Path, str]
    """The real path of each source, as text: pathlib takes ten times as long."""

    tracked: Mapping[str | Excerpt, Evidence]
    """Files in a repository, by real path, and excerpts of such files."""

    untracked: Mapping[str | Excerpt, Evidence]
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

    def of(
        self, page: CheckedPage, known: Mapping[str | Excerpt, Evidence]
    ) -> Evidence:
        """Return the evidence of a page whose sources are among the known ones.

        What it includes counts too, also from a repository, but only beside the date of
        a source.
        """
        own = [self.real[file] for file in page.sources] or page.excerpts
        if all(known.get(key, NOTHING) == NOTHING for key in own):
            return NOTHING
        included = (self.real[file] for file in page.included)
        keys: list[str | Excerpt] = [*own, *included, *page.excerpts]
        return Evidence.of_all(
            [known.get(key) or self.tracked.get(key, NOTHING) for key in keys]
        )


def find_file_dates(
    pages: Sequence[CheckedPage], options: Options, environment: Environment
) -> tuple[FileDates, tuple[Notice, ...]]:
    """Ask each file's repository, or take the file's own time if there is none."""
    pages = [page for page in pages if page.sources or page.excerpts]
    folders: dict[str, str] = {}
    # In the order of the pages, so that each build says the same.
    sources = dict.fromkeys(
        file for page in pages for file in (*page.sources, *page.included)
    )
    sources |= dict.fromkeys(
        excerpt.file for page in pages for excerpt in page.excerpts
    )
    real = {source: _real(source, folders) for source in sources}
    roots: dict[str, str | None] = {}
    own = Counter(real[page.sources[0]] for page in pages if page.sources)
    members: dict[str | None, dict[str, int]] = defaultdict(dict)
    for file in real.values():
        members[root_above(os.path.dirname(file), roots)][file] = own[file]
    requests = [
        _Request(
            excerpt, real[excerpt.file], tuple(real[source] for source in page.sources)
        )
        for page in pages
        for excerpt in page.excerpts
    ]
    untracked, copied = _ask_files(
        members.pop(None, ()), requests, options, environment
    )
    answers = [
        _ask_git(
            root, files, [r for r in requests if r.file in files], options, environment
        )
        for root, files in members.items()
        if root is not None
    ]
    tracked = {key: found for answer in answers for key, found in answer.found.items()}
    return FileDates(
        real=real,
        tracked=tracked,
        untracked=untracked,
        copied=copied,
        late=frozenset(
            f for f in real.values() if (tracked.get(f) or untracked.get(f)) is _LATE
        ),
        options=options,
        repositories={
            str(it.root): it for answer in answers if (it := answer.repository)
        },
        is_shallow=any(it.repository and it.repository.boundary for it in answers),
    ), tuple(dict.fromkeys(notice for answer in answers for notice in answer.notices))


def _ask_files(
    files: Collection[str],
    requests: Iterable[_Request],
    options: Options,
    environment: Environment,
) -> tuple[dict[str | Excerpt, Evidence], frozenset[str]]:
    """Return the evidence of files outside git, and which of them have the time of a copy."""
    if not {"git", "mtime"}.intersection(options.lastmod):
        return dict.fromkeys(files, NOTHING), frozenset()
    times = {file: _mtime(file) for file in files}
    is_copy = environment.ci.is_ci or _share_one_time(
        sorted(filter(None, times.values()))
    )
    counts = not is_copy and "mtime" in options.lastmod
    found: dict[str | Excerpt, Evidence] = {
        file: _by_time(file, time, environment) if counts else NOTHING
        for file, time in times.items()
    }
    for request in requests:
        of_file = found.get(request.file, NOTHING)
        if (when := of_file.unknown_until or of_file.newest) is not None:
            found[request.excerpt] = Evidence(unknown_until=to_utc(when))
    return found, frozenset(file for file, time in times.items() if is_copy and time)


class _Request(NamedTuple):
    """An excerpt whose date is wanted."""

    excerpt: Excerpt

    file: str
    """The real path of its file."""

    sources: tuple[str, ...]
    """The real paths of the page's own files: older changes are not looked for."""


class _Answer(NamedTuple):
    """What a repository knows about files and excerpts."""

    found: Mapping[str | Excerpt, Evidence]
    """Of files, by real path, and of excerpts."""

    notices: tuple[Notice, ...] = ()

    repository: Repository | None = None


def _ask_git(
    root: str,
    files: Mapping[str, int],
    requests: Sequence[_Request],
    options: Options,
    environment: Environment,
) -> _Answer:
    """Return what a repository knows about files below its root, and excerpts of them.

    `files` has for each the number of pages whose own file it is.
    """
    keys: list[str | Excerpt] = [*files, *(request.excerpt for request in requests)]
    if "git" not in options.lastmod:
        return _Answer(dict.fromkeys(keys, NOTHING))
    try:
        with environment.repository(root) as clone:
            return _answer(clone, files, requests, options, environment)
    except GitError as error:
        notice = Notice.of(error, error.code)
        return _Answer(dict.fromkeys(keys, Evidence(unknown_until=NEVER)), (notice,))


def _answer(
    clone: Repository,
    files: Mapping[str, int],
    requests: Sequence[_Request],
    options: Options,
    environment: Environment,
) -> _Answer:
    """Ask an open repository.

    Raises:
        GitError: Git failed or took too long.
    """
    paths = {file: path for file in files if (path := clone.path(file)) is not None}
    asked = set(paths.values())
    repository, about_history = _complete(clone, asked, environment)
    ignored, about_ignored = read_ignore_revs(
        repository.root, option=options.ignore_revs
    )
    last_changes = partial(
        environment.git_cache.last_changes, repository, ignored=ignored
    )
    if options.changes == "content":
        last_changes = partial(last_changes, read=read_content)
    changes = last_changes(asked)
    if originals := repository.originals(
        path for path in asked if changes[path] is None
    ):
        changes = last_changes(asked.union(originals.values()))
    edited = _edited(repository, asked, options, environment)
    found: dict[str | Excerpt, Evidence] = dict.fromkeys(files, NOTHING)
    for file, path in paths.items():
        name = originals.get(path, path)
        if (change := changes[name]) is None:
            continue  # Never committed: the time can be that of any build.
        if path in edited and path == name:
            found[file] = _by_time(file, _mtime(file), environment)
        else:
            time = change.earliest if environment.earliest else change.time
            found[file] = _by_commit(name, change, repository, time)
    of_excerpts, unread = _of_excerpts(
        repository, requests, found, edited=edited, ignored=ignored
    )
    pages = {
        paths[file]: number
        for file, number in files.items()
        if number and file in paths
    }
    doubtful = {path for path in asked if (it := changes[path]) and not it.is_certain}
    notices = [
        *about_history,
        *about_ignored,
        *_about_unread(repository, doubtful, "so any change dates their pages"),
        *_about_unread(
            repository, unread, "so pages that show parts of these have no date"
        ),
    ]
    if options.changes == "any":
        notices += _about_bulk(repository, pages, changes)
    return _Answer(found | of_excerpts, tuple(notices), repository)


def _of_excerpts(
    repository: Repository,
    requests: Iterable[_Request],
    known: Mapping[str | Excerpt, Evidence],
    *,
    edited: Collection[bytes],
    ignored: Collection[bytes],
) -> tuple[dict[str | Excerpt, Evidence], set[bytes]]:
    """Return the evidence of excerpts in a repository; `known` has that of whole files.

    Also return the paths of files whose old versions cannot be read, though they were
    needed.

    Raises:
        GitError: Git failed or took too long.
    """
    found: dict[str | Excerpt, Evidence] = {}
    wanted: dict[tuple[bytes, str], _Request] = {}
    for request in requests:
        path, whole = repository.path(request.file), known.get(request.file, NOTHING)
        if path is None or whole == NOTHING:
            continue
        limit = whole.unknown_until if whole.newest is None else to_utc(whole.newest)
        # The whole file is older, or its changes cannot be attributed to pages.
        if limit and (limit < _since(request, known) or not request.excerpt.certain):
            found[request.excerpt] = Evidence(unknown_until=limit)
        else:
            wanted[path, request.excerpt.name] = request
    readers = {path: request.excerpt.read for (path, _), request in wanted.items()}

    def read(path: bytes, content: bytes) -> dict[str, int]:
        # Many versions are kept.
        return {name: hash(part) for name, part in readers[path](content).items()}

    for path, old, new in repository.edits(readers.keys() & edited):
        before, now = read(path, old or b""), read(path, new or b"")
        for key in [(p, name) for p, name in wanted if p == path]:
            if now.get(key[1]) != before.get(key[1]):
                request = wanted.pop(key)
                found[request.excerpt] = known[request.file]
    since = {key: _since(request, known).timestamp() for key, request in wanted.items()}
    changes = (
        find_part_changes(repository, since, ignored=ignored, read=read)
        if since
        else {}
    )
    unread: set[bytes] = set()
    for key, request in wanted.items():
        # One that git does not know is as if lost.
        if (change := changes.get(key, LastChange(b"", None))) is None:
            found[request.excerpt] = NOTHING
            continue
        lost = not change.is_certain
        found[request.excerpt] = _by_commit(
            key[0], change, repository, change.time, lost=lost
        )
        unread |= set() if change.is_certain else {key[0]}
    return found, unread


def _since(request: _Request, known: Mapping[str | Excerpt, Evidence]) -> datetime:
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
        problem, cure = f"{problem}; {failure.problem}", failure.cure
    files = a_few(sorted(map(os.fsdecode, paths)))
    yield Notice("missing-contents", problem, f"{cure} ({files})")


def _about_bulk(
    repository: Repository,
    pages: Mapping[bytes, int],
    changes: Mapping[bytes, LastChange | None],
) -> Iterator[Notice]:
    """Name a commit that dates many pages, most of which read the same before it.

    `pages` has the number of pages for each file. Nothing is read unless there is such
    a commit.
    """
    dated: dict[bytes, list[bytes]] = defaultdict(list)
    for path, number in pages.items():
        if change := changes[path]:
            dated[change.commit] += [path] * number
    total = sum(pages.values())
    for name, paths in dated.items():
        if len(paths) < max(MIN_BULK, total * _LARGE_PART):
            continue
        (commit,) = repository.log("--no-walk", starts=[name])
        edits = {
            edit.path: edit for edit in commit.changes if edit.before and edit.after
        }
        edited = [(path, edits[path]) for path in paths if path in edits]
        if len(edited) < len(paths) * _NEARLY_ALL:
            continue
        with repository.contents() as contents:
            contents.fetch(
                blob for _, edit in edited for blob in (edit.before, edit.after)
            )
            same = sum(
                _reads_the_same(
                    path, contents.read(edit.before), contents.read(edit.after)
                )
                for path, edit in edited
            )
        if same >= len(paths) * _NEARLY_ALL:
            problem = (
                f"commit {name[:10].decode()} dates {len(paths)} of {total} pages, and {same} of"
                " them read the same before it"
            )
            cure = "set the option changes to `content`, or list it in .git-blame-ignore-revs"
            yield Notice("bulk-change", problem, cure)


def _reads_the_same(path: bytes, old: bytes | None, new: bytes | None) -> bool:
    """Tell whether readers do not see an edit; not if a version is missing."""
    return (
        old is not None
        and new is not None
        and read_content(path, old) == read_content(path, new)
    )


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
    began, epoch = environment.began, environment.ci.source_date_epoch
    if mtime and began and mtime >= began:
        return NOTHING
    is_late = mtime and epoch is not None and mtime.timestamp() > epoch
    if is_late or mtime is None:
        return _LATE if is_late else NOTHING
    return Evidence(mtime, None, Origin("mtime", file))


def _share_one_time(times: Sequence[datetime]) -> bool:
    """Tell whether nearly all times, ascending, are as close together as those of copied files."""
    if len(times) < MIN_COPIED:
        return False
    window = timedelta(
        seconds=2 + len(times) / 100
    )  # Slow disks copy a hundred files a second.
    nearly_all = len(times) * 9 // 10
    return any(
        bisect_right(times, first + window, lo=i) - i >= nearly_all
        for i, first in enumerate(times[: len(times) - nearly_all + 1])
    )


def _real(source: Path, folders: dict[str, str]) -> str:
    """Return a file's path without symbolic links, asking once for each folder."""
    folder, name = os.path.split(source)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    file = os.path.join(folders[folder], name)
    return os.path.realpath(file) if os.path.islink(file) else file
