"""Sites that real generators built;
each is skipped where the generator is not installed.

`nox -s check_generators` installs those that Python packages bring, and with npm those
of its own.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import shutil
import signal
import subprocess
import threading
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.folder.html_folder import MOMENTS, commit, write
from tests.full import FULL
from tests.sites import Built, MkDocs

MKDOCS = """
site_name: Site
site_url: https://example.com/docs/
repo_url: https://github.com/o/r
edit_uri: edit/main/docs/
theme:
  name: material
  features: [content.action.edit]
plugins:
  - search
"""
NODE_MODULES = os.environ.get("SITEMAP_NODE_MODULES", "")
"""A folder `node_modules` with the generators that are written in JavaScript."""
MYST_THEME = os.environ.get("SITEMAP_MYST_THEME", "")
"""A folder with mystmd's book theme, built and with its own `node_modules`.

mystmd downloads it from GitHub where a site names no folder.
"""


def generate(command, folder, *arguments, **environ):
    program = shutil.which(command) or shutil.which(
        command, path=f"{NODE_MODULES}/.bin"
    )
    if program is None:
        pytest.skip(f"{command} is not installed")
    with subprocess.Popen(
        [program, *arguments],
        cwd=folder,
        env={**os.environ, **environ},
        stdout=(log := folder / f".{command}.log").open("w"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            returncode = process.wait(timeout=300)
        finally:  # mystmd 1.8 leaves its theme's server running.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert 0 == returncode, log.read_text()


def answers(folder, base_url):
    """Return the status with which a static server answers each URL
    of the folder's sitemap."""
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = {}
        for loc in dates(folder):
            connection = HTTPConnection(*server.server_address, timeout=30)
            connection.request("HEAD", "/" + loc.removeprefix(base_url))
            found[loc] = connection.getresponse().status
            connection.close()
        server.shutdown()
    return found


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serve a folder without a line for each request."""

    def log_message(self, *args):
        """Say nothing."""


def assert_clean(project_dir, folder, base_url):
    """The checker finds nothing, and every listed URL is answered
    without a redirect."""
    options = ["--base-url", base_url, "--source", ".", "--fail-on", "info"]
    # Where the site is in a folder of its host, the line is for the host's robots.txt.
    done = run(project_dir, "check", folder, *options, "--ignore", "robots-not-at-root")
    assert 0 == done.returncode, done.out + done.err
    assert {200} == set(answers(project_dir / folder, base_url).values())


def dates(folder):
    built = Built(0, "", Path(folder))
    return {loc: fields.get("lastmod") for loc, fields in built.entries.items()}


def test_zensical_and_mkdocs_write_the_same_bytes(tmp_path):
    files = {
        "mkdocs.yml": MKDOCS,
        "docs/index.md": "# Home",
        "docs/guide/README.md": "# Guide",
        "docs/guide/tips & tricks.md": "# Tips",
        "docs/münchen.md": "# M",
        "docs/hidden.md": "---\nsitemap: false\n---\n# Hidden",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("zensical", tmp_path, "build")
    assert b"/hidden/" in (tmp_path / "site/sitemap.xml").read_bytes()

    done = run(tmp_path, "build", "site", "--strict")
    assert 0 == done.returncode, done.err
    assert "previous sitemap has gone: https://example.com/docs/hidden/" in done.err

    (tmp_path / "mkdocs.yml").write_text(f"{MKDOCS}  - sitemap\n")
    by_plugin = MkDocs().run(tmp_path)
    assert 0 == by_plugin.returncode, by_plugin.log
    expected = (by_plugin.output_dir / "sitemap.xml").read_bytes()
    assert 4 == expected.count(b"<lastmod>")
    assert expected == (tmp_path / "site/sitemap.xml").read_bytes()


SYNTAXES = {
    "markdown-include": (
        "markdown_extensions:\n  - markdown_include.include:\n      base_path: docs",
        "# A\n\n{!parts/p.txt!}\n",
    ),
    "mdx_include": (
        "markdown_extensions:\n  - mdx_include:\n      base_path: docs",
        "# A\n\n{! parts/p.txt !}\n",
    ),
}


@FULL
@pytest.mark.parametrize(("settings", "text"), SYNTAXES.values(), ids=SYNTAXES)
def test_markdown_that_another_extension_includes(tmp_path, settings, text):
    """MkDocs builds it, as Zensical would, and the command reads the folder."""
    site = "site_name: x\nsite_url: https://example.com/\n"
    files = {
        "mkdocs.yml": f"{site}{settings}\n",
        "docs/index.md": text,
        "docs/parts/p.txt": "Text of P",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    by_host = MkDocs().run(tmp_path)
    assert 0 == by_host.returncode, by_host.log
    assert "Text of P" in (by_host.output_dir / "index.html").read_text("utf-8")
    done = run(tmp_path, "build", by_host.output_dir)

    assert dates(by_host.output_dir) == {"https://example.com/": MOMENTS[2]}, done


def test_texts_that_sphinx_includes(tmp_path):
    files = {
        "conf.py": "extensions = ['myst_parser']\nhtml_baseurl = 'https://example.com/'",
        "index.rst": "Home\n====\n\n.. include:: parts/p.txt\n",
        "a.md": "# A\n\n```{include} parts/p.txt\n```\n",
        "b.rst": "B\n=\n\n.. code-block:: rst\n\n   .. include:: parts/p.txt\n",
        "parts/p.txt": "Text of P",
        ".gitignore": "out\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("sphinx-build", tmp_path, "-q", ".", "out")
    for name in ("index", "a"):
        assert "Text of P" in (tmp_path / f"out/{name}.html").read_text("utf-8")
    done = run(tmp_path, "build", "out", "--source", ".")

    base = "https://example.com/"
    assert dates(tmp_path / "out") == {
        f"{base}index.html": MOMENTS[4],
        f"{base}a.html": MOMENTS[4],
        f"{base}b.html": MOMENTS[3],
    }, done


INCLUDES = """
  - include-markdown
