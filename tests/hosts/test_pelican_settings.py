"""Settings that real sites publish with:
each is understood, or refused in one line with the cure.

Cases name the public repository that they are from, or the number of those that have
them among 86.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.pelican.options import read_options
from tests.hosts.pelican_blog import BASE, Blog, lastmods, paths
from tests.sites import Pelican, git

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def blog(tmp_path):
    return Blog(tmp_path)


# --- SITEMAP
# --------------------------------------------------------------------------------------

README = {
    "format": "xml",
    "priorities": {"articles": 0.5, "indexes": 0.5, "pages": 0.5},
    "changefreqs": {"articles": "monthly", "indexes": "daily", "pages": "monthly"},
}
SITEMAPS = {
    "README of pelican-sitemap (13 of 51)": (README, []),
    "whole numbers": (
        {**README, "priorities": {"articles": 1, "pages": 0.1, "indexes": 1.0}},
        [],
    ),
    "format alone": ({"format": "xml"}, []),
    "txt (2)": ({"format": "txt"}, []),
    "empty": ({}, []),
    "MarketingProInsider/marketingproinsider": (
        {**README, "siteurl": "https://marketingproinsider.com"},
        ["siteurl is not an option: did you mean 'base_url'?"],
    ),
    "evgenyorlov/blog-source": (
        {
            "format": "xml",
            "priorities": {"{category}": 0.5, "articles": 0.7},
            "changefreqs": {"{category}": "always"},
        },
        [
            (
                "priorities: '{category}' is not a kind of page: the kinds are articles, pages,"
                " indexes"
            ),
            (
                "changefreqs: '{category}' is not a kind of page: the kinds are articles, pages,"
                " indexes"
            ),
        ],
    ),
    "kaleidos-ventures/taiga-blog": (
        {"format": "xml", "priorities": {"home": 1.0, "article": 0.8, "authors": 0.6}},
        [
            "priorities: 'home' is not a kind of page: the kinds are articles, pages, indexes",
            "priorities: 'article' is not a kind of page: the kinds are articles, pages, indexes",
            "priorities: 'authors' is not a kind of page: the kinds are articles, pages, indexes",
        ],
    ),
    "timwienk/website": (
        {**README, "extra_files": ["media/cv/cv.pdf"]},
        ["extra_files is not an option: did you mean 'files'?"],
    ),
    "a slip": (
        {"excludes": ["tag/"]},
        ["excludes is not an option: did you mean 'exclude'?"],
    ),
}


@pytest.mark.parametrize("case", SITEMAPS)
def test_meaningless_keys_are_warnings_and_the_others_apply(case):
    values, expected = SITEMAPS[case]
    options, notices = read_options(values)

    assert expected == [notice.text for notice in notices]
    assert {notice.code for notice in notices} <= {"bad-option"}
    assert options.format == values.get("format", "xml")
    assert options.priorities.keys() == {*values.get("priorities", ())} & {
        "articles",
        "pages",
        "indexes",
    }


def test_wrong_priority_is_reported_with_its_kind():
    with pytest.raises(
        OptionsError, match="priorities = 'articles': 3 is not a number"
    ):
        read_options({"priorities": {"articles": 3}})


def test_an_unknown_key_is_a_warning_and_the_sitemap_is_written(blog, caplog):
    blog.write("one")
    built = blog.build(
        SITEMAP={"siteurl": BASE, "priorities": {"home": 1.0, "articles": 0.8}}
    )

    assert "0.8" == built.entries[f"{BASE}one.html"]["priority"]
    assert (
        "SITEMAP in the settings: siteurl is not an option: did you mean 'base_url'?"
        in caplog.text
    )
    assert ["WARNING"] == [
        record.levelname
        for record in caplog.records
        if "siteurl" in record.getMessage()
    ]


# --- SITEURL
# --------------------------------------------------------------------------------------

ADDRESSES = {
    "https://host (45)": ("https://example.com", BASE),
    "a last slash (3)": ("https://example.com/", BASE),
    "a path (4)": ("https://example.com/blog", f"{BASE}blog/"),
    "http://localhost:8000 (7)": ("http://localhost:8000", "http://localhost:8000/"),
    "linickx/dotcom": ("http://linickx.local:8080", "http://linickx.local:8080/"),
}
NO_ADDRESSES = {
    "empty (9)": ("", "SITEURL is not set, so no sitemap is written"),
    "Python Sul 2022": ("/", "SITEURL is not set, so no sitemap is written"),
    "relative": (".", "SITEURL = '.' names no host, so no sitemap is written"),
    "a path alone": (
        "/blog",
        "SITEURL = '/blog' names no host, so no sitemap is written",
    ),
}
WRONG_ADDRESSES = {
    "3d-expo-uk/website": (
        "3d-expo.co.uk",
        "SITEURL = '3d-expo.co.uk' is not an absolute http",
    ),
    "denadai2/marcodena.it": (
        "//www.marcodena.it",
        "SITEURL = '//www.marcodena.it' is not an",
    ),
}


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("case", ADDRESSES)
def test_siteurl_begins_every_url(blog, case, relative):
    """With RELATIVE_URLS too, which changes only the links inside pages."""
    address, base = ADDRESSES[case]
    blog.write("one")
    built = blog.build(
        SITEURL=address, RELATIVE_URLS=relative, DIRECT_TEMPLATES=["index"]
    )

    assert built.locs == [base, f"{base}category/misc.html", f"{base}one.html"]


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("case", NO_ADDRESSES)
def test_missing_siteurl_is_one_line_but_not_a_warning(
    blog, case, relative, caplog, capsys
):
    address, message = NO_ADDRESSES[case]
    blog.write("one")
    built = blog.build(SITEURL=address, RELATIVE_URLS=relative)

    assert not built.wrote("sitemap.xml")
    assert 1 == capsys.readouterr().out.count(
        f"{message}: set it to the site's address"
    )
    assert not [
        record for record in caplog.records if record.name.startswith("sitemap")
    ]


@pytest.mark.parametrize("case", WRONG_ADDRESSES)
def test_wrong_siteurl_is_one_warning(blog, case, caplog):
    address, message = WRONG_ADDRESSES[case]
    blog.write("one")
    built = blog.build(SITEURL=address)

    assert not built.wrote("sitemap.xml")
    assert 1 == caplog.text.count(message)
    assert "write it as https://" in caplog.text


def test_base_url_replaces_an_intentionally_empty_siteurl(blog):
    """vidister/gimp-web."""
    blog.write("one")

    assert f"{BASE}one.html" in blog.build(SITEURL="", SITEMAP={"base_url": BASE}).locs


# --- URLs and files
# -------------------------------------------------------------------------------

PAIRS = {
    "articles by category (7)": (
        "{category}/{slug}.html",
        "{category}/{slug}.html",
        "misc/one.html",
    ),
    "by date (5)": (
        "{date:%Y}/{date:%m}/{date:%d}/{slug}/",
        "{date:%Y}/{date:%m}/{date:%d}/{slug}/index.html",
        "2024/05/01/one/",
    ),
    "a folder (17)": ("{slug}/", "{slug}/index.html", "one/"),
    "without a suffix (19)": ("{slug}", "{slug}.html", "one"),
    "without a suffix, a folder": ("{slug}", "{slug}/index.html", "one/"),
    "0x1van/idle.cafe": ("{slug}.html", "{slug}.html", "one.html"),
    "duarteocarmo/duarteocarmo.com, herasimau, geokarak": (
        "{slug}/",
        "{slug}.html",
        "one/",
    ),
    "a slash first (153957/153957)": ("/{slug}.html", "{slug}.html", "one.html"),
    "linickx/dotcom: its server rewrites": (
        "{slug}",
        "content/{slug}.html",
        "content/one.html",
    ),
    "a query (egberts)": (
        "blog/{slug}.html?and&in",
        "blog/{slug}.html",
        "blog/one.html",
    ),
}


@pytest.mark.parametrize("case", PAIRS)
def test_pairs_of_url_and_file(blog, case):
    url, save_as, path = PAIRS[case]
    blog.write("one", Category="misc")
    built = blog.build(
        ARTICLE_URL=url,
        ARTICLE_SAVE_AS=save_as,
        DIRECT_TEMPLATES=[],
        CATEGORY_SAVE_AS="",
    )

    assert paths(built) == [path]


@pytest.mark.parametrize("off", ["", False])
def test_disabled_lists_are_not_listed(blog, off):
    """`''` 27, `False` 7."""
    blog.write("one", Tags="t", Author="A")
    kinds = ("TAG", "AUTHOR", "CATEGORY")
    built = blog.build(
        DIRECT_TEMPLATES=[], **{f"{kind}_SAVE_AS": off for kind in kinds}
    )

    assert ["one.html"] == paths(built)


def canonical_theme(folder: Path, canonical: str) -> str:
    """Write a theme whose articles and pages have canonical links."""
    templates = folder / "theme/templates"
    templates.mkdir(parents=True)
    (folder / "theme/static").mkdir()
    head = f"<!doctype html><html><head><link rel='canonical' href='{canonical}'></head>x</html>"
    (templates / "page.html").write_text(head)
    (templates / "article.html").write_text(head.replace("page.", "article."))
    for name in ("index", "category", "author", "tag"):
        (templates / f"{name}.html").write_text("<!doctype html><html>x</html>")
    return str(folder / "theme")


THEMES = {
    # Pelican's own themes, and 19 of 23 sites with canonical links.
    "the page's URL": ("{{ SITEURL }}/{{ page.url }}", {}, ["one.html", "two.html"]),
    "0x1van/idle.cafe templates/head.html": (
        "{{ SITEURL }}/{{ page.slug }}",
        {},
        ["one", "two"],
    ),
    "duarteocarmo theme/templates/header.html": (
        "{{ SITEURL }}/{{ page.url }}",
        {"ARTICLE_URL": "{slug}/", "ARTICLE_SAVE_AS": "{slug}.html"},
        ["one/", "two/"],
    ),
}


@pytest.mark.parametrize("case", THEMES)
def test_canonical_links_of_real_themes_leave_out_no_page(blog, case, caplog):
    canonical, settings, expected = THEMES[case]
    blog.write("one")
    blog.write("two")
    theme = canonical_theme(blog.folder, canonical)
    built = blog.build(
        THEME=theme, DIRECT_TEMPLATES=[], CATEGORY_SAVE_AS="", **settings
    )

    assert expected == paths(built)
    assert not [
        record for record in caplog.records if record.name.startswith("sitemap")
    ]


def test_front_page_that_is_canonical_as_a_file_is_listed_as_one(blog):
    """hyphanet/website theme/templates/index.html."""
    blog.write("one")
    theme = canonical_theme(blog.folder, "{{ SITEURL }}/{{ page.url }}")
    index = blog.folder / "theme/templates/index.html"
    link = "<link rel='canonical' href='{{ SITEURL }}/{{ output_file }}'>"
    index.write_text(f"<!doctype html><html><head>{link}</head>x</html>")
    built = blog.build(THEME=theme, DIRECT_TEMPLATES=["index"], CATEGORY_SAVE_AS="")

    assert ["index.html", "one.html"] == paths(built)


def test_template_pages_in_the_output_folder_under_any_name(blog):
    """egberts/egberts.github.io-src, pythonclub/pythonclub.github.io."""
    content = blog.folder / "content"
    content.mkdir()
    for name in ("home", "search", "about", "plain"):
        (content / f"{name}.html").write_text(f"<p>{name}")
    templates = {
        "home.html": "./index.html",
        "search.html": str(blog.output_dir / "search.html"),
        "about.html": str(blog.output_dir / "pages/about.html"),
        "plain.html": "t/../plain.html",
    }
    git(blog.folder, "init", "-q", "-b", "main")
    blog.commit("2024-05-03T00:00:00+00:00")
    built = blog.build(TEMPLATE_PAGES=templates, DIRECT_TEMPLATES=[])

    assert dict.fromkeys(
        ["", "pages/about.html", "plain.html"], "2024-05-03T00:00:00+00:00"
    ) == lastmods(built)


@pytest.mark.parametrize("where", [".", "../public_html"])
def test_output_folders_beside_and_around_the_settings(blog, where, monkeypatch):
    """balintawak-eskrima/pelican-generator."""
    project = blog.folder / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    blog.write("one")
    blog.output_dir = (project / where).resolve()

    assert "one.html" in paths(blog.build(OUTPUT_PATH=where))


def test_the_output_folder_that_pelican_uses_by_itself(tmp_path):
    """Pelican's default is relative:
    without `-o` and without `OUTPUT_PATH` it stays so."""
    head = "<link rel='canonical' href='{{ SITEURL }}/{{ article.url }}/'>"
    files = {
        "pelicanconf.py": f"""
