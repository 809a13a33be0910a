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
from sitemap_plugins.mkdocs_material import limitation
from sitemap_plugins.mkdocs_pages import pages

if TYPE_CHECKING:
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
        self._serving = False
        self._site_url = ""
        self._builds: list[Files] = []
        self._finished = 0

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], **_: object) -> None:
        """Remember the command.

        MkDocs keeps a plugin over the rebuilds of `serve` only if it handles this event.
        """
        self._serving = command == "serve"

    # Late: mike sets a version's address. But before static-i18n (-100) sets that of a language.
    @event_priority(-50)
    def on_config(self, config: MkDocsConfig) -> None:
        """Take the site's address, or the server's, before the first language is built."""
        if not self._builds:
            self._site_url = config.site_url or ""

    # Late: other plugins add and exclude files in their on_env.
    @event_priority(-200)
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Take the pages, and MkDocs' own template from what it is about to write.

        Taken out in an earlier event, MkDocs 1.6 would copy the template to the site as a file. In
        a build within a build it has made a file of it already, which is taken out here too.
        """
        config.theme.static_templates.discard("sitemap.xml")
        template = files.src_uris.get("sitemap.xml")
        if template is not None and template.src_dir in config.theme.dirs:
            files.remove(template)
        self._builds.append(files)
        return env

    # Late: other plugins write pages in their on_post_build, redirects over ours among them, and
    # static-i18n (-100) builds each further language there, a build within this one.
    @event_priority(-200)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap of all languages; --strict counts the warnings that are said here."""
        self._finished += 1
        if self._finished < len(self._builds):
            return
        options = Options(**{option.name: self.config[option.name] for option in OPTIONS})
        i18n = config.plugins.get("i18n")
        # What is served has the server's address, whatever the option says.
        base_url = "" if self._serving else options.base_url
        language = options.default_language or getattr(i18n, "default_language", None) or ""
        report = generate(
            pages(self._builds),
            options=replace(
                options, base_url=base_url or self._site_url, default_language=language
            ),
            output_dir=Path(config.site_dir),
            history=self._history,
        )
        self._forget()
        for notice in report.notices:
            cure = ": set `site_url` in mkdocs.yml" if notice.code == "no-base-url" else ""
            say = log.warning if notice.level == "warning" else log.info
            say("%s%s (%s)", notice.text, cure, notice.code)
        if text := limitation(config, report):
            log.info(text)
        log.info(report.summary())
        for line in report.details():
            log.debug(line)

    def on_build_error(self, **_kwargs: object) -> None:
        """Forget the pages of a build that failed: `mkdocs serve` goes on with the next one."""
        self._forget()

    def _forget(self) -> None:
        self._builds.clear()
        self._finished = 0
