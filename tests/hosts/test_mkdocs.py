"""What only MkDocs and ProperDocs have:
their files, commands, options and third-party plugins."""

from __future__ import annotations

import contextlib
import os
import re
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
from tests.full import FULL, full
from tests.hosts.mkdocs_project import BASE, MAIN, build, commit, paths, write
from tests.shell_scripts import recording_git
from tests.sites import NAMESPACES, NEWS, QUIET, MkDocs, ProperDocs, git

# --- which pages
# ---------------------------------------------------------------------------------


def test_pages_outside_the_navigation_are_listed_but_not_drafts_or_templates(tmp_path):
    names = ("hidden", "draft", "excluded")
    write(
        tmp_path,
        {f"docs/{name}.md": f"# {name}\n" for name in names}
        | {"theme/404.html": "gone"},
        theme={"name": None, "custom_dir": "theme", "static_templates": ["404.html"]},
        nav=["index.md"],
        not_in_nav="hidden.md",
        draft_docs="draft.md",
        exclude_docs="excluded.md",
    )
    built = build(tmp_path, "--strict")

    assert built.wrote("404.html")
    assert ["", "hidden/"] == paths(built)


def test_error_page_is_left_out_even_if_written_in_markdown(tmp_path):
    write(
        tmp_path,
        {"docs/404.md": "# Gone\n", "docs/a/404.md": "# A\n"},
        use_directory_urls=False,
    )
    built = build(tmp_path, "--strict")

    assert built.wrote("404.html")
    assert ["a/404.html", "index.html"] == paths(built)


def test_without_directory_urls_pages_have_their_file_names(tmp_path):
    write(tmp_path, {"docs/a/b.md": "# B\n"}, use_directory_urls=False)

    assert ["a/b.html", "index.html"] == paths(build(tmp_path, "--strict"))


STATIC = {
    "docs/games/a/index.html": "<title>Game</title>",  # anoni-net/docs
    "docs/old.html": "<title>Old</title>",
    "docs/secret.html": "<meta name=robots content=noindex>",
    "docs/404.html": "gone",
    "docs/data.json": "{}",
    "docs/overrides/partials/nav.html": "{% a template %}",  # encode/httpx
}


@pytest.mark.parametrize("listed", [False, True])
def test_copied_html_is_counted_and_listed_on_request(tmp_path, listed):
    theme = {"name": None, "custom_dir": "docs/overrides"}
    templates = {"docs/overrides/main.html": MAIN}
    plugins = [{"sitemap": {"static_html": listed}}]
    write(tmp_path, STATIC | templates, theme=theme, plugins=plugins)
    commit(tmp_path)
    built = build(tmp_path, "--strict", "-v")

    if listed:
        assert built.entries == {
            f"{BASE}{path}": {"lastmod": NEWS} for path in ("", "games/a/", "old.html")
        }
        assert "3 pages, 2 left out (1 generated, 1 noindex)" in built.log
    else:
        assert [""] == paths(built)
        assert "1 page, 4 left out" in built.log
        assert (
            "games/a/index.html: left out (static: the generator only copied"
            in built.log
        )


def test_last_written_of_two_pages_with_one_url_is_listed(tmp_path):
    """argoproj/argo-cd has docs/proposals/manifest-hydrator.md beside a folder
    of that name."""
    write(
        tmp_path,
        {
            "docs/proposals/manifest-hydrator.md": "# Proposal\n",
            "docs/proposals/manifest-hydrator/README.md": "# Folder\n",
        },
    )
    commit(tmp_path)
    (tmp_path / "docs/proposals/manifest-hydrator/README.md").write_text(
        "# Folder, edited\n"
    )
    git(
        tmp_path,
        "commit",
        "-qam",
        "edit",
        GIT_COMMITTER_DATE="2025-01-01T00:00:00+00:00",
    )
    built = build(tmp_path)

    assert (
        "Folder"
        in (built.output_dir / "proposals/manifest-hydrator/index.html").read_text()
    )
    assert {"lastmod": "2025-01-01T00:00:00+00:00"} == built.entries[
        f"{BASE}proposals/manifest-hydrator/"
    ]
    assert 1 == built.log.count("proposals/manifest-hydrator.md: same URL as")


def test_readme_beside_an_index_is_not_a_page(tmp_path):
    write(tmp_path, {"docs/a/README.md": "# R\n", "docs/a/index.md": "# I\n"})
    built = build(tmp_path)

    assert "Excluding 'a/README.md' from the site because it conflicts" in built.log
    assert "same URL" not in built.log
    assert ["", "a/"] == paths(built)


BREAKING = """
def on_page_content(html, page, config, files):
    if page.file.src_uri == "b.md":
        page.posts = 7
"""


