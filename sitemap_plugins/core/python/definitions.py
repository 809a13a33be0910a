"""A piece of a module's text → its objects, and what readers see of each.

The body of a function does not count. A decorator counts only if its name says that
hosts show it, or that it writes what hosts show; its own code is not read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sitemap_plugins.core.python.text import (
    clean,
    comments,
    dotted,
    parse,
    statements,
    targets,
    written,
)

MAX_OBJECTS = 1 << 14
"""Definitions in a module; the largest that people write have a thousand."""

INITIALIZERS = ("__init__", "__new__")
"""Hosts show a class with the parameters of these, and often with their docstrings."""

_EXPORTS = "__all__"
_DOCSTRING = "__doc__"

_COUNTS = re.compile(
    r"""
    ^ (?: abstract | async | cache | class | context | final | lru_cache | overload
        | override | single | static ) | property | manager $
    | deprecat | doc | append | substitut | signature | since | version
    | (?: \b | _ ) (?: added | changed | renamed | removed )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Matches names of decorators that hosts show, or that write into a docstring."""

_OF_COMMANDS = {"argument", "command", "group", "option"}
"""Click's decorators. All that such a function has make up its help."""

_SETTERS = {"setter", "deleter"}
"""Last names of decorators that make a property's setter: hosts show that there is one.
"""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Object:
    """A module, class, function or variable, with all its definitions."""

    signature: list[str] = field(default_factory=list)
    """Empty if it has no definition, but only a docstring that is assigned to it."""

    brief: list[str] = field(default_factory=list)
    """What tables have in place of the signature: parameters without values."""

    docstrings: list[str] = field(default_factory=list)

    reads: list[tuple[str, ...]] = field(default_factory=list)
    """The names in each signature, value, or text assigned to its docstring."""

    is_variable: bool = False

    is_field: bool = False
    """Whether it is a variable that the body assigns, not only an initializer."""

    members: dict[str, Object] = field(default_factory=dict)
    """Indexed by name, in the order of the source."""

    has_members: bool = False
    """Whether it is a class or module."""

    exports: list[str] = field(default_factory=list)
    """The names in a module's `__all__`; `*` if it has more than can be read."""

    imports: dict[str, list[str]] = field(default_factory=dict)
    """By name in a module, dotted names elsewhere; `*` has what goes before a name."""

    size: int = 0
    """How many definitions a module has."""

    def add(self, more: Object) -> None:
        """Add all of another object, which stays as it is."""
        self.signature += more.signature
        self.brief += more.brief
        self.docstrings += more.docstrings
        self.reads += more.reads
        self.is_variable |= more.is_variable
        self.is_field |= more.is_field
        self.has_members |= more.has_members
        self.exports += more.exports
        self.size += more.size
        for name, origins in more.imports.items():
            self.imports.setdefault(name, []).extend(origins)
        for name, member in more.members.items():
            self.members.setdefault(name, Object()).add(member)

    @property
    def is_defined(self) -> bool:
        """Whether it is a module or has a definition, not only a docstring."""
        return self.has_members or bool(self.signature)

    @property
    def docstring(self) -> str:
        """The docstrings of all definitions; empty if there are none."""
        return "\n".join(filter(None, self.docstrings))

    @property
    def is_documented(self) -> bool:
        """Whether it or a member of it has a docstring."""
        if self.docstring:
            return True
        return any(each.is_documented for each in self.members.values())

    def listed(self) -> set[str]:
        """Return the names of the members that readers see."""
        names = {*self.exports}
        if names and "*" not in names:
            return names
        for name, member in self.members.items():
            if _is_listed(name, member) and name not in self.imports:
                names.add(name)
        return names


def _is_listed(name: str, it: Object) -> bool:
    is_special = name.startswith("__") and name.endswith("__")
    is_set = it.is_variable and not it.is_field
    if (is_special or is_set) and not it.docstring:
        return False
    return it.is_defined and (is_special or not name.startswith("_"))


def read_section(text: str) -> Object:
    """Return a module with the objects of some of its text, which parses alone.

    Raises:
        UNREADABLE: Python cannot parse it, or it has too many definitions.
    """
    tree = parse(text)
    module = Object(has_members=True)
    module.docstrings.append(_docstring(tree))
    reader = _Reader(text)
    reader.read(tree.body, module)
    module.size = reader.size
    return module


