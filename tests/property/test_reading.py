"""Any sitemap, whoever wrote it: what is passed over quickly, no check finds wrong."""

from __future__ import annotations

import io
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from lxml import etree

from sitemap_plugins.core.limits import IMAGE_NAMESPACE
from sitemap_plugins.core.messages import FileError
from sitemap_plugins.core.publishing.read import Element, read_sitemap

if TYPE_CHECKING:
    from collections.abc import Iterator


BASE = "https://a.com/"
NOW = datetime(2025, 1, 1, tzinfo=UTC)
OURS = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

STARTS = st.sampled_from(
    [
        "",
        "\n",
        DECLARATION,
        DECLARATION.replace("\n", "\r\n"),
        f"\ufeff{DECLARATION}",
        "<?xml version='1.0' ?>",
        '<?xml version="1.0" encoding="utf-8"?>',
        "text",
        '<?xml version="1.1"?>',
        '<?xml version="1.0" encoding="ISO-8859-1"?>',
        '<?xml version="1.0" encoding="US-ASCII"?>',
        '<?xml version="1.0" standalone="yes"?>',
        "<!-- <urlset> -->",
        "<!-- a -->\n",
        "<!DOCTYPE urlset>",
        "<!doctype html>",
        "<html>",
        '<!DOCTYPE urlset [<!ENTITY a "b">]>',
        "<?xml-stylesheet href='<urlset>'?>\n",
    ]
)
ROOTS = st.sampled_from(
    [
        *[f'<urlset xmlns="{OURS}" {XHTML}>'] * 6,
        *[f'<urlset\nxmlns="{OURS}">'] * 3,
        "<urlset>",
        f"<urlset {XHTML}>",
        '<urlset xmlns="http://example.com/">',
        "<urlset",
        f'<urlset xmlns="{OURS}" xmlns:xhtml="http://example.com/">',
        "<sitemapindex>",
        f'<s:urlset xmlns:s="{OURS}" xmlns="{OURS}">',
        f'<urlset xmlns="{OURS}" a=">">',
        "<feed>",
        f'<urlset xmlns="{OURS}"/>',
        f'<urlset xmlns="{OURS}" {XHTML}><!--<urlset>-->',
    ]
)
HOSTS = st.sampled_from(
    ["https://a.com"] * 6
    + [
        "https://b.com",
        "http://a.com",
        "HTTPS://a.com",
        "https://a.com:443",
        "http://localhost",
    ]
    + [
        "https://a_.com",
        "https://-a.com",
        f"https://{'a' * 64}.com",
        "https://bücher.de",
        "//a.com",
    ]
)
PATHS = st.lists(
    st.sampled_from(
        [
            "/",
            "/",
            "/",
            "a",
            "b",
            "page-1",
            "-",
            "_",
            "~",
            ".",
            "undefined",
            "/null",
            "NaN",
            "/sitemap.xml",
            "robots.txt",
            "//",
            "%2520",
            "&amp;amp;",
            "..",
            "/../",
            "%C3%A9",
            "%c3",
            "%41",
            "%2F",
            "%",
            "?",
            "?a=b",
            "&amp;b=c",
            "&amp;",
            "&#38;",
            "&lt;",
            "&gt;",
            "&quot;",
            "&apos;",
            "&a;",
            "&",
            "ü",
            "+",
            "=",
            ";",
            "'",
            '"',
            "#",
            " ",
            "\n",
            "\t",
            "*",
            "]]>",
            "sid=1",
            "?PHPSESSID=1",
            ">",
            "@",
            "x" * 1100,
            "<!-- a -->",
            "<![CDATA[b]]>",
            "<b>c</b>",
            "<?p?>",
            "\x7f",
            "\u2028",
            "]]",
        ]
    ),
    max_size=5,
).map("".join)
SPACES = st.sampled_from(
    ["", "", "", "\n", " ", "\r\n", "\t", "\r", "\n\n", "\xa0", "<!-- -->", "text"]
)
DATES = st.sampled_from(
    [
        "2024-01-01",
        "2024-05-05",
        "2023",
        "2024-02",
        "2024-01-01T00:00:00Z",
        "2024-02-30",
        "2024-01-01T10:00+01:00",
        "2024-01-01T10:00",
        "2024-01-01 10:00",
        "2030-01-01",
        "soon",
        "",
        "0000-01-01",
        "2024-01-01T00:00:00.5Z",
        "9999-12-31T23:59-14:00",
        "1991-08-06",
        "1991-08-05T23:59Z",
        "1970-01-01",
        "\uff12\uff10\uff12\uff14",
        "1" * 50,
    ]
)
WORDS = st.sampled_from(
    [
        "daily",
        "Daily",
        "WEEKLY",
        "never",
        "often",
        "",
        "0.5",
        "1.0",
        "1",
        "0.55",
        "2",
        "-1",
    ]
)
LANGUAGES = st.sampled_from(
    [
        "en",
        "de",
        "x-default",
        "en-UK",
        "jp",
        "en_GB",
        "en-GB",
        "EN",
        "english",
        "",
        "zh-Hans",
        "&amp;",
    ]
)


