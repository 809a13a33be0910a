"""Versions of a module → the parts of its objects, by name."""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path

from sitemap_plugins.core.git.last_change import Distinct
from sitemap_plugins.core.python.definitions import (
    INITIALIZERS,
    Object,
    read_section,
)
from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    CODE,
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

VERSION = f"B2 {sys.version_info.major}.{sys.version_info.minor}"
"""Of what is read: higher once the same module gives other parts."""

_DEFINITION = re.compile(r"^(?:@|class\b|def\b|async[ ]+def\b)", re.MULTILINE)


def excerpt(file: Path, name: str, changes: Changes) -> Excerpt:
    """Return what a page shows of a module: a part of that name, as of `part`."""
    read = read_lines if changes == "any" else read_parts
    version = f"{changes} {VERSION}"
    label = object_of(name) or "the module"
    return Excerpt(file=file, name=name, read=read, version=version, label=label)


def read_parts(content: bytes) -> Mapping[str, Hashable]:
    """Return what readers see of the objects of a module, by their parts' names.

    An object's own name is that in its module, empty for the module itself. It stands
    for the object with the names of its members. None for a module that cannot be read.
    """
    parts: dict[str, Hashable] = {}
    with_text = None
    try:
        with_text = decode(content)
        _add_parts(parts, "", _read(with_text), of_known=False)
    except UNREADABLE:
        return {}
    parts[CODE] = with_text
    return parts


def read_lines(content: bytes) -> Mapping[str, Hashable]:
    """Return the whole text for each object: any change of the module counts."""
    parts = read_parts(content)
    return dict.fromkeys(parts, content)


def read_module(content: bytes) -> Object:
    """Return a module with all its objects; without any if it cannot be read."""
    try:
        return _read(decode(content))
    except UNREADABLE:
        return Object()


def _read(text: str) -> Object:
    try:
        return _together(_sections(text))
    except SyntaxError:
        # A line in a string can look like a definition.
        return _together([text])


def _together(sections: Iterable[str]) -> Object:
    module = Object()
    is_first = True
    for text in sections:
        module.add(read_section(text, is_first=is_first))
        is_first = False
    return module


def _sections(text: str) -> list[str]:
    """Divide a module before the definitions that begin a line; the first has none.

    If all parse alone, their statements are those of the module.
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
    signature = tuple(it.signature)
    first, _, _ = it.docstring.partition("\n\n")
    alone: tuple[Hashable, ...] = (signature, it.docstring)
    if not it.has_members:
        return {"": alone, SUMMARY: (tuple(it.brief), first)}
    parameters = tuple(_parameters(it))
    alone += parameters
    names = _listed(it)
    own = [name for name in it.members if name in names]
    documented = [name for name in own if it.members[name].is_documented]
    return {
        "": (alone, tuple(sorted(names))),
        ALONE: alone,
        DOCUMENTED: (alone, tuple(sorted(documented))),
        ORDER: tuple(own),
        WITH_MEMBERS: (alone, tuple((name, shown[name]) for name in sorted(own))),
        SUMMARY: (tuple(_briefs(it)), first),
        PARAMETERS: parameters,
        FIELDS: tuple(it.fields),
    }


def _parameters(it: Object) -> Iterator[Hashable]:
    for name in INITIALIZERS:
        if name in it.members:
            yield tuple(it.members[name].signature), it.members[name].docstring


def _briefs(it: Object) -> Iterator[str]:
    for name in INITIALIZERS:
        if name in it.members:
            yield from it.members[name].brief


def _listed(it: Object) -> set[str]:
    """Return the names of the members that readers see."""
    names = {*it.exports}
    if names and not it.is_computed:
        return names
    for name, member in it.members.items():
        if name in it.imports or member.is_set:
            continue
        if not name.startswith("_") or (name.startswith("__") and member.docstring):
            names.add(name)
    return names
