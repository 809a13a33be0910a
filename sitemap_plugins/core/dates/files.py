"""When each source file last changed: from git, or from the file's own time outside of it.

A file's own time counts only if it can be its author's: not on a CI service, not if nearly all
files have the same one, as copies do, not after `SOURCE_DATE_EPOCH`, and not if the build itself
wrote the file.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.date_values import NEVER, NOTHING, Evidence, from_seconds, to_utc
from sitemap_plugins.core.dates.excerpts import ExcerptRequest, find_excerpt_dates
from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.repository import Repository, read_ignore_revs, root_above
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from sitemap_plugins.core.environment import Environment
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.records import CheckedPage, Excerpt

__all__ = ["FileDates", "find_file_dates"]

MIN_COPIED = 3
"""Files with one time that prove a copy; fewer can share it by chance."""

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

    def of(self, page: CheckedPage, known: Mapping[str | Excerpt, Evidence]) -> list[Evidence]:
        """Return the evidence of those sources of a page that are among the known ones."""
        keys: list[str | Excerpt] = [*(self.real[file] for file in page.sources), *page.excerpts]
        return [known[key] for key in keys if key in known]


def find_file_dates(
    pages: Sequence[CheckedPage], options: Options, environment: Environment
) -> tuple[FileDates, tuple[Notice, ...]]:
    """Ask each file's repository, or take the file's own time if there is none."""
    pages = [page for page in pages if page.sources or page.excerpts]
    folders: dict[str, str] = {}
    # In the order of the pages, so that each build says the same.
    sources = dict.fromkeys(source for page in pages for source in page.sources)
    sources |= dict.fromkeys(excerpt.file for page in pages for excerpt in page.excerpts)
    real = {source: _real(source, folders) for source in sources}
    roots: dict[str, str | None] = {}
    members: dict[str | None, set[str]] = defaultdict(set)
    for file in real.values():
        members[root_above(os.path.dirname(file), roots)].add(file)
    requests = [
        ExcerptRequest(excerpt, real[excerpt.file], tuple(real[source] for source in page.sources))
        for page in pages
        for excerpt in page.excerpts
    ]
    untracked, copied = _ask_files(members.pop(None, ()), requests, options, environment)
    answers = [
        _ask_git(root, files, [r for r in requests if r.file in files], options, environment)
        for root, files in members.items()
        if root is not None
    ]
    tracked = {key: found for answer in answers for key, found in answer.found.items()}
    return FileDates(
        real=real,
        tracked=tracked,
        untracked=untracked,
        copied=copied,
        late=frozenset(f for f in real.values() if (tracked.get(f) or untracked.get(f)) is _LATE),
        is_shallow=any(answer.is_shallow for answer in answers),
    ), tuple(dict.fromkeys(notice for answer in answers for notice in answer.notices))


def _ask_files(
    files: Collection[str],
    requests: Iterable[ExcerptRequest],
    options: Options,
    environment: Environment,
) -> tuple[dict[str | Excerpt, Evidence], frozenset[str]]:
    """Return the evidence of files outside git, and which of them have the time of a copy."""
    if not {"git", "mtime"}.intersection(options.lastmod):
        return dict.fromkeys(files, NOTHING), frozenset()
    times = {file: _mtime(file) for file in files}
    is_copy = environment.ci.is_ci or _share_one_time(sorted(filter(None, times.values())))
    counts = not is_copy and "mtime" in options.lastmod
    found: dict[str | Excerpt, Evidence] = {
        file: _by_time(time, environment) if counts else NOTHING for file, time in times.items()
    }
    for request in requests:
        of_file = found.get(request.file, NOTHING)
        if (when := of_file.unknown_until or of_file.newest) is not None:
            found[request.excerpt] = Evidence(unknown_until=to_utc(when))
    return found, frozenset(file for file, time in times.items() if is_copy and time)


class _Answer(NamedTuple):
    """What a repository knows about files and excerpts."""

    found: Mapping[str | Excerpt, Evidence]
    """Of files, by real path, and of excerpts."""

    notices: tuple[Notice, ...] = ()

    is_shallow: bool = False


def _ask_git(
    root: str,
    files: Collection[str],
    requests: Sequence[ExcerptRequest],
    options: Options,
    environment: Environment,
) -> _Answer:
    """Return what a repository knows about files below its root, and excerpts of them."""
    keys: list[str | Excerpt] = [*files, *(request.excerpt for request in requests)]
    if "git" not in options.lastmod:
        return _Answer(dict.fromkeys(keys, NOTHING))
    try:
        repository = Repository.open(root, environ=environment.environ)
        paths = {file: path for file in files if (path := repository.path(file)) is not None}
        asked = set(paths.values())
        ignored, about_ignored = read_ignore_revs(repository.root, option=options.ignore_revs)
        last_changes = partial(environment.git_cache.last_changes, repository, ignored=ignored)
        changes = last_changes(asked)
        if originals := repository.originals(path for path in asked if changes[path] is None):
            changes = last_changes(asked.union(originals.values()))
        # On a CI service, edits in the working tree are made by its scripts.
        edited = frozenset() if environment.ci.is_ci else repository.edited(asked)
        found: dict[str | Excerpt, Evidence] = dict.fromkeys(files, NOTHING)
        for file, path in paths.items():
            if path in edited and path not in originals:
                found[file] = _by_time(_mtime(file), environment)
            elif (change := changes[originals.get(path, path)]) is not None:
                lost = change.commit in repository.boundary
                found[file] = Evidence.of_change(change.time, lost=lost)
        of_excerpts = find_excerpt_dates(
            repository, requests, found, edited=edited, ignored=ignored
        )
    except GitError as error:
        notice = Notice.of(error, error.code)
        return _Answer(dict.fromkeys(keys, Evidence(unknown_until=NEVER)), (notice,))
    return _Answer(found | of_excerpts, about_ignored, bool(repository.boundary))


def _mtime(file: str) -> datetime | None:
    try:
        return from_seconds(os.stat(file).st_mtime)
    except OSError:
        return None


def _by_time(mtime: datetime | None, environment: Environment) -> Evidence:
    """Return the evidence of a file's own time.

    https://reproducible-builds.org/specs/source-date-epoch/: times that are specific to one build
    "MUST use a timestamp no later than the value of this variable". A time that would have to be
    replaced by the variable's tells nothing about the page, so it has none.
    """
    began, epoch = environment.began, environment.ci.source_date_epoch
    if mtime and began and mtime >= began:
        return NOTHING
    is_late = mtime and epoch is not None and mtime.timestamp() > epoch
    return _LATE if is_late else Evidence(mtime)


def _share_one_time(times: Sequence[datetime]) -> bool:
    """Tell whether nearly all times, ascending, are as close together as those of copied files."""
    if len(times) < MIN_COPIED:
        return False
    window = timedelta(seconds=2 + len(times) / 100)  # Slow disks copy a hundred files a second.
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
