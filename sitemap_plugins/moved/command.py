"""`sitemap-plugins redirects`: where pages that moved are now, as git knows it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

import click

from sitemap_plugins.cli.arguments import (
    Argument,
    base_url_option,
    format_option,
)
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core.messages import count_pages, without_password
from sitemap_plugins.folder.arguments import site_dir_of, site_project
from sitemap_plugins.moved.arguments import places_of
from sitemap_plugins.moved.lines import FORMS, line_of
from sitemap_plugins.moved.removed import look_in_folder, read_published, with_places
from sitemap_plugins.sitemaps.locations import find_locations
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.sitemaps.removed import Moved, Removed
from sitemap_plugins.sitemaps.web import Web

_FORM = (
    "Lines for mkdocs-redirects, rediraffe, sphinx-reredirects, the file _redirects, or"
    " other programs."
)


@click.command()
@click.argument("old", cls=Argument)
@click.argument("new", cls=Argument, default="site")
@format_option((*FORMS, "json"), _FORM)
@base_url_option()
def redirects(old: str, new: str, *, form: str, base_url: str) -> None:
    """Print the new places of pages in OLD that NEW lacks and does not redirect.

    OLD is a sitemap file, a folder with one, a URL, git:REVISION:PATH, or a revision of
    the sources, such as v1.0. NEW is the folder of the built site, or its sitemap; by
    default 'site'. Pages whose new place git does not know are only counted.

    \b
    Examples:
      sitemap-plugins redirects https://example.com/ site
      sitemap-plugins redirects v1.0 site --format mkdocs
      sitemap-plugins redirects origin/main _build/html --format rediraffe
    """
    output = Output(quiet=False, verbose=False)
    site_dir = site_dir_of(new)
    project = site_project(site_dir, base_url=base_url)
    output.step("Looking for pages")
    folder = read_published(project, track=output.track)
    output.step("Looking for moves in git's history")
    is_sitemap = _is_sitemap(old)
    since = "" if is_sitemap else old
    places = places_of(folder, project, output.message, since=since)
    pages = _listed(old) if is_sitemap else places.earlier_urls()
    for notice in places.notices:
        output.notice(notice)
    removed = [*look_in_folder(pages, folder, project)]
    found = with_places(removed, places)
    missing = [each for each in found if each.fate == "missing"]
    moved = [each.moved for each in missing if each.moved]
    output.message(_summary(len(missing), len(moved)))
    if places.gap and len(moved) < len(missing):
        output.message(places.gap)
    if form == "json":
        document = json.dumps(_as_json(missing), indent=2)
        output.data(f"{document}\n")
    else:
        _print(moved, form, output)


def _print(moved: Sequence[Moved], form: str, output: Output) -> None:
    """Print the new places, for people or in the lines of a form."""
    if form != "text":
        _print_lines(moved, form, output)
        return
    for each in moved:
        output.line(_text(each))


def _is_sitemap(old: str) -> bool:
    return "://" in old or old.startswith("git:") or os.path.lexists(old)


def _listed(old: str) -> list[str]:
    """Return the URLs that a sitemap lists."""
    with Web() as web:
        locations = find_locations(old, web=web, environ=os.environ)
        return [str(element.get("loc")) for element in all_elements(locations)]


def _as_json(missing: Sequence[Removed]) -> dict[str, object]:
    """Return the new places of missing pages, and the pages without one."""
    known = []
    unknown = []
    for each in missing:
        if each.moved is None:
            unknown.append(without_password(each.url))
        else:
            known.append(each.moved._asdict())
    return {"redirects": known, "unknown": unknown}


def _text(moved: Moved) -> str:
    commit = f" (commit {moved.commit[:9]})" if moved.commit else ""
    return f"{moved.url}  moved to {moved.new_url}{commit}"


def _print_lines(moved: Sequence[Moved], form: str, output: Output) -> None:
    """Print the lines of a form, and how many pages it cannot name."""
    lines = [*filter(None, (line_of(each, form) for each in moved))]
    for line in lines:
        output.data(f"{line}\n")
    left = len(moved) - len(lines)
    if left:
        problem = f"{count_pages(left)} cannot be written as {form}"
        output.message(f"{problem}, which has no form for such names")


def _summary(missing: int, moved: int) -> str:
    if not missing:
        return "every page is still there, or has a redirect"
    known = f"{moved:,} moved, {missing - moved:,} unknown"
    return f"{count_pages(missing)} without a redirect: {known}"
