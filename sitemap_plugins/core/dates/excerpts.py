"""Find when a page's part of a shared file changed, such as of a catalog.

A commit that changed the file need not have changed all parts. If it is not known which
parts a change concerns, the change counts for all of them, at an unknown time.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from datetime import datetime
from functools import lru_cache, partial
from typing import NamedTuple

from sitemap_plugins.core.date_values import (
    NEVER,
    NOTHING,
    Evidence,
    Origin,
    from_seconds,
    to_utc,
)
from sitemap_plugins.core.git.kept_answers import Answer, KeptParts
from sitemap_plugins.core.git.last_change import (
    Distinct,
    LastChange,
    PartChanges,
    ReadParts,
    find_part_changes,
)
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.git.walk import FilePart
from sitemap_plugins.core.records import Excerpt, ReadExcerpts

MAX_CONTENTS = 32
"""Contents of files whose parts are kept: those of one commit, mostly."""

Known = dict[str | Excerpt, Evidence]
"""What is known about files, by real path, and about excerpts."""


class Request(NamedTuple):
    """An excerpt whose date is wanted."""

    excerpt: Excerpt

    file: str
    """The real path of its file."""

    sources: Sequence[str]
    """The real paths of the page's own files: older changes are not looked for."""


def without_history(requests: Iterable[Request], known: Known) -> Known:
    """Return the evidence of excerpts of files in no repository, or with edits.

    `known` has the evidence of the whole files. Which part of such a file changed is
    not known, so each excerpt may have changed as late as its file.
    """
    found: Known = {}
    for request in requests:
        limit = _latest(known[request.file])
        if limit is not None:
            found[request.excerpt] = Evidence(lost_until=limit)
    return found


def of_repository(
    repository: Repository,
    requests: Iterable[Request],
    known: Known,
    *,
    ignored: Collection[bytes],
    kept: KeptParts,
) -> tuple[Known, set[bytes]]:
    """Return the evidence of excerpts of files in a repository.

    Also return the paths of files whose old versions were needed and cannot be read.
    `known` has the evidence of whole files, `ignored` the commits that do not count,
    and `kept` the answers of earlier builds: git is asked only about the other
    excerpts.

    Raises:
        GitError: Git failed or took too long.
    """
    wanted, found = _sorted_out(requests, known, repository, ignored, kept)
    if not wanted:
        return found, set()

    changes = _changes(repository, wanted, ignored)
    unread = set()
    for part, (excerpt, _, _) in wanted.items():
        found[excerpt] = _of_part(part, excerpt, changes, repository)
        change = changes.get(part)
        if change and not change.is_certain:
            path, _ = part
            unread.add(path)
    return found, unread


class _Part(NamedTuple):
    """An excerpt's reader and name: hosts can read one file in several ways."""

    read: ReadExcerpts
    name: str

    @classmethod
    def of(cls, excerpt: Excerpt) -> _Part:
        return cls(excerpt.read, excerpt.name)


class _Wanted(NamedTuple):
    """An excerpt that git is asked for."""

    excerpt: Excerpt

    since: float
    """The date of the oldest page that shows it, in seconds since 1970."""

    answers: dict[str, Answer]
    """What is kept about its file."""


def _sorted_out(
    requests: Iterable[Request],
    known: Known,
    repository: Repository,
    ignored: Collection[bytes],
    kept: KeptParts,
) -> tuple[dict[FilePart, _Wanted], Known]:
    """Return the excerpts that git must date, and the evidence of the other excerpts.

    The parameters are those of `of_repository`.
    """
    found: Known = {}
    wanted: dict[FilePart, _Wanted] = {}
    passed_over = hashlib.sha256(b"".join(sorted(ignored))).hexdigest()
    for request in requests:
        path = repository.path(request.file)
        of_file = _latest(known.get(request.file, NOTHING))
        if path is None or of_file is None:  # The file was never committed.
            found[request.excerpt] = Evidence(lost_until=NEVER)
            continue
        of_page = _since(request, known)
        # If the file is older than the page, no change of an excerpt can date the page,
        # so that git need not look for this change.
        if of_file < of_page or not request.excerpt.is_attributable:
            found[request.excerpt] = Evidence(lost_until=of_file)
            continue
        part = (path, _Part.of(request.excerpt))
        since = of_page.timestamp()
        if part in wanted:  # Another page shows it, too.
            since = min(since, wanted[part].since)
        origin = known[request.file].origin
        answers = _answers(kept, path, request.excerpt, origin, passed_over)
        wanted[part] = _Wanted(request.excerpt, since, answers)
    return wanted, found


def _answers(
    kept: KeptParts,
    path: bytes,
    excerpt: Excerpt,
    origin: Origin | None,
    passed_over: str,
) -> dict[str, Answer]:
    """Return the kept answers about the file of an excerpt, by the excerpt's name.

    `origin` is where the date of the whole file is from: answers hold while its commit
    is the file's newest. `passed_over` is a digest of the ignored commits. If the
    excerpt has no `version` or `origin` is None, no answers are kept.
    """
    if not excerpt.version or origin is None:
        return {}
    state = (origin.commit.decode(), excerpt.version, passed_over)
    return kept.of_file(path, state)


