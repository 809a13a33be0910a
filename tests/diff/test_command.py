"""`sitemap-plugins diff` on the command line: output and exit codes."""

from __future__ import annotations

import json
import re

import pytest

from tests.check.checked_site import url, urlset
from tests.cli.command import run
from tests.folder.html_folder import (
    BASE,
    MOMENTS,
    build_site,
    commit,
    page,
    write,
)
from tests.git_repository import GitRepository
from tests.sitemaps.loopback import serving

HTML = "<!doctype html><html><head>{}</head><body>{}</body></html>"
OF_MKDOCS = HTML.format('<meta name="generator" content="mkdocs-1.6.1">', "")
OF_SPHINX = HTML.format(
    '<link href="_static/pygments.css">', '<a href="_sources/index.md.txt">Source</a>'
)
REFRESH = '<!doctype html><meta http-equiv="refresh" content="0; url=/">'
TEXT = "".join(f"line {n} of a page, which is long enough\n" for n in range(20))
DAY, LATER = "2024-05-01", "2024-05-02"


@pytest.fixture
def folder(tmp_path):
    old = urlset(url("gone"), url("same", DAY), url("edited", DAY), url("dated"))
    new = urlset(
        url("new", DAY), url("same", DAY), url("edited", LATER), url("dated", DAY)
    )
    write(tmp_path, {"old.xml": old, "site/sitemap.xml": new})
    return tmp_path


def test_text_names_each_change(folder):
    done = run(folder, "diff", "old.xml", "site")

    assert (1, "") == (done.returncode, done.err)
    assert done.out.splitlines() == [
        f"~ {BASE}edited  {DAY} → {LATER}",
        f"- {BASE}gone",
        f"+ {BASE}new",
        "1 added, 1 removed, 1 changed",
    ]
    assert (1, "", "") == run(folder, "diff", "old.xml", "site", "-q")


def test_json_is_no_command_of_a_log(folder):
    write(folder, {"old.xml": urlset(url("##[error]x"))})
    done = run(folder, "diff", "old.xml", "site", "--format", "json")

    assert "##[" not in done.out
    changes = json.loads(done.out)["changes"]
    assert f"{BASE}##[error]x" in {change["url"] for change in changes}


def test_record_says_which_file_and_commit_gave_a_new_date(tmp_path):
    files = {f"{name}/index.html": page(f"{BASE}{name}/") for name in "ab"}
    build_site(tmp_path, files, ["docs/a.md", "docs/b.md"])
    before = (tmp_path / "out/sitemap.xml").read_text()
    text = before.replace(MOMENTS[1], DAY).replace(MOMENTS[0], DAY)
    write(tmp_path, {"old.xml": text})

    lines = run(tmp_path, "diff", "old.xml", "out").out.splitlines()

    assert lines[0] == f"~ {BASE}a/  {DAY} → {MOMENTS[0]}"
    assert re.fullmatch('    docs/a.md: .*, [0-9a-f]{7} "docs/a.md"', lines[1])
    found = run(tmp_path, "diff", "old.xml", "out", "--format", "json").out
    assert [lines[1], lines[3]] == [
        f"    {x['why']}" for x in json.loads(found)["changes"]
    ]
    # A program has changed the sitemap.
    write(tmp_path, {"out/sitemap.xml": before.replace(MOMENTS[0], LATER)})
    assert len(run(tmp_path, "diff", "old.xml", "out").out.splitlines()) == 3


def test_no_difference_is_exit_code_zero(folder):
    assert (0, "no difference\n", "") == run(folder, "diff", "old.xml", "old.xml")
    assert (0, "", "") == run(folder, "diff", "old.xml", "old.xml", "--format", "urls")


def test_formats_for_programs_are_json_and_urls(folder):
    found = json.loads(run(folder, "diff", "old.xml", "site", "--format", "json").out)
    urls = run(folder, "diff", "old.xml", "site", "--format", "urls").out.splitlines()

    assert (1, 1, 1) == (found["added"], found["removed"], found["changed"])
    assert {"change": "removed", "url": f"{BASE}gone", "old": "", "new": None} in found[
        "changes"
    ]
    assert urls == [change["url"] for change in found["changes"]]
    same = run(folder, "diff", "old.xml", "old.xml", "--format", "json")
    assert [] == json.loads(same.out)["changes"]


def test_unreadable_sitemap_is_exit_code_two(folder):
    write(folder, {"broken.xml": "<urlset>"})
    done = run(folder, "diff", "broken.xml", "site", "--format", "json")

    assert (2, "") == (done.returncode, done.out)
    assert "broken.xml:1: it is not well-formed XML" in done.err
    assert 1 == done.err.count("\n")


