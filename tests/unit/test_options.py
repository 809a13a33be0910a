"""Options: the check of each value, and all problems in one message."""

from __future__ import annotations

import dataclasses

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.core.options import Options, options_of
from sitemap_plugins.folder.options import FOLDER_OPTIONS


def checked(**values):
    return Options.parse(values, where="conf.py")


def test_defaults_are_the_declared_ones():
    assert Options() == checked(
        **{option.name: option.default for option in options_of(Options)}
    )
    assert Options() == checked()


def test_every_field_is_an_option_with_a_summary():
    assert [field.name for field in dataclasses.fields(Options)] == [
        o.name for o in options_of(Options)
    ]
    assert all(
        option.summary.endswith(".") and option.accepts.words
        for option in options_of(Options)
    )


def test_every_folder_option_with_a_value_has_a_metavar():
    for option in FOLDER_OPTIONS:
        assert bool(option.accepts.metavar) is (option.accepts.shape != "flag")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("base_url", "https://example.com", "https://example.com/"),
        ("base_url", "https://example.com/docs", "https://example.com/docs/"),
        ("base_url", None, ""),
        ("base_url", "", ""),
        ("filename", "map_1.xml", "map_1.xml"),
        ("filename", "site-map.v2.xml", "site-map.v2.xml"),
        ("lastmod", ["git", "page"], ("git", "page")),
        ("lastmod", "git", ("git",)),
        ("lastmod", False, ()),
        ("lastmod", [], ()),
        ("lastmod_format", "date", "date"),
        ("ignore_revs", False, False),
        ("ignore_revs", "revs.txt", "revs.txt"),
        ("changes", "content", "content"),
        ("default_language", "pt_BR", "pt_BR"),
        ("gzip", True, True),
        ("urls", "/app/", ({"loc": "/app/"},)),
        (
            "urls",
            ["a/", {"loc": "b/", "priority": 1}],
            ({"loc": "a/"}, {"loc": "b/", "priority": 1}),
        ),
        ("split", "size", "size"),
        ("split", "section", "section"),
        ("indent", 8, 8),
        ("max_urls", 1, 1),
        ("max_urls", 50_000, 50_000),
    ],
)
def test_valid_value_is_converted(name, value, expected):
    assert expected == getattr(checked(**{name: value}), name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("base_url", "example.com"),
        ("base_url", "ftp://example.com/"),
        ("base_url", "https://example.com/?a=b"),
        ("base_url", 5),
        ("filename", "../sitemap.xml"),
        ("filename", "sub/sitemap.xml"),
        ("filename", "robots.xml"),  # Its text sitemap would be robots.txt.
        ("filename", "Robots.xml"),
        ("filename", "/sitemap.xml"),
        ("filename", "C:\\sitemap.xml"),
        ("filename", ".sitemap.xml"),
        ("filename", "sitemap.txt"),
        ("filename", "sitemap.xml\n"),
        ("filename", "site map.xml"),
        ("filename", "site--map.xml"),  # A comment in the file holds the name.
        ("filename", ""),
        ("filename", None),
        ("exclude", ["re:("]),
        ("exclude", [1]),
        ("exclude", {"a": "b"}),
        ("lastmod", ["build"]),
        ("lastmod", True),
        ("lastmod_format", "iso"),
        ("ignore_revs", 3),
        ("changes", "words"),
        ("changefreq", "sometimes"),
        ("changefreq", {"blog/": "sometimes"}),
        ("changefreq", {"re:(": "daily"}),
        ("priority", 2),
        ("priority", {3: 0.5}),
        ("default_language", 1),
        ("inspect_html", "true"),
        ("robots", 1),
        ("gzip", None),
        ("gzip", "twin"),
        ("urls", 7),
        ("urls", ["/app/", ""]),
        ("urls", [{"lastmod": "2026-01-01"}]),
        ("urls", [{"loc": "/app/", "lastmod": "yesterday"}]),
        ("urls", [{"loc": "/app/", "last_mod": "2026-01-01"}]),
        ("urls", [{"loc": "/app/", "priority": 7}]),
        ("urls", [{"loc": "/app/", "sources": "app.py"}]),
        ("urls", [{"loc": "/app/", 7: 7}]),
        ("split", True),
        ("split", "sections"),
        ("split", ["guide/**"]),
        ("split", {"guide/**": "User Guide"}),
        ("split", {"guide/**": "../guide"}),
        ("split", {"guide/**": "index-2"}),  # A second index is called so.
        ("split", {"re:(": "guide"}),
        ("indent", -1),
        ("indent", 9),
        ("max_urls", 0),
        ("max_urls", 50_001),
        ("max_urls", True),
        ("max_urls", "100"),
        ("gzip", "only"),
    ],
)
def test_wrong_value_is_reported_with_its_option_and_place(name, value):
    with pytest.raises(OptionsError, match=rf"^conf\.py: {name} = ") as caught:
        checked(**{name: value})

    (problem,) = caught.value.problems
    assert "\n" not in problem


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"lastmod": "soon"}, "'/app/': lastmod: 'soon' is not a date"),
        (
            {"last_mod": 1},
            "'last_mod' is not a field of '/app/': did you mean 'lastmod'",
        ),
        ({"qqq": 1}, "'qqq' is not a field of '/app/': the fields are loc, lastmod, "),
    ],
)
def test_wrong_field_of_a_url_is_named_with_its_page(fields, text):
    with pytest.raises(OptionsError) as caught:
        checked(urls=[{"loc": "/app/", **fields}])

    assert text in caught.value.problems[0]


