"""MkDocs and ProperDocs events → Page records → core.generate.

ProperDocs aliases every `mkdocs.*` import to itself, so this one module serves both.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.base import BaseConfigOption, Config, ValidationError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.lastmod import History
from sitemap_plugins.core.options import OPTIONS, Option, Options
from sitemap_plugins.core.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

__all__ = ["SitemapConfig", "SitemapPlugin"]

# The name by which MkDocs' --strict counts what a plugin says: `mkdocs.plugins.sitemap`.
log = get_plugin_logger("sitemap")


class _Checked(BaseConfigOption[Any]):
    """One of our options as MkDocs declares options: it says what is wrong in its own voice."""

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.default = option.default
        self._check = option.check

    # Before validation proper, which would stop at the first wrong option (MkDocs 1.6).
    def pre_validation(self, config: Config, key_name: str) -> None:
        try:
            config[key_name] = self._check(config[key_name])
        except ValueError as error:
            raise ValidationError(str(error)) from None


def _declared(option: Option) -> _Checked:
    # MkDocs' own sitemap has a compressed twin, which Material's tools look for.
    return _Checked(replace(option, default=True) if option.name == "gzip" else option)


if TYPE_CHECKING:
    SitemapConfig = Config
else:
    SitemapConfig = type("SitemapConfig", (Config,), {o.name: _declared(o) for o in OPTIONS})


class SitemapPlugin(BasePlugin[SitemapConfig]):
    """Replaces MkDocs' own sitemap by one that crawlers can trust."""

    def __init__(self) -> None:
        """Start without a page; git's answers are kept over the rebuilds of `mkdocs serve`."""
        self._history = History()
        self._files: Files | None = None

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Do nothing: that there is this event keeps the plugin, and its history, over rebuilds."""

    # Late: other plugins add and exclude files in their on_env.
    @event_priority(-100)
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Take the pages, and MkDocs' own template from what it is about to write.

        Earlier, MkDocs would copy the template to the site as a file (MkDocs 1.6).
        """
        config.theme.static_templates.discard("sitemap.xml")
        self._files = files
        return env

    # Late: other plugins write pages in their on_post_build, and some replace ours by redirects.
    @event_priority(-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap; --strict counts the warnings that are said here."""
        options = Options(**{option.name: self.config[option.name] for option in OPTIONS})
        report = generate(
            _pages(self._files) if self._files is not None else (),
            options=replace(options, base_url=options.base_url or config.site_url or ""),
            output_dir=Path(config.site_dir),
            history=self._history,
        )
        for notice in report.notices:
            cure = ": set `site_url` in mkdocs.yml" if notice.code == "no-base-url" else ""
            say = log.warning if notice.level == "warning" else log.info
            say("%s%s (%s)", notice.text, cure, notice.code)
        log.info(report.summary())
        for line in report.details():
            log.debug(line)


def _pages(files: Files) -> Iterator[Page]:
    for file in files.documentation_pages(inclusion=lambda _: True):
        # Excluded files have no page; drafts have one in `mkdocs serve`, blog drafts always.
        if file.page is None:
            continue
        generated = file.generated_by is not None or file.abs_src_path is None
        yield Page(
            path="" if file.url in {".", "./"} else file.url,
            name=file.src_uri,
            output_file=Path(file.abs_dest_path),
            sources=() if generated else (Path(file.abs_src_path or ""),),
            metadata=file.page.meta,
            left_out=None if file.inclusion.is_included() else "draft",
        )