def test_urls_alone_are_compared_without_dates(folder):
    done = run(folder, "diff", "old.xml", "site", "--urls")
    lines = [f"- {BASE}gone", f"+ {BASE}new", "1 added, 1 removed"]
    write(
        folder,
        {"dated.xml": urlset(url("same", LATER)), "undated.xml": urlset(url("same"))},
    )

    assert (1, lines) == (done.returncode, done.out.splitlines())
    assert (0, "no difference\n", "") == run(
        folder, "diff", "dated.xml", "undated.xml", "--urls"
    )


@pytest.fixture
def moved(folder):
    """The site after a move: one page has a redirect, one is not listed,
    one is gone."""
    old = urlset(*(url(name) for name in ("", "gone/", "hidden/", "moved/")))
    pages = {
        "index": page(BASE),
        "hidden/index": page(f"{BASE}hidden/"),
        "moved/index": REFRESH,
    }
    write(folder, {f"site/{name}.html": text for name, text in pages.items()})
    write(folder, {"old.xml": old, "site/sitemap.xml": urlset(url(""))})
    return folder


def test_removed_pages_must_redirect(moved):
    command = ("diff", "old.xml", "site", "--require-redirects")
    found = json.loads(run(moved, *command, "--format", "json").out)["removed"]

    summary = (
        "3 removed: 1 redirected, 1 still there but not listed, 1 without a redirect"
    )
    text = f"- {BASE}gone/  has no file and no redirect\n{summary}\n"
    assert (1, text, "") == run(moved, *command)
    assert (1, f"{BASE}gone/\n", "") == run(moved, *command, "--format", "urls")
    assert (1, "", "") == run(moved, *command, "-q")
    assert {
        "url": f"{BASE}gone/",
        "fate": "missing",
        "why": "has no file and no redirect",
        "new_url": None,
    } in found
    assert ["missing", "there", "redirected"] == [each["fate"] for each in found]


@pytest.mark.parametrize(
    ("page", "line"),
    [
        (OF_MKDOCS, '"old.md": "new.md" to `redirect_maps` of mkdocs-redirects'),
        (OF_SPHINX, "'old': '../new/', to `redirects` in conf.py"),
        (HTML, "/old/ /new/ 301 to `_redirects` in the built folder"),
    ],
    ids=["mkdocs", "sphinx", "another"],
)
def test_a_moved_page_has_its_redirect_in_the_message(tmp_path, page, line):
    git = GitRepository(tmp_path)
    git.commit({"docs/old.md": TEXT, "docs/index.md": "home"})
    git.commit({"docs/new.md": TEXT, "docs/index.md": "home"})
    git.write()
    listed = {"old.xml": ("", "old/"), "site/sitemap.xml": ("", "new/")}
    for name, pages in listed.items():
        write(tmp_path, {name: urlset(*map(url, pages))})
    new = page.replace("index.md", "new.md")
    write(tmp_path, {"site/index.html": page, "site/new/index.html": new})
    command = ("diff", "old.xml", "site", "--require-redirects")
    done = run(tmp_path, *command)
    row = json.loads(run(tmp_path, *command, "--format", "json").out)["removed"][0]

    why = f"has no file and no redirect; it moved to {BASE}new/: add {line}"
    assert done.out.startswith(f"- {BASE}old/  {why}")
    assert (1, "1 removed: 1 without a redirect") == (
        done.returncode,
        done.out.splitlines()[1],
    )
    assert f"{BASE}new/" == row["new_url"]


def test_a_site_that_mkdocs_yml_builds_has_the_redirects_of_mkdocs(tmp_path):
    git = GitRepository(tmp_path)
    git.commit({"docs/old.md": TEXT, "docs/index.md": "home"})
    git.commit({"docs/new.md": TEXT, "docs/index.md": "home"})
    git.write()
    write(tmp_path, {"mkdocs.yml": f"site_name: A\nsite_url: {BASE}\n"})
    listed = {"old.xml": ("", "old/"), "site/sitemap.xml": ("", "new/")}
    for name, pages in listed.items():
        write(tmp_path, {name: urlset(*map(url, pages))})
    write(tmp_path, {"site/index.html": HTML, "site/new/index.html": HTML})
    done = run(tmp_path, "diff", "old.xml", "site", "--require-redirects")

    assert 'add "old.md": "new.md" to `redirect_maps` of mkdocs-redirects' in done.out


def test_a_date_that_one_side_lacks_is_no_change(folder):
    """A build without history has none."""
    write(folder, {"dated.xml": urlset(url("", DAY)), "new.xml": urlset(url(""))})

    assert (0, "no difference\n", "") == run(folder, "diff", "dated.xml", "new.xml")
    assert (0, "no difference\n", "") == run(folder, "diff", "new.xml", "dated.xml")


