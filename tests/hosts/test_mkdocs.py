"""What only MkDocs and ProperDocs have: their files, commands, options and third-party plugins."""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
from pathlib import Path

import pytest
from lxml import etree

import sitemap_plugins
from tests.hosts.mkdocs_project import BASE, build, commit, paths, write
from tests.sites import NAMESPACES, NEUTRAL, NEWS, QUIET, git

# --- which pages ---------------------------------------------------------------------------------


def test_pages_outside_the_navigation_are_listed_and_drafts_and_templates_are_not(tmp_path):
    names = ("hidden", "draft", "excluded")
    write(
        tmp_path,
        {f"docs/{name}.md": f"# {name}\n" for name in names} | {"theme/404.html": "gone"},
        theme={"name": None, "custom_dir": "theme", "static_templates": ["404.html"]},
        nav=["index.md"],
        not_in_nav="hidden.md",
        draft_docs="draft.md",
        exclude_docs="excluded.md",
    )
    built = build(tmp_path, "--strict")

    assert built.wrote("404.html")
    assert paths(built) == ["", "hidden/"]


def test_the_error_page_is_left_out_also_where_it_is_written_in_markdown(tmp_path):
    write(tmp_path, {"docs/404.md": "# Gone\n", "docs/a/404.md": "# A\n"}, use_directory_urls=False)
    built = build(tmp_path, "--strict")

    assert built.wrote("404.html")
    assert paths(built) == ["a/404.html", "index.html"]


def test_pages_of_file_urls_have_their_file_names(tmp_path):
    write(tmp_path, {"docs/a/b.md": "# B\n"}, use_directory_urls=False)

    assert paths(build(tmp_path, "--strict")) == ["a/b.html", "index.html"]


@pytest.mark.parametrize("place", ["theme", "docs"])
def test_a_sitemap_template_or_file_of_the_project_does_not_survive(tmp_path, place):
    write(tmp_path, {f"{place}/sitemap.xml": "<raw>{{ pages }}</raw>"})
    built = build(tmp_path, "--strict")
    twin = (built.output_dir / "sitemap.xml.gz").read_bytes()

    assert paths(built) == [""]
    assert gzip.decompress(twin) == (built.output_dir / "sitemap.xml").read_bytes()


def test_without_an_address_neither_our_sitemap_nor_the_built_in_one_is_written(tmp_path):
    write(tmp_path, {}, site_url="")
    built = build(tmp_path)

    assert "the site's address is not set, so no sitemap is written: set `site_url`" in built.log
    assert not list(built.output_dir.glob("sitemap*"))


# --- pages that plugins make ---------------------------------------------------------------------

HOOKS = """
from mkdocs.structure.files import File

def on_files(files, config):
    said = "---\\nsitemap: {lastmod: 2024-01-01}\\n---\\n# M"
    files.append(File.generated(config, "memory.md", content=said))
    files.append(File.generated(config, "undated.md", content="# U"))
"""
GENERATOR = """
import mkdocs_gen_files

with mkdocs_gen_files.open("api/module.md", "w") as file:
    file.write("---\\nsitemap: {priority: 0.1}\\n---\\n# module")
"""


def test_pages_made_while_building_are_listed_with_what_they_say_and_no_made_up_date(tmp_path):
    pytest.importorskip("mkdocs_gen_files")
    write(
        tmp_path,
        {"hooks.py": HOOKS, "generate.py": GENERATOR},
        hooks=["hooks.py"],
        plugins=["sitemap", {"gen-files": {"scripts": ["generate.py"]}}],
    )
    commit(tmp_path)

    assert build(tmp_path).entries == {
        BASE: {"lastmod": NEWS},
        f"{BASE}api/module/": {"priority": "0.1"},
        f"{BASE}memory/": {"lastmod": "2024-01-01"},
        f"{BASE}undated/": {},
    }


@pytest.mark.parametrize("order", [("sitemap", "redirects"), ("redirects", "sitemap")])
def test_redirects_are_left_out_also_where_they_replace_a_page_in_any_order(tmp_path, order):
    pytest.importorskip("mkdocs_redirects")
    maps = {"redirect_maps": {"old.md": "index.md", "live.md": "index.md"}}
    options = {"sitemap": {}, "redirects": maps}
    write(tmp_path, {"docs/live.md": "# L\n"}, plugins=[{name: options[name]} for name in order])
    built = build(tmp_path, "-v")

    assert built.wrote("old/index.html")
    assert paths(built) == [""]
    assert "live.md: left out (redirect" in built.log


