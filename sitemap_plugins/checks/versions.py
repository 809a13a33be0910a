"""Which pages of old versions can outrank those of the default version; such pages are mended.

One walk over all pages serves both: each page is judged, and mended if that is wanted. No file is
written here: the caller replaces those that are yielded.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemap_plugins.checks.findings import Collector, Finding, Result
from sitemap_plugins.core import urls
from sitemap_plugins.core.html.page import MAX_READ, read_bytes
from sitemap_plugins.core.html.tag import with_canonical, with_noindex
from sitemap_plugins.core.messages import count_pages, quoted
from sitemap_plugins.core.url_forms import any_form
from sitemap_plugins.sitemaps.trim import trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemap_plugins.folder.version_pages import DefaultPages, Kind, OldPage

__all__ = ["Row", "VersionsCheck"]

_LISTED: frozenset[Kind] = frozenset({"itself", "nothing", "unreadable"})
"""What the pages say that stay in the sitemaps of their versions."""


@dataclass(slots=True)
class Row:
    """One folder of an old version, in numbers of pages."""

    folder: str
    pages: int = 0

    kinds: Counter[Kind] = field(default_factory=Counter)
    """What the pages say, after what was mended."""

    gone: int = 0
    """Pages that the default version does not have."""

    unprotected: int = 0
    """Pages that can outrank those of the default version and could be mended."""

    mended: int = 0


class VersionsCheck:
    """The pages of all old versions, judged one after the other."""

    def __init__(self, default: DefaultPages, *, mends: bool, noindex: bool) -> None:
        """Prepare to judge.

        With `mends`, pages are mended where that is certain; with `noindex`, also those that the
        default version no longer has, so that search engines drop them.
        """
        self._default, self._mends, self._noindex = default, mends, noindex
        self._found = Collector()
        self.rows: list[Row] = []
        self.added_bytes = 0
        """By how many bytes all mended pages together become longer."""
        self.sitemaps = 0
        """How many files of sitemaps are mended."""
        self.keeps_sitemaps = default.reads_sitemap
        """Whether sitemaps stay as they are, because pages read them in the browser."""
        self._is_listed: dict[str, bool] = {}
        """Whether sitemaps list any page at a path, by `any_form` of the path."""

    def mended(self) -> Iterator[tuple[Path, bytes]]:
        """Judge every page, and yield the file and the new content of each that is mended.

        Then come the files of the old versions' own sitemaps, as `trimmed` yields them.
        """
        versions = self._default.versions
        for version in versions.all:
            for folder in version.folders:
                if folder == self._default.folder or (versions.folder / folder).is_symlink():
                    continue  # A link's target is a folder of its own here.
                row = Row(folder)
                for page in self._default.old_pages(version, folder):
                    row.pages += 1
                    row.gone += page.is_gone
                    yield from self._look(page, row)
                if row.pages:
                    self.rows.append(row)
                self._found.add(self._about_gone(row))
        for row in self.rows if self._mends and not self.keeps_sitemaps else ():
            if row.folder not in self._default.default.folders:
                files = [*trimmed(versions.folder / row.folder, self._is_elsewhere)]
                self.sitemaps += len(files)
                yield from files

    def result(self) -> Result:
        """Return what was found, once all pages are judged."""
        pages = sum(row.pages for row in self.rows)
        whole = Result(files=len(self.rows), urls=pages)
        return self._found.result(whole, source_of=lambda _: "")

    def _look(self, page: OldPage, row: Row) -> Iterator[tuple[Path, bytes]]:
        if page.is_unprotected or (page.is_gone and (self._noindex or page.is_dead)):
            file = self._default.versions.folder / page.file
            html = read_bytes(file)
            new = self._mend(page, html)
            if new is None:
                page = page._replace(kind="unreadable")
            elif self._mends:
                row.mended += 1
                self.added_bytes += len(new) - len(html)
                yield file, new
                gone: Kind = "noindex" if self._noindex else "itself"
                page = page._replace(kind="default" if page.target else gone, is_dead=False)
        self.keeps_sitemaps |= page.reads_sitemap
        path = any_form(urls.percent_encode(page.file))
        self._is_listed[path] = page.kind in _LISTED or self._is_listed.get(path, False)
        row.kinds[page.kind] += 1
        row.unprotected += page.is_unprotected
        self._found.add(_findings(page))

    def _is_elsewhere(self, url: str) -> bool:
        """Tell whether a listed page names another as canonical, or is not to be indexed."""
        path = urls.identity(url).removeprefix(urls.identity(self._default.base_url))
        return not self._is_listed.get(any_form(path), True)

    def _mend(self, page: OldPage, html: bytes) -> bytes | None:
        """Return a page's new content; None where the tag's place is not certain."""
        if len(html) >= MAX_READ:  # The rest of the file would be lost.
            return None
        if page.is_gone and self._noindex:
            return with_noindex(html)
        return with_canonical(html, page.target or page.url)

    def _about_gone(self, row: Row) -> Iterator[Finding]:
        if row.gone and not (self._mends and self._noindex):
            problem = f"the default version does not have {count_pages(row.gone)} of {row.folder}"
            cure = "leave them if they are useful; or use --gone noindex, or --map if they moved"
            yield Finding("old-version", problem, cure, file=row.folder, matters="info")


def _findings(page: OldPage) -> Iterator[Finding]:
    canonical, target = quoted(page.canonical), quoted(page.target)
    if page.kind == "unreadable":
        code = "html-unreadable"
        text = "where a canonical link belongs is not certain, or it cannot be read"
    elif page.is_dead:
        code, text = (
            "dead-canonical",
            f"it names {canonical} as its canonical URL, where no page is",
        )
    elif page.is_unprotected and page.canonical:
        named = "itself" if page.kind == "itself" else canonical
        code, text = "old-version", f"it names {named} as canonical, and not {target}"
    elif page.is_unprotected:
        code, text = "old-version", f"it has no canonical link to {target}"
    else:
        return
    yield Finding(code, text, url=page.url, file=page.file)
