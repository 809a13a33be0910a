"""Dates of excerpts: the parts of shared files that individual pages show.

Several pages can show excerpts of one file, such as a catalog of translations, and a commit that
changed the file need not have changed all excerpts.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.date_values import NEVER, NOTHING, Evidence, from_seconds, to_utc
from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.last_change import LastChange
from sitemap_plugins.core.git.log import moves

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Mapping
    from datetime import datetime

    from sitemap_plugins.core.git.log import Commit
    from sitemap_plugins.core.git.repository import Repository
    from sitemap_plugins.core.records import Excerpt

__all__ = [
    "ExcerptRequest",
    "find_excerpt_dates",
]

MAX_BYTES = 1 << 30
"""Bytes of all versions of one file that are read: three times the 276 versions of a catalog of
packaging.python.org, which take two seconds."""

MAX_WALKS = 16
"""Walks over the history of one file: each begins before a move of the file."""


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
    """Return the evidence of excerpts in a repository; `known` has that of whole files.

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
        changes = _find_excerpt_changes(repository, path, read, since=since, ignored=ignored)
        for excerpt in (request.excerpt for request in same):
            # One that git does not know is as if lost.
            found[excerpt] = changes.get(excerpt.name, Evidence(unknown_until=NEVER))
    return found


def _since(request: ExcerptRequest, known: Mapping[str | Excerpt, Evidence]) -> datetime:
    """Return the date of the page's own files; the earliest possible one if they have none."""
    date = Evidence.of_all([known[file] for file in request.sources if file in known]).date
    return from_seconds(0) if date is None else to_utc(date)


def _differs(repository: Repository, path: bytes, request: ExcerptRequest) -> bool:
    """Tell whether the edits in a file change an excerpt."""
    read, name = request.excerpt.read, request.excerpt.name
    committed = read(_read_head_version(repository, path))
    return committed.get(name) != read(Path(request.file).read_bytes()).get(name)


class _ExcerptChange(NamedTuple):
    """The commit that an excerpt's present content comes from."""

    change: LastChange

    certain: bool = True
    """False if it is only the oldest version that was read, and has the excerpt already."""


def _find_excerpt_changes(
    repository: Repository,
    path: bytes,
    read: Callable[[bytes], Mapping[str, Hashable]],
    *,
    since: Mapping[str, int],
    ignored: Collection[bytes],
) -> dict[str, Evidence]:
    """Return the evidence of the newest change of some excerpts of a file in the last commit.

    `read` takes the file's content and returns its excerpts by name, as values that are equal where
    the excerpts are. `since` has, for each name to look for, a time in seconds since 1970: changes
    before it are not looked for. An excerpt whose value has always been that of a missing file has
    no evidence of any change.

    Raises:
        GitError: Git failed or took too long.
    """
    found: dict[str, _ExcerptChange] = {}
    names: Collection[str] = since.keys()
    start, here = repository.head, path
    for _ in range(MAX_WALKS):
        commits = [*repository.log("--parents", "--topo-order", starts=[start], paths=[here])]
        with closing(_contents(repository, here, (commit.id for commit in commits))) as contents:
            versions = zip(commits, map(read, contents), strict=False)
            wanted = {name: since[name] for name in names}
            found |= _trace_excerpts(versions, since=wanted, ignored=ignored)
        added = {commit.id for commit in commits if not commit.parents} - repository.boundary
        names = [name for name, it in found.items() if it.certain and it.change.commit in added]
        moved = _moved(repository, here, added) if names else None
        if moved is None:
            break
        start, here = moved
    # An excerpt that the file's first version has already is that of HEAD.
    absent, now = read(b""), read(_read_head_version(repository, path)) if names else {}
    return {
        name: NOTHING
        if name in names and now.get(name) == absent.get(name)
        else Evidence.of_change(
            it.change.time, lost=not it.certain or it.change.commit in repository.boundary
        )
        for name, it in found.items()
    }


def _moved(
    repository: Repository, path: bytes, commits: Collection[bytes]
) -> tuple[bytes, bytes] | None:
    """Return the parent of the only commit if that moved the file here, and the path there."""
    if len(commits) != 1:
        return None
    (name,) = commits
    (commit,) = repository.log("--no-walk", starts=[name])
    old_paths = moves(commit.changes) if len(commit.parents) == 1 else {}
    return (commit.parents[0], old_paths[path]) if path in old_paths else None


