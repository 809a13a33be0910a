"""The judge of `nox -s truth`, on three repositories whose whole truth is known."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.truth import building, observe, sites
from benchmarks.truth.__main__ import OURS, RECORD, passed_over
from benchmarks.truth.bodies import Bodies, Body
from benchmarks.truth.excerpts import excerpts
from benchmarks.truth.history import History
from benchmarks.truth.judge import Verdicts, _with_noted, judge
from benchmarks.truth.pages import Head, Site, googlebots_rules, may_fetch
from benchmarks.truth.reading import seen
from tests.full import FULL
from tests.git_repository import GitRepository

# They are tests of `nox -s truth`.
pytestmark = FULL

ROOT = Path(__file__).parents[1]
BASE_URL = "https://example.com/docs/"
FIRST, SECOND, THIRD, FOURTH = (
    int(datetime(2020 + number, 5, 4, 12, tzinfo=UTC).timestamp())
    for number in range(4)
)
MKDOCS = {
    "mkdocs.yml": f"""\
site_name: Small
site_url: {BASE_URL}
theme:
  name: mkdocs
  custom_dir: theme
markdown_extensions:
  - pymdownx.snippets
plugins:
  # The usual one.
  - search
""",
    "theme/main.html": """\
{% extends "base.html" %}
{% block extrahead %}<meta name="robots" content="{{ page.meta.robots }}">{% endblock %}
""",
    "docs/index.md": "# Home\n",
    "docs/hidden.md": "---\nrobots: noindex\n---\n# Hidden\n",
    "docs/stated.md": "---\nlast_modified: 2020-01-02\n---\n# Stated\n",
    "docs/includes.md": '# Includes\n\n--8<-- "part.txt"\n',
    "docs/old.md": "# Moved\n\nThis page is moved, and nothing of it changes.\n",
    "docs/a & b.md": "# A & B\n",
    "part.txt": "First.\n",
}
SPHINX = {
    "conf.py": f'project = "Small"\nextensions = []\nhtml_baseurl = "{BASE_URL}"\n',
    "index.rst": "Home\n====\n\n.. toctree::\n   :glob:\n\n   *\n",
    "hidden.rst": ".. meta::\n   :robots: noindex\n\nHidden\n======\n",
    "stated.rst": ":last_modified: 2020-01-02\n\nStated\n======\n",
    "includes.rst": "Includes\n========\n\n.. include:: part.txt\n",
    "old.rst": "Moved\n=====\n\nThis page is moved, and nothing of it changes.\n",
    "a & b.rst": "A & B\n=====\n",
    "part.txt": "First.\n",
}
PELICAN = {
    "pelicanconf.py": f"""\
