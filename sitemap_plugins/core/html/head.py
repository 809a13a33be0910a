"""Read what a built page says about itself in its head, and where it sends readers.

A refresh counts in the body too, as it does in browsers. Bodies are parsed only if they
contain the bytes of one.

The parser is Lexbor (selectolax), which follows the HTML standard: a head begins and
ends where browsers see it. Scripting counts as on, as it is where search engines
render, so that `<noscript>` holds text.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from sitemap_plugins.core import urls
from sitemap_plugins.core.html.document import (
    MAX_READ,
    HtmlPage,
    decode,
    in_tags,
    is_slow,
    read_bytes,
)
from sitemap_plugins.core.messages import PageError

Attributes = Mapping[str, str | None]

_NOT_INDEXED = frozenset({"noindex", "none"})
_BETWEEN_WORDS = re.compile(r"[,\s]+")
# In a header, rules may follow the name of a crawler and a colon; these rules have a
# colon too.
_WITH_VALUE = frozenset(
    {"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"}
)
_ALL_OR_GOOGLE = frozenset({"", "*", "robots", "googlebot"})


def says_noindex(content: str) -> bool:
    """Tell whether the content of a robots meta tag has `noindex` or `none`, any case.

    Google, robots meta tags: "none: equivalent to noindex, nofollow".

    >>> says_noindex("max-image-preview: none, NOINDEX")
    True
    >>> says_noindex("max-image-preview: none")
    False
    """
    # Values such as `max-image-preview: none` are one word each.
    joined = ":".join(part.strip() for part in content.lower().split(":"))
    return not _NOT_INDEXED.isdisjoint(_BETWEEN_WORDS.split(joined))


def header_says_noindex(value: str) -> bool:
    """Tell whether an X-Robots-Tag header forbids all crawlers, or Google's, to index.

    A crawler's name counts for what follows it, up to the next name.

    >>> header_says_noindex("noindex")
    True
    >>> header_says_noindex("otherbot: noindex, nofollow")
    False
    >>> header_says_noindex("unavailable_after: 25 Jun 2010 15:00 PST, googlebot: none")
    True
    """
    crawler = ""
    for item in value.split(","):
        before, colon, rule = item.partition(":")
        name = before.strip().lower()
        if colon and name not in _WITH_VALUE:
            crawler = name
        else:
            rule = item
        if crawler in _ALL_OR_GOOGLE and says_noindex(rule):
            return True
    return False


# Google, robots meta tag: a date "in a widely adopted format including … RFC 822,
# RFC 850, and ISO 8601". That of RFC 850 has a comma after the day of the week.
_UNAVAILABLE = re.compile(
    r"unavailable_after\s*:\s*((?:[a-z]+,\s*)?[^,]+)", re.IGNORECASE
)


def unavailable_after(content: str) -> str:
    """Return the date in a rule `unavailable_after`, as written; empty for none.

    `content` is that of a robots meta tag, or the header X-Robots-Tag.

    >>> unavailable_after("noarchive, unavailable_after: 25 Jun 2010 15:00:00 PST")
    '25 Jun 2010 15:00:00 PST'
    """
    found = _UNAVAILABLE.search(content)
    return found[1].strip() if found else ""


CHUNK_BYTES = 8 * 1024
"""Bytes of a page parsed first; four times as many until its head has ended."""

# HTML standard, "shared declarative refresh steps": a time, a separator, `url=` or not,
# and the address, bare or in quotes that need not be closed.
_REFRESH = re.compile(
    r"\s*+(?:\d++|(?=\.))[\d.]*+(?=[;,\s]|\Z)\s*+[;,]?\s*+(?:url\s*+=\s*+)?"
    r"""(?:"([^"]*)|'([^']*)|(.*))""",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
# Matches every refresh, and nothing that most pages have; the value's letters can be
# escaped.
_MAY_REFRESH = re.compile(rb"""-equiv\s*+=\s*+["']?[r&]""", re.IGNORECASE)
_SPACE = "\t\n\f\r "  # HTML's; Python counts more.
_HEAD_END = re.compile(r"</head|<body", re.IGNORECASE)  # As the author wrote it.
_MARK = "end-of-head"  # An attribute that no page has.
_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
_ROBOTS = frozenset({"robots", "googlebot"})


