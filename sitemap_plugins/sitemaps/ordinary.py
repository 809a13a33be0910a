"""The entries of which nearly all sitemaps consist, read by one expression, not by a parser.

The expression matches only what any parser reads as it does. Other entries go to the parser, those
of one block together. If anything there is wrong, or not to be told from a block, the parser reads
the whole file anew: nobody else finds faults, or says where they are.
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
"""As many as the parser reads at once: of a file that was cut, both yield as much.

Twice as many hold no more lines than libxml2 counts, nor elements than one child may have.
"""

_END = b"</url>"
_LAST = b"</urlset>"

# UTF-8, up to the root's start tag; whether it is one, and what names mean in it, shows a probe.
_HEAD = re.compile(
    rb'(?:\xef\xbb\xbf)?(?:<\?xml version="1\.0"(?: encoding="(?i:utf-8)")?\s*\?>)?'
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
"""What matches an entry where the document does not know links, and where it does."""
_VALUES = re.compile(r'"([^"]*+)"[^"]*+"([^"]*+)"[^"]*+"([^"]*+)"')
"""Those of a link that matched."""
_QUOTES = {"&quot;": '"', "&apos;": "'"}


class _UnclearError(Exception):
    """Only a parser that reads the whole file can tell what this is."""


def read_quickly(stream: SitemapStream) -> Iterator[Root | Element]:
    """Yield what `read_sitemap` yields, and raise what it raises, in a fraction of its time.

    One thing is better: beyond line 65,535, where libxml2 does not know in which line an element of
    several lines begins.
    """
    done, beginning = 0, stream.read(_BLOCK_BYTES)
    try:
        for block in _blocks(beginning, stream):
            yield from block
            done += len(block)
    except (_UnclearError, FileError):
        stream.rewind()
        yield from islice(read_sitemap(stream), done, None)


def _blocks(beginning: bytes, stream: SitemapStream) -> Iterator[list[Root] | list[Element]]:
    found = _HEAD.match(beginning)
    if not found:
        raise _UnclearError
    head, rest = found[0], beginning[found.end() :]
    has_links = _PREFIX in head
    link = b"<xhtml:link/>" if has_links else b""
    root, *probe = read_sitemap(io.BytesIO(head + b"<url><loc>-</loc>" + link + _END + _LAST))
    line = 1 + head.count(b"\n")
    known = (LanguageLink("", "", ""),) * has_links
    if not isinstance(root, Root) or probe != [Element("url", line, (("loc", "-"),), known)]:
        raise _UnclearError
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
            raise _UnclearError
        more = stream.read(_BLOCK_BYTES)
        rest += more
    yield _parsed(head, rest, line)


def _plain(text: str, line: int, entry: re.Pattern[str]) -> tuple[list[Element], int, int]:
    """Return the entries up to the first other one, where that begins, and in which line."""
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
    """Return what a parser makes of the end of a document whose `children` begin in a line."""
    moved = line - 1 - head.count(b"\n")
    found = islice(read_sitemap(io.BytesIO(head + children)), 1, None)
    return [each._replace(line=each.line + moved) for each in found if isinstance(each, Element)]
