"""Options of requests to servers."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import click

from sitemap_plugins.cli.arguments import (
    Given,
    NumberRange,
    base_url_type,
    flag_option,
    number_option,
    text_option,
)
from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import quoted, sentence

if TYPE_CHECKING:
    # They are slow to import.
    from sitemap_plugins.live.check import LiveOptions

# RFC 9110, sections 5.1 and 5.5: a token, and visible characters, within them blanks.
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*((?:[!-~][\t -~]*)?)")

_MAX_SECONDS = 3_600
"""Until a server answers: more is a mistake."""


def live_options(given: Given) -> LiveOptions:
    """Return what the options say about requests.

    `given` has a value for each of them.
    """
    # The start of commands that send no request would take a quarter longer.
    from sitemap_plugins.live.check import LiveOptions  # noqa: PLC0415
    from sitemap_plugins.sitemaps.web import USER_AGENT, Deadline  # noqa: PLC0415

    host_root, at = given["map_host"] or ("", "")
    user_agent = given["user_agent"]
    if user_agent is None:
        user_agent = USER_AGENT
    return LiveOptions(
        concurrency=given["concurrency"],
        rate=given["rate"],
        timeout=given["timeout"],
        retries=given["retries"],
        user_agent=user_agent,
        headers=dict(given["header"]),
        deadline=Deadline(given["max_time"] or math.inf),
        fetches=not given["no_fetch"],
        sample=given["sample"] or 0,
        host_root=host_root,
        at=at,
    )


def _header(text: str) -> tuple[str, str]:
    """Return the name and the value of a header."""
    if match := _HEADER.fullmatch(text):
        return match[1], match[2]
    # The value may be a password, and so may a text without a colon.
    name, colon, _ = text.partition(":")
    what = (
        f"the header {quoted(name)} is not valid" if colon else "a header has no name"
    )
    raise click.BadParameter(sentence(what, "write 'Name: value' in ASCII"))


def _host_root(text: str) -> str:
    """Return the address of a host that is named with or without its scheme."""
    if "://" not in text:
        text = f"https://{text}"
    return urls.host_root(base_url_type(text))


OF_SERVERS = (
    "no_fetch",
    "sample",
    "map_host",
    "header",
    "user_agent",
    "concurrency",
    "rate",
    "timeout",
    "max_time",
    "retries",
)
"""The names of the options of requests to servers."""

_AT_ONCE = click.IntRange(1, 64)
_A_SECOND = NumberRange(min=0.001)
_ATTEMPTS = click.IntRange(0, 10)
_SECONDS = NumberRange(min=0, max=_MAX_SECONDS, min_open=True)
_ALL_SECONDS = NumberRange(min=0, min_open=True)

_MAP_HOST = "Request the URLs of FROM from the server TO."
_HEADERS = "Header of each request to the host of TARGET, or of TO."
_TIMEOUT = "Seconds until a server begins to answer, and between its bytes."
_MAX_TIME = "Seconds for all requests together."
_SAMPLE = "Request N of the listed URLs, spread over all."

_WHAT_TO_REQUEST = (
    flag_option("--no-fetch", "Request only robots.txt and the sitemaps."),
    text_option("--sample", "N", _SAMPLE, type=click.IntRange(min=1)),
    text_option("--map-host", "FROM TO", _MAP_HOST, nargs=2, type=_host_root),
    text_option("--header", "'NAME: VALUE'", _HEADERS, multiple=True, type=_header),
    text_option("--user-agent", "TEXT", "User agent of each request."),
)

_HOW_FAST = (
    number_option("--concurrency", "N", _AT_ONCE, 4, "Requests at once."),
    number_option("--rate", "N", _A_SECOND, 10, "Requests a second, at most."),
    number_option("--timeout", "SECONDS", _SECONDS, 10, _TIMEOUT),
    text_option("--max-time", "SECONDS", _MAX_TIME, type=_ALL_SECONDS),
    number_option(
        "--retries", "N", _ATTEMPTS, 2, "Further attempts if a server fails."
    ),
)

SERVER_OPTIONS = _WHAT_TO_REQUEST + _HOW_FAST
"""Options of requests to servers; `OF_SERVERS` names them."""
