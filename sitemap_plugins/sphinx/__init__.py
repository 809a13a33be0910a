"""Sphinx events → Page records → core.generate."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from posixpath import join
from sys import maxsize
from typing import Any, NoReturn

from sphinx import version_info
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.logging import getLogger, is_suppressed_warning

from sitemap_plugins.core.environment import now
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.messages import Notice, OptionsError, printable, quoted
from sitemap_plugins.core.options import unknown_option
from sitemap_plugins.sphinx import build, modules
from sitemap_plugins.sphinx.build import State, site_builder
from sitemap_plugins.sphinx.options import (
    PREFIX,
    SPHINX_OPTIONS,
    read_options,
    take_over,
    too_old,
    unsupported,
)

log = getLogger(__name__)

PRIORITY = 500
"""The priority of our handler of `build-finished`: Sphinx's default, as sphinx-sitemap
has.

Handlers in conf.py, which are connected after those of all extensions, find the sitemap
and can change it.
"""


def setup(app: Sphinx) -> dict[str, Any]:
    """Declare the options and connect to the events."""
    if problem := unsupported(version_info[:2]):
        _stop(problem)
    if "sphinx_sitemap" in app.config.extensions:
        _stop(
            "sitemap_plugins.sphinx replaces sphinx_sitemap: remove that from"
            " `extensions`"
        )
    _inform("replaced-extension", take_over(app), app.config)
    _inform("old-sphinx", too_old(version_info[:2]), app.config)
    _declare_options(app)
    app.connect("config-inited", on_config_inited)
    parts = Path(app.doctreedir, "sitemap_parts.json")
    state = State(began=now(), git_cache=GitCache(log.info, parts))
    modules.watch(app, state.modules)
    app.connect("write-started", partial(on_write_started, state))
    app.connect("html-page-context", partial(on_html_page_context, state))
    app.connect("build-finished", partial(on_build_finished, state), priority=PRIORITY)
    app.connect("build-finished", partial(on_end, state), priority=maxsize)
    return {
        "version": version("sitemap-plugins"),
        "env_version": modules.VERSION,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _declare_options(app: Sphinx) -> None:
    """Let conf.py have our options, whose types our own checks check."""
    for option in SPHINX_OPTIONS:
        types: Any = Any
        if isinstance(option.default, bool):
            # With `bool` alone, Sphinx's command line takes no text.
            types = (bool, str, type(None))
        # "": a change needs no page written again.
        rebuild: Any = "html" if option.name == "page_dates" else ""
        _declare(app, f"{PREFIX}{option.name}", option.default, rebuild, types)
    _declare(app, "site_url", "", "", Any)  # sphinx-sitemap's.


def _declare(app: Sphinx, name: str, default: object, rebuild: Any, types: Any) -> None:  # noqa: ANN401
    """Declare an option, whose value in conf.py stays what it is.

    sphinx-sitemap, its forks and others declare some of our names with other defaults.
    """
    app.config.values.pop(name, None)
    app.add_config_value(name, default, rebuild, types=types)


def on_config_inited(_app: Sphinx, config: Config) -> None:
    """Stop before the build if an option is wrong, and warn of undeclared names."""
    try:
        read_options(config)
    except OptionsError as error:
        _stop(str(error))
    # Sphinx would fail later and not name it.
    if not isinstance(config.html_baseurl, str):
        value = quoted(config.html_baseurl)
        _stop(f"conf.py: html_baseurl = {value} is not a string: put it in quotes")
    # Sphinx keeps undeclared names of conf.py nowhere else (8 and 9).
    for name in sorted(getattr(config, "_raw_config", {})):
        if name.startswith(PREFIX) and name not in config:
            problem = unknown_option(
                name.removeprefix(PREFIX), SPHINX_OPTIONS, prefix=PREFIX
            )
            log.warning(
                "conf.py: %s", problem, type="sitemap", subtype="unknown-option"
            )


def on_write_started(state: State, app: Sphinx, _builder: object) -> None:
    """Find the dates that pages show.

    Before parallel builds write the pages in other processes.
    """
    if builder := site_builder(app):
        state.dates = build.find_dates(app, builder, state)


def on_html_page_context(
    state: State,
    app: Sphinx,
    name: str,
    template: str,
    context: dict[str, Any],
    _doctree: object,
) -> None:
    """Give a page its date, and keep those without a document.

    Every build writes all of these.
    """
    if name not in app.env.found_docs:
        state.generated[name] = template
    # Of dirhtml, Sphinx names name.html.
    if version_info < (8, 1) and context.get("pageurl"):
        path = app.builder.get_target_uri(name)
        context["pageurl"] = join(app.config.html_baseurl, path)
    if state.dates is not None:
        build.show_date(context, state.dates.get(name), app.config)


def on_build_finished(state: State, app: Sphinx, exception: Exception | None) -> None:
    """Write the sitemap of a build that succeeded.

    The pages are described now, not as they are written: parallel builds write them in
    other processes, and incremental builds write only some of them.
    """
    builder = site_builder(app)
    if exception is not None or builder is None:
        return
    state.report = build.write_sitemap(app, builder, state)


def on_end(state: State, app: Sphinx, _exception: Exception | None) -> None:
    """Write again if other extensions wrote files to list, and say what was written."""
    if (report := build.settle(app, state)) is None:
        return
    _say(report.above_summary(), app)
    for line in (report.summary(), *report.unexpected()):
        log.info(line)
    if app.verbosity > 0:
        # Subjects of commits are read for these lines only.
        for line in report.details():
            log.verbose("%s", line)


def _say(notices: Iterable[Notice], app: Sphinx) -> None:
    for notice in notices:
        if notice.level == "warning":
            # Sphinx prints the document's file first, and adds the code if it is
            # configured to.
            docname = app.env.path2doc(notice.place)
            location = docname if docname in app.env.found_docs else None
            text = notice.text if location else str(notice)
            log.warning(
                "%s", text, type="sitemap", subtype=notice.code, location=location
            )
        else:
            _inform(notice.code, str(notice), app.config)


def _inform(code: str, text: str, config: Config) -> None:
    """Print a line, if any, unless the user suppresses its code; it is no warning."""
    if text and not is_suppressed_warning("sitemap", code, config.suppress_warnings):
        log.info("%s (sitemap.%s)", text, code)


def _stop(problem: str) -> NoReturn:
    """End the build with one line.

    Sphinx shows any error with versions, a traceback and where to report it (8.2 to
    9.2).
    """
    log.error("%s", printable(problem))
    raise SystemExit(2)
