"""Pelican signals → Page records → core.generate."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pelican import signals
from pelican.log import console

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.options import check_as
from sitemap_plugins.pelican_options import PelicanOptions
from sitemap_plugins.pelican_run import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pelican import Pelican

__all__ = ["register"]

log = logging.getLogger(__name__)

_RUN = "SITEMAP_PLUGINS_RUN"
"""Key of our state in a site's settings, which its contexts and its sub-sites' settings copy."""

_PELICAN_SITEMAP = ("pelican.plugins.sitemap", "sitemap")
"""The names of the plugin that ours replaces: as a package, and in a folder of plugins."""


def register() -> None:
    """Connect to Pelican's signals; a second call, for a sub-site, changes nothing."""
    signals.initialized.connect(on_initialized)
    signals.get_generators.connect(on_get_generators)
    signals.content_written.connect(on_content_written)
    signals.finalized.connect(on_finalized)


def on_initialized(pelican: Pelican) -> None:
    """Stop before the build where the set-up is wrong: in one line, not with a traceback."""
    settings = pelican.settings
    for name in _PELICAN_SITEMAP:
        if name in settings["PLUGINS"]:
            _stop(f"PLUGINS holds {name!r} too, which writes the same file: take it out")
    values = settings.get("SITEMAP", {})
    if not isinstance(values, dict):
        _stop(f"SITEMAP = {values!r} is not a dictionary: write SITEMAP = {{…}}")
    try:
        options = check_as(PelicanOptions, values, where="SITEMAP in the settings")
    except OptionsError as error:
        _stop(str(error))
    settings[_RUN] = Run.of(settings, options, around=_run(settings))


def on_get_generators(pelican: Pelican) -> None:
    """Begin a run: the first signal of each."""
    if run := _run(pelican.settings):
        run.begin()


def on_content_written(path: str, context: Mapping[str, Any]) -> None:
    """Note a page."""
    if run := _run(context):
        run.take(path, context)


def on_finalized(pelican: Pelican) -> None:
    """Write the sitemap: all pages and files, robots.txt among them, are there now."""
    if run := _run(pelican.settings):
        run.end()
        if run.main is None:
            _write(run, pelican)


def _run(settings: Mapping[str, Any]) -> Run | None:
    """Return our state; None for a site or a context that was made without us."""
    return settings.get(_RUN)


def _stop(text: str) -> NoReturn:
    log.critical("%s", text)
    sys.exit(1)


def _write(run: Run, pelican: Pelican) -> None:
    options, settings = run.options, pelican.settings
    report = generate(
        run.pages(),
        options=replace(
            options,
            base_url=options.base_url or settings["SITEURL"],
            default_language=options.default_language or settings["DEFAULT_LANG"],
            text=options.text or options.format == "txt",
        ),
        output_dir=Path(pelican.output_path),
        history=run.history,
    )
    for notice in report.notices:
        cure = ": set `SITEURL` in the settings" if notice.code == "no-base-url" else ""
        text = f"{notice.text}{cure} ({notice.code})"
        if notice.level == "warning":
            log.warning("%s", text)
        else:
            _print(text)
    _print(report.summary())
    for line in report.details():
        log.info("%s", line)


def _print(text: str) -> None:
    """Say a line in Pelican's normal output, where its loggers show only warnings."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)
