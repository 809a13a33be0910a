"""`sitemap-plugins versions` as users run it."""

from __future__ import annotations

import gzip
import json
import os

import pytest

from sitemap_plugins.core.html.document import MAX_READ
from tests.check.checked_site import index, url, urlset
from tests.cli.command import run
from tests.folder.html_folder import commit, html, page, write
from tests.folder.test_versions import leads_to, listed
from tests.git_repository import GitRepository
from tests.sites import git

BASE = "https://docs.example.com/"
TAG = '<link rel="canonical" href="https://docs.example.com/latest/{}/" />'
FILES = {
    "versions.json": listed(("2.0", "latest"), ("1.0", "old")),
    "index.html": leads_to("latest/"),
    "2.0/kept/index.html": page(f"{BASE}latest/kept/"),
    "2.0/other/index.html": page(f"{BASE}latest/other/"),
    "latest/kept/index.html": page(f"{BASE}latest/kept/"),
    "latest/other/index.html": page(f"{BASE}latest/other/"),
    "1.0/kept/index.html": html("<meta charset=utf-8>"),
    "1.0/other/index.html": page(f"{BASE}1.0/other/"),
    "1.0/gone/index.html": page(f"{BASE}1.0/gone/"),
    "1.0/dead/index.html": page(f"{BASE}latest/dead/"),
    "1.0/piece.html": "{% block x %}",
}


@pytest.fixture
def tree(tmp_path):
    write(tmp_path, FILES)
    (tmp_path / "old").symlink_to("1.0")
    return tmp_path


def content_of(folder):
    files = (
        file
        for file in folder.rglob("*")
        if file.is_file() and ".git" not in file.parts
    )
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def numbers(folder, *arguments):
    done = run(folder, "versions", ".", "--format", "json", *arguments)
    document = json.loads(done.out)
    return done.returncode, document["versions"], document["counts"]


def test_the_report(tree):
    before = content_of(tree)
    done = run(tree, "versions", ".")

    assert 1 == done.returncode
    assert [
        "version  pages  default  itself  nothing  elsewhere  unreadable  gone  unprotected",
        "2.0          2        2       0        0          0           0     0            0",
        "1.0          5        0       2        1          1           1     2            2",
        "all          7        2       2        1          1           1     2            2",
    ] == done.out.splitlines()[:4]
    assert f"it has no canonical link to '{BASE}latest/kept/'" in done.out
    assert f"names itself as canonical, and not '{BASE}latest/other/'" in done.out
    assert "the default version does not have 2 pages of 1.0" in done.out
    assert (
        f"it names '{BASE}latest/dead/' as its canonical URL, where there is no page"
        in done.out
    )
    assert "the default version is in latest; 7 pages in others" in done.out
    assert before == content_of(tree)


def test_fixed_pages_have_one_tag_more(tree):
    before = content_of(tree)
    dry = run(tree, "versions", ".", "--write", "--dry-run")
    assert before == content_of(tree)
    done = run(tree, "versions", ".", "--write")

    after = content_of(tree)
    own = f'<link rel="canonical" href="{BASE}1.0/dead/" />'
    changes = {
        "1.0/kept/index.html": FILES["1.0/kept/index.html"].replace(
            "<head>", f"<head>{TAG.format('kept')}"
        ),
        "1.0/other/index.html": FILES["1.0/other/index.html"].replace(
            f"<link rel='canonical' href='{BASE}1.0/other/'>", TAG.format("other")
        ),
        "1.0/dead/index.html": FILES["1.0/dead/index.html"].replace(
            f"<link rel='canonical' href='{BASE}latest/dead/'>", own
        ),
    }
    changed = {
        name: text.decode() for name, text in after.items() if text != before[name]
    }
    assert changes == changed
    assert (0, 0) == (dry.returncode, done.returncode)
    assert "3 pages would be fixed: " in dry.out
    assert "3 pages fixed: " in done.out
    assert (0, after) == (
        run(tree, "versions", ".", "--write").returncode,
        content_of(tree),
    )


