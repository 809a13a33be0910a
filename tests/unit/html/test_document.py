"""A whole page: its elements and encoding,
in time that grows linearly with its length."""

from __future__ import annotations

import codecs

import pytest

from sitemap_plugins.core.html.document import (
    MAX_ATTRIBUTES,
    MAX_BYTES,
    MAX_TAGS,
    HtmlPage,
    decode,
)
from sitemap_plugins.core.messages import PageError
from tests.full import full

PAGE = HtmlPage(
    b"\xef\xbb\xbf<!doctype html><base href='/docs/'><a href=' one ' rel='edit x'>1</a>"
    b"<a rel=edit>2</a><a href=''>3</a><a href='two'>4</a><script>5</script>"
)

DEEP = 50_000


def read(html: str) -> bool:
    """Return whether a page is read to its end."""
    page = HtmlPage(f"{html}<a href=x>".encode())
    return ["x"] == list(page.values("a[href]", "href"))


def test_values_of_elements_without_the_attribute_are_omitted():
    assert ["one", "two"] == list(PAGE.values("a", "href"))
    assert ["one"] == list(PAGE.values("a[rel~=edit]", "href"))
    assert [] == list(PAGE.values("i", "href"))


def test_rows_have_every_element_and_every_attribute():
    assert [
        ("one", "edit x"),
        ("", "edit"),
        ("", ""),
        ("two", ""),
    ] == list(PAGE.rows("a", "href", "rel"))


def test_texts_include_scripts():
    assert ["5"] == list(PAGE.texts("script"))


def test_addresses_are_resolved_against_the_base_of_the_page():
    assert "https://e.com/docs/a" == PAGE.resolve("a", "https://e.com/x/y")
    assert "" == PAGE.resolve("http://[", "https://e.com/x/y")


def test_utf_16_is_recognized_by_its_byte_order_mark():
    assert ["ü"] == list(HtmlPage("<a href=ü>".encode("utf-16")).values("a", "href"))


@pytest.mark.parametrize("declaration", ["", "<meta charset=iso-8859-1>"])
def test_other_encodings_are_read_as_in_browsers(declaration):
    html = f"{declaration}<img src=café.png>".encode("latin-1")

    assert ["café.png"] == list(HtmlPage(html).values("img", "src"))


def test_unreadable_file_is_an_error(tmp_path):
    with pytest.raises(PageError, match="cannot be read"):
        HtmlPage.read_file(tmp_path / "a.html")