SITENAME = "Site"
SITEURL = "{BASE.rstrip("/")}"
PLUGINS = ["sitemap_plugins.pelican"]
ARTICLE_URL = "news/{{slug}}"
ARTICLE_SAVE_AS = "news/{{slug}}/index.html"
THEME_TEMPLATES_OVERRIDES = ["templates"]
""",
        "templates/article.html": f"<html><head>{head}</head><body>News</body></html>",
        "content/one.md": "Title: One\nDate: 2024-05-01\n\nText.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    built = Pelican().run_plain(tmp_path)

    assert 0 == built.returncode, built.log
    assert "news/one/" in paths(built)


def test_an_unsupported_pelican_builds_without_the_plugin(tmp_path):
    """Seen with 4.2.0, 4.6.0 and 4.7.2 themselves;
    pelicanconf.py sets the version here."""
    settings = "import pelican\npelican.__version__ = '4.7.2'\n"
    settings += f"SITEURL = '{BASE}'\nPLUGINS = ['sitemap_plugins.pelican']\n"
    (tmp_path / "pelicanconf.py").write_text(settings, "utf-8")
    (tmp_path / "content").mkdir()
    built = Pelican().run(tmp_path, real=True)

    assert 0 == built.returncode, built.log
    line = "Pelican 4.7.2 is installed, and 4.8 or later is needed: upgrade Pelican"
    assert line in " ".join(built.log.split())
    assert not built.wrote("sitemap.xml")


# --- what is public
# -------------------------------------------------------------------------------


def test_sitemap_true_lists_a_hidden_page(blog):
    blog.write("pages/pricing", Status="hidden", Sitemap="true")
    blog.write("pages/other", Status="hidden")
    blog.write("one", Status="hidden", Sitemap="true")

    assert ["one.html", "pages/pricing.html"] == paths(blog.build(DIRECT_TEMPLATES=[]))


def test_the_option_hidden_lists_all_hidden_ones(blog):
    """One site has its home page, its prices
    and 18 more outside its menus in this way."""
    blog.write("pages/home", Status="hidden", Save_as="index.html", URL="")
    blog.write("pages/pricing", Status="hidden")
    blog.write("pages/draft", Status="draft")
    blog.write("pages/private", Status="hidden", Private="True")
    blog.write("one", Status="hidden")
    built = blog.build(DIRECT_TEMPLATES=[], SITEMAP={"hidden": True})

    assert ["", "one.html", "pages/pricing.html"] == paths(built)


def test_hidden_home_page_is_listed(blog):
    """Sites hide it from their menus; readers reach it by its address."""
    blog.write("pages/home", Status="hidden", Save_as="index.html", URL="")
    blog.write("pages/part", Status="hidden", Save_as="part/index.html", URL="part/")
    built = blog.build(DIRECT_TEMPLATES=[])

    assert [""] == paths(built)


def test_private_home_page_is_reported(blog, capsys):
    home = {"Save_as": "index.html", "URL": "", "Private": "True"}
    blog.write("pages/home", Status="hidden", **home)
    blog.write("one")
    built = blog.build(DIRECT_TEMPLATES=[])

    assert "" not in paths(built)
    assert (
        "pages/home.md: the home page is left out (private: " in capsys.readouterr().out
    )


def test_private_has_a_reason_of_its_own(blog, capsys):
    blog.write("one", Private="True")
    blog.write("two")
    blog.build(DIRECT_TEMPLATES=[])

    assert "1 left out (1 private)" in capsys.readouterr().out


STATIC = {
    "STATIC_PATHS": ["slides"],
    "ARTICLE_EXCLUDES": ["slides"],
    "PAGE_EXCLUDES": ["slides"],
    "DIRECT_TEMPLATES": [],
    "CATEGORY_SAVE_AS": "",
}


def test_static_html_is_counted_and_listed_on_request(blog, capsys):
    folder = blog.folder / "content/slides/deep"
    folder.mkdir(parents=True)
    (folder / "talk.html").write_text("<html><title>Talk</title>")
    (folder / "index.html").write_text("<html><title>Talks</title>")
    (folder / "talk.css").write_text("p {}")
    blog.write("one")
    blog.commit("2024-05-03T00:00:00+00:00")
    first = paths(blog.build(**STATIC))
    said = capsys.readouterr().out
    dates = lastmods(Blog(blog.folder).build(**STATIC, SITEMAP={"static_html": True}))

    assert ["one.html"] == first
    assert "1 page, 2 left out (2 static)" in said
    assert (
        dict.fromkeys(
            ["one.html", "slides/deep/", "slides/deep/talk.html"],
            "2024-05-03T00:00:00+00:00",
        )
        == dates
    )


def test_static_html_with_another_output_path(blog):
    (blog.folder / "content/extra").mkdir(parents=True)
    for name in ("google123.html", "404.html"):
        (blog.folder / "content/extra" / name).write_text("<html>x")
    settings = {
        **STATIC,
        "STATIC_PATHS": ["extra"],
        "ARTICLE_EXCLUDES": ["extra"],
        "EXTRA_PATH_METADATA": {
            "extra/google123.html": {"path": "google123.html"},
            "extra/404.html": {"path": "404.html"},
        },
    }
    blog.write("one")

    assert [
        "google123.html",
        "one.html",
    ] == paths(blog.build(**settings, SITEMAP={"static_html": True}))
