"""Entries that one expression reads; tests/property/test_reading.py compares it with a parser."""

from __future__ import annotations

import gzip
import io

import pytest

from sitemap_plugins.core.files.read import read_sitemap, unpacked
from sitemap_plugins.sitemaps import parts as ordinary
from tests.checks.checked_site import NS

ROOT = f'<urlset xmlns="{NS}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
LINK = '<xhtml:link rel="alternate" hreflang="de" href="https://a.com/?a=1&amp;b=2"/>'
COMPLETE = (
    "<url>\n  <loc>https://a.com/?a=1&amp;b=2</loc><lastmod>2024-01-01</lastmod>\n"
    f"  <changefreq>daily</changefreq><priority>0.5</priority>{LINK}\n</url>\n"
)
SHORT = "<url><loc>https://a.com/a/</loc></url>\n"


def parsed_bytes(monkeypatch, text):
    """Return what is read, and how many bytes of it a parser got."""
    sizes = []

    def noting(stream):
        sizes.append(
            len(stream.getvalue()) if isinstance(stream, io.BytesIO) else len(text)
        )
        return read_sitemap(stream)

    monkeypatch.setattr(ordinary, "read_sitemap", noting)
    return list(ordinary.read_quickly(unpacked(io.BytesIO(text)))), sum(sizes)


@pytest.mark.parametrize(
    "entry", [SHORT, COMPLETE, SHORT.replace("\n", "\r\n"), LINK.join("  ")]
)
def test_ordinary_entries_need_no_parser(monkeypatch, entry):
    entry = entry if "<url>" in entry else SHORT.replace("</url>", f"{entry}</url>")
    text = f"{ROOT}{entry * 2_000}</urlset>\n".encode()

    found, size = parsed_bytes(monkeypatch, text)

    assert list(read_sitemap(io.BytesIO(text))) == found
    assert size < 1_000


@pytest.mark.parametrize(
    "odd", ["<url/>", "<!-- <url> -->", SHORT.replace("/a/", "/ü/"), "text"]
)
def test_a_parser_gets_a_block_with_another_entry(monkeypatch, odd):
    text = f"{ROOT}{SHORT * 5_000}{odd}{SHORT * 5_000}</urlset>\n".encode()

    found, size = parsed_bytes(monkeypatch, text)

    assert list(read_sitemap(io.BytesIO(text))) == found
    assert size < 70_000


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_parser_reads_a_file_with_an_error_again(pack):
    text = f"{ROOT}{SHORT * 5_000}<url>{SHORT * 5}</urlset>\n".encode()
    elements = ordinary.read_quickly(unpacked(io.BytesIO(pack(text))))

    assert 5_001 == sum(1 for _, _ in zip(range(5_001), elements, strict=False))
    with pytest.raises(ordinary.FileError, match="not well-formed XML \\(line 5007"):
        list(elements)


def test_lines_are_right_beyond_those_that_libxml2_counts():
    text = f"{ROOT}{COMPLETE * 20_000}</urlset>\n".encode()

    *_, last = ordinary.read_quickly(unpacked(io.BytesIO(text)))

    assert 2 + 19_999 * COMPLETE.count("\n") == last.line
