"""The site as a whole, as its host describes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

__all__ = ["Site"]


def _unknown(_name: str) -> None:
    """Return the source of a copied file where the host does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One built site, as its host describes it; unchecked values have the type `object`."""

    output_dir: Path
    """The folder that the web server will serve at the base URL."""

    project_dir: Path | None = None
    """The folder that the option `sources` is relative to; None where the host has none."""

    base_url: object = ""
    """The host's own setting of the site's address; the option `base_url` replaces it."""

    base_url_setting: str = "base_url"
    """What the host calls that setting, for messages: `site_url in mkdocs.yml`."""

    default_language: str = ""
    """The language whose version is `x-default`, as the host knows it; empty for none."""

    began: datetime | None = None
    """When the build began, aware; None if the host does not know. The time of a file that the
    build itself wrote is not a date."""

    directory_urls: str = "let the generator write each page as the index.html of a folder"
    """How to get URLs that end in a slash on this host, for messages."""

    built_dir: Path | None = None
    """Where the built files are if not in `output_dir`, as in a dry run."""

    source_of: Callable[[str], Path | None] = _unknown
    """Returns the file that the host copied to a name in the output folder, absolute; None for a
    file that it made, and where it does not know. For the option `files`, whose dates it gives."""