def _trace_excerpts(
    versions: Iterable[tuple[Commit, Mapping[str, Hashable]]],
    *,
    since: Mapping[str, int],
    ignored: Collection[bytes],
) -> dict[str, _ExcerptChange]:
    """Follow excerpts of one file down its versions, the newest first, parents after children.

    As `git log -1` does for a file: go on to a parent that has the same excerpt, and end at a
    commit whose excerpt differs from those of all its parents, or that is older than the time in
    `since`. `versions` is only consumed as far as needed.
    """
    found: dict[str, _ExcerptChange] = {}
    unread: dict[bytes, list[_Place]] = defaultdict(list)
    names = set(since)
    for commit, excerpts in versions:
        place = _Place(commit, excerpts, names)
        names = set()
        for child in unread.pop(commit.id, ()):
            place.names |= child.hand_on(place, ignored=ignored)
            found |= child.results()
        found |= place.leave_old(since) | place.results()
        for parent in place.parents:
            unread[parent].append(place)
        if not any(place.names for places in unread.values() for place in places):
            break
    rest = {id(place): place for places in unread.values() for place in places}.values()
    return found | {
        name: _ExcerptChange(place.change, certain=False) for place in rest for name in place.names
    }


class _Place:
    """A version, and the excerpts that were followed to it and no further."""

    def __init__(self, commit: Commit, excerpts: Mapping[str, Hashable], names: set[str]) -> None:
        self.commit, self.excerpts, self.names = commit, excerpts, names
        self.parents = set(commit.parents)
        self.change = LastChange(commit.id, commit.time)

    def hand_on(self, parent: _Place, *, ignored: Collection[bytes]) -> set[str]:
        """Remove and return the excerpts that come from a parent, which is then done."""
        self.parents.remove(parent.commit.id)
        if self.commit.id in ignored and parent.commit.id == self.commit.parents[0]:
            passed = self.names
        else:
            theirs, ours = parent.excerpts, self.excerpts
            passed = {name for name in self.names if theirs.get(name) == ours.get(name)}
        self.names = self.names - passed
        return passed

    def leave_old(self, since: Mapping[str, int]) -> dict[str, _ExcerptChange]:
        """Remove and return the excerpts that need not be followed further."""
        time = self.change.time
        old = {name for name in self.names if time is not None and time < since[name]}
        self.names = self.names - old
        return dict.fromkeys(old, _ExcerptChange(self.change, certain=False))

    def results(self) -> dict[str, _ExcerptChange]:
        """Return the excerpts that come from none of the parents, once all are done."""
        return {} if self.parents else dict.fromkeys(self.names, _ExcerptChange(self.change))


def _read_head_version(repository: Repository, path: bytes) -> bytes:
    """Return the content of a file in the last commit; empty if it is not there."""
    with closing(_contents(repository, path, [repository.head])) as contents:
        return b"".join(contents)


def _contents(repository: Repository, path: bytes, commits: Iterable[bytes]) -> Generator[bytes]:
    """Yield the file's content in each commit, up to `MAX_BYTES` in total.

    Nothing for a path with a line break, since git reads one name from each line.
    """
    names = [b"%s:%s\n" % (commit, path) for commit in commits if b"\n" not in path]
    sizes, total = [], 0
    check = repository.git.run("cat-file", "--batch-check=%(objectsize)", stdin=b"".join(names))
    for line in check.splitlines():
        size = int(line) if line.isdigit() else None  # A version where the file is missing.
        total += size or 0
        if total > MAX_BYTES:
            break
        sizes.append(size)
    present = [name for name, size in zip(names, sizes, strict=False) if size is not None]
    chunks = repository.git.stream("cat-file", "--batch=", stdin=b"".join(present))
    with closing(chunks):
        buffer = bytearray()
        for size in sizes:
            length = size + 2 if size is not None else 0  # Git adds two line breaks.
            while len(buffer) < length:
                if not (chunk := next(chunks, b"")):
                    msg = "git cat-file ended early"
                    raise GitError(msg, cure="run `git fsck` there", code="git-failed")
                buffer += chunk
            yield bytes(buffer[1 : length - 1]) if length else b""
            del buffer[:length]
