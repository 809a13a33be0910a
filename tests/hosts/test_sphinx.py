"""What only Sphinx has: its builders, its ways to build, its themes, and what it says of a page."""

from __future__ import annotations

import importlib.util
import os
import shutil

import pytest

from tests import walk
from tests.hosts.sphinx_site import BASE_URL, build, build_many, title, write
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
    "templates_path": ["templates"],
    "html_additional_pages": {"landing": "landing.html"},
    "extensions": ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "sitemap_plugins.sphinx"],
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


@pytest.fixture
def sitemap(site):
    """Build with arguments, and return the bytes of the sitemap."""

    def built(*arguments):
        found = build(site, *arguments)
        assert found.returncode == 0, found.log
        return (found.output_dir / "sitemap.xml").read_bytes()

    return built


# --- which pages ---------------------------------------------------------------------------------


THEMES = ("basic", "alabaster", "furo", "pydata_sphinx_theme")


@pytest.mark.parametrize("theme", THEMES)
def test_the_urls_are_the_canonical_links_of_the_pages_that_crawlers_may_index(site, theme):
    """Judged by another HTML parser, which walks the output folder."""
    if theme != "basic" and importlib.util.find_spec(theme) is None:
        pytest.skip(f"{theme} is not installed")
    built = build(site, "-D", f"html_theme={theme}", "-W")

    assert built.returncode == 0, built.log
    assert walk.wrongly_listed(built.output_dir, BASE_URL) == {}
    assert built.locs == urls(LISTED)
    left = {path.with_suffix("").as_posix() for path in walk.unlisted(built.output_dir, BASE_URL)}
    assert left - {"search"} == {"404", "genindex", "py-modindex", "private", *MODULES}


def test_every_way_to_build_gives_the_same_bytes(site, sitemap):
    full = sitemap()
    assert sitemap() == full, "nothing has changed"
    os.utime(site / "orphan.rst", (2_000_000_000, 2_000_000_000))
    assert sitemap("-j", "2", "-D", "sitemap_lastmod=git") != full
    dateless = sitemap("-E", "-D", "sitemap_lastmod=git")
    os.utime(site / "fields.rst", (2_000_000_000, 2_000_000_000))
    assert sitemap("-D", "sitemap_lastmod=git") == dateless, "one page has changed"
    assert sitemap("-a", "-E", "-j", "2", "-D", "sitemap_lastmod=git") == dateless, "parallel"
    shutil.rmtree(site / "out/.doctrees")
    assert sitemap("-D", "sitemap_lastmod=git", "index.rst") == dateless, "one file is built"
