"""One date for each page: from its author, from git, or from its file.

A page of unknown date gets no `<lastmod>`. What is known about a file, a page's files or the pages
that a page lists is always an `Evidence`, and is combined in one way.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.dates import NEVER, NOTHING, Evidence, from_seconds, newest, to_utc
from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.excerpts import ExcerptRequest, find_excerpt_dates
from sitemap_plugins.core.git.ignore_revs import read_ignore_revs
from sitemap_plugins.core.git.repository import Repository, root_above
from sitemap_plugins.core.messages import count_pages
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.ci import CI
    from sitemap_plugins.core.dates import DateOrDatetime
    from sitemap_plugins.core.git.cache import GitCache
    from sitemap_plugins.core.options import DateOrigin, Options
    from sitemap_plugins.core.page import CheckedPage, Excerpt

__all__ = ["Dates", "Surroundings", "resolve"]

MIN_COPIED = 3
"""Files with one time that prove a copy; fewer can share it by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What dates depend on besides the pages and the options."""

    now: datetime
    """Aware; later dates are dropped."""

    ci: CI
    """The service that builds the site."""

    environ: Mapping[str, str]
    """The environment variables to run git with."""

    git_cache: GitCache
    """Git's answers so far; new ones are added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When the content of each page last changed, if that is known."""

    by_path: Mapping[str, DateOrDatetime]
    """By `Page.path`; a page whose date is not known is absent."""

    notices: tuple[Notice, ...] = ()
    """Why dates are missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileDates:
    """What is known about each source file."""

    real: Mapping[Path, str]
    """The real path of each source, as text: pathlib takes ten times as long."""

    tracked: Mapping[str | Excerpt, Evidence]
    """Files in a repository, by real path, and excerpts of such files."""

    untracked: Mapping[str | Excerpt, Evidence]
    """Files in none, by real path, and excerpts of such files."""

    copied: frozenset[str]
    """Untracked files whose time is that of a copy."""

    is_shallow: bool
    """Whether the history of any repository is incomplete."""

    def of(self, page: CheckedPage, known: Mapping[str | Excerpt, Evidence]) -> list[Evidence]:
        """Return the evidence of those sources of a page that are among the known ones."""
        keys: list[str | Excerpt] = [*(self.real[file] for file in page.sources), *page.excerpts]
        return [known[key] for key in keys if key in known]


def resolve(pages: Sequence[CheckedPage], *, options: Options, surroundings: Surroundings) -> Dates:
    """Find the date of each page from the origins that the options name, in their order.

    A page that lists others is as new as the newest of them, unless its author gave it a date.
    Never raises: if something fails there is no date, and a notice says why.
    """
    files, about_files = _look_up(pages, options, surroundings)
    by_path: dict[str, DateOrDatetime] = {}
    if options.lastmod[:1] == ("page",):
        by_path = _authored(pages, surroundings.now)  # Nothing else is asked about these.
    others = [page for page in pages if page.path not in by_path]
    known, in_future = {}, []
    for page in others:
        known[page.path], is_future = _date(page, files, options.lastmod, surroundings.now)
        if is_future:
            in_future.append(page.label)
    known |= _derived(others, known, by_path)
    by_path |= {path: date for path, found in known.items() if (date := found.date) is not None}
    undated = [page for page in others if page.path not in by_path]
    notices = (
        *about_files,
        *(_about_shallow(others, known, len(pages), surroundings.ci) if files.is_shallow else ()),
        *_about_copies(undated, files, surroundings.ci),
        *_about_future(in_future),
    )
    return Dates(by_path=MappingProxyType(by_path), notices=notices)


def _authored(pages: Iterable[CheckedPage], now: datetime) -> dict[str, DateOrDatetime]:
    """Return the dates of the last change that authors gave, by path, without future ones."""
    dates = {page.path: page.modified for page in pages if page.modified is not None}
    last = newest(dates.values())
    if last is None or to_utc(last) <= now:
        return dates
    return {path: date for path, date in dates.items() if not _is_future(date, now)}


def _date(
    page: CheckedPage, files: _FileDates, origins: Sequence[DateOrigin], now: datetime
) -> tuple[Evidence, bool]:
    """Return the evidence of the first origin that has a date, or what prevents one.

    Also return whether an origin was skipped because its date is in the future.
    """
    unknown: Evidence | None = None
    is_future = False
    for origin in origins:
        found = _of_origin(origin, page, files)
        # The author's own date of the last change is true, even if git's history is incomplete.
        if unknown and origin != "page":
            found = Evidence.of_all([unknown, found])
        if found.newest is None and found.unknown_until is None:
            continue
        if (date := found.date) is None:
            unknown = found
        elif _is_future(date, now):
            is_future = True
        else:
            return found, is_future
    return Evidence(unknown_until=unknown.unknown_until if unknown else None), is_future


def _of_origin(origin: DateOrigin, page: CheckedPage, files: _FileDates) -> Evidence:
    if origin == "page":
        return Evidence(page.modified)
    if origin == "published":
        return Evidence(page.published)
    tracked = files.of(page, files.tracked)
    if origin == "git":
        return Evidence.of_all(tracked)
    return NOTHING if tracked else Evidence.of_all(files.of(page, files.untracked))


def _derived(
    pages: Iterable[CheckedPage],
    known: Mapping[str, Evidence],
    authored: Mapping[str, DateOrDatetime],
) -> dict[str, Evidence]:
    """Return the evidence for pages that list others, also through pages that list pages.

    `known` and `authored` say by path what is known of each page, one or the other.
    """
    lists = {page.path: page.lists for page in pages if page.lists and page.modified is None}
    derived = {}
    for path in lists:
        seen, ahead = {path}, [path]
        while ahead:
            new = set(lists.get(ahead.pop(), ())) - seen
            seen |= new
            ahead += new
        derived[path] = Evidence.of_all(
            [
                *(known[listed] for listed in seen if listed in known),
                *(Evidence(authored[listed]) for listed in seen if listed in authored),
            ]
        )
    return derived


def _look_up(
    pages: Sequence[CheckedPage], options: Options, surroundings: Surroundings
) -> tuple[_FileDates, tuple[Notice, ...]]:
    """Ask each file's repository, or take the file's own time if there is none."""
    pages = [page for page in pages if page.sources or page.excerpts]
    folders: dict[str, str] = {}
    sources = {source for page in pages for source in page.sources}
    sources |= {excerpt.file for page in pages for excerpt in page.excerpts}
    real = {source: _real(source, folders) for source in sources}
    roots: dict[str, str | None] = {}
    members: dict[str | None, set[str]] = defaultdict(set)
    for file in real.values():
        members[root_above(os.path.dirname(file), roots)].add(file)
    requests = _excerpt_requests(pages, real)
    untracked = {file: _mtime(file) for file in members.pop(None, ())}
    is_copy = surroundings.ci.is_ci or _share_one_time(sorted(filter(None, untracked.values())))
    times: dict[str | Excerpt, Evidence] = {
        file: NOTHING if is_copy else _by_time(time, surroundings.ci)
        for file, time in untracked.items()
    }
    for request in requests:
        if (of_file := times.get(request.file, NOTHING)).newest is not None:
            times[request.excerpt] = Evidence(unknown_until=to_utc(of_file.newest))
    answers = [
        _ask_git(root, files, [r for r in requests if r.file in files], options, surroundings)
        for root, files in members.items()
        if root is not None
    ]
    return _FileDates(
        real=real,
        tracked={key: found for answer in answers for key, found in answer.found.items()},
        untracked=times,
        copied=frozenset(file for file, time in untracked.items() if is_copy and time),
        is_shallow=any(answer.is_shallow for answer in answers),
    ), tuple(dict.fromkeys(notice for answer in answers for notice in answer.notices))


def _excerpt_requests(
    pages: Iterable[CheckedPage], real: Mapping[Path, str]
) -> list[ExcerptRequest]:
    return [
        ExcerptRequest(excerpt, real[excerpt.file], tuple(real[source] for source in page.sources))
        for page in pages
        for excerpt in page.excerpts
    ]


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
    surroundings: Surroundings,
) -> _Answer:
    """Return what a repository knows about files below its root, and excerpts of them."""
    keys: list[str | Excerpt] = [*files, *(request.excerpt for request in requests)]
    if "git" not in options.lastmod:
        return _Answer(dict.fromkeys(keys, NOTHING))
    try:
        repository = Repository.open(root, environ=surroundings.environ)
        paths = {file: path for file in files if (path := repository.path(file)) is not None}
        asked = set(paths.values())
        ignored, about_ignored = read_ignore_revs(repository.root, option=options.ignore_revs)
        changes = surroundings.git_cache.last_changes(repository, asked, ignored=ignored)
        # On a CI service, edits in the working tree are made by its scripts.
        edited = frozenset() if surroundings.ci.is_ci else repository.edited(asked)
        found: dict[str | Excerpt, Evidence] = dict.fromkeys(files, NOTHING)
        for file, path in paths.items():
            if path in edited:
                found[file] = _by_time(_mtime(file), surroundings.ci)
            elif (change := changes[path]) is not None:
                lost = change.commit in repository.boundary
                found[file] = Evidence.of_change(change.time, lost=lost)
        of_excerpts = find_excerpt_dates(
            repository, requests, found, edited=edited, ignored=ignored
        )
    except GitError as error:
        notice = Notice(code=error.code, text=str(error))
        return _Answer(dict.fromkeys(keys, Evidence(unknown_until=NEVER)), (notice,))
    return _Answer(found | of_excerpts, about_ignored, bool(repository.boundary))


def _about_shallow(
    pages: Iterable[CheckedPage], known: Mapping[str, Evidence], total: int, ci: CI
) -> Iterable[Notice]:
    lost = {page.path: page for page in pages if _is_lost(known[page.path])}
    if not lost:
        return
    text = f"the clone is shallow, so {len(lost)} of {total} pages have no date: {ci.unshallow}"
    if any(page.published for page in lost.values()):
        # Whether the page changed since then, only the history tells.
        text += ", or write the option lastmod = ['page', 'published'] to list dates of publication"
    yield Notice(code="shallow-clone", text=text)


def _is_lost(found: Evidence) -> bool:
    return found.date is None and found.unknown_until not in {None, NEVER}


def _about_copies(undated: Iterable[CheckedPage], files: _FileDates, ci: CI) -> Iterable[Notice]:
    copied = sum(any(files.real[s] in files.copied for s in page.sources) for page in undated)
    if copied:
        why = (
            "their file times are those of the checkout"
            if ci.is_ci
            else "their file times are those of a copy"
        )
        text = (
            f"the sources of {count_pages(copied)} are in no git repository and {why}, so they"
            " have no date: build from a clone of the repository, with its `.git` folder"
        )
        yield Notice(code="no-repository", text=text)


def _about_future(labels: Sequence[str]) -> Iterable[Notice]:
    if labels:
        names = ", ".join(labels[:3]) + (", …" if len(labels) > 3 else "")
        pages = f"{count_pages(len(labels))} {'is' if len(labels) == 1 else 'are'}"
        text = f"{pages} dated in the future, so the date is omitted: correct it ({names})"
        yield Notice(code="future-date", text=text)


def _mtime(file: str) -> datetime | None:
    try:
        return from_seconds(os.stat(file).st_mtime)
    except OSError:
        return None


def _by_time(mtime: datetime | None, ci: CI) -> Evidence:
    # https://reproducible-builds.org/specs/source-date-epoch/: "MUST … clamp" file times to it.
    if mtime is not None and ci.source_date_epoch is not None:
        mtime = min(mtime, from_seconds(ci.source_date_epoch))
    return Evidence(mtime)


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


def _is_future(date: DateOrDatetime, now: datetime) -> bool:
    if isinstance(date, datetime):
        return to_utc(date) > now
    # In the author's zone a day can begin up to 14 hours earlier than in UTC.
    return to_utc(date) > now + timedelta(days=1)


def _real(source: Path, folders: dict[str, str]) -> str:
    """Return a file's path without symbolic links, asking once for each folder."""
    folder, name = os.path.split(source)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    file = os.path.join(folders[folder], name)
    return os.path.realpath(file) if os.path.islink(file) else file
