"""The public sites that are built: what sites.toml says of each."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Site:
    """One repository, and how its site is built there."""

    name: str
    repository: str
    """The owner and the name on GitHub."""

    commit: str
    """40 hexadecimal digits."""

    generator: str
    """One of `building.USUAL`."""

    settings: str
    """The generator's settings file in the repository; the build runs in its folder."""

    base_url: str
    """The address that the settings give the site, ending in a slash."""

    packages: tuple[str, ...]
    """What is installed, each as pip takes it; never from the clone."""

    kinds: tuple[str, ...] = ()
    """What is of interest about it: includes, translations, versions, blog …"""

    before: tuple[str, ...] = ()
    """Shell lines that the site's own build runs before, in the settings' folder."""

    replace: tuple[tuple[str, str], ...] = ()
    """Regular expressions (multi-line) in the settings, each with its replacement."""

    append: tuple[str, ...] = ()
    """Lines at the end of the settings file."""

    arguments: tuple[str, ...] = ()
    """More arguments of the generator: Pelican's content folder, Sphinx' builder."""

    environment: tuple[tuple[str, str], ...] = ()
    python: str = "3.11"

    node_packages: tuple[str, ...] = ()
    """What is installed from npm, of generators that are not of Python."""

    @property
    def key(self) -> str:
        """Return a digest of all that is said here: another one is another build."""
        text = json.dumps(dataclasses.asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Sites:
    """The whole list."""

    before: str
    """Only packages published before this moment are installed (RFC 3339)."""

    sites: tuple[Site, ...]
    """Unique by name, in the order of building."""

    not_built: dict[str, str]
    """Each repository that was tried in vain, with the reason."""

    about_faults: dict[str, str]
    """By a site's name: why our dates were false there, and what was done since."""


def read(file: Path) -> Sites:
    """Read the list."""
    data = tomllib.loads(file.read_text("utf-8"))
    sites = tuple(_site(name, values) for name, values in data["sites"].items())
    return Sites(
        before=data["before"],
        sites=sites,
        not_built=data.get("not_built", {}),
        about_faults=data.get("about_faults", {}),
    )


def _site(name: str, values: dict[str, object]) -> Site:
    fields = {}
    for key, value in values.items():
        if isinstance(value, dict):
            fields[key] = tuple(value.items())
        elif isinstance(value, list):
            fields[key] = tuple(value)
        else:
            fields[key] = value
    return Site(name=name, **fields)
