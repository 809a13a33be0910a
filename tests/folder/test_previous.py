"""What the sitemap that stands in a folder already lists."""

from __future__ import annotations

import os

import pytest

from sitemap_plugins.core.url_forms import Files
from sitemap_plugins.folder.previous import files_of, listed_forms, listed_urls
from tests.check.checked_site import index, url, urlset
from tests.folder.html_folder import BASE, write


def test_the_parts_of_an_index_are_looked_for_in_folders_below_it_too(tmp_path):
    write(
        tmp_path,
        {
            "sitemap.xml": index(f"{BASE}part.xml", f"{BASE}de/sitemap.xml"),
            "part.xml": urlset(url("a/")),
            "de/sitemap.xml": urlset(url("de/a/")),
        },
    )

    assert (f"{BASE}a/", f"{BASE}de/a/") == listed_urls(tmp_path, "sitemap.xml")


def test_a_pipe_lists_nothing_and_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "sitemap.xml")

    assert () == listed_urls(tmp_path, "sitemap.xml")


@pytest.mark.parametrize(
    "loc", ["http://[", f"{BASE}sitemap.xml", f"{BASE}gone.xml", BASE, ""]
)
def test_a_part_that_is_none_lists_nothing(tmp_path, loc):
    write(tmp_path, {"sitemap.xml": index(loc)})

    assert () == listed_urls(tmp_path, "sitemap.xml")


def test_urls_of_a_local_server_are_compared_by_path():
    """As mystmd writes them; and a folder without a slash would be redirected."""
    listed = [
        "http://localhost:3000/",
        "http://localhost:3000/a",
        "http://localhost:3000/b",
    ]
    files = Files.of(["index.html", "a/index.html", "b.html"])
    found = files_of(listed, files, BASE)

    assert ["index.html", "a/index.html", "b.html"] == [
        file for file, _ in found.values()
    ]
    assert {"index.html": "folder/", "b.html": "file"} == listed_forms(found)
