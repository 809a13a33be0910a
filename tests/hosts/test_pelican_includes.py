"""Files that are opened while Pelican's readers read a page date it."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import pytest
from pelican.plugins import signals
from pelican.readers import MarkdownReader

from tests.full import FULL, full
from tests.hosts.pelican_blog import Blog, lastmods, plugins_of_their_own
from tests.sitemaps.loopback import serving
from tests.sites import git

PAGE_DATE = "2024-05-03T00:00:00+00:00"
SHARED_DATE = "2024-05-09T00:00:00+00:00"
DEEPER_DATE = "2024-05-12T00:00:00+00:00"
RST = "Included\n########\n\n:date: 2024-05-01\n\n{}\n"
MARKDOWN = "Title: Included\nDate: 2024-05-01\n\n{}\n"


@pytest.fixture
def blog(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # Markdown's extensions look for files from here.
    with plugins_of_their_own():
        yield Blog(tmp_path)


def commit(blog, name, text, date):
    file = blog.folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    if not (blog.folder / ".git").exists():
        git(blog.folder, "init", "-q", "-b", "main")
    git(blog.folder, "add", name)
    git(blog.folder, "commit", "-qm", name, GIT_COMMITTER_DATE=date)


def including(blog, name, text, **settings):
    """Return the settings of a blog with an article that includes `shared.txt`.

    It is committed first, then the file; another article includes nothing.
    """
    commit(blog, f"content/{name}", text, PAGE_DATE)
    commit(
        blog,
        "content/alone.md",
        MARKDOWN.format("Text.").replace("Included", "Alone"),
        PAGE_DATE,
    )
    commit(blog, "shared.txt", "Shared text.\n", SHARED_DATE)
    return {"ARTICLE_EXCLUDES": ["code"], "DIRECT_TEMPLATES": [], **settings}


WAYS = {
    "reStructuredText include": ("a.rst", RST.format(".. include:: ../shared.txt"), {}),
    "literal include": (
        "a.rst",
        RST.format(".. include:: ../shared.txt\n   :literal:"),
        {},
    ),
    "a table's file": (
        "a.rst",
        RST.format(".. csv-table:: T\n   :file: ../shared.txt"),
        {},
    ),
    "raw file": ("a.rst", RST.format(".. raw:: html\n   :file: ../shared.txt"), {}),
    "jinja2content include": (
        "a.md",
        MARKDOWN.format("{% include '../shared.txt' %}").replace("../", ""),
        {"PLUGINS": ["jinja2content"], "JINJA2CONTENT_TEMPLATES": [".."]},
    ),
    "jinja2content import": (
        "a.rst",
        RST.format("{% import 'shared.txt' as shared %}Text."),
        {"PLUGINS": ["jinja2content"], "JINJA2CONTENT_TEMPLATES": [".."]},
    ),
    "Markdown-Include": (
        "a.md",
        MARKDOWN.format("{!shared.txt!}"),
        {"PLUGINS": ["md_include"]},
    ),
    "mdx_include": (
        "a.md",
        MARKDOWN.format("{! shared.txt !}"),
        {"MARKDOWN": {"extensions": ["mdx_include", "markdown.extensions.meta"]}},
    ),
    "PyMdown Snippets": (
        "a.md",
        MARKDOWN.format('--8<-- "shared.txt"'),
        {"MARKDOWN": {"extensions": ["pymdownx.snippets", "markdown.extensions.meta"]}},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_included_file_dates_the_page(blog, way):
    name, text, settings = WAYS[way]
    plugins = [*settings.get("PLUGINS", ()), "sitemap_plugins.pelican"]
    built = blog.build(
        **including(blog, name, text, **{**settings, "PLUGINS": plugins})
    )

    dates = lastmods(built)
    assert SHARED_DATE == dates["included.html"]
    assert PAGE_DATE == dates["alone.html"]
    html = (built.output_dir / "included.html").read_text()
    assert "Shared text." in html or "import" in way


@pytest.mark.parametrize(
    "way",
    ["Markdown-Include", "mdx_include", "PyMdown Snippets", "reStructuredText include"],
)
def test_nested_include_dates_the_page(blog, way):
    name, text, settings = WAYS[way]
    plugins = [*settings.get("PLUGINS", ()), "sitemap_plugins.pelican"]
    settings = including(blog, name, text, **{**settings, "PLUGINS": plugins})
    deeper = (
        text.partition("\n\n")[2].replace("shared.txt", "deeper.txt").replace("../", "")
    )
    commit(
        blog,
        "shared.txt",
        deeper.partition(":date: 2024-05-01\n\n")[2] or deeper,
        SHARED_DATE,
    )
    commit(blog, "deeper.txt", "Deeper text.\n", DEEPER_DATE)
    built = blog.build(**settings)

    assert "Deeper text." in (built.output_dir / "included.html").read_text()
    assert DEEPER_DATE == lastmods(built)["included.html"]


def test_a_template_that_two_pages_include_dates_both(blog):
    """Jinja loads it once, for the first of them."""
    name, text, settings = WAYS["jinja2content include"]
    plugins = [*settings["PLUGINS"], "sitemap_plugins.pelican"]
    settings = including(blog, name, text, **{**settings, "PLUGINS": plugins})
    commit(blog, "content/b.md", text.replace("Included", "Second"), PAGE_DATE)
    dates = lastmods(blog.build(**settings))

    assert (SHARED_DATE, SHARED_DATE) == (dates["included.html"], dates["second.html"])


@pytest.mark.parametrize("layer", ["reader", "generator"])
def test_a_cached_page_keeps_what_it_includes(blog, layer):
    name, text, _ = WAYS["reStructuredText include"]
    cache = {
        "CACHE_CONTENT": True,
        "LOAD_CONTENT_CACHE": True,
        "CONTENT_CACHING_LAYER": layer,
    }
    settings = including(blog, name, text, **cache)
    first = blog.build(**settings)
    again = Blog(blog.folder).build(**settings)

    assert SHARED_DATE == lastmods(first)["included.html"]
    assert lastmods(again) == lastmods(first)


@pytest.mark.parametrize("layer", ["reader", "generator"])
def test_a_cached_page_has_no_date_if_what_it_includes_has_changed(blog, layer, capsys):
    """Pelican's cache looks at the page's own file only, so the old text is shown."""
    name, text, _ = WAYS["reStructuredText include"]
    cache = {
        "CACHE_CONTENT": True,
        "LOAD_CONTENT_CACHE": True,
        "CONTENT_CACHING_LAYER": layer,
    }
    settings = including(blog, name, text, **cache)
    blog.build(**settings)
    commit(blog, "shared.txt", "Newer text.\n", DEEPER_DATE)
    again = Blog(blog.folder).build(**settings)

    assert "Shared text." in (again.output_dir / "included.html").read_text()
    assert {"included.html": None, "alone.html": PAGE_DATE}.items() <= lastmods(
        again
    ).items()
    printed = capsys.readouterr().out
    assert (
        "shows an old 'shared.txt' from Pelican's cache, so it has no date" in printed
    )
    renewed = Blog(blog.folder).build(**{**settings, "LOAD_CONTENT_CACHE": False})
    assert DEEPER_DATE == lastmods(renewed)["included.html"]


def test_markdown_settings_are_unchanged(blog):
    """Plugins share them, and Pelican's next reader and each page's tags keep them."""
    blog.write("one", Tags="t")
    site = blog.object()
    tags = []
    signals.article_generator_finalized.connect(
        lambda made: tags.extend(made.tags), weak=False
    )
    site.run()

    assert [True] == [tag.settings is site.settings for tag in tags]
    assert all(
        isinstance(name, str) for name in site.settings["MARKDOWN"]["extensions"]
    )


LIQUID_TAGS = "pelican.plugins.liquid_tags.mdx_liquid_tags"
NOTEBOOK = """{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["%s text."]}],
"metadata": {}, "nbformat": 4, "nbformat_minor": 4}"""


@FULL
@pytest.mark.parametrize(
    ("tag", "file"),
    [
        ("{% include_code one.txt lang:text Title %}", "code/one.txt"),
        full("{% notebook\none.ipynb cells[0:] %}", "downloads/one.ipynb"),
        full("{%notebook one.ipynb%}", "downloads/one.ipynb"),
    ],
)
def test_file_of_a_liquid_tag_dates_the_page(blog, tag, file):
    """As in the articles of Pythonic Perambulations."""
    shown = f"`{{% img one.txt %}}` {tag}"
    settings = including(blog, "a.md", MARKDOWN.format(shown), NOTEBOOK_DIR="downloads")
    commit(blog, f"content/{file}", NOTEBOOK % "Shown", SHARED_DATE)
    plugins = ["liquid_tags", "sitemap_plugins.pelican"]
    tags = ["include_code", "notebook"]
    built = blog.build(**settings, PLUGINS=plugins, LIQUID_TAGS=tags)

    assert "Shown text." in (built.output_dir / "included.html").read_text()
    dates = lastmods(built)
    assert SHARED_DATE == dates["included.html"]
    assert PAGE_DATE == dates["alone.html"]


def test_liquid_tag_that_is_not_enabled_is_text(blog, monkeypatch):
    monkeypatch.setattr(f"{LIQUID_TAGS}._LiquidTagsPreprocessor._tags", {})
    settings = including(blog, "a.md", MARKDOWN.format("{% notebook none.ipynb %}"))
    built = blog.build(**settings, PLUGINS=["liquid_tags", "sitemap_plugins.pelican"])

    assert PAGE_DATE == lastmods(built)["included.html"]


class ReaderOfAnotherPlugin(MarkdownReader):
    """Fills tables from files, in a syntax of its own; with settings for all pages."""

    def read(self, source_path):
        settings = Path("settings.json").read_text()
        content, metadata = super().read(source_path)
        name = re.search("table=([^<]+)", content)
        if name and "://" in name[1]:
            return urllib.request.urlopen(name[1]).read().decode(), metadata
        return f"{content}{settings}{name and Path(name[1]).read_text()}", metadata


@pytest.fixture
def other_reader(blog):
    def add(readers):
        readers.reader_classes["md"] = ReaderOfAnotherPlugin

    signals.readers_init.connect(add, weak=False)
    commit(blog, "settings.json", "{}", DEEPER_DATE)
    for number in range(8):
        text = MARKDOWN.format("Text.").replace("Included", str(number))
        commit(blog, f"content/{number}.md", text, PAGE_DATE)
    return blog


def test_reader_of_another_plugin_is_observed_too(other_reader):
    """What nearly all pages open is part of none."""
    text = MARKDOWN.format("table=shared.txt")
    built = other_reader.build(**including(other_reader, "a.md", text))

    assert "Shared text." in (built.output_dir / "included.html").read_text()
    dates = lastmods(built)
    assert dates["included.html"] == SHARED_DATE
    assert {dates[f"{number}.html"] for number in range(8)} == {PAGE_DATE}


def test_page_whose_reader_requests_a_url_has_no_date(other_reader, tmp_path, capsys):
    (tmp_path / "served").mkdir()
    (tmp_path / "served/part.txt").write_text("From afar")
    with serving(tmp_path / "served") as server:
        url = f"{server.url}part.txt"
        text = MARKDOWN.format(f"table={url}")
        built = other_reader.build(**including(other_reader, "a.md", text))

    assert "From afar" in (built.output_dir / "included.html").read_text()
    dates = lastmods(built)
    assert dates["included.html"] is None
    assert {dates[f"{number}.html"] for number in range(8)} == {PAGE_DATE}
    assert f"includes '{url}', whose date is unknown" in capsys.readouterr().out


TEMPLATES = {
    "news": "{% for each in articles %}{{ each.content }}{% endfor %}",
    "table": "{%- for each in rows %}{{ each }}{% endfor %}",
    "wide": "<b>{{ page.title }}</b>",
}


def test_page_whose_own_template_repeats_something_has_no_date(blog, capsys):
    """As the news of solr.apache.org, and its tables of what a plugin has read."""
    settings = including(blog, "a.rst", RST.format("Text."))
    for name, shown in TEMPLATES.items():
        block = f"{{% block content %}}{shown}{{{{ page.content }}}}{{% endblock %}}"
        text = f"{{% extends 'page.html' %}}{block}"
        commit(blog, f"templates/{name}.html", text, PAGE_DATE)
        page = f"Title: {name}\nTemplate: {name}\n\nText.\n"
        commit(blog, f"content/pages/{name}.md", page, PAGE_DATE)

    overrides = {"THEME_TEMPLATES_OVERRIDES": [str(blog.folder / "templates")]}
    dates = lastmods(blog.build(**settings, **overrides))

    assert dates["pages/news.html"] is None
    assert dates["pages/table.html"] is None
    assert dates["pages/wide.html"] == PAGE_DATE
    why = "the page has the template 'news', which can show other pages, so it has no"
    assert why in capsys.readouterr().out


def test_settings_of_docutils_date_no_page(blog):
    commit(blog, "docutils.conf", "[general]\n", DEEPER_DATE)
    settings = including(blog, "a.rst", RST.format("Text."))

    assert lastmods(blog.build(**settings))["included.html"] == PAGE_DATE
