"""What became of removed URLs: in folders that real hosts built, and on a server."""

from __future__ import annotations

import shutil

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.folder.options import FolderOptions, Project
from sitemap_plugins.live.removed import ask_servers
from sitemap_plugins.moved.removed import look_in_folder, read_published
from sitemap_plugins.sitemaps.web import Web
from tests.folder.html_folder import BASE, page, untracked
from tests.folder.html_folder import write as write_files
from tests.git_repository import ENVIRON
from tests.hosts import mkdocs_project
from tests.live.live_site import HTML, LiveServer

REFRESH = '<!doctype html><meta http-equiv="refresh" content="0; url=/new/">'

ERROR = "<!doctype html><title>Page not found</title>Sorry"


def fates_in(folder, *paths, base=BASE):
    project = Project(
        site_dir=folder,
        project_dir=folder.parent,
        options=FolderOptions(),
        environ=ENVIRON,
    )
    published = read_published(project, track=untracked)
    found = look_in_folder([base + path for path in paths], published, project)
    return {each.url.removeprefix(base): each.fate for each in found}


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    """A site of MkDocs after pages were moved, with mkdocs-redirects and without."""
    pytest.importorskip("mkdocs_redirects")
    folder = tmp_path_factory.mktemp("mkdocs")
    old = {
        f"docs/{name}.md": "# Text\n" for name in ("guide/a", "guide/b", "c", "hidden")
    }
    mkdocs_project.write(folder, {**old, "docs/a.pdf": "%PDF"})
    before = mkdocs_project.paths(mkdocs_project.build(folder))
    shutil.rmtree(folder / "docs/guide")
    (folder / "docs/c.md").unlink()
    plugins = {
        "sitemap": {},
        "redirects": {"redirect_maps": {"guide/a.md": "manual/a.md"}},
    }
    new = {"docs/manual/a.md": "# Text\n", "docs/manual/b.md": "# Text\n"}
    hidden = {"docs/hidden.md": "---\nsitemap: false\n---\n# Text\n"}
    mkdocs_project.write(
        folder,
        {**new, **hidden, "docs/_redirects": "/c /manual/b/ 301\n"},
        plugins=plugins,
    )
    after = mkdocs_project.paths(mkdocs_project.build(folder))
    return folder / "out", sorted({*before} - {*after})


def test_site_of_mkdocs(moved):
    site_dir, removed = moved

    assert {
        "c/": "redirected",
        "guide/a/": "redirected",
        "guide/b/": "missing",
        "hidden/": "there",
    } == fates_in(site_dir, *removed)
    assert {"a.pdf": "there", "b.pdf": "missing"} == fates_in(
        site_dir, "a.pdf", "b.pdf"
    )


@pytest.mark.parametrize(
    ("path", "fate"),
    [
        ("", "there"),
        ("a/?utm=1", "there"),
        ("a", "there"),
        ("old.html", "redirected"),
        ("old/", "redirected"),
        ("gone.html", "missing"),
        ("caf%C3%A9/", "there"),
    ],
)
def test_every_form_of_a_url_is_looked_for(tmp_path, path, fate):
    pages = {
        name: page(BASE + name)
        for name in ("index.html", "a/index.html", "café/index.html")
    }
    write_files(tmp_path, {f"out/{name}": text for name, text in pages.items()})
    write_files(tmp_path, {"out/old.html": REFRESH})

    assert {path: fate} == fates_in(tmp_path / "out", path)


def test_folder_shows_nothing_about_other_addresses(tmp_path):
    write_files(tmp_path, {"out/index.html": page(BASE)})
    assert {"x": "missing"} == fates_in(
        tmp_path / "out", "x", base="https://other.example/"
    )
    assert {"": "there"} == fates_in(tmp_path / "out", "", base="http://example.com/")
    assert {} == fates_in(tmp_path / "out", "None", "/a/", base="")

    write_files(tmp_path, {"out/index.html": page()})
    with pytest.raises(
        OptionsError, match="the site's address is not known: set it in"
    ):
        fates_in(tmp_path / "out", "x")


@pytest.fixture(scope="module")
def site():
    with LiveServer() as server:
        yield server.site


@pytest.mark.parametrize(
    ("answer", "fate", "why"),
    [
        ((200, HTML, page()), "there", ""),
        ((200, HTML, REFRESH), "redirected", ""),
        ((301, {"Location": "/a/"}), "redirected", ""),
        ((302, {"Location": "https://other.example/a b"}), "redirected", ""),
        (
            (301, {"Location": "file:///etc/passwd"}),
            "missing",
            "redirects to 'file:///etc/passwd', which is not the URL of a page",
        ),
        ((200, HTML, ERROR), "missing", "answers 200 with an error page"),
        ((404, HTML, "no"), "missing", "answers 404"),
        ((410, HTML, "no"), "missing", "answers 410"),
        (
            (301, {"Location": "/gone"}),
            "missing",
            "redirects to '{url}gone', which answers 404",
        ),
        ((301, {"Location": "/x"}), "missing", "redirects in a loop"),
        (
            lambda _: None,
            "missing",
            "gives no answer: Remote end closed connection without response",
        ),
    ],
)
def test_answers_of_a_server(site, answer, fate, why):
    site.answers["/x"] = answer
    with Web(retries=0, timeout=2) as web:
        [found] = ask_servers([f"{site.url}x"], web, [f"{site.url}sitemap.xml"])

    assert (fate, why.format(url=site.url)) == (found.fate, found.why)


def test_only_hosts_that_the_user_named_are_asked(site):
    site.asked.clear()
    with Web(retries=0) as web:
        [found] = ask_servers(
            [f"{site.url}x"], web, ["https://example.com/sitemap.xml"]
        )

    assert ("missing", "is on another host, which gets no request") == (
        found.fate,
        found.why,
    )
    assert [] == site.asked
