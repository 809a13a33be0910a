"""Deployed sites in a branch: what each deploy did to the dates in its sitemap.

A deploy is a commit that changes the sitemap or the file of a listed page. Nothing is
checked out: a page of two deploys is the same, byte for byte, if its blob has the same
name. Each question is about one URL in two deploys in a row, so that no more than two
deploys are in memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import lastmod_in_utc
from sitemap_plugins.core.git.log import parse_tree
from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import (
    Environ,
    FileError,
    OptionsError,
    a_few,
    count_things,
    quoted,
)
from sitemap_plugins.core.publishing.read import Element
from sitemap_plugins.core.url_forms import Files
from sitemap_plugins.findings.records import (
    Collector,
    Finding,
    Findings,
    Result,
)
from sitemap_plugins.folder.address import base_of
from sitemap_plugins.folder.options import Track
from sitemap_plugins.sitemaps.locations import COMMIT, CommitLocation, parse_commit
from sitemap_plugins.sitemaps.parts import elements_of, parts_of

MAX_DEPLOYS = 40
"""Deploys that are compared with the one before them."""

MAX_COMMITS = 100
"""Commits that are looked at: some change only other files in the sitemap's folder."""

MAX_URLS = 250_000
"""URLs of one deploy: more than any site in a branch is known to have."""

MAX_LISTING = 1 << 26
"""Bytes of the names and blobs of one deploy's files: room for 500,000."""

_LONGEST_DATE = 40
"""Characters of a date that are kept for messages; a stranger's can have millions."""

_LOG = (
    "log",
    "--first-parent",
    "--no-patch",
    "--no-color",
    "--no-show-signature",
    "--format=%H %cd",
    "--date=short",
    f"--max-count={MAX_COMMITS}",
    "--stdin",
)


class _Page(NamedTuple):
    """A listed URL in one deploy."""

    url: str
    """As written."""

    lastmod: str
    """As written, cut to `_LONGEST_DATE`."""

    date: datetime | None
    """In UTC; None without a valid one."""

    blob: bytes
    """Name of the page's bytes; empty if the branch has no file of the page."""


class _Site(NamedTuple):
    """A deployed site."""

    base_url: str
    """The address below which the deploy's pages are, as `urls.identity` returns it;
    empty if no page has a file."""

    files: int
    """Sitemap files that were read."""

    pages: Mapping[str, _Page]
    """Indexed by `urls.identity`."""


class _Step(NamedTuple):
    """What one deploy did to a URL that has a date before and after it."""

    before: _Page
    after: _Page

    deploy: str
    """For messages."""

    @property
    def is_moved(self) -> bool:
        """Whether the date is another one."""
        return self.before.date != self.after.date

    @property
    def has_page(self) -> bool:
        """Whether both deploys have the page's file."""
        return bool(self.before.blob and self.after.blob)

    @property
    def has_same_page(self) -> bool:
        """Whether both deploys have the same bytes for the page."""
        return self.has_page and self.before.blob == self.after.blob

    @property
    def dates(self) -> str:
        """Both dates, for a message."""
        return f"from {quoted(self.before.lastmod)} to {quoted(self.after.lastmod)}"


@dataclass(slots=True)
class _Totals:
    """What all deploys did to all dates."""

    deploys: int = 0
    """How many were compared with the one before."""

    dates: int = 0
    """Pairs of a URL's date and its date in the deploy before."""

    moved: int = 0
    """Dates that differ."""

    moved_with_page: int = 0
    """Dates that differ, of pages that both deploys have."""

    unchanged: int = 0
    """Dates that differ although the page is the same in both deploys."""

    def add(self, step: _Step) -> None:
        """Count one."""
        self.dates += 1
        self.moved += step.is_moved
        self.moved_with_page += step.is_moved and step.has_page
        self.unchanged += step.is_moved and step.has_same_page