def test_page_on_which_the_plugin_fails_does_not_affect_others(tmp_path):
    files = {"docs/a.md": "# A\n", "docs/b.md": "# B\n", "hooks.py": BREAKING}
    write(tmp_path, files, hooks=["hooks.py"])
    built = build(tmp_path)

    assert ["", "a/"] == paths(built)
    assert (
        "b.md: the page is left out: TypeError: 'int' object is not iterable ("
        in built.log
    )
    assert "(failed)" in built.log


def test_without_an_address_no_sitemap_is_written(tmp_path):
    write(tmp_path, {}, site_url="")
    built = build(tmp_path)

    assert (
        "site_url in mkdocs.yml is not set, so no sitemap is written: set it to"
        in built.log
    )
    assert not list(built.output_dir.glob("sitemap*"))


# --- pages that plugins make
# ---------------------------------------------------------------------

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


def test_pages_made_during_the_build_are_listed_without_an_invented_date(tmp_path):
    pytest.importorskip("mkdocs_gen_files")
    write(
        tmp_path,
        {"hooks.py": HOOKS, "generate.py": GENERATOR},
        hooks=["hooks.py"],
        plugins=["sitemap", {"gen-files": {"scripts": ["generate.py"]}}],
    )
    commit(tmp_path)

    assert {
        BASE: {"lastmod": NEWS},
        f"{BASE}api/module/": {"priority": "0.1"},
        f"{BASE}memory/": {"lastmod": "2024-01-01"},
        f"{BASE}undated/": {},
    } == build(tmp_path).entries


WRITING_HOOK = """
from pathlib import Path

def on_config(config):
    Path(config.docs_dir, "made.md").write_text("# Made\\n")
"""


def test_untracked_file_that_the_build_wrote_has_no_date(tmp_path):
    write(tmp_path, {"hooks.py": WRITING_HOOK}, hooks=["hooks.py"])
    commit(tmp_path)
    (tmp_path / "docs/found.md").write_text("# Found\n")
    os.utime(tmp_path / "docs/found.md", (1_600_000_000, 1_600_000_000))

    assert {
        BASE: {"lastmod": NEWS},
        f"{BASE}found/": {},  # It can be of an earlier build.
        f"{BASE}made/": {},
    } == build(tmp_path).entries


@pytest.mark.parametrize("order", [("sitemap", "redirects"), ("redirects", "sitemap")])
def test_redirects_that_replace_pages_are_left_out_in_any_order(tmp_path, order):
    pytest.importorskip("mkdocs_redirects")
    maps = {"redirect_maps": {"old.md": "index.md", "live.md": "index.md"}}
    options = {"sitemap": {}, "redirects": maps}
    write(
        tmp_path,
        {"docs/live.md": "# L\n"},
        plugins=[{name: options[name]} for name in order],
    )
    built = build(tmp_path, "-v")

    assert built.wrote("old/index.html")
    assert [""] == paths(built)
    assert "live.md: left out (redirect" in built.log


# --- --dirty
# -------------------------------------------------------------------------------------


def test_dirty_build_uses_the_front_matter_of_unread_pages(tmp_path):
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
    assert {"lastmod": "2024-01-01"} == dirty[f"{BASE}dated/"]
    assert f"{BASE}secret/" not in dirty


# --- serve
# --------------------------------------------------------------------------------------

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
        self.path = recording_git(folder / "bin", self.git_file)

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
                env={
                    **os.environ,
                    **QUIET,
                    "PATH": self.path,
                },
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
        with urllib.request.urlopen(
            f"http://{self.address}/docs/sitemap.xml"
        ) as answer:
            root = etree.fromstring(answer.read())
        return root.xpath("s:url/s:loc/text()", namespaces=NAMESPACES)

    def commands(self):
        """Return the names of git's commands, in the order of their calls."""
        known = {"rev-parse", "ls-tree", "log", "status", "config", "cat-file"}
        words = (line.split() for line in self.git_file.read_text().splitlines())
        return [next(word for word in line if word in known) for line in words]


