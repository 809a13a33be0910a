"""`sitemap-plugins explain PAGE`:
why a page of a folder has its date, or is left out."""

from __future__ import annotations

import json
import os

import pytest

from sitemap_plugins import Options, Page, Site, generate
from sitemap_plugins.explain.page import explain_page
from tests.cli.command import run
from tests.folder.html_folder import BASE, page, write
from tests.git_repository import GitRepository
from tests.sites import git

SETTINGS = """
site_name: Site
site_url: https://example.com/
markdown_extensions:
  - pymdownx.snippets: {base_path: [.]}
"""
PAGES = ("inc", "refo", "index", "moved", "merged", "written", "secret", "old", "new")
INC = '--8<-- "snip/part.md"\n'
WRITTEN = "---\nlastmod: 2019-02-03\n---\n"
DAY = 86_400


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A project whose history has every kind of change, by day of 2020."""
    folder = tmp_path_factory.mktemp("project")
    made, tree = GitRepository(folder), {"mkdocs.yml": SETTINGS, "snip/part.md": "1"}
    tree["sitemap.toml"] = 'exclude = ["old/"]\n'
    tree |= {f"docs/{name}.md": name for name in PAGES if name not in {"moved", "new"}}
    tree |= {"docs/inc.md": INC, "docs/written.md": WRITTEN, "docs/before.md": "moved"}

    def commit(day, parents=None, **changes):
        tree.update({f"docs/{name}.md": text for name, text in changes.items()})
        return made.commit(tree, parents=parents, time=1_577_880_000 + day * DAY)

    commit(0)
    commit(1, refo="real change")
    ignored = commit(2, refo="real  change")
    base = commit(3, refo=(b"100755", "real  change"))
    tree["docs/moved.md"] = tree.pop("docs/before.md")
    moved = commit(4)
    branch = commit(5, parents=[base], merged="on a branch")
    commit(6, parents=[moved, branch])
    tree["snip/part.md"] = "2"
    commit(7)
    names = made.write()
    tree[".git-blame-ignore-revs"] = names[ignored]
    commit(8)
    made.write()
    (folder / "docs/new.md").write_text("Not committed.")
    for name in PAGES:
        place = "" if name == "index" else f"{name}/"
        edit = f"https://git.example.com/a/b/edit/main/docs/{name}.md"
        write(folder, {f"site/{place}index.html": page(BASE + place, edit=edit)})
    write(folder, {"site/robots.txt": "User-agent: *\nDisallow: /secret\n"})
    assert 0 == run(folder, "build", "site", CI="true").returncode
    return folder


def commits(folder, path):
    """Return the commits that git names for a file, as messages name them."""
    log = git(folder, "-c", "core.abbrev=7", "log", "--format=%cs, %h %s", "--", path)
    return [line.replace(" commit", ' "commit', 1) + '"' for line in log.splitlines()]


def test_block_of_each_page_names_what_git_names(folder):
    def out(name):
        done = run(folder, "explain", f"docs/{name}.md", CI="true")
        assert (0, "") == (done.returncode, done.err)
        return done.out

    refo = commits(folder, "docs/refo.md")
    ignored = refo[1].partition(", ")[2]
    (moved,) = commits(folder, "docs/moved.md")
    before = commits(folder, "docs/before.md")[1]
    assert {
        "index": f"docs/index.md → {BASE}: {commits(folder, 'docs/index.md')[0]}\n",
        "inc": f"docs/inc.md → {BASE}inc/: {commits(folder, 'snip/part.md')[0]}, in snip/part.md"
        " (included)\n",
        "refo": f"docs/refo.md → {BASE}refo/: {refo[2]}\n"
        f"    passed over: {ignored} (.git-blame-ignore-revs)\n",
        "moved": f"docs/moved.md → {BASE}moved/: {before}\n"
        f"    passed over: {moved.partition(', ')[2]} (moved only)\n",
        "merged": f"docs/merged.md → {BASE}merged/: {commits(folder, 'docs/merged.md')[0]}\n",
        "written": f"docs/written.md → {BASE}written/: 2019-02-03, as its author wrote\n",
        "new": f"docs/new.md → {BASE}new/: no date, its source is not committed\n",
        "secret": 'docs/secret.md: left out (robots: robots.txt:2 "Disallow: /secret")\n',
        "old": "docs/old.md: left out (excluded: 'old/' in the option exclude)\n",
    } == {name: out(name) for name in PAGES}


@pytest.mark.parametrize(
    "name",
    [
        "refo",
        "refo/",
        "/refo/",
        "refo/index.html",
        "refo.md",
        "docs/refo.md",
        f"{BASE}refo/",
        f"{BASE}refo",
        "HTTPS://EXAMPLE.com:443/refo/",
        "site/refo/index.html",
        "refo\\",
        r"\refo\index.html",
    ],
)
def test_page_is_named_by_url_path_or_source(folder, name):
    files = {file.name for file in (folder / "site").iterdir()}

    assert run(folder, "explain", name).out.startswith(
        f"docs/refo.md → {BASE}refo/: 2020-01-02, "
    )
    assert files == {file.name for file in (folder / "site").iterdir()}


def test_codes_and_options_come_first_unless_a_site_is_named(tmp_path):
    write(tmp_path, {"site/excluded/index.html": page(f"{BASE}excluded/")})
    assert 0 == run(tmp_path, "build", "site", "--base-url", BASE).returncode

    assert run(tmp_path, "explain", "excluded").out.startswith(
        "excluded\n  reason to leave"
    )
    assert (
        f"{BASE}excluded/: no date, its source is unknown\n"
        in run(tmp_path, "explain", "excluded", "site").out
    )


def test_json_has_whole_commits(folder):
    def pages(name):
        document = json.loads(run(folder, "explain", name, "--format", "json").out)
        assert 1 == document["version"]
        return document["pages"]

    ((of_page,),) = (each["dates"] for each in pages("inc"))
    assert ("git", "snip/part.md", 40) == (
        *(of_page[key] for key in ("origin", "file")),
        len(of_page["commit"]),
    )
    assert [
        {
            "page": "docs/secret.md",
            "url": f"{BASE}secret/",
            "left_out": "robots",
            "why": 'robots.txt:2 "Disallow: /secret"',
        }
    ] == pages("secret")


@pytest.mark.parametrize("site", ["site", "build", "build/html", "_build/html"])
def test_site_is_found_in_the_folder_of_a_quick_start(tmp_path, site):
    write(tmp_path, {f"{site}/index.html": page(BASE)})
    assert 0 == run(tmp_path, "build", site, "--base-url", BASE).returncode

    assert run(tmp_path, "explain", "/").out.startswith(f"index.html → {BASE}: ")


def test_pages_whose_urls_differ_in_form_keep_their_own(tmp_path):
    """As Nikola's page `authors.html` and its list of authors, `authors/`."""
    date = "<meta property='article:modified_time' content='2024-05-0{}'>"
    files = {
        "out/a.html": page(f"{BASE}a.html", head=date.format(1)),
        "out/a/index.html": page(f"{BASE}a/", head=date.format(9)),
        "out/index.html": page(BASE),
    }
    write(tmp_path, files)
    run(tmp_path, "build", "out")
    lines = run(tmp_path, "explain", f"{BASE}a.html", "out").out.splitlines()

    assert lines == [
        f"a.html → {BASE}a.html: 2024-05-01, as its author wrote",
        f"a/index.html → {BASE}a/: 2024-05-09, as its author wrote",
    ]


