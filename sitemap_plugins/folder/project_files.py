"""The files of a project among which sources are looked for.

Names, beginnings, blobs.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import Environ, GitError
from sitemap_plugins.core.untrusted_files import (
    is_folder,
    is_inside,
    read_beginning,
    root_above,
    seen_from,
)

MAX_BYTES = 8 * 1024
"""Bytes of a file in which its `permalink` is looked for."""

MAX_LINKED = 1_000_000
"""Names through links to folders."""

MAX_OUTSIDE_GIT = 50_000
"""Files of a folder outside git that are listed, in half a second; a project has fewer.

Called from `/`, a build would list the machine.
"""


@dataclass(frozen=True, kw_only=True)
class ProjectFiles:
    """Names of files, without those that git ignores."""

    root: Path
    """The real folder that the names are relative to."""

    names: frozenset[str]
    """Relative, with slashes."""

    is_too_large: bool = False
    """Whether the folder has more than `MAX_OUTSIDE_GIT` files: no name is listed."""

    repository: Repository | None = None
    """The repository that the files are in; None outside of one."""

    def beginning(self, name: str) -> bytes:
        """Return how a file begins; empty if it cannot be read."""
        with suppress(OSError):
            return read_beginning(self.root / name, max_bytes=MAX_BYTES)
        return b""

    def has_metadata(self, name: str) -> bool:
        """Tell whether a file begins with front matter, or Nikola's is beside it.

        https://getnikola.com/handbook.html#metadata-fields
        """
        if self.beginning(name).startswith(b"---"):
            return True
        return f"{name.rpartition('.')[0]}.meta" in self.names

    def outside(self, folder: str) -> ProjectFiles:
        """Return the files that are not in a folder given relative to the root.

        The result is empty for the root itself.
        """
        inside = f"{folder}/" if folder else ""
        names = frozenset(name for name in self.names if not name.startswith(inside))
        return replace(self, names=names)

    @cached_property
    def by_last_name(self) -> Mapping[str, Sequence[str]]:
        """The names by their last segments, sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self.names):
            found[name.rpartition("/")[2]].append(name)
        return found

    def only(self, end: str) -> str:
        """Return the only name that ends in a path; empty for none, or for several."""
        same = self.by_last_name.get(end.rpartition("/")[2], ())
        found = [name for name in same if f"/{name}".endswith(f"/{end}")]
        return found[0] if len(found) == 1 else ""

    def linked(self) -> Iterator[tuple[str, str]]:
        """Yield names through links to the project's folders, each with the file's own.

        Generators follow such links, and git lists the link alone: `docs/specs`, and
        not `docs/specs/a.rst`, which is `specs/a.rst`.
        """
        # Names are text here: making a `Path` of each would take longer than all else.
        top = str(self.root)
        links = [name for name in sorted(self.names) if is_folder(f"{top}/{name}")]
        for link in links:
            real = os.path.realpath(self.root / link)
            target = seen_from(str(self.root), real).replace(os.sep, "/")
            # A folder above the link contains itself again and again.
            if not is_inside(target) or f"{link}/".startswith(f"{target}/"):
                continue
            for name in self.names:
                if name.startswith(f"{target}/"):
                    yield link + name.removeprefix(target), name

    def committed(self, files: Iterable[Path]) -> dict[Path, str]:
        """Return, for each file, the only committed file with the same bytes."""
        if self.repository is None:
            return {}
        try:
            return self.repository.same_bytes(files)
        except GitError:  # The dates need git too, and report what is wrong with it.
            return {}


def read_project_files(
    folder: Path, environ: Environ, *, site_dir: Path | None
) -> ProjectFiles:
    """List the files of the repository that a folder is in.

    Outside of a repository, list the files below the folder, or none if there are more
    than `MAX_OUTSIDE_GIT`. The folder of the built site is left out there, as git
    usually ignores it; `site_dir` is None for a site that is its own source.
    """
    real = os.path.realpath(folder)
    root = root_above(real, {})
    if root is not None:
        # The dates need git too, and report what is wrong with it.
        with suppress(GitError):
            repository = Repository.open(root, environ=environ)
            return ProjectFiles(
                root=Path(root), names=repository.files(), repository=repository
            )
    built = os.path.realpath(site_dir) if site_dir else ""
    names = frozenset(islice(_walk(real, built), MAX_OUTSIDE_GIT + 1))
    if len(names) > MAX_OUTSIDE_GIT:
        return ProjectFiles(root=Path(real), names=frozenset(), is_too_large=True)
    return ProjectFiles(root=Path(real), names=names)


def _walk(root: str, site_dir: str) -> Iterator[str]:
    # Folders that are hidden, or that npm fills, contain no sources.
    for folder, subfolders, files in os.walk(root):
        if folder == site_dir:
            subfolders.clear()
            continue
        subfolders[:] = sorted(
            f for f in subfolders if not f.startswith(".") and f != "node_modules"
        )
        name = folder.removeprefix(root).strip(os.sep).replace(os.sep, "/")
        prefix = f"{name}/" if name else ""
        yield from (prefix + file for file in files)
