"""YAML of other generators, read as data.

A module of its own, as PyYAML is slow to import.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import yaml

from sitemap_plugins.core.messages import Environ, Secret, quoted
from sitemap_plugins.folder.read_data import MAX_BYTES, read_text, unreadable

_MAX_DIGITS = 4_300
"""Characters of a number in YAML, as many as Python reads of a decimal one: base 60,
`1:1:1…`, takes the square of its length."""

# What PyYAML's constructors raise for a text that is not of its tag: `!!bool maybe`,
# `!!int ''`.
_WRONG_VALUE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def read_yaml(file: Path, environ: Environ) -> dict[str, Any]:
    """Return the mapping in a YAML file; empty for any other value.

    `environ` is for `!ENV`.

    Raises:
        OptionsError: The file cannot be read.
    """
    try:
        return parse_yaml(read_text(file), environ)
    except ValueError as error:
        raise unreadable(file, str(error)) from None


def parse_yaml(text: str, environ: Environ) -> dict[str, Any]:
    """Return the mapping in a YAML text; empty for any other value.

    `!ENV` takes the variables of `environ`, as MkDocs does; what has another tag, such
    as `!!python/name:…`, is None.

    Raises:
        ValueError: The text is not valid YAML; the error says why, and where.
    """
    try:
        loader = _Loader(text)
        loader.environ = environ
        value = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        why = f"line {mark.line + 1}: {error.problem}" if mark else str(error)
        raise ValueError(why) from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except _WRONG_VALUE as error:  # An escape for a character that does not exist.
        raise ValueError(f"it cannot be parsed ({error})") from None
    return value if isinstance(value, dict) else {}


def _length(node: yaml.Node, known: dict[int, float]) -> float:
    """Return the length of a node's texts with all aliases written out, plus its nodes.

    Infinite if it contains itself. `known` has the lengths that were computed before,
    by node.
    """
    if id(node) not in known:
        known[id(node)] = math.inf  # While its content is measured.
        length: float = 1
        if isinstance(node, yaml.ScalarNode):
            length += len(node.value)
        elif isinstance(node, yaml.MappingNode):
            length += sum(
                _length(key, known) + _length(item, known) for key, item in node.value
            )
        else:
            length += sum(_length(item, known) for item in node.value)
        known[id(node)] = length
    return known[id(node)]


class _Loader(yaml.SafeLoader):
    """Makes plain values only."""

    environ: Environ

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
            what = (
                quoted(node.value) if isinstance(node, yaml.ScalarNode) else "a value"
            )
            msg = f"{what} is not of the type {node.tag.rpartition(':')[2]}"
            raise yaml.constructor.ConstructorError(
                None, None, msg, node.start_mark
            ) from None

    def construct_number(self, node: yaml.ScalarNode) -> int:
        """Return a whole number."""
        if len(node.value) > _MAX_DIGITS:
            raise ValueError  # `construct_object` adds the words.
        return self.construct_yaml_int(node)

    def construct_env(self, node: yaml.Node) -> object:
        """Return the first set variable of `!ENV`, else its default, as MkDocs does.

        https://github.com/waylan/pyyaml-env-tag: the last of several items is the
        default; `true` and `null` in a variable are what they are in YAML.
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
                    return self.construct_object(
                        yaml.ScalarNode(tag, value, node.start_mark)
                    )
                return Secret(value, f"!ENV {name.value}")
        return default

    def construct_relative(self, node: yaml.Node) -> str | None:
        """Return the value of MkDocs' `!relative`, such as `$docs_dir/parts`.

        The result is None if there is no such value.
        """
        return node.value if isinstance(node, yaml.ScalarNode) and node.value else None

    def construct_unknown(self, _node: yaml.Node) -> None:
        """Return nothing for a tag that would make an object."""


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_number)
_Loader.add_constructor("!ENV", _Loader.construct_env)
_Loader.add_constructor("!relative", _Loader.construct_relative)
_Loader.add_constructor(None, _Loader.construct_unknown)
