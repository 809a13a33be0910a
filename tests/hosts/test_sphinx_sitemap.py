"""In the place of sphinx-sitemap:
what its values meant there, beside sphinx-sitemap itself.

Both build the same projects. `SAME` is what both write; `DIFFERENT` has the reason for
each row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.sphinx.options import SphinxOptions
from tests.full import FULL
from tests.hosts.sphinx_site import (
    build,
    build_many,
    takes_flags,
    title,
    write,
)
from tests.sites import NEWS, git
from tests.written import links

ROOT = "https://example.com/"
PAGES = ("guide/one.html", "guide/two.html", "index.html")
DIRECTORIES = ("", "guide/one/", "guide/two/")
CATALOG = "locale/de/LC_MESSAGES/index.po"
FILES = {
    "index.rst": title("Home"),
    "guide/one.rst": f":orphan:\n\n{title('One')}",
    "guide/two.rst": f":orphan:\n\n{title('Two')}",
    CATALOG: 'msgid ""\nmsgstr ""\n\n#: ../index.rst:2\nmsgid "Home"\nmsgstr "Start"\n',
}
OF_SPHINX = ("genindex.html", "search.html", "genindex/", "search/")
"""Pages that Sphinx makes for itself; sphinx-sitemap lists them."""


@dataclass(frozen=True)
class Row:
    """What conf.py says, and the URLs of the pages then."""

    settings: dict[str, object]
    urls: tuple[str, ...]
    builder: str = "html"
    theirs: tuple[str, ...] = ()
    """What sphinx-sitemap writes, where that differs."""


def below(base_url, paths=PAGES):
    return tuple(base_url + path for path in paths)


SITE = {"site_url": ROOT, "sitemap_url_scheme": "{link}"}
SAME = {
    "site_url": Row(SITE, below(ROOT)),
    "site_url comes before html_baseurl": Row(
        SITE | {"html_baseurl": "https://a.b/"}, below(ROOT)
    ),
    "html_baseurl": Row(
        {"html_baseurl": ROOT, "sitemap_url_scheme": "{link}"}, below(ROOT)
    ),
    "language and version": Row(
        {"site_url": ROOT, "sitemap_url_scheme": "{lang}{version}{link}"},
        below(f"{ROOT}en/1.0/"),
    ),
    "folders, too": Row(
        {"site_url": ROOT, "sitemap_url_scheme": "docs/{version}{lang}all/{link}"},
        below(f"{ROOT}docs/1.0/en/all/"),
    ),
    "no version": Row(
        {
            "site_url": ROOT,
            "sitemap_url_scheme": "{lang}{version}{link}",
            "version": "",
        },
        below(f"{ROOT}en/"),
    ),
    "directories": Row(SITE, below(ROOT, DIRECTORIES), "dirhtml"),
    "excludes": Row(
        SITE | {"sitemap_excludes": ["*/one.html", "ind[a-z]x.html", "two.html"]},
        below(ROOT, ["guide/two.html"]),
    ),
    "excludes of directories": Row(
        SITE | {"sitemap_excludes": ["guide/o*/", ""]},
        below(ROOT, ["guide/two/"]),
        "dirhtml",
    ),
    "filename": Row(SITE | {"sitemap_filename": "map.xml"}, below(ROOT)),
    "languages": Row(
        {
            "site_url": ROOT,
            "sitemap_url_scheme": "{lang}{link}",
            "sitemap_locales": ["fr", "pt_BR"],
        },
        below(f"{ROOT}en/"),
    ),
    "languages of locale_dirs": Row(
        {
            "site_url": ROOT,
            "sitemap_url_scheme": "{lang}{link}",
            "locale_dirs": ["locale"],
        },
        below(f"{ROOT}en/"),
    ),
    "no languages": Row(
        {
            "site_url": ROOT,
            "sitemap_url_scheme": "{lang}{link}",
            "sitemap_locales": [None],
            "locale_dirs": ["locale"],
        },
        below(f"{ROOT}en/"),
    ),
}
DIFFERENT = {
    # A site with one version has no such folders, and Sphinx's own links have none
    # either.
    "a scheme that nobody set": Row(
        {"html_baseurl": ROOT}, below(ROOT), theirs=below(f"{ROOT}en/1.0/")
    ),
    # It is the same address.
    "a base URL without a slash": Row(
        {"site_url": ROOT.rstrip("/"), "sitemap_url_scheme": "{link}"},
        below(ROOT),
        theirs=below("https://example.com"),
    ),
    # Pages are where Sphinx's own links lead.
    "html_link_suffix": Row(
        SITE | {"html_link_suffix": ""},
        below(ROOT, ["guide/one", "guide/two", "index"]),
        theirs=below(ROOT),
    ),
}
ROWS = SAME | DIFFERENT


@pytest.fixture(scope="module")
def sitemaps(tmp_path_factory):
    """Build every row with both, and return the two files by the row's name."""
    pytest.importorskip("sphinx_sitemap")
    site = write(tmp_path_factory.mktemp("rows"), FILES)
    builds, files = [], {}
    for number, (name, row) in enumerate(ROWS.items()):
        outputs = []
        for extension in ("sitemap_plugins.sphinx", "sphinx_sitemap"):
            settings = {"html_baseurl": "", **row.settings, "extensions": [extension]}
            conf, output = site / f"conf-{number}", site / f"out-{number}-{extension}"
            # Sphinx looks for `locale_dirs` beside the sources, sphinx-sitemap beside
            # conf.py.
            write(conf / extension, {CATALOG: FILES[CATALOG]}, **settings)
            arguments = ["-q", "-b", row.builder, "-c", str(conf / extension)]
            builds.append([*arguments, str(site), str(output)])
            outputs.append(output / row.settings.get("sitemap_filename", "sitemap.xml"))
        files[name] = outputs
    build_many(site, builds)
    return files


