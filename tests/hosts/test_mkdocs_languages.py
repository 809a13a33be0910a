"""Sites in several languages by mkdocs-static-i18n,
which builds each language inside the first."""

from __future__ import annotations

import time

import pytest

from tests import written
from tests.full import FULL
from tests.git_server import serving
from tests.hosts.mkdocs_project import BASE, build, commit, git, paths, write
from tests.sites import NEWS

pytest.importorskip("mkdocs_static_i18n")

LANGUAGES = [
    {"locale": "de", "name": "Deutsch"},
    {"locale": "en", "name": "English", "default": True},
    {"locale": "pt-BR", "name": "Português"},
]
# guide has all languages, only has one, the home page two.
NAMES = {
    "suffix": [
        "index.md",
        "index.de.md",
        "guide.md",
        "guide.de.md",
        "guide.pt-BR.md",
        "only.md",
    ],
    "folder": [
        "en/index.md",
        "de/index.md",
        "en/guide.md",
        "de/guide.md",
        "pt-BR/guide.md",
        "en/only.md",
    ],
}


def plugins(structure, **sitemap):
    i18n = {"docs_structure": structure, "languages": LANGUAGES}
    return [{"sitemap": sitemap}, {"i18n": i18n}]


def links(built):
    """Return the links of each page that has any, all by path."""
    found = written.links(built.output_dir / "sitemap.xml")
    return {
        loc.removeprefix(BASE): {
            name: url.removeprefix(BASE) for name, url in versions.items()
        }
        for loc, versions in found.items()
        if versions
    }


@pytest.fixture(scope="module", params=["suffix", "folder"])
def built(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    files = {f"docs/{name}": f"# {name}\n" for name in NAMES[request.param]}
    write(folder, files, plugins=plugins(request.param))
    if request.param == "folder":
        (folder / "docs/index.md").unlink()
    commit(folder)
    return build(folder)


def test_one_sitemap_lists_the_pages_of_all_languages_with_their_dates(built):
    names = ("", "guide/", "only/")
    listed = sorted(
        f"{language}{name}" for language in ("", "de/", "pt-BR/") for name in names
    )

    assert paths(built) == listed
    assert all(fields == {"lastmod": NEWS} for fields in built.entries.values())
    files = [file.name for file in built.output_dir.rglob("sitemap*")]
    assert ["sitemap.css", "sitemap.xml", "sitemap.xml.gz"] == sorted(files)
    assert 1 == built.log.count("sitemap: ")
    assert "sitemap: sitemap.xml: 9 pages" in built.log


@pytest.mark.parametrize("structure", ["folder", "suffix", None])
def test_excluded_files_are_not_drafts(tmp_path, structure):
    """A file that the nav names has a page though it is excluded (openai-agents:
    99 "drafts")."""
    folder = "en/" if structure == "folder" else ""
    files = {f"docs/{folder}{name}.md": f"# {name}\n" for name in ("index", "no")}
    used = plugins(structure) if structure else ["sitemap"]
    settings = {"exclude_docs": "no.md", "nav": ["index.md", "no.md"], "plugins": used}
    write(tmp_path, files, **settings)
    if folder:
        (tmp_path / "docs/index.md").unlink()
    log = build(tmp_path, "-v").log

    assert "no.md: left out (not-built: " in log
    assert "left out (draft" not in log


def test_translations_link_to_each_other_and_x_default_is_the_default_language(built):
    guide = {
        "de": "de/guide/",
        "en": "guide/",
        "pt-BR": "pt-BR/guide/",
        "x-default": "guide/",
    }
    home = {"de": "de/", "en": "", "x-default": ""}

    assert links(built) == {
        **dict.fromkeys(("guide/", "de/guide/", "pt-BR/guide/"), guide),
        **dict.fromkeys(("", "de/"), home),
    }


def test_without_an_address_static_i18n_leaves_no_template_in_the_site(tmp_path):
    write(
        tmp_path, {"docs/index.de.md": "# D\n"}, site_url="", plugins=plugins("suffix")
    )

    assert not list(build(tmp_path).output_dir.rglob("sitemap*"))


def test_another_default_language_can_be_set(tmp_path):
    sitemap = {"default_language": "de"}
    write(tmp_path, {"docs/index.de.md": "# D\n"}, plugins=plugins("suffix", **sitemap))

    assert {"de": "de/", "en": "", "x-default": "de/"} == links(build(tmp_path))[""]


@pytest.mark.parametrize("order", [("en", "de"), ("de", "en")])
def test_a_language_with_an_address_of_its_own_does_not_move_the_others(
    tmp_path, order
):
    languages = {
        "en": {"locale": "en", "name": "English", "default": True},
        "de": {
            "locale": "de",
            "name": "Deutsch",
            "site_url": "https://de.example.com/",
        },
    }
    i18n = {
        "docs_structure": "suffix",
        "languages": [languages[language] for language in order],
    }
    write(tmp_path, {"docs/index.de.md": "# D\n"}, plugins=["sitemap", {"i18n": i18n}])
    built = build(tmp_path)

    assert [""] == paths(built)
    assert "1 left out (1 canonical)" in built.log


@FULL
def test_with_the_blog_of_material_the_sitemap_lists_what_was_built(tmp_path):
    pytest.importorskip("material")
    write(
        tmp_path,
        {
            "docs/index.de.md": "# D\n",
            "docs/blog/index.md": "# Blog\n",
            "docs/blog/index.de.md": "# Blog\n",
            "docs/blog/posts/one.md": "---\ndate: 2024-01-02\n---\n# One\n",
        },
        theme={"name": "material", "font": False},
        plugins=["blog", *plugins("suffix")],
    )
    built = build(tmp_path)
    pages = built.output_dir.rglob("index.html")
    blog = {"de": "de/blog/", "en": "blog/", "x-default": "blog/"}

    assert paths(built) == sorted(
        page.relative_to(built.output_dir).as_posix().removesuffix("index.html")
        for page in pages
    )
    assert links(built)["blog/"] == links(built)["de/blog/"] == blog


@pytest.mark.parametrize(
    "fault", ["refuses", "is gone", pytest.param("hangs", marks=pytest.mark.full)]
)
def test_remote_without_an_answer_is_asked_once_for_all_languages(tmp_path, fault):
    """At most thirty seconds, as nobody asked for the history."""
    site = tmp_path / "served/site"
    files = {f"docs/{name}": f"# {name}\n" for name in NAMES["suffix"]}
    write(site, files, plugins=plugins("suffix"))
    commit(site)
    git(site, "commit", "-q", "--allow-empty", "-m", "last")
    clone = tmp_path / "clone"
    with serving(tmp_path / "served") as server:
        git(tmp_path, "clone", "-q", "--depth=1", f"{server.url}site/.git", clone)
        server.requests.clear()
        if fault == "is gone":
            git(clone, "config", "remote.origin.url", "http://127.0.0.1:1/site")
        server.fault = lambda handler: (
            server.ended.wait(60 if fault == "hangs" else 0)
            or handler.send(403)
            or True
        )
        start = time.monotonic()
        built = build(clone, "--strict", GITHUB_ACTIONS="true")
        took = time.monotonic() - start

    assert took < 60
    assert len(server.requests) <= 1
    lines = built.log.splitlines()
    why = [line for line in lines if "(fetch-failed)" in line]
    annotation = "::warning title=sitemap-plugins::sitemap.xml: 9 pages"
    # Once for people, once for GitHub.
    assert [False, True] == [line.startswith(annotation) for line in why], built.log
    assert 1 == built.log.count("fetching the history")
    assert all(fields == {} for fields in built.entries.values())
