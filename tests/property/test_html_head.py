"""Random heads, compared with html5lib, which parses as browsers do."""

from __future__ import annotations

import re
from html import escape

from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core.html import head as html_head
from tests.fuzz import fuzz_html_head
from tests.property.examples import examples


def _words(text: str) -> list[str]:
    return text.split(" ")


FRAGMENTS = (
    *_words("< > = / \" ' - ! x é \0 &amp; </ </> <! <!x <?php <![CDATA[ ]]>"),
    *_words(
        "<!-- --> --!> <!--> <!---> <!--[if <![endif]--> <html> <head> </head> <body>"
    ),
    *_words(
        "<script> </script> <SCRIPT <style> </style> <title> </title> </titles> <noscript>"
    ),
    *_words(
        "</noscript> <noframes> </noframes> <textarea> </textarea> <iframe> </iframe>"
    ),
    *_words(
        "</body> </html> </br> </p> <div> <img> <title/> <SCRIPT><!-- <svg> </svg> '/r'"
    ),
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


@examples(400)
@given(
    st.sampled_from(["", "<head>", "<!doctype html><html><head>"]),
    st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join),
)
@example("<head>", "<!--><meta name=robots content=noindex>")
@example(
    "<head>", "<script><!--<script></script><meta name=robots content=noindex></script>"
)
@example("<head>", "<noscript><meta http-equiv=refresh content='0;url=/r'></noscript>")
@example("<head>", "<meta a='><link rel=canonical href=/a>'><base href=/c/>")
@example("", "</br><link rel=canonical href=/a>")
@example("", "<!--\0><link rel=canonical href=/a>")
@example("<head>", "</head><link rel=canonical href=/a>")
def test_pieces_of_markup_in_any_order(start: str, pieces: str) -> None:
    fuzz_html_head.check_with_html5lib(start + pieces)


WORDS = st.sampled_from(
    ["noindex", "NONE", "index", "nofollow", "all", "noindexed", "max-snippet"]
)
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=12)
TAGS = st.sampled_from(["meta", "META", "link", "Link", "base"])
NAMES = st.sampled_from(
    ["name", "NAME", "content", "rel", "href", "http-equiv", "Content", "x:y"]
)


@st.composite
def attribute(draw: st.DrawFn) -> str:
    value = draw(
        st.one_of(
            VALUES,
            st.sampled_from(
                ["robots", "GoogleBot", "refresh", "canonical", "0;url=/a", "/b?a&b"]
            ),
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


@examples(400)
@given(st.lists(tag(), max_size=6).map("".join))
def test_tags_with_any_attributes(tags: str) -> None:
    fuzz_html_head.check_with_html5lib(
        f"<!doctype html><html><head><title>x</title>{tags}</head><body></body>"
    )


@examples(200)
@given(
    st.lists(tag(), max_size=4).map("".join), st.sampled_from(["utf-8-sig", "utf-16"])
)
def test_encoding_makes_no_difference(tags: str, codec: str) -> None:
    html = f"<!doctype html><meta charset=utf-8>{tags}"
    assert html_head.read_head(html.encode()) == html_head.read_head(html.encode(codec))


@given(st.binary(max_size=2000))
@example(b"<meta name=robots content=\xff\0>")
def test_any_bytes(html: bytes) -> None:
    fuzz_html_head.check(html)


@examples(300)
@given(st.lists(st.sampled_from(fuzz_html_head.SEEDS), max_size=30).map(b"".join))
def test_any_pieces(html: bytes) -> None:
    fuzz_html_head.check(html)


@examples(500)
@given(
    st.lists(st.sampled_from([*"nN :,\n\u2003\x1fx", "none", "NoIndex"])).map("".join)
)
def test_word_with_a_colon_is_one_token_of_a_robots_tag(content: str) -> None:
    words = re.split(r"[,\s]+", re.sub(r"\s*:\s*", ":", content.lower().strip()))
    assert html_head.says_noindex(content) == ("none" in words or "noindex" in words)
