"""Targets of `sitemap-plugins check` on servers: URLs, domains, files with --map-host."""

from __future__ import annotations

import re
from pathlib import Path

from sitemap_plugins.check.run import CheckOptions
from sitemap_plugins.check.targets import OF_FOLDERS, refuse
from sitemap_plugins.cli.arguments import Given
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import OptionsError, PageError
from sitemap_plugins.core.untrusted_files import is_given_folder
from sitemap_plugins.core.url_forms import HTML_SUFFIXES
from sitemap_plugins.findings.records import Result
from sitemap_plugins.live.arguments import OF_SERVERS, SERVER_OPTIONS, live_options

OPTIONS = SERVER_OPTIONS
NAMES = OF_SERVERS
ROBOTS = "robots.txt"

_SERVER = re.compile(
    r"(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:))(?::\d+)?/?", re.ASCII
)
"""A domain, or the name of a machine with a port."""

_OF_FILES = (".xml", ".gz", ".txt", *HTML_SUFFIXES)
"""Suffixes of files, which no domain has."""


def check_target(
    target: str, wanted: CheckOptions, given: Given, console: Output
) -> Result | None:
    """Check a sitemap or site on a server; None if the target names none."""
    url = _remote_target(target)
    if url:
        return _check_url(url, wanted, given, console)
    path = Path(target)
    if is_given_folder(path):
        refuse(NAMES, "a server, not for a folder: remove it")
        return None
    if path.is_file() and not given["map_host"]:
        refuse(NAMES, "a server: name a URL, or give --map-host")
    # A file has a server only if --map-host names one, and its URLs are requested.
    if given["no_fetch"] or not given["map_host"]:
        return None
    from sitemap_plugins.live.check import check_file_live  # noqa: PLC0415 slow to import

    if path.is_file():
        refuse(OF_FOLDERS, "a folder, not for a file: remove it")
    console.step("Checking the file")
    how = live_options(given)
    return check_file_live(path, target, wanted, how, track=console.track)


def _check_url(url: str, wanted: CheckOptions, given: Given, console: Output) -> Result:
    """Check a sitemap or site on a server."""
    from sitemap_plugins.live.check import check_live  # noqa: PLC0415 slow to import

    refuse(("base_url", *OF_FOLDERS), "a folder, not for a URL: remove it")
    console.step("Reading the server's sitemap")
    how = live_options(given)
    return check_live(url, wanted, how, track=console.track)


def _remote_target(target: str) -> str:
    """Return the URL that a target names, normalized; empty for a file or folder.

    The URL of a domain ends with a slash; for a robots.txt, it is that of its folder.

    Raises:
        OptionsError: The target begins like a URL, but is not one.
    """
    if not urls.is_web(target.lower()):
        is_file = Path(target).exists() or target.lower().endswith(_OF_FILES)
        if is_file or not _SERVER.fullmatch(target):
            return ""
        scheme = "http" if urls.is_local(f"http://{target}") else "https"
        target = f"{scheme}://{target}"
    try:
        url = urls.normalize_url(target)
    except PageError as error:
        raise OptionsError(error.problem, cure=error.cure) from None
    if url.endswith(f"/{ROBOTS}"):
        return url.removesuffix(ROBOTS)
    return url
