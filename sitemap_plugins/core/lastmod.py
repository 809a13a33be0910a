"""One date for each page: from its author, from git, or from its file.

A date that is not known stays out. What is known of a file, of a page's files and of the pages
that a page lists has one form, `_Evidence`, and is combined in one way.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import gitlog
from sitemap_plugins.core.dates import instant
from sitemap_plugins.core.environment import is_set
from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.repository import Repository, root_above

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sitemap_plugins.core.dates import Moment
    from sitemap_plugins.core.options import DateSource, Options
    from sitemap_plugins.core.origins import Origin
    from sitemap_plugins.core.pages import Page

__all__ = ["Dates", "History", "resolve"]

IGNORE_REVS_FILE = ".git-blame-ignore-revs"
"""The name that GitHub, GitLab and the manual of `git blame` use."""

_NEVER = datetime.max.replace(tzinfo=UTC)

_SHALLOW_CURES = {
    "GITHUB_ACTIONS": "set `fetch-depth: 0` at actions/checkout",
    "GITLAB_CI": "set the variable `GIT_DEPTH: 0`",
    "READTHEDOCS": "set `build.jobs.post_checkout` to `git fetch --unshallow || true`",
}
"""What to change, by the variable that each service sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When the content of each page last changed, as far as it is known."""

    by_path: Mapping[str, Moment]
    """By `Page.path`; a page whose date is not known is absent."""

    notices: tuple[Notice, ...] = ()
    """Why dates are missing."""


class History:
    """What git said, to be kept over the rebuilds of one process."""

    def __init__(self) -> None:
        """Begin without any answer."""
        self._answers: dict[Path, _Answers] = {}

    def origins(
        self, repository: Repository, paths: Collection[bytes], *, ignored: frozenset[bytes]
    ) -> Mapping[bytes, Origin | None]:
        """Return the newest change of each path, None for one that is not in the last commit.

        Git is asked for paths that are new since the last commit was another one.

        Raises:
            GitError: Git failed or took too long.
        """
        state = (repository.head, repository.boundary, ignored)
        answers = self._answers.get(repository.root)
        if answers is None or answers.state != state:
            answers = self._answers[repository.root] = _Answers(state, {})
        if asked := [path for path in paths if path not in answers.origins]:
            blobs = repository.blobs(asked)
            found = repository.origins(blobs, ignored=ignored) if blobs else {}
            answers.origins.update({path: found.get(path) for path in asked})
        return answers.origins


class _Answers(NamedTuple):
    state: tuple[bytes, frozenset[bytes], frozenset[bytes]]
    origins: dict[bytes, Origin | None]


class _Evidence(NamedTuple):
    """What is known of a date."""

    newest: Moment | None = None
    """The newest change that is known."""

    unknown_until: datetime | None = None
    """There is another change, at a time that is not known, but not after this one."""

    @property
    def date(self) -> Moment | None:
        """The date, where no unknown change can be newer."""
        if self.newest is None or self.unknown_until is None:
            return self.newest
        return self.newest if instant(self.newest) > self.unknown_until else None

    @classmethod
    def of_all(cls, parts: Sequence[_Evidence]) -> _Evidence:
        """Return what is known of something made of several parts."""
        if len(parts) == 1:
            return parts[0]
        dates = [part.newest for part in parts if part.newest is not None]
        limits = [part.unknown_until for part in parts if part.unknown_until is not None]
        return cls(max(dates, key=instant, default=None), max(limits, default=None))


_NOTHING = _Evidence()


def resolve(
    pages: Sequence[Page],
    *,
    options: Options,
    now: datetime,
    environ: Mapping[str, str],
    history: History | None = None,
) -> Dates:
    """Find the date of each page from the sources that the options name, in their order.

    A page that lists others is as new as the newest of them, unless its author gave it a date.
    Nothing is raised: where something fails there is no date, and a notice says why.
    """
    inquiry = _Inquiry(options=options, now=now, environ=environ, history=history or History())
    inquiry.look_at({source for page in pages for source in page.sources})
    known = {page.path: inquiry.known_of(page) for page in pages}
    known |= _derived(pages, known)
    by_path = {path: date for path, found in known.items() if (date := found.date) is not None}
    inquiry.count(known.values())
    return Dates(by_path=MappingProxyType(by_path), notices=tuple(inquiry.notices))


def _derived(pages: Iterable[Page], known: Mapping[str, _Evidence]) -> dict[str, _Evidence]:
    """Return what is known of pages that list others, through more of their kind where needed."""
    lists = {
        page.path: page.derived_from
        for page in pages
        if page.derived_from and page.modified is None
    }
    derived = {}
    for path in lists:
        seen, ahead = {path}, [path]
        while ahead:
            new = set(lists.get(ahead.pop(), ())) - seen
            seen |= new
            ahead += new
        derived[path] = _Evidence.of_all([known[listed] for listed in seen if listed in known])
    return derived


@dataclass(slots=True, kw_only=True)
class _Inquiry:
    """One call of `resolve`: what it knows of each file and has to tell."""

    options: Options
    now: datetime
    environ: Mapping[str, str]
    history: History
    notices: list[Notice] = field(default_factory=list)
    # Real paths are text here: pathlib takes ten times as long, which thousands of files feel.
    real: dict[Path, str] = field(default_factory=dict)
    """The real path of each source."""
    tracked: dict[str, _Evidence] = field(default_factory=dict)
    """Files in a repository."""
    loose: dict[str, _Evidence] = field(default_factory=dict)
    """Files in none."""
    future: list[str] = field(default_factory=list)
    """Pages whose date is later than now."""

    def look_at(self, sources: Iterable[Path]) -> None:
        """Ask the repository of each file, or the file itself where there is none."""
        folders: dict[str, str] = {}
        self.real = {source: _real(source, folders) for source in sources}
        roots: dict[str, str | None] = {}
        members: dict[str | None, set[str]] = defaultdict(set)
        for file in self.real.values():
            members[root_above(os.path.dirname(file), roots)].add(file)
        self.loose = {file: self._mtime(file) for file in members.pop(None, ())}
        for root, files in members.items():
            if root is not None:
                self.tracked |= self._in_repository(root, files)

    def known_of(self, page: Page) -> _Evidence:
        """Return the evidence of the first source that has a date, or why none has."""
        unknown: _Evidence | None = None
        for source in self.options.lastmod:
            found = self._said_by(source, page)
            # Its author's word on when a page changed stands, whatever git cannot tell.
            if unknown and source != "page":
                found = _Evidence.of_all([unknown, found])
            if found.newest is None and found.unknown_until is None:
                continue
            if (date := found.date) is None:
                unknown = found
            elif self._is_future(date):
                self.future.append(page.label)
            else:
                return found
        return _Evidence(unknown_until=unknown.unknown_until if unknown else None)

    def _said_by(self, source: DateSource, page: Page) -> _Evidence:
        if source == "page":
            return _Evidence(page.modified)
        if source == "published":
            return _Evidence(page.published)
        files = [self.real[file] for file in page.sources]
        tracked = [self.tracked[file] for file in files if file in self.tracked]
        if source == "git":
            return _Evidence.of_all(tracked)
        return _NOTHING if tracked else _Evidence.of_all([self.loose[file] for file in files])

    def count(self, known: Collection[_Evidence]) -> None:
        """Add the notices that speak of many pages."""
        limits = [found.unknown_until for found in known if found.date is None]
        if lost := sum(limit not in {None, _NEVER} for limit in limits):
            cures = (cure for name, cure in _SHALLOW_CURES.items() if self.environ.get(name))
            cure = next(cures, "run `git fetch --unshallow`")
            text = f"the clone is shallow, so {lost} of {len(known)} pages have no date: {cure}"
            self.notices.append(Notice(code="shallow-clone", text=text))
        if self.future:
            names = ", ".join(self.future[:3]) + (", …" if len(self.future) > 3 else "")
            count = len(self.future)
            pages = "1 page has a date" if count == 1 else f"{count} pages have a date"
            text = f"{pages} in the future, which is not listed: correct it ({names})"
            self.notices.append(Notice(code="future-date", text=text))

    def _in_repository(self, root: str, files: Collection[str]) -> dict[str, _Evidence]:
        if "git" not in self.options.lastmod:
            return dict.fromkeys(files, _Evidence())
        try:
            repository = Repository.open(root, environ=self.environ)
            paths = {file: path for file in files if (path := repository.path(file)) is not None}
            known = set(paths.values())
            ignored = self._ignored(repository)
            origins = self.history.origins(repository, known, ignored=ignored)
            # A service builds the site: an edit in its working tree is its script's.
            unattended = any(is_set(self.environ, name) for name in ("CI", "READTHEDOCS"))
            edited = frozenset() if unattended else repository.edited(known)
        except GitError as error:
            notice = Notice(code=error.code, text=str(error))
            if notice not in self.notices:
                self.notices.append(notice)
            return dict.fromkeys(files, _Evidence(unknown_until=_NEVER))
        found = dict.fromkeys(files, _Evidence())
        for file, path in paths.items():
            if path in edited:
                found[file] = self._mtime(file)
            elif (origin := origins[path]) is not None:
                when = _NEVER if origin.time is None else _moment(origin.time)
                lost = origin.time is None or origin.commit in repository.boundary
                found[file] = _Evidence(unknown_until=when) if lost else _Evidence(when)
        return found

    def _ignored(self, repository: Repository) -> frozenset[bytes]:
        """Return the commits that the author declared to change nothing."""
        option = self.options.ignore_revs
        if option is False:
            return frozenset()
        file = Path(repository.root, IGNORE_REVS_FILE if option is True else option)
        if option is True and not os.path.lexists(file):
            return frozenset()
        try:
            # A repository can hold a symbolic link to an endless device.
            content = file.read_bytes() if file.is_file() else None
        except OSError:
            content = None
        if content is None:
            text = f"{file} cannot be read, so no commit is ignored: correct `ignore_revs`"
            self.notices.append(Notice(code="ignore-revs", text=text))
            return frozenset()
        commits, wrong = gitlog.ignored_commits(content)
        if wrong:
            text = f"{wrong[0]!r} in {file} is not a full commit name: write all of it"
            self.notices.append(Notice(code="ignore-revs", text=text))
        return commits

    def _mtime(self, file: str) -> _Evidence:
        try:
            when = _moment(os.stat(file).st_mtime)
        except OSError:
            return _Evidence()
        # https://reproducible-builds.org/specs/source-date-epoch/: "MUST … clamp" file times to it.
        epoch = self.environ.get("SOURCE_DATE_EPOCH", "")
        return _Evidence(min(when, _moment(float(epoch))) if epoch.isdecimal() else when)

    def _is_future(self, date: Moment) -> bool:
        # A day begins up to 14 hours earlier than in UTC where its author may live.
        slack = timedelta() if isinstance(date, datetime) else timedelta(days=1)
        return instant(date) > self.now + slack


def _real(source: Path, folders: dict[str, str]) -> str:
    """Return a file's path without symbolic links, asking once for each folder."""
    folder, name = os.path.split(source)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    file = os.path.join(folders[folder], name)
    return os.path.realpath(file) if os.path.islink(file) else file


def _moment(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):  # A forged commit; beyond the year 9999.
        return _NEVER
