"""The dotted name of a Python object → the file that defines it, and its name there.

Nothing is imported: modules of the project are read as text, and what they import,
inherit or name again is followed from one to the next. A module that is imported
already is asked for its file.

Likewise the names that an object reads, for hosts that run the module and so show their
values. Those that it reads today are enough: the change of a name is one of the object.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import (
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.opened import is_installed
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.names import WRAPPED, Names
from sitemap_plugins.core.python.objects import has_public, is_documented, writes
from sitemap_plugins.core.python.parts import (
    ALONE,
    CODE,
    DECORATORS,
    DOCUMENTED,
    EXPORTS,
    FIELDS,
    IMPORT,
    INITIALIZER,
    ORDER,
    PUBLIC,
    TEXT,
    VALUE,
    WITH_MEMBERS,
    object_of,
    part,
)
from sitemap_plugins.core.python.syntax import (
    DOCSTRING,
    INITIALIZERS,
    UNREADABLE,
    decode,
    parse,
)
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

    module: str
    """Its dotted name."""

    has_members: bool
    """Whether it is a module or a class."""


class Members(NamedTuple):
    """The members of an object that a page shows."""

    documented: bool | None
    """Whether all have docstrings; None if it shows none."""

    is_ordered: bool
    """Whether they are in the order of the source."""

    shows_undocumented: bool
    """Whether it would show those without docstrings, too."""

    ignores_exports: bool
    """Whether it shows those of a module that its `__all__` has not, too."""

    is_run: bool = False
    """Whether the host has run the module."""


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
        self._found: dict[str, list[Place]] = {}
        self._imports: dict[str, list[Place]] = {}
        """The parts that led from module to module to what was found."""
        self._modules = ModuleReader()
        self._parts: dict[tuple[Path, bool], Mapping[str, Hashable]] = {}
        """By file, and whether it is read for a host that runs it."""
        self._names: dict[Path, Names] = {}

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

    def with_stub(self, file: Path, name: str) -> list[Path]:
        """Return which of a module and the stub beside it have a part of that name.

        The module if neither has.
        """
        stub = file.with_suffix(".pyi")
        if stub == file or not stub.is_file():
            return [file]
        found = [each for each in (file, stub) if name in self._read_parts(each)]
        return found or [file]

    def know(self, name: str, file: Path | list[Path]) -> None:
        """Note the file of a package that is not imported; a namespace has folders."""
        if not isinstance(file, list):
            self._files[name] = self.own(file)

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
        if name not in self._found:
            self._found[name] = self._find(name)
        return [*self._found[name]]

    def imports(self, name: str) -> list[Place]:
        """Return the parts that decide which object it is that a name stands for."""
        self.find(name)
        return self._imports.get(name, [])

    def find_module(self, name: str) -> list[Place]:
        """Return where a module is, likewise."""
        file = self.module(name)
        return [] if file is None else [Place(file, "", name, has_members=True)]

    def parts(self, place: Place, members: Members) -> list[str]:
        """Return the names of what a page shows of an object, but for its members."""
        if not place.has_members:
            return [place.name]
        documented = members.documented
        names = [part(place.name, DOCUMENTED)]
        # Where all members have docstrings today, only older versions differ. A removal
        # is to be seen if the host shows those without; else it would date too late.
        if members.shows_undocumented or documented is False:
            names = [place.name]
        # Beside the list, not in it: for hosts that ask `__all__`, changes of what that
        # leaves out would date too late.
        if members.ignores_exports and not place.name:
            names.append(PUBLIC)
        if documented is None:
            # Either the page shows no members, or there are none to show any more. In
            # the second case the commit that removed the last one counts.
            parts = self._read_parts(place.file, is_run=members.is_run)
            is_hidden = any(has_public(parts, name) for name in names)
            return [part(place.name, ALONE)] if is_hidden else names
        if members.is_ordered:
            names.append(part(place.name, ORDER))
        return names

    def initializers(self, place: Place) -> Iterator[Place]:
        """Yield the parts of a class and its bases that decide its parameters.

        They end with the class that has an initializer.
        """
        seen: set[Place] = set()
        ahead = [place]
        while ahead and len(seen) < _MAX_STEPS:
            here = ahead.pop()
            if here in seen or not here.name or not here.has_members:
                continue
            seen.add(here)
            yield here._replace(name=part(here.name, INITIALIZER))
            parts = self._read_parts(here.file)
            if any(part(here.name, each) in parts for each in INITIALIZERS):
                return
            bases = [*self._names_of(here).elsewhere(here.name)]
            for base in reversed(bases):
                yield from self.imports(base)
                ahead += self.find(base)[:1]

    def read_by(self, place: Place, shown: str) -> Iterator[tuple[Path, str]]:
        """Yield the parts whose values a part of a place shows: files, and names.

        For hosts that run the module.
        """
        for name in _objects_in(shown, self._names_of(place).reads):
            is_written = False
            for other in self._values(place._replace(name=name)):
                yield other.file, other.name
                is_written = is_written or self._is_writer(other)
            decorators = part(object_of(name), DECORATORS)
            # Loops read their variables by names that are no objects.
            if is_written and decorators in self._read_parts(place.file):
                yield place.file, decorators

    def _is_writer(self, place: Place) -> bool:
        """Tell whether a part is the text of what changes what it is handed."""
        parts = self._read_parts(place.file)
        return place.name.endswith(f".{TEXT}") and writes(parts, place.name)

    def lists_in(self, place: Place) -> Iterator[tuple[Path, str]]:
        """Yield the lists of names that a module takes over, as `read_by` does."""
        for other in self._values(place._replace(name=EXPORTS)):
            yield other.file, other.name

    def _values(self, place: Place) -> Iterator[Place]:
        """Yield what an object reads, and what that reads in turn: parts."""
        seen = {place}
        ahead = [place]
        while ahead and len(seen) < _MAX_STEPS:
            here = ahead.pop()
            for name in self._names_of(here).read_by(here.name):
                for found in self._value(here, name):
                    if found not in seen:
                        seen.add(found)
                        ahead.append(found)
                        yield found

    def _value(self, place: Place, name: str) -> Iterator[Place]:
        """Yield what a name stands for that is read at a place: parts."""
        owner, _, last = name.rpartition(".")
        if last in {DOCSTRING, WRAPPED}:
            yield from self._shown_as(self._in_scope(place, owner), last)
            return
        name = self._in_scope(place, name)
        for found in self.find(name):
            parts = self._read_parts(found.file)
            if found.name == EXPORTS:
                yield found
                return
            for of in (VALUE, TEXT):
                if part(found.name, of) in parts:
                    yield found._replace(name=part(found.name, of))
                    yield from self.imports(name)

    def _in_scope(self, place: Place, name: str) -> str:
        """Return the dotted name of what is read at a place by a name."""
        parts = self._read_parts(place.file)
        # In a class, of its body, and in its functions, of the class.
        for scope in (place.name, place.name.rpartition(".")[0]):
            if part(scope, name) in parts:
                name = part(scope, name)
                break
        return f"{place.module}.{name}"

    def _shown_as(self, name: str, how: str) -> Iterator[Place]:
        """Yield the parts of what another object shows as its own."""
        for found in self.find(name):
            if not found.has_members:
                yield found
            elif how == DOCSTRING:
                yield found._replace(name=part(found.name, ALONE))

    def _find(self, name: str) -> list[Place]:
        """Return where an object is; a chain of names can be longer than Python's stack."""
        seen = {name}
        followed = [self._follow(name)]
        answer: list[Place] | None = None
        while followed:
            try:
                other = followed[-1].send(answer)
            except StopIteration as end:
                followed.pop()
                answer = end.value
                continue
            answer = []
            if other not in seen and len(seen) < _MAX_STEPS:
                seen.add(other)
                followed.append(self._follow(other))
                answer = None
        return answer or []

    def _follow(self, name: str) -> Generator[str, list[Place] | None, list[Place]]:
        """Yield the names that one can stand for, to be sent where they are.

        Return where this one is.
        """
        module = name.rpartition(".")[0]
        while module and self.module(module) is None:
            module = module.rpartition(".")[0]
        file = self.module(module)
        if file is None:
            return []
        below = name.removeprefix(f"{module}.")
        found = []
        # A package that imports its modules when they are used says in a stub what it
        # has. But what a stub defines is not what a module says.
        for each in (file, file.with_suffix(".pyi")):
            parts = self._read_parts(file)
            if each == file and below in parts:
                has_members = part(below, ALONE) in parts
                found = [Place(file, below, module, has_members)]
                if is_documented(parts, below):
                    return found
            for other in self._read_names(each, module).elsewhere(below):
                more = yield other
                if more:
                    imports = [*self._imported(each, module, below, other)]
                    self._imports[name] = imports + self._imports.get(other, [])
                    return found + more
        return found

    def _imported(
        self, file: Path, module: str, name: str, other: str
    ) -> Iterator[Place]:
        """Yield the part that imports a name of a module, or what it begins with.

        `other` is what it stands for. A module is not imported from another one.
        """
        first, dot, rest = name.partition(".")
        imported = part(first, IMPORT)
        is_module = self.module(other.removesuffix(dot + rest)) is not None
        if imported in self._read_parts(file) and not is_module:
            yield Place(file, imported, module, has_members=False)

    def _read_parts(
        self, file: Path, *, is_run: bool = False
    ) -> Mapping[str, Hashable]:
        key = (file, is_run)
        if key not in self._parts:
            modules = self._modules
            read = modules.read_values if is_run else modules.read_parts
            self._parts[key] = read(_content(file))
        return self._parts[key]

    def _read_names(self, file: Path, module: str) -> Names:
        """Return where the names of a module lead; most modules need not be asked."""
        if file not in self._names:
            is_package = file.stem == _PACKAGE
            package = module if is_package else module.rpartition(".")[0]
            text, tree = _parsed(_content(file))
            names = Names(name=module, package=package, lines=text.split("\n"))
            names.read(tree.body)
            self._names[file] = names
        return self._names[file]

    def _names_of(self, place: Place) -> Names:
        return self._read_names(place.file, place.module)


def _objects_in(shown: str, objects: Iterable[str]) -> list[str]:
    """Return those of a module's objects whose names show with a part."""
    name = object_of(shown)
    if shown == part(name, FIELDS):
        return [shown]
    if shown in {part(name, CODE), part(name, WITH_MEMBERS)}:
        if not name:
            return [*objects]
        above = f"{name}."
        return [each for each in objects if each == name or each.startswith(above)]
    return [name, *(part(name, each) for each in INITIALIZERS)]


def _content(file: Path) -> bytes:
    """Return what a file has; nothing if it is missing."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _parsed(content: bytes) -> tuple[str, ast.Module]:
    """Return the text and the tree of a module; both are empty if it cannot be read."""
    try:
        text = decode(content)
        return text, parse(text)
    except UNREADABLE:
        return "", ast.Module([], [])
