"""What only Sphinx has: its builders, its ways to build, its themes,
and what it says of a page."""

from __future__ import annotations

import importlib.util
import os
import time

import pytest

from tests import walk
from tests.full import FULL, full
from tests.hosts.sphinx_site import (
    BASE_URL,
    build,
    build_many,
    lists_all_pages_again,
    title,
    write,
)
from tests.sites import git

OLD, NEW = "2023-01-02T03:04:05+00:00", "2024-05-06T07:08:09+00:00"

FILES = {
    "index.rst": title("Home") + ".. toctree::\n   :glob:\n\n   *\n   deep/*\n",
    "a (b) é.rst": title("Odd"),
    "deep/100%.rst": title("Odder"),
    "orphan.rst": f":orphan:\n\n{title('Orphan')}",
    "noindex.rst": ".. meta::\n   :robots: noindex\n\n" + title("Not for crawlers"),
    "private.rst": f":sitemap: false\n\n{title('Private')}",
    "fields.rst": f":sitemap: lastmod: 2022-02-02, priority: 0.8\n\n{title('Fields')}",
    "404.rst": f":orphan:\n\n{title('Not found')}",
    "included.rst": title("Included") + ".. include:: _parts/text.txt\n",
    "api.rst": title("Modules") + ".. automodule:: pretty_module\n   :members:\n",
    "_parts/text.txt": "Some text.\n",
    "templates/landing.html": "{% extends 'layout.html' %}{% block body %}Landing{% endblock %}\n",
    "../lib/pretty_module.py": '"""A module."""\n\n\ndef work():\n    """Work."""\n',
}
SETTINGS = {
    "sitemap_lastmod": ["page", "git"],
    "templates_path": ["templates"],
    "html_additional_pages": {"landing": "landing.html"},
    "extensions": [
        "sphinx.ext.autodoc",
        "sphinx.ext.viewcode",
        "sitemap_plugins.sphinx",
    ],
}
LISTED = [
    "a%20%28b%29%20%C3%A9",
    "api",
    "deep/100%25",
    "fields",
    "included",
    "index",
    "landing",
    "orphan",
]
MODULES = ["_modules/index", "_modules/pretty_module"]


def urls(names, suffix=".html"):
    return sorted(f"{BASE_URL}{name}{suffix}" for name in names)


@pytest.fixture
def site(tmp_path):
    return write(tmp_path / "docs", FILES, **SETTINGS)


def sitemap(site, *arguments):
    """Build with further arguments, and return the bytes of the sitemap."""
    built = build(site, *arguments)
    assert 0 == built.returncode, built.log
    return (built.output_dir / "sitemap.xml").read_bytes()


# --- which pages
# ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "theme", ["basic", "alabaster", full("furo"), full("pydata_sphinx_theme")]
)
def test_urls_are_the_canonical_links_of_indexable_pages(site, theme):
    """Judged by another HTML parser, which walks the output folder."""
    if theme != "basic" and importlib.util.find_spec(theme) is None:
        pytest.skip(f"{theme} is not installed")
    built = build(site, "-W", "-D", f"html_theme={theme}")

    assert 0 == built.returncode, built.log
    assert urls(LISTED) == built.locs
    assert {} == walk.wrongly_listed(built.output_dir, BASE_URL)
    left = {
        path.with_suffix("").as_posix()
        for path in walk.unlisted(built.output_dir, BASE_URL)
    }
    left = {name for name in left if not name.startswith("_static/")} - {"search"}
    assert {"404", "genindex", "private", "py-modindex", *MODULES} == left


@lists_all_pages_again
def test_every_way_to_build_gives_the_same_bytes(site):
    full = sitemap(site)
    changed = site / "orphan.rst"
    changed.write_text(f"{changed.read_text('utf-8')}More.\n", "utf-8")

    assert sitemap(site) == full, "one page was changed"
    assert sitemap(site) == full, "nothing was changed"
    build_many(site, [["-q", ".", "out", "index.rst"]])
    assert (site / "out/sitemap.xml").read_bytes() == full, "one file was asked for"
    assert sitemap(site, "-E", "-a", "-j", "2") == full, "several processes wrote it"


