"""The versions of a manual in one folder: which there are, and which one readers should find.

Each version is in a folder of its own. Programs list them in different files, or in none:

- mike: `versions.json`, with aliases; `mike set-default` writes the `index.html` beside it;
- sphinx-polyversion: `versions.json`, with the git references that were built;
- pydata-sphinx-theme: `switcher.json`, in which one version can be `preferred`;
- sphinx-multiversion and many scripts: only the folders, and an `index.html` that leads to one.

A link to a version's folder is another alias of it.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.html.head import read_head
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import is_folder, read_regular_file
from sitemap_plugins.core.url_forms import INDEX, INDEX_NAMES, spelled_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.url_forms import Spelling

__all__ = ["Version", "Versions", "apparent_versions", "read_versions", "wanted_versions"]

_MAX_BYTES = 1 << 20
"""Bytes of a list of versions: room for ten thousand."""

_PAGE_BYTES = 1 << 16
"""Bytes of index.html; mike writes a few hundred."""

_OF_GENERATORS = ("objects.inv", "searchindex.js", "search/search_index.json")
"""What Sphinx and MkDocs write into the folder of a whole site."""


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

    def spellings(self, url: str, file: str) -> Iterator[tuple[str, Spelling]]:
        """Yield how a URL names a page of the version, on whatever site, after the folder in it.

        `file` is percent-encoded, relative to the version's folder.
        """
        parts = {*unquote(url).split("/")}  # A list can name thousands of aliases.
        for folder in filter(parts.__contains__, self.folders):
            if spelling := spelled_by(url, f"{urls.percent_encode(folder)}/{file}"):
                yield folder, spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The versions in a folder."""

    folder: Path

    all: tuple[Version, ...] = ()
    """In the order of the list, which mike begins with the newest; empty for no versions."""

    default: Version | None = None
    """The version that readers should find; None if nothing shows it."""

    default_folder: str = ""
    """The name of its folder by which `index.html` or the user names it."""


def read_versions(folder: Path, *, patterns: Sequence[str] = (), default: str = "") -> Versions:
    """Return the versions in a folder; none if nothing shows that it has any.

    `patterns` are for folders that no file lists (`v*`); `default` is the name or an alias of the
    default version, or empty if the folder shows it.

    Raises:
        OptionsError: A list of versions is not as its program writes it, or there is no version of
            the default's name.
    """
    if not is_folder(folder):
        return Versions(folder=folder)
    first = default or _redirect(folder)
    versions, preferred = _listed(folder), ""
    if patterns:
        versions = [
            Version(name)
            for name in _subfolders(folder)
            if name == default or any(fnmatchcase(name, pattern) for pattern in patterns)
        ]
    elif not versions:
        versions, preferred = _switcher(folder)
    if versions:
        versions = _linked(versions, _links(folder))
    elif first and not _is_site(folder):
        built = [Version(name) for name in _subfolders(folder) if _is_site(folder / name)]
        # Other folders can hold whole sites too; those of versions have a page that leads to one.
        linked = _linked(built, _links(folder))
        versions = linked if first in _by_name(linked) else []
    by_name = _by_name(versions)
    if default and default not in by_name:
        raise _unknown(default, folder, by_name)
    shown = first if first in by_name else preferred
    return Versions(
        folder=folder, all=(*versions,), default=by_name.get(shown), default_folder=shown
    )


def apparent_versions(folder: Path) -> Versions:
    """Return the versions as `read_versions`; none if another program wrote a list of that name."""
    try:
        return read_versions(folder)
    except OptionsError:
        return Versions(folder=folder)


def wanted_versions(versions: Versions, names: Sequence[str]) -> list[Version]:
    """Return the versions with these names or aliases; `all` and `default` are names too.

    Without names, return the default version.

    Raises:
        OptionsError: There is no version of that name, or no default.
    """
    if "all" in names:
        return [*versions.all]
    by_name = _by_name(versions.all)
    wanted = {}
    for name in names or ["default"]:
        found = versions.default if name == "default" else by_name.get(name)
        if found is None and name == "default":
            msg = f"{versions.folder} has no default version"
            raise OptionsError(msg, cure="run `mike set-default`, or give --versions")
        if found is None:
            raise _unknown(name, versions.folder, by_name)
        wanted[found.name] = found
    return [*wanted.values()]


