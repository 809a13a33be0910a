"""Notices: stable codes, each of them said somewhere."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import sitemap_plugins
from sitemap_plugins.core.notices import CODES, Notice

PACKAGE = Path(sitemap_plugins.__file__).parent


def codes_said() -> set[str]:
    """Return the texts outside of `notices.py` that are codes or stand as one."""
    said = set()
    for file in PACKAGE.rglob("*.py"):
        if file.name == "notices.py":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and node.value in CODES:
                said.add(node.value)
            elif (
                isinstance(node, ast.keyword)
                and node.arg == "code"
                and isinstance(node.value, ast.Constant)
            ):
                said.add(node.value.value)
    return said


def test_no_code_is_unknown_and_none_is_unused():
    assert set(CODES) == codes_said()


@pytest.mark.parametrize(
    "code", ["shallow-clone", "no-git", "no-commits", "robots-not-at-root", "preview-build"]
)
def test_strict_modes_do_not_fail_a_site_for_its_clone_or_its_place(code):
    assert Notice(code=code, text="").level == "info"


@pytest.mark.parametrize("code", ["no-base-url", "no-pages", "duplicate-url", "bad-metadata"])
def test_strict_modes_fail_where_the_author_must_act(code):
    assert Notice(code=code, text="").level == "warning"
