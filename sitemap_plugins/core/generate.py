"""The pipeline, in order: pages → selection → dates → entries → parts → files → report."""

from __future__ import annotations

import os
import traceback
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sitemap_plugins.core import alternates, entries, fileset, lastmod, output, urls
from sitemap_plugins.core.environment import is_set
from sitemap_plugins.core.errors import OutputError, RobotsError, SitemapError
from sitemap_plugins.core.fileset import File
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.pages import Report
from sitemap_plugins.core.robots import Robots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.pages import Page

__all__ = ["generate"]


def generate(
    pages: Iterable[Page],
    *,
    options: Options,
    output_dir: Path,
    environ: Mapping[str, str] = os.environ,
    history: lastmod.History | None = None,
) -> Report:
    """Write the sitemap of one site into its output folder, and its line into robots.txt.

    Never raises: the site is built, and a failure here leaves it and its last sitemap as they are.

    Args:
        pages: Every page that the host wrote, in any order, those not to be listed too. May be
            lazy: an error while they are made is reported like any other.
        options: Checked; where `base_url` is empty, `READTHEDOCS_CANONICAL_URL` serves.
        output_dir: The folder that the web server will show as `base_url`.
        environ: Environment variables, which tell the continuous integration at hand.
        history: What git said before, for rebuilds in one process; it is added to.
    """
    base_url = options.base_url or environ.get("READTHEDOCS_CANONICAL_URL", "")
    try:
        if environ.get("READTHEDOCS_VERSION_TYPE") == "external":
            text = "this is a pull request's preview on Read the Docs, so no sitemap is written"
            return _nothing("preview-build", text, options)
        if not base_url:
            # The adapter adds the cure: the name of its host's setting.
            text = "the site's address is not set, so no sitemap is written"
            return _nothing("no-base-url", text, options)
        options = replace(options, base_url=urls.base(base_url))
        return _write(pages, options, output_dir, environ, history or lastmod.History())
    except OutputError as error:
        return _nothing("write-failed", str(error), options)
    except SitemapError as error:
        return _nothing("bad-option", f"no sitemap is written: {error}", options)
    except Exception as error:  # noqa: BLE001 a sitemap must never cost its site the build
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{frame.filename}, line {frame.lineno}"
        text = f"no sitemap is written: {type(error).__name__}: {error} ({place}): please report it"
        return _nothing("internal-error", text, options)


def _nothing(code: str, text: str, options: Options) -> Report:
    return Report(notices=(Notice(code=code, text=text),), filename=options.filename)


def _write(
    pages: Iterable[Page],
    options: Options,
    output_dir: Path,
    environ: Mapping[str, str],
    history: lastmod.History,
) -> Report:
    robots, notices = _read_robots(options, output_dir, environ)
    selection = entries.select(pages, options=options, robots=robots)
    listed = list(selection.listed.values())
    dates = lastmod.resolve(
        [*selection.shown, *listed],
        options=options,
        now=datetime.now(UTC),
        environ=environ,
        history=history,
    )
    links, about_links = alternates.groups(
        listed, base_url=options.base_url, default_language=options.default_language
    )
    ready = entries.from_pages(selection.listed, dates=dates.by_path, links=links, options=options)
    notices += (*selection.notices, *about_links, *dates.notices)
    files = _with_robots(fileset.from_entries(ready, options), robots, options, notices)
    written = output.publish(files, output_dir=output_dir, filename=options.filename)
    return Report(
        files=written,
        listed=len(ready),
        left_out=selection.left_out,
        notices=tuple(notices),
        filename=options.filename,
    )


def _read_robots(
    options: Options, output_dir: Path, environ: Mapping[str, str]
) -> tuple[Robots | None, list[Notice]]:
    on_read_the_docs = is_set(environ, "READTHEDOCS")
    try:
        text = output.existing(output_dir / "robots.txt")
        robots = Robots(text, base_url=options.base_url, on_read_the_docs=on_read_the_docs)
    except (OutputError, RobotsError) as error:
        return None, [Notice(code="bad-robots", text=str(error), source="robots.txt")]
    return robots, []


def _with_robots(
    files: Iterable[File], robots: Robots | None, options: Options, notices: list[Notice]
) -> Iterator[File]:
    """Yield the files, then robots.txt with a line for each that crawlers get."""
    submitted = []
    for file in files:
        if file.submitted:
            submitted.append(urls.join(options.base_url, file.name))
        yield file
    if not submitted:
        text = "no page may be listed, so no sitemap is written: see why each page is left out"
        notices.append(Notice(code="no-pages", text=text))
    elif robots is not None:
        notices += robots.notices(submitted, announced=options.robots)
        text_with_lines = robots.announcing(submitted) if options.robots else None
        if text_with_lines is not None:
            yield File(name="robots.txt", chunks=[text_with_lines])
