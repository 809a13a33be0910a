"""Pelican signals → Page records → core.generate."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pelican import signals
from pelican.log import console

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.lastmod import History
from sitemap_plugins.core.options import check_as
from sitemap_plugins.pelican_options import PelicanOptions
from sitemap_plugins.pelican_pages import Site, Written, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pelican import Pelican

    from sitemap_plugins.core.pages import Page

__all__ = ["register"]

log = logging.getLogger(__name__)

_STATE = "SITEMAP_PLUGINS_STATE"
"""Key of our state in a site's settings, which its contexts and its sub-sites' settings copy."""

_PELICAN_SITEMAP = ("pelican.plugins.sitemap", "sitemap")
"""The names of the plugin that ours replaces: as a package, and in a folder of plugins."""


@dataclass(slots=True, kw_only=True)
class _State:
    """What is kept of one Pelican object."""

    options: PelicanOptions
    site: Site
    main: _State | None = None
    """The main site's state, if this is a sub-site's."""

    running: bool = False
    written: dict[str, Written] = field(default_factory=dict)
    """By file, of each what stands in it at the end."""

    from_sub_sites: list[Page] = field(default_factory=list)
    failure: Exception | None = None
    """Why a sub-site's pages are not there."""

    history: History = field(default_factory=History)

    def pages(self) -> Iterator[Page]:
        """Yield the site's own pages, then those of its sub-sites."""
        yield from pages(self.written.values(), self.site, self.options)
        if self.failure is not None:
            raise self.failure
        yield from self.from_sub_sites


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
    main = _running_main(settings)
    if main and (site := main.site.sub_site(settings)):
        settings[_STATE] = _State(options=options, site=site, main=main)
    else:
        settings[_STATE] = _State(options=options, site=Site.main(settings))


def _stop(text: str) -> NoReturn:
    log.critical("%s", text)
    sys.exit(1)


def _running_main(settings: Mapping[str, Any]) -> _State | None:
    """Return the main site's state, where the settings are of a sub-site, a copy of its own.

    i18n_subsites makes the objects of the sub-sites one inside the other's run.
    """
    state = _state(settings)
    main = state.main or state if state else None
    return main if main and main.running else None


def on_get_generators(pelican: Pelican) -> None:
    """Forget the last run's pages: `pelican -r` runs the same object again."""
    if state := _state(pelican.settings):
        state.running, state.failure = True, None
        state.written.clear()
        state.from_sub_sites.clear()
        if state.main is None:
            state.site.paths.clear()


def on_content_written(path: str, context: Mapping[str, Any]) -> None:
    """Keep what says which page was written: Pelican has no list of them at the end."""
    state = _state(context)
    if state and not (path in state.written and state.written[path].overrides):
        state.written[path] = Written.of(path, context)


def on_finalized(pelican: Pelican) -> None:
    """Write the sitemap: all pages and files, robots.txt among them, are there now.

    Sub-sites end before the main site, and their locale ends with them: it is part of their URLs.
    """
    state = _state(pelican.settings)
    if state is None:
        return
    state.running = False
    if state.main is None:
        _write(state, pelican)
        return
    try:
        state.main.from_sub_sites += state.pages()
    except Exception as error:  # noqa: BLE001 told with the main site's sitemap
        state.main.failure = error


def _write(state: _State, pelican: Pelican) -> None:
    options, settings = state.options, pelican.settings
    report = generate(
        state.pages(),
        options=replace(
            options,
            base_url=options.base_url or settings["SITEURL"],
            default_language=options.default_language or settings["DEFAULT_LANG"],
            text=options.text or options.format == "txt",
        ),
        output_dir=Path(pelican.output_path),
        history=state.history,
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


def _state(settings: Mapping[str, Any]) -> _State | None:
    """Return our state; None for a site or a context that was made without us."""
    return settings.get(_STATE)
