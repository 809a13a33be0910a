"""Pages that a site leaves out on purpose are not missed:
the generators' own settings say so."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.folder.generator_settings import plugin_options
from sitemap_plugins.folder.options import FolderOptions
from tests.check.checked_site import BASE, URLS, result_of, url, urlset, write_site
from tests.folder.html_folder import html, page, write


@pytest.fixture
def site(tmp_path):
    """All pages but one are listed."""
    write_site(tmp_path)
    write(tmp_path, {"out/sitemap.xml": urlset(*URLS[:2])})
    return tmp_path


def checked(site):
    return result_of(site, options=plugin_options(site, {})).counts


def test_pages_that_a_plugin_excludes_need_not_be_listed(site):
    assert {"not-listed": 1} == checked(site)
    write(site, {"mkdocs.yml": "plugins: [sitemap: {exclude: [b/]}]\n"})

    assert {} == checked(site)


def test_an_excluded_page_that_is_listed_is_found(site):
    write(site, {"mkdocs.yml": "plugins: [sitemap: {exclude: [a/, b/]}]\n"})

    assert {"excluded": 1} == checked(site)


@pytest.mark.parametrize(
    "text",
    [
        "plugins: [sitemap: {filename: 7}]",
        "plugins: [sitemap: {filename: ../sitemap.xml}]",
        "plugins: [sitemap]",
        "plugins: 7",
        "plugins: {sitemap: }",
        "[",
    ],
)
def test_invalid_settings_are_ignored(site, text):
    write(site, {"mkdocs.yml": text})

    assert {"not-listed": 1} == checked(site)


def test_copied_html_need_not_be_listed(site):
    write(site, {"docs/b/index.html": html(), "mkdocs.yml": "site_name: x\n"})

    assert {} == checked(site)


def test_copied_html_must_be_listed_if_the_option_lists_it(site):
    write(site, {"docs/b/index.html": html(), "mkdocs.yml": ""})

    assert {"not-listed": 1} == result_of(site, options={"static_html": True}).counts


def test_findings_are_info_if_only_pelican_knows_the_reason(site):
    """Its metadata say `Status: hidden` and `Modified:` in ways of their own."""
    dates = urlset(URLS[0], url("a/", "2001-01-01"))
    write(site, {"out/sitemap.xml": dates})
    assert {("not-listed", "warning"): 1, ("date-too-old", "warning"): 1} == result_of(
        site
    ).numbers
    write(site, {"pelicanconf.py": "PATH = 'content'\n"})

    assert {("not-listed", "info"): 1, ("date-too-old", "info"): 1} == result_of(
        site
    ).numbers


def test_the_file_name_from_the_plugins_options_is_used(tmp_path):
    write(tmp_path, {"mkdocs.yml": "plugins: [sitemap: {filename: map.xml}]\n"})

    assert {"filename": "map.xml"} == plugin_options(tmp_path, {})


def test_options_that_do_not_affect_what_is_listed_are_ignored(tmp_path):
    write(tmp_path, {"mkdocs.yml": "plugins: [sitemap: {gzip: false, git: 7}]\n"})

    assert {} == plugin_options(tmp_path, {})
    with pytest.raises(OptionsError):
        FolderOptions.parse({"git": 7}, where="")


# --- which address is wrong
# -------------------------------------------------------------------


def test_local_canonical_links_do_not_contradict_the_base_url(tmp_path):
    write_site(tmp_path)
    for path in ("", "a/", "b/"):
        write(
            tmp_path, {f"out/{path}index.html": page(f"http://localhost:3000/{path}")}
        )
    result = result_of(tmp_path, options={"base_url": BASE})

    assert {"local-address": 1} == result.counts
    assert (
        "the canonical link of 3 pages is on a local server"
        == result.findings[0].problem
    )


def test_a_line_of_robots_txt_must_not_name_a_local_server(tmp_path):
    """As mystmd 1.8 writes it; the right line stands beside it."""
    write_site(tmp_path)
    lines = f"Sitemap: http://localhost:3001/sitemap.xml\nSitemap: {BASE}sitemap.xml\n"
    write(tmp_path, {"out/robots.txt": lines})
    result = result_of(tmp_path, options={"base_url": BASE})

    assert {"local-address": 1} == result.counts
    assert "robots.txt" == result.findings[0].file
    assert "'Sitemap: http://localhost:3001/sitemap.xml' is on a local server" == (
        result.findings[0].problem
    )


def test_a_local_preview_may_name_itself_in_robots_txt(tmp_path):
    local = "http://localhost:3001/"
    write_site(tmp_path)
    write(tmp_path, {"out/robots.txt": f"Sitemap: {local}sitemap.xml\n"})
    result = result_of(tmp_path, options={"base_url": local})

    assert not [finding for finding in result.findings if finding.file == "robots.txt"]


def test_the_address_of_the_listed_urls_precedes_the_settings(tmp_path):
    """The command line of the generator can replace the address."""
    write_site(tmp_path)
    write(tmp_path, {"mkdocs.yml": "site_url: https://other.com/\n"})
    result = result_of(tmp_path)

    assert {("wrong-base-url", "info"): 1} == result.numbers
    assert (
        "the listed URLs have their files below 'https://example.com/', and none below"
        " 'https://other.com/' (site_url in mkdocs.yml)"
    ) == result.findings[0].problem
    assert "--base-url" in result.findings[0].cure


def test_a_base_url_that_no_listed_url_is_below_is_one_finding(tmp_path):
    write_site(tmp_path)
    result = result_of(tmp_path, options={"base_url": "https://other.com/"})

    assert {("wrong-base-url", "warning"): 1} == result.numbers
    [finding] = result.findings
    assert "no listed URL is below 'https://other.com/'; they are on" in finding.problem
    assert "--base-url" in finding.cure


def test_one_url_of_many_outside_is_that_urls_fault(tmp_path):
    write_site(tmp_path)
    other = "<url><loc>https://other.com/</loc></url>"
    write(tmp_path, {"out/sitemap.xml": urlset(*URLS, other)})

    assert {"outside-scope": 1} == result_of(
        tmp_path, options={"base_url": BASE}
    ).counts