@FULL
@pytest.mark.parametrize("name", SAME)
def test_the_urls_are_those_of_sphinx_sitemap(sitemaps, name):
    ours, theirs = map(links, sitemaps[name])

    assert tuple(ours) == ROWS[name].urls
    assert sorted(loc for loc in theirs if not loc.endswith(OF_SPHINX)) == list(ours)


@FULL
@pytest.mark.parametrize("name", DIFFERENT)
def test_the_urls_are_not_those_of_sphinx_sitemap(sitemaps, name):
    ours, theirs = map(links, sitemaps[name])

    assert tuple(ours) == ROWS[name].urls
    assert sorted(loc for loc in theirs if not loc.endswith(OF_SPHINX)) == list(
        ROWS[name].theirs
    )


@FULL
@pytest.mark.parametrize("name", [name for name in SAME if "languages" in name])
def test_languages_are_those_of_sphinx_sitemap_plus_the_pages_own(sitemaps, name):
    """Every version names itself too (Google),
    and x-default where the source is known."""
    ours, theirs = map(links, sitemaps[name])

    # Unlike there, a document that is not translated has no links.
    untranslated = {f"{ROOT}en/guide/one.html", f"{ROOT}en/guide/two.html"}
    for loc, versions in ours.items():
        if "locale_dirs" in name and loc in untranslated:
            assert versions == {}
            continue
        own = {"en": loc, "x-default": loc} if "locale_dirs" in name else {"en": loc}
        assert versions == (theirs[loc] | own if theirs[loc] else {})


@FULL
@takes_flags
def test_show_lastmod_switches_dates_off(tmp_path):
    """`sitemap_show_lastmod` is false there where nobody sets it;
    here dates need no switch."""
    site = write(tmp_path, FILES | {".gitignore": "out*\nconf.py\n"})
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "all", GIT_COMMITTER_DATE=NEWS)
    found = {}
    for value, arguments in {"unset": [], "1": ["1"], "0": ["0"]}.items():
        built = build(site, *(f"-Dsitemap_show_lastmod={flag}" for flag in arguments))
        assert 0 == built.returncode, built.log
        found[value] = {entry.get("lastmod") for entry in built.entries.values()}

    assert {"unset": {NEWS}, "1": {NEWS}, "0": {None}} == found


def test_indent_puts_each_element_on_its_own_line(tmp_path):
    site = write(
        tmp_path, {"index.rst": title("Home")}, sitemap_indent=2, sitemap_lastmod=False
    )

    assert [
        "  <url>",
        "    <loc>https://example.com/docs/index.html</loc>",
        "  </url>",
        "</urlset>",
    ] == (build(site).output_dir / "sitemap.xml").read_text().splitlines()[4:]


@pytest.mark.parametrize(
    "extensions",
    [
        ["sphinx_sitemap", "sitemap_plugins.sphinx"],
        ["sitemap_plugins.sphinx", "sphinx_sitemap"],
    ],
)
def test_both_extensions_at_once_are_one_clear_error(tmp_path, extensions):
    pytest.importorskip("sphinx_sitemap")
    built = build(write(tmp_path, {"index.rst": title("Home")}, extensions=extensions))

    assert built.returncode != 0
    assert 1 == built.log.count(
        "replaces sphinx_sitemap: remove that from `extensions`"
    )
    assert not built.wrote("index.html")


LOADER = """
def setup(app):
    app.setup_extension("sphinx_sitemap")
    app.config.sitemap_excludes = ["guide/two.html"]
    return {"parallel_read_safe": True}
"""


@pytest.mark.parametrize(
    ("extensions", "lines"),
    [
        (["loader", "sitemap_plugins.sphinx"], 1),
        (["sitemap_plugins.sphinx", "loader"], 0),
    ],
    ids=["before", "after"],
)
def test_sphinx_sitemap_of_another_extension_is_replaced(tmp_path, extensions, lines):
    """As sphinx-scrapy loads it; after ours, nothing of it is loaded,
    so no line says so."""
    pytest.importorskip("sphinx_sitemap")
    write(tmp_path / "lib", {"loader.py": LOADER})
    site = write(tmp_path / "docs", FILES, extensions=extensions)
    built = build(site, "-W", "-j2")

    assert 0 == built.returncode, built.log
    assert lines == built.log.count(
        "sphinx_sitemap, which another extension loads, is replaced: it writes nothing"
        " (sitemap.replaced-extension)"
    )
    base = "https://example.com/docs/"
    assert [f"{base}guide/one.html", f"{base}index.html"] == built.locs
    assert "sitemap.xml was generated" not in built.log


FORK = """
def setup(app):
    app.add_config_value("sitemap_filename", "other.xml", "")
    app.add_config_value("site_url", "https://other.example/", "html")
"""


def test_other_extension_may_declare_the_same_options(tmp_path):
    """As sphinx_gp_sitemap and sphinx_gp_llms of tmux-python/tmuxp do."""
    write(tmp_path / "lib", {"fork.py": FORK})
    extensions = ["fork", "sitemap_plugins.sphinx"]
    built = build(write(tmp_path / "docs", FILES, extensions=extensions))

    assert 0 == built.returncode, built.log
    assert "https://example.com/docs/index.html" in built.locs


@pytest.mark.parametrize(
    "value",
    ["{lang}{version}", "{link}{version}", "{lang}page-{link}", "{language}/{link}", 7],
)
def test_invalid_scheme_is_refused(value):
    with pytest.raises(
        OptionsError,
        match=f"conf.py: sitemap_url_scheme = {re.escape(repr(value))} (is|has)",
    ):
        SphinxOptions.parse({"url_scheme": value}, where="conf.py", prefix="sitemap_")
