"""The forms of a file's URL, which file a path leads to, and the form of most pages."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.url_forms import (
    Files,
    Spelling,
    files_at,
    form_of,
    forms_of,
    most_common_base,
    paths_of,
    spelled_by,
)

BASE = "https://e.com/docs/"


@pytest.mark.parametrize(
    "file",
    [
        "index.html",
        "a.html",
        "a/index.html",
        "index/index.html",
        "a.htm",
        "a/b",
        "x.html/index.html",
    ],
)
def test_each_form_of_a_file_leads_to_it_and_is_recognized(file):
    for form, path in forms_of(file).items():
        assert form == form_of(path, file)
        assert file in [*files_at(path)]


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("index/", "index.html"),
        ("", ".html"),
        ("a/", "a.htm"),
        ("a/?b", "a/index.html"),
    ],
)
def test_path_that_is_no_form_of_a_file(path, file):
    assert "" == form_of(path, file)
    assert file not in [*files_at(path)]


@pytest.mark.parametrize(
    ("url", "file", "expected"),
    [
        (BASE, "index.html", Spelling(BASE, "folder/")),
        (f"{BASE}index.html", "index.html", Spelling(BASE, "folder/index.html")),
        (f"{BASE}a/", "a/index.html", Spelling(BASE, "folder/")),
        (f"{BASE}a", "a/index.html", Spelling(BASE, "folder")),
        (f"{BASE}a", "a.html", Spelling(BASE, "file")),
        (f"{BASE}a/", "a.html", Spelling(BASE, "file/")),
        (f"{BASE}it%27s/", "it's/index.html", Spelling(BASE, "folder/")),
        (f"{BASE}münchen/", "m%C3%BCnchen/index.html", Spelling(BASE, "folder/")),
        ("/docs/a/", "a/index.html", Spelling("/docs/", "folder/")),
        (f"{BASE}b/", "a/index.html", None),
        (f"{BASE}ba/", "a/index.html", None),
        (f"{BASE}a/?b", "a/index.html", None),
        ("https://e.com", "index.html", Spelling("https://e.com/", "folder/")),
        ("mailto:a", "a.html", None),
        ("http://[", "a.html", None),
    ],
)
def test_forms_of_a_url_for_a_file(url, file, expected):
    assert expected == spelled_by(url, file)


def test_base_is_the_one_of_more_than_half():
    ours, other = Spelling(BASE, "folder/"), Spelling("https://other.com/", "folder/")

    assert BASE == most_common_base([ours, ours, other])
    assert "" == most_common_base([ours, other])
    assert "" == most_common_base([spelled_by("/docs/a/", "a/index.html")])
    assert "" == most_common_base([spelled_by("https://[::1/a/", "a/index.html")])
    assert "" == most_common_base([])


FILES = ("index.html", "a/index.html", "b.html", "c/d.html")


@pytest.mark.parametrize(
    ("known", "votes", "expected"),
    [
        ({}, {}, ["", "a/", "b.html", "c/d.html"]),
        ({}, {"b.html": "file"}, ["", "a/", "b", "c/d"]),
        ({}, {"a/index.html": "folder"}, ["", "a", "b.html", "c/d.html"]),
        ({"b.html": "file"}, {"c/d.html": "file.html"}, ["", "a/", "b", "c/d.html"]),
        (
            {"index.html": "folder/index.html"},
            {},
            ["index.html", "a/", "b.html", "c/d.html"],
        ),
    ],
)
def test_pages_of_no_known_form_have_that_of_most_others(known, votes, expected):
    assert expected == [*paths_of(FILES, known=known, votes=votes).values()]


@pytest.mark.parametrize(
    ("path", "expected", "file_first"),
    [
        ("a/", "a/index.html", "a/index.html"),
        ("a", "a/index.html", "a.html"),
        ("a.html", "a.html", "a.html"),
        ("b", "b.html", "b.html"),
        ("it%27s", "it's.html", "it's.html"),
        ("A/", "", ""),
        ("a/index/", "", ""),
    ],
)
def test_page_at_a_path(path, expected, file_first):
    names = ["a/index.html", "a.html", "b.html", "it's.html"]

    assert expected == Files.of(names).page_at(path)
    assert file_first == Files.of(names, file_first=True).page_at(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("paper.pdf", "paper.pdf"),
        ("link.pdf", "link.pdf"),
        ("loop.pdf", ""),
        ("copied", "copied/index.html"),
        ("page/", "page.html"),
        ("../secret", ""),
        ("..%2Fsecret", ""),
        ("a%00b", ""),
        ("a" * 300, ""),
    ],
)
def test_other_files_are_looked_for_inside_the_folder_alone(tmp_path, path, expected):
    out = tmp_path / "out"
    for name in ("paper.pdf", "copied/index.html", "../secret"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("x")
    (out / "loop.pdf").symlink_to("loop.pdf")
    (out / "link.pdf").symlink_to("paper.pdf")
    files = Files.of(["page.html"], out)

    assert expected == files.at(path)
    assert (expected if path == "page/" else "") == files.page_at(path)


def test_file_whose_name_is_not_utf_8_is_found(tmp_path):
    try:
        (tmp_path / "caf\udce9.pdf").write_text("x")
    except OSError:
        pytest.skip("the system's names are Unicode")
    files = Files.of(["page.html"], tmp_path)

    assert ("caf%E9.pdf", "") == (files.at("caf%E9.pdf"), files.at("caf%E8.pdf"))
