"""Posts of Jekyll and Hexo, by the addresses that they gave them."""

from __future__ import annotations

import time

import pytest

from sitemap_plugins.folder.posts import MOST_NAMESAKES, find_posts

JEKYLL = (
    "_posts/2024-01-05-welcome-to-jekyll.markdown",
    "_posts/2024-02-06-second.md",
    "_posts/2024-04-08-Übersicht & mehr.md",
)
HEXO = ("source/_posts/hello-world.md", "source/_posts/trip/day one.md", "source/about/index.md")


@pytest.mark.parametrize(
    "pages",
    [
        (
            "jekyll/update/2024/01/05/welcome-to-jekyll.html",
            "2024/02/06/second.html",
            "2024/04/08/Übersicht-&-mehr.html",
        ),
        (
            "jekyll/update/2024/01/05/welcome-to-jekyll/index.html",
            "2024/02/06/second/index.html",
            "2024/04/08/Übersicht-&-mehr/index.html",
        ),
        (
            "jekyll/update/2024/005/welcome-to-jekyll.html",
            "2024/037/second.html",
            "2024/099/Übersicht-&-mehr.html",
        ),
        (
            "jekyll/update/2024/W01/Fri/welcome-to-jekyll.html",
            "2024/W06/Tue/second.html",
            "2024/W15/Mon/Übersicht-&-mehr.html",
        ),
        ("jekyll/update/welcome-to-jekyll.html", "second.html", "Übersicht-&-mehr.html"),
        ("blog/welcome-to-jekyll.html", "blog/second.html", "blog/Übersicht-&-mehr.html"),
        (
            "2024/01/welcome-to-jekyll/index.html",
            "2024/02/second/index.html",
            "2024/04/Übersicht-&-mehr/index.html",
        ),
        (
            "2024-01-05-welcome-to-jekyll.html",
            "2024-02-06-second.html",
            "2024-04-08-Übersicht-&-mehr.html",
        ),
    ],
    ids=["date", "pretty", "ordinal", "weekdate", "none", "title", "month", "dashes"],
)
@pytest.mark.parametrize("folder", ["", "docs"])
def test_each_form_of_jekylls_permalinks(pages, folder):
    others = ("index.html", "about/index.html", "2024/index.html")
    top = f"{folder}/" if folder else ""
    files = [top + name for name in JEKYLL]

    assert dict(zip(pages, files, strict=True)) == find_posts([*others, *pages], files, folder)


def test_posts_of_hexo_have_no_date_in_their_names():
    pages = ("2024/05/01/hello-world/index.html", "2024/05/02/trip/day one/index.html")
    lists = ("tags/hello-world/index.html", "archives/2024/05/index.html", "index.html")

    assert dict(zip(pages, HEXO, strict=False)) == find_posts([*lists, *pages], HEXO, "")


def test_a_tag_with_the_title_of_the_only_post_is_not_made_of_it():
    pages = ["tags/hello/index.html", "2024/05/01/hello/index.html"]

    assert {pages[1]: "_posts/hello.md"} == find_posts(pages, ["_posts/hello.md"], "")


@pytest.mark.parametrize(
    ("pages", "files"),
    [
        (["2023/02/06/second.html"], JEKYLL),
        (["a/second.html", "b/second.html"], JEKYLL),
        (["blog/x.html"], ["_posts/2024-01-01-x.md", "_posts/2024-01-02-x.md"]),
        (["2024/01/01/x.html"], ["posts/2024-01-01-x.md"]),
        (["blog/x.html"], ["other/_posts/2024-01-01-x.md"]),
        (["blog/x.html"], ["docs/_posts/2024-01-01-x.png"]),
    ],
    ids=["another day", "two pages", "two posts", "no posts", "another project", "an image"],
)
def test_what_is_not_certain_is_no_source(pages, files):
    folder = "docs" if "other" in files[0] else ""

    assert {} == find_posts(pages, files, folder)


def test_a_post_can_be_of_another_day_where_its_time_zone_says_so():
    """`2013-05-06 02:12 +0200` in Los Angeles, as on jekyllrb.com."""
    files = ["_posts/2013-05-06-x.md", "_posts/2024-12-31-y.md"]
    pages = ["2013/05/05/x.html", "2025/01/01/y.html"]

    assert dict(zip(pages, files, strict=True)) == find_posts(pages, files, "")
    assert {} == find_posts(["2013/05/08/x.html"], files, "")


def test_posts_of_each_day_are_told_by_their_dates_also_where_one_is_not_published():
    files = [f"_posts/2024-01-{day:02}-daily.md" for day in (1, 2, 3)]
    pages = [f"2024/01/{day:02}/daily.html" for day in (1, 2)]

    assert dict(zip(pages, files, strict=False)) == find_posts(pages, files, "")


def test_posts_of_the_same_title_are_told_by_their_dates():
    files = [f"_posts/2024-01-{day:02}-weekly.md" for day in (1, 8, 15)]
    pages = [f"2024/01/{day:02}/weekly.html" for day in (1, 8, 15)]

    assert dict(zip(pages, files, strict=True)) == find_posts(pages, files, "")


def test_no_more_namesakes_are_looked_at_than_a_blog_has():
    """Otherwise a hundred thousand of them and as many pages would take hours."""
    files = [f"_posts/{number}/x.md" for number in range(MOST_NAMESAKES + 1)]

    assert {} == find_posts(["blog/x.html"], files, "")


@pytest.mark.parametrize("day", ["2024-13-45", "0001-01-01", "9999-12-31"])
def test_a_name_that_begins_with_no_likely_day_is_a_post_without_a_date(day):
    file = f"_posts/{day}-x.md"

    assert {"blog/x.html": file} == find_posts(["blog/x.html"], [file], "")


@pytest.mark.parametrize("date", ["2024-05-01-", ""])
def test_many_posts_with_one_title_take_little_time(date):
    pages = [f"{2000 + number % 99}/05/01/links.html" for number in range(5_000)]
    files = [f"_posts/{number}/{date}links.md" for number in range(5_000)]
    start = time.process_time()

    assert {} == find_posts(pages, files, "")

    assert time.process_time() - start < 4
