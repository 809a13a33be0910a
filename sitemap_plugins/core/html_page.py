"""Read a whole built page: what its elements say, found by CSS selectors.

`html_head` reads the few bytes that decide whether a page is listed; this module reads everything,
for what stands in a page's body or in what themes add to its head. The parser is the same, Lexbor,
which reads HTML as browsers do. This module writes nothing.
"""

from __future__ import annotations

import codecs
import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.messages import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from selectolax.lexbor import LexborNode

__all__ = ["HtmlPage", "ImageElement"]

MAX_ATTRIBUTES = 300
"""Attributes of one tag: Lexbor's time grows with their square."""

MAX_NESTED = 1_000
"""Elements within each other: Lexbor's time grows with their square too; browsers keep 512."""

MAX_BYTES = 8 * 1024 * 1024
"""Bytes of a file read at most: the longest page of Python's documentation has 2 MB."""

MAX_IMAGES_READ = 5_000
"""Images of a page that are looked at: five times as many as a sitemap lists."""

MAX_AROUND = 50
"""Elements around an image that are looked at."""

_BESIDE_CONTENT = frozenset({"aside", "footer", "nav"})

# HTML standard, tokenization: a name, and a value in quotes or not.
_ATTRIBUTE = (
    rb"""[\s/]*+[^\s/>][^\s/>=]*+"""
    rb"""(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+|))?"""
)
_MANY_ATTRIBUTES = re.compile(
    rb"<[a-zA-Z][^\s/>]*+(?>%b){%d}" % (_ATTRIBUTE, MAX_ATTRIBUTES), re.DOTALL
)
# Tags whose end may be left out, or that have none, do not nest.
_NESTING = re.compile(
    rb"<(/?)(?!(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|t[dhr]"
    rb"|tbody|tfoot|thead|track|wbr|path|circle|rect|use|line|polygon|g)\b)[a-zA-Z]",
    re.IGNORECASE,
)


class ImageElement(NamedTuple):
    """One `<img>`."""

    attributes: Mapping[str, str | None]
    """By name, as written."""

    link: str
    """The address of the link that it is in, as written; empty for none."""


class HtmlPage:
    """One parsed page; its attributes and texts are asked for by CSS selectors."""

    def __init__(self, html: bytes) -> None:
        """Parse a page from its bytes, which are UTF-8 unless a byte order mark says otherwise.

        Raises:
            PageError: It would take too long: no page of a real site is like that.
        """
        if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            html = html.decode("utf-16", "replace").encode()
        _refuse_slow(html)
        self._tree = LexborHTMLParser(html.removeprefix(codecs.BOM_UTF8))

    @classmethod
    def read_file(cls, file: Path) -> HtmlPage:
        """Read a page from its file.

        Raises:
            PageError: The file cannot be read, or it would take too long.
        """
        try:
            with file.open("rb") as stream:
                return cls(stream.read(MAX_BYTES))
        except OSError as error:
            msg = f"{quoted(str(file))} cannot be read ({error.strerror}): check the built page"
            raise PageError(msg) from None

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


def _around(element: LexborNode) -> Iterator[LexborNode]:
    for _ in range(MAX_AROUND):
        if (parent := element.parent) is None:
            return
        yield (element := parent)


def _refuse_slow(html: bytes) -> None:
    if _MANY_ATTRIBUTES.search(html):
        msg = f"a tag has {MAX_ATTRIBUTES} attributes: check the built page"
        raise PageError(msg)
    if html.count(b"<") <= MAX_NESTED:
        return
    depth = 0
    for tag in _NESTING.finditer(html):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > MAX_NESTED:
            msg = f"more than {MAX_NESTED:,} elements are within each other: check the built page"
            raise PageError(msg)
