"""Where a build stands: real values of conf.py, alone and on Read the Docs.

Each row names the project that has it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sphinx.config import Config

from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.messages import Notice, OptionsError
from sitemap_plugins.sphinx.languages import Address, find_address, find_output
from sitemap_plugins.sphinx.options import SPHINX_OPTIONS, SphinxOptions, read_options

SITE = "https://e.org/"


def find(settings, hosted=""):
    """Return the address, by the settings of a conf.py for version 1.0 in English."""
    config = Config({"version": "1.0", "language": "en", **settings})
    for option in SPHINX_OPTIONS:
        config.add(f"sitemap_{option.name}", option.default, "", ())
    config.add("site_url", "", "", ())
    config.add("smv_current_version", "", "", ())
    config.add("html_baseurl", "", "", ())
    options, _ = read_options(config)
    return find_address(config, options, CI(canonical_url=hosted))


REAL = [
    ("most projects", SITE, {"sitemap_url_scheme": "{link}"}, SITE),
    (
        "scylladb/*",
        "https://e.org",
        {"sitemap_url_scheme": "/stable/{link}"},
        f"{SITE}stable/",
    ),
    (
        "pymc-devs/* off Read the Docs",
        SITE,
        {"sitemap_url_scheme": "{lang}/{link}"},
        f"{SITE}en/",
    ),
    (
        "JessicaTegner/teamtalk.py",
        SITE,
        {"sitemap_url_scheme": "{lang}/{version}/{link}"},
        f"{SITE}en/1.0/",
    ),
    (
        "Nuitka/Nuitka-website",
        SITE,
        {"sitemap_url_scheme": "{lang}/{link}"},
        f"{SITE}en/",
    ),
    (
        "conda/conda",
        SITE,
        {"sitemap_url_scheme": "{lang}latest/{link}"},
        f"{SITE}en/latest/",
    ),
    ("/{link}", SITE, {"sitemap_url_scheme": "/{link}"}, SITE),
    ("double slashes", SITE, {"sitemap_url_scheme": "//docs//{link}"}, f"{SITE}docs/"),
    (
        "no version",
        SITE,
        {"sitemap_url_scheme": "{lang}{version}{link}", "version": ""},
        f"{SITE}en/",
    ),
    (
        "univention/univention-corporate-server",
        SITE,
        {"sitemap_url_scheme": "{version}{lang}{link}"},
        f"{SITE}1.0/en/",
    ),
    (
        "name + '/latest/{lang}{link}'",
        SITE,
        {"sitemap_url_scheme": "me/latest/{lang}{link}"},
        f"{SITE}me/latest/en/",
    ),
    ("old default None", SITE, {"sitemap_url_scheme": None}, SITE),
    (
        "ray-project/ray",
        "https://docs.ray.io/en/latest",
        {},
        "https://docs.ray.io/en/latest",
    ),
]


@pytest.mark.parametrize(
    ("project", "base", "settings", "expected"), REAL, ids=[r[0] for r in REAL]
)
def test_real_schemes_are_understood(project, base, settings, expected):
    found = find({"html_baseurl": base, **settings})

    assert expected == found.base_url
    assert () == found.notices


@pytest.mark.parametrize(
    ("project", "value"),
    [
        ("wisrovi/wFabricSecurity", "https"),
        ("EMWPJ/MTDataPro-docs", "https://emwpj.github.io/MTDataPro-docs/{lang}"),
        ("commented out in one", "https://predication.ch/{link}"),
        ("a port", "localhost:8000/{link}"),
    ],
)
def test_a_scheme_that_is_an_address_is_refused_with_the_cure(project, value):
    with pytest.raises(
        OptionsError, match=r"conf.py: sitemap_url_scheme = .* '.*\{link\}'$"
    ) as raised:
        SphinxOptions.parse({"url_scheme": value}, where="conf.py", prefix="sitemap_")
    assert "\n" not in str(raised.value)


LEFTOVER = "{lang}{version}{link}"


@pytest.mark.parametrize("base", ["https://e.org/en/1.0/", "https://e.org/en/1.0"])
def test_scheme_that_repeats_the_base_url_is_ignored_and_reported(base):
    found = find({"html_baseurl": base, "sitemap_url_scheme": LEFTOVER})

    assert "https://e.org/en/1.0/" == found.base_url
    assert "https://e.org/{lang}1.0/" == found.template
    (notice,) = found.notices
    assert notice.text.startswith(
        "sitemap_url_scheme = '{lang}{version}{link}' repeats the end of"
    )
    assert notice.text.endswith("remove it")


@pytest.mark.parametrize(
    "own",
    [
        {"sitemap_excludes": ["search.html"]},
        {"site_url": SITE},
        {"sitemap_locales": ["de"]},
        {"sitemap_filename": "sitemap.xml"},
    ],
)
def test_former_user_of_sphinx_sitemap_without_a_scheme_gets_both_cures(own):
    (notice,) = find({"html_baseurl": SITE, **own}).notices

    assert "info" == notice.level
    assert "add them to" in notice.text
    assert "set sitemap_url_scheme = '{lang}{version}{link}'" in notice.text


@pytest.mark.parametrize(
    "settings",
    [
        {"html_baseurl": SITE},
        {"html_baseurl": SITE, "sitemap_excludes": [], "sitemap_url_scheme": "{link}"},
        {"html_baseurl": "https://e.org/en/latest/", "sitemap_excludes": []},
        {"html_baseurl": "https://e.org/docs/1.0/", "sitemap_excludes": []},
        {"html_baseurl": "/", "sitemap_excludes": []},
        {"sitemap_excludes": []},
    ],
)
def test_other_users_get_no_notice_on_the_scheme(settings):
    assert () == find(settings).notices


def test_a_version_of_sphinx_multiversion_needs_its_folder_in_the_address():
    version = {"smv_current_version": "v1.0"}
    (notice,) = find({"html_baseurl": SITE, **version}).notices

    assert "run it with `-D 'html_baseurl=https://e.org/${name}/'`" in notice.text
    assert () == find({"html_baseurl": f"{SITE}v1.0", **version}).notices
    scheme = {
        "sitemap_url_scheme": "/stable/{link}"
    }  # scylladb/*: one version for crawlers.
    assert () == find({"html_baseurl": SITE, **version, **scheme}).notices


HOSTED = "https://p.readthedocs.io/en/latest/"
ON_READ_THE_DOCS = [
    ("unset", {}, HOSTED),
    ("jdillard/sphinx-sitemap", {"html_baseurl": "https://p.readthedocs.org/"}, HOSTED),
    (
        "panodata/omniload",
        {"html_baseurl": "https://p.readthedocs.io/", "sitemap_url_scheme": "{link}"},
        HOSTED,
    ),
    (
        "flexcompute/tidy3d",
        {"html_baseurl": HOSTED, "sitemap_url_scheme": LEFTOVER},
        HOSTED,
    ),
    (
        "with another version",
        {"html_baseurl": "https://p.readthedocs.io/", "sitemap_url_scheme": LEFTOVER},
        HOSTED,
    ),
    ("a path for local builds", {"html_baseurl": "/"}, HOSTED),
    (
        "canonical/mir, behind a proxy",
        {"html_baseurl": "https://canonical.com/mir/docs/"},
        "https://canonical.com/mir/docs/",
    ),
    (
        "the canonical version alone",
        {"html_baseurl": "https://p.readthedocs.io/en/stable/"},
        "https://p.readthedocs.io/en/stable/",
    ),
]


@pytest.mark.parametrize(
    ("project", "settings", "expected"),
    ON_READ_THE_DOCS,
    ids=[r[0] for r in ON_READ_THE_DOCS],
)
def test_read_the_docs_knows_the_folders_that_conf_py_leaves_out(
    project, settings, expected
):
    found = find(settings, hosted=HOSTED)

    assert expected == found.base_url
    assert () == found.notices


@pytest.mark.parametrize(
    ("settings", "setting"),
    [
        ({"html_baseurl": SITE}, "html_baseurl"),
        ({"site_url": SITE, "html_baseurl": "https://other.org/"}, "site_url"),
        (
            {"sitemap_base_url": SITE, "site_url": "https://other.org/"},
            "sitemap_base_url",
        ),
        ({}, "html_baseurl"),
        (
            {"html_baseurl": SITE, "sitemap_url_scheme": LEFTOVER},
            "html_baseurl or sitemap_url_scheme",
        ),
    ],
)
def test_the_address_names_the_setting_that_it_comes_from(settings, setting):
    assert find(settings).setting == setting


@pytest.mark.parametrize(
    ("output", "address", "levels", "expected"),
    [
        ("/site/en", "https://e.org/en/", 1, ("/site", "https://e.org/", "en/")),
        (
            "/site/en",
            "https://e.org/docs/en",
            1,
            ("/site", "https://e.org/docs/", "en/"),
        ),
        (
            "/site/en/1.0",
            "https://e.org/en/1.0/",
            2,
            ("/site", "https://e.org/", "en/1.0/"),
        ),
        ("/site/a b", "https://e.org/a%20b/", 1, ("/site", "https://e.org/", "a%20b/")),
        ("/site/html", "https://e.org/en/", 1, None),
        ("/site/en", "https://e.org/xen/", 1, None),
        ("/e.org", "https://e.org/", 1, None),
        ("/site/en", "https://e.org/en/", 3, None),
    ],
)
def test_a_sitemap_above_the_build_needs_folders_of_the_same_names(
    output, address, levels, expected
):
    found = find_output(Path(output), Address(base_url=address), levels)

    assert expected == (
        None if isinstance(found, Notice) else (found[0].as_posix(), *found[1:])
    )