@FULL
@lists_all_pages_again
def test_heads_of_unchanged_pages_are_kept_for_the_next_build(site):
    first = sitemap(site)
    page = site / "out/orphan.html"
    text = page.read_bytes()
    # Sphinx writes pages again that are older than their sources, or its themes.
    now = time.time()
    for file in site.rglob("*.*"):
        age = 10 if file.suffix == ".html" else 20
        os.utime(file, (now - age, now - age))
    assert sitemap(site) == first

    # No program changes a file so: it shows that the page is not read again.
    hidden = b'<meta name="robots" content="noindex">'
    start = text.index(b"<title>")
    page.write_bytes(text[:start] + hidden + text[start + len(hidden) :])
    os.utime(page, (now - 10, now - 10))
    assert sitemap(site) == first

    os.utime(page)
    without = sitemap(site)
    assert b"orphan" not in without
    (site / "out/.doctrees/sitemap_heads_html.json").unlink()
    assert sitemap(site) == without, "nothing is kept"


@FULL
def test_deleted_or_renamed_page_is_not_listed_though_its_file_remains(site):
    sitemap(site)
    (site / "orphan.rst").unlink()
    (site / "included.rst").rename(site / "renamed.rst")
    built = build(site)

    assert urls([*set(LISTED) - {"orphan", "included"}, "renamed"]) == built.locs
    assert built.wrote("orphan.html")


def test_page_on_which_the_plugin_fails_does_not_affect_others(site):
    conf = site / "conf.py"
    conf.write_text(
        f"{conf.read_text('utf-8')}\ndef break_two(app, _):\n"
        "    app.env.dependencies['orphan'].add(7)\n"
        "    app.config.html_additional_pages['landing'] = 7\n\n\n"
        "def setup(app):\n    app.connect('build-finished', break_two, priority=1)\n"
    )
    built = build(site)

    assert urls({*LISTED} - {"orphan", "landing"}) == built.locs
    assert 2 == built.log.count("the page is left out: TypeError: ")
    assert "orphan.rst: WARNING: the page is left out" in built.log
    assert "landing: the page is left out" in built.log


def test_a_build_that_fails_writes_no_sitemap(site):
    first = sitemap(site)
    conf = site / "conf.py"
    conf.write_text(
        f"{conf.read_text('utf-8')}\ndef fail(app, *_):\n    raise RuntimeError\n\n\n"
        "def setup(app):\n    app.connect('html-page-context', fail)\n"
    )
    (site / "new.rst").write_text(f":orphan:\n\n{title('New')}")

    assert build(site, "-E").returncode != 0
    assert (site / "out/sitemap.xml").read_bytes() == first


@lists_all_pages_again
def test_noindex_works_in_parallel_and_incremental_builds_and_in_myst(tmp_path):
    pytest.importorskip("myst_parser")
    front = "---\n{}\n---\n# Page\n"
    files = {f"page{number}.rst": f":orphan:\n\n{title('Page')}" for number in range(6)}
    files |= {
        "index.md": "# Home\n",
        "hidden.rst": FILES["noindex.rst"],
        "meta.md": front.format("myst:\n  html_meta:\n    robots: noindex"),
        "no.md": front.format("sitemap: false"),
        "fields.md": front.format("sitemap:\n  priority: 0.3\n  lastmod: 2022-02-02"),
    }
    extensions = ["myst_parser", "sitemap_plugins.sphinx"]
    site = write(tmp_path, files, extensions=extensions)
    built = build(site, "-v", "-j", "2")
    again = build(site, "-v")

    assert (
        built.locs
        == again.locs
        == urls(["fields", "index", *(f"page{n}" for n in range(6))])
    )
    assert {"lastmod": "2022-02-02", "priority": "0.3"} == built.entries[
        f"{BASE_URL}fields.html"
    ]
    for log in (built.log, again.log):
        assert "(2 noindex, 1 front-matter, 2 generated)" in log


