"""The README's comparison: builds with the other plugins confirm each row.

Its statements about this package are tested in `tests/contract`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.full import usually
from tests.sites import NEWS, MkDocs, Pelican, Site, Source, Sphinx

README = Path(__file__).parent.parent / "README.md"
NOINDEX = '<meta name="robots" content="noindex">'
ROBOTS = b"User-agent: *\nAllow: /\n"
SITE = Site(
    sources=(Source("index"), Source("café"), Source("private", head=NOINDEX)),
    robots=ROBOTS,
)
OTHERS = {
    "MkDocs": (MkDocs(), '"plugins": [{"sitemap": {}}]', '"plugins": []'),
    "pelican-sitemap": (
        Pelican(),
        "sitemap_plugins.pelican",
        "pelican.plugins.sitemap",
    ),
    "sphinx-sitemap": (Sphinx(), "'sitemap_plugins.sphinx'", "'sphinx_sitemap'"),
}


def project(name, folder, more=""):
    """Write the site for another plugin; its settings end with `more`."""
    pytest.importorskip(
        {"sphinx-sitemap": "sphinx_sitemap"}.get(name, "pelican.plugins")
    )
    host, ours, theirs = OTHERS[name]
    host.write(SITE, folder)
    config = folder / host.config
    text = config.read_text("utf-8")
    assert ours in text
    text = text.replace(ours, theirs)
    if host.name == "pelican":
        text = text.replace("SITEMAP = {}", "SITEMAP = {'format': 'xml'}")
    config.write_text(text + more, "utf-8")
    return host


@pytest.fixture(scope="module", params=usually(OTHERS, "MkDocs"))
def other(request, tmp_path_factory):
    """The name of another plugin, and a site that was built with it."""
    folder = tmp_path_factory.mktemp("other")
    scheme = (
        "\nsitemap_url_scheme = '{link}'\n" if request.param == "sphinx-sitemap" else ""
    )
    host = project(request.param, folder, scheme)
    host.commit(SITE, folder)
    built = host.run(folder)
    assert 0 == built.returncode, built.log
    return request.param, built


def said(row, name):
    """Return the README's statements about a plugin."""
    text = README.read_text("utf-8")
    names = next(line for line in text.splitlines() if line.startswith("| | MkDocs"))
    columns = [cell.strip() for cell in names.strip("|").split("|")]
    line = next(line for line in text.splitlines() if line.startswith(f"| {row} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][columns.index(name)]


def test_every_row_is_tested():
    rows = re.findall(
        r"^\| ([^|]+) \| [^|]+ \| [^|]+ \| [^|]+ \| [^|]+ \|$",
        README.read_text(),
        re.MULTILINE,
    )

    assert {
        "date of a page",
        "pages with noindex",
        "URLs percent-encoded",
        "complete after an incremental build",
        "links between languages",
        "robots.txt",
    } == {*rows}


def test_dates(other):
    name, built = other

    dates = {entry.get("lastmod") for entry in built.entries.values()}
    expected = {"MkDocs": "the build", "sphinx-sitemap": "none, or git"}
    assert expected.get(name, "`Modified`, `Date`, or the build") == said(
        "date of a page", name
    )
    assert (name == "sphinx-sitemap") == (dates == {None})
    assert NEWS[:10] not in {str(date)[:10] for date in dates}


def test_noindex(other):
    name, built = other

    listed = any("private" in loc for loc in built.locs)
    assert {True: "listed", False: "left out"}[listed] == said(
        "pages with noindex", name
    )


def test_percent_encoding(other):
    name, built = other

    encoded = any("caf%C3%A9" in loc for loc in built.locs)
    assert {True: "yes", False: "no"}[encoded] == said("URLs percent-encoded", name)


def test_robots(other):
    name, built = other

    assert "unchanged" == said("robots.txt", name)
    assert ROBOTS == built.robots


def test_incremental_builds(tmp_path):
    host = project("sphinx-sitemap", tmp_path, "\nsitemap_url_scheme = '{link}'\n")
    first = host.run(tmp_path).locs
    host.source_file(tmp_path, "index").write_text("New\n===\n")

    second = host.run(tmp_path).locs

    assert "no" == said("complete after an incremental build", "sphinx-sitemap")
    assert {*second} < {*first}


def test_links_of_pelican_sitemap(tmp_path):
    host = project("pelican-sitemap", tmp_path)
    for language in ("en", "de"):
        text = f"Title: Guide\nSlug: guide\nLang: {language}\nTranslation: {language != 'en'}\n"
        (tmp_path / f"content/pages/guide-{language}.md").write_text(f"{text}\nText.\n")

    sitemap = (host.run(tmp_path).output_dir / "sitemap.xml").read_text()

    assert "without URLs" == said("links between languages", "pelican-sitemap")
    assert "hreflang=" in sitemap
    assert "href=" not in sitemap


def test_links_of_sphinx_sitemap(tmp_path):
    settings = "\nsitemap_locales = ['de']\nsitemap_url_scheme = '{lang}{link}'\nlanguage = 'en'\n"
    host = project("sphinx-sitemap", tmp_path, settings)

    sitemap = (host.run(tmp_path).output_dir / "sitemap.xml").read_text()

    assert "without the page itself" == said(
        "links between languages", "sphinx-sitemap"
    )
    assert 'hreflang="de"' in sitemap
    assert 'hreflang="en"' not in sitemap
