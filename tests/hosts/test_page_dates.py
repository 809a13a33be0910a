"""The option `page_dates` on each host: what themes, feeds and other plugins see.

That pages show what the sitemap lists is in tests/contract.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sphinx.config import Config

from sitemap_plugins.sphinx.build import show_date
from tests.cli.command import run as run_command
from tests.full import FULL
from tests.hosts import mkdocs_project, sphinx_site
from tests.hosts.pelican_blog import Blog
from tests.shell_scripts import recording_git
from tests.sites import NEWS, MkDocs, Pelican, Site, Source, Sphinx, git

ROOT = Path(__file__).parents[2]
LATER = "2025-02-03T04:05:06+00:00"
DATED = {"sitemap": {"page_dates": True}}
RIVAL = "git-revision-date-localized"
NAME = "git_revision_date_localized"
VALUES = "".join(
    f"<i>{{{{ page.meta.{NAME}{form} }}}}</i>"
    for form in ("", "_raw_date", "_raw_datetime", "_raw_iso_date", "_raw_iso_datetime")
)
MAIN = f"<!doctype html><html><head></head><body><i>{{{{ page.update_date }}}}</i>{VALUES}</body>"


def values(built, name="index.html"):
    return re.findall("<i>(.*?)</i>", (built.output_dir / name).read_text("utf-8"))


def mkdocs(folder, files, **settings):
    mkdocs_project.write(folder, {"theme/main.html": MAIN, **files}, **settings)
    mkdocs_project.commit(folder)
    return mkdocs_project.build(folder)


def test_mkdocs_gives_the_theme_what_the_other_plugin_gives(tmp_path):
    built = mkdocs(tmp_path, {}, plugins=[DATED])

    classes = f"{RIVAL}-plugin {RIVAL}-plugin-date"
    assert values(built) == [
        "2024-05-01",
        f'<time class="{classes}" datetime="{NEWS}" title="{NEWS}">May 1, 2024</time>',
        "May 1, 2024",
        "May 1, 2024 10:00:00",
        "2024-05-01",
        "2024-05-01 10:00:00",
    ]


@pytest.mark.parametrize(
    ("setting", "language", "shown"),
    [("language", "pt-BR", "1 de maio de 2024"), ("locale", "de", "1. Mai 2024")],
)
def test_mkdocs_dates_are_in_the_language_of_page_or_theme(
    tmp_path, setting, language, shown
):
    files = {
        "docs/fr.md": "---\nlocale: fr\n---\n# Fr\n",
        "docs/unknown.md": "---\nlocale: x y\n---\n# X\n",
    }
    theme = {"name": None, "custom_dir": "theme", setting: language}
    built = mkdocs(tmp_path, files, theme=theme, plugins=[DATED])

    assert shown == values(built)[2]
    assert "1 mai 2024" == values(built, "fr/index.html")[2]
    assert "2024-05-01" == values(built, "unknown/index.html")[2]


def test_mkdocs_shows_the_date_of_an_included_file(tmp_path):
    files = {"docs/index.md": '# Home\n\n--8<-- "part.txt"\n', "part.txt": "Part.\n"}
    extension = [{"pymdownx.snippets": {"base_path": ["."]}}]
    mkdocs(tmp_path, files, plugins=[DATED], markdown_extensions=extension)
    (tmp_path / "part.txt").write_text("Another part.\n")
    git(tmp_path, "commit", "-qam", "part", GIT_COMMITTER_DATE=LATER)
    built = mkdocs_project.build(tmp_path)

    assert LATER == built.entries[mkdocs_project.BASE]["lastmod"]
    assert "2025-02-03 04:05:06" == values(built)[-1]


def test_mkdocs_page_without_a_date_shows_none(tmp_path):
    mkdocs(tmp_path, {}, plugins=[DATED])
    (tmp_path / "docs/new.md").write_text("# New\n")
    built = mkdocs_project.build(tmp_path, CI="true")

    assert [""] * 6 == values(built, "new/index.html")


def test_mkdocs_author_writes_the_date_of_a_page(tmp_path):
    files = {
        "docs/index.md": "---\nrevision_date: yesterday\n---\n# Home\n",
        "docs/own.md": f"---\n{NAME}: in May\n---\n# Own\n",
        "docs/front.md": "---\nsitemap: {lastmod: 2023-01-02}\n---\n# Front\n",
    }
    built = mkdocs(tmp_path, files, plugins=[DATED])

    assert "" == values(built)[1]
    assert "in May" == values(built, "own/index.html")[1]
    assert "January 2, 2023" == values(built, "front/index.html")[3]


@FULL
def test_material_shows_the_date(tmp_path):
    built = mkdocs(tmp_path, {}, theme={"name": "material"}, plugins=[DATED])

    page = (built.output_dir / "index.html").read_text("utf-8")
    source = re.search(r'(?s)class="md-source-file".*?</aside>', page)[0]
    assert f'datetime="{NEWS}"' in source
    assert "May 1, 2024" in source


@pytest.mark.parametrize("enabled", [True, False])
def test_mkdocs_dates_of_the_other_plugin_are_left_alone(tmp_path, enabled):
    plugins = [{RIVAL: {"enabled": enabled}}, DATED]
    built = mkdocs(tmp_path, {}, plugins=plugins)

    assert enabled == ("<span" in values(built)[1])
    assert enabled == (1 == built.log.count("(other-dates)"))


@pytest.mark.parametrize("shows_updated", [True, False])
def test_mkdocs_document_dates_is_left_alone_if_it_shows_when_pages_changed(
    tmp_path, shows_updated
):
    pytest.importorskip("mkdocs_document_dates")
    plugins = [{"document-dates": {"show_updated": shows_updated}}, DATED]
    built = mkdocs(tmp_path, {}, plugins=plugins)

    named = "the pages show the dates of the plugin document-dates" in built.log
    assert shows_updated == named == (1 == built.log.count("(other-dates)"))
    assert shows_updated == ("" == values(built)[1])


def test_sphinx_dates_have_the_format_and_language_of_the_project(tmp_path):
    settings = {
        "sitemap_page_dates": True,
        "html_last_updated_use_utc": True,
        "language": "de",
    }
    sphinx_site.write(tmp_path, {"index.rst": sphinx_site.title("Home")}, **settings)
    mkdocs_project.commit(tmp_path)

    def page(*arguments):
        built = sphinx_site.build(tmp_path, *arguments)
        assert 0 == built.returncode, built.log
        return (built.output_dir / "index.html").read_text("utf-8")

    assert "Zuletzt aktualisiert am 01.05.2024." in page()
    form = "html_last_updated_fmt=%d. %B %Y %H:%M"
    assert "Zuletzt aktualisiert am 01. Mai 2024 10:00." in page("-D", form)


@FULL
def test_sphinx_page_that_did_not_change_is_written_again_for_its_date(tmp_path):
    sphinx_site.write(tmp_path, {"index.rst": sphinx_site.title("Home")})
    for is_wanted in (False, True):
        # The document stays as it is: one that is written again is read again.
        sphinx_site.write(tmp_path, {}, sitemap_page_dates=is_wanted)
        mkdocs_project.commit(tmp_path)
        built = sphinx_site.build(tmp_path)
        assert 0 == built.returncode, built.log
        page = (built.output_dir / "index.html").read_text("utf-8")
        assert is_wanted == ("Last updated on" in page)


@FULL
def test_sphinx_parallel_builds_show_dates_and_generated_pages_none(tmp_path):
    names = [f"page{i}" for i in range(12)]
    files = {f"{name}.rst": f":orphan:\n\n{sphinx_site.title(name)}" for name in names}
    files["index.rst"] = sphinx_site.title("Home")
    sphinx_site.write(tmp_path, files, sitemap_page_dates=True)
    mkdocs_project.commit(tmp_path)
    built = sphinx_site.build(tmp_path, "-j", "2")

    assert 0 == built.returncode, built.log
    tag = f'<meta property="article:modified_time" content="{NEWS}" />'
    for name in ("index", *names):
        page = (built.output_dir / f"{name}.html").read_text("utf-8")
        assert 1 == page.count(tag)
        assert "Last updated on May 01, 2024" in page
    assert "Last updated" not in (built.output_dir / "genindex.html").read_text("utf-8")


def test_sphinx_shows_the_date_of_an_included_file(tmp_path):
    files = {
        "index.rst": f"{sphinx_site.title('Home')}.. include:: part.txt\n",
        "part.txt": "Part.\n",
    }
    sphinx_site.write(
        tmp_path, files, sitemap_page_dates=True, html_last_updated_use_utc=True
    )
    mkdocs_project.commit(tmp_path)
    (tmp_path / "part.txt").write_text("Another part.\n")
    git(tmp_path, "commit", "-qam", "part", GIT_COMMITTER_DATE=LATER)
    built = sphinx_site.build(tmp_path)

    assert [LATER] == [fields["lastmod"] for fields in built.entries.values()]
    page = (built.output_dir / "index.html").read_text("utf-8")
    assert "Last updated on Feb 03, 2025." in page
    assert f'content="{LATER}"' in page


def test_sphinx_page_without_a_date_has_an_empty_text(tmp_path):
    """openstackdocstheme writes "None" where it is None;
    Sphinx's own value is "" as well."""
    files = {
        "index.rst": sphinx_site.title("Home"),
        "new.rst": sphinx_site.title("New"),
    }
    template = (
        "{% extends '!layout.html' %}"
        "{% block footer %}<i>{{ last_updated }}</i>{% endblock %}"
    )
    files["templates/layout.html"] = template
    settings = {"sitemap_page_dates": True, "templates_path": ["templates"]}
    sphinx_site.write(tmp_path, files, **settings)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "index.rst")
    git(tmp_path, "commit", "-qm", "one", GIT_COMMITTER_DATE=NEWS)
    built = sphinx_site.build(tmp_path)

    assert "<i>May 01, 2024</i>" in (built.output_dir / "index.html").read_text("utf-8")
    assert "<i></i>" in (built.output_dir / "new.html").read_text("utf-8")