@FULL
@lists_all_pages_again
def test_source_code_is_listed_on_request(site):
    settings = {**SETTINGS, "sitemap_modules": True, "sitemap_lastmod": ["mtime"]}
    write(site, {}, **settings)
    for number, file in enumerate(
        site.glob("*.rst")
    ):  # All at one time would be a copy's.
        os.utime(file, (1_600_000_000 + 1000 * number,) * 2)
    module = site.parent / "lib/pretty_module.py"
    os.utime(module, (1_700_000_000, 1_700_000_000))
    full = build(site)
    again = build(site)

    assert full.locs == again.locs == urls([*LISTED, *MODULES])
    page = f"{BASE_URL}_modules/pretty_module.html"
    assert {"lastmod": "2023-11-14T22:13:20+00:00"} == again.entries[page]


@lists_all_pages_again
def test_pages_of_other_extensions_are_listed(tmp_path):
    extension = (
        "def pages(app):\n    yield 'archive', {}, 'page.html'\n\n\n"
        "def setup(app):\n    app.connect('html-collect-pages', pages)\n"
    )
    files = {"index.rst": title("Home"), "../lib/blog.py": extension}
    site = write(
        tmp_path / "docs", files, extensions=["sitemap_plugins.sphinx", "blog"]
    )

    assert urls(["archive", "index"]) == build(site).locs
    assert urls(["archive", "index"]) == build(site).locs


def test_a_page_that_redirects_in_its_body_is_left_out(tmp_path):
    raw = (
        '.. raw:: html\n\n   <meta http-equiv="refresh" content="0; url=index.html">\n'
    )
    files = {"index.rst": title("Home"), "old.rst": f":orphan:\n\n{title('Old')}{raw}"}
    built = build(write(tmp_path, files), "-v")

    assert urls(["index"]) == built.locs
    assert "old.rst: left out (redirect" in built.log


# --- builders
# ------------------------------------------------------------------------------------


NO_SITE = (
    "applehelp",
    "devhelp",
    "epub",
    "gettext",
    "htmlhelp",
    "json",
    "latex",
    "linkcheck",
    "man",
    "pickle",
    "qthelp",
    "text",
)


@FULL
def test_only_the_builders_of_sites_write_a_sitemap(tmp_path):
    files = {
        "index.rst": title("Home") + ".. toctree::\n\n   page\n",
        "page.rst": title("Page"),
    }
    site = write(
        tmp_path,
        files,
        applehelp_bundle_id="site",
        applehelp_disable_external_tools=True,
    )
    names = (*NO_SITE, "html", "dirhtml", "singlehtml")
    log = build_many(site, [["-q", "-b", name, ".", f"out/{name}"] for name in names])
    found = {
        file.parent.name: walk.locs(file.parent)
        for file in site.glob("out/*/sitemap.xml")
    }

    assert {
        "html": urls(["index", "page"]),
        "dirhtml": [BASE_URL, f"{BASE_URL}page/"],
        "singlehtml": [BASE_URL],
    } == found
    # That page is canonical at `#document-index`, which is the folder.
    assert "canonical" not in log


def test_html_builder_of_another_extension_writes_a_sitemap(tmp_path):
    extension = (
        "from sphinx.builders.html import StandaloneHTMLBuilder\n\n\n"
        "class Pretty(StandaloneHTMLBuilder):\n    name = 'pretty'\n\n\n"
        "def setup(app):\n    app.add_builder(Pretty)\n"
    )
    files = {"index.rst": title("Home"), "../lib/pretty.py": extension}
    site = write(
        tmp_path / "docs", files, extensions=["sitemap_plugins.sphinx", "pretty"]
    )

    assert urls(["index"]) == build(site, builder="pretty").locs


