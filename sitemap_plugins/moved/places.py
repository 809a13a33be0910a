"""Vanished pages of a built folder → where they are now, as git knows it.

A page moved if git followed its source through renames to that of a living page.
Nothing is said about any other page.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sitemap_plugins.core import urls
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import Notice, OptionsError, quoted
from sitemap_plugins.core.url_forms import any_form
from sitemap_plugins.folder.paths import (
    TEXTS,
    address_of,
    is_in_lowercase,
    split_suffix,
)
from sitemap_plugins.folder.reading import FolderSite
from sitemap_plugins.moved.git_moves import Fate, Moves, find_moves
from sitemap_plugins.sitemaps.removed import Moved

_FIRST = ("", "overview", "reference")
"""Names of a folder's first page."""

_SHALLOW = (
    "the clone is shallow: pages that moved before its first commit are not found"
)
_PARTIAL = "the clone lacks old contents: only pages that moved unchanged are found"


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
            GitError: The sources have no history, or git is not installed or fails.
            OptionsError: The repository does not have the revision `since`.
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

    def find(self, paths: Iterable[str]) -> dict[str, Moved]:
        """Return the new place of each vanished path for which one is known.

        Paths are percent-encoded, relative to the site's root, of any form.
        """
        found = {}
        for path in paths:
            key = _key(path)
            page, source = self._find(key)
            # A page at the same address has not moved.
            if page and _key(self.folder.files[page]) != key:
                found[path] = self._moved(path, page, source)
        return found

    def _find(self, key: str) -> tuple[str, bytes]:
        """Return the living page that a vanished one became, and the old source."""
        page = self._renamed.get(key)
        if page:
            return page, self.sources[page]
        for source in self._vanished.get(key, ()):
            page = self._page_of.get(self.moves.fates[source].to)
            if page:
                return self._first_page(key, page), source
        return "", b""

    def _moved(self, path: str, page: str, source: bytes) -> Moved:
        base_url = self.folder.base_url
        fate = self.moves.fates.get(source, Fate())
        return Moved(
            url=base_url + path,
            new_url=urls.join(base_url, self.folder.reader.paths[page]),
            source=self._name(source),
            new_source=self._name(self.sources[page]),
            commit=fate.commit.decode(),
        )

    def _first_page(self, old: str, page: str) -> str:
        """Return the first page of the folder that an old page became; else `page`.

        For instance, the page `guide` was divided into those of the folder `guide`, and
        git followed its source only to one of them, `page`.
        """
        folder, slash, last = _key(self.folder.files[page]).rpartition("/")
        name = old.rpartition("/")[2]
        if not name or last == name or folder.rpartition("/")[2] != name:
            return page
        for each in _FIRST:
            first = self._by_key.get(f"{folder}{slash}{each}".rstrip("/"))
            if first:
                return first
        return page

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
        """The living pages, by the key of the address that their source usually has.

        A page is found here if its front matter has given it another address.
        """
        found = {}
        for page, source in self.sources.items():
            name = self._address_name(source)
            found[_key_of(name)] = page
        return found

    @cached_property
    def _by_key(self) -> Mapping[str, str]:
        return {_key(self.folder.files[page]): page for page in self.sources}

    def _below(self, source: bytes) -> Iterator[str]:
        """Yield a source's name below the folder of sources, by each of its names.

        The newest name of the folder comes first.
        """
        for folder in self.moves.folders:
            prefix = folder + b"/" if folder else b""
            if source.startswith(prefix):
                yield os.fsdecode(source.removeprefix(prefix))

    def _name(self, source: bytes) -> str:
        """Return a source's name below the newest folder of sources that it was in.

        The result is empty if it was in none.
        """
        return next(self._below(source), "")

    def _addressed(self, source: bytes) -> Iterator[str]:
        """Yield the names of `_below` in the case that they have in addresses."""
        for name in self._below(source):
            yield name.lower() if self._is_lower else name

    def _address_name(self, source: bytes) -> str:
        """Return the first name that `_addressed` yields; empty for none."""
        return next(self._addressed(source), "")

    @cached_property
    def _is_lower(self) -> bool:
        return is_in_lowercase(page.marks.generator for page in self.folder.built)

    def earlier_urls(self) -> list[str]:
        """Return the URLs of pages that have gone since the commit `since`.

        The URLs have the form that most URLs of the site have.
        """
        usual = self._usual_ends()
        found = []
        for source in self._files_then():
            name = self._address_name(source)
            stem = _stem(name)
            path = stem + usual[_is_index(name)] if stem else ""
            # A file that is still there is the source of a living page, or was not a
            # page's at that time either, such as a template.
            if not os.path.lexists(self.repository.root / os.fsdecode(source)):
                found.append(urls.join(self.folder.base_url, path))
        return sorted(found)

    def _usual_ends(self) -> dict[bool, str]:
        """Return what follows the stem of a source in its page's path, mostly.

        The key True has the end for indexes of folders, False that for other files.
        """
        ends: Counter[tuple[bool, str]] = Counter()
        for page, source in self.sources.items():
            name = self._address_name(source)
            stem = _stem(name)
            path = self.folder.reader.paths[page]
            if stem and path.startswith(stem):
                ends[_is_index(name), path.removeprefix(stem)] += 1
        usual = {True: "/", False: ".html"}
        # The most common end comes last, and replaces the others.
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
    """Return where the sources of living pages are, by the page's name.

    Pages that redirect are not living ones.
    """
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
    """Return the key that `_key` returns for the usual page of a source.

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
    # The address of an index lacks the file's own name.
    return len(address_of(split_suffix(source)[0])) <= source.count("/")


def _is_text(source: bytes) -> bool:
    suffix = split_suffix(os.fsdecode(source))[1]
    return suffix in TEXTS and suffix != ".txt"
