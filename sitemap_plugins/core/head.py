"""Find the tags in the head of an HTML page, as a browser finds them.

This module does no I/O. It takes any bytes in which markup is ASCII, in linear time, and follows
the HTML standard (https://html.spec.whatwg.org/multipage/parsing.html) as far as it takes to know
what is markup and where the head ends: tokenization, and the insertion modes up to "after head".
Scripting counts as on, as it is where search engines render: `<noscript>` holds text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Head", "Tag", "scan"]

MOST_TOKENS = 100_000
"""Tags and texts that are looked at in a page: heads have hundreds, and each takes memory."""

_SPACE = rb"\t\n\f\r "
# Section 13.2.5.32 and after, "Before attribute name state". The quantifiers are possessive: no
# byte is read twice, and a quote that is not closed reaches the end, as in the standard.
_ATTRIBUTE = (
    rb"[^%(s)b/>][^%(s)b/>=]*+"
    rb"(?:[%(s)b]*+=[%(s)b]*+"
    rb"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^%(s)b>"'][^%(s)b>]*+|(?=>)))?+"""
) % {b"s": _SPACE}
_TAG = re.compile(
    rb"[%(s)b]*+<(/?[a-zA-Z][^%(s)b/>]*+)(?:[%(s)b/]++|%(a)b)*+>" % {b"s": _SPACE, b"a": _ATTRIBUTE}
)
_NOT_SPACE = re.compile(rb"[^%b]" % _SPACE)
# A "<" that begins markup, or may begin it where the bytes go on.
_MARKUP = re.compile(rb"<(?:[a-zA-Z!?/]|\Z)")
# "Bogus comment state" and DOCTYPE, which a ">" ends even between quotes.
_DECLARATION = re.compile(rb"<(?:[!?]|/(?![a-zA-Z]))[^>]*+>")
_COMMENT_END = re.compile(rb"--!?>")
_SHORT_COMMENT_END = re.compile(rb"-?>")

# Section 13.2.6.4.4, "in head". What is not among these begins the body.
_OF_HEAD = frozenset(
    b"html head base basefont bgsound link meta title noframes noscript style script"
    b" template".split()
)
# Elements whose content is text to the tokenizer; that of SVG and MathML is not, but it is no
# metadata of the page either. They end the head, so only stray tags could be meant otherwise.
_END_OF_TEXT = {
    name: re.compile(rb"</%b(?=[%b/>])" % (name, _SPACE), re.IGNORECASE)
    for name in (
        b"title noframes noscript style script textarea iframe noembed xmp plaintext svg math"
    ).split()
}
_SCRIPT_MARK = re.compile(rb"<!--|-->|<(/?)script(?=[%b/>])" % _SPACE, re.IGNORECASE)

_TEXT = b""
"""Name of a token that is text, not a tag."""


class Tag(NamedTuple):  # One for each tag: made faster than a frozen dataclass.
    """One `<meta>`, `<link>` or `<base>` tag."""

    name: bytes
    """In lower case."""

    markup: bytes
    """The whole tag as written, from `<` to `>`."""

    stray: bool
    """Whether it stands before `</head>` as written, but where browsers are in the body already."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a piece of a page says about its head."""

    tags: tuple[Tag, ...]
    """In the order of the page."""

    ended: bool
    """Whether the head ends within the piece; if not, what follows can add tags."""


def scan(html: bytes) -> Head:
    """Return the `<meta>`, `<link>` and `<base>` tags of the head in the beginning of a page.

    The head ends where a browser ends it: at `</head>` and what may follow that, or at the first
    text or tag that no head can hold. In a head with a `<head>` tag, the tags from there to
    `</head>` or `<body>` are told too, as stray: the author put them into the head.

    >>> scan(b"<head><!-- <meta a> --><meta b><img><meta c></head>").tags[1]
    Tag(name=b'meta', markup=b'<meta c>', stray=True)
    """
    tags = []
    written = closed = stray = False  # <head> seen; </head> seen; in the body by mistake.
    templates = 0
    for name, start, end in islice(_tokens(html), MOST_TOKENS):
        if name in {b"template", b"/template"}:
            templates = max(0, templates + (1 if name == b"template" else -1))
        elif templates:
            continue
        elif name in {b"meta", b"link", b"base"}:
            tags.append(Tag(name, html[start:end], stray))
        elif name in {b"body", b"/body", b"/html", b"frameset"} or (name == b"/head" and stray):
            return Head(tuple(tags), ended=True)
        elif name == b"/head":
            closed = True
        elif name == b"head":
            written = True
        elif _begins_body(name, closed=closed):
            if closed or not written:
                return Head(tuple(tags), ended=True)
            stray = True
    return Head(tuple(tags), ended=False)


def _begins_body(name: bytes, *, closed: bool) -> bool:
    if name.startswith(b"/"):  # Other end tags are ignored; "</br>" counts as "<br>".
        return name == b"/br"
    return name not in _OF_HEAD or (closed and name == b"noscript")


def _tokens(html: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield each tag's name in lower case, `/` before an end tag's, with its place; text too.

    Comments, declarations and what stands inside elements of text are passed over. Ends where the
    bytes end, in the middle of a token or not.
    """
    position = 0
    while position >= 0:
        if tag := _TAG.match(html, position):
            name, position = tag[1].lower(), tag.end()
            yield name, tag.start(1) - 1, position
            if name in _END_OF_TEXT and not _is_empty_image(name, tag[0]):
                position = _after_text(html, name, position)
        elif not (found := _NOT_SPACE.search(html, position)):
            return
        elif html.startswith(b"<!--", start := found.start()):
            position = _after_comment(html, start)
        elif declaration := _DECLARATION.match(html, start):
            position = declaration.end()
        elif _MARKUP.match(html, start):
            return
        else:
            yield _TEXT, start, start
            position = html.find(b"<", start + 1)


def _is_empty_image(name: bytes, markup: bytes) -> bool:
    return name in {b"svg", b"math"} and markup.endswith(b"/>")


def _after_text(html: bytes, name: bytes, start: int) -> int:
    """Return where an element of text ends, before its end tag."""
    if name == b"plaintext":
        return len(html)
    end = _END_OF_TEXT[name].search(html, start)
    if end and name == b"script" and html.find(b"<!--", start, end.start()) >= 0:
        return _after_script(html, start)
    return end.start() if end else len(html)


def _after_script(html: bytes, position: int) -> int:
    """Return where a script ends: "script data escaped state" and the states after it."""
    escaped = doubly = False
    while mark := _SCRIPT_MARK.search(html, position):
        position = mark.end()
        if mark[0] == b"<!--":
            escaped = True
            position -= 2  # Its dashes can be those of a "-->".
        elif mark[0] == b"-->":
            escaped = doubly = False
        elif not mark[1]:
            doubly = escaped
        elif doubly:
            doubly = False
        else:
            return mark.start()
    return len(html)


def _after_comment(html: bytes, start: int) -> int:
    """Return where a comment ends; "<!-->" and "<!--->" are whole ones."""
    begin = start + len(b"<!--")
    if short := _SHORT_COMMENT_END.match(html, begin):
        return short.end()
    end = _COMMENT_END.search(html, begin)
    return end.end() if end else len(html)
