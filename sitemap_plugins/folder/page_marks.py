"""What a built page says of its address, its source, and its dates.

This module knows how themes and generators mark a page (`docs/folder.md`), and which of
the dates that pages give themselves are true.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.date_values import DateOrDatetime, densest, parse_date, to_utc
from sitemap_plugins.core.html.document import (
    HtmlPage,
    declared_encoding,
    in_tags,
    places_of,
    read_bytes,
)
from sitemap_plugins.core.html.head import CHUNK_BYTES, HeadMeta, read_head
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.folder.error_page import why_soft_404

_SPHINX_SOURCES = 'a[href*="_sources/"]'
_REL_EDIT = (
    b'rel="edit',
    b"rel='edit",
    b"rel=edit",
    b' edit"',
    b" edit'",
    b" edit no",
)
# Each selector with bytes, in lowercase, of which a page has at least one if a link of
# the theme matches the selector: most pages have none, and a search for bytes takes a
# third of the time of parsing. `rel=edit` comes first, as it is unambiguous; then
# classes that themes use only for this.
_LINKS = {
    # Material for MkDocs, Zensical, furo and the themes made of it.
    "a[rel~=edit]": _REL_EDIT,
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
    _SPHINX_SOURCES: (b"_sources/",),
}
# Of pages whose maker is known, only these are searched for, as their themes write
# them.
_OF_MATERIAL = {"a[rel~=edit]": (b'rel="edit', b"rel=edit")}
_OF_SPHINX = _OF_MATERIAL | {
    link: _LINKS[link]
    for link in (".editthispage a", ".wy-breadcrumbs-aside a", _SPHINX_SOURCES)
}
_SPHINX = b"_static/pygments.css"
"""The style that Sphinx names in the head of every page."""
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
# A page that says when it changed has one of these words, in lowercase, in a tag or in
# JSON-LD; a date of publication alone is no date of change. All words but the first end
# in `modified`, so most pages are searched only for that and for the first.
_DATES = (b"og:updated_time", b"article:modified", b"dcterms.modified", b"datemodified")
_MODIFIED_WORD = b"modified"
_LINKED_DATA = 'script[type="application/ld+json"]'
_MAX_LINKED_DATA = 1024 * 1024
"""Characters of JSON-LD that are parsed, which takes forty times their memory.

A longer text is cut, and then is not valid."""

# A page may lack any of them (HTML standard, "optional tags"), but hardly all.
# An image too can have a <title>, so it marks a page only if it comes first.
_PAGE = re.compile(
    rb"\A\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+<title\b"
    rb"|<(?:!doctype|html|head|body|meta)\b",
    re.IGNORECASE | re.DOTALL,
)

_MAX_LINKS = 16
"""Links of one kind that are tried of one page."""

_PIECE = 2048
"""Bytes around the words of a link that are parsed in place of the page."""

_WINDOW = 3600
"""Seconds within which pages of one build are made."""

LIKELY_YEARS = range(1901, 3000)
"""Nuxt's rule: a date outside is a placeholder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMarks:
    """What one page says of itself; addresses as written, empty if not given."""

    head: HeadMeta | None = None
    """None if the file cannot be read."""

    is_fragment: bool = False
    """Whether the file is only a piece for other pages.

    mystmd's outputs of notebooks are such pieces.
    """

    canonical: str = ""
    """Resolved as if the site were at `/`; with a host if the page writes one."""

    edit_links: tuple[str, ...] = ()
    """Addresses at which the page's source can be edited, the surest first."""

    sphinx_sources: tuple[str, ...] = ()
    """Addresses of copies of the source, as Sphinx writes them."""

    soft_404: str = ""
    """Why it is not a page for readers, as a predicate; empty if it is."""

    modified: str = ""
    """The first date of change that it gives."""

    published: str = ""
    """The first date of publication that it gives."""

    @property
    def generator(self) -> str:
        """The program that made the page, as `<meta name="generator">` names it."""
        return self.head.generator if self.head else ""

    @property
    def is_stub(self) -> bool:
        """Whether the page only sends readers to another one."""
        return self.head is not None and self.head.refresh is not None


class Built(NamedTuple):
    """One built file."""

    name: str
    """Raw path, relative to the site's root, with slashes."""

    marks: PageMarks


def is_fragment(html: bytes) -> bool:
    """Tell whether a file is only a piece of a page, such as a copied template."""
    return bool(html.strip()) and not _PAGE.search(html)


def reads_sitemap(generator: str) -> bool:
    """Tell whether a page's script reads sitemap.xml, as Material's and Zensical's do.

    Material's (9.8) loads it from the version that a reader chooses (`fetchSitemap`),
    and stays on the same page only if that file lists it.
    """
    return generator.startswith(("mkdocs", "zensical"))


def read_page_marks(file: Path, path: str) -> PageMarks:
    """Read a page's marks: none if the file cannot be read.

    If parsing the whole page would take too long, only the marks of its head are read.
    `path` is percent-encoded, relative to the site's root.
    """
    try:
        html = read_bytes(file)
    except PageError:
        return PageMarks()
    head = read_head(html)
    marks = PageMarks(
        head=head,
        soft_404=why_soft_404(html[:CHUNK_BYTES]),
        is_fragment=is_fragment(html),
        canonical=head.canonical_url(f"/{path}"),
    )
    small = html.lower()
    links = _find_links(html, small, head.generator)
    has_dates = _may_have_dates(small)
    # Few pages have dates, or links that only the whole page shows.
    if has_dates or None in links.values():
        try:
            page = HtmlPage(html)
        except PageError:
            return marks
        links = {selector: _addresses(page, selector) for selector in links}
        if has_dates:
            marks = _with_dates(marks, page)
    copies = links.pop(_SPHINX_SOURCES, None) or ()
    edits = chain.from_iterable(filter(None, links.values()))
    return replace(marks, edit_links=tuple(edits), sphinx_sources=tuple(copies))


