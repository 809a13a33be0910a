"""`sitemap-plugins redirects` on the command line: formats, and what is not said."""

from __future__ import annotations

import ast
import json
import re
from string import Template
from urllib.parse import unquote, urljoin

import pytest
import yaml

from sitemap_plugins.moved.lines import line_of
from sitemap_plugins.sitemaps.removed import Moved
from tests.check.checked_site import url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, page, write
from tests.full import full
from tests.git_repository import ENVIRON, GitRepository
from tests.git_server import serving

REFRESH = '<!doctype html><meta http-equiv="refresh" content="0; url=/new/">'
SETTINGS = {"mkdocs.yml": f"site_url: {BASE}\n", ".gitignore": "site\n"}


def text(word):
    return "".join(f"{word} {n} of a page, which is long enough\n" for n in range(20))


@pytest.fixture
def site(tmp_path):
    """A page moved; nobody knows where three others are."""
    old = {
        "docs/old.md": text("old"),
        "docs/merged.md": text("merged"),
        "docs/a/same.md": "first",
        "docs/b/same.md": "2nd",
        "docs/gone.md": "?",
    }
    new = {"docs/new.md": text("old") + text("merged")[:-99], "docs/b/same.md": "2nd"}
    git = GitRepository(tmp_path)
    git.commit({**SETTINGS, **old, "docs/index.md": text("home")})
    git.commit({**SETTINGS, **old, "docs/index.md": text("home")})
    moved = {**old, "docs/new.md": old["docs/old.md"] + "and more"}
    del moved["docs/old.md"]
    git.commit({**SETTINGS, **moved, "docs/index.md": text("home")})
    git.commit({**SETTINGS, **new, "docs/index.md": text("home")})
    git.write()
    names = ("index", "new/index", "b/same/index")
    write(tmp_path, {f"site/{name}.html": page(BASE) for name in names})
    return tmp_path


LINES = {
    "mkdocs": ['"old.md": "new.md"'],
    "rediraffe": ['"old.md" "new.md"'],
    "reredirects": ["'old': '../new/',"],
    "_redirects": ["/old/ /new/ 301"],
}
SUMMARY = "4 pages without a redirect: 1 moved, 3 unknown\n"


@pytest.mark.parametrize("form", LINES)
def test_each_moved_page_is_a_line(site, form):
    done = run(site, "redirects", "HEAD~2", "site", "--format", form)

    assert (0, SUMMARY) == (done.returncode, done.err)
    assert LINES[form] == done.out.splitlines()


def test_text_names_the_commit(site):
    moved = GitRepository(site).git("rev-parse", "--short=9", "HEAD~")
    done = run(site, "redirects", "HEAD~2")

    assert (0, SUMMARY) == (done.returncode, done.err)
    assert f"{BASE}old/  moved to {BASE}new/ (commit {moved})\n" == done.out


def test_old_pages_can_be_those_of_a_sitemap(site):
    write(site, {"old.xml": urlset(url("old/"), url("new/"), url("gone.html"))})
    done = run(site, "redirects", "old.xml", "site", "--format", "json")
    found = json.loads(done.out)

    assert [f"{BASE}gone.html"] == found["unknown"]
    assert [
        {
            "url": f"{BASE}old/",
            "new_url": f"{BASE}new/",
            "source": "old.md",
            "new_source": "new.md",
            "commit": GitRepository(site).git("rev-parse", "HEAD~"),
        }
    ] == found["redirects"]


def test_a_page_that_redirects_is_not_named(site):
    write(site, {"site/_redirects": "/old/ /new/ 301\n"})
    write(site, {"site/merged/index.html": REFRESH})
    done = run(site, "redirects", "HEAD~2")

    assert (0, "") == (done.returncode, done.out)
    assert "2 pages without a redirect: 0 moved, 2 unknown\n" == done.err


def test_if_no_page_vanished_one_line_says_so(site):
    done = run(site, "redirects", "HEAD", "site")

    assert (0, "") == (done.returncode, done.out)
    assert "every page is still there, or has a redirect\n" == done.err


def test_a_file_that_is_not_built_is_not_a_page_that_vanished(tmp_path):
    """As the templates, and the notebooks, in the manual of instructor."""
    git = GitRepository(tmp_path)
    files = {**SETTINGS, "docs/index.md": text("home"), "docs/template.md": "?"}
    git.commit({**files, "docs/gone.md": "?"})
    git.commit(files)
    git.write()
    write(tmp_path, {"site/index.html": page(BASE)})
    done = run(tmp_path, "redirects", "HEAD~", "site")

    assert "1 page without a redirect: 0 moved, 1 unknown\n" == done.err


@pytest.mark.parametrize("old", ["old.xml", "HEAD~"])
def test_hugo_wrote_the_old_addresses_in_lowercase(tmp_path, old):
    git = GitRepository(tmp_path)
    names = ("_index", "Other", "ToInt")
    files = {f"content/{name}.md": text(name) for name in names}
    files[".gitignore"] = "site\n"
    git.commit(files)
    files["content/ToInteger.md"] = files.pop("content/ToInt.md")
    git.commit(files)
    git.write()
    home = '<meta name="generator" content="Hugo 0.168.0">'
    write(tmp_path, {"site/index.html": page(BASE, head=home)})
    names = ("other", "tointeger")
    for name in names:
        write(tmp_path, {f"site/{name}/index.html": page(f"{BASE}{name}/")})
    write(tmp_path, {"old.xml": urlset(url("toint/"))})
    done = run(tmp_path, "redirects", old, "--format", "_redirects")

    assert (0, "/toint/ /tointeger/ 301\n") == (done.returncode, done.out)


