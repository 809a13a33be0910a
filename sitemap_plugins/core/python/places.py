"""The dotted name of a Python object → where it is defined, and what a page shows of it.

An object that is imported says itself where it is from. A name that is only read is
followed through the imports of today's modules.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core.python.definitions import INITIALIZERS, Object
from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    DOCUMENTED,
    FIELDS,
    ORDER,
    PARAMETERS,
    object_of,
    part,
)
from sitemap_plugins.core.python.layouts import PACKAGE, PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.text import MAX_SOURCE
from sitemap_plugins.core.untrusted_files import read_beginning

_MAX_IMPORTS = 256
"""Modules in which one name is looked up; networkx imports all names of 60 into one."""

_MAX_NAMES = 4096
"""Names that are looked up for one object, since its signature and values have them."""


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
        """Return a part of the object, named as in `excerpt_names`."""
        return self._replace(name=part(self.name, of))

    def shown(
        self, *, with_members: bool, undocumented: bool, is_ordered: bool
    ) -> list[Place]:
        """Return the parts that a page shows of the object, but for its members.

        `with_members` tells whether it shows any, `undocumented` whether it also shows
        those without docstrings, `is_ordered` whether in the order of the source.
        """
        if not self.has_members:
            return [self]
        if not with_members:
            return [self.part(ALONE)]
        listed = self if undocumented else self.part(DOCUMENTED)
        return [listed, self.part(ORDER)] if is_ordered else [listed]


class Places:
    """Finds the objects of a project that pages show."""

    def __init__(self, files: PythonFiles, reader: ModuleReader) -> None:
        """Take the files of its modules, and what reads them."""
        self._files = files
        self._reader = reader
        self._modules: dict[Path, Object] = {}
        """The modules that were read, by file."""
        self._found: dict[str, list[Place]] = {}
        """The places of names that were looked up in modules."""

    def find_module(self, name: str) -> list[Place]:
        """Return where a module is; empty if it is not in the project."""
        file = self._files.module(name)
        return [] if file is None else [Place(file, "", name, has_members=True)]

    def find(self, name: str) -> list[Place]:
        """Return where the project defines an object or module; empty if it does not.

        If the object has no docstring and inherits one, the second place is where that
        docstring is.
        """
        found: list[Place] = []
        with suppress(Exception):  # What is imported can be anything.
            found = [*self._find_imported(name)]
        return found or self._find_read(name) or self.find_module(name)

    def with_stub(self, place: Place) -> Iterator[Place]:
        """Yield a place, then that in the stub beside its file, if the stub has it."""
        yield place
        stub = place._replace(file=place.file.with_suffix(".pyi"))
        it = self._object(stub._replace(name=object_of(place.name)))
        if it.is_defined:
            yield stub

    def bases(self, name: str) -> list[Place]:
        """Return where the project defines the bases of an imported class, if it is one."""
        found: list[Place] = []
        with suppress(Exception):  # What is imported can be anything.
            owner, last = _imported(name)
            for base in inspect.getmro(getattr(owner, last))[1:]:
                found += self._find_read(f"{base.__module__}.{base.__qualname__}")
        return found

    def parameters(
        self, classes: Iterable[Place], *, has_fields: bool
    ) -> Iterator[Place]:
        """Yield the parts that decide the parameters of a class, followed by its bases.

        These parts are the first initializer and, if `has_fields`, the fields before
        it.
        """
        for each in classes:
            yield each.part(PARAMETERS)
            members = self._object(each).members
            if any(name in members for name in INITIALIZERS):
                return
            if has_fields:
                yield each.part(FIELDS)

    def values(self, place: Place) -> Iterable[Place]:
        """Return the variables that show with an object, on hosts that run modules.

        Such a variable is named in the object's signature, in the expression of its
        docstring, or in the value of another such variable.

        Raises:
            ValueError: Too many names lead to them.
        """
        ahead = [place, *[place.part(name) for name in INITIALIZERS]]
        found: dict[Place, None] = {}
        count = 0
        while ahead:
            here = ahead.pop()
            for name in chain.from_iterable(self._object(here).reads):
                count += 1
                if count > _MAX_NAMES:
                    raise ValueError(name)
                for each in self._variables(name, here):
                    if each not in found:
                        found[each] = None
                        ahead.append(each)
        return found

    def _variables(self, name: str, where: Place) -> Iterator[Place]:
        """Yield the variables of a name that an object has, in its class or module.

        The docstring of any object is one, too.
        """
        owner = where.name.rpartition(".")[0]
        of = name.removesuffix(".__doc__")
        places = self._find_read(f"{where.module}.{part(owner, of)}")
        for place in places or self._find_read(f"{where.module}.{of}"):
            if of != name or self._object(place).is_variable:
                yield place

    def is_pythons(self, name: str) -> bool:
        """Return whether a member is inherited from a class of Python's own library.

        Hosts list those of all exceptions, and `__init__` of all classes. No commit
        changes what they say.
        """
        with suppress(Exception):  # What is imported can be anything.
            owner, last = _imported(name)
            for base in inspect.getmro(owner):
                if last in vars(base):
                    package = base.__module__.partition(".")[0]
                    return package in sys.stdlib_module_names
        return False

    def _find_imported(self, name: str) -> Iterator[Place]:
        """Yield where an imported object is defined, by what it says."""
        owner, last = _imported(name)
        if not inspect.isclass(owner):
            it = getattr(owner, last)
            yield from self._places_of(it, owner.__name__, last)
            return
        for base in inspect.getmro(owner):
            # Attributes of instances are only in its text.
            it = vars(base).get(last)
            below = part(base.__qualname__, last)
            yield from self._places_of(it, base.__module__, below)
            if it is not None and getattr(it, "__doc__", None):
                return

    def _places_of(self, it: Any, module: str, name: str) -> Iterator[Place]:  # noqa: ANN401
        """Yield where the text of an object is that has a name in a module."""
        it = inspect.unwrap(getattr(it, "__func__", getattr(it, "fget", it)))
        own = getattr(it, "__qualname__", None)
        if inspect.isclass(it) and it.__name__ != name.rpartition(".")[2]:
            own = None  # Of another name of a class, hosts show no more than that.
        found = self._find_read(f"{module}.{name}")
        named = self._find_read(f"{getattr(it, '__module__', None)}.{own}")
        alias = self._object(found[0]) if found else Object()
        if alias.is_variable:
            # Another name of a function, or of its copy.
            named = found if alias.docstring else [*found, *named]
        yield from dict.fromkeys(named or found)

    def _find_read(self, name: str) -> list[Place]:
        """Return where modules of the project define a name, from their text alone."""
        if name not in self._found:
            self._found[name] = self._follow(name)
        return self._found[name]

    def _follow(self, name: str) -> list[Place]:
        """Follow a dotted name through imports to the place that defines it."""
        ahead = [name]
        seen: set[str] = set()
        while ahead and len(seen) < _MAX_IMPORTS:
            here = ahead.pop()
            if here in seen:
                continue
            seen.add(here)
            module = here.rpartition(".")[0]
            while module and self._files.module(module) is None:
                module = module.rpartition(".")[0]
            for whole in self.find_module(module):
                place = whole._replace(name=here.removeprefix(f"{module}."))
                it = self._object(place)
                if it.is_defined:
                    return [place._replace(has_members=it.has_members)]
                ahead += self._origins(place)
        return []

    def _origins(self, place: Place) -> list[str]:
        """Return the names elsewhere that a name of a module can be, the last first."""
        package = place.module
        if place.file.stem != PACKAGE:
            package = package.rpartition(".")[0]
        imports = self._object(place._replace(name="")).imports
        first, dot, rest = place.name.partition(".")
        names = [origin + dot + rest for origin in imports.get(first, ())]
        names += [before + place.name for before in imports.get("*", ())]
        return [_absolute(name, package) for name in reversed(names)]

    def _object(self, place: Place) -> Object:
        """Return an object of a module; an empty one if there is none."""
        if place.file not in self._modules:
            content = b""
            with suppress(OSError):
                content = read_beginning(place.file, max_bytes=MAX_SOURCE + 1)
            self._modules[place.file] = self._reader.read(content)
        it = self._modules[place.file]
        for name in filter(None, place.name.split(".")):
            it = it.members.get(name, Object())
        return it


def _imported(name: str) -> tuple[Any, str]:
    """Return the imported module or class that an object is in, and its name there.

    Raises:
        AttributeError, KeyError: No imported module has the object.
    """
    module = name.rpartition(".")[0]
    while module and module not in sys.modules:
        module = module.rpartition(".")[0]
    owner = sys.modules[module]
    *owners, last = name.removeprefix(f"{module}.").split(".")
    for each in owners:
        owner = getattr(owner, each)
    return owner, last


def _absolute(name: str, package: str) -> str:
    """Return a name without the dots of a relative import.

    >>> [_absolute("json.dumps", "own.sub"), _absolute("..core.work", "own.sub")]
    ['json.dumps', 'own.core.work']
    """
    rest = name.lstrip(".")
    above = len(name) - len(rest) - 1
    if above < 0:
        return rest
    folders = package.split(".")
    return ".".join([*folders[: len(folders) - above], rest])
