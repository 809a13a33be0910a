"""When each source file last changed: from git, or, outside of it, from its own time.

A file's own time counts only if it can be its author's: not on a CI service, not if
nearly all files have the same one, as copies do, not after `SOURCE_DATE_EPOCH`, and not
if the build itself wrote the file.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.date_values import (
    NEVER,
    NOTHING,
    Evidence,
    Origin,
    from_seconds,
)
from sitemap_plugins.core.dates import excerpts
from sitemap_plugins.core.dates.content import ContentReader
from sitemap_plugins.core.dates.excerpts import Known
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.last_change import LastChange, ReadFile
from sitemap_plugins.core.git.repository import Repository, read_ignore_revs
from sitemap_plugins.core.messages import GitError, Notice, Notices, a_few, quoted
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage, Excerpt
from sitemap_plugins.core.untrusted_files import root_above

_TICK = timedelta(milliseconds=20)
"""How far the time of a new file can be behind the clock.

Linux gives it the time of its own last tick, and there are at least 100 in a second.
"""

MIN_COPIED = 3
"""Files with one time that prove a copy; fewer can share it by chance."""

_LastChanges = Mapping[bytes, LastChange | None]
"""By path in the last commit; None for a file beyond the limits."""


class FileDates(NamedTuple):
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

    options: Options
    """The options with which the dates were looked for."""

    repositories: Mapping[str, Repository]
    """Indexed by root."""

    @property
    def is_shallow(self) -> bool:
        """Whether the history of any repository is incomplete."""
        return any(each.boundary for each in self.repositories.values())

    def of(self, page: CheckedPage, known: Known) -> Evidence:
        """Return a page's evidence; `known` is `tracked` or `untracked`.

        The result is `NOTHING` unless `known` has evidence of a source. Then included
        files count too, also those in a repository. On a page without a source, and on
        a generated page, whose source need not be kept, an excerpt counts as a source.
        """
        own: list[str | Excerpt] = [self.real[file] for file in page.sources]
        if page.is_generated or not own:
            own += page.excerpts
        if all(known.get(key, NOTHING) == NOTHING for key in own):
            return NOTHING
        included = [self.real[file] for file in page.included]
        keys = dict.fromkeys((*own, *included, *page.excerpts))
        of_keys = [known.get(key) or self.tracked.get(key, NOTHING) for key in keys]
        return Evidence.of_all(of_keys)


@dataclass(frozen=True, slots=True)
class _Group:
    """The files in one repository, or in none, whose dates are wanted."""

    files: dict[str, None] = field(default_factory=dict)
    """The real paths of the files, each once and in order."""

    requests: list[excerpts.Request] = field(default_factory=list)
    """Excerpts of these files."""


class _Answer(NamedTuple):
    """What is known about a group."""

    found: Known
    """What is known of files, by real path, and of excerpts."""

    copied: Collection[str] = ()
    """Files with the time of a copy."""

    late: Collection[str] = ()
    """Files whose time is after `SOURCE_DATE_EPOCH`."""

    notices: Sequence[Notice] = ()

    repository: Repository | None = None
    """None for files in none, or in one that failed."""


def find_file_dates(
    pages: Sequence[CheckedPage], options: Options, environment: Environment
) -> tuple[FileDates, Notices]:
    """Ask each file's repository, or take the file's own time if there is none."""
    real = _real_paths(pages)
    own = _own(pages, real)
    groups = _by_root(pages, real)
    outside = _ask_files(groups.pop("", _Group()), options, environment)
    answers = []
    if "git" in options.lastmod:
        for root, group in groups.items():
            answers.append(_ask_git(root, group, own, options, environment))

    tracked: Known = {}
    late = set(outside.late)
    notices = list(_about_list(options, groups))
    repositories = {}
    for answer in answers:
        tracked |= answer.found
        late.update(answer.late)
        notices += answer.notices
        if answer.repository is not None:
            repositories[str(answer.repository.root)] = answer.repository
    dates = FileDates(
        real=real,
        tracked=tracked,
        untracked=outside.found,
        copied=frozenset(outside.copied),
        late=frozenset(late),
        options=options,
        repositories=repositories,
    )
    return dates, tuple(dict.fromkeys(notices))


def _about_list(options: Options, groups: Collection[str]) -> Iterator[Notice]:
    """Yield a notice if the user names a list of commits, but there is no repository.

    `groups` are the roots of repositories.
    """
    name = options.ignore_revs
    if isinstance(name, str) and not groups:
        problem = f"ignore_revs = {quoted(name)} has no effect, because the sources are"
        cure = "remove it, or build from a clone"
        yield Notice("ignore-revs", f"{problem} in no git repository", cure)


def _real_paths(pages: Iterable[CheckedPage]) -> dict[Path, str]:
    """Return the real path of each file, in the order of pages, so in every build."""
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


def _own(pages: Iterable[CheckedPage], real: Mapping[Path, str]) -> frozenset[str]:
    """Return the pages' own sources, without those that are included by any page.

    Files that the option `sources` adds are not among the result either: how a page
    shows such a file is not known.
    """
    own: set[str] = set()
    others: set[str] = set()
    for page in pages:
        if page.sources:
            own.add(real[page.sources[0]])
            others.update(real[file] for file in page.sources[1:])
            others.update(real[file] for file in page.included)
    return frozenset(own - others)


def _by_root(
    pages: Iterable[CheckedPage], real: Mapping[Path, str]
) -> dict[str, _Group]:
    """Group the files and excerpts of pages by the root of the repository.

    The root is empty for files in no repository. `real` has the files' real paths.
    """
    roots: dict[str, str | None] = {}
    groups: dict[str, _Group] = defaultdict(_Group)
    group_of = {}
    for file in real.values():
        root = root_above(os.path.dirname(file), roots)
        group_of[file] = groups[root or ""]
        group_of[file].files[file] = None
    for page in pages:
        sources = [real[source] for source in page.sources]
        for excerpt in page.excerpts:
            file = real[excerpt.file]
            group_of[file].requests.append(excerpts.Request(excerpt, file, sources))
    return groups


def _ask_files(group: _Group, options: Options, environment: Environment) -> _Answer:
    """Return what is known about files outside git, and about their excerpts.

    Files with the time of a copy are noted even if only git may date pages, because a
    notice says that such files have no repository.
    """
    found: Known = dict.fromkeys(group.files, NOTHING)
    if not {"git", "mtime"}.intersection(options.lastmod):
        return _Answer(found)
    times = {}
    for file in group.files:
        time = _mtime(file)
        if time is not None:
            times[file] = time
    if environment.ci.is_ci or _share_one_time(sorted(times.values())):
        return _Answer(found, copied=times)
    if "mtime" not in options.lastmod:
        return _Answer(found)
    late = [file for file, time in times.items() if _is_late(time, environment)]
    for file, time in times.items():
        found[file] = _by_time(file, time, environment)
    found |= excerpts.without_history(group.requests, found)
    return _Answer(found, late=late)


def _ask_git(
    root: str,
    group: _Group,
    own: frozenset[str],
    options: Options,
    environment: Environment,
) -> _Answer:
    """Return what a repository knows about files below its root and their excerpts.

    `own` has the pages' own sources that no page includes. If git fails, the changes of
    all these files are unknown, and a notice says why.
    """
    try:
        with environment.repository(root) as clone:
            return _answer(clone, group, own, options, environment)
    except GitError as error:
        found: Known = {}
        for file in group.files:
            found[file] = Evidence(lost_until=NEVER)
        for request in group.requests:
            found[request.excerpt] = Evidence(lost_until=NEVER)
        return _Answer(found, notices=[Notice.of(error, error.code)])


def _answer(
    clone: Repository,
    group: _Group,
    own: frozenset[str],
    options: Options,
    environment: Environment,
) -> _Answer:
    """Ask an open repository, as `_ask_git` describes.

    Raises:
        GitError: Git failed or took too long.
    """
    paths = _paths_in(clone, group.files)
    blobs, originals = _in_last_commit(clone, paths.values())
    repository, about_history = _complete(clone, blobs, environment)
    revs = options.ignore_revs
    ignored, about_ignored = read_ignore_revs(repository.root, option=revs)
    reader = _reader(paths, own, blobs, options)
    last = environment.git_cache.last_changes(
        repository, blobs, ignored=ignored, read=reader
    )
    edited = _edited(repository, paths.values(), blobs, reader, environment)
    changes = _Changes(repository, ignored, paths, last, originals, edited)

    found: Known = dict.fromkeys(group.files, NOTHING)
    for file in paths:
        found[file] = _of_file(file, changes, environment)
    parts, unread = _of_excerpts(group.requests, found, changes, environment)
    notices = [*about_history, *about_ignored]
    notices += _about_lacking(repository, changes.doubtful(), unread)
    late = _late_edits(changes, environment)
    return _Answer(
        found | parts,
        late=late,
        notices=notices,
        repository=repository,
    )


def _late_edits(changes: _Changes, environment: Environment) -> list[str]:
    """Return the edited files whose time is after `SOURCE_DATE_EPOCH`."""
    edited = filter(changes.is_edited, changes.paths)
    return [file for file in edited if _is_late(_mtime(file), environment)]


def _of_excerpts(
    requests: Sequence[excerpts.Request],
    files: Known,
    changes: _Changes,
    environment: Environment,
) -> tuple[Known, Collection[bytes]]:
    """Return the evidence of excerpts, and the paths that lack old versions.

    `files` has the evidence of the whole files. In an edited file, it is unknown which
    excerpts the edit changed.
    """
    paths = changes.paths
    edited = {file for file, path in paths.items() if path in changes.edited}
    committed = [each for each in requests if each.file not in edited]
    parts, unread = excerpts.of_repository(
        changes.repository,
        committed,
        files,
        ignored=changes.ignored,
        kept=environment.git_cache.parts,
    )
    others = [each for each in requests if each.file in edited]
    return parts | excerpts.without_history(others, files), unread


def _in_last_commit(
    clone: Repository, paths: Collection[bytes]
) -> tuple[dict[bytes, bytes], dict[bytes, bytes]]:
    """Return the blob of each path that the last commit has.

    Also return, for each path that is a copy of a committed file, the path of that
    file. The blobs of these committed files are in the first mapping too.
    """
    blobs = clone.blobs(paths)
    originals = clone.originals(set(paths) - blobs.keys())
    if originals:
        blobs |= clone.blobs(originals.values())
    return blobs, originals


def _paths_in(repository: Repository, files: Iterable[str]) -> dict[str, bytes]:
    """Return git's paths of the files that are below a repository's root."""
    paths = {}
    for file in files:
        path = repository.path(file)
        if path is not None:
            paths[file] = path
    return paths


class _Changes(NamedTuple):
    """What git says of files, by path in the repository."""

    repository: Repository

    ignored: frozenset[bytes]
    """The commits that do not count as changes."""

    paths: Mapping[str, bytes]
    """The paths in the repository, by the files' real paths."""

    last: _LastChanges
    originals: Mapping[bytes, bytes]
    """The committed files that others are copies of."""

    edited: Collection[bytes]
    """Files that count as changed since the last commit."""

    def is_edited(self, file: str) -> bool:
        """Tell whether a committed file counts as changed since the last commit."""
        path = self.paths[file]
        return path in self.edited and self.last.get(path) is not None

    def doubtful(self) -> set[bytes]:
        """Return the paths of files whose older versions could not be read."""
        found = set()
        for path in self.paths.values():
            change = self.last.get(path)
            if change is not None and not change.is_certain:
                found.add(path)
        return found


