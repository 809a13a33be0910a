"""Read what a built page says about itself: robots, refresh, canonical.

The tags of the head are found in the bytes (`core/head.py`), and only those few that may matter
are given to lxml, whose HTML parser is not the one browsers have: it reads `<noscript>` and
`<template>`, ends no head, and guesses encodings. This module writes nothing.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from lxml import etree

from sitemap_plugins.core import head
from sitemap_plugins.core.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["Markup", "read", "read_file", "says_noindex"]

FIRST_BYTES = 32 * 1024
"""Bytes of a file read at first: nearly every head ends within them."""

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of a file read at most, where the head does not end: inline scripts take megabytes."""

MOST_TAG_BYTES = 64 * 1024
"""Bytes of a tag that counts: no URL is so long, and libxml2 refuses values of 10 MB."""

# HTML standard, "shared declarative refresh steps": a time, a separator, `url=` or not, and the
# address, bare or in quotes that need not be closed.
_REFRESH = re.compile(
    r"\s*+(?:\d++|(?=\.))[\d.]*+(?=[;,\s]|\Z)\s*+[;,]?\s*+(?:url\s*+=\s*+)?"
    r"""(?:"([^"]*)|'([^']*)|(.*))""",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_SPACE = "\t\n\f\r "  # HTML's; Python counts more.
_SPACES = re.compile(f"[{_SPACE}]+")
_COLON = re.compile(r"\s*:\s*")
_BETWEEN_WORDS = re.compile(r"[,\s]+")
_CHARSET = re.compile(rb"""charset[\t\n\f\r ]*=[\t\n\f\r ]*["']?([\w:.-]+)""", re.IGNORECASE)
# The labels of https://encoding.spec.whatwg.org/ that Python knows by the same name, and the
# encodings that a label stands for there. Others of Python's codecs unpack archives.
_ENCODING = re.compile(
    r"utf-?8|windows-125[0-8]|windows-874|iso-?8859-(?:[2-8]|1[03-6])|koi8-[ru]|gb18030|big5"
    r"|euc-jp|euc-kr|shift_jis|iso-2022-jp|ibm866"
)
_STANDS_FOR = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "latin1": "cp1252",
    "iso-8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "gbk": "gb18030",
    "gb2312": "gb18030",
    "macintosh": "mac_roman",
    "x-sjis": "cp932",
}
_ROBOTS = frozenset({"robots", "googlebot"})
_NOT_INDEXED = frozenset({"noindex", "none"})
_PARSER = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What a built page says about itself in its head."""

    noindex: bool = False
    """Whether robots or googlebot are told `noindex` or `none`."""

    refresh: str | None = None
    """Target of the first `<meta http-equiv=refresh>` as written; empty for the page itself."""

    canonical: str | None = None
    """Address in the first `<link rel=canonical>` that has one, as written."""

    base: str | None = None
    """Address in the first `<base>` that has one, as written: what the others are relative to."""

    def canonical_url(self, page_url: str) -> str | None:
        """Return the absolute canonical URL, raw or encoded as written; None without one."""
        return self._resolved(self.canonical, page_url)

    def refresh_url(self, page_url: str) -> str | None:
        """Return the absolute URL, as written, that readers are sent to; None without one."""
        return self._resolved(self.refresh, page_url) if self.refresh else None

    def _resolved(self, address: str | None, page_url: str) -> str | None:
        if address is None:
            return None
        try:
            return urljoin(urljoin(page_url, self.base or ""), address)
        except ValueError:  # No URL, such as `http://[`: it says nothing.
            return None


def read(html: bytes) -> Markup:
    """Read a page from its bytes, whole or at least its head.

    Robots and refresh count up to `</head>` as written, as their author meant them to; canonical
    and base only where browsers see a head. "Google ignores any elements that appear after the
    invalid element" (https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata),
    but to leave out a page that says noindex does no harm.

    Raises:
        PageError: libxml2 cannot read the tags.
    """
    return _said(*_scan(html))


def read_file(file: Path) -> Markup:
    """Read a page from its file, as far as its head goes.

    Raises:
        PageError: The file cannot be read, or as `read`.
    """
    try:
        with file.open("rb", buffering=0) as stream:
            html = stream.read(FIRST_BYTES)
            found, encoding = _scan(html)
            # Twice as much each time: the bytes read again are fewer than those of the head.
            while not found.ended and len(html) < MOST_BYTES and (more := stream.read(len(html))):
                html += more
                found, encoding = _scan(html)
    except OSError as error:
        msg = f"{str(file)!r} cannot be read ({error.strerror}): check the built page"
        raise PageError(msg) from None
    return _said(found, encoding)


def says_noindex(content: str) -> bool:
    """Tell whether the content of a robots meta tag has the token `noindex` or `none`, any case.

    Google, robots meta tags: "none: equivalent to noindex, nofollow".

    >>> says_noindex("max-image-preview: none, NOINDEX"), says_noindex("max-image-preview: none")
    (True, False)
    """
    # Values such as `max-image-preview: none` are one word each.
    words = _BETWEEN_WORDS.split(_COLON.sub(":", content.strip().lower()))
    return not _NOT_INDEXED.isdisjoint(words)


def _scan(html: bytes) -> tuple[head.Head, str]:
    """Find the tags in a page of any encoding; their encoding where it is beyond doubt, or ""."""
    if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.scan(html.decode("utf-16", "replace").encode()), "utf-8"
    if html.startswith(codecs.BOM_UTF8):
        return head.scan(html.removeprefix(codecs.BOM_UTF8)), "utf-8"
    found = head.scan(html)
    # The one encoding of the web in which the byte of "<" may be half a letter.
    if b"\x1b" in html and _declared(found.tags) == "iso-2022-jp":
        return head.scan(html.decode("iso-2022-jp", "replace").encode()), "utf-8"
    return found, ""


def _said(found: head.Head, encoding: str) -> Markup:
    """Return what the tags say."""
    tags = [tag.markup for tag in found.tags if _may_matter(tag)]
    if not tags:
        return Markup()
    markup = b"".join(tags).replace(b"\0", b"\xef\xbf\xbd")  # As the HTML standard does.
    if not markup.isascii():
        markup = _decoded(markup, encoding or _declared(found.tags)).encode()
    try:
        elements = list(etree.fromstring(markup, _PARSER).iter("meta", "link", "base"))
    except (etree.LxmlError, AttributeError) as error:
        msg = f"{markup[:60]!r} cannot be read as HTML ({error}): correct the page's head"
        raise PageError(msg) from None
    return Markup(
        noindex=any(_is_noindex(e.attrib) for e in elements if e.tag == "meta"),
        refresh=_first(_refresh(e.attrib) for e in elements if e.tag == "meta"),
        canonical=_first(_canonical(e.attrib) for e in elements if e.tag == "link"),
        base=_first(_address(e.attrib) for e in elements if e.tag == "base"),
    )


def _may_matter(tag: head.Tag) -> bool:
    """Tell from its bytes whether a tag must be parsed: nearly all others need not be."""
    if (tag.stray and tag.name != b"meta") or len(tag.markup) > MOST_TAG_BYTES:
        return False
    markup = tag.markup.lower()
    if tag.name == b"meta":
        named = b"robots" in markup or b"googlebot" in markup or b"refresh" in markup
    else:
        named = b"canonical" in markup or tag.name == b"base"
    return named or b"&#" in markup  # A character reference can spell any of these.


def _declared(tags: Iterable[head.Tag]) -> str:
    """Return the encoding that the first `<meta>` with a charset declares; empty for none."""
    declared = (_CHARSET.search(tag.markup) for tag in tags if tag.name == b"meta")
    label = next((found[1].decode("ascii").lower() for found in declared if found), "")
    return label if _ENCODING.fullmatch(label) else _STANDS_FOR.get(label, "")


def _decoded(markup: bytes, encoding: str) -> str:
    """Decode; without an encoding as UTF-8 where it is that, and else as Windows-1252."""
    if encoding:
        return markup.decode(encoding, "replace")
    try:
        return markup.decode()
    except UnicodeDecodeError:
        return markup.decode("cp1252", "replace")


def _is_noindex(attributes: Mapping[str, str]) -> bool:
    if attributes.get("name", "").strip().lower() not in _ROBOTS:
        return False
    return says_noindex(attributes.get("content", ""))


def _refresh(attributes: Mapping[str, str]) -> str | None:
    if attributes.get("http-equiv", "").lower() != "refresh":
        return None
    if not (found := _REFRESH.match(attributes.get("content", ""))):
        return None
    return next(group for group in found.groups() if group is not None).strip(_SPACE)


def _canonical(attributes: Mapping[str, str]) -> str | None:
    relations = _SPACES.split(attributes.get("rel", "").lower())
    return _address(attributes) if "canonical" in relations else None


def _address(attributes: Mapping[str, str]) -> str | None:
    return attributes.get("href", "").strip(_SPACE) or None


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
