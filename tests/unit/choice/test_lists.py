"""Which pages a list shows, by its HTML."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.choice.lists import narrow_lists
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage

BASE = "https://example.com/docs/"
POSTS = [f"p{number}" for number in range(10)]


def link(*names):
    return "".join(f"<a href='{name}'>x</a>" for name in names)


@pytest.fixture
def site(tmp_path):
    """Return a function that returns what a list shows of ten posts."""

    def page(path, html, **values):
        file = tmp_path / f"{path}.html"
        file.write_text(f"<!doctype html><title>x</title>{html}")
        return CheckedPage(
            path=path, label=path, url=f"{BASE}{path}", output_file=file, **values
        )

    def shown(html, *, layout="", posts=10, **options):
        pages = [page(name, layout) for name in POSTS[:posts]]
        found = narrow_lists(
            [*pages, page("list", html, lists=tuple(POSTS))],
            BASE,
            Options(**options),
        )
        return found[-1]

    return shown


@pytest.mark.parametrize(
    "address",
    [
        "p1",
        "./p1.html",
        "/docs/p1/",
        "//example.com/docs/p1",
        "https://EXAMPLE.com/docs//p1#top",
        "p1/index.html?from=list",
    ],
)
def test_link_in_any_form_shows_a_page(site, address):
    assert ("p1",) == site(link(address)).lists


@pytest.mark.parametrize(
    "html",
    [
        link("p99", "https://example.org/docs/p1", "#p1", "?p1", "/p1"),
        f"<!-- {link('p1')} --><script>'{link('p2')}'</script>",
        "<base href='/other/'>" + link("p1"),
    ],
)
def test_list_that_links_to_none_says_so(site, html):
    found = site(html)

    assert () == found.lists
    assert "links to none of the pages that it can list" == found.unknown


def test_order_is_that_of_the_links(site):
    assert ("p3", "p1", "p2") == site(link("p3", "p1", "p2", "p3")).lists


def test_what_nine_of_ten_pages_link_to_counts_only_beyond_that(site):
    layout = link("p1", "p2", "p2")

    assert ("p3",) == site(layout + link("p3"), layout=layout).lists
    assert ("p1",) == site(layout + link("p1"), layout=layout).lists
    assert ("p1",) == site(link("p1"), layout=layout, posts=4).lists
    assert () == site(link("p1"), layout=layout, posts=5).lists


def test_unread_lists_of_several_pages_have_no_date(site):
    found = site(link("p1"), inspect_html=False)

    assert () == found.lists
    assert "can list several pages, and inspect_html is false" == found.unknown
