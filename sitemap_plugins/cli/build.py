"""`sitemap-plugins build`: write the sitemap of a folder of built HTML."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_plugins.cli.arguments import Argument
from sitemap_plugins.cli.console import CANNOT_RUN, FOUND, Output
from sitemap_plugins.cli.options import sitemap_options
from sitemap_plugins.folder import build as build_folder
from sitemap_plugins.folder.options import Project, parse_options, read_settings
from sitemap_plugins.folder.preview import changes, scratch_dir

if TYPE_CHECKING:
    from sitemap_plugins.core.records import Report

__all__ = ["build"]

_WRITES_NOTHING = {"preview-build"}
"""Notices that explain why nothing is written where nothing should be."""


_HELP = """Write sitemap.xml into SITE_DIR, a folder of built HTML, and add it to robots.txt.

Run it in the project's folder, where the generator's settings and the sources are. Options are also
read from sitemap.toml, from the table tool.sitemap-plugins of pyproject.toml, and from
project.extra.sitemap of zensical.toml, by the same names.

\b
Examples:
  zensical build && sitemap-plugins build site
  sitemap-plugins build _build/html --base-url https://example.com/book/
"""


@click.command(help=_HELP, short_help="Write the sitemap of a folder of built HTML.")
@click.argument("site_dir", cls=Argument, type=click.Path(path_type=Path, file_okay=False))
@sitemap_options
@click.option("--config", type=click.Path(path_type=Path), help="The file that holds the settings.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--strict", is_flag=True, help="Exit with 1 if there are warnings.")
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@click.option("-v", "--verbose", is_flag=True, help="Name each page left out, with the reason.")
def build(  # noqa: PLR0913 one parameter for each option
    site_dir: Path,
    *,
    config: Path | None,
    dry_run: bool,
    strict: bool,
    quiet: bool,
    verbose: bool,
    **given: Any,  # noqa: ANN401 the sitemap's options, checked
) -> None:
    """Write the sitemap of a folder of built HTML."""
    output = Output.make(quiet=quiet, verbose=verbose)
    settings = read_settings(Path(), config)
    options = parse_options(settings, site_dir)
    for name in ("source_dir", "generator_config"):
        if given[name] is not None:  # Names on the command line are relative to this folder.
            given[name] = str(Path(given[name]).absolute())
    options = replace(options, **{name: v for name, v in given.items() if v is not None})
    project = Project(
        site_dir=site_dir.absolute(),
        project_dir=config.absolute().parent if config else Path.cwd(),
        options=options,
        environ=os.environ,
    )
    report = _preview(project, output) if dry_run else build_folder(project, track=output.track)
    _say(report, output)
    codes = {notice.code for notice in report.notices}
    if not report.files and not codes & _WRITES_NOTHING:
        raise click.exceptions.Exit(CANNOT_RUN)
    if strict and any(notice.level == "warning" for notice in report.notices):
        raise click.exceptions.Exit(FOUND)


def _preview(project: Project, output: Output) -> Report:
    filename = project.options.filename
    with scratch_dir(project.site_dir, filename) as scratch:
        report = build_folder(project, output_dir=scratch, track=output.track)
        for change in changes(project.site_dir, scratch, filename):
            output.line(f"would {change.verb} {change.name} ({change.size:,} bytes)")
    return report


def _say(report: Report, output: Output) -> None:
    for notice in report.notices:
        output.notice(notice)
    for line in (report.summary(), *report.unexpected()):
        output.line(line)
    output.details(report.details())
