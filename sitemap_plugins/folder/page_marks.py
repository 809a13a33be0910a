"""What a built page says of its address, its source, and its dates.

The themes and generators that are known here, and how each marks a page
(`docs/folder.md`); the data that mystmd writes beside a page; and which of the dates
that pages give themselves are true.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.date_values import DateOrDatetime, densest, parse_date, to_utc
from sitemap_plugins.core.html.head import CHUNK_BYTES, HeadMeta, read_head
from sitemap_plugins.core.html.page import (
    HtmlPage,
    declared_encoding,
    in_tags,
    read_bytes,
    where,
)
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.untrusted_files import read_regular_file

_SPHINX_SOURCES = 'a[href*="_sources/"]'
# Each selector with bytes, in lowercase, of which a page has at least one if a link of
# the theme matches the selector: most pages have none, and a search for bytes takes a
# third of the time of parsing. `rel=edit` comes first, as it is unambiguous; then
# classes that themes use only for this.
_LINKS = {
    # Material for MkDocs, Zensical, furo and the themes made of it.
    "a[rel~=edit]": (
        b'rel="edit',
        b"rel='edit",
        b"rel=edit",
        b' edit"',
        b" edit'",
        b" edit no",
    ),
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
# Of these, lowercase, a page that says when it changed has one in a tag or in JSON-LD;
# a publication's date says nothing. All but the first end alike: most pages are
# searched only twice.
_DATES = (b"og:updated_time", b"article:modified", b"dcterms.modified", b"datemodified")
_MODIFIED_WORD = b"modified"
_MAX_LINKED_DATA = 1024 * 1024
"""Characters of JSON-LD that are parsed, which takes forty times their length in memory.

A longer text is cut, and then is not valid."""

# A page may lack any of them (HTML standard, "optional tags"), but hardly all.
_PAGE = re.compile(rb"<(?:!doctype|html|head|body|meta)\b", re.IGNORECASE)

_MAX_LINKS = 16
"""Links of one kind that are tried of one page."""

_PIECE = 2048
"""Bytes around the words of a link that are parsed in place of the page."""

_MYSTMD = "mystmd"
"""What `<meta name="generator">` says in mystmd's pages."""

MAX_MYSTMD_BYTES = 8 * 1024 * 1024
"""Bytes of a page's data that are read at most: as many as of the page itself."""

_WINDOW = 3600
"""Seconds within which pages of one build are made."""

LIKELY_YEARS = range(1901, 3000)
"""Nuxt's rule: a date outside is a placeholder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMarks:
    """What one page says of itself; addresses as written, empty if it has none."""

    head: HeadMeta | None = None
    """None if the file cannot be read."""

    is_fragment: bool = False
    """Whether the file is only a piece for other pages, such as mystmd's outputs of notebooks."""

    canonical: str = ""
    """Resolved as if the site were at `/`; with a host if the page writes one."""

    edit_links: tuple[str, ...] = ()
    """Addresses at which the page's source can be edited, the surest first."""

    location: str = ""
    """The source's path in its project, as mystmd's data beside the page say it."""

    sphinx_sources: tuple[str, ...] = ()
    """Addresses of copies of the source, as Sphinx writes them."""

    modified: str = ""
    """The first date of change that it gives."""

    published: str = ""
    """The first date of publication that it gives."""

    @property
    def generator(self) -> str:
        """The program that made the page, as `<meta name="generator">` names it."""
        return (self.head.generator if self.head else None) or ""


class Built(NamedTuple):
    """One built file."""

    name: str
    """Raw path, relative to the site's root, with slashes."""

    marks: PageMarks


def is_fragment(html: bytes) -> bool:
    """Tell whether a file is only a piece of a page, such as a template that was copied."""
    return bool(html.strip()) and not _PAGE.search(html)


def reads_sitemap(generator: str) -> bool:
    """Tell whether a page's script reads sitemap.xml in the browser: Material's, Zensical's.

    Material's (9.8) loads it from the version that a reader chooses (`fetchSitemap`),
    and stays on the same page only if that file lists it.
    """
    return generator.startswith(("mkdocs", "zensical"))


def read_page_marks(file: Path, path: str) -> PageMarks:
    """Read a page's marks: none if the file cannot be read, only its head's if it takes too long.

    `path` is percent-encoded, relative to the site's root.
    """
    try:
        html = read_bytes(file)
    except PageError:
        return PageMarks()
    head = read_head(html)
    marks = PageMarks(
        head=head,
        is_fragment=is_fragment(html),
        canonical=head.canonical_url(f"/{path}") or "",
        location=_mystmd_location(file, path) if head.generator == _MYSTMD else "",
    )
    small = html.lower()
    has_dates = _may_have_dates(small)
    found: dict[str, list[str] | None] = {}
    for link, words in _links_of(head.generator or "", small).items():
        if link == _SPHINX_SOURCES or not any(
            found.values()
        ):  # A page has links of one theme.
            word = next((word for word in words if word in small), None)
            if word is not None:
                found[link] = _near(html, small, word, link)
    if has_dates or None in found.values():
        try:
            page = HtmlPage(html)
        except PageError:
            return marks
        found = {link: _addresses(page, link) for link in found}
        if has_dates:
            linked = _linked_data(page)
            modified = _first(page, _MODIFIED) or linked.get("dateModified", "")
            published = _first(page, _PUBLISHED) or linked.get("datePublished", "")
            marks = replace(marks, modified=modified, published=published)
    sources = found.pop(_SPHINX_SOURCES, None) or ()
    edits = [address for addresses in found.values() for address in addresses or ()]
    return replace(marks, edit_links=tuple(edits), sphinx_sources=tuple(sources))


