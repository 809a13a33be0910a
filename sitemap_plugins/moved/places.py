"""Vanished pages of a built folder → where they are now, as git knows it.

A page `moved` if git followed its source through renames to that of a living page. If
it was deleted, its text may be `merged`: a living page has at least half of its long
lines. The only page of the `same-name` is a guess. Of any other page nothing is said.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.repository import Contents, Repository
from sitemap_plugins.core.messages import Notice, OptionsError, quoted
from sitemap_plugins.core.untrusted_files import read_beginning
from sitemap_plugins.core.url_forms import any_form
from sitemap_plugins.folder.paths import (
    TEXTS,
    address_of,
    is_in_lowercase,
    split_suffix,
)
from sitemap_plugins.folder.reading import FolderSite
from sitemap_plugins.moved.git_moves import Fate, Moves, find_moves
from sitemap_plugins.sitemaps.removed import Grade, Moved

_FIRST = ("", "overview", "reference")
"""Names of a folder's first page."""

_LONG = 25
"""Bytes of a line that is not in every other page."""

_MIN_LINES = 3
_SHARE = 0.5
"""Of the vanished page's long lines, those that the other must have."""

_COMMON = 5
"""Pages that have a line that proves nothing."""

_MAX_BYTES = 4 * 1024 * 1024
"""Bytes of a living page's source that are compared."""

_SHALLOW = (
    "the clone is shallow: pages that moved before its first commit are not found"
)
_PARTIAL = "the clone lacks old contents: only pages that moved unchanged are found"


