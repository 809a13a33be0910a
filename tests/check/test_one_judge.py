"""What a plugin wrote passes `check`:
a page is judged once, by the program that knows it."""

from __future__ import annotations

import json

import pytest

from tests.cli.command import run
from tests.folder.html_folder import BASE, commit, html, write
from tests.full import FULL
from tests.hosts import mkdocs_project, sphinx_site
from tests.hosts.pelican_blog import QUIET
from tests.sites import Pelican, git

pytestmark = FULL

PELICAN = {
    "SITEURL": BASE.rstrip("/"),
    "SITENAME": "Site",
    "TIMEZONE": "Europe/Warsaw",
    "PLUGINS": ["sitemap_plugins.pelican"],
    "DEFAULT_LANG": "en",
    **QUIET,
}
ROBOTS_TXT = f"Sitemap: {BASE}docs/sitemap.xml\n"
TITLE = "Title\n=====\n\nText.\n"


def pelican_site(folder, contents, **settings):
    """Build the contents of a blog, each file committed on another day of 2024."""
    files = {f"content/{name}": text for name, text in contents.items()}
    lines = [f"{name} = {value!r}" for name, value in {**PELICAN, **settings}.items()]
    write(folder, {**files, "pelicanconf.py": "\n".join(lines) + "\n"})
    commit(folder, *files)
    built = Pelican().run(folder)
    assert 0 == built.returncode, built.log
    return built


def sphinx_built(folder, files, *arguments, builder="html", **settings):
    """Build a project in a folder of its host,
    as if another site's robots.txt named it."""
    sphinx_site.write(folder, files, **settings)
    commit(folder, *files)
    built = sphinx_site.build(folder, *arguments, builder=builder)
    assert 0 == built.returncode, built.log
    return built


def found(folder):
    """Check the folder `out`; return the codes of all that was found."""
    done = run(folder, "check", "out", "--format", "json")
    return {each["code"] for each in json.loads(done.out)["findings"]}


def passes(folder, *arguments):
    """Check the folder `out`; return what was found,
    which is nothing or of level info."""
    done = run(folder, "check", "out", "--format", "json", *arguments)
    found = json.loads(done.out)["findings"]
    assert (0, []) == (
        done.returncode,
        [each for each in found if each["severity"] != "info"],
    )
    return {each["code"] for each in found}


ARTICLES = {
    "one.md": "Title: One\nDate: 2020-05-01\nModified: 2021-01-02\n\nText.\n",
    "two.md": "---\nTitle: Two\nDate: 2020-05-01\nModified: 2030-01-02 10:00\n---\n\nText.\n",
    "three.rst": (
        "Three\n#####\n\n:date: 2020-05-01\n:modified: 2021-01-02\n:status: published\n\nText.\n"
    ),
    "four.html": (
        "<html><head><title>Four</title><meta name='date' content='2020-05-01'>"
        "<meta name='modified' content='2021-01-02 10:00'></head><body>Text.</body></html>"
    ),
}


def test_the_dates_that_pelicans_authors_write_are_not_doubted(tmp_path):
    built = pelican_site(
        tmp_path, {**ARTICLES, "two.md": ARTICLES["two.md"].replace("30", "22")}
    )

    assert "2021-01-02T09:00:00+00:00" == built.entries[f"{BASE}four.html"]["lastmod"]
    assert passes(tmp_path) == set()


def test_hidden_pages_and_drafts_of_pelican_are_not_missed(tmp_path):
    head = "<title>A</title><meta name='date' content='2020-05-01'>"
    contents = {
        "one.md": ARTICLES["one.md"],
        "hidden.html": f"<html><head>{head}<meta name='status' content='hidden'></head></html>",
        "pages/x.md": "Title: X\nStatus: hidden\nSave_as: other/place.html\nURL: other/\n",
        "draft.md": "Title: Draft\nDate: 2020-05-01\nStatus: draft\n",
    }
    built = pelican_site(tmp_path, contents)

    assert built.wrote("hidden.html") or built.wrote("a.html")
    assert built.wrote("other/place.html")
    assert built.wrote("drafts/draft.html")
    assert passes(tmp_path) <= {"not-listed"}


