"""Services that serve the built site:
each host says its own cure, and their files are found."""

from __future__ import annotations

import pytest

from tests.hosts import mkdocs_project, sphinx_site
from tests.hosts.pelican_blog import Blog
from tests.sites import MkDocs, Pelican, Site, Source, Sphinx

ON_CLOUDFLARE = {"CF_PAGES": "1", "CI": "true"}


def test_mkdocs_without_directory_urls_on_cloudflare(tmp_path):
    mkdocs_project.write(tmp_path, {"docs/a.md": "# A\n"}, use_directory_urls=False)

    built = mkdocs_project.build(tmp_path, "--strict", **ON_CLOUDFLARE)

    assert (
        "Cloudflare Pages redirects the URLs of 2 pages, such as 'https://example.com/index.html',"
        " so the sitemap lists 'https://example.com/': set use_directory_urls to true"
    ) in built.log


def test_sphinx_builds_html_on_cloudflare(tmp_path):
    sphinx_site.write(tmp_path, {"index.rst": sphinx_site.title("Home")})

    built = sphinx_site.build(tmp_path, "-W", **ON_CLOUDFLARE)

    assert "'https://example.com/docs/index.html'" in built.log
    assert "https://example.com/docs/': build with the builder dirhtml" in built.log


def test_pelican_html_file_names_on_cloudflare(tmp_path, monkeypatch, capsys):
    for name, value in ON_CLOUDFLARE.items():
        monkeypatch.setenv(name, value)
    blog = Blog(tmp_path)
    blog.write("a")

    blog.build()

    printed = " ".join(capsys.readouterr().out.split())
    assert (
        ": let each *_URL end in '/', and each *_SAVE_AS in '/index.html'"
    ) in printed


@pytest.mark.parametrize(
    "host", [MkDocs(), Pelican(), Sphinx()], ids=lambda host: host.name
)
def test_urls_that_end_in_a_slash_are_right_on_cloudflare(host, tmp_path):
    built = host.build(Site(), tmp_path, *host.strict, **ON_CLOUDFLARE)

    assert 2 == len(built.locs)
    assert "redirects the URLs" not in built.log


def test_headers_and_redirects_among_the_sources_leave_pages_out(tmp_path):
    host = MkDocs()
    sources = tuple(map(Source, ("index", "drafts/one", "drafts/two", "old", "new")))
    host.write(Site(sources=sources), tmp_path)
    (tmp_path / "docs/_headers").write_text("/drafts/*\n  X-Robots-Tag: noindex\n")
    (tmp_path / "docs/_redirects").write_text("/new/ /  301\n/old/ /new/ 301!\n")

    built = host.run(tmp_path, "--strict", "-v")

    assert ["https://example.com/", "https://example.com/new/"] == built.locs
    assert (
        "_headers, line 2: it says noindex for 2 pages, such as 'drafts/one.md'"
        in built.log
    )
    assert "_redirects, line 2: it redirects 1 page, such as 'old.md'" in built.log
    assert "old.md: left out (redirect: " in built.log