markdown_extensions:
  - pymdownx.snippets:
      base_path: [docs/parts, .]
      auto_append: [abbreviations.md]
"""


def test_zensical_and_mkdocs_write_the_same_bytes_with_includes(tmp_path):
    files = {
        "mkdocs.yml": MKDOCS.rstrip() + INCLUDES,
        "docs/index.md": "# Home",
        "docs/changes.md": '--8<-- "CHANGELOG.md"',
        "docs/block.md": "# B\n\n--8<--\nparts.py:part\n; CHANGELOG.md\n--8<--\n",
        "docs/nested.md": '# N\n\n    --8<-- "docs/changes.md"\n',
        "docs/escaped.md": ';--8<-- "CHANGELOG.md"',
        "docs/tag.md": "{% include-markdown './changes.md' %}\n",
        "docs/parts/inner.md": "Inner",
        "docs/parts/abbreviations.md": "*[HTML]: Hyper Text",
        "parts.py": "# --8<-- [start:part]\nx = 1\n# --8<-- [end:part]\n",
        "CHANGELOG.md": '# Changes\n\n--8<-- "inner.md:1:"\n',
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("zensical", tmp_path, "build")
    page = (tmp_path / "site/nested/index.html").read_text("utf-8")
    assert "Changes" in page
    assert "Inner" in page

    done = run(tmp_path, "build", "site", "--strict")
    assert 0 == done.returncode, done.err
    assert "unknown-include" not in done.err
    found = dates(tmp_path / "site")
    assert found["https://example.com/docs/changes/"] == MOMENTS[10]
    assert found["https://example.com/docs/escaped/"] == MOMENTS[5]

    (tmp_path / "mkdocs.yml").write_text(f"{MKDOCS}  - sitemap{INCLUDES}")
    by_plugin = MkDocs().run(tmp_path)
    assert 0 == by_plugin.returncode, by_plugin.log
    expected = (by_plugin.output_dir / "sitemap.xml").read_bytes()
    assert 8 == expected.count(b"<lastmod>")
    assert expected == (tmp_path / "site/sitemap.xml").read_bytes()


@pytest.mark.parametrize(
    "edit", [[], ["--edit-url", "pkg=https://github.com/o/r/blob/x/src/pkg/"]]
)
def test_pdoc_pages_are_dated_by_their_modules(tmp_path, edit):
    files = dict.fromkeys(
        ("src/pkg/__init__.py", "src/pkg/mod.py", "src/pkg/sub/__init__.py"), ""
    )
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("pdoc", tmp_path / "src", "-o", "../out", *edit, "pkg")
    run(tmp_path, "build", "out", "--base-url", "https://example.com/")

    assert dates(tmp_path / "out") == {
        "https://example.com/pkg.html": MOMENTS[0],
        "https://example.com/pkg/mod.html": MOMENTS[1],
        "https://example.com/pkg/sub.html": MOMENTS[2],
    }


def test_pdoc_list_of_modules_has_no_date(tmp_path):
    """The README of the repository is not its source."""
    files = dict.fromkeys(("a.py", "b.py", "README.md"), "")
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("pdoc", tmp_path, "-o", "out", "./a.py", "./b.py")
    run(tmp_path, "build", "out", "--base-url", "https://example.com/")

    assert dates(tmp_path / "out") == {
        "https://example.com/": None,
        "https://example.com/a.html": MOMENTS[0],
        "https://example.com/b.html": MOMENTS[1],
    }


def test_vitepress_with_clean_urls(tmp_path):
    settings = (
        "export default { cleanUrls: true, sitemap: { hostname: 'https://example.com' },"
        " themeConfig: { editLink: { pattern: 'https://github.com/o/r/edit/x/docs/:path' } } }"
    )
    files = {
        "docs/.vitepress/config.mjs": settings,
        "docs/index.md": "# Home",
        "docs/guide/index.md": "# Guide",
        "docs/guide/a.md": "# A",
        "docs/guide/b.md": "# B\n\n<!--@include: ../parts/b.md-->\n\n<<< @/parts/c.js\n",
        "docs/parts/b.md": "<!-- @include: ./d.md{1,} -->\n",
        "docs/parts/d.md": "Text of D",
        "docs/parts/c.js": "const c = 1",
        ".gitignore": "node_modules\ndist\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES or tmp_path)
    generate("vitepress", tmp_path, "build", "docs")
    assert "Text of D" in (tmp_path / "docs/.vitepress/dist/guide/b.html").read_text(
        "utf-8"
    )
    run(tmp_path, "build", "docs/.vitepress/dist", "--base-url", "https://example.com")

    assert dates(tmp_path / "docs/.vitepress/dist") == {
        "https://example.com/": MOMENTS[1],
        "https://example.com/guide/": MOMENTS[2],
        "https://example.com/guide/a": MOMENTS[3],
        "https://example.com/guide/b": MOMENTS[7],
        "https://example.com/parts/b": MOMENTS[6],
        "https://example.com/parts/d": MOMENTS[6],
    }


ANTORA = """
site: {title: Site, url: https://example.com/docs, start_page: guide::index.adoc}
content: {sources: [{url: ., branches: HEAD, start_path: docs}]}
ui: {bundle: {url: ./ui}}
output: {dir: out}
runtime: {cache_dir: .cache}
"""
ANTORA_PAGE = (
    "<!DOCTYPE html><html><head><title>{{{page.title}}}</title></head>"
    "<body>{{{page.contents}}}</body></html>"
)


def test_antora_with_resource_ids(tmp_path):
    """Its start page redirects, its own user interface writes no canonical links."""
    module = "docs/modules/ROOT"
    files = {
        "docs/antora.yml": "name: guide\nversion: '1.0'\n",
        "antora-playbook.yml": ANTORA,
        "ui/layouts/default.hbs": ANTORA_PAGE,
        "ui/layouts/404.hbs": ANTORA_PAGE,
        f"{module}/pages/index.adoc": "= Home",
        f"{module}/pages/a.adoc": "= A\n\ninclude::partial$p.adoc[]",
        f"{module}/pages/b.adoc": "= B\n\n----\ninclude::setup:example$e.txt[]\n----",
        "docs/modules/setup/pages/c.adoc": "= C\n\ninclude::guide:ROOT:a.adoc[]",
        "docs/modules/setup/pages/d.adoc": "= D",
        "docs/modules/setup/examples/e.txt": "Text of E",
        f"{module}/partials/q.adoc": "Text of Q",
        f"{module}/partials/p.adoc": "Text of P\n\ninclude::partial$q.adoc[]",
        ".gitignore": "node_modules\nout\n.cache\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("antora", tmp_path, "antora-playbook.yml")
    top = tmp_path / "out/guide/1.0"
    assert "Text of Q" in (top / "setup/c.html").read_text("utf-8")
    assert "Text of E" in (top / "b.html").read_text("utf-8")
    done = run(tmp_path, "build", "out")

    base = "https://example.com/docs/guide/1.0/"
    assert dates(tmp_path / "out") == {
        f"{base}a.html": MOMENTS[11],
        f"{base}b.html": MOMENTS[9],
        f"{base}index.html": None,  # No edit link, and another name than its text.
        f"{base}setup/c.html": MOMENTS[11],
        f"{base}setup/d.html": MOMENTS[8],
    }, done


DOCUSAURUS = """
export default {
  title: 'Site', url: 'https://example.com', baseUrl: '/',
  presets: [['classic', { docs: { editUrl: 'https://github.com/o/r/edit/main/' } }]],
};
"""


def test_docusaurus_with_a_blog_and_imported_texts(tmp_path):
    files = {
        "docusaurus.config.mjs": DOCUSAURUS,
        "package.json": '{"name": "site", "private": true}',
        "docs/intro.mdx": "import Part from './_part.mdx';\n\n# Intro\n\n<Part />\n",
        "docs/shared.md": "import Part from '@site/docs/_part.mdx';\n\n<Part />\n",
        "docs/code.md": "# C\n\n```js\nimport Part from './_part.mdx';\n```\n",
        "blog/2018-12-29-new-site.mdx": "---\ntitle: New\n---\n\nText\n",
        "src/pages/index.js": "export default () => 'Home';",
        "docs/_part.mdx": "Text of the part",
        ".gitignore": "node_modules\nbuild\n.docusaurus\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES or tmp_path)
    generate("docusaurus", tmp_path, "build", NODE_ENV="production")
    page = (tmp_path / "build/docs/intro/index.html").read_text("utf-8")
    assert "Text of the part" in page
    run(tmp_path, "build", "build")
    found = dates(tmp_path / "build")

    base = "https://example.com/"
    assert found[base] == MOMENTS[6]
    assert found[f"{base}blog/2018/12/29/new-site"] == MOMENTS[5]
    assert found[f"{base}docs/code"] == MOMENTS[4]
    assert found[f"{base}docs/intro"] == found[f"{base}docs/shared"] == MOMENTS[7]


def test_eleventy_without_a_sitemap(tmp_path):
    files = {
        "src/index.md": "# Home",
        "src/guide/index.md": "# Guide",
        "src/guide/tips & tricks.md": "# Tips",
        "src/guide/münchen.md": "# M",
        "src/intro/intro.md": "# Intro",
        "src/draft.md": "---\nsitemap: false\n---\n# Draft",
        ".gitignore": "node_modules\nout\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("eleventy", tmp_path, "--input=src", "--output=out")
    assert not (tmp_path / "out/sitemap.xml").exists()
    run(tmp_path, "build", "out", "--base-url", "https://example.com/")

    assert dates(tmp_path / "out") == {
        "https://example.com/": MOMENTS[0],
        "https://example.com/guide/": MOMENTS[1],
        "https://example.com/guide/tips%20&%20tricks/": MOMENTS[2],
        "https://example.com/guide/m%C3%BCnchen/": MOMENTS[3],
        "https://example.com/intro/": MOMENTS[4],
    }
    assert_clean(tmp_path, "out", "https://example.com/")


HEXO = """
url: https://example.com
timezone: UTC
permalink: :year/:month/:day/:title/
updated_option: date
theme: plain
"""
HEXO_POST = "---\ndate: 2020-01-{:02} 12:00:00\n{}\n---\nText"


def test_hexo_posts_and_their_modification_dates(tmp_path):
    """Which is the file's time, the checkout's, or as here the date of publication."""
    layout = "<title>x</title>{{ open_graph() }}{{ page.content }}"
    files = {
        "source/_posts/hello-world.md": HEXO_POST.format(1, ""),
        "source/_posts/trip/day one.md": HEXO_POST.format(2, ""),
        "source/_posts/hidden.md": HEXO_POST.format(3, "sitemap: false"),
        "source/about/index.md": HEXO_POST.format(4, ""),
        "README.md": "# The repository",
        "_config.yml": HEXO,
        "package.json": '{"hexo": {}, "dependencies": {"hexo-renderer-marked": "7"}}',
        "themes/plain/layout/index.njk": layout,
        ".gitignore": "node_modules\npublic\ndb.json\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES or tmp_path)
    generate("hexo", tmp_path, "generate")
    done = run(tmp_path, "build", "public", "--base-url", "https://example.com")

    assert dates(tmp_path / "public") == {
        "https://example.com/2020/01/01/hello-world/": MOMENTS[0],
        "https://example.com/2020/01/02/trip/day%20one/": MOMENTS[1],
        "https://example.com/about/": MOMENTS[3],
    }, done.out
    assert_clean(tmp_path, "public", "https://example.com/")


MYST = """
version: 1
project:
  title: Book
  {project}
  toc:
    - file: intro.md
    - file: guide/setup.md
    - file: setup.md
    - file: guide/index.md
    - file: guide/tips & tricks.md
    - file: guide/deep/münchen.md
    - file: guide/first.ipynb
site:
  template: {template}
  options:
    favicon: favicon.ico
    folders: {folders}
"""
MYST_FLAT = ("setup", "setup-1", "index-1", "tips-and-tricks", "m-nchen", "first")
MYST_FOLDERS = (
    "guide/setup",
    "setup",
    "guide",
    "guide/tips-and-tricks",
    "guide/deep/m-nchen",
    "guide/first",
)


@pytest.mark.parametrize(
    ("folders", "slugs"),
    [("false", MYST_FLAT), ("true", MYST_FOLDERS)],
    ids=["flat", "folders"],
)
@pytest.mark.parametrize(
    "project", ["github: https://github.com/o/r", ""], ids=["github", "none"]
)
def test_mystmd_site_as_in_the_manual(tmp_path, project, folders, slugs):
    if not MYST_THEME:
        pytest.skip("SITEMAP_MYST_THEME names no theme")
    notebook = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    files = {
        "intro.md": "# Home",
        "guide/setup.md": "# Setup",
        "setup.md": "# Another setup",
        "guide/index.md": "# Guide",
        "guide/tips & tricks.md": "# Tips",
        "guide/deep/münchen.md": "# M",
        "guide/first.ipynb": notebook,
        "myst.yml": MYST.format(project=project, template=MYST_THEME, folders=folders),
        "favicon.ico": "",
        ".gitignore": "_build\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("myst", tmp_path, "build", "--html", BASE_URL="/book")
    assert (
        b"<loc>http://localhost:" in (tmp_path / "_build/html/sitemap.xml").read_bytes()
    )
    base_url = "https://example.com/book/"
    done = run(tmp_path, "build", "_build/html", "--base-url", base_url, "--strict")

    assert 0 == done.returncode, done.err
    assert "/sitemap.xml' is on a local server: remove it" in done.err
    robots = tmp_path / "_build/html/robots.txt"
    kept = [line for line in robots.read_text().splitlines() if "localhost" not in line]
    robots.write_text("\n".join(kept))
    expected = ["", *(f"{slug}/" for slug in slugs)]
    # Only the edit link tells the source.
    moments = MOMENTS if project else [None] * len(expected)
    assert dates(tmp_path / "_build/html") == {
        base_url + path: moment for path, moment in zip(expected, moments, strict=False)
    }
    assert_clean(tmp_path, "_build/html", base_url)
