"""Errors: one base, one line, sorted by who can fix it."""

from __future__ import annotations

import pytest

from sitemap_plugins.core import errors
from sitemap_plugins.core.errors import GitError, OptionsError, SitemapError


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_caught_by_the_base(name):
    assert issubclass(getattr(errors, name), SitemapError)


@pytest.mark.parametrize(
    ("problems", "where", "expected"),
    [
        (["robots = 1 is wrong"], "conf.py", "conf.py: robots = 1 is wrong"),
        (["one", "two"], "conf.py", "conf.py: one; two"),
        (["one"], "", "one"),
    ],
)
def test_options_error_says_all_problems_in_one_line(problems, where, expected):
    error = OptionsError(problems, where=where)

    assert expected == str(error)
    assert tuple(problems) == error.problems
    assert where == error.where


def test_git_error_keeps_the_code_of_its_notice():
    error = GitError("git is not installed: install it", code="no-git")

    assert ("git is not installed: install it", "no-git") == (str(error), error.code)
