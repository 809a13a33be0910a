"""One finished build → pages, address and options for the core; dates on its pages."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.locale import _
from sphinx.util.i18n import format_date as localize
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from sitemap_plugins.core.date_values import DateOrDatetime, format_date, to_utc
from sitemap_plugins.core.environment import CI, now
from sitemap_plugins.core.generate import find_page_dates, generate
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.html.kept_heads import KeptHeads
from sitemap_plugins.core.messages import Notice
from sitemap_plugins.core.publishing.publish import about_replaced
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.records import Site
from sitemap_plugins.core.report import Report
from sitemap_plugins.sphinx.blog import read_blog
from sitemap_plugins.sphinx.languages import (
    find_address,
    find_languages,
    find_output,
)
from sitemap_plugins.sphinx.options import read_options
from sitemap_plugins.sphinx.pages import PageReader, find_source

_CHANGED = "article:modified_time"
"""What a page's head calls its last change (https://ogp.me/#type_article)."""

RIVAL = "sphinx_last_updated_by_git"
"""The extension that gives themes the same values."""


def about_other_dates() -> Notice:
    """Return the notice that the other extension's dates are shown."""
    problem = (
        f"the pages show the dates of {RIVAL}, which can differ from the sitemap's"
    )
    cure = "remove that extension, or set sitemap_page_dates to False"
    return Notice("other-dates", problem, cure)


def show_date(
    context: dict[str, Any], date: DateOrDatetime | None, config: Config
) -> None:
    """Put a page's date, if it has one, into the context of its template.

    Some templates print the value whatever it is, so it is always a text.
    """
    context["last_updated"] = "" if date is None else _localized(date, config)
    tags = context.get("metatags")  # Only documents have them.
    if date is not None and tags is not None and _CHANGED not in tags:
        tag = f'<meta property="{_CHANGED}" content="{format_date(date)}" />'
        context["metatags"] = f"{tags}\n    {tag}"


def _localized(date: DateOrDatetime, config: Config) -> str:
    """Return a date as Sphinx would write the build's.

    The date is in local time, unless conf.py says UTC.
    """
    moment = to_utc(date)
    # Sphinx 8.0 has no such setting. A day is the author's, in whatever zone.
    wants_utc = getattr(config, "html_last_updated_use_utc", False)
    if isinstance(date, datetime) and not wants_utc:
        # Windows knows no local time before 1970, and no system one beyond the
        # calendar.
        with suppress(OSError, OverflowError):
            moment = moment.astimezone()
    pattern = config.html_last_updated_fmt or _("%b %d, %Y")
    return localize(pattern, date=moment, language=config.language)


@dataclass(slots=True, kw_only=True)
class State:
    """What the events of one application leave for later ones."""

    began: datetime
    """When the build began."""

    git_cache: GitCache

    modules: ModuleReader = field(default_factory=ModuleReader)

    generated: dict[str, str] = field(default_factory=dict)
    """The template of each page without a document: every build writes all of these, in
    this process."""

    report: Report | None = None
    """What was written in this build; None before."""

    dates: Mapping[str, DateOrDatetime] | None = None
    """The dates that pages show, by name; None if they show Sphinx's."""


def site_builder(app: Sphinx) -> StandaloneHTMLBuilder | None:
    """Return the builder if it writes a site, not an e-book, a help file or JSON."""
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder) or builder.embedded:
        return None
    return None if isinstance(builder, SerializingHTMLBuilder) else builder


def find_dates(
    app: Sphinx, builder: StandaloneHTMLBuilder, state: State
) -> Mapping[str, DateOrDatetime] | None:
    """Return the dates that documents and additional pages are to show, by name.

    The result is None if the option is not set, or another extension shows dates.
    """
    options, _ = read_options(app.config)
    if not options.page_dates or RIVAL in app.extensions:
        return None
    reader = PageReader(
        app=app,
        builder=builder,
        options=options,
        blog=read_blog(app),
        modules=state.modules,
    )
    additional = app.config.html_additional_pages
    pages = reader.pages(additional)
    dates = find_page_dates(
        pages,
        project_dir=Path(app.confdir),
        began=state.began,
        options=options,
        git_cache=state.git_cache,
    )
    shown = {}
    for name in (*app.env.found_docs, *additional):
        path = reader.path(name)
        if path in dates:
            shown[name] = dates[path]
    return shown


def write_sitemap(app: Sphinx, builder: StandaloneHTMLBuilder, state: State) -> Report:
    """Describe the build and its pages to the core."""
    options, levels = read_options(app.config)
    ci = CI.from_environ(os.environ)
    address = find_address(app.config, options, ci)
    output = find_output(Path(app.outdir), address, levels)
    if isinstance(output, Notice):
        return Report(notices=(output,), filename=options.filename)
    output_dir, base_url, folder = output
    notices = [*address.notices]
    languages, about_languages = find_languages(app, options, address, ci)
    notices += about_languages
    notices += about_replaced(output_dir / options.filename)

    heads = _kept_heads(app) if options.inspect_html else None
    reader = PageReader(
        app=app,
        builder=builder,
        options=options,
        languages=languages,
        blog=read_blog(app),
        folder=folder,
        heads=heads,
        modules=state.modules,
    )
    site = Site(
        output_dir=output_dir,
        project_dir=Path(app.confdir),
        base_url=base_url,
        base_url_setting=address.setting,
        default_language=languages.default,
        began=state.began,
        directory_urls="build with the builder dirhtml",
        source_of=find_source(app, folder),
    )
    # The default language's build names the line for robots.txt, once for all.
    is_announced = languages.are_announced_elsewhere and not levels
    # `site.base_url` already follows from the option `base_url`.
    robots = options.robots and not is_announced
    options = replace(options, base_url="", robots=robots)
    report = generate(
        reader.pages(state.generated),
        site=site,
        options=options,
        git_cache=state.git_cache,
    )
    notices += report.notices
    _keep(state, heads)
    if options.page_dates and RIVAL in app.extensions:
        notices.append(about_other_dates())
    return replace(report, notices=tuple(notices))


def _keep(state: State, heads: KeptHeads | None) -> None:
    """Keep what was read for the next build, which only takes longer without it."""
    with suppress(OSError):
        state.git_cache.parts.write()
        if heads is not None:
            heads.write()


def _kept_heads(app: Sphinx) -> KeptHeads:
    name = f"sitemap_heads_{app.builder.name}.json"
    return KeptHeads(Path(app.doctreedir, name), now())


def settle(app: Sphinx, state: State) -> Report | None:
    """Return what was written in this build.

    The sitemap is written again if other extensions wrote files to list.
    """
    report = state.report
    state.report = None
    builder = site_builder(app)
    if report and builder and report.is_outdated():
        report = write_sitemap(app, builder, state)
    state.generated.clear()
    return report
