"""Versions of a module → the parts of its objects, by name."""

from __future__ import annotations

import gc
import re
import sys
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from sitemap_plugins.core.git.last_change import Distinct
from sitemap_plugins.core.python.definitions import (
    INITIALIZERS,
    MAX_OBJECTS,
    Object,
    read_section,
)
from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    DOCUMENTED,
    FIELDS,
    ORDER,
    PARAMETERS,
    SUMMARY,
    WITH_MEMBERS,
    object_of,
    part,
)
from sitemap_plugins.core.python.text import UNREADABLE, decode
from sitemap_plugins.core.records import Excerpt
from sitemap_plugins.core.values import Changes

VERSION = f"rule 2, {sys.version_info.major}.{sys.version_info.minor}"
"""The version of what is read, which is higher once the same module gives other parts.

Another version of Python parses more modules.
"""

MAX_KEPT = 1 << 24
"""Characters of the definitions of which is kept what was read.

All modules of networkx have 7 million.
"""

_DEFINITION = re.compile(r"^(?:@|class\b|def\b|async[ ]+def\b)", re.MULTILINE)


class ModuleReader:
    """Reads many versions of modules, and each definition that stayed only once."""

    def __init__(self) -> None:
        """Start without anything read."""
        self._known: OrderedDict[str, Object] = OrderedDict()
        """What was read of definitions, by their text: of the last ones."""
        self._size = 0

    def excerpt(self, file: Path, name: str, changes: Changes) -> Excerpt:
        """Return what a page shows of a module: a part of that name, as of `part`.

        If `changes` is `any`, the excerpt is the whole module.
        """
        if changes == "any":
            return Excerpt(file=file, name="", read=read_whole, label="the module")
        label = object_of(name) or "the module"
        return Excerpt(
            file=file, name=name, read=self.read_parts, version=VERSION, label=label
        )

    def read_parts(self, content: bytes) -> Mapping[str, Hashable]:
        """Return what readers see of the objects of a module, in parts with names.

        One part of each object has the object's own name, which is empty for the module
        itself. That part holds the object and the names of its members. The names of an
        object's other parts are those of `excerpt_names`. A module that cannot be read
        has no parts.
        """
        parts: dict[str, Hashable] = {}
        with suppress(*UNREADABLE):
            _add_parts(parts, "", self._read(decode(content)), of_known=False)
        return parts

    def read(self, content: bytes) -> Object:
        """Return a module with all its objects; without any if it cannot be read."""
        with suppress(*UNREADABLE):
            return self._read(decode(content))
        return Object()

    def _read(self, text: str) -> Object:
        is_collected = gc.isenabled()
        # Trees have no cycles: to look for some takes as long as to parse.
        gc.disable()
        try:
            return self._together(_sections(text))
        except SyntaxError:
            # A line in a string can look like a definition.
            return self._together([text])
        finally:
            if is_collected:
                gc.enable()

    def _together(self, sections: Iterable[str]) -> Object:
        module = Object()
        for text in sections:
            module.add(self._section(text))
            if module.size > MAX_OBJECTS:
                raise ValueError(module.size)
        return module

    def _section(self, text: str) -> Object:
        """Read a definition, which is the same in every version of its module."""
        found = self._known.get(text)
        if found is not None:
            self._known.move_to_end(text)
            return found
        found = read_section(text)
        self._known[text] = found
        self._size += len(text)
        while self._size > MAX_KEPT:
            oldest, _ = self._known.popitem(last=False)
            self._size -= len(oldest)
        return found


def read_whole(content: bytes) -> Mapping[str, Hashable]:
    """Return a module as one part with an empty name."""
    return {"": content}


def _sections(text: str) -> list[str]:
    """Divide a module before each definition that begins a line.

    The first section ends at the first definition, and can be empty. If each section
    can be parsed alone, together they have the statements of the module.
    """
    starts = [0]
    is_decorated = False
    for found in _DEFINITION.finditer(text):
        if not is_decorated:
            starts.append(found.start())
        is_decorated = found[0] == "@"
    ends = [*starts[1:], len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _add_parts(
    parts: dict[str, Hashable], name: str, it: Object, *, of_known: bool
) -> Hashable:
    """Add the parts of an object and its members; return that with members.

    `of_known` tells whether it is in a documented class: then it is known again if it
    moves to another file, as documented ones are.
    """
    is_known = of_known or bool(it.docstring)
    shown = {}
    for member, inner in it.members.items():
        below = is_known and bool(name)
        shown[member] = _add_parts(parts, part(name, member), inner, of_known=below)
    found = _parts_of(it, shown)
    for of, value in found.items():
        parts[part(name, of)] = Distinct(value) if is_known else value
    return found.get(WITH_MEMBERS, found[""])


def _parts_of(it: Object, shown: Mapping[str, Hashable]) -> dict[str, Hashable]:
    """Return the parts of an object by what they are of it.

    `shown` has by name what readers see of each member.
    """
    summary, _, _ = it.docstring.partition("\n\n")
    alone: tuple[Hashable, ...] = (tuple(it.signature), it.docstring)
    if not it.has_members:
        return {"": alone, SUMMARY: (tuple(it.brief), summary)}
    brief: list[str] = []
    parameters: list[Hashable] = []
    for name in INITIALIZERS:
        own = it.members.get(name)
        if own is not None:
            brief += own.brief
            parameters.append((tuple(own.signature), own.docstring))
    alone += tuple(parameters)
    names = it.listed()
    members = [name for name in it.members if name in names]
    documented = [name for name in members if it.members[name].is_documented]
    whole = [(name, shown[name]) for name in sorted(members)]
    listed = tuple(sorted(names))
    fields = tuple(_fields(it))
    # Long: a line for each part.
    return {
        "": (alone, listed),
        ALONE: alone,
        DOCUMENTED: (alone, tuple(sorted(documented))),
        ORDER: tuple(members),
        WITH_MEMBERS: (alone, listed, tuple(whole)),
        SUMMARY: (tuple(brief), summary),
        PARAMETERS: tuple(parameters),
        FIELDS: fields,
    }


def _fields(it: Object) -> Iterator[Hashable]:
    """Yield what the body of a class assigns."""
    for name, member in it.members.items():
        if member.is_field:
            yield name, tuple(member.signature)