def test_sphinx_dates_of_the_other_extension_are_left_alone(tmp_path):
    extensions = ["sitemap_plugins.sphinx", "sphinx_last_updated_by_git"]
    files = {"index.rst": sphinx_site.title("Home")}
    sphinx_site.write(tmp_path, files, sitemap_page_dates=True, extensions=extensions)
    mkdocs_project.commit(tmp_path)
    built = sphinx_site.build(tmp_path)

    assert 1 == built.log.count("(sitemap.other-dates)")
    page = (built.output_dir / "index.html").read_text("utf-8")
    assert 1 == page.count("article:modified_time")


def test_sphinx_head_has_the_date_of_the_sitemap_and_check_compares_them(tmp_path):
    files = {"index.rst": sphinx_site.title("Home")}
    sphinx_site.write(tmp_path, files, sitemap_page_dates=True)
    mkdocs_project.commit(tmp_path)
    (tmp_path / "new.rst").write_text(f":orphan:\n\n{sphinx_site.title('New')}")
    git(tmp_path, "add", "new.rst")
    git(tmp_path, "commit", "-qm", "new", GIT_COMMITTER_DATE=LATER)
    built = sphinx_site.build(tmp_path)
    tag = r'property="article:modified_time" content="(.*?)"'
    for name, date in (("index.html", NEWS), ("new.html", LATER)):
        page = (built.output_dir / name).read_text("utf-8")
        assert [date] == re.findall(tag, page)

    options = ("--select", "date-on-page", "--fail-on", "info")
    command = ("check", str(built.output_dir), *options)
    assert 0 == run_command(tmp_path, *command).returncode
    sitemap = built.output_dir / "sitemap.xml"
    sitemap.write_bytes(sitemap.read_bytes().replace(LATER.encode(), b"2020-01-01"))
    found = run_command(tmp_path, *command).out
    assert "lastmod is 2020-01-01, and the page" in found