@pytest.mark.parametrize("policy", ["hide", "remove", "keep"])
def test_what_i18n_subsites_hides_is_not_missed(tmp_path, policy):
    pytest.importorskip("pelican.plugins.i18n_subsites")
    contents = {
        f"{name}.md": f"Title: {name}\nDate: 2020-05-01\nLang: {name[-2:]}\nSlug: {slug}\n\nText.\n"
        for name, slug in (("a-en", "a"), ("a-de", "a"), ("b-en", "b"), ("c-de", "c"))
    }
    pelican_site(
        tmp_path,
        contents,
        PLUGINS=["pelican.plugins.i18n_subsites", "sitemap_plugins.pelican"],
        I18N_SUBSITES={"de": {}},
        I18N_UNTRANSLATED_ARTICLES=policy,
    )

    assert passes(tmp_path) <= {"not-listed"}


def test_html_that_pelican_copied_is_not_missed(tmp_path):
    contents = {
        "one.md": ARTICLES["one.md"],
        "extra/widget.html": html(),
        "extra/a/b.html": html(),
    }
    built = pelican_site(
        tmp_path,
        contents,
        STATIC_PATHS=["extra"],
        ARTICLE_EXCLUDES=["extra"],
        READERS={"html": None},
    )

    assert built.wrote("extra/a/b.html")
    assert passes(tmp_path) <= {"not-listed"}


@pytest.mark.parametrize("slash", ["", "/"])
def test_an_archive_may_be_canonical_without_its_slash(tmp_path, slash):
    """`MONTH_ARCHIVE_URL` as many blogs write it."""
    templates = {
        "theme/templates/period_archives.html": (
            "<!doctype html><title>x</title><link rel=canonical href='{{ SITEURL }}/2015/12'>"
        ),
    }
    write(tmp_path, templates)
    contents = {"one.md": "Title: One\nDate: 2015-12-01\n\nText.\n"}
    built = pelican_site(
        tmp_path,
        contents,
        THEME_TEMPLATES_OVERRIDES=["theme/templates"],
        MONTH_ARCHIVE_SAVE_AS="{date:%Y}/{date:%m}/index.html",
        MONTH_ARCHIVE_URL=f"{{date:%Y}}/{{date:%m}}{slash}",
    )

    assert built.wrote("2015/12/index.html")
    assert passes(tmp_path) <= {"not-listed", "host-redirects"}


def test_error_pages_of_languages_are_not_missed(tmp_path):
    files = {
        "docs/de/index.md": "# D\n",
        "docs/de/404.html": html(),
        "docs/robots.txt": "",
    }
    mkdocs_project.write(tmp_path, files)
    mkdocs_project.commit(tmp_path)
    built = mkdocs_project.build(tmp_path)

    assert built.wrote("de/404.html")
    assert passes(tmp_path) <= {"not-listed"}


@pytest.mark.parametrize(
    ("builder", "settings", "page"),
    [
        ("dirhtml", {}, "404/index.html"),
        (
            "html",
            {"extensions": ["notfound.extension", "sitemap_plugins.sphinx"]},
            "404.html",
        ),
        (
            "dirhtml",
            {
                "extensions": ["notfound.extension", "sitemap_plugins.sphinx"],
                "notfound_pagename": "lost",
            },
            "lost/index.html",
        ),
    ],
)
def test_error_pages_of_sphinx_are_not_missed(tmp_path, builder, settings, page):
    files = {"index.rst": TITLE, "404.rst": f":orphan:\n\n{TITLE}"}
    if settings:
        pytest.importorskip("notfound")
        del files["404.rst"]
    built = sphinx_built(tmp_path, files, builder=builder, **settings)

    assert built.wrote(page)
    assert passes(tmp_path) <= {"not-listed", "robots-not-at-root"}