def test_file_of_a_theme_in_all_versions_is_one_finding(tree):
    write(tree, {"versions.json": listed(("2.0", "latest"), ("1.0", "old"), ("0.9",))})
    for version in ("1.0", "0.9"):
        write(tree, {f"{version}/theme/main.html": "{% block x %}"})
    document = json.loads(run(tree, "versions", ".", "--format", "json").out)
    found = [f for f in document["findings"] if f["code"] == "html-unreadable"]

    assert ["1.0/piece.html", "1.0/theme/main.html"] == [f["file"] for f in found]
    assert "; the same in 1 more version" in found[1]["message"]
    rows = {row["folder"]: row["unreadable"] for row in document["versions"]}
    assert {"1.0": 2, "0.9": 1} == {name: rows[name] for name in ("1.0", "0.9")}


def test_pages_that_are_gone_can_get_noindex(tree):
    code, [_, row], counts = numbers(tree, "--write", "--gone", "noindex")

    assert (0, {"html-unreadable": 1}) == (code, counts)
    assert (2, 2, 4) == (row["noindex"], row["default"], row["fixed"])
    text = (tree / "1.0/gone/index.html").read_text()
    assert '<meta name="robots" content="noindex" />' in text
    assert "canonical" not in text


def test_a_moved_page_is_mapped(tree):
    run(tree, "versions", ".", "--write", "--map", "gone=other")

    assert TAG.format("other") in (tree / "1.0/gone/index.html").read_text()


def test_a_page_that_git_knows_to_have_moved_needs_no_map(tmp_path):
    """The one that is at the same path stays, and what is given counts more."""
    text = "".join(f"line {n} of a page, which is long enough\n" for n in range(20))
    sources = {f"docs/{name}.md": name + text for name in ("kept", "gone")}
    repository = GitRepository(tmp_path)
    repository.commit(sources | {"docs/dead.md": "dead" + text})
    del sources["docs/gone.md"]
    new = {"docs/other.md": "gone" + text, "docs/kept.md": "dead" + text}
    repository.commit(sources | new | {".gitignore": "tree"})
    repository.write()
    write(tmp_path / "tree", FILES)
    given = ("--write", "--map", "dead=kept")
    run(tmp_path, "versions", "tree", "--base-url", BASE, *given)
    old = {name: tmp_path / f"tree/1.0/{name}/index.html" for name in ("gone", "dead")}

    assert TAG.format("other") in old["gone"].read_text()
    assert TAG.format("kept") in old["dead"].read_text()


@pytest.mark.parametrize("wrong", ["gone", "=a", "a*b*=c"])
def test_a_map_of_another_form_is_an_error(tree, wrong):
    done = run(tree, "versions", ".", "--map", wrong)

    assert 2 == done.returncode
    assert "is not OLD=NEW, two paths below a version" in " ".join(done.err.split())


def test_changes_that_are_not_committed_are_in_the_way(tree):
    commit(tree, ".")
    assert 0 == run(tree, "versions", ".", "--write").returncode
    again = run(tree, "versions", ".", "--write")
    forced = run(tree, "versions", ".", "--write", "--force")

    assert (2, 0) == (again.returncode, forced.returncode)
    assert "'.' has changes that are not committed: commit them first" in again.err
    git(tree, "reset", "-q", "--hard")
    assert FILES["1.0/kept/index.html"] == (tree / "1.0/kept/index.html").read_text()


def test_a_folder_that_git_does_not_track_is_fixed(tmp_path):
    write(
        tmp_path,
        {"README.md": "", **{f"site/{name}": text for name, text in FILES.items()}},
    )
    commit(tmp_path, "README.md")

    assert 0 == run(tmp_path, "versions", "site", "--write").returncode


@pytest.mark.parametrize(
    ("files", "error"),
    [
        (
            {"a.html": ""},
            "nothing shows which folders in '.' are versions: name them with",
        ),
        (
            {"versions.json": listed(("1",)), "1/a.html": html()},
            "nothing shows which version in",
        ),
        ({**FILES, "2.0": None}, "the default version '2.0' has no HTML file"),
        (
            {k: v for k, v in FILES.items() if k[:3] not in {"2.0", "lat"}}
            | {"2.0/kept/index.html": html()},
            "no canonical link in 'latest' shows the site's address: give it with --base-url",
        ),
    ],
)
def test_what_is_missing(tmp_path, files, error):
    gone = {name for name, text in files.items() if text is None}
    kept = {
        n: t
        for n, t in files.items()
        if t is not None and n.partition("/")[0] not in gone
    }
    write(tmp_path, kept)
    done = run(tmp_path, "versions", ".", "--write")

    assert 2 == done.returncode
    assert error in " ".join(done.err.split())