def test_line_of_the_manual_puts_the_date_into_the_head(tmp_path):
    manual = (ROOT / "docs/page-dates.md").read_text("utf-8")
    line = re.search(r"(?m)^ *(\{%.*article:modified_time.*)$", manual)[1]
    template = f"<html><head>{line}</head><body></body></html>"
    built = mkdocs(tmp_path, {"theme/main.html": template}, plugins=[DATED])

    page = (built.output_dir / "index.html").read_text("utf-8")
    assert 'property="article:modified_time" content="2024-05-01"' in page


ARTICLE = """<html><head></head><body>{% set it = article or page %}<i>{{ it.modified }}</i>
<i>{{ it.locale_modified }}</i></body></html>"""


@pytest.fixture
def blog(tmp_path):
    blog = Blog(tmp_path)
    blog.write("old", Category="x")
    blog.write("said", Category="x", Modified="2024-06-01")
    blog.write("ahead", Category="x", Date="2026-01-01")
    blog.write("pages/about")
    for name in ("article", "page"):
        template = tmp_path / "templates" / f"{name}.html"
        template.parent.mkdir(exist_ok=True)
        template.write_text(ARTICLE)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "content")
    git(tmp_path, "commit", "-qm", "all", GIT_COMMITTER_DATE=LATER)
    return blog


