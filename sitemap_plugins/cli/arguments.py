"""Arguments and options of several commands, and the types of their values.

A type is a function that converts a text and raises BadParameter; click names the
option.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import (
    OptionsError,
    PageError,
    WrongValueError,
    quoted,
    sentence,
)
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.core.untrusted_files import is_given_folder
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.folder.generator_settings import plugin_options
from sitemap_plugins.folder.options import (
    FolderOptions,
    Project,
    Settings,
    parse_options,
    read_settings,
)

if TYPE_CHECKING:
    # They are slow to import.
    from sitemap_plugins.checks.live import LiveOptions
    from sitemap_plugins.folder.moved import Places
    from sitemap_plugins.folder.reading import FolderSite


F = TypeVar("F", bound="Callable[..., Any]")

Given = dict[str, Any]
"""What a user gives a command, by the names of its parameters."""

FILE = click.Path(path_type=Path)
"""The name of a file or folder, which need not exist."""

CONFIG = "The settings file, if it is not in the current folder."
"""Help of the option `--config`."""

_OF_SITES = ("base_url", "filename", "source_dir", "generator_config")
"""The names of the site's options that commands for built sites have."""


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
    """Numbers in a range, without `nan`, which click accepts."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 click's own signature
        """Return a number in the range, or say what is wrong."""
        number = super().convert(value, param, ctx)
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
    try:
        Patterns.compile(texts)
    except WrongValueError as error:
        raise click.BadParameter(str(error)) from None
    return texts


def required_base_url(given: str, site_dir: Path) -> str:
    """Return the value of `--base-url`, or else the address in the project's settings.

    Raises:
        OptionsError: There is neither.
    """
    address = given or parse_options(read_settings(Path()), site_dir).base_url
    if not address:
        cure = "give the published address of the sitemap's folder, such as https://www.example.com/"
        raise OptionsError("--base-url is not given", cure=cure)
    return address


def site_options(settings: Settings, site_dir: Path, given: Given) -> FolderOptions:
    """Return the options of a built site.

    Those of the command line, the project's own, or else those of our plugin in the
    generator's settings.
    """
    own = {name: given[name] for name in _OF_SITES if given.get(name)}
    named = own.get("generator_config") or str(
        settings.values.get("generator_config") or ""
    )
    of_plugin = plugin_options(Path.cwd(), os.environ, named=named)
    settings = replace(settings, values={**of_plugin, **settings.values})
    return given_options(parse_options(settings, site_dir), own)


def site_project(site_dir: Path, **given: str) -> Project:
    """Return a built site with its project in the current folder, as `site_options`."""
    options = site_options(read_settings(Path()), site_dir, given)
    return project_of(site_dir, options)


def project_of(
    site_dir: Path, options: FolderOptions, project_dir: Path | None = None
) -> Project:
    """Return a built site with its project: the current folder if not named."""
    return Project(
        site_dir=site_dir.absolute(),
        project_dir=project_dir or Path.cwd(),
        options=options,
        environ=os.environ,
    )


def site_dir_of(text: str) -> Path:
    """Return the folder of a built site that a user names, or names the sitemap of.

    Raises:
        OptionsError: There is none on this machine.
    """
    path = Path(text)
    if is_given_folder(path):
        return path
    if path.is_file():
        return path.parent
    msg = f"{quoted(text)} is not on this machine"
    raise OptionsError(msg, cure="name the folder of the built site, or its sitemap")


def places_of(
    folder: FolderSite, project: Project, say: Callable[[str], None], *, since: str = ""
) -> Places:
    """Return where a folder's pages are, and were, as `Places.of` does.

    The history that a shallow clone lacks is fetched as a build's is; `say` shows a
    line at once.
    """
    # They read HTML and run git, which would slow the start of every command.
    from sitemap_plugins.core.environment import Environment  # noqa: PLC0415
    from sitemap_plugins.core.git.cache import GitCache  # noqa: PLC0415
    from sitemap_plugins.folder.moved import Places  # noqa: PLC0415

    cache = GitCache(say)
    environment = Environment.of(project.environ, project.options, cache, began=None)
    return Places.of(folder, environment, since=since)


def given_options(options: FolderOptions, given: Given) -> FolderOptions:
    """Return the options of a folder with those of the command line that are not None.

    Names of files on the command line are relative to the current folder.
    """
    own = {name: value for name, value in given.items() if value is not None}
    for name in {"source_dir", "generator_config"} & own.keys():
        own[name] = str(Path(own[name]).absolute())
    return replace(options, **own)


# RFC 9110, sections 5.1 and 5.5: a token, and visible characters, within them blanks.
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*((?:[!-~][\t -~]*)?)")

_MAX_SECONDS = 3_600
"""Until a server answers: more is a mistake."""


def server_options(command: F) -> F:
    """Add the options of requests to servers; `OF_SERVERS` names them."""
    for option in reversed(_WHAT_TO_REQUEST + _HOW_FAST):
        command = option(command)
    return command


def live_options(given: Given) -> LiveOptions:
    """Return what the options say about requests.

    `given` has a value for each of them.
    """
    # The start of commands that send no request would take a quarter longer.
    from sitemap_plugins.checks.live import LiveOptions  # noqa: PLC0415
    from sitemap_plugins.web import USER_AGENT, Deadline  # noqa: PLC0415

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
