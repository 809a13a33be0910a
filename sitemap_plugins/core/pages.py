"""What an adapter says about a page, and what the core says back about the site."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.core.dates import Moment
    from sitemap_plugins.core.notices import Notice

__all__ = ["ERROR_PAGE", "REASONS", "X_DEFAULT", "Alternate", "Page", "Report", "counted"]

ERROR_PAGE = "404.html"
"""The file at the site's root that servers show in place of a page that is not there."""

X_DEFAULT = "x-default"
"""The language of the version for readers whose language no other version has (Google)."""

REASONS: dict[str, str] = {
    "draft": "the host says that the page is a draft",
    "hidden": "the host says that the page is hidden",
    "generated": "the host made it: a search page, an index of terms, source code, an error page",
    "author": "the page's front matter says `sitemap: false`",
    "noindex": "the page says noindex, in its front matter or in its HTML",
    "redirect": "the page's HTML sends the reader to another address",
    "canonical": "the page's HTML names another URL as the canonical one",
    "excluded": "the option `exclude` matches",
    "robots": "robots.txt disallows the page for every crawler",
    "missing": "the page's file is not in the output folder, or it is empty",
    "bad-url": "the page's URL cannot stand in a sitemap",
    "duplicate": "another page has the same URL",
}
"""Why a page is left out: each stable word, with what it means. `Page.left_out` takes these too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternate:
    """The same page in another language."""

    language: str
    """As the host knows it (`pt_BR`, `sr@latin`); the core turns it into BCP 47. Or `x-default`."""

    path: str = ""
    """Percent-encoded, relative to the site root, as `Page.path`; where `url` is empty."""

    url: str = ""
    """Absolute and percent-encoded, for a version outside this build; empty for one inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page that the host wrote, as the host and the page's author describe it."""

    path: str
    """Percent-encoded, relative to the site root, ASCII, no leading slash; empty for the home."""

    name: str = ""
    """What to call the page in a message: the source's name as the author knows it."""

    output_file: Path | None = None
    """The HTML file in the output folder; None where the adapter cannot say: not checked then."""

    sources: tuple[Path, ...] = ()
    """Absolute files that the page is made of, the page's own first; need not exist."""

    modified: Moment | None = None
    """When the page's content last changed, as its author wrote it in the host's own field."""

    published: Moment | None = None
    """When its author says that it was published, which may be before its last change."""

    derived_from: tuple[str, ...] = ()
    """Paths of the pages whose content this one shows too: an archive, the front page of a blog."""

    alternates: tuple[Alternate, ...] = ()
    """The versions in other languages; its own may be among them."""

    changefreq: str | None = None
    """As the host's own option says; not checked yet, and the page's front matter comes before."""

    priority: float | None = None
    """As the host's own option says; not checked yet, and the page's front matter comes before."""

    metadata: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """The author's front matter, unchecked; the core reads its keys `sitemap` and `robots`."""

    left_out: str | None = None
    """The host's own reason not to list the page, a key of `REASONS`; None to list it."""

    @property
    def label(self) -> str:
        """What to call the page in a message; never empty."""
        return self.name or self.path or "the home page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was written and why not more."""

    files: tuple[Path, ...] = ()
    """Every file of the sitemap, in the order of writing; robots.txt last if it has our line."""

    listed: int = 0
    """Number of URLs in the sitemap, over all parts."""

    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Each reason with the names of the pages left out for it, in the order of the pages."""

    notices: tuple[Notice, ...] = ()
    """What the site's owner should know, in the order of the pipeline."""

    filename: str = "sitemap.xml"
    """The submitted file's name."""

    def summary(self) -> str:
        """Say the outcome in one line, for the host's normal output.

        >>> Report(listed=208, left_out={"noindex": ("a", "b"), "excluded": ("c",)}).summary()
        'sitemap.xml: 208 pages, 3 left out (2 noindex, 1 excluded)'
        """
        counts = [f"{len(names)} {reason}" for reason, names in self.left_out.items()]
        total = sum(map(len, self.left_out.values()))
        pages = counted(self.listed) if self.listed else "not written"
        return f"{self.filename}: {pages}" + (
            f", {total} left out ({', '.join(counts)})" if total else ""
        )

    def details(self) -> Iterator[str]:
        """Say each page left out and why, a line each, for the host's verbose output."""
        for reason, names in self.left_out.items():
            meaning = REASONS.get(reason, reason)
            yield from (f"{name}: left out ({reason}: {meaning})" for name in names)


def counted(pages: int) -> str:
    """Return a number of pages in words."""
    return "1 page" if pages == 1 else f"{pages} pages"
