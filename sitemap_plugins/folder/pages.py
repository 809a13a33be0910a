"""The built files of a folder → Page records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap_plugins.core.date_values import published_and_modified
from sitemap_plugins.core.front_matter import has_lastmod
from sitemap_plugins.core.languages import is_language
from sitemap_plugins.core.notices import unknown_include
from sitemap_plugins.core.pages.other_files import HTML_SUFFIXES, files_below
from sitemap_plugins.core.records import ERROR_PAGE, NO_METADATA, Page
from sitemap_plugins.core.url.forms import INDEX
from sitemap_plugins.folder.front_matter import read_front_matter
from sitemap_plugins.folder.includes import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.date_values import DateOrDatetime
    from sitemap_plugins.core.html_head import HeadMeta
    from sitemap_plugins.core.notices import Notice
    from sitemap_plugins.core.records import Alternate
    from sitemap_plugins.folder.includes import Included
    from sitemap_plugins.folder.sources import Built, Sources

__all__ = ["PageReader", "html_files"]

# What generators write for themselves, where a file of theirs proves that they built the site.
_GENERATED = {
    # Sphinx.
    "searchindex.js": re.compile(
        r"(?:genindex(?:-[^/]*)?|search|[^/]*-?modindex)(?:\.html|/index\.html)"
        r"|(?:_static|_modules|_sources)/.*"
    ),
    # MkDocs' own themes.
    "search/search_index.json": re.compile(r"search\.html"),
}
_IN_FOLDER = f"/{INDEX}"
_ERROR_PAGES = {ERROR_PAGE, ERROR_PAGE.removesuffix(".html")}
# Search engines' proofs of ownership are no pages.
_PROOF = re.compile(r"google[0-9a-f]{16}\.html|yandex_[0-9a-f]{16}\.html")


def html_files(site_dir: Path) -> list[str]:
    """Return the names of all HTML files, sorted; hidden folders and links to folders left out."""
    return sorted(name for name in files_below(site_dir) if name.endswith(HTML_SUFFIXES))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """What is known of the pages of one folder; all mappings are by the built file's name."""

    site_dir: Path

    paths: Mapping[str, str]
    """Percent-encoded, relative to the site's root."""

    project_root: Path
    """What the names of sources are relative to."""

    sources: Sources

    included: Mapping[str, Included]
    """What pages include; absent where that is nothing."""

    copied: frozenset[str]
    """Those that the generator only copied."""

    alternates: Mapping[str, tuple[Alternate, ...]]

    modified: Mapping[str, DateOrDatetime]
    """The dates of change that pages give themselves, if they can be trusted."""

    def pages(self, built: Sequence[Built]) -> Iterator[Page]:
        """Yield a page for each file, those too that generators write for themselves."""
        generated = [p for mark, p in _GENERATED.items() if (self.site_dir / mark).is_file()]
        for page in built:
            reason: Reason | None = None
            patterns = (*generated, _PROOF)
            if self._is_error_page(page.name) or any(p.fullmatch(page.name) for p in patterns):
                reason = "generated"
            elif page.name in self.copied:
                reason = "static"
            yield self._page(page.name, page.marks.head, reason)

    def _is_error_page(self, name: str) -> bool:
        """Tell whether a file is what a server shows for missing pages.

        It stands beside the home page of the site, of a language, or of a site in a folder, which
        has a sitemap; elsewhere it can be a page about errors.
        """
        folder, slash, file = name.removesuffix(_IN_FOLDER).rpartition("/")
        if file not in _ERROR_PAGES:
            return False
        home, sitemap = (f"{folder}{slash}{other}" for other in (INDEX, "sitemap.xml"))
        is_site = is_language(folder.rpartition("/")[2]) or (self.site_dir / sitemap).is_file()
        return not folder or (is_site and home in self.paths)

    def about_includes(self) -> Iterator[Notice]:
        """Yield a notice for each page with unknown files, unless its author gave it a date."""
        for name, included in self.included.items():
            metadata, _ = self._metadata(name)
            is_dated = has_lastmod(metadata) or published_and_modified(metadata.get("date"))[1]
            if included.unknown and not is_dated:
                yield unknown_include(included.unknown, self.sources.label(name))

    def _source(self, name: str) -> Path | None:
        source = self.sources.by_page.get(name)
        return self.project_root / source if source else None

    def _metadata(self, name: str) -> tuple[Mapping[str, object], str]:
        """Return the front matter of a page's source, and why it cannot be read."""
        file = self._source(name)
        return read_front_matter(file) if file else (NO_METADATA, "")

    def _page(self, name: str, head: HeadMeta | None, exclude_reason: Reason | None) -> Page:
        file = self._source(name)
        metadata, problem = self._metadata(name)
        published, modified = published_and_modified(metadata.get("date"))
        included = self.included.get(name, NOTHING)
        return Page(
            path=self.paths[name],
            name=self.sources.label(name),
            output_file=self.site_dir / name,
            head=head,
            # No date of a page is certain while one of its files is unknown.
            sources=(file, *included.files) if file and not included.unknown else (),
            # Git knows better than a page what its source is worth.
            modified=modified or (None if file else self.modified.get(name)),
            published=published,
            alternates=self.alternates.get(name, ()),
            metadata=metadata,
            metadata_problem=problem,
            exclude_reason=exclude_reason,
        )
