"""The data that mystmd 1.8 writes beside each page, and which page's they are."""

from __future__ import annotations

import json

import pytest

from sitemap_plugins.folder import mystmd
from sitemap_plugins.folder.marks import Marks, read_marks
from sitemap_plugins.folder.sources import Built, find_sources
from tests.hosts.html_folder import html, write
from tests.unit.test_folder_sources import project

PAGE = html('<meta name="generator" content="mystmd"/>')


def location(folder, page, files, text=PAGE):
    """Return where a page says that its source is; `files` are data, or texts as they are."""
    texts = {n: data if isinstance(data, str) else json.dumps(data) for n, data in files.items()}
    write(folder, {page: text, **texts})
    return read_marks(folder / page, page).location


def data(slug, path):
    return {"kind": "Article", "slug": slug, "location": path, "mdast": {}}


@pytest.mark.parametrize(
    ("page", "file", "slug"),
    [
        ("index.html", "index.json", "index"),
        ("setup/index.html", "setup.json", "setup"),
        ("guide/index.html", "guide.index.json", "guide.index"),
        ("guide/sub/a/index.html", "guide.sub.a.json", "guide.sub.a"),
        ("book/index.html", "book/index.json", "index"),
        ("book/setup/index.html", "book/setup.json", "setup"),
        ("book/guide/index.html", "book/guide.index.json", "guide.index"),
    ],
)
def test_each_page_is_found_in_the_data_of_its_slug(tmp_path, page, file, slug):
    """Without folders in URLs and with them (`site.options.folders`), one project and several."""
    assert "x/y z.md" == location(tmp_path, page, {file: data(slug, "/x/y z.md")})


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[" * 100_000, "[]", '"text"', "{}", '{"slug": "a"}'),
        *('{"slug": "a", "location": 1}', '{"slug": "b", "location": "/b.md"}'),
    ],
)
def test_what_is_no_data_of_the_page_says_nothing(tmp_path, text):
    assert "" == location(tmp_path, "a/index.html", {"a.json": text})


def test_data_of_two_pages_say_nothing(tmp_path):
    files = {"a.json": data("a", "/a.md"), "a.index.json": data("a.index", "/a/index.md")}

    assert "" == location(tmp_path, "a/index.html", files)


@pytest.mark.parametrize(("more", "expected"), [(0, "a.md"), (1, "")])
def test_data_longer_than_a_page_are_not_read(tmp_path, more, expected):
    """Empty lists take forty times their bytes."""
    text = json.dumps(data("a", "/a.md")).ljust(mystmd.MOST_BYTES + more)

    assert expected == location(tmp_path, "a/index.html", {"a.json": text})


def test_only_pages_of_mystmd_are_asked_about(tmp_path):
    files = {"a.json": data("a", "/a.md")}

    assert "" == location(tmp_path, "a/index.html", files, text=html())
    assert "" == location(tmp_path, "a/b.html", files)


def test_data_behind_a_link_are_not_read(tmp_path):
    write(tmp_path, {"secret": json.dumps(data("a", "/a.md")), "site/a/index.html": PAGE})
    (tmp_path / "site/a.json").symlink_to(tmp_path / "secret")

    assert "" == read_marks(tmp_path / "site/a/index.html", "a/index.html").location


def by_page(pages, *names):
    built = [Built(name, Marks(location=path)) for name, path in pages.items()]
    return find_sources(built, project(*names), ["", "docs"]).by_page


def test_the_data_come_before_the_route():
    pages = {"setup/index.html": "guide/setup.md", "setup-1/index.html": "setup.md"}

    assert {
        "setup/index.html": "docs/guide/setup.md",
        "setup-1/index.html": "docs/setup.md",
    } == by_page(pages, "docs/setup.md", "docs/guide/setup.md")


def test_a_page_whose_file_is_not_there_has_no_source():
    assert {} == by_page({"a/index.html": "guide/a.md"}, "a.md")


def test_the_same_file_of_several_projects_is_the_source_of_none():
    """Each is below its own project's folder, and the data do not say which."""
    pages = {"one/index.html": "index.md", "two/index.html": "index.md", "a/index.html": "a.md"}

    assert {"a/index.html": "a.md"} == by_page(pages, "index.md", "a.md", "two/index.md")
