"""What a built page says about itself: each rule of `core/markup.py`, by example."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.core import head, markup
from sitemap_plugins.core.errors import PageError

if TYPE_CHECKING:
    from pathlib import Path

PAGE_URL = "https://example.com/docs/page/"
NOINDEX = b'<meta name="robots" content="noindex">'
CANONICAL = b'<link rel="canonical" href="/a">'


def in_head(content: bytes) -> markup.Markup:
    return markup.read(b"<!doctype html><html><head>" + content + b"</head><body></body></html>")


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (b'<meta name="robots" content="noindex">', True),
        (b'<meta name="robots" content="none">', True),
        (b'<meta name="googlebot" content="noindex">', True),
        (b"<META NAME=RoBots CONTENT=NoIndex>", True),
        (b"<meta content='nofollow , NOINDEX' name='robots'/>", True),
        (b'<meta name="robots" content="nofollow noindex">', True),
        (b'<meta\nname = "robots"\tcontent = "none"\n>', True),
        (b'<meta/name="robots"/content="noindex">', True),
        (b'<meta name="&#114;obots" content="no&#x69;ndex">', True),
        (b'<meta name=robots name=x content=noindex content="all">', True),
        (b"<meta name=x name=robots content=noindex>", False),
        (b'<meta name="robots" content="index, follow">', False),
        (b'<meta name="robots" content="noindexed">', False),
        (b'<meta name="robots" content="index, max-image-preview: none">', False),
        (b'<meta name="robots" content="max-image-preview:none">', False),
        (b'<meta name="robots" content="max-snippet:-1, noindex">', True),
        (b'<meta name="description" content="noindex">', False),
        (b'<meta property="robots" content="noindex">', False),
        (b'<meta name="bingbot" content="noindex">', False),
        (b'<meta name="robots">', False),
        (b'<meta name="robots" content="">', False),
        (b'<meta name="robots" content="index"><meta name="googlebot" content="none">', True),
    ],
)
def test_noindex(tag: bytes, *, expected: bool) -> None:
    assert expected == in_head(tag).noindex


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("0; url=/new/", "/new/"),
        ("0;URL='/new/'", "/new/"),
        ("3 , url = /new/ ", "/new/"),
        ("0;url='/new/' ignored", "/new/"),
        ("0;url='/unclosed", "/unclosed"),
        ("0; /bare/", "/bare/"),
        ("0 /bare/", "/bare/"),
        ("0.5;url=/new/", "/new/"),
        (".5;url=/new/", "/new/"),
        ("0;urlaub.html", "urlaub.html"),
        ("0;url=/?a=1&amp;b=2", "/?a=1&b=2"),
        ("300", ""),
        ("5;", ""),
        ("0;url=", ""),
        ("", None),
        ("url=/new/", None),
        ("0x;url=/new/", None),
    ],
)
def test_refresh(content: str, expected: str | None) -> None:
    said = in_head(f'<meta http-equiv="Refresh" content="{content}">'.encode())
    assert expected == said.refresh


def test_the_first_refresh_with_a_time_counts() -> None:
    tags = b"".join(
        b'<meta http-equiv=refresh content="%b">' % content
        for content in (b"soon", b"0;/first", b"0;/second")
    )
    assert in_head(tags).refresh == "/first"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (b'<link rel="canonical" href="https://example.com/a">', "https://example.com/a"),
        (b"<link href=/a/ rel=CANONICAL>", "/a/"),
        (b"<link rel='nofollow Canonical' href=' /a '/>", "/a"),
        (b'<link rel="canonical" href="?a=1&amp;b=2&copy=3">', "?a=1&b=2&copy=3"),
        (b'<link rel="canonical"><link rel="canonical" href="">' + CANONICAL, "/a"),
        (CANONICAL + b'<link rel="canonical" href="/b">', "/a"),
        (b'<link rel="alternate" href="/canonical">', None),
        (b'<link rel="canonical-x" href="/b">', None),
        (b'<a rel="canonical" href="/b">', None),
    ],
)
def test_canonical(tag: bytes, expected: str | None) -> None:
    assert expected == in_head(tag).canonical


@pytest.mark.parametrize(
    ("base", "canonical", "expected"),
    [
        (b"", b"https://other.example/x", "https://other.example/x"),
        (b"", b"../x", "https://example.com/docs/x"),
        (b"<base href=/root/>", b"x", "https://example.com/root/x"),
        (b"<base target=_top><base href=..><base href=/no/>", b"x", "https://example.com/docs/x"),
        (b"", b"//example.org/x", "https://example.org/x"),
        (b"", b"https://[", None),
    ],
)
def test_canonical_is_relative_to_the_base(
    base: bytes, canonical: bytes, expected: str | None
) -> None:
    said = in_head(base + b'<link rel=canonical href="%b">' % canonical)
    assert expected == said.canonical_url(PAGE_URL)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"0;url=../x/", "https://example.com/docs/x/"),
        (b"30", None),
        (b"0;#top", PAGE_URL + "#top"),
    ],
)
def test_refresh_is_relative_to_the_page(content: bytes, expected: str | None) -> None:
    said = in_head(b'<meta http-equiv=refresh content="%b">' % content)
    assert expected == said.refresh_url(PAGE_URL)


@pytest.mark.parametrize(
    "hidden",
    [
        b"<!-- %b -->",
        b"<!-- > -- %b -->",
        b"<!--[if IE]>%b<![endif]-->",
        b"<script>var a = '%b'</script>",
        b"<script><!-- <script> </script> %b --></script>",
        b"<SCRIPT type=x>%b</ScRiPt >",
        b"<style>%b</style>",
        b"<style>%b</styles></style/>",
        b"<title>%b</title>",
        b"<noscript>%b</noscript>",
        b"<noframes>%b</noframes>",
        b"<template>%b</template>",
        b"<template><template></template>%b</template>",
        b"<meta content='%b'>",
        b'<meta a="%b">',
    ],
)
@pytest.mark.parametrize(
    "content", [NOINDEX.replace(b'"', b""), b"</head><meta name=robots content=none>"]
)
def test_what_only_looks_like_a_tag_says_nothing_and_hides_nothing(
    hidden: bytes, content: bytes
) -> None:
    said = in_head(hidden.replace(b"%b", content) + CANONICAL)
    assert markup.Markup(canonical="/a") == said


@pytest.mark.parametrize(
    "before",
    [
        b"<!-->",
        b"<!--->",
        b"<!-- --!>",
        b"<!x>",
        b"<?php ?>",
        b"</>",
        b"</ x>",
        b"</p>",
        b"</template>",
        b"<script></script>",
        b"<script><!-- </script>",
        b"<script><!--><script></script>",
        b"<title>x</titles></title>",
        b'<meta a="b"c=d>',
        b"<meta ='>",
        b"<bgsound><basefont>",
        b"<html lang=en>",
        b"<head>",
        b"\n\t\f\r ",
        b"<noscript><img></noscript>",
        b"<template><p>x</template>",
        b"</head>",
        b"</head><!-- x --> <title></title>",
    ],
)
def test_what_does_not_end_a_head(before: bytes) -> None:
    assert in_head(before + NOINDEX + CANONICAL) == markup.Markup(noindex=True, canonical="/a")


@pytest.mark.parametrize(
    "before", [b"<div>", b"<img>", b"x", b"\0", b"< ", b"<svg/>", b"</br>", b"<svg><title/></svg>"]
)
def test_after_what_no_head_holds_robots_and_refresh_count_but_not_canonical(
    before: bytes,
) -> None:
    assert in_head(before + NOINDEX + CANONICAL) == markup.Markup(noindex=True)


@pytest.mark.parametrize(
    "html",
    [
        b"<head></head><body>" + NOINDEX,
        b"<head><body>" + NOINDEX,
        b"<head></head><p>" + NOINDEX,
        b"<head></head><noscript></noscript>" + NOINDEX,
        b"<title>x</title><p>" + NOINDEX,
        b"<frameset>" + NOINDEX,
        b"<head></body>" + NOINDEX,
        b"<head><img></head>" + NOINDEX,
        b"<head><!-- " + NOINDEX,
        b"<head><script>" + NOINDEX,
        b"<head><script><!-- <script> </script>" + NOINDEX,
        b"<head><template>" + NOINDEX,
        b"<head><p><plaintext>" + NOINDEX,
        b"<head><p><svg>" + NOINDEX + b"</svg>",
        b"<head><meta name=robots content=noindex",
        b"<head><meta name=robots content='noindex>",
        b"",
        b"\xff\xfe\0",
        b"%PDF-1.7",
    ],
)
def test_what_is_in_no_head_says_nothing(html: bytes) -> None:
    assert markup.Markup() == markup.read(html)


@pytest.mark.parametrize("html", [NOINDEX, b"<title>x</title>" + NOINDEX + b"<p>x"])
def test_a_head_needs_no_tag(html: bytes) -> None:
    assert markup.read(html).noindex


def test_xhtml() -> None:
    html = (
        b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN"'
        b' "x">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>'
        b'<link rel="canonical" href="/a" /></head></html>'
    )
    assert markup.read(html) == markup.Markup(canonical="/a")


TEXT = '<meta name="robots" content="noindex"><link rel="canonical" href="/{}">'


@pytest.mark.parametrize(
    ("charset", "codec", "name"),
    [
        ("", "utf-8", "é"),
        ("", "utf-8-sig", "é"),
        ("iso-8859-2", "utf-8-sig", "é"),
        ("", "utf-16", "é"),
        ("utf-8", "utf-16", "日本"),
        ("", "cp1252", "é€"),
        ("utf-8", "utf-8", "日本"),
        ("UTF8", "utf-8", "日本"),
        ("iso-8859-1", "cp1252", "é€"),
        ("windows-1251", "cp1251", "я"),
        ("Shift_JIS", "shift_jis", "日本"),
        ("gb2312", "gb18030", "汉语"),
        ("euc-jp", "euc_jp", "日本"),
        ("iso-2022-jp", "iso2022_jp", "日本"),
        ("zip", "utf-8", "é"),
        ("unicode_escape", "utf-8", "é"),
    ],
)
def test_encodings(charset: str, codec: str, name: str) -> None:
    meta = f'<meta charset="{charset}">' if charset else ""
    html = f"<!doctype html><head>{meta}<title>{name}</title>{TEXT.format(name)}</head>"
    said = markup.read(html.encode(codec))
    assert markup.Markup(noindex=True, canonical=f"/{name}") == said


def test_letters_of_iso_2022_jp_that_look_like_tags() -> None:
    html = f"<meta charset=iso-2022-jp><title>{'爾室' * 9}</title>{TEXT.format('a')}"
    assert b"<" in html.encode("iso2022_jp").partition(b"<title>")[2].partition(b"</title>")[0]
    assert markup.read(html.encode("iso2022_jp")) == markup.Markup(noindex=True, canonical="/a")


def test_the_charset_in_the_old_form() -> None:
    html = '<meta http-equiv=Content-Type content="text/html; charset=windows-1251">'
    said = markup.read((html + TEXT.format("я")).encode("cp1251"))
    assert said.canonical == "/я"


def test_octets_that_are_no_text_do_no_harm() -> None:
    said = in_head(b"<meta charset=utf-8><link rel=canonical href=/\xff\0>" + NOINDEX)
    assert markup.Markup(noindex=True, canonical="/\ufffd\ufffd") == said


@pytest.mark.parametrize(
    "filler", [b"<script>%b</script>", b"<style>%b</style>", b"<!--%b-->", b"<meta content='%b'>"]
)
@pytest.mark.parametrize("size", [0, markup.FIRST_BYTES - 40, 3_000_000])
def test_a_huge_head_is_read_to_its_end(tmp_path: Path, filler: bytes, size: int) -> None:
    file = tmp_path / "index.html"
    file.write_bytes(b"<head>" + filler.replace(b"%b", b"</head> " * (size // 8)) + NOINDEX)
    assert markup.read_file(file) == markup.Markup(noindex=True)


def test_a_head_of_more_tags_than_any_page_has_is_read_up_to_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    for count, expected in ((head.MOST_TOKENS, False), (head.MOST_TOKENS - 2, True)):
        file.write_bytes(b"<head>" + b"<link>" * count + NOINDEX)
        assert markup.read_file(file).noindex is expected


def test_a_file_cut_anywhere_by_the_first_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "index.html"
    html = b"<head><!--> <script><!-- x --></script>" + NOINDEX + CANONICAL + b"</head >"
    file.write_bytes(html)
    expected = markup.Markup(noindex=True, canonical="/a")
    for first in range(1, len(html)):
        monkeypatch.setattr(markup, "FIRST_BYTES", first)
        assert expected == markup.read_file(file), first


def test_a_file_is_read_no_further_than_its_head(tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    with file.open("wb") as stream:
        stream.write(b"<head>" + CANONICAL + b"</head><body>" + NOINDEX)
        stream.truncate(1 << 36)  # Sparse: to read it all would take minutes and the memory.
    assert markup.read_file(file) == markup.Markup(canonical="/a")


def test_a_head_without_end_is_read_up_to_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    with file.open("wb") as stream:
        stream.write(b"<head>" + NOINDEX + b"<!--")
        stream.truncate(1 << 36)
    assert markup.read_file(file) == markup.Markup(noindex=True)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"missing\.html' cannot be read"):
        markup.read_file(tmp_path / "missing.html")


def test_a_tag_that_is_too_long_is_passed_over() -> None:
    tag = b"<link rel=canonical href='/%b'>" % (b"x" * markup.MOST_TAG_BYTES)
    assert in_head(tag + NOINDEX) == markup.Markup(noindex=True)


def test_scan_says_whether_the_head_ends() -> None:
    assert head.scan(b"<head></head>\n").ended is False  # More of it may follow "</head>".
    assert head.scan(b"<head></head><body").ended is False
    assert head.scan(b"<head></head><body>").ended is True
