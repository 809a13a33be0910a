"""A module's text → its statements, with the comments that document them.

Nothing is imported or run: Python's own parser reads the text, which a stranger wrote.
So all that is read has limits.
"""

from __future__ import annotations

import ast
import codecs
import inspect
import io
import re
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from itertools import zip_longest

MAX_SOURCE = 1 << 20
"""Bytes of a module; the largest that people write have half of it."""

_MAX_DOTS = 20
"""In a name; code with longer ones names nothing that is found."""

_MAX_TARGETS = 100
"""The most targets of one statement: each target has all of its docstring."""

_Pair = tuple[ast.stmt, ast.stmt | None]

_TARGETS = {
    "Assign": "targets",
    "AnnAssign": "target",
    "AugAssign": "target",
    "TypeAlias": "name",  # `type X = int`, since Python 3.12.
}
"""By kind of statement: the field that has what it assigns to."""

_ENCODINGS = {"utf-8", "utf-8-sig", "ascii", "iso8859-1", "iso8859-15", "cp1252"}
"""As Python names them. The time of some others grows with the square."""

# Before an indented line, which can be code, the number of empty lines shows.
_EMPTY_LINES = re.compile(r"(?<=[^\n]\n\n)\n++(?=\S)")

_BEGINNING = re.compile(r"\A\s*\n")

UNREADABLE = (SyntaxError, ValueError, LookupError, RecursionError, MemoryError)
"""What Python raises for text that it cannot decode, parse, or walk through."""


def decode(content: bytes) -> str:
    """Return a module's text.

    Raises:
        ValueError: The content is empty (a missing file's), too large, or not text.
    """
    if not 0 < len(content) <= MAX_SOURCE:
        raise ValueError(len(content))
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    if codecs.lookup(encoding).name not in _ENCODINGS:
        raise ValueError(encoding)
    return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str) -> ast.Module:
    """Return the tree of a module.

    Raises:
        UNREADABLE: Python cannot parse it.
    """
    with warnings.catch_warnings():
        # Old modules have "\d", which is an error with `python -W error`.
        warnings.simplefilter("ignore")
        return ast.parse(text)


def written(code: ast.AST | None) -> str:
    """Return code as Python writes it, without quotes: annotations can have them."""
    if code is None:
        return ""
    return ast.unparse(code).replace("'", "").replace('"', "")


def statements(body: Sequence[ast.stmt]) -> Iterator[_Pair]:
    """Yield the statements of a block, also within `if`, `try`, `with` and loops.

    Each comes with the one that follows it in its block, which can be its docstring.
    """
    # Not recursive: `elif` can be a thousand blocks deep.
    ahead = _pairs(body)
    while ahead:
        statement, following = ahead.pop()
        yield statement, following
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for name in ("finalbody", "orelse", "cases", "handlers", "body"):
            ahead += _pairs(getattr(statement, name, ()))


def _pairs(body: Sequence[ast.stmt]) -> list[_Pair]:
    """Return the statements of a block, the last one first."""
    return [*zip_longest(body, body[1:])][::-1]


def targets(statement: ast.stmt) -> list[ast.expr]:
    """Return what a statement assigns to; empty for other statements.

    Raises:
        ValueError: The statement assigns to too many names.
    """
    name = _TARGETS.get(type(statement).__name__)
    if name is None:
        return []
    assigned = getattr(statement, name)
    found: list[ast.expr] = []
    for target in assigned if isinstance(assigned, list) else [assigned]:
        found += getattr(target, "elts", [target])
    if len(found) > _MAX_TARGETS:
        raise ValueError(len(found))
    return found


def dotted(code: ast.AST) -> str:
    """Return a name as it is written, with its dots; empty for other code."""
    names: list[str] = []
    while isinstance(code, ast.Attribute) and len(names) < _MAX_DOTS:
        names.append(code.attr)
        code = code.value
    if not isinstance(code, ast.Name):
        return ""
    names.append(code.id)
    return ".".join(reversed(names))


def comments(text: str) -> dict[int, str]:
    """Return the comments that begin with `#:`, by the line that they document.

    Such a comment is directly above the line, or at its end.
    """
    found: dict[int, str] = {}
    block: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        code, mark, comment = line.partition("#:")
        if mark:
            block.append(comment.strip())
        if block and (code.strip() or not mark):
            found[number] = "\n".join(block)
            block = []
    return found


def clean(docstring: str) -> str:
    """Return a docstring without its indentation, and the blanks at ends of lines."""
    # `cleandoc` takes empty lines away one by one, and moves the rest each time.
    docstring = _BEGINNING.sub("\n", docstring.rstrip())
    lines = inspect.cleandoc(docstring).split("\n")
    text = "\n".join(line.rstrip() for line in lines)
    return _EMPTY_LINES.sub("", text)
