"""Settings of real MkDocs sites:
each is understood, or refused in one line that has the cure."""

from __future__ import annotations

import os

import pytest
from mkdocs.utils.yaml import yaml_load

from sitemap_plugins.folder.read_yaml import parse_yaml
from tests.hosts.mkdocs_project import build, commit, write

NOT_SET = (
    "site_url in mkdocs.yml is not set, so no sitemap is written: "
    "set it to the site's address"
)


@pytest.mark.parametrize(
    ("site_url", "environ", "base"),
    [
        # 91 sites: 27 at the root with a slash and 17 without, 15 and 7 with a path.
        ("https://mlsh.cli.rs/", {}, "https://mlsh.cli.rs/"),
        ("https://gtfs.org", {}, "https://gtfs.org/"),
        ("https://www.mkdocs.org/docs/", {}, "https://www.mkdocs.org/docs/"),
        ("https://doc.traefik.io/traefik", {}, "https://doc.traefik.io/traefik/"),
        # argoproj/argo-cd, on Read the Docs.
        (
            "!ENV READTHEDOCS_CANONICAL_URL",
            {"READTHEDOCS_CANONICAL_URL": "https://argo-cd.readthedocs.io/en/stable/"},
            "https://argo-cd.readthedocs.io/en/stable/",
        ),
        # anoni-net/docs builds for three networks from one file.
        (
            "!ENV [SITE_URL, 'https://anoni.net/docs/']",
            {"SITE_URL": "http://anoni.onion/docs/"},
            "http://anoni.onion/docs/",
        ),
        ("!ENV [SITE_URL, 'https://anoni.net/docs/']", {}, "https://anoni.net/docs/"),
        ("http://localhost:8000/comment", {}, "http://localhost:8000/comment/"),
    ],
)
def test_every_form_of_site_url_is_understood(tmp_path, site_url, environ, base):
    write(tmp_path, {"docs/a.md": "# A\n"})
    _inherit(tmp_path, f"site_url: {site_url}\n")
    built = build(tmp_path, "--strict", **environ)

    assert built.locs == [base, f"{base}a/"]


@pytest.mark.parametrize(
    "line",
    [
        # 19 of 91, kubernetes-sigs/aws-load-balancer-controller with `strict: true`.
        "strict: true\n",
        # argoproj/argo-cd at home: `make serve-docs`, `strict: true`.
        "strict: true\nsite_url: !ENV READTHEDOCS_CANONICAL_URL\n",
        # 0-danielviktorovich-0/RimLoc
        'site_url: !ENV [SITE_URL, ""]\n',
    ],
)
def test_missing_site_url_is_one_line_and_passes_a_strict_build(tmp_path, line):
    write(tmp_path, {}, site_url=None)
    _inherit(tmp_path, line)
    built = build(tmp_path, "--strict")

    assert 1 == built.log.count(NOT_SET)
    assert not built.wrote("sitemap.xml")


def _inherit(folder, text):
    """Write settings over those of the project, in YAML."""
    (folder / "mkdocs.yml").rename(folder / "base.yml")
    (folder / "mkdocs.yml").write_text(f"INHERIT: base.yml\n{text}")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        # fringeproject/fringe-docs names the template itself.
        (
            {
                "theme": {
                    "name": None,
                    "custom_dir": "theme",
                    "static_templates": ["sitemap.xml"],
                }
            },
            ["", "a/", "b/"],
        ),
        # nautobot/nautobot, oprypin/mkdocs-literate-nav
        ({"use_directory_urls": False}, ["a.html", "b/index.html", "index.html"]),
        # apache/iceberg
        ({"exclude_docs": "!.asf.yaml\nb/\n"}, ["", "a/"]),
        ({"not_in_nav": "b/\n", "nav": ["index.md", "a.md"]}, ["", "a/", "b/"]),
        # Two of 17 templates: pages in the navigation alone.
        (
            {
                "nav": ["index.md", "a.md"],
                "plugins": [{"sitemap": {"exclude": ["b/"]}}],
            },
            ["", "a/"],
        ),
    ],
)
def test_other_settings_are_understood(tmp_path, settings, expected):
    write(tmp_path, {"docs/a.md": "# A\n", "docs/b/index.md": "# B\n"}, **settings)
    commit(tmp_path)
    built = build(tmp_path, "--strict")

    assert expected == [loc.removeprefix("https://example.com/") for loc in built.locs]


def test_one_of_several_languages_can_be_built_alone(tmp_path):
    """opengisch/QField-docs, in previews: `build_only_locale:
    !ENV BUILD_ONLY_LOCALE`."""
    pytest.importorskip("mkdocs_static_i18n")
    write(tmp_path, {"docs/index.de.md": "# Start\n"})
    plugin = (
        "plugins:\n  - sitemap\n  - i18n:\n      build_only_locale: !ENV BUILD_ONLY_LOCALE\n"
        "      languages:\n"
        "        - {locale: en, name: English, default: true}\n"
        "        - {locale: de, name: Deutsch}\n"
    )
    _inherit(tmp_path, plugin)

    assert ["https://example.com/", "https://example.com/de/"] == build(
        tmp_path, "--strict"
    ).locs
    alone = build(tmp_path, "--strict", BUILD_ONLY_LOCALE="de")
    assert "Start" in (alone.output_dir / "index.html").read_text()
    assert ["https://example.com/"] == alone.locs


@pytest.mark.parametrize(
    "value",
    [
        "!ENV CI",
        "!ENV [CI]",
        "!ENV [CI, false]",
        "!ENV [CI, 8000]",
        "!ENV [CI, ]",
        "!ENV [PORT, CI, 1.5]",
        "!ENV [X, CI, [a, {b: c}]]",
        "!ENV [X, CI, CI]",
        "!ENV []",
        "!ENV [YES]",
        "!ENV EMPTY",
        "!ENV [PORT]",
        "!ENV [X, !ENV [PORT, 1]]",
        "!ENV 8000",
    ],
)
def test_env_tag_has_the_same_values_as_in_mkdocs(monkeypatch, value):
    for name, text in {"PORT": "8000", "YES": "yes", "EMPTY": ""}.items():
        monkeypatch.setenv(name, text)
    monkeypatch.delenv("CI", raising=False)
    text = f"site_url: https://a.com\nextra: {value}\n"

    expected = yaml_load(text)
    if expected["extra"] == int("8000") and "PORT" in value:
        expected["extra"] = "8000"  # A number can be a secret, too.
    assert expected == parse_yaml(text, os.environ)
