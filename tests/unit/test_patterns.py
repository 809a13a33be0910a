"""Patterns: gitignore syntax and regular expressions, matched against decoded paths."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.messages import WrongValueError, quoted
from sitemap_plugins.core.patterns import Patterns, Rules


@pytest.mark.parametrize(
    ("items", "path", "expected"),
    [
        # gitignore: a name at any depth, a folder with all below it, anchored with a
        # slash.
        (["drafts"], "blog/drafts/one.html", True),
        (["drafts/"], "blog/drafts/one.html", True),
        (["/drafts/"], "blog/drafts/one.html", False),
        (["blog/*"], "blog/one.html", True),
        (["blog/*.html"], "blog/2024/one.html", False),
        (["blog/**/*.html"], "blog/2024/one.html", True),
        (["*.html"], "guide/", False),
        # A directory URL matches with and without its last slash.
        (["blog/2024"], "blog/2024/", True),
        (["blog/2024/"], "blog/2024/", True),
        (["2024/"], "blog/2024/", True),
        # The last gitignore pattern that matches decides.
        (["blog/*", "!blog/keep.html"], "blog/keep.html", False),
        (["!blog/keep.html", "blog/*"], "blog/keep.html", True),
        # Case counts, as URLs' does.
        (["Blog/"], "blog/one.html", False),
        # The decoded path is what patterns see.
        (["tips & tricks/"], "tips%20&%20tricks/one.html", True),
        (["münchen.html"], "m%C3%BCnchen.html", True),
        (["100%.html"], "100%25.html", True),
        # Regular expressions are searched anywhere and are not taken back by "!".
        (["re:2024"], "blog/2024/one.html", True),
        (["re:^2024"], "blog/2024/one.html", False),
        (["re:é$"], "caf%C3%A9", True),
        (["re:one", "!blog/one.html"], "blog/one.html", True),
        (["re:(?!.*draft)^blog/.*html"], "blog/one.html", True),
        # The home page.
        (["index.html"], "", True),
        (["/index.html"], "", True),
        (["re:^index\\.html$"], "", True),
        (["blog/"], "", False),
        # Nothing.
        ([], "", False),
        (["", "# comment"], "blog/one.html", False),
    ],
)
def test_patterns_match_paths(items, path, expected):
    assert expected is Patterns.compile(items).match(path)


@pytest.mark.parametrize(
    "item",
    [
        "re:(",
        "!",
        "re:x{99999999999999999999}",
        pytest.param("re:" + "(" * 5000, id="too deep"),
    ],
)
def test_item_that_cannot_be_compiled_is_named(item):
    with pytest.raises(WrongValueError, match="is not a pattern: ") as caught:
        Patterns.compile(["fine", item])

    assert quoted(item) in str(caught.value)


@pytest.mark.parametrize(
    ("items", "expected"), [([], False), (["a"], True), (["re:a"], True)]
)
def test_patterns_are_true_if_there_is_one(items, expected):
    assert expected is bool(Patterns.compile(items))


def test_first_matching_rule_gives_the_value():
    rules = Rules(
        (
            (Patterns.compile(["blog/keep/"]), 0.0),
            (Patterns.compile(["blog/"]), 0.3),
            (Patterns.compile(["**"]), 0.5),
        )
    )

    assert [0.0, 0.3, 0.5] == [rules.first(p) for p in ("blog/keep/a", "blog/a", "")]
    assert Rules().first("blog/a") is None
