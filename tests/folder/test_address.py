"""The site's address, as a folder's settings, sitemap and pages show it."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.core.url_forms import Files
from sitemap_plugins.folder.address import Evidence, find_address
from sitemap_plugins.folder.generator_settings import Generator
from sitemap_plugins.folder.options import FolderOptions, Project
from tests.check.checked_site import url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, build_site, html, page, report_of, write
from tests.git_repository import ENVIRON


def redirect(target):
    """Return a page as Hugo's and Antora's templates write it for redirects."""
    return page(
        target,
        head=f'<meta http-equiv="refresh" content="0; url={target}">'
        '<meta name="robots" content="noindex">',
    )


def sitemap(*locs):
    return urlset(*(url(loc, base="") for loc in locs))


# --- which evidence decides


def test_home_page_that_redirects_has_no_vote(tmp_path):
    """Hugo's `defaultContentLanguageInSubdir`, with a theme without canonical links."""
    files = {
        "index.html": redirect(f"{BASE}en/"),
        "en/index.html": html(),
        "en/a/index.html": html(),
    }
    built = build_site(tmp_path, files)

    assert not built.wrote("sitemap.xml")
    assert "--base-url is not set" in built.log


def test_sitemap_of_hugo_gives_the_address(tmp_path):
    files = {
        "index.html": redirect(f"{BASE}en/"),
        "en/index.html": html(),
        "en/a/index.html": html(),
        "sitemap.xml": sitemap(f"{BASE}en/", f"{BASE}en/a/"),
    }

    assert [f"{BASE}en/", f"{BASE}en/a/"] == build_site(tmp_path, files).locs


def test_start_page_of_antora_does_not_decide(tmp_path):
    """Its other pages have no canonical links if the theme writes none."""
    start = f"{BASE}docs/guide/latest/index.html"
    files = {
        "index.html": redirect(start),
        "guide/latest/index.html": html(),
        "guide/latest/a.html": html(),
        "sitemap.xml": sitemap(start, f"{BASE}docs/guide/latest/a.html"),
    }
    built = build_site(tmp_path, files)

    # The form in which the generator lists its pages stays.
    assert [f"{BASE}docs/guide/latest/a.html", start] == built.locs


def test_home_page_alone_is_no_majority(tmp_path):
    files = {"index.html": page(f"{BASE}en/"), "en/index.html": html()}

    assert not build_site(tmp_path, files).wrote("sitemap.xml")


def test_only_page_of_a_site_gives_the_address(tmp_path):
    files = {"index.html": page(f"{BASE}docs/"), "404.html": page()}

    assert [f"{BASE}docs/"] == build_site(tmp_path, files).locs


def test_page_that_search_engines_drop_has_no_vote(tmp_path):
    noindex = '<meta name="robots" content="noindex">'
    files = {
        "a/index.html": page("https://old.com/a/", head=noindex),
        "b/index.html": page("https://old.com/b/", head=noindex),
        "c/index.html": page(f"{BASE}c/"),
    }

    assert [f"{BASE}c/"] == build_site(tmp_path, files).locs


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-index.xml"])
def test_sitemap_of_vitepress_or_eleventy_makes_base_url_unnecessary(tmp_path, name):
    """They write no canonical links."""
    files = {
        "index.html": html(),
        "guide.html": html(),
        name: sitemap(BASE, f"{BASE}guide.html"),
    }

    assert [BASE, f"{BASE}guide.html"] == build_site(tmp_path, files).locs


def test_generators_sitemap_wins_over_canonical_links(tmp_path):
    files = {
        "index.html": page("https://other.com/"),
        "a/index.html": page("https://other.com/a/"),
        "sitemap.xml": sitemap(BASE, f"{BASE}a/"),
    }
    built = build_site(tmp_path, files)

    assert all(loc.startswith(BASE) for loc in built.locs)


def test_canonical_links_win_over_our_own_earlier_sitemap(tmp_path):
    """They change with the generator's settings,
    and the folder may not have been emptied."""
    for host in ("https://old.com/", BASE):
        files = {"index.html": page(host), "a/index.html": page(f"{host}a/")}
        built = build_site(tmp_path, files)

        assert [host, f"{host}a/"] == built.locs


def test_our_own_sitemap_gives_the_address_if_nothing_else_does(tmp_path):
    files = {"index.html": html(), "a/index.html": html()}
    before = build_site(tmp_path, files, base_url=BASE).locs
    report_of(tmp_path)

    assert [BASE, f"{BASE}a/"] == before
    assert before == build_site(tmp_path, {}).locs


