"""Sites that real generators built; each is skipped where the generator is not installed.

`nox -s check_generators` installs those that Python packages bring.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.hosts.html_folder import MOMENTS, commit, write
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


def generate(command, folder, *arguments):
    program = shutil.which(command) or shutil.which(command, path=f"{NODE_MODULES}/.bin")
    if program is None:
        pytest.skip(f"{command} is not installed")
    done = subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stdout + done.stderr


def dates(folder):
    built = Built(0, "", Path(folder))
    return {loc: fields.get("lastmod") for loc, fields in built.entries.items()}


def test_zensical_and_mkdocs_give_the_same_bytes(tmp_path):
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
    assert "'https://example.com/docs/hidden/' was in the previous sitemap" in done.err

    (tmp_path / "mkdocs.yml").write_text(f"{MKDOCS}  - sitemap\n")
    by_plugin = MkDocs().run(tmp_path)
    assert 0 == by_plugin.returncode, by_plugin.log
    expected = (by_plugin.output_dir / "sitemap.xml").read_bytes()
    assert 4 == expected.count(b"<lastmod>")
    assert expected == (tmp_path / "site/sitemap.xml").read_bytes()


@pytest.mark.parametrize("edit", [[], ["--edit-url", "pkg=https://github.com/o/r/blob/x/src/pkg/"]])
def test_modules_date_the_pages_of_pdoc(tmp_path, edit):
    files = dict.fromkeys(("src/pkg/__init__.py", "src/pkg/mod.py", "src/pkg/sub/__init__.py"), "")
    write(tmp_path, files)
    commit(tmp_path, *files)
    generate("pdoc", tmp_path / "src", "-o", "../out", *edit, "pkg")
    run(tmp_path, "build", "out", "--base-url", "https://example.com/")

    assert dates(tmp_path / "out") == {
        "https://example.com/pkg.html": MOMENTS[0],
        "https://example.com/pkg/mod.html": MOMENTS[1],
        "https://example.com/pkg/sub.html": MOMENTS[2],
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
        ".gitignore": "node_modules\ndist\n",
    }
    write(tmp_path, files)
    commit(tmp_path, *files)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES or tmp_path)
    generate("vitepress", tmp_path, "build", "docs")
    run(tmp_path, "build", "docs/.vitepress/dist", "--base-url", "https://example.com")

    assert dates(tmp_path / "docs/.vitepress/dist") == {
        "https://example.com/": MOMENTS[1],
        "https://example.com/guide/": MOMENTS[2],
        "https://example.com/guide/a": MOMENTS[3],
    }
