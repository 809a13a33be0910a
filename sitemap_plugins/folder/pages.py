"""The built files of a folder → Page records."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap_plugins.core.front_matter import published_and_modified
from sitemap_plugins.core.page import ERROR_PAGE, NO_METADATA, Page
from sitemap_plugins.folder.front_matter import read_front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.dates import DateOrDatetime
    from sitemap_plugins.core.html_head import HeadMeta
    from sitemap_plugins.core.page import Alternate
    from sitemap_plugins.core.reasons import Reason
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
# Search engines' proofs of ownership are no pages.
_PROOF = re.compile(r"google[0-9a-f]{16}\.html|yandex_[0-9a-f]{16}\.html")


def html_files(site_dir: Path) -> list[str]:
    """Return the names of all HTML files, sorted; hidden folders and links to folders left out."""
    found, ahead = [], [""]
    while ahead:
        prefix = ahead.pop()
        with suppress(OSError), os.scandir(site_dir / prefix) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir():
                    ahead += [] if entry.is_symlink() else [f"{prefix}{entry.name}/"]
                elif entry.name.endswith((".html", ".htm")):
                    found.append(prefix + entry.name)
    return sorted(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """What is known of the pages of one folder; all mappings are by the built file's name."""

    site_dir: Path

    paths: Mapping[str, str]
    """Percent-encoded, relative to the site's root."""

    project_root: Path
    """What the names of sources are relative to."""

    sources: Sources

    copied: frozenset[str]
    """Those that the generator only copied."""

    alternates: Mapping[str, tuple[Alternate, ...]]

    modified: Mapping[str, DateOrDatetime]
    """The dates of change that pages give themselves, if they can be trusted."""

    published: Mapping[str, DateOrDatetime]

    def pages(self, built: Sequence[Built]) -> Iterator[Page]:
        """Yield a page for each file, those too that generators write for themselves."""
        generated = [p for mark, p in _GENERATED.items() if (self.site_dir / mark).is_file()]
        for page in built:
            reason: Reason | None = None
            patterns = (*generated, _PROOF)
            if page.name == ERROR_PAGE or any(p.fullmatch(page.name) for p in patterns):
                reason = "generated"
            elif page.name in self.copied:
                reason = "static"
            yield self._page(page.name, page.marks.head, reason)

    def _page(self, name: str, head: HeadMeta | None, exclude_reason: Reason | None) -> Page:
        source = self.sources.by_page.get(name)
        file = self.project_root / source if source else None
        metadata, problem = read_front_matter(file) if file else (NO_METADATA, "")
        published, modified = published_and_modified(metadata)
        return Page(
            path=self.paths[name],
            name=self.sources.label(name),
            output_file=self.site_dir / name,
            head=head,
            sources=(file,) if file else (),
            # Git knows better than a page what its source is worth.
            modified=modified or (None if file else self.modified.get(name)),
            published=published or self.published.get(name),
            alternates=self.alternates.get(name, ()),
            metadata=metadata,
            metadata_problem=problem,
            exclude_reason=exclude_reason,
        )