def check_deploys(
    target: str, *, now: datetime, environ: Environ, track: Track
) -> Result:
    """Compare the last deploys in a branch, each with the one before.

    `target` is `git:REVISION` or `git:REVISION:PATH`, as `parse_commit` reads it; the
    revision can be a range. Deploys whose sitemap cannot be read are skipped, but for
    the newest. An interrupt ends the check with what was found so far.

    Raises:
        OptionsError: There are not two deploys to compare.
        SitemapError: The newest sitemap cannot be read, or git fails.
    """
    revision, path = parse_commit(target)
    repository = Repository.open(Path.cwd(), environ=environ)
    commits = _commits(repository.git, revision, path)
    newest = _read_newest(repository, revision, commits[0], path)
    found = Collector()
    totals = _Totals()
    name = f"{COMMIT}{revision}:{path}"
    whole = Result(
        site=newest.base_url, time=now, files=newest.files, urls=len(newest.pages)
    )
    try:
        for steps in _deploys(repository, newest, commits, path, track):
            totals.deploys += 1
            for step in steps:
                totals.add(step)
                found.add(_judged(step), url=step.after.url, file=name)
    except KeyboardInterrupt:
        whole = replace(whole, is_interrupted=True)
    if not totals.deploys and not whole.is_interrupted:
        raise _only_one(revision, path)
    found.add([_summary(totals)], file=name)
    return found.result(whole)


def _read_newest(
    repository: Repository, revision: str, commit: _Commit, path: str
) -> _Site:
    """Read the newest deploy.

    Raises:
        OptionsError: The sitemap is not there, and others are.
        SitemapError: As `_read`.
    """
    try:
        return _read(repository, commit, path)
    except FileError as error:
        _name_others(repository.git, revision, commit, path)
        raise error from None


def _only_one(revision: str, path: str) -> OptionsError:
    msg = f"{quoted(revision)} has only one deploy with {path}"
    cure = "keep the branch's history in deploys (`force_orphan: false`), or fetch it"
    return OptionsError(msg, cure=cure)


class _Commit(NamedTuple):
    """A commit that changes the sitemap's folder."""

    id: str
    """Full name."""

    day: str
    """When it was committed, as YYYY-MM-DD."""


def _commits(git: Git, revision: str, path: str) -> list[_Commit]:
    """Return the last commits of a revision or range, newest first.

    Raises:
        OptionsError: There is none.
    """
    folder = path.rpartition("/")[0] or "."
    listing = git.run(*_LOG, "--", folder, stdin=os.fsencode(f"{revision}\n"))
    commits = [_Commit(*line.split(" ")) for line in listing.decode().splitlines()]
    if not commits:
        msg = f"{quoted(revision)} has no commit with a file beside {quoted(path)}"
        raise OptionsError(msg, cure="check the revision and the path")
    return commits


def _deploys(
    repository: Repository,
    newest: _Site,
    commits: Sequence[_Commit],
    path: str,
    track: Track,
) -> Iterator[list[_Step]]:
    """Yield what each deploy did, newest first, at most `MAX_DEPLOYS` of them."""
    later = newest
    commit = commits[0]
    deploys = 0
    for previous in track(commits[1:], "Reading deploys"):
        try:
            earlier = _read(repository, previous, path)
        except FileError:
            continue
        steps = [*_steps(earlier, later, commit)]
        if earlier.pages != later.pages:
            deploys += 1
            yield steps
        if deploys == MAX_DEPLOYS:
            return
        later = earlier
        commit = previous


def _name_others(git: Git, revision: str, commit: _Commit, path: str) -> None:
    """Raise an error that names the sitemaps in other folders, if there are any.

    Raises:
        OptionsError: The sitemap is not there, and others are.
    """
    blobs = _blobs(git, commit.id, "")
    name = path.rpartition("/")[2]
    others = [quoted(other) for other in blobs if other.endswith(f"/{name}")]
    if others and path not in blobs:
        msg = f"{quoted(revision)} has no {path}, but {a_few(others)}"
        raise OptionsError(
            msg, cure=f"name the folder of one, as in {COMMIT}BRANCH:1.0/"
        )


