"""Put one tag into the head of a built page, and change nothing else.

A parser that writes a page anew would change all of it. So the tag's place is found in the bytes,
by rules that can only fail to find it, and what was written is read again as crawlers read it: the
head must say what it said before, except for that tag. Otherwise the page is left alone. This
module writes no file.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from sitemap_plugins.core.html.head import read_head
from sitemap_plugins.core.html.page import declared_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemap_plugins.core.html.head import HeadMeta

__all__ = ["with_canonical", "with_noindex"]

_SPACE = r"[\t\n\f\r ]"
# HTML standard, "Tokenization": a tag ends at the first ">" outside of quoted values.
_ATTRIBUTES = (
    rf"""(?:{_SPACE}|/(?!>)|[^\t\n\f\r />"'=<]++(?:{_SPACE}*+={_SPACE}*+"""
    r"""(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r "'=<>`]++))?+)*+"""
)
_COMMENT = r"<!--(?!-?>)(?:(?!--!?>).)*+-->"
# Nothing else can stand before a written `<head>`: any other tag or text begins the head itself.
_HEAD = re.compile(
    rf"(?:\ufeff|\xef\xbb\xbf)?(?:{_SPACE}|{_COMMENT}|<!doctype{_SPACE}[^>]*+>"
    rf"|<html(?={_SPACE}|>){_ATTRIBUTES}>)*+<head(?={_SPACE}|>){_ATTRIBUTES}>",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_LINK = re.compile(rf"<link(?={_SPACE}|/){_ATTRIBUTES}/?>", re.IGNORECASE | re.DOTALL | re.ASCII)

_MOST_TRIED = 5
"""Tags tried as the canonical link: those in comments and scripts look like it."""


def with_canonical(html: bytes, url: str) -> bytes | None:
    """Return a page whose only canonical link is to a URL; None where that is not certain.

    The link takes the place of the one that the page has, or stands right after `<head>`. `url` is
    absolute and percent-encoded. A page that has it already is returned as it is.
    """
    head = read_head(html)
    wanted = replace(head, canonical=url, other_canonicals=())
    return _with_tag(html, f'<link rel="canonical" href="{escape(url)}" />', head, wanted)


def with_noindex(html: bytes) -> bytes | None:
    """Return a page with a robots tag that says noindex; None where that is not certain.

    It takes the place of a canonical link: search engines want one of the two.
    """
    head = read_head(html)
    wanted = replace(head, noindex=True, canonical=None, other_canonicals=())
    return _with_tag(html, '<meta name="robots" content="noindex" />', head, wanted)


def _with_tag(html: bytes, tag: str, head: HeadMeta, wanted: HeadMeta) -> bytes | None:
    if head == wanted:
        return html
    codec, encoding = _codec(html), declared_encoding(html)
    if encoding == "iso-2022-jp":  # There, the bytes of a tag can be other characters.
        return None
    try:
        # One character for each byte, or for two: every byte comes back as it was.
        text = html.decode(codec)
    except UnicodeDecodeError:
        return None
    for start, end in _places(text, has_canonical=head.canonical is not None):
        new = f"{text[:start]}{tag}{text[end:]}".encode(codec)
        if declared_encoding(new) == encoding and read_head(new) == wanted:
            return new
    return None


def _codec(html: bytes) -> str:
    if html.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    return "utf-16-be" if html.startswith(codecs.BOM_UTF16_BE) else "latin-1"


def _places(text: str, *, has_canonical: bool) -> Iterator[tuple[int, int]]:
    """Yield where the tag may belong: the span of an old link, or the end of `<head>`."""
    if has_canonical:
        links = (link for link in _LINK.finditer(text) if "canonical" in link[0].lower())
        yield from (link.span() for link in islice(links, _MOST_TRIED))
    elif found := _HEAD.match(text):
        yield found.end(), found.end()
