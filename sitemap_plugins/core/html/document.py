"""Read a whole built page: what its elements say, found by CSS selectors.

`html.head` reads the few bytes that decide whether a page is listed; this module reads
everything, for what is in a page's body or in what themes add to its head. The parser
is the same, Lexbor, which reads HTML as browsers do. The module has three parts: a page
that would take Lexbor too long is refused before it is parsed, bytes are decoded by the
web's rules instead of Python's, and what was parsed is read by CSS selectors.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.untrusted_files import read_beginning

MAX_READ = 8 * 1024 * 1024
"""Bytes of a file read at most."""

MAX_BYTES = 3 * 1024 * 1024
"""Bytes of a page without its scripts and styles; parsed, they take 270 MB at most."""

MAX_ATTRIBUTES = 100
"""Attributes of one tag: Lexbor compares each with all others."""

MAX_MERGED = 50
"""Tags `<html>` and `<body>` with attributes: all are added to those of the first."""

MAX_STEPS = 500_000_000
"""Elements looked at for all tags: for each, Lexbor may look at all that are open."""

STEPS_OF_MISPLACED_END = 100
"""How often Lexbor looks at all open elements for a `</b>` that is misplaced."""

CLONES_OF_MISPLACED_END = 8
"""Elements that it opens again within what it leaves open."""

MAX_REOPENED = 500_000
"""Elements opened again: those of formatting (`<b>`) whose end is missing so far."""

FEW_TAGS = 1_500
"""Tags that take no time, however they are nested."""

MAX_TAGS = 600_000
"""What looks like a tag, in scripts too: to look at each takes two microseconds."""

MAX_IMAGES_READ = 5_000
"""Images of a page that are looked at: five times as many as a sitemap lists."""

MAX_AROUND = 50
"""Elements around an image that are looked at."""

_BESIDE_CONTENT = frozenset({"aside", "footer", "nav"})
_TEXTS = re.compile(r"<(script|style)\b.*?(?:</\1|\Z)", re.DOTALL | re.IGNORECASE)
# HTML standard, tokenization: a name, and a value in quotes or not.
_ATTRIBUTE = (
    r"""[\s/]*+[^\s/>][^\s/>=]*+"""
    r"""(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+|))?"""
)
# All tags that begin within one name end alike, so that none is looked at twice.
_FEW_ATTRIBUTES = re.compile(
    r"(?:[^<]++|<(?![a-zA-Z])"
    rf"|<[a-zA-Z][^\s/>]*+(?!(?>{_ATTRIBUTE}){{{MAX_ATTRIBUTES}}}))*+",
    re.DOTALL | re.ASCII,
)
_MERGED = re.compile(r"<(?:html|body)[\s/]++[^\s/>]", re.IGNORECASE | re.ASCII)
_TAG = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(?:(/)|[!?])?([a-z][^\s/>]*+)?+(?>{_ATTRIBUTE})*+",
    re.DOTALL | re.ASCII,
)
_WITHOUT_END = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"}
    | {"param", "source", "track", "wbr"}
)
# Parsers open these again in the next element; of `a` and `nobr`, only one.
_FORMATTING = frozenset(
    {"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"}
)
# Their tags: a name, and the rest up to ">" where it is certain that this ends the tag.
_FORMATTING_TAG = re.compile(
    rf"<(?=/?[bcefistu])(/?+(?:{'|'.join(sorted(_FORMATTING))})(?=[\s/>]))"
    r"""((?:\s++[\w:-]++="[^"<>]*+")*+\s*+>)?""",
    re.IGNORECASE | re.ASCII,
)
_EQUAL_REOPENED = 3
"""How many equal elements of formatting are opened again (HTML standard, "Noah's Ark
clause")."""

# "Prescan a byte stream": a charset, or one in the value of content, in the first 1,024
# bytes.
_DECLARATION = re.compile(
    rb"""<meta[\t\n\f\r /][^<>]*?charset[\t\n\f\r ]*=[\t\n\f\r "']*([\w:.-]+)""",
    re.IGNORECASE,
)
# Of https://encoding.spec.whatwg.org/: the labels that Python knows by the same name,
# and those that stand for another encoding there. Python's other codecs are not the
# web's.
_SAME_NAME = re.compile(
    r"utf-?8|windows-125[0-8]|iso-?8859-(?:[2-8]|1[03-6])|koi8-[ru]|big5|euc-jp"
    r"|iso-2022-jp"
)
_STANDS_FOR = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "latin1": "cp1252",
    "iso-8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "gb18030": "gb18030",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
}

# What holds text or another document, so that no element in it is one of the page. A
# name goes on up to white space, "/" or ">": "<title<" is not a title.
_TEXT = re.compile(
    rb"<(?=[!inptx]|s[ct])"
    rb"(?:!--|!\[|(?:script|style|template|textarea|title|iframe|noembed|noframes"
    rb"|xmp|plaintext)(?=[\s/>]))"
)
_COMMENT_END = re.compile(rb"--!?>")
_LONG_TAG = 2048  # Bytes.
_MAX_PLACES = 100  # For each, all before it may be searched for a quote.


