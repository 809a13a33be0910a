"""`sitemap-plugins explain`: the manual's entry of a code or an option; why a page has its date."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from sitemap_plugins.checks.answers import ANSWER_CHECKS
from sitemap_plugins.checks.run import CHECKS
from sitemap_plugins.cli.arguments import (
    Argument,
    base_url_option,
    format_option,
    project_of,
    site_options,
)
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import codes, urls
from sitemap_plugins.core.codes import Code, manual_url
from sitemap_plugins.core.date_values import Origin, format_date
from sitemap_plugins.core.messages import named, sentence
from sitemap_plugins.core.options import PLUGIN_OPTIONS, Option
from sitemap_plugins.core.records import CheckedPage, Explanation, Report
from sitemap_plugins.core.url_forms import INDEX, any_form
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.folder import dry_run
from sitemap_plugins.folder.options import FOLDER_OPTIONS, read_settings

_STANDARD = re.compile(r"\b(?:sitemaps\.org|Google|RFC|W3C|schema|Yandex)\b")
_OPTIONS = {option.name: option for option in (*PLUGIN_OPTIONS, *FOLDER_OPTIONS)}

_SITES = (
    "site",
    "output",
    "_build/html",
    "docs/_build/html",
    "book",
    "public",
    "_site",
    "dist",
)
"""Where generators write the site, below the project's folder."""

VERSION = 1
"""Of the form of the output: higher once a program that reads it would have to change."""

_HELP = """Explain a code or an option, or why a page has its date or is left out.

A code or option: what it means, an example, what to do, when to ignore it. PAGE is a page's URL,
its path in the output, or its source; SITE is the folder of the built site, usually found by its
name. Run it in the project's folder. Without a name, all codes and options are listed.

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
@base_url_option()
@format_option(["json"], "Of a page.")
def explain(name: str | None, site: Path | None, base_url: str, form: str) -> None:
    """Print the entries of a name, which can be a code and an option, or those of pages."""
    output = Output(quiet=False, verbose=False)
    if name is None:
        for line in _all_names():
            output.line(line)
        return
    option = name.removeprefix("sitemap_")  # As in Sphinx.
    of_code = _about_code(name) if name in codes.table() else ()
    of_option = _about_option(_OPTIONS[option]) if option in _OPTIONS else ()
    lines = chain(of_code, [""] if of_code and of_option else (), of_option)
    if site or not (of_code or of_option):
        site = site or next(
            (Path(each) for each in _SITES if Path(each, INDEX).is_file()), None
        )
        report = _report(site, base_url, output) if site else Report()
        found = [*_about_pages(report, name)]
        if not report.listed or any(_is_undated(each) for each, _ in found):
            for notice in report.notices:  # They say why.
                output.notice(notice)
        if not found:
            raise _not_found(name, site)
        if form == "json":
            objects = [each for each, _ in found]
            click.echo(json.dumps({"version": VERSION, "pages": objects}, indent=2))
            return
        lines = chain.from_iterable(each for _, each in found)
    for line in lines:
        output.line(line)


def _all_names() -> Iterator[str]:
    for code, row in codes.table().items():
        yield f"{code}: {row.reason or next(row.uses())[1].meaning}"
    for each in _OPTIONS.values():
        yield f"{each.name} (option): {each.summary}"


def _not_found(name: str, site: Path | None) -> click.BadParameter:
    cure = (
        did_you_mean(name, [*codes.table(), *_OPTIONS])
        or "without a name, all are listed"
    )
    if " " in name:
        cure = "if that is a search engine's message, see docs/search-console.md in the manual"
    where = f", nor a page of {site}" if site else ""
    problem = f"{named(name)} is neither a code nor an option of all generators{where}"
    return click.BadParameter(sentence(problem, cure))


def _report(site: Path, base_url: str, output: Output) -> Report:
    options = site_options(read_settings(Path()), site, {"base_url": base_url})
    return dry_run(project_of(site, options), track=output.track, say=output.message)[0]


def _is_named(page: CheckedPage, name: str) -> bool:
    """Tell whether a user means a page by its URL, its path in any form, its label or its file."""
    files = filter(None, (page.output_file, *page.sources[:1]))
    return (
        name == page.label
        or any_form(page.path) == any_form(name.removeprefix("/"))
        or any_form(urls.identity(page.url or page.label))
        == any_form(urls.identity(name))
        or os.path.realpath(name) in map(os.path.realpath, files)
    )


def _about_pages(
    report: Report, name: str
) -> Iterator[tuple[Mapping[str, Any], Sequence[str]]]:
    """Yield what is known of each page that a user names, for programs and as lines."""
    for page, explanations in report.explain(partial(_is_named, name=name)):
        why, *others = map(_from_here, explanations)
        source = _source(page)
        known = {
            "page": source,
            "url": page.url,
            "dates": [*map(_as_object, (why, *others))],
        }
        lines = [f"{source} → {page.path or '/'}: {why.words}"]
        lines += [f"    passed over: {why.passed_over}"] if why.passed_over else []
        yield known, [*lines, *(f"    {other}" for other in others)]
    for left_out in report.pages_left_out:
        page = left_out.page
        reason = left_out.reason
        if not _is_named(page, name):
            continue
        source = _source(page)
        words = {
            "page": source,
            "url": page.url,
            "left_out": reason,
            "why": left_out.words,
        }
        yield words, [f"{source}: left out ({reason}: {left_out.words})"]


def _is_undated(page: Mapping[str, Any]) -> bool:
    return "dates" in page and page["dates"][0]["date"] is None


def _source(page: CheckedPage) -> str:
    return os.path.relpath(page.sources[0]) if page.sources else page.label


def _from_here(explanation: Explanation) -> Explanation:
    """Name files outside git as they are seen from the current folder; git's names are relative."""

    def relative(name: str) -> str:
        return os.path.relpath(name) if Path(name).is_absolute() else name

    origin = explanation.origin
    origin = origin and origin._replace(file=relative(origin.file))
    return explanation._replace(name=relative(explanation.name), origin=origin)


def _as_object(explanation: Explanation) -> Mapping[str, object]:
    origin, date = explanation.origin or Origin(""), explanation.date
    return {
        "name": explanation.name,
        "date": date and format_date(date),
        "origin": origin.kind,
        "file": origin.file,
        "commit": origin.commit.decode(),
        "words": explanation.words,
        "passed_over": explanation.passed_over,
    }


def _about_code(code: Code) -> Iterator[str]:
    row = codes.table()[code]
    yield code
    if row.reason:
        yield f"  reason to leave a page out: {row.reason}"
    for name, use in row.uses():
        yield f"  {name}, {use.severity}: {use.meaning}"
        yield f"  → {use.cure}"
    for check, found in chain(CHECKS.items(), ANSWER_CHECKS.items()):
        rule = check.__doc__ or ""
        if code in found and _STANDARD.search(rule):
            yield f"  rule: {' '.join(rule.split())}"
    yield from ("", "Example:", *(f"  {line}" for line in row.example.splitlines()))
    yield from ("", "When to ignore it:", f"  {row.ignore}")
    if url := manual_url(code):
        yield from ("", url)


def _about_option(option: Option) -> Iterator[str]:
    yield f"{option.name} (option)"
    yield f"  {option.summary}"
    yield f"  takes: {option.accepts.words}"
    yield f"  default: {json.dumps(option.default)}"
    yield f"  example: {option.name}: {json.dumps(option.example)}"
