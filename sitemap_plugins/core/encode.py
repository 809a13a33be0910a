"""Entry → its exact bytes.

Strings and `escape`, no tree: faster (`benchmarks/writing.py`), and each entry's length is known,
so that splitting is arithmetic. What an `Entry` holds is legal XML text, so nothing here can fail.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sitemap_plugins.core.dates import Format, Moment, format_moment
from sitemap_plugins.core.protocol import SITEMAP_NAMESPACE, XHTML_NAMESPACE

if TYPE_CHECKING:
    from sitemap_plugins.core.entries import Entry

__all__ = [
    "INDEX_FOOT",
    "URLSET_FOOT",
    "indented",
    "index_head",
    "mark",
    "sitemap_element",
    "url_element",
    "urlset_head",
]

URLSET_FOOT = b"</urlset>\n"
"""The last bytes of a `<urlset>` file."""

INDEX_FOOT = b"</sitemapindex>\n"
"""The last bytes of a `<sitemapindex>` file."""

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
# sitemaps.org, protocol, "Entity escaping": & ' " > < in all data values.
_SPECIAL = re.compile("""[&'"<>]""")
_QUOTES = {'"': "&quot;", "'": "&apos;"}


def mark(filename: str) -> bytes:
    """Return the first lines of every file of the set named `filename`: proof that it is ours."""
    return f"{_DECLARATION}\n<!-- sitemap_plugins: {filename} -->\n".encode()


def urlset_head(filename: str, *, links: bool) -> bytes:
    """Return the first bytes of a `<urlset>` file of the set that `filename` names.

    `links` says whether any entry has links to other languages.
    """
    xhtml = f' xmlns:xhtml="{XHTML_NAMESPACE}"' if links else ""
    return _head(filename, f'<urlset xmlns="{SITEMAP_NAMESPACE}"{xhtml}>')


def index_head(filename: str) -> bytes:
    """Return the first bytes of a `<sitemapindex>` file of the set that `filename` names."""
    return _head(filename, f'<sitemapindex xmlns="{SITEMAP_NAMESPACE}">')


def url_element(entry: Entry, how: Format) -> bytes:
    """Return `<url>` and its children, one line; in the order that the schema wants."""
    text = f"<url><loc>{_text(entry.url)}</loc>"
    if entry.lastmod is not None:
        text += f"<lastmod>{format_moment(entry.lastmod, how)}</lastmod>"
    if entry.changefreq is not None:
        text += f"<changefreq>{entry.changefreq}</changefreq>"
    if entry.priority is not None:
        # The schema's type is a decimal: no exponent; more than two digits tell crawlers nothing.
        text += f"<priority>{entry.priority:.2f}</priority>".replace("0</", "</")
    for link in entry.links:
        text += (
            f'<xhtml:link rel="alternate" hreflang="{_text(link.language)}"'
            f' href="{_text(link.url)}"/>'
        )
    return f"{text}</url>\n".encode()


def sitemap_element(url: str, lastmod: Moment | None, how: Format) -> bytes:
    """Return `<sitemap>` and its children, one line: an index's entry for one part."""
    date = f"<lastmod>{format_moment(lastmod, how)}</lastmod>" if lastmod is not None else ""
    return f"<sitemap><loc>{_text(url)}</loc>{date}</sitemap>\n".encode()


def indented(element: bytes, spaces: int) -> bytes:
    r"""Return an element of this module with each child on a line of its own.

    >>> indented(b"<url><loc>https://example.com/</loc></url>\n", 2).decode().splitlines()
    ['  <url>', '    <loc>https://example.com/</loc>', '  </url>']
    """
    step = b" " * spaces
    # Every "<" in a text is escaped, so that these two stand between elements alone.
    lines = element.replace(b"><", b">\n" + 2 * step + b"<")
    start, end = lines.rsplit(2 * step + b"</", maxsplit=1)
    return step + start + step + b"</" + end


def _head(filename: str, root: str) -> bytes:
    return mark(filename) + f"{root}\n".encode()


def _text(text: str) -> str:
    return escape(text, _QUOTES) if _SPECIAL.search(text) else text
