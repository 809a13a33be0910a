"""What other sitemap generators write, built for real:
the findings are the faults they have."""

from __future__ import annotations

import json

from tests.check.checked_site import NOW, result_of, result_of_file
from tests.folder.html_folder import BASE
from tests.full import FULL
from tests.sites import MkDocs, Pelican, Site, Source, Sphinx


def built(host, site, folder, change):
    """Write a site, change its settings to use the other plugin, and build it."""
    host.write(site, folder)
    file = folder / host.config
    file.write_text(change(file.read_text()))
    host.commit(site, folder)
    # Today is later than the checks' own time.
    done = host.run(folder, SOURCE_DATE_EPOCH=str(int(NOW.timestamp())))
    assert 0 == done.returncode, done.log
    return done


def without_plugins(text):
    return json.dumps({**json.loads(text), "plugins": []})


@FULL
def test_mkdocs_own_sitemap_dates_every_page_by_the_build(tmp_path):
    built(MkDocs(), Site(), tmp_path, without_plugins)
    result = result_of(tmp_path)

    assert {"date-too-new": 2, "not-announced": 1} == result.counts
    assert {"docs/index.md", "docs/guide.md", ""} == {f.source for f in result.findings}


def test_mkdocs_own_sitemap_is_empty_without_an_address(tmp_path):
    built(MkDocs(), Site(base_url=""), tmp_path, without_plugins)

    assert {"empty"} == set(result_of(tmp_path).counts)


@FULL
def test_sphinx_sitemap_puts_a_language_into_urls_that_the_pages_contradict(tmp_path):
    """Which of the two is wrong depends on where the folder is published."""
    host = Sphinx()
    host.builder = "html"
    settings = "\nlanguage = 'en'\nextensions = ['sphinx_sitemap']\n"
    built(host, Site(options={}), tmp_path, lambda text: text + settings)
    result = result_of(tmp_path)

    about_address = [f for f in result.findings if f.code == "wrong-base-url"]
    assert ["warning"] == [finding.severity for finding in about_address]
    assert all(f"'{BASE}en/'" in finding.problem for finding in about_address)
    assert "missing" not in result.counts


def test_sphinx_sitemap_lists_what_sphinx_makes_for_itself(tmp_path):
    host = Sphinx()
    host.builder = "html"
    settings = "\nextensions = ['sphinx_sitemap']\nsitemap_url_scheme = '{link}'\n"
    built(host, Site(options={}), tmp_path, lambda text: text + settings)

    assert result_of(tmp_path).counts["generated"] >= 2


def test_pelican_sitemap_does_not_escape_urls(tmp_path):
    site = Site(sources=(Source("index"), Source("one&two")))
    settings = "\nPLUGINS = ['pelican.plugins.sitemap']\nSITEMAP = {'format': 'xml'}\n"
    built(Pelican(), site, tmp_path, lambda text: text + settings)

    assert 1 == result_of_file(tmp_path / "out/sitemap.xml").counts["not-well-formed"]
