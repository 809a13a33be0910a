"""Dates that pages give themselves count only where they differ."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sitemap_plugins.folder.marks import Marks
from sitemap_plugins.folder.page_dates import trusted_dates

TRUE = ("2020-01-02", "2021-05-06T07:08:09Z", "2023-10-11")


def dates(*texts):
    return trusted_dates({f"{n}.html": Marks(modified=text) for n, text in enumerate(texts)})


def test_dates_that_differ_count():
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
def test_dates_of_one_build_do_not(texts):
    assert {} == dates(*texts)


@pytest.mark.parametrize("text", ["", "yesterday", "0001-01-01", "1900-01-01", "3000-01-01"])
def test_what_is_no_date_is_passed_over(text):
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
def test_a_date_that_equals_the_publication_is_none_of_change(published, differs):
    """jekyll-seo-tag repeats it where it knows of no change."""
    marks = {f"{n}.html": Marks(modified=text) for n, text in enumerate(TRUE)}
    marks["post.html"] = Marks(modified="2020-01-02T00:00:00Z", published=published)

    assert differs is ("post.html" in trusted_dates(marks))
