"""The dotted name of a Python object → the file that defines it, and its name there.

Nothing is imported: modules of the project are read as text, and what they import,
inherit or name again is followed from one to the next. A module that is imported
already is asked for its file.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.dates.python_objects import (
    ALONE,
    DOCUMENTED,
    ORDER,
    parse,
    part,
    read_parts,
    statements,
)
from sitemap_plugins.core.git.last_change import Distinct
from sitemap_plugins.core.opened import is_installed
from sitemap_plugins.core.untrusted_files import root_above

_MAX_STEPS = 1000
"""Imports, base classes and aliases that are followed for one object."""

_PACKAGE = "__init__"
"""The stem of a package's own file."""

_LAYOUTS = ("", "src", "lib", "python")
"""Folders of a project in which its packages are."""


class Place(NamedTuple):
    """Where an object is defined."""

    file: Path
    """Absolute."""

    name: str
    """Its qualified name in the module; empty for the module itself."""

    has_members: bool
    """Whether it is a module or a class."""

    def parts(self, documented: bool | None, *, is_ordered: bool) -> list[str]:  # noqa: FBT001
        """Return the names of what a page shows of it, but for its members.

        `documented` tells whether all members that the page shows have docstrings; None
        if it shows none. `is_ordered` tells whether they are in the source's order.
        """
        if not self.has_members:
            return [self.name]
        if documented is None:
            return [part(self.name, ALONE)]
        names = [part(self.name, DOCUMENTED) if documented else self.name]
        if is_ordered:
            names.append(part(self.name, ORDER))
        return names


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """Where the names of one module lead that stand for something else."""

    name: str

    package: str
    """What its relative imports are relative to."""

    leads: list[tuple[str, str]] = field(default_factory=list)
    """Names here, with the dotted names of what they stand for.

    A class has those of its bases; an empty name stands for all of another module.
    """

    def read(self, body: Sequence[ast.stmt], scope: str = "") -> None:
        """Note where the names of the module or a class lead; `scope` ends in a dot."""
        for statement, _ in statements(body):
            match statement:
                case ast.ClassDef():
                    name = scope + statement.name
                    for base in reversed(statement.bases):
                        self._lead(name, scope, base)
                    self.read(statement.body, f"{name}.")
                case ast.Import():
                    for alias in statement.names:
                        first = alias.name.partition(".")[0]
                        target = alias.name if alias.asname else first
                        self.leads.append((alias.asname or first, target))
                case ast.ImportFrom():
                    self._read_import(statement)
                case ast.Assign(targets=[ast.Name(id=name)]):
                    self._lead(scope + name, scope, statement.value)

    def _lead(self, name: str, scope: str, value: ast.expr) -> None:
        """Note that a name stands for a value, which is sought in the scope first."""
        other = _dotted(value)
        if other:
            self.leads.append((name, f"{self.name}.{other}"))
            self.leads.append((name, f"{self.name}.{scope}{other}"))

    def _read_import(self, statement: ast.ImportFrom) -> None:
        above = self.package.split(".")
        # One dot is the package itself.
        kept = above[: len(above) + 1 - statement.level] if statement.level else []
        module = ".".join([*kept, *filter(None, [statement.module])])
        for alias in statement.names:
            if alias.name == "*":
                self.leads.append(("", module))
            else:
                name = alias.asname or alias.name
                self.leads.append((name, f"{module}.{alias.name}"))

    def elsewhere(self, name: str) -> Iterator[str]:
        """Yield the dotted names that a name can stand for, the latest first."""
        for own, target in reversed(self.leads):
            if own and f"{name}.".startswith(f"{own}."):
                yield target + name.removeprefix(own)
            elif not own and _may_have(target, name):
                yield f"{target}.{name}"


def _dotted(node: ast.expr) -> str:
    """Return the dotted name that an expression is, without its `[…]`; else empty."""
    names = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


def _may_have(module: str, name: str) -> bool:
    """Tell whether a module can have a name; an imported one knows, unread."""
    imported = sys.modules.get(module)
    return imported is None or name.partition(".")[0] in vars(imported)


