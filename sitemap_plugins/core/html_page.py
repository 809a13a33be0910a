"""Read a whole built page: what its elements say, found by CSS selectors.

`html_head` reads the few bytes that decide whether a page is listed; this module reads everything,
for what is in a page's body or in what themes add to its head. The parser is the same, Lexbor,
which reads HTML as browsers do. This module writes nothing.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.core import html_text, urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import read_beginning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from selectolax.lexbor import LexborNode

__all__ = ["HtmlPage", "ImageElement", "read_bytes"]

MAX_ATTRIBUTES = 300
"""Attributes of one tag: Lexbor's time grows with their square."""

MAX_MERGED = 100
"""Tags `<html>` and `<body>` with attributes: all are added to the attributes of the first."""

MAX_NESTED = 1_000
"""Elements within each other: Lexbor's time grows with their square too; browsers keep 512."""

MAX_BYTES = 8 * 1024 * 1024
"""Bytes of a file read at most: the longest page of Python's documentation has 2 MB."""

MAX_IMAGES_READ = 5_000
"""Images of a page that are looked at: five times as many as a sitemap lists."""

MAX_AROUND = 50
"""Elements around an image that are looked at."""

MAX_REOPENED = 500_000
"""Elements that a parser may open again: those of a text's style whose end is missing so far."""

MAX_SELF_CLOSED = 10_000
"""Tags that end in `/>`: outside of drawings they do not, and what follows is within them."""

_BESIDE_CONTENT = frozenset({"aside", "footer", "nav"})

# HTML standard, tokenization: a name, and a value in quotes or not.
_ATTRIBUTE = (
    rb"""[\s/]*+[^\s/>][^\s/>=]*+"""
    rb"""(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+|))?"""
)
# All tags that begin within one name end alike, so that none is looked at twice.
_FEW_ATTRIBUTES = re.compile(
    rb"(?:[^<]++|<(?![a-zA-Z])|<[a-zA-Z][^\s/>]*+(?!(?>%b){%d}))*+" % (_ATTRIBUTE, MAX_ATTRIBUTES),
    re.DOTALL,
)
_MERGED = re.compile(rb"<(?:html|body)[\s/]++[^\s/>]", re.IGNORECASE)
# Tags without an end do not nest; custom elements (`<br-x>`) do. In small letters: whether it is an
# end, its name, and nothing.
_TAG = re.compile(
    rb"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)[\s/>])"
    rb"([a-z][^\s/>]*+)()"
)
# The same with the slash before its end, which takes twice as long to find.
_TAG_TO_ITS_END = re.compile(
    _TAG.pattern.removesuffix(b"()") + rb"(?=(?>%b)*+\s*+(/?))" % _ATTRIBUTE, re.DOTALL
)
_CELLS = frozenset({b"p", b"td", b"th"})
_ROWS = _CELLS | {b"tr"}
_BODIES = _ROWS | {b"tbody", b"thead", b"tfoot", b"caption", b"colgroup"}
_TERMS = frozenset({b"p", b"dd", b"dt"})
# HTML standard, "Optional tags": these starts also end an element in which they stand.
_ENDED_BY = {
    **dict.fromkeys((b"td", b"th"), _CELLS),
    **dict.fromkeys((b"tbody", b"thead", b"tfoot"), _BODIES),
    **dict.fromkeys((b"dd", b"dt"), _TERMS),
    b"li": frozenset({b"p", b"li"}),
    b"p": frozenset({b"p"}),
    b"tr": _ROWS,
}
_MAY_LACK_END = _BODIES | _TERMS | {b"li", b"option", b"optgroup"}
# Their ends also end what may lack its own; those of others are ignored there.
_BLOCKS = frozenset(
    b"article aside blockquote body dd details div dl dt fieldset figure footer form header html li"
    b" main menu nav ol optgroup section select summary table tbody td tfoot th thead tr ul".split()
)
# "Formatting": what a parser opens again in the next element; of `a` and `nobr`, only one.
_STYLES = frozenset(b"b big code em font i s small strike strong tt u".split())


class ImageElement(NamedTuple):
    """One `<img>`."""

    attributes: Mapping[str, str | None]
    """By name, as written."""

    link: str
    """The address of the link that it is in, as written; empty for none."""


