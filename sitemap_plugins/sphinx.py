"""Sphinx events → Page records → core.generate."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ConfigError
from sphinx.util.logging import getLogger
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from sitemap_plugins import sphinx_languages, sphinx_options
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.options import unknown
from sitemap_plugins.sphinx_options import PREFIX, SPHINX_OPTIONS, SphinxOptions
from sitemap_plugins.sphinx_pages import Site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sitemap_plugins.core.notices import Notice

__all__ = ["setup"]

log = getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Declare the options and connect to the events that matter."""
    if "sphinx_sitemap" in {*app.config.extensions, *app.extensions}:
        msg = "sitemap_plugins.sphinx takes sphinx_sitemap's place: take that out of `extensions`"
        raise ConfigError(msg)
    for option in SPHINX_OPTIONS:
        # "": a change needs no page written again. Any: the types are checked with the values.
        app.add_config_value(f"{PREFIX}{option.name}", option.default, "", types=Any)
    app.add_config_value("site_url", "", "", types=Any)  # sphinx-sitemap's.
    app.connect("config-inited", on_config_inited)
    generated: dict[str, str] = {}
    app.connect("html-page-context", partial(on_html_page_context, generated))
    # Late: other extensions change what they wrote in their build-finished.
    app.connect("build-finished", partial(on_build_finished, generated), priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def on_config_inited(_app: Sphinx, config: Config) -> None:
    """Stop before the build where an option is wrong, and warn of a name that nobody declared."""
    _options(config)
    # What conf.py assigns without having been declared stands nowhere else (Sphinx 8 and 9).
    for name in sorted(getattr(config, "_raw_config", {})):
        if name.startswith(PREFIX) and name not in config:
            problem = unknown(name.removeprefix(PREFIX), SPHINX_OPTIONS, prefix=PREFIX)
            log.warning("conf.py: %s", problem, type="sitemap", subtype="unknown-option")


def on_html_page_context(
    generated: dict[str, str], app: Sphinx, name: str, template: str, *_context: object
) -> None:
    """Keep the pages without a document: every build writes them all, in this process."""
    if name not in app.env.found_docs:
        generated[name] = template


def on_build_finished(generated: dict[str, str], app: Sphinx, exception: Exception | None) -> None:
    """Write the sitemap of a build that succeeded.

    Not from the pages as they are written: parallel builds write them in other processes, and
    incremental builds only some of them.
    """
    builder = _site_builder(app)
    if exception is not None or builder is None:
        return
    options = _options(app.config)
    languages, notices = sphinx_languages.find(app, options)
    site = Site(app=app, builder=builder, options=options, languages=languages)
    report = generate(
        site.pages(generated),
        options=replace(options, base_url=languages.base_url, default_language=languages.default),
        output_dir=Path(app.outdir),
    )
    generated.clear()
    _say([*notices, *report.notices])
    log.info(report.summary())
    for line in report.details():
        log.verbose(line)


def _say(notices: Iterable[Notice]) -> None:
    for notice in notices:
        cure = ": set `html_baseurl` in conf.py" if notice.code == "no-base-url" else ""
        say = log.warning if notice.level == "warning" else log.info
        say("%s%s", notice.text, cure, type="sitemap", subtype=notice.code)


def _options(config: Config) -> SphinxOptions:
    try:
        return sphinx_options.read(config)
    except OptionsError as error:
        raise ConfigError(str(error)) from None


def _site_builder(app: Sphinx) -> StandaloneHTMLBuilder | None:
    """Return the builder if it writes a site, not an e-book, a help file or JSON."""
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder) or builder.embedded:
        return None
    return None if isinstance(builder, SerializingHTMLBuilder) else builder
