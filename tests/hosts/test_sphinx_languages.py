"""A site in several languages on Sphinx: one build for each, which know nothing of each other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.options import check_as
from sitemap_plugins.sphinx_options import SphinxOptions
from tests.hosts.sphinx_site import build, build_many, links, title, write
from tests.sites import git

SAMPLE = Path(__file__).parents[2] / "sample_sites/sphinx-locales/sphinx"
ROOT = "https://example.com/"
CATALOG = 'msgid ""\nmsgstr ""\n'
OLD, NEW = "2023-01-02T03:04:05+00:00", "2024-05-06T07:08:09+00:00"


def versions(page, *languages, default="en"):
    """Return what each version of a page must say of all."""
    return {name: f"{ROOT}{name}/{page}" for name in languages} | {
        "x-default": f"{ROOT}{default}/{page}"
    }


def in_language(site, language, *arguments):
    base_url = ["-D", f"language={language}", "-D", f"html_baseurl={ROOT}{language}/"]
    return [*base_url, "-q", *arguments, str(site), str(site / f"out/{language}")]


def test_every_build_names_all_versions_that_there_are_and_no_other(tmp_path):
    """The first builds run twice: they could not know what the later ones would hold."""
    site = tmp_path / "site"
    shutil.copytree(SAMPLE, site)
    without = ["-D", "exclude_patterns=only-english.rst,out"]
    builds = [in_language(site, "en"), in_language(site, "de", *without)]
    builds += [in_language(site, "fr"), in_language(site, "en"), in_language(site, "de", *without)]
    build_many(site, builds)
    found = {name: links(site / f"out/{name}/sitemap.xml") for name in ("en", "de", "fr")}

    for language, entries in found.items():
        expected = {
            f"{ROOT}{language}/{page}": versions(page, "de", "en", "fr")
            for page in ("guide.html", "index.html")
        }
        if language != "de":
            expected[f"{ROOT}{language}/only-english.html"] = versions(
                "only-english.html", "en", "fr"
            )
        assert entries == expected


def test_a_translation_has_the_date_of_its_catalog(tmp_path):
    site = tmp_path / "site"
    shutil.copytree(SAMPLE, site)
    (site / ".gitignore").write_text("*.mo\nout\n")
    git(site, "init", "-q", "-b", "main")
    git(site, "add", "*.rst")
    git(site, "commit", "-qm", "documents", GIT_COMMITTER_DATE=OLD)
    git(site, "add", ".")
    git(site, "commit", "-qm", "translations", GIT_COMMITTER_DATE=NEW)
    dates = {
        language: build(site, "-D", f"language={language}", "-E").entries
        for language in ("en", "de")
    }

    page = f"{ROOT}en/guide.html"
    assert (site / "locale/de/LC_MESSAGES/guide.mo").exists()
    assert dates["en"][page]["lastmod"] == OLD
    assert dates["de"][page]["lastmod"] == NEW


def test_the_languages_are_named_or_found(tmp_path):
    folders = {f"locale/{name}/LC_MESSAGES/index.po": CATALOG for name in ("fr", "pt_BR", "x_y_z")}
    files = {"index.rst": title("Home"), "locale/de/index.po": "no catalog", **folders}
    defaults = {"html_baseurl": "", "site_url": ROOT, "sitemap_url_scheme": "{lang}{link}"}
    rows = [
        # The language that conf.py names is the one that is translated.
        ({"language": "de"}, {"de", "fr", "pt-BR", "x-default"}),
        # It is a translation, so that nobody knows which one is not.
        ({"language": "fr"}, {"fr", "pt-BR"}),
        ({"language": "fr", "sitemap_default_language": "pt_BR"}, {"fr", "pt-BR", "x-default"}),
        ({"language": "de", "sitemap_locales": ["ja"]}, {"de", "ja", "x-default"}),
        ({"language": "de", "sitemap_locales": [None]}, set()),
        ({"language": "de", "sitemap_url_scheme": ""}, set()),
    ]
    site = write(tmp_path, files)
    builds = []
    for number, (settings, _) in enumerate(rows):
        conf = write(
            site / f"conf{number}", {}, **{**defaults, "locale_dirs": ["locale"], **settings}
        )
        builds.append(["-q", "-W", "-c", str(conf), ".", f"out{number}"])
    build_many(site, builds)

    for number, (settings, expected) in enumerate(rows):
        (found,) = links(site / f"out{number}/sitemap.xml").values()
        assert set(found) == expected, settings


def test_languages_that_have_no_place_are_a_warning(tmp_path):
    site = write(tmp_path, {"index.rst": title("Home")}, sitemap_locales=["de", "en"])
    built = build(site)

    assert "sitemap_locales is not used, as nothing says which folder" in built.log
    assert built.locs == ["https://example.com/docs/index.html"]


@pytest.mark.parametrize("value", [["de", "not a language"], 7, ["de", None]])
def test_a_wrong_list_of_languages_is_refused(value):
    with pytest.raises(OptionsError, match=r"conf.py: sitemap_locales = "):
        check_as(SphinxOptions, {"locales": value}, where="conf.py", prefix="sitemap_")


@pytest.mark.parametrize("settings", [{}, {"html_baseurl": "https://d.example.com/pt-br/latest/"}])
def test_read_the_docs_says_where_the_build_stands(tmp_path, settings):
    """Nothing is put before its address, and its folders have no capitals (pt_BR is in pt-br)."""
    address = "https://d.example.com/pt-br/latest/"
    files = {"index.rst": title("Home"), "locale/pt_BR/LC_MESSAGES/index.po": CATALOG}
    files["locale/zh_CN/LC_MESSAGES/index.po"] = CATALOG
    defaults = {"html_baseurl": "", "sitemap_url_scheme": "{lang}{version}{link}"}
    site = write(tmp_path, files, **{**defaults, "locale_dirs": ["locale"], **settings})
    environ = {"READTHEDOCS": "True", "READTHEDOCS_LANGUAGE": "pt-br"}
    built = build(site, "-D", "language=pt_BR", READTHEDOCS_CANONICAL_URL=address, **environ)

    assert built.returncode == 0, built.log
    assert links(built.output_dir / "sitemap.xml") == {
        f"{address}index.html": {
            "en": "https://d.example.com/en/latest/index.html",
            "pt-BR": f"{address}index.html",
            "x-default": "https://d.example.com/en/latest/index.html",
            "zh-CN": "https://d.example.com/zh-cn/latest/index.html",
        }
    }
