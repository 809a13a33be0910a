"""Tags in the head of a built page: each rule of `core/html/head.py`, by example."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.core.html import head as html_head
from sitemap_plugins.core.html.document import MAX_ATTRIBUTES
from sitemap_plugins.core.html.head import header_says_noindex, says_noindex
from sitemap_plugins.core.messages import PageError
from tests.full import full

if TYPE_CHECKING:
    from pathlib import Path

PAGE_URL = "https://example.com/docs/page/"
NOINDEX = b'<meta name="robots" content="noindex">'
REFRESH = b"<meta http-equiv=refresh content='0; url=/a'>"
CANONICAL = b'<link rel="canonical" href="/a">'


def in_head(content: bytes) -> html_head.HeadMeta:
    return html_head.read_head(
        b"<!doctype html><html><head>" + content + b"</head><body></body></html>"
    )


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
        (
            b'<meta name="robots" content="index"><meta name="googlebot" content="none">',
            True,
        ),
        (b"<link name=robots content=noindex>", False),
        (b"<meta name=' robots\n' content=noindex>", True),
        (b"<meta name=robots content='&quot;noindex'>", False),
        (b"<meta name=robots content='&quot;X&quot;,noindex'>", True),
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


NOSCRIPT = (
    '<noscript>\n<meta http-equiv="refresh" content="0; url=../b/" />\n</noscript>'
)


@pytest.mark.parametrize(
    "html",
    [
        # As in Material for MkDocs and mike, sphinx-reredirects, sphinxext-rediraffe.
        f'<head>{NOSCRIPT}<script>location.replace(["../b/",location.hash].join(""))</script>',
        f'<html><head>{NOSCRIPT}<script>var target = "../b/";</script></head></html>',
        f"<head>{NOSCRIPT}</head><body><script>location = '../b/' + location.hash</script></body>",
        f'{NOSCRIPT.upper().replace("../B/", "../b/")}<script>go("..\\/b\\/")</script>',
        f"<script>go(`../b/`)</script>{NOSCRIPT}",
        f"<head><noscript><img></noscript><noscript></noscript>{NOSCRIPT}<script>'../b/'</script>",
    ],
)
def test_refresh_in_noscript_applies_if_a_script_has_its_address(html: str) -> None:
    said = html_head.read_head(html.encode())
    assert "../b/" == said.refresh
    assert "https://example.com/docs/b/" == said.refresh_url(PAGE_URL)


@pytest.mark.parametrize(
    ("noscript", "script"),
    [
        # Pages for readers with scripts, which those without leave.
        ("<meta http-equiv=refresh content='0; url=?nojs=1'>", "a()"),
        ("<meta http-equiv=refresh content='0;url=/no-script.html'>", ""),
        (
            "<meta http-equiv=refresh content='0;url=/no-script.html'>",
            "'/no-script.html?a=1'",
        ),
        # What leads nowhere, and what is no refresh.
        ("<meta http-equiv=refresh content='300'>", "var a = ''"),
        ("<meta http-equiv=refresh content='0;url='>", "var a = ''"),
        ("<meta name=refresh content='0;url=/b'>", "'/b'"),
        ("<!--<meta http-equiv=refresh content='0;url=/b'>-->", "'/b'"),
    ],
)
def test_refresh_in_noscript_alone_is_ignored(noscript: str, script: str) -> None:
    html = f"<noscript>{noscript}</noscript><script>{script}</script>"
    assert in_head(html.encode()).refresh is None


def test_refresh_in_noscript_applies_only_in_the_head() -> None:
    html = f"<head></head><body>{NOSCRIPT}<script>'../b/'</script>"
    assert html_head.read_head(html.encode()).refresh is None


def test_refresh_wins_over_one_in_noscript() -> None:
    html = f"{NOSCRIPT}<script>'../b/'</script><meta http-equiv=refresh content='0;url=/c/'>"
    assert "/c/" == in_head(html.encode()).refresh


IN_BODY = '<meta http-equiv="refresh" content="0; url=/b/">'


@pytest.mark.parametrize(
    "body",
    [
        f"<p>Text</p>{IN_BODY}",
        f"<p>{IN_BODY.upper().replace('/B/', '/b/')}</p>",
        f"<div><svg><title>x</title></svg>{IN_BODY}</div>",
        "<META Http-Equiv = Refresh content='0;url=/b/'>",
        "<meta content='0;url=/b/' http-equiv='&#114;efresh'>",
        f"<p>{'x' * 300_000}</p>{IN_BODY}",
        f"<meta http-equiv=refresh content=soon>{IN_BODY}<meta http-equiv=refresh content='0;c'>",
    ],
)
@pytest.mark.parametrize(
    "head", ["<meta http-equiv='X-UA-Compatible' content='IE=edge'>", ""]
)
def test_refresh_in_the_body_applies(head: str, body: str, tmp_path: Path) -> None:
    """As in browsers; Sphinx puts one there with `.. raw:: html`."""
    file = tmp_path / "a.html"
    file.write_text(f"<!doctype html><head>{head}</head><body>{body}</body>")
    assert "/b/" == html_head.read_head_of(file).refresh


@pytest.mark.parametrize(
    "body",
    [
        f"<template>{IN_BODY}</template>",
        f"<textarea>{IN_BODY}</textarea>",
        f"<!-- {IN_BODY} -->",
        f"<script>document.write('{IN_BODY}')</script>",
        f"<style>{IN_BODY}</style>",
        f"<noscript>{IN_BODY}</noscript>",
        f"<xmp>{IN_BODY}</xmp>",
        f"<iframe>{IN_BODY}</iframe>",
        f"<p title='{IN_BODY}'>",
        IN_BODY.replace("<", "&lt;"),
        "<p http-equiv='refresh' content='0; url=/b/'>",
        "<meta http-equiv='content-type' content='0; url=/b/'>",
    ],
)
def test_refresh_that_browsers_do_not_follow_in_the_body_is_ignored(body: str) -> None:
    head = html_head.read_head(f"<head></head><body>{body}</body>".encode())
    assert (None, True) == (head.refresh, head.is_whole)


def test_refresh_in_a_body_that_is_too_slow_to_parse_is_ignored() -> None:
    head = html_head.read_head(
        f"<head></head><body>{'<b><i>' * 100_000}{IN_BODY}".encode()
    )
    assert (None, False) == (head.refresh, head.is_whole)


def test_refresh_in_the_head_wins_over_one_in_the_body() -> None:
    assert (
        "/a"
        == html_head.read_head(
            b"<head>" + REFRESH + b"</head>" + IN_BODY.encode()
        ).refresh
    )


def test_first_refresh_with_a_time_applies() -> None:
    tags = b"".join(
        b'<meta http-equiv=refresh content="%b">' % content
        for content in (b"soon", b"0;/first", b"0;/second")
    )
    assert "/first" == in_head(tags).refresh


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (
            b'<link rel="canonical" href="https://example.com/a">',
            "https://example.com/a",
        ),
        (b"<link href=/a/ rel=CANONICAL>", "/a/"),
        (b"<link rel='nofollow Canonical' href=' /a '/>", "/a"),
        (b'<link rel="canonical" href="?a=1&amp;b=2&copy=3">', "?a=1&b=2&copy=3"),
        (b'<link rel="canonical" href="?a=&quot;X&quotX">', '?a="X&quotX'),
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
        (
            b"<base target=_top><base href=..><base href=/no/>",
            b"x",
            "https://example.com/docs/x",
        ),
        (b"", b"//example.org/x", "https://example.org/x"),
        (b"", b"https://[", ""),
    ],
)
def test_canonical_is_relative_to_the_base(
    base: bytes, canonical: bytes, expected: str
) -> None:
    said = in_head(base + b'<link rel=canonical href="%b">' % canonical)
    assert expected == said.canonical_url(PAGE_URL)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"0;url=../x/", "https://example.com/docs/x/"),
        (b"30", ""),
        (b"0;#top", PAGE_URL + "#top"),
    ],
)
def test_refresh_is_relative_to_the_page(content: bytes, expected: str) -> None:
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
        b"<SCRIPT><!-- <SCRIPT> </script> %b --></script>",
        b"<title/>%b</title>",
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
def test_text_that_looks_like_a_tag_is_ignored_and_hides_nothing(
    hidden: bytes, content: bytes
) -> None:
    said = in_head(hidden.replace(b"%b", content) + CANONICAL)
    assert html_head.HeadMeta(canonical="/a") == said


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
def test_elements_that_do_not_end_the_head(before: bytes) -> None:
    assert html_head.HeadMeta(noindex=True, canonical="/a") == in_head(
        before + NOINDEX + CANONICAL
    )


@pytest.mark.parametrize(
    "before",
    [
        b"<div>",
        b"<img>",
        b"x",
        b"\0",
        b"< ",
        b"<svg/>",
        b"</br>",
        b"<svg><title/></svg>",
    ],
)
def test_robots_and_refresh_apply_after_the_end_of_the_head_but_not_canonical(
    before: bytes,
) -> None:
    assert html_head.HeadMeta(noindex=True) == in_head(before + NOINDEX + CANONICAL)


@pytest.mark.parametrize(
    "html",
    [
        b"<head><img>" + NOINDEX + b"</head><p>",
        b"<HEAD><img>" + NOINDEX + b"</HEAD><p>",
        b"<head><img>" + NOINDEX + b"<body>",
        b"<head><img>" + NOINDEX + b"<BODY><p>",
        b"<head><img><script>'</head>'</script>" + NOINDEX + b"</head>",
        b"<head><img><meta content='<body>'>" + NOINDEX + b"</head>",
    ],
)
def test_written_end_of_the_head_applies_after_a_stray_tag(html: bytes) -> None:
    assert html_head.read_head(html).noindex


@pytest.mark.parametrize(
    "html",
    [
        b"<head><img></HEAD>" + NOINDEX + b"<body>",
        b"<head><img><BODY>" + NOINDEX,
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
def test_tags_outside_the_head_are_ignored(html: bytes) -> None:
    assert html_head.HeadMeta() == html_head.read_head(html)


@pytest.mark.parametrize("html", [NOINDEX, b"<title>x</title>" + NOINDEX + b"<p>x"])
def test_head_needs_no_tag(html: bytes) -> None:
    assert html_head.read_head(html).noindex


def test_xhtml() -> None:
    html = (
        b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN"'
        b' "x">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>'
        b'<link rel="canonical" href="/a" /></head></html>'
    )
    assert html_head.HeadMeta(canonical="/a") == html_head.read_head(html)


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
    said = html_head.read_head(html.encode(codec))
    assert html_head.HeadMeta(noindex=True, canonical=f"/{name}") == said


def test_iso_2022_jp_letters_that_look_like_tags() -> None:
    html = f"<meta charset=iso-2022-jp><title>{'爾室' * 9}</title>{TEXT.format('a')}"
    assert (
        b"<"
        in html.encode("iso2022_jp").partition(b"<title>")[2].partition(b"</title>")[0]
    )
    assert html_head.HeadMeta(noindex=True, canonical="/a") == html_head.read_head(
        html.encode("iso2022_jp")
    )


def test_charset_in_the_old_form() -> None:
    html = '<meta http-equiv=Content-Type content="text/html; charset=windows-1251">'
    said = html_head.read_head((html + TEXT.format("я")).encode("cp1251"))
    assert "/я" == said.canonical


def test_invalid_bytes_are_replaced() -> None:
    said = in_head(b"<meta charset=utf-8><link rel=canonical href=/\xff\0>" + NOINDEX)
    assert html_head.HeadMeta(noindex=True, canonical="/\ufffd\ufffd") == said


@pytest.mark.parametrize("filler", [b"<script>%b</script>", b"<STYLE>%b</STYLE>"])
@pytest.mark.parametrize("size", [0, html_head.CHUNK_BYTES - 40, 200_000])
def test_head_with_a_long_text_is_read_to_its_end(
    tmp_path: Path, filler: bytes, size: int
) -> None:
    file = tmp_path / "index.html"
    text = b"</head> <body>  " * (size // 16)
    file.write_bytes(
        b"<head>" + NOINDEX[:-1] + b" x>" + filler.replace(b"%b", text) + CANONICAL
    )
    assert html_head.HeadMeta(noindex=True, canonical="/a") == html_head.read_head_of(
        file
    )


@pytest.mark.parametrize("cut", range(1, 10))
def test_end_tag_divided_by_the_first_read(cut: int) -> None:
    start = b"<head><script>" + b"</script>"[:cut].rjust(
        html_head.CHUNK_BYTES - 14, b";"
    )
    assert len(start) == html_head.CHUNK_BYTES
    assert "/a" == html_head.read_head(start + b"</script>"[cut:] + CANONICAL).canonical


def test_style_with_embedded_fonts_is_read_to_its_end() -> None:
    style = b"p { margin: 0 } " * 200 + b"url(data:font/woff2;base64,%b)" % (
        b"d09G" * 1_250
    )
    said = html_head.read_head(b"<head><style>" + style * 10 + b"</style>" + CANONICAL)
    assert said.canonical == "/a"


def test_written_end_of_the_head_ends_the_reading() -> None:
    html = b"<head><p>" + b"<script>%b</script>" % (b"x" * html_head.CHUNK_BYTES)
    assert not html_head.read_head(html + b"</head>" + NOINDEX).noindex


@pytest.mark.parametrize(
    "filler", [b"<style>%b</style>", b"<script>%b</script>", b"<!--%b-->"]
)
@pytest.mark.parametrize("size", [9, 5 * html_head.CHUNK_BYTES])
def test_noindex_counts_up_to_the_written_end_of_a_head_that_a_stray_tag_ended(
    filler: bytes, size: int
) -> None:
    html = b"<head><img src=pixel>" + filler % (b"x" * size)

    assert html_head.read_head(html + NOINDEX + b"</head><body>").noindex
    assert not html_head.read_head(html + b"</head><body>" + NOINDEX).noindex


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'<body><a title="<!--">x</a>', b"<!-- c -->"),
        (b'<meta content="The <script> tag"><body>', b"<script></script>"),
        (b"<body><a title=<!-- >x</a>", b"<!-- c -->"),
        (b"<body><!-- x --!>", b"<!-- c -->"),
        (b"<body><!<script</p>", b"</script>"),
        (b"<body></p <script>", b"<script></script>"),
        (b"<body><a <script>", b"<script></script>"),
        (b"<body><p><script<title>", b"</script>"),
    ],
)
def test_refresh_in_the_body_is_not_hidden_by_what_only_looks_like_a_comment(
    before: bytes, after: bytes
) -> None:
    refresh = b'<meta http-equiv="refresh" content="0;url=/x">'
    html = before + refresh + after

    assert html_head.read_head(html).refresh == "/x"
    encoded = html.decode().encode("utf-16")
    assert html_head.read_head(encoded).refresh == "/x"


PRELOAD = b'<link rel="preload" href="/assets/%d.js" as="script" crossorigin>\n'
PRELOADS = b"".join(PRELOAD % number for number in range(1_000))


@pytest.mark.parametrize("start", [b"", b'<meta charset="latin1">', codecs.BOM_UTF8])
def test_tags_after_many_preload_links_apply(start: bytes) -> None:
    href = "/ü".encode("latin-1" if b"latin1" in start else "utf-8")
    base = b"<base href=/b/><base href=/c/>"
    after = (
        NOINDEX
        + REFRESH
        + b'<link rel=canonical href="%b">' % href
        + b"<base href=/d/>"
    )
    html = (
        start
        + b"<!doctype html><html><head>"
        + base
        + PRELOADS
        + after
        + b"</head><body>x"
    )

    assert (
        html_head.HeadMeta(noindex=True, refresh="/a", canonical="/ü", base="/b/")
    ) == html_head.read_head(html)


def test_long_head_ends_where_browsers_end_it() -> None:
    said = html_head.read_head(
        b"<head>" + PRELOADS + b"</head><body>" + NOINDEX + CANONICAL
    )

    assert html_head.HeadMeta() == said


@pytest.mark.parametrize(
    "slow",
    [
        b"<meta %b>" % b" ".join(b"a%d" % n for n in range(MAX_ATTRIBUTES + 1)),
        full(b"<template>" + b"<div>" * 50_000),
    ],
    ids=["attributes", "nested in a template"],
)
def test_head_that_is_slow_to_parse_is_not_read_further(slow: bytes) -> None:
    html = (
        b"<head>"
        + NOINDEX
        + slow
        + b"<style>"
        + b"x" * html_head.CHUNK_BYTES
        + b"</style>"
    )
    assert html_head.HeadMeta(noindex=True, is_whole=False) == html_head.read_head(
        html + CANONICAL
    )


def test_template_with_icons_in_a_long_head_is_read() -> None:
    """As Starlight writes them."""
    icons = b"<template>" + b"<svg><path d='M 0 0'/></svg>" * 100 + b"</template>"
    html = (
        b"<head>"
        + icons
        + b"<style>"
        + b"x" * html_head.CHUNK_BYTES
        + b"</style>"
        + NOINDEX
    )
    assert html_head.HeadMeta(noindex=True) == html_head.read_head(html)


def test_end_tag_in_a_comment_does_not_end_the_script() -> None:
    script = (
        b"<script><!-- <script>"
        + b"x;" * (html_head.CHUNK_BYTES // 2)
        + b"</script>%b</script>"
    )
    said = html_head.read_head(b"<head>" + script % NOINDEX + CANONICAL)
    assert html_head.HeadMeta(canonical="/a") == said


def test_file_divided_anywhere_by_the_first_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "index.html"
    html = (
        b"<head><!--> <script><!-- x --></script>" + NOINDEX + CANONICAL + b"</head >"
    )
    file.write_bytes(html)
    expected = html_head.HeadMeta(noindex=True, canonical="/a")
    for size in range(1, len(html)):
        monkeypatch.setattr(html_head, "CHUNK_BYTES", size)
        assert expected == html_head.read_head_of(file), size


def test_file_is_read_only_to_the_end_of_its_head(tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    with file.open("wb") as stream:
        stream.write(b"<head>" + CANONICAL + b"</head><body>" + NOINDEX)
        stream.truncate(
            1 << 36
        )  # Sparse: to read it all would take minutes and the memory.
    assert html_head.HeadMeta(canonical="/a") == html_head.read_head_of(file)


def test_endless_head_is_read_up_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    with file.open("wb") as stream:
        stream.write(b"<head>" + NOINDEX + b"<!--")
        stream.truncate(1 << 36)
    assert html_head.HeadMeta(noindex=True, is_whole=False) == html_head.read_head_of(
        file
    )


def test_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="cannot be read"):
        html_head.read_head_of(tmp_path / "missing.html")


@pytest.mark.parametrize("size", [9_000, 40_000, 900_000])
def test_icon_as_a_data_url_does_not_hide_later_tags(size):
    """As pdoc and mystmd write it."""
    icon = b'<link rel=icon href="data:image/png;base64,%b==">' % (
        b"iVBORw0KGgo" * (size // 11)
    )
    html = (
        b"<!doctype html><html><head>" + icon + NOINDEX + CANONICAL + b"</head><body>"
    )

    assert html_head.HeadMeta(noindex=True, canonical="/a") == html_head.read_head(html)


def test_languages_and_generator_are_returned_as_written():
    said = html_head.read_head(
        b"<head><meta name=Generator content=' mystmd '><meta name=generator content=other>"
        b"<link rel='stylesheet alternate' hreflang=de href=/de/><link rel=alternate href=/feed>"
        b"<link rel=alternate hreflang=fr><link rel=ALTERNATE hreflang=pt-BR href=' ../pt/ '>"
        b"</head><body><link rel=alternate hreflang=it href=/it/>"
    )

    assert "mystmd" == said.generator
    assert (("de", "/de/"), ("pt-BR", "../pt/")) == said.alternates


def test_feed_in_a_language_is_not_a_translation():
    """As Nikola's pages name theirs."""
    said = html_head.read_head(
        b"<head><link rel=alternate type='application/rss+xml' hreflang=en href=rss.xml>"
        b"<link rel=alternate type='Text/HTML; charset=utf-8' hreflang=de href=/de/>"
    )

    assert (("de", "/de/"),) == said.alternates


