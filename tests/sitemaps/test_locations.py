"""Sitemaps on disk, on servers and in commits."""

from __future__ import annotations

import gzip
import os

import pytest

from sitemap_plugins.core.messages import SitemapError
from sitemap_plugins.sitemaps.locations import find_locations
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.sitemaps.web import Web
from tests.check.checked_site import index, url, urlset
from tests.folder.html_folder import BASE, write
from tests.git_repository import ENVIRON, GitRepository
from tests.sitemaps.loopback import serving

PARTS = {
    "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}2.0/sitemap.xml"),
    "sitemap-1.xml": urlset(url("1")),
    "2.0/sitemap.xml": urlset(url("2.0/1")),
}


@pytest.fixture
def web():
    with Web(user_agent="test", retries=0) as web:
        yield web


def locs(text, web):
    locations = find_locations(str(text), web=web, environ=ENVIRON)
    return [
        element.get("loc").removeprefix(BASE) for element in all_elements(locations)
    ]


def error_of(text, web):
    with pytest.raises(SitemapError) as caught:
        locs(text, web)
    return str(caught.value)


def test_a_folder_has_every_index_of_its_sitemap(tmp_path, web):
    write(tmp_path, PARTS)
    write(tmp_path, {"sitemap-index-2.xml": index(f"{BASE}sitemap-2.xml")})
    write(
        tmp_path, {"sitemap-2.xml": urlset(url("2")), "sitemap-3.xml": urlset(url("3"))}
    )

    assert ["2", "1", "2.0/1"] == locs(tmp_path, web)
    assert ["1", "2.0/1"] == locs(tmp_path / "sitemap.xml", web)


def test_a_packed_file_is_unpacked(tmp_path, web):
    (tmp_path / "old.xml.gz").write_bytes(gzip.compress(urlset(url("1")).encode()))

    assert ["1"] == locs(tmp_path / "old.xml.gz", web)


def test_a_text_sitemap_is_read_too(tmp_path, web):
    """As by `check`; an index may list text sitemaps as well."""
    write(tmp_path, {"sitemap.txt": f"\ufeff{BASE}1\r\n\n {BASE}2 \n"})
    write(tmp_path, {"sitemap.xml": index(f"{BASE}sitemap.txt")})

    assert ["1", "2"] == locs(tmp_path / "sitemap.txt", web) == locs(tmp_path, web)


def test_xml_under_the_name_of_a_text_is_read_as_xml(tmp_path, web):
    write(tmp_path, {"sitemap.txt": urlset(url("1"))})

    assert ["1"] == locs(tmp_path / "sitemap.txt", web)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "it is empty: build it again"),
        (
            f"{BASE}1\n# Comment.\n",
            ":2: '# Comment.' is not an absolute URL: correct or remove",
        ),
        (f"{BASE}\x1b[31m", "is not an absolute URL"),
    ],
)
def test_a_text_that_is_not_a_sitemap_is_an_error(tmp_path, web, text, expected):
    """Compared with a sitemap, it would announce every page as removed."""
    write(tmp_path, {"sitemap.txt": text})

    assert expected in error_of(tmp_path / "sitemap.txt", web)


def test_a_wrong_namespace_does_not_hide_the_urls(tmp_path, web):
    right, wrong = "http://www.sitemaps.org", "https://www.sitemaps.org"
    write(tmp_path, {"sitemap.xml": urlset(url("1")).replace(right, wrong)})

    assert ["1"] == locs(tmp_path, web)


def test_only_urls_with_an_address_are_listed(tmp_path, web):
    other = f"<entry><loc>{BASE}2</loc></entry>"
    write(tmp_path, {"sitemap.xml": urlset("<url><lastmod/></url>", other, url("1"))})

    assert ["1"] == locs(tmp_path, web)


def test_an_index_and_its_parts_are_requested_from_a_server(tmp_path, web):
    with serving(tmp_path) as server:
        write(
            tmp_path, {n: text.replace(BASE, server.url) for n, text in PARTS.items()}
        )
        found = locs(server.url, web)

        assert [f"{server.url}1", f"{server.url}2.0/1"] == found
        assert ["/sitemap.xml", "/sitemap-1.xml", "/2.0/sitemap.xml"] == server.gets


