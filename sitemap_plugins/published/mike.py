"""The versions that mike deployed into a folder.

mike builds each version into a folder of its own, and lists them in versions.json. The default
version is not in that file but in index.html, which `mike set-default` writes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.html.head import read_head
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["VERSIONS", "Version", "read_versions", "wanted_versions"]

VERSIONS = "versions.json"

_MAX_BYTES = 1 << 20
"""Bytes of versions.json: room for ten thousand versions."""

_PAGE_BYTES = 1 << 16
"""Bytes of index.html; mike writes a few hundred."""


class Version(NamedTuple):
    """One version."""

    name: str
    """The name of its folder."""

    aliases: tuple[str, ...]
    """Other folders with the same pages."""


def read_versions(folder: Path) -> list[Version]:
    """Return the versions of a folder, the newest first; none if mike did not deploy into it.

    Raises:
        OptionsError: versions.json is not as mike writes it.
    """
    file = folder / VERSIONS
    if not file.is_file():
        return []
    try:
        found = json.loads(read_regular_file(file, max_bytes=_MAX_BYTES))
        return [Version(_name(v["version"]), tuple(map(_name, v["aliases"]))) for v in found]
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        msg = f"{file} is not as mike writes it ({type(error).__name__}: {error})"
        raise OptionsError(msg, cure="correct it") from None


def wanted_versions(
    folder: Path, versions: Sequence[Version], names: Sequence[str]
) -> list[Version]:
    """Return the versions with these names or aliases; `all` and `default` are names too.

    Without names, return the default version.

    Raises:
        OptionsError: There is no version of that name, or no default.
    """
    if "all" in names:
        return [*versions]
    by_name = {name: version for version in versions for name in (version.name, *version.aliases)}
    wanted = {}
    for name in names or ["default"]:
        found = _default(folder, by_name) if name == "default" else by_name.get(name)
        if found is None and name == "default":
            msg = f"{folder} has no default version"
            raise OptionsError(msg, cure="run `mike set-default`, or give --versions")
        if found is None:
            msg = f"{quoted(name)} is not a version in {folder / VERSIONS}"
            raise OptionsError(msg, cure=f"name one of {', '.join(by_name)}")
        wanted[found.name] = found
    return [*wanted.values()]


def _default(folder: Path, by_name: dict[str, Version]) -> Version | None:
    """Return the version that the folder's own index.html leads to."""
    try:
        page = read_regular_file(folder / "index.html", max_bytes=_PAGE_BYTES)
    except OSError:
        return None
    target = read_head(page).refresh or ""
    return by_name.get(target.rstrip("/").rpartition("/")[2])


def _name(value: object) -> str:
    """Return a folder's name, checked as mike checks it."""
    if not isinstance(value, str) or value in {"", ".", ".."} or {"/", "\\", "\0"} & {*value}:
        msg = f"{quoted(value)} is not a version"
        raise ValueError(msg)
    return value
