"""One run of MkDocs over a site: its build, and those within it that static-i18n makes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core.environment import now
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.notices import group_notices
from sitemap_plugins.core.records import Report, Site
from sitemap_plugins.mkdocs.includes import Includes
from sitemap_plugins.mkdocs.mike import about_versions, builds_a_version
from sitemap_plugins.mkdocs.pages import read_pages, read_sources
from sitemap_plugins.mkdocs.replaced import about_replaced
from sitemap_plugins.mkdocs.settling import Snapshot, keep_rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from sitemap_plugins.core.git.last_change import GitCache
    from sitemap_plugins.core.notices import Notice
    from sitemap_plugins.core.options import Options

__all__ = ["Run"]


class Run:
    """The builds of one site, and the sitemap that is written for them."""

    def __init__(self, options: Options, git_cache: GitCache, *, setting: str) -> None:
        """Start without builds; `setting` is `site_url` before other plugins change it."""
        self.includes = Includes(options.dependencies)
        self._options = options
        self._git_cache = git_cache
        self._began = now()
        self._setting = setting
        self._site_url = setting
        self._is_version = False
        self._builds: list[Files] = []
        self._written = 0
        self._finished = 0
        self._report = Report()
        self._snapshot = Snapshot.take((), ())

    def take_address(self, config: MkDocsConfig) -> None:
        """Take the site's address before the first build; builds within it have other ones."""
        if not self._builds:
            self._site_url = config.site_url or ""
            self._is_version = builds_a_version(config, self._setting)

    def take_pages(self, files: Files) -> None:
        """Take the pages of one more build."""
        self._builds.append(files)

    def write_first(self, config: MkDocsConfig) -> None:
        """Write the sitemap for other plugins to find, but only with the first and last language.

        With ten languages, the pages of the first would otherwise be read ten times.
        """
        i18n = config.plugins.get("i18n")
        languages = getattr(i18n, "build_languages", None) or [None]
        is_last = languages[-1] in {None, getattr(i18n, "current_language", None)}
        if len(self._builds) == 1 or is_last:
            self._write(config)

    def _write(self, config: MkDocsConfig) -> None:
        """Write the sitemap of all languages that are built, and remember what it depends on."""
        self._written = len(self._builds)
        output_dir, i18n = Path(config.site_dir), config.plugins.get("i18n")
        pages = list(read_pages(self._builds, self.includes, config))
        self._report = generate(
            pages,
            site=Site(
                output_dir=output_dir,
                project_dir=Path(config.config_file_path).absolute().parent,
                base_url=self._site_url,
                base_url_setting=f"site_url in {Path(config.config_file_path).name}",
                default_language=getattr(i18n, "default_language", None) or "",
                began=self._began,
                directory_urls="set use_directory_urls to true",
                source_of=read_sources(self._builds, config).get,
            ),
            # Otherwise the notice on robots.txt would name each version's own sitemap.
            options=replace(self._options, robots=False) if self._is_version else self._options,
            git_cache=self._git_cache,
        )
        robots = output_dir / "robots.txt"
        html = (page.output_file for page in pages if page.output_file is not None)
        sitemap = (file for file in self._report.files if file != robots)
        self._snapshot = Snapshot.take(sitemap, (robots, *html))

    def finish_build(self) -> bool:
        """Count a finished build; tell whether it was the last, the outermost one."""
        self._finished += 1
        return self._finished >= len(self._builds)

    def settle(self, config: MkDocsConfig) -> tuple[Report, Iterable[Notice]]:
        """Write again if the sitemap is outdated, unless others have changed the sitemap itself.

        Returns the last report, and the notices that only concern MkDocs.
        """
        about_changes: list[Notice] = []
        if self._written < len(self._builds):
            self._write(config)
        elif rewritten := self._snapshot.rewritten():
            about_changes = keep_rewritten(rewritten)
        elif self._snapshot.is_outdated():
            self._write(config)
        filename = self._options.filename
        notices = [*about_replaced(config, self._builds, filename), *self.includes.notices()]
        if self._is_version and self._options.robots and self._report.listed:
            notices += about_versions(config, self._setting, filename)
        return self._report, group_notices([*notices, *about_changes])