def _read(repository: Repository, commit: _Commit, path: str) -> _Site:
    """Read a deployed site.

    Raises:
        FileError: There is no sitemap, it cannot be read, or the site is too large.
        GitError: Git fails.
    """
    # Each deploy has a time limit of its own.
    git = Git.at(repository.root, repository.git.environ)
    parts = [*parts_of(CommitLocation(git, commit.id, path))]
    listed = _listed(part.location for part in parts)
    blobs = _blobs(git, commit.id, path.rpartition("/")[0])
    files = Files.of(blobs)
    base_url = base_of(listed, files)
    pages = {}
    for identity, element in listed.items():
        file = ""
        if base_url and identity.startswith(base_url):
            file = files.page_at(identity.removeprefix(base_url).partition("?")[0])
        lastmod = element.get("lastmod")
        pages[identity] = _Page(
            url=element.get("loc"),
            lastmod=lastmod[:_LONGEST_DATE],
            date=lastmod_in_utc(lastmod),
            blob=blobs.get(file, b""),
        )
    return _Site(base_url, len(parts), pages)


def _listed(parts: Iterable[CommitLocation]) -> dict[str, Element]:
    """Return the first element of each URL in a sitemap's parts, by its identity.

    Raises:
        FileError: A part cannot be read, or there are too many URLs.
    """
    listed: dict[str, Element] = {}
    for part in parts:
        for element in elements_of(part):
            listed.setdefault(urls.identity(element.get("loc")), element)
            if len(listed) > MAX_URLS:
                msg = f"the sitemap lists more than {MAX_URLS:,} URLs"
                raise FileError(msg, cure="check one of its parts")
    return listed


def _blobs(git: Git, commit: str, folder: str) -> dict[str, bytes]:
    """Return the blob of each file below a folder of a commit, by its encoded name.

    Raises:
        FileError: There are too many: a tree can hold another one any number of times.
        GitError: Git fails.
    """
    listing = bytearray()
    top = f"{folder}/" if folder else ""
    pathspecs = (top,) if top else ()
    command = ("ls-tree", "-r", "-z", "--full-tree", commit, "--", *pathspecs)
    with closing(git.stream(*command)) as chunks:
        for chunk in chunks:
            listing += chunk
            if len(listing) > MAX_LISTING:
                msg = f"the folder {quoted(folder or '.')} has too many files"
                raise FileError(msg, cure="name the folder of one site")
    blobs = {}
    for path, blob in parse_tree(bytes(listing)).items():
        name = os.fsdecode(path).removeprefix(top)
        blobs[urls.percent_encode(name)] = blob
    return blobs


def _steps(earlier: _Site, later: _Site, commit: _Commit) -> Iterator[_Step]:
    """Yield what a deploy did to each URL that has a date before and after it."""
    deploy = f"{commit.id[:10]} of {commit.day}"
    for identity, after in later.pages.items():
        before = earlier.pages.get(identity)
        if before and before.date and after.date:
            yield _Step(before, after, deploy)


def _judged(step: _Step) -> Findings:
    """Yield what a deploy did to a date that the page's bytes do not explain."""
    url = quoted(step.after.url)
    if step.is_moved and step.has_same_page:
        text = f"{url}: moved {step.dates} in {step.deploy}, and the page is the same"
        yield Finding("moved-unchanged", text, about=step.deploy)
    if step.before.date and step.after.date and step.after.date < step.before.date:
        text = f"{url}: went back {step.dates} in {step.deploy}"
        yield Finding("date-went-back", text, about=step.deploy)
    if step.has_page and not (step.is_moved or step.has_same_page):
        text = f"{url}: stays {quoted(step.after.lastmod)} in {step.deploy}"
        yield Finding("date-kept", text, about=step.deploy)


def _summary(totals: _Totals) -> Finding:
    """Return the figures of all deploys."""
    number = count_things(totals.deploys, "deploy")
    text = f"in {number}, {totals.moved:,} of {totals.dates:,} dates moved"
    text += _share(totals.moved, totals.dates)
    if totals.moved_with_page:
        text += f"; of {totals.moved_with_page:,} pages whose date moved,"
        text += f" {totals.unchanged:,} did not change by a byte"
        text += _share(totals.unchanged, totals.moved_with_page)
    return Finding("deploys", text)


def _share(number: int, whole: int) -> str:
    return f" ({100 * number / whole:.0f} %)" if whole else ""
