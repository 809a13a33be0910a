"""Dates of pages that include files, with the real extensions and plugins."""

from __future__ import annotations

import os
import secrets
import sysconfig

import pytest

from tests.full import FULL, full
from tests.hosts.mkdocs_project import BASE, build, commit, write
from tests.sitemaps.loopback import serving
from tests.sites import NEWS, ProperDocs, git

OLD = "2020-01-01T00:00:00+00:00"


def commit_in_two(folder, *newer):
    """Commit all files at one time, and then the given ones at a later one."""
    texts = {name: (folder / name).read_text("utf-8") for name in newer}
    for name in newer:
        (folder / name).write_text("before\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "old", GIT_COMMITTER_DATE=OLD)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    if texts:
        git(folder, "commit", "-qam", "new", GIT_COMMITTER_DATE=NEWS)


def dates(built):
    return {
        loc.removeprefix(BASE): entry.get("lastmod")
        for loc, entry in built.entries.items()
    }


# Each as a real site writes it.
ONE_LINE = '--8<-- "CONTRIBUTING.md"\n'  # mkdocs/mkdocs, astral-sh/uv
SNIPPETS = {
    "one line": ({}, ONE_LINE),
    "block": ({}, "--8<--\nCONTRIBUTING.md\n--8<--\n"),
    "lines": ({}, '```\n--8<-- "CONTRIBUTING.md:2:2"\n```\n'),
    "section": ({}, '--8<-- "CONTRIBUTING.md:part"\n'),
    "indented": ({}, '!!! note\n    --8<-- "CONTRIBUTING.md"\n'),
    "folder": ({"base_path": ["docs", "."]}, ONE_LINE),
    "file as base": ({"base_path": ["CONTRIBUTING.md"]}, ONE_LINE),
}


@pytest.mark.parametrize(("options", "text"), SNIPPETS.values(), ids=SNIPPETS)
def test_snippets_date_the_pages_that_include_them(tmp_path, options, text):
    pytest.importorskip("pymdownx")
    write(
        tmp_path,
        {
            "CONTRIBUTING.md": "# --8<-- [start:part]\nHelp\n# --8<-- [end:part]\n",
            "docs/about/contributing.md": text,
        },
        markdown_extensions=[{"pymdownx.snippets": options | {"check_paths": True}}],
    )
    commit_in_two(tmp_path, "CONTRIBUTING.md")
    built = build(tmp_path, "--strict")

    assert "Help" in (built.output_dir / "about/contributing/index.html").read_text()
    assert {"": OLD, "about/contributing/": NEWS} == dates(built)


@pytest.mark.parametrize(
    ("base_path", "place"),
    [
        (".", "part.md"),
        ([".", ".."], "part.md"),
        ("docs", "docs/part.md"),
        ("docs/snippets", "docs/snippets/part.md"),
        ("docs/.snippets", "docs/.snippets/part.md"),
        (
            ["docs/src/markdown/.snippets", "LICENSE.md"],
            "docs/src/markdown/.snippets/part.md",
        ),
        (["!relative $docs_dir", "."], "part.md"),
    ],
)
def test_snippets_are_found_in_the_places_that_real_sites_use(
    tmp_path, base_path, place
):
    pytest.importorskip("pymdownx")
    write(
        tmp_path,
        {place: "Part\n", "LICENSE.md": "Free\n", "docs/a.md": '--8<-- "part.md"\n'},
        markdown_extensions=[{"pymdownx.snippets": {"base_path": base_path}}],
        exclude_docs="part.md\nsnippets/\nsrc/\n",
    )
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(
        settings.read_text().replace('"!relative $docs_dir"', "!relative $docs_dir")
    )
    commit_in_two(tmp_path, place)
    built = build(tmp_path, "--strict")

    assert "Part" in (built.output_dir / "a/index.html").read_text()
    assert {"": OLD, "a/": NEWS} == dates(built)


def test_a_snippet_in_a_snippet_counts_and_an_escaped_one_does_not(tmp_path):
    pytest.importorskip("pymdownx")
    write(
        tmp_path,
        {
            "inner.md": "Inner\n",
            "outer.md": '--8<-- "inner.md"\n',
            "docs/a.md": '--8<-- "outer.md"\n',
            "docs/b.md": '```\n;--8<-- "inner.md"\n```\n',
        },
        markdown_extensions=["pymdownx.snippets"],
    )
    commit_in_two(tmp_path, "inner.md")

    assert {"": OLD, "a/": NEWS, "b/": OLD} == dates(build(tmp_path, "--strict"))


def test_file_appended_to_every_page_dates_only_pages_that_also_include_it(tmp_path):
    """The abbreviations of Material's manual (`auto_append`), as on six real sites."""
    pytest.importorskip("pymdownx")
    write(
        tmp_path,
        {
            "includes/abbreviations.md": "*[HTML]: Hyper Text\n",
            "docs/own.md": '--8<-- "abbreviations.md"\n',
            # As on docs.csc.fi, whose glossary is `cloud.md`.
            "docs/list.md": "[all](our-abbreviations.md), [some](abbreviations.md)\n",
            "docs/our-abbreviations.md": "# All\n",
            "docs/abbreviations.md": "# Some\n",
        },
        markdown_extensions=[
            "abbr",
            {
                "pymdownx.snippets": {
                    "base_path": ["includes"],
                    "auto_append": ["missing.md", "abbreviations.md"],
                }
            },
        ],
    )
    commit_in_two(tmp_path, "includes/abbreviations.md")

    others = dict.fromkeys(("list/", "our-abbreviations/", "abbreviations/"), OLD)
    assert {"": OLD, "own/": NEWS, **others} == dates(build(tmp_path, "--strict"))


def test_missing_file_appended_to_every_page_removes_no_date(tmp_path):
    """As on python.useinstructor.com: Snippets adds empty lines to every page."""
    pytest.importorskip("pymdownx")
    options = {"auto_append": ["includes/missing.md"]}
    write(tmp_path, {}, markdown_extensions=[{"pymdownx.snippets": options}])
    commit_in_two(tmp_path)

    assert {"": OLD} == dates(build(tmp_path, "--strict"))


@pytest.mark.parametrize(
    ("module", "settings", "text"),
    [
        (
            "mkdocs_include_markdown_plugin",
            {"plugins": ["sitemap", "include-markdown"]},
            "{% include-markdown '../part.md' %}\n",
        ),
        (
            "mkdocs_include_markdown_plugin",
            {"plugins": ["include-markdown", "sitemap"]},
            "{%\n   include '../part.*'\n%}\n",
        ),
        (
            "markdown_include",
            {"markdown_extensions": ["markdown_include.include"]},
            "{!part.md!}",
        ),
        ("mdx_include", {"markdown_extensions": ["mdx_include"]}, "{! part.md !}"),
        (
            "markdown_include_variants",
            {"markdown_extensions": ["mdx_include", "markdown_include_variants"]},
            "{* part.py *}",
        ),
        (
            "mkdocs_macros",
            {"plugins": ["sitemap", {"macros": {"include_dir": "."}}]},
            "{% include 'part.md' %}\n",
        ),
        (
            "mkdocs_macros",
            {"plugins": [{"macros": {"include_dir": "."}}, "sitemap"]},
            "{% from 'part.md' import x %}{{ x }} Part\n",
        ),
    ],
)
def test_other_ways_to_include_files_date_the_pages_too(
    tmp_path, module, settings, text
):
    pytest.importorskip(module)
    part = "{% set x = 1 %}\nPart\n" if "import x" in text else "Part\n"
    pages = {
        f"docs/{name}.md": f"{name}\n\n{text}" for name in "ab"
    }  # jinja2 keeps the first one.
    write(tmp_path, {"part.md": part, "part.py": "Part = 1\n", **pages}, **settings)
    commit_in_two(tmp_path, "part.md", "part.py")
    built = build(tmp_path, "--strict")

    assert "Part" in (built.output_dir / "b/index.html").read_text()
    assert {"": OLD, "a/": NEWS, "b/": NEWS} == dates(built)


WARNS = """
import linecache
import warnings
from markdown_include.include import IncludePreprocessor

def on_config(config):
    run = IncludePreprocessor.run
    def warn_and_run(self, lines):
        warnings.warn("old", DeprecationWarning)
        linecache.getline(__file__, 1)  # Where a host shows no warning.
        return run(self, lines)
    IncludePreprocessor.run = warn_and_run
"""


@FULL
@pytest.mark.parametrize(
    "installed", [True, full(False)], ids=["installed", "in another repository"]
)
def test_source_code_that_python_shows_for_a_warning_dates_no_page(tmp_path, installed):
    """On Python 3.14 markdown-include is deprecated code; linecache opens its file."""
    pytest.importorskip("markdown_include")
    project = tmp_path / "project"
    base = project / ".venv"
    packages = sysconfig.get_path("purelib", f"{os.name}_user", {"userbase": str(base)})
    code = (
        os.path.relpath(packages if installed else tmp_path / "plugin", project)
        + "/hook.py"
    )
    files = {"part.md": "Part\n", "docs/a.md": "{!part.md!}\n", code: WARNS}
    extensions = ["markdown_include.include"]
    write(project, files, markdown_extensions=extensions, hooks=[code])
    commit_in_two(project, *([code] if installed else []))
    commit((project / code).parent)
    built = build(project, PYTHONWARNINGS="always", PYTHONUSERBASE=str(base))

    assert "Part" in (built.output_dir / "a/index.html").read_text()
    assert {"": OLD, "a/": OLD} == dates(built)


def test_included_file_of_another_folder_dates_the_page_if_it_is_in_a_repository(
    tmp_path,
):
    pytest.importorskip("markdown_include")
    project = tmp_path / "project"
    pages = {"docs/a.md": "{!../other/a.md!}\n", "docs/b.md": "{!../outside/b.md!}\n"}
    files = {"../other/a.md": "A\n", "../outside/b.md": "Outside\n" * 9}
    write(project, pages | files, markdown_extensions=["markdown_include.include"])
    commit_in_two(project)
    commit(tmp_path / "other")
    built = build(project)

    assert {"": OLD, "a/": NEWS, "b/": None} == dates(built)
    assert "may include unknown files with markdown_include" in built.log


def test_settings_of_a_part_of_a_monorepo_do_not_date_its_pages(tmp_path):
    """The plugin opens them for each page, to find its edit link."""
    pytest.importorskip("mkdocs_monorepo_plugin")
    settings = "site_name: part\nnav:\n- A: a.md\n"
    write(
        tmp_path,
        {"part/mkdocs.yml": settings, "part/docs/a.md": "# A\n"},
        nav=[{"Home": "index.md"}, {"Part": "!include ./part/mkdocs.yml"}],
        plugins=["monorepo", "sitemap"],
    )
    commit_in_two(tmp_path, "part/mkdocs.yml")

    assert {"": OLD, "part/a/": OLD} == dates(build(tmp_path))


def test_included_files_date_the_pages_of_every_language(tmp_path):
    """static-i18n builds each language in the one build, with the same plugins."""
    pytest.importorskip("mkdocs_static_i18n")
    pytest.importorskip("mkdocs_macros")
    pytest.importorskip("mkdocs_include_markdown_plugin")
    languages = [
        {"locale": "en", "name": "English", "default": True},
        {"locale": "de", "name": "Deutsch"},
    ]
    included = {
        "a": '--8<-- "part.md"\n',
        "b": "{% import 'part.md' as part %}{{ part }}\n",
        "c": "{% include-markdown '../part.md' %}\n",
    }
    write(
        tmp_path,
        {"part.md": "Part\n"}
        | {
            f"docs/{name}{suffix}.md": included[name]
            for name in included
            for suffix in ("", ".de")
        },
        markdown_extensions=["pymdownx.snippets"],
        plugins=[
            "include-markdown",
            {"macros": {"include_dir": "."}},
            "sitemap",
            {"i18n": {"docs_structure": "suffix", "languages": languages}},
        ],
    )
    commit_in_two(tmp_path, "part.md")
    built = build(tmp_path, "--strict")

    assert dates(built) == {
        f"{language}{path}": NEWS if path else OLD
        for language in ("", "de/")
        for path in ("", "a/", "b/", "c/")
    }


def test_properdocs_dates_them_too(tmp_path):
    pytest.importorskip("properdocs")
    pytest.importorskip("pymdownx")
    pytest.importorskip("mkdocs_macros")
    write(
        tmp_path,
        {
            "part.md": "Part\n",
            "docs/a.md": '--8<-- "part.md"\n',
            "docs/b.md": "{% include 'part.md' %}\n",
        },
        markdown_extensions=["pymdownx.snippets"],
        plugins=["sitemap", {"macros": {"include_dir": "."}}],
    )
    (tmp_path / "mkdocs.yml").rename(tmp_path / "properdocs.yml")
    commit_in_two(tmp_path, "part.md")

    assert {"": OLD, "a/": NEWS, "b/": NEWS} == dates(
        ProperDocs().run(tmp_path, "--strict")
    )


HOOK = """
import json, urllib.request
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from markdown import Extension
from markdown.preprocessors import Preprocessor

class Reads(Preprocessor):
    def run(self, lines):
        return [self.read(*line.partition("=")) for line in lines]

    def read(self, way, _, name):
        if way == "icon":
            name = f"{name}.svg"
        return Path(name).read_text() if name else way

class Reading(Extension):
    def extendMarkdown(self, md):
        md.preprocessors.register(Reads(), "reads", 0)

def on_config(config):
    config.markdown_extensions.append(Reading())

def on_page_markdown(markdown, **_):
    common = json.loads(Path("common.json").read_text())
    word, _, name = markdown.partition(" ")
    if word == "table":
        return Path(name.strip()).read_text()
    if word == "import":
        spec = spec_from_file_location("part", name.strip())
        spec.loader.exec_module(module_from_spec(spec))
    if word == "fetch":
        return urllib.request.urlopen(name.strip()).read().decode()
    return f"{markdown}\\n{common}"
"""
MACROS = """
def define_env(env):
    @env.macro
    def table(name):
        with open(name) as file:
            return file.read()
"""


@pytest.mark.parametrize(
    ("text", "name", "date"),
    [
        ("table part.csv", "part.csv", NEWS),
        ("table part.py", "part.py", NEWS),
        ("reads=part.csv", "part.csv", NEWS),
        ("reads=part.py", "part.py", NEWS),
        (
            "import part.py",
            "part.py",
            OLD,
        ),  # As a plugin that imports its modules late.
        ("icon=theme/icon", "theme/icon.svg", OLD),  # As Material's emoji.
        ("reads=theme/icon.svg", "theme/icon.svg", NEWS),
        ("{{ table('part.csv') }}", "part.csv", NEWS),
        ("Text.", "common.json", OLD),  # Nearly all pages open it.
        ("Text.", "main.py", OLD),
    ],
)
def test_files_that_any_plugin_macro_or_hook_opens_date_the_page(
    tmp_path, text, name, date
):
    """As table-reader, render_swagger, neoteroi's timeline and others open theirs."""
    pytest.importorskip("mkdocs_macros")
    write(
        tmp_path,
        {
            "common.json": "1",
            "hook.py": HOOK,
            "main.py": MACROS,
            "part.csv": "a",
            "part.py": "'a'",
        }
        | {"theme/icon.svg": "<svg/>"}
        | {f"docs/{number}.md": f"# {number}" for number in range(9)}
        | {"docs/a.md": f"{text}\n"},
        hooks=["hook.py"],
        plugins=["macros", "sitemap"],
        theme={"name": "mkdocs", "custom_dir": "theme"},
    )
    commit_in_two(tmp_path, name)
    built = build(tmp_path, "--strict")

    assert 0 == built.returncode, built.log
    assert {**{f"{n}/": OLD for n in range(9)}, "": OLD, "a/": date} == dates(built)


SHOWN = {
    "swagger-ui-tag": (
        '<swagger-ui src="./part.yaml"/>',
        "part.yaml",
        "swagger-ui-tag",
    ),
    "render_swagger": ("!!swagger part.yaml!!", "part.yaml", "render_swagger"),
    "drawio": ("![One](part.drawio)", "part.drawio", "drawio"),
    "an image": ("![One](part.svg)", "part.svg", None),
    "a link": ("[One](part.yaml)", "part.yaml", None),
}


@pytest.mark.parametrize("way", SHOWN)
@pytest.mark.parametrize("directory_urls", [True, full(False)])
def test_files_that_the_browser_or_a_later_event_shows_date_the_page(
    tmp_path, way, directory_urls
):
    """These plugins read them after the page's Markdown is rendered, or not at all."""
    text, name, plugin = SHOWN[way]
    pytest.importorskip({"drawio": "mkdocs_drawio"}.get(way, "render_swagger"))
    pytest.importorskip("mkdocs_swagger_ui_tag")
    drawing = "<mxfile><diagram name='One'>x</diagram></mxfile>"
    write(
        tmp_path,
        {
            f"docs/api/{name}": drawing,
            "docs/api/a.md": f"{text}\n",
            "docs/api/b.md": "# B\n",
        },
        plugins=["sitemap", *filter(None, [plugin])],
        use_directory_urls=directory_urls,
    )
    commit_in_two(tmp_path, f"docs/api/{name}")
    found = dates(build(tmp_path))

    page, other = (
        ("api/a/", "api/b/") if directory_urls else ("api/a.html", "api/b.html")
    )
    assert (NEWS if plugin else OLD, OLD) == (found[page], found[other])


def test_page_for_which_a_plugin_requests_a_url_has_no_date(tmp_path, address):
    write(
        tmp_path,
        {"common.json": "1", "hook.py": HOOK, "docs/a.md": f"fetch {address}\n"},
        hooks=["hook.py"],
    )
    commit_in_two(tmp_path)
    built = build(tmp_path, "--strict")

    assert {"": OLD, "a/": None} == dates(built)
    assert f"includes '{address}', whose date is unknown" in built.log


# --- pages of API documentation
# -------------------------------------------------------------------

MODULE = '"""A module."""\n\ndef run():\n    """Run."""\n'
GENERATOR = """
import mkdocs_gen_files

with mkdocs_gen_files.open("api/part.md", "w") as file:
    file.write("# part")
mkdocs_gen_files.set_edit_path("api/part.md", "../src/part.py")
with mkdocs_gen_files.open("api/index.md", "w") as file:
    file.write("# index")
"""


@pytest.mark.parametrize("place", ["../src/part.py", "src/part.py"])
def test_a_generated_page_is_dated_by_the_file_that_gen_files_was_given(
    tmp_path, place
):
    """Neither `repo_url` nor `edit_uri` is set, so the page has no edit link."""
    pytest.importorskip("mkdocs_gen_files")
    write(
        tmp_path,
        {
            "generate.py": GENERATOR.replace("../src/part.py", place),
            "src/part.py": MODULE,
        },
        plugins=[{"gen-files": {"scripts": ["generate.py"]}}, "sitemap"],
    )
    commit_in_two(tmp_path, "src/part.py")

    assert {"": OLD, "api/": None, "api/part/": NEWS} == dates(build(tmp_path))


def test_a_generated_page_is_dated_by_the_file_that_its_edit_link_names(tmp_path):
    pytest.importorskip("mkdocs_gen_files")
    write(
        tmp_path,
        {"generate.py": GENERATOR, "src/part.py": MODULE},
        repo_url="https://example.com/owner/name",
        edit_uri="edit/main/docs/",
        plugins=["sitemap", {"gen-files": {"scripts": ["generate.py"]}}],
    )
    commit_in_two(tmp_path, "src/part.py")

    assert {"": OLD, "api/": None, "api/part/": NEWS} == dates(build(tmp_path))


# --- what cannot be known
# -------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path):
    """Serve a folder, whose files no repository knows."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / f"{secrets.token_hex(4)}.md").write_text("From afar\n")
    with serving(folder) as server:
        yield server


@pytest.fixture
def address(server):
    """Return the URL of the only file, which no other server has."""
    (file,) = server.folder.iterdir()
    return server.url + file.name


@pytest.mark.parametrize(
    "own",
    [
        "",
        "---\nsitemap: {lastmod: 2024-01-01}\n---\n",
        "---\nsitemap: 'lastmod: 2024-01-01'\n---\n",
        "---\ndate: {updated: 2024-01-01}\n---\n",
    ],
)
def test_page_that_includes_a_url_has_only_its_authors_date(
    tmp_path, server, address, own
):
    """srl-labs/containerlab (`url_download`): nothing says when that text changed."""
    pytest.importorskip("pymdownx")
    write(
        tmp_path,
        {"docs/a.md": f'{own}--8<-- "{address}"\n'},
        # Without `check_paths`, the extension leaves out what it cannot get, without a
        # word.
        markdown_extensions=[
            {"pymdownx.snippets": {"url_download": True, "check_paths": True}}
        ],
    )
    commit_in_two(tmp_path)
    built = build(tmp_path, "--strict", NO_PROXY="*", no_proxy="*")

    html = (built.output_dir / "a/index.html").read_text()
    assert "From afar" in html, (built.log, address, server.gets)
    assert dates(built) == {"": OLD, "a/": "2024-01-01" if own else None}
    assert built.log.count("whose date is unknown, so it has no date") == (not own)


def test_cached_url_is_not_a_local_file(tmp_path, address):
    pytest.importorskip("mkdocs_include_markdown_plugin")
    options = {"cache": 3600, "cache_dir": "cache"}
    write(
        tmp_path,
        {"docs/a.md": f'{{% include-markdown "{address}" %}}\n'},
        plugins=[{"include-markdown": options}, "sitemap"],
    )
    commit_in_two(tmp_path)
    fresh = build(tmp_path, "--strict")
    (tmp_path / "served" / address.rpartition("/")[2]).unlink()
    cached = build(tmp_path, "--strict")

    assert "From afar" in (cached.output_dir / "a/index.html").read_text()
    assert [{"": OLD, "a/": None}] * 2 == [dates(fresh), dates(cached)]
    assert f"includes '{address}', whose date is unknown" in fresh.log
    assert (
        "includes an address that include-markdown has cached, whose date is un"
        in cached.log
    )


def test_url_appended_to_every_page_removes_no_date(tmp_path, address):
    pytest.importorskip("pymdownx")
    options = {"url_download": True, "auto_append": [address]}
    write(tmp_path, {}, markdown_extensions=[{"pymdownx.snippets": options}])
    commit_in_two(tmp_path)
    built = build(tmp_path, "--strict")

    assert "From afar" in (built.output_dir / "index.html").read_text()
    assert {"": OLD} == dates(built)


# A version of an extension that works in another way than those that are known.
OTHER_SNIPPETS = """
import pymdownx.snippets as snippets
from pathlib import Path

def on_config(config):
    known = {path.name: path.read_text() for path in Path().glob("*.md")}
    run = snippets.SnippetPreprocessor.run
    def from_memory(self, lines):
        return [known.get(line[8:-1], line) for line in lines]
    snippets.SnippetPreprocessor.run = from_memory
"""
OTHER_NAME = """
import pymdownx.snippets as snippets

def on_config(config):
    snippets.SnippetPreprocessor.__module__ = "pymdownx._snippets"
"""
OTHER_MKDOCS = """
def on_config(config):
    config.mdx_configs = None
"""


@pytest.mark.parametrize(
    ("hook", "date"), [(OTHER_SNIPPETS, None), (OTHER_NAME, NEWS), (OTHER_MKDOCS, NEWS)]
)
def test_page_has_no_date_if_what_it_includes_is_not_opened(tmp_path, hook, date):
    pytest.importorskip("pymdownx")
    write(
        tmp_path,
        {"part.md": "Part " * 20, "docs/a.md": '--8<-- "part.md"\n', "hook.py": hook},
        hooks=["hook.py"],
        markdown_extensions=["pymdownx.snippets"],
    )
    commit_in_two(tmp_path, "part.md")
    built = build(tmp_path, "--strict")

    assert "Part" in (built.output_dir / "a/index.html").read_text()
    assert {"": OLD, "a/": date} == dates(built)
    why = "unknown files with pymdownx.snippets, so it has no date"
    assert (date is None) == (why in built.log)


OTHER_ENVIRONMENT = """
def on_config(config):
    plugin = config.plugins["macros"]
    environment = plugin.env
    type(plugin).env = property(lambda self: environment if called() else None)

def called():
    import sys
    return "mkdocs_macros" in sys._getframe(2).f_globals["__name__"]
"""


@pytest.mark.parametrize(
    ("hook", "options", "text"),
    [
        (OTHER_ENVIRONMENT, {"include_dir": "."}, "{% include 'part.md' %}\n"),
        # Read before any page, for all.
        ("", {"include_yaml": [{"data": "part.md"}]}, "{{ data }}\n"),
    ],
)
def test_page_has_no_date_if_a_plugin_cannot_be_watched(tmp_path, hook, options, text):
    pytest.importorskip("mkdocs_macros")
    write(
        tmp_path,
        {"part.md": "Part\n", "docs/a.md": text, "docs/b.md": "# B\n", "hook.py": hook},
        hooks=["hook.py"],
        plugins=["sitemap", {"macros": options}],
    )
    commit_in_two(tmp_path, "part.md")
    built = build(tmp_path, "--strict")

    assert "Part" in (built.output_dir / "a/index.html").read_text()
    assert {"": OLD, "a/": None, "b/": OLD} == dates(built)
    assert "may include unknown files with macros" in built.log


def test_dirty_build_does_not_date_pages_whose_includes_it_does_not_read(tmp_path):
    pytest.importorskip("pymdownx")
    write(
        tmp_path,
        {"part.md": "Part\n", "docs/a.md": '--8<-- "part.md"\n', "docs/b.md": "B\n"},
        markdown_extensions=["pymdownx.snippets"],
    )
    commit_in_two(tmp_path, "part.md")

    assert {"": OLD, "a/": NEWS, "b/": OLD} == dates(build(tmp_path))
    assert {"": OLD, "a/": None, "b/": OLD} == dates(build(tmp_path, "--dirty"))


# --- what the settings of git-revision-date-localized say
# -------------------------------------------------------------------------------------

LOCALIZED = "git-revision-date-localized"


@pytest.mark.parametrize("enabled", [True, False])
def test_pages_that_the_other_plugin_excludes_have_only_their_authors_date(
    tmp_path, enabled
):
    """CSCfi/csc-user-guide names so the pages that its hooks fill with news."""
    pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
    options = {"exclude": ["news.md", "lists/*.md"], "enabled": enabled}
    own = "---\nsitemap: {lastmod: 2024-01-01}\n---\n"
    pages = {"news": "# News", "lists/a": "# A", "lists/own": own, "guide": "# Guide"}
    write(
        tmp_path,
        {f"docs/{name}.md": f"{text}\n" for name, text in pages.items()},
        plugins=["sitemap", {LOCALIZED: options}],
    )
    commit_in_two(tmp_path)
    built = build(tmp_path)

    undated = {"news/": None, "lists/a/": None}
    assert (
        dates(built) == {"": OLD, "guide/": OLD, "lists/own/": "2024-01-01"} | undated
    )
    text = f"is in the `exclude` of {LOCALIZED}, so it has no date"
    assert built.log.count(text) == 2
    assert "news.md" in built.log


@pytest.mark.parametrize("ignore_revs", [True, False, "named"])
def test_list_of_ignored_commits_of_the_other_plugin_counts_too(tmp_path, ignore_revs):
    """Beside git's own list, unless our option names another one, or none."""
    pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
    project = tmp_path / "project"
    write(
        project,
        {"docs/a.md": "A\n", "docs/b.md": "B\n"},
        plugins=[
            {"sitemap": {"ignore_revs": ignore_revs}},
            {LOCALIZED: {"ignored_commits_file": "lists/tidied"}},
        ],
    )
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "old", GIT_COMMITTER_DATE=OLD)
    (tmp_path / "named").write_text("")
    (project / "lists").mkdir()
    for name, place in (
        ("a", tmp_path / ".git-blame-ignore-revs"),
        ("b", project / "lists/tidied"),
    ):
        (project / f"docs/{name}.md").write_text("Tidied\n")
        git(tmp_path, "commit", "-qam", "new", GIT_COMMITTER_DATE=NEWS)
        place.write_text(git(tmp_path, "rev-parse", "HEAD"))
    built = build(project, "-v")

    date = OLD if ignore_revs is True else NEWS
    assert dates(built) == {"": OLD, "a/": date, "b/": date}
    passed_over = "(.git-blame-ignore-revs or project/lists/tidied)"
    assert (passed_over in built.log) == (ignore_revs is True)


def test_page_that_shows_what_a_program_prints_has_no_date(tmp_path):
    """Neither the program nor what it reads is opened here."""
    pytest.importorskip("markdown_exec")
    text = '# A\n\n```{} exec="on"\n{}\n```\n'
    files = {
        "part.txt": "Part\n",
        "docs/shell.md": text.format("bash", "cat part.txt"),
        "docs/plain.md": text.format("bash", "cat part.txt").replace("exec", "title"),
    }
    write(
        tmp_path,
        files,
        plugins=["sitemap", "markdown-exec"],
        markdown_extensions=["pymdownx.superfences"],
    )
    commit_in_two(tmp_path, "part.txt")
    built = build(tmp_path, "--strict")

    assert "Part" in (built.output_dir / "shell/index.html").read_text()
    assert {"": OLD, "shell/": None, "plain/": OLD} == dates(built)
    assert "may include unknown files with markdown-exec" in built.log
