"""Settings files of other generators, read as data: nothing in them is ever run.

A file that cannot be read holds nothing.
"""

from __future__ import annotations

import ast
import tomllib
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = [
    "assigned_text",
    "assigned_value",
    "parse_toml",
    "parse_yaml",
    "read_text",
    "read_toml",
    "read_yaml",
]

MOST_BYTES = 1024 * 1024
"""Bytes of a settings file that are read at most."""


def read_toml(file: Path) -> Mapping[str, Any]:
    """Return the tables of a TOML file; empty where it is none."""
    return parse_toml(read_text(file))


def parse_toml(text: str) -> Mapping[str, Any]:
    """Return the tables of a TOML text; empty where it is none."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def read_yaml(file: Path, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the mapping in a YAML file; empty where it holds none. `environ` is for `!ENV`."""
    return parse_yaml(read_text(file), environ)


def parse_yaml(text: str, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the mapping in a YAML text; empty where it holds none.

    `!ENV` takes the variables of `environ`, as MkDocs does; what has another tag, such as
    `!!python/name:…`, is None.
    """
    try:
        loader = _Loader(text)
        loader.environ = environ
        value = loader.get_single_data()
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return {}
    return value if isinstance(value, dict) else {}


def assigned_text(file: Path, name: str) -> str:
    """Return the text that a Python file assigns to a name at its top level, last time it does.

    Empty where it is not written out as one.
    """
    value = assigned_value(file, name)
    return value if isinstance(value, str) else ""


def assigned_value(file: Path, name: str) -> object:
    """Return the value that a Python file assigns to a name at its top level, last time it does.

    None where it is not written out as a literal.
    """
    try:
        tree = ast.parse(read_text(file))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = None
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found = _literal(value)
    return found


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def read_text(file: Path) -> str:
    """Return the text of a settings file, as far as it is read; empty where it cannot be."""
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return ""


class _Loader(yaml.SafeLoader):
    """Makes plain values only."""

    environ: Mapping[str, str]

    def construct_env(self, node: yaml.Node) -> object:
        """Return the first variable of `!ENV` that is set, else its last item."""
        if isinstance(node, yaml.SequenceNode):
            *names, default = self.construct_sequence(node) or [None]
        else:
            names, default = [node.value], None
        if default in self.environ:
            return self.environ[str(default)]
        return next((self.environ[n] for n in names if n in self.environ), default)

    def construct_relative(self, node: yaml.Node) -> str | None:
        """Return the value of MkDocs' `!relative`, such as `$docs_dir/parts`; None for none."""
        return node.value if isinstance(node, yaml.ScalarNode) and node.value else None

    def construct_unknown(self, _node: yaml.Node) -> None:
        """Return nothing for a tag that would make an object."""


_Loader.add_constructor("!ENV", _Loader.construct_env)
_Loader.add_constructor("!relative", _Loader.construct_relative)
_Loader.add_constructor(None, _Loader.construct_unknown)