def test_one_message_has_all_problems():
    with pytest.raises(OptionsError) as caught:
        Options.parse(
            {"max_urls": 0, "robot": True, "gzip": True, "filename": "a.txt"},
            where="conf.py",
        )

    assert [
        "max_urls",
        "robot",
        "filename",
    ] == [problem.partition(" ")[0] for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("values", "prefix", "expected"),
    [
        ({"robot": True}, "", "robot is not an option: did you mean 'robots'?"),
        (
            {"robot": True},
            "sitemap_",
            "sitemap_robot is not an option: did you mean 'sitemap_robots'?",
        ),
        ({"qqq": True}, "", "qqq is not an option: remove it"),
        ({7: True}, "", "7 is not an option: remove it"),
        ({16**4_000: True}, "", "a value of type int is not an option: remove it"),
        ({"\x1b\0": True}, "", r"'\x1b\x00' is not an option: remove it"),
        (
            {"lastmod_format": "dat"},
            "sitemap_",
            "sitemap_lastmod_format = 'dat' is not one of 'datetime', 'date': did you mean 'date'?",
        ),
    ],
)
def test_message_names_the_cure(values, prefix, expected):
    with pytest.raises(OptionsError) as caught:
        Options.parse(values, where="", prefix=prefix)

    assert expected == str(caught.value)


def test_value_can_be_for_all_pages_or_by_pattern():
    """A single value is for every page, also the home page;
    in a mapping, the first match wins."""
    options = checked(changefreq="Weekly", priority={"blog/": 0.3, "**": "0.9"})

    assert ["weekly", "weekly"] == [
        options.changefreq.first(path) for path in ("", "blog/a/")
    ]
    assert [0.9, 0.3] == [options.priority.first(path) for path in ("", "blog/a/")]


def test_string_is_a_list_of_one_pattern():
    assert checked(exclude="drafts/").exclude.match("drafts/a")


@pytest.mark.parametrize("value", [["a"], "a", 5, None])
def test_sources_map_patterns_to_files(value):
    with pytest.raises(OptionsError, match="does not map patterns to files"):
        Options.parse({"sources": value}, where="")


def test_defaults_of_a_new_user():
    options = Options()

    assert ("", "sitemap.xml", "datetime") == (
        options.base_url,
        options.filename,
        options.lastmod_format,
    )
    assert (True, True, True) == (
        options.ignore_revs,
        options.inspect_html,
        options.robots,
    )
    assert (
        False,
        False,
        False,
        0,
    ) == (
        options.static_html,
        options.gzip,
        options.text,
        options.indent,
    )
