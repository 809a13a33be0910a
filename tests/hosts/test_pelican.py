"""What only Pelican has: the keys of pelican-sitemap, two names for a page,
lists, runs."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pelican
import pytest
from lxml import etree
from pelican.contents import Article, Category
from pelican.plugins.signals import article_generator_pretaxonomy, get_generators

from sitemap_plugins.check.run import CheckOptions, check_folder
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.folder.options import FolderOptions, Project
from tests.folder.html_folder import untracked
from tests.git_repository import ENVIRON
from tests.hosts.pelican_blog import (
    BASE,
    MTIME,
    MTIME_TEXT,
    Blog,
    lastmods,
    links,
    paths,
)
from tests.sites import Pelican as Host
from tests.sites import git

if TYPE_CHECKING:
    from pathlib import Path

    from pelican.generators import ArticlesGenerator

CLEAN_URLS = {
    f"{kind}_{key}": f"{kind.lower()}/{{slug}}/{file}"
    for kind in ("ARTICLE", "PAGE", "TAG", "CATEGORY", "AUTHOR")
    for key, file in {"URL": "", "SAVE_AS": "index.html"}.items()
}


@pytest.fixture
def blog(tmp_path):
    return Blog(tmp_path)


# --- a drop-in for pelican-sitemap: what its README documents
# -------------------------------------

SITEMAP_README_EXCLUDES = ["^/noindex/", "/tag/", r"\.json$"]


def test_the_excludes_of_its_readme_work(blog):
    """They match nothing there: its paths have no leading slash."""
    for name in ("one", "two"):
        blog.write(
            name, Tags="t", URL=f"noindex/{name}.html", Save_as=f"noindex/{name}.html"
        )
    blog.write("three", Tags="t")
    built = blog.build(
        SITEMAP={"exclude": SITEMAP_README_EXCLUDES}, DIRECT_TEMPLATES=["index"]
    )

    assert ["", "category/misc.html", "three.html"] == paths(built)


@pytest.mark.parametrize(
    ("exclude", "left"),
    [
        ([], ["", "a/one.html", "b/two.html"]),
        (["two"], ["", "a/one.html"]),
        ("two", ["", "a/one.html"]),
        (["^two", "^/two", "^/one"], ["", "a/one.html", "b/two.html"]),
        (["/one"], ["", "b/two.html"]),
        (["^a/", "^/b"], [""]),
        (["glob:*.html", "glob:!a/**"], ["a/one.html"]),
        (["re:^b"], ["", "a/one.html"]),
        (["/"], [""]),
    ],
)
def test_exclude_is_a_list_of_regular_expressions(blog, exclude, left):
    blog.write("pages/a", URL="a/one.html", Save_as="a/one.html")
    blog.write("pages/b", URL="b/two.html", Save_as="b/two.html")
    built = blog.build(SITEMAP={"exclude": exclude}, DIRECT_TEMPLATES=["index"])

    assert paths(built) == left


def test_format_txt_writes_the_text_sitemap_beside_the_other(blog):
    blog.write("café", Slug="café & co")
    built = blog.build(SITEMAP={"format": "txt"}, DIRECT_TEMPLATES=["index"])

    lines = (built.output_dir / "sitemap.txt").read_bytes().decode("ascii").splitlines()
    assert lines == built.locs == [BASE, f"{BASE}caf%C3%A9%20&%20co.html", *lines[2:]]
    assert b"Sitemap: https://example.com/sitemap.xml\n" == built.robots


def test_format_xml_writes_no_text_sitemap(blog):
    blog.write("one")

    assert not blog.build(SITEMAP={"format": "xml"}).wrote("sitemap.txt")


def test_priorities_and_changefreqs_by_kind(blog):
    blog.write("one")
    blog.write("pages/two")
    keys = {
        "priorities": {"articles": 0.8, "pages": 1, "indexes": 0.0},
        "changefreqs": {"articles": "weekly", "indexes": "daily"},
    }
    built = blog.build(SITEMAP={**keys, "lastmod": False}, DIRECT_TEMPLATES=["index"])

    assert {
        BASE: {"changefreq": "daily", "priority": "0.0"},
        f"{BASE}category/misc.html": {"changefreq": "daily", "priority": "0.0"},
        f"{BASE}one.html": {"changefreq": "weekly", "priority": "0.8"},
        f"{BASE}pages/two.html": {"priority": "1.0"},
    } == built.entries


def test_without_these_keys_neither_is_written(blog):
    blog.write("one")

    assert {"lastmod"} == set().union(*blog.build().entries.values())


def test_metadata_comes_before_the_kinds(blog):
    blog.write("one", Priority="0.3", ChangeFreq="Daily")
    blog.write("two", Priority="7")
    blog.write("three", Sitemap="priority: 0.1", Priority="0.9")
    keys = {"priorities": {"articles": 0.8}, "changefreqs": {"articles": "weekly"}}
    entries = blog.build(SITEMAP={**keys, "lastmod": False}).entries

    assert {"changefreq": "daily", "priority": "0.3"} == entries[f"{BASE}one.html"]
    assert {"changefreq": "weekly"} == entries[f"{BASE}two.html"]
    assert {"changefreq": "weekly", "priority": "0.1"} == entries[f"{BASE}three.html"]


def test_private_is_left_out(blog):
    blog.write("one", Private="True")
    blog.write("two", Private="False")

    assert {"two.html"} == {"one.html", "two.html"} & {*paths(blog.build())}


def test_translations_link_to_existing_pages(blog):
    blog.write("one", Lang="en", Slug="one")
    blog.write("one-de", Lang="de", Slug="one")
    built = blog.build()

    assert links(built) == {
        f"{BASE}{name}": [
            ("de", f"{BASE}one-de.html"),
            ("en", f"{BASE}one.html"),
            ("x-default", f"{BASE}one.html"),
        ]
        for name in ("one.html", "one-de.html")
    }


def test_articles_with_one_slug_are_not_translations(blog, caplog):
    """Pelican takes them for translations: each pair was a warning about hreflang."""
    names = [f"{letter}{number}" for number in range(9) for letter in "ab"]
    for name in names:
        blog.write(
            name, Slug=f"same{name[1:]}", Save_as=f"{name}.html", URL=f"{name}.html"
        )
    blog.write("one", Lang="en", Slug="one")
    blog.write("one-de", Lang="de", Slug="one")
    built = blog.build()

    assert {f"{name}.html" for name in names} <= {*paths(built)}
    assert {f"{BASE}one.html", f"{BASE}one-de.html"} == links(built).keys()
    assert "hreflang" not in caplog.text
    assert 'There are 2 items "with slug' in caplog.text, "Pelican names each pair."


def test_translation_whose_address_has_no_file_is_found(blog):
    """`ARTICLE_LANG_SAVE_AS` still writes `one-de.html`, which the sitemap lists."""
    blog.write("one", Lang="en", Slug="one")
    blog.write("one-de", Lang="de", Slug="one")
    built = blog.build(ARTICLE_LANG_URL="{slug}.{lang}.html")
    project = Project(
        site_dir=blog.output_dir,
        project_dir=blog.folder,
        options=FolderOptions(),
        environ=ENVIRON,
    )
    options = CheckOptions(now=datetime(2026, 11, 21, tzinfo=UTC))
    result = check_folder(project, options, track=untracked)
    text = f"its version in 'de', '{BASE}one.de.html', where there is no page"

    assert {f"{BASE}one.html", f"{BASE}one-de.html"} == links(built).keys()
    assert [f"'{BASE}one.html' links in its HTML to {text}"] == [
        finding.problem for finding in result.findings if finding.code == "hreflang"
    ]


WRONG_SETTINGS = {
    "not a dictionary": (["x"], r"\['x'\] is not a dictionary: write SITEMAP = {…}"),
    "format": ({"format": "json"}, "format = 'json' is not one of 'xml', 'txt'"),
    "priority": (
        {"priorities": {"pages": 7}},
        "priorities = 'pages': 7 is not a number from 0.0 to 1.0",
    ),
    "word": (
        {"changefreqs": {"pages": "often"}},
        "changefreqs = 'pages': 'often' is not one of",
    ),
    "kinds": ({"changefreqs": "daily"}, "changefreqs = 'daily' is not a dictionary"),
    "expression": (
        {"exclude": ["(", "glob:ok"]},
        r"'\(' is not a pattern: missing",
    ),
    "pattern": (
        {"exclude": ["*.json"]},
        r"'\*.json' is not .*: mark a pattern, such as 'glob:",
    ),
}


@pytest.mark.parametrize("case", WRONG_SETTINGS)
def test_a_wrong_value_stops_before_the_build(blog, case):
    value, message = WRONG_SETTINGS[case]

    with pytest.raises(OptionsError, match=message):
        blog.object(SITEMAP=value)
    assert not blog.output_dir.exists()


# --- URLs
# --------------------------------------------------------------------------------------

PATTERNS = "PAGINATION_PATTERNS"
WITHOUT_SUFFIX = {
    name: value.rstrip("/") if "URL" in name else value.replace("/index.html", ".html")
    for name, value in CLEAN_URLS.items()
}
URL_STYLES = {
    "defaults": {},
    "directories": CLEAN_URLS,
    "without a suffix": WITHOUT_SUFFIX,
    "leading slash": {"ARTICLE_URL": "/{slug}.html"},
    "relative": {**CLEAN_URLS, "RELATIVE_URLS": True},
    "below a path": {**CLEAN_URLS, "SITEURL": f"{BASE}a/b"},
    "page/2/": {
        **CLEAN_URLS,
        PATTERNS: [
            (1, "{url}", "{save_as}"),
            (2, "{base_name}/page/{number}/", "{base_name}/page/{number}/index.html"),
        ],
    },
    "index-2": {
        PATTERNS: [
            (1, "{name}", "{name}{extension}"),
            (2, "{name}-{number}", "{name}-{number}{extension}"),
        ]
    },
}


@pytest.mark.parametrize("style", URL_STYLES)
def test_urls_are_those_of_the_sites_links(blog, style):
    """The oracle is each `href` of the built pages."""
    for number in (1, 2, 3):
        blog.write(f"a{number}", Tags="t & u, v", Author="A", Date=f"2024-05-0{number}")
    blog.write("pages/p")
    settings = {**URL_STYLES[style], "THEME": theme(blog.folder)}
    built = blog.build(DEFAULT_PAGINATION=2, DIRECT_TEMPLATES=["index"], **settings)

    base = f"{settings.get('SITEURL', BASE).rstrip('/')}/"
    linked = set()
    for file in built.output_dir.rglob("*.html"):
        html = etree.parse(file, etree.HTMLParser())
        page = base + file.relative_to(built.output_dir).as_posix()
        linked |= {urljoin(page, str(href)) for href in html.xpath("//a/@href")}
    assert set(built.locs) == {re.sub("(?<!:)//", "/", url) for url in linked}
    assert 14 == len(linked)


def theme(folder: Path) -> str:
    """Write a theme whose pages link as Pelican's own do, and return its folder."""
    templates = folder / "theme/templates"
    templates.mkdir(parents=True)
    (folder / "theme/static").mkdir()
    page = (
        "<html><a href='{{ SITEURL }}/'>home</a>"
        "{% for each in articles + pages %}<a href='{{ SITEURL }}/{{ each.url }}'>x</a>{% endfor %}"
        "{% for each, _ in tags + categories + authors %}"
        "<a href='{{ SITEURL }}/{{ each.url }}'>x</a>{% endfor %}"
        "{% if articles_page and articles_page.has_next() %}"
        "<a href='{{ SITEURL }}/{{ articles_next_page.url }}'>next</a>{% endif %}</html>"
    )
    for name in ("article", "page", "index", "tag", "category", "author", "archives"):
        (templates / f"{name}.html").write_text(page)
    return str(folder / "theme")


