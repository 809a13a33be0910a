"""What is kept of one Pelican object over its runs, which may have other objects' runs inside.

i18n_subsites runs the sites of other languages, one inside the other, within the run of the main
site. Their pages go into the main site's sitemap.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.lastmod import History
from sitemap_plugins.pelican_pages import Site, Written, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemap_plugins.core.pages import Page
    from sitemap_plugins.pelican_options import PelicanOptions

__all__ = ["Run"]


@dataclass(slots=True, kw_only=True)
class Run:
    """The runs of one site, or of one of its sub-sites."""

    options: PelicanOptions
    site: Site
    main: Run | None = None
    """The main site's, if this is a sub-site's."""

    running: bool = False
    written: dict[str, Written] = field(default_factory=dict)
    """By file, what stands in it."""

    from_sub_sites: list[Page] = field(default_factory=list)
    failure: Exception | None = None
    """Why a sub-site's pages are not there."""

    history: History = field(default_factory=History)

    @classmethod
    def of(cls, settings: Mapping[str, Any], options: PelicanOptions, *, around: Run | None) -> Run:
        """Return the runs of a site, or of a sub-site where it is made within another one's run."""
        main = around and (around.main or around)
        if main and main.running and (site := main.site.sub_site(settings)):
            return cls(options=options, site=site, main=main)
        return cls(options=options, site=Site.main(settings))

    def begin(self) -> None:
        """Forget the last run: `pelican -r` runs the same object again."""
        self.running, self.failure = True, None
        self.written.clear()
        self.from_sub_sites.clear()
        if self.main is None:
            self.site.paths.clear()

    def take(self, file: str, context: Mapping[str, Any]) -> None:
        """Keep which page was written: Pelican has no list of them at the end."""
        if file not in self.written or not self.written[file].overrides:
            self.written[file] = Written.of(file, context)

    def end(self) -> None:
        """Hand a sub-site's pages to the main site, while the locale is set that is in their URLs.

        Nothing is raised: the main site's sitemap tells it.
        """
        self.running = False
        if self.main is not None:
            try:
                self.main.from_sub_sites += self.pages()
            except Exception as error:  # noqa: BLE001 a sitemap must never cost its site the build
                self.main.failure = error

    def pages(self) -> Iterator[Page]:
        """Yield the site's own pages, then those of its sub-sites."""
        yield from pages(self.written.values(), self.site, self.options)
        if self.failure is not None:
            raise self.failure
        yield from self.from_sub_sites