def test_command_knows_the_address_of_our_own_sitemap(tmp_path):
    build_site(tmp_path, {"index.html": html(), "a.html": html()}, base_url=BASE)

    for words in (["build", "out"], ["check", "out"], ["explain", "a.html", "out"]):
        done = run(tmp_path, *words)

        assert 0 == done.returncode, done
        assert "--base-url" not in done.err


def test_sitemap_of_a_local_server_is_refused_as_address(tmp_path):
    local = "http://localhost:3000/"
    files = {"a/index.html": html(), "sitemap.xml": sitemap(f"{local}a/")}

    with pytest.raises(OptionsError, match=r"previous sitemap is 'http://localhost"):
        build_site(tmp_path, files)


# --- what contradicts it


def refuted_by(listed, base_url):
    files = Files.of(["index.html", "a/index.html", "b.html"])
    evidence = Evidence(tuple(listed), is_ours=False, files=files, by_links="")
    project = Project(
        site_dir=None, project_dir=None, options=FolderOptions(), environ=ENVIRON
    )
    found = find_address(project, Generator(base_url=base_url), evidence, local=True)
    return found.refuted_by or found.base_url


@pytest.mark.parametrize(
    ("listed", "base_url", "expected"),
    [
        (f"{BASE}docs/", "", f"{BASE}docs/"),
        # No listed URL has its file below this one.
        (f"{BASE}docs/", BASE, f"{BASE}docs/"),
        (f"{BASE}docs/", "https://other.com/", f"{BASE}docs/"),
        (f"{BASE}docs/", f"{BASE}DOCS/", f"{BASE}docs/"),
        (BASE, BASE, BASE),
        ("http://localhost:3000/", BASE, BASE),
        (f"{BASE}x/y/z/", BASE, f"{BASE}x/y/z/"),
    ],
)
def test_urls_that_have_their_files_below_another_address_correct_the_setting(
    listed, base_url, expected
):
    assert expected == refuted_by([f"{listed}a/", f"{listed}b.html"], base_url)
    assert base_url == refuted_by([f"{listed}a/", f"{listed}gone/"], base_url)


LOST = "none of the 2 URLs in the previous one has a file below"


@pytest.fixture
def moved(tmp_path):
    """A site whose settings name another address than its generator's sitemap."""
    write(
        tmp_path,
        {
            "mkdocs.yml": f"site_url: {BASE}wrong/",
            "out/index.html": html(),
            "out/a/index.html": html(),
            "out/sitemap.xml": sitemap(f"{BASE}docs/", f"{BASE}docs/a/"),
        },
    )
    return tmp_path / "out/sitemap.xml"


def test_no_sitemap_is_written_if_all_urls_of_the_previous_one_vanish(moved):
    before = moved.read_bytes()

    done = run(moved.parents[1], "build", "out")

    assert 2 == done.returncode
    assert LOST in done.err
    assert f"perhaps {BASE}docs/" in done.err
    assert before == moved.read_bytes()


def test_users_own_address_is_not_doubted(moved):
    done = run(moved.parents[1], "build", "out", "--base-url", f"{BASE}new/")

    assert 0 == done.returncode
    assert f"{BASE}new/a/" in moved.read_text()


def test_host_in_capitals_is_the_same_address(moved):
    """As in the names of most organizations: `https://Owner.github.io/project/`."""
    address = "https://Example.com/docs/"
    (moved.parents[1] / "mkdocs.yml").write_text(f"site_url: {address}\n")
    moved.write_text(sitemap(address, f"{address}a/"))

    done = run(moved.parents[1], "build", "out")

    assert 0 == done.returncode, done
    assert f"{BASE}docs/a/" in moved.read_text()


def test_previous_sitemap_can_be_deleted(moved):
    moved.unlink()

    assert 0 == run(moved.parents[1], "build", "out").returncode


def test_site_that_moved_keeps_its_sitemap(moved):
    """The settings and all pages name the new address,
    the old sitemap the former one."""
    new = f"{BASE}wrong/"
    for name in ("", "a/"):
        file = moved.parent / name / "index.html"
        file.write_text(page(f"{new}{name}"))
    (moved.parent / "a/b.txt").write_text("b\n")
    old = "https://Old.com/docs/"
    moved.write_text(sitemap(old, f"{old}a/", f"{old}a/b.txt"))

    done = run(moved.parents[1], "build", "out")

    assert 0 == done.returncode, done
    assert f"{new}a/b.txt" in moved.read_text()
    assert "no file in the folder" not in done.err
