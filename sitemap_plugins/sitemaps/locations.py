"""Where a sitemap file is (on disk, on a server or in a commit), and its bytes."""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from sitemap_plugins.core import urls
from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.messages import Environ, FileError, OptionsError, quoted
from sitemap_plugins.core.publishing import read
from sitemap_plugins.core.publishing.plan import is_submitted
from sitemap_plugins.core.untrusted_files import is_given_folder

if TYPE_CHECKING:
    from sitemap_plugins.sitemaps.web import Web  # It is slow to import.

MAX_FETCHED_BYTES = 1 << 26
"""Bytes of a sitemap that is read into memory; more than the protocol allows."""

COMMIT = "git:"
"""How the name of a committed sitemap begins."""

_SITEMAP = "sitemap.xml"
# If git finds nothing, it repeats its input, which can look like anything.
_BLOB = re.compile(rb"([0-9a-f]{40,64}) blob ([0-9]+)\n")


class Location(Protocol):
    """A sitemap file somewhere."""

    @property
    def name(self) -> str:
        """The name for messages, as the user knows it."""

    def open(self) -> read.SitemapStream:
        """Return the file's bytes, unpacked.

        Raises:
            SitemapError: The file cannot be read.
        """

    def part(self, url: str) -> Self:
        """Return the location of a part that this file, an index, lists by its URL.

        Raises:
            SitemapError: The part is on another server, which must not be requested.
        """


@dataclass(frozen=True, slots=True)
class FileLocation:
    """A file on disk."""

    path: Path

    shown: str = ""
    """Its name for messages, if that is not its path."""

    url: str = ""
    """Where it was fetched from; empty for the user's own file."""

    @property
    def name(self) -> str:
        """The path, or the name that is shown in its place."""
        return self.shown or str(self.path)

    @property
    def problem(self) -> str:
        """Why the file is not there, for a sentence that begins with its URL.

        The text is empty if the file is there.
        """
        return "" if self.path.is_file() else "does not exist"

    def open(self) -> read.SitemapStream:
        """Open the file."""
        return read.open_sitemap(self.path)

    def part(self, url: str) -> FileLocation:
        """Return the file in this one's folder or below that its URL ends with."""
        path = read.part_file(self.path, url)
        if not self.shown:
            return FileLocation(path)
        folder = self.shown[: self.shown.rfind("/") + 1]
        return FileLocation(
            path, folder + path.relative_to(self.path.parent).as_posix()
        )


@dataclass(frozen=True, slots=True)
class WebLocation:
    """An address."""

    url: str
    """As it is requested."""
    web: Web

    @property
    def name(self) -> str:
        """The address."""
        return self.url

    def open(self) -> read.SitemapStream:
        """Fetch the file; redirects are not followed."""
        answer = self.web.get(self.url, limit=MAX_FETCHED_BYTES)
        if answer.status != 200:
            where = (
                f" and leads to {quoted(answer.redirect)}" if answer.redirect else ""
            )
            msg = f"the server answers {answer.status}{where}"
            raise FileError(msg, cure="give the sitemap's own address")
        if answer.is_cut:
            raise read.too_large(MAX_FETCHED_BYTES)
        return read.unpacked(io.BytesIO(answer.body))

    def part(self, url: str) -> WebLocation:
        """Return an address on the same server: an index could list any."""
        address = urls.request_url(url)
        if urls.host_root(address) != urls.host_root(self.url):
            msg = f"it lists {quoted(url)}, which is on another host"
            raise FileError(msg, cure="name that sitemap itself")
        return WebLocation(address, self.web)


@dataclass(frozen=True, slots=True)
class CommitLocation:
    """A file in a commit."""

    git: Git
    revision: str
    path: str

    @property
    def name(self) -> str:
        """The name that the user writes on the command line."""
        return f"git:{self.revision}:{self.path}"

    def open(self) -> read.SitemapStream:
        """Read the file as it was committed; the repository's filters do not run."""
        found = self._blob(self.path)
        if not found:
            msg = "there is no such file in the repository"
            raise FileError(msg, cure="check the revision and the path")
        if int(found[2]) > MAX_FETCHED_BYTES:
            raise read.too_large(MAX_FETCHED_BYTES)
        return read.unpacked(
            io.BytesIO(self.git.run("cat-file", "blob", found[1].decode()))
        )

    def part(self, url: str) -> CommitLocation:
        """Return the file of the same commit that a part's URL ends with.

        It is below this file's folder. How much of the URL is the file's path is not
        known, so that the longest path that the commit has is taken. If the commit has
        none, the location is that of the shortest, and reading it fails.
        """
        folder = self.path[: self.path.rfind("/") + 1]
        names = [folder + each for each in read.part_names(url)]
        others = [name for name in names if name != self.path]
        shortest = others[-1] if others else "?"
        path = next(filter(self._blob, others), shortest)
        return CommitLocation(self.git, self.revision, path)

    def _blob(self, path: str) -> re.Match[bytes] | None:
        """Return the name and the size in bytes of a file's content.

        The result is None if there is no such file. Links are followed within the
        commit.
        """
        # On standard input, git cannot take the name for an option.
        name = os.fsencode(f"{self.revision}:{path}\n")
        command = ("cat-file", "--batch-check", "--follow-symlinks")
        return _BLOB.fullmatch(self.git.run(*command, stdin=name))


def parse_commit(text: str) -> tuple[str, str]:
    """Return the revision and the sitemap's path in `git:REVISION:PATH`.

    A path that is empty or missing, or ends with a slash, is that of its folder.

    Raises:
        OptionsError: The text names no revision, or has a line break.
    """
    revision, _, path = text.removeprefix(COMMIT).partition(":")
    if not revision or "\n" in text:
        msg = f"{quoted(text)} is not git:REVISION:PATH"
        raise OptionsError(msg, cure="write it as in git:HEAD~1:site/sitemap.xml")
    if not path or path.endswith("/"):
        path += _SITEMAP
    return revision, path


def find_locations(text: str, *, web: Web, environ: Environ) -> list[Location]:
    """Return the sitemap that a user names.

    Several if a folder has more than one index. `text` is a file, a folder, an http or
    https URL (one that ends in a slash is a folder's), or `git:REVISION:PATH`, with
    git's own rules for both.

    Raises:
        SitemapError: `text` names no sitemap, or git is not installed.
    """
    if urls.is_web(text):
        url = urls.request_url(text)
        if url.endswith("/"):
            url += _SITEMAP
        return [WebLocation(url, web)]
    if text.startswith(COMMIT):
        revision, name = parse_commit(text)
        return [CommitLocation(Git.at(Path.cwd(), environ), revision, name)]
    path = Path(text)
    is_folder = is_given_folder(path)
    if is_folder:
        found = [
            file for file in sorted(path.iterdir()) if is_submitted(file.name, _SITEMAP)
        ]
        if found:
            return [FileLocation(file) for file in found]
    elif path.is_file():
        return [FileLocation(path)]
    what = f"has no {_SITEMAP}" if is_folder else "does not exist"
    msg = f"{quoted(text)} {what}"
    raise OptionsError(
        msg, cure="name a sitemap, its folder, its URL or git:REVISION:PATH"
    )