SITENAME, SITEURL, TIMEZONE, PATH = "Small", "{BASE_URL[:-1]}", "UTC", "content"
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None
AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
DIRECT_TEMPLATES, AUTHOR_SAVE_AS, CATEGORY_SAVE_AS, TAG_SAVE_AS = ["index"], "", "", ""
# Pelican 4.12 gives no article DEFAULT_CATEGORY if CATEGORY_SAVE_AS is empty; its theme needs one.
DEFAULT_METADATA = {{"category": "misc"}}
DOCUTILS_SETTINGS = {{"file_insertion_enabled": True}}
""",
    "content/hidden.rst": "Hidden\n######\n\n:date: 2020-01-01\n:status: hidden\n",
    "content/stated.rst": "Stated\n######\n\n:date: 2020-01-01\n:modified: 2020-01-02\n\nText\n",
    "content/includes.rst": (
        "Includes\n########\n\n:date: 2020-01-01\n\n.. include:: ../part.txt\n"
    ),
    "content/old.rst": "Moved\n#####\n\n:date: 2020-01-01\n:slug: moved\n\nNothing changes.\n",
    "content/a.rst": "A & B\n#####\n\n:date: 2020-01-01\n:save_as: a & b.html\n:url: a & b.html\n",
    "part.txt": "First.\n",
}


class Small:
    """A repository with a known history, cloned and built as the benchmark does it."""

    def __init__(
        self, folder: Path, generator: str, tree: dict[str, str], settings: str
    ) -> None:
        made = GitRepository(folder / "mirrors/owner+small")
        made.commit(tree, time=FIRST)
        tree = tree | {"part.txt": "Second.\n"}
        made.commit(tree, time=SECOND)
        old = next(path for path in tree if Path(path).stem == "old")
        tree = {path: text for path, text in tree.items() if path != old} | {
            str(Path(old).with_stem("new")): tree[old]
        }
        spaced = next(path for path in tree if Path(path).stem in {"a & b", "a"})
        tree = tree | {spaced: tree[spaced] + "\n\n"}
        made.commit(tree, time=THIRD)
        index = next(path for path in tree if Path(path).stem in {"index", "stated"})
        tree = tree | {index: tree[index] + "\nReformatted.\n"}
        made.commit(tree, time=FOURTH)
        ignored = made.write(checkout=False)[-1]
        made.commit(
            tree | {".git-blame-ignore-revs": f"{ignored}  # Style\n"}, time=FOURTH + 60
        )
        commit = made.write(checkout=False)[-1]
        self.site = sites.Site(
            "small", "owner/small", commit, generator, settings, BASE_URL, ()
        )
        self.folder = folder / "small"
        self.folder.mkdir()
        self.git_dir = building.repository(self.site, self.folder, folder / "mirrors")
        (self.folder / "env").symlink_to(sys.prefix, target_is_directory=True)

    def build(
        self, name: str, options: building.Options | None = None
    ) -> building.Built:
        tool = building.Tool(name, options or {})
        key = str(options)
        return building.build(self.site, self.folder, self.git_dir, tool, key=key)

    def judged(self, built: building.Built) -> Verdicts:
        return judge(built, BASE_URL, History(built.source))


HOSTS = {
    "mkdocs": (MKDOCS, "mkdocs.yml"),
    "sphinx": (SPHINX, "conf.py"),
    "pelican": (PELICAN, "pelicanconf.py"),
}


@pytest.fixture(params=HOSTS, scope="module")
def small(request, tmp_path_factory) -> Small:
    return Small(tmp_path_factory.mktemp("truth"), request.param, *HOSTS[request.param])


def test_repository_is_cloned_from_github_without_mirrors(small, tmp_path, monkeypatch):
    """Git itself replaces the address, as there is no network in tests."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{small.git_dir}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/owner/small")
    (tmp_path / "repository.git").mkdir()  # A clone that was stopped.

    cloned = building.repository(small.site, tmp_path, None)
    again = building.repository(small.site, tmp_path, None)

    head = subprocess.check_output(
        ["git", "--git-dir", cloned, "rev-parse", "HEAD"], text=True
    )
    assert (small.site.commit, cloned) == (head.strip(), again)


FOUND = {
    "mkdocs": (
        {"urls": 6, "fine": 5, "not to be indexed": 1, "false": 6},
        {"urls": 5, "fine": 5, "true": 2, "unseen": 1, "moves": 1, "ignored": 1},
    ),
    "sphinx": (
        {
            "urls": 8,
            "fine": 6,
            "not to be indexed": 2,
            "true": 3,
            "absent": 2,
            "late": 3,
        },
        {"urls": 5, "fine": 5, "true": 2, "unseen": 1, "moves": 1, "ignored": 1},
    ),
    # pelican-sitemap's file ends at the first "&" for a parser.
    "pelican": (
        {"urls": 1, "fine": 1, "missing": 4, "unreadable": 1, "false": 1},
        {"urls": 5, "fine": 5, "true": 3, "unseen": 1, "moves": 1},
    ),
}


def test_both_tools_are_judged_by_the_known_truth(small):
    usual, ours = FOUND[small.site.generator]

    built = small.build(building.USUAL[small.site.generator])
    assert usual == small.judged(built).counts
    assert ours == small.judged(small.build(building.OURS)).counts


def test_dates_that_passed_over_what_readers_do_not_see_are_counted(small):
    """The move and the ignored commit are passed over with `changes: any`, too."""
    built = small.build(OURS.name, OURS.options)

    assert passed_over(built.output_dir / RECORD) == 1


LATE = {"mkdocs": 1, "sphinx": 1, "pelican": 2}
"""Pelican's home page lists the article."""


def test_date_of_what_readers_do_not_see_is_late(small):
    """So is `changes: any`, which takes the blank lines at the end of a page."""
    _, ours = FOUND[small.site.generator]

    built = small.build(building.OURS, {"changes": "any"})
    found = small.judged(built).counts

    late = LATE[small.site.generator]
    true = ours["true"] + 1 - late
    assert ours | {"unseen": 0, "late": late, "true": true} == found | {"unseen": 0}


