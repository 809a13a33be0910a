"""The exact bytes of an entry: order, escaping, numbers and dates."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial

import pytest
from lxml import etree

from sitemap_plugins.core.publishing import xml
from sitemap_plugins.core.records import Entry, Link

URL = "https://example.com/"
NOON = datetime(2024, 12, 23, 12, 0, 15, 999_999, tzinfo=UTC)


def test_all_elements_are_in_the_order_of_the_schema():
    entry = Entry(
        url=URL + "en/?a=1&b='2'",
        lastmod=NOON,
        changefreq="daily",
        priority=0.8,
        links=(Link("de", URL + "de/?a&b"), Link("x-default", URL)),
        images=(URL + "1.png?a&b", URL + "2.png"),
    )

    assert (
        b"<url><loc>https://example.com/en/?a=1&amp;b=&apos;2&apos;</loc>"
        b"<lastmod>2024-12-23T12:00:15+00:00</lastmod><changefreq>daily</changefreq>"
        b"<priority>0.8</priority>"
        b'<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/?a&amp;b"/>'
        b'<xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/"/>'
        b"<image:image><image:loc>https://example.com/1.png?a&amp;b</image:loc></image:image>"
        b"<image:image><image:loc>https://example.com/2.png</image:loc></image:image></url>\n"
    ) == xml.url_element(entry, "datetime")


def test_unknown_values_are_omitted():
    assert f"<url><loc>{URL}</loc></url>\n".encode() == xml.url_element(
        Entry(url=URL), "datetime"
    )


@pytest.mark.parametrize(
    ("character", "expected"),
    [
        ("&", b"&amp;"),
        ("'", b"&apos;"),
        ('"', b"&quot;"),
        (">", b"&gt;"),
        ("<", b"&lt;"),
    ],
)
def test_five_characters_of_the_protocol_are_escaped_everywhere(character, expected):
    entry = Entry(url=URL + character, links=(Link("en", URL + character),))

    written = xml.url_element(entry, "datetime")
    in_index = xml.sitemap_element(URL + character, None, "datetime")

    assert (2, 1) == (written.count(b"/" + expected), in_index.count(b"/" + expected))


@pytest.mark.parametrize(
    ("priority", "expected"),
    [
        (0, b"0.0"),
        (1, b"1.0"),
        (0.5, b"0.5"),
        (0.1, b"0.1"),
        (0.05, b"0.05"),
        (0.85, b"0.85"),
        # No exponent, and rounding stays within 0.0 to 1.0.
        (1e-9, b"0.0"),
        (0.001, b"0.0"),
        (0.999, b"1.0"),
        (1 / 3, b"0.33"),
    ],
)
def test_priority_is_a_short_decimal(priority, expected):
    written = xml.url_element(Entry(url=URL, priority=priority), "datetime")

    assert b"<priority>" + expected + b"</priority>" in written


@pytest.mark.parametrize(
    ("moment", "how", "expected"),
    [
        (NOON, "datetime", b"2024-12-23T12:00:15+00:00"),
        (NOON, "date", b"2024-12-23"),
        (date(2024, 12, 23), "datetime", b"2024-12-23"),
        (date(999, 1, 2), "date", b"0999-01-02"),
        (
            datetime(2024, 12, 24, 1, 0, tzinfo=timezone(timedelta(hours=2))),
            "date",
            b"2024-12-23",
        ),
    ],
)
def test_dates_are_in_utc_and_in_the_format_of_the_option(moment, how, expected):
    in_page = xml.url_element(Entry(url=URL, lastmod=moment), how)
    in_index = xml.sitemap_element(URL, moment, how)

    expected = b"<lastmod>" + expected + b"</lastmod>"
    assert (True, True) == (expected in in_page, expected in in_index)


def test_indented_image_is_one_line():
    element = xml.url_element(
        Entry(url=URL, images=(URL + "1.png", URL + "2.png")), "datetime"
    )

    assert [
        " <url>",
        "  <loc>https://example.com/</loc>",
        "  <image:image><image:loc>https://example.com/1.png</image:loc></image:image>",
        "  <image:image><image:loc>https://example.com/2.png</image:loc></image:image>",
        " </url>",
    ] == xml.indented(element, 1).decode().splitlines()


@pytest.mark.parametrize("images", [False, True])
@pytest.mark.parametrize("links", [False, True])
def test_start_of_a_urlset(links, images):
    """Namespaces of links and images are declared only if there are any."""
    head = xml.urlset_header("map.xml", links=links, images=images)

    root = etree.fromstring(head + xml.URLSET_FOOTER)

    expected = {None: "http://www.sitemaps.org/schemas/sitemap/0.9"}
    if links:
        expected["xhtml"] = "http://www.w3.org/1999/xhtml"
    if images:
        expected["image"] = "http://www.google.com/schemas/sitemap-image/1.1"
    assert ("{http://www.sitemaps.org/schemas/sitemap/0.9}urlset", expected) == (
        root.tag,
        root.nsmap,
    )
    assert head.startswith(xml.signature_comment("map.xml"))


def test_start_of_an_index():
    head = xml.index_header("map.xml")

    root = etree.fromstring(head + xml.INDEX_FOOTER)

    assert "{http://www.sitemaps.org/schemas/sitemap/0.9}sitemapindex" == root.tag
    assert head.startswith(xml.signature_comment("map.xml"))


@pytest.mark.parametrize(
    "header",
    [
        partial(xml.urlset_header, "map.xml", links=True),
        partial(xml.index_header, "map.xml"),
    ],
)
def test_style_sheet_is_named_after_the_signature(header):
    """It is before the root, where browsers look for it, and after our signature."""
    line = b'<?xml-stylesheet type="text/css" href="/a&amp;b/map.css"?>\n'
    mark = xml.signature_comment("map.xml")

    assert mark + line + header().removeprefix(mark) == header(
        stylesheet="/a&b/map.css"
    )


def test_signature_names_the_sitemap():
    assert (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- sitemap_plugins: map.xml -->\n'
        == xml.signature_comment("map.xml")
    )
