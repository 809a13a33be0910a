"""Sphinx events → Page records → core.generate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.builders.dirhtml import DirectoryHTMLBuilder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.errors import ConfigError
from sphinx.util.logging import getLogger
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.options import OPTIONS, Options, check, unknown
from sitemap_plugins.core.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.config import Config

__all__ = ["setup"]

PREFIX = "sitemap_"

log = getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Declare the options and connect to the two events that matter."""
    for option in OPTIONS:
        # "": a change needs no page written again. Any: the types are checked with the values.
        app.add_config_value(f"{PREFIX}{option.name}", option.default, "", types=Any)
    app.connect("config-inited", on_config_inited)
    # Late: other extensions change what they wrote in their build-finished.
    app.connect("build-finished", on_build_finished, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def on_config_inited(_app: Sphinx, config: Config) -> None:
    """Stop before the build where an option is wrong, and warn of a name that nobody declared."""
    _options(config)
    # What conf.py assigns without having been declared stands nowhere else (Sphinx 7 to 9).
    for name in sorted(getattr(config, "_raw_config", {})):
        if name.startswith(PREFIX) and name not in config:
            problem = unknown(name.removeprefix(PREFIX), prefix=PREFIX)
            log.warning("conf.py: %s", problem, type="sitemap", subtype="unknown-option")


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the sitemap of a build that succeeded.

    Not from the pages as they are written: parallel builds write them in other processes, and
    incremental builds only some of them.
    """
    builder = _site_builder(app)
    if exception is not None or builder is None:
        return
    options = _options(app.config)
    report = generate(
        _pages(app, builder),
        options=replace(options, base_url=options.base_url or app.config.html_baseurl or ""),
        output_dir=Path(app.outdir),
    )
    for notice in report.notices:
        cure = ": set `html_baseurl` in conf.py" if notice.code == "no-base-url" else ""
        say = log.warning if notice.level == "warning" else log.info
        say("%s%s", notice.text, cure, type="sitemap", subtype=notice.code)
    log.info(report.summary())
    for line in report.details():
        log.verbose(line)


def _options(config: Config) -> Options:
    values = {option.name: config[f"{PREFIX}{option.name}"] for option in OPTIONS}
    try:
        return check(values, where="conf.py", prefix=PREFIX)
    except OptionsError as error:
        raise ConfigError(str(error)) from None


def _site_builder(app: Sphinx) -> StandaloneHTMLBuilder | None:
    """Return the builder if it writes a site, not an e-book, a help file, JSON or one long page."""
    builder = app.builder
    other = (SerializingHTMLBuilder, SingleFileHTMLBuilder)
    if isinstance(builder, StandaloneHTMLBuilder) and not isinstance(builder, other):
        return None if builder.embedded else builder
    return None


def _pages(app: Sphinx, builder: StandaloneHTMLBuilder) -> Iterator[Page]:
    env = app.env
    for docname in sorted(env.found_docs):
        uri = builder.get_target_uri(docname)
        source = Path(env.doc2path(docname))
        included = (Path(app.srcdir, name) for name in env.dependencies.get(docname, ()))
        yield Page(
            # Sphinx' html builder quotes, its dirhtml builder does not (Sphinx 7 to 9).
            path=urls.percent_encode(uri) if isinstance(builder, DirectoryHTMLBuilder) else uri,
            name=docname,
            output_file=Path(builder.get_outfilename(docname)),
            sources=(source, *included),
            metadata=env.metadata.get(docname, {}),
        )
    for name in app.config.html_additional_pages:
        yield Page(path=urls.percent_encode(builder.get_target_uri(name)), name=name)
