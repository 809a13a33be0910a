"""Errors: one base class, one-line messages,
one class for each person who can fix them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sitemap_plugins
from sitemap_plugins.core import messages
from sitemap_plugins.core.messages import GitError, OptionsError, SitemapError

PACKAGE = Path(sitemap_plugins.__file__).parent


NAMES = [name for name in vars(messages) if re.fullmatch("[A-Z].*Error", name)]


@pytest.mark.parametrize("name", NAMES)
def test_every_error_is_caught_by_the_base(name):
    assert issubclass(getattr(messages, name), SitemapError)


def test_every_error_of_the_package_has_the_same_base():
    """An error that the command line does not catch would be a traceback."""
    text = "".join(file.read_text("utf-8") for file in PACKAGE.rglob("*.py"))

    bases = set(re.findall(r"^class (\w+Error)\((.+)\):", text, re.MULTILINE))

    names = {name for name, _ in bases}
    assert {("SitemapError", "Exception")} == {
        item for item in bases if item[1] not in names and item[0][0] != "_"
    }
    assert {"RefusedError", *NAMES} == {
        name for name in names if not name.startswith("_")
    }


@pytest.mark.parametrize(
    ("problems", "where", "expected"),
    [
        (["robots = 1 is wrong"], "conf.py", "conf.py: robots = 1 is wrong"),
        (["one", "two"], "conf.py", "conf.py: one; two"),
        (["one"], "", "one"),
    ],
)
def test_options_error_has_all_problems_in_one_line(problems, where, expected):
    error = OptionsError.of_all(list(map(OptionsError, problems)), place=where)

    assert expected == str(error)
    assert tuple(problems) == error.problems
    assert where == error.place


def test_git_error_keeps_the_code_of_its_notice():
    error = GitError("git is not installed", cure="install it", code="no-git")

    assert ("git is not installed: install it", "no-git") == (str(error), error.code)