@pytest.mark.parametrize(
    ("url", "save_as", "path"),
    [
        ("100%/", "100%/index.html", "100%25/"),
        ("100%25/", "100%/index.html", "100%25/"),
        ("100%25/", "100%25/index.html", "100%2525/"),
        ("caf%C3%A9/", "café/index.html", "caf%C3%A9/"),
        ("café/", "café/index.html", "caf%C3%A9/"),
        ("about", "about.html", "about"),
        ("about", "about/index.html", "about/"),
        ("about/index.html", "about/index.html", "about/index.html"),
        ("/about/", "about/index.html", "about/"),
        ("", "index.html", ""),
        ("a&b;c=d.html", "a&b;c=d.html", "a&b;c=d.html"),
    ],
)
def test_url_and_save_as_of_metadata(blog, url, save_as, path):
    blog.write("pages/one", URL=url, Save_as=save_as)

    assert paths(blog.build(DIRECT_TEMPLATES=[])) == [path]


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ({"Save_as": "about/index.html"}, "about/"),
        ({"Save_as": "about.html"}, "about.html"),
        ({"URL": "elsewhere"}, "pages/one.html"),
    ],
)
def test_page_with_broken_links_has_the_url_of_its_file(blog, metadata, path):
    """Authors set one of the two names and forget the other."""
    blog.write("pages/one", **metadata)

    assert paths(blog.build(DIRECT_TEMPLATES=[])) == [path]


