"""What a built page says of where it stands, where it came from, and when it changed.

The themes and generators that are known here, and how each marks a page (`docs/folder.md`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from sitemap_plugins.core import html_head
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.html.page import HtmlPage, read_bytes
from sitemap_plugins.folder import mystmd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sitemap_plugins.core.html_head import HeadMeta

__all__ = ["Marks", "read_marks"]

# Each selector with what a page holds, in small letters, where it matches something that a theme
# wrote: most pages hold none of it, and bytes are found in a third of the time of parsing them.
# `rel=edit` first: it says what it is; then the classes that themes give to nothing else.
_EDIT_LINKS = {
    # Material for MkDocs, Zensical, furo and the themes made of it.
    "a[rel~=edit]": (b'rel="edit', b"rel='edit", b"rel=edit", b' edit"', b" edit'", b" edit no"),
    # pydata-sphinx-theme, sphinx-book-theme.
    ".editthispage a": (b"editthispage",),
    # Docusaurus.
    "a.theme-edit-this-page": (b"theme-edit-this-page",),
    # VitePress.
    "a.edit-link-button": (b"edit-link-button",),
    # Antora.
    ".edit-this-page a": (b"edit-this-page",),
    # Quarto.
    ".toc-actions a, .toc-action": (b"toc-action",),
    # mdBook.
    'a[title="Suggest an edit"]': (b"suggest an edit",),
    # mystmd.
    'a[title="Edit This Page"]': (b"edit this page",),
    # pdoc.
    "a.git-button": (b"git-button",),
    # sphinx_rtd_theme, MkDocs' readthedocs.
    ".wy-breadcrumbs-aside a": (b"wy-breadcrumbs-aside",),
}
_SPHINX_SOURCES = 'a[href*="_sources/"]'
_SPHINX_WORDS = (b"_sources/",)
_LINKED_DATA = 'script[type="application/ld+json"]'
_MODIFIED = (
    # Nuxt's order: what names the change, before what may be the publication.
    ('meta[property="article:modified_time"]', "content"),
    ('meta[property="og:updated_time"]', "content"),
    ('meta[name="dcterms.modified" i]', "content"),
    ('meta[itemprop="dateModified"]', "content"),
    ('time[itemprop="dateModified"]', "datetime"),
)
_PUBLISHED = (
    ('meta[property="article:published_time"]', "content"),
    ('meta[itemprop="datePublished"]', "content"),
    ('time[itemprop="datePublished"]', "datetime"),
)
_DATE_WORDS = (
    *(b"article:modified_time", b"og:updated_time", b"dcterms.modified", b"datemodified"),
    *(b"article:published_time", b"datepublished"),
)
_MOST_LINKED_DATA = 1024 * 1024
"""Characters of a text of JSON-LD: parsed, it takes forty times its length. What is cut is none."""

# A page may lack any of them (HTML standard, "optional tags"), but hardly all.
_PAGE = re.compile(rb"<(?:!doctype|html|head|body|meta)\b", re.IGNORECASE)

_MOST_LINKS = 16
"""Links of one kind that are tried of one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What one page says; addresses as written, empty where it says nothing."""

    head: HeadMeta | None = None
    """None where the file cannot be read."""

    is_fragment: bool = False
    """Whether the file is only a piece for other pages, such as mystmd's outputs of notebooks."""

    canonical: str = ""
    """Resolved as if the site stood at `/`; with a host where the page writes one."""

    edit_links: tuple[str, ...] = ()
    """Addresses to edit the page's source at, the surest first."""

    location: str = ""
    """The source's path in its project, as mystmd's data beside the page say it."""

    sphinx_sources: tuple[str, ...] = ()
    """Addresses of copies of the source, as Sphinx writes them."""

    modified: str = ""
    """The first date of change."""

    published: str = ""
    """The first date of publication."""

    @property
    def generator(self) -> str:
        """The name of the program that says it made the page."""
        return (self.head.generator if self.head else None) or ""


def read_marks(file: Path, path: str) -> Marks:
    """Read a page's marks: none where the file cannot be read, its head's where it is too slow.

    `path` is percent-encoded, relative to the site's root.
    """
    try:
        html = read_bytes(file)
    except PageError:
        return Marks()
    head = html_head.read(html)
    marks = Marks(
        head=head,
        is_fragment=bool(html.strip()) and not _PAGE.search(html),
        canonical=head.canonical_url(f"/{path}") or "",
        location=mystmd.read_location(file, path) if head.generator == mystmd.GENERATOR else "",
    )
    small = html.lower()
    edit_links = [link for link, words in _EDIT_LINKS.items() if _holds(small, words)]
    has_dates = _holds(small, _DATE_WORDS)
    if not (edit_links or has_dates or _holds(small, _SPHINX_WORDS)):
        return marks
    try:
        page = HtmlPage(html)
    except PageError:
        return marks
    modified, published = _dates(page) if has_dates else ("", "")
    return replace(
        marks,
        edit_links=_addresses(page, edit_links),
        sphinx_sources=_addresses(page, [_SPHINX_SOURCES]),
        modified=modified,
        published=published,
    )


def _holds(html: bytes, words: Iterable[bytes]) -> bool:
    return any(map(html.__contains__, words))


def _addresses(page: HtmlPage, links: Iterable[str]) -> tuple[str, ...]:
    found = (address for link in links for address in page.values(link, "href"))
    return tuple(islice(found, _MOST_LINKS))


def _dates(page: HtmlPage) -> tuple[str, str]:
    """Return when a page says that it was changed, and published; empty where it does not."""
    linked = _linked_data(page)
    return (
        _first(page, _MODIFIED) or linked.get("dateModified", ""),
        _first(page, _PUBLISHED) or linked.get("datePublished", ""),
    )


def _first(page: HtmlPage, places: tuple[tuple[str, str], ...]) -> str:
    found = (value for selector, name in places for value in page.values(selector, name))
    return next(found, "")


def _linked_data(page: HtmlPage) -> dict[str, str]:
    """Return the first of each date in JSON-LD (schema.org), also below `@graph`."""
    dates: dict[str, str] = {}
    for text in page.texts(_LINKED_DATA):
        try:
            things = list(_things(json.loads(text[:_MOST_LINKED_DATA])))
        except (ValueError, RecursionError):
            continue
        for thing in things:
            for name in ("dateModified", "datePublished"):
                if isinstance(date := thing.get(name), str):
                    dates.setdefault(name, date)
    return dates


def _things(value: object) -> Iterator[dict[str, object]]:
    graph = value.get("@graph", []) if isinstance(value, dict) else value
    for thing in [value, *(graph if isinstance(graph, list) else [])]:
        if isinstance(thing, dict):
            yield thing