def test_a_page_that_is_not_read_to_its_end_is_left_alone(tree):
    """Only its beginning is read."""
    file = tree / "1.0/kept/index.html"
    file.write_bytes(FILES["1.0/kept/index.html"].encode() + b" " * MAX_READ)
    done = run(tree, "versions", ".", "--write")

    assert len(FILES["1.0/kept/index.html"]) + MAX_READ == file.stat().st_size
    assert (0, 2) == (
        done.returncode,
        done.out.count("where a canonical link belongs is not certain"),
    )


@pytest.mark.parametrize(
    ("files", "error"),
    [
        (FILES, "'9' is not a version in .: name one of 2.0, latest, 1.0 and 1 more"),
        (
            {
                "index.html": leads_to("2.0/"),
                "1.0/a.html": html(),
                "2.0/a.html": html(),
            },
            "'9' is not a version in .: name one of 1.0 and 2.0",
        ),
        ({"index.html": html()}, "'9' is not a version in .\n"),
    ],
)
def test_a_default_version_that_does_not_exist_is_an_error(tmp_path, files, error):
    write(tmp_path, files)
    done = run(tmp_path, "versions", ".", "--default", "9")

    assert (2, "") == (done.returncode, done.out)
    assert error in done.err


def test_a_missing_folder_is_an_error(tmp_path):
    done = run(tmp_path, "versions", "gh-pages")

    assert (2, True) == (
        done.returncode,
        "'gh-pages' is not a folder: name that of" in done.err,
    )


def test_sarif(tree):
    document = json.loads(run(tree, "versions", ".", "--format", "sarif").out)

    assert 5 == len(document["runs"][0]["results"])


def with_sitemaps(tree):
    """Write the sitemap of each version, as its own build does."""
    files = {
        name: urlset(*(url(f"{name}/{page}/", base=BASE) for page in pages))
        for name, pages in (
            ("latest", ("kept", "other")),
            ("1.0", ("kept", "dead", "gone")),
        )
    }
    files["2.0"] = files["latest"]  # mike copies it.
    write(tree, {f"{name}/sitemap.xml": text for name, text in files.items()})
    (tree / "1.0/sitemap.xml.gz").write_bytes(gzip.compress(files["1.0"].encode()))
    return {f"{name}/sitemap.xml": text for name, text in files.items()}


def test_sitemaps_of_old_versions_list_what_is_canonical(tree):
    with_sitemaps(tree)
    before = content_of(tree)
    left = urlset(url("1.0/dead/", base=BASE), url("1.0/gone/", base=BASE)).encode()
    dry = run(tree, "versions", ".", "--write", "--dry-run")
    assert before == content_of(tree)
    done = run(tree, "versions", ".", "--write")
    after = content_of(tree)

    assert (
        left == after["1.0/sitemap.xml"] == gzip.decompress(after["1.0/sitemap.xml.gz"])
    )
    assert before["latest/sitemap.xml"] == after["latest/sitemap.xml"]
    assert "2 files of the versions' sitemaps would be fixed" in dry.out
    assert "2 files of the versions' sitemaps fixed" in done.out
    assert "sitemaps" not in run(tree, "versions", ".", "--write").out
    assert after == content_of(tree)
    assert 0 == run(tree, "versions", ".", "--write", "--gone", "noindex").returncode
    assert {*before} - {*content_of(tree)} == {"1.0/sitemap.xml", "1.0/sitemap.xml.gz"}
    assert 0 == run(tree, "merge", "sitemap.xml", ".", "--base-url", BASE).returncode
    assert 0 == run(tree, "check", ".").returncode


