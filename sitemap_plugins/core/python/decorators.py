"""Decorators, and code like them → what they show of the objects that they decorate.

A decorator of a function counts if it shows by its name, if it is about documentation
or commands, or if its arguments have words. What it does can be in its text: a function
that writes docstrings, or shows another function in place of the decorated one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from sitemap_plugins.core.python.syntax import (
    INITIALIZERS,
    Function,
    dotted,
    last_of,
    statements,
    strings_in,
    text_of,
)

ACCESSORS = {"setter", "deleter"}
"""Hosts show that a property has them, and of its functions only the getter."""

PROPERTIES = {"property", "cached_property", "abstractproperty"}
"""Hosts show these without parameters."""

WRAPS = "wraps"
"""The name of the decorator of Python's library that takes over what readers see."""

UPDATES = "update_wrapper"
"""The name of the function of Python's library that does the same."""

_SHOWN = {
    "abstractmethod",
    "abstractproperty",
    "asynccontextmanager",
    "cache",
    "cached_property",
    "classmethod",
    "contextmanager",
    "deleter",
    "final",
    "lru_cache",
    "overload",
    "override",
    "property",
    "setter",
    "singledispatch",
    "singledispatchmethod",
    "staticmethod",
}
"""Decorators of functions that hosts show as such, or that change what they show."""

_OF_DOCUMENTATION = re.compile(
    r"""
    deprecat | doc | append | substitut | signature     # They write a docstring,
    | since | version
    | (?: \b | _ ) (?: add | chang | renam | remov ) ed
    | ^ wraps $                                          # They show another's.
    | argument | command | group | option               # or a command's options.
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""In the names of decorators that write into a docstring or signature, or that make the
options of a command, as click's do."""

_WRITER = re.compile(r"__(?:doc|signature|wrapped)__|\b(?:argument|option)\(")
"""In the text of functions that write docstrings, signatures or options."""

_SILENT = {
    "eq",
    "frozen",
    "match_args",
    "order",
    "repr",
    "slots",
    "unsafe_hash",
    "weakref_slot",
}
"""Arguments for dataclasses that change nothing that hosts show."""

_BRACKET = re.compile(r"[(\[]")


# What shows of a decorator itself.


def shown_of(decorator: ast.expr, name: str) -> str:
    """Return what may show of a function's decorator; empty for nothing.

    `name` is what `origin` says of it.
    """
    last = last_of(name)
    if _OF_DOCUMENTATION.search(last):
        return text_of(decorator)
    if last in _SHOWN:
        return name  # All of it: hosts only know those of the standard library.
    has_words = any(" " in text.strip() for text in strings_in(decorator))
    return text_of(decorator) if has_words else ""


def origin(decorator: ast.expr, imports: Mapping[str, str]) -> str:
    """Return a decorator's dotted name where it is from, without its arguments."""
    name = _BRACKET.split(ast.unparse(decorator), maxsplit=1)[0]
    first, dot, rest = name.partition(".")
    found = imports.get(first, first) + dot + rest
    return found.replace("typing_extensions.", "typing.")


def shown_of_class(decorator: ast.expr) -> list[str]:
    """Return what shows of a class's decorator and its arguments."""
    match decorator:
        case ast.Call(func, [], keywords) if last_of(dotted(func)) == "dataclass":
            shown = [each for each in keywords if each.arg not in _SILENT]
            return [text_of(func), *map(text_of, shown)]
    return [text_of(decorator)]


# What shows of its text.


def may_write(text: str) -> bool:
    """Tell whether a function in a text can write docstrings or options."""
    return _WRITER.search(text) is not None


def is_writer(statement: Function, lines: Sequence[str]) -> bool:
    """Tell whether a function writes docstrings or options; `lines` are the module's.

    Its decorators do not count.
    """
    return may_write("\n".join(lines[statement.lineno - 1 : statement.end_lineno]))


def is_wraps(decorator: ast.expr) -> bool:
    """Tell whether a decorator shows another function in place of its own."""
    function = getattr(decorator, "func", None)
    return function is not None and last_of(dotted(function)) == WRAPS


def makers(statement: ast.ClassDef) -> Iterator[ast.AST]:
    """Yield what runs of a class when other classes are made of it.

    It is a base of these, or their metaclass, whose calls make their instances. Its own
    metaclass is theirs, too.
    """
    names = {"__init_subclass__"}
    if any(dotted(base).endswith(("type", "Meta")) for base in statement.bases):
        names |= {*INITIALIZERS, "__call__"}
    for each in statement.body:
        if isinstance(each, Function) and each.name in names:
            yield each
    yield from metaclasses(statement)


def metaclasses(statement: ast.ClassDef) -> list[ast.expr]:
    """Return the metaclass that a class names, if it does."""
    return [each.value for each in statement.keywords if each.arg == "metaclass"]


def applied(statement: ast.ClassDef, lines: Sequence[str]) -> Sequence[ast.AST]:
    """Return what a class shows of what it decorates: its instance is in its place.

    As a metaclass, it shows its parameters. Nothing if instances cannot be called.
    """
    # Not the classes within it: within each other, they would be read too often.
    own = [each for each in statement.body if not isinstance(each, ast.ClassDef)]
    methods = {each.name: each for each in own if isinstance(each, Function)}
    if methods.keys().isdisjoint(("__call__", "__get__")):
        return []
    for member in own:
        if may_write("\n".join(lines[member.lineno - 1 : member.end_lineno])):
            return own
    for each in chain.from_iterable(map(ast.walk, own)):
        if isinstance(each, ast.Call) and dotted(each.func).endswith(UPDATES):
            return [each]
    shown: list[ast.AST] = [*own[: ast.get_docstring(statement) is not None]]
    if "__call__" in methods:
        shown.append(methods["__call__"].args)
    return shown


def wrappers(statement: Function) -> list[ast.AST]:
    """Return what shows of the functions that a function returns, if it is a decorator.

    Those that take over what the decorated function shows have nothing else to show.
    """
    inner = {each.name: each for each in statement.body if isinstance(each, Function)}
    # Each once: within each other, they would be read twice as often at each level.
    returned: dict[Function, None] = {}
    for each, _ in statements(statement.body if inner else ()):
        match each:
            case ast.Return(ast.Name(id=name)) if name in inner:
                returned[inner[name]] = None
            case ast.Expr(ast.Call(func)) if dotted(func).endswith(UPDATES):
                return []
    found: list[ast.AST] = []
    for each in returned:
        wraps = [it for it in each.decorator_list if is_wraps(it)]
        # One that returns a function, too, is a decorator, made for given arguments.
        found += wraps or wrappers(each) or _own(each)
    return found


def _own(statement: Function) -> list[ast.AST]:
    """Return what shows of a function itself: its parameters and its docstring."""
    docstring = statement.body[: ast.get_docstring(statement) is not None]
    return [statement.args, *docstring]