class HtmlPage:
    """One parsed page; its attributes and texts are asked for by CSS selectors."""

    def __init__(self, html: bytes, *, scripting: bool = False) -> None:
        """Parse a page from its bytes, in the encoding in which browsers read them.

        With `scripting` a `<noscript>` holds text, otherwise elements.

        Raises:
            PageError: It would take too long: no page of a real site is like that.
        """
        text = html_text.decode(html)
        _refuse_slow(text.encode())
        self._tree = LexborHTMLParser(text, scripting=scripting)

    @classmethod
    def read_file(cls, file: Path) -> HtmlPage:
        """Read a page from its file.

        Raises:
            PageError: The file cannot be read, or it would take too long.
        """
        return cls(read_bytes(file))

    def values(self, selector: str, attribute: str) -> Iterator[str]:
        """Yield an attribute of each element that a selector matches, in the page's order.

        Without white space around it; elements where it is missing or empty are passed over.
        """
        for (value,) in self.rows(selector, attribute):
            if value:
                yield value

    def rows(self, selector: str, *attributes: str) -> Iterator[tuple[str, ...]]:
        """Yield some attributes of each element that a selector matches, in the page's order.

        Without white space around them; one that is missing is empty.
        """
        for element in self._tree.css(selector):
            found = element.attributes
            yield tuple((found.get(name) or "").strip() for name in attributes)

    def texts(self, selector: str) -> Iterator[str]:
        """Yield the text of each element that a selector matches, in the page's order."""
        for element in self._tree.css(selector):
            yield element.text()

    def images(self, contents: Iterable[str]) -> Iterator[ImageElement]:
        """Yield the images of the page's content, in the page's order.

        The content is what matches the first of some selectors that matches anything, without its
        navigation, asides and footers. `MAX_IMAGES_READ` are looked at.
        """
        content = next((c for c in contents if self._tree.css_first(c) is not None), None)
        if content is None:
            return
        for image in islice(self._tree.css(f"{content} img"), MAX_IMAGES_READ):
            link = ""
            for element in _around(image):
                if element.tag in _BESIDE_CONTENT:
                    break
                if element.tag == "a":
                    link = link or (element.attributes.get("href") or "").strip()
            else:
                yield ImageElement(image.attributes, link)

    @cached_property
    def _base(self) -> str:
        return next(self.values("base[href]", "href"), "")

    def resolve(self, address: str, page_url: str) -> str:
        """Return an address of the page as an absolute URL, or empty where it is none.

        `page_url` is where the page stands; its `<base>` counts.
        """
        return urls.resolve(address, page_url, self._base)


def read_bytes(file: Path) -> bytes:
    """Read a page's file, `MAX_BYTES` at most.

    Raises:
        PageError: It cannot be read.
    """
    try:
        return read_beginning(file, max_bytes=MAX_BYTES)
    except OSError as error:
        why = error.strerror or error
        msg = f"{quoted(str(file))} cannot be read ({why}): check the built page"
        raise PageError(msg) from None


def _around(element: LexborNode) -> Iterator[LexborNode]:
    for _ in range(MAX_AROUND):
        if (parent := element.parent) is None:
            return
        yield (element := parent)


def _refuse_slow(html: bytes) -> None:
    few = _FEW_ATTRIBUTES.match(html)
    if few is None or few.end() < len(html):
        msg = f"a tag has {MAX_ATTRIBUTES} attributes: check the built page"
        raise PageError(msg)
    if len(_MERGED.findall(html)) > MAX_MERGED:
        msg = f"more than {MAX_MERGED} <html> and <body> tags have attributes: check the built page"
        raise PageError(msg)
    if html.count(b"<") - html.count(b"</") <= MAX_NESTED:  # Not more start than that.
        return
    small = html.lower()
    # Outside of drawings a tag that ends in `/>` is a start, and within, an end can seem to be its.
    has_drawings = b"<svg" in small or b"<math" in small
    if (has_drawings or _is_nested(small, _TAG)) and _is_nested(small, _TAG_TO_ITS_END):
        msg = f"more than {MAX_NESTED:,} elements are within each other: check the built page"
        raise PageError(msg)


def _is_nested(html: bytes, tag_pattern: re.Pattern[bytes]) -> bool:
    """Tell whether elements may nest too deeply, however a parser mends their order.

    An element whose end is missing, or stands inside another, counts as open to the page's end.
    """
    stack: list[bytes] = []
    lost = styles = reopened = self_closed = 0
    for tag in tag_pattern.finditer(html):
        end, name, slash = tag.groups()
        if not end:
            reopened += styles  # What starts here can end what they are in.
        if slash and name not in _STYLES:  # Drawings have such tags; elsewhere they are starts.
            self_closed += 1
        elif not end:
            if name in _ENDED_BY:
                while stack and stack[-1] in _ENDED_BY[name]:
                    stack.pop()
            stack.append(name)
            styles += name in _STYLES
            if len(stack) + lost > MAX_NESTED:
                return True
        elif name in stack:
            while (inner := stack.pop()) != name:
                lost += not (name in _BLOCKS and inner in _MAY_LACK_END)
            styles -= name in _STYLES
    return reopened > MAX_REOPENED or self_closed > MAX_SELF_CLOSED
