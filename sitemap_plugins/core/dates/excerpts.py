"""Dates of excerpts: the parts of shared files that individual pages show.

Several pages can show excerpts of one file, such as a catalog of translations, and a commit that
changed the file need not have changed all excerpts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.date_values import NOTHING, Evidence, Origin, from_seconds, to_utc
from sitemap_plugins.core.git.last_change import LastChange, find_part_changes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from sitemap_plugins.core.git.repository import Repository
    from sitemap_plugins.core.records import Excerpt


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
) -> tuple[dict[str | Excerpt, Evidence], set[bytes]]:
    """Return the evidence of excerpts in a repository; `known` has that of whole files.

    Also return the paths of files whose old versions cannot be read, though they were needed.

    Raises:
        GitError: Git failed or took too long.
    """
    found: dict[str | Excerpt, Evidence] = {}
    wanted: dict[tuple[bytes, str], ExcerptRequest] = {}
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
    changes = find_part_changes(repository, since, ignored=ignored, read=read) if since else {}
    unread: set[bytes] = set()
    for key, request in wanted.items():
        # One that git does not know is as if lost.
        if (change := changes.get(key, LastChange(b"", None))) is None:
            found[request.excerpt] = NOTHING
            continue
        lost = change.commit in repository.boundary or not change.is_certain
        origin = Origin("git", key[0], str(repository.root), change.commit)
        found[request.excerpt] = Evidence.of_change(change.time, lost=lost, origin=origin)
        unread |= set() if change.is_certain else {key[0]}
    return found, unread


def _since(request: ExcerptRequest, known: Mapping[str | Excerpt, Evidence]) -> datetime:
    """Return the date of the page's own files; the earliest possible one if they have none."""
    date = Evidence.of_all([known[file] for file in request.sources if file in known]).date
    return from_seconds(0) if date is None else to_utc(date)