class ImageElement(NamedTuple):
    """One `<img>`."""

    attributes: Mapping[str, str | None]
    """Indexed by name, as written."""

    link: str
    """The address of the link that it is in, as written; empty for none."""


class HtmlPage:
    """One parsed page; its attributes and texts are read by CSS selectors."""

    def __init__(self, html: bytes, *, scripting: bool = False) -> None:
        """Parse a page from its bytes, in the encoding in which browsers read them.

        With `scripting`, a `<noscript>` holds text; without, it holds elements.

        Raises:
            PageError: Parsing would take too long, as for no page of a real site.
        """
        text = decode(html)
        if is_slow(text):
            msg = "too long, or too many elements are open at once"
            raise PageError(msg, cure="check the built page")
        self._tree = LexborHTMLParser(text, scripting=scripting)

    @classmethod
    def read_file(cls, file: Path) -> HtmlPage:
        """Read a page from its file.

        Raises:
            PageError: The file cannot be read, or it would take too long.
        """
        return cls(read_bytes(file))

    def values(self, selector: str, attribute: str) -> Iterator[str]:
        """Yield an attribute of each element that a selector matches, in page order.

        White space around a value is removed; elements without the attribute, or with
        an empty one, are skipped.
        """
        for element in self._tree.css(selector):
            value = (element.attributes.get(attribute) or "").strip()
            if value:
                yield value

    def rows(self, selector: str, *attributes: str) -> Iterator[tuple[str, ...]]:
        """Yield attributes of each element that a selector matches, in page order.

        White space around values is removed; a missing attribute is empty.
        """
        for element in self._tree.css(selector):
            found = element.attributes
            yield tuple((found.get(name) or "").strip() for name in attributes)

    def texts(self, selector: str) -> Iterator[str]:
        """Yield the text of each element that a selector matches, in page order."""
        for element in self._tree.css(selector):
            yield element.text()

    def images(self, contents: Iterable[str]) -> Iterator[ImageElement]:
        """Yield the images of the page's content, in the page's order.

        The content is what matches the first of some selectors that matches anything,
        without its navigation, asides and footers. `MAX_IMAGES_READ` are looked at.
        """
        content = next(
            (c for c in contents if self._tree.css_first(c) is not None), None
        )
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
        """Return an address on the page as an absolute URL; empty if it is invalid.

        `page_url` is the page's own URL; its `<base>` applies.
        """
        return urls.resolve(address, page_url, self._base)


def read_bytes(file: Path) -> bytes:
    """Read a page's file, `MAX_READ` at most.

    Raises:
        PageError: The file cannot be read.
    """
    try:
        return read_beginning(file, max_bytes=MAX_READ)
    except OSError as error:
        why = error.strerror or error
        msg = f"{str(file)!r} cannot be read ({why})"
        raise PageError(msg, cure="check the built page") from None


def _around(element: LexborNode) -> Iterator[LexborNode]:
    for _ in range(MAX_AROUND):
        if (parent := element.parent) is None:
            return
        yield (element := parent)


def places_of(word: bytes, small: bytes) -> Iterator[int]:
    """Yield where a word is in a page in lowercase."""
    place = small.find(word)
    while place >= 0:
        yield place
        place = small.find(word, place + 1)


def in_tags(places: Iterable[int], small: bytes) -> Iterator[int]:
    """Yield the places that are in tags, outside of comments, scripts and the like.

    `small` is the page in lowercase. A final -1 means that more positions may follow:
    there are too many, or one may be inside a quoted value. Takes a twentieth
    of the time of parsing.
    """
    end = seen = 0
    left = _MAX_PLACES
    for place in places:
        while text := _TEXT.search(small, seen, place):
            start = text.start()
            if _may_be_in_value(small, end, start) or _is_open(small, end, start):
                yield -1
                return
            end = _end_of_text(small, text)
            seen = end
            if end < 0:
                yield -1
                return
        seen = max(place, end)
        if place < end:
            continue
        left -= 1
        is_tag = _is_in_tag(small, end, place) if left else None
        if is_tag is not False:
            yield place if is_tag else -1
        if is_tag is None:
            return


def _end_of_text(small: bytes, begin: re.Match[bytes]) -> int:
    """Return where a comment, script or the like ends; -1 if it does not."""
    # Not after the whole mark, as "<!-->" ends itself.
    start = begin.start() + 2
    if begin[0] == b"<!--":
        found = _COMMENT_END.search(small, start)
        return found.start() if found else -1
    if begin[0] == b"<![":
        return small.find(b">", start)
    return small.find(b"</" + begin[0][1:], start)


