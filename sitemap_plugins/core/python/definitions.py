"""A piece of a module's text → its objects, and what readers see of each.

Of a function, the body does not count, and of its decorators only those that hosts
show, or that can write into what they show.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sitemap_plugins.core.python.text import (
    clean,
    parse,
    statements,
    targets,
    written,
)

EXPORTS = "__all__"

INITIALIZERS = ("__init__", "__new__")
"""Hosts show a class with the parameters of these, and often with their docstrings."""

_SHOWN = re.compile(
    r"""
    ^ (?: abstract | async | cache | class | context | final | lru_cache | overload
        | override | property | single | static ) | property | manager $
    | deprecat | doc | append | substitut | signature | since | version
    | added | changed | renamed | removed
    | argument | command | group | option
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""In the last names of decorators that hosts show, or that write into a docstring, or
make the options of a command."""

_PROPERTIES = {"property", "cached_property", "abstractproperty"}
"""Hosts show these without parameters."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Object:
    """A module, class, function or variable, with all its definitions."""

    signature: list[str] = field(default_factory=list)

    brief: list[str] = field(default_factory=list)
    """What tables have in place of the signature: parameters without values."""

    docstrings: list[str] = field(default_factory=list)

    reads: list[str] = field(default_factory=list)
    """The names in its signature, value, or what is assigned to its docstring."""

    is_variable: bool = False

    is_set: bool = False
    """Whether it is an attribute of instances without a docstring: it is not listed."""

    fields: list[str] = field(default_factory=list)
    """Of a class: what its body assigns."""

    members: dict[str, Object] = field(default_factory=dict)
    """By name, in the order of the source."""

    has_members: bool = False
    """Whether it is a class or module."""

    exports: list[str] = field(default_factory=list)
    """The names in a module's `__all__`."""

    is_computed: bool = False
    """Whether there are more of them than can be read."""

    imports: dict[str, list[str]] = field(default_factory=dict)
    """What names of a module are elsewhere: `..module.name`; `*` has modules."""

    def add(self, more: Object) -> None:
        """Add all of another object, which stays as it is."""
        self.signature += more.signature
        self.brief += more.brief
        self.docstrings += more.docstrings
        self.reads += more.reads
        self.is_variable = self.is_variable or more.is_variable
        self.is_set = self.is_set or more.is_set
        self.fields += more.fields
        self.exports += more.exports
        self.has_members = self.has_members or more.has_members
        self.is_computed = self.is_computed or more.is_computed
        for name, origins in more.imports.items():
            self.imports.setdefault(name, []).extend(origins)
        for name, member in more.members.items():
            self.members.setdefault(name, Object()).add(member)

    @property
    def docstring(self) -> str:
        """Those of all definitions; empty without any."""
        return "\n".join(filter(None, self.docstrings))

    @property
    def is_documented(self) -> bool:
        """Whether it or a member of it has a docstring."""
        if self.docstring:
            return True
        return any(each.is_documented for each in self.members.values())


