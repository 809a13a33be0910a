"""`sitemap-plugins diff`: how two sitemaps differ."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from sitemap_plugins.cli import FOUND
from sitemap_plugins.cli.arguments import Argument
from sitemap_plugins.core.messages import printable, without_password
from sitemap_plugins.published.diff import find_changes
from sitemap_plugins.sitemaps.locations import find_locations
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.web import Web

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemap_plugins.published.diff import Change

__all__ = ["diff"]

_MARKS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}

_HELP = """Print which URLs were added, removed or have another date in NEW than in OLD.

Each is a sitemap file, a folder with one, a URL, or git:REVISION:PATH for a committed one. The
parts of an index are read too.

\b
Examples:
  sitemap-plugins diff https://example.com/sitemap.xml site
  sitemap-plugins diff git:gh-pages:sitemap.xml site --format urls

Exits with 0 if there is no difference, with 1 if there is one, with 2 if the command cannot run.
"""


@click.command(help=_HELP)
@click.argument("old", cls=Argument)
@click.argument("new", cls=Argument)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "urls"]),
    default="text",
    show_default=True,
    help="Output format; urls prints each URL alone.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; see the exit code.")
def diff(old: str, new: str, *, form: str, quiet: bool) -> None:
    """Compare two sitemaps."""
    with Web() as web:
        before, now = (find_locations(text, web=web, environ=os.environ) for text in (old, new))
        counts: Counter[str] = Counter()
        changes = _counted(find_changes(all_elements(before), all_elements(now)), counts)
        # If a sitemap cannot be read, nothing is printed.
        changes = chain(list(islice(changes, 1)), changes)
        for line in _FORMATS[form](changes, counts):
            if not quiet:
                # Programs read UTF-8, whatever the terminal's encoding.
                click.echo(line if form == "text" else line.encode(), file=sys.stdout)
    if counts:
        raise click.exceptions.Exit(FOUND)


def _counted(changes: Iterable[Change], counts: Counter[str]) -> Iterator[Change]:
    for change in changes:
        counts[change.kind] += 1
        yield change


def _text(changes: Iterable[Change], counts: Counter[str]) -> Iterator[str]:
    for change in changes:
        mark, colour = _MARKS[change.kind]
        dates = f"  {change.old or 'undated'} → {change.new or 'undated'}"
        line = f"{mark} {change.url}{dates if change.kind == 'changed' else ''}"
        yield click.style(printable(line), fg=colour)
    words = [f"{counts[kind]:,} {kind}" for kind in _MARKS if counts[kind]]
    yield ", ".join(words) or "no difference"


def _json(changes: Iterable[Change], counts: Counter[str]) -> Iterator[str]:
    """Yield one JSON document in lines, one for each change."""
    yield '{"changes": ['
    comma = ""
    for change in changes:
        url = without_password(change.url)
        value = {"change": change.kind, "url": url, "old": change.old, "new": change.new}
        yield f"{comma}{json.dumps(value)}"
        comma = ","
    totals = ", ".join(f'"{kind}": {counts[kind]}' for kind in _MARKS)
    yield f"], {totals}}}"


def _urls(changes: Iterable[Change], _counts: Counter[str]) -> Iterator[str]:
    return (printable(change.url) for change in changes)


_FORMATS = {"text": _text, "json": _json, "urls": _urls}