# --- URLs
# --------------------------------------------------------------------------------------


def test_urls_follow_the_builder_and_its_suffixes(tmp_path):
    files = {"index.rst": title("Home"), "a é.rst": f":orphan:\n\n{title('Page')}"}
    site = write(tmp_path, files)
    no_slash = f"html_baseurl={BASE_URL.rstrip('/')}"
    expected = {
        ("html", "html_file_suffix=.htm"): ["a%20%C3%A9.htm", "index.htm"],
        ("html", "html_link_suffix="): ["a%20%C3%A9", "index"],
        ("html", "html_link_suffix=.xyz"): ["a%20%C3%A9.xyz", "index.xyz"],
        ("html", no_slash): ["a%20%C3%A9.html", "index.html"],
        ("dirhtml", no_slash): ["", "a%20%C3%A9/"],
    }
    outputs = {way: site / f"out{number}" for number, way in enumerate(expected)}
    build_many(
        site,
        [
            [
                "-q",
                "-W",
                "-b",
                builder,
                "-D",
                setting,
                ".",
                str(outputs[builder, setting]),
            ]
            for builder, setting in expected
        ],
    )

    assert {way: walk.locs(output) for way, output in outputs.items()} == {
        way: [BASE_URL + path for path in paths] for way, paths in expected.items()
    }


# --- dates
# --------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path):
    """Two commits: the documents, then what they are made of."""
    site = write(tmp_path / "docs", FILES, **SETTINGS)
    parts = [
        "docs/_parts/text.txt",
        "docs/templates/landing.html",
        "lib/pretty_module.py",
    ]
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "docs/*.rst")
    git(tmp_path, "commit", "-qm", "documents", GIT_COMMITTER_DATE=OLD)
    git(tmp_path, "add", *parts)
    git(tmp_path, "commit", "-qm", "parts", GIT_COMMITTER_DATE=NEW)
    return site


def test_page_has_the_date_of_its_newest_source(repository):
    entries = build(repository).entries
    expected = {
        "api": NEW,
        "fields": "2022-02-02",
        "included": NEW,
        "index": OLD,
        "landing": NEW,
        "orphan": OLD,
    }

    for name, date in expected.items():
        assert entries[f"{BASE_URL}{name}.html"]["lastmod"] == date, name


WRITING_EXTENSION = """
from pathlib import Path

def write(app):
    if not (made := Path(app.srcdir, "made.rst")).exists():
        made.write_text("Made\\n====\\n\\n.. literalinclude:: shown.txt\\n")

def setup(app):
    app.connect("builder-inited", write)
"""


@pytest.mark.parametrize("ignored", ["made.rst", full("")])
def test_document_that_a_build_wrote_has_no_date(tmp_path, ignored):
    """As autosummary's, which later builds keep; what it includes does not date it."""
    extensions = ["writing", "sitemap_plugins.sphinx"]
    files = {
        "index.rst": title("Home"),
        "shown.txt": "text",
        "../lib/writing.py": WRITING_EXTENSION,
        "../.gitignore": ignored,
    }
    site = write(tmp_path / "docs", files, extensions=extensions)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "docs/index.rst", "docs/shown.txt")
    git(tmp_path, "commit", "-qm", "1", GIT_COMMITTER_DATE=OLD)

    for _ in range(2):
        built = build(site)
        assert {
            f"{BASE_URL}index.html": {"lastmod": OLD},
            f"{BASE_URL}made.html": {},
        } == built.entries
        assert (
            "no source that git can date (made.rst): commit the sources, or name"
            in built.log
        )


