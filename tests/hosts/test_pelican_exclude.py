"""`exclude` as pelican-sitemap reads it: that plugin's own function is the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from lxml import etree
from pelican.plugins import signals
from pelican.plugins.sitemap.sitemap import SitemapGenerator

from sitemap_plugins.pelican.options import PelicanOptions
from tests.hosts.pelican_blog import BASE, Blog, paths, plugins_of_their_own

if TYPE_CHECKING:
    from pelican import Pelican

TAGS = ("python", "about", "index", "tag")
PAGES = {
    "listening/index.html": "listening/",
    "noindex/one.html": "noindex/one.html",
    "drafts/two.html": "drafts/two.html",
    "test-post.html": "test-post.html",
    "splash/index.html": "splash/",
    "404s.html": "404s.html",
    "photos/index-of-all.html": "photos/index-of-all.html",
    "writing/2024/index.html": "writing/2024/",
    "writing/tags/index.html": "writing/tags/index.html",
    "images/a.html": "images/a.html",
    "data.json.html": "data.json.html",
    "tagged.html": "tagged.html",
    "café.html": "café.html",
}
# Real lists with the number of sites that have them, then made ones for their corners.
LISTS = [
    ["tag/", "category/"],  # 10
    ["author/"],  # 3
    ["drafts/"],  # 2
    ["tags.html", "categories.html", "authors.html", "archives.html"],  # 3
    ["archives.html", "author/", "category/"],
    ["archives.html", "author/", "category/", "photos/"],
    ["archives.html", "categories.html", "tags.html", "author/", "category/", "tag/"],
    ["404", "archives", "tags", "authors"],
    [r"^404\.html$", r"^writing/\d{4}/$", r"writing/tags", r"^splash/$"],
    [r"^drafts/", r"^test-post\.html$"],
    ["search/"],
    ["drafts"],
    ["{slug}.html", "cat/{slug}", "cats/{slug}"],
    [r"\.html$"],
    ["index"],
    [r"index\.html$"],
    ["^$"],
    ["$"],
    ["^"],
    ["."],
    ["/$"],
    ["/"],
    ["/[^/]*$"],
    ["^[^/]*$"],
    [r"[^/]+\.html$"],
    ["^/?tag/"],
    ["^/*tag/"],
    [r"\Atag|\Acategory"],
    ["^tag|^author"],
    ["(?i)^TAG/"],
    ["^(?!tag)"],
    ["^(?:tag|category)/"],
    ["caf"],
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return what pelican-sitemap knows of a site, the site's object,
    and the paths of ours."""
    blog = Blog(tmp_path_factory.mktemp("blog"))
    for number, tag in enumerate(TAGS):
        blog.write(f"article-{number}", Tags=tag, Author="A")
    for number, (save_as, url) in enumerate(PAGES.items()):
        blog.write(f"pages/p{number}", Save_as=save_as, URL=url)
    peer = SitemapGenerator()
    with plugins_of_their_own():
        signals.content_written.connect(peer.queue_page)
        pelican = blog.object()
        pelican.run()
    return peer, pelican, paths(blog.built)


def listed_by_the_peer(
    peer: SitemapGenerator, pelican: Pelican, exclude: list[str]
) -> set[str]:
    pelican.settings["SITEMAP"] = {"exclude": exclude}
    peer._write_out(pelican)
    found = etree.parse(f"{pelican.output_path}/sitemap.xml").findall("{*}url/{*}loc")
    return {unquote(loc.text).removeprefix(BASE) for loc in found}


def without_index(path: str) -> str:
    return path.removesuffix("index.html") if path.endswith("/index.html") else path


@pytest.mark.parametrize("exclude", LISTS, ids=repr)
def test_a_list_leaves_out_what_pelican_sitemap_leaves_out(site, exclude):
    peer, pelican, ours = site
    patterns = PelicanOptions.parse({"exclude": exclude}, where="test").exclude
    kept = {
        without_index(unquote(path))
        for path in ours
        if not patterns.match(path, "pages/p1.md")
    }

    assert listed_by_the_peer(peer, pelican, []) == {
        without_index(unquote(p)) for p in ours
    }
    assert kept == listed_by_the_peer(peer, pelican, exclude)


@pytest.mark.parametrize(
    ("item", "left_out", "kept"),
    [
        # Its README: "^/noindex/", "/tag/"; real lists have both. They match nothing
        # there.
        ("^/noindex/", ["noindex/a.html"], ["a/noindex/b.html", "noindex.html"]),
        ("/tag/", ["tag/a.html", "de/tag/a.html"], ["tag.html", "vintage/tag.html"]),
        ("^/images/", ["images/a.html"], ["de/images/a.html", ""]),
        ("^/tag|^/author", ["tag/a.html", "author/a.html"], ["de/tag/a.html", ""]),
        ("^/(tag|author)/", ["tag/a.html", "author/a.html"], ["tags.html"]),
        ("(/tag/|/author/)", ["tag/a.html", "author/a.html"], ["tags.html"]),
        (r"^/\d{4}/", ["2024/a.html"], ["a/2024/"]),
        ("^/$", [""], ["a.html", "a/"]),
        ("^/", [], ["", "a.html", "a/"]),
        (r"\/tag/[^/]+$", ["de/tag/a.html"], ["tag/a.html"]),
        ("glob:*.json.html", ["a/b.json.html"], ["a.json"]),
    ],
)
def test_leading_slash_is_the_site_root_or_the_start_of_a_folder(item, left_out, kept):
    patterns = PelicanOptions.parse({"exclude": [item]}, where="test").exclude

    assert [path for path in [*left_out, *kept] if patterns.match(path)] == left_out


def test_expression_does_not_match_the_name_of_the_source(tmp_path):
    """pelican-sitemap knows the URL only;
    a folder `articles` of sources would exclude all."""
    blog = Blog(tmp_path)
    blog.write("articles/one")
    blog.write("articles/two")
    built = blog.build(SITEMAP={"exclude": ["articles/", "glob:articles/two.md"]})

    assert "one.html" in paths(built)
    assert "two.html" not in paths(built)


def test_items_that_match_nothing_are_reported_as_written(tmp_path, capsys):
    blog = Blog(tmp_path)
    blog.write("one")
    exclude = [
        "^/nothing/",
        "glob:none/*",
        "glob:*.html",
        "glob:!one.html",
        "glob:!none",
    ]
    blog.build(SITEMAP={"exclude": exclude})
    said = capsys.readouterr().out

    assert (
        "exclude: '^/nothing/', 'glob:none/*' and 'glob:!none' match no page's" in said
    )