def _with_dates(marks: PageMarks, page: HtmlPage) -> PageMarks:
    # The page's tags come first, then its JSON-LD.
    linked = _linked_data(page)
    modified = _first(page, _MODIFIED) or linked.get("dateModified", "")
    published = _first(page, _PUBLISHED) or linked.get("datePublished", "")
    return replace(marks, modified=modified, published=published)


def _find_links(
    html: bytes, small: bytes, generator: str
) -> dict[str, list[str] | None]:
    """Return the addresses of a page's links to its source, by their selectors.

    None stands for addresses that only the whole page shows. `small` is the page in
    lowercase.
    """
    found: dict[str, list[str] | None] = {}
    for selector, words in _links_of(generator, small).items():
        # A page has edit links of one theme.
        if selector != _SPHINX_SOURCES and any(found.values()):
            continue
        for word in words:
            if word in small:
                found[selector] = _near(html, small, word, selector)
                break
    return found


def _links_of(generator: str, small: bytes) -> Mapping[str, tuple[bytes, ...]]:
    """Return the part of `_LINKS` that a page of a generator can have.

    `small` is the page in lowercase.
    """
    if "mkdocs-material" in generator or generator.startswith("zensical"):
        return _OF_MATERIAL
    is_sphinx = small.find(_SPHINX, 0, CHUNK_BYTES) >= 0
    return _OF_SPHINX if is_sphinx else _LINKS


def _may_have_dates(small: bytes) -> bool:
    # `small` is the page in lowercase.
    has_linked_data = b"ld+json" in small
    words = _DATES if _MODIFIED_WORD in small else _DATES[:1]
    for word in words:
        if word in small and has_linked_data:
            return True
        if any(in_tags(places_of(word, small), small)):
            return True
    return False


def _near(html: bytes, small: bytes, word: bytes, selector: str) -> list[str] | None:
    """Return the addresses of links, of which only the tags near a word are parsed.

    This takes a twentieth of the time of parsing the page. The result is None if only
    parsing the whole page can find the tags. `word` is one of the words that `_LINKS`
    has for the selector, and `small` is the page in lowercase.
    """
    pieces = []
    for place in islice(in_tags(places_of(word, small), small), _MAX_LINKS):
        last = place + _PIECE
        if place < 0 or small.find(b">", place, last) < 0:
            return None
        start = small.rfind(b"<", 0, place)
        end = small.find(b"</a", place, last)
        if end < 0:
            end = last
        pieces.append(html[start:end])
    if not pieces:
        return []
    # What the page declares, since browsers read the piece as part of it.
    pieces.insert(0, b"<meta charset=%b>" % declared_encoding(html).encode())
    return _addresses(HtmlPage(b"\n</a>".join(pieces)), selector)


def _addresses(page: HtmlPage, selector: str) -> list[str]:
    return [*islice(page.values(selector, "href"), _MAX_LINKS)]


def _first(page: HtmlPage, places: tuple[tuple[str, str], ...]) -> str:
    for selector, name in places:
        for value in page.values(selector, name):
            return value
    return ""


def _linked_data(page: HtmlPage) -> dict[str, str]:
    """Return the first of each date in JSON-LD (schema.org), also below `@graph`."""
    dates: dict[str, str] = {}
    for text in page.texts(_LINKED_DATA):
        try:
            value = json.loads(text[:_MAX_LINKED_DATA])
        except (ValueError, RecursionError):
            continue
        graph = value.get("@graph") if isinstance(value, dict) else value
        items = graph if isinstance(graph, list) else []
        for item in [value, *items]:
            if not isinstance(item, dict):
                continue
            for name in ("dateModified", "datePublished"):
                date = item.get(name)
                if isinstance(date, str):
                    dates.setdefault(name, date)
    return dates


def trusted_dates(marks: Mapping[str, PageMarks]) -> dict[str, DateOrDatetime]:
    """Return the dates of change, by page, if they are not those of a build.

    Some themes write the time of the build into every page (TYPO3's into
    `article:modified_time`), and nothing in one page tells that from a true date. So
    the dates are returned only if at most half of them lie within the time of one build
    (`_WINDOW`), and never for one date alone. A date of publication is never one of
    change: a page that was edited later keeps its date of publication.
    """
    dates = {}
    for page, mark in marks.items():
        date = _date_of_change(mark)
        if date is not None:
            dates[page] = date
    is_of_build = 2 * densest(dates.values(), _WINDOW) > len(dates)
    return {} if is_of_build else dates


def _date_of_change(marks: PageMarks) -> DateOrDatetime | None:
    """Return when a page says that it changed, if that is not its date of publication.

    For a page without a date of change, jekyll-seo-tag and others repeat the date of
    publication as one.
    """
    if not marks.modified:
        return None
    changed = _likely_date(marks.modified)
    published = _likely_date(marks.published)
    if changed and published and to_utc(changed) == to_utc(published):
        return None
    return changed


def _likely_date(text: str) -> DateOrDatetime | None:
    try:
        date = parse_date(text)
    except PageError:
        return None
    return date if date.year in LIKELY_YEARS else None
