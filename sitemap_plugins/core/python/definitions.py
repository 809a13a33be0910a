"""One definition of an object → what readers see of it, without its members.

Hosts differ in what they show, so what one of them shows counts:

- Of a function, its body does not count.
- Of a class, all decorators count. What its body assigns counts apart if it has a
  decorator or a base: dataclasses, attrs, pydantic and homemade tools make the
  signature of these.
- Code counts as it is written, not what its names stand for.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from sitemap_plugins.core.python.annotations import (
    Context,
    annotation,
    annotations_of,
    base_of_class,
)
from sitemap_plugins.core.python.decorators import (
    ACCESSORS,
    PROPERTIES,
    origin,
    shown_of,
    shown_of_class,
)
from sitemap_plugins.core.python.syntax import (
    INITIALIZERS,
    Function,
    FunctionOrClass,
    is_special,
    last_of,
    statements,
    targets,
    text_of,
    written,
)

# Kinds of definitions; of a function, it is the type of its statement.

ACCESSOR = "accessor"

ASSIGNED_DOCSTRING = "docstring"

CHANGE = "change"
"""What a module does to an object after its definition."""

CLASS = "class"

MODULE = "module"

OF_INSTANCE = "attribute of instances"

OF_MODULE = "variable of a module"

SET = "attribute that an initializer sets"

SPECIAL = "special method"

VARIABLE = "variable"

SCOPES = {CLASS, MODULE}
"""They have members."""

VARIABLES = {VARIABLE, OF_MODULE}

UNLISTED = {OF_MODULE, OF_INSTANCE, SPECIAL}
"""Kinds that hosts which run modules list only with a docstring."""

_Literal = ast.Constant | ast.List | ast.Dict | ast.Tuple | ast.Set

# In Markdown, two at the end of a line are a line break, unless an empty line follows.
_BLANKS = re.compile(
    r"""
    ^ [ ]+ $
    | (?<=\S) (?: [ ] | [ ]+ (?= \n [ ]* \n ) ) $
    """,
    re.MULTILINE | re.VERBOSE,
)

_BLANKS_OF_RST = re.compile("[ ]+$", re.MULTILINE)

# Before an indented line, which can be code, the number of empty lines shows.
_EMPTY_LINES = re.compile(r"(?<=\n\n)\n+(?=\S)")


class Definition(NamedTuple):
    """What readers see of one definition of an object, without its members."""

    kind: str

    signature: tuple[Hashable, ...] = ()
    """Decorators, parameters; a class's bases; an attribute's type and value."""

    returns: str = ""

    docstring: str = ""

    fields: tuple[Hashable, ...] = ()
    """Of a class: those that can be parameters."""

    brief: tuple[str, ...] = ()
    """What autosummary's tables have in place of the signature; empty if nobody asks.

    They show which parameters there are and which are optional, and no values.
    """


def function(statement: Function, context: Context) -> Definition:
    """Return what readers see of a function."""
    decorators = [*_decorators(statement, context)]
    kinds = {kind for kind, _ in decorators}
    accessors = kinds & ACCESSORS
    if accessors:
        return Definition(ACCESSOR, tuple(sorted(accessors)))
    signature = [shown for _, shown in decorators if shown]
    kind = type(statement).__name__
    brief: tuple[str, ...] = ()
    if context.is_run:
        # Of overloads, tables print annotations.
        if "overload" not in kinds:
            brief = (*signature, *_brief(statement.args))
        if is_special(statement.name):
            kind = SPECIAL
    signature += _type_parameters(statement)
    *annotations, returns = annotations_of(statement, context)
    if not kinds & PROPERTIES:
        signature += [*annotations, text_of(statement.args)]
    return Definition(
        kind=kind,
        signature=tuple(signature),
        returns=returns,
        docstring=docstring_of(statement, context),
        brief=brief,
    )


def _decorators(statement: Function, context: Context) -> Iterator[tuple[str, str]]:
    """Yield the last name of each decorator, and what it shows."""
    for each in statement.decorator_list:
        name = origin(each, context.imports)
        yield last_of(name), shown_of(each, name)


def class_(statement: ast.ClassDef, context: Context) -> Definition:
    """Return what readers see of a class."""
    signature = _type_parameters(statement)
    for decorator in statement.decorator_list:
        signature += shown_of_class(decorator)
    bases = [base_of_class(base, context) for base in statement.bases]
    signature += filter(None, bases)
    signature += map(text_of, statement.keywords)
    return Definition(
        kind=CLASS,
        signature=tuple(signature),
        docstring=docstring_of(statement, context),
        fields=tuple(_fields(statement, context)),
    )


def attribute(
    kind: str, statement: ast.stmt, docstring: str, context: Context
) -> Definition:
    """Return what readers see of an attribute."""
    value = getattr(statement, "value", None)
    type_ = written(getattr(statement, "annotation", None))
    # Other values can be called, or be another object.
    is_brief = context.is_run and isinstance(value, _Literal)
    return Definition(
        kind=kind,
        signature=(*_type_parameters(statement), text_of(value)),
        returns=annotation(type_, context),
        docstring=docstring,
        brief=(kind,) if is_brief else (),
    )


def docstring_of(node: ast.Module | FunctionOrClass, context: Context) -> str:
    """Return the docstring of a definition or module; empty for none."""
    return clean(ast.get_docstring(node, clean=False) or "", context)


def clean(docstring: str, context: Context) -> str:
    """Return a docstring without its indentation, and the blanks that do not show."""
    # Hosts that run modules show reStructuredText, others perhaps Markdown.
    blanks = _BLANKS_OF_RST if context.is_run else _BLANKS
    text = blanks.sub("", inspect.cleandoc(docstring.rstrip()))
    if "```" in text or "~~~" in text:  # In Markdown, code can be without indentation.
        return text
    return _EMPTY_LINES.sub("", text)


def _type_parameters(statement: ast.stmt) -> list[str]:
    # Python 3.12 has them.
    return [text_of(each) for each in getattr(statement, "type_params", ())]


def _brief(arguments: ast.arguments) -> Iterator[str]:
    """Yield the names of parameters, and a mark where optional ones begin.

    Before them, how many are positional tells where `/` and `*` are.
    """
    yield str(len(arguments.posonlyargs))
    yield str(len(arguments.args))
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    for number, each in enumerate(positional):
        yield each.arg if number < first else f"[{each.arg}]"
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield each.arg if default is None else f"[{each.arg}]"
    for variable in (arguments.vararg, arguments.kwarg):
        yield f"*{variable.arg}" if variable else "*"


def _fields(statement: ast.ClassDef, context: Context) -> Iterator[Hashable]:
    """Yield what a class's body assigns, if a decorator or base can make fields of it.

    Each name comes before the attribute.
    """
    is_decorated = bool(statement.decorator_list)
    if not (is_decorated or statement.bases or statement.keywords):
        return
    for each, _ in statements(statement.body):
        if _is_field(each, is_decorated=is_decorated):
            yield from map(text_of, targets(each))
            yield attribute(VARIABLE, each, "", context)


def _is_field(statement: ast.stmt, *, is_decorated: bool) -> bool:
    """Tell whether a class's signature can have what a statement assigns.

    Private ones are fields for decorators such as attrs', or with a type.
    """
    if not isinstance(statement, ast.AnnAssign | ast.Assign):
        return False
    type_ = getattr(statement, "annotation", None)
    if "ClassVar" in text_of(type_):
        return False
    is_known = is_decorated or type_ is not None
    for target in targets(statement):
        name = getattr(target, "id", "")
        if name in {*INITIALIZERS, "__signature__"} or not name.startswith("_"):
            return True
        if is_known and not name.startswith("__"):
            return True
    return False
