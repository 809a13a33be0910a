"""How `check` asks a server: its options, and what a target names."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sitemap_plugins.checks.live import LiveOptions
from sitemap_plugins.cli.client import USER_AGENT
from sitemap_plugins.cli.number_range import NumberRange
from sitemap_plugins.core.errors import OptionsError, PageError
from sitemap_plugins.core.messages import quoted, sentence
from sitemap_plugins.core.urls import host_root, is_local, normalize_base_url, normalize_url
from sitemap_plugins.web import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["OF_SERVERS", "live_options", "parse_live_options", "remote_target"]

F = TypeVar("F", bound="Callable[..., Any]")

_SERVER = re.compile(r"(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:))(?::\d+)?/?", re.ASCII)
"""A domain, or the name of a machine with a port."""

_OF_FILES = (".xml", ".gz", ".txt", ".html", ".htm")
"""Ends of names that are never domains."""

# RFC 9110, sections 5.1 and 5.5: a token, and visible characters, within them blanks.
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*((?:[!-~][\t -~]*)?)")
_MOST_SECONDS = 3_600
"""For a server to answer, and between two requests: what is longer is a mistake."""


OF_SERVERS = (
    *("no_fetch", "sample", "map_host", "header", "user_agent"),
    *("concurrency", "rate", "timeout", "max_time", "retries"),
)
"""The names of these options."""


def live_options(command: F) -> F:
    """Add the options that say how a server is asked."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def remote_target(target: str) -> str:
    """Return the URL that a target names, normalized; empty for a file or folder.

    A domain's ends with a slash.

    Raises:
        OptionsError: It begins as a URL and is none.
    """
    if not target.lower().startswith(("http://", "https://")):
        is_file = Path(target).exists() or target.lower().endswith(_OF_FILES)
        if is_file or not _SERVER.fullmatch(target):
            return ""
        target = f"{'http' if is_local(f'http://{target}') else 'https'}://{target}"
    try:
        return normalize_url(target)
    except PageError as error:
        raise OptionsError(error.problem, cure=error.cure) from None


def parse_live_options(given: dict[str, Any]) -> LiveOptions:
    """Return what the command line says."""
    site, at = given["map_host"] or ("", "")
    return LiveOptions(
        user_agent=given["user_agent"],
        headers=dict(given["header"]),
        concurrency=given["concurrency"],
        rate=given["rate"],
        timeout=given["timeout"],
        retries=given["retries"],
        deadline=Deadline(given["max_time"] or math.inf),
        fetches=not given["no_fetch"],
        sample=given["sample"],
        site=site,
        at=at,
    )


def _headers(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> Any:  # noqa: ANN401
    found = [_HEADER.fullmatch(text) for text in texts]
    for text, match in zip(texts, found, strict=True):
        if match is None:
            # The value may be a password, and so may all where there is no colon.
            name, colon, _ = text.partition(":")
            what = f"{quoted(name)} does not begin a header" if colon else "a header has no name"
            raise click.BadParameter(sentence(what, "write 'Name: value' in ASCII"))
    return [(match[1], match[2]) for match in found if match]


def _map_host(
    _context: click.Context, _parameter: click.Parameter, pair: tuple[str, str] | None
) -> tuple[str, ...] | None:
    try:
        return tuple(map(_address, pair)) if pair else None
    except PageError as error:
        raise click.BadParameter(str(error)) from None


def _address(text: str) -> str:
    return host_root(normalize_base_url(text if "://" in text else f"https://{text}"))


_OPTIONS = (
    click.option("--no-fetch", is_flag=True, help="Request robots.txt and the sitemaps only."),
    click.option(
        "--sample",
        metavar="N",
        type=click.IntRange(min=1),
        default=None,
        callback=lambda _context, _parameter, value: value or 0,
        help="Request N of the listed URLs, spread over all.",
    ),
    click.option(
        "--map-host",
        metavar="FROM TO",
        nargs=2,
        default=None,
        callback=_map_host,
        help="Request the URLs of FROM from the server TO.",
    ),
    click.option(
        "--header",
        metavar="'NAME: VALUE'",
        multiple=True,
        callback=_headers,
        help="Header of each request to the host that you name.",
    ),
    click.option(
        "--user-agent",
        metavar="TEXT",
        default=USER_AGENT,
        help="User agent of each request.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1, 64),
        default=4,
        show_default=True,
        help="Requests at once.",
    ),
    click.option(
        "--rate",
        type=NumberRange(min=1 / _MOST_SECONDS),
        default=10.0,
        show_default=True,
        help="Requests a second, at most.",
    ),
    click.option(
        "--timeout",
        type=NumberRange(min=0, max=_MOST_SECONDS, min_open=True),
        default=10.0,
        show_default=True,
        help="Seconds until a server begins to answer, and between its bytes.",
    ),
    click.option(
        "--max-time",
        metavar="SECONDS",
        type=NumberRange(min=0, min_open=True),
        default=None,
        help="Seconds for all requests together.",
    ),
    click.option(
        "--retries",
        type=click.IntRange(0, 10),
        default=2,
        show_default=True,
        help="Further attempts where a server fails.",
    ),
)