# A definition by itself is the same in every version of its module.
@lru_cache(maxsize=1 << 14)
def read_section(text: str, *, is_first: bool) -> Object:
    """Return a module with the objects of some of its text.

    `is_first` tells whether it begins with the module's docstring.

    Raises:
        UNREADABLE: Python cannot parse it.
    """
    tree = parse(text)
    module = Object(has_members=True)
    if is_first:
        module.docstrings.append(_docstring(tree))
    _Reader(text.split("\n")).read(tree.body, module)
    return module


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        """Take the lines of the text: comments document, too."""
        self._lines = lines

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
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                    self._read_assignment(statement, following, outer)
                case ast.Expr(ast.Call(ast.Attribute(ast.Name(id=name)))):
                    if name == EXPORTS:
                        _read_exports(statement, outer)

    def _read_function(self, statement: _Function, outer: Object) -> None:
        it = outer.members.setdefault(statement.name, Object())
        decorators = [*map(ast.unparse, statement.decorator_list)]
        names = {_name_of(each) for each in decorators}
        if names & {"setter", "deleter"}:
            it.signature += names
            return
        shown = [type(statement).__name__, *filter(_is_shown, decorators)]
        if not names & _PROPERTIES:
            shown.append(written(statement.args))
        shown.append(written(statement.returns))
        it.signature.append(" ".join(shown))
        it.brief += _brief(statement.args)
        it.reads += _names(statement.args, statement.returns)
        it.docstrings.append(_docstring(statement))
        if statement.name in INITIALIZERS:
            for each, following in statements(statement.body):
                if isinstance(each, ast.Assign | ast.AnnAssign):
                    self._read_assignment(each, following, outer, "attr")

    def _read_class(self, statement: ast.ClassDef, outer: Object) -> None:
        it = outer.members.setdefault(statement.name, Object())
        it.has_members = True
        bases = filter(lambda base: base != "object", map(written, statement.bases))
        parts = [*statement.decorator_list, *statement.keywords]
        it.signature += ["class", *bases, *map(written, parts)]
        it.docstrings.append(_docstring(statement))
        self.read(statement.body, it)
        for each, _ in statements(statement.body):
            if isinstance(each, ast.Assign | ast.AnnAssign):
                it.fields.append(written(each))

    def _read_assignment(
        self,
        statement: ast.stmt,
        following: ast.stmt | None,
        outer: Object,
        of_target: str = "id",
    ) -> None:
        """Read the variables of a module or class, or that its initializer sets."""
        names = [getattr(target, of_target, "") for target in targets(statement)]
        if EXPORTS in names:
            _read_exports(statement, outer)
            return
        docstring = self._docstring_of(statement, following)
        type_ = getattr(statement, "annotation", None)
        value = getattr(statement, "value", None)
        for name in filter(None, names):
            is_new = name not in outer.members
            it = outer.members.setdefault(name, Object())
            it.is_variable = True
            it.is_set = is_new and of_target == "attr" and not docstring
            it.signature += [written(type_), written(value)]
            it.reads += _names(type_, value)
            it.docstrings.append(docstring)
        for target in targets(statement):
            match target:
                case ast.Attribute(owner, "__doc__"):
                    it = outer.members.setdefault(ast.unparse(owner), Object())
                    it.docstrings.append(written(value))
                    it.reads += _names(value)

    def _docstring_of(self, statement: ast.stmt, following: ast.stmt | None) -> str:
        """Return the string below an assignment, or its comments that begin with `#:`.

        These are above it or at its end.
        """
        match following:
            case ast.Expr(ast.Constant(str() as text)):
                return clean(text)
        number = statement.lineno - 1
        comments: list[str] = []
        while number > 0 and self._lines[number - 1].lstrip().startswith("#:"):
            number -= 1
            comments.insert(0, self._lines[number].strip())
        _, mark, after = self._lines[(statement.end_lineno or 0) - 1].partition("#:")
        return "\n".join([*comments, mark + after]).strip()


def _brief(arguments: ast.arguments) -> Iterator[str]:
    """Yield the names of parameters, and how many are optional."""
    for node in ast.walk(arguments):
        if isinstance(node, ast.arg):
            yield node.arg
    optional = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    yield str(len(optional))


def _names(*code: ast.AST | None) -> Iterator[str]:
    """Yield the names in pieces of code, dotted as they are written."""
    for each in filter(None, code):
        for node in ast.walk(each):
            if isinstance(node, ast.Name | ast.Attribute):
                yield ast.unparse(node)


def _is_shown(decorator: str) -> bool:
    """Tell whether a decorator of a function counts: by its name, or its words."""
    words = re.search(r"""["'][^"']*\w [^"']*["']""", decorator)
    return bool(words or _SHOWN.search(_name_of(decorator)))


def _name_of(decorator: str) -> str:
    return decorator.partition("(")[0].rpartition(".")[2]


def _docstring(node: ast.Module | ast.ClassDef | _Function) -> str:
    return clean(ast.get_docstring(node, clean=False) or "")


def _read_exports(statement: ast.stmt, outer: Object) -> None:
    for node in ast.walk(statement):
        match node:
            case ast.Constant(str() as name):
                outer.exports.append(name)
            case ast.Call() | ast.comprehension():
                outer.is_computed = True


def _read_import(statement: ast.Import | ast.ImportFrom, outer: Object) -> None:
    module = "." * getattr(statement, "level", 0) + (
        getattr(statement, "module", "") or ""
    )
    for alias in statement.names:
        name = alias.asname or alias.name
        origin = alias.name
        if isinstance(statement, ast.ImportFrom):
            origin = module if name == "*" else f"{module}:{alias.name}"
        outer.imports.setdefault(name, []).append(origin)
