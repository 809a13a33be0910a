"""The dotted name of a Python object → the files that define it, and its name there.

Modules of the project are read as text, and what they import, inherit or name again is
followed from one to the next.
"""

from __future__ import annotations

import ast
from collections.abc import (
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sitemap_plugins.core.python.bases import MAX_CLASSES, order_of
from sitemap_plugins.core.python.files import PACKAGE, PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.names import Names
from sitemap_plugins.core.python.objects import has_public, is_documented
from sitemap_plugins.core.python.parts import (
    ALONE,
    DOCUMENTED,
    IMPORT,
    INITIALIZER,
    ORDER,
    PUBLIC,
    part,
)
from sitemap_plugins.core.python.syntax import (
    INITIALIZERS,
    UNREADABLE,
    decode,
    last_of,
    parse,
)

_MAX_STEPS = 1000
"""Imports and other names that are followed for an object, or a class's bases."""


class Place(NamedTuple):
    """Where an object is defined, or a part of it."""

    file: Path
    """Absolute."""

    name: str
    """Its qualified name in the module; empty for the module itself."""

    module: str
    """Its dotted name."""

    has_members: bool
    """Whether it is a module or a class."""

    def part(self, of: str) -> Place:
        """Return a part of the object, named as in `parts`."""
        return self._replace(name=part(self.name, of))


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


class _Found(NamedTuple):
    """What a search has found."""

    places: list[Place]

    imports: list[Place]
    """The parts that led from module to module to these."""


class _Wanted(NamedTuple):
    """What is searched for."""

    name: str

    is_inherited: bool
    """Whether it can be what a class inherits."""


_Class = Place | str
"""A class; the last part of its name if it is not in the project."""

_Result = TypeVar("_Result")

_Search = Generator[_Wanted, _Found, _Result]
"""Yields what it needs, and is sent what was found."""

_NOWHERE = _Found([], [])


def have_docstrings(members: Mapping[str, bool]) -> dict[str, bool]:
    """Return of each owner whether all its members have docstrings.

    `members` has by dotted name whether that member has one.
    """
    found: dict[str, bool] = {}
    for name, has_docstring in members.items():
        owner = name.rpartition(".")[0]
        found[owner] = found.get(owner, True) and has_docstring
    return found


class Places:
    """Finds the objects of a project in its modules."""

    def __init__(self, files: PythonFiles) -> None:
        """Take the modules."""
        self.files = files
        self._found: dict[str, _Found] = {}
        self._bases: dict[_Class, list[_Class]] = {}
        self._base_imports: dict[tuple[_Class, _Class], list[Place]] = {}
        """By class and base, the parts that import the base."""
        self._orders: dict[_Class, list[_Class]] = {}
        """Of each class, those that it inherits from, and itself."""
        self._modules = ModuleReader()
        self._parts: dict[tuple[Path, bool], Mapping[str, Hashable]] = {}
        """By file, and whether it is read for a host that runs it."""
        self._names: dict[Path, Names] = {}

    def find(self, name: str) -> list[Place]:
        """Return where the project defines an object; empty if it does not.

        If it has no docstring there, the place of what it is another name for, or
        inherits from, comes next.
        """
        return [*self._find(name).places]

    def imports(self, name: str) -> list[Place]:
        """Return the parts that decide which object it is that a name stands for."""
        return [*dict.fromkeys(self._find(name).imports)]

    def find_module(self, name: str) -> list[Place]:
        """Return where a module is, likewise."""
        file = self.files.module(name)
        return [] if file is None else [Place(file, "", name, has_members=True)]

    def with_stub(self, file: Path, name: str) -> list[Path]:
        """Return which of a module and the stub beside it have a part of that name.

        The module if neither has.
        """
        stub = file.with_suffix(".pyi")
        if stub == file or not stub.is_file():
            return [file]
        found = [each for each in (file, stub) if name in self.parts_in(each)]
        return found or [file]

    def shown(self, place: Place, members: Members) -> list[Place]:
        """Return the parts of an object that a page shows, but for its members."""
        if not place.has_members:
            return [place]
        documented = members.documented
        shown = [place.part(DOCUMENTED)]
        # Where all members have docstrings today, only older versions differ. A removal
        # is to be seen if the host shows those without; else it would date too late.
        if members.shows_undocumented or documented is False:
            shown = [place]
        # Beside the list, not in it: for hosts that ask `__all__`, changes of what that
        # leaves out would date too late.
        if members.ignores_exports and not place.name:
            shown.append(place.part(PUBLIC))
        if documented is None:
            # Either the page shows no members, or there are none to show any more. In
            # the second case the commit that removed the last one counts.
            parts = self.parts_in(place.file, is_run=members.is_run)
            is_hidden = any(has_public(parts, each.name) for each in shown)
            return [place.part(ALONE)] if is_hidden else shown
        if members.is_ordered:
            shown.append(place.part(ORDER))
        return shown

    def classes(self, place: Place) -> list[Place]:
        """Return a class and those of the project that it inherits from.

        In the order in which Python looks for a member; none of another object.
        """
        if not place.name or not place.has_members:
            return []
        order = self._order(place)
        return [each for each in order if isinstance(each, Place)]

    def initializers(self, place: Place) -> Iterator[Place]:
        """Yield the parts of a class and its bases that decide its parameters.

        They end with the class that has an initializer.
        """
        for each in self.classes(place):
            yield each.part(INITIALIZER)
            parts = self.parts_in(each.file)
            if any(part(each.name, name) in parts for name in INITIALIZERS):
                return
            for base in self._bases.get(each, ()):
                yield from self._base_imports[each, base]

    def parts_in(self, file: Path, *, is_run: bool = False) -> Mapping[str, Hashable]:
        """Return the parts of a module, for a host that reads or runs it."""
        key = (file, is_run)
        if key not in self._parts:
            modules = self._modules
            read = modules.read_values if is_run else modules.read_parts
            self._parts[key] = read(_content(file))
        return self._parts[key]

    def names_in(self, file: Path, module: str) -> Names:
        """Return the names of a module; most modules need not be asked."""
        if file not in self._names:
            is_package = file.stem == PACKAGE
            package = module if is_package else module.rpartition(".")[0]
            text, tree = _parsed(_content(file))
            names = Names(name=module, package=package, lines=text.split("\n"))
            names.read(tree.body)
            self._names[file] = names
        return self._names[file]

    # Searches.

    def _find(self, name: str) -> _Found:
        if name not in self._found:
            wanted = _Wanted(name, is_inherited=True)
            self._found[name] = self._finish(self._search(wanted), wanted)
        return self._found[name]

    def _finish(
        self, search: _Search[_Result], wanted: _Wanted | None = None
    ) -> _Result:
        """Return what a search finds, which can be for what is wanted.

        A chain of names can be longer than Python's stack.
        """
        known: dict[_Wanted | None, _Found] = {wanted: _NOWHERE}
        """A name that leads to itself is nowhere."""
        searches: list[tuple[_Wanted | None, Generator[_Wanted, Any, Any]]]
        searches = [(wanted, search)]
        answer: _Found | None = None
        while True:
            wanted, current = searches[-1]
            try:
                other = current.send(answer)
            except StopIteration as end:
                searches.pop()
                if not searches:
                    result: _Result = end.value
                    return result
                known[wanted] = answer = end.value
                continue
            if other in known or len(known) > _MAX_STEPS:
                answer = known.get(other, _NOWHERE)
                continue
            known[other] = _NOWHERE
            searches.append((other, self._search(other)))
            answer = None

    def _search(self, wanted: _Wanted) -> _Search[_Found]:
        """Find an object, as `find` says."""
        found = yield from self._defined(wanted)
        if not wanted.is_inherited or self._is_documented(found.places):
            return found
        more = yield from self._inherited(wanted.name)
        return _Found(found.places + more.places, found.imports + more.imports)

    def _is_documented(self, places: Sequence[Place]) -> bool:
        """Tell whether the last of some places has a docstring."""
        if not places:
            return False
        last = places[-1]
        return is_documented(self.parts_in(last.file), last.name)

    def _defined(self, wanted: _Wanted) -> _Search[_Found]:
        """Find an object where it has this name, or what that stands for."""
        divided = self.files.divide(wanted.name)
        if divided is None:
            return _NOWHERE
        file, module, below = divided
        places = []
        parts = self.parts_in(file)
        if below in parts:
            has_members = part(below, ALONE) in parts
            places = [Place(file, below, module, has_members)]
            if self._is_documented(places):
                return _Found(places, [])
        # A package that imports its modules when they are used says in a stub what it
        # has. But what a stub defines is not what a module says.
        for each in (file, file.with_suffix(".pyi")):
            for other in self.names_in(each, module).elsewhere(below):
                more = yield wanted._replace(name=other)
                if more.places:
                    imports = [*self._imported(each, module, below, other)]
                    return _Found(places + more.places, imports + more.imports)
        return _Found(places, [])

    def _imported(
        self, file: Path, module: str, name: str, other: str
    ) -> Iterator[Place]:
        """Yield the part that imports a name of a module, or what it begins with.

        `other` is what it stands for. A module is not imported from another one.
        """
        first, dot, rest = name.partition(".")
        imported = part(first, IMPORT)
        is_module = self.files.module(other.removesuffix(dot + rest)) is not None
        if imported in self.parts_in(file) and not is_module:
            yield Place(file, imported, module, has_members=False)

    def _inherited(self, name: str) -> _Search[_Found]:
        """Find what a class inherits: a member, or the docstring of a base."""
        divided = self.files.divide(name)
        if divided is None:
            return _NOWHERE
        file, module, below = divided
        owner = self.names_in(file, module).class_of(below)
        if not owner:
            return _NOWHERE
        member = below.removeprefix(owner)
        found = _Found([], [])
        order = self._order(Place(file, owner, module, has_members=True))
        for number, each in enumerate(order[1:], 1):
            if not isinstance(each, Place):
                continue
            more = yield from self._member(each, member)
            if more.places:
                found.places.extend(more.places)
                found.imports.extend(self._imports_of_bases(order[:number], each))
                found.imports.extend(more.imports)
            if self._is_documented(more.places):
                break
        return found

    def _imports_of_bases(
        self, classes: Iterable[_Class], last: Place
    ) -> Iterator[Place]:
        """Yield the parts that import the bases by which classes inherit from one."""
        for each in classes:
            for base in self._bases.get(each, ()):
                if last in self._orders[base]:
                    yield from self._base_imports[each, base]

    def _member(self, of: Place, member: str) -> _Search[_Found]:
        """Find a member that a class itself has; the class if it is empty."""
        name = f"{of.module}.{of.name}{member}"
        if member.count(".") > 1:
            # Of a class within it, which has an order of its own.
            return (yield _Wanted(name, is_inherited=True))
        return (yield from self._defined(_Wanted(name, is_inherited=False)))

    def _order(self, place: Place) -> list[_Class]:
        """Return a class and those that it inherits from, in Python's order."""
        ahead = [place]
        begun: set[Place] = set()
        while ahead and len(begun) < MAX_CLASSES:
            here = ahead.pop()
            if here in self._orders or here in begun:
                continue
            begun.add(here)
            # By a search of its own: what is kept must not depend on who asks first.
            bases = self._finish(self._find_bases(here))
            ahead += [base for base in bases if isinstance(base, Place)]
        return order_of(place, self._bases, self._orders)

    def _find_bases(self, place: Place) -> _Search[list[_Class]]:
        """Find the bases of a class, and the parts that import them."""
        bases: list[_Class] = []
        every = self.names_in(place.file, place.module).bases
        for names in every.get(place.name, [])[:MAX_CLASSES]:
            base, imports = yield from self._base(names)
            bases.append(base)
            self._base_imports[place, base] = imports
        self._bases[place] = bases
        return bases

    def _base(self, names: Sequence[str]) -> _Search[tuple[_Class, list[Place]]]:
        """Find the class that a base is, and the parts that import it.

        `names` are those that it can have.
        """
        for name in names:
            found = yield from self._defined(_Wanted(name, is_inherited=False))
            for each in found.places:
                if each.has_members:
                    return each, found.imports
        return last_of(names[-1]) if names else "", []


def _parsed(content: bytes) -> tuple[str, ast.Module]:
    """Return the text and the tree of a module; both are empty if it cannot be read."""
    try:
        text = decode(content)
        return text, parse(text)
    except UNREADABLE:
        return "", ast.Module([], [])


def _content(file: Path) -> bytes:
    """Return what a file has; nothing if it is missing."""
    try:
        return file.read_bytes()
    except OSError:
        return b""
