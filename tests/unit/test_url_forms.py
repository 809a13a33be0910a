"""The URL of each built file: from its canonical link, else in the form of most other pages."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.url_forms import (
    Spelling,
    files_by_path,
    most_common_base,
    paths_of,
    spelled_by,
)

BASE = "https://e.com/docs/"


@pytest.mark.parametrize(
    ("url", "file", "expected"),
    [
        (BASE, "index.html", Spelling(BASE, "", 1)),
        (f"{BASE}index.html", "index.html", Spelling(BASE, "index.html", 0)),
        (f"{BASE}a/", "a/index.html", Spelling(BASE, "a/", 1)),
        (f"{BASE}a", "a/index.html", Spelling(BASE, "a", 2)),
        (f"{BASE}a", "a.html", Spelling(BASE, "a", 2)),
        (f"{BASE}it%27s/", "it's/index.html", Spelling(BASE, "it%27s/", 1)),
        (f"{BASE}münchen/", "m%C3%BCnchen/index.html", Spelling(BASE, "m%C3%BCnchen/", 1)),
        ("/docs/a/", "a/index.html", Spelling("/docs/", "a/", 1)),
        (f"{BASE}b/", "a/index.html", None),
        (f"{BASE}ba/", "a/index.html", None),
        ("https://e.com", "index.html", Spelling("https://e.com/", "", 1)),
        ("mailto:a", "a.html", None),
        ("http://[", "a.html", None),
    ],
)
def test_forms_of_a_url_for_a_file(url, file, expected):
    assert expected == spelled_by(url, file)


def test_base_is_the_one_of_more_than_half():
    ours, other = Spelling(BASE, "", 1), Spelling("https://other.com/", "", 1)

    assert BASE == most_common_base([ours, ours, other])
    assert "" == most_common_base([ours, other])
    assert "" == most_common_base([Spelling("/docs/", "", 1)])
    assert "" == most_common_base([])


FILES = ("index.html", "a/index.html", "b.html", "c/d.html")


def test_without_evidence_only_index_files_are_shortened():
    paths = paths_of(FILES, said={}, listed={})

    assert ["", "a/", "b.html", "c/d.html"] == list(paths.values())


def test_pages_without_a_canonical_link_have_the_form_of_most_others():
    said = {"b.html": Spelling(BASE, "b", 2)}

    assert "c/d" == paths_of(FILES, said=said, listed={})["c/d.html"]


def test_canonical_link_wins_over_the_previous_sitemap():
    said = {"b.html": Spelling(BASE, "b.html", 0)}
    listed = {"b.html": Spelling("", "b", 2), "c/d.html": Spelling("", "c/d", 2)}
    paths = paths_of(FILES, said=said, listed=listed)

    assert ("b.html", "c/d") == (paths["b.html"], paths["c/d.html"])


def test_name_of_a_file_wins_over_short_forms_of_others():
    by_path = files_by_path(["a/index.html", "a.html", "b.html"])

    assert "a/index.html" == by_path["a/"]
    assert "a/index.html" == by_path["a"]
    assert "a.html" == by_path["a.html"]
    assert "b.html" == by_path["b"]