def test_an_index_cannot_send_us_to_another_server(tmp_path, web):
    with serving(tmp_path) as server, serving(tmp_path) as other:
        write(tmp_path, {"sitemap.xml": index(f"{other.url}sitemap-1.xml")})

        assert error_of(server.url, web) == (
            f"{server.url}sitemap.xml: it lists '{other.url}sitemap-1.xml', which is on another"
            " host: name that sitemap itself"
        )
        assert [] == other.gets


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((404,), "the server answers 404: give the sitemap's own address"),
        (
            (301, b"", {"Location": "/a.xml"}),
            "the server answers 301 and leads to '{url}a.xml': give the sitemap's own address",
        ),
        ((200, b"<a></a>"), "it is not a sitemap: its root is 'a': name a sitemap"),
        ((200, b"<!DOCTYPE html><html></html>"), "it is an HTML page, not a sitemap"),
        (
            (200, gzip.compress(b"<!doctype html>", mtime=0)),
            "it is an HTML page, not a sitemap",
        ),
        ((200, b"<!-- -->"), "it is not XML: name an XML sitemap"),
    ],
)
def test_an_answer_that_is_not_a_sitemap_is_reported_in_one_sentence(
    tmp_path, web, answer, said
):
    with serving(tmp_path) as server:
        server.answers["/sitemap.xml"] = answer
        text = error_of(server.url, web)

        assert text.startswith(f"{server.url}sitemap.xml")
        assert said.format(url=server.url) in text


def test_a_commit_is_read_as_it_is(tmp_path, web, monkeypatch):
    repository = GitRepository(tmp_path)
    repository.commit({f"site/{name}": text for name, text in PARTS.items()})
    repository.commit({"README": "x"})
    repository.write()
    monkeypatch.chdir(tmp_path)

    assert ["1", "2.0/1"] == locs("git:HEAD~1:site/sitemap.xml", web)
    assert ["1", "2.0/1"] == locs("git:HEAD~1:site/", web)
    assert error_of("git:HEAD:site/sitemap.xml", web) == (
        "git:HEAD:site/sitemap.xml: there is no such file in the repository: check the revision and"
        " the path"
    )
    assert "there is no such file" in error_of("git:--output=x:site/sitemap.xml", web)
    assert not (tmp_path / "x").exists()
    for odd in ("x blob", "site/sitemap.xml missing", os.fsdecode(b"\xff")):
        assert "there is no such file" in error_of(f"git:HEAD:{odd}", web)


def test_a_sitemap_that_does_not_fit_into_memory_is_refused(tmp_path, web, monkeypatch):
    monkeypatch.setattr("sitemap_plugins.sitemaps.locations.MAX_FETCHED_BYTES", 400)
    monkeypatch.chdir(tmp_path)
    fits, large = (urlset(url("1")).ljust(size) for size in (400, 401))
    write(tmp_path, {"fits.xml": fits, "large.xml": large})
    repository = GitRepository(tmp_path)
    repository.commit({"fits.xml": fits, "large.xml": large})
    repository.write()

    with serving(tmp_path) as server:
        for folder in (server.url, "git:HEAD:"):
            assert ["1"] == locs(f"{folder}fits.xml", web)
            assert error_of(f"{folder}large.xml", web) == (
                f"{folder}large.xml: it has more than 400 bytes, the most that is read"
                " of a sitemap: split it"
            )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "none.xml",
            "'none.xml' does not exist: name a sitemap, its folder, its URL or",
        ),
        (".", "'.' has no sitemap.xml: name a sitemap, its folder, its URL or"),
        ("git:", "'git:' is not git:REVISION:PATH: write it as in git:HEAD~1:site/"),
        ("git::a", "'git::a' is not git:REVISION:PATH: write it as in"),
        ("git:a\nb:c", "'git:a\\nb:c' is not git:REVISION:PATH: write it as in"),
    ],
)
def test_a_file_that_is_not_a_sitemap_is_reported_in_one_sentence(
    tmp_path, web, monkeypatch, text, said
):
    monkeypatch.chdir(tmp_path)

    assert said in error_of(text, web)


def test_an_index_in_an_index_is_refused(tmp_path, web):
    write(tmp_path, PARTS | {"sitemap-1.xml": index(f"{BASE}2.0/sitemap.xml")})

    assert error_of(tmp_path, web) == (
        f"{tmp_path / 'sitemap-1.xml'}: it is an index, and an index lists it: list only sitemaps"
        " of pages"
    )
