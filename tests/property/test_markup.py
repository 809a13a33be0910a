"""Heads from anything, held against html5lib, which parses as browsers do.

html5lib gives what the standard says of a document; of it, canonical and base count in the head
only, and robots and refresh at least there, and nowhere where the document has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

import html5lib
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitemap_plugins.core import markup
from tests.fuzz import fuzz_markup

HTML = "{http://www.w3.org/1999/xhtml}"
Attributes = dict[str, str]


def _words(text: str) -> list[str]:
    return text.split(" ")


FRAGMENTS = (
    *_words("< > = / \" ' - ! x é \0 &amp; </ </> <! <!x <?php <![CDATA[ ]]>"),
    *_words("<!-- --> --!> <!--> <!---> <!--[if <![endif]--> <html> <head> </head> <body>"),
    *_words("<script> </script> <SCRIPT <style> </style> <title> </title> </titles> <noscript>"),
    *_words("</noscript> <noframes> </noframes> <textarea> </textarea> <iframe> </iframe>"),
    *_words("</body> </html> </br> </p> <div> <img>"),
    " ",
    "\n",
    "<html lang=en>",
    "<!doctype html>",
    "<meta ",
    "<link ",
    "name=robots ",
    "content='none' ",
    "rel=canonical ",
    "href=/e ",
    "<meta name=robots content=noindex>",
    '<META CONTENT="none, follow" NAME=GoogleBot />',
    "<meta name=&#114;obots content=no&#x69;ndex>",
    "<meta\0name=robots content=none>",
    "<meta http-equiv=refresh content='0;url=/r'>",
    "<link rel=canonical href=/a>",
    "<link href='/b?a=1&amp;b&copy=2' rel='x CANONICAL'/>",
    "<link rel=canonical>",
    '<link/rel = canonical href="/w"x>',
    "<link rel=canonical rel=x href=/1 href=/2>",
    "<base href=/c/>",
    "<base target=x>",
)
MARKERS = {"noindex", "none"}


@dataclass
class Said:
    """What a list of elements says, read without any code of ours."""

    noindex: bool = False
    refresh: bool = False
    canonical: str | None = None
    base: str | None = None


def said_by(elements: list[tuple[str, Attributes]]) -> Said:
    said = Said()
    for name, attributes in elements:
        href = attributes.get("href", "").strip(" \t\n\f\r") or None
        if name == "meta":
            if attributes.get("name", "").strip().lower() in {"robots", "googlebot"}:
                words = re.split(r"[\s,]+", attributes.get("content", "").lower())
                said.noindex |= not MARKERS.isdisjoint(words)
            if attributes.get("http-equiv", "").lower() == "refresh":
                said.refresh |= bool(re.match(r"\s*[\d.]", attributes.get("content", "")))
        elif name == "link" and "canonical" in attributes.get("rel", "").lower().split():
            said.canonical = said.canonical or href
        elif name == "base":
            said.base = said.base or href
    return said


def oracle(html: str) -> tuple[Said, Said]:
    """Return what the head says, and what the whole document says."""
    root = html5lib.HTMLParser().parse(html, scripting=True)
    head = next(element for element in root if element.tag == HTML + "head")
    return said_by(_elements(head)), said_by(_elements(root.iter()))


def _elements(elements) -> list[tuple[str, Attributes]]:
    return [
        (element.tag.removeprefix(HTML), dict(element.attrib))
        for element in elements
        if isinstance(element.tag, str) and element.tag.startswith(HTML)
    ]


def assert_agrees(html: str) -> None:
    said = markup.read(html.encode())
    head, document = oracle(html)
    assert (said.canonical, said.base) == (head.canonical, head.base)
    assert head.noindex <= said.noindex <= document.noindex
    assert head.refresh <= (said.refresh is not None) <= document.refresh


@settings(max_examples=400)
@given(
    st.sampled_from(["", "<head>", "<!doctype html><html><head>"]),
    st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join),
)
@example("<head>", "<!--><meta name=robots content=noindex>")
@example("<head>", "<script><!--<script></script><meta name=robots content=noindex></script>")
@example("<head>", "<noscript><meta http-equiv=refresh content='0;url=/r'></noscript>")
@example("<head>", "<meta a='><link rel=canonical href=/a>'><base href=/c/>")
@example("", "</br><link rel=canonical href=/a>")
@example("<head>", "</head><link rel=canonical href=/a>")
def test_pieces_of_markup_in_any_order(start: str, pieces: str) -> None:
    assert_agrees(start + pieces)


WORDS = st.sampled_from(["noindex", "NONE", "index", "nofollow", "all", "noindexed", "max-snippet"])
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=12)
TAGS = st.sampled_from(["meta", "META", "link", "Link", "base"])
NAMES = st.sampled_from(["name", "NAME", "content", "rel", "href", "http-equiv", "Content", "x:y"])


@st.composite
def attribute(draw: st.DrawFn) -> str:
    value = draw(
        st.one_of(
            VALUES,
            st.sampled_from(["robots", "GoogleBot", "refresh", "canonical", "0;url=/a", "/b?a&b"]),
            st.lists(WORDS, min_size=1, max_size=3).map(" , ".join),
        )
    )
    spaces = st.text(" \t\n\f/", min_size=1, max_size=2)
    between = st.text(" \t\n\f", max_size=1)
    quoted = draw(st.sampled_from(['"', "'"]))
    text = escape(value).replace("'", "&#39;")
    return f"{draw(spaces)}{draw(NAMES)}{draw(between)}={draw(between)}{quoted}{text}{quoted}"


@st.composite
def tag(draw: st.DrawFn) -> str:
    attributes = "".join(draw(st.lists(attribute(), max_size=4)))
    return f"<{draw(TAGS)}{attributes}{draw(st.sampled_from(['', ' ', '/', ' /']))}>"


@settings(max_examples=400)
@given(st.lists(tag(), max_size=6).map("".join))
def test_tags_with_any_attributes(tags: str) -> None:
    assert_agrees(f"<!doctype html><html><head><title>x</title>{tags}</head><body></body>")


@settings(max_examples=200)
@given(st.lists(tag(), max_size=4).map("".join), st.sampled_from(["utf-8-sig", "utf-16"]))
def test_the_encoding_makes_no_difference(tags: str, codec: str) -> None:
    html = f"<!doctype html><meta charset=utf-8>{tags}"
    assert markup.read(html.encode()) == markup.read(html.encode(codec))


@given(st.binary(max_size=2000))
@example(b"<meta name=robots content=\xff\0>")
def test_any_bytes_give_a_result_or_an_error(html: bytes) -> None:
    fuzz_markup.check(html)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(fuzz_markup.SEEDS), max_size=30).map(b"".join))
def test_any_pieces_give_a_result_or_an_error(html: bytes) -> None:
    fuzz_markup.check(html)
