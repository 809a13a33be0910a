"""Sitemaps read back: whoever wrote them, as far as they are sound, in bounded memory."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from itertools import chain, repeat

import pytest

from sitemap_plugins.core.errors import FileError
from sitemap_plugins.core.files.read import (
    Element,
    LanguageLink,
    Root,
    open_sitemap,
    read_sitemap,
)

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


def read(text):
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_sitemap(io.BytesIO(data)))


def test_reads_the_root_and_every_child_in_order():
    found = read(
        f'{DECLARATION}\n<urlset xmlns="{NS}">\n<url><loc> https://e.com/a&amp;b </loc>'
        "<lastmod>2024</lastmod></url>\n<url><loc>x</loc><loc>y</loc></url></urlset>"
    )

    assert found == [
        Root(name="urlset", namespace=NS, line=2),
        Element(name="url", line=3, fields=(("loc", "https://e.com/a&b"), ("lastmod", "2024"))),
        Element(name="url", line=4, fields=(("loc", "x"), ("loc", "y"))),
    ]
    assert "x" == found[2].get("loc")
    assert "" == found[2].get("lastmod")


def test_language_links_and_other_namespaces_are_told_apart():
    (_, url) = read(
        f'<s:urlset xmlns:s="{NS}" xmlns:x="http://www.w3.org/1999/xhtml" xmlns:i="urn:i">'
        '<s:url><s:loc>a</s:loc><x:link rel="alternate" hreflang="de" href="b"/>'
        "<i:image><i:loc>c</i:loc></i:image></s:url></s:urlset>"
    )

    assert (("loc", "a"), ("{urn:i}image", "c")) == url.fields
    assert url.links == (LanguageLink("alternate", "de", "b"),)


def test_comments_and_processing_instructions_are_passed_over():
    text = (
        f'<?a b?><!-- c --><urlset xmlns="{NS}"><!-- d --><url><?e?>'
        "<loc>f<!-- g -->h</loc></url></urlset>"
    )

    assert (("loc", "fh"),) == read(text)[1].fields


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_every_encoding_that_xml_knows_is_read(encoding):
    name = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "iso-8859-1": "ISO-8859-1"}[encoding]
    text = f'<?xml version="1.0" encoding="{name}"?><urlset><url><loc>ü</loc></url></urlset>'
    (_, url) = read(text.encode(encoding))

    assert "ü" == url.get("loc")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 0, "not well-formed"),
        ("<urlset>\n<url>\n</urlset>", 3, "not well-formed"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 1, "document type"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 1, "document type"),
        ("<a>&b;</a>", 0, "not well-formed"),
        (gzip.compress(b"<a/>", mtime=0)[:-9], 1, "not well-formed"),
    ],
)
def test_what_is_not_sound_is_an_error_with_its_line(text, line, said):
    with pytest.raises(FileError, match=said) as caught:
        read(text)

    assert caught.value.line == line


def test_what_comes_before_the_error_is_yielded():
    elements = read_sitemap(io.BytesIO(b"<urlset><url><loc>a</loc></url><url><loc></urlset>"))

    assert "urlset" == next(elements).name
    assert "a" == next(elements).get("loc")
    with pytest.raises(FileError):
        next(elements)


def test_gzip_is_known_by_its_bytes_and_unpacked(tmp_path):
    (tmp_path / "a.xml").write_bytes(gzip.compress(b"<urlset><url><loc>a</loc></url></urlset>"))
    with open_sitemap(tmp_path / "a.xml") as stream:
        assert ["urlset", "url"] == [element.name for element in read_sitemap(stream)]


def test_a_broken_gzip_file_is_an_error(tmp_path):
    (tmp_path / "a.gz").write_bytes(
        gzip.compress(b"<urlset>" + b" " * 100_000 + b"</urlset>")[:-20]
    )
    with (
        open_sitemap(tmp_path / "a.gz") as stream,
        pytest.raises(FileError, match="cannot be read"),
    ):
        list(read_sitemap(stream))


def test_a_gzip_bomb_is_not_unpacked_beyond_the_limit(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"<urlset>" + b" " * 9_000_000, 9))
    with (
        open_sitemap(tmp_path / "a.gz", limit=1_000_000) as stream,
        pytest.raises(FileError, match="too large to be read"),
    ):
        list(read_sitemap(stream))


class Long(io.RawIOBase):
    """A sitemap of many URLs that is nowhere whole."""

    def __init__(self, count):
        many = repeat(b"<url><loc>https://example.com/page/</loc></url>\n" * 100, count)
        self.pieces = chain([f'<urlset xmlns="{NS}">'.encode()], many, [b"</urlset>"])

    def readable(self):
        return True

    def read(self, size=-1):
        return next(self.pieces, b"")


def test_memory_does_not_grow_with_the_file():
    list(read_sitemap(Long(1)))
    peaks = []
    for count in (10, 300):
        tracemalloc.start()
        assert sum(1 for _ in read_sitemap(Long(count))) == 100 * count + 1
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < peaks[0] + 100_000


@pytest.mark.parametrize("step", [1, 7, 1 << 16])
def test_it_does_not_matter_where_the_bytes_are_cut(step):
    """A child is yielded only when all of it is there."""

    class Slow(io.BytesIO):
        def read(self, _=-1):
            return super().read(step)

    urls = "".join(
        f"<url><loc>{n}</loc><i:x xmlns:i='urn:i'>{'y' * n}</i:x></url>" for n in range(99)
    )
    nested = "<urlset><loc>b</loc></urlset>"
    text = f'{DECLARATION}<!-- a --><urlset xmlns="{NS}">\n{nested}{urls}</urlset>'
    found = list(read_sitemap(Slow(text.encode())))

    assert [("urlset", "b"), *(("url", str(n)) for n in range(99))] == [
        (element.name, element.get("loc")) for element in found[1:]
    ]
    assert ["y" * n for n in range(99)] == [element.get("{urn:i}x") for element in found[2:]]


def test_a_child_that_is_whole_before_the_error_is_yielded():
    text = f'<urlset xmlns="{NS}"><url/><url><loc>a</loc></url><url><lo'
    elements = read_sitemap(io.BytesIO(text.encode()))

    assert ["urlset", "url", "url"] == [next(elements).name for _ in range(3)]
    with pytest.raises(FileError):
        next(elements)