def have_docstrings(members: Mapping[str, bool]) -> dict[str, bool]:
    """Return of each owner whether all its members have docstrings.

    `members` has by dotted name whether that member has one.
    """
    found: dict[str, bool] = {}
    for name, has_docstring in members.items():
        owner = name.rpartition(".")[0]
        found[owner] = found.get(owner, True) and has_docstring
    return found


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
        self._files: dict[str, Path | None] = {}
        self._parts: dict[Path, Mapping[str, object]] = {}
        self._names: dict[Path, _Names] = {}

    def own(self, file: Path) -> Path | None:
        """Return a file in a repository, the project's own if it is an installed copy.

        None if it is in none, or installed from other files.
        """
        if file not in self._own:
            self._own[file] = self._find_own(file)
        return self._own[file]

    def _find_own(self, file: Path) -> Path | None:
        if not is_installed(str(file)):
            root = root_above(os.path.realpath(file.parent), self._roots)
            return None if root is None else file
        below = re.split(r"[\\/](?:site|dist)-packages[\\/]", str(file))[-1]
        for folder in self._folders:
            # Python's own modules have no such folder: the path stays absolute.
            own = folder / below
            with suppress(OSError):
                if own != file and own.read_bytes() == file.read_bytes():
                    return own
        return None

    def module(self, name: str) -> Path | None:
        """Return the project's file of a module; None for none."""
        if name not in self._files:
            file = self._find_module(name)
            self._files[name] = None if file is None else self.own(file)
        return self._files[name]

    def _find_module(self, name: str) -> Path | None:
        """Return the file of an imported module, or that beside its package's."""
        file = getattr(sys.modules.get(name), "__file__", None)
        if isinstance(file, str) and file.endswith(".py"):
            return Path(file).absolute()
        package, _, last = name.rpartition(".")
        folders = self._packages
        if package:
            above = self.module(package)
            is_package = above is not None and above.stem == _PACKAGE
            folders = [above.parent] if above and is_package else []
        for folder in folders:
            for own in (folder / last / f"{_PACKAGE}.py", folder / f"{last}.py"):
                if own.is_file():
                    return own
        return None

    def find(self, name: str) -> list[Place]:
        """Return where the project defines an object; empty if it does not.

        If it has no docstring there, the place of what it is another name for, or
        inherits from, comes next.
        """
        return self._find(name, set())

    def find_module(self, name: str) -> list[Place]:
        """Return where a module is, likewise."""
        file = self.module(name)
        return [] if file is None else [Place(file, "", has_members=True)]

    def _find(self, name: str, seen: set[str]) -> list[Place]:
        module = name.rpartition(".")[0]
        while module and self.module(module) is None:
            module = module.rpartition(".")[0]
        file = self.module(module)
        if file is None or name in seen or len(seen) >= _MAX_STEPS:
            return []
        seen.add(name)
        below = name.removeprefix(f"{module}.")
        found = []
        # A package that imports its modules when they are used says in a stub what it
        # has. But what a stub defines is not what a module says.
        for each in (file, file.with_suffix(".pyi")):
            parts = self._read_parts(file)
            if each == file and below in parts:
                has_members = part(below, ALONE) in parts
                found = [Place(file, below, has_members)]
                if isinstance(parts[below], Distinct):
                    return found
            for other in self._read_names(each, module).elsewhere(below):
                more = self._find(other, seen)
                if more:
                    return found + more
        return found

    def _read_parts(self, file: Path) -> Mapping[str, object]:
        if file not in self._parts:
            self._parts[file] = read_parts(_content(file))
        return self._parts[file]

    def _read_names(self, file: Path, module: str) -> _Names:
        """Return where the names of a module lead; most modules need not be asked."""
        if file not in self._names:
            is_package = file.stem == _PACKAGE
            package = module if is_package else module.rpartition(".")[0]
            names = _Names(name=module, package=package)
            tree = parse(_content(file))
            if tree is not None:
                names.read(tree.body)
            self._names[file] = names
        return self._names[file]


def _content(file: Path) -> bytes:
    """Return what a file has; nothing if it is missing."""
    try:
        return file.read_bytes()
    except OSError:
        return b""