def test_page_saved_as_the_front_page_is_the_front_page(blog):
    """Pelican renders both, and keeps the author's file."""
    blog.write("one")
    page = blog.write("pages/home", Save_as="index.html", URL="")
    os.utime(page, (MTIME + 1, MTIME + 1))
    entries = blog.build(DIRECT_TEMPLATES=["index"]).entries

    assert {"lastmod": "2020-09-13T12:26:41+00:00"} == entries[BASE]


def test_direct_templates_and_archives_of_periods(blog):
    blog.write("one", Date="2024-05-01")
    blog.write("two", Date="2023-04-02")
    built = blog.build(
        DIRECT_TEMPLATES=["index", "archives", "tags", "categories"],
        INDEX_SAVE_AS="blog/index.html",
        ARCHIVES_SAVE_AS="archives/index.html",
        TAGS_SAVE_AS="t/index.html",
        TAGS_URL="t/",
        CATEGORIES_SAVE_AS="",
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}/index.html",
        YEAR_ARCHIVE_URL="{date:%Y}/",
        MONTH_ARCHIVE_SAVE_AS="{date:%Y}/{date:%m}/index.html",
        DAY_ARCHIVE_SAVE_AS="{date:%Y}-{date:%m}-{date:%d}.html",
        DAY_ARCHIVE_URL="{date:%Y}-{date:%m}-{date:%d}",
    )

    assert [
        "2023-04-02",
        "2023/",
        "2023/04/",
        "2024-05-01",
        "2024/",
        "2024/05/",
        "archives/",
        "blog/",
        "category/misc.html",
        "one.html",
        "t/",
        "two.html",
    ] == paths(built)


