"""A module's text → what its names stand for, and which names its objects read.

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
from sitemap_plugins.core.python.decorators import (
    applied,
    is_wraps,
    is_writer,
    makers,
    metaclasses,
)
from sitemap_plugins.core.python.excerpt_names import (
    APPLIED,
    EXPORTS,
    FIELDS,
    SUMMARY,
    TEXT,
    VALUE,
    object_of,
    part,
)
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


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A piece of code. Objects can share one, and a long one can concern many."""

    names: list[str]
    """Those that it reads, dotted and as they are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names of one module."""

    name: str
    """The module's own."""

    package: str
    """What its relative imports are relative to."""

    lines: list[str]

    count: Count = field(default_factory=Count)
    """Of what code does to objects."""

    leads: list[tuple[str, str]] = field(default_factory=list)
    """Names here, with the dotted names of what they stand for.

    An empty name stands for all of another module; if both end in a dot, names below
    the one stand for those below the other.
    """

    bases: dict[str, list[list[str]]] = field(default_factory=lambda: defaultdict(list))
    """The bases of classes: dotted names of what each can be, the nearest first."""

    reads: dict[str, list[Code]] = field(default_factory=lambda: defaultdict(list))
    """What decides what is shown of each object: code, or for `TEXT` and `FIELDS` that
    in its body."""

    values: dict[str, list[Code]] = field(default_factory=lambda: defaultdict(list))
    """Likewise, but for tables, which show no values."""

    lists: dict[str, list[Code]] = field(default_factory=lambda: defaultdict(list))
    """Likewise of what sets `EXPORTS`; for a star, the lists of modules of which all
    names are imported."""

    def read(self, body: Sequence[ast.stmt], scope: str = "") -> None:
        """Note the names of the module or a class; `scope` ends in a dot."""
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
                    self.lists[EXPORTS].append(_code(statement))
                case _:
                    self._read_assignment(statement, scope)

    def _read_changes(self, body: Sequence[ast.stmt], scope: str) -> None:
        """Note what the code reads that decides about objects."""
        # With more, no part of the module is known, and each change of it counts.
        with suppress(ValueError):
            for node, names in chain(changes(body), handed(body)):
                self.count.add(len(names))
                if names:
                    code = _code(node)
                    for name in filter(None, names):
                        self.reads[scope + name].append(code)

    def _read_class(self, statement: ast.ClassDef, scope: str) -> None:
        name = scope + statement.name
        # A class that is defined again: the latest comes first.
        self.bases[name][:0] = self._bases(statement, scope)
        made_by = [*statement.decorator_list, *statement.bases, *statement.keywords]
        metaclass = metaclasses(statement)
        of_metaclass = [_parts_of(of, *metaclass) for of in (TEXT, APPLIED)]
        self.reads[name] += [
            _code(*made_by),
            _parts_of(TEXT, *statement.bases),
            _parts_of(APPLIED, *statement.decorator_list),
            *of_metaclass,
        ]
        if metaclass:
            self.reads[part(name, TEXT)] += of_metaclass
        for each in makers(statement):
            made = getattr(each, "body", [each])
            self.reads[part(name, TEXT)].append(_code(*made))
        for each in applied(statement, self.lines):
            self.reads[part(name, APPLIED)].append(_code(each))
        if made_by:
            # These can make parameters of what the body assigns.
            for each, _ in statements(statement.body):
                if targets(each):
                    self.reads[part(name, FIELDS)].append(_code(each))
        self.read(statement.body, f"{name}.")

    def _bases(self, statement: ast.ClassDef, scope: str) -> Iterator[list[str]]:
        for base in statement.bases:
            other = dotted(base)
            if other == statement.name:
                # It is what had the name before.
                yield [*self.elsewhere(other)]
            elif other:
                yield self._sought(other, scope)

    def _read_function(self, statement: Function, scope: str) -> None:
        name = scope + statement.name
        signature = _code(statement.args, statement.returns)
        self.values[name] += [signature, _instances(statement.args)]
        decorators = statement.decorator_list
        wraps = filter(is_wraps, decorators)
        self.reads[name] += [
            _code(*decorators),
            _parts_of(APPLIED, *decorators),
            Code([*_handed_to(*wraps)]),
        ]
        if is_writer(statement, self.lines):
            self.reads[part(name, TEXT)].append(_code(*statement.body))

    def _read_assignment(self, statement: ast.stmt, scope: str) -> None:
        """Note what variables stand for and read, and what docstrings do."""
        assigned = targets(statement)
        if not assigned:
            return
        value = getattr(statement, "value", None)
        code = _code(statement)
        instances = _instances(value)
        taken = Code([*_handed_to(value)])
        for target in assigned:
            name = scope + dotted(target)
            owner, _, last = name.rpartition(".")
            if last == DOCSTRING:
                self.reads[owner] += [code, taken]
            else:
                self.values[name] += [code, instances]
                self.reads[name].append(taken)
        match statement:
            case ast.Assign([ast.Name(id=name)], ast.Call(func)):
                # Attributes of an instance can be those of its class.
                self._lead(f"{scope}{name}.", dotted(func), scope, end=".")
            case ast.Assign([ast.Name(id=name)], value):
                self._lead(scope + name, dotted(value), scope)

    def _lead(self, name: str, other: str, scope: str, end: str = "") -> None:
        """Note that a name stands for another one, if that is not empty."""
        if other:
            for each in reversed(self._sought(other, scope)):
                self.leads.append((name, each + end))

    def _sought(self, name: str, scope: str) -> list[str]:
        """Return the dotted names of what a name can be: first in the scope."""
        return [*dict.fromkeys((f"{self.name}.{scope}{name}", f"{self.name}.{name}"))]

    def _read_import(self, statement: ast.ImportFrom) -> None:
        above = self.package.split(".")
        # One dot is the package itself.
        kept = above[: len(above) + 1 - statement.level] if statement.level else []
        module = ".".join([*kept, *filter(None, [statement.module])])
        for alias in statement.names:
            if alias.name == "*":
                # As if it were imported by its name, too.
                self.leads.extend([(module, module), ("", module)])
                self.lists["*"].append(Code([f"{module}.{EXPORTS}"]))
            else:
                name = alias.asname or alias.name
                self.leads.append((name, f"{module}.{alias.name}"))

    def elsewhere(self, name: str) -> Iterator[str]:
        """Yield the dotted names that a name can stand for, the latest first."""
        for own, target in reversed(self.leads):
            if not own:
                if _may_have(target, name):
                    yield f"{target}.{name}"
            elif name == own or name.startswith(own.removesuffix(".") + "."):
                yield target + name.removeprefix(own)

    def class_of(self, name: str) -> str:
        """Return the innermost class with which a name begins; empty for none."""
        while name and name not in self.bases:
            name = name.rpartition(".")[0]
        return name

    def read_by(self, name: str) -> list[Code]:
        """Return the code that decides what is shown of a part."""
        if name == EXPORTS:
            return self.lists.get(name) or self.lists["*"]
        own = object_of(name)
        if name == part(own, SUMMARY):
            return self.reads.get(own, [])
        name = name.removesuffix(f".{VALUE}")
        return [*self.reads.get(name, ()), *self.values.get(name, ())]


