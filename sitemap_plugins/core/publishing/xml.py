"""Entry → its exact bytes.

XML is made of strings and `escaped`, not of a tree. This is faster
(`benchmarks/writing.py`), and each entry's length is known, so that splitting is
arithmetic. What an `Entry` holds is legal XML text, so nothing here can fail.
"""

from __future__ import annotations

import re

from sitemap_plugins.core.date_values import DateOrDatetime, Format, format_date
from sitemap_plugins.core.limits import (
    IMAGE_NAMESPACE,
    SITEMAP_NAMESPACE,
    XHTML_NAMESPACE,
)
from sitemap_plugins.core.records import Entry

URLSET_FOOTER = b"</urlset>\n"
"""The last bytes of a `<urlset>` file."""

INDEX_FOOTER = b"</sitemapindex>\n"
"""The last bytes of a `<sitemapindex>` file."""

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
# sitemaps.org, protocol, "Entity escaping": & ' " > < in all data values.
# As in `xml.sax.saxutils`, which imports urllib.request, http and ssl for a parser.
_ENTITIES = {"&": "&amp;", ">": "&gt;", "<": "&lt;", '"': "&quot;", "'": "&apos;"}
_SPECIAL = re.compile(f"[{''.join(_ENTITIES)}]")

_IMAGE_START = "<image:image>"
_IMAGE_END = "</image:image>"
_SIGNATURE = "<!-- sitemap_plugins: "


def signature_comment(filename: str, key: str = "") -> bytes:
    """Return the first lines of a file of the set `filename`: proof that it is ours.

    `key` is what a part's own name adds to `filename`, so that a copy under another
    name has no proof.
    """
    name = f"{filename} {key}" if key else filename
    return f"{_DECLARATION}\n{_SIGNATURE}{name} -->\n".encode()


def is_signed(beginning: bytes) -> bool:
    """Tell whether a file that begins so has a `signature_comment`, of whatever set."""
    return beginning.startswith(f"{_DECLARATION}\n{_SIGNATURE}".encode())


def urlset_header(
    filename: str,
    key: str = "",
    *,
    stylesheet: str = "",
    links: bool = False,
    images: bool = False,
) -> bytes:
    """Return the first bytes of a `<urlset>` file.

    The bytes begin with the `signature_comment` of `filename` and `key`. `stylesheet`
    is the style sheet's URL, absolute or relative, percent-encoded; empty for none.
    `links` and `images` say whether any entry has links to other languages, or images.
    """
    xhtml = f' xmlns:xhtml="{XHTML_NAMESPACE}"' if links else ""
    image = f' xmlns:image="{IMAGE_NAMESPACE}"' if images else ""
    prolog = _prolog(filename, key, stylesheet)
    return prolog + f'<urlset xmlns="{SITEMAP_NAMESPACE}"{xhtml}{image}>\n'.encode()


def index_header(filename: str, key: str = "", *, stylesheet: str = "") -> bytes:
    """Return the first bytes of a `<sitemapindex>` file, as `urlset_header`."""
    prolog = _prolog(filename, key, stylesheet)
    return prolog + f'<sitemapindex xmlns="{SITEMAP_NAMESPACE}">\n'.encode()


def _prolog(filename: str, key: str, stylesheet: str) -> bytes:
    signature = signature_comment(filename, key)
    if not stylesheet:
        return signature
    # https://www.w3.org/TR/xml-stylesheet/
    style = f'<?xml-stylesheet type="text/css" href="{escaped(stylesheet)}"?>\n'
    return signature + style.encode()


def url_element(entry: Entry, how: Format, indent: int = 0) -> bytes:
    """Return `<url>` and its children in the order that the schema wants.

    The element is on one line; with an indent, each child has a line of its own.
    """
    text = f"<url><loc>{escaped(entry.url)}</loc>"
    if entry.lastmod is not None:
        text += f"<lastmod>{format_date(entry.lastmod, how)}</lastmod>"
    if entry.changefreq is not None:
        text += f"<changefreq>{entry.changefreq}</changefreq>"
    if entry.priority is not None:
        # The schema's type is a decimal: no exponent; more than two digits tell
        # crawlers nothing.
        text += f"<priority>{entry.priority:.2f}</priority>".replace("0</", "</")
    for link in entry.links:
        text += (
            f'<xhtml:link rel="alternate" hreflang="{escaped(link.language)}"'
            f' href="{escaped(link.url)}"/>'
        )
    for image in entry.images:
        text += f"{_IMAGE_START}<image:loc>{escaped(image)}</image:loc>{_IMAGE_END}"
    element = f"{text}</url>\n".encode()
    return indented(element, indent) if indent else element


def sitemap_element(url: str, lastmod: DateOrDatetime | None, how: Format) -> bytes:
    """Return `<sitemap>` and its children, one line: an index's entry for one part."""
    text = f"<sitemap><loc>{escaped(url)}</loc>"
    if lastmod is not None:
        text += f"<lastmod>{format_date(lastmod, how)}</lastmod>"
    return f"{text}</sitemap>\n".encode()


def indented(element: bytes, spaces: int) -> bytes:
    r"""Return an element of this module with each child on a line of its own.

    >>> indented(b"<url><loc>https://example.com/</loc></url>\n", 2).splitlines()
    [b'  <url>', b'    <loc>https://example.com/</loc>', b'  </url>']
    """
    if not spaces:
        return element
    step = b" " * spaces
    # Every "<" in a text is escaped, so that these two stand between elements alone.
    lines = element.replace(b"><", b">\n" + 2 * step + b"<")
    # An image has one child, and stays on one line with it.
    start_tag = _IMAGE_START.encode()
    end_tag = _IMAGE_END.encode()
    line_end = b"\n" + 2 * step
    lines = lines.replace(start_tag + line_end, start_tag)
    lines = lines.replace(line_end + end_tag, end_tag)
    start, end = lines.rsplit(2 * step + b"</", maxsplit=1)
    return step + start + step + b"</" + end


def unescaped(text: str) -> str:
    """Return a text of XML as it was before this module wrote it.

    Other references remain.
    """
    for character, entity in reversed(_ENTITIES.items()):
        text = text.replace(entity, character)
    return text


def escaped(text: str) -> str:
    """Return a text as it stands in XML or HTML, between tags or in quotes."""
    return _SPECIAL.sub(lambda found: _ENTITIES[found[0]], text)