def test_list_that_shows_no_article_has_no_date(blog):
    blog.write("tagged", Date="2020-04-02", Tags="one")
    blog.write("later", Date="2024-05-01")
    templates = blog.folder / "templates"
    templates.mkdir()
    (templates / "tag.html").write_text("{{ tag }} has {{ articles | length }}")

    entries = blog.build(
        THEME_TEMPLATES_OVERRIDES=[str(templates)], SITEMAP={"lastmod": ["published"]}
    ).entries

    assert "lastmod" not in entries[f"{BASE}tag/one.html"]
    assert "lastmod" not in entries[f"{BASE}tags.html"]
    assert "2024-05-01" == entries[f"{BASE}archives.html"]["lastmod"][:10]


def test_other_files_from_templates_are_not_pages(blog):
    sources = (
        "robots.txt",
        "data.json",
        "feed.xml",
        "CNAME",
        "404.html",
        "search.html",
        "x.html",
    )
    (blog.folder / "content").mkdir()
    for name in sources:
        (blog.folder / "content" / f"{name}.in").write_text("<p>Text.")
    blog.write("pages/feed", Save_as="feed2.xml")
    blog.write("pages/plain", Save_as="plain", URL="plain")
    templates = {f"{name}.in": name for name in sources}
    built = blog.build(DIRECT_TEMPLATES=[], TEMPLATE_PAGES=templates)

    assert ["plain", "x.html"] == paths(built)


