"""Any bytes: html5lib finds the same tags in the head,
and so does reading in small chunks.

Run: python tests/fuzz/fuzz_html_head.py [seconds]
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import html5lib

from sitemap_plugins.core.html import head as html_head
from sitemap_plugins.core.html.document import decode

SEEDS = (
    *b"< > <!-- --> --!> <!--> </ <? <! = / \" ' \0 x &#114; \xff \x1b$B \xff\xfe".split(),
    b" ",
    b"\n",
    b"\xef\xbb\xbf",
    *b"<script> </script> <title> </title> <noscript> </noscript> <template> </template>".split(),
    *b"<head> </head> <body> <svg> </svg> <style> </style> <plaintext> <img> <!doctype>".split(),
    b"<meta charset=iso-2022-jp>",
    b"<meta charset=utf-16>",
    b"<meta charset=latin1>",
    b'<meta name="robots" content="noindex, follow">',
    b"<meta name=googlebot content=none>",
    b'<meta http-equiv="refresh" content="0; url=/a">',
    b"<script>location = '/a'</script>",
    b'<link rel="canonical" href="https://example.com/caf\xc3\xa9?a=1&amp;b">',
    b"<base href=/b/>",
)
HTML = "{http://www.w3.org/1999/xhtml}"
SPACE = " \t\n\f\r"
REFRESH = re.compile(r"[\t\n\f\r ]*([0-9][0-9.]*|\.[0-9.]*)([;,\t\n\f\r ]|$)")
Attributes = dict[str, str]


@dataclass
class Said:
    """The content of a list of elements, read without our code."""

    noindex: bool = False
    refresh: bool = False
    canonical: str | None = None
    base: str | None = None


def check(html: bytes) -> None:
    """Read a page; compare the result with that of html5lib and
    that of smaller chunks."""
    said = html_head.read_head(html)
    for address in (said.refresh, said.canonical, said.base):
        assert address is None or address == address.strip(SPACE)
    said.canonical_url("https://a.b/c/")
    said.refresh_url("https://a.b/c/")
    text = decode(html)
    if (
        "<template" not in text.lower() and len(text) < 4_000
    ):  # html5lib knows no templates.
        check_with_html5lib(text)
        check_in_chunks(text[:600], size=4 + len(html) % 40)


def check_with_html5lib(text: str) -> None:
    """Canonical and base are in the head;
    robots and refresh are in the head or the document."""
    text = text.replace(
        "<!--\0", "<!-- "
    )  # html5lib takes "<!--\0>" for a whole comment.
    said = html_head.read_head(codecs.BOM_UTF8 + text.encode())
    root = html5lib.HTMLParser().parse(text, scripting=True)
    head = said_by(
        _elements(next(element for element in root if element.tag == HTML + "head"))
    )
    document = said_by(_elements(root.iter()))
    assert (said.canonical, said.base) == (head.canonical, head.base)
    assert head.noindex <= said.noindex <= document.noindex
    assert head.refresh <= (said.refresh is not None)
    if said.refresh is not None and not document.refresh:
        assert "<noscript" in text.lower()
        assert any(quote + said.refresh + quote in text for quote in "\"'`")


def check_in_chunks(text: str, size: int) -> None:
    """The head is the same, also if a stray tag ended it before the written end."""
    html = codecs.BOM_UTF8 + text.encode()
    whole = html_head.read_head(html)
    usual, html_head.CHUNK_BYTES = html_head.CHUNK_BYTES, size
    try:
        pieces = html_head.read_head(html)
    finally:
        html_head.CHUNK_BYTES = usual
    assert (whole.canonical, whole.base) == (pieces.canonical, pieces.base)
    assert pieces.noindex == whole.noindex


def said_by(elements: list[tuple[str, Attributes]]) -> Said:
    said = Said()
    for name, attributes in elements:
        href = attributes.get("href", "").strip(SPACE) or None
        if name == "meta":
            if attributes.get("name", "").strip().lower() in {"robots", "googlebot"}:
                words = re.split(
                    r"[\s,]+", re.sub(r"\s*:\s*", ":", attributes.get("content", ""))
                )
                said.noindex |= not {"noindex", "none"}.isdisjoint(
                    map(str.lower, words)
                )
            if attributes.get("http-equiv", "").lower() == "refresh":
                said.refresh |= bool(REFRESH.match(attributes.get("content", "")))
        elif (
            name == "link" and "canonical" in attributes.get("rel", "").lower().split()
        ):
            said.canonical = said.canonical or href
        elif name == "base":
            said.base = said.base or href
    return said


def _elements(elements) -> list[tuple[str, Attributes]]:
    return [
        (element.tag.removeprefix(HTML), dict(element.attrib))
        for element in elements
        if isinstance(element.tag, str) and element.tag.startswith(HTML)
    ]


def read(html: bytes) -> None:
    """Read a page, and its bytes as a text of front matter."""
    html_head.read_head(html)
    html_head.says_noindex(html.decode("latin-1"))


# The guard looks at each tag, whatever it is in.
SLOWEST = b"<head><style>" + b"<b></b>" * 14_000


if __name__ == "__main__":
    from driver import run

    run(check, SEEDS, slowest=SLOWEST, timed=read)
