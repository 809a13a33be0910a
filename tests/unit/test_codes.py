"""The table of codes is complete,
and severities match what strict builds should fail on."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.messages import Notice

CODES = table_of_codes.table()
FINDINGS = table_of_codes.findings()
NOTICES = table_of_codes.notices()
REASONS = table_of_codes.reasons()


def test_every_code_is_used_and_has_a_meaning_and_a_cure():
    assert all(any(row) for row in CODES.values())
    assert set(get_args(Reason)) == set(REASONS)
    assert {"warning", "info"} == {kind.severity for kind in NOTICES.values()}
    for kind in (*NOTICES.values(), *FINDINGS.values()):
        assert kind.meaning.endswith(".")
        assert kind.cure.endswith(".")
        assert kind.advice[0].islower()
        assert f"{kind.advice}." == kind.cure[0].lower() + kind.cure[1:]


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_an_example_and_says_when_to_ignore_it(code):
    row = CODES[code]

    assert row.example == row.example.strip()
    assert row.example
    assert max(map(len, row.example.splitlines())) <= 100
    assert row.ignore.endswith(".")


def test_every_rule_is_that_of_a_finding_and_names_its_standard():
    ruled = {code: row.rule for code, row in CODES.items() if row.rule}

    assert ruled.keys() <= FINDINGS.keys()
    for rule in ruled.values():
        assert re.search(r"\b(sitemaps\.org|Google|RFC \d+|W3C|Yandex)\b", rule)
        assert rule.endswith(".")


@pytest.mark.parametrize(
    "code",
    [
        "no-base-url",
        "shallow-clone",
        "no-git",
        "no-commits",
        "robots-not-at-root",
        "preview-build",
    ],
)
def test_strict_builds_do_not_fail_because_of_the_clone_or_the_address(code):
    assert "info" == Notice(code=code, problem="").level


@pytest.mark.parametrize(
    "code", ["bad-option", "no-pages", "duplicate", "bad-metadata"]
)
def test_strict_builds_fail_if_something_must_be_corrected(code):
    assert "warning" == Notice(code=code, problem="").level
