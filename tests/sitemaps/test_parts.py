"""Which files a sitemap consists of."""

from __future__ import annotations

from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import find_sitemaps, listed_in
from tests.check.checked_site import index, url, urlset
from tests.folder.html_folder import BASE, write


def test_part_that_an_index_lists_twice_is_read_once(tmp_path):
    parts = [f"{BASE}{name}.xml" for name in ("a", "b", "a", "missing", "sitemap")]
    texts = {"a.xml": urlset(url("1")), "b.xml": urlset(url("2"))}
    write(tmp_path, {"sitemap.xml": index(*parts), **texts})
    seen = {tmp_path / "b.xml"}

    every = find_sitemaps(FileLocation(tmp_path / "sitemap.xml"))
    others = find_sitemaps(FileLocation(tmp_path / "sitemap.xml"), seen=seen)

    names = ["sitemap.xml", "a.xml", "b.xml"]
    assert names == [file.location.path.name for file in every]
    assert names[:2] == [file.location.path.name for file in others]
    assert {*map(tmp_path.joinpath, names)} == seen
    assert [f"{BASE}1", f"{BASE}2"] == [listed.url for listed in listed_in(every)]
    assert ["a.xml", "b.xml"] == [
        listed.file.location.path.name for listed in listed_in(every)
    ]
