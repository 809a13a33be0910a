"""The dotted name of a module → its file in the project.

Nothing is imported. A module that is imported already is asked for its file.
"""

from __future__ import annotations

import filecmp
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sitemap_plugins.core.opened import is_installed
from sitemap_plugins.core.untrusted_files import root_above

PACKAGE = "__init__"
"""The stem of a package's own file."""

_LAYOUTS = ("", "src", "lib", "python")
"""Folders of a project in which its packages are."""


class PythonFiles:
    """The Python modules of a project, which can be installed as copies."""

    def __init__(self, inside: Path, packages: Iterable[Path] = ()) -> None:
        """Take a folder inside the project, and those of packages to be looked for.

        Imported packages are found without.
        """
        self._packages = packages
        self._roots: dict[str, str | None] = {}
        above = Path(os.path.realpath(inside))
        root = Path(root_above(str(above), self._roots) or above)
        self._folders: list[Path] = []
        for folder in (above, *above.parents):
            if folder.is_relative_to(root):
                self._folders += [folder / name for name in _LAYOUTS]
        self._own: dict[Path, Path | None] = {}
        self._modules: dict[str, Path | None] = {}

    def own(self, file: Path) -> Path | None:
        """Return a file in a repository, the project's own if it is an installed copy.

        The result is None for a file in no repository, or installed from other files.
        """
        if file not in self._own:
            self._own[file] = self._find_own(file)
        return self._own[file]

    def module(self, name: str) -> Path | None:
        """Return the project's file of a module; None for none."""
        if name not in self._modules:
            file = self._find_module(name)
            self._modules[name] = None if file is None else self.own(file)
        return self._modules[name]

    def _find_own(self, file: Path) -> Path | None:
        """Return the project's file with the same bytes as an installed copy."""
        if not is_installed(str(file)):
            root = root_above(os.path.realpath(file.parent), self._roots)
            return None if root is None else file
        below = re.split(r"[\\/](?:site|dist)-packages[\\/]", str(file))[-1]
        for folder in self._folders:
            # Python's own modules have no such folder: the path stays absolute.
            own = folder / below
            with suppress(OSError):
                if own != file and filecmp.cmp(own, file, shallow=False):
                    return own
        return None

    def _find_module(self, name: str) -> Path | None:
        """Return the file of an imported module, or that beside its package's."""
        file = getattr(sys.modules.get(name), "__file__", None)
        if isinstance(file, str) and file.endswith(".py"):
            return Path(file).absolute()
        package, _, last = name.rpartition(".")
        folders = self._packages
        if package:
            above = self.module(package)
            is_package = above is not None and above.stem == PACKAGE
            folders = [above.parent] if above and is_package else []
        for folder in folders:
            for own in (folder / last / f"{PACKAGE}.py", folder / f"{last}.py"):
                if own.is_file():
                    return own
        return None
