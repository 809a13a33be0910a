"""Pelican signals → Page records → core.generate."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pelican import signals
from pelican.log import console

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.lastmod import History
from sitemap_plugins.core.options import Options, check
from sitemap_plugins.core.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pelican import Pelican

__all__ = ["register"]

log = logging.getLogger(__name__)

_STATE = "SITEMAP_PLUGINS_STATE"
"""Key of our state in a site's settings: the one place that the site, its contexts and its
sub-sites' sites each have for themselves."""

_PAGE_SUFFIXES = {"", ".html", ".htm", ".xhtml"}


@dataclass(slots=True)
class _State:
    """What is kept of one Pelican object."""

    options: Options
    written: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    history: History = field(default_factory=History)


def register() -> None:
    """Connect to Pelican's signals; a second call, for a sub-site, changes nothing."""
    signals.initialized.connect(on_initialized)
    signals.get_generators.connect(on_get_generators)
    signals.content_written.connect(on_content_written)
    signals.finalized.connect(on_finalized)


def on_initialized(pelican: Pelican) -> None:
    """Stop before the build where an option is wrong: in one line, not with a traceback."""
    values = pelican.settings.get("SITEMAP", {})
    if not isinstance(values, dict):
        log.critical("SITEMAP = %r is not a dictionary: write SITEMAP = {…}", values)
        sys.exit(1)
    try:
        options = check(values, where="SITEMAP in the settings")
    except OptionsError as error:
        log.critical("%s", error)
        sys.exit(1)
    pelican.settings[_STATE] = _State(options)


def on_get_generators(pelican: Pelican) -> None:
    """Forget the last run's pages: `pelican -r` runs the same object again."""
    pelican.settings[_STATE].written.clear()


def on_content_written(path: str, context: Mapping[str, Any]) -> None:
    """Keep what says which page was written: Pelican has no list of them at the end."""
    kept = ("article", "page", "output_file", "articles_page", "category", "tag", "author")
    context[_STATE].written.append((path, {key: context.get(key) for key in kept}))


def on_finalized(pelican: Pelican) -> None:
    """Write the sitemap: all pages and files, robots.txt among them, are there now."""
    state: _State = pelican.settings[_STATE]
    site_url = pelican.settings["SITEURL"]
    report = generate(
        (page for path, context in state.written for page in _pages(Path(path), context)),
        options=replace(state.options, base_url=state.options.base_url or site_url),
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


def _pages(file: Path, context: Mapping[str, Any]) -> Iterator[Page]:
    """Yield the page that was written, if it is one for readers."""
    if PurePosixPath(context["output_file"]).suffix not in _PAGE_SUFFIXES:
        return
    content = context["article"] or context["page"]
    if content is None:
        yield _listing(file, context)
        return
    yield Page(
        path=urls.percent_encode(content.url),
        name=content.relative_source_path or context["output_file"],
        output_file=file,
        sources=(Path(content.source_path),),
        modified=content.modified if "modified" in content.metadata else None,
        metadata=content.metadata,
        left_out=None if content.status == "published" else content.status,
    )


def _listing(file: Path, context: Mapping[str, Any]) -> Page:
    """Return a page that lists articles, or one made from a template alone."""
    shown = context["articles_page"]
    url = context["output_file"]
    if PurePosixPath(url).name == "index.html":
        url = url.removesuffix("index.html")
    return Page(
        path=urls.percent_encode(url),
        name=context["output_file"],
        output_file=file,
        derived_from=tuple(urls.percent_encode(a.url) for a in shown.object_list) if shown else (),
    )
