"""A block's statements → the objects that they change, beside those that they define.

A module that is run can change an object after its definition, or decide which of
several definitions is run.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Generator, Iterator, Sequence

from sitemap_plugins.core.python.syntax import (
    TYPE_CHECKING,
    FunctionOrClass,
    blocks,
    branches,
    dotted,
    last_of,
    statements,
    targets,
)

_Names = dict[str, None]
"""Dotted names, each once, in the order of the source."""

_Changes = Generator[tuple[ast.AST, Collection[str]], None, _Names]
"""Code, with the names of what it decides about; in the end, all that is defined."""


def changes(body: Sequence[ast.stmt]) -> _Changes:
    """Yield the code of a block that decides about objects, and their dotted names.

    It changes them after their definition, or decides which definition is run. Loops
    can do both. Each piece of code comes once; who asks counts the names, which can be
    many more than the block has. Return those that it defines.
    """
    defined: _Names = {}
    for statement in body:
        defined |= _defined_by(statement)
        match statement:
            case ast.If():
                defined |= yield from _conditions(statement)
            case ast.For() | ast.AsyncFor() | ast.While():
                yield statement, set(map(dotted, ast.walk(statement)))
                for each, _ in statements([statement]):
                    defined |= _defined_by(each)
            case ast.Expr(ast.Call() as call):
                yield call, _changed_by(call)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case _:
                yield statement, _set_in(statement)
                for block in blocks(statement):
                    defined |= yield from changes(block)
    return defined


def handed(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Call, set[str]]]:
    """Yield the calls of a block to which objects are handed, as to a decorator.

    Each with their dotted names.
    """
    for statement, _ in statements(body):
        match statement:
            case ast.Expr(ast.Call() as call):
                yield call, set(map(dotted, call.args))


def _conditions(statement: ast.If) -> _Changes:
    """Yield the conditions of an `if` and its `elif`, and the rest, as `changes` does.

    Each decides about what its own block and all later ones define.
    """
    every = [*branches(statement)]
    defined = yield from changes(every[-1].orelse)
    for each in reversed(every):
        own = yield from changes(each.body)
        defined = own | defined
        yield _condition(each), defined
    return defined


def _condition(statement: ast.If) -> ast.expr:
    """Return the condition of an `if`: of all names of one, the last part."""
    if last_of(dotted(statement.test)) == TYPE_CHECKING:
        return ast.Name(TYPE_CHECKING, ast.Load())
    return statement.test


def _defined_by(statement: ast.stmt) -> _Names:
    """Return the names that a statement itself defines."""
    if isinstance(statement, FunctionOrClass):
        return {statement.name: None}
    return dict.fromkeys(map(dotted, targets(statement)))


def _set_in(statement: ast.stmt) -> _Names:
    """Return the names of objects of which a statement sets attributes or items."""
    names: list[str] = []
    for target in targets(statement):
        if not isinstance(target, ast.Name):
            names += _with_owners(dotted(target))
    return dict.fromkeys(names)


def _changed_by(call: ast.Call) -> Collection[str]:
    """Return the names of what a call can change: `NAMES.append`, `setattr(A, …)`."""
    match call.func:
        case ast.Attribute(value=value):
            return [dotted(value)]
        case ast.Name("setattr" | "delattr") if call.args:
            return _with_owners(dotted(call.args[0]))
    return []


def _with_owners(name: str) -> list[str]:
    """Return a dotted name, and those of what it is an attribute of."""
    names = []
    while name:
        names.append(name)
        name = name.rpartition(".")[0]
    return names
