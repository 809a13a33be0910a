"""The dotted name of a Python object → the file that defines it, and its name there.

Nothing is imported: modules are read as text, and what they import, inherit or name
again is followed from one to the next. A module that is imported already is asked for
its file.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
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
class _Module:
    """What one module defines, and where its other names lead."""

    parts: Mapping[str, object]
    """As `read_parts` returns them."""

    imports: dict[str, str] = field(default_factory=dict)
    """Dotted names of what is imported, by the names that it has here."""

    stars: list[str] = field(default_factory=list)
    """Modules of which all is imported."""

    bases: dict[str, list[str]] = field(default_factory=dict)
    """The names of each class's bases, as they are written here."""

    aliases: dict[str, str] = field(default_factory=dict)
    """What is only another name: `name = other`."""

    def elsewhere(self, module: str, name: str) -> Iterator[str]:
        """Yield the dotted names that a name that is not defined here can stand for."""
        first, dot, rest = name.partition(".")
        if first in self.imports:
            yield self.imports[first] + dot + rest
        yield from self.inherited(module, name)

    def inherited(self, module: str, name: str) -> Iterator[str]:
        """Yield the dotted names that a member of a class can be inherited from."""
        owner = name
        while "." in owner:
            owner = owner.rpartition(".")[0]
            member = name.removeprefix(f"{owner}.")
            for base in self.bases.get(owner, ()):
                yield f"{module}.{base}.{member}"


def have_docstrings(members: Mapping[str, bool]) -> dict[str, bool]:
    """Return of each owner whether all its members have docstrings.

    `members` has by dotted name whether that member has one.
    """
    found: dict[str, bool] = {}
    for name, has_docstring in members.items():
        owner = name.rpartition(".")[0]
        found[owner] = found.get(owner, True) and has_docstring
    return found


class ObjectFinder:
    """Finds objects by the files of modules."""

    def __init__(self, file_of: Callable[[str], Path | None]) -> None:
        """Take a function that returns the file of a module; None if unknown."""
        self._file_of = cache(file_of)
        self._modules: dict[Path, _Module] = {}

    def find(self, name: str, *, is_module: bool = False) -> list[Place]:
        """Return where an object is defined; empty if it is not found.

        After its own place come those of what an alias names, and of the members of
        base classes whose docstrings it has.
        """
        if not is_module:
            return self._find(name, set())
        file = self._file_of(name)
        return [] if file is None else [Place(file, "", has_members=True)]

    def _find(self, name: str, seen: set[tuple[str, str]]) -> list[Place]:
        """Look in the innermost module of the name first, then in its packages."""
        module = name
        while "." in module:
            module = module.rpartition(".")[0]
            found = self._in_module(module, name.removeprefix(f"{module}."), seen)
            if found:
                return found
        return []

    def _in_module(
        self, module: str, name: str, seen: set[tuple[str, str]]
    ) -> list[Place]:
        if (module, name) in seen or len(seen) >= _MAX_STEPS:
            return []
        seen.add((module, name))
        file = self._file_of(module)
        if file is None:
            return []
        # A package that imports its modules when they are used says here what it has.
        for each in (file, file.with_suffix(".pyi")):
            found = self._in_file(each, module, name, seen)
            if found:
                return found
        return []

    def _in_file(
        self, file: Path, module: str, name: str, seen: set[tuple[str, str]]
    ) -> list[Place]:
        read = self._read(file, module)
        # What a stub defines is not what the module says.
        if name in read.parts and file.suffix == ".py":
            has_members = part(name, ALONE) in read.parts
            found = [Place(file, name, has_members)]
            if name in read.aliases:
                found += self._find(f"{module}.{read.aliases[name]}", seen)
            elif not isinstance(read.parts[name], Distinct):
                # Without a docstring of its own, a member has that of a base class.
                for other in read.inherited(module, name):
                    found += self._find(other, seen)
            return found
        for other in read.elsewhere(module, name):
            found = self._find(other, seen)
            if found:
                return found
        for star in reversed(read.stars):
            if _may_have(star, name):
                found = self._in_module(star, name, seen)
                if found:
                    return found
        return []

    def _read(self, file: Path, module: str) -> _Module:
        if file not in self._modules:
            source = b""
            with suppress(OSError):
                source = file.read_bytes()
            read = _Module(parts=read_parts(source))
            tree = parse(source)
            if tree is not None:
                package = module if file.stem == _PACKAGE else module.rpartition(".")[0]
                _read_scope(tree.body, "", package, read)
            self._modules[file] = read
        return self._modules[file]