# --- status
# -------------------------------------------------------------------------------------


def test_drafts_hidden_and_future_articles_and_the_error_page_are_left_out(blog):
    for status in ("draft", "hidden", "skip", "published"):
        blog.write(status, Status=status)
        blog.write(f"pages/{status}-page", Status=status)
    blog.write("future", Date="2124-01-01")
    blog.write("pages/lost", Save_as="404.html")
    built = blog.build(DIRECT_TEMPLATES=[], WITH_FUTURE_DATES=False)

    expected = ["category/misc.html", "pages/published-page.html", "published.html"]
    assert expected == paths(built)


# --- dates
# --------------------------------------------------------------------------------------


def test_order_of_dates_is_modified_git_date_mtime(blog):
    """The file's time only where nobody says more,
    because a copy's is that of the copying."""
    blog.write("modified", Modified="2024-06-01 12:00")
    blog.write("committed")
    blog.commit("2024-05-03T00:00:00+00:00")
    (blog.folder / ".git/info").mkdir()
    (blog.folder / ".git/info/exclude").write_text("ignored.md\n")
    blog.write("ignored", Date="2024-05-09")
    dates = lastmods(blog.build(TIMEZONE="America/New_York"))

    assert "2024-06-01T16:00:00+00:00" == dates["modified.html"]
    assert "2024-05-03T00:00:00+00:00" == dates["committed.html"]
    assert "2024-05-09" == dates["ignored.html"]


@pytest.mark.parametrize("zone", ["Europe/Warsaw", "America/New_York"])
@pytest.mark.parametrize("form", ["date", "datetime"])
def test_day_without_a_time_is_the_same_in_every_time_zone(blog, zone, form):
    blog.write("one", Modified="2026-02-26")
    blog.write("two", Modified="2026-02-26 00:30")
    dates = lastmods(blog.build(TIMEZONE=zone, SITEMAP={"lastmod_format": form}))

    assert "2026-02-26" == dates["one.html"]
    days = {"Europe/Warsaw": "2026-02-25T23:30:00+00:00"}
    moment = days.get(zone, "2026-02-26T05:30:00+00:00")
    assert moment[: len(dates["two.html"])] == dates["two.html"]


def test_files_that_were_never_committed_have_no_date(blog):
    """The build can have written one, in this run or an earlier one."""
    blog.write("one")
    blog.commit("2024-05-03T00:00:00+00:00")
    blog.write("pages/found")

    def write(_generators: object) -> None:
        os.utime(blog.write("pages/made"))

    with get_generators.connected_to(write):
        dates = lastmods(blog.build())

    assert dates["pages/found.html"] is dates["pages/made.html"] is None


def test_outside_git_the_date_precedes_the_mtime(blog):
    blog.write("article")
    blog.write("pages/page")
    dates = lastmods(blog.build())

    assert "2024-05-01" == dates["article.html"]
    assert MTIME_TEXT == dates["pages/page.html"]
    assert (
        MTIME_TEXT
        == lastmods(blog.build(SITEMAP={"lastmod": ["page", "mtime"]}))["article.html"]
    )


def test_shallow_clone_gives_no_date_that_could_be_wrong(blog):
    blog.write("one")
    blog.commit("2024-05-03T00:00:00+00:00")
    blog.write("two")
    blog.commit("2024-05-04T00:00:00+00:00")
    clone = Blog(blog.folder / "clone")
    git(
        blog.folder,
        "clone",
        "-q",
        "--depth=1",
        f"file://{blog.folder}",
        str(clone.folder),
    )

    assert {None} == set(lastmods(clone.build()).values())