# --- --dirty -------------------------------------------------------------------------------------


def test_a_dirty_build_keeps_what_the_front_matter_of_unread_pages_says(tmp_path):
    write(
        tmp_path,
        {
            "docs/dated.md": "---\nsitemap: {lastmod: 2024-01-01}\n---\n# D\n",
            "docs/secret.md": "---\nsitemap: false\n---\n# S\n",
            "docs/changed.md": "# C\n",
        },
    )
    commit(tmp_path)
    full = build(tmp_path).entries
    file = tmp_path / "docs/changed.md"
    file.write_text("---\nsitemap: {lastmod: 2024-02-02}\n---\n# C\n")
    os.utime(file, (time.time() + 5, time.time() + 5))
    dirty = build(tmp_path, "--dirty").entries

    assert dirty == full | {f"{BASE}changed/": {"lastmod": "2024-02-02"}}
    assert dirty[f"{BASE}dated/"] == {"lastmod": "2024-01-01"}
    assert f"{BASE}secret/" not in dirty


# --- serve ---------------------------------------------------------------------------------------

FAIL = """
from pathlib import Path

def on_page_context(context, page, config, nav):
    if Path("fail").exists():
        raise RuntimeError("a plugin failed")
"""


class Server:
    """`mkdocs serve` of a project, with a record of the git commands that it runs."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.log_file, self.git_file = folder / "serve.log", folder / "git.log"
        wrapper = folder / "bin/git"
        wrapper.parent.mkdir()
        wrapper.write_text(
            f'#!/bin/sh\necho "$@" >>"{self.git_file}"\nexec {shutil.which("git")} "$@"\n'
        )
        wrapper.chmod(0o755)

    def __enter__(self):
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "mkdocs",
                    "serve",
                    "-a",
                    self.address,
                    "-f",
                    "mkdocs.yml",
                ],
                cwd=self.folder,
                env={**NEUTRAL, **QUIET, "PATH": f"{self.folder / 'bin'}:{NEUTRAL['PATH']}"},
                stdout=log,
                stderr=log,
            )
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)

    @property
    def log(self):
        return self.log_file.read_text()

    def wait_for(self, condition):
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                if condition():
                    return
            time.sleep(0.1)
        pytest.fail(self.log)

    def locs(self):
        with urllib.request.urlopen(f"http://{self.address}/docs/sitemap.xml") as answer:
            root = etree.fromstring(answer.read())
        return root.xpath("s:url/s:loc/text()", namespaces=NAMESPACES)

    def commands(self):
        """Return the names of git's commands, in the order of their calls."""
        known = {"rev-parse", "ls-tree", "log", "status", "config"}
        words = (line.split() for line in self.git_file.read_text().splitlines())
        return [next(word for word in line if word in known) for line in words]


def test_serve_gives_the_servers_urls_and_walks_the_history_once(tmp_path):
    robots = "User-agent: *\nAllow: /\n"
    write(
        tmp_path,
        {
            "docs/guide.md": "# Guide\n",
            "docs/draft.md": "# Draft\n",
            "docs/robots.txt": robots,
            "fail.py": FAIL,
        },
        site_url=f"{BASE}docs/",
        draft_docs="draft.md",
        hooks=["fail.py"],
        plugins=[{"sitemap": {"base_url": f"{BASE}elsewhere/"}}],
    )
    commit(tmp_path)
    guide = tmp_path / "docs/guide.md"
    with Server(tmp_path) as server:
        base = f"http://{server.address}/docs/"
        server.wait_for(lambda: server.locs() == [base, f"{base}guide/"])
        first = server.commands()

        (tmp_path / "fail").touch()
        guide.write_text("# Guide, edited\n")
        server.wait_for(lambda: "a plugin failed" in server.log)
        (tmp_path / "fail").unlink()
        (tmp_path / "docs/new.md").write_text("# New\n")
        server.wait_for(lambda: f"{base}new/" in server.locs())

        assert server.locs() == [base, f"{base}guide/", f"{base}new/"]
        again = server.commands()[len(first) :]
    assert "log" in first
    assert "log" not in again
    assert again.count("status") >= 1
    assert (tmp_path / "docs/robots.txt").read_text() == robots


# --- options -------------------------------------------------------------------------------------