def build_blog(blog, **options):
    return blog.build(
        THEME_TEMPLATES_OVERRIDES=[str(blog.folder / "templates")],
        FEED_ALL_ATOM="feed.xml",
        ARTICLE_ORDER_BY="modified",
        SITEMAP=options,
    )


def test_pelican_contents_were_modified_when_git_says_so_if_nobody_else_does(blog):
    built = build_blog(blog, page_dates=True)

    git_says = ["2025-02-03 04:05:06+00:00", "Mon 03 February 2025"]
    assert git_says == values(built, "old.html")
    assert ["2024-06-01 00:00:00+00:00", "Sat 01 June 2024"] == values(
        built, "said.html"
    )
    assert ["", ""] == values(built, "ahead.html")
    assert git_says == values(built, "pages/about.html")


def test_pelican_shows_the_date_of_an_included_file(blog):
    (blog.folder / "content/part.txt").write_text("Part.\n")
    page = ":date: 2024-05-01\n\n.. include:: part.txt\n"
    (blog.folder / "content/whole.rst").write_text(f"Whole\n=====\n\n{page}")
    git(blog.folder, "add", "content")
    git(
        blog.folder,
        "commit",
        "-qm",
        "part",
        GIT_COMMITTER_DATE="2025-03-04T05:06:07+00:00",
    )
    (blog.folder / "content/part.txt").write_text("Another part.\n")
    git(
        blog.folder,
        "commit",
        "-qam",
        "more",
        GIT_COMMITTER_DATE="2025-04-05T06:07:08+00:00",
    )
    built = build_blog(blog, page_dates=True)

    assert "2025-04-05 06:07:08+00:00" == values(built, "whole.html")[0]


def test_pelican_source_that_cannot_be_read_costs_no_other_page_its_date(blog):
    (blog.folder / "content/broken.rst").write_text(
        "Broken\n======\n\n.. include:: no.txt\n"
    )

    assert (
        "2025-02-03 04:05:06+00:00"
        == values(build_blog(blog, page_dates=True), "old.html")[0]
    )


def test_pelican_feeds_and_order_stay_as_they_are(blog):
    names = ("feed.xml", "archives.html", "category/x.html")

    def texts(**options):
        built = build_blog(blog, **options)
        return [(built.output_dir / name).read_text("utf-8") for name in names]

    feed, *lists = texts()
    dated_feed, *dated_lists = texts(page_dates=True)
    titles = re.compile(r"(?:old|said|ahead)\.html")
    assert feed == dated_feed
    assert [*map(titles.findall, lists)] == [*map(titles.findall, dated_lists)]


@pytest.mark.parametrize(
    "host", [MkDocs(), Pelican(), Sphinx()], ids=lambda host: host.name
)
def test_history_is_walked_once(tmp_path, host):
    """A program named git counts the walks, and runs git."""
    calls = tmp_path / "calls"
    path = recording_git(tmp_path / "bin", calls)
    site = Site(
        sources=(Source("index"), Source("guide")), options={"page_dates": True}
    )
    built = host.build(site, tmp_path / "site", PATH=path)

    assert 0 == built.returncode, built.log
    assert "2024-05-01 10:00:00" == built.shown("https://example.com/guide/")
    assert 1 == calls.read_text("utf-8").count("--sparse")


class OnWindows(datetime):
    """A moment before 1970, of which Windows knows no local time."""

    def astimezone(self, tz=None):
        if tz is None:
            raise OSError(22, "Invalid argument")
        return super().astimezone(tz)


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        # Beyond the calendar, as these tests run in Kathmandu.
        (datetime(9999, 12, 31, 23, tzinfo=UTC), "9999-12-31 23:00"),
        (OnWindows(1969, 12, 31, 23, tzinfo=UTC), "1969-12-31 23:00"),
    ],
)
def test_date_without_a_local_time_is_shown_in_utc(moment, shown):
    context = {}
    config = Config({}, {"html_last_updated_fmt": "%Y-%m-%d %H:%M"})
    config.add("html_last_updated_fmt", None, "", (str,))
    show_date(context, moment, config)

    assert {"last_updated": shown} == context