INCLUDES = r"(<loc>[^<]*includes[^<]*</loc>\s*<lastmod>)"
INDEX = rf"(<loc>{BASE_URL}</loc>\s*<lastmod>)"
LIES = [
    ("mkdocs", rf"{INCLUDES}2021", r"\g<1>2020", "false"),
    ("mkdocs", rf"{INCLUDES}2021-05-04", r"\g<1>2021-05-05", "false"),
    ("mkdocs", r"<url>\s*<loc>[^<]*includes.*?</url>", "", "missing"),
    ("mkdocs", r"includes", "gone", "dead"),
    ("mkdocs", r"<loc>https://example.com/", "<loc>https://example.org/", "dead"),
    ("mkdocs", r"(<url>\s*<loc>[^<]*includes.*?</url>)", r"\1\1", "twice"),
    ("mkdocs", rf"{INCLUDES}[^<]*</lastmod>", r"\1</lastmod>", "absent"),
    # The home page of a blog lists its articles.
    ("pelican", rf"{INDEX}2021", r"\g<1>2020", "false"),
    ("pelican", rf"{INDEX}[^<]*", r"\g<1>2024-05-04", "false"),
    ("pelican", rf"{INDEX}[^<]*", r"\g<1>2021-05-05", "false"),
]


@pytest.mark.parametrize(
    ("small", "pattern", "replacement", "verdict"), LIES, indirect=["small"]
)
def test_judge_finds_what_is_false_in_a_sitemap_of_ours(
    small, pattern, replacement, verdict
):
    built = small.build(building.OURS)
    sitemap = built.output_dir / "sitemap.xml"
    text = sitemap.read_text("utf-8")
    lie, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
    assert count == 1
    try:
        sitemap.write_text(lie, "utf-8")
        assert small.judged(built).counts[verdict] == 1
    finally:
        sitemap.write_text(text, "utf-8")


class Lists:
    """Built pages by their output files, without a generator."""

    def __init__(self, folder: Path, pages: dict[str, str], lists: set[str]) -> None:
        for file, html in pages.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(html, "utf-8")
        site = Site(folder, BASE_URL, lambda _: (200, ""))
        urls = {file: BASE_URL + file for file in pages}
        self.bodies = Bodies(folder, site, urls, lists)


SIDEBAR = '<aside><a href="a.html">Newest</a></aside><div><a href="a.html">A</a></div>'
PAGES = {
    "a.html": f'{SIDEBAR}<article><h1>A</h1><a href="b.html">see this</a></article>',
    "b.html": f"{SIDEBAR}<article><h1>B</h1></article>",
    "c.html": f'{SIDEBAR}<article><h1>C</h1><a href="o/d.html">D</a></article>',
    "o/d.html": f"{SIDEBAR}<article><h1>D</h1></article>",
}


@pytest.mark.parametrize(
    ("body", "surely", "perhaps"),
    [
        ('<h2><a href="b.html">B</a></h2>', {"b.html"}, set()),
        # A sidebar without an element of its own is on every page.
        (f'{SIDEBAR}<p><a href="b.html">B</a>', {"b.html"}, set()),
        (f'{SIDEBAR}<p><a href="a.html">A</a>', {"a.html"}, set()),
        # The beginning of a page has its links; but a title is no mention.
        (
            '<a href="a.html">A</a> <a href="a.html">A</a> <a href="b.html">see this</a>',
            {"a.html"},
            {"b.html"},
        ),
        (
            '<a href="a.html">A</a> <a href="a.html">A</a> <a href="b.html">B</a>',
            {"a.html", "b.html"},
            set(),
        ),
        # The titles of pages of another kind are mentions.
        (
            '<a href="b.html">B</a> <a href="c.html">see that</a> <a href="o/d.html">D</a>',
            {"b.html", "c.html"},
            {"o/d.html"},
        ),
        # Pelican's theme has the newest article in an aside, its title in a header.
        (
            '<aside><article><header><a href="b.html">B</a></header></article></aside>',
            {"b.html"},
            set(),
        ),
        ('<header><a href="b.html">B</a></header>', set(), set()),
        ('<nav><a href="b.html">B</a></nav>', set(), set()),
        # Servers complete addresses.
        (f'<a href="{BASE_URL}b">B</a>', {"b.html"}, set()),
    ],
)
def test_pages_of_a_list_are_those_of_its_own_content(tmp_path, body, surely, perhaps):
    pages = {**PAGES, "list.html": body}
    found = Lists(tmp_path, pages, {"list.html"}).bodies.listed("list.html")
    assert (surely, perhaps) == found


