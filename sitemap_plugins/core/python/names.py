"""A module's text → where its names lead, and which names its objects read.

What hosts show of an object that they run can be the value of a name, or the text of a
decorator.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain

from sitemap_plugins.core.python.changes import changes, handed
from sitemap_plugins.core.python.decorators import is_wraps, is_writer, makers
from sitemap_plugins.core.python.parts import EXPORTS, FIELDS, TEXT, VALUE, part
from sitemap_plugins.core.python.syntax import (
    DOCSTRING,
    Count,
    Function,
    dotted,
    sets_exports,
    statements,
    targets,
)

WRAPPED = "__wrapped__"
"""Stands behind a name of which all that a function shows is shown, as by `wraps`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Where the names of one module lead that stand for something else."""

    name: str

    package: str
    """What its relative imports are relative to."""

    lines: list[str]

    count: Count = field(default_factory=Count)
    """Of what code does to objects."""

    leads: list[tuple[str, str]] = field(default_factory=list)
    """Names here, with the dotted names of what they stand for.

    A class has those of its bases; an empty name stands for all of another module.
    """

    reads: dict[str, list[Sequence[str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Names, dotted and as they are written, in pieces of what is shown of each object.

    For the parts `TEXT` and `FIELDS` in its body. Objects share what they have from one
    piece: a long one can concern many.
    """

    lists: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Likewise in what sets `EXPORTS`; for a star, the lists of modules of which all
    names are imported."""

    def read(self, body: Sequence[ast.stmt], scope: str = "") -> None:
        """Note where the names of the module or a class lead; `scope` ends in a dot."""
        self._read_changes(body, scope)
        for statement, _ in statements(body):
            match statement:
                case ast.ClassDef():
                    self._read_class(statement, scope)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_function(statement, scope)
                case ast.Import():
                    for alias in statement.names:
                        first = alias.name.partition(".")[0]
                        target = alias.name if alias.asname else first
                        self.leads.append((alias.asname or first, target))
                case ast.ImportFrom():
                    self._read_import(statement)
                case _ if sets_exports(statement):
                    self.lists[EXPORTS] += _read_in(statement)
                case _:
                    self._read_assignment(statement, scope)

    def _read_changes(self, body: Sequence[ast.stmt], scope: str) -> None:
        """Note what the code reads that decides about objects."""
        # With more, no part of the module is known, and each change of it counts.
        with suppress(ValueError):
            for code, names in chain(changes(body), handed(body)):
                self.count.add(len(names))
                read = _read_in(code) if names else ()
                for name in filter(None, names):
                    self.reads[scope + name].append(read)

    def _read_class(self, statement: ast.ClassDef, scope: str) -> None:
        name = scope + statement.name
        for base in reversed(statement.bases):
            self._lead(name, scope, base)
        made_by = [*statement.decorator_list, *statement.bases, *statement.keywords]
        self.reads[name].append(_read_in(*made_by))
        for maker in makers(statement):
            self.reads[part(name, TEXT)].append(_read_in(*maker.body))
        if made_by:
            # These can make parameters of what the body assigns.
            for each, _ in statements(statement.body):
                if targets(each):
                    self.reads[part(name, FIELDS)].append(_read_in(each))
        self.read(statement.body, f"{name}.")

    def _read_function(self, statement: Function, scope: str) -> None:
        name = scope + statement.name
        shown = (statement.args, statement.returns, *statement.decorator_list)
        self.reads[name].append(_read_in(*shown))
        wraps = filter(is_wraps, statement.decorator_list)
        self.reads[name].append([*_handed_to(*wraps)])
        if is_writer(statement, self.lines):
            self.reads[part(name, TEXT)].append(_read_in(*statement.body))

    def _read_assignment(self, statement: ast.stmt, scope: str) -> None:
        """Note what variables stand for and read, and what docstrings do."""
        assigned = targets(statement)
        read = _read_in(statement) if assigned else []
        read += _handed_to(getattr(statement, "value", None))
        for target in assigned:
            name = scope + dotted(target)
            owner, _, last = name.rpartition(".")
            self.reads[owner if last == DOCSTRING else name].append(read)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]):
                self._lead(scope + name, scope, statement.value)

    def _lead(self, name: str, scope: str, value: ast.expr) -> None:
        """Note that a name stands for a value, which is sought in the scope first."""
        other = dotted(value)
        if other:
            self.leads.append((name, f"{self.name}.{other}"))
            self.leads.append((name, f"{self.name}.{scope}{other}"))

    def _read_import(self, statement: ast.ImportFrom) -> None:
        above = self.package.split(".")
        # One dot is the package itself.
        kept = above[: len(above) + 1 - statement.level] if statement.level else []
        module = ".".join([*kept, *filter(None, [statement.module])])
        for alias in statement.names:
            if alias.name == "*":
                # As if it were imported by its name, too.
                self.leads.extend([(module, module), ("", module)])
                self.lists["*"].append(f"{module}.{EXPORTS}")
            else:
                name = alias.asname or alias.name
                self.leads.append((name, f"{module}.{alias.name}"))

    def elsewhere(self, name: str) -> Iterator[str]:
        """Yield the dotted names that a name can stand for, the latest first."""
        for own, target in reversed(self.leads):
            if own and f"{name}.".startswith(f"{own}."):
                yield target + name.removeprefix(own)
            elif not own and _may_have(target, name):
                yield f"{target}.{name}"

    def read_by(self, name: str) -> list[str]:
        """Return the names that a part reads."""
        if name == EXPORTS:
            return self.lists.get(name) or self.lists["*"]
        found = self.reads.get(name.removesuffix(f".{VALUE}"), [])
        return [*chain.from_iterable(found)]


def _read_in(*found: ast.AST | None) -> list[str]:
    """Return the names in pieces of code, also those that others begin with."""
    names: list[str] = []
    for each in filter(None, found):
        # Not those that are assigned to.
        read = (it for it in ast.walk(each) if _is_load(it))
        names += map(dotted, read)
    return [name for name in names if name]


def _handed_to(*calls: ast.AST | None) -> Iterator[str]:
    """Yield what is handed to calls that can show it: to `property`, `wraps`."""
    for call in calls:
        for each in getattr(call, "args", ()):
            name = dotted(each)
            if name:
                yield f"{name}.{WRAPPED}"


def _is_load(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _may_have(module: str, name: str) -> bool:
    """Tell whether a module can have a name; an imported one knows, unread."""
    imported = sys.modules.get(module)
    return imported is None or name.partition(".")[0] in vars(imported)
