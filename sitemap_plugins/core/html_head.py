"""Read what a built page says about itself in its head: robots, refresh, canonical, alternates.

A refresh counts in the body too, as it does in browsers. Bodies are parsed only if they hold the
bytes of one.

The parser is Lexbor (selectolax), which follows the HTML standard: a head begins and ends where
browsers see it. Scripting counts as on, as it is where search engines render, so that `<noscript>`
holds text. This module writes nothing.

Lexbor's time grows with the square of a tag's attributes and of the depth of elements. Therefore it
never gets more than `CHUNK_BYTES + MAX_HEAD_BYTES` at once: a longer head is read in pieces.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from sitemap_plugins.core import html_text, urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.html_page import HtmlPage, read_bytes
from sitemap_plugins.core.robots_tag import says_noindex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from selectolax.lexbor import LexborNode

    Attributes = Mapping[str, str | None]

__all__ = ["HeadMeta", "read", "read_file"]

CHUNK_BYTES = 8 * 1024
"""Bytes of a page read at a time: the longest head of 4,402 real pages has 11,074."""

MAX_BYTES = 1024 * 1024
"""Bytes of a page read at most, if long scripts or styles stand in its head."""

MAX_HEAD_BYTES = 8 * 1024
"""Bytes of a head, without its long scripts and styles, after which it is read in pieces."""

MAX_ATTRIBUTES = 100
"""Attributes of one tag after which no more is read."""

MAX_IN_TEMPLATE = 400
"""Tags and attributes in one `<template>` after which no more is read: its elements can nest."""

# HTML standard, "shared declarative refresh steps": a time, a separator, `url=` or not, and the
# address, bare or in quotes that need not be closed.
_REFRESH = re.compile(
    r"\s*+(?:\d++|(?=\.))[\d.]*+(?=[;,\s]|\Z)\s*+[;,]?\s*+(?:url\s*+=\s*+)?"
    r"""(?:"([^"]*)|'([^']*)|(.*))""",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
# Every refresh, and nothing that is in most pages; the value's letters can be escaped.
_MAY_REFRESH = re.compile(rb"""-equiv\s*+=\s*+["']?[r&]""", re.IGNORECASE)
_SPACE = "\t\n\f\r "  # HTML's; Python counts more.
_HEAD_END = re.compile(rb"</head|<body", re.IGNORECASE)  # As the author wrote it.
# An icon as a `data:` URL takes tens of kilobytes; no canonical URL holds as long a run.
_LONG_RUN = re.compile(rb"(?<![A-Za-z0-9+/%])[A-Za-z0-9+/%]{4096,}+")
_TAG = re.compile(rb"<(?:base|link|meta|noscript|script|style|title|!--)", re.IGNORECASE)
_MARK = "end-of-head"  # An attribute that no page has.
_ROBOTS = frozenset({"robots", "googlebot"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMeta:
    """What a built page says about itself in its head, and whether its body refreshes."""

    noindex: bool = False
    """Whether robots or googlebot are told `noindex` or `none`."""

    refresh: str | None = None
    """Target of the first `<meta http-equiv=refresh>` as written; empty for the page itself.

    It may be in the body, but not in a `<template>` or in text, such as a script's. One in a
    `<noscript>` of the head counts if a script of the page has the same address in quotes: then
    readers are sent there with scripts and without.
    """

    canonical: str | None = None
    """Address in the first `<link rel=canonical>` that has one, as written."""

    other_canonicals: tuple[str, ...] = ()
    """Other addresses in further links of that kind, as written, in their order."""

    base: str | None = None
    """Address in the first `<base>` that has one, as written: what the others are relative to."""

    alternates: tuple[tuple[str, str], ...] = ()
    """Language and address of each `<link rel=alternate hreflang>`, as written, in their order."""

    generator: str | None = None
    """The program that the first `<meta name=generator>` names."""

    is_whole: bool = True
    """Whether all of this was read; False where it is too long or would take too long."""

    def canonical_url(self, page_url: str) -> str | None:
        """Return the absolute canonical URL, raw or encoded as written; None without one."""
        return self._resolved(self.canonical, page_url)

    def canonical_urls(self, page_url: str) -> tuple[str, ...]:
        """Return the absolute URLs of all canonical links, each once in whatever spelling."""
        found: dict[str, str] = {}
        for address in (self.canonical, *self.other_canonicals):
            if url := self._resolved(address, page_url):
                found.setdefault(urls.identity(url), url)
        return tuple(found.values())

    def refresh_url(self, page_url: str) -> str | None:
        """Return the absolute URL, as written, that readers are sent to; None without one."""
        return self._resolved(self.refresh, page_url)

    def _resolved(self, address: str | None, page_url: str) -> str | None:
        # What is no URL, such as `http://[`, says nothing.
        return urls.resolve(address, page_url, self.base or "") or None if address else None


def read(html: bytes) -> HeadMeta:
    """Read a page from its bytes.

    Canonical and base count only where browsers see a head. Robots and refresh count up to
    `</head>` or `<body>` as written too, where a stray tag has ended the head before. "Google
    ignores any elements that appear after the invalid element"
    (https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata), but to leave
    out a page that says noindex does no harm.
    """
    head = _read_head(io.BytesIO(html))
    if head.refresh is not None or not _MAY_REFRESH.search(html):
        return head
    try:
        page = HtmlPage(html, scripting=True)
    except PageError:
        return replace(head, is_whole=False)
    contents = page.values('meta[http-equiv="refresh" i]', "content")
    return replace(head, refresh=_first(map(_target, contents)))


def read_file(file: Path) -> HeadMeta:
    """Read a page from its file; otherwise as `read`.

    Raises:
        PageError: The file cannot be read.
    """
    return read(read_bytes(file))


def _read_head(stream: BinaryIO) -> HeadMeta:
    html = stream.read(CHUNK_BYTES)
    tree = _parse_head(html)
    unread = MAX_BYTES - CHUNK_BYTES
    said: list[HeadMeta] = []
    while not _has_ended(tree) and (more := stream.read(CHUNK_BYTES)):
        html = _without_long_texts(html, tree)
        if len(html) > MAX_HEAD_BYTES and (place := _between_tags(html)):
            said.append(_meta(_parse(html[:place]), html[:place]))
            html = html_text.declaration(html) + html[place:]
        if unread <= 0 or len(html) > MAX_HEAD_BYTES or not _is_plain(tree):
            said.append(HeadMeta(is_whole=False))
            break
        html += more
        unread -= len(more)
        tree = _parse_head(html)
    last = _meta(tree, html)
    return _joined([*said, last]) if said else last


def _between_tags(html: bytes) -> int:
    """Return where a head without end can be cut in two: before one of its last tags; 0 for none.

    What looks like a tag can be part of a script or a comment.
    """
    places = [found.start() for found in _TAG.finditer(html, len(html) // 2)]
    for place in places[:-4:-1]:
        tree = _parse(html[:place] + b"<meta %b>" % _MARK.encode())
        last = tree.head.last_child if tree.head else None
        # Another attribute would be of a tag that began before.
        if last is not None and last.tag == "meta" and [*last.attributes] == [_MARK]:
            return place
    return 0


def _joined(parts: Sequence[HeadMeta]) -> HeadMeta:
    """Return what the pieces of a head say together, in their order."""
    addresses = (a for part in parts for a in (part.canonical, *part.other_canonicals))
    canonicals = dict.fromkeys(filter(None, addresses))
    return HeadMeta(
        noindex=any(part.noindex for part in parts),
        refresh=_first(part.refresh for part in parts),
        canonical=_first(canonicals),
        other_canonicals=tuple(canonicals)[1:],
        base=_first(part.base for part in parts),
        alternates=tuple(pair for part in parts for pair in part.alternates),
        generator=_first(part.generator for part in parts),
        is_whole=all(part.is_whole for part in parts),
    )


def _parse_head(html: bytes) -> LexborHTMLParser:
    """Parse the beginning of a page, no further than `<body>` where that is a tag and not text."""
    before, found, _ = html.partition(b"<body")
    if found:
        tree = _parse(before + b"<body %b>" % _MARK.encode())
        if tree.body and _MARK in tree.body.attrs:
            return tree
    return _parse(html)


def _parse(html: bytes) -> LexborHTMLParser:
    # At the end of a document "<" and "</" are text, which would begin the body.
    return _parse_text(html_text.decode(html).rstrip("</"))


def _parse_text(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(html, scripting=True, options=LexborDocumentOptions.WO_EVENTS)


def _has_ended(tree: LexborHTMLParser) -> bool:
    """Tell whether the head ends in what was parsed: its body, or a frameset, has begun."""
    body = tree.body
    return body is None or body.first_child is not None or len(body.attrs) > 0


def _without_long_texts(html: bytes, tree: LexborHTMLParser) -> bytes:
    """Return the beginning of a page without the long texts and URLs with data in its head.

    The last bytes of scripts and styles stay, with which an end tag may begin. Scripts with a
    comment stay whole: it says where they end.
    """
    elements = _by_tag(tree)
    for element in elements["script"] + elements["style"]:
        text = element.text().encode()
        if len(text) > 1024 and b"<!--" not in text:
            html = html.replace(text[:-16], b"")
    return _LONG_RUN.sub(b"", html)


def _is_plain(tree: LexborHTMLParser) -> bool:
    """Tell whether a head holds nothing that takes long to parse, time and again.

    Only its text shows what is in a template; Starlight's has the icons of its themes.
    """
    templates = (template.html or "" for template in tree.css("template"))
    return all(len(element.attrs) <= MAX_ATTRIBUTES for element in tree.css("*")) and all(
        text.count("<") + text.count("=") <= MAX_IN_TEMPLATE for text in templates
    )


def _meta(tree: LexborHTMLParser, html: bytes) -> HeadMeta:
    elements = _by_tag(tree)
    metas = [meta.attributes for meta in elements["meta"] + _stray_metas(tree, html)]
    refresh = _first(map(_refresh, metas))
    if refresh is None and elements["noscript"]:
        refresh = _refresh_without_scripts(elements["noscript"], html)
    links = [(_relations(link.attributes), link.attributes) for link in elements["link"]]
    named = (_address(link) for kinds, link in links if "canonical" in kinds)
    canonicals = tuple(dict.fromkeys(filter(None, named)))
    return HeadMeta(
        noindex=any(map(_is_noindex, metas)),
        refresh=refresh,
        canonical=_first(canonicals),
        other_canonicals=canonicals[1:],
        base=_first(_address(base.attributes) for base in elements["base"]),
        alternates=tuple(
            (language, address)
            for kinds, link in links
            if "alternate" in kinds
            and (language := _value(link, "hreflang"))
            and (address := _address(link))
        ),
        generator=_first(map(_generator, metas)),
    )


def _by_tag(tree: LexborHTMLParser) -> defaultdict[str | None, list[LexborNode]]:
    """Return the elements of the head by their names, each list in the order of the page."""
    elements = defaultdict(list)
    for element in tree.head.iter() if tree.head else ():
        elements[element.tag].append(element)
    return elements


def _stray_metas(tree: LexborHTMLParser, html: bytes) -> list[LexborNode]:
    """Return the `<meta>` tags before the head's end as written, if the body has any."""
    body = tree.body
    if body is None or body.first_child is None or body.css_first("meta") is None:
        return []
    metas = _parse(_HEAD_END.sub(rb"<meta %b>\g<0>" % _MARK.encode(), html)).css("meta")
    end = next((number for number, meta in enumerate(metas) if _MARK in meta.attrs), 0)
    return metas[:end]


def _refresh_without_scripts(noscripts: list[LexborNode], html: bytes) -> str | None:
    """Return the first refresh in `<noscript>` whose address a script has, too."""
    text = "".join(noscript.text() for noscript in noscripts)
    if "refresh" not in text.lower():
        return None
    addresses = [_refresh(meta.attributes) for meta in _parse_text(text).css("meta")]
    scripts = "".join(script.text() for script in _parse(html).css("script")).replace("\\/", "/")
    return _first(a for a in addresses if a and any(q + a + q in scripts for q in "\"'`"))


def _is_noindex(attributes: Attributes) -> bool:
    name = (attributes.get("name") or "").strip().lower()
    return name in _ROBOTS and says_noindex(attributes.get("content") or "")


def _refresh(attributes: Attributes) -> str | None:
    if (attributes.get("http-equiv") or "").lower() != "refresh":
        return None
    return _target(attributes.get("content") or "")


def _target(content: str) -> str | None:
    """Return the address in the content of a refresh; None where it is not valid."""
    if not (found := _REFRESH.match(content)):
        return None
    return next(group for group in found.groups() if group is not None).strip(_SPACE)


def _generator(attributes: Attributes) -> str | None:
    name = (attributes.get("name") or "").strip().lower()
    return _value(attributes, "content") if name == "generator" else None


def _relations(attributes: Attributes) -> list[str]:
    return (attributes.get("rel") or "").lower().split()


def _address(attributes: Attributes) -> str | None:
    return _value(attributes, "href")


def _value(attributes: Attributes, name: str) -> str | None:
    return (attributes.get(name) or "").strip(_SPACE) or None


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