def test_page_that_shows_a_line_of_another_file_is_as_new_as_that(tmp_path):
    """A hook can read a file before the first page;
    no recorder of opened files sees it."""
    line = "The news of this month are longer than eight words, as here."
    other = "Something else that is hardly the same in two texts by chance."
    made = GitRepository(tmp_path)
    made.commit({"news.txt": f"{other}\n"}, time=FIRST)
    made.commit({"news.txt": f"{other}\n{line}\n"}, time=SECOND)
    made.write(checkout=True)
    bodies = {
        "news.html": Body(f"<main><p>{line}</p></main>"),
        "own.html": Body(f"<main><p>{line}</p></main>"),
        "old.html": Body(f"<main><p>{other}</p></main>"),
        "none.html": Body("<main><p>Words that no file has, but this page.</p></main>"),
        "next.html": Body(f'<main><a href="news.html">{line}</a></main>'),
        "chance.html": Body(f"<main><p>{line}</p></main>"),
    }
    # A sign in a line begins no tag that ends in another one.
    own = {"own.html": f"1 < 2\n{line}\n2 > 1"}
    texts = {"news.txt": f"{other}\n{line}\n"}

    found = excerpts(
        bodies,
        texts,
        own=lambda file: own.get(file, ""),
        can_show=lambda file, _: file != "chance.html",
        history=History(tmp_path),
    )

    moments = {name: int(each.added.timestamp()) for name, each in found.items()}
    assert moments == {"news.html": SECOND, "old.html": FIRST}


def test_a_canonical_url_can_lack_the_slash_of_its_folder():
    head = Head('<head><link rel="canonical" href="https://example.com/blog"></head>')

    assert "" == head.why_not_indexed("https://example.com/blog/")
    assert head.why_not_indexed("https://example.com/")


@pytest.mark.parametrize("small", ["mkdocs"], indirect=True)
@pytest.mark.parametrize(
    ("head", "count"),
    [
        ('<meta content="NOINDEX, follow" name=robots>', 1),
        ('<meta http-equiv="refresh" content="0; url=/">', 1),
        ('<link rel="canonical" href="https://example.com/elsewhere">', 1),
        ('<meta http-equiv="refresh" content="300">', 0),
        ('<meta name="robots" content="max-image-preview: none">', 0),
    ],
)
def test_judge_reads_what_pages_say_to_search_engines(small, head, count):
    built = small.build(building.OURS)
    page = built.output_dir / next(
        name for name in built.record["pages"] if "includes" in name
    )
    text = page.read_text("utf-8")
    try:
        page.write_text(text.replace("<head>", f"<head>{head}", 1), "utf-8")
        assert small.judged(built).counts["not to be indexed"] == count
    finally:
        page.write_text(text, "utf-8")


@pytest.mark.parametrize("small", ["mkdocs"], indirect=True)
def test_a_finished_build_is_not_repeated(small):
    built = small.build(building.OURS)
    before = built.output_dir.stat().st_mtime_ns
    again = small.build(building.OURS)
    assert (built, before) == (again, again.output_dir.stat().st_mtime_ns)


FRONT = "---\ntitle: T\n---\n"
TAGS = "---\ntitle: T\ntags:\n  - a\n---\n"
NOTEBOOK = '{"cells": [{"cell_type": "code", "source": ["%s"], "outputs": [], "metadata": %s}]}'
POST = ":slug: a\n\nWord\n"
ARTICLE = "Title: T\nDate: 2020-01-01\n"


