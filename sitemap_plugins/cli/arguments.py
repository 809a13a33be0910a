"""Arguments and options that several commands share, and the types of their values.

A type is a function that converts a text and raises BadParameter; click names the option.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError, PageError, WrongValueError
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.folder.generator_settings import plugin_options
from sitemap_plugins.folder.options import FolderOptions, Settings, parse_options, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


F = TypeVar("F", bound="Callable[..., Any]")


class Argument(click.Argument):
    """An argument that is not empty: `build "$SITE"` without the variable would mean `build .`."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ANN401 click's own signature
        """Convert a value, or raise an error if it is empty."""
        if value == "" or (isinstance(value, tuple) and "" in value):
            msg = "it is empty: give a name, or '.' for this folder"
            raise click.BadParameter(msg, ctx=ctx, param=self)
        return super().type_cast_value(ctx, value)


class NumberRange(click.FloatRange):
    """Numbers in a range: click's own accepts `nan`, with which no comparison is true."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 click's own signature
        """Return a number in the range, or say what is wrong."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


def base_url_option(text: str = "The address of the sitemap's folder.") -> Callable[[F], F]:
    """Return the option `--base-url` with its help."""
    return click.option("--base-url", metavar="URL", type=base_url_type, default="", help=text)


def url_type(text: str) -> str:
    """Return an absolute URL, normalized; without a path, its path is a slash. Empty stays."""
    try:
        return urls.normalize_url(text) if text else ""
    except PageError as error:
        raise click.BadParameter(str(error)) from None


def base_url_type(text: str) -> str:
    """Return the address of a folder, normalized, with a last slash. Empty stays."""
    try:
        return urls.normalize_base_url(text) if text else ""
    except PageError as error:
        raise click.BadParameter(str(error)) from None


def valid_patterns(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the values of an option that are patterns, or say which is none."""
    try:
        Patterns.compile(texts)
    except WrongValueError as error:
        raise click.BadParameter(str(error)) from None
    return texts


def find_base_url(given: str, site_dir: Path) -> str:
    """Return the value of `--base-url`, or else the address in the project's settings.

    Raises:
        OptionsError: There is neither.
    """
    address = given or parse_options(read_settings(Path()), site_dir).base_url
    if not address:
        cure = (
            "give the published address of the sitemap's folder, such as https://www.example.com/"
        )
        raise OptionsError("--base-url is not given", cure=cure)
    return address


def site_options(
    settings: Settings, site_dir: Path, environ: Mapping[str, str], *, named: str = ""
) -> FolderOptions:
    """Return the options of a built site: the project's own, or else those of our plugin.

    `named` is the generator's settings file, if the user names it.
    """
    of_plugin = plugin_options(Path.cwd(), environ, named=named)
    return parse_options(replace(settings, values={**of_plugin, **settings.values}), site_dir)


def given_options(options: FolderOptions, given: Mapping[str, Any]) -> FolderOptions:
    """Return the options of a folder with those of the command line that are not None.

    Names of files on the command line are relative to the current folder.
    """
    own = {name: value for name, value in given.items() if value is not None}
    for name in {"source_dir", "generator_config"} & own.keys():
        own[name] = str(Path(own[name]).absolute())
    return replace(options, **own)
