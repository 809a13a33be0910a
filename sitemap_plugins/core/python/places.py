"""The dotted name of a Python object → where it is defined, and what a page shows of it.

An object that is imported says itself where it is from. What is only read is followed
through the imports of modules.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core.python.definitions import INITIALIZERS, Object
from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    DOCUMENTED,
    ORDER,
    PARAMETERS,
    part,
)
from sitemap_plugins.core.python.layouts import PACKAGE, PythonFiles
from sitemap_plugins.core.python.modules import read_module

_MAX_IMPORTS = 50
"""Modules that lead from one to the next."""

_MAX_VALUES = 1000
"""Variables that show with one object."""


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


def have_docstrings(members: Mapping[str, bool]) -> dict[str, bool]:
    """Return of each owner whether all its members have docstrings.

    `members` has by dotted name whether that member has one.
    """
    found: dict[str, bool] = {}
    for name, has_docstring in members.items():
        owner = name.rpartition(".")[0]
        found[owner] = found.get(owner, True) and has_docstring
    return found


def shown(place: Place, members: Members) -> list[Place]:
    """Return the parts of an object that a page shows, but for its members."""
    if not place.has_members:
        return [place]
    if members.documented is None:
        return [place.part(ALONE)]
    # Where all members have docstrings today, only older versions differ.
    listed = place.part(DOCUMENTED)
    if members.shows_undocumented or members.documented is False:
        listed = place
    return [listed, place.part(ORDER)] if members.is_ordered else [listed]


class Places:
    """Finds the objects of a project that pages show."""

    def __init__(self, files: PythonFiles) -> None:
        """Take the files of its modules."""
        self.files = files
        self._modules: dict[Path, Object] = {}
        self._found: dict[str, list[Place]] = {}
        """Places by the names that objects read."""

    def find_module(self, name: str) -> list[Place]:
        """Return where a module is; empty if it is not in the project."""
        file = self.files.module(name)
        return [] if file is None else [Place(file, "", name, has_members=True)]

    def find(self, name: str) -> list[Place]:
        """Return where the project defines an object; empty if it does not.

        Then, if it has no docstring there, where it inherits one.
        """
        with suppress(Exception):  # What is imported can be anything.
            found = [*self._find_imported(name)]
            if found:
                return found
        return [*self._find_read(name, _MAX_IMPORTS)]

    def initializers(self, place: Place, bases: list[Place]) -> Iterator[Place]:
        """Yield the parts of a class and its bases that decide its parameters."""
        for each in (place, *bases):
            yield each.part(PARAMETERS)
            members = self._object(each).members
            if any(name in members for name in INITIALIZERS):
                return

    def values(self, place: Place) -> Iterator[Place]:
        """Yield the variables that show with an object, on hosts that run modules.

        Types and defaults of its signature, and what its docstring is made of.
        """
        seen = {place}
        ahead = [place]
        if place.has_members:
            ahead += [place.part(name) for name in INITIALIZERS]
        while ahead and len(seen) < _MAX_VALUES:
            here = ahead.pop()
            owner = here.name.rpartition(".")[0]
            for name in dict.fromkeys(self._object(here).reads):
                is_text = name.endswith(".__doc__")
                sought = name.removesuffix(".__doc__")
                own = self._read(f"{here.module}.{part(owner, sought)}")
                for found in own or self._read(f"{here.module}.{sought}"):
                    shows = is_text or self._object(found).is_variable
                    if shows and found not in seen:
                        seen.add(found)
                        ahead.append(found)
                        yield found

    def _read(self, name: str) -> list[Place]:
        if name not in self._found:
            self._found[name] = [*self._find_read(name, _MAX_IMPORTS)]
        return self._found[name]

    def _find_imported(self, name: str) -> Iterator[Place]:
        """Yield where an imported object is defined, by what it says."""
        module = name
        while module and module not in sys.modules:
            module = module.rpartition(".")[0]
        if not module:
            return
        owner: Any = sys.modules[module]
        *owners, last = name.removeprefix(module)[1:].split(".")
        for each in owners:
            owner = getattr(owner, each)
        if not inspect.isclass(owner):
            it = getattr(owner, last)
            yield from self._place_of(it, owner.__name__, last)
            return
        for base in inspect.getmro(owner):
            # Attributes of instances are only in its text.
            it = vars(base).get(last)
            below = part(base.__qualname__, last)
            yield from self._place_of(it, base.__module__, below)
            if it is not None and getattr(it, "__doc__", None):
                return

    def _place_of(self, it: Any, module: str, name: str) -> Iterator[Place]:  # noqa: ANN401
        it = inspect.unwrap(getattr(it, "__func__", getattr(it, "fget", it)))
        own = getattr(it, "__qualname__", None)
        if inspect.isclass(it) and it.__name__ != name.rpartition(".")[2]:
            own = None  # Of another name of a class, hosts show no more than that.
        found = self._read(f"{module}.{name}")
        named = self._read(f"{getattr(it, '__module__', None)}.{own}")
        alias = self._object(found[0]) if found else Object()
        if alias.is_variable:
            # Another name of a function, or of its copy.
            named = found if alias.docstring else [*found, *named]
        yield from dict.fromkeys(named or found)

    def _find_read(self, name: str, depth: int) -> Iterator[Place]:
        """Yield where a module, or one that it imports the name from, defines it."""
        module = name.rpartition(".")[0]
        while module and self.files.module(module) is None:
            module = module.rpartition(".")[0]
        file = self.files.module(module) if module else None
        if file is None or depth == 0:
            return
        below = name.removeprefix(f"{module}.")
        place = Place(file, below, module, has_members=False)
        it = self._object(place)
        if it.signature or it.has_members:
            yield place._replace(has_members=it.has_members)
            return
        package = module if file.stem == PACKAGE else module.rpartition(".")[0]
        first, dot, rest = below.partition(".")
        imports = self._object(place._replace(name="")).imports
        for origin in imports.get(first, ()):
            other = _absolute(origin, package).replace(":", ".")
            found = [*self._find_read(other + dot + rest, depth - 1)]
            if found:
                yield from found
                return
        for origin in imports.get("*", ()):
            other = _absolute(origin, package)
            found = [*self._find_read(f"{other}.{below}", depth - 1)]
            if found:
                yield from found
                return

    def _object(self, place: Place) -> Object:
        """Return an object of a module; an empty one if there is none."""
        if place.file not in self._modules:
            content = b""
            with suppress(OSError):
                content = place.file.read_bytes()
            self._modules[place.file] = read_module(content)
        it = self._modules[place.file]
        for name in filter(None, place.name.split(".")):
            it = it.members.get(name, Object())
        return it


def _absolute(origin: str, package: str) -> str:
    """Return a module or name without the dots of a relative import."""
    rest = origin.lstrip(".")
    level = len(origin) - len(rest)
    if not level:
        return rest
    above = package.split(".")
    kept = above[: len(above) + 1 - level]
    return ".".join(kept) + ("" if rest.startswith(":") or not rest else ".") + rest