def test_languages_and_generator_may_be_anywhere_in_a_long_head():
    links = b"".join(
        b"<link rel=alternate hreflang=x-%d href=/%d/>" % (n, n) for n in range(900)
    )
    said = html_head.read_head(
        b"<head>" + links + b"<meta name=generator content=x><body>"
    )

    assert tuple((f"x-{n}", f"/{n}/") for n in range(900)) == said.alternates
    assert "x" == said.generator


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("max-image-preview : none", False),
        ("max-image-preview:\n none", False),
        ("none:x", False),
        (": none", False),
        ("none :", False),
        ("a : : none", False),
        ("a: b none", True),
        (" None ", True),
        ("x,noindex", True),
        ("\u2003noindex\x1f", True),
        (":", False),
        ("", False),
    ],
)
def test_says_noindex(content: str, *, expected: bool) -> None:
    assert expected == says_noindex(content)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("nofollow, none", True),
        ("max-snippet: 10, noindex", True),
        ("max-image-preview: large, noindex", True),
        ("max-video-preview: -1, noindex", True),
        ("unavailable_after: 2030-01-01, noindex", True),
        ("otherbot: nofollow, googlebot: noindex", True),
        ("nofollow, ROBOTS : NOINDEX", True),
        ("googlebot: nofollow, otherbot: noindex", False),
        ("otherbot: nofollow, max-snippet: 10, noindex", False),
        ("", False),
    ],
)
def test_crawler_name_in_the_header_applies_up_to_the_next(
    value: str, *, expected: bool
) -> None:
    assert expected == header_says_noindex(value)
