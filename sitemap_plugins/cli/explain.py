"""`sitemap-plugins explain`: the manual's entry of a code or an option."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING

import click

from sitemap_plugins.checks.answers import ANSWER_CHECKS
from sitemap_plugins.checks.run import CHECKS
from sitemap_plugins.cli.arguments import Argument
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import codes
from sitemap_plugins.core.codes import Code, manual_url
from sitemap_plugins.core.messages import named, sentence
from sitemap_plugins.core.options import PLUGIN_OPTIONS, Option
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.folder.options import FOLDER_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator


_STANDARD = re.compile(r"\b(?:sitemaps\.org|Google|RFC|W3C|schema|Yandex)\b")
_OPTIONS = {option.name: option for option in (*PLUGIN_OPTIONS, *FOLDER_OPTIONS)}


@click.command()
@click.argument("name", cls=Argument, required=False)
def explain(name: str | None) -> None:
    """Explain a code or an option: what it means, an example, what to do, when to ignore it.

    Without NAME, all codes and options are listed.

    \b
    Examples:
      sitemap-plugins explain not-listed
      sitemap-plugins explain exclude
    """
    output = Output.make(quiet=False, verbose=False)
    if name is None:
        for code, row in codes.table().items():
            output.line(f"{code}: {row.reason or next(row.uses())[1].meaning}")
        for each in _OPTIONS.values():
            output.line(f"{each.name} (option): {each.summary}")
        return
    option = name.removeprefix("sitemap_")  # As in Sphinx.
    if name not in codes.table() and option not in _OPTIONS:
        cure = did_you_mean(name, [*codes.table(), *_OPTIONS]) or "without a name, all are listed"
        if " " in name:
            cure = "if that is a search engine's message, see docs/search-console.md in the manual"
        problem = f"{named(name)} is neither a code nor an option of all generators"
        raise click.BadParameter(sentence(problem, cure))
    of_code = _about_code(name) if name in codes.table() else ()
    of_option = _about_option(_OPTIONS[option]) if option in _OPTIONS else ()
    for line in chain(of_code, [""] if of_code and of_option else (), of_option):
        output.line(line)


def _about_code(code: Code) -> Iterator[str]:
    row = codes.table()[code]
    yield code
    if row.reason:
        yield f"  reason to leave a page out: {row.reason}"
    for name, use in row.uses():
        yield f"  {name}, {use.severity}: {use.meaning}"
        yield f"  → {use.cure}"
    for check in (*CHECKS, *ANSWER_CHECKS):
        # A check has the codes that it finds as constants.
        if code in check.__code__.co_consts and _STANDARD.search(rule := check.__doc__ or ""):
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
