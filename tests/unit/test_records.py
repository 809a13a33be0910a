"""Records are compared by value; labels of pages, summaries and details of reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.messages import Notice, OutputError, PageError
from sitemap_plugins.core.records import CheckedPage, LeftOut, Page, Site
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.url_forms import Files

REASONS = table_of_codes.reasons()


def left_out(**names):
    """Return pages that are left out, given by reason."""
    return tuple(
        LeftOut(CheckedPage(path="", label=label), reason)
        for reason, labels in names.items()
        for label in labels
    )


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (Page(path="a%20b/", name="a b.md"), "a b.md"),
        (Page(path="a%20b/"), "a%20b/"),
        (Page(path=""), "the home page"),
    ],
)
def test_label_is_never_empty(page, expected):
    assert expected == page.label


@pytest.mark.parametrize("field", ["modified", "published"])
def test_a_date_as_text_is_refused_where_the_page_is_made(field):
    with pytest.raises(
        PageError, match=r"a\.md: '2024-05-01' is neither a date nor a datetime"
    ):
        Page(path="a/", name="a.md", **{field: "2024-05-01"})


@pytest.mark.parametrize("name", ["output_dir", "project_dir", "built_dir"])
def test_a_relative_folder_is_refused_where_the_site_is_made(name, tmp_path):
    folders = {"output_dir": tmp_path, name: Path("site")}
    with pytest.raises(OutputError, match=f"{name} 'site' is not absolute"):
        Site(**folders)


@pytest.mark.parametrize(
    ("listed", "names", "expected"),
    [
        (0, {}, "map.xml: not written"),
        (1, {}, "map.xml: 1 page"),
        (2, {"draft": ("a",)}, "map.xml: 2 pages, 1 left out (1 draft)"),
        (
            208,
            {"noindex": ("a", "b"), "excluded": ("c",)},
            "map.xml: 208 pages, 3 left out (2 noindex, 1 excluded)",
        ),
    ],
)
def test_summary_is_one_line_with_the_count_of_each_reason(listed, names, expected):
    report = Report(listed=listed, pages_left_out=left_out(**names), filename="map.xml")

    assert expected == report.summary()


def test_summary_counts_the_pages_without_a_date():
    report = Report(listed=1_049, undated=1_003, pages_left_out=left_out(draft="a"))

    expected = "sitemap.xml: 1,049 pages (1,003 without a date), 1 left out (1 draft)"
    assert expected == report.summary()


def test_few_pages_left_out_by_their_html_are_named_without_verbose():
    """An author may not know of them; the verbose output does not repeat them."""
    few, many = ("a.md", "b\n.md"), tuple("cdefgh")
    report = Report(
        pages_left_out=left_out(canonical=few, redirect=many, draft=["z.md"])
    )

    assert [
        f"  a.md: left out (canonical: {REASONS['canonical']})",
        f"  b\\n.md: left out (canonical: {REASONS['canonical']})",
    ] == list(report.unexpected())
    assert [
        *(f"  {name}: left out (redirect: {REASONS['redirect']})" for name in many),
        f"  z.md: left out (draft: {REASONS['draft']})",
    ] == list(report.details())


def test_details_name_each_page_left_out_and_each_grouped_notice():
    notice = Notice(code="bad-url", problem="2 times", details=("d.md: x", "e.md: y"))
    report = Report(
        pages_left_out=left_out(noindex=("a.md", "b\n.md")), notices=(notice,)
    )

    assert [
        f"  a.md: left out (noindex: {REASONS['noindex']})",
        f"  b\\n.md: left out (noindex: {REASONS['noindex']})",
        "  d.md: x (bad-url)",
        "  e.md: y (bad-url)",
    ] == list(report.details())


def test_details_name_html_files_that_are_no_pages(tmp_path):
    for name in ("print.html", "a.html", "a.css"):
        (tmp_path / name).touch()
    report = Report(site_files=Files.of(["a.html"], tmp_path))

    line = "  print.html: not listed, because the generator has no such page"
    assert [line] == list(report.details())
