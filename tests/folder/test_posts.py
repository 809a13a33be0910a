"""Posts of Jekyll and Hexo, by the addresses that they gave them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.folder.page_marks import Built, PageMarks
from sitemap_plugins.folder.paths import MAX_NAMESAKES
from sitemap_plugins.folder.project_files import ProjectFiles
from sitemap_plugins.folder.sources import find_sources


def find_posts(pages, files, folder):
    project = ProjectFiles(root=Path("/project"), names=frozenset(files))
    built = [Built(page, PageMarks()) for page in pages]
    return dict(find_sources(built, project, folder).by_page)


JEKYLL = (
    "_posts/2024-01-05-welcome-to-jekyll.markdown",
    "_posts/2024-02-06-second.md",
    "_posts/2024-04-08-Übersicht & mehr.md",
)
HEXO = (
    "source/_posts/hello-world.md",
    "source/_posts/trip/day one.md",
    "source/about/index.md",
)


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
        (
            "jekyll/update/welcome-to-jekyll.html",
            "second.html",
            "Übersicht-&-mehr.html",
        ),
        (
            "blog/welcome-to-jekyll.html",
            "blog/second.html",
            "blog/Übersicht-&-mehr.html",
        ),
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
def test_jekyll_permalinks(pages, folder):
    others = ("index.html", "about/index.html", "2024/index.html")
    top = f"{folder}/" if folder else ""
    files = [top + name for name in JEKYLL]

    assert dict(zip(pages, files, strict=True)) == find_posts(
        [*others, *pages], files, folder
    )


def test_hexo_posts_without_a_date_in_their_names():
    pages = ("2024/05/01/hello-world/index.html", "2024/05/02/trip/day one/index.html")
    lists = ("tags/hello-world/index.html", "archives/2024/05/index.html", "index.html")

    assert dict(zip(pages, HEXO, strict=False)) == find_posts(
        [*lists, *pages], HEXO, ""
    )


def test_tag_page_with_the_title_of_a_post_is_not_the_post():
    pages = ["tags/hello/index.html", "2024/05/01/hello/index.html"]

    assert {pages[1]: "_posts/hello.md"} == find_posts(pages, ["_posts/hello.md"], "")


@pytest.mark.parametrize(
    ("pages", "files"),
    [
        (["2023/02/06/second.html"], JEKYLL),
        (["a/second.html", "b/second.html"], JEKYLL),
        (["blog/x.html"], ["_posts/2024-01-01-x.md", "_posts/2024-01-02-x.md"]),
        (["blog/x.html"], ["other/_posts/2024-01-01-x.md"]),
        (["blog/x.html"], ["docs/_posts/2024-01-01-x.png"]),
    ],
    ids=[
        "another day",
        "two pages",
        "two posts",
        "another project",
        "an image",
    ],
)
def test_ambiguous_posts_are_not_sources(pages, files):
    folder = "docs" if "other" in files[0] else ""

    assert {} == find_posts(pages, files, folder)


def test_post_date_can_differ_by_a_day_because_of_the_time_zone():
    """`2013-05-06 02:12 +0200` in Los Angeles, as on jekyllrb.com."""
    files = ["_posts/2013-05-06-x.md", "_posts/2024-12-31-y.md"]
    pages = ["2013/05/05/x.html", "2025/01/01/y.html"]

    assert dict(zip(pages, files, strict=True)) == find_posts(pages, files, "")
    assert {} == find_posts(["2013/05/08/x.html"], files, "")


def test_daily_posts_are_matched_by_date_with_one_unpublished():
    files = [f"_posts/2024-01-{day:02}-daily.md" for day in (1, 2, 3)]
    pages = [f"2024/01/{day:02}/daily.html" for day in (1, 2)]

    assert dict(zip(pages, files, strict=False)) == find_posts(pages, files, "")


def test_posts_with_one_title_are_matched_by_date():
    files = [f"_posts/2024-01-{day:02}-weekly.md" for day in (1, 8, 15)]
    pages = [f"2024/01/{day:02}/weekly.html" for day in (1, 8, 15)]

    assert dict(zip(pages, files, strict=True)) == find_posts(pages, files, "")


def test_number_of_posts_with_one_title_is_limited():
    """Otherwise a hundred thousand of them and as many pages would take hours."""
    files = [f"_posts/{number}/x.md" for number in range(MAX_NAMESAKES + 1)]

    assert {} == find_posts(["blog/x.html"], files, "")


@pytest.mark.parametrize("day", ["2024-13-45", "0001-01-01", "9999-12-31"])
def test_impossible_date_in_a_name_is_ignored(day):
    file = f"_posts/{day}-x.md"

    assert {"blog/x.html": file} == find_posts(["blog/x.html"], [file], "")


def test_name_and_day_are_enough_in_any_folder():
    """One post alone; Docusaurus' are in `blog`."""
    page, file = "blog/2018/12/29/new-site/index.html", "blog/2018-12-29-new-site.mdx"

    assert {page: file} == find_posts([page], [file], "")
    assert {} == find_posts(["blog/2018/12/new-site/index.html"], [file], "")
    assert {} == find_posts(["tags/2018/12/29/new-site/index.html"], [file], "")
