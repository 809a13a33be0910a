"""Names of parts: nothing leaves the folder, nothing collides."""

from __future__ import annotations

import re

import pytest

from sitemap_plugins.core.files.plan import REST, digest, section_of
from sitemap_plugins.core.values import is_section_name


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("guide/start/", "guide"),
        ("guide/start.html", "guide"),
        ("guide//", "guide"),
        ("v2-beta/a/b/c/", "v2-beta"),
        ("2024/05/post/", "2024"),
        # Pages at the root, and a folder that is called like their section.
        ("", REST),
        ("about.html", REST),
        ("about/", REST),
        ("?a=b/c", "a-b-" + digest("?a=b")),
        ("pages/a/", REST),
    ],
)
def test_a_page_is_in_the_section_of_its_first_folder(path, expected):
    assert expected == section_of(path)


@pytest.mark.parametrize(
    "folder",
    [
        *(
            "Guide",
            "user_guide",
            "user--guide",
            "-guide",
            "guide-",
            "..",
            ".",
            "%2e%2e",
            "~",
            "a.b",
        ),
        # What a second index and the divisions of a section are called.
        *("index-2", "0123456789ab", "guide-0123456789ab", "x" * 41, "caf%C3%A9", "%5C", "%00"),
    ],
)
def test_another_folder_has_a_name_of_its_own(folder):
    name = section_of(f"{folder}/page/")

    assert name.endswith(digest(folder))
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 40 + 1 + 12
    assert not is_section_name(name)


def test_folders_that_differ_have_names_that_differ():
    folders = ["a b", "a-b", "a_b", "A-b", "a--b", "a.b", "a%20b", "%", "-", "--"]

    assert len({section_of(f"{folder}/x") for folder in folders}) == len(folders)


@pytest.mark.parametrize("name", ["guide", "user-guide", "2024", "index", "index-two", "x" * 40])
def test_plain_names_stand_as_they_are(name):
    assert is_section_name(name)
    assert name == section_of(f"{name}/page/")