@pytest.mark.parametrize(
    "html",
    [
        "<body " + " ".join(f"a{n}=1" for n in range(MAX_ATTRIBUTES)),
        "<body " + " ".join(f"a{n}" for n in range(MAX_ATTRIBUTES)) + ">",
        "<body x='<' y='>' "
        + " ".join(f"a{n}='<>'" for n in range(MAX_ATTRIBUTES))
        + ">",
        '<body x" ' + " ".join(f'a{n}="' for n in range(2 * MAX_ATTRIBUTES)) + ">",
        *(
            f"{unit}" * DEEP
            for unit in ("<div>", "<p><b><i>", "<div></x>", "<br-x></p>", "<ul><li>")
        ),
        *(
            full(f"{unit}" * DEEP)
            for unit in ("<table><td>", "<template>", "<svg><g/>", "<select><option>")
        ),
        "<div>" * DEEP + "</div>" * DEEP,
        full("<span><div></span></div>" * DEEP),
        full("<div><table><tr><td></div></table>" * DEEP),
        full("<svg>" + "<section/><option></section>" * DEEP),
        # What looks like an end is in a comment or a value.
        "<div><!--</div>-->" * DEEP,
        full("<div><! </div>" * DEEP),
        full("<div></ </div>" * DEEP),
        "<div a='</div>'>" * DEEP,
        full("<div><br a=</div>" * DEEP),
        # Formatting is opened again in each paragraph, and an end moves what it is in.
        "<p>"
        + "".join(f"<b id={n}>" for n in range(900))
        + "</p>"
        + "<p>x</p>" * 2_000,
        full(
            "".join(f"<b id={n}>" for n in range(800)) + "<div>" * 800 + "</b>" * 2_000
        ),
        full("<a>" + "<div>" * DEEP + "</a>" * DEEP),
        "<body a=1></body>" * 101,
        "<HTML/b>" * 101,
        "<br>" * (MAX_BYTES // 4 + 1),
        # The guard itself takes long for so many.
        "<style>" + "<b></b>" * (MAX_TAGS // 2),
    ],
)
def test_page_with_nonlinear_parsing_time_is_refused(html):
    with pytest.raises(PageError):
        read(html)


@pytest.mark.parametrize(
    "html",
    [
        "<p>text<br><li>" * 8_000,
        f"<svg><path d='{'M 0 0 ' * 20_000}'/></svg>",
        f"<img src='data:{'x' * 1_000_000}'>",
        "<div><span>x</span></div>" * 10_000,
        "<table><tr><td><p>1<td>2<tr><td>3</table>" * 1_500,
        "<dl><dt>1<dd><p>2<dt>3<dd>4</dl>" * 1_500,
        "<div><p>1<p>2<ul><li>3<ul><li>4</ul><li>5</ul></div>" * 1_500,
        "<svg>" + "<path d='M 0 0'/>" * 9_000 + "</svg>",
        "<div><b>1</div>" * 500,
        "<p><a name=x>1</p>" * 900 + "<p>2</p>" * 2_000,
        full("<div>" * 20_000),
        "1<BR>" * DEEP,
        "<script>"
        + "x" * MAX_BYTES
        + "</script><STYLE>"
        + "x" * MAX_BYTES
        + "</STYLE>",
        "<body>" * 500 + "<body a=1></body>" * 25 + "<html b=1>" * 25,
        "<font><tt><b>" + "<code>1</code><pre>2</pre>" * 30_000,
        # Of equal elements of formatting, three at most are opened again.
        "<p>" + '<b class="x">' * 900 + "</p>" + "<p>x</p>" * 2_000,
    ],
)
def test_long_pages_are_read(html):
    assert read(html)


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
def test_page_without_a_declared_encoding(html: bytes, expected: str) -> None:
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
        # Labels that browsers do not know, or read as UTF-8; Python has codecs for all
        # of these.
        ("utf-16", "é".encode(), "é"),
        ("utf16", "é".encode(), "é"),
        ("utf-7", b"+AOk-", "+AOk-"),
        ("unicode_escape", b"\\xe9", "\\xe9"),
        ("cp037", "é".encode(), "é"),
        ("zip", "é".encode(), "é"),
        ("nothing", b"\xe9 ", "é "),
    ],
)
def test_declared_encoding(label: str, encoded: bytes, expected: str) -> None:
    html = declared(label)
    assert html.decode() + expected == decode(html + encoded)


@pytest.mark.parametrize(
    ("label", "letter"),
    [
        ("windows-1250", "ž"),
        ("windows-1251", "я"),
        ("windows-1253", "ω"),
        ("windows-1254", "ş"),
        ("windows-1255", "א"),
        ("windows-1256", "ب"),
        ("windows-1257", "ž"),
        ("windows-1258", "đ"),
        ("iso8859-2", "ž"),
        ("iso-8859-2", "ž"),
        ("iso-8859-3", "ħ"),
        ("iso-8859-4", "ķ"),
        ("iso-8859-5", "я"),
        ("iso-8859-6", "ب"),
        ("iso-8859-7", "ω"),
        ("iso-8859-8", "א"),
        ("iso-8859-10", "ķ"),
        ("iso-8859-13", "ž"),
        ("iso-8859-14", "ŵ"),
        ("iso-8859-15", "€"),
        ("iso-8859-16", "ș"),
        ("'koi8-r'", "я"),
        ("koi8-u", "ґ"),
        ("gb18030", "汉"),
        ("big5", "漢"),
        ("euc-jp", "日"),
        ("euc-kr", "한"),
        ("shift_jis", "日"),
    ],
)
def test_declared_encoding_of_each_alphabet(label: str, letter: str) -> None:
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
def test_places_where_an_encoding_is_declared(html: bytes) -> None:
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
def test_places_where_no_encoding_is_declared(html: bytes) -> None:
    assert decode(html + "é".encode()).endswith("é")
