"""Sitemaps of any program are read as far as they are valid, in limited memory."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from lxml import etree

from sitemap_plugins.core.messages import FileError
from sitemap_plugins.core.publishing import read as files_read
from sitemap_plugins.core.publishing.read import (
    Element,
    LanguageLink,
    LastBytes,
    Root,
    open_sitemap,
    read_sitemap,
    xml_fault,
)

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
ROOT = Path(__file__).parents[3]
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


def read(text):
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_sitemap(io.BytesIO(data)))


def test_root_and_every_child_are_read_in_order():
    found = read(
        f'{DECLARATION}\n<urlset xmlns="{NS}">\n<url><loc> https://e.com/a&amp;b </loc>'
        "<lastmod>2024</lastmod></url>\n<url><loc>x</loc><loc>y</loc></url></urlset>"
    )

    assert found == [
        Root(name="urlset", namespace=NS, line=2),
        Element(
            name="url",
            line=3,
            fields=(("loc", "https://e.com/a&b"), ("lastmod", "2024")),
        ),
        Element(name="url", line=4, fields=(("loc", "x"), ("loc", "y"))),
    ]
    assert "x" == found[2].get("loc")
    assert "" == found[2].get("lastmod")


def test_language_links_are_distinguished_from_other_namespaces():
    (_, url) = read(
        f'<s:urlset xmlns:s="{NS}" xmlns:x="http://www.w3.org/1999/xhtml" xmlns:i="urn:i">'
        '<s:url><s:loc>a</s:loc><x:link rel="alternate" hreflang="de" href="b"/>'
        "<i:image><i:loc>c</i:loc></i:image></s:url></s:urlset>"
    )

    assert (("loc", "a"), ("{urn:i}image", "c")) == url.fields
    assert url.links == (LanguageLink("alternate", "de", "b"),)


def test_comments_and_processing_instructions_are_skipped():
    text = (
        f'<?a b?><!-- c --><urlset xmlns="{NS}"><!-- d --><url><?e?>'
        "<loc>f<!-- g -->h</loc></url></urlset>"
    )

    assert (("loc", "fh"),) == read(text)[1].fields


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_every_encoding_of_xml_is_read(encoding):
    name = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "iso-8859-1": "ISO-8859-1"}[
        encoding
    ]
    text = f'<?xml version="1.0" encoding="{name}"?><urlset><url><loc>ü</loc></url></urlset>'
    (_, url) = read(text.encode(encoding))

    assert "ü" == url.get("loc")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 0, "it is empty: build it again"),
        (
            "\nSitemap: x\n",
            2,
            "it is not XML \\(it begins with 'Sitemap: x'\\): name an XML sit",
        ),
        # libxml2 before 2.12 sees no difference to a file that was cut off.
        ("\n ", 2, "it is not XML: name an XML sitemap|the file ends too early"),
        (
            "<urlset>\n<url>\n</urlset>",
            3,
            "line 3, column 10, '</urlset>': Opening and ending tag",
        ),
        ("<a>\n<b/>", 2, "line 2, column 5, '<b/>': the file ends too early"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 1, "document type"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 1, "document type"),
        ("<a>&b;</a>", 1, "not well-formed"),
        (b"<a>\n\xe9</a>", 2, "save the file as UTF-8"),
        (f"<a><{'b' * 9_000}>\n</c></a>", 2, "tag mismatch: bbb"),
        (
            " <!-- a --><!DOCTYPE html>\n<html><p></html>",
            1,
            "it is an HTML page, not a sitemap",
        ),
        (
            "<?xml version='1.0'?><html xmlns='urn:x'/>",
            1,
            "it is an HTML page, not a sitemap",
        ),
        (
            gzip.compress(b"<a/>", mtime=0)[:-9],
            1,
            "it is not XML, but compressed twice",
        ),
    ],
)
def test_invalid_file_is_an_error_with_its_line(text, line, said):
    with pytest.raises(FileError, match=said) as caught:
        read(text)

    assert caught.value.line == line
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("kind", "words", "ended", "said"),
    [
        ("ERR_DOCUMENT_END", "Extra content at the end", True, "ends too early"),
        ("ERR_DOCUMENT_END", "Extra content at the end", False, "Extra content"),
        ("ERR_DOCUMENT_EMPTY", "Document is empty", False, "it is not XML"),
        ("ERR_INVALID_ENCODING", "Input is not proper UTF-8", False, "save the file"),
    ],
)
def test_fault_in_the_words_of_an_older_parser_is_understood(kind, words, ended, said):
    """The wheels for Windows have libxml2 2.11; an error's number is the same there."""
    assert hasattr(etree.ErrorTypes, kind)
    entry = SimpleNamespace(type_name=kind, message=words, line=1, column=1)
    last = LastBytes()
    last.add(b"<a><b>")
    if ended:
        last.add(b"")

    assert said in str(xml_fault(entry, last))


HINT = "write '&' as '&amp;'"


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("?a=1&b=2", "?a=1&b=2", "an '&' is not escaped"),
        ("ü & you", "&", "an '&' is not escaped"),
        ("a&#xyz;b", "a&#xyz;b", "an '&' is not escaped"),
        ("a&eacute;b", "a&eacute;b", "XML does not define '&eacute;'"),
    ],
)
@pytest.mark.parametrize("before", ["\n", "\n" * 90_000, "ü" * 90_000 + " ", "\nü "])
def test_unescaped_ampersand_is_reported_with_the_cure(before, text, place, problem):
    text = f"<urlset>{before}<url><loc>{text}</loc></url></urlset>"
    with pytest.raises(FileError) as caught:
        read(text)

    start, _, _ = text.partition("&")
    line, column = start.count("\n") + 1, len(start.rpartition("\n")[2]) + 1
    assert line == caught.value.line
    where = f"line {line}, column {column}, {place!r}"
    assert f"it is not well-formed XML ({where}: {problem})" == caught.value.problem
    assert caught.value.cure.endswith(HINT)


