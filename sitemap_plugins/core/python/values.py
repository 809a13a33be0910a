"""What an object reads → the parts of others whose values or texts it shows.

For hosts that run the module. What it reads today is enough: the change of a name is
one of the object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    APPLIED,
    CODE,
    DECORATORS,
    EXPORTS,
    FIELDS,
    SUMMARY,
    TEXT,
    VALUE,
    WITH_MEMBERS,
    object_of,
    part,
)
from sitemap_plugins.core.python.names import WRAPPED, Code
from sitemap_plugins.core.python.objects import writes
from sitemap_plugins.core.python.places import Places
from sitemap_plugins.core.python.sources import Place
from sitemap_plugins.core.python.syntax import DOCSTRING, INITIALIZERS, last_of

MAX_VALUES = 1 << 16
"""Parts that the objects of one page can show of others, each for itself."""

_MAX_FOLLOWED = 1000
"""Parts of others of one object that are asked what they read in turn."""

_Scopes = tuple[str, ...]


class Values:
    """Finds what the objects of a project read."""

    def __init__(self, places: Places) -> None:
        """Take the places of the project's objects."""
        self._places = places
        self._known: dict[tuple[Code, _Scopes], list[Place]] = {}
        """What stands in code, by where its names are sought."""

    def read_by(self, shown: Iterable[Place]) -> Iterator[Place]:
        """Yield the parts whose values show with the parts that a page shows.

        Raises:
            ValueError: There are more than `MAX_VALUES`.
        """
        number = 0
        for each in shown:
            for value in self._read_by_part(each):
                number += 1
                if number > MAX_VALUES:
                    msg = f"it shows more than {MAX_VALUES} values of others"
                    raise ValueError(msg)
                yield value

    def lists_in(self, place: Place) -> Iterator[Place]:
        """Yield the lists of names that a module takes over: parts."""
        return self._values(place._replace(name=EXPORTS))

    def _read_by_part(self, place: Place) -> Iterator[Place]:
        names = self._places.sources.names_in(place.file, place.module)
        parts = self._places.sources.parts_in(place.file)
        for name in _objects_in(place.name, names.reads):
            is_written = False
            for other in self._values(place._replace(name=name)):
                yield other
                is_written = is_written or self._is_writer(other)
            decorators = part(object_of(name), DECORATORS)
            # Loops read their variables by names that are no objects.
            if is_written and decorators in parts:
                yield place._replace(name=decorators)

    def _is_writer(self, place: Place) -> bool:
        """Tell whether a part is the text of what changes what it is handed."""
        parts = self._places.sources.parts_in(place.file)
        return last_of(place.name) in {TEXT, APPLIED} and writes(parts, place.name)

    def _values(self, place: Place) -> Iterator[Place]:
        """Yield what an object reads, and what that reads in turn: parts."""
        seen = {place}
        # Many objects can share one piece of code.
        read: set[tuple[Code, _Scopes]] = set()
        ahead = [place]
        while ahead and len(seen) < _MAX_FOLLOWED:
            here = ahead.pop()
            names = self._places.sources.names_in(here.file, here.module)
            scopes = self._scopes(here)
            for code in names.read_by(here.name):
                if (code, scopes) in read:
                    continue
                read.add((code, scopes))
                for found in self._values_in(code, here, scopes):
                    if found not in seen:
                        seen.add(found)
                        ahead.append(found)
                        yield found

    def _scopes(self, place: Place) -> _Scopes:
        """Return the objects in which names are sought first that are read at a place.

        In a class, it is its body, and in its functions, the class.
        """
        name = object_of(place.name)
        owner = name.rpartition(".")[0]
        is_class = part(name, ALONE) in self._places.sources.parts_in(place.file)
        return (name, owner) if is_class else (owner,)

    def _values_in(self, code: Code, place: Place, scopes: _Scopes) -> list[Place]:
        """Return what stands in code: parts."""
        if (code, scopes) not in self._known:
            found: dict[Place, None] = {}
            for name in dict.fromkeys(code.names):
                found |= dict.fromkeys(self._value(place, scopes, name))
            self._known[code, scopes] = [*found]
        return self._known[code, scopes]

    def _value(self, place: Place, scopes: _Scopes, name: str) -> Iterator[Place]:
        """Yield what a name stands for that is read at a place: parts."""
        owner, _, last = name.rpartition(".")
        if last in {DOCSTRING, WRAPPED}:
            yield from self._shown_as(self._in_scope(place, scopes, owner), last)
            return
        if last in {FIELDS, TEXT, APPLIED}:
            yield from self._inherited(self._in_scope(place, scopes, owner), last)
            return
        name = self._in_scope(place, scopes, name)
        for found in self._places.find(name):
            if found.name == EXPORTS:
                yield found
                return
            yield from self._if_any(found.part(VALUE), name)
            # That of a class shows with those of which it is a base.
            if not found.has_members:
                yield from self._if_any(found.part(TEXT), name)

    def _in_scope(self, place: Place, scopes: _Scopes, name: str) -> str:
        """Return the dotted name of what is read at a place by a name."""
        parts = self._places.sources.parts_in(place.file)
        for scope in scopes:
            if part(scope, name) in parts:
                return f"{place.module}.{part(scope, name)}"
        return f"{place.module}.{name}"

    def _shown_as(self, name: str, how: str) -> Iterator[Place]:
        """Yield the parts of another object that show with what is made of it."""
        for found in self._places.find(name):
            if not found.has_members:
                yield found
            elif how == DOCSTRING:
                yield found.part(ALONE)

    def _inherited(self, name: str, of: str) -> Iterator[Place]:
        """Yield a part of a class and of those that it inherits from."""
        for found in self._places.find(name):
            for each in self._places.classes(found):
                yield from self._if_any(each.part(of), name)

    def _if_any(self, shown: Place, name: str) -> Iterator[Place]:
        """Yield a part, and what decides that a name stands for it, if there is one."""
        if self._places.sources.has(shown):
            yield shown
            yield from self._places.imports(name)


def _objects_in(shown: str, objects: Iterable[str]) -> list[str]:
    """Return those of a module's objects whose names show with a part.

    Of a part that a table has, the parts that tables have.
    """
    name = object_of(shown)
    if shown == part(name, FIELDS):
        return [shown]
    if shown in {part(name, CODE), part(name, WITH_MEMBERS)}:
        if not name:
            return [*objects]
        above = f"{name}."
        return [each for each in objects if each == name or each.startswith(above)]
    found = [name, *(part(name, each) for each in INITIALIZERS)]
    if shown == part(name, SUMMARY):
        return [part(each, SUMMARY) for each in found]
    return found
