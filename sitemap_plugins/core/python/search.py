"""The dotted name of a Python object → the files that define it, and its name there.

Modules of the project are read as text. What they import, inherit or name again is
followed from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sitemap_plugins.core.python.bases import MAX_CLASSES, order_of
from sitemap_plugins.core.python.excerpt_names import IMPORT, part
from sitemap_plugins.core.python.sources import Place, Sources
from sitemap_plugins.core.python.syntax import MAX_DOTS, last_of

_MAX_NAMES = 1000
"""Names that are looked up for one object."""

_MAX_DEPTH = 50
"""Of these, those that lead from one to the next.

What a module can be read with is what they leave of Python's stack; a module that is not
read for lack of it would be without names for all pages.
"""

Class = Place | str
"""A class; the last part of its name if it is not in the project."""


class Found(NamedTuple):
    """Where an object is."""

    places: tuple[Place, ...] = ()

    imports: tuple[Place, ...] = ()
    """The parts that led from module to module to these."""

    def followed_by(self, more: Found, imports: Iterable[Place]) -> Found:
        """Return this, and what `imports` have led to."""
        places = self.places + more.places
        return Found(places, (*self.imports, *imports, *more.imports))


_NOWHERE = Found()


class Finder:
    """Finds the objects of a project, and what its classes inherit from.

    What is found once is kept. It does not depend on what was asked for before.
    """

    def __init__(self, sources: Sources) -> None:
        """Take the modules."""
        self.sources = sources
        self._found: dict[str, Found] = {}
        self._bases: dict[Class, list[Class]] = {}
        self._base_imports: dict[tuple[Class, Class], tuple[Place, ...]] = {}
        """By class and base, the parts that import the base."""
        self._orders: dict[Class, list[Class]] = {}

    def find(self, name: str) -> Found:
        """Return where the project defines an object; nothing if it does not.

        If it has no docstring there, the place of what it is another name for, or
        inherits from, comes next.

        Raises:
            ValueError: Too many names or classes lead to it.
        """
        if name not in self._found:
            self._found[name] = _Search(self).find(name, is_inherited=True)
        return self._found[name]

    def order(self, it: Class) -> list[Class]:
        """Return a class and those that it inherits from, in Python's order.

        Raises:
            ValueError: There are too many.
        """
        return order_of(it, self._bases_of, self._orders)

    def imports_of_bases(
        self, classes: Iterable[Class], last: Place | None = None
    ) -> Iterator[Place]:
        """Yield the parts that import the bases of classes.

        With `last`, only of bases by which they inherit from that.
        """
        for each in classes:
            for base in self._bases_of(each):
                if last is None or last in self.order(base):
                    yield from self._base_imports[each, base]

    def _bases_of(self, it: Class) -> list[Class]:
        """Return the bases of a class, once the parts are noted that import them."""
        if isinstance(it, str):
            return []
        if it not in self._bases:
            bases: list[Class] = []
            every = self.sources.names_in(it.file, it.module).bases
            # `order` refuses so many; more need not be searched for.
            for names in every.get(it.name, [])[:MAX_CLASSES]:
                base, imports = self._base(names)
                bases.append(base)
                self._base_imports[it, base] = imports
            self._bases[it] = bases
        return self._bases[it]

    def _base(self, names: Sequence[str]) -> tuple[Class, tuple[Place, ...]]:
        """Return the class that a base is, and the parts that import it.

        `names` are those that it can have.
        """
        for name in names:
            # What is kept of it must not depend on what else is searched for.
            found = _Search(self).find(name, is_inherited=False)
            for each in found.places:
                if each.has_members:
                    return each, found.imports
        return last_of(names[-1]) if names else "", ()


class _Search:
    """Follows all names that can lead to one object."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._sources = finder.sources
        self._found: dict[tuple[str, bool], Found] = {}
        self._depth = 0

    def find(self, name: str, *, is_inherited: bool) -> Found:
        """Return where an object is.

        `is_inherited` tells whether it can be what a class inherits.
        """
        wanted = (name, is_inherited)
        if wanted in self._found:
            return self._found[wanted]
        # Some names lead to longer and longer ones: `text = text.strip()`.
        if name.count(".") > MAX_DOTS:
            return _NOWHERE
        if len(self._found) > _MAX_NAMES:
            msg = f"more than {_MAX_NAMES} names lead to {name}"
            raise ValueError(msg)
        if self._depth == _MAX_DEPTH:
            msg = f"{_MAX_DEPTH} names lead from one to the next, and to {name}"
            raise ValueError(msg)
        # A name that leads to itself is nowhere.
        self._found[wanted] = _NOWHERE
        self._depth += 1
        found = self._defined(name, is_inherited=is_inherited)
        if is_inherited and not self._is_documented(found):
            found = found.followed_by(self._inherited(name), ())
        self._depth -= 1
        self._found[wanted] = found
        return found

    def _is_documented(self, found: Found) -> bool:
        """Tell whether the last of some places has a docstring."""
        return bool(found.places) and self._sources.is_documented(found.places[-1])

    def _defined(self, name: str, *, is_inherited: bool) -> Found:
        """Find an object where it has this name, or what that stands for."""
        place = self._sources.place_of(name)
        if place is None:
            return _NOWHERE
        found = _NOWHERE
        if self._sources.has(place):
            found = Found((place,))
            if self._is_documented(found):
                return found
        # A package that imports its modules when they are used says in a stub what it
        # has. But what a stub defines is not what a module says.
        for file in (place.file, place.file.with_suffix(".pyi")):
            names = self._sources.names_in(file, place.module)
            for other in names.elsewhere(place.name):
                more = self.find(other, is_inherited=is_inherited)
                if more.places:
                    imports = self._imports(place._replace(file=file), other)
                    return found.followed_by(more, imports)
        return found

    def _imports(self, place: Place, other: str) -> list[Place]:
        """Return the part that imports a name of a module, or what it begins with.

        `other` is what it stands for. A module is not imported from another one.
        """
        first, dot, rest = place.name.partition(".")
        imported = place._replace(name=part(first, IMPORT), has_members=False)
        if not self._sources.has(imported):
            return []
        module = other.removesuffix(dot + rest)
        if self._sources.files.module(module) is not None:
            return []
        return [imported]

    def _inherited(self, name: str) -> Found:
        """Find what a class inherits: a member, or the docstring of a base."""
        place = self._sources.place_of(name)
        if place is None:
            return _NOWHERE
        names = self._sources.names_in(place.file, place.module)
        owner = names.class_of(place.name)
        if not owner:
            return _NOWHERE
        member = place.name.removeprefix(owner)
        order = self._finder.order(place._replace(name=owner, has_members=True))
        found = _NOWHERE
        for number, each in enumerate(order[1:], 1):
            if isinstance(each, str):
                continue
            more = self._member(each, member)
            if more.places:
                imports = self._finder.imports_of_bases(order[:number], each)
                found = found.followed_by(more, imports)
            if self._is_documented(more):
                break
        return found

    def _member(self, of: Place, member: str) -> Found:
        """Find a member that a class itself has; the class if it is empty."""
        name = f"{of.module}.{of.name}{member}"
        # What is in a class within it can be inherited by that.
        return self.find(name, is_inherited=member.count(".") > 1)
