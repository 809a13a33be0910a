"""The style sheet: one file, ours to be told by its first line, that loads nothing else."""

from __future__ import annotations

import re

from sitemap_plugins.core.files.stylesheet import (
    stylesheet,
    stylesheet_name,
    stylesheet_signature,
)


def test_it_begins_with_the_name_of_the_set():
    assert "map.css" == stylesheet_name("map.xml")
    assert b"/* sitemap_plugins: map.xml */\n" == stylesheet_signature("map.xml")
    assert stylesheet("map.xml").startswith(stylesheet_signature("map.xml"))


def test_it_loads_nothing_and_runs_nothing():
    style = stylesheet("sitemap.xml").decode("ascii")

    # The two addresses are names of namespaces, which browsers do not fetch.
    namespaces = re.findall(r"^@namespace .*;$", style, re.MULTILINE)
    rest = "".join(line for line in style.splitlines() if line not in namespaces)
    assert 2 == len(namespaces)
    assert [] == re.findall(r"url\(|@import|@font-face|expression|javascript:", rest)
