"""When what a page shows of Python objects changed last, by Griffe and git.

Griffe finds where an object is defined, and reads it in each version of that file. A
change is one of two kinds:

- *plain*: the docstring, or the parameters of a function, their order and defaults. Who
  sees the object sees these; of an object in a table, the first paragraph.
- *possible*: the rest of what Griffe reads, such as annotations, values, decorators,
  bases and which members there are; in a table, the signature. Settings and templates
  say whether readers see it.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import griffe

from benchmarks.truth.python_objects import (
    Documented,
    Files,
    docstring,
    git,
    is_listed,
    signature,
    view,
    visit,
)

if TYPE_CHECKING:
    from benchmarks.truth.documented import Names
    from benchmarks.truth.history import History

FIRST, SIGNATURE, PLAIN, POSSIBLE = "1", "(", "=", "?"
"""The parts of an object that are read, behind its name."""

MANUAL = re.compile(
    r"""
    ^ [ \t]* (?: \.\. | [`:]{3,} [{] ) [ ]* (?:py:)?
    (?: module | function | class | method | attribute | data | exception | property
      | decorator | staticmethod | classmethod | type )
    [}]? (?: :: )? [ ]+ ( [^\n(]+ )
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A directive of Sphinx that describes an object by hand."""


class Change(NamedTuple):
    """A commit that changed what is seen of an object."""

    committed: datetime

    authored: datetime

    name: str
    """The dotted name of the object, as the page has it."""


class Shown(NamedTuple):
    """What the history says of the objects of one page."""

    plain: Change | None
    """The newest change that readers see; None if no object has any."""

    possible: tuple[Change, ...]
    """Newer changes that they may see, from the newest."""

    files: tuple[str, ...]
    """The paths of the modules in the repository."""

    why: str
    """Why nothing can be decided; empty if it can."""


class _Place(NamedTuple):
    """Where an object is defined."""

    path: str
    name: str
    """In its module; empty for the module."""


class Objects:
    """The objects of Python in one clone, whose site was built in an environment."""

    def __init__(
        self,
        source: Path,
        env: Path,
        opened: Iterable[str],
        history: History,
    ) -> None:
        """`opened` are the files that the build has read; all paths are absolute."""
        self._source = source
        self._packages = list(env.glob("lib/python*/site-packages"))
        self._opened = set(opened)
        paths = history.tracked.keys() - history.changed
        self._modules = {path for path in paths if path.endswith(".py")}
        self._files = Files(source, read_parts, history.ignored)
        self._loaded: dict[str, tuple[Any, Path] | None] = {}
        self._dates: dict[str, tuple[datetime, datetime]] = {}
        self._why: dict[tuple[str, str], str] = {}

    def close(self) -> None:
        """End what reads the history."""
        self._files.close()

    def shown(self, names: Names, own_text: str) -> Shown | None:
        """Return what dates the objects of a page; None if it shows none.

        `own_text` is that of its source, which can describe objects by hand.
        """
        by_hand = {match.strip() for match in MANUAL.findall(own_text)}
        plain: dict[tuple[str, str], str] = {}
        possible: dict[tuple[str, str], str] = {}
        files: dict[str, None] = {}
        why = ""
        if names.has_nameless:
            why = "it shows an object of Python without its name"
        is_any = names.has_nameless
        for name, first in self._wanted(names, by_hand):
            is_any = True
            places, reason = self._find(name)
            why = why or reason
            for number, place in enumerate(places):
                files[place.path] = None
                # Of other places than its own, nothing is certain.
                if number == 0:
                    plain.setdefault((place.path, place.name + first), name)
                # Tables have signatures too, unless the author leaves them out.
                other = POSSIBLE if first == PLAIN else SIGNATURE
                possible.setdefault((place.path, place.name + other), name)
        if not is_any:
            return None
        if why:
            return Shown(None, (), tuple(files), why)
        changes = self._changes(plain)
        newest = max(changes, default=None)
        newer = sorted(self._changes(possible), reverse=True)
        if newest:
            newer = [each for each in newer if each.committed > newest.committed]
        return Shown(newest, tuple(newer), tuple(files), "")

    def _wanted(self, names: Names, by_hand: set[str]) -> Iterator[tuple[str, str]]:
        """Yield the objects that come from code, and the part that readers see."""
        for name in names.whole:
            if not any(name == each or name.endswith(f".{each}") for each in by_hand):
                yield name, PLAIN
        for name in names.listed:
            yield name, FIRST

    def _changes(self, parts: Mapping[tuple[str, str], str]) -> list[Change]:
        """Return the newest change of each part."""
        changes = []
        for (path, part), name in parts.items():
            commit = self._files.newest(path, part)
            if commit:
                changes.append(Change(*self._dates_of(commit), name))
        return changes

    def _dates_of(self, commit: str) -> tuple[datetime, datetime]:
        if commit not in self._dates:
            said = git(self._source, "show", "-s", "--format=%cI %aI", commit).decode()
            committed, authored = map(datetime.fromisoformat, said.split())
            self._dates[commit] = (committed, authored)
        return self._dates[commit]

    def _find(self, name: str) -> tuple[list[_Place], str]:
        """Return where an object and what it inherits is defined, or why not."""
        loaded = self._load(name.partition(".")[0])
        if loaded is None:
            return [], f"it shows {name}, whose module the repository does not have"
        collection, root = loaded
        it = _object(collection, name)
        if it is None:
            owner = _object(collection, name.rpartition(".")[0])
            if owner is not None and owner.is_class and _has_foreign_base(owner):
                # Inherited from elsewhere: no commit here changes it.
                return [], ""
            return [], f"it shows {name}, which Griffe does not find"
        places = []
        for each in (it, *_sources_of(it), *_named_in_types(collection, it)):
            file = Path(str(each.module.filepath))
            path = os.path.relpath(file, self._source)
            place = _Place(path, _name_in_module(each))
            if path not in self._modules:
                reason = "the repository does not have its file"
            else:
                reason = self._why_differs(place, file.relative_to(root))
            if reason:
                return [], f"it shows {name}: {reason}"
            places.append(place)
        return places, ""

    def _load(self, package: str) -> tuple[Any, Path] | None:
        """Return Griffe's modules with a package of the repository, and its folder."""
        if package not in self._loaded:
            self._loaded[package] = None
            folder = self._folder_of(package)
            modules = self._read_package(folder, package) if folder else None
            if folder and modules:
                self._loaded[package] = modules, folder
        return self._loaded[package]

    def _read_package(self, folder: Path, package: str) -> Any | None:
        """Return what Griffe reads of a package of a folder; None if it cannot.

        One that exports objects of another with stubs needs that first.
        """
        modules = griffe.ModulesCollection()
        loader = griffe.GriffeLoader(
            search_paths=[folder], allow_inspection=False, modules_collection=modules
        )
        below = folder.relative_to(self._source).as_posix()
        for each in (package, *sorted(self._packages_in(below)), package):
            with suppress(ImportError, griffe.GriffeError, RecursionError):
                loader.load(each, try_relative_path=False)
                if each == package:
                    loader.resolve_aliases(external=False)
                    return modules
        return None

    def _packages_in(self, folder: str) -> set[str]:
        prefix = "" if folder == "." else f"{folder}/"
        names = set()
        for path in self._modules:
            name, _, rest = path.removeprefix(prefix).partition("/")
            if path.startswith(prefix) and rest == "__init__.py":
                names.add(name)
        return names

    def _folder_of(self, package: str) -> Path | None:
        """Return the folder with a package or module: that with the shortest path."""
        found = []
        for end in (f"/{package}/__init__.py", f"/{package}.py"):
            places = [path for path in self._modules if f"/{path}".endswith(end)]
            found += [path.removesuffix(end[1:]) for path in places]
        if not found:
            return None
        return self._source / min(found, key=lambda path: (path.count("/"), path))

    def _why_differs(self, place: _Place, below: Path) -> str:
        """Return why a page shows another version than the repository has, or empty.

        An installed package is shown instead of the repository's, unless that was read.
        """
        file = self._source / place.path
        if str(file) in self._opened:
            return ""
        for packages in self._packages:
            installed = packages / below
            if not installed.is_file():
                continue
            theirs = read_parts(installed.read_bytes())
            own = read_parts(file.read_bytes())
            for part in (PLAIN, POSSIBLE):
                if theirs.get(place.name + part) != own.get(place.name + part):
                    return "the installed version differs"
        return ""


def read_parts(content: bytes) -> dict[str, Hashable]:
    """Return what Griffe sees of a module's objects, as parts by their names."""
    parts: dict[str, Hashable] = {}
    module = visit(content)
    if module is not None:
        _add(parts, "", module)
    return parts


def _add(parts: dict[str, Hashable], name: str, it: Any) -> None:
    words = inspect.cleandoc(docstring(it))
    plain: list[Hashable] = [words]
    first: list[Hashable] = [words.partition("\n\n")[0]]
    possible: list[Hashable] = [view(it)]
    called: Hashable = ()
    callee = it.members.get("__init__") if it.is_class else it
    if callee is not None and callee.is_function and "property" not in it.labels:
        called = signature(callee)
        parameters, _ = called
        plain += [(name, default) for name, _, default, _ in parameters]
    mark: Callable[[Hashable], Hashable] = Documented if words else _unmarked
    if it.is_class or it.is_module:
        # What a module only imports, no host lists unless it is exported.
        exports = it.is_module and it.exports is not None
        listed = [key for key in it.members if is_listed(it, key)]
        if not exports:
            listed = [key for key in listed if not it.members[key].is_alias]
        possible.append(tuple(listed))
        for member in it.members.values():
            if not member.is_alias:
                inner = f"{name}.{member.name}" if name else member.name
                _add(parts, inner, member)
    parts[name + PLAIN] = mark(tuple(plain))
    parts[name + FIRST] = mark(tuple(first))
    parts[name + SIGNATURE] = mark((*first, called))
    parts[name + POSSIBLE] = mark(tuple(possible))


def _unmarked(value: Hashable) -> Hashable:
    return value


def _object(collection: Any, name: str) -> Any | None:
    """Return an object of a dotted name, where it is defined; None for none."""
    with suppress(KeyError, ValueError, griffe.GriffeError, RecursionError):
        it = collection[name]
        return it.final_target if it.is_alias else it
    return None


def _sources_of(it: Any) -> Iterator[Any]:
    """Yield the objects from which one can have a docstring, parameters or fields."""
    owner = it if it.is_class else it.parent
    if owner is None or not owner.is_class:
        return
    with suppress(ValueError, griffe.GriffeError, RecursionError):
        for base in owner.mro():
            if it.is_class:
                yield base
            elif not it.docstring and it.name in base.members:
                member = base.members[it.name]
                if not member.is_alias:
                    yield member


def _named_in_types(collection: Any, it: Any) -> list[Any]:
    """Return the attributes that an object's annotations name, such as types.

    Autodoc shows what they stand for; they can name others.
    """
    callee = it.members.get("__init__") if it.is_class else it
    if callee is None:
        return []
    expressions = [callee.annotation] if callee.is_attribute else []
    if callee.is_function:
        expressions = [each.annotation for each in callee.parameters]
        expressions.append(callee.returns)
    found: dict[str, Any] = {}
    while expressions:
        expression = expressions.pop()
        if not isinstance(expression, griffe.Expr):
            continue
        for name in expression.iterate(flat=True):
            path = name.canonical_path if isinstance(name, griffe.ExprName) else ""
            named = _object(collection, path) if path not in found else None
            if named is not None and named.is_attribute:
                found[path] = named
                expressions.append(named.value)
    return list(found.values())


def _has_foreign_base(owner: Any) -> bool:
    """Tell whether a class has a base, also of a base, that is defined elsewhere."""
    classes = [owner]
    with suppress(ValueError, griffe.GriffeError, RecursionError):
        classes += owner.mro()
    return any(len(each.resolved_bases) < len(each.bases) for each in classes)


def _name_in_module(it: Any) -> str:
    return it.path.removeprefix(it.module.path).removeprefix(".")
