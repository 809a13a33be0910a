"""The statements of a piece of a module → its objects.

For hosts that run modules, what the code does to an object after its definition is a
part of it, and so is what decides which definition is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from itertools import chain

from sitemap_plugins.core.git.last_change import Elsewhere
from sitemap_plugins.core.python.annotations import Context
from sitemap_plugins.core.python.changes import changes, handed
from sitemap_plugins.core.python.decorators import (
    applied,
    is_writer,
    makers,
    may_write,
    wrappers,
)
from sitemap_plugins.core.python.definitions import (
    ACCESSOR,
    ASSIGNED_DOCSTRING,
    CHANGE,
    OF_INSTANCE,
    OF_MODULE,
    SET,
    VARIABLE,
    VARIABLES,
    Definition,
    attribute,
    class_,
    clean,
    function,
)
from sitemap_plugins.core.python.excerpt_names import IMPORT, WITH_MEMBERS, part
from sitemap_plugins.core.python.objects import Object
from sitemap_plugins.core.python.syntax import (
    DOCSTRING,
    INITIALIZERS,
    Count,
    Function,
    imported_as,
    sets_exports,
    statements,
    targets,
    text_of,
)

_ALL_IMPORTED = f"*.{IMPORT}"


class Piece:
    """The text of some statements that follow each other, and what they define."""

    def __init__(
        self, text: str, module: Object, context: Context, count: Count
    ) -> None:
        """Take the text, and the module of which it is, with its other objects."""
        # Not `splitlines`: a form feed does not end a line of Python.
        self._lines = text.split("\n")
        self._may_write = may_write(text)
        """Whether a function of it can be a writer, which takes longer to find out."""
        self._module = module
        self._context = context
        self._count = count
        self._bodies: list[ast.stmt] = []
        """The statements of decorated functions, but for docstrings."""
        self.imported: list[tuple[str, str]] = []
        """Names, and where each is from."""

    def code(self) -> str:
        """Return the text as `CODE` says, once it was read."""
        lines = self._lines.copy()
        for statement in self._bodies:
            for number in range(statement.lineno - 1, statement.end_lineno or 0):
                lines[number] = ""
        return "\n".join(lines)

    def read(self, body: Sequence[ast.stmt], outer: Object) -> None:
        """Read the statements of a module or class, also those under conditions.

        Raises:
            ValueError: There are too many objects.
        """
        for statement, following in statements(body):
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_function(statement, outer)
                case ast.ClassDef():
                    self._read_class(statement, outer)
                case ast.Import() | ast.ImportFrom():
                    self._read_import(statement, outer)
                case _ if sets_exports(statement):
                    outer.exports.append(statement)
                case _:
                    is_of_module = outer is self._module and self._context.is_run
                    kind = OF_MODULE if is_of_module else VARIABLE
                    self._read_assignment(statement, following, outer, kind)

    def _read_class(self, statement: ast.ClassDef, outer: Object) -> None:
        found = class_(statement, self._context)
        inner = self._add(outer, statement.name, found, statement)
        inner.texts += map(text_of, makers(statement))
        inner.applied += map(text_of, applied(statement, self._lines))
        self.read(statement.body, inner)
        if self._context.is_run:
            read_changes(statement.body, inner, self._count)

    def _read_import(
        self, statement: ast.Import | ast.ImportFrom, outer: Object
    ) -> None:
        """Read which names are imported, and where they are from in the project."""
        module = getattr(statement, "module", "")
        for alias in statement.names:
            name = imported_as(alias)
            # In `try` and `if`, where it is from today comes first.
            origin = f"{module}.{alias.name}"
            outer.imports.setdefault(name, origin)
            self.imported.append((name, origin))
            if isinstance(statement, ast.ImportFrom):
                found = _origin_of(statement, alias.name, name)
                origins = (*outer.origins.get(name, ()), found)
                if name == "*":
                    files = chain.from_iterable(each.files for each in origins)
                    origins = (found._replace(files=tuple(files)),)
                outer.origins[name] = origins

    def _read_function(self, statement: Function, outer: Object) -> None:
        """Read a function, and what it sets if it is an initializer."""
        found = function(statement, self._context)
        if found.kind == ACCESSOR and self._context.is_run:
            return  # Of properties, these hosts show the getter.
        it = self._add(outer, statement.name, found, statement)
        it.decorators += map(text_of, statement.decorator_list)
        body = statement.body[ast.get_docstring(statement) is not None :]
        if statement.decorator_list:
            self._bodies += body
        if self._may_write and is_writer(statement, self._lines):
            it.texts += map(text_of, body)
        else:
            it.texts += map(text_of, wrappers(statement))
        if statement.name in INITIALIZERS:
            kind = OF_INSTANCE if self._context.is_run else SET
            for each, after in statements(statement.body):
                self._read_assignment(each, after, outer, kind)

    def _read_assignment(
        self,
        statement: ast.stmt,
        following: ast.stmt | None,
        outer: Object,
        kind: str,
    ) -> None:
        """Read the attributes of a module or class, or that its initializer sets."""
        _read_docstrings(statement, outer)
        # Of `name` or `self.name`.
        of_target = "id" if kind in VARIABLES else "attr"
        found = [getattr(target, of_target, "") for target in targets(statement)]
        names = [name for name in found if name and name != DOCSTRING]
        if isinstance(statement, ast.Delete):
            self._delete(names, outer)
            return
        if not names:
            return
        # Once: a large value can have many names.
        docstring = self._attribute_docstring(statement, following)
        it = attribute(kind, statement, docstring, self._context)
        for name in names:
            self._add(outer, name, it, statement)

    def _delete(self, names: Iterable[str], outer: Object) -> None:
        """Take out members that are gone once the module has run."""
        if self._context.is_run:
            for name in names:
                outer.members.pop(name, None)

    def _attribute_docstring(
        self, statement: ast.stmt, following: ast.stmt | None
    ) -> str:
        """Return the string below an assignment, or its comments that begin with `#:`.

        These are above it or at its end.
        """
        match following:
            case ast.Expr(ast.Constant(str() as text)):
                return clean(text, self._context)
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

    def _add(
        self, outer: Object, name: str, found: Definition, statement: ast.stmt
    ) -> Object:
        """Add a definition to the object of that name; return the object.

        Raises:
            ValueError: There are too many.
        """
        self._count.add(1)
        if self._context.form == "lines":
            found = found._replace(signature=(self._lines_of(statement),))
        it = outer.members.setdefault(name, Object())
        it.definitions.append(found)
        return it

    def _lines_of(self, statement: ast.stmt) -> str:
        """Return the lines of a definition, with its decorators."""
        decorators = getattr(statement, "decorator_list", ())
        first = min(each.lineno for each in (statement, *decorators))
        return "\n".join(self._lines[first - 1 : statement.end_lineno])


def read_changes(body: Sequence[ast.stmt], outer: Object, count: Count) -> None:
    """Read what a block does to the objects that it defines.

    Raises:
        ValueError: It does too much.
    """
    for code, names in changes(body):
        count.add(len(names))
        changed = [*outer.find(names)]
        # Once: long code can have many names.
        text = text_of(code) if changed else ""
        for it in changed:
            first = it.definitions[0]
            brief = first.brief if first.kind in VARIABLES else ()
            it.definitions.append(Definition(CHANGE, (text,), brief=brief))
    for call, names in handed(body):
        count.add(len(names))
        taken = [*outer.find(names)]
        text = text_of(call) if taken else ""
        for it in taken:
            it.decorators.append(text)


def _read_docstrings(statement: ast.stmt, outer: Object) -> None:
    """Read what is assigned to `__doc__`, or to `name.__doc__`."""
    documented: list[Object] = []
    for target in targets(statement):
        owner, _, last = ast.unparse(target).rpartition(".")
        if last == DOCSTRING:
            documented += outer.find([owner]) if owner else [outer]
    if documented:
        text = text_of(getattr(statement, "value", None))
        found = Definition(ASSIGNED_DOCSTRING, docstring=text)
        for it in documented:
            it.definitions.append(found)


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