@pytest.mark.parametrize(
    ("path", "before", "after", "is_same"),
    [
        ("a.md", FRONT + "Word.\n", TAGS + "Word. \n\n\n", True),
        ("a.md", FRONT + "{{ tags }}\n", TAGS + "{{ tags }}\n", False),
        ("a.md", FRONT, FRONT.replace("T", "U"), False),
        ("a.md", FRONT, FRONT.replace("title: T", "title: T\nhero: true"), False),
        ("a.md", "One\n\ntwo\n", "\ufeffOne\r\n\r\n\r\ntwo\r\n", True),
        ("a.md", "One\ntwo\n", "One two\n", False),
        ("a.md", "One\ntwo\n", "One  \ntwo\n", False),
        ("a.md", "One\n\ntwo\n", "One\ntwo\n", False),
        ("a.md", "# One\ntwo\n", "# One\n\ntwo\n", True),
        ("a.md", "- one\n- b\n", "- one\n  - b\n", False),
        ("a.md", "One\n", "One\n\n<!-- Check this again -->\n", True),
        ("a.md", "One\n", "<!--\nSPDX-FileCopyrightText: we\n-->\n\nOne\n", True),
        ("a.md", "One\n\ntwo\n", "One\n\n<!-- more -->\n\ntwo\n", False),
        ("a.md", "```\n<!-- a b -->\n```\n", "```\n<!-- b c -->\n```\n", False),
        ("a.md", "```\na\n\nb\n```\n", "```\na\n\n\nb\n```\n", False),
        ("a.md", "```\na\n```\n\nb\n", "```\na\n```\n\n\nb\n", True),
        ("a.rst", "One\ntwo\n", "One two\n", True),
        ("a.rst", "::\n\n  one\n  two\n", "::\n\n  one two\n", False),
        ("a.rst", "T\n=\n\n:tags: a\n" + POST, "T\n=\n\n:tags: b\n" + POST, True),
        ("a.rst", "=\nT\n=\n:tags: a\n" + POST, "=\nT\n=\n:tags: b\n" + POST, True),
        ("a.rst", "T\n=\n\n:slug: a\n \nWord\n", "T\n=\n\n" + POST, True),
        ("a.rst", "T\n=\n\n:tags: a\n\nWord\n", "T\n=\n\n:tags: b\n\nWord\n", False),
        ("a.rst", ":tags: a\n\nWord\n", ":tags: b\n\nWord\n", True),
        ("a.rst", ":title: a\n\nWord\n", ":title: b\n\nWord\n", False),
        ("a.md", ARTICLE + "Tags: a\n\nWord\n", ARTICLE + "Tags: b\n\nWord\n", True),
        ("a.md", "Title: T\nTags: a\n\nWord\n", "Title: T\nTags: b\n\nWord\n", False),
        ("a.html", "<p>a  b</p>", "<p>a b</p>", False),
        ("a.ipynb", NOTEBOOK % ("a", "{}"), NOTEBOOK % ("a", '{"name": "b"}'), True),
        ("a.ipynb", NOTEBOOK % ("a", "{}"), NOTEBOOK % ("b", "{}"), False),
    ],
)
def test_judge_reads_sources_as_readers_do(path, before, after, is_same):
    assert is_same == (seen(path, before.encode()) == seen(path, after.encode()))