def _of_file(
    file: str,
    changes: _Changes,
    environment: Environment,
) -> Evidence:
    """Return a file's date by git or, if the file is edited, by its time."""
    if changes.is_edited(file):
        return _by_time(file, _mtime(file), environment)
    path = changes.paths[file]
    name = changes.originals.get(path, path)
    change = changes.last.get(name)
    if change is None:
        return NOTHING  # Never committed: the time can be that of any build.
    return excerpts.by_commit(name, change, changes.repository)


def _reader(
    paths: Mapping[str, bytes],
    own: frozenset[str],
    blobs: Mapping[bytes, bytes],
    options: Options,
) -> ContentReader | None:
    """Return what compares versions of files; None if any change counts.

    `paths` are those in the repository, `blobs` what they are in the last commit, and
    `own` the pages' own sources that no page includes.
    """
    if options.changes == "any":
        return None
    own_paths = {path for file, path in paths.items() if file in own}
    # Git's answers are kept for a reader, and a page that is not committed yet changes
    # none of them.
    return ContentReader(frozenset(own_paths & blobs.keys()))


def _complete(
    clone: Repository, blobs: Mapping[bytes, bytes], environment: Environment
) -> tuple[Repository, Sequence[Notice]]:
    """Return a repository with its history, unless that would date no file.

    A page can use a file of a program that is installed below another clone, which
    ignores that file: its history would be fetched in vain. `blobs` has those of the
    files that are in the last commit.
    """
    if clone.boundary and not blobs:
        return clone, ()
    return environment.complete(clone)


