"""One finished build → its pages, address and options for the core."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.files.existing import about_replaced
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.records import Report, Site
from sitemap_plugins.sphinx.addresses import find_address, find_place
from sitemap_plugins.sphinx.languages import find_languages
from sitemap_plugins.sphinx.options import read_options
from sitemap_plugins.sphinx.pages import PageReader

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sphinx.application import Sphinx

__all__ = ["site_builder", "write_sitemap"]


def site_builder(app: Sphinx) -> StandaloneHTMLBuilder | None:
    """Return the builder if it writes a site, not an e-book, a help file or JSON."""
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder) or builder.embedded:
        return None
    return None if isinstance(builder, SerializingHTMLBuilder) else builder


def write_sitemap(
    app: Sphinx, builder: StandaloneHTMLBuilder, generated: Mapping[str, str], began: datetime
) -> Report:
    """Describe the build and its pages to the core; `generated` has pages with their templates."""
    options, levels = read_options(app.config)
    if getattr(app.config, "smv_current_version", ""):
        # sphinx-multiversion builds from exported commits: each file's time is its commit's.
        options = replace(options, lastmod=tuple(o for o in options.lastmod if o != "mtime"))
    ci = CI.from_environ(os.environ)
    address = find_address(app.config, options, ci)
    place = find_place(Path(app.outdir), address, levels)
    if isinstance(place, Notice):
        return Report(notices=(place,), filename=options.filename)
    output_dir, base_url, folder = place
    replaced = (*about_replaced(output_dir / options.filename),)
    languages, about_languages = find_languages(app, options, address, ci)
    reader = PageReader(
        app=app, builder=builder, options=options, languages=languages, folder=folder
    )
    report = generate(
        reader.pages(generated),
        site=Site(
            output_dir=output_dir,
            project_dir=Path(app.confdir),
            base_url=base_url,
            base_url_setting=address.setting,
            default_language=languages.default,
            began=began,
            directory_urls="build with the builder dirhtml",
            source_of=reader.source_of,
        ),
        options=replace(
            options,
            base_url="",  # The site's base URL already follows from it.
            # The default language's build names the line for robots.txt, once for all.
            robots=options.robots and (bool(levels) or not languages.are_announced_elsewhere),
        ),
    )
    notices = (*address.notices, *about_languages, *replaced, *report.notices)
    return replace(report, notices=notices)