def _changes(
    repository: Repository,
    wanted: Mapping[FilePart, _Wanted],
    ignored: Collection[bytes],
) -> PartChanges:
    """Return the last change of each excerpt, from kept answers or from git.

    The result is as that of `find_part_changes`.
    """
    changes: PartChanges = {}
    since = {}
    for part, each in wanted.items():
        answer = each.answers.get(each.excerpt.name)
        if answer is not None and answer.serves(each.since):
            changes[part] = LastChange(answer.commit.encode(), answer.time)
        else:
            since[part] = each.since
    if not since:
        return changes

    read = _reader(wanted)
    found = find_part_changes(repository, since, ignored=ignored, read=read)
    for part, change in found.items():
        # The oldest commits of a shallow clone may not be those that made the change.
        if change is not None and change.commit not in repository.boundary:
            _keep(wanted[part], change)
    return changes | found


def _keep(each: _Wanted, change: LastChange) -> None:
    """Keep git's answer for the next build, if it is certain."""
    if change.time is not None and change.is_certain:
        # Git did not look below a commit that is older than the oldest page.
        is_complete = change.time >= each.since
        answer = Answer(change.commit.decode(), change.time, is_complete)
        each.answers[each.excerpt.name] = answer


def _reader(wanted: Mapping[FilePart, _Wanted]) -> ReadParts:
    """Return a function that reads the wanted excerpts of any version of their files.

    The function returns the digest of each excerpt that the version has.
    """
    digests: dict[ReadExcerpts, Callable[[bytes], dict[str, Hashable]]] = {}
    parts: dict[bytes, list[_Part]] = defaultdict(list)
    for (path, _), each in wanted.items():
        part = _Part.of(each.excerpt)
        parts[path].append(part)
        if part.read not in digests:
            # If a commit moves many objects to another file, each of these objects is
            # looked for in the same versions.
            keep = lru_cache(maxsize=MAX_CONTENTS)
            digests[part.read] = keep(partial(_digests, part.read))

    def read(path: bytes, content: bytes) -> dict[Hashable, object]:
        # The search keeps many results, so each has only the wanted excerpts.
        found: dict[Hashable, object] = {}
        for part in parts[path]:
            names = digests[part.read](content)
            if part.name in names:
                found[part] = names[part.name]
        return found

    return read


def _digests(read: ReadExcerpts, content: bytes) -> dict[str, Hashable]:
    # Indexed by the excerpt's name, for one version of a file.
    return {name: _digest(excerpt) for name, excerpt in read(content).items()}


def _digest(excerpt: Hashable) -> Hashable:
    if isinstance(excerpt, Distinct):
        return Distinct(hash(excerpt))
    return hash(excerpt)


def by_commit(
    path: bytes,
    change: LastChange,
    repository: Repository,
    *,
    is_lost: bool = False,
) -> Evidence:
    """Return the evidence of the newest commit that changed a file or an excerpt.

    If `is_lost`, or if the commit is one of the oldest of a shallow clone, the last
    change is this commit or an older one that is not known.
    """
    origin = Origin(
        "git",
        os.fsdecode(path),
        str(repository.root),
        change.commit,
        passed_over=change.passed_over,
    )
    is_lost = is_lost or change.commit in repository.boundary
    return Evidence.of_change(
        change.time, lost=is_lost, origin=origin, written=change.earliest
    )


def _of_part(
    part: FilePart,
    excerpt: Excerpt,
    changes: PartChanges,
    repository: Repository,
) -> Evidence:
    """Return the evidence of one excerpt, whose last change git was asked for."""
    # Beyond git's limits, no change was looked for: the date counts as lost.
    if part not in changes:
        return Evidence(lost_until=NEVER)
    change = changes[part]
    # No commit has changed the excerpt: it has always read as that of an empty file.
    if change is None:
        return NOTHING
    path, _ = part
    is_lost = not change.is_certain
    found = by_commit(path, change, repository, is_lost=is_lost)
    if found.origin is None:
        return found
    return found._replace(origin=found.origin._replace(excerpt=excerpt.label))


def _latest(found: Evidence) -> datetime | None:
    """Return the latest possible time of the last change; None for `NOTHING`.

    The time of a change that is not in the known history is at most `lost_until`.
    """
    return found.lost_until if found.newest is None else to_utc(found.newest)


def _since(request: Request, known: Known) -> datetime:
    """Return the date of the own files of a request's page.

    If these files have no date, return 1970, so that git looks for a change of any age.
    """
    own = [known[file] for file in request.sources if file in known]
    date = Evidence.of_all(own).date
    return from_seconds(0) if date is None else to_utc(date)
