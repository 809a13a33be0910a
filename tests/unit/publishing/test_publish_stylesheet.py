"""The style sheet: one file with a signature in its first line,
which loads nothing else."""

from __future__ import annotations

import re

import pytest

from sitemap_plugins.core.publishing.publish import (
    STYLESHEET_BYTES,
    find_stylesheet,
    stylesheet,
    stylesheet_name,
)


def is_ours(content, folder, filename="sitemap.xml"):
    (folder / stylesheet_name(filename)).write_bytes(content)
    return find_stylesheet(folder, filename)[0] is not None


def test_signature_has_the_name_of_the_sitemap(tmp_path):
    assert "map.css" == stylesheet_name("map.xml")
    assert stylesheet("map.xml").startswith(
        b"/*! sitemap_plugins: map.xml */\n@namespace "
    )
    assert is_ours(stylesheet("map.xml"), tmp_path, "map.xml")
    assert not is_ours(stylesheet("map.xml"), tmp_path, "ma.xml")


def test_style_sheet_of_another_program_is_kept_and_named(tmp_path):
    style, notices = find_stylesheet(tmp_path, "map.xml")
    assert ("map.css", ()) == (style.name, notices)

    (tmp_path / "map.css").write_bytes(b"a {}")
    style, (notice,) = find_stylesheet(tmp_path, "map.xml")

    assert (None, "other-stylesheet") == (style, notice.code)
    assert notice.text.startswith("this plugin did not write map.css, so it is kept")


@pytest.mark.parametrize(
    "content",
    [
        # minify_html 0.18 (pelican-minify), csscompressor 0.9 (mkdocs-minify-plugin),
        # cssmin 0.2.
        b"/*! sitemap_plugins: sitemap.xml */ @namespace url(http://a.example);",
        b"/*! sitemap_plugins: sitemap.xml */@namespace url(http://a.example);",
        b"/*!sitemap_plugins:sitemap.xml */ @namespace url(http://a.example);",
        b"\n@charset 'UTF-8';a{b:c}/*! sitemap_plugins: sitemap.xml */",
    ],
)
def test_signature_survives_minifiers(content, tmp_path):
    assert is_ours(content, tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a { b: 'sitemap_plugins: sitemap.xml' }",
        b"/*! sitemap_plugins: sitemap.xml",
        b"/*! sitemap_plugins: sitemap_xml */",
        b" " * STYLESHEET_BYTES + b"/*! sitemap_plugins: sitemap.xml */",
    ],
)
def test_other_text_is_not_a_signature(content, tmp_path):
    assert not is_ours(content, tmp_path)


def test_style_sheet_loads_nothing_and_runs_nothing():
    style = stylesheet("sitemap.xml").decode("ascii")

    # The two addresses are names of namespaces, which browsers do not fetch.
    namespaces = re.findall(r"^@namespace .*;$", style, re.MULTILINE)
    rest = "".join(line for line in style.splitlines() if line not in namespaces)
    assert 2 == len(namespaces)
    assert [] == re.findall(r"url\(|@import|@font-face|expression|javascript:", rest)
