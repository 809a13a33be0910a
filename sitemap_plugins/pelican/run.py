"""The state of one Pelican object over its runs, in which others can have theirs.

i18n_subsites runs the sites of other languages, one inside the other, within the run of
the main site. Their pages go into the main site's sitemap.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pelican import log
from pelican.contents import Content, Static
from pelican.utils import SafeDatetime

from sitemap_plugins.core.date_values import DateOrDatetime, to_utc
from sitemap_plugins.core.environment import now
from sitemap_plugins.core.generate import find_page_dates, generate
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.messages import Notice, count_pages, quoted
from sitemap_plugins.core.records import Page, Site
from sitemap_plugins.core.report import Report
from sitemap_plugins.pelican import pages
from sitemap_plugins.pelican.options import PelicanOptions
from sitemap_plugins.pelican.other_html import read_other_html
from sitemap_plugins.pelican.pages import PelicanSite, Written

_DIRECTORY_URLS = "let each *_URL end in '/', and each *_SAVE_AS in '/index.html'"

_AUTORELOAD = re.compile(r"-\w*r\w*|--autor\w*")
"""The option `--autoreload`, which is in no setting, as it can be written."""


def print_line(text: str) -> None:
    """Print a line in Pelican's normal output, where its loggers show only warnings."""
    log.console.print(text, markup=False, highlight=False, soft_wrap=True)


def is_preview() -> bool:
    """Tell whether the site is built again after each change, for its author."""
    return "livereload" in sys.modules or any(map(_AUTORELOAD.fullmatch, sys.argv))


def show_date(content: Any, date: DateOrDatetime) -> None:  # noqa: ANN401 Pelican has no types
    """Let an article or page say when it changed, if nobody did and `Date` is older."""
    published = getattr(content, "date", None)
    is_later = not isinstance(published, datetime) or to_utc(date) > to_utc(published)
    if is_later and getattr(content, "modified", None) is None:
        content.modified = _in_zone(date, content.timezone)
        content.locale_modified = content.modified.strftime(content.date_format)


def _in_zone(date: DateOrDatetime, zone: Any) -> SafeDatetime:  # noqa: ANN401
    if isinstance(date, datetime):
        return SafeDatetime.fromtimestamp(int(date.timestamp()), zone)
    # The author's own day.
    return SafeDatetime(date.year, date.month, date.day, tzinfo=zone)


