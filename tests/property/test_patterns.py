"""Several patterns of an option match together what pathspec matches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from sitemap_plugins.core.patterns import Patterns

REAL = [
    "404/",
    "genindex/",
    "search/",
    "_modules/*",
    "reuse/*",
    "search.html",
    "genindex.html",
    "_snippet/*",
    "blog/drafts/",
    "tag/",
    "category/",
    "author/",
    "drafts/",
    "tags.html",
    "archives.html",
    "photos/",
    "404",
    "archives",
    "drafts",
    "cat/{slug}",
    "!.asf.yaml",
    "includes/*.md",
    "overrides/**",
    "games/*/",
    "blog/archive/",
    "blog/page/",
    "/en/stable/",
    "**/*.ipynb",
    "docs/**/_*.md",
    "**/node_modules/**",
    "*.html",
    "a/**/b/**/c",
]
"""Patterns of public configurations of MkDocs, Pelican and Sphinx."""
PATHS = [
    "404/",
    "search.html",
    "blog/drafts/one/",
    "en/stable/a.html",
    "tag/x.html",
    "writing/2020/",
    "a/x/b/y/c",
    "docs/api/_b.md",
    "games/chess/",
    "noindex/",
    "x/tag/y",
    "data.json",
    "a/b/c/d",
]

_SEGMENT = st.text("ab*?", min_size=1, max_size=4) | st.sampled_from(
    ["**", "[ab]", "[!a]", "a.b"]
)
_GLOB = st.builds(
    lambda start, segments, end: start + "/".join(segments) + end,
    st.sampled_from(["", "/", "!", "!/"]),
    st.lists(_SEGMENT, min_size=1, max_size=5),
    st.sampled_from(["", "/"]),
)
_PATH = st.builds(
    lambda segments, end: "/".join(segments) + end,
    st.lists(st.text("ab.", min_size=1, max_size=4), min_size=1, max_size=7),
    st.sampled_from(["", "/"]),
)


@given(st.lists(_GLOB, min_size=1, max_size=4), _PATH)
def test_globs_match_as_pathspec_does(items, path):
    expected = bool(GitIgnoreSpec.from_lines(items).match_file(path))

    assert Patterns.compile(items).match(path) is expected, (items, path)


@given(
    st.lists(st.sampled_from(REAL), min_size=1, max_size=6),
    st.sampled_from(PATHS) | _PATH,
)
def test_real_globs_match_as_pathspec_does(items, path):
    expected = bool(GitIgnoreSpec.from_lines(items).match_file(path))

    assert Patterns.compile(items).match(path) is expected, (items, path)