@pytest.mark.parametrize("version", ["2.0", "1.0"])
def test_sitemaps_that_pages_read_in_the_browser_stay(tree, version):
    """The selector of Material's pages stays on a page
    if the other version's sitemap lists it."""
    sitemaps = with_sitemaps(tree)
    file = tree / version / "kept/index.html"
    name = (
        '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.6.0"></head>'
    )
    file.write_text(file.read_text().replace("</head>", name))
    done = run(tree, "versions", ".", "--write")

    assert (
        "the versions' sitemaps stay as they are: Material's pages read them"
        in done.out
    )
    assert sitemaps == {name: (tree / name).read_text() for name in sitemaps}


def test_a_listed_page_stays_beside_a_redirect_at_the_same_path(tree):
    write(
        tree, {"1.0/gone.html": leads_to("gone/"), "1.0/kept.html": leads_to("kept/")}
    )
    with_sitemaps(tree)
    run(tree, "versions", ".", "--write")

    text = (tree / "1.0/sitemap.xml").read_text()
    assert (True, False) == ("1.0/gone/" in text, "1.0/kept/" in text)


def test_check_of_one_page_in_three_versions(tmp_path):
    """One URL, which all old pages name, is not the site's address."""
    pages = {f"{name}/a/index.html": html() for name in ("latest", "1.0", "0.9")}
    write(tmp_path, {"index.html": leads_to("latest/"), **pages})
    write(tmp_path, {"versions.json": listed(("latest",), ("1.0",), ("0.9",))})
    write(tmp_path, {"latest/sitemap.xml": urlset(url("latest/a/", base=BASE))})
    assert 0 == run(tmp_path, "versions", ".", "--write", "--base-url", BASE).returncode
    assert (
        0 == run(tmp_path, "merge", "sitemap.xml", ".", "--base-url", BASE).returncode
    )
    done = run(tmp_path, "check", ".")

    assert (0, "nothing found") == (
        done.returncode,
        done.out.strip().rpartition(": ")[2],
    )


def test_alias_of_redirects_that_canonical_links_name_is_found(tree):
    """With mike's `alias_type: redirect`, every canonical link led back."""
    redirects = {
        "latest/kept/index.html": leads_to("../../2.0/kept/"),
        "latest/other/index.html": leads_to("../../2.0/other/"),
        "latest/index.html": leads_to("../2.0/"),
    }
    before = run(tree, "versions", ".").out
    write(tree, redirects)
    after = run(tree, "versions", ".").out

    problem = "the canonical links name 'latest', a folder of redirects to '2.0'"
    assert problem not in before
    assert problem in after
    assert "set mike's alias_type to symlink or copy" in after


def test_old_pages_name_what_the_default_versions_sitemap_lists(tmp_path):
    """Without canonical links, only that file shows by
    which of its names the version is found."""
    files = {f"{name}/a/index.html": html() for name in ("2.0", "1.0")}
    text = urlset(url("2.0/a/", base=BASE))
    write(
        tmp_path, {**files, "index.html": leads_to("stable/"), "2.0/sitemap.xml": text}
    )
    write(tmp_path, {"versions.json": listed(("2.0", "stable"), ("1.0",))})
    (tmp_path / "stable").symlink_to("2.0")
    assert 0 == run(tmp_path, "versions", ".", "--write", "--base-url", BASE).returncode
    assert (
        0 == run(tmp_path, "merge", "sitemap.xml", ".", "--base-url", BASE).returncode
    )
    done = run(tmp_path, "check", ".")

    assert f'href="{BASE}2.0/a/"' in (tmp_path / "1.0/a/index.html").read_text()
    assert (0, "nothing found") == (
        done.returncode,
        done.out.strip().rpartition(": ")[2],
    )


def test_check_names_what_merge_left_out_once(tree):
    """And nothing else about old versions, once they are fixed."""
    run(tree, "versions", ".", "--write")
    text = urlset(url("kept/"), url("other/")).replace(
        "https://example.com/", f"{BASE}latest/"
    )
    write(tree, {"latest/sitemap.xml": text, "2.0/sitemap.xml": text})
    assert 0 == run(tree, "merge", "sitemap.xml", ".", "--base-url", BASE).returncode
    done = run(tree, "check", ".", "--base-url", BASE)

    assert 0 == done.returncode, done.out
    assert 1 == done.out.count("info[not-listed]")
    assert "the sitemap does not list 2 pages of versions, in 1.0" in done.out