def _links_of(generator: str, small: bytes) -> Mapping[str, tuple[bytes, ...]]:
    """Return the links that a page of a generator can have, with their words."""
    if "mkdocs-material" in generator or generator.startswith("zensical"):
        return _OF_MATERIAL
    return _LINKS if small.find(_SPHINX, 0, CHUNK_BYTES) < 0 else _OF_SPHINX


def _may_have_dates(small: bytes) -> bool:
    dates = _DATES if _MODIFIED_WORD in small else _DATES[:1]
    found = [word for word in dates if word in small]
    has_data = bool(found) and b"ld+json" in small
    return has_data or any(any(in_tags(where(word, small), small)) for word in found)


def _near(html: bytes, small: bytes, word: bytes, link: str) -> list[str] | None:
    """Return the addresses of links of one kind, of which only what is near the word is parsed.

    That takes a twentieth of the time of parsing the page. None if it is not certain
    what is near.
    """
    pieces = []
    for place in islice(in_tags(where(word, small), small), _MAX_LINKS):
        if place < 0 or small.find(b">", place, place + _PIECE) < 0:
            return None
        end = small.find(b"</a", place, place + _PIECE)
        pieces.append(
            html[small.rfind(b"<", 0, place) : end if end >= 0 else place + _PIECE]
        )
    if not pieces:
        return []
    # What the page declares, since browsers read the piece as part of it.
    pieces.insert(0, b"<meta charset=%b>" % declared_encoding(html).encode())
    return _addresses(HtmlPage(b"\n</a>".join(pieces)), link)


def _addresses(page: HtmlPage, link: str) -> list[str]:
    return [*islice(page.values(link, "href"), _MAX_LINKS)]


def _first(page: HtmlPage, places: tuple[tuple[str, str], ...]) -> str:
    found = (
        value for selector, name in places for value in page.values(selector, name)
    )
    return next(found, "")


def _linked_data(page: HtmlPage) -> dict[str, str]:
    """Return the first of each date in JSON-LD (schema.org), also below `@graph`."""
    dates: dict[str, str] = {}
    for text in page.texts(_LINKED_DATA):
        try:
            value = json.loads(text[:_MAX_LINKED_DATA])
        except (ValueError, RecursionError):
            continue
        graph = value.get("@graph") if isinstance(value, dict) else value
        for item in [value, *(graph if isinstance(graph, list) else ())]:
            for name in ("dateModified", "datePublished"):
                if isinstance(item, dict) and isinstance(date := item.get(name), str):
                    dates.setdefault(name, date)
    return dates


def _mystmd_location(file: Path, path: str) -> str:
    """Return the path of a page's source below its project's folder; empty if it is not known.

    The page's own address seldom says it: mystmd makes `guide/setup.md` and `setup.md`
    into `setup/` and `setup-1/`, in the order of the table of contents, and the first
    file into the home page. `path` is the page's, relative to the site's root.
    """
    site_dir = file.parents[path.count("/")]
    *folders, name = file.relative_to(site_dir).parts
    if name != "index.html":
        return ""
    found = set()
    # The first folder is one of several projects, or belongs to the slug: `guide/a/`
    # can be `guide.a`.
    for start in range(min(len(folders), 1) + 1):
        for slug in ([*folders[start:], "index"], folders[start:]):
            data = site_dir.joinpath(*folders[:start], f"{'.'.join(slug)}.json")
            found.add(_location_in_data(data, site_dir))
    found.discard("")
    return found.pop() if len(found) == 1 else ""


def _location_in_data(file: Path, site_dir: Path) -> str:
    try:
        data = json.loads(
            read_regular_file(file, max_bytes=MAX_MYSTMD_BYTES, root=site_dir)
        )
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(data, dict) or data.get("slug") != file.name.removesuffix(
        ".json"
    ):
        return ""
    location = data.get("location")
    return location.removeprefix("/") if isinstance(location, str) else ""


def trusted_dates(marks: Mapping[str, PageMarks]) -> dict[str, DateOrDatetime]:
    """Return the dates of change, by page, if at most half of them lie within one build's time.

    Some themes write the time of the build into every page (TYPO3's into
    `article:modified_time`), and nothing in one page tells that from a true date; one
    date alone cannot differ from others. A date of publication is never one of change:
    what was edited later keeps it.
    """
    dates = {
        page: date
        for page, mark in marks.items()
        if mark.modified and (date := _date_of_change(mark))
    }
    return dates if 2 * densest(dates.values(), _WINDOW) <= len(dates) else {}


def _date_of_change(marks: PageMarks) -> DateOrDatetime | None:
    """Return when a page says that it changed, if that is not its date of publication.

    jekyll-seo-tag and others repeat that for a page of which they know nothing else.
    """
    changed, published = _likely_date(marks.modified), _likely_date(marks.published)
    if changed and published and to_utc(changed) == to_utc(published):
        return None
    return changed


def _likely_date(text: str) -> DateOrDatetime | None:
    try:
        date = parse_date(text)
    except PageError:
        return None
    return date if date.year in LIKELY_YEARS else None
