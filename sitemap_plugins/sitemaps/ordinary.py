"""The entries of which nearly all sitemaps consist, read by one expression instead of a parser.

The expression matches only what every parser reads alike. From the first other entry of a block on,
the parser reads the block. If it finds an error, or a block does not show what is in it, the parser
reads the whole file again: only the parser finds errors, and tells their lines.
"""

from __future__ import annotations

import io
import re
from itertools import islice
from typing import TYPE_CHECKING
from xml.sax.saxutils import unescape

from sitemap_plugins.core.errors import FileError
from sitemap_plugins.core.files.read import Element, LanguageLink, Root, read_sitemap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemap_plugins.core.files.read import SitemapStream

__all__ = ["read_quickly"]

_BLOCK_BYTES = 32 * 1024
"""As the parser reads: both yield the same of a file that was cut off.

Twice as many contain fewer elements than one child may have, and no more lines than libxml2 counts.
"""

_END = b"</url>"
_LAST = b"</urlset>"

# The beginning of a file in UTF-8. A probe shows whether this is the root, and what names mean.
_HEAD = re.compile(
    rb'(?:\xef\xbb\xbf)?+(?:<\?xml version="1\.0"(?: encoding="(?i:utf-8)")?\s*\?>)?'
    rb"(?!<\?xml\s)[^\0]{0,3000}?<urlset\b[^>]{0,1000}>"
)
_PREFIX = b"xmlns:xhtml="

# Possessive throughout: linear. ASCII without white space and without what is special in XML.
_SPACE = r"[ \t\r\n]*+"
_REFERENCE = r"&(?:amp|lt|gt|quot|apos);"
_TEXT = rf"[!-%'-;=?-~]++(?:{_REFERENCE}[!-%'-;=?-~]*+)*+"
_VALUE = rf"[!#-%'-;=?-~]*+(?:{_REFERENCE}[!#-%'-;=?-~]*+)*+"
_LINK = rf"""<xhtml:link rel="{_VALUE}" hreflang="{_VALUE}" href="{_VALUE}" ?/>{_SPACE}"""
_ENTRY = f"<url>{_SPACE}<loc>{_SPACE}({_TEXT}){_SPACE}</loc>{_SPACE}" + "".join(
    rf"(?:<{name}>{_SPACE}([!-%'-;=?-~]++){_SPACE}</{name}>{_SPACE})?+"
    for name in ("lastmod", "changefreq", "priority")
)
_ENTRIES = [re.compile(f"{_ENTRY}({links})</url>{_SPACE}") for links in ("", f"(?:{_LINK})*+")]
"""An entry in a file that declares no prefix for links, and in one that does."""
_VALUES = re.compile(r'"([^"]*+)"[^"]*+"([^"]*+)"[^"]*+"([^"]*+)"')
"""The values of a link in an entry that matched."""
_QUOTES = {"&quot;": '"', "&apos;": "'"}


def read_quickly(stream: SitemapStream) -> Iterator[Root | Element]:
    """Yield what `read_sitemap` yields, and raise what it raises, in a fraction of its time.

    One thing is better: the lines after 65,535, where libxml2 is wrong about an element of several
    lines.
    """
    done, beginning = 0, stream.read(_BLOCK_BYTES)
    try:
        for block in _blocks(beginning, stream):
            yield from block
            done += len(block)
    except FileError:
        stream.rewind()
        yield from islice(read_sitemap(stream), done, None)


def _blocks(beginning: bytes, stream: SitemapStream) -> Iterator[list[Root] | list[Element]]:
    found = _HEAD.match(beginning)
    if not found:
        raise _unclear()
    head, rest = found[0], beginning[found.end() :]
    has_links = _PREFIX in head
    link = b"<xhtml:link/>" if has_links else b""
    root, *probe = read_sitemap(io.BytesIO(head + b"<url><loc>-</loc>" + link + _END + _LAST))
    line = 1 + head.count(b"\n")
    known = (LanguageLink("", "", ""),) * has_links
    if not isinstance(root, Root) or probe != [Element("url", line, (("loc", "-"),), known)]:
        raise _unclear()
    yield [root]
    entry = _ENTRIES[has_links]
    more = rest
    while more:
        end = rest.rfind(_END) + len(_END)
        if end >= len(_END):
            text = rest[:end].decode("latin-1")
            elements, position, next_line = _plain(text, line, entry)
            yield elements
            if position < end:
                yield _parsed(head, rest[position:end] + _LAST, next_line)
            line += text.count("\n")
            rest = rest[end:]
        elif len(rest) > _BLOCK_BYTES:
            raise _unclear()
        more = stream.read(_BLOCK_BYTES)
        rest += more
    yield _parsed(head, rest, line)


def _unclear() -> FileError:
    """Return an error that nobody sees: the parser reads the file."""
    return FileError("it is not ordinary", cure="read it with a parser")


def _plain(text: str, line: int, entry: re.Pattern[str]) -> tuple[list[Element], int, int]:
    """Return the entries before the first other one, and the place and line of that one."""
    elements = []
    position = len(text) - len(text.lstrip(" \t\r\n"))
    line += text.count("\n", 0, position)
    while found := entry.match(text, position):
        loc, lastmod, changefreq, priority, linked = found.groups()
        if "&" in loc:
            loc = unescape(loc, _QUOTES)
        fields: tuple[tuple[str, str], ...] = (("loc", loc),)
        if lastmod is not None:
            fields = (("loc", loc), ("lastmod", lastmod))
        if changefreq is not None:
            fields = (*fields, ("changefreq", changefreq))
        if priority is not None:
            fields = (*fields, ("priority", priority))
        elements.append(Element("url", line, fields, _links(linked) if linked else ()))
        end = found.end()
        line += text.count("\n", position, end)
        position = end
    return elements, position, line


def _links(text: str) -> tuple[LanguageLink, ...]:
    links = [LanguageLink(*values) for values in _VALUES.findall(text)]
    if "&" in text:
        links = [LanguageLink(*(unescape(value, _QUOTES) for value in link)) for link in links]
    return tuple(links)


def _parsed(head: bytes, children: bytes, line: int) -> list[Element]:
    """Return the elements in the rest of a document, `children`, which begins in a line."""
    moved = line - 1 - head.count(b"\n")
    found = islice(read_sitemap(io.BytesIO(head + children)), 1, None)
    return [each._replace(line=each.line + moved) for each in found if isinstance(each, Element)]
