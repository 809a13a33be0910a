"""When the parts of a file changed that single pages show, such as of a catalog.

A commit that changed the file need not have changed all parts. Where it is not known
which parts a change concerns, it counts as one at an unknown time for all of them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from sitemap_plugins.core.date_values import (
    NEVER,
    NOTHING,
    Evidence,
    Origin,
    from_seconds,
    to_utc,
)
from sitemap_plugins.core.git.last_change import (
    Distinct,
    LastChange,
    find_part_changes,
)
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.records import Excerpt, ReadExcerpts

MAX_CONTENTS = 32
"""Contents of files whose parts are kept: those of one commit, mostly."""

Known = dict[str | Excerpt, Evidence]
"""What is known about files, by real path, and about excerpts."""

_Part = tuple[bytes, str]
"""A file's path in its repository, and the name of an excerpt of it."""


class Request(NamedTuple):
    """An excerpt whose date is wanted."""

    excerpt: Excerpt

    file: str
    """The real path of its file."""

    sources: Sequence[str]
    """The real paths of the page's own files: older changes are not looked for."""


def without_history(requests: Iterable[Request], known: Known) -> Known:
    """Return the evidence of excerpts of files whose versions are not kept.

    `known` has that of whole files: which part of a file changed is not known.
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
    edited: Collection[bytes],
    ignored: Collection[bytes],
) -> tuple[Known, set[bytes]]:
    """Return the evidence of excerpts in a repository; `known` has that of whole files.

    Also return the paths of files whose old versions cannot be read, though they were
    needed. Files that are `edited` since the last commit have their own time, and
    their excerpts an unknown one.

    Raises:
        GitError: Git failed or took too long.
    """
    found: Known = {}
    wanted: dict[_Part, Request] = {}
    for request in requests:
        path = repository.path(request.file)
        limit = _latest(known.get(request.file, NOTHING))
        if path is None or limit is None:
            continue
        is_older = limit < _since(request, known)
        if is_older or path in edited or not request.excerpt.is_attributable:
            found[request.excerpt] = Evidence(lost_until=limit)
        else:
            wanted[path, request.excerpt.name] = request
    if not wanted:
        return found, set()

    changes = _changes(repository, wanted, known, ignored)
    unread = set()
    for part, request in wanted.items():
        found[request.excerpt] = _of_part(part, changes, repository)
        change = changes.get(part)
        if change and not change.is_certain:
            path, _ = part
            unread.add(path)
    return found, unread


def _changes(
    repository: Repository,
    wanted: Mapping[_Part, Request],
    known: Known,
    ignored: Collection[bytes],
) -> Mapping[_Part, LastChange | None]:
    """Return the last change of each excerpt, as `find_part_changes`."""
    readers = {path: request.excerpt.read for (path, _), request in wanted.items()}
    names: dict[bytes, list[str]] = defaultdict(list)
    for path, name in wanted:
        names[path].append(name)

    # A commit that moves objects between files needs each version for all of these.
    @lru_cache(maxsize=MAX_CONTENTS)
    def digests(read: ReadExcerpts, content: bytes) -> dict[str, Hashable]:
        return {name: _digest(excerpt) for name, excerpt in read(content).items()}

    def read(path: bytes, content: bytes) -> dict[str, Hashable]:
        found = digests(readers[path], content)
        # Many versions are kept.
        return {name: found[name] for name in names[path] if name in found}

    since = {}
    for part, request in wanted.items():
        since[part] = _since(request, known).timestamp()
    return find_part_changes(repository, since, ignored=ignored, read=read)


def _digest(excerpt: Hashable) -> Hashable:
    if isinstance(excerpt, Distinct):
        return Distinct(hash(excerpt))
    return hash(excerpt)


def by_commit(
    path: bytes,
    change: LastChange,
    repository: Repository,
    time: int | None,
    *,
    is_lost: bool = False,
) -> Evidence:
    """Return the evidence of a file's or excerpt's newest commit, with that time.

    Beyond the end of a shallow history, the change itself is lost.
    """
    origin = Origin("git", os.fsdecode(path), str(repository.root), change.commit)
    is_lost = is_lost or change.commit in repository.boundary
    return Evidence.of_change(time, lost=is_lost, origin=origin)


def _of_part(
    part: _Part, changes: Mapping[_Part, LastChange | None], repository: Repository
) -> Evidence:
    if part not in changes:  # Beyond the limits, as if lost.
        return Evidence(lost_until=NEVER)
    change = changes[part]
    if change is None:
        return NOTHING
    is_lost = not change.is_certain
    return by_commit(part[0], change, repository, change.time, is_lost=is_lost)


def _latest(found: Evidence) -> datetime | None:
    """Return the latest possible time of the last change; None for none."""
    return found.lost_until if found.newest is None else to_utc(found.newest)


def _since(request: Request, known: Known) -> datetime:
    """Return the date of the page's own files; the earliest possible without one."""
    own = [known[file] for file in request.sources if file in known]
    date = Evidence.of_all(own).date
    return from_seconds(0) if date is None else to_utc(date)