def test_check_finds_a_default_version_whose_name_is_encoded(tmp_path):
    own = f"{BASE}2%20beta/kept/"
    text = urlset(url("kept/")).replace("https://example.com/", f"{BASE}2%20beta/")
    files = {"2 beta/kept/index.html": page(own), "1.0/gone/index.html": html()}
    lists = {
        "versions.json": listed(("2 beta",), ("1.0",)),
        "index.html": leads_to("2 beta/"),
    }
    write(tmp_path, {"sitemap.xml": text, **files, **lists})
    done = run(tmp_path, "check", ".", "--base-url", BASE)

    assert "the sitemap does not list 1 page of versions, in 1.0" in done.out


def test_check_takes_the_address_of_the_default_version(tmp_path):
    """rattler-build's old versions name the address that it had before;
    `latest` is a link."""
    old = "https://old.example.org/docs/"
    pages = [f"{version}/{name}/" for version in ("1.0", "1.1") for name in "ab"]
    files = {f"{each}index.html": page(f"{old}{each}") for each in pages}
    files |= {f"2.0/{name}/index.html": page(f"{BASE}latest/{name}/") for name in "ab"}
    names = ("versions.json", "index.html")
    write(tmp_path, {**{name: FILES[name] for name in names}, **files})
    (tmp_path / "latest").symlink_to("2.0")
    write(tmp_path, {"versions.json": listed(("2.0", "latest"), ("1.1",), ("1.0",))})
    text = urlset(url("a/"), url("b/")).replace(
        "https://example.com/", f"{BASE}latest/"
    )
    write(tmp_path, {"2.0/sitemap.xml": text})
    files["1.0/gone/index.html"] = html()
    write(tmp_path, files)
    assert 0 == run(tmp_path, "versions", ".", "--write").returncode
    assert (
        0 == run(tmp_path, "merge", "sitemap.xml", ".", "--base-url", BASE).returncode
    )
    done = run(tmp_path, "check", ".")

    assert (0, 1) == (done.returncode, done.out.count("info[not-listed]")), done.out
    assert "the sitemap does not list 1 page of versions, in 1.0" in done.out


def test_check_without_the_default_version_names_its_pages(tree):
    write(tree, {"sitemap.xml": index(f"{BASE}1.0/sitemap.xml")})
    text = urlset(url("1.0/gone/")).replace("https://example.com/", BASE)
    write(tree, {"1.0/sitemap.xml": text})

    assert (
        "https://docs.example.com/latest/kept/ is not listed"
        in run(tree, "check", ".").out
    )


KILLED = """
import os, signal
from pathlib import Path
from sitemap_plugins.core.publishing.publish import replace_files

def files():
    yield Path("1.0/kept/index.html"), b"new"
    os.kill(os.getpid(), signal.SIGKILL)

replace_files(files(), output_dir=Path())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs signals and locks")
def test_what_a_killed_run_left_is_neither_staged_nor_a_change(tree):
    commit(tree, ".")
    run(tree, code=KILLED)
    (left,) = tree.glob(".sitemap_plugins-*")
    assert (left / "0").exists()

    git(tree, "add", "--all")
    staged = git(tree, "diff", "--cached", "--name-only")
    git(tree, "reset", "-q")
    done = run(tree, "versions", ".", "--write")

    assert ".sitemap_plugins-" not in str(staged)
    assert "not committed" not in done.err
    assert not [*tree.glob(".sitemap_plugins*")]


def test_without_the_site_s_address_paths_are_printed_and_no_address_is_made_up(
    tmp_path,
):
    pages = {f"{version}/kept/index.html": html() for version in ("1.0", "2.0")}
    write(tmp_path, {"versions.json": listed(("2.0", "latest"), ("1.0",)), **pages})
    done = run(tmp_path, "versions", ".", "--default", "2.0")

    assert 1 == done.returncode
    assert "it has no canonical link to '2.0/kept/'" in done.out
    assert "run the command again with `--write`" in done.out
    assert ".invalid" not in done.out
