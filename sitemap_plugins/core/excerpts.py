"""Dates of excerpts: the parts of shared files that single pages show."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.dates import NOTHING, Evidence, from_seconds, to_utc
from sitemap_plugins.core.git.excerpts import (
    ExcerptChange,
    find_excerpt_changes,
    read_version,
)
from sitemap_plugins.core.git.last_change import LastChange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from sitemap_plugins.core.git.repository import Repository
    from sitemap_plugins.core.page import Excerpt

__all__ = ["ExcerptRequest", "find_excerpt_dates"]


class ExcerptRequest(NamedTuple):
    """An excerpt whose date is wanted."""

    excerpt: Excerpt

    file: str
    """The real path of its file."""

    sources: tuple[str, ...]
    """The real paths of the page's own files: older changes are not looked for."""


def find_excerpt_dates(
    repository: Repository,
    requests: Iterable[ExcerptRequest],
    known: Mapping[str | Excerpt, Evidence],
    *,
    edited: Collection[bytes],
    ignored: Collection[bytes],
) -> dict[str | Excerpt, Evidence]:
    """Return what a repository knows about excerpts; `known` is the same for whole files.

    Raises:
        GitError: Git failed or took too long.
    """
    found: dict[str | Excerpt, Evidence] = {}
    by_path: dict[bytes, list[ExcerptRequest]] = defaultdict(list)
    for request in requests:
        path, whole = repository.path(request.file), known.get(request.file, NOTHING)
        if path is None or whole == NOTHING:
            continue
        limit = whole.unknown_until if whole.newest is None else to_utc(whole.newest)
        # The whole file is older, or its changes cannot be attributed to pages.
        if limit and (limit < _since(request, known) or not request.excerpt.certain):
            found[request.excerpt] = Evidence(unknown_until=limit)
        elif path in edited and _differs(repository, path, request):
            found[request.excerpt] = whole
        else:
            by_path[path].append(request)
    for path, same in by_path.items():
        since = {r.excerpt.name: int(_since(r, known).timestamp()) for r in same}
        read = same[0].excerpt.read
        changes = find_excerpt_changes(repository, path, read, since=since, ignored=ignored)
        for excerpt in (request.excerpt for request in same):
            missing = ExcerptChange(LastChange(b"", None))  # Git does not know it: as if lost.
            change = changes.get(excerpt.name, missing)
            found[excerpt] = _evidence(change, repository.boundary) if change else NOTHING
    return found


def _since(request: ExcerptRequest, known: Mapping[str | Excerpt, Evidence]) -> datetime:
    """Return the date of the page's own files; the earliest possible one if they have none."""
    date = Evidence.of_all([known[file] for file in request.sources if file in known]).date
    return from_seconds(0) if date is None else to_utc(date)


def _differs(repository: Repository, path: bytes, request: ExcerptRequest) -> bool:
    """Tell whether the edits in a file concern an excerpt."""
    read, name = request.excerpt.read, request.excerpt.name
    committed = read(read_version(repository, path, repository.head))
    return committed.get(name) != read(Path(request.file).read_bytes()).get(name)


def _evidence(found: ExcerptChange, boundary: Collection[bytes]) -> Evidence:
    lost = not found.certain or found.change.commit in boundary
    return Evidence.of_change(found.change.time, lost=lost)