def test_page_that_was_written_again_is_said_once(tmp_path):
    """As on hyphanet.org: i18n_subsites writes a language's pages in several runs."""
    pages = [Page(path="a/", name=name) for name in ("other.md", "a.md", "a.md")]
    site = Site(output_dir=tmp_path, project_dir=tmp_path)
    generate(pages, site=site, options=Options.parse({"base_url": BASE}, where=""))
    answers = explain_page("/a/", tmp_path / "sitemap.xml", {})

    # The other page with this URL is left out.
    assert ["a.md", "other.md"] == sorted(each.known["page"] for each in answers)


def test_home_page_is_not_an_address_outside_the_site(tmp_path):
    write(tmp_path, {"out/index.html": page(BASE)})
    write(tmp_path, {"sitemap.toml": 'urls = ["https://other.example/x", "a b/"]\n'})
    run(tmp_path, "build", "out", "--base-url", BASE)

    assert (
        f"index.html → {BASE}: no date, its source is unknown\n"
        == run(tmp_path, "explain", "/", "out").out
    )
    assert "a b/: left out (bad-url" in run(tmp_path, "explain", "a b/", "out").out


def test_address_is_that_of_the_sitemap_if_no_setting_has_it(tmp_path):
    pages = {f"out/{name}/index.html": page() for name in "ab"}
    write(tmp_path, {**pages, "out/index.html": page()})
    run(tmp_path, "build", "out", "--base-url", BASE)
    done = run(tmp_path, "explain", "a/", "out")

    assert f"{BASE}a/: no date, its source is unknown\n" in done.out


def test_unknown_page_is_refused(folder):
    done = run(folder, "explain", "nowhere/")

    assert 2 == done.returncode
    assert "no code, option or page of 'site' is called nowhere/" in done.err


def test_included_file_is_refused_with_what_to_name(folder):
    done = run(folder, "explain", "snip/part.md")

    assert 2 == done.returncode
    assert "is no page's own source in site: name a page that shows it" in done.err