class HeadMeta(NamedTuple):
    """What a built page says about itself in its head, and where it sends readers."""

    noindex: bool = False
    """Whether a meta tag for robots or googlebot says `noindex` or `none`."""

    unavailable_after: str = ""
    """Until when such a tag lets crawlers show the page, as written; empty for ever."""

    refresh: str | None = None
    """Target of the first refresh as written; empty for the page itself.

    It may be in the body, but not in a `<template>` or in text, such as a script's. One
    in a `<noscript>` of the head counts if a script of the page has the same address in
    quotes: then readers are sent there with scripts and without.
    """

    canonical: str | None = None
    """Address in the first `<link rel=canonical>` that has one, as written."""

    other_canonicals: tuple[str, ...] = ()
    """Other addresses in further links of that kind, as written, in their order."""

    base: str | None = None
    """Address in the first `<base>` with one, as written; others are relative to it."""

    alternates: tuple[tuple[str, str], ...] = ()
    """Language and address of each alternate link, as written, in their order."""

    generator: str = ""
    """The program that the first `<meta name=generator>` names; empty for none."""

    is_whole: bool = True
    """Whether all of this was read; False where that would take too long."""

    def canonical_url(self, page_url: str) -> str:
        """Return the absolute canonical URL, encoded as written; empty without one."""
        return self._resolved(self.canonical, page_url)

    def canonical_urls(self, page_url: str) -> tuple[str, ...]:
        """Return the absolute URLs of all canonical links, each once."""
        found: dict[str, str] = {}
        for address in (self.canonical, *self.other_canonicals):
            if url := self._resolved(address, page_url):
                found.setdefault(urls.identity(url), url)
        return tuple(found.values())

    def refresh_url(self, page_url: str) -> str:
        """Return the absolute URL that readers are sent to; empty without one."""
        return self._resolved(self.refresh, page_url)

    def _resolved(self, address: str | None, page_url: str) -> str:
        # An invalid URL, such as `http://[`, counts as none.
        return urls.resolve(address, page_url, self.base or "") if address else ""


def read_head(html: bytes) -> HeadMeta:
    """Read a page from its bytes.

    Canonical and base count only where browsers see a head. Robots and refresh count up
    to `</head>` or `<body>` as written too, where a stray tag has ended the head
    before. "Google ignores any elements that appear after the invalid element"
    (https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata),
    but to leave out a page that says noindex does no harm.
    """
    if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        # What is searched for bytes has those of ASCII.
        html = codecs.BOM_UTF8 + decode(html).encode("utf-8", "replace")
    head = _read_written_head(html)
    if head.refresh is not None:
        return head
    places = [found.start() for found in _MAY_REFRESH.finditer(html)]
    if not places or not any(in_tags(places, html.lower())):  # Manuals show it as text.
        return head
    try:
        page = HtmlPage(html, scripting=True)
    except PageError:
        return head._replace(is_whole=False)
    contents = page.values('meta[http-equiv="refresh" i]', "content")
    return head._replace(refresh=_first(map(refresh_target, contents)))


def read_head_of(file: Path) -> HeadMeta:
    """Read a page from its file; otherwise as `read_head`.

    Raises:
        PageError: The file cannot be read.
    """
    return read_head(read_bytes(file))


def _read_written_head(html: bytes) -> HeadMeta:
    """Read the head from the beginning of a page.

    Four times as much of the page is parsed until the head has ended.
    """
    size = CHUNK_BYTES
    text = decode(html[:size])
    tree = _parse_head(text)
    while size < len(html) and not _is_read(tree, text, html[size:]):
        size *= 4
        longer = decode(html[:size])
        if is_slow(longer):
            return _meta(tree, text)._replace(is_whole=_has_ended(tree))
        text = longer
        tree = _parse_head(longer)
    is_whole = len(html) < MAX_READ or _has_ended(tree)
    return _meta(tree, text)._replace(is_whole=is_whole)


def _is_read(tree: LexborHTMLParser, html: str, rest: bytes) -> bool:
    """Tell whether nothing counts in the rest of a page whose beginning was parsed.

    Where a stray tag ended the head, robots and refresh count up to its written end.
    """
    if not _has_ended(tree):
        return False
    if tree.body is None or _MARK in tree.body.attrs:
        return True
    # A noscript's refresh counts if a script has its address.
    if tree.css_first("body meta, noscript") or b"<meta" in rest.lower():
        return bool(_before_written_end(html))
    return True


def _parse_head(html: str) -> LexborHTMLParser:
    """Parse the beginning of a page, up to `<body>` where that is a tag, not text."""
    before, found, _ = html.partition("<body")
    if found:
        tree = _parse(f"{before}<body {_MARK}>")
        if tree.body and _MARK in tree.body.attrs:
            return tree
    return _parse(html)


def _parse(html: str) -> LexborHTMLParser:
    # At the end of a document "<" and "</" are text, which would begin the body.
    html = html.rstrip("</")
    return LexborHTMLParser(
        html, scripting=True, options=LexborDocumentOptions.WO_EVENTS
    )