def test_drafts_of_ablog_are_not_missed(tmp_path):
    pytest.importorskip("ablog")
    post = ".. post:: {}\n   :title: Post\n\nPost\n====\n\nText.\n"
    files = {
        "index.rst": TITLE,
        "blog/done.rst": post.format("Jan 02, 2024"),
        "blog/draft.rst": post.format(""),
        "blog/later.rst": post.format("Jan 02, 2099"),
    }
    settings = {"extensions": ["ablog", "sitemap_plugins.sphinx"], "blog_path": "blog"}
    built = sphinx_built(tmp_path, files, **settings)

    assert built.wrote("blog/draft.html")
    assert passes(tmp_path) <= {"not-listed", "robots-not-at-root"}


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_indexes_of_languages_in_folders_are_not_missed(tmp_path, builder):
    """Each language is built into a folder of its own;
    the folder above has the index."""
    files = {"index.rst": f"{TITLE}\n.. index:: word\n"}
    sphinx_site.write(tmp_path, files)
    commit(tmp_path, *files)
    for language in ("en", "de"):
        target = f"{BASE}{language}/"
        run = [
            "-b",
            builder,
            "-D",
            f"html_baseurl={target}",
            "-D",
            f"language={language}",
        ]
        done = sphinx_site.build_many(tmp_path, [[*run, ".", f"out/{language}"]])
        assert "Error" not in done
    write(
        tmp_path,
        {"out/index.html": html("<meta http-equiv=refresh content='0; url=en/'>")},
    )
    done = run_merge(tmp_path)

    assert 0 == done.returncode, done.err
    assert passes(tmp_path) <= {"not-listed", "wrong-base-url"}


def run_merge(folder):
    return run(
        folder, "merge", "out/sitemap.xml", "out/en", "out/de", "--base-url", BASE
    )


def test_the_address_of_a_language_is_that_of_its_sitemap(tmp_path):
    """As in the manual: `-D html_baseurl` replaces what conf.py says."""
    files = {"index.rst": TITLE, "guide.rst": f":orphan:\n\n{TITLE}"}
    sphinx_built(tmp_path, files, "-D", f"html_baseurl={BASE}docs/de/")

    assert {"robots-not-at-root"} == passes(tmp_path)


def test_what_settings_in_python_exclude_is_not_missed(tmp_path):
    """The record says so, as nobody reads conf.py."""
    files = {"index.rst": TITLE, "guide.rst": f":orphan:\n\n{TITLE}"}
    sphinx_built(tmp_path, files, html_baseurl=BASE, sitemap_excludes=["guide.html"])

    assert "not-listed" not in passes(tmp_path)
    (tmp_path / "out/sitemap.xml").write_bytes(
        (tmp_path / "out/sitemap.xml").read_bytes() + b"\n"
    )
    assert "not-listed" in found(tmp_path)


def test_the_address_of_a_version_is_that_of_sphinx_sitemaps_scheme(tmp_path):
    files = {"index.rst": TITLE, "guide.rst": f":orphan:\n\n{TITLE}"}
    scheme = {"sitemap_url_scheme": "{lang}{version}{link}", "language": "en"}
    write(tmp_path, {"_templates/page.html": html()})  # Without canonical links.
    sphinx_built(tmp_path, files, templates_path=["_templates"], **scheme)

    assert {"wrong-base-url", "robots-not-at-root"} == passes(tmp_path)


HOSTED = "https://p.readthedocs.io/en/latest/"


@pytest.mark.parametrize("baseurl", ["", "/", "https://p.readthedocs.io/"])
def test_read_the_docs_says_the_address_to_the_plugin_and_to_the_check(
    tmp_path, baseurl
):
    """No robots.txt is written there, and none is missed."""
    environ = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": HOSTED}
    files = {"index.rst": TITLE, "_templates/page.html": html()}
    sphinx_site.write(
        tmp_path, files, html_baseurl=baseurl, templates_path=["_templates"]
    )
    commit(tmp_path, *files)
    built = sphinx_site.build(tmp_path, **environ)

    assert [f"{HOSTED}index.html"] == built.locs
    assert (0, "1 URL in 1 file: nothing found\n", "") == run(
        tmp_path, "check", "out", **environ
    )


def test_a_page_that_is_new_since_the_sitemap_is_named_without_failing(tmp_path):
    """Whether it is meant to be listed is known to the plugin:
    to build again is the check."""
    mkdocs_project.write(tmp_path, {"docs/a.md": "# A\n"})
    mkdocs_project.commit(tmp_path)
    mkdocs_project.build(tmp_path)
    write(
        tmp_path,
        {"out/b/index.html": html(), "docs/b.md": "# B\n", "docs/a.md": "# B\n"},
    )
    git(tmp_path, "add", "-A")
    git(
        tmp_path,
        "commit",
        "-qm",
        "later",
        GIT_COMMITTER_DATE="2025-05-01T10:00:00+00:00",
    )

    assert {"not-listed"} == passes(tmp_path)
