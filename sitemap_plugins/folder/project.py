"""What a command is asked to work on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.folder.options import FolderOptions

__all__ = ["Project", "Track"]


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A built site and what it was made of."""

    site_dir: Path
    """The folder of built HTML, absolute."""

    project_dir: Path
    """Where the generator's settings are, absolute."""

    options: FolderOptions

    environ: Mapping[str, str]
    """Environment variables, which describe the service that builds the site."""


class Track(Protocol):
    """Shows how far the work on a sequence is, while it yields its items."""

    def __call__(self, items: Sequence[T], description: str) -> Iterable[T]:
        """Yield the items."""
