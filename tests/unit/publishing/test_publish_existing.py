"""Sitemaps in the output folder: which of them an earlier build wrote."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.publishing import xml
from sitemap_plugins.core.publishing.publish import (
    find_old_files,
    find_stylesheet,
    stylesheet,
)
from sitemap_plugins.core.records import Entry


def test_old_files_are_grouped_by_kind(tmp_path):
    """`publish` removes each kind at a different time."""
    listed = xml.url_element(Entry("https://example.com/"), "date")
    for key in ("", "index-2", "guide", "1"):
        name = f"sitemap-{key}" if key else "sitemap"
        (tmp_path / f"{name}.xml").write_bytes(
            xml.urlset_header("sitemap.xml", key) + listed
        )
        (tmp_path / f"{name}.txt").write_bytes(b"https://example.com/\n")
    (tmp_path / "sitemap.css").write_bytes(stylesheet("sitemap.xml"))
    kept = {"sitemap-guide.txt"}

    old = find_old_files(tmp_path, "sitemap.xml", keep=kept)

    indexes = ["sitemap-index-2.xml", "sitemap.xml"]
    parts = ["sitemap-1.xml", "sitemap-guide.xml", "sitemap.css"]
    assert old == (
        [tmp_path / f"sitemap{end}.txt" for end in ("-1", "-index-2", "")],
        [tmp_path / name for name in indexes + parts],
    )


def test_files_to_keep_are_not_old(tmp_path):
    files = {
        "sitemap.css": stylesheet("sitemap.xml"),
        "sitemap.xml": xml.urlset_header("sitemap.xml"),
        "sitemap.txt": b"",
        "sitemap-2.xml": xml.urlset_header("sitemap.xml", "2"),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)

    assert ([], []) == find_old_files(tmp_path, "sitemap.xml", keep=files.keys())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, False),
        (b"", True),
        (b"body {}", True),
        (stylesheet("sitemap.xml"), False),
    ],
)
def test_style_sheet_from_elsewhere_is_recognized(tmp_path, content, expected):
    if content is not None:
        (tmp_path / "sitemap.css").write_bytes(content)

    assert (find_stylesheet(tmp_path, "sitemap.xml")[0] is None) is expected


@pytest.mark.parametrize("target", ["ours.css", "nowhere"])
def test_link_in_place_of_the_style_sheet_is_from_elsewhere(tmp_path, target):
    (tmp_path / "ours.css").write_bytes(stylesheet("sitemap.xml"))
    (tmp_path / "sitemap.css").symlink_to(target)

    assert (find_stylesheet(tmp_path, "sitemap.xml")[0] is None) is True
