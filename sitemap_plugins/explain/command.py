"""`sitemap-plugins explain`: a code's or option's entry; why a page has its date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

from sitemap_plugins.cli.arguments import Argument, format_option
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import codes
from sitemap_plugins.core.codes import Code
from sitemap_plugins.core.messages import named, quoted, sentence
from sitemap_plugins.core.options import PLUGIN_OPTIONS, Option
from sitemap_plugins.core.url_forms import INDEX
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.explain.page import Answer, explain_page
from sitemap_plugins.folder.arguments import site_project
from sitemap_plugins.folder.options import FOLDER_OPTIONS

_OPTIONS = {option.name: option for option in (*PLUGIN_OPTIONS, *FOLDER_OPTIONS)}

_SITES = (
    "site",
    "output",
    "_build/html",
    "docs/_build/html",
    "build",
    "build/html",
    "book",
    "public",
    "_site",
    "dist",
)
"""Where generators write the site, below the project's folder."""

VERSION = 1
"""The version of the output's form, which is higher once a program that reads it would
have to change."""

_HELP = """Explain a code or an option, or why a page has its date or is left out.

For a code or an option: what it means, an example, what to do, when to ignore it. PAGE
is a page's URL, its path in the output, or its source; SITE is the folder of the built
site, which is found if it has its generator's usual name. Run the command in the
project's folder. Without a name, it lists all codes and options.

\b
Examples:
  sitemap-plugins explain not-listed
  sitemap-plugins explain exclude
  sitemap-plugins explain docs/guide.md site
"""


@click.command(help=_HELP)
@click.argument("name", cls=Argument, required=False, metavar="CODE|OPTION|PAGE")
@click.argument(
    "site", required=False, type=click.Path(path_type=Path, file_okay=False)
)
@format_option(["json"], "Output format for a page.")
def explain(name: str | None, site: Path | None, form: str) -> None:
    """Print the entries of a name, which can be a code and an option, or of pages."""
    output = Output(quiet=False, verbose=False)
    lines = _all_names() if name is None else _about(name)
    if name and (site or not lines):
        answers = _find_pages(name, site or _usual_site())
        if form == "json":
            pages = [each.known for each in answers]
            document = json.dumps({"version": VERSION, "pages": pages}, indent=2)
            output.data(f"{document}\n")
            return
        lines = list(chain.from_iterable(each.lines for each in answers))
    for line in lines:
        output.line(line)


def _all_names() -> list[str]:
    lines = []
    for code, row in codes.table().items():
        lines.append(f"{code}: {row.reason or next(row.named_uses())[1].meaning}")
    for name, option in _OPTIONS.items():
        lines.append(f"{name} (option): {option.summary}")
    return lines


def _usual_site() -> Path | None:
    """Return the built site's folder by its usual names; None if it is not found."""
    for name in _SITES:
        if Path(name, INDEX).is_file():
            return Path(name)
    return None


def _find_pages(name: str, site: Path | None) -> list[Answer]:
    """Return what is known of a page; says what prevents an answer."""
    if site is None:
        raise _unknown("code or option", name)
    project = site_project(site)
    sitemap = project.site_dir / project.options.filename
    found = explain_page(name, sitemap, project.environ)
    if found:
        return found
    if Path(name).is_file():
        problem = f"{named(name)} is no page's own source in {site}"
        raise click.BadParameter(sentence(problem, "name a page that shows it"))
    raise _unknown(f"code, option or page of {quoted(str(site))}", name)


def _unknown(what: str, name: str) -> click.BadParameter:
    """Return the error for a name that nothing has."""
    cure = did_you_mean(name, [*codes.table(), *_OPTIONS])
    if " " in name:
        manual = "docs/search-console.md in the manual"
        cure = f"if that is a search engine's message, see {manual}"
    elif not cure:
        cure = "`sitemap-plugins explain` lists codes and options"
    return click.BadParameter(sentence(f"no {what} is called {named(name)}", cure))


def _about(name: str) -> list[str]:
    """Return the entries of a name, with an empty line between.

    There are none for a name that is not a code.
    """
    lines: list[str] = []
    if name in codes.table():
        lines += _about_code(name)
    option = _OPTIONS.get(name.removeprefix("sitemap_"))  # As in Sphinx.
    if option:
        if lines:
            lines.append("")
        lines += _about_option(option)
    return lines


def _about_code(code: Code) -> Iterator[str]:
    row = codes.table()[code]
    yield code
    if row.reason:
        yield f"  reason to leave a page out: {row.reason}"
    for name, use in row.named_uses():
        yield f"  {name}, {use.severity}: {use.meaning}"
        yield f"  → {use.cure}"
    if row.rule:
        yield f"  rule: {row.rule}"
    yield ""
    yield "Example:"
    for line in row.example.splitlines():
        yield f"  {line}"
    yield ""
    yield "When to ignore it:"
    yield f"  {row.ignore}"


def _about_option(option: Option) -> Iterator[str]:
    yield f"{option.name} (option)"
    yield f"  {option.summary}"
    yield f"  takes: {option.accepts.words}"
    yield f"  default: {json.dumps(option.default)}"
    yield f"  example: {option.name}: {json.dumps(option.example)}"
