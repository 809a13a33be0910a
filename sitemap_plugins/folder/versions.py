"""The versions of a manual in one folder, and which of them readers should find."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from sitemap_plugins.core import url_forms, urls
from sitemap_plugins.core.html.head import read_head
from sitemap_plugins.core.messages import OptionsError, a_few, quoted
from sitemap_plugins.core.untrusted_files import is_folder, read_regular_file
from sitemap_plugins.core.url_forms import INDEX

_MAX_BYTES = 1 << 20
"""Bytes of a list of versions: room for ten thousand."""

_PAGE_BYTES = 1 << 16
"""Bytes of index.html; mike writes a few hundred."""

_OF_GENERATORS = ("objects.inv", "searchindex.js", "search/search_index.json")
"""What Sphinx and MkDocs write into the folder of a whole site."""

_BROKEN = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    RecursionError,
    AttributeError,
)
"""What reading a list raises that is not as its program writes it."""


class Version(NamedTuple):
    """One version."""

    name: str
    """The name of its folder."""

    aliases: tuple[str, ...] = ()
    """Other folders with the same pages: copies, links, or redirects."""

    @property
    def folders(self) -> tuple[str, ...]:
        """All names of its folder."""
        return (self.name, *self.aliases)

    def spellings(
        self, url: str, file: str
    ) -> Iterator[tuple[str, url_forms.Spelling]]:
        """Yield a folder of the version and how a URL of any site names a page there.

        `file` is percent-encoded, relative to the version's folder.
        """
        parts = {*unquote(url).split("/")}
        for folder in self.folders:
            if folder not in parts:  # A list can name thousands of aliases.
                continue
            below = f"{urls.percent_encode(folder)}/{file}"
            spelling = url_forms.spelled_by(url, below)
            if spelling:
                yield folder, spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The versions in a folder."""

    folder: Path

    all: tuple[Version, ...] = ()
    """In the order of the list, which mike begins with the newest; empty for no
    versions."""

    default: Version | None = None
    """The version that readers should find; None if nothing shows it."""

    default_folder: str = ""
    """The name of its folder by which `index.html` or the user names it."""

    @property
    def by_name(self) -> dict[str, Version]:
        """Each version by all names of its folder."""
        return _by_name(self.all)


def read_versions(
    folder: Path, *, patterns: Sequence[str] = (), default: str = ""
) -> Versions:
    """Return the versions in a folder; none if nothing shows that it has any.

    `patterns` are for folders that no file lists (`v*`); `default` is the name or an
    alias of the default version, or empty if the folder shows it.

    Raises:
        OptionsError: A list of versions is not as its program writes it, or there is no
            version of the default's name.
    """
    if not is_folder(folder):
        return Versions(folder=folder)
    first = default or _redirect(folder)
    preferred = ""
    if patterns:
        versions = _matching(folder, patterns, default)
    else:
        versions = _listed(folder)
        if not versions:
            versions, preferred = _switcher(folder)
    if versions:
        versions = _linked(versions, folder)
    elif first:
        versions = _unlisted(folder, first)
    by_name = _by_name(versions)
    if default and default not in by_name:
        raise _unknown(default, folder, by_name)
    shown = first if first in by_name else preferred
    return Versions(
        folder=folder,
        all=tuple(versions),
        default=by_name.get(shown),
        default_folder=shown,
    )


def _matching(folder: Path, patterns: Sequence[str], default: str) -> list[Version]:
    """Return the versions whose folders match a pattern, and the default one."""
    versions = []
    for name in _subfolders(folder):
        is_match = any(fnmatchcase(name, pattern) for pattern in patterns)
        if is_match or name == default:
            versions.append(Version(name))
    return versions


def _unlisted(folder: Path, first: str) -> list[Version]:
    """Return the versions if no file lists them, but the default one is named.

    `first` is the default version's name: `folder` has an index.html that leads to it,
    or the user gives it. Every subfolder that holds a whole site is then a version,
    unless `folder` is a site itself.
    """
    if _is_site(folder):
        return []
    names = [name for name in _subfolders(folder) if _is_site(folder / name)]
    versions = _linked(map(Version, names), folder)
    return versions if first in _by_name(versions) else []


def apparent_versions(folder: Path) -> Versions:
    """Return the versions as `read_versions`.

    There are no versions if another program wrote a list of that name.
    """
    try:
        return read_versions(folder)
    except OptionsError:
        return Versions(folder=folder)