HOSTS_OF_OBSERVE = {"blinker", "jinja2", "nikola", "pelican", "sphinx", "zensical"}


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("benchmarks/truth/*.py")), ids=lambda f: f.name
)
def test_benchmark_shares_no_code_with_the_package(file):
    nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
    modules = {
        alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    hosts = HOSTS_OF_OBSERVE if file.name == "observe.py" else {"griffe"}
    others = {name for name in modules if not name.startswith("benchmarks.truth")}
    assert {
        name.partition(".")[0] for name in others
    } <= sys.stdlib_module_names | hosts


def test_what_nikola_notes_of_a_page_is_read_for_it(tmp_path):
    source = tmp_path / "source"
    for name in ("posts/a.rst", "posts/b.rst", "part.txt", "cache/posts/a.html.dep"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("part.txt")
    pages = {"a.html": [str(source / "posts/a.rst")], "b.html": [None]}
    pages["c.html"] = [str(source / "posts/b.rst")]
    record = {"seconds": 0, "build": 0, "pages": pages, "elsewhere": []}

    found = _with_noted(building.Built(source, tmp_path / "site", record, ""))
    assert found == pages | {"a.html": [*pages["a.html"], str(source / "part.txt")]}


def test_documents_of_antora_are_read_with_what_they_include(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "modules/a/pages/page.adoc": (
            "include::partial$part.adoc[]\n"
            "include::b:example$code.rb[lines=1..2]\n"
            "include::docs:b:page$other.adoc[]\n"
            "include::near.adoc[]\n"
            "include::partial$gone.adoc[]\n"
            "// include::partial$comment.adoc[]\n"
        ),
        "modules/a/pages/near.adoc": "",
        "modules/a/partials/part.adoc": "include::1.0@docs:b:partial$inner.adoc[]\n",
        "modules/a/partials/comment.adoc": "",
        "modules/b/partials/inner.adoc": "",
        "modules/b/examples/code.rb": "include::partial$part.adoc[]\n",
        "modules/b/pages/other.adoc": "",
        "modules/b/partials/part.adoc": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")

    found = observe.included(Path("modules/a/pages/page.adoc"))

    assert [file.as_posix() for file in found] == [
        "modules/a/pages/page.adoc",
        "modules/a/partials/part.adoc",
        "modules/b/examples/code.rb",
        "modules/b/pages/other.adoc",
        "modules/a/pages/near.adoc",
        "modules/b/partials/inner.adoc",
    ]


PROGRAM = """\
#!/bin/sh
for page in {pages}; do mkdir -p $(dirname $page); echo > $page; done
"""


@pytest.mark.skipif(os.name == "nt", reason="a program of the shell")
@pytest.mark.parametrize(
    ("generator", "program", "files", "pages", "expected"),
    [
        (
            "antora",
            "antora",
            {
                "antora.yml": "name: docs\nversion: '1.0'\n",
                "modules/ROOT/pages/index.adoc": "= Home\n",
                "modules/a/pages/b.adoc": "include::partial$c.adoc[]\n",
                "modules/a/partials/c.adoc": "",
            },
            "build/site/docs/1.0/index.html build/site/docs/1.0/a/b/index.html",
            {
                "docs/1.0/index.html": ["modules/ROOT/pages/index.adoc"],
                "docs/1.0/a/b/index.html": [
                    "modules/a/pages/b.adoc",
                    "modules/a/partials/c.adoc",
                ],
            },
        ),
        (
            "starlight",
            "astro",
            {
                "src/content/docs/index.mdx": 'import Part from "../part.mdx"\n',
                "src/content/docs/a/b.md": 'import { Card } from "@astrojs/starlight"\n',
                "src/content/part.mdx": "",
            },
            "dist/index.html",
            {
                "index.html": ["src/content/docs/index.mdx", "src/content/part.mdx"],
                "a/b/index.html": ["src/content/docs/a/b.md"],
            },
        ),
    ],
)
def test_programs_of_node_are_run_and_their_documents_noted(
    tmp_path, generator, program, files, pages, expected
):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / program).write_text(PROGRAM.format(pages=pages), "utf-8")
    (programs / program).chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, str(ROOT / "benchmarks/truth/observe.py")]
    command += ["record.json", "any", "-m", generator]

    subprocess.run(command, cwd=tmp_path, env={"PATH": path}, check=True)

    record = json.loads((tmp_path / "record.json").read_text("utf-8"))
    found = {}
    for page, sources in record["pages"].items():
        found[page] = [Path(each).relative_to(tmp_path).as_posix() for each in sources]
    assert (expected, None) == (found, record["seconds"])


ROBOTS = """
User-agent: Bingbot
Disallow: /

User-agent: Googlebot
User-agent: other
Disallow: /*/private/
Disallow: /a/
Allow: /a/b/
Disallow: /*.pdf$
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("", True),
        ("x/private/", False),
        ("a/", False),
        ("a/b/", True),
        ("a.pdf", False),
    ],
)
def test_judge_reads_robots_txt_as_googlebot_does(path, allowed):
    rules = googlebots_rules(ROBOTS)
    assert allowed == may_fetch(rules, f"https://example.com/{path}")


def test_list_names_thirty_sites_of_every_generator():
    listed = sites.read(ROOT / "benchmarks/truth/sites.toml")
    assert len(listed.sites) >= 30
    assert {site.generator for site in listed.sites} == building.USUAL.keys()
    assert all(re.fullmatch("[0-9a-f]{40}", site.commit) for site in listed.sites)
    # Nothing of a clone is installed.
    assert not [
        p for site in listed.sites for p in site.packages if p.startswith((".", "-e"))
    ]


def test_page_is_about_the_list_and_cited_with_its_own_numbers():
    listed = sites.read(ROOT / "benchmarks/truth/sites.toml")
    page = (ROOT / "docs/truth.md").read_text("utf-8")
    links = [f"{site.repository}/tree/{site.commit})" for site in listed.sites]
    assert [] == [link for link in links if link not in page]
    assert [] == [name for name in listed.not_built if f"- {name}: " not in page]

    found = re.search(
        r"On (\d+) sites, git can decide ([\d,]+) dates of the usual tools, of which ([\d,]+) are"
        r" false, and ([\d,]+) of ours, of which (\d+) are false \([\d,]+ of theirs and ([\d,]+)",
        page,
    )
    between = found.groups()[-1]
    for name, others in (("README.md", set()), ("docs/index.md", {between})):
        text = " ".join((ROOT / name).read_text("utf-8").split())
        cited = set(found.groups()) - others
        assert [] == [number for number in cited if number not in text], name
