"""Arguments and options of several commands, and the types of their values.

A type is a function that converts a text and raises BadParameter; click names the
option.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import (
    PageError,
    WrongValueError,
    sentence,
)
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.core.values import did_you_mean

F = TypeVar("F", bound="Callable[..., Any]")

Given = dict[str, Any]
"""What a user gives a command, by the names of its parameters."""

FILE = click.Path(path_type=Path)
"""The name of a file or folder, which need not exist."""

CONFIG = "The settings file, if it is not in the current folder."
"""Help of the option `--config`."""


class Argument(click.Argument):
    """An argument that is not empty: an unset variable would mean `build .`."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ANN401 click's own signature
        """Convert a value, or raise an error if it is empty."""
        if value == "" or (isinstance(value, tuple) and "" in value):
            msg = "it is empty: give a name, or '.' for this folder"
            raise click.BadParameter(msg, ctx=ctx, param=self)
        return super().type_cast_value(ctx, value)


class Choice(click.Choice):  # type: ignore[type-arg]  # click 8.1 has no types of choices
    """One of a few words, the nearest of which is proposed for a wrong one."""

    def get_invalid_choice_message(self, value: Any, ctx: Any) -> str:  # noqa: ANN401
        """Say what is wrong; click asks for it since 8.2."""
        message = super().get_invalid_choice_message(value, ctx).rstrip(".")
        return sentence(message, did_you_mean(value, map(str, self.choices)))


class NumberRange(click.FloatRange):
    """Numbers that have a least value, without `nan`, which click accepts."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 click's own signature
        """Return a number in the range, or say what is wrong."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter as error:
            least = f"above {self.min:g}" if self.min_open else f"from {self.min:g} on"
            problem = error.message.removesuffix(".")
            self.fail(sentence(problem, f"write a number {least}"), param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


def base_url_option(
    text: str = "The address of the sitemap's folder.",
) -> Callable[[F], F]:
    """Return the option `--base-url` with its help."""
    return text_option("--base-url", "URL", text, type=base_url_type, default="")


def quiet_option(text: str = "Print only problems.") -> Callable[[F], F]:
    """Return the option `--quiet` with its help."""
    return flag_option("-q", text, "--quiet")


def format_option(
    others: Iterable[str], text: str = "Output format."
) -> Callable[[F], F]:
    """Return the option `--format`, for text by default."""
    return choice_option("--format", ("text", *others), "text", text, "form")


def choice_option(
    name: str, choices: Sequence[str], default: str, text: str, *parameter: str
) -> Callable[[F], F]:
    """Return an option that is one of some words.

    Its `parameter` can have another name.
    """
    kind = Choice(choices)
    return click.option(
        name, *parameter, type=kind, default=default, show_default=True, help=text
    )


def flag_option(name: str, text: str, *more: str) -> Callable[[F], F]:
    """Return an option without a value, with `more` names."""
    return click.option(name, *more, is_flag=True, help=text)


def number_option(
    name: str,
    metavar: str,
    kind: click.IntRange | click.FloatRange,
    default: float,
    text: str,
) -> Callable[[F], F]:
    """Return an option with a number that has a default."""
    return text_option(
        name, metavar, text, type=kind, default=default, show_default=True
    )


def text_option(
    name: str,
    metavar: str,
    text: str,
    *parameter: str,
    **more: Any,  # noqa: ANN401 click's
) -> Callable[[F], F]:
    """Return an option with a value; its `parameter` can have another name."""
    return click.option(name, *parameter, metavar=metavar, help=text, **more)


def patterns_option(name: str, text: str) -> Callable[[F], F]:
    """Return an option for any number of patterns."""
    return text_option(name, "PATTERN", text, multiple=True, callback=_valid_patterns)


def url_type(text: str, normalize: Callable[[str], str] = urls.normalize_url) -> str:
    """Return an absolute URL, normalized.

    Without a path, its path is a slash. Empty stays.
    """
    try:
        return normalize(text) if text else ""
    except PageError as error:
        raise click.BadParameter(str(error)) from None


def base_url_type(text: str) -> str:
    """Return the address of a folder, normalized, with a last slash. Empty stays."""
    return url_type(text, urls.normalize_base_url)


def _valid_patterns(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the values of an option that are patterns, or say which is none."""
    if "" in texts:
        raise click.BadParameter("it is empty: write a pattern, such as 'guide/*'")
    try:
        Patterns.compile(texts)
    except WrongValueError as error:
        raise click.BadParameter(str(error)) from None
    return texts
