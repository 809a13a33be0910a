"""i18n_subsites: sites in other languages, run within the run of the main one."""

from __future__ import annotations

import pytest

from tests.full import FULL
from tests.hosts.pelican_blog import BASE, Blog, links, paths, plugins_of_their_own

pytest.importorskip("pelican.plugins.i18n_subsites")
pytestmark = FULL

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
    with plugins_of_their_own():
        yield blog


@pytest.fixture
def blog_in_three(blog):
    blog.write("both-pt-br", Slug="both", Lang="pt-br")
    return blog


def settings(*languages: str, **more: object) -> dict[str, object]:
    return {
        **SETTINGS,
        "I18N_SUBSITES": {each: {} for each in languages or ["de"]},
        **more,
    }


def test_one_sitemap_has_every_language_once(blog_in_three):
    built = blog_in_three.build(**settings("de", "pt-br"))

    assert [
        "",
        "both.html",
        "category/misc.html",
        "de/",
        "de/alone.html",
        "de/both.html",
        "de/category/misc.html",
        "pt-br/",
        "pt-br/both.html",
        "pt-br/category/misc.html",
    ] == paths(built)
    assert not built.wrote("de/sitemap.xml")
    assert not built.wrote("de/robots.txt")
    assert b"Sitemap: https://example.com/sitemap.xml\n" == built.robots


def test_versions_and_front_pages_are_linked_with_the_main_language_as_default(
    blog_in_three,
):
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

    assert ("x-default", f"{BASE}de/both.html") == groups[f"{BASE}both.html"][-1]


@pytest.mark.parametrize("policy", ["hide", "remove", "keep"])
def test_untranslated_page_is_listed_once_unless_it_is_kept(blog, policy):
    built = blog.build(**settings(I18N_UNTRANSLATED_ARTICLES=policy))

    assert [path for path in paths(built) if "alone" in path] == (
        ["alone-de.html", "de/alone.html"] if policy == "keep" else ["de/alone.html"]
    )
    assert not any("alone" in url for url in links(built))


def test_copy_is_not_a_translation(blog_in_three):
    """The main site shows one of the two as if it were translated."""
    for language in ("de", "pt-br"):
        blog_in_three.write(f"only-{language}", Slug="only", Lang=language)
    built = blog_in_three.build(
        **settings("de", "pt-br", I18N_UNTRANSLATED_ARTICLES="keep")
    )

    versions = [("de", f"{BASE}de/only.html"), ("pt-BR", f"{BASE}pt-br/only.html")]
    groups = {url: group for url, group in links(built).items() if "only" in url}
    assert groups == {url: versions for _, url in versions}


def test_second_run_is_complete(blog, caplog):
    site = blog.object(**settings())
    site.run()
    first = blog.built.entries
    site.run()

    assert Blog(blog.folder).built.entries == first
    assert "duplicate" not in caplog.text


def test_sub_site_on_its_own_host_is_a_separate_site(blog):
    german = {"SITEURL": "https://de.example.com"}
    built = blog.build(**settings(I18N_SUBSITES={"de": german}))

    assert all(loc.startswith(BASE) for loc in built.locs)
    of_its_own = Blog(blog.folder)
    of_its_own.output_dir = built.output_dir / "de"
    assert "https://de.example.com/both.html" in of_its_own.built.locs


def test_exclude_of_a_sub_site_is_relative_to_its_own_root(blog):
    """The main site's list does not know the sub-site's folder,
    and the other way round."""
    german = {"SITEMAP": {"exclude": ["^both", "^$"]}}
    built = blog.build(**settings(I18N_SUBSITES={"de": german}))

    assert [
        "",
        "both.html",
        "category/misc.html",
        "de/alone.html",
        "de/category/misc.html",
    ] == paths(built)


def test_inherited_exclude_is_applied_to_a_sub_site_once(blog):
    built = blog.build(**settings(SITEMAP={"exclude": ["^both", "^$"]}))

    assert [
        "category/misc.html",
        "de/",
        "de/alone.html",
        "de/both.html",
        "de/category/misc.html",
    ] == paths(built)


def test_sub_sites_with_their_own_output_paths(blog):
    """CCypri3n/Cyprieninperu names those that are the default."""
    german = {"OUTPUT_PATH": str(blog.output_dir / "de/")}
    built = blog.build(**settings(I18N_SUBSITES={"de": german}))

    assert "de/both.html" in paths(built)


def test_files_in_a_place_other_than_their_links_have_their_own_urls(blog):
    """The default `SITEURL` of a sub-site does not follow its `OUTPUT_PATH`."""
    german = {"OUTPUT_PATH": str(blog.output_dir / "deutsch")}
    built = blog.build(**settings(I18N_SUBSITES={"de": german}))

    assert [
        "deutsch/",
        "deutsch/alone.html",
        "deutsch/both.html",
        "deutsch/category/misc.html",
    ] == [path for path in paths(built) if path.startswith("de")]


def test_a_sub_site_beside_the_output_keeps_its_address(blog):
    """Who copies it into place later has told so by `SITEURL`."""
    german = {"OUTPUT_PATH": str(blog.folder / "out-de"), "SITEURL": f"{BASE}german"}
    built = blog.build(**settings(I18N_SUBSITES={"de": german}))

    assert "german/both.html" in paths(built)


def test_files_of_a_sub_site_outside_the_output_are_reported(blog, capsys):
    """`pelican -o elsewhere` moves the main site only."""
    german = {"OUTPUT_PATH": str(blog.folder / "output/de")}
    built = blog.build(**settings(I18N_SUBSITES={"de": german}))

    without_file = [path for path in paths(built) if path.startswith("de/")]
    assert 4 == len(without_file)
    assert not any((built.output_dir / "de").glob("**/*"))
    printed = capsys.readouterr().out
    assert "sub-sites write 4 pages outside the output folder" in printed
    assert "so their URLs have no file in it" in printed
    assert 1 == printed.count("(missing)")


def test_sub_sites_in_the_output_folder_are_not_reported(blog, capsys):
    blog.build(**settings())

    assert "(missing)" not in capsys.readouterr().out


def test_hidden_copy_of_the_home_page_is_not_listed(blog):
    blog.write("pages/home", Lang="en", Save_as="index.html", URL="")
    built = blog.build(**settings(DIRECT_TEMPLATES=[]))

    assert (built.output_dir / "de/index.html").exists()
    assert [""] == [path for path in paths(built) if path in ("", "de/")]


def test_option_hidden_does_not_list_copies(blog):
    """i18n_subsites hides what is not translated on the sites of other languages."""
    blog.write("quiet", Lang="de", Status="hidden")
    built = blog.build(**settings(SITEMAP={"hidden": True}))

    assert [
        "de/alone.html",
        "de/quiet.html",
    ] == [path for path in paths(built) if "alone" in path or "quiet" in path]


def test_templates_are_compiled_after_the_translations_are_installed(blog):
    """That is right before the first page is written."""
    text = "{% for it in articles %}{% trans title=it.title %}{{ title }}{% endtrans %}"
    templates = blog.folder / "templates"
    templates.mkdir()
    (templates / "index.html").write_text(f"{text}{{% endfor %}}", "utf-8")
    built = blog.build(
        **settings(
            JINJA_ENVIRONMENT={"extensions": ["jinja2.ext.i18n"]},
            THEME_TEMPLATES_OVERRIDES=[str(templates)],
        )
    )

    assert "both-en" in (built.output_dir / "index.html").read_text("utf-8")
