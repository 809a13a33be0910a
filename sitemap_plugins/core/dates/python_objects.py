"""Python modules → what readers see of their objects: docstrings, signatures, members.

Nothing is imported or run: Python's own parser reads each version of a module. Hosts
differ in what they show, and some do run the module. So a change counts unless it is
certain that no reader sees it:

- Of a function, bodies do not count. A decorator does if it shows by its name, if it is
  about documentation or commands, or if its arguments have words.
- Of a class, all decorators count. What its body assigns is a part of its own if it has
  a decorator or a base: dataclasses, attrs, pydantic and homemade tools make the
  signature of these.
- What a name stands for does not count: hosts that run the module show its value, so
  for these a page shows the object of that name, too (see `python_files`).
- Of members, those count that are public or special, documented or not.

Hosts that run the module are read for apart (`ModuleReader.read_values`): what its statements do to
an object counts as well, and they print some code alike that others show as it is.
"""

from __future__ import annotations

import ast
import builtins
import codecs
import inspect
import io
import re
import sys
import tokenize
import warnings
from collections import OrderedDict
from collections.abc import (
    Collection,
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sitemap_plugins.core.git.last_change import Distinct, Elsewhere
from sitemap_plugins.core.records import Excerpt
from sitemap_plugins.core.values import Changes

WITH_MEMBERS = "*"
"""The part of a class or module that is all that readers see of it and its members."""

ALONE = "="
"""The part of a class or module without even the names of its members."""

ORDER = "#"
"""The part that is the order of members in the source, for hosts that keep it."""

DOCUMENTED = "-"
"""The part of a class or module with the names of documented members alone.

Members of a class that have a docstring document it, too. Hosts hide the others.
"""

SUMMARY = "1"
"""The part of any object that a table has: its signature and first paragraph."""

CODE = "@"
"""The part of a module that is its whole text, but the bodies of decorated functions.

For commands, whose options have words from anywhere in it: from constants, and from
functions that return decorators.
"""

INITIALIZER = "!"
"""The part of a class that is its own initializers, which subclasses inherit."""

FIELDS = "()"
"""The part of a class that it and subclasses can have as parameters.

It is what its body assigns. Whether it is shown, hosts know.
"""

VALUE = "$"
"""The part of a variable that is its value, which others show that read its name."""

TEXT = "&"
"""The part of a function that is its text, if that writes docstrings or options.

It can be a decorator, and then all show it that it decorates.
"""

DECORATORS = "^"
"""The part of any object that is its decorators, for what these are said to show.

Without any it is empty: if it were missing, every commit to the file would change it.
"""

IMPORT = "<"
"""The part of a name that is what it is imported from.

Of a star, all modules of which all names are imported.
"""

PUBLIC = "+"
"""The part of a class or module that is the names of public documented members.

Whether `__all__` has them or not: some hosts do not ask it.
"""

EXPORTS = "__all__"
"""The part of a module or class that is the list of its public names."""

_ALL_IMPORTED = f"*.{IMPORT}"

_SHOWN_ELSEWHERE = {VALUE, TEXT, DECORATORS, INITIALIZER}
"""These are known again in another file without a docstring: others show them."""

_PARTS = _SHOWN_ELSEWHERE | {
    WITH_MEMBERS,
    ALONE,
    ORDER,
    DOCUMENTED,
    SUMMARY,
    CODE,
    IMPORT,
    FIELDS,
    PUBLIC,
    EXPORTS,
}

VERSION = f"9 {sys.version_info.major}.{sys.version_info.minor}"
"""Of what is read: higher once the same module gives other parts.

Another parser reads more modules.
"""

MAX_SOURCE = 1 << 20
"""Bytes of a module; the largest that people write have half of it.

One of this size takes a second.
"""

MAX_OBJECTS = 1 << 14
"""Objects of a module, and what its code does to each of them."""

_ENCODINGS = {"utf-8", "utf-8-sig", "ascii", "iso8859-1", "iso8859-15", "cp1252"}
"""As Python names them.

Others are not read: the time of some, as `punycode`, grows with the square.
"""

_SHOWN_DECORATORS = {
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

_ACCESSOR = "accessor"

_ACCESSORS = {"setter", "deleter"}
"""Hosts show that a property has them, and of its functions only the getter."""

_PROPERTIES = {"property", "cached_property", "abstractproperty"}
"""Hosts show these without parameters."""

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

_BRACKET = re.compile(r"[(\[]")

INITIALIZERS = ("__init__", "__new__")
"""Hosts show a class with the parameters of these, and often with their docstrings."""

_UNREADABLE = (SyntaxError, ValueError, LookupError, RecursionError, MemoryError)
"""What Python raises for text that it cannot decode, parse, or walk through."""

_Form = Literal["source", "values", "lines"]
"""For whom a module is read."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
_Statement = Function | ast.ClassDef
_Literal = ast.Constant | ast.List | ast.Dict | ast.Tuple | ast.Set


def object_of(name: str) -> str:
    """Return the name of the object that a part is of; empty for the module."""
    before, _, last = name.rpartition(".")
    return before if last in _PARTS else name


def part(name: str, of: str) -> str:
    """Return the name of a part of an object, which is empty for the module.

    >>> [part("Client", WITH_MEMBERS), part("", ORDER)]
    ['Client.*', '#']
    """
    return f"{name}.{of}" if name and of else name or of


def parse(content: bytes) -> tuple[str, ast.Module]:
    """Return the text and the tree of a module.

    Both are empty if it is, is too large, or cannot be read.
    """
    try:
        text = _decode(content)
        return text, _parse(text)
    except _UNREADABLE:
        return "", ast.Module([], [])


def is_documented(parts: Mapping[str, Any], name: str) -> bool:
    """Tell whether an object has a docstring of its own; `parts` are its module's."""
    summary = _value(parts.get(part(name, SUMMARY), ()))
    return any(each.docstring for each in summary)


def has_public(parts: Mapping[str, Any], name: str) -> bool:
    """Tell whether a part lists a member that no host hides by its name.

    `parts` are those of its module. Most hosts hide special members.
    """
    _, listed = _value(parts.get(name, ((), ())))
    return any(not each.startswith("_") for each in listed)


def writes(parts: Mapping[str, Any], name: str) -> bool:
    """Tell whether a part `TEXT` is of a function that changes what it decorates.

    Not one whose inner function takes over what readers see of the decorated one.
    """
    return any(_WRAPS not in text for text in _value(parts.get(name, ())))


def _value(found: Any) -> Any:  # noqa: ANN401 values of parts are of many types
    return found.value if isinstance(found, Distinct) else found


def is_writer(statement: Function, lines: Sequence[str]) -> bool:
    """Tell whether a function writes docstrings or options; `lines` are the module's.

    Its decorators do not count.
    """
    text = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
    return _WRITER.search(text) is not None


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


class _Definition(NamedTuple):
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


@dataclass(slots=True)
class _Object:
    """A module, class, function or attribute."""

    definitions: list[_Definition] = field(default_factory=list)
    """Several if it is overloaded, or defined under conditions."""

    members: dict[str, _Object] = field(default_factory=dict)
    """By name, in the order of the source."""

    imports: dict[str, str] = field(default_factory=dict)
    """Names that come from other modules, and what they are there."""

    origins: dict[str, tuple[Elsewhere, ...]] = field(default_factory=dict)
    """The names of a module that come from others of its project, and from where.

    Of a name, several that `try` and `if` choose from; of a star, one with all modules.
    """

    exports: list[ast.stmt] = field(default_factory=list)
    """The statements that set a module's `__all__`."""

    decorators: list[str] = field(default_factory=list)

    texts: list[str] = field(default_factory=list)
    """Of the definitions that write docstrings or options."""


# From a module's text to its objects.

MAX_KEPT = 1 << 24
"""Characters of the definitions of which is kept what was read.

All modules of networkx have 7 million. In memory, it is about four times as much.
"""

_DEFINITION = re.compile(r"^(?:@|class\b|def\b|async[ ]+def\b)", re.MULTILINE)


class ModuleReader:
    """Reads many versions of modules, and what these have in common only once."""

    def __init__(self) -> None:
        """Start without anything read."""
        self._known = _Known()

    def excerpt(
        self, file: Path, name: str, changes: Changes, *, is_run: bool = False
    ) -> Excerpt:
        """Return what a page shows of a module: a part of that name, as of `part`.

        `is_run` tells whether the host has run the module.
        """
        read = self.read_values if is_run else self.read_parts
        if changes == "any":
            read = self.read_lines
        return Excerpt(
            file=file,
            name=name,
            read=read,
            version=f"{changes} {read.__name__} {VERSION}",
            label=object_of(name) or "the module",
        )

    def read_parts(self, content: bytes) -> Mapping[str, Hashable]:
        """Return what readers see of the objects of a module, by their parts' names.

        An object's own name is that in its module, empty for the module itself. It
        stands for the object with the names of its members; `WITH_MEMBERS`, `ALONE`,
        `ORDER`, `DOCUMENTED` and `SUMMARY` are its other parts, and of the module
        `CODE`. A module that cannot be read has no parts.
        """
        return self._parts(content, "source")

    def read_values(self, content: bytes) -> Mapping[str, Hashable]:
        """Return what readers see of the objects of a module on hosts that run it.

        By the same names as `read_parts`. What the module does to an object after its
        definition is a part of it, and what decides which definition is run. Not listed
        are members that autodoc leaves out without a docstring: special ones, and
        variables of modules.
        """
        return self._parts(content, "values")

    def read_lines(self, content: bytes) -> Mapping[str, Hashable]:
        """Return the lines of the objects of a module, by the same names.

        An object's lines, of a module the whole file, stand for its signature.
        """
        return self._parts(content, "lines")

    def _parts(self, content: bytes, form: _Form) -> Mapping[str, Hashable]:
        """Return the parts of a module; none if it cannot be read."""
        parts: dict[str, Hashable] = {}
        try:
            text = _decode(content)
            module, code = self._read(text, form)
            _add_parts(parts, "", module)
            for name, origins in module.origins.items():
                # Which of several it is, nobody knows: none is followed.
                origin = origins[0] if len(origins) == 1 else origins
                parts[part(name, IMPORT)] = origin
            parts[CODE] = text if form == "lines" else code
        except _UNREADABLE:
            return {}
        return parts

    def _read(self, text: str, form: _Form) -> tuple[_Object, str]:
        """Return a module with all its objects, and its text as `CODE` says."""
        try:
            return _Reader(self._known, form).module(_sections(text))
        except SyntaxError:
            # A line in a string can look like a definition.
            return _Reader(self._known, form).module([text])


def _sections(text: str) -> list[str]:
    """Divide a module before the definitions that begin a line; the first has none.

    If all parse alone, their statements are those of the module: none of these keywords
    goes on with a statement or an expression. Comments above an attribute stay with it.
    """
    starts = [0]
    is_decorated = False
    for found in _DEFINITION.finditer(text):
        if not is_decorated:
            starts.append(found.start())
        is_decorated = found[0] == "@"
    ends = [*starts[1:], len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _decode(content: bytes) -> str:
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


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        # Old modules have "\d", which is an error with `python -W error`.
        warnings.simplefilter("ignore")
        return ast.parse(text)


class _Section(NamedTuple):
    """What was read of one definition, by itself."""

    module: _Object
    """A module that has only this object."""

    code: str
    """Its text, as `CODE` says."""

    objects: int
    """How many it has."""


_Key = tuple[str, str, int]
"""A definition's text, the form that is read, and what stands for its module."""


class _Known:
    """What was read of definitions, of the last ones that were asked for."""

    def __init__(self) -> None:
        self._sections: OrderedDict[_Key, _Section] = OrderedDict()
        self._size = 0

    def get(self, key: _Key) -> _Section | None:
        found = self._sections.get(key)
        if found is not None:
            self._sections.move_to_end(key)
        return found

    def keep(self, key: _Key, section: _Section) -> None:
        self._sections[key] = section
        self._size += len(key[0])
        while self._size > MAX_KEPT:
            (text, _, _), _ = self._sections.popitem(last=False)
            self._size -= len(text)


class _Reader:
    """Reads the objects of one version of a module."""

    def __init__(self, known: _Known, form: _Form, here: _Here | None = None) -> None:
        """Start to read; in the form `lines`, these stand for what is seen.

        `here` is that of the module, if only a part of it is read.
        """
        self._known = known
        self._form = form
        self._module = _Object()
        self._here = here or _Here(self._module.imports, form, {*dir(builtins)}, set())
        self._context = 0
        """Stands for the imports so far, and for what else is bound, as its hash."""
        self._docstring = ""
        self._code: list[str] = []
        """The text of each section, as `CODE` says."""
        self._body: list[ast.stmt] = []
        """The statements of the module but for the definitions that were read alone."""
        self._count = Count()
        # Of the section that is read:
        self._lines: list[str] = []
        self._is_writer = False
        """Whether a function of it can be one, which takes longer to find out."""
        self._bodies: list[ast.stmt] = []
        """The statements of decorated functions, but for docstrings."""

    def module(self, sections: Sequence[str]) -> tuple[_Object, str]:
        """Return the module with all its objects, and its text as `CODE` says."""
        whole = "".join(sections)
        if self._form == "values":
            self._here.bound.update(_BOUND.findall(whole))
            self._context = hash(frozenset(self._here.bound))
        for text in sections:
            self._read_section(text)
        module = self._module
        self._read_changes(self._body, module)
        own = whole.split("\n")
        if self._form != "lines":
            own = sorted({*_names_in(module.exports)} - {EXPORTS})
        docstring = self._docstring
        module.definitions.append(_Definition("module", tuple(own), "", docstring))
        return module, "".join(self._code)

    def _read_section(self, text: str) -> None:
        """Read a section, or take what was read of the same one before."""
        key = (text, self._form, self._context)
        known = self._known.get(key)
        if known is not None:
            self._add_section(known)
            return
        tree = _parse(text)
        match tree.body:
            case [ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef()]:
                # Not with other statements: they can concern the whole module.
                alone = _Reader(self._known, self._form, self._here)
                alone._read_tree(text, tree)
                section = _Section(alone._module, alone._code[0], alone._count.number)
                self._known.keep(key, section)
                self._add_section(section)
            case _:
                self._read_tree(text, tree)

    def _add_section(self, section: _Section) -> None:
        """Add what was read of a definition, perhaps for another version."""
        self._count.add(section.objects)
        self._code.append(section.code)
        _add_all(self._module, section.module)

    def _read_tree(self, text: str, tree: ast.Module) -> None:
        """Read the statements of a section, and its text."""
        # Not `splitlines`: a form feed does not end a line of Python.
        self._lines = text.split("\n")
        self._is_writer = _WRITER.search(text) is not None
        self._bodies = []
        if not self._code:
            self._docstring = _docstring(tree, self._here)
        self._read_statements(tree.body, self._module)
        if self._form == "values":
            for name in _only_for_types(tree.body):
                self._here.unbound.add(name)
                self._context = hash((self._context, name))
        self._body += tree.body
        lines = self._lines.copy()
        for statement in self._bodies:
            for number in range(statement.lineno - 1, statement.end_lineno or 0):
                lines[number] = ""
        self._code.append("\n".join(lines))

    def _read_statements(self, body: Sequence[ast.stmt], outer: _Object) -> None:
        """Read the statements of a module or class, also those under conditions."""
        for statement, following in statements(body):
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_function(statement, outer)
                case ast.ClassDef():
                    found = self._in_form(_class(statement, self._here), statement)
                    inner = self._add(outer, statement.name, found)
                    inner.texts += map(_text, makers(statement))
                    self._read_statements(statement.body, inner)
                    self._read_changes(statement.body, inner)
                case ast.Import() | ast.ImportFrom():
                    self._read_import(statement, outer)
                case _ if sets_exports(statement):
                    outer.exports.append(statement)
                case _:
                    kind = self._kind_in(outer)
                    self._read_assignment(statement, following, outer, kind)

    def _read_import(
        self, statement: ast.Import | ast.ImportFrom, outer: _Object
    ) -> None:
        """Read which names are imported, and where they are from in the project."""
        module = getattr(statement, "module", "")
        for alias in statement.names:
            name = _own_name(alias)
            # In `try` and `if`, where it is from today comes first.
            origin = f"{module}.{alias.name}"
            outer.imports.setdefault(name, origin)
            self._context = hash((self._context, name, origin))
            if isinstance(statement, ast.ImportFrom):
                found = _origin_of(statement, alias.name, name)
                origins = (*outer.origins.get(name, ()), found)
                if name == "*":
                    files = chain.from_iterable(each.files for each in origins)
                    origins = (found._replace(files=tuple(files)),)
                outer.origins[name] = origins

    def _kind_in(self, outer: _Object) -> str:
        """Return the kind of variables in a module or class."""
        is_of_module = outer is self._module
        return _OF_MODULE if is_of_module and self._form == "values" else _VARIABLE

    def _read_changes(self, body: Sequence[ast.stmt], outer: _Object) -> None:
        """Read what a block does to the objects that it defines, if that is run."""
        if self._form != "values":
            return
        for code, names in changes(body):
            self._count.add(len(names))
            changed = [*_members(outer, names)]
            # Once: long code can have many names.
            text = _text(code) if changed else ""
            for it in changed:
                first = it.definitions[0]
                brief = first.brief if first.kind in _VARIABLES else ()
                found = _Definition("change", (text,), brief=brief)
                it.definitions.append(found)
        for call, names in handed(body):
            self._count.add(len(names))
            taken = [*_members(outer, names)]
            text = _text(call) if taken else ""
            for it in taken:
                it.decorators.append(text)

    def _read_function(self, statement: Function, outer: _Object) -> None:
        """Read a function, and what it sets if it is an initializer."""
        found = _function(statement, self._here)
        if self._form == "values":
            if found.kind == _ACCESSOR:
                return  # Of properties, they show the getter.
            if _is_special(statement.name):
                found = found._replace(kind=_SPECIAL)
        it = self._add(outer, statement.name, self._in_form(found, statement))
        it.decorators += map(_text, statement.decorator_list)
        body = statement.body[ast.get_docstring(statement) is not None :]
        if statement.decorator_list:
            self._bodies += body
        if self._is_writer and is_writer(statement, self._lines):
            it.texts += map(_text, body)
        else:
            it.texts += map(_text, _wrappers(statement))
        if statement.name in INITIALIZERS:
            kind = _OF_INSTANCE if self._form == "values" else _SET
            for each, after in statements(statement.body):
                self._read_assignment(each, after, outer, kind)

    def _read_assignment(
        self,
        statement: ast.stmt,
        following: ast.stmt | None,
        outer: _Object,
        kind: str,
    ) -> None:
        """Read the attributes of a module or class, or that its initializer sets."""
        self._read_docstrings(statement, outer)
        names = []
        for target in targets(statement):
            # Of `name` or `self.name`.
            is_own = kind in _VARIABLES
            names.append(getattr(target, "id" if is_own else "attr", ""))
        names = [name for name in names if name and name != DOCSTRING]
        if isinstance(statement, ast.Delete):
            self._delete(names, outer)
            return
        if not names:
            return
        # Once: a large value can have many names.
        docstring = self._attribute_docstring(statement, following)
        found = _attribute(kind, statement, docstring, self._here)
        found = self._in_form(found, statement)
        for name in names:
            self._add(outer, name, found)

    def _delete(self, names: Iterable[str], outer: _Object) -> None:
        """Take out members that are gone once the module has run."""
        if self._form == "values":
            for name in names:
                outer.members.pop(name, None)

    def _read_docstrings(self, statement: ast.stmt, outer: _Object) -> None:
        """Read what is assigned to `__doc__`, or to `name.__doc__`."""
        documented: list[_Object] = []
        for target in targets(statement):
            owner, _, last = ast.unparse(target).rpartition(".")
            if last == DOCSTRING:
                documented += _members(outer, [owner]) if owner else [outer]
        if documented:
            text = _text(getattr(statement, "value", None))
            found = _Definition("docstring", docstring=text)
            for it in documented:
                it.definitions.append(found)

    def _attribute_docstring(
        self, statement: ast.stmt, following: ast.stmt | None
    ) -> str:
        """Return the string below an assignment, or its comments that begin with `#:`.

        These are above it or at its end.
        """
        match following:
            case ast.Expr(ast.Constant(str() as text)):
                return _clean(text, self._here)
        comments = self._comments_above(statement)
        # Columns count bytes.
        last = self._lines[(statement.end_lineno or 0) - 1].encode()
        after = last[statement.end_col_offset :].decode().strip()
        if after.startswith("#:"):
            comments.append(after)
        return "\n".join(comments)

    def _comments_above(self, statement: ast.stmt) -> list[str]:
        """Return the comments above a statement that begin with `#:`."""
        comments: list[str] = []
        number = statement.lineno - 1
        line = self._lines[number].encode()
        if line[: statement.col_offset].strip():
            return comments  # As in Sphinx: they are of the first statement of a line.
        while number > 0 and self._lines[number - 1].lstrip().startswith("#:"):
            number -= 1
            comments.append(self._lines[number].strip())
        comments.reverse()
        return comments

    def _in_form(self, found: _Definition, statement: ast.stmt) -> _Definition:
        """Return a definition with the lines of its statement, if these are read."""
        if self._form != "lines":
            return found
        decorators = getattr(statement, "decorator_list", ())
        first = min(each.lineno for each in (statement, *decorators))
        lines = self._lines[first - 1 : statement.end_lineno]
        # One text: its hash is known after the first time.
        return found._replace(signature=("\n".join(lines),))

    def _add(self, outer: _Object, name: str, found: _Definition) -> _Object:
        """Add a definition to the object of that name; return the object.

        Raises:
            ValueError: There are too many.
        """
        self._count.add(1)
        it = outer.members.setdefault(name, _Object())
        it.definitions.append(found)
        return it


def _add_all(it: _Object, more: _Object) -> None:
    """Add all of an object, which stays as it is, to what another is."""
    it.definitions += more.definitions
    it.exports += more.exports
    it.decorators += more.decorators
    it.texts += more.texts
    for name, origin in more.imports.items():
        it.imports.setdefault(name, origin)
    it.origins |= more.origins
    for name, member in more.members.items():
        _add_all(it.members.setdefault(name, _Object()), member)


DOCSTRING = "__doc__"

_VARIABLE = "variable"

_OF_MODULE = "variable of a module"

_VARIABLES = {_VARIABLE, _OF_MODULE}

_SET = "attribute that an initializer sets"

_OF_INSTANCE = "attribute of instances"

_SPECIAL = "special method"

_PRIVATE = ":meta private:"
"""In the docstrings of members that autodoc hides."""

_UNLISTED = {_OF_MODULE, _OF_INSTANCE, _SPECIAL}
"""Kinds that hosts which run modules list only with a docstring."""


def statements(
    body: Sequence[ast.stmt],
) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    """Yield the statements of a block, also within `if`, `try`, `with` and loops.

    Each with the one that follows it in its block, which can be its docstring.
    """
    for statement, following in zip_longest(body, body[1:]):
        if isinstance(statement, _Statement):
            yield statement, following
            continue
        blocks = _blocks(statement)
        if not blocks:
            yield statement, following
        for block in blocks:
            yield from statements(block)


def _only_for_types(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module imports for checkers of types, or otherwise."""
    for statement in body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in _text(statement.test):
            for each, _ in statements([statement]):
                for alias in getattr(each, "names", ()):
                    yield _own_name(alias)


def _own_name(alias: ast.alias) -> str:
    """Return the name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def _blocks(statement: ast.stmt) -> list[Sequence[ast.stmt]]:
    """Return the blocks of a compound statement, in the order of the source."""
    blocks: list[Sequence[ast.stmt]]
    if isinstance(statement, ast.If):
        branches = [*_branches(statement)]
        blocks = [each.body for each in branches]
        blocks.append(branches[-1].orelse)
        return [block for block in blocks if block]
    blocks = [getattr(statement, "body", ())]
    for name in ("handlers", "cases"):
        blocks += [each.body for each in getattr(statement, name, ())]
    blocks += [getattr(statement, name, ()) for name in ("orelse", "finalbody")]
    return [block for block in blocks if block]


def _branches(statement: ast.If) -> Iterator[ast.If]:
    """Yield an `if` and each `elif` of it, which is alone in the `else` above."""
    yield statement
    while True:
        match statement.orelse:
            case [ast.If() as statement]:
                yield statement
            case _:
                return


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
                for block in _blocks(statement):
                    defined |= yield from changes(block)
    return defined


def _conditions(statement: ast.If) -> _Changes:
    """Yield the conditions of an `if` and its `elif`, and the rest, as `changes` does.

    Each decides about what its own block and all later ones define.
    """
    branches = [*_branches(statement)]
    defined = yield from changes(branches[-1].orelse)
    for each in reversed(branches):
        own = yield from changes(each.body)
        defined = own | defined
        yield each.test, defined
    return defined


def _defined_by(statement: ast.stmt) -> _Names:
    """Return the names that a statement itself defines."""
    if isinstance(statement, _Statement):
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


def handed(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Call, set[str]]]:
    """Yield the calls of a block to which objects are handed, as to a decorator.

    Each with their dotted names.
    """
    for statement, _ in statements(body):
        match statement:
            case ast.Expr(ast.Call() as call):
                yield call, set(map(dotted, call.args))


def dotted(node: ast.AST) -> str:
    """Return the dotted name that an expression is, without its `[…]`; else empty.

    Longer ones than `_MAX_DOTS` have no name.
    """
    names: list[str] = []
    for _ in range(_MAX_DOTS):
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


_MAX_DOTS = 50
"""Attributes and `[…]` of a name. Who reads code asks at each of them for all before."""


def _origin_of(statement: ast.ImportFrom, name: str, own: str) -> Elsewhere:
    """Return where a name is from that a module imports by a name of its own."""
    files = _files_of(statement)
    if name == "*":
        return Elsewhere(files, ())
    parts = (part(name, WITH_MEMBERS), name, part(name, IMPORT), _ALL_IMPORTED)
    before = (part(own, WITH_MEMBERS), own, _ALL_IMPORTED)
    return Elsewhere(files, parts, before)


def _files_of(statement: ast.ImportFrom) -> tuple[str, ...]:
    """Return the files of a module of which names are imported, as in `Elsewhere`."""
    # One dot is the package itself.
    above = "../" * (statement.level - 1) if statement.level else "/"
    module = (statement.module or "").replace(".", "/")
    package = f"{above}{module}/__init__.py" if module else f"{above}__init__.py"
    return (f"{above}{module}.py", package) if module else (package,)


def _members(outer: _Object, names: Iterable[str]) -> Iterator[_Object]:
    """Yield the objects of dotted names that a module or class has."""
    for name in names:
        it: _Object | None = outer
        for each in name.split("."):
            it = it and it.members.get(each)
        if it is not None:
            yield it


def makers(statement: ast.ClassDef) -> Iterator[Function]:
    """Yield the functions of a class that run when other classes are made of it.

    It is a base of these, or their metaclass, whose calls make their instances.
    """
    names = {"__init_subclass__"}
    if any(dotted(base).endswith(("type", "Meta")) for base in statement.bases):
        names |= {*INITIALIZERS, "__call__"}
    for each in statement.body:
        if isinstance(each, Function) and each.name in names:
            yield each


def _wrappers(statement: Function) -> list[ast.AST]:
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
            case ast.Expr(ast.Call(func)) if dotted(func).endswith("update_wrapper"):
                return []
    found: list[ast.AST] = []
    for each in returned:
        wraps = [it for it in each.decorator_list if is_wraps(it)]
        # One that returns a function, too, is a decorator, made for given arguments.
        found += wraps or _wrappers(each) or _own(each)
    return found


def _own(statement: Function) -> list[ast.AST]:
    """Return what shows of a function itself: its parameters and its docstring."""
    docstring = statement.body[: ast.get_docstring(statement) is not None]
    return [statement.args, *docstring]


def is_wraps(decorator: ast.expr) -> bool:
    """Tell whether a decorator shows another function in place of its own."""
    function = getattr(decorator, "func", None)
    return function is not None and _last(dotted(function)) == _WRAPS


_WRAPS = "wraps"
"""The name of the decorator of Python's library that takes over what readers see."""


class _Here(NamedTuple):
    """What code is read in."""

    imports: Mapping[str, str]
    """Of the module: names, and what they are elsewhere."""

    form: _Form

    bound: set[str]
    """Names that exist when the module runs, beside the imported ones."""

    unbound: set[str]
    """Imported names that do not."""

    is_resolved: bool = False
    """Whether all names in the annotations of a function exist."""


def _function(statement: Function, here: _Here) -> _Definition:
    signature = []
    kinds = set()
    for decorator in statement.decorator_list:
        name = _origin(decorator, here.imports)
        shown = _decorator(decorator, name)
        if shown:
            signature.append(shown)
        kinds.add(_last(name))
    accessors = kinds & _ACCESSORS
    if accessors:
        return _Definition(_ACCESSOR, tuple(sorted(accessors)))
    brief: tuple[str, ...] = ()
    if here.form == "values":
        brief = (*signature, *_brief(statement.args))
    signature += _type_parameters(statement)
    *annotations, returns = _annotations(statement, here)
    if not kinds & _PROPERTIES:
        signature += [*annotations, _text(statement.args)]
    return _Definition(
        brief=brief,
        kind=type(statement).__name__,
        signature=tuple(signature),
        returns=returns,
        docstring=_docstring(statement, here),
    )


def _class(statement: ast.ClassDef, here: _Here) -> _Definition:
    made_by = [*statement.decorator_list, *statement.bases, *statement.keywords]
    signature = _type_parameters(statement)
    for decorator in statement.decorator_list:
        signature += _shown_arguments(decorator)
    signature += _bases(statement, here)
    signature += map(_text, statement.keywords)
    fields: list[Hashable] = []
    for each, _ in statements(statement.body):
        is_decorated = bool(statement.decorator_list)
        if made_by and _is_field(each, is_decorated=is_decorated):
            fields += map(_text, targets(each))
            fields.append(_attribute(_VARIABLE, each, "", here))
    return _Definition(
        kind="class",
        signature=tuple(signature),
        docstring=_docstring(statement, here),
        fields=tuple(fields),
    )


def _bases(statement: ast.ClassDef, here: _Here) -> Iterator[str]:
    """Yield the bases of a class as hosts show them."""
    for base in statement.bases:
        if here.form != "values":
            yield _text(base)
        elif dotted(base) != "object":
            yield _printed(ast.unparse(base), is_text=False, is_resolved=False)


def _shown_arguments(decorator: ast.expr) -> list[str]:
    """Return what shows of a class's decorator and its arguments."""
    match decorator:
        case ast.Call(func, [], keywords) if _last(dotted(func)) == "dataclass":
            shown = [each for each in keywords if each.arg not in _SILENT]
            return [_text(func), *map(_text, shown)]
    return [_text(decorator)]


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


def _is_field(statement: ast.stmt, *, is_decorated: bool) -> bool:
    """Tell whether a class's signature can have what a statement assigns.

    Private ones are fields for decorators such as attrs', or with a type.
    """
    if not isinstance(statement, ast.AnnAssign | ast.Assign):
        return False
    annotation = getattr(statement, "annotation", None)
    if "ClassVar" in _text(annotation):
        return False
    is_known = is_decorated or annotation is not None
    for target in targets(statement):
        name = getattr(target, "id", "")
        if name in {*INITIALIZERS, "__signature__"} or not name.startswith("_"):
            return True
        if is_known and not name.startswith("__"):
            return True
    return False


def _attribute(
    kind: str, statement: ast.stmt, docstring: str, here: _Here
) -> _Definition:
    annotation = _written(getattr(statement, "annotation", None))
    value = getattr(statement, "value", None)
    # Others can be called, or be another object.
    is_literal = isinstance(value, _Literal)
    return _Definition(
        brief=(kind,) if is_literal and here.form == "values" else (),
        kind=kind,
        signature=(*_type_parameters(statement), _text(value)),
        returns=_annotation(annotation, here),
        docstring=docstring,
    )


def _decorator(decorator: ast.expr, name: str) -> str:
    """Return what may show of a function's decorator; empty for nothing."""
    last = _last(name)
    if _OF_DOCUMENTATION.search(last):
        return _text(decorator)
    if last in _SHOWN_DECORATORS:
        return name  # All of it: hosts only know those of the standard library.
    has_words = any(" " in text.strip() for text in _strings(decorator))
    return _text(decorator) if has_words else ""


def _origin(decorator: ast.expr, imports: Mapping[str, str]) -> str:
    """Return a decorator's dotted name where it is from, without its arguments."""
    name = _BRACKET.split(ast.unparse(decorator), maxsplit=1)[0]
    first, dot, rest = name.partition(".")
    origin = imports.get(first, first) + dot + rest
    return origin.replace("typing_extensions.", "typing.")


def _last(name: str) -> str:
    return name.rpartition(".")[2]


# Also what is assigned: variables of types, and other names of types.
_BOUND = re.compile(r"^(?:class[ ]+(?=\w)|(?=\w+[ ]=[ ]))(\w+)", re.MULTILINE)

_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")


def _annotations(statement: Function, here: _Here) -> list[str]:
    """Return the annotation of each parameter, which loses it, and of the result.

    If a name in one of them does not exist when the module runs, autodoc prints all
    that are texts as they are written.
    """
    every = statement.args
    texts = []
    several = (every.posonlyargs, every.args, every.kwonlyargs)
    for each in (*chain(*several), every.vararg, every.kwarg):
        texts.append(_written(getattr(each, "annotation", None)))
        if each is not None:
            each.annotation = None
    texts.append(_written(statement.returns))
    if here.form == "values":
        names = {*_WORD.findall(" ".join(texts))}
        unbound = names - here.bound - here.imports.keys() or names & here.unbound
        here = here._replace(is_resolved=not unbound)
    return [_annotation(text, here) for text in texts]


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


def _type_parameters(statement: ast.stmt) -> list[str]:
    # Python 3.12 has them.
    return [_text(each) for each in getattr(statement, "type_params", ())]


def _written(annotation: ast.expr | None) -> str:
    return "" if annotation is None else ast.unparse(annotation)


def _annotation(text: str, here: _Here) -> str:
    """Return an annotation without quotes around names: hosts show both alike.

    But not all do if all annotations are texts already.
    """
    are_texts = here.imports.get("annotations") == "__future__.annotations"
    if here.form == "values":
        return _printed(text, is_text=are_texts, is_resolved=here.is_resolved)
    if are_texts:
        return text
    if "Literal" in text or "Annotated" in text:
        return text  # These have values in quotes.
    return text.replace("'", "").replace('"', "")


@lru_cache(maxsize=MAX_OBJECTS)
def _printed(text: str, *, is_text: bool, is_resolved: bool) -> str:
    """Return an annotation or base class as hosts print it that run the module.

    They print the last part of a dotted name, and unions with `|`; but a text with
    names that do not exist as it is.
    """
    if not text or text.isidentifier() or "Literal" in text or "Annotated" in text:
        return text  # The last two have values in quotes.
    if is_text and not is_resolved:
        return text.strip("'")
    with suppress(*_UNREADABLE):
        printed = _Printed(is_resolved=is_resolved)
        return ast.unparse(printed.visit(_parse(text)))
    return text


class _Printed(ast.NodeTransformer):
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
        return ast.Name(_last(name)) if name else self.generic_visit(node)

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


def _text(node: ast.AST | None) -> str:
    """Return a normal form of code: without comments, line breaks, kinds of quotes."""
    return "" if node is None else ast.dump(node).replace(", kind='u'", "")


def _docstring(node: ast.Module | _Statement, here: _Here) -> str:
    return _clean(ast.get_docstring(node, clean=False) or "", here)


def _clean(docstring: str, here: _Here) -> str:
    """Return a docstring without its indentation, and the blanks that do not show."""
    # Hosts that run modules show reStructuredText, others perhaps Markdown.
    blanks = _BLANKS_OF_RST if here.form == "values" else _BLANKS
    text = blanks.sub("", inspect.cleandoc(docstring.rstrip()))
    if "```" in text or "~~~" in text:  # In Markdown, code can be without indentation.
        return text
    return _EMPTY_LINES.sub("", text)


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


def _names_in(exports: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names in statements: those of modules whose exports are taken over."""
    for statement in exports:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                yield node.id


def _strings(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


# From objects to their parts.

_OWN = ""
"""The part of an object that has its name."""


def _add_parts(
    parts: dict[str, Hashable], name: str, it: _Object, *, of_known: bool = False
) -> Hashable:
    """Add the parts of an object and its members; return that with members.

    `of_known` tells whether it is in a documented class.
    """
    is_known = _is_documented(it)
    is_in_class = bool(name)
    seen = {}
    for member, inner in it.members.items():
        below = part(name, member)
        of_class = is_known and is_in_class
        seen[member] = _add_parts(parts, below, inner, of_known=of_class)
    found = _own_parts(it)
    if _has_members(it):
        found |= _parts_with_members(it, seen)
    for of, value in found.items():
        is_distinct = is_known or of_known or of in _SHOWN_ELSEWHERE
        parts[part(name, of)] = Distinct(value) if is_distinct else value
    return found.get(WITH_MEMBERS, found[_OWN])


def _is_variable(it: _Object) -> bool:
    return any(each.kind in _VARIABLES for each in it.definitions)


def _has_members(it: _Object) -> bool:
    kinds = {each.kind for each in it.definitions}
    return not kinds.isdisjoint({"class", "module"})


def _own_parts(it: _Object) -> dict[str, Hashable]:
    """Return the parts of an object itself."""
    found: dict[str, Hashable] = {_OWN: _alone(it)}
    found[SUMMARY] = tuple(map(_summary, it.definitions))
    if _is_variable(it):
        found[VALUE] = tuple(each.signature for each in it.definitions)
    if it.texts:
        found[TEXT] = tuple(it.texts)
    found[DECORATORS] = tuple(it.decorators)
    return found


def _parts_with_members(
    it: _Object, seen: Mapping[str, Hashable]
) -> dict[str, Hashable]:
    """Return the parts of a class or module; `seen` has what is shown of members."""
    alone = _alone(it)
    listed, shown = _listed(it)
    # What is imported can have a docstring elsewhere.
    hidden = {each for each in shown if not _has_documentation(it.members[each])}
    documented = tuple(each for each in listed if each not in hidden)
    public = [each for each in _public(it) if _has_documentation(it.members[each])]
    members = [(each, seen[each]) for each in sorted(shown)]
    fields = tuple(each.fields for each in it.definitions)
    initializers = tuple(_initializers(it))
    return {
        _OWN: (alone, listed),
        WITH_MEMBERS: (alone, listed, *members),
        ALONE: alone,
        ORDER: tuple(shown),
        DOCUMENTED: (alone, documented),
        PUBLIC: ((), tuple(sorted(public))),
        EXPORTS: listed,
        FIELDS: fields,
        INITIALIZER: initializers,
    }


def _alone(it: _Object) -> tuple[Hashable, ...]:
    """Return what readers see of an object itself; of a class, also its parameters."""
    own: list[Hashable] = [each._replace(fields=()) for each in it.definitions]
    own += _initializers(it)
    return tuple(own)


def _initializers(it: _Object) -> Iterator[Hashable]:
    """Yield what a class shows of its initializers.

    autodoc shows no docstring of these, if it is not told to.
    """
    for name in INITIALIZERS:
        if name in it.members:
            for each in it.members[name].definitions:
                docstring = "" if each.kind == _SPECIAL else each.docstring
                yield each.signature, docstring


def _is_documented(it: _Object) -> bool:
    return any(each.docstring for each in it.definitions)


def _has_documentation(it: _Object) -> bool:
    """Tell whether an object or a member of it has a docstring."""
    return _is_documented(it) or any(map(_has_documentation, it.members.values()))


def _summary(definition: _Definition) -> Hashable:
    paragraph = _first_paragraph(definition.docstring)
    found = definition._replace(docstring=paragraph, fields=())
    if found.brief:
        found = found._replace(kind="", signature=(), returns="")
    return found


# Many names can have one long docstring.
@lru_cache(maxsize=128)
def _first_paragraph(docstring: str) -> str:
    return docstring.partition("\n\n")[0]


def _listed(it: _Object) -> tuple[tuple[str, ...], list[str]]:
    """Return the names that a class or module lists, and those of its own members.

    The first are sorted, the others in the order of the source.
    """
    if it.exports:
        # Some are of other modules: a name that moves there is still listed.
        names = {text for each in it.exports for text in _strings(each)}
        return tuple(sorted(names)), [name for name in it.members if name in names]
    public = _public(it)
    return tuple(sorted(public)), public


def _public(it: _Object) -> list[str]:
    """Return the names of public members, in the order of the source."""
    public = []
    for name, member in it.members.items():
        # `brotli = None` is for where it cannot be imported.
        if name not in it.imports and _is_shown(name, member):
            public.append(name)
    return public


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_shown(name: str, member: _Object) -> bool:
    """Tell whether hosts list a member that no `__all__` decides about."""
    if name.startswith("_") and not _is_special(name):
        return False
    if any(_PRIVATE in it.docstring for it in member.definitions):
        return False
    return any(it.kind not in _UNLISTED or it.docstring for it in member.definitions)
