"""Settings files of other generators, and front matter, read as data: nothing in them is ever run.

Everything takes time in proportion to `MAX_BYTES` at most. A text that would take more is an error
like one that is not valid: its aliases make it longer than a file may be, or it has numbers, keys
or statements of a length that no project writes.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import yaml

from sitemap_plugins.core.git.repository import read_own_file
from sitemap_plugins.core.messages import OptionsError, Secret, quoted

try:
    import tomli as toml  # Zensical brings it; it reads TOML 1.1, as tomllib does in Python 3.15.
except ImportError:
    import tomllib as toml  # type: ignore[no-redef]

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAX_BYTES = 512 * 1024
"""Bytes of the largest settings file that is read."""

_MAX_DIGITS = 4_300
"""Characters of a number in YAML, as many as Python reads of a decimal one: base 60, `1:1:1…`,
takes the square of its length."""

_MAX_STATEMENT = 32 * 1024
"""Characters of a statement in Python: f-strings take the square of their length."""

# A dotted key of TOML takes the square of its number of parts, and so does each line below it.
_PART_OF_KEY = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART_OF_KEY}(?:[ \t]*+\.[ \t]*+{_PART_OF_KEY}){{32}}")

# What PyYAML's constructors raise for a text that is not of its tag: `!!bool maybe`, `!!int ''`.
_WRONG_VALUE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

# Python's reference, "Lexical analysis": a statement ends with its line, unless that is in brackets
# or in a string, or a backslash joins it to the next.
_TOKEN = re.compile(
    r"(\"{3}|'{3})(?:[^\\\"']++|\\.|(?!\1).)*+(?:\1)?"
    r"|([\"'])(?:[^\\\"'\n]++|\\.|(?!\2)[\"'])*+(?:\2)?"
    r"|#[^\n]*+|\\\n|[()\[\]{};\n]",
    re.DOTALL,
)


def read_toml(file: Path) -> Mapping[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        OptionsError: It is not TOML, or cannot be read.
    """
    try:
        return parse_toml(
            read_own_file(file, max_bytes=MAX_BYTES, is_alone=False).decode("utf-8-sig")
        )
    except OSError as error:
        raise _unreadable(file, error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problem, cure = f"is not UTF-8 (line {line})", "save it in that encoding"
    except ValueError as error:
        problem = f"is not valid TOML ({error})"
        cure = "correct it there, or close the bracket or quote before it"
        if toml.__name__ == "tomllib":
            cure += "; if Zensical reads it, run `pip install tomli`"
    raise OptionsError(f"{str(file)!r} {problem}", cure=cure)


def parse_toml(text: str) -> Mapping[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        ValueError: It is not valid; the error's text says why, and where.
    """
    if _LONG_KEY.search(text):
        raise ValueError("a key has more than 32 parts")
    try:
        return toml.loads(text)
    except toml.TOMLDecodeError as error:
        last = len(text.rstrip().splitlines())
        msg = str(error).replace("at end of document", f"in the last line, {last}")
        raise ValueError(msg) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_yaml(file: Path, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the mapping in a YAML file; empty for any other value. `environ` is for `!ENV`.

    Raises:
        OptionsError: It cannot be read.
    """
    try:
        return parse_yaml(read_text(file), environ)
    except ValueError as error:
        raise _unreadable(file, str(error)) from None


def parse_yaml(text: str, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the mapping in a YAML text; empty for any other value.

    `!ENV` takes the variables of `environ`, as MkDocs does; what has another tag, such as
    `!!python/name:…`, is None.

    Raises:
        ValueError: It is not valid; the error's text says why, and where.
    """
    try:
        loader = _Loader(text)
        loader.environ = environ
        value = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise ValueError(f"line {mark.line + 1}: {error.problem}" if mark else str(error)) from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except _WRONG_VALUE as error:  # An escape for a character that does not exist.
        raise ValueError(f"it cannot be parsed ({error})") from None
    return value if isinstance(value, dict) else {}


def assigned_value(file: Path, name: str) -> object:
    """Return the last value that a Python file assigns to a name at its top level.

    None if the file cannot be read, or the value is not a literal.
    """
    try:
        text = read_text(file)
    except OptionsError:
        return None
    # Python itself then says whether it does: `a = b = 'c'`, `(a) = 'b'`.
    may_assign = re.compile(rf"(?:[^=\"'#]*+=)*?[\s()\\]*+{re.escape(name)}[\s()\\]*+[=:]")
    found = [statement for statement in _statements(text) if may_assign.match(statement)]
    values = (_assigned(statement, name) for statement in reversed(found))
    value = next(filter(None, values), None)
    with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return value and ast.literal_eval(value)
    return None


def _statements(text: str) -> Iterator[str]:
    """Yield the first statement of each logical line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    start = depth = 0
    end = None
    for found in _TOKEN.finditer(text):
        match found[0]:
            case "(" | "[" | "{":
                depth += 1
            case ")" | "]" | "}":
                depth = max(depth - 1, 0)
            case ";" if depth == 0 and end is None:
                end = found.start()
            case "\n" if depth == 0:
                yield text[start : found.start() if end is None else end]
                start, end = found.end(), None
    yield text[start:end]


def _assigned(statement: str, name: str) -> ast.expr | None:
    """Return what a statement assigns to a name; None if it does not, or is not valid Python."""
    if len(statement) > _MAX_STATEMENT:
        return None
    try:
        with warnings.catch_warnings():  # Of escapes that Python does not know, such as `\d`.
            warnings.simplefilter("ignore")
            body = ast.parse(statement).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return node.value
    return None


def read_text(file: Path) -> str:
    """Return the text of a settings file.

    Raises:
        OptionsError: It cannot be read.
    """
    try:
        return read_own_file(file, max_bytes=MAX_BYTES, is_alone=False).decode(
            "utf-8-sig", "replace"
        )
    except OSError as error:
        raise _unreadable(file, error.strerror or str(error)) from None


def _unreadable(file: Path, why: str) -> OptionsError:
    return OptionsError(f"{str(file)!r} cannot be read ({why})", cure="correct the file")


def _length(node: yaml.Node, known: dict[int, float]) -> float:
    """Return the length of a node's texts with all aliases written out, and 1 for each node.

    Infinite if it contains itself. `known` has the lengths that were computed before, by node.
    """
    if id(node) not in known:
        known[id(node)] = math.inf  # While its content is measured.
        length: float = 1
        if isinstance(node, yaml.ScalarNode):
            length += len(node.value)
        elif isinstance(node, yaml.MappingNode):
            length += sum(_length(key, known) + _length(item, known) for key, item in node.value)
        else:
            length += sum(_length(item, known) for item in node.value)
        known[id(node)] = length
    return known[id(node)]


class _Loader(yaml.SafeLoader):
    """Makes plain values only."""

    environ: Mapping[str, str]

    def get_single_data(self) -> Any:  # noqa: ANN401 as in PyYAML
        """Return the value of the text.

        Raises:
            yaml.YAMLError: It is not valid.
        """
        node = self.get_single_node()
        if node is None:
            return None
        if _length(node, {}) > MAX_BYTES:
            raise yaml.YAMLError("its aliases make it too long")
        return self.construct_document(node)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 as in PyYAML
        """Return the value of a node.

        Raises:
            yaml.YAMLError: It is not of its type.
        """
        try:
            return super().construct_object(node, deep=deep)
        except _WRONG_VALUE:
            what = quoted(node.value) if isinstance(node, yaml.ScalarNode) else "a value"
            msg = f"{what} is not of the type {node.tag.rpartition(':')[2]}"
            raise yaml.constructor.ConstructorError(None, None, msg, node.start_mark) from None

    def construct_number(self, node: yaml.ScalarNode) -> int:
        """Return a whole number."""
        if len(node.value) > _MAX_DIGITS:
            raise ValueError
        return self.construct_yaml_int(node)

    def construct_env(self, node: yaml.Node) -> object:
        """Return the first variable of `!ENV` that is set, else its default, as MkDocs does.

        https://github.com/waylan/pyyaml-env-tag: the last of several items is the default; `true`
        and `null` in a variable are what they are in YAML.
        """
        default = None
        names: list[Any] = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if len(names) > 1:
            *names, last = names
            default = self.construct_object(last)
        for name in names:
            value = self.environ.get(self.construct_scalar(name))
            if value is not None:
                tag = self.resolve(yaml.ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
                if tag.endswith((":bool", ":null")):
                    return self.construct_object(yaml.ScalarNode(tag, value, node.start_mark))
                return Secret(value, f"!ENV {name.value}")
        return default

    def construct_relative(self, node: yaml.Node) -> str | None:
        """Return the value of MkDocs' `!relative`, such as `$docs_dir/parts`; None for none."""
        return node.value if isinstance(node, yaml.ScalarNode) and node.value else None

    def construct_unknown(self, _node: yaml.Node) -> None:
        """Return nothing for a tag that would make an object."""


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_number)
_Loader.add_constructor("!ENV", _Loader.construct_env)
_Loader.add_constructor("!relative", _Loader.construct_relative)
_Loader.add_constructor(None, _Loader.construct_unknown)