def test_copied_files_have_the_dates_of_their_sources(tmp_path):
    picture = "iVBORw0KGgo="
    text = f"{title('Home')}:download:`x <files/sheet.csv>`\n\n.. image:: files/picture.png\n"
    sources = {
        "files/sheet.csv": "1",
        "files/picture.png": picture,
        "static/style/a.json": "{}",
        "later/style/a.json": "{}",
        "one/b.json": "{}",
        "extra/c/d.json": "{}",
    }
    settings = {
        "html_static_path": ["static", "later", "one/b.json"],
        "html_extra_path": ["extra"],
        "sitemap_files": ["*.csv", "*.png", "*.json", "!_static/*.png"],
    }
    site = write(tmp_path, {"index.rst": text, **sources}, **settings)
    commits = [["index.rst"], *([name] for name in sources)]
    git(site, "init", "-q", "-b", "main")
    for day, names in enumerate(commits, 1):
        git(site, "add", *names)
        git(
            site,
            "commit",
            "-qm",
            "x",
            GIT_COMMITTER_DATE=f"2024-05-0{day}T10:00:00+00:00",
        )
    built = build(site)
    days = {
        loc.removeprefix(BASE_URL).rpartition("/")[2]: fields.get("lastmod", "")[8:10]
        for loc, fields in built.entries.items()
    }

    assert {
        "index.html": "03",  # It includes the picture and the sheet.
        "sheet.csv": "02",
        "picture.png": "03",
        "a.json": "05",  # The later folder's replaces the other.
        "b.json": "06",
        "d.json": "07",
    } == days


@FULL
def test_sphinx_last_updated_by_git_makes_no_difference(repository):
    pytest.importorskip("sphinx_last_updated_by_git")
    alone = sitemap(repository)
    others = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_last_updated_by_git"]
    write(
        repository, {}, **SETTINGS | {"extensions": [*others, "sitemap_plugins.sphinx"]}
    )

    assert sitemap(repository, "-E") == alone


# --- set-up
# --------------------------------------------------------------------------------------


@FULL
def test_no_deprecated_part_of_sphinx_is_used(site):
    built = build(site, "-j", "2", PYTHONWARNINGS="always")

    assert 0 == built.returncode, built.log
    # A warning names the file of the code that uses what is deprecated.
    assert "sitemap_plugins" not in built.log


def test_a_warning_can_be_suppressed_by_its_code(tmp_path):
    site = write(tmp_path, {"index.rst": title("Home")}, html_baseurl="example.com")
    loud = build(site, "-W")
    silent = build(site, "-W", "-E", "-D", "suppress_warnings=sitemap.bad-option")

    assert loud.returncode != 0
    assert (
        "because html_baseurl = 'example.com' is not an absolute http or https URL"
        in loud.log
    )
    assert 0 == silent.returncode, silent.log


def test_an_info_line_names_its_code_and_can_be_suppressed_by_it(tmp_path):
    page = f":sitemap: false\n\n{title('Home')}"
    site = write(
        tmp_path, {"index.rst": page, "one.rst": f":orphan:\n\n{title('One')}"}
    )
    loud = build(site)
    silent = build(site, "-E", "-D", "suppress_warnings=sitemap.home-left-out")

    assert "(sitemap.home-left-out)" in loud.log
    assert "the home page" not in silent.log


def test_a_warning_about_a_document_names_its_file(tmp_path):
    page = f":sitemap: priority: 7\n\n{title('Home')}"
    built = build(write(tmp_path, {"index.rst": page}))

    assert "index.rst: WARNING: sitemap.priority: '7' is not a number" in built.log


def test_a_preview_on_read_the_docs_has_no_sitemap(tmp_path):
    site = write(tmp_path, {"index.rst": title("Home")})
    built = build(site, "-W", READTHEDOCS="True", READTHEDOCS_VERSION_TYPE="external")

    assert 0 == built.returncode, built.log
    assert not built.wrote("sitemap.xml")


def test_an_address_of_another_type_is_a_warning(tmp_path):
    write(tmp_path, {"index.rst": title("Home")}, html_baseurl="", site_url=5)
    built = build(tmp_path)

    assert (
        "no sitemap is written, because site_url = '5' is not an absolute http or https URL"
        in built.log
    )
    assert 0 == built.returncode
    assert not built.wrote("sitemap.xml")