@pytest.mark.parametrize("changed", [True, False], ids=["changed", "never built"])
def test_sitemap_that_no_build_here_wrote_says_what_to_do(tmp_path, changed):
    write(tmp_path, {"out/index.html": page(BASE)})
    if changed:
        run(tmp_path, "build", "out", "--base-url", BASE)
        with (tmp_path / "out/sitemap.xml").open("a") as stream:
            stream.write("\n")
    done = run(tmp_path, "explain", "/", "out")

    problem = "this machine has no record of the build that wrote 'out/sitemap.xml'"
    cure = "build the site here, and ask again"
    assert (2, "", f"Error: {problem}: {cure}\n") == (
        done.returncode,
        done.out,
        done.err,
    )


def test_shallow_clone_is_said_and_a_hostile_subject_is_bounded_and_escaped(tmp_path):
    made = GitRepository(tmp_path / "origin")
    files = {"mkdocs.yml": SETTINGS, "docs/a.md": "1", "docs/b.md": "1"}
    made.commit(files)
    made.write()
    (made.folder / "docs/b.md").write_text("2")
    made.git("commit", "-qam", f"\x1b[31m[bold]\u202e {'x' * 999}")
    clone = tmp_path / "clone"
    made.git("clone", "-q", "--depth=1", f"file://{made.folder}", str(clone))
    for project in (made.folder, clone):
        for name in "ab":
            edit = f"https://git.example.com/a/b/edit/main/docs/{name}.md"
            write(
                project, {f"site/{name}/index.html": page(f"{BASE}{name}/", edit=edit)}
            )
        assert 0 == run(project, "build", "site").returncode

    out = run(clone, "explain", "a", "site").out
    assert out.startswith(
        f"docs/a.md → {BASE}a/: no date, its last change is unknown\n"
    )
    out = run(made.folder, "explain", "b", "site").out
    assert '"\\x1b[31m[bold]\\u202e xxx' in out
    assert len(out) < 200


def test_check_knows_the_urls_that_other_programs_make(tmp_path):
    write(
        tmp_path,
        {"out/index.html": page(BASE), "sitemap.toml": f'base_url = "{BASE}"\n'},
    )
    assert 0 == run(tmp_path, "build", "out", "--urls", "/app/").returncode
    assert 1 == run(tmp_path, "check", "out", "--select", "missing").returncode

    with (tmp_path / "sitemap.toml").open("a") as settings:
        settings.write('urls = ["/app/"]\n')
    assert 0 == run(tmp_path, "check", "out", "--select", "missing").returncode


def test_check_names_file_and_commit_in_the_same_words(folder):
    """In a sitemap of another program, whose dates are compared."""
    dates = {"inc": "2019-01-01", "refo": "2020-06-01"}
    entries = [
        f"<url><loc>{BASE}{n}/</loc><lastmod>{d}</lastmod></url>"
        for n, d in dates.items()
    ]
    form = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    before = (folder / "site/sitemap.xml").read_bytes()
    write(folder, {"site/sitemap.xml": f"<urlset {form}>{''.join(entries)}</urlset>"})
    out = run(
        folder, "check", "site", "--select", "date-too-old date-too-new", CI="true"
    ).out

    part, (_, ignored, own, _) = (
        commits(folder, "snip/part.md")[0],
        commits(folder, "docs/refo.md"),
    )
    assert (
        "lastmod is 2019-01-01, and the source changed later (inc.md:"
        f" {part}, in snip/part.md (included))\n"
    ) in out
    passed_over = ignored.partition(", ")[2]
    (folder / "site/sitemap.xml").write_bytes(before)
    assert (
        f"lastmod is 2020-06-01, and the source changed earlier (refo.md: {own};"
        f" passed over: {passed_over} (.git-blame-ignore-revs))\n"
    ) in out


def test_files_outside_git_are_named_from_the_current_folder(tmp_path):
    """An absolute name would tell a bug report where the writer's home is."""
    url = f"{BASE}inc/"
    write(tmp_path, {"mkdocs.yml": SETTINGS, "docs/inc.md": INC, "snip/part.md": "1"})
    write(tmp_path, {"site/inc/index.html": page(url), "site/index.html": page(BASE)})
    os.utime(tmp_path / "docs/inc.md", (0, DAY))
    assert 0 == run(tmp_path, "build", "site", CI="").returncode

    done = run(tmp_path, "explain", "docs/inc.md", "site", CI="")
    known = json.loads(
        run(tmp_path, "explain", url, "site", "--format", "json", CI="").out
    )

    assert ", in snip/part.md (included)\n" in done.out
    (date,) = known["pages"][0]["dates"]
    assert "snip/part.md" == date["file"]
