"""MkDocs and ProperDocs events → Page records → core.generate.

ProperDocs aliases every `mkdocs.*` import to itself, so this one module serves both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from logging import DEBUG
from typing import Literal

from jinja2 import Environment
from mkdocs import __version__
from mkdocs.exceptions import ConfigurationError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.messages import Notice
from sitemap_plugins.core.options import PLUGIN_OPTIONS, PluginOptions
from sitemap_plugins.core.report import Report

try:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.plugins import (
        BasePlugin,
        CombinedEvent,
        event_priority,
        get_plugin_logger,
    )
except ImportError:
    # MkDocs is no dependency, as ProperDocs can take its place. It prints this error
    # in one line.
    raise ConfigurationError(
        f"the plugin 'sitemap' needs MkDocs 1.6 or later, and {__version__} is"
        " installed: pip install 'mkdocs>=1.6,<2'"
    ) from None

from sitemap_plugins.mkdocs.options import SitemapConfig
from sitemap_plugins.mkdocs.other_programs import (
    about_material,
    drop_template,
    lists_of_ignored_commits,
)
from sitemap_plugins.mkdocs.run import Run

# MkDocs' --strict counts warnings of loggers with such names: `mkdocs.plugins.sitemap`.
log = get_plugin_logger("sitemap")


class SitemapPlugin(BasePlugin[SitemapConfig]):
    """Replaces MkDocs' own sitemap with one that crawlers can trust."""

    def __init__(self) -> None:
        """Start without a run; `mkdocs serve` keeps git's answers across rebuilds."""
        self._git_cache = GitCache(log.info)
        self._serving = False
        self._run: Run | None = None

    def on_startup(
        self, *, command: Literal["build", "gh-deploy", "serve"], **_: object
    ) -> None:
        """Remember the command.

        MkDocs keeps a plugin over the rebuilds of `serve` only if it handles this
        event.
        """
        self._serving = command == "serve"

    @event_priority(200)
    def _start(self, config: MkDocsConfig) -> None:
        if self._run is None:
            given = {option.name: self.config[option.name] for option in PLUGIN_OPTIONS}
            options = PluginOptions(**given)
            if self._serving:
                # It has the server's address, and no crawler reads its sitemap or
                # robots.txt.
                options = replace(
                    options, base_url="", robots=False, fetch_history=False
                )
            if options.ignore_revs is True:  # Who names a list means that alone.
                lists = lists_of_ignored_commits(config)
                options = replace(options, ignore_revs=lists)
            self._run = Run(options, self._git_cache, setting=config.site_url or "")

    # Late: mike sets a version's address. But before static-i18n (-100) sets that of a
    # language.
    @event_priority(-50)
    def _take_address(self, config: MkDocsConfig) -> None:
        if self._run:
            self._run.take_address(config)

    on_config = CombinedEvent(_start, _take_address)
    """Start with the address as configured, then take the one that plugins have set."""

    # Late: every plugin that includes files is set up.
    @event_priority(-200)
    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Begin to watch what pages include."""
        if self._run:
            self._run.includes.watch(config)

    @event_priority(200)
    def on_pre_page(self, page: Page, /, *, config: MkDocsConfig, files: Files) -> Page:
        """Begin a page: files included from now on belong to it."""
        if self._run:
            self._run.includes.begin(page, config, files)
        return page

    @event_priority(-200)
    def on_page_content(
        self, html: str, /, *, page: Page, files: Files, **_: object
    ) -> str:
        """End the page, whose Markdown is rendered."""
        if self._run:
            self._run.includes.end(page, html, files)
        return html

    # Late: other plugins add and exclude files in their on_env.
    @event_priority(-200)
    def on_env(
        self, env: Environment, /, *, config: MkDocsConfig, files: Files
    ) -> Environment:
        """Take the pages; remove MkDocs' own sitemap from the templates to render."""
        drop_template(config, files)
        if self._run:
            self._run.take_pages(files, config)
        return env

    # Early: other plugins read and change the sitemap in this event, when MkDocs' own
    # exists.
    @event_priority(200)
    def _write(self, *, config: MkDocsConfig) -> None:
        if self._run:
            self._run.write_first(config)

    # Late: other plugins write pages in this event, redirects over ours among them, and
    # static-i18n (-100) builds each further language, a build within this one.
    @event_priority(-200)
    def _finish(self, *, config: MkDocsConfig) -> None:
        if self._run and self._run.finish_build():
            report, notices = self._run.settle(config)
            self._run = None
            self._say(config, report, notices)

    on_post_build = CombinedEvent(_write, _finish)
    """Write the sitemap, and again if it is outdated at the end."""

    def on_build_error(self, **_: object) -> None:
        """Forget the failed build: `mkdocs serve` goes on with the next one."""
        self._run = None

    def _say(
        self, config: MkDocsConfig, report: Report, notices: Iterable[Notice]
    ) -> None:
        every = list(report.above_summary())
        if not self._serving:  # The others are for builds that are published.
            every += notices
        for notice in every:
            say = log.warning if notice.level == "warning" else log.info
            say("%s (%s)", notice, notice.code)
        text = about_material(config, report)
        if text:
            log.info(text)
        for line in (report.summary(), *report.unexpected()):
            log.info(line)
        if not log.isEnabledFor(DEBUG):
            return
        # Subjects of commits are read for these lines only.
        for line in report.details():
            log.debug(line)
