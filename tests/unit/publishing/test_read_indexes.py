"""The file of a part, found from the URL by which its index lists it."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.publishing.read import part_file, part_names
from tests.folder.html_folder import write


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/sitemap-1.xml", "sitemap-1.xml"),
        ("https://example.com/project/2.0/sitemap.xml", "2.0/sitemap.xml"),
        ("https://example.com/2.0/sitemap.xml?x=1", "2.0/sitemap.xml"),
        ("https://example.com/caf%C3%A9.xml", "café.xml"),
        ("https://example.com/3.0/sitemap.xml", None),
        ("https://example.com/sitemap.xml", None),
    ],
)
def test_longest_end_of_the_path_with_a_file_wins(tmp_path, url, expected):
    """The index is not its own part,
    although a part in a subfolder can have its name."""
    files = ["sitemap.xml", "sitemap-1.xml", "2.0/sitemap.xml", "café.xml"]
    write(tmp_path, dict.fromkeys(files, ""))
    found = part_file(tmp_path / "sitemap.xml", url)

    assert (expected is not None) == found.is_file()
    assert expected in {None, found.relative_to(tmp_path).as_posix()}


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/../a.xml",
        "https://example.com/x/%2e%2e/a.xml",
        "https://example.com/.",
        "https://example.com/x/%2e/a.xml",
        "https://example.com/a%5C..%5Cb.xml",
        "https://example.com/C%3A/a.xml",
        "https://example.com/a%00.xml",
        "https://example.com//a.xml/",
        "",
        "http://[",
        # To look for such a name is an error.
        f"https://example.com/{'a' * 256}",
        f"https://example.com/x/{'%C3%A9' * 128}",
        f"https://example.com/{'a/' * 1_100}a.xml",  # The ends of one of 10 MB are 10 TB.
    ],
)
def test_no_url_leads_out_of_the_folder(tmp_path, url):
    assert [] == part_names(url)
    assert tmp_path == part_file(tmp_path / "sitemap.xml", url).parent
