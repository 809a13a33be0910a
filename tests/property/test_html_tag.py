"""One tag is put into any page:
the tree that Lexbor sees differs in that element only."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.core.html.document import decode
from sitemap_plugins.core.html.head import read_head
from sitemap_plugins.versions.fix import with_canonical, with_noindex
from tests.property.examples import examples
from tests.property.test_html_head import FRAGMENTS

URL = "https://example.com/stable/a%20b/?x=1&y=2"
ENCODINGS = [
    "utf-8",
    "utf-8-sig",
    "cp1252",
    "utf-16",
    "utf-16-be",
    "shift_jis",
    "gb18030",
    "big5",
]
STARTS = (
    "",
    "<head>",
    "<!doctype html><html><head>",
    "<!--<head>--><html a='>' b><head c=1>",
    "<!doctype html>\r\n<html>\r\n<head>\r\n",
    "<script>'<head>'</script>",
    "<title><head>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0//EN' ''><html xmlns='x'><head profile=\"y\">",
    "<!--[if IE]><head><![endif]--><head>",
    "<!doctype html><head><!-- <link rel=canonical href=/z> --><link rel=canonical href=/y>",
    "<head><script>'<link rel=canonical href=/z>'</script><link rel=canonical href=/y>",
)


def as_bytes(text: str, encoding: str, *, declares: bool) -> bytes:
    if encoding == "utf-16-be":
        return codecs.BOM_UTF16_BE + text.encode(encoding, "replace")
    declared = f"<meta charset={encoding}>" if declares else ""
    text = text.replace("<head>", f"<head>{declared}", 1)
    return text.encode(encoding, "replace")


def tree(html: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(decode(html), scripting=True)


def without(parser: LexborHTMLParser, number: int) -> str | None:
    """Return a tree without the element of the head with a number."""
    [*elements] = parser.head.iter(include_text=False)
    elements[number].decompose()
    return parser.html


def check(html: bytes, new: bytes | None, selector: str) -> None:
    if new is None:
        return
    [added] = [
        i for i, e in enumerate(tree(new).head.iter()) if e.css_matches(selector)
    ][:1]
    old = [i for i, e in enumerate(tree(html).head.iter()) if is_canonical(e)]
    before = without(tree(html), old[0]) if old else tree(html).html
    assert before == without(tree(new), added)
    assert new == with_same(html, new)


def is_canonical(element) -> bool:
    found = element.attributes
    kinds = (found.get("rel") or "").lower().split()
    return (
        element.tag == "link"
        and "canonical" in kinds
        and bool((found.get("href") or "").strip())
    )


def with_same(html: bytes, new: bytes) -> bytes:
    """Return the new page made of the old one's beginning and end,
    and one piece between."""
    start = next(
        (i for i, (a, b) in enumerate(zip(html, new, strict=False)) if a != b),
        len(html),
    )
    end = 0
    while end < min(len(html), len(new)) - start and html[-1 - end] == new[-1 - end]:
        end += 1
    piece = new[start : len(new) - end]
    assert piece.count(b"<") <= 2
    return html[:start] + piece + html[len(html) - end :]


PAGES = st.builds(
    as_bytes,
    st.builds(
        str.__add__,
        st.sampled_from(STARTS),
        st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join),
    ),
    st.sampled_from(ENCODINGS),
    declares=st.booleans(),
)


@examples(1_000)
@given(PAGES)
@example(b"<head><link rel=canonical href=/a><body><p>a<link rel=canonical href=/b>")
@example(b"<head><meta a='><link rel=canonical href=/a>'><link rel=canonical href=/b>")
@example(b'<head><link rel=canonical href=a"b><title>"></title>')
@example(b"<!--><head>--><title><head></title>")
@example(b"<head a=<b>x>")
@example(b"<head/><title>")
def test_only_the_canonical_link_changes(html: bytes) -> None:
    new = with_canonical(html, URL)

    check(html, new, f'link[rel="canonical"][href="{URL}"]')
    if new is not None:
        assert (URL, ()) == (read_head(new).canonical, read_head(new).other_canonicals)
        assert new == with_canonical(new, URL)


@examples(500)
@given(PAGES)
def test_only_the_robots_tag_changes(html: bytes) -> None:
    new = with_noindex(html)

    if not read_head(html).noindex:
        check(html, new, 'meta[name="robots"][content="noindex"]')
    assert new is None or read_head(new).noindex


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("start", STARTS[1:5])
def test_usual_pages_are_not_left_alone(start, encoding):
    html = as_bytes(f"{start}<title>é</title>\r\n<p>text", encoding, declares=True)

    assert with_canonical(html, URL) is not None


def test_a_page_is_left_alone_if_its_encoding_would_not_be_found_any_more():
    html = b"<head>" + b" " * 980 + b"<meta charset=windows-1251><title>\xcf</title>"

    assert with_canonical(html, URL) is None
