"""The files of a project among which a page's source may be."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.repository import Repository, root_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["ProjectFiles", "read_project_files"]

MOST_FILES = 1_000_000
"""Files of a folder outside git that are looked at."""


@dataclass(frozen=True, kw_only=True)
class ProjectFiles:
    """Names of files, as git lists them: those it ignores are not among them."""

    root: Path
    """The real folder that the names are relative to."""

    names: frozenset[str]
    """Relative, with slashes."""

    def outside(self, folder: str) -> ProjectFiles:
        """Return those that are not in a folder, relative to the root; empty for the root."""
        inside = f"{folder}/" if folder else ""
        names = frozenset(name for name in self.names if not name.startswith(inside))
        return ProjectFiles(root=self.root, names=names)

    @cached_property
    def by_last_name(self) -> Mapping[str, tuple[str, ...]]:
        """The names by their last segments."""
        found: dict[str, list[str]] = {}
        for name in sorted(self.names):
            found.setdefault(name.rpartition("/")[2], []).append(name)
        return {last: tuple(names) for last, names in found.items()}


def read_project_files(folder: Path, environ: Mapping[str, str], *, site_dir: Path) -> ProjectFiles:
    """List the files of the repository that a folder is in; outside of one, those below it.

    There, those of a built site in a folder of its own are left out: git ignores them, mostly.
    """
    real = os.path.realpath(folder)
    root = root_above(real, {})
    if root is not None:
        try:
            return ProjectFiles(
                root=Path(root), names=Repository.open(root, environ=environ).files()
            )
        except GitError:  # The dates need git too, and say what is wrong with it.
            pass
    return ProjectFiles(root=Path(real), names=frozenset(_walk(real, os.path.realpath(site_dir))))


def _walk(root: str, site_dir: str) -> Iterator[str]:
    count = 0
    for folder, subfolders, files in os.walk(root):
        if folder == site_dir != root:
            subfolders.clear()
            continue
        subfolders[:] = sorted(
            f for f in subfolders if not f.startswith(".") and f != "node_modules"
        )
        name = folder.removeprefix(root).strip(os.sep).replace(os.sep, "/")
        prefix = f"{name}/" if name else ""
        for file in files:
            count += 1
            if count > MOST_FILES:
                return
            yield prefix + file