def field(name: str, texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(SPACES, texts, SPACES).map(
        lambda t: f"<{name}>{''.join(t)}</{name}>"
    )


LOCS = field("loc", st.tuples(HOSTS, PATHS).map("".join))
LINKS = st.tuples(
    LANGUAGES,
    HOSTS,
    PATHS,
    st.sampled_from(["/>", " />", "></xhtml:link>", ">"]),
    st.sampled_from(["alternate"] * 6 + ["", "Alternate", "canonical"]),
).map(lambda t: f'<xhtml:link rel="{t[4]}" hreflang="{t[0]}" href="{t[1]}{t[2]}"{t[3]}')
ODD = st.sampled_from(
    [
        "<loc/>",
        "<loc></loc>",
        "<image/>",
        "<priority>0.5</priority>",
        "<lastmod/>",
        "text",
        '<n xmlns="http://example.com/">a</n>',
        f'<i:image xmlns:i="{IMAGE_NAMESPACE}"><i:loc>https://a.com/a.png</i:loc></i:image>',
        f'<i:image xmlns:i="{IMAGE_NAMESPACE}"/>',
        '<xhtml:link rel="alternate" media="print" href="https://a.com/"/>',
        "<xhtml:link/>",
        "<!-- </url> -->",
        "</url>",
        "<",
        "<xhtml:link href='a' rel='b'/>",
        '<xhtml:link rel="a" rel="b"/>',
        "<a:b/>",
        "\0",
        "&",
    ]
)
CHILDREN = st.tuples(
    LOCS,
    st.lists(field("lastmod", DATES), max_size=1).map("".join),
    st.lists(field("changefreq", WORDS) | field("priority", WORDS), max_size=2).map(
        "".join
    ),
    st.lists(LINKS, max_size=2).map("".join),
    st.just("") | st.just("") | ODD,
).map(list)
ENTRIES = st.one_of(
    CHILDREN.map(lambda each: f"<url>{''.join(each)}</url>"),
    CHILDREN.flatmap(st.permutations).map(
        lambda each: f"<url>\n{''.join(each)}</url>\n"
    ),
    st.integers(1, 3).map(lambda n: f"<url><loc>https://a.com/{n}/</loc></url>\n"),
    st.integers(1, 9).map(
        lambda n: (
            f"<url>\n <loc>https://a.com/{n}/</loc>\n <lastmod>2024-01-0{n}</lastmod>\n</url>\n"
        )
    ),
    ODD,
    st.sampled_from(
        [
            "<url/>",
            "<url></url>",
            "<url a='b'/>",
            "<sitemap><loc>a</loc></sitemap>",
            "<urls/>",
            "<!-- <url><loc>https://a.com/</loc></url> -->",
            "<![CDATA[</url>]]>",
            "</urlset>",
            "<!--",
            "<?p </url> ?>",
            "<urlset>",
            "\n" * 500,
            f"<url>{'<a/>' * 200}</url>",
        ]
    ),
)
ENDS = st.sampled_from(
    ["</urlset>\n"] * 4
    + ["", "</urlset>", "</urlset><!-- a -->\n", "</urlset>a", "</urlset><url/>"]
)
ENCODINGS = st.sampled_from(["utf-8"] * 6 + ["utf-16", "latin-1"])


@st.composite
def sitemaps(draw: st.DrawFn) -> bytes:
    """Return any file; half of them are well-formed,
    with odd entries here and there."""
    entries = draw(st.lists(ENTRIES, max_size=12))
    if draw(st.booleans()):
        root = draw(
            st.sampled_from(
                [f'<urlset xmlns="{OURS}" {XHTML}>', f'<urlset xmlns="{OURS}">']
            )
        )
        sound = [entry for entry in entries if is_sound(f"{root}{entry}</urlset>")]
        return "".join([DECLARATION, root, *sound, "</urlset>\n"]).encode()
    data = "".join([draw(STARTS), draw(ROOTS), *entries, draw(ENDS)])
    text = data.encode(draw(ENCODINGS), "replace")
    place = draw(st.integers(0, len(text)))
    cut = draw(st.sampled_from([0, 0, 1, 5, len(text)]))
    return (
        text[:place] + draw(st.just(b"") | st.binary(max_size=2)) + text[place + cut :]
    )


def is_sound(text: str) -> bool:
    try:
        return etree.fromstring(text.encode()) is not None
    except etree.XMLSyntaxError:
        return False


def elements(data: bytes) -> Iterator[Element]:
    """Yield the children of the root, as far as the file can be read."""
    with suppress(FileError):
        for each in read_sitemap(io.BytesIO(data)):
            if isinstance(each, Element):
                yield each