def test_serve_lists_the_servers_urls_and_reads_the_history_once(tmp_path):
    robots = "User-agent: *\nAllow: /\n"
    write(
        tmp_path,
        {
            "docs/guide.md": "# Guide\n",
            "docs/draft.md": "# Draft\n",
            "docs/robots.txt": robots,
            "theme/sitemap.xml": "<own/>",
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
    assert "robots.txt" not in server.log
    assert "is not used, because" not in server.log
    assert "log" in first
    assert "log" not in again
    assert again.count("status") >= 1
    assert (tmp_path / "docs/robots.txt").read_text() == robots


# --- options
# -------------------------------------------------------------------------------------


OLDER = """
import mkdocs.plugins
from mkdocs.__main__ import cli

mkdocs.__version__ = "1.5.3"
del mkdocs.plugins.CombinedEvent
cli(["build"])
"""


def test_older_mkdocs_stops_with_one_line(tmp_path):
    """It lacks names that the plugin needs."""
    write(tmp_path, {})
    built = subprocess.run(
        [sys.executable, "-c", OLDER],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    line = (
        "Error: the plugin 'sitemap' needs MkDocs 1.6 or later, and 1.5.3 is"
        " installed: pip install 'mkdocs>=1.6,<2'\n"
    )
    assert (1, line) == (built.returncode, built.stderr)


@pytest.mark.parametrize("arguments", [(), ("--strict",)])
def test_unknown_options_stop_the_build_with_a_suggestion(tmp_path, arguments):
    write(tmp_path, {}, plugins=[{"sitemap": {"exlude": [], "gizp": True, "own": 1}}])
    built = MkDocs().run(tmp_path, *arguments)

    assert built.returncode != 0
    assert not built.wrote("index.html")
    assert [
        ("exlude", "exlude is not an option: did you mean 'exclude'?"),
        ("gizp", "gizp is not an option: did you mean 'gzip'?"),
        ("own", "own is not an option: remove it"),
    ] == re.findall(r"option '(\w+)': (.*)", built.log)
    assert "Unrecognised" not in built.log


def test_disabled_plugin_leaves_the_built_in_sitemap(tmp_path):
    write(tmp_path, {}, plugins=[{"sitemap": {"enabled": False}}])
    built = build(tmp_path, "--strict")

    assert [""] == paths(built)
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

    assert {BASE: {}, f"{BASE}b/": {}} == built.entries
    assert not built.wrote("sitemap.xml.gz")


def test_plugin_listed_twice_is_only_a_warning_of_the_host(tmp_path):
    write(tmp_path, {}, plugins=["sitemap", "sitemap"])
    built = build(tmp_path)

    assert 1 == built.log.count("Plugin 'sitemap' was specified multiple times")
    assert [""] == paths(built)
    assert b"Sitemap: https://example.com/sitemap.xml\n" == built.robots


def test_the_logger_has_the_name_by_which_the_hosts_count_warnings():
    module = pytest.importorskip("sitemap_plugins.mkdocs")

    assert "mkdocs.plugins.sitemap" == module.log.logger.name


# --- ProperDocs
# ----------------------------------------------------------------------------------


@pytest.fixture
def without_mkdocs(tmp_path):
    """Return the environment of a Python that has everything but MkDocs."""
    installed = tmp_path / "installed"
    installed.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if entry.name != "mkdocs" and not entry.name.startswith("mkdocs-1"):
            (installed / entry.name).symlink_to(entry)
    if not (installed / "sitemap_plugins").exists():  # An editable installation.
        (installed / "sitemap_plugins").symlink_to(
            Path(sitemap_plugins.__file__).parent
        )
    return {"PYTHONPATH": str(installed), "PYTHONNOUSERSITE": "1"}


@FULL
@pytest.mark.parametrize("priority", [full(0.7), 7])
def test_properdocs_runs_without_mkdocs_and_counts_our_warnings(
    tmp_path, without_mkdocs, priority
):
    pytest.importorskip("properdocs")
    page = f"---\nsitemap:\n  priority: {priority}\n---\n"
    write(tmp_path, {"docs/index.md": page}, site_url=BASE)
    (tmp_path / "mkdocs.yml").rename(tmp_path / "properdocs.yml")
    # -S: the installed packages count only as the environment names them.
    command = [sys.executable, "-S", "-P", "-m"]
    environ = {**os.environ, **QUIET, **without_mkdocs}
    missing = subprocess.run(
        [*command, "mkdocs"], env=environ, capture_output=True, check=False
    )
    run = subprocess.run(
        [*command, "properdocs", "build", "--strict", "-d", "out"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert b"No module named mkdocs" in missing.stderr
    assert (priority == 7) == (
        "WARNING -  sitemap: index.md: sitemap.priority: 7" in run.stderr
    )
    assert (priority < 1) == (run.returncode == 0), run.stderr


def test_properdocs_names_its_own_file_if_the_address_is_missing(tmp_path):
    pytest.importorskip("properdocs")
    write(tmp_path, {}, site_url="")
    (tmp_path / "mkdocs.yml").rename(tmp_path / "properdocs.yml")
    built = ProperDocs().run(tmp_path, "--strict")

    assert "site_url in properdocs.yml is not set" in built.log
    assert "mkdocs.yml" not in built.log


def test_exclude_can_match_a_page_that_another_plugin_writes(tmp_path):
    """`check` would want the page in the sitemap."""
    hook = "from pathlib import Path\n\ndef on_post_build(config):\n"
    hook += "    Path(config.site_dir, 'print.html').write_text("
    hook += "'<!doctype html><html>All</html>')\n"
    plugins = [{"sitemap": {"exclude": ["print.html", "prints.html"]}}]
    write(
        tmp_path, {"hook.py": hook}, plugins=plugins, hooks=["hook.py"], theme="mkdocs"
    )
    built = build(tmp_path)

    assert "'prints.html' matches no page" in built.log
    assert "'print.html'" not in built.log
    assert "not listed" not in built.log
    verbose = build(tmp_path, "-v").log
    named = [
        line
        for line in verbose.splitlines()
        if "the generator has no such page" in line
    ]
    assert ["404.html", "print.html"] == [
        line.split(": ")[-2].split()[-1] for line in named
    ]


# --- mike
# --------------------------------------------------------------------------------------


def deploy(folder, version, *aliases):
    """Deploy a version, and return what the build says."""
    command = [
        sys.executable,
        "-P",
        "-c",
        "from mike.driver import main; main()",
        "deploy",
    ]
    run = subprocess.run(
        [*command, "-u", "-F", "mkdocs.yml", version, *aliases],
        cwd=folder,
        # It runs the host's command by its name.
        env={
            **os.environ,
            **QUIET,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
        check=False,
        capture_output=True,
        text=True,
    )
    assert 0 == run.returncode, run.stdout + run.stderr
    sitemap = git(folder, "show", f"gh-pages:{version}/sitemap.xml")
    locs = etree.fromstring(sitemap.encode()).xpath(
        "//s:loc/text()", namespaces=NAMESPACES
    )
    return locs, run.stdout + run.stderr


@pytest.fixture
def versions(tmp_path):
    """Return a way to write a project whose versions mike deploys."""
    pytest.importorskip("mike")

    def write_project(mike, **settings):
        write(
            tmp_path,
            {"docs/guide.md": "# Guide\n"},
            plugins=["sitemap", mike],
            **settings,
        )
        commit(tmp_path)
        git(tmp_path, "config", "user.name", "A")
        git(tmp_path, "config", "user.email", "a@example.com")
        return tmp_path

    return write_project


def test_each_mike_version_has_its_own_sitemap_and_a_notice_to_announce_one(versions):
    folder = versions("mike")
    for version in ("1.0", "2.0"):
        locs, said = deploy(folder, version)

        assert [f"{BASE}{version}/", f"{BASE}{version}/guide/"] == locs
        assert 1 == said.count("sitemap: robots.txt: ")
        assert (
            "only for the version that readers should find (robots-not-at-root)" in said
        )


@FULL
def test_no_notice_on_versions_if_merge_has_written_an_index(versions, tmp_path):
    folder = versions("mike")
    deploy(folder, "1.0")
    git(folder, "worktree", "add", "-q", str(tmp_path / "branch"), "gh-pages")
    (tmp_path / "branch/sitemap.xml").write_text("<sitemapindex/>")
    git(tmp_path / "branch", "add", "sitemap.xml")
    git(tmp_path / "branch", "commit", "-qm", "merge")
    git(folder, "worktree", "remove", str(tmp_path / "branch"))
    _, said = deploy(folder, "2.0")

    assert "robots-not-at-root" not in said


@FULL
def test_versions_with_one_canonical_version_are_announced_once(versions):
    folder = versions({"mike": {"canonical_version": "latest"}}, site_url=f"{BASE}docs")
    for version in ("1.0", "2.0"):
        locs, said = deploy(folder, version, "latest")

        assert [f"{BASE}docs/latest/", f"{BASE}docs/latest/guide/"] == locs
        line = f"Sitemap: {BASE}docs/latest/sitemap.xml"
        assert f"only at {BASE}robots.txt: add the line '{line}' there, once" in said
        assert "wrong-base-url" not in said


@FULL
def test_alias_that_mike_makes_of_redirects_is_a_warning(versions):
    """Every listed URL was a page that leads to another one, and nobody said so."""
    options = {"canonical_version": "latest", "alias_type": "redirect"}
    folder = versions({"mike": options})
    locs, said = deploy(folder, "1.0", "latest")

    assert f"{BASE}latest/" == locs[0]
    assert "mike makes 'latest' a folder of redirects, and its URLs are listed" in said


@FULL
def test_mike_alias_in_the_address_is_a_warning(versions):
    """roboflow/trackers had it: no URL of its sitemap was there."""
    folder = versions("mike", site_url=f"{BASE}latest/")
    locs, said = deploy(folder, "2.6.0", "latest")

    assert f"{BASE}latest/2.6.0/" == locs[0]
    assert (
        f"site_url = '{BASE}latest/' ends in 'latest', and mike adds a version" in said
    )