def _code(*found: ast.AST | None) -> Code:
    """Return pieces of code, with the names that others begin with, too."""
    names: list[str] = []
    for each in filter(None, found):
        # Not those that are assigned to.
        read = (it for it in ast.walk(each) if _is_load(it))
        names += map(dotted, read)
    return Code([name for name in names if name])


def _is_load(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _instances(value: ast.AST | None) -> Code:
    """Return the fields of classes of which a value can have instances, as code.

    A value that is made later shows none.
    """
    nodes = [*ast.walk(value)] if value else []
    if any(isinstance(each, ast.Lambda) for each in nodes):
        return Code([])
    calls = [each for each in nodes if isinstance(each, ast.Call)]
    return _parts_of(FIELDS, *calls)


def _handed_to(*calls: ast.AST | None) -> Iterator[str]:
    """Yield what is handed to calls that can show it: to `property`, `wraps`."""
    for call in calls:
        # A lambda has other `args`.
        arguments = call.args if isinstance(call, ast.Call) else []
        for name in filter(None, map(dotted, arguments)):
            yield f"{name}.{WRAPPED}"


def _parts_of(of: str, *expressions: ast.expr) -> Code:
    """Return a part of all that expressions, or the calls in them, name, as code."""
    called = [getattr(each, "func", each) for each in expressions]
    return Code([part(name, of) for name in map(dotted, called) if name])


def _may_have(module: str, name: str) -> bool:
    """Tell whether a module can have a name; an imported one knows, unread."""
    imported = sys.modules.get(module)
    return imported is None or name.partition(".")[0] in vars(imported)