def _unknown(name: str, folder: Path, names: Iterable[str]) -> OptionsError:
    problem = f"{quoted(name)} is not a version in {folder}"
    return OptionsError(problem, cure=f"name one of {', '.join(names)}")


def _by_name(versions: Iterable[Version]) -> dict[str, Version]:
    return {name: version for version in versions for name in version.folders}


def _listed(folder: Path) -> list[Version]:
    """Return the versions in versions.json."""

    def parse(found: Any) -> list[Version]:  # noqa: ANN401 as JSON is
        return [
            # sphinx-polyversion: the first argument of a `GitRef` is its name.
            Version(_name(each["__jsonclass__"][1][0]))
            if "__jsonclass__" in each
            else Version(_name(each["version"]), tuple(map(_name, each["aliases"])))
            for each in found
        ]

    return _read(folder / "versions.json", parse, "mike")


def _switcher(folder: Path) -> tuple[list[Version], str]:
    """Return the versions in switcher.json whose folders exist, and the name of the preferred."""

    def parse(found: Any) -> list[tuple[str, bool]]:  # noqa: ANN401 as JSON is
        names = ((each["url"].rstrip("/").rpartition("/")[2], each) for each in found)
        return [(name, bool(each.get("preferred"))) for name, each in names if name]

    rows = dict(_read(folder / "switcher.json", parse, "pydata-sphinx-theme"))
    built = _subfolders(folder) if rows else ()
    preferred = next((name for name in rows if rows[name]), "")
    return [Version(name) for name in rows if name in built], preferred


def _read(file: Path, parse: Callable[[Any], list[Any]], program: str) -> list[Any]:
    """Return what `parse` makes of a list of versions; nothing without the file."""
    if not file.is_file():
        return []
    try:
        return parse(json.loads(read_regular_file(file, max_bytes=_MAX_BYTES)))
    except (OSError, ValueError, LookupError, TypeError, RecursionError, AttributeError) as error:
        msg = f"{file} is not as {program} writes it ({type(error).__name__}: {error})"
        raise OptionsError(msg, cure="correct it") from None


def _redirect(folder: Path) -> str:
    """Return the name of the folder that the folder's own index.html leads to; empty for none."""
    try:
        page = read_regular_file(folder / INDEX, max_bytes=_PAGE_BYTES)
    except OSError:
        return ""
    *_, last, name = ("", "", *(read_head(page).refresh or "").rstrip("/").split("/"))
    return last if name in INDEX_NAMES else name


def _subfolders(folder: Path) -> list[str]:
    """Return the names of the folders in a folder, sorted, without links and hidden ones."""
    return sorted(
        each.name
        for each in folder.iterdir()
        if not each.name.startswith(".") and each.is_dir() and not each.is_symlink()
    )


def _is_site(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in _OF_GENERATORS)


def _links(folder: Path) -> dict[str, list[str]]:
    """Return the names of the links to each folder beside them, sorted, by the folder's name."""
    found = defaultdict(list)
    top = os.path.realpath(folder)
    for each in sorted(folder.iterdir()):
        if each.is_symlink():  # `Path.resolve` raises for endless links.
            above, name = os.path.split(os.path.realpath(each))
            if above == top:
                found[name].append(each.name)
    return found


def _linked(versions: Iterable[Version], links: Mapping[str, Sequence[str]]) -> list[Version]:
    """Return the versions with the links to their folders among their aliases, each folder once."""
    aliases_of = dict(versions)
    seen, linked = {*aliases_of}, []
    for name, aliases in aliases_of.items():
        own = [a for a in dict.fromkeys((*aliases, *links.get(name, ()))) if a not in seen]
        seen.update(own)
        linked.append(Version(name, (*own,)))
    return linked


def _name(value: object) -> str:
    """Return a folder's name, checked as mike checks it."""
    if not isinstance(value, str) or value in {"", ".", ".."} or {"/", "\\", "\0"} & {*value}:
        msg = f"{quoted(value)} is not a version"
        raise ValueError(msg)
    return value
