"""Versions of a module → the parts of its objects, by name.

What many versions have in common is read once: a module is divided before the
definitions that begin a line, and what was read of one is kept by its text.

Hosts differ in what they show, and some run the module. So a change counts unless it is
certain that no reader sees it, and there are readers for both: `read_parts` and
`read_values`.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.python.annotations import (
    Context,
    Form,
    bound_in,
    only_for_types,
)
from sitemap_plugins.core.python.definitions import MODULE, Definition, docstring_of
from sitemap_plugins.core.python.excerpt_names import (
    CODE,
    EXPORTS,
    IMPORT,
    object_of,
    part,
)
from sitemap_plugins.core.python.objects import Object, add_parts
from sitemap_plugins.core.python.pieces import Piece, read_changes
from sitemap_plugins.core.python.syntax import (
    PYTHON,
    UNREADABLE,
    Count,
    decode,
    parse,
)
from sitemap_plugins.core.records import Excerpt
from sitemap_plugins.core.values import Changes

VERSION = f"11 {PYTHON}"
"""Of what is read: higher once the same module gives other parts."""

MAX_KEPT = 1 << 24
"""Characters of the definitions of which is kept what was read.

All modules of networkx have 7 million. In memory, it is about four times as much.
"""

_DEFINITION = re.compile(r"^(?:@|class\b|def\b|async[ ]+def\b)", re.MULTILINE)


class ModuleReader:
    """Reads many versions of modules, and what these have in common only once."""

    def __init__(self) -> None:
        """Start without anything read."""
        self._known = _Known()

    def excerpt(
        self, file: Path, name: str, changes: Changes, *, is_run: bool = False
    ) -> Excerpt:
        """Return what a page shows of a module: a part of that name, as of `part`.

        `is_run` tells whether the host has run the module.
        """
        read = self.read_values if is_run else self.read_parts
        if changes == "any":
            read = self.read_lines
        return Excerpt(
            file=file,
            name=name,
            read=read,
            version=f"{changes} {read.__name__} {VERSION}",
            label=object_of(name) or "the module",
        )

    def read_parts(self, content: bytes) -> Mapping[str, Hashable]:
        """Return what readers see of the objects of a module, by their parts' names.

        An object's own name is that in its module, empty for the module itself. It
        stands for the object with the names of its members; `parts` has the names of
        its other parts. A module that cannot be read has no parts.
        """
        return self._parts(content, "source")

    def read_values(self, content: bytes) -> Mapping[str, Hashable]:
        """Return what readers see of the objects of a module on hosts that run it.

        By the same names as `read_parts`. What the module does to an object after its
        definition is a part of it, and what decides which definition is run. Not listed
        are members that autodoc leaves out without a docstring: special ones, and
        variables of modules.
        """
        return self._parts(content, "values")

    def read_lines(self, content: bytes) -> Mapping[str, Hashable]:
        """Return the lines of the objects of a module, by the same names.

        An object's lines, of a module the whole file, stand for its signature.
        """
        return self._parts(content, "lines")

    def _parts(self, content: bytes, form: Form) -> Mapping[str, Hashable]:
        """Return the parts of a module; none if it cannot be read."""
        parts: dict[str, Hashable] = {}
        try:
            text = decode(content)
            module, code = self._read(text, form)
            add_parts(parts, "", module)
            for name, origins in module.origins.items():
                # Which of several it is, nobody knows: none is followed.
                origin = origins[0] if len(origins) == 1 else origins
                parts[part(name, IMPORT)] = origin
            parts[CODE] = text if form == "lines" else code
        except UNREADABLE:
            return {}
        return parts

    def _read(self, text: str, form: Form) -> tuple[Object, str]:
        """Return a module with all its objects, and its text as `CODE` says."""
        try:
            return _Version(self._known, form).read(_sections(text))
        except SyntaxError:
            # A line in a string can look like a definition.
            return _Version(self._known, form).read([text])


def _sections(text: str) -> list[str]:
    """Divide a module before the definitions that begin a line; the first has none.

    If all parse alone, their statements are those of the module: none of these keywords
    goes on with a statement or an expression. Comments above an attribute stay with it.
    """
    starts = [0]
    is_decorated = False
    for found in _DEFINITION.finditer(text):
        if not is_decorated:
            starts.append(found.start())
        is_decorated = found[0] == "@"
    ends = [*starts[1:], len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


class _Section(NamedTuple):
    """What was read of one definition, by itself."""

    module: Object
    """A module that has only this object."""

    code: str
    """Its text, as `CODE` says."""

    objects: int
    """How many it has."""


_Key = tuple[str, str, int]
"""A definition's text, the form that is read, and what stands for its module."""