@dataclass(slots=True, kw_only=True)
class Run:
    """The runs of one site, or of one of its sub-sites."""

    options: PelicanOptions
    site: PelicanSite
    git_cache: GitCache
    main: Run | None = None
    """The main site's, if this is a sub-site's."""

    running: bool = False
    began: datetime = field(default_factory=now)
    written: dict[str, Written] = field(default_factory=dict)
    """The content of each file."""

    static_files: Sequence[Static] = ()
    """The files that Pelican copies: its generator's own list, complete at the end of a
    run."""

    from_sub_sites: list[Page] = field(default_factory=list)
    failure: Exception | None = None
    """Why the pages of a sub-site are missing."""

    report: Report | None = None
    """What the current run wrote; None before."""

    dates: dict[int, DateOrDatetime] = field(default_factory=dict)
    """The dates that contents show, by `id`; empty if they show none of ours."""

    @classmethod
    def of(
        cls, settings: Mapping[str, Any], options: PelicanOptions, *, around: Run | None
    ) -> Run:
        """Return the runs of a site, or of a sub-site made within another one's run.

        `around` are the runs that the settings already have, copied from another site;
        None for none.
        """
        main = around and (around.main or around)
        if main and main.running and (site := main.site.sub_site(settings)):
            return cls(options=options, site=site, main=main, git_cache=main.git_cache)
        return cls(
            options=options,
            site=PelicanSite.main(settings),
            git_cache=GitCache(print_line),
        )

    def begin(self) -> None:
        """Forget the last run: `pelican -r` runs the same object again."""
        self.running = True
        self.began = self.main.began if self.main else now()
        self.failure = None
        self.written.clear()
        self.static_files = ()
        self.from_sub_sites.clear()
        self.dates.clear()
        if self.main is None:
            self.site.paths.clear()

    def find_dates(self, contents: Iterable[Content]) -> None:
        """Find the dates that articles and pages are to show, if that is wanted."""
        if not self.options.page_dates:
            return
        described = [*pages.describe_contents(contents, self.site, self.options)]
        dates = find_page_dates(
            (page for _, page in described),
            project_dir=self.site.project_dir,
            began=self.began,
            options=self.options,
            git_cache=self.git_cache,
        )
        for content, page in described:
            if page.path in dates:
                self.dates[id(content)] = dates[page.path]

    def show_date(self, content: Content) -> None:
        """Give an article or page the date that was found for it."""
        if date := self.dates.get(id(content)):
            show_date(content, date)

    def take(self, file: str, context: Mapping[str, Any]) -> None:
        """Remember a page that was written: Pelican has no list of them at the end.

        Of several pages in one file, the last counts, unless its author named the file.
        """
        if file not in self.written or not self.written[file].overrides:
            self.written[file] = Written.of(file, context, self.site.output_dir)

    def end(self) -> None:
        """Hand a sub-site's pages to the main site, while their locale is set.

        An error is not raised here: `pages` of the main site raises it.
        """
        self.running = False
        if self.main is not None:
            try:
                self.main.from_sub_sites += map(self._judge_by_own_list, self.pages())
            except Exception as error:  # noqa: BLE001 a sitemap must never cost its site the build
                self.main.failure = error

    def write(self) -> Report:
        """Write the sitemap of the site and its sub-sites."""
        settings = self.site.settings
        site = Site(
            output_dir=Path(self.site.output_dir),
            project_dir=self.site.project_dir,
            base_url=settings["SITEURL"],
            base_url_setting="SITEURL",
            default_language=settings["DEFAULT_LANG"],
            began=self.began,
            directory_urls=_DIRECTORY_URLS,
            source_of=pages.find_source(self.static_files, self.site),
        )
        return generate(
            self.pages(),
            site=site,
            options=self.options,
            git_cache=self.git_cache,
        )

    def pages(self) -> Iterator[Page]:
        """Yield the site's own pages, those of its sub-sites, and other HTML."""
        known = set()
        for page in self._known_pages():
            if page.output_file is not None:
                known.add(page.output_file.as_posix())
            yield page
        if self.main is None:
            yield from read_other_html(known, self.site, self.began)

    def _known_pages(self) -> Iterator[Page]:
        yield from pages.read_pages(self.written.values(), self.site, self.options)
        yield from pages.read_static_pages(self.static_files, self.site)
        # Without a sub-site's pages, the sitemap would be wrong.
        if self.failure is not None:
            raise self.failure
        yield from self.from_sub_sites

    def about_places(self) -> Iterator[Notice]:
        """Yield a notice if pages are outside the main site's output folder."""
        listed = [page for page in self.from_sub_sites if page.exclude_reason is None]
        files = [page.output_file for page in listed if page.output_file]
        folder = self.site.output_dir
        away = [file for file in files if not file.is_relative_to(folder)]
        if away:
            problem = (
                f"sub-sites write {count_pages(len(away))} outside the output folder,"
                f" such as {quoted(str(away[0]))}, so their URLs have no file in it"
            )
            cure = "remove OUTPUT_PATH from I18N_SUBSITES, or copy the files there"
            yield Notice("missing", problem, cure)

    def _judge_by_own_list(self, page: Page) -> Page:
        """Leave out what the sub-site's own `exclude` matches, from its root.

        The core applies the main site's list, which its sub-sites inherit.
        """
        own = self.options.exclude
        inherited = (
            self.main is not None and own.items == self.main.options.exclude.items
        )
        path = page.path.removeprefix(self.site.folder)
        if page.exclude_reason is None and not inherited and own.match(path, page.name):
            return replace(page, exclude_reason="excluded")
        return page