class _Reader:
    def __init__(self, text: str) -> None:
        self.size = 0
        self._comments = comments(text)

    def read(self, body: Sequence[ast.stmt], outer: Object) -> None:
        """Read the statements of a module or class, also those under conditions."""
        for statement, following in statements(body):
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_function(statement, outer)
                case ast.ClassDef():
                    self._read_class(statement, outer)
                case ast.Import() | ast.ImportFrom():
                    _read_import(statement, outer)
                case ast.Expr(ast.Call(ast.Attribute(ast.Name(id=name)))):
                    if name == _EXPORTS:
                        _read_exports(statement.value, outer)
                case _:
                    self._read_assignment(statement, following, outer)

    def _member(self, outer: Object, name: str) -> Object:
        """Return a member for one more definition of it.

        Raises:
            ValueError: There are too many definitions.
        """
        self.size += 1
        if self.size > MAX_OBJECTS:
            raise ValueError(self.size)
        return outer.members.setdefault(name, Object())

    def _read_function(self, statement: _Function, outer: Object) -> None:
        """Add one definition of a function to its object, which can have several."""
        it = self._member(outer, statement.name)
        names = {_name_of(each) for each in statement.decorator_list}
        setters = names & _SETTERS
        if setters:
            it.signature += sorted(setters)
            return
        decorators = statement.decorator_list
        if not names & _OF_COMMANDS:
            decorators = [each for each in decorators if _COUNTS.search(_name_of(each))]
        types = getattr(statement, "type_params", ())
        parts = [*decorators, *types, statement.args, statement.returns]
        it.signature += [type(statement).__name__, *map(written, parts)]
        it.brief += _brief(statement.args)
        it.reads.append(_names(*decorators, statement.args, statement.returns))
        it.docstrings.append(_docstring(statement))
        if statement.name in INITIALIZERS:
            for each, following in statements(statement.body):
                self._read_assignment(each, following, outer, "self")

    def _read_class(self, statement: ast.ClassDef, outer: Object) -> None:
        """Add a class's bases, decorators, docstring and members to its object."""
        it = self._member(outer, statement.name)
        it.has_members = True
        types = getattr(statement, "type_params", ())
        parts = [*statement.decorator_list, *types, *statement.bases]
        shown = ["class", *map(written, [*parts, *statement.keywords])]
        it.signature += [each for each in shown if each != "object"]
        it.docstrings.append(_docstring(statement))
        self.read(statement.body, it)

    def _read_assignment(
        self,
        statement: ast.stmt,
        following: ast.stmt | None,
        outer: Object,
        prefix: str = "",
    ) -> None:
        """Read the variables that a statement assigns, if any.

        `prefix` is `self` in the initializer of the class `outer`.
        """
        found = targets(statement)
        if not found:
            return
        type_ = getattr(statement, "annotation", None)
        value = getattr(statement, "value", None)
        signature = [written(type_), written(value)]
        reads = _names(type_, value)
        docstring = self._docstring_of(statement, following)
        for target in found:
            owner, _, last = dotted(target).rpartition(".")
            if last == _EXPORTS:
                _read_exports(value or target, outer)
            elif last == _DOCSTRING:
                it = outer
                for name in filter(None, owner.split(".")):
                    it = self._member(it, name)
                it.docstrings.append(signature[1])
                it.reads.append(reads)
            elif last and owner == prefix:
                it = self._member(outer, last)
                it.is_variable = True
                it.is_field |= not prefix
                it.signature += signature
                it.reads.append(reads)
                it.docstrings.append(docstring)

    def _docstring_of(self, statement: ast.stmt, following: ast.stmt | None) -> str:
        """Return the string below an assignment, or its comments."""
        match following:
            case ast.Expr(ast.Constant(str() as text)):
                return clean(text)
        lines = (statement.lineno, statement.end_lineno or 0)
        # Only once: a line can have many statements.
        found = [self._comments.pop(line, "") for line in lines]
        return "\n".join(filter(None, found))


def _brief(arguments: ast.arguments) -> Iterator[str]:
    """Yield the names of parameters, and how many are optional."""
    for node in ast.walk(arguments):
        if isinstance(node, ast.arg):
            yield node.arg
    optional = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    yield str(len(optional))


def _names(*code: ast.AST | None) -> tuple[str, ...]:
    """Return the names in pieces of code, dotted as they are written."""
    found = []
    for each in filter(None, code):
        found += [dotted(node) for node in ast.walk(each)]
    return tuple(dict.fromkeys(filter(None, found)))


def _name_of(decorator: ast.expr) -> str:
    """Return the last name of a decorator, without its arguments."""
    return written(decorator).partition("(")[0].rpartition(".")[2]


def _docstring(node: ast.Module | ast.ClassDef | _Function) -> str:
    return clean(ast.get_docstring(node, clean=False) or "")


def _read_exports(value: ast.expr, outer: Object) -> None:
    for node in ast.walk(value):
        match node:
            case ast.Constant(str() as name):
                outer.exports.append(name)
            case ast.Name(id=name) if name != _EXPORTS:
                outer.exports.append("*")


def _read_import(statement: ast.Import | ast.ImportFrom, outer: Object) -> None:
    """Note where each imported name comes from; `*` is all names of a module."""
    for alias in statement.names:
        name = alias.asname or alias.name
        origin = alias.name
        if isinstance(statement, ast.ImportFrom):
            module = "." * statement.level + (statement.module or "")
            before = module if module.endswith(".") else f"{module}."
            origin = before if name == "*" else before + origin
        elif not alias.asname:  # `import a.b` binds `a`.
            name = origin = origin.partition(".")[0]
        outer.imports.setdefault(name, []).append(origin)
