"""`sitemap-plugins versions`: keep old versions from outranking the new one."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from sitemap_plugins.cli.arguments import (
    FILE,
    Argument,
    Given,
    base_url_option,
    choice_option,
    flag_option,
    format_option,
    quiet_option,
    text_option,
)
from sitemap_plugins.cli.commands import FOUND
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core.git.repository import has_changes
from sitemap_plugins.core.messages import (
    GitError,
    OptionsError,
    count_pages,
    count_things,
)
from sitemap_plugins.core.publishing.publish import clear_leftovers, replace_files
from sitemap_plugins.core.untrusted_files import is_given_folder
from sitemap_plugins.findings.formats import FORMATS
from sitemap_plugins.findings.records import Result
from sitemap_plugins.folder.arguments import site_project
from sitemap_plugins.folder.reading import read_folder
from sitemap_plugins.folder.versions import read_versions
from sitemap_plugins.sitemaps.removed import Moved
from sitemap_plugins.versions.fix import NUMBERS, VersionsCheck
from sitemap_plugins.versions.old_pages import DefaultPages, read_default

_KNOW_MOVES = (
    "sitemap_plugins.moved.arguments",
)  # fmt: skip
"""Modules whose function `places_of` knows where pages are now."""

_VERSION = "Folders that are versions, such as 'v*', if no file lists them."
_MAP = "Where a page is now; a * at the end of both stands for the rest of the path."
_GONE = "What --write does with pages that the default version does not have."
_MOVED = re.compile(r"([^=*]+\*?)=([^=*]+\*?)")
"""Two paths, each of which can end in a star."""


def _moved(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
    moved = {}
    for text in texts:
        if not (found := _MOVED.fullmatch(text)):
            raise click.BadParameter(
                f"{text!r} is not OLD=NEW, two paths below a version"
            )
        old, new = found.groups()
        moved[old.strip("/")] = new.strip("/")
    return moved


@click.command()
@click.argument("site_dir", cls=Argument, type=FILE)
@base_url_option("The address of SITE_DIR; by default that of the canonical links.")
@text_option("--version", "PATTERN", _VERSION, "patterns", multiple=True)
@text_option("--default", "NAME", "The version that readers should find.", default="")
@text_option("--map", "OLD=NEW", _MAP, "moved", multiple=True, callback=_moved)
@flag_option("--write", "Fix the pages and the sitemaps.")
@flag_option("--dry-run", "Print how much --write would change.")
@choice_option("--gone", ("keep", "noindex"), "keep", _GONE)
@flag_option("--force", "Fix files that have uncommitted changes, too.")
@format_option(FORMATS)
@quiet_option()
@flag_option("-v", "Print every finding, not a few of each kind.", "--verbose")
def versions(site_dir: Path, **given: Any) -> None:  # noqa: ANN401 click's values, typed above
    """Report pages of old versions in SITE_DIR that can outrank the new ones.

    SITE_DIR is the folder of all versions, as mike, sphinx-multiversion or a script
    publishes it. Each page of an old version should name the same page of the default
    version as canonical. With --write, pages that do not do so get the link; nothing
    else in them changes. The sitemaps of old versions then list only pages that are
    canonical.

    \b
    Examples:
      sitemap-plugins versions gh-pages
      sitemap-plugins versions gh-pages --write --base-url https://example.com/
      sitemap-plugins versions site --version 'v*' --default stable

    Exits with 0 if all is well, with 1 if a page that could name the default version
    does not, or names a page that does not exist, with 2 if the command cannot run.
    """
    output = Output(quiet=given["quiet"], verbose=given["verbose"])
    output.step("Reading the default version")
    check = _read(site_dir, given, output)
    if given["write"] and not given["dry_run"]:
        _write(site_dir, check, output, force=given["force"])
    else:
        # Pages are judged while fixed ones are yielded; nothing is written.
        for _ in check.fixed(output.track):
            pass
    result = check.result()
    form = given["form"]
    if form == "text":
        _print(output, result, check, dry_run=given["dry_run"])
    else:
        output.data(_document(form, result, check))
    if result.worst() in {"error", "warning"}:
        raise click.exceptions.Exit(FOUND)


def _read(site_dir: Path, given: Given, output: Output) -> VersionsCheck:
    """Read the default version of a folder, and prepare to judge the others."""
    default = _read_default(site_dir, given)
    known = _known_moves(default, output)
    default = replace(default, moved={**known, **default.moved})
    fixes = given["write"] or given["dry_run"]
    if fixes and not default.base_url:
        msg = f"no canonical link in {default.folder!r} shows the site's address"
        raise OptionsError(msg, cure="give it with --base-url")
    return VersionsCheck(default, fixes=fixes, noindex=given["gone"] == "noindex")


def _read_default(site_dir: Path, given: Given) -> DefaultPages:
    """Return the pages of the default version of a folder."""
    if not is_given_folder(site_dir):
        msg = f"{str(site_dir)!r} is not a folder"
        raise OptionsError(msg, cure="name that of all versions")
    patterns = given["patterns"]
    known = read_versions(site_dir, patterns=patterns, default=given["default"])
    if not known.all:
        msg = f"nothing shows which folders in {str(site_dir)!r} are versions"
        raise OptionsError(msg, cure="name them with --version and --default")
    return read_default(known, base_url=given["base_url"], moved=given["moved"])


def _write(
    site_dir: Path, check: VersionsCheck, output: Output, *, force: bool
) -> None:
    """Write the fixed files, if git can undo that."""
    clear_leftovers(site_dir)
    if not force and has_changes(site_dir, os.environ):
        msg = f"{str(site_dir)!r} has changes that are not committed"
        cure = "commit them first, so that git can undo this, or give --force"
        raise OptionsError(msg, cure=cure)
    replace_files(check.fixed(output.track), output_dir=site_dir)


def _known_moves(found: DefaultPages, output: Output) -> dict[str, str]:
    """Return where git knows pages to be that the default version does not have.

    Keys are paths below an old version, values paths below the default version. The
    sources are those of the project in the current folder.
    """
    top = found.versions.folder / found.default.name
    missing = found.missing()
    if not missing:
        return {}
    project = site_project(top)
    # The user did not ask for moves: without git or sources, none is known.
    with suppress(GitError, OptionsError):
        folder = read_folder(project, track=output.track, local=True)
        if folder.reader.sources.by_page:
            moved: dict[str, Moved] = {}
            for name in _KNOW_MOVES:
                places = import_module(name).places_of(folder, project, output.message)
                moved |= places.find(missing)
            base_url = folder.base_url
            return {p: each.new_url.removeprefix(base_url) for p, each in moved.items()}
    return {}


def _document(form: str, result: Result, check: VersionsCheck) -> str:
    """Return the findings in a format for programs.

    JSON has the numbers of each version too.
    """
    text = FORMATS[form](result)
    if form != "json":
        return text
    numbers = []
    for folder, row in check.rows.items():
        counts = {name: row[name] for name in NUMBERS}
        numbers.append({"folder": folder, **counts})
    document = {
        "default": check.default.folder,
        "versions": numbers,
        **json.loads(text),
    }
    return json.dumps(document, indent=2) + "\n"


def _print(
    output: Output,
    result: Result,
    check: VersionsCheck,
    *,
    dry_run: bool,
) -> None:
    for line in _table(check):
        output.line(line)
    output.findings(result)
    verb = "would be fixed" if dry_run else "fixed"
    fixed = sum(row["fixed"] for row in check.rows.values())
    if fixed:
        output.line(f"{count_pages(fixed)} {verb}: {check.added_bytes:+,} bytes in all")
        if check.keeps_sitemaps:
            output.line(
                "the versions' sitemaps stay as they are: Material's pages read them"
            )
    if check.sitemaps:
        files = count_things(check.sitemaps, "file")
        output.line(f"{files} of the versions' sitemaps {verb}")
    others = count_pages(result.urls)
    output.line(f"the default version is in {check.default.folder}; {others} in others")


def _table(check: VersionsCheck) -> Iterator[str]:
    """Yield a line for each folder, with those of its numbers that any folder has.

    The last number, of fixed pages, is not in the table, but in a line of its own.
    """
    columns = [["version", *check.rows, "all"]]
    for name in NUMBERS[:-1]:
        numbers = [row[name] for row in check.rows.values()]
        total = sum(numbers)
        if total or name == "unprotected":
            columns.append([name, *map(str, numbers), str(total)])
    first, *others = [max(map(len, column)) for column in columns]
    for folder, *cells in zip(*columns, strict=True):
        numbers_of_folder = map(str.rjust, cells, others)
        yield "  ".join([folder.ljust(first), *numbers_of_folder])