def test_lists_have_the_newest_date_of_the_articles_they_list(blog):
    for number, day in enumerate(("01", "02", "03", "04"), start=1):
        blog.write(
            f"a{number}", Tags="odd" if number % 2 else "even", Date=f"2024-05-{day}"
        )
    built = blog.build(
        DEFAULT_PAGINATION=2,
        DIRECT_TEMPLATES=["index", "archives"],
        MONTH_ARCHIVE_SAVE_AS="{date:%Y}-{date:%m}.html",
    )

    days = {path: date and date[8:10] for path, date in lastmods(built).items()}
    assert days | {"": "04", "index2.html": "02"} == days
    assert days | {"archives.html": "04", "2024-05.html": "04"} == days
    assert days | {"category/misc.html": "04", "category/misc2.html": "02"} == days
    assert days | {"tag/even.html": "04", "tag/odd.html": "03"} == days


SECOND_PAGES = (
    "author/me2.html",
    "category/misc2.html",
    "index2.html",
    "tag/one2.html",
)

# What a theme writes where others have `articles_page`.
ALL_ARTICLES = """{% for each in articles %}
<a href="{{ SITEURL }}//{{ each.url }}">{{ each.title }}</a>
{% endfor %}"""
OWN_PART = """{% for each in articles_page.object_list %}
<p><a href="{{ SITEURL }}/{{ each.url }}?from=list#text">{{ each.title }}</a></p>
{% endfor %}"""


# Each divides all lists; the second by their templates alone.
IN_TWOS = (
    {"DEFAULT_PAGINATION": 2},
    {"PAGINATED_TEMPLATES": dict.fromkeys(("author", "category", "index", "tag"), 2)},
)


@pytest.mark.parametrize("pagination", IN_TWOS)
@pytest.mark.parametrize(
    ("template", "text", "whole"),
    [
        ("category", ALL_ARTICLES, ["category/misc2.html"]),
        # Those of other lists extend it.
        ("index", ALL_ARTICLES, SECOND_PAGES),
        ("author", "{% extends 'index.html' %}", []),
        ("tag", ALL_ARTICLES + "{{ articles_page.number }}", ["tag/one2.html"]),
        ("tag", OWN_PART, []),
    ],
)
def test_each_page_of_a_list_is_dated_by_all_articles_that_its_template_shows(
    blog, template, text, whole, pagination
):
    for name, day in (("one", "01"), ("two", "02"), ("three", "03")):
        blog.write(name, Tags="one", Author="Me", Date=f"2024-05-{day}")
    templates = blog.folder / "templates"
    templates.mkdir()
    (templates / f"{template}.html").write_text(text)
    built = blog.build(
        DIRECT_TEMPLATES=["index"],
        THEME_TEMPLATES_OVERRIDES=[str(templates)],
        **pagination,
    )

    dates = lastmods(built)
    for path in SECOND_PAGES:
        assert dates[path] == ("2024-05-03" if path in whole else "2024-05-01")


SIDEBAR = """{% extends '!simple/base.html' %}
{% block footer %}{% for name in newest %}
<a href="{{ SITEURL }}/{{ name }}.html">{{ name }}</a>
{% endfor %}{% endblock %}"""


def test_posts_in_a_sidebar_of_all_pages_do_not_date_lists(blog):
    for day in range(1, 8):
        blog.write(f"a{day}", Tags=f"t{day}", Date=f"2024-05-0{day}")
    templates = blog.folder / "templates"
    templates.mkdir()
    (templates / "base.html").write_text(SIDEBAR)
    dates = lastmods(
        blog.build(
            DEFAULT_PAGINATION=2,
            DIRECT_TEMPLATES=["index"],
            THEME_TEMPLATES_OVERRIDES=[str(templates)],
            JINJA_GLOBALS={"newest": ["a7", "a6", "a5"]},
        )
    )

    days = {path: date[8:10] for path, date in dates.items()}
    assert days | {"": "07", "index2.html": "05", "index3.html": "03"} == days
    assert days | {"tag/t1.html": "01", "tag/t7.html": "07"} == days


def test_without_inspection_only_lists_of_one_page_are_dated(blog):
    for day in range(1, 4):
        blog.write(
            f"a{day}", Tags="few" if day == 3 else "many", Date=f"2024-05-0{day}"
        )

    dates = lastmods(
        blog.build(DIRECT_TEMPLATES=["index"], SITEMAP={"inspect_html": False})
    )

    assert dates["tag/few.html"] == "2024-05-03"
    assert dates["tag/many.html"] is None is dates[""]