def test_a_page_that_became_a_folder_leads_to_its_first_page(tmp_path):
    git = GitRepository(tmp_path)
    git.commit({**SETTINGS, "docs/guide.md": text("guide")})
    parts = {"docs/guide/a.md": text("guide"), "docs/guide/overview.md": "?"}
    git.commit({**SETTINGS, **parts})
    git.write()
    names = ("index", "guide/a/index", "guide/overview/index")
    write(tmp_path, {f"site/{name}.html": page() for name in names})
    write(tmp_path, {"old.xml": urlset(url("guide/"))})
    done = run(tmp_path, "redirects", "old.xml", "--format", "_redirects")

    assert (0, "/guide/ /guide/overview/ 301\n") == (done.returncode, done.out)


@pytest.mark.parametrize("old", ["--all", "nothing", "a\nb", ""])
def test_what_is_no_revision_is_refused(site, old):
    done = run(site, "redirects", "--", old, "site")

    assert (2, "") == (done.returncode, done.out)
    assert "is neither a sitemap nor a revision" in done.err or not old


def test_new_pages_must_be_on_this_machine(site):
    done = run(site, "redirects", "HEAD~2", "public")

    assert 2 == done.returncode
    assert "'public' is not on this machine: name the folder" in done.err


@pytest.mark.parametrize("fetches", ["false", full("true")])
def test_a_shallow_clone_says_so_unless_its_history_is_fetched(site, tmp_path, fetches):
    clone = tmp_path / "clone"
    origin = GitRepository(site)
    origin.git("config", "uploadpack.allowFilter", "true")
    with serving(site.parent) as server:
        address = f"{server.url}{site.name}/.git"
        origin.git("clone", "-q", "--depth=1", address, str(clone))
        settings = f"fetch_history = {fetches}\nbase_url = '{BASE}'\n"
        write(clone, {"sitemap.toml": settings})
        (site / "site").rename(clone / "site")
        write(clone, {"old.xml": urlset(url("merged/"), url("old/"), url("gone/"))})
        done = run(clone, "redirects", "old.xml", "--format", "mkdocs", **ENVIRON)

    assert 0 == done.returncode, done.err
    if fetches == "true":
        assert LINES["mkdocs"] == done.out.splitlines()
        assert "fetching the history" in done.err
    else:
        assert "" == done.out
        assert (
            "the clone is shallow: pages that moved before its first commit" in done.err
        )


HOSTILE = (
    "ca'f\"é",
    "per%cent",
    "ha#sh",
    "star*",
    "[x]",
    "co:lon",
    "back\\slash",
    "n\nl",
    "-x",
)


UNFIT = {"mkdocs": "#", "rediraffe": '"\\\n', "reredirects": "*?[]", "_redirects": ""}
"""Characters of names for which a form has no line."""


@pytest.mark.parametrize("form", LINES)
def test_names_are_escaped_for_each_form_or_left_out(tmp_path, form):
    git = GitRepository(tmp_path)
    git.commit({**SETTINGS, **{f"docs/a {name}.md": text(name) for name in HOSTILE}})
    git.commit({**SETTINGS, **{f"docs/b {name}.md": text(name) for name in HOSTILE}})
    git.write()
    write(tmp_path, {f"site/b {name}/index.html": page() for name in HOSTILE})
    done = run(tmp_path, "redirects", "HEAD~", "--format", form)
    lines = done.out.splitlines()

    assert 0 == done.returncode
    assert f"{len(HOSTILE)} pages without a redirect: 9 moved, 0 unknown\n" in done.err
    fit = [name for name in HOSTILE if not set(name) & set(UNFIT[form])]
    assert {f"a {name}": f"b {name}" for name in fit} == pairs_in(lines, form)
    assert len(fit) == len(lines)
    assert (f"cannot be written as {form}" in done.err) == (fit != [*HOSTILE])


@pytest.mark.parametrize("name", ["javascript:alert(1)", "12:30", "$source", "$"])
def test_target_for_sphinx_is_neither_another_scheme_nor_a_pattern(name):
    old = f"{BASE}old.html"
    new = f"{BASE}{name}.html"
    moved = Moved(old, new, source="old.rst", new_source=f"{name}.rst")
    target = ast.literal_eval("{" + line_of(moved, "reredirects") + "}")["old"]
    filled = Template(target).substitute(source="old")

    assert new == unquote(urljoin(old, filled))


@pytest.mark.parametrize("form", LINES)
def test_no_line_is_a_command_of_a_log(form):
    old = f"{BASE}%23%23%5Ba%5D/"
    moved = Moved(old, f"{BASE}b/", source="##[a].md", new_source="b.md")

    assert "##[" not in line_of(moved, form)


def pairs_in(lines, form):
    """Return old and new names as the readers of a form read them."""
    match form:
        case "mkdocs":
            pairs = yaml.safe_load("\n".join(lines)).items()
        case "rediraffe":
            pairs = (re.findall('"([^"]+)"', line) for line in lines)
        case "reredirects":
            pairs = ast.literal_eval("{" + "\n".join(lines) + "}").items()
        case _:
            pairs = (map(unquote, line.split()[:2]) for line in lines)
    found = {}
    for old, new in pairs:
        there = unquote(new) if form == "reredirects" else new
        names = (name.strip("./").removesuffix(".md") for name in (old, there))
        found |= [tuple(names)]
    return found
