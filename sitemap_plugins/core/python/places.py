"""A Python object that a page shows → the parts of it, and of others, that show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    DOCUMENTED,
    INITIALIZER,
    ORDER,
    PRIVATE,
    PRIVATE_DOCUMENTED,
    PUBLIC,
    part,
)
from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.objects import has_public
from sitemap_plugins.core.python.search import Finder
from sitemap_plugins.core.python.sources import Place, Sources
from sitemap_plugins.core.python.syntax import INITIALIZERS


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

    shows_private: bool = False
    """Whether it shows those that most hosts hide, too."""

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


class Places:
    """Finds the objects of a project that pages show."""

    def __init__(self, files: PythonFiles) -> None:
        """Take the files of its modules."""
        self.sources = Sources(files)
        self._finder = Finder(self.sources)

    def find(self, name: str) -> list[Place]:
        """Return where the project defines an object; empty if it does not.

        If it has no docstring there, the place of what it is another name for, or
        inherits from, comes next.

        Raises:
            ValueError: Too many names or classes lead to it.
        """
        return [*self._finder.find(name).places]

    def imports(self, name: str) -> list[Place]:
        """Return the parts that decide which object it is that a name stands for.

        Raises:
            ValueError: As `find`.
        """
        return [*dict.fromkeys(self._finder.find(name).imports)]

    def find_module(self, name: str) -> list[Place]:
        """Return where a module is, likewise."""
        file = self.sources.files.module(name)
        return [] if file is None else [Place(file, "", name, has_members=True)]

    def shown(self, place: Place, members: Members) -> list[Place]:
        """Return the parts of an object that a page shows, but for its members."""
        if not place.has_members:
            return [place]
        documented = members.documented
        shown = [place.part(DOCUMENTED)]
        private = PRIVATE_DOCUMENTED
        # Where all members have docstrings today, only older versions differ. A removal
        # is to be seen if the host shows those without; else it would date too late.
        if members.shows_undocumented or documented is False:
            shown = [place]
            private = PRIVATE
        if members.shows_private:
            shown.append(place.part(private))
        # Beside the list, not in it: for hosts that ask `__all__`, changes of what that
        # leaves out would date too late.
        if members.ignores_exports and not place.name:
            shown.append(place.part(PUBLIC))
        if documented is None:
            # Either the page shows no members, or there are none to show any more. In
            # the second case the commit that removed the last one counts.
            parts = self.sources.parts_in(place.file, is_run=members.is_run)
            is_hidden = any(has_public(parts, each.name) for each in shown)
            return [place.part(ALONE)] if is_hidden else shown
        if members.is_ordered:
            shown.append(place.part(ORDER))
        return shown

    def classes(self, place: Place) -> list[Place]:
        """Return a class and those of the project that it inherits from.

        In the order in which Python looks for a member; none of another object.

        Raises:
            ValueError: As `find`.
        """
        if not place.name or not place.has_members:
            return []
        order = self._finder.order(place)
        return [each for each in order if isinstance(each, Place)]

    def initializers(self, place: Place) -> Iterator[Place]:
        """Yield the parts of a class and its bases that decide its parameters.

        They end with the class that has an initializer.

        Raises:
            ValueError: As `find`.
        """
        for each in self.classes(place):
            yield each.part(INITIALIZER)
            parts = self.sources.parts_in(each.file)
            if any(part(each.name, name) in parts for name in INITIALIZERS):
                return
            yield from self._finder.imports_of_bases([each])
