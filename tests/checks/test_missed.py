"""Faults that were missed once, each in its smallest form, and sound sites like them."""

from __future__ import annotations

import pytest

from tests.checks.checked_site import (
    BASE,
    URLS,
    index,
    result_of_file,
    url,
    urlset,
)
from tests.folder.html_folder import write

PART = urlset(*URLS)


def parts(loc):
    """Return an index of one part, which is beside it under the name in its URL."""
    name = loc.rpartition("/")[2].partition("#")[0]
    return {"sitemap.xml": index(loc), name: PART}


PARTS = {
    "not ASCII": ("bad-url", f"{BASE}s\u00fc.xml"),
    "space": ("bad-url", f"{BASE}s 1.xml"),
    "fragment": ("bad-url", f"{BASE}s1.xml#x"),
    "password": ("bad-url", "https://user:pw@example.com/s1.xml"),
    "FTP": ("bad-url", "ftp://example.com/s1.xml"),
    "local server": ("local-address", "http://localhost:3000/s1.xml"),
    "too long": ("url-too-long", f"{BASE}{'x/' * 1_100}s1.xml"),
    "scheme twice": ("suspect-url", f"https://{BASE}s1.xml"),
    "nothing": ("", f"{BASE}s1.xml"),
}


@pytest.mark.parametrize("case", PARTS)
def test_the_url_of_a_part_follows_the_rules_of_urls(tmp_path, case):
    code, loc = PARTS[case]
    write(tmp_path, parts(loc))

    found = result_of_file(tmp_path / "sitemap.xml").counts.keys() - {"missing-part"}

    assert {code} - {""} == found - {"outside-scope"}


FILES = {
    "scheme twice": ("suspect-url", urlset(url("", base=f"https://{BASE}"))),
    "line of CSV": ("suspect-url", f"{BASE}\n{BASE}a/,2024-01-01\n"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file(tmp_path, case):
    code, text = FILES[case]
    name = "sitemap.xml" if text.startswith("<") else "sitemap.txt"
    write(tmp_path, {name: text})

    assert code in result_of_file(tmp_path / name).counts