class _Place(NamedTuple):
    page: str
    """The name of the living page."""

    grade: Grade

    source: bytes
    """The vanished page's; empty if it is not known."""


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where the pages of a folder are, and where earlier ones went."""

    folder: FolderSite
    repository: Repository
    moves: Moves

    sources: Mapping[str, bytes]
    """The path in the repository of each living page's source, by the page's name."""

    since: bytes
    """The commit of the earlier pages; empty if it is not known."""

    notices: Sequence[Notice]
    """Why the history could not be fetched."""

    @classmethod
    def of(
        cls, folder: FolderSite, environment: Environment, *, since: str = ""
    ) -> Places:
        """Look through the history of a folder's sources, down to a revision if given.

        Raises:
            GitError: There is no history, or git is not installed, refuses or fails.
            OptionsError: There is no such revision.
        """
        files = folder.reader.project_files
        with environment.repository(str(files.root)) as clone:
            commit = _commit(since, clone) if since else b""
            repository, notices = environment.complete(clone)
            top = repository.path(str(files.root / folder.reader.sources.folder))
            living = {os.fsencode(name) for name in repository.files()}
            moves = find_moves(
                repository, top or b"", sorted(TEXTS), since=commit, living=living
            )
        return cls(
            folder=folder,
            repository=repository,
            moves=moves,
            sources=_living_sources(folder, repository),
            since=commit,
            notices=notices,
        )

    @property
    def gap(self) -> str:
        """Why pages may have moved that are not found; empty for no reason."""
        if self.repository.boundary:
            return _SHALLOW
        return _PARTIAL if self.moves.is_exact else ""

    def find(
        self, paths: Iterable[str], *, same_name: bool = False
    ) -> dict[str, Moved]:
        """Return the new place of each vanished path for which one is known.

        Paths are percent-encoded, relative to the site's root, of any form. With
        `same_name`, a page of which git knows nothing better can be guessed.

        Raises:
            GitError: Git failed or took too long.
        """
        keys = {path: _key(path) for path in paths}
        found = {}
        with self.repository.contents() as contents:
            gone = chain.from_iterable(
                self._vanished.get(key, ()) for key in keys.values()
            )
            contents.fetch(self.moves.fates[source].last for source in gone)
            for path, key in keys.items():
                place = self._find(key, contents)
                if place is None and same_name:
                    place = self._guess(key)
                if place is not None and _key(self.folder.files[place.page]) != key:
                    found[path] = self._moved(path, place)
        return found

    def _find(self, key: str, contents: Contents) -> _Place | None:
        page = self._renamed.get(key)
        if page:
            return _Place(page, "moved", self.sources[page])
        sources = self._vanished.get(key, [])
        for source in sources:
            page = self._page_of.get(self.moves.fates[source].to)
            if page:
                return _Place(self._first_page(key, page), "moved", source)
        for source in sources:
            page = self._page_with_text(contents.read(self.moves.fates[source].last))
            if page:
                return _Place(self._first_page(key, page), "merged", source)
        return None

    def _guess(self, key: str) -> _Place | None:
        """Return the only living page of the same last name."""
        name = key.rpartition("/")[2]
        same = [
            page
            for each, page in self._by_key.items()
            if each.rpartition("/")[2] == name
        ]
        if not name or len(same) != 1:
            return None
        source = next(iter(self._vanished.get(key, ())), b"")
        return _Place(same[0], "same-name", source)

    def _moved(self, path: str, place: _Place) -> Moved:
        base_url = self.folder.base_url
        new_path = self.folder.reader.paths[place.page]
        fate = self.moves.fates.get(place.source, Fate())
        return Moved(
            url=base_url + path,
            new_url=urls.join(base_url, new_path),
            grade=place.grade,
            source=self._name(place.source),
            new_source=self._name(self.sources[place.page]),
            commit=fate.commit.decode(),
        )

    def _first_page(self, old: str, page: str) -> str:
        """Return the first page that an old page became, not only a part of it."""
        folder, slash, last = _key(self.folder.files[page]).rpartition("/")
        name = old.rpartition("/")[2]
        if not name or last == name or folder.rpartition("/")[2] != name:
            return page
        for each in _FIRST:
            first = self._by_key.get(f"{folder}{slash}{each}".rstrip("/"))
            if first:
                return first
        return page

    def _page_with_text(self, content: bytes | None) -> str:
        """Return the living page that has most of a vanished text; empty for none."""
        lines = _long_lines(content or b"")
        if len(lines) < _MIN_LINES:
            return ""
        counts: Counter[str] = Counter()
        for line in lines:
            pages = self._by_line.get(line, ())
            if len(pages) <= _COMMON:
                counts.update(pages)
        page = max(sorted(counts), key=counts.__getitem__, default="")
        return page if counts[page] >= _SHARE * len(lines) else ""

    @cached_property
    def _page_of(self) -> Mapping[bytes, str]:
        """The living page of each source."""
        return {source: page for page, source in self.sources.items()}

    @cached_property
    def _vanished(self) -> Mapping[str, list[bytes]]:
        """The sources that are gone, by the key of the page that each had."""
        found: dict[str, list[bytes]] = defaultdict(list)
        for source in self.moves.fates:
            if source not in self._page_of:
                for name in self._addressed(source):
                    found[_key_of(name)].append(source)
        return found

    @cached_property
    def _renamed(self) -> Mapping[str, str]:
        """The living pages whose sources give them another address, by the usual."""
        found = {}
        for page, source in self.sources.items():
            name = self._address_name(source)
            found[_key_of(name)] = page
        return found

    @cached_property
    def _by_key(self) -> Mapping[str, str]:
        return {_key(self.folder.files[page]): page for page in self.sources}

    @cached_property
    def _by_line(self) -> Mapping[bytes, set[str]]:
        """The living pages that have each long line."""
        found: dict[bytes, set[str]] = defaultdict(set)
        for page, source in self.sources.items():
            file = self.repository.root / os.fsdecode(source)
            with suppress(OSError):
                for line in _long_lines(read_beginning(file, max_bytes=_MAX_BYTES)):
                    found[line].add(page)
        return found

    def _below(self, source: bytes) -> Iterator[str]:
        """Yield a source's name below the folder of sources, or its earlier ones."""
        for folder in self.moves.folders:
            prefix = folder + b"/" if folder else b""
            if source.startswith(prefix):
                yield os.fsdecode(source.removeprefix(prefix))

    def _name(self, source: bytes) -> str:
        """Return a source's name below the newest of these folders; empty for none."""
        return next(self._below(source), "")

    def _addressed(self, source: bytes) -> Iterator[str]:
        """Yield the same names with the case that they have in addresses."""
        for name in self._below(source):
            yield name.lower() if self._is_lower else name

    def _address_name(self, source: bytes) -> str:
        """Return the first of these; empty for none."""
        return next(self._addressed(source), "")

    @cached_property
    def _is_lower(self) -> bool:
        return is_in_lowercase(page.marks.generator for page in self.folder.built)

    def earlier_urls(self) -> list[str]:
        """Return the URLs, in the form of the site's own, of pages gone since then."""
        usual = self._usual_ends()
        found = []
        for source in self._files_then():
            name = self._address_name(source)
            stem = _stem(name)
            path = stem + usual[_is_index(name)] if stem else ""
            # A file that is still there is a page's, or was none's then: a template,
            # a notebook that is not built.
            if not os.path.lexists(self.repository.root / os.fsdecode(source)):
                found.append(urls.join(self.folder.base_url, path))
        return sorted(found)

    def _usual_ends(self) -> dict[bool, str]:
        """Return what follows the stem of a source in its page's path, mostly.

        That of the indexes of folders by True, of others by False.
        """
        ends: Counter[tuple[bool, str]] = Counter()
        for page, source in self.sources.items():
            name = self._address_name(source)
            stem = _stem(name)
            path = self.folder.reader.paths[page]
            if stem and path.startswith(stem):
                ends[_is_index(name), path.removeprefix(stem)] += 1
        usual = {True: "/", False: ".html"}
        for (is_index, end), _ in reversed(ends.most_common()):
            usual[is_index] = end
        return usual

    def _files_then(self) -> list[bytes]:
        """Return the sources that were there at the earlier commit."""
        found = []
        for folder in self.moves.folders:
            names = self.repository.names_in(self.since, folder)
            found += [name for name in names if _is_text(name)]
        return found