class _Known:
    """What was read of definitions, of the last ones that were asked for."""

    def __init__(self) -> None:
        self._sections: OrderedDict[_Key, _Section] = OrderedDict()
        self._size = 0

    def get(self, key: _Key) -> _Section | None:
        found = self._sections.get(key)
        if found is not None:
            self._sections.move_to_end(key)
        return found

    def keep(self, key: _Key, section: _Section) -> None:
        self._sections[key] = section
        self._size += len(key[0])
        while self._size > MAX_KEPT:
            (text, _, _), _ = self._sections.popitem(last=False)
            self._size -= len(text)


class _Version:
    """Reads the objects of one version of a module."""

    def __init__(self, known: _Known, form: Form) -> None:
        """Start to read."""
        self._known = known
        self._module = Object()
        bound = {*dir(builtins)}
        self._context = Context(form, self._module.imports, bound, set())
        self._stands_for = 0
        """The hash of the imports so far, and of what else is bound."""
        self._count = Count()
        self._docstring = ""
        self._code: list[str] = []
        """The text of each section, as `CODE` says."""
        self._body: list[ast.stmt] = []
        """The statements of the module but for the definitions that were read alone."""

    def read(self, sections: Sequence[str]) -> tuple[Object, str]:
        """Return the module with all its objects, and its text as `CODE` says."""
        module = self._module
        whole = "".join(sections)
        if self._context.is_run:
            self._context.bound.update(bound_in(whole))
            self._stands_for = hash(frozenset(self._context.bound))
        for text in sections:
            self._read_section(text)
        if self._context.is_run:
            read_changes(self._body, module, self._count)
        own = whole.split("\n")
        if self._context.form != "lines":
            own = sorted({*_names_in(module.exports)} - {EXPORTS})
        module.definitions.append(
            Definition(MODULE, tuple(own), docstring=self._docstring)
        )
        return module, "".join(self._code)

    def _read_section(self, text: str) -> None:
        """Read a section, or take what was read of the same one before."""
        key = (text, self._context.form, self._stands_for)
        section = self._known.get(key)
        if section is None:
            tree = parse(text)
            match tree.body:
                case [ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef()]:
                    section = self._read_alone(text, tree)
                    self._known.keep(key, section)
                case _:
                    # Other statements can concern the whole module.
                    self._read_statements(text, tree)
                    return
        self._count.add(section.objects)
        self._code.append(section.code)
        self._module.add(section.module)

    def _read_alone(self, text: str, tree: ast.Module) -> _Section:
        """Return what a definition is in any version with this context."""
        module = Object()
        count = Count()
        piece = Piece(text, module, self._context, count)
        piece.read(tree.body, module)
        return _Section(module, piece.code(), count.number)

    def _read_statements(self, text: str, tree: ast.Module) -> None:
        """Read the statements of a section into the module."""
        if not self._code:
            self._docstring = docstring_of(tree, self._context)
        piece = Piece(text, self._module, self._context, self._count)
        piece.read(tree.body, self._module)
        self._code.append(piece.code())
        self._body += tree.body
        unbound = []
        if self._context.is_run:
            unbound = [*only_for_types(tree.body)]
        self._context.unbound.update(unbound)
        self._stands_for = hash((self._stands_for, *piece.imported, *unbound))


def _names_in(exports: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names in statements: those of modules whose exports are taken over."""
    for statement in exports:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                yield node.id
