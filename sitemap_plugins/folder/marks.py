"""What a built page says of where it stands, where it came from, and when it changed.

The themes and generators that are known here, and how each marks a page (`docs/folder.md`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap_plugins.core import html_head, html_page
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.html_page import HtmlPage
from sitemap_plugins.folder import mystmd

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemap_plugins.core.html_head import HeadMeta

__all__ = ["Marks", "read_marks"]

# `rel=edit` first: it says what it is; then the classes that themes give to nothing else.
_EDIT_LINKS = (
    "a[rel~=edit]",  # Material for MkDocs, Zensical, furo and the themes made of it.
    ".editthispage a",  # pydata-sphinx-theme, sphinx-book-theme.
    "a.theme-edit-this-page",  # Docusaurus.
    "a.edit-link-button",  # VitePress.
    ".edit-this-page a",  # Antora.
    ".toc-actions a, .toc-action",  # Quarto.
    'a[title="Suggest an edit"]',  # mdBook.
    'a[title="Edit This Page"]',  # mystmd.
    "a.git-button",  # pdoc.
    ".wy-breadcrumbs-aside a",  # sphinx_rtd_theme, MkDocs' readthedocs.
)
_LINKED_DATA = 'script[type="application/ld+json"]'
_SPHINX_SOURCES = 'a[href*="_sources/"]'
_ALTERNATES = "head link[rel~=alternate][hreflang]"
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
# One look instead of one for each: most pages have none of the marks of other themes.
_ANY_EDIT_LINK = ", ".join(_EDIT_LINKS)
_ANY_DATE = ", ".join([_LINKED_DATA, *(selector for selector, _ in (*_MODIFIED, *_PUBLISHED))])
_MOST_LINKS = 16
"""Edit links of one page that are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What one page says; addresses as written, empty where it says nothing."""

    head: HeadMeta | None = None
    """None where the file cannot be read."""

    canonical: str = ""
    """Resolved as if the site stood at `/`; with a host where the page writes one."""

    generator: str = ""
    """The name of the program that says it made the page."""

    edit_links: tuple[str, ...] = ()
    """Addresses to edit the page's source at, the surest first."""

    location: str = ""
    """The source's path in its project, as mystmd's data beside the page say it."""

    sphinx_sources: tuple[str, ...] = ()
    """Addresses of copies of the source, as Sphinx writes them."""

    alternates: tuple[tuple[str, str], ...] = ()
    """Language and address of each version."""

    modified: str = ""
    """The first date of change."""

    published: str = ""
    """The first date of publication."""


def read_marks(file: Path, path: str) -> Marks:
    """Read a page's marks: none where the file cannot be read, its head's where it is too slow.

    `path` is percent-encoded, relative to the site's root.
    """
    try:
        html = html_page.read_bytes(file)
    except PageError:
        return Marks()
    head = html_head.read(html)
    canonical = head.canonical_url(f"/{path}") or ""
    try:
        page = HtmlPage(html)
    except PageError:
        return Marks(head=head, canonical=canonical)
    modified, published = _dates(page)
    generator = next(page.values('meta[name="generator" i]', "content"), "")
    return Marks(
        head=head,
        canonical=canonical,
        generator=generator,
        edit_links=tuple(_edit_links(page)),
        location=mystmd.read_location(file, path) if generator == mystmd.GENERATOR else "",
        sphinx_sources=tuple(page.values(_SPHINX_SOURCES, "href"))[:_MOST_LINKS],
        alternates=tuple(
            (language, address)
            for language, address in page.rows(_ALTERNATES, "hreflang", "href")
            if address and language
        ),
        modified=modified,
        published=published,
    )


def _edit_links(page: HtmlPage) -> list[str]:
    if not any(page.values(_ANY_EDIT_LINK, "href")):
        return []
    return [link for selector in _EDIT_LINKS for link in page.values(selector, "href")][
        :_MOST_LINKS
    ]


def _dates(page: HtmlPage) -> tuple[str, str]:
    """Return when a page says that it was changed, and published; empty where it does not."""
    if next(page.rows(_ANY_DATE), None) is None:
        return "", ""
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
            things = list(_things(json.loads(text)))
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
