"""`sitemap-plugins merge`: one index over several sitemaps."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from sitemap_plugins.cli.arguments import (
    Argument,
    base_url_option,
    flag_option,
    quiet_option,
    text_option,
)
from sitemap_plugins.cli.commands import FOUND
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core.messages import count_things
from sitemap_plugins.folder.arguments import required_base_url
from sitemap_plugins.merge.merger import Merger
from sitemap_plugins.sitemaps.web import Web

_VERSIONS = (
    "A version or alias of mike to list, or all; by default the default version."
)
_ROBOTS = "Add the index to the robots.txt in OUTPUT's folder."


@click.command()
@click.argument("output", cls=Argument, type=click.Path(path_type=Path, dir_okay=False))
@click.argument("sitemaps", cls=Argument, nargs=-1, required=True, metavar="SITEMAP...")
@base_url_option("The address of OUTPUT's folder.")
@text_option("--versions", "NAME", _VERSIONS, multiple=True)
@click.option("--robots/--no-robots", default=True, help=_ROBOTS)
@flag_option("--strict", "Exit with 1 if there are warnings.")
@quiet_option()
def merge(output: Path, sitemaps: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401 click's values, typed above
    """Write OUTPUT, an index of SITEMAPs: of versions, languages, or parts of a site.

    Each SITEMAP is a file or folder below OUTPUT's folder, or a URL; it is not changed.
    If it is an index, its parts are listed; if it is a folder into which mike deployed,
    the default version.

    \b
    Examples:
      sitemap-plugins merge sitemap.xml en de --base-url https://example.com/
      sitemap-plugins merge gh-pages/sitemap.xml gh-pages --versions all
    """
    console = Output(quiet=given["quiet"], verbose=False)
    console.step("Reading sitemaps")
    with Web() as web:
        merged = Merger(
            output=output,
            base_url=required_base_url(given["base_url"], output.parent),
            web=web,
            environ=os.environ,
            versions=given["versions"],
            robots=given["robots"],
            track=console.track,
        ).merge(sitemaps)
    for notice in merged.notices:
        console.notice(notice)
    parts = count_things(merged.parts, "sitemap")
    listed = count_things(merged.urls, "URL")
    console.line(f"{output}: {parts}, {listed}")
    if given["strict"] and any(notice.level == "warning" for notice in merged.notices):
        raise click.exceptions.Exit(FOUND)
