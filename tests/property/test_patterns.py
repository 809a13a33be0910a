"""Patterns match what pathspec and `re` match, in whichever way they are matched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from sitemap_plugins.core import expressions
from sitemap_plugins.core.expressions import Expression
from sitemap_plugins.core.patterns import Patterns

REAL = [
    *("404/", "genindex/", "search/", "_modules/*", "reuse/*", "search.html", "genindex.html"),
    *("_snippet/*", "blog/drafts/", "tag/", "category/", "author/", "drafts/", "tags.html"),
    *("archives.html", "photos/", "404", "archives", "drafts", "cat/{slug}", "!.asf.yaml"),
    *("includes/*.md", "overrides/**", "games/*/", "blog/archive/", "blog/page/", "/en/stable/"),
    *("**/*.ipynb", "docs/**/_*.md", "**/node_modules/**", "*.html", "a/**/b/**/c"),
]
"""Patterns of public configurations of MkDocs, Pelican and Sphinx."""
REAL_EXPRESSIONS = [
    *("^/noindex/", "/tag/", r"\.json$", "^/images/", "^/listening/", r"^404\.html$"),
    *(r"^writing/\d{4}/$", "writing/tags", "^splash/$", "^drafts/", r"^test-post\.html$"),
]
PATHS = [
    *("404/", "search.html", "blog/drafts/one/", "en/stable/a.html", "tag/x.html", "writing/2020/"),
    *("a/x/b/y/c", "docs/api/_b.md", "games/chess/", "noindex/", "x/tag/y", "data.json", "a/b/c/d"),
]

_SEGMENT = st.text("ab*?", min_size=1, max_size=4) | st.sampled_from(["**", "[ab]", "[!a]", "a.b"])
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
_ATOM = st.sampled_from(["a", "b", "/", ".", "[ab]", "[^a]", r"\w", r"\b", "^", "$", "(?i:A)"])
_EXPRESSION = st.recursive(
    _ATOM,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "{2}", "{1,3}", "{2,}"])).map(
            lambda both: f"(?:{both[0]}){both[1]}"
        ),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: f"({'|'.join(each)})"),
        st.sampled_from(["(?=a)", "(?!ab)", "(?<=b)"]),
    ),
    max_leaves=8,
)


@pytest.fixture(params=[0, expressions._FEW], ids=["sets", "as-is"])
def steps(request, monkeypatch):
    """Let all expressions be followed by sets of positions, or only those that take long."""
    monkeypatch.setattr(expressions, "_FEW", request.param)


@pytest.fixture(autouse=True)
def _steps(steps):
    """Apply to all tests of this file."""


@given(st.lists(_GLOB, min_size=1, max_size=4), _PATH)
def test_globs_match_as_pathspec_does(items, path):
    expected = bool(GitIgnoreSpec.from_lines(items).match_file(path))

    assert Patterns.compile(items).match(path) is expected, (items, path)


@given(st.lists(st.sampled_from(REAL), min_size=1, max_size=6), st.sampled_from(PATHS) | _PATH)
def test_real_globs_match_as_pathspec_does(items, path):
    expected = bool(GitIgnoreSpec.from_lines(items).match_file(path))

    assert Patterns.compile(items).match(path) is expected, (items, path)


@given(st.sampled_from(REAL_EXPRESSIONS) | _EXPRESSION, st.sampled_from(PATHS) | st.text("aAb/\n"))
def test_expressions_match_as_re_does(source, text):
    regex = re.compile(source)

    assert Expression(regex).search(text) is (regex.search(text) is not None)
