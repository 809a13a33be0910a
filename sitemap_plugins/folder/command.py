"""`sitemap-plugins build`: write the sitemap of a folder of built HTML."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from sitemap_plugins import folder
from sitemap_plugins.cli.arguments import (
    CONFIG,
    FILE,
    Argument,
    flag_option,
    quiet_option,
    text_option,
)
from sitemap_plugins.cli.commands import CANNOT_RUN, FOUND
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core.messages import (
    SitemapError,
    WrongValueError,
    quoted,
)
from sitemap_plugins.core.options import Option
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.untrusted_files import write_text
from sitemap_plugins.folder.arguments import given_options, project_of
from sitemap_plugins.folder.dry_run import run_dry
from sitemap_plugins.folder.options import FOLDER_OPTIONS, parse_options, read_settings
from sitemap_plugins.folder.reading import read_folder

_SHORT = {"source_dir": ("--source",)}
"""Further names on the command line."""

_NUMBERS = "Write the numbers of pages and the notices into this file, as JSON."

_WORDS = {"true": True, "false": False}


def _sitemap_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add every option of a folder to a command.

    Each arrives checked, None if it is not given.
    """
    for option in reversed(FOLDER_OPTIONS):
        command = _click_option(option)(command)
    return command


def _click_option(
    option: Option,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    shape = option.accepts.shape
    name = "--" + option.name.replace("_", "-")
    if shape == "flag":
        name += f"/--no-{name.removeprefix('--')}"

    def parse(_context: click.Context, _parameter: object, value: object) -> object:
        return parse_option(option, value)

    return click.option(
        name,
        *_SHORT.get(option.name, ()),
        option.name,
        default=None,
        multiple=shape in {"list", "rules", "files"},
        metavar=option.accepts.metavar or None,
        help=option.summary.replace("`", ""),
        callback=parse,
    )


def parse_option(option: Option, value: object) -> object:
    """Check a value of the command line; None if the option is not given.

    Raises:
        BadParameter: The value is wrong.
    """
    if value is None or value == ():
        return None
    try:
        return option.parse(_as_written(option, value))
    except SitemapError as error:
        raise click.BadParameter(str(error)) from None


def _as_written(option: Option, value: object) -> object:
    """Return the value as a settings file would hold it."""
    texts = value if isinstance(value, tuple) else (value,)
    # A settings file has no quotes around `true` and `false`.
    if len(texts) == 1 and isinstance(texts[0], str):
        word = texts[0].lower()
        if word in _WORDS:
            return _WORDS[word]
    match option.accepts.shape:
        case "files":
            return _files_by_pattern(texts)
        case "rules":
            return _values_by_pattern(texts)
        case "number" if isinstance(value, str) and value.isascii():
            return int(value) if value.lstrip("-").isdecimal() else value
    return [*texts] if isinstance(value, tuple) else value


def _values_by_pattern(texts: Sequence[str]) -> object:
    """Return the values that options of the form PATTERN=VALUE give, by pattern.

    If any of the options has no pattern, return the last value, for all pages.
    """
    if not all("=" in text for text in texts):
        return texts[-1]
    rules = {}
    for text in texts:
        pattern, _, item = text.rpartition("=")
        rules[pattern] = item
    return rules


def _files_by_pattern(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return the files that options of the form PATTERN=FILE name, by pattern.

    Raises:
        WrongValueError: An option names only a file.
    """
    files: dict[str, list[str]] = {}
    for text in texts:
        if "=" not in text:
            problem = f"{quoted(text)} names no pages"
            cure = f"write PATTERN={text}, such as '**={text}' for all pages"
            raise WrongValueError(problem, cure=cure)
        pattern, _, file = text.rpartition("=")
        files.setdefault(pattern, []).append(file)
    return files


def _write_numbers(report: Report, file: Path) -> None:
    """Write the outcome for programs, which need not read names of pages in a log.

    Raises:
        OutputError: The file cannot be written.
    """
    notices = [
        {"level": notice.level, "code": notice.code, "text": str(notice)}
        for notice in report.notices
    ]
    cause = report.cause_of_no_dates()
    value = {
        "listed": report.listed,
        "undated": report.undated,
        "left_out": {reason: len(names) for reason, names in report.left_out.items()},
        "no_dates": cause.code if cause else "",
        "notices": notices,
        "summary": report.summary().partition("\n")[0],
    }
    write_text(file, json.dumps(value))


@click.command()
@click.argument("site_dir", cls=Argument, type=click.Path(path_type=Path))
@_sitemap_options
@click.option("--config", type=FILE, help=CONFIG)
@flag_option("--dry-run", "Show what would be written, and write nothing.")
@flag_option("--strict", "Exit with 1 if there are warnings.")
@text_option("--numbers", "FILE", _NUMBERS, type=FILE)
@quiet_option()
@flag_option("-v", "Say why each page has its date or is left out.", "--verbose")
def build(  # noqa: PLR0913 one parameter for each option
    site_dir: Path,
    *,
    config: Path | None,
    dry_run: bool,
    strict: bool,
    numbers: Path | None,
    quiet: bool,
    verbose: bool,
    **given: Any,  # noqa: ANN401 the sitemap's options, checked
) -> None:
    """Write the sitemap of SITE_DIR, a folder of built HTML, and name it in robots.txt.

    Run it in the project's folder, where the generator's settings and the sources are.
    Options are also read from sitemap.toml, from the table tool.sitemap-plugins of
    pyproject.toml, and from project.extra.sitemap of zensical.toml, by the same names.

    \b
    Examples:
      zensical build && sitemap-plugins build site
      sitemap-plugins build _build/html --base-url https://example.com/book/
    """
    output = Output(quiet=quiet, verbose=verbose)
    options = parse_options(read_settings(Path(), config), site_dir)
    project_dir = config.absolute().parent if config else None
    project = project_of(site_dir, given_options(options, given), project_dir)
    output.step("Looking for pages")
    site = read_folder(project, track=output.track)
    output.step("Dating pages")
    if dry_run:
        report, changes = run_dry(site, project, say=output.line)
        for change in changes:
            output.line(f"would {change.verb} {change.name} ({change.size:,} bytes)")
    else:
        report = folder.write(site, project, output.line)
    for notice in report.above_summary():
        output.notice(notice)
    # The summary's second line would annotate the run on GitHub, which the Action does.
    summary, _, _ = report.summary().partition("\n")
    for line in (summary, *report.unexpected()):
        output.line(line)
    output.details(report.details())
    if numbers is not None:
        _write_numbers(report, numbers)
    # A deploy preview gets no sitemap on purpose.
    codes = {notice.code for notice in report.notices}
    if not report.files and "preview-build" not in codes:
        raise click.exceptions.Exit(CANNOT_RUN)
    levels = {notice.level for notice in report.notices}
    if strict and "warning" in levels:
        raise click.exceptions.Exit(FOUND)