def _edited(
    repository: Repository,
    paths: Collection[bytes],
    blobs: Mapping[bytes, bytes],
    reader: ContentReader | None,
    environment: Environment,
) -> set[bytes]:
    """Return the paths of files that count as changed since the last commit.

    `blobs` is what the last commit has. With a `reader`, an edit that readers do not
    see does not count.
    """
    # On a CI service, scripts of the build make the edits in the working tree.
    if environment.ci.is_ci:
        return set()
    edited = repository.edited(paths)
    if reader is None:
        return edited
    seen = set()
    for path, old, new in repository.edits(edited, blobs):
        if not _reads_the_same(reader, path, old, new):
            seen.add(path)
    return seen


def _about_lacking(
    repository: Repository, doubtful: Collection[bytes], unread: Collection[bytes]
) -> Iterator[Notice]:
    """Yield what follows from missing old versions, for files and for excerpts."""
    yield from _about_unread(repository, doubtful, "so any change dates their pages")
    consequence = "so pages that show parts of these have no date"
    yield from _about_unread(repository, unread, consequence)


def _about_unread(
    repository: Repository, paths: Collection[bytes], consequence: str
) -> Iterable[Notice]:
    """Yield a notice if the clone lacks old versions of these paths.

    `consequence` is the end of the sentence that describes the problem.
    """
    if not paths or not repository.may_lack_contents():
        return
    problem = (
        f"the clone in {repository.root} lacks old versions of files, {consequence}"
    )
    cure = "set the option fetch_history, or clone without `--filter`"
    if repository.fetch:
        # Without names, nothing is fetched: the call tells why a fetch has failed.
        failure = repository.fetch(())
        if not isinstance(failure, Notice):
            return  # The old versions are there, but too large to be read.
        problem = f"{problem}; {failure.problem}"
        cure = failure.cure
    files = a_few(sorted(map(os.fsdecode, paths)))
    yield Notice("missing-contents", problem, f"{cure} ({files})")


