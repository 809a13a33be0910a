"""The state of one Pelican object over its runs, within which other objects can have theirs.

i18n_subsites runs the sites of other languages, one inside the other, within the run of the main
site. Their pages go into the main site's sitemap.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.environment import now
from sitemap_plugins.core.git.last_change import GitCache
from sitemap_plugins.core.page_dates import find_page_dates
from sitemap_plugins.pelican.page_dates import show_date
from sitemap_plugins.pelican.pages import (
    Written,
    describe_contents,
    read_pages,
    read_static_pages,
)
from sitemap_plugins.pelican.site import PelicanSite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from pelican.contents import Content, Static

    from sitemap_plugins.core.date_values import DateOrDatetime
    from sitemap_plugins.core.records import Page
    from sitemap_plugins.pelican.options import PelicanOptions

__all__ = ["Run"]


@dataclass(slots=True, kw_only=True)
class Run:
    """The runs of one site, or of one of its sub-sites."""

    options: PelicanOptions
    site: PelicanSite
    main: Run | None = None
    """The main site's, if this is a sub-site's."""

    running: bool = False
    began: datetime = field(default_factory=now)
    written: dict[str, Written] = field(default_factory=dict)
    """The content of each file."""

    static_files: Sequence[Static] = ()
    """The files that Pelican copies: its generator's own list, complete at the end of a run."""

    from_sub_sites: list[Page] = field(default_factory=list)
    failure: Exception | None = None
    """Why the pages of a sub-site are missing."""

    git_cache: GitCache = field(default_factory=GitCache)
    dates: dict[int, DateOrDatetime] = field(default_factory=dict)
    """The dates that contents show, by `id`; empty if they show none of ours."""

    @classmethod
    def of(cls, settings: Mapping[str, Any], options: PelicanOptions, *, around: Run | None) -> Run:
        """Return the runs of a site, or of a sub-site if it is made within another one's run."""
        main = around and (around.main or around)
        if main and main.running and (site := main.site.sub_site(settings)):
            return cls(options=options, site=site, main=main)
        return cls(options=options, site=PelicanSite.main(settings))

    def begin(self) -> None:
        """Forget the last run: `pelican -r` runs the same object again."""
        self.running, self.began, self.failure = True, now(), None
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
        described = [*describe_contents(contents, self.site, self.options)]
        dates = find_page_dates(
            (page for _, page in described),
            project_dir=Path(self.site.settings["PATH"]).parent,
            began=self.began,
            options=self.options,
            git_cache=(self.main or self).git_cache,
        )
        self.dates |= {id(each): dates[page.path] for each, page in described if page.path in dates}

    def show_date(self, content: Content) -> None:
        """Give an article or page the date that was found for it."""
        if date := self.dates.get(id(content)):
            show_date(content, date)

    def take(self, file: str, context: Mapping[str, Any]) -> None:
        """Remember a page that was written: Pelican has no list of them at the end."""
        if file not in self.written or not self.written[file].overrides:
            self.written[file] = Written.of(file, context, self.site.output_dir)

    def end(self) -> None:
        """Hand a sub-site's pages to the main site, while the locale that their URLs need is set.

        Raises nothing: `pages` of the main site raises it.
        """
        self.running = False
        if self.main is not None:
            try:
                self.main.from_sub_sites += map(self._judge_by_own_list, self.pages())
            except Exception as error:  # noqa: BLE001 a sitemap must never cost its site the build
                self.main.failure = error

    def pages(self) -> Iterator[Page]:
        """Yield the site's own pages, then those of its sub-sites."""
        yield from read_pages(self.written.values(), self.site, self.options)
        yield from read_static_pages(self.static_files, self.site)
        if self.failure is not None:
            raise self.failure
        yield from self.from_sub_sites

    def _judge_by_own_list(self, page: Page) -> Page:
        """Leave out what the sub-site's own `exclude` matches, seen from the sub-site's root.

        The core applies the main site's list, which its sub-sites inherit.
        """
        own = self.options.exclude
        inherited = self.main is not None and own.items == self.main.options.exclude.items
        path = page.path.removeprefix(self.site.folder)
        if page.exclude_reason is None and not inherited and own.match(path, page.name):
            return replace(page, exclude_reason="excluded")
        return page