@pytest.mark.parametrize("default", ["fs", "2024-05-01", (2024, 5, 1)])
def test_default_date_is_not_an_authors_date(blog, default):
    """The file's time, not that of the checkout: the article is in git."""
    file = blog.write("one")
    file.write_text("Title: One\n\nText.\n")
    blog.commit("2024-05-03T00:00:00+00:00")
    os.utime(file, (MTIME, MTIME))
    exclude = blog.folder / ".git/info/exclude"
    exclude.parent.mkdir()
    exclude.write_text("two.md\n")
    blog.write("two").write_text("Title: Two\n\nText.\n")
    dates = lastmods(blog.build(DEFAULT_DATE=default))

    assert "2024-05-03T00:00:00+00:00" == dates["one.html"]
    assert dates["two.html"] is None


def test_default_date_does_not_hide_the_authors_own(blog):
    blog.write("one", Modified="2024-06-01")

    assert "2024-06-01" == lastmods(blog.build(DEFAULT_DATE="fs"))["one.html"]


def test_an_article_that_a_plugin_made_has_no_file(blog):
    blog.write("one")

    def add(generator: ArticlesGenerator) -> None:
        said = {
            "title": "Made",
            "slug": "made",
            "date": datetime(2024, 5, 7, tzinfo=UTC),
        }
        category = {"category": Category("misc", generator.settings)}
        settings = {"settings": generator.settings, "context": generator.context}
        generator.articles.append(Article("Text.", said | category, **settings))

    article_generator_pretaxonomy.connect(add)
    dates = lastmods(blog.build(DEFAULT_DATE="fs"))
    article_generator_pretaxonomy.disconnect(add)

    assert "2024-05-07T00:00:00+00:00" == dates["made.html"]


def test_dates_include_further_sources_and_templates(blog):
    blog.write("one", Sitemap="sources: ../shared.txt")
    (blog.folder / "content/extra.html").write_text("<p>Text.")
    (blog.folder / "content/../shared.txt").write_text("one")
    blog.commit("2024-05-03T00:00:00+00:00")
    git(blog.folder, "add", "shared.txt")
    git(
        blog.folder,
        "commit",
        "-qm",
        "shared",
        GIT_COMMITTER_DATE="2024-05-09T00:00:00+00:00",
    )
    dates = lastmods(blog.build(TEMPLATE_PAGES={"extra.html": "extra.html"}))

    assert "2024-05-09T00:00:00+00:00" == dates["one.html"]
    assert "2024-05-03T00:00:00+00:00" == dates["extra.html"]


# --- robots.txt
# -----------------------------------------------------------------------------------

ROBOTS = {
    "STATIC_PATHS": ["extra"],
    "EXTRA_PATH_METADATA": {"extra/robots.txt": {"path": "robots.txt"}},
}


@pytest.mark.parametrize(
    "how", ["STATIC_CREATE_LINKS", "STATIC_CHECK_IF_MODIFIED", "neither"]
)
def test_robots_txt_of_the_user_keeps_its_bytes(blog, how):
    """Pelican can link the output's file to the source,
    or leave the last run's there."""
    source = blog.folder / "content/extra/robots.txt"
    source.parent.mkdir(parents=True)
    source.write_bytes(b"User-agent: *\r\nDisallow: /a")
    blog.write("one")
    settings = {**ROBOTS} if how == "neither" else {**ROBOTS, how: True}
    for _ in range(2):
        robots = blog.build(**settings).robots
        assert (
            robots
            == source.read_bytes() + b"\r\nSitemap: https://example.com/sitemap.xml\r\n"
        )
    assert b"User-agent: *\r\nDisallow: /a" == source.read_bytes()


def test_missing_robots_txt_is_created(blog):
    blog.write("one")

    assert b"Sitemap: https://example.com/sitemap.xml\n" == blog.build().robots


