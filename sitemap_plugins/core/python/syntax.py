"""A module's text → its statements, and what they name.

Nothing is imported or run: Python's own parser reads the text, which a stranger wrote.
So all that is read has limits.
"""

from __future__ import annotations

import ast
import codecs
import io
import sys
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from sitemap_plugins.core.python.excerpt_names import EXPORTS

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The version of the parser: another one reads more modules."""

MAX_SOURCE = 1 << 20
"""Bytes of a module; the largest that people write have half of it.

One of this size takes a second.
"""

MAX_OBJECTS = 1 << 14
"""Objects of a module, and what its code does to each of them."""

MAX_DOTS = 50
"""Attributes and `[…]` of a name. Who reads code asks each of them for all before."""

_ENCODINGS = {"utf-8", "utf-8-sig", "ascii", "iso8859-1", "iso8859-15", "cp1252"}
"""As Python names them.

Others are not read: the time of some, as `punycode`, grows with the square.
"""

UNREADABLE = (SyntaxError, ValueError, LookupError, RecursionError, MemoryError)
"""What Python raises for text that it cannot decode, parse, or walk through."""

DOCSTRING = "__doc__"

TYPE_CHECKING = "TYPE_CHECKING"
"""The name of a condition, by itself or in `typing`, true for checkers alone."""

INITIALIZERS = ("__init__", "__new__")
"""Hosts show a class with the parameters of these, and often with their docstrings."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
FunctionOrClass = Function | ast.ClassDef


class Count:
    """Of objects of a module, and of what its code does to them."""

    def __init__(self) -> None:
        """Start without any."""
        self.number = 0

    def add(self, number: int) -> None:
        """Count some more.

        Raises:
            ValueError: There are more than `MAX_OBJECTS`.
        """
        self.number += number
        if self.number > MAX_OBJECTS:
            raise ValueError(self.number)


# Text.


def decode(content: bytes) -> str:
    """Return a module's text.

    Raises:
        ValueError: It is empty, as of a missing file, too large, or no text.
    """
    if not 0 < len(content) <= MAX_SOURCE:
        raise ValueError(len(content))
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    if codecs.lookup(encoding).name not in _ENCODINGS:
        raise ValueError(encoding)
    return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str) -> ast.Module:
    """Return the tree of a module or an expression.

    Raises:
        UNREADABLE: Python cannot parse it.
    """
    with warnings.catch_warnings():
        # Old modules have "\d", which is an error with `python -W error`.
        warnings.simplefilter("ignore")
        return ast.parse(text)


def text_of(node: ast.AST | None) -> str:
    """Return a normal form of code: without comments, line breaks, kinds of quotes."""
    return "" if node is None else ast.dump(node).replace(", kind='u'", "")


def written(expression: ast.expr | None) -> str:
    """Return an expression as Python writes it; empty for none."""
    return "" if expression is None else ast.unparse(expression)


# Statements.


def statements(
    body: Sequence[ast.stmt],
) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    """Yield the statements of a block, also within `if`, `try`, `with` and loops.

    Each with the one that follows it in its block, which can be its docstring.
    """
    for statement, following in zip_longest(body, body[1:]):
        if isinstance(statement, FunctionOrClass):
            yield statement, following
            continue
        below = blocks(statement)
        if not below:
            yield statement, following
        for block in below:
            yield from statements(block)


def blocks(statement: ast.stmt) -> list[Sequence[ast.stmt]]:
    """Return the blocks of a compound statement, in the order of the source."""
    found: list[Sequence[ast.stmt]]
    if isinstance(statement, ast.If):
        every = [*branches(statement)]
        found = [each.body for each in every]
        found.append(every[-1].orelse)
        return [block for block in found if block]
    found = [getattr(statement, "body", ())]
    for name in ("handlers", "cases"):
        found += [each.body for each in getattr(statement, name, ())]
    found += [getattr(statement, name, ()) for name in ("orelse", "finalbody")]
    return [block for block in found if block]


def branches(statement: ast.If) -> Iterator[ast.If]:
    """Yield an `if` and each `elif` of it, which is alone in the `else` above."""
    yield statement
    while True:
        match statement.orelse:
            case [ast.If() as statement]:
                yield statement
            case _:
                return


def targets(statement: ast.stmt) -> list[ast.expr]:
    """Return what a statement assigns to, or deletes."""
    found: list[ast.expr] = []
    if isinstance(statement, ast.Assign | ast.Delete):
        for target in statement.targets:
            found += getattr(target, "elts", [target])
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        found.append(statement.target)
    elif type(statement).__name__ == "TypeAlias":  # Python 3.12 has it.
        found.append(getattr(statement, "name"))  # noqa: B009
    return found


def sets_exports(statement: ast.stmt) -> bool:
    """Tell whether a statement sets, or adds to, the list of a module's names."""
    match statement:
        case ast.Assign(targets=[first]) | ast.AugAssign(target=first):
            return isinstance(first, ast.Name) and first.id == EXPORTS
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name == EXPORTS
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(id=name)))):
            return name == EXPORTS
    return False


# Names.


def dotted(node: ast.AST) -> str:
    """Return the dotted name that an expression is, without its `[…]`; else empty.

    Longer ones than `MAX_DOTS` have no name.
    """
    names: list[str] = []
    for _ in range(MAX_DOTS):
        match node:
            case ast.Name(id=name):
                return ".".join([name, *reversed(names)])
            case ast.Attribute(value=value, attr=name):
                names.append(name)
                node = value
            case ast.Subscript(value=value):
                node = value
            case _:
                return ""
    return ""


def last_of(name: str) -> str:
    """Return the last part of a dotted name."""
    return name.rpartition(".")[2]


def imported_as(alias: ast.alias) -> str:
    """Return the name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def strings_in(node: ast.AST) -> Iterator[str]:
    """Yield the strings in a piece of code."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def is_special(name: str) -> bool:
    """Tell whether a name is one of Python's own, such as `__init__`."""
    return name.startswith("__") and name.endswith("__")
