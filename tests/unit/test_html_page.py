"""A whole page: what its elements say, in time that grows with its length and no faster."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import product

import pytest

from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.html_page import MAX_ATTRIBUTES, MAX_NESTED, HtmlPage

PAGE = HtmlPage(
    b"\xef\xbb\xbf<!doctype html><base href='/docs/'><a href=' one ' rel='edit x'>1</a>"
    b"<a rel=edit>2</a><a href=''>3</a><a href='two'>4</a><script>5</script>"
)

CELLS_AND_ROWS = ("p", "td", "th", "tr")
ROW_GROUPS = ("caption", "colgroup", "tbody", "tfoot", "thead")


def read(html: str) -> bool:
    """Tell whether a page is read to its end."""
    page = HtmlPage(f"{html}<a href=x>".encode())
    return ["x"] == list(page.values("a[href]", "href"))


def test_values_are_those_of_every_element_that_has_one():
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


def test_texts_are_those_of_scripts_too():
    assert ["5"] == list(PAGE.texts("script"))


def test_addresses_are_resolved_against_the_pages_base():
    assert "https://e.com/docs/a" == PAGE.resolve("a", "https://e.com/x/y")
    assert "" == PAGE.resolve("http://[", "https://e.com/x/y")


def test_utf_16_is_known_by_its_mark():
    assert ["ü"] == list(HtmlPage("<a href=ü>".encode("utf-16")).values("a", "href"))


@pytest.mark.parametrize("declaration", ["", "<meta charset=iso-8859-1>"])
def test_other_encodings_are_read_as_browsers_do(declaration):
    html = f"{declaration}<img src=café.png>".encode("latin-1")

    assert ["café.png"] == list(HtmlPage(html).values("img", "src"))


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(PageError, match="cannot be read"):
        HtmlPage.read_file(tmp_path / "a.html")


@pytest.mark.parametrize(
    "html",
    [
        "<body " + " ".join(f"a{n}=1" for n in range(MAX_ATTRIBUTES)),
        "<body " + " ".join(f"a{n}" for n in range(MAX_ATTRIBUTES)) + ">",
        "<body x='<' y='>' " + " ".join(f"a{n}='<>'" for n in range(MAX_ATTRIBUTES)) + ">",
        '<body x" ' + " ".join(f'a{n}="' for n in range(2 * MAX_ATTRIBUTES)) + ">",
        "<div>" * (MAX_NESTED + 1),
        "<div>" * (MAX_NESTED + 1) + "</div>" * (MAX_NESTED + 1),
        "<p><b><i>" * MAX_NESTED,
        "<div></x>" * (MAX_NESTED + 1),
        "<span><div></span></div>" * (MAX_NESTED + 1),
        "<span><dd><li></span>" * (MAX_NESTED + 1),
        "<div><table><tr><td></div></table>" * (MAX_NESTED + 1),
        "<dd><li>" * MAX_NESTED,
        "<select>" + "<option>" * (MAX_NESTED + 1),
        "<div class=x />" * 10_001,
        "<i class=x />" * (MAX_NESTED + 1),
        "<br-x></p>" * (MAX_NESTED + 1),
        "<body a=1></body>" * 101,
        "<svg>" + "<section/><option></section>" * (MAX_NESTED + 1),
        "<math>" + "<section/><option></section>" * (MAX_NESTED + 1),
        "<HTML/b>" * 101,
        "<p>" + "<b><i>" * 200 + "</p>" + "<p/>1" * 1_300,
    ],
)
def test_what_takes_more_than_its_length_is_refused(html):
    with pytest.raises(PageError):
        read(html)


@pytest.mark.parametrize(
    "html",
    [
        "<p>text<br><li>" * 20_000,
        f"<svg><path d='{'M 0 0 ' * 20_000}'/></svg>",
        f"<img src='data:{'x' * 1_000_000}'>",
        "<div><span>x</span></div>" * 10_000,
        "<table><tr><td><p>1<td>2<tr><td>3</table>" * 5_000,
        "<dl><dt>1<dd><p>2<dt>3<dd>4</dl>" * 5_000,
        "<div><p>1<p>2<ul><li>3<ul><li>4</ul><li>5</ul></div>" * 5_000,
        "<svg>" + "<path d='M 0 0'/>" * 9_000 + "</svg>",
        "<div><b>1</div>" * 500,
        "<p><a name=x>1</p>" * 900 + "<p>2</p>" * 2_000,
        "<div>" * (MAX_NESTED - 1),
        "1<BR>" * (MAX_NESTED + 1),
        "<body>" * 500 + "<body a=1></body>" * 50 + "<html b=1>" * 50,
        "<font><tt><b>" + "<code>1</code><pre>2</pre>" * 50_000,
    ],
)
def test_long_pages_are_read(html):
    assert read(html)


@pytest.mark.parametrize(
    ("left_open", "start"),
    [
        ("p", "p"),
        *product(("p", "li"), ("li",)),
        *product(("p", "dd", "dt"), ("dd", "dt")),
        *product(("p", "td", "th"), ("td", "th")),
        *product(("p", "td", "th", "tr"), ("tr",)),
        *product((*CELLS_AND_ROWS, *ROW_GROUPS), ("tbody", "tfoot", "thead")),
    ],
)
def test_a_start_that_html_lets_end_another_element_is_not_within_it(left_open, start):
    assert read(f"<{start}><{left_open}>1" * (MAX_NESTED + 1))


@pytest.mark.parametrize(
    "left_open", ["p", "li", "dd", "dt", "option", "optgroup", *CELLS_AND_ROWS, *ROW_GROUPS]
)
def test_an_end_that_html_lets_out_is_not_missing(left_open):
    assert read(f"<div><{left_open}>1</div>" * (MAX_NESTED + 1))


@pytest.mark.parametrize(
    "block", ["article", "body", "fieldset", "header", "main", "ol", "select", "table", "ul"]
)
def test_the_end_of_a_block_is_also_that_of_what_it_holds(block):
    assert read(f"<{block}><option>1</{block}>" * (MAX_NESTED + 1))


@pytest.mark.parametrize(
    "style",
    [
        *("b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"),
    ],
)
def test_styles_that_every_paragraph_would_open_again_are_refused(style):
    with pytest.raises(PageError):
        read("<p>" + "".join(f"<{style} id={n}>" for n in range(900)) + "</p>" + "<p>x</p>" * 2_000)


@pytest.mark.parametrize(
    ("left_open", "part"),
    [
        *(("<p>", "<p>x"), ("<p>", "<div>x</div>"), ("<ul><li>", "<li>x"), ("<dl><dd>", "<dt>x")),
        *(("<button>", "<button>x</button>"), ("<table>", "<tr>x"), ("<h2></h1>", "<h3>x</h3>")),
    ],
)
def test_styles_are_opened_again_in_whatever_ends_what_they_are_in(left_open, part):
    start, _, end = left_open.partition("</")
    styles = "".join(f"<b id={n}>" for n in range(900))

    with pytest.raises(PageError):
        read(f"{start}{styles}{end and '</'}{end}{part * 2_000}")


@pytest.mark.parametrize(
    "part",
    ["<a", "<a=", "<a b=/<a", '<a x="<a>">', "<div></x>", "<dd><li>", "<div/>", "<p>1<b>2</p>"],
)
def test_time_grows_with_the_length(part):
    def seconds(times):
        html = (part * times).encode()
        start = time.perf_counter()
        with suppress(PageError):
            HtmlPage(html)
        return time.perf_counter() - start

    # The square would be 64 times.
    assert min(seconds(80_000) for _ in range(2)) < 24 * seconds(10_000) + 0.3
