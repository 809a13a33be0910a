"""How built pages are decoded: the encodings that browsers know, and no others of Python's."""

from __future__ import annotations

import codecs

import pytest

from sitemap_plugins.core.html.page import decode


def declared(label: str, *, before: str = "") -> bytes:
    return f"{before}<meta charset={label}>".encode()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (b"", ""),
        (b"\xc3\xa9", "é"),
        (b"\xe9 ", "é "),
        (b"\x80\x81\xff", "€\ufffdÿ"),
        (b"\xc3\xa9\xe6\x97", "é"),  # Half a character, as at the end of a chunk.
        (codecs.BOM_UTF8 + b"\xc3\xa9\xff", "é\ufffd"),
        ("é日".encode("utf-16"), "é日"),
        (codecs.BOM_UTF16_BE + "é日".encode("utf-16-be") + b"\0", "é日\ufffd"),
    ],
)
def test_what_declares_no_encoding(html: bytes, expected: str) -> None:
    assert expected == decode(html)


@pytest.mark.parametrize(
    ("label", "encoded", "expected"),
    [
        ("utf-8", b"\xc3\xa9\xff", "é\ufffd"),
        ("utf8", b"\xc3\xa9\xff", "é\ufffd"),
        ("ascii", b"\xc3\x80", "Ã€"),
        ("us-ascii", b"\xc3\x80", "Ã€"),
        ("latin1", b"\xc3\x80", "Ã€"),
        ("ISO-8859-1", b"\xc3\x80", "Ã€"),
        ("windows-1252", b"\xc3\x80", "Ã€"),
        ("iso-8859-9", b"\x80\xdd", "€İ"),
        ("gbk", "𠀀".encode("gb18030"), "𠀀"),
        ("gb2312", "𠀀".encode("gb18030"), "𠀀"),
        ('"x-sjis"', "①".encode("cp932"), "①"),
        ("iso-2022-jp", b"\x1b$BF|", "日"),
        # Labels that browsers do not know, or read as UTF-8; Python has codecs for all of these.
        ("utf-16", "é".encode(), "é"),
        ("utf16", "é".encode(), "é"),
        ("utf-7", b"+AOk-", "+AOk-"),
        ("unicode_escape", b"\\xe9", "\\xe9"),
        ("cp037", "é".encode(), "é"),
        ("zip", "é".encode(), "é"),
        ("nothing", b"\xe9 ", "é "),
    ],
)
def test_what_declares_an_encoding(label: str, encoded: bytes, expected: str) -> None:
    html = declared(label)
    assert html.decode() + expected == decode(html + encoded)


@pytest.mark.parametrize(
    ("label", "letter"),
    [
        *(("windows-1250", "ž"), ("windows-1251", "я"), ("windows-1253", "ω")),
        *(("windows-1254", "ş"), ("windows-1255", "א"), ("windows-1256", "ب")),
        *(("windows-1257", "ž"), ("windows-1258", "đ"), ("iso8859-2", "ž"), ("iso-8859-2", "ž")),
        *(("iso-8859-3", "ħ"), ("iso-8859-4", "ķ"), ("iso-8859-5", "я"), ("iso-8859-6", "ب")),
        *(("iso-8859-7", "ω"), ("iso-8859-8", "א"), ("iso-8859-10", "ķ"), ("iso-8859-13", "ž")),
        *(("iso-8859-14", "ŵ"), ("iso-8859-15", "€"), ("iso-8859-16", "ș"), ("'koi8-r'", "я")),
        *(("koi8-u", "ґ"), ("gb18030", "汉"), ("big5", "漢"), ("euc-jp", "日"), ("euc-kr", "한")),
        ("shift_jis", "日"),
    ],
)
def test_what_declares_the_encoding_of_its_alphabet(label: str, letter: str) -> None:
    html = declared(label)
    assert html.decode() + letter == decode(html + letter.encode(label.strip("'")))


@pytest.mark.parametrize(
    "html",
    [
        b"<META HTTP-EQUIV=Content-Type CONTENT='text/html; Charset = koi8-r'>",
        b"<meta\nname=x\tcharset\n=\nkoi8-r>",
        declared("koi8-r", before="x" * 990),
    ],
)
def test_where_an_encoding_is_declared(html: bytes) -> None:
    assert decode(html + b"\xd1").endswith("я")


@pytest.mark.parametrize(
    "html",
    [
        declared("koi8-r", before="x" * 1_020),
        codecs.BOM_UTF8 + declared("koi8-r"),
        b"<metax charset=koi8-r>",
        b"<meta charset koi8-r>",
        b"<p>charset=koi8-r</p>",
    ],
)
def test_where_no_encoding_is_declared(html: bytes) -> None:
    assert decode(html + "é".encode()).endswith("é")