def _is_in_tag(small: bytes, start: int, place: int) -> bool | None:
    """Tell whether `place` is in a tag that begins after `start`.

    The answer is None if only a parser can tell, as for a "<" or ">" in a value.
    """
    tag = small.rfind(b"<", max(start, place - _LONG_TAG), place)
    if tag < 0 or _may_be_in_value(small, start, tag):
        return None
    closed = small.find(b">", tag, place)
    if closed >= 0:
        # After an odd number of quotes, the ">" can be in a value. Otherwise it ends
        # the tag, and the place is in the text after it.
        odd = small.count(b'"', tag, closed) % 2 or small.count(b"'", tag, closed) % 2
        return None if odd else False
    return None if _is_open(small, start, tag) else True


def _is_open(small: bytes, start: int, place: int) -> bool:
    """Tell whether what may be a tag or a declaration has not ended before a place."""
    closed = small.rfind(b">", start, place)
    return small.find(b"<", max(closed, start), place) >= 0


def _may_be_in_value(small: bytes, start: int, place: int) -> bool:
    """Tell whether "=" is before a place, or before the last quote of either kind."""
    for begin in (
        place,
        small.rfind(b'"', start, place),
        small.rfind(b"'", start, place),
    ):
        before = small[max(begin - 9, 0) : max(begin, 0)]
        if before.rstrip().endswith(b"="):
            return True
    return False


def is_slow(html: str) -> bool:
    """Tell whether Lexbor may need more than two seconds or 300 MB for a page.

    Its time grows with the square of a tag's attributes and of the depth of elements.
    The cheap tests come first: the size, the attributes, and the number of tags. Only a
    page with many tags is looked through for elements that are nested badly.
    """
    if len(html) > MAX_BYTES and len(_TEXTS.sub("", html)) > MAX_BYTES:
        return True
    # The expression stops at a tag with too many attributes.
    few = _FEW_ATTRIBUTES.match(html)
    if few is None or few.end() < len(html) or len(_MERGED.findall(html)) > MAX_MERGED:
        return True
    tags = html.count("<")
    if tags > MAX_TAGS:
        return True
    return tags > FEW_TAGS and not _is_plain(html) and _is_tangled(html.lower())


def _is_plain(html: str) -> bool:
    """Tell whether even the worst order of all tags takes no time.

    This holds for nineteen of twenty long pages, and takes a tenth of `_is_tangled`'s
    time. The estimate takes each "<" for a tag that stays open, each end of formatting
    for a misplaced one, and each formatting for one that is opened again for every tag.
    """
    found = [(name.lower(), rest) for name, rest in _FORMATTING_TAG.findall(html)]
    begun = [each for each in found if not each[0].startswith("/")]
    equal = [each for each in begun if each[1]]
    tags = html.count("<")
    ends = len(found) - len(begun)

    most_open = tags + CLONES_OF_MISPLACED_END * ends
    steps = most_open * (tags + STEPS_OF_MISPLACED_END * ends)
    others = len(begun) - len(equal)
    reopened = others + _EQUAL_REOPENED * len({*equal})
    return steps <= MAX_STEPS and tags * reopened <= MAX_REOPENED


def _is_tangled(html: str) -> bool:
    """Tell whether too many elements may be open at once.

    Nesting makes Lexbor's time grow with the square (20,000 open `<div>` and as many
    `</p>`, 180 KB, take 1.3 seconds, and twice as many 5), so that a bound on bytes
    alone would have to be about 200 KB, although a flat page of 3 MB takes a tenth of a
    second.

    Only an end tag right after the element that it ends is certain. All other elements
    count as open to the page's end, as does what looks like a tag in comments and
    attributes.
    """
    stack: list[str] = []
    hidden = formatting = steps = reopened = 0
    for tag in _TAG.finditer(html):
        end, name = tag.groups()
        hidden += tag[0].count("<") - 1
        steps += len(stack) + hidden
        reopened += formatting
        if not name or name in _WITHOUT_END:
            continue
        if not end:
            stack.append(name)
            formatting += name in _FORMATTING
        elif stack and stack[-1] == name:
            stack.pop()
            formatting -= name in _FORMATTING
        elif name in _FORMATTING:
            steps += STEPS_OF_MISPLACED_END * (len(stack) + hidden)
            hidden += CLONES_OF_MISPLACED_END
    return steps > MAX_STEPS or reopened > MAX_REOPENED


def decode(html: bytes) -> str:
    """Decode a page, or the beginning of one, which may end in half a character.

    The encoding is that of its byte order mark, or else the declared one; without
    either, it is UTF-8 if the bytes are valid, and Windows-1252 otherwise. Invalid
    bytes become U+FFFD.
    """
    if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return html.decode("utf-16", "replace")
    if html.startswith(codecs.BOM_UTF8):
        return html.decode("utf-8-sig", "replace")
    label = declared_encoding(html)
    if encoding := label if _SAME_NAME.fullmatch(label) else _STANDS_FOR.get(label):
        return html.decode(encoding, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(html)
    except UnicodeDecodeError:
        return html.decode("cp1252", "replace")


def declared_encoding(html: bytes) -> str:
    """Return the encoding that a page declares where browsers look; empty for none."""
    found = _DECLARATION.search(html, 0, 1024)
    return found[1].decode("ascii").lower() if found else ""