def test_line_in_utf_16_is_not_quoted():
    text = "<?xml version='1.0' encoding='UTF-16'?>\n<a>b & c</a>".encode("utf-16")
    with pytest.raises(FileError, match=r"\(line 2, column 7: "):
        read(text)


@pytest.mark.parametrize(
    "declaration",
    [
        'a [<!ENTITY b SYSTEM "%s">]',
        'a [<!ENTITY %% b SYSTEM "%s"> %%b;]',
        'a SYSTEM "%s"',
    ],
)
def test_file_that_a_sitemap_names_is_not_opened(tmp_path, declaration):
    pipe, opened = tmp_path / "pipe", Event()
    os.mkfifo(pipe)

    def write():
        """Wait for a reader."""
        os.close(os.open(pipe, os.O_WRONLY))
        opened.set()

    writer = Thread(target=write)
    writer.start()
    with pytest.raises(FileError, match="document type"):
        read(f"<!DOCTYPE {declaration % pipe.as_uri()}><a>&b;</a>")

    was_opened = opened.is_set()
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer.join(60)
    os.close(reader)
    assert not was_opened


def test_text_that_is_too_long_for_memory_is_an_error():
    with pytest.raises(FileError, match="more than 8,388,608 bytes"):
        read(f"<urlset><url><loc>{'a' * 20_000_000}</loc></url></urlset>")


def test_children_before_an_error_are_yielded():
    elements = read_sitemap(
        io.BytesIO(b"<urlset><url><loc>a</loc></url><url><loc></urlset>")
    )

    assert "urlset" == next(elements).name
    assert "a" == next(elements).get("loc")
    with pytest.raises(FileError):
        next(elements)


def test_gzip_is_recognized_by_its_bytes_and_unpacked(tmp_path):
    (tmp_path / "a.xml").write_bytes(
        gzip.compress(b"<urlset><url><loc>a</loc></url></urlset>")
    )
    with open_sitemap(tmp_path / "a.xml") as stream:
        assert ["urlset", "url"] == [element.name for element in read_sitemap(stream)]


def test_broken_gzip_file_is_an_error(tmp_path):
    (tmp_path / "a.gz").write_bytes(
        gzip.compress(b"<urlset>" + b" " * 100_000 + b"</urlset>")[:-20]
    )
    with (
        open_sitemap(tmp_path / "a.gz") as stream,
        pytest.raises(FileError, match="cannot be read"),
    ):
        list(read_sitemap(stream))


def test_gzip_bomb_is_not_unpacked_beyond_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(files_read, "MAX_BYTES", 1_000_000)
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"<urlset>" + b" " * 9_000_000, 9))
    with (
        open_sitemap(tmp_path / "a.gz") as stream,
        pytest.raises(FileError, match="the most that is read of a sitemap"),
    ):
        list(read_sitemap(stream))


@pytest.mark.parametrize("packed", [False, True])
def test_file_of_exactly_the_limit_is_read_and_one_more_byte_is_an_error(
    tmp_path, monkeypatch, packed
):
    content = b"<urlset><url><loc>a</loc></url></urlset>"
    monkeypatch.setattr(files_read, "MAX_BYTES", len(content))
    (tmp_path / "a.xml").write_bytes(gzip.compress(content) if packed else content)

    with open_sitemap(tmp_path / "a.xml") as stream:
        assert 2 == len(list(read_sitemap(stream)))
        assert len(content) == stream.size
    monkeypatch.setattr(files_read, "MAX_BYTES", len(content) - 1)
    with (
        open_sitemap(tmp_path / "a.xml") as stream,
        pytest.raises(FileError, match="the most that is read of a sitemap"),
    ):
        list(read_sitemap(stream))


def test_stream_never_returns_all_of_a_gzip_bomb_at_once(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"<urlset>" + b" " * 9_000_000, 9))
    with open_sitemap(tmp_path / "a.gz") as stream:
        assert stream.readable()
        assert [b"<url", b"", b"set>"] == [stream.read(size) for size in (4, 0, 4)]
        assert [1 << 20] * 2 == [len(stream.read(size)) for size in (-1, 8_000_000)]


@pytest.mark.parametrize("step", [1, 7, 1 << 16])
def test_boundaries_of_chunks_do_not_matter(step):
    """A child is yielded only when it is complete."""

    class Slow(io.BytesIO):
        def read(self, _=-1):
            return super().read(step)

    urls = "".join(
        f"<url><loc>{n}</loc><i:x xmlns:i='urn:i'>{'y' * n}</i:x></url>"
        for n in range(99)
    )
    nested = "<urlset><loc>b</loc></urlset>"
    text = f'{DECLARATION}<!-- a --><urlset xmlns="{NS}">\n{nested}{urls}</urlset>'
    found = list(read_sitemap(Slow(text.encode())))

    assert [("urlset", "b"), *(("url", str(n)) for n in range(99))] == [
        (element.name, element.get("loc")) for element in found[1:]
    ]
    assert ["y" * n for n in range(99)] == [
        element.get("{urn:i}x") for element in found[2:]
    ]


def test_complete_child_before_the_error_is_yielded():
    text = f'<urlset xmlns="{NS}"><url/><url><loc>a</loc></url><url><lo'
    elements = read_sitemap(io.BytesIO(text.encode()))

    assert ["urlset", "url", "url"] == [next(elements).name for _ in range(3)]
    with pytest.raises(FileError):
        next(elements)
