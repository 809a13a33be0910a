"""One sitemap file → what it lists, one element in memory at a time.

A sitemap is XML, or a text file with one URL in each line (sitemaps.org, protocol, "Text file").
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from sitemap_plugins.core.files.read import Element, Root, read_sitemap, refuse_html
from sitemap_plugins.core.limits import SITEMAP_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemap_plugins.core.files.read import SitemapStream
    from sitemap_plugins.sitemaps.locations import Location

__all__ = ["read", "read_stream"]

_BLOCK_BYTES = 64 * 1024
_LINE_BYTES = 16 * 1024
"""Bytes of one line of a text sitemap; longer lines are not URLs."""


def read(location: Location) -> Iterator[Root | Element]:
    """Yield the root of the sitemap at a location, then each of its children; lazy.

    Raises:
        SitemapError: It cannot be read to its end.
    """
    with location.open() as stream:
        yield from read_stream(stream, location.name)


def read_stream(stream: SitemapStream, name: str) -> Iterator[Root | Element]:
    """Yield the root of a sitemap, then each of its children; lazy.

    A text sitemap, recognized by its `name`, has the elements that the same URLs in XML would
    have. A wrong namespace of the root is one fault: its children are named as in the right one.

    Raises:
        FileError: It cannot be read to its end.
    """
    is_text = name.lower().partition("?")[0].removesuffix(".gz").endswith(".txt")
    elements = _lines(stream) if is_text else read_sitemap(stream)
    root = next(elements, None)
    if root is None:
        return
    yield root
    if not isinstance(root, Root) or root.namespace in {"", SITEMAP_NAMESPACE}:
        yield from elements
        return
    prefix = f"{{{root.namespace}}}"
    for element in elements:
        if isinstance(element, Element):
            fields = tuple((name.removeprefix(prefix), text) for name, text in element.fields)
            yield element._replace(name=element.name.removeprefix(prefix), fields=fields)


def _lines(stream: SitemapStream) -> Iterator[Root | Element]:
    """Yield the lines as if the same URLs were listed in XML."""
    yield Root(name="urlset", namespace=SITEMAP_NAMESPACE, line=1)
    for number, line in enumerate(_split(stream), 1):
        if text := line.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").strip():
            yield Element("url", number, (("loc", text),))


def _split(stream: SitemapStream) -> Iterator[bytes]:
    rest = b""
    while block := stream.read(_BLOCK_BYTES):
        if stream.size == len(block):  # The first one.
            refuse_html(block)
        # A line without an end would be kept, and searched, time and again.
        *lines, rest = (rest[:_LINE_BYTES] + block).split(b"\n")
        yield from lines
    yield rest
