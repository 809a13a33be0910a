"""i18n_subsites: sites in other languages, run within the run of the main one."""

from __future__ import annotations

import pytest

from tests.hosts.test_pelican import BASE, Blog, links, paths

pytest.importorskip("pelican.plugins.i18n_subsites")

SETTINGS = {
    "PLUGINS": ["pelican.plugins.i18n_subsites", "sitemap_plugins.pelican"],
    "DEFAULT_LANG": "en",
    "DIRECT_TEMPLATES": ["index"],
    "AUTHOR_SAVE_AS": "",
}


@pytest.fixture
def blog(tmp_path):
    blog = Blog(tmp_path)
    for language in ("en", "de"):
        blog.write(f"both-{language}", Slug="both", Lang=language)
    blog.write("alone", Lang="de")
    return blog


@pytest.fixture
def blog_in_three(blog):
    blog.write("both-pt-br", Slug="both", Lang="pt-br")
    return blog


def settings(*languages: str, **more: object) -> dict[str, object]:
    return {**SETTINGS, "I18N_SUBSITES": {each: {} for each in languages or ["de"]}, **more}


def test_one_sitemap_has_every_language_once(blog_in_three):
    built = blog_in_three.build(**settings("de", "pt-br"))

    assert paths(built) == [
        *("", "both.html", "category/misc.html"),
        *("de/", "de/alone.html", "de/both.html", "de/category/misc.html"),
        *("pt-br/", "pt-br/both.html", "pt-br/category/misc.html"),
    ]
    assert not built.wrote("de/sitemap.xml")
    assert not built.wrote("de/robots.txt")
    assert built.robots == b"Sitemap: https://example.com/sitemap.xml\n"


def test_versions_and_front_pages_are_tied_with_the_main_language_as_default(blog_in_three):
    groups = links(blog_in_three.build(**settings("de", "pt-br")))

    both = [
        ("de", f"{BASE}de/both.html"),
        ("en", f"{BASE}both.html"),
        ("pt-BR", f"{BASE}pt-br/both.html"),
        ("x-default", f"{BASE}both.html"),
    ]
    front = [(language, url.replace("both.html", "")) for language, url in both]
    assert groups == {
        **{url: both for _, url in both},
        **{url: front for _, url in front},
    }


def test_default_language_can_be_another(blog):
    groups = links(blog.build(**settings(SITEMAP={"default_language": "de"})))

    assert groups[f"{BASE}both.html"][-1] == ("x-default", f"{BASE}de/both.html")


@pytest.mark.parametrize("policy", ["hide", "remove", "keep"])
def test_what_is_not_translated_stands_once_unless_it_is_kept(blog, policy):
    built = blog.build(**settings(I18N_UNTRANSLATED_ARTICLES=policy))

    assert [path for path in paths(built) if "alone" in path] == (
        ["alone-de.html", "de/alone.html"] if policy == "keep" else ["de/alone.html"]
    )
    assert not any("alone" in url for url in links(built))


def test_a_copy_is_no_version(blog_in_three):
    """The main site shows one of the two as if it were translated."""
    for language in ("de", "pt-br"):
        blog_in_three.write(f"only-{language}", Slug="only", Lang=language)
    built = blog_in_three.build(**settings("de", "pt-br", I18N_UNTRANSLATED_ARTICLES="keep"))

    versions = [("de", f"{BASE}de/only.html"), ("pt-BR", f"{BASE}pt-br/only.html")]
    groups = {url: group for url, group in links(built).items() if "only" in url}
    assert groups == {url: versions for _, url in versions}


def test_a_second_run_is_a_whole_one(blog, caplog):
    site = blog.object(**settings())
    site.run()
    first = blog.built.entries
    site.run()

    assert Blog(blog.folder).built.entries == first
    assert "duplicate" not in caplog.text


def test_a_sub_site_on_a_host_of_its_own_is_a_site_of_its_own(blog):
    german = {"SITEURL": "https://de.example.com"}
    built = blog.build(**settings(I18N_SUBSITES={"de": german}))

    assert all(loc.startswith(BASE) for loc in built.locs)
    of_its_own = Blog(blog.folder)
    of_its_own.output_dir = built.output_dir / "de"
    assert "https://de.example.com/both.html" in of_its_own.built.locs