def _read_scope(
    body: Sequence[ast.stmt], scope: str, package: str, read: _Module
) -> None:
    """Note where the names of a module or class lead; `scope` ends in a point."""
    for statement, _ in statements(body):
        if isinstance(statement, ast.ClassDef):
            name = scope + statement.name
            read.bases[name] = [_dotted(base) for base in statement.bases]
            _read_scope(statement.body, f"{name}.", package, read)
        elif isinstance(statement, ast.Import):
            _read_import(statement, scope, read)
        elif isinstance(statement, ast.ImportFrom):
            _read_import_from(statement, scope, package, read)
        elif isinstance(statement, ast.Assign):
            other = _dotted(statement.value)
            for target in statement.targets:
                if other and isinstance(target, ast.Name):
                    read.aliases[scope + target.id] = other


def _read_import(statement: ast.Import, scope: str, read: _Module) -> None:
    for alias in statement.names:
        first = alias.name.partition(".")[0]
        if alias.asname:
            read.imports[scope + alias.asname] = alias.name
        else:
            read.imports[scope + first] = first


def _read_import_from(
    statement: ast.ImportFrom, scope: str, package: str, read: _Module
) -> None:
    above = package.split(".")
    # One point is the package itself.
    kept = above[: len(above) + 1 - statement.level] if statement.level else []
    module = ".".join([*kept, *filter(None, [statement.module])])
    for alias in statement.names:
        if alias.name == "*":
            read.stars.append(module)
        else:
            name = alias.asname or alias.name
            read.imports[scope + name] = f"{module}.{alias.name}"


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


def module_file(name: str, folders: Iterable[Path] = ()) -> Path | None:
    """Return the file of a module: an imported one's, or that beside its package's.

    `folders` are those of packages that are not imported.
    """
    own = getattr(sys.modules.get(name), "__file__", None)
    if isinstance(own, str) and own.endswith(".py"):
        return Path(own).absolute()
    package, _, last = name.rpartition(".")
    if package:
        parent = module_file(package, folders)
        is_package = parent is not None and parent.stem == _PACKAGE
        folders = [parent.parent] if parent and is_package else []
    for folder in folders:
        for file in (folder / last / f"{_PACKAGE}.py", folder / f"{last}.py"):
            if file.is_file():
                return file
    return None


class ProjectFiles:
    """The files of a project, which can be installed as copies."""

    def __init__(self, inside: Path) -> None:
        """Take a folder inside the project."""
        self._roots: dict[str, str | None] = {}
        above = Path(os.path.realpath(inside))
        root = Path(root_above(str(above), self._roots) or above)
        self._folders: list[Path] = []
        for folder in (above, *above.parents):
            if folder.is_relative_to(root):
                self._folders += [folder / name for name in _LAYOUTS]
        self._found: dict[Path, Path | None] = {}

    def of(self, file: Path) -> Path | None:
        """Return a file in a repository, the project's own if it is an installed copy.

        None if it is in none, or installed from other files.
        """
        if file not in self._found:
            self._found[file] = self._of(file)
        return self._found[file]

    def _of(self, file: Path) -> Path | None:
        if not is_installed(str(file)):
            is_kept = root_above(os.path.realpath(file.parent), self._roots)
            return file if is_kept else None
        below = re.split(r"[\\/](?:site|dist)-packages[\\/]", str(file))[-1]
        for folder in self._folders:
            # Python's own modules have no such folder: the path stays absolute.
            own = folder / below
            with suppress(OSError):
                if own != file and own.read_bytes() == file.read_bytes():
                    return own
        return None
