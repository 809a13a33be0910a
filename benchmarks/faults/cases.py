"""What a case is, and short ways to write sitemaps, pages and answers."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "https://example.com"
"""The address that the files name; a served case replaces it by its server's."""

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
EXTENSIONS = (
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
)


class Answer(NamedTuple):
    """What a server answers for one path."""

    body: str | bytes
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


class Case(NamedTuple):
    """One site with one fault, or with none.

    `files` are names and contents; `target` is the file or folder of them that is
    checked. `at` is the text that a reader needs to find the fault: a URL, a value
    or a file's name; empty, if the whole site has it.
    """

    name: str
    fault: str
    rule: str
    files: dict[str, str | bytes | Answer]
    at: str = ""
    target: str = "sitemap.xml"


def entry(loc: str, lastmod: str = "", more: str = "") -> str:
    """Return a `<url>` on a line of its own; a loc with a leading slash gets the host."""
    is_path = loc.startswith("/") and not loc.startswith("//")
    address = HOST + loc if is_path else loc
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<url><loc>{address}</loc>{date}{more}</url>\n"


GOOD = entry("/", "2023-11-02") + entry("/good/", "2024-01-05T10:20:30+00:00")
"""Two entries that nothing is wrong with."""


def urlset(body: str, extensions: str = EXTENSIONS) -> str:
    """Return a sitemap with these entries."""
    root = f'<urlset xmlns="{NAMESPACE}"{extensions}>\n'
    return f"{DECLARATION}{root}{body}</urlset>\n"


def index(*parts: str) -> str:
    """Return an index of these locs or whole `<sitemap>` elements."""
    lines = []
    for part in parts:
        loc = HOST + part if part.startswith("/") else part
        is_whole = part.startswith("<")
        lines.append(part if is_whole else f"<sitemap><loc>{loc}</loc></sitemap>")
    body = "\n".join(lines)
    root = f'<sitemapindex xmlns="{NAMESPACE}">\n'
    return f"{DECLARATION}{root}{body}\n</sitemapindex>\n"


def link(language: str, href: str) -> str:
    """Return an `<xhtml:link>` of a sitemap."""
    address = HOST + href if href.startswith("/") else href
    return f'<xhtml:link rel="alternate" hreflang="{language}" href="{address}"/>'


def page(head: str = "", body: str = "", language: str = "en") -> str:
    """Return an HTML page with enough text to be one."""
    text = body or "<h1>Bread</h1><p>Flour, water, salt and a day of patience.</p>"
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f"<title>Bread</title>\n{head}</head>\n<body>{text}</body>\n</html>\n"
    )


def alternate(language: str, href: str) -> str:
    """Return a page's link to a translation."""
    return f'<link rel="alternate" hreflang="{language}" href="{href}">\n'


def canonical(href: str) -> str:
    """Return a page's canonical link."""
    return f'<link rel="canonical" href="{href}">\n'