def _commit(revision: str, clone: Repository) -> bytes:
    """Return the commit that a revision names."""
    commit, _ = clone.find(os.fsencode(f"{revision}^{{commit}}"))
    if not commit:
        msg = f"{quoted(revision)} is neither a sitemap nor a revision"
        cure = "name a sitemap, its folder, its URL, or a commit that is here"
        raise OptionsError(msg, cure=cure)
    return commit


def _living_sources(folder: FolderSite, repository: Repository) -> dict[str, bytes]:
    """Return where the sources of living pages are; pages that redirect are not."""
    root = folder.reader.project_files.root
    found = {}
    for page in folder.built:
        name = folder.reader.sources.by_page.get(page.name)
        path = repository.path(str(root / name)) if name else None
        if path and not page.marks.is_stub:
            found[page.name] = path
    return found


def _key(path: str) -> str:
    """Return one text for all forms of a page's path; Jekyll's spaces are hyphens."""
    return any_form(path).replace("%20", "-")


def _key_of(source: str) -> str:
    """Return the same text for the page that is usually made of a source.

    >>> _key_of("guide/README.md"), _key_of("my guide.rst")
    ('guide', 'my-guide')
    """
    return _key(_stem(source))


def _stem(source: str) -> str:
    """Return what all forms of a source's page's path begin with, percent-encoded."""
    stem = split_suffix(source)[0]
    if _is_index(source):
        stem = stem.rpartition("/")[0]
    return urls.percent_encode(stem)


def _is_index(source: str) -> bool:
    return len(address_of(split_suffix(source)[0])) <= source.count("/")


def _is_text(source: bytes) -> bool:
    suffix = split_suffix(os.fsdecode(source))[1]
    return suffix in TEXTS and suffix != ".txt"


def _long_lines(content: bytes) -> list[bytes]:
    stripped = (line.strip() for line in content.splitlines())
    return [line for line in stripped if len(line) >= _LONG]
