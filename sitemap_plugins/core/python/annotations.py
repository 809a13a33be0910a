"""Annotations and bases → their text as hosts print it.

Hosts that read a module print them as they are written. Those that run it print the
objects: of a dotted name the last part, and unions with `|`, if all names exist.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from sitemap_plugins.core.python.syntax import (
    MAX_OBJECTS,
    TYPE_CHECKING,
    UNREADABLE,
    Function,
    dotted,
    imported_as,
    last_of,
    parse,
    statements,
    text_of,
    written,
)

Form = Literal["source", "values", "lines"]
"""For whom a module is read: for hosts that read it or run it, or for each line."""

# Also what is assigned: variables of types, and other names of types.
_BOUND = re.compile(r"^(?:class[ ]+(?=\w)|(?=\w+[ ]=[ ]))(\w+)", re.MULTILINE)

_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")


class Context(NamedTuple):
    """What code is read in."""

    form: Form

    imports: Mapping[str, str]
    """Of the module: names, and what they are elsewhere."""

    bound: set[str]
    """Names that exist when the module runs, beside the imported ones."""

    unbound: set[str]
    """Imported names that do not."""

    @property
    def is_run(self) -> bool:
        """Whether the host runs the module."""
        return self.form == "values"

    @property
    def are_texts(self) -> bool:
        """Whether all annotations are texts until someone asks for them."""
        return self.imports.get("annotations") == "__future__.annotations"


def bound_in(text: str) -> list[str]:
    """Return the names that a module binds, but for imports and functions."""
    return _BOUND.findall(text)


def only_for_types(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module imports for checkers of types, or otherwise."""
    for statement in body:
        if isinstance(statement, ast.If) and TYPE_CHECKING in text_of(statement.test):
            for each, _ in statements([statement]):
                for alias in getattr(each, "names", ()):
                    yield imported_as(alias)


def annotations_of(statement: Function, context: Context) -> list[str]:
    """Return the annotation of each parameter, which loses it, and of the result.

    If a name in one of them does not exist when the module runs, autodoc prints all
    that are texts as they are written.
    """
    every = statement.args
    texts = []
    several = (every.posonlyargs, every.args, every.kwonlyargs)
    for each in (*chain(*several), every.vararg, every.kwarg):
        texts.append(written(getattr(each, "annotation", None)))
        if each is not None:
            each.annotation = None
    texts.append(written(statement.returns))
    is_resolved = context.is_run and _exist(texts, context)
    return [annotation(text, context, is_resolved=is_resolved) for text in texts]


def _exist(annotations: Iterable[str], context: Context) -> bool:
    """Tell whether all names in annotations exist when the module runs."""
    names = {*_WORD.findall(" ".join(annotations))}
    if names & context.unbound:
        return False
    return names <= context.bound | context.imports.keys()


def annotation(text: str, context: Context, *, is_resolved: bool = False) -> str:
    """Return an annotation without quotes around names: hosts show both alike.

    But not all do if all annotations are texts already. `is_resolved` tells whether all
    names exist when the module runs.
    """
    if context.is_run:
        return _printed(text, is_text=context.are_texts, is_resolved=is_resolved)
    if context.are_texts or _has_values(text):
        return text
    return text.replace("'", "").replace('"', "")


def base_of_class(base: ast.expr, context: Context) -> str:
    """Return a base of a class; empty for one that hosts do not show."""
    if not context.is_run:
        return text_of(base)
    if dotted(base) == "object":
        return ""
    return _printed(ast.unparse(base), is_text=False, is_resolved=False)


@lru_cache(maxsize=MAX_OBJECTS)
def _printed(text: str, *, is_text: bool, is_resolved: bool) -> str:
    """Return an annotation or base class as hosts print it that run the module.

    They print the last part of a dotted name, and unions with `|`; but a text with
    names that do not exist as it is.
    """
    if not text or text.isidentifier() or _has_values(text):
        return text
    if is_text and not is_resolved:
        return text.strip("'")
    with suppress(*UNREADABLE):
        printer = _Printer(is_resolved=is_resolved)
        return ast.unparse(printer.visit(parse(text)))
    return text


def _has_values(text: str) -> bool:
    """Tell whether what is in quotes in an annotation can be no name."""
    return "Literal" in text or "Annotated" in text


class _Printer(ast.NodeTransformer):
    """Writes annotations as `_printed` says."""

    def __init__(self, *, is_resolved: bool) -> None:
        """Take whether all names in texts exist."""
        self._is_resolved = is_resolved

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Return what stands for a text."""
        match node.value:
            case str() as text:
                text = _printed(text, is_text=True, is_resolved=self._is_resolved)
                return ast.Name(text)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Return what stands for a dotted name."""
        name = dotted(node)
        return ast.Name(last_of(name)) if name else self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Return what stands for `…[…]`."""
        self.generic_visit(node)
        match node:
            case ast.Subscript(ast.Name("Optional"), each):
                return ast.BinOp(each, ast.BitOr(), ast.Constant(None))
            case ast.Subscript(ast.Name("Union"), ast.Tuple(elts=[first, *others])):
                for each in others:
                    first = ast.BinOp(first, ast.BitOr(), each)
                return first
        return node