def test_a_plugin_that_is_not_enabled_leaves_the_built_in_sitemap(tmp_path):
    write(tmp_path, {}, plugins=[{"sitemap": {"enabled": False}}])
    built = build(tmp_path, "--strict")

    assert paths(built) == [""]
    assert b"sitemap_plugins" not in (built.output_dir / "sitemap.xml").read_bytes()


def test_options_come_from_the_environment_and_from_an_inherited_file(tmp_path):
    write(
        tmp_path,
        {"docs/a.md": "# A\n", "docs/b.md": "# B\n"},
        plugins={"sitemap": {"exclude": "a/"}},
    )
    (tmp_path / "mkdocs.yml").rename(tmp_path / "base.yml")
    (tmp_path / "mkdocs.yml").write_text(
        "INHERIT: base.yml\n"
        "plugins:\n  sitemap:\n    gzip: !ENV [SITEMAP_GZIP, true]\n    lastmod: !ENV DATES\n"
    )
    built = build(tmp_path, "--strict", SITEMAP_GZIP="false", DATES="false")

    assert built.entries == {BASE: {}, f"{BASE}b/": {}}
    assert not built.wrote("sitemap.xml.gz")


def test_a_plugin_listed_twice_is_the_hosts_warning_and_the_sitemap_is_whole(tmp_path):
    write(tmp_path, {}, plugins=["sitemap", "sitemap"])
    built = build(tmp_path)

    assert built.log.count("Plugin 'sitemap' was specified multiple times") == 1
    assert paths(built) == [""]
    assert built.robots == b"Sitemap: https://example.com/sitemap.xml\n"


def test_the_logger_has_the_name_by_which_the_hosts_count_warnings():
    module = pytest.importorskip("sitemap_plugins.mkdocs")

    assert module.log.logger.name == "mkdocs.plugins.sitemap"


# --- ProperDocs ----------------------------------------------------------------------------------


@pytest.fixture
def without_mkdocs(tmp_path):
    """Return the environment of a Python that has everything but MkDocs."""
    installed = tmp_path / "installed"
    installed.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if entry.name != "mkdocs" and not entry.name.startswith("mkdocs-1"):
            (installed / entry.name).symlink_to(entry)
    if not (installed / "sitemap_plugins").exists():  # An editable installation.
        (installed / "sitemap_plugins").symlink_to(Path(sitemap_plugins.__file__).parent)
    return {"PYTHONPATH": str(installed), "PYTHONNOUSERSITE": "1"}


@pytest.mark.parametrize("url", [BASE, ""])
def test_properdocs_needs_no_mkdocs_and_counts_our_warnings(tmp_path, without_mkdocs, url):
    pytest.importorskip("properdocs")
    write(tmp_path, {}, site_url=url)
    (tmp_path / "mkdocs.yml").rename(tmp_path / "properdocs.yml")
    # -S: the installed packages count only as the environment names them.
    command = [sys.executable, "-S", "-P", "-m"]
    environ = {**NEUTRAL, **QUIET, **without_mkdocs}
    missing = subprocess.run([*command, "mkdocs"], env=environ, capture_output=True, check=False)
    run = subprocess.run(
        [*command, "properdocs", "build", "--strict", "-d", "out"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert b"No module named mkdocs" in missing.stderr
    assert ("WARNING -  sitemap: the site's address is not set" in run.stderr) == (url == "")
    assert (run.returncode == 0) == (url != ""), run.stderr


# --- mike ----------------------------------------------------------------------------------------


def test_each_version_of_mike_has_a_sitemap_of_its_own_urls(tmp_path):
    pytest.importorskip("mike")
    write(tmp_path, {"docs/guide.md": "# Guide\n"}, plugins=["sitemap", "mike"])
    commit(tmp_path)
    git(tmp_path, "config", "user.name", "A")
    git(tmp_path, "config", "user.email", "a@example.com")
    for version in ("1.0", "2.0"):
        subprocess.run(
            [sys.executable, "-P", "-c", "from mike.driver import main; main()", "deploy", version],
            cwd=tmp_path,
            # It runs the host's command by its name.
            env={**NEUTRAL, **QUIET, "PATH": f"{Path(sys.executable).parent}:{NEUTRAL['PATH']}"},
            check=True,
        )
        sitemap = git(tmp_path, "show", f"gh-pages:{version}/sitemap.xml")
        locs = etree.fromstring(sitemap.encode()).xpath("//s:loc/text()", namespaces=NAMESPACES)

        assert locs == [f"{BASE}{version}/", f"{BASE}{version}/guide/"]