def wanted_versions(versions: Versions, names: Sequence[str]) -> list[Version]:
    """Return the versions with these names or aliases.

    `all` and `default` are names too.

    If no name is given, return the default version.

    Raises:
        OptionsError: A name is not a version's, or no version is the default.
    """
    if "all" in names:
        return [*versions.all]
    by_name = versions.by_name
    if versions.default is not None:
        by_name["default"] = versions.default
    wanted = {}
    for name in names or ["default"]:
        found = by_name.get(name)
        if found is None and name == "default":
            msg = f"{versions.folder} has no default version"
            raise OptionsError(msg, cure="run `mike set-default`, or give --versions")
        if found is None:
            raise _unknown(name, versions.folder, versions.by_name)
        wanted[found.name] = found
    return [*wanted.values()]


def _unknown(name: str, folder: Path, names: Iterable[str]) -> OptionsError:
    problem = f"{quoted(name)} is not a version in {folder}"
    known = [*names] or _subfolders(folder)
    cure = f"name one of {a_few(known)}" if known else ""
    return OptionsError(problem, cure=cure)


def _by_name(versions: Iterable[Version]) -> dict[str, Version]:
    return {name: version for version in versions for name in version.folders}


def _listed(folder: Path) -> list[Version]:
    """Return the versions in versions.json."""
    versions = []
    with _rows(folder / "versions.json", "mike") as rows:
        for row in rows:
            if "__jsonclass__" in row:
                # sphinx-polyversion: the first argument of a `GitRef` is its name.
                versions.append(Version(_name(row["__jsonclass__"][1][0])))
            else:
                aliases = tuple(map(_name, row["aliases"]))
                versions.append(Version(_name(row["version"]), aliases))
    return versions


def _switcher(folder: Path) -> tuple[list[Version], str]:
    """Return the existing versions in switcher.json, and the preferred one's name."""
    is_preferred: dict[str, bool] = {}
    with _rows(folder / "switcher.json", "pydata-sphinx-theme") as rows:
        for row in rows:
            name = row["url"].rstrip("/").rpartition("/")[2]
            is_preferred[name] = bool(row.get("preferred"))
    is_preferred.pop("", None)
    built = _subfolders(folder) if is_preferred else []
    preferred = next((name for name in is_preferred if is_preferred[name]), "")
    versions = [Version(name) for name in is_preferred if name in built]
    return versions, preferred


@contextmanager
def _rows(file: Path, program: str) -> Iterator[Any]:
    """Give the rows of a list of versions; none if there is no such file.

    If the caller cannot read a row, the error says that `program` writes the file
    otherwise.
    """
    try:
        rows = []
        if file.is_file():
            rows = json.loads(read_regular_file(file, max_bytes=_MAX_BYTES))
        yield rows
    except _BROKEN as error:
        msg = f"{file} is not as {program} writes it ({type(error).__name__}: {error})"
        raise OptionsError(msg, cure="correct it") from None


def _redirect(folder: Path) -> str:
    """Return the name of the folder that the folder's own index.html leads to.

    The result is empty if the page leads to no folder.
    """
    try:
        page = read_regular_file(folder / INDEX, max_bytes=_PAGE_BYTES)
    except OSError:
        return ""
    names = (read_head(page).refresh or "").rstrip("/").split("/")
    if names[-1] in url_forms.INDEX_NAMES:
        names.pop()
    return names[-1] if names else ""


def _subfolders(folder: Path) -> list[str]:
    """Return the names of a folder's folders, sorted, without links and hidden ones."""
    folders = [f for f in folder.iterdir() if f.is_dir() and not f.is_symlink()]
    return sorted(each.name for each in folders if not each.name.startswith("."))


def _is_site(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in _OF_GENERATORS)


def _linked(versions: Iterable[Version], folder: Path) -> list[Version]:
    """Return the versions, each folder once, with links to it among its aliases."""
    links = defaultdict(list)
    top = os.path.realpath(folder)
    for each in sorted(folder.iterdir()):
        if each.is_symlink():  # `Path.resolve` raises for endless links.
            above, name = os.path.split(os.path.realpath(each))
            if above == top:
                links[name].append(each.name)
    aliases_of = dict(versions)
    seen = set(aliases_of)
    linked = []
    for name, aliases in aliases_of.items():
        names = dict.fromkeys((*aliases, *links[name]))
        own = [alias for alias in names if alias not in seen]
        seen.update(own)
        linked.append(Version(name, tuple(own)))
    return linked


def _name(value: object) -> str:
    """Return a folder's name, checked as mike checks it."""
    if not isinstance(value, str) or value in {"", ".", ".."}:
        raise ValueError(f"{quoted(value)} is not a version")
    if not {"/", "\\", "\0"}.isdisjoint(value):
        raise ValueError(f"{quoted(value)} is not a version")
    value.encode()  # Half a character is in no name.
    return value