PREVIEW = "https://pr-7.example.org/x/"


@pytest.fixture
def changed(tmp_path):
    """A page moved, one is gone, one redirects, one is new, and one was edited."""
    git = GitRepository(tmp_path)
    same = {"docs/index.md": "home", "docs/edited.md": "edited"}
    git.commit({**same, "docs/old.md": TEXT})
    git.commit({**same, "docs/new.md": TEXT})
    git.write()
    names = ("", "old/", "gone/", "led/")
    old = urlset(*map(url, names), url("edited/", DAY), url("n%7Co(1)%60te/", DAY))
    new = urlset(
        url("", DAY),
        url("new/"),
        url("added/"),
        url("edited/", LATER),
        url("n%7Co(1)%60te/", LATER),
    )
    write(tmp_path, {"old.xml": old, "site/sitemap.xml": new})
    for name in ("", "new/", "added/", "edited/"):
        write(tmp_path, {f"site/{name}index.html": page(BASE + name)})
    write(tmp_path, {"site/led/index.html": REFRESH})
    return tmp_path


def test_markdown_is_a_comment_on_a_pull_request(changed):
    command = ("diff", "old.xml", "site", "--format", "markdown")
    done = run(changed, *command, "--preview", PREVIEW)

    assert (1, "") == (done.returncode, done.err)
    assert done.out.splitlines() == [
        "**Pages: 2 added, 2 changed, 3 removed**",
        "",
        "| Page | What |",
        "|---|---|",
        "| `gone/` | **gone**, without a redirect |",
        f"| `old/` | **gone**, without a redirect; now [`new/`]({PREVIEW}new/) |",
        "| `led/` | **gone**, redirected |",
        f"| [`new/`]({PREVIEW}new/) | new, was `old/` |",
        f"| [`added/`]({PREVIEW}added/) | new |",
        f"| [`edited/`]({PREVIEW}edited/) | changed |",
        f"| [`n\\|o(1)'te/`]({PREVIEW}n%7Co%281%29%60te/) | changed |",
    ]
    assert done == run(changed, *command, "--preview", PREVIEW)
    assert "](" not in run(changed, *command).out


def test_markdown_of_equal_sitemaps_is_one_line(changed):
    done = run(changed, "diff", "site", "site", "--format", "markdown")

    assert (0, "**Pages: no difference**\n", "") == done


def test_markdown_has_forty_rows(tmp_path):
    new = urlset(*(url(f"{n}/") for n in range(100)), url(""))
    write(tmp_path, {"old.xml": urlset(url("")), "new.xml": new})
    done = run(tmp_path, "diff", "old.xml", "new.xml", "--format", "markdown")

    assert "**Pages: 100 added**" == done.out.splitlines()[0]
    assert 40 == done.out.count("| new |")
    assert done.out.endswith("\n\nand 60 more\n")


def test_no_page_is_lost_if_each_redirects(moved):
    command = ("diff", "old.xml", "site", "--require-redirects")
    write(moved, {"site/_redirects": "/gone / 301\n"})
    done = run(moved, *command)

    assert (0, "") == (done.returncode, done.err)
    assert "3 removed: 2 redirected, 1 still there but not listed\n" == done.out
    same = run(moved, "diff", "site", "site", "--require-redirects")
    assert (0, "no URL is removed\n", "") == same


def test_server_is_asked_about_removed_pages(moved):
    with serving(moved / "site") as server:
        old, new = (
            urlset(*(url(path, base=server.url) for path in paths))
            for paths in (("", "gone/", "hidden/", "moved/"), ("",))
        )
        write(moved, {"old.xml": old, "site/sitemap.xml": new})
        done = run(moved, "diff", "old.xml", server.url, "--require-redirects")

    lines = [
        f"- {server.url}gone/  answers 404",
        "3 removed: 1 redirected, 1 still there but not listed, 1 without a redirect",
    ]
    assert (1, lines, "") == (done.returncode, done.out.splitlines(), done.err)


def test_commit_has_no_redirects(moved):
    commit(moved, "site/sitemap.xml")
    done = run(
        moved, "diff", "old.xml", "git:HEAD:site/sitemap.xml", "--require-redirects"
    )

    problem = "git:HEAD:site/sitemap.xml does not show whether removed URLs redirect"
    assert (
        2,
        f"Error: {problem}: name a built folder or the URL of its site\n",
    ) == done[::2]


def test_removed_pages_are_not_written_in_markdown(moved):
    done = run(
        moved, "diff", "old.xml", "site", "--require-redirects", "--format", "markdown"
    )

    assert (2, "") == done[:2]
    assert done.err == (
        "Error: --require-redirects does not write Markdown: "
        "leave it out: the comment names removed pages without a redirect\n"
    )
