"""`sitemap-plugins diff`: how two sitemaps differ."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitemap_plugins.cli.arguments import (
    Argument,
    format_option,
    places_of,
    project_of,
    site_options,
)
from sitemap_plugins.cli.commands import FOUND
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core.messages import (
    GitError,
    OptionsError,
    printable,
    without_password,
)
from sitemap_plugins.folder.options import read_settings
from sitemap_plugins.published.diff import UrlChange, find_changes
from sitemap_plugins.sitemaps.locations import (
    FileLocation,
    Location,
    WebLocation,
    find_locations,
)
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.web import Web

if TYPE_CHECKING:
    from sitemap_plugins.checks.removed import Fate, Removed  # It is slow to import.

_MARKS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}

_FATES: dict[Fate, str] = {
    "redirected": "redirected",
    "there": "still there but not listed",
    "missing": "without a redirect",
}

_REQUESTS_A_SECOND = 10
"""At most, of those about removed URLs; as `check` by default."""


@click.command()
@click.argument("old", cls=Argument)
@click.argument("new", cls=Argument)
@format_option(("json", "urls"), "Output format; urls prints each URL alone.")
@click.option(
    "--urls", "only_urls", is_flag=True, help="Compare only URLs, not their dates."
)
@click.option(
    "--require-redirects",
    is_flag=True,
    help="Print only removed URLs that neither redirect nor answer.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; see the exit code.")
def diff(  # noqa: PLR0913 one parameter for each option
    old: str,
    new: str,
    *,
    form: str,
    only_urls: bool,
    require_redirects: bool,
    quiet: bool,
) -> None:
    """Print which URLs were added, removed or have another date in NEW than in OLD.

    Each is a sitemap file, a folder with one, a URL, or git:REVISION:PATH for a
    committed one. The parts of an index are read too.

    \b
    Examples:
      sitemap-plugins diff https://example.com/sitemap.xml site
      sitemap-plugins diff git:gh-pages:sitemap.xml site --format urls
      sitemap-plugins diff https://example.com/ site --require-redirects

    Exits with 0 if there is no difference, with 1 if there is one, with 2 if the
    command cannot run. With --require-redirects, only a removed URL without one is a
    difference.
    """
    with Web(rate=_REQUESTS_A_SECOND if require_redirects else None) as web:
        before, now = (
            find_locations(text, web=web, environ=os.environ) for text in (old, new)
        )
        counts: Counter[str] = Counter()
        changes = find_changes(all_elements(before), all_elements(now))
        if only_urls:
            changes = (change for change in changes if change.kind != "changed")
        if require_redirects:
            removed = [change.url for change in changes if change.kind == "removed"]
            output = Output(quiet=quiet, verbose=False)
            found = _find_removed(removed, before, now, web, output)
            lines = _removed(found, form, counts)
        else:
            changes = _counted(changes, counts)
            # If a sitemap cannot be read, nothing is printed.
            lines = _FORMATS[form](chain(list(islice(changes, 1)), changes), counts)
        for line in lines:
            if not quiet:
                # Programs read UTF-8, whatever the terminal's encoding.
                click.echo(line if form == "text" else line.encode(), file=sys.stdout)
    if counts["missing"] if require_redirects else counts:
        raise click.exceptions.Exit(FOUND)


def _find_removed(
    removed: Sequence[str],
    old: Sequence[Location],
    new: Sequence[Location],
    web: Web,
    output: Output,
) -> Iterable[Removed]:
    """Look for removed URLs where the new sitemap is."""
    # They read HTML, which takes a quarter of the start of every `diff`.
    from sitemap_plugins.checks.removed import (  # noqa: PLC0415
        ask_servers,
        look_in_folder,
        read_published,
        with_places,
    )

    if isinstance(new[0], WebLocation):
        named = [each.url for each in (*old, *new) if isinstance(each, WebLocation)]
        return ask_servers(removed, web, named)
    if not isinstance(new[0], FileLocation):
        msg = f"{new[0].name} is a commit, which has no redirects"
        raise OptionsError(msg, cure="name a built folder or the URL of its site")
    site_dir = new[0].path.parent.absolute()
    options = site_options(read_settings(Path()), site_dir, {})
    project = project_of(site_dir, options)
    folder = read_published(project, track=output.track)
    found = [*look_in_folder(removed, folder, project)]
    if any(each.fate == "missing" for each in found):
        # Without git, nothing is known of their places.
        with suppress(GitError):
            places = places_of(folder, project, output.message)
            found = with_places(found, places)
            if places.gap and any(_is_lost(each) for each in found):
                output.message(places.gap)
    return found


def _is_lost(removed: Removed) -> bool:
    return removed.fate == "missing" and removed.moved is None


def _counted(changes: Iterable[UrlChange], counts: Counter[str]) -> Iterator[UrlChange]:
    for change in changes:
        counts[change.kind] += 1
        yield change


def _text(changes: Iterable[UrlChange], counts: Counter[str]) -> Iterator[str]:
    for change in changes:
        mark, colour = _MARKS[change.kind]
        dates = f"  {change.old or 'undated'} → {change.new or 'undated'}"
        line = f"{mark} {change.url}{dates if change.kind == 'changed' else ''}"
        yield click.style(printable(line), fg=colour)
    words = [f"{counts[kind]:,} {kind}" for kind in _MARKS if counts[kind]]
    yield ", ".join(words) or "no difference"


def _json(changes: Iterable[UrlChange], counts: Counter[str]) -> Iterator[str]:
    """Yield one JSON document in lines, one for each change."""
    yield '{"changes": ['
    comma = ""
    for change in changes:
        url = without_password(change.url)
        value = {
            "change": change.kind,
            "url": url,
            "old": change.old,
            "new": change.new,
        }
        yield f"{comma}{json.dumps(value)}"
        comma = ","
    totals = ", ".join(f'"{kind}": {counts[kind]}' for kind in _MARKS)
    yield f"], {totals}}}"


def _urls(changes: Iterable[UrlChange], _counts: Counter[str]) -> Iterator[str]:
    return (printable(change.url) for change in changes)


def _removed(
    found: Iterable[Removed], form: str, counts: Counter[str]
) -> Iterator[str]:
    """Yield what became of removed URLs.

    Text and `urls` name only those that are missing.
    """
    every = [*found]
    counts.update(each.fate for each in every)
    missing = [each for each in every if each.fate == "missing"]
    match form:
        case "json":
            yield json.dumps({"removed": [*map(_row, every)]})
        case "urls":
            yield from (printable(each.url) for each in missing)
        case _:
            for each in missing:
                line = printable(f"- {each.url}  {each.why}")
                yield click.style(line, fg="red")
            words = [
                f"{counts[fate]:,} {text}"
                for fate, text in _FATES.items()
                if counts[fate]
            ]
            yield (
                f"{len(every):,} removed: {', '.join(words)}"
                if every
                else "no URL is removed"
            )


def _row(removed: Removed) -> dict[str, str | None]:
    moved = removed.moved
    return {
        "url": without_password(removed.url),
        "fate": removed.fate,
        "why": removed.why,
        "new_url": moved.new_url if moved else None,
        "grade": moved.grade if moved else None,
    }


_FORMATS = {"text": _text, "json": _json, "urls": _urls}
