"""One run of MkDocs over a site: its build, and those within it that static-i18n makes.

MkDocs' own sitemap exists before `on_post_build`, in which hooks read and rewrite it,
and in which other plugins write pages. So the sitemap is written at the beginning of
this event, and at its end a snapshot of the output folder shows what has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from sitemap_plugins.core.environment import now
from sitemap_plugins.core.generate import find_page_dates, generate
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.messages import Notice, OutputError, group_notices
from sitemap_plugins.core.options import PluginOptions
from sitemap_plugins.core.publishing import plan, publish
from sitemap_plugins.core.records import Site
from sitemap_plugins.core.report import Report
from sitemap_plugins.mkdocs import pages
from sitemap_plugins.mkdocs.includes import Includes
from sitemap_plugins.mkdocs.other_programs import (
    about_unused,
    about_versions,
    builds_a_version,
)


class Run:
    """The builds of one site, and the sitemap that is written for them."""

    def __init__(
        self, options: PluginOptions, git_cache: GitCache, *, setting: str
    ) -> None:
        """Start without builds; `setting` is `site_url` before plugins change it."""
        self.includes = Includes(options)
        self._options = options
        self._git_cache = git_cache
        self._began = now()
        self._setting = setting
        self._site_url = setting
        self._is_version = False
        self._builds: list[Files] = []
        # How many builds there were when the sitemap was written, and have finished.
        self._written = 0
        self._finished = 0
        self._report = Report()
        self._states: dict[Path, tuple[int, int] | None] = {}
        """The states of the files that the sitemap depends on, when it was written."""

    def take_address(self, config: MkDocsConfig) -> None:
        """Take the site's address before the first build.

        Builds within the first build have other addresses.
        """
        if not self._builds:
            self._site_url = config.site_url or ""
            self._is_version = builds_a_version(config, self._setting)

    def take_pages(self, files: Files, config: MkDocsConfig) -> None:
        """Take the pages of one more build; give the theme their dates if wanted."""
        self._builds.append(files)
        self.includes.settle()
        if not self._options.page_dates or pages.shows_other_dates(config):
            return
        dates = find_page_dates(
            pages.read_pages([files], self.includes, config),
            project_dir=_project_dir(config),
            began=self._began,
            options=self._options,
            git_cache=self._git_cache,
        )
        pages.show_dates(files, dates, config)

    def write_first(self, config: MkDocsConfig) -> None:
        """Write the sitemap for other plugins to find.

        The sitemap is written only with the first and the last language. Otherwise, on
        a site with ten languages, the pages of the first would be read ten times.
        """
        i18n = config.plugins.get("i18n")
        languages = getattr(i18n, "build_languages", None) or [None]
        is_last = languages[-1] in {None, getattr(i18n, "current_language", None)}
        if len(self._builds) == 1 or is_last:
            self._write(config)

    def _write(self, config: MkDocsConfig) -> None:
        """Write the sitemap of all languages that are built.

        Remember what it depends on.
        """
        self._written = len(self._builds)
        output_dir = Path(config.site_dir)
        i18n = config.plugins.get("i18n")
        options = self._options
        if self._is_version:
            # The notice on robots.txt would name each version's own sitemap.
            options = replace(options, robots=False)
        described = pages.read_pages(self._builds, self.includes, config)
        site = Site(
            output_dir=output_dir,
            project_dir=_project_dir(config),
            base_url=self._site_url,
            base_url_setting=f"site_url in {Path(config.config_file_path).name}",
            default_language=getattr(i18n, "default_language", None) or "",
            began=self._began,
            directory_urls="set use_directory_urls to true",
            source_of=pages.find_source(self._builds, config),
        )
        self._report = generate(
            described, site=site, options=options, git_cache=self._git_cache
        )
        files = [output_dir / "robots.txt"]
        files += [page.output_file for page in described if page.output_file]
        self._states = {file: _state(file) for file in files}

    def finish_build(self) -> bool:
        """Count a finished build; tell whether it was the last, the outermost one."""
        self._finished += 1
        return self._finished >= len(self._builds)

    def settle(self, config: MkDocsConfig) -> tuple[Report, Iterable[Notice]]:
        """Write again if the sitemap is outdated, unless others have changed it.

        A sitemap that lacks the pages of a build is written again in any case.
        Returns the last report, and the notices that only concern MkDocs.
        """
        is_complete = self._written == len(self._builds)
        rewritten = self._report.changed()
        if not is_complete or (not rewritten and self._is_outdated()):
            self._write(config)
        filename = self._options.filename
        notices = [*about_unused(config, self._builds, filename)]
        other = pages.shows_other_dates(config)
        if self._options.page_dates and other:
            notices.append(pages.about_other_dates(other))
        if self._is_version and self._options.robots and self._report.listed:
            notices += about_versions(config, self._setting, filename)
        if is_complete:
            notices += _keep_rewritten(rewritten)
        return self._report, group_notices(notices)

    def _is_outdated(self) -> bool:
        if any(_state(file) != old for file, old in self._states.items()):
            return True
        if self._report.is_outdated():
            return True
        # Other plugins may have written the HTML that a pattern is for.
        codes = {notice.code for notice in self._report.notices}
        return bool(self._options.exclude) and "unused-pattern" in codes


def _project_dir(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).absolute().parent


def _keep_rewritten(files: list[Path]) -> list[Notice]:
    """Return a notice for each file that others rewrote; update its compressed twin."""
    notices = []
    for file in files:
        what = "changed" if file.exists() else "removed"
        problem = (
            f"a hook or another plugin {what} it in on_post_build after it was written,"
            " and the change is kept"
        )
        cure = "use an option or the front matter instead if you can"
        notices.append(Notice("sitemap-changed", problem, cure, file.name))
        twin = file.with_name(f"{file.name}.gz")
        if what == "changed" and twin.exists() and twin not in files:
            same = plan.File(name=file.name, chunks=[file.read_bytes()], gzip=True)
            try:
                publish.write_files([same], output_dir=file.parent)
            except OutputError as error:
                notices.append(Notice.of(error, "write-failed"))
    return notices


def _state(file: Path) -> tuple[int, int] | None:
    """Return a file's time and size; None if it does not exist."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
