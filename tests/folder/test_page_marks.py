"""What pages say of themselves, and dates to be trusted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from time import process_time

import pytest

from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.folder.page_marks import (
    Built,
    PageMarks,
    read_page_marks,
    trusted_dates,
)
from sitemap_plugins.folder.sources import find_sources
from tests.folder.html_folder import html, write
from tests.folder.test_sources import project
from tests.full import full

TRUE = ("2020-01-02", "2021-05-06T07:08:09Z", "2023-10-11")


def test_address_of_mystmd_names_no_source():
    """`guide/setup.md` and `setup.md` become `setup/` and `setup-1/`."""
    marks = PageMarks(head=HeadMeta(generator="mystmd"))
    linked = replace(marks, edit_links=("https://github.com/o/r/edit/main/a.md",))
    built = [Built("setup/index.html", marks), Built("a/index.html", linked)]

    found = find_sources(built, project("setup.md", "guide/setup.md", "a.md"))
    assert {"a/index.html": "a.md"} == found.by_page


# --- dates
# -------------------------------------------------------------------------------------


def dates(*texts):
    return trusted_dates(
        {f"{n}.html": PageMarks(modified=text) for n, text in enumerate(texts)}
    )


def test_dates_that_differ_are_used():
    assert {
        "0.html": date(2020, 1, 2),
        "1.html": datetime(2021, 5, 6, 7, 8, 9, tzinfo=UTC),
        "2.html": date(2023, 10, 11),
    } == dates(*TRUE)


@pytest.mark.parametrize(
    "texts",
    [
        ("2024-05-01",),
        ("2024-05-01", "2024-05-01", "2024-05-01", "2020-01-01"),
        ("2024-05-01T10:59:50Z", "2024-05-01T10:59:59Z", "2024-05-01T11:00:01Z"),
        ("2024-05-01T10:29:50Z", "2024-05-01T10:29:59Z", "2024-05-01T10:30:01Z"),
        ("2024-05-01T12:00:00+02:00", "2024-05-01T10:10:00Z"),
    ],
)
def test_dates_within_one_build_are_ignored(texts):
    assert {} == dates(*texts)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "0001-01-01", "1900-01-01", "3000-01-01"]
)
def test_invalid_dates_are_ignored(text):
    assert {"0.html", "1.html", "2.html"} == set(dates(*TRUE, text))


@pytest.mark.parametrize(
    ("published", "differs"),
    [
        ("2020-01-02", False),
        ("2020-01-02T00:00:00+00:00", False),
        ("2020-01-02T01:00:00+01:00", False),
        ("2020-01-01", True),
        ("yesterday", True),
        ("", True),
    ],
)
def test_modification_date_equal_to_the_publication_is_ignored(published, differs):
    """jekyll-seo-tag repeats it where it knows of no change."""
    marks = {f"{n}.html": PageMarks(modified=text) for n, text in enumerate(TRUE)}
    marks["post.html"] = PageMarks(modified="2020-01-02T00:00:00Z", published=published)

    assert differs is ("post.html" in trusted_dates(marks))


# --- links to the source
# -------------------------------------------------------------------------

EDIT = "<a href='/edit/main/a.md' rel=edit>Edit</a>"
LONG = "<p>A line of <code>text</code>, as it is.</p>" * 200


def marks(folder, body, head="", name="a.html"):
    write(folder, {name: html(head, f"{LONG}{body}{LONG}")})
    return read_page_marks(folder / name, name)


@pytest.mark.parametrize(
    "quote",
    [
        "<!-- {} -->",
        "<script>x = `{}`</script>",
        "<style>/* {} */</style>",
        "<textarea>{}</textarea>",
        "<template>{}</template>",
        "<xmp>{}</xmp>",
        "<iframe>{}</iframe>",
        "<svg><![CDATA[{}]]></svg>",
        "<SCRIPT\n>{}</SCRIPT>",
        '<p title="{}">x</p>',
        '<p title="<b>x</b> {}">x</p>',
        '<p title = "a > <b>x</b> {}">x</p>',
        "<p title='<b class=\"b\">x</b> <a href=x rel=edit>'>x</p>",
        "<script>/* <!-- --> {} */</script>",
        "<script>'<scr' + {}</script>",
        "<!-- {}",
        "<noembed>{}</noembed>",
        "<script>{}",
        "<plaintext>{}",
        *(
            "<pre>{}</pre>".replace("{}", part)
            for part in ("&lt;a rel=edit href=x>", "rel=edit")
        ),
        "<pre><span>&lt;a</span> <span title=x>rel=edit</span> href=x</pre><a href=x>y</a>",
    ],
)
def test_quoted_link_to_the_source_is_not_one(tmp_path, quote):
    quoted = quote.replace("{}", EDIT)

    assert () == marks(tmp_path, quoted).edit_links
    # A page also has its own link, before or after the quoted one.
    own = EDIT.replace("a.md", "own.md")
    assert ("/edit/main/own.md",) == marks(tmp_path, own + quoted).edit_links
    if "</" in quote or "-->" in quote:
        assert ("/edit/main/own.md",) == marks(tmp_path, quoted + own).edit_links


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<a title='a > b' rel=edit href=x>y</a>", "x"),
        ("<svg><title>x</title><script/></svg><a rel=edit href=x>y</a>", "x"),
        ("<p title='<!--'><a rel=edit href=x>y</a>", "x"),
        ("<!--><a rel=edit href=x>y</a><!-- -->", "x"),
        ("<a title='<b>z</b>' rel=edit href=x>y</a>", "x"),
        ("<i>rel=edit</i>" * 200 + "<a rel=edit href=x>y</a>", "x"),
        ("<a rel=edit data-icon='%s' href=x>y</a>" % ("x" * 5_000), "x"),
        ("<a data-icon='%s' rel=edit href=x>y</a>" % ("x" * 5_000), "x"),
        ("<a rel=edit href=x>%s</a>" % ("<i>x</i>" * 1_000), "x"),
        ("<A HREF='&#x78;\u00fc' REL='EDIT'>y", "x\u00fc"),
    ],
)
def test_link_that_is_hard_to_find_is_found_in_the_whole_page(tmp_path, link, expected):
    assert expected in marks(tmp_path, link).edit_links


def test_link_is_read_in_the_encoding_of_its_page(tmp_path):
    text = html("<meta charset=koi8-r>", "<a rel=edit href='/edit/\u0436.md'>x</a>")
    (tmp_path / "a.html").write_bytes(text.encode("koi8-r"))

    assert ("/edit/\u0436.md",) == read_page_marks(
        tmp_path / "a.html", "a.html"
    ).edit_links


def test_page_with_links_of_two_kinds_has_the_surer_one(tmp_path):
    """As furo's, whose link has the class of Antora's too."""
    body = f"<div class='edit-this-page'>{EDIT}</div><a href='_sources/a.md.txt'>x</a>"
    found = marks(tmp_path, body)

    assert ("/edit/main/a.md",) == found.edit_links
    assert ("_sources/a.md.txt",) == found.sphinx_sources


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<meta name=generator content="mkdocs-1.6.1, mkdocs-material-9.8.1">', ()),
        ('<meta name=generator content="Antora 3.1">', ("x",)),
    ],
)
def test_page_of_a_known_generator_is_searched_for_its_theme_only(
    tmp_path, head, expected
):
    found = marks(tmp_path, "<div class='edit-this-page'><a href=x>y</a></div>", head)

    assert expected == found.edit_links


@pytest.mark.parametrize(
    "unit",
    [full(b"<!--"), b"<a rel=edit ", b"<p title='", full(b"<script>"), b"rel=edit"],
)
def test_words_of_links_take_linear_time(tmp_path, unit):
    """Eight megabytes, as many as are read."""
    (tmp_path / "a.html").write_bytes(unit * (8 * 1024 * 1024 // len(unit)))
    start = process_time()
    read_page_marks(tmp_path / "a.html", "a.html")

    assert process_time() - start < 5