# --- runs
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize("delete", [True, False])
def test_same_pelican_object_can_run_again(blog, delete):
    """As `pelican -r` does."""
    site = blog.object(
        DELETE_OUTPUT_DIRECTORY=delete, DIRECT_TEMPLATES=[], CATEGORY_SAVE_AS=""
    )
    one = blog.write("one")
    site.run()
    first = paths(blog.built)
    one.unlink()
    blog.write("two")
    site.run()

    assert (["one.html"], ["two.html"]) == (first, paths(Blog(blog.folder).built))


def test_urls_of_the_last_run_are_forgotten(blog):
    site = blog.object(DIRECT_TEMPLATES=[])
    blog.write("one", Slug="one", URL="x.html", Save_as="x.html")
    blog.write("one-de", Lang="de", Slug="one")
    site.run()
    blog.write("one", Slug="one", URL="y.html", Save_as="y.html")
    blog.write("other", URL="x.html", Save_as="x.html")
    site.run()

    assert {f"{BASE}one-de.html", f"{BASE}y.html"} == set(links(blog.built))


def test_pelican_objects_of_different_sites_do_not_mix(tmp_path):
    sites = [Blog(tmp_path / name) for name in ("one", "two")]
    objects = []
    for site in sites:
        site.write(f"of-{site.folder.name}")
        objects.append(site.object(DIRECT_TEMPLATES=[], CATEGORY_SAVE_AS=""))
    for each in objects:
        each.run()

    assert [["of-one.html"], ["of-two.html"]] == [paths(site.built) for site in sites]


def test_two_pelican_objects_with_the_same_settings_are_two_sites(blog):
    blog.write("one")
    first = blog.object(DIRECT_TEMPLATES=[], CATEGORY_SAVE_AS="")
    first.run()
    (blog.output_dir / "sitemap.xml").unlink()
    pelican.Pelican(first.settings).run()

    assert ["one.html"] == paths(blog.built)


@pytest.mark.parametrize("layer", ["reader", "generator"])
def test_cached_content_is_listed_the_same(blog, layer):
    settings = {
        "CACHE_CONTENT": True,
        "LOAD_CONTENT_CACHE": True,
        "CONTENT_CACHING_LAYER": layer,
    }
    blog.write("one", Modified="2024-06-01")
    first = blog.build(**settings)

    assert first.entries == Blog(blog.folder).build(**settings).entries
    assert any((blog.folder / "cache").iterdir())


def test_pelican_object_without_our_state_is_built(blog):
    """One whose plugins were not loaded; Pelican's signals reach us all the same."""
    blog.write("one")
    site = blog.object()
    site.settings = {
        k: v for k, v in site.settings.items() if not k.startswith("SITEMAP_PLUGINS")
    }
    site.run()

    assert blog.built.wrote("one.html")
    assert not blog.built.wrote("sitemap.xml")


# --- loading
# ------------------------------------------------------------------------------------

LOADING = {
    "by name": "PLUGINS = ['sitemap_plugins.pelican']",
    "as a module": "import sitemap_plugins.pelican\nPLUGINS = [sitemap_plugins.pelican]",
    # Pelican looks for `pelican` in PLUGIN_PATHS, whatever package stands before it
    # (4.8 to 4.12).
    "as a module, another in the way": (
        "import sitemap_plugins.pelican\nPLUGINS = [sitemap_plugins.pelican]\n"
        "PLUGIN_PATHS = ['plugins']"
    ),
}


@pytest.mark.parametrize("way", LOADING)
def test_plugin_is_loaded_in_every_way(tmp_path, way):
    (tmp_path / "plugins/pelican").mkdir(parents=True)
    (tmp_path / "plugins/pelican/__init__.py").touch()
    Blog(tmp_path).write("one")
    settings = "STATIC_PATHS = []\nSITEURL = 'https://example.com'\nTIMEZONE = 'UTC'\n"
    (tmp_path / "pelicanconf.py").write_text(settings + LOADING[way])
    built = Host().run(tmp_path, "--fatal", "warnings")

    assert 0 == built.returncode, built.log
    assert f"{BASE}one.html" in built.locs