def _has_ended(tree: LexborHTMLParser) -> bool:
    """Tell whether the head ends in what was parsed: body or frameset has begun."""
    body = tree.body
    return body is None or body.first_child is not None or len(body.attrs) > 0


def _meta(tree: LexborHTMLParser, html: str) -> HeadMeta:
    elements: dict[str | None, list[LexborNode]] = defaultdict(list)
    if tree.head:
        for element in tree.head.iter():
            elements[element.tag].append(element)
    metas = [meta.attributes for meta in elements["meta"]]
    metas += [meta.attributes for meta in _stray_metas(tree, html)]
    links = [link.attributes for link in elements["link"]]
    refresh = _first(map(_refresh, metas))
    if refresh is None:
        refresh = _refresh_without_scripts(elements["noscript"], html)
    canonicals = tuple(dict.fromkeys(_canonicals(links)))
    bases = [base.attributes for base in elements["base"]]
    base = _first(_value(each, "href") for each in bases)
    # Long: each field by its name.
    return HeadMeta(
        noindex=any(map(_forbids, metas)),
        unavailable_after=_first(map(_unavailable_after, metas)) or "",
        refresh=refresh,
        canonical=_first(canonicals),
        other_canonicals=canonicals[1:],
        base=base,
        alternates=tuple(_alternates(links)),
        generator=_first(map(_generator, metas)) or "",
    )


def _forbids(meta: Attributes) -> bool:
    return _name(meta) in _ROBOTS and says_noindex(meta.get("content") or "")


def _unavailable_after(meta: Attributes) -> str | None:
    if _name(meta) not in _ROBOTS:
        return None
    return unavailable_after(meta.get("content") or "") or None


def _generator(meta: Attributes) -> str | None:
    return _value(meta, "content") if _name(meta) == "generator" else None


def _name(meta: Attributes) -> str:
    return (meta.get("name") or "").strip().lower()


def _canonicals(links: Iterable[Attributes]) -> Iterator[str]:
    for link in links:
        address = _value(link, "href")
        if address and "canonical" in _kinds(link):
            yield address


def _alternates(links: Iterable[Attributes]) -> Iterator[tuple[str, str]]:
    for link in links:
        language = _value(link, "hreflang")
        address = _value(link, "href")
        if not language or not address:
            continue
        if "alternate" in _kinds(link) and _is_to_a_page(link):
            yield language, address


def _is_to_a_page(link: Attributes) -> bool:
    """HTML, 4.6.7.1: an alternate of the type of RSS or Atom is a feed."""
    media_type = (_value(link, "type") or "").partition(";")[0]
    return media_type.strip().lower() in _PAGE_TYPES


def _kinds(link: Attributes) -> list[str]:
    return (link.get("rel") or "").lower().split()


def _stray_metas(tree: LexborHTMLParser, html: str) -> list[LexborNode]:
    """Return the `<meta>` tags before the head's written end, if the body has any."""
    body = tree.body
    if body is None or body.first_child is None or body.css_first("meta") is None:
        return []
    return _before_written_end(html)[:-1]


def _before_written_end(html: str) -> list[LexborNode]:
    """Return the `<meta>` tags before the head's end as written, and a last one there.

    Nothing if the head's end is not written.
    """
    found = []
    if _HEAD_END.search(html):
        marked = _parse(_HEAD_END.sub(rf"<meta {_MARK}>\g<0>", html))
        for meta in marked.css("meta"):
            found.append(meta)
            if _MARK in meta.attrs:
                return found
    return []


def _refresh_without_scripts(noscripts: list[LexborNode], html: str) -> str | None:
    """Return the first refresh in `<noscript>` whose address a script has, too."""
    text = "".join(noscript.text() for noscript in noscripts)
    if "refresh" not in text.lower():
        return None
    scripts = "".join(script.text() for script in _parse(html).css("script"))
    scripts = scripts.replace("\\/", "/")
    for meta in _parse(text).css("meta"):
        address = _refresh(meta.attributes)
        if address and any(f"{q}{address}{q}" in scripts for q in "\"'`"):
            return address
    return None


def _refresh(attributes: Attributes) -> str | None:
    if (attributes.get("http-equiv") or "").lower() != "refresh":
        return None
    return refresh_target(attributes.get("content") or "")


def refresh_target(content: str) -> str | None:
    """Return the address in the content of a refresh; None where it is not valid."""
    found = _REFRESH.match(content)
    if found is None:
        return None
    return next(group for group in found.groups() if group is not None).strip(_SPACE)


def _value(attributes: Attributes, name: str) -> str | None:
    return (attributes.get(name) or "").strip(_SPACE) or None


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
