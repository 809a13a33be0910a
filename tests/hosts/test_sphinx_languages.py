"""A site in several languages on Sphinx:
one build for each, which know nothing of each other."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.sphinx.languages import Languages, _Build
from sitemap_plugins.sphinx.options import SphinxOptions
from tests.full import full
from tests.hosts.sphinx_site import build, build_many, title, write
from tests.sites import git
from tests.written import links

SAMPLE = Path(__file__).parents[2] / "sample_sites/sphinx-locales/sphinx"
ROOT = "https://example.com/"
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8"\n\n'
CATALOG = f'{HEADER}#: ../index.rst:2\nmsgid "Home"\nmsgstr "Start"\n'
OLD, NEW = "2023-01-02T03:04:05+00:00", "2024-05-06T07:08:09+00:00"


def versions(page, *languages, default="en"):
    """Return what each version of a page must say of all."""
    return {name: f"{ROOT}{name}/{page}" for name in languages} | {
        "x-default": f"{ROOT}{default}/{page}"
    }


def in_language(site, language, *arguments):
    base_url = ["-D", f"language={language}", "-D", f"html_baseurl={ROOT}{language}/"]
    return [*base_url, "-q", *arguments, str(site), str(site / f"out/{language}")]


def test_every_build_links_to_exactly_the_existing_versions(tmp_path):
    """The first builds run twice: they could not know what the later ones would
    hold."""
    site = tmp_path / "site"
    shutil.copytree(SAMPLE, site)
    for language in ("de", "fr"):
        catalog = f'{HEADER}msgid "In three languages"\nmsgstr "{language}"\n'
        (site / f"locale/{language}/LC_MESSAGES/index.po").write_text(catalog)
    catalog = f'{HEADER}msgid "Only in English"\nmsgstr "Et en français"\n'
    (site / "locale/fr/LC_MESSAGES/only-english.po").write_text(catalog, "utf-8")
    without = ["-D", "exclude_patterns=only-english.rst,out"]
    builds = [in_language(site, "en"), in_language(site, "de", *without)]
    builds += [
        in_language(site, "fr"),
        in_language(site, "en"),
        in_language(site, "de", *without),
    ]
    build_many(site, builds)
    found = {
        name: links(site / f"out/{name}/sitemap.xml") for name in ("en", "de", "fr")
    }

    for language, entries in found.items():
        expected = {
            f"{ROOT}{language}/{page}": versions(page, "de", "en", "fr")
            for page in ("guide.html", "index.html")
        }
        if language != "de":
            expected[f"{ROOT}{language}/only-english.html"] = versions(
                "only-english.html", "en", "fr"
            )
        assert expected == entries


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
    assert OLD == dates["en"][page]["lastmod"]
    assert NEW == dates["de"][page]["lastmod"]


def test_languages_are_configured_or_found(tmp_path):
    folders = {
        f"locale/{name}/LC_MESSAGES/index.po": CATALOG
        for name in ("fr", "pt_BR", "x_y_z")
    }
    files = {"index.rst": title("Home"), "locale/de/index.po": "no catalog", **folders}
    defaults = {
        "html_baseurl": "",
        "site_url": ROOT,
        "sitemap_url_scheme": "{lang}{link}",
    }
    rows = [
        # The language that conf.py names is the one that is translated.
        ({"language": "de"}, {"de", "fr", "pt-BR", "x-default"}),
        # It is a translation, so that nobody knows which one is not.
        ({"language": "fr"}, {"fr", "pt-BR"}),
        (
            {"language": "fr", "sitemap_default_language": "pt_BR"},
            {"fr", "pt-BR", "x-default"},
        ),
        ({"language": "de", "sitemap_locales": ["ja"]}, {"de", "ja", "x-default"}),
        ({"language": "de", "sitemap_locales": [None]}, set()),
        ({"language": "de", "sitemap_url_scheme": ""}, set()),
    ]
    site = write(tmp_path, files)
    builds = []
    for number, (settings, _) in enumerate(rows):
        conf = write(
            site / f"conf{number}",
            {},
            **{**defaults, "locale_dirs": ["locale"], **settings},
        )
        builds.append(["-q", "-W", "-c", str(conf), ".", f"out{number}"])
    build_many(site, builds)

    for number, (settings, expected) in enumerate(rows):
        (found,) = links(site / f"out{number}/sitemap.xml").values()
        assert expected == set(found), settings


def test_languages_without_a_folder_are_a_warning(tmp_path):
    site = write(tmp_path, {"index.rst": title("Home")}, sitemap_locales=["de", "en"])
    built = build(site)

    assert "sitemap_locales is not used, as nothing says which folder" in built.log
    assert ["https://example.com/docs/index.html"] == built.locs


@pytest.mark.parametrize("value", [["de", "not a language"], 7, ["de", None]])
def test_a_wrong_list_of_languages_is_refused(value):
    with pytest.raises(OptionsError, match=r"conf.py: sitemap_locales = "):
        SphinxOptions.parse({"locales": value}, where="conf.py", prefix="sitemap_")


@pytest.mark.parametrize(
    "settings", [{}, {"html_baseurl": "https://d.example.com/pt-br/latest/"}]
)
def test_read_the_docs_gives_the_address_of_the_build(tmp_path, settings):
    """Nothing is put before its address,
    and its folders have no capitals (pt_BR is in pt-br)."""
    address = "https://d.example.com/pt-br/latest/"
    files = {"index.rst": title("Home"), "locale/pt_BR/LC_MESSAGES/index.po": CATALOG}
    files["locale/zh_CN/LC_MESSAGES/index.po"] = CATALOG
    defaults = {"html_baseurl": "", "sitemap_url_scheme": "{lang}{version}{link}"}
    site = write(tmp_path, files, **{**defaults, "locale_dirs": ["locale"], **settings})
    environ = {"READTHEDOCS": "True", "READTHEDOCS_LANGUAGE": "pt-br"}
    built = build(
        site, "-D", "language=pt_BR", READTHEDOCS_CANONICAL_URL=address, **environ
    )

    assert 0 == built.returncode, built.log
    assert {
        f"{address}index.html": {
            "en": "https://d.example.com/en/latest/index.html",
            "pt-BR": f"{address}index.html",
            "x-default": "https://d.example.com/en/latest/index.html",
            "zh-CN": "https://d.example.com/zh-cn/latest/index.html",
        }
    } == links(built.output_dir / "sitemap.xml")


def test_language_counts_if_a_document_is_translated(tmp_path):
    """ABlog's `locale_dirs` hold its interface;
    packaging.python.org has empty languages."""
    untranslated = f'{HEADER}msgid "Home"\nmsgstr ""\n'
    guessed = f'{HEADER}#, fuzzy\nmsgid "Home"\nmsgstr "Koti"\n'
    catalogs = {
        "de/LC_MESSAGES/index": CATALOG,
        "nl/LC_MESSAGES/sphinx": CATALOG,  # The interface's.
        "fr/LC_MESSAGES/other": CATALOG,  # Of no document.
        "it/LC_MESSAGES/index": untranslated,
        "fi/LC_MESSAGES/index": guessed,
    }
    files = {f"locale/{name}.po": text for name, text in catalogs.items()}
    settings = {"html_baseurl": f"{ROOT}en/", "locale_dirs": ["locale"]}
    site = write(tmp_path, {"index.rst": title("Home"), **files}, **settings)
    built = build(site)
    (found,) = links(built.output_dir / "sitemap.xml").values()

    assert {"de", "en", "x-default"} == set(found)


def test_translation_counts_wherever_it_stands_in_its_catalog(tmp_path):
    """Messages that end in an empty translation are passed over,
    but not what is before it."""
    empty = 'msgid "Text"\nmsgstr ""\n'
    catalogs = {
        "de": f'{HEADER}{empty}\nmsgid "Home"\nmsgstr ""\n"Heim"\n',
        "nl": f'{HEADER}msgid "Home"\nmsgstr "Thuis"\n{empty}',
        "fr": f'{HEADER}#, fuzzy\n{empty}{empty}\nmsgid "Home"\nmsgstr "Accueil"\n{empty}'.rstrip(),
        "da": f'{HEADER}{empty}\nmsgid "Home"\nmsgstr "Hjem"'.replace("\n", "\r\n"),
        "it": f"{HEADER}{empty}\n{empty}",
        "fi": f'{HEADER}{empty}\n#~ msgid "Home"\n#~ msgstr "Koti"\n',
    }
    files = {
        f"locale/{name}/LC_MESSAGES/index.po": text for name, text in catalogs.items()
    }
    settings = {"html_baseurl": f"{ROOT}en/", "locale_dirs": ["locale"]}
    site = write(tmp_path, {"index.rst": title("Home"), **files}, **settings)
    (found,) = links(build(site).output_dir / "sitemap.xml").values()

    assert {"da", "de", "en", "fr", "nl", "x-default"} == set(found)


def test_compiled_catalog_counts_if_it_is_the_only_one(tmp_path):
    source, compiled = CATALOG.encode(), tmp_path / "locale/de/LC_MESSAGES/index.mo"
    files = {"index.rst": title("Home")}
    settings = {"html_baseurl": f"{ROOT}en/", "locale_dirs": ["locale"]}
    site = write(tmp_path, files, **settings)
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, read_po(io.BytesIO(source)))
    (found,) = links(build(site).output_dir / "sitemap.xml").values()

    assert {"de", "en", "x-default"} == set(found)


def message(text, translation, place):
    where = f"#: ../{place}.rst:1\n" if place else ""
    return f'{where}msgid "{text}"\nmsgstr "{translation}"\n\n'


@pytest.mark.parametrize(
    ("compact", "placed"), [("all", True), full("all", False), (False, True)]
)
def test_page_links_only_to_languages_with_a_translated_message(
    tmp_path, compact, placed
):
    """packaging.python.org: one of its 30 languages has one
    of 4,540 messages translated.

    openstack/security-doc: a shared catalog without places (`gettext_location =
    False`).
    """
    home, one = ("Home", "index"), ("One", "one")
    translations = {
        "de": {home: "Start", one: "Eins"},
        "fr": {home: "", one: "Un"},
        "it": {home: "Inizio", one: ""},
        "en": {home: "", one: ""},  # What tools make of the original.
    }
    titles = {"index": "Home", "one": "One", "two": "Two"}
    files = {
        f"{name}.rst": f":orphan:\n\n{title(text)}" for name, text in titles.items()
    }
    for language, catalog in translations.items():
        for (text, name), translation in catalog.items():
            file = f"locale/{language}/LC_MESSAGES/{compact or name}.po"
            files[file] = files.get(file, HEADER) + message(
                text, translation, name * placed
            )
    site = write(tmp_path, files, locale_dirs=["locale"], gettext_compact=compact)
    build_many(site, [in_language(site, "en", "-W"), in_language(site, "fr", "-W")])
    english, french = (links(site / f"out/{name}/sitemap.xml") for name in ("en", "fr"))

    assert {
        f"{ROOT}en/index.html": versions("index.html", "de", "en", "it"),
        f"{ROOT}en/one.html": versions("one.html", "de", "en", "fr"),
        f"{ROOT}en/two.html": {},
    } == english
    assert {
        f"{ROOT}fr/index.html": {},
        f"{ROOT}fr/one.html": versions("one.html", "de", "en", "fr"),
        f"{ROOT}fr/two.html": {},
    } == french


def test_found_languages_are_reported_once_with_the_option(tmp_path):
    files = {f"locale/{name}/LC_MESSAGES/index.po": CATALOG for name in ("de", "fr")}
    site = write(
        tmp_path, {"index.rst": title("Home"), **files}, locale_dirs=["locale"]
    )
    address = ("-W", "-D", f"html_baseurl={ROOT}en/")
    found, named = (
        build(site, *address),
        build(site, *address, "-D", "sitemap_locales=de"),
    )

    assert 1 == found.log.count("(sitemap.found-languages)")
    assert (
        "other languages of locale_dirs (de and fr): if some are not published"
        in found.log
    )
    assert "set sitemap_locales to those that are" in found.log
    assert "found-languages" not in named.log


def test_only_the_default_language_build_names_the_line_for_robots_txt(tmp_path):
    files = {"locale/de/LC_MESSAGES/index.po": CATALOG, "index.rst": title("Home")}
    site = write(tmp_path, files, locale_dirs=["locale"])
    logs = {
        language: build(site, *in_language(site, language)[:4], "-v").log
        for language in ("en", "de")
    }

    assert 1 == logs["en"].count("(robots-not-at-root)")
    assert "robots-not-at-root" not in logs["de"]


@pytest.mark.parametrize(
    ("own", "default", "others", "expected"),
    [
        ("de", "en", 1, True),
        ("pt_BR", "pt-br", 1, False),
        ("de", "", 1, False),
        ("de", "en", 0, False),
    ],
)
def test_robots_txt_is_written_by_the_build_of_the_default_language(
    own, default, others, expected
):
    other = _Build(language="x", base_url="", untranslated=(), output_dir=None)
    languages = Languages(
        own=own, default=default, others=(other,) * others, untranslated=()
    )

    assert expected == languages.are_announced_elsewhere


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe")
def test_pipe_in_place_of_another_languages_catalog_is_not_waited_for(tmp_path):
    """Sphinx itself reads only the catalogs of the language that it builds."""
    files = {
        "index.rst": title("Home"),
        "locale/de/LC_MESSAGES/index.po": CATALOG,
        "locale/fr/LC_MESSAGES/other.po": CATALOG,
    }
    site = write(tmp_path, files, locale_dirs=["locale"])
    os.mkfifo(site / "locale/fr/LC_MESSAGES/index.po")

    build_many(site, [in_language(site, "de"), in_language(site, "en")])

    (entries,) = links(site / "out/en/sitemap.xml").values()
    assert versions("index.html", "de", "en") == entries