def _reads_the_same(
    read: ReadFile, path: bytes, old: bytes | None, new: bytes | None
) -> bool:
    """Tell whether readers do not see an edit; not if a version is missing."""
    if old is None or new is None:
        return False
    return read(path, old) == read(path, new)


def _mtime(file: str) -> datetime | None:
    try:
        return from_seconds(os.stat(file).st_mtime)
    except OSError:
        return None


def _by_time(file: str, mtime: datetime | None, environment: Environment) -> Evidence:
    """Return the evidence of a file's own time."""
    if mtime is None:
        return NOTHING
    # The build itself can have written the file.
    if environment.began and mtime >= environment.began - _TICK:
        return NOTHING
    if _is_late(mtime, environment):
        return Evidence(lost_until=NEVER)
    return Evidence(mtime, None, Origin("mtime", file))


def _is_late(mtime: datetime | None, environment: Environment) -> bool:
    """Tell whether a file's own time is after `SOURCE_DATE_EPOCH`.

    https://reproducible-builds.org/specs/source-date-epoch/: times that are specific to
    one build "MUST use a timestamp no later than the value of this variable". A time
    that would have to be replaced by the variable's tells nothing about the page, so it
    has none.
    """
    epoch = environment.ci.source_date_epoch
    if mtime is None or epoch is None:
        return False
    return mtime.timestamp() > epoch


def _share_one_time(times: Sequence[datetime]) -> bool:
    """Tell whether nearly all times, ascending, are as close as those of copies."""
    if len(times) < MIN_COPIED:
        return False
    # Slow disks copy a hundred files a second.
    window = timedelta(seconds=2 + len(times) / 100)
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
