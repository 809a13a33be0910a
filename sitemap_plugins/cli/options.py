"""The sitemap's options as command-line options, made from their one declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitemap_plugins.core.errors import SitemapError
from sitemap_plugins.folder.options import FOLDER_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitemap_plugins.core.options import Option

__all__ = ["parse_option", "sitemap_options"]

_SHORT = {"source_dir": ("--source",)}
"""Further names on the command line."""

_WORDS = {"true": True, "false": False}


def sitemap_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add every option of a folder to a command; each arrives checked, None where not given."""
    for option in reversed(FOLDER_OPTIONS):
        command = _declared(option)(command)
    return command


def _declared(option: Option) -> Callable[[Callable[..., None]], Callable[..., None]]:
    name = option.name.replace("_", "-")
    flag = f"--{name}/--no-{name}" if option.accepts.shape == "flag" else f"--{name}"
    return click.option(
        *(flag, *_SHORT.get(option.name, ())),
        option.name,
        default=None,
        multiple=option.accepts.shape in {"list", "rules", "files"},
        metavar=option.accepts.metavar or None,
        help=option.summary.replace("`", ""),
        callback=lambda _context, _parameter, value: parse_option(option, value),
    )


def parse_option(option: Option, value: object) -> object:
    """Check what was given on the command line; None where nothing was.

    Raises:
        BadParameter: It is wrong.
    """
    if value is None or value == ():
        return None
    try:
        return option.parse(_as_written(option, value))
    except SitemapError as error:
        raise click.BadParameter(str(error)) from None


def _as_written(option: Option, value: object) -> object:
    """Return the value as a settings file would hold it."""
    texts = value if isinstance(value, tuple) else (value,)
    if len(texts) == 1 and isinstance(texts[0], str) and texts[0].lower() in _WORDS:
        return _WORDS[texts[0].lower()]
    match option.accepts.shape:
        case "files":
            pairs = [text.rpartition("=") for text in texts]
            return {pattern: [g for p, _, g in pairs if p == pattern] for pattern, *_ in pairs}
        case "rules" if all("=" in text for text in texts):
            return {pattern: item for pattern, _, item in (t.rpartition("=") for t in texts)}
        case "rules":
            return texts[-1]
        case "number" if isinstance(value, str) and value.isascii():
            return int(value) if value.lstrip("-").isdecimal() else value
    return [*texts] if isinstance(value, tuple) else value
