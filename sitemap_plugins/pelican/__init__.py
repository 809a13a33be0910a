"""Pelican signals → Page records → core.generate."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pelican import Pelican, signals
from pelican import __version__ as pelican_version
from pelican.contents import Content
from pelican.generators import Generator, StaticGenerator

from sitemap_plugins.core.messages import Notice, SitemapError
from sitemap_plugins.core.opened import Project
from sitemap_plugins.pelican.includes import settle, watch_readers
from sitemap_plugins.pelican.options import read_options, refuse_old, refuse_rivals
from sitemap_plugins.pelican.run import Run, is_preview, print_line

log = logging.getLogger(__name__)

_RUN = "SITEMAP_PLUGINS_RUN"
"""Key of our state in a site's settings.

Its contexts and its sub-sites' settings copy them."""


def register() -> None:
    """Connect to Pelican's signals; a second call, for a sub-site, changes nothing.

    Raises:
        OptionsError: Pelican is too old. It shows the message and builds without us.
    """
    refuse_old(pelican_version)
    signals.initialized.connect(on_initialized)
    signals.get_generators.connect(on_get_generators)
    signals.generator_init.connect(on_generator_init)
    signals.static_generator_finalized.connect(on_static_generator_finalized)
    signals.all_generators_finalized.connect(on_all_generators_finalized)
    signals.article_generator_write_article.connect(on_write_content)
    signals.page_generator_write_page.connect(on_write_content)
    signals.content_written.connect(on_content_written)
    signals.finalized.connect(on_finalized)


def on_initialized(pelican: Pelican) -> None:
    """Stop with one line if the set-up is wrong.

    `pelican -r` waits for corrected settings.
    """
    logging.getLogger("pelican").addFilter(_without_traceback)
    settings = pelican.settings
    about_rival = refuse_rivals(settings["PLUGINS"])
    if about_rival:
        _say([about_rival])
        return
    options, notices = read_options(settings.get("SITEMAP", {}))
    _say(notices)
    if is_preview():
        options = replace(options, fetch_history=False)
    settings[_RUN] = Run.of(settings, options, around=_run(settings))
    # The receivers of `finalized`, the last signal, are called in no order.
    pelican.run = partial(_run_and_say, pelican, pelican.run)


def _without_traceback(record: logging.LogRecord) -> bool:
    """Leave out the traceback that Pelican 4.12 logs: our errors are the user's."""
    if record.exc_info and isinstance(record.exc_info[1], SitemapError):
        record.exc_info = None
    return True


def on_get_generators(pelican: Pelican) -> None:
    """Begin a run: the first signal of each."""
    if run := _run(pelican.settings):
        run.begin()


def on_generator_init(generator: Generator) -> None:
    """Have the generator's readers note which files are opened for a page."""
    if _run(generator.settings):
        project = Project(Path(generator.settings["PATH"]).parent)
        watch_readers(generator.readers.readers.values(), project)


def on_static_generator_finalized(generator: StaticGenerator) -> None:
    """Note the files that will be copied."""
    if run := _run(generator.settings):
        run.static_files = generator.staticfiles


def on_all_generators_finalized(generators: Sequence[Generator]) -> None:
    """Find the dates that pages show: all contents are read, and none is written."""
    if run := _run(generators[0].settings):
        sources = generators[0].context["generated_content"].values()
        # None for a source that Pelican cannot read.
        contents = [content for content in sources if content is not None]
        settle(contents)
        run.find_dates(contents)


def on_write_content(generator: Generator, content: Content) -> None:
    """Give an article or page its date; feeds, written earlier, have their own."""
    if run := _run(generator.settings):
        run.show_date(content)


def on_content_written(path: str, context: Mapping[str, Any]) -> None:
    """Note a page."""
    if run := _run(context):
        run.take(path, context)


def on_finalized(pelican: Pelican) -> None:
    """Write the sitemap: all pages and files, robots.txt among them, are there now."""
    if run := _run(pelican.settings):
        run.end()
        if run.main is None:
            run.report = run.write()


def _run(settings: Mapping[str, Any]) -> Run | None:
    """Return our state; None for a site or a context that was made without us."""
    return settings.get(_RUN)


def _run_and_say(pelican: Pelican, run_site: Callable[[], None]) -> None:
    """Run, write again if plugins wrote files to list, and say what was written."""
    run_site()
    run = _run(pelican.settings)
    if run is None or run.report is None:
        return
    report = run.report
    if report.is_outdated():
        report = run.write()
    run.report = None
    _say(run.about_places())
    _say(report.above_summary())
    print_line(report.summary())
    for line in report.unexpected():
        print_line(line)
    if not log.isEnabledFor(logging.INFO):
        return
    # Not by the logger, which breaks lines; subjects of commits are read for these
    # only.
    for line in report.details():
        print_line(line)


def _say(notices: Iterable[Notice]) -> None:
    for notice in notices:
        text = f"sitemap: {notice} ({notice.code})"
        if notice.level == "warning":
            log.warning("%s", text)
        else:
            print_line(text)
