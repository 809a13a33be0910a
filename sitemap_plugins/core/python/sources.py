"""The modules of a project, each read once: their parts, and what their names are."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.python.excerpt_names import ALONE, part
from sitemap_plugins.core.python.layouts import PACKAGE, PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.names import Names
from sitemap_plugins.core.python.objects import is_documented
from sitemap_plugins.core.python.syntax import UNREADABLE, decode, parse


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


class Sources:
    """Reads the modules of a project."""

    def __init__(self, files: PythonFiles) -> None:
        """Take the modules' files."""
        self.files = files
        self._reader = ModuleReader()
        self._parts: dict[tuple[Path, bool], Mapping[str, Hashable]] = {}
        """By file, and whether it is read for a host that runs it."""
        self._names: dict[Path, Names] = {}

    def place_of(self, name: str) -> Place | None:
        """Return the place in a module that an object of a dotted name has, if it is.

        None if no module of the project can have it.
        """
        module = name.rpartition(".")[0]
        while module:
            file = self.files.module(module)
            if file is not None:
                below = name.removeprefix(f"{module}.")
                has_members = part(below, ALONE) in self.parts_in(file)
                return Place(file, below, module, has_members)
            module = module.rpartition(".")[0]
        return None

    def has(self, place: Place) -> bool:
        """Tell whether an object, or a part of it, is in its module."""
        return place.name in self.parts_in(place.file)

    def is_documented(self, place: Place) -> bool:
        """Tell whether an object has a docstring of its own."""
        return is_documented(self.parts_in(place.file), place.name)

    def parts_in(self, file: Path, *, is_run: bool = False) -> Mapping[str, Hashable]:
        """Return the parts of a module, for a host that reads or runs it."""
        key = (file, is_run)
        if key not in self._parts:
            reader = self._reader
            read = reader.read_values if is_run else reader.read_parts
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

    def with_stub(self, file: Path, name: str) -> list[Path]:
        """Return which of a module and the stub beside it have a part of that name.

        The module if neither has.
        """
        stub = file.with_suffix(".pyi")
        if stub == file or not stub.is_file():
            return [file]
        found = [each for each in (file, stub) if name in self.parts_in(each)]
        return found or [file]


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
