"""Every cure of a finding says what to write or to do."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import sitemap_plugins
from sitemap_plugins.core import codes
from tests.check.checked_site import result_of_file
from tests.check.kinds import FAULTY, write_files

PACKAGE = Path(sitemap_plugins.__file__).parent
OF_FINDINGS = ("check", "live")
MODULES = ("core/urls.py", "core/languages.py", "core/publishing/read.py")
"""Modules whose errors become findings."""

PLACEHOLDER = re.compile(
    r"\b(?:correct|repair|mend)\b|the message|what is wrong|\bcheck (?:it|the file)\b",
    re.IGNORECASE,
)


def cures_of(file):
    """Yield each text that is named `cure`, or is the third argument of a finding."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        values = []
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "cure":
            values.append(node.value)
        if isinstance(node, ast.Call):
            values += [each.value for each in node.keywords if each.arg == "cure"]
            if ast.unparse(node.func) == "Finding":
                values += node.args[2:3]
        for value in values:
            for part in ast.walk(value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def all_cures():
    yield from (use.cure for use in codes.findings().values())
    for folder in OF_FINDINGS:
        for file in sorted((PACKAGE / folder).glob("*.py")):
            yield from cures_of(file)
    for name in MODULES:
        yield from cures_of(PACKAGE / name)


def test_no_cure_is_a_placeholder():
    cures = list(all_cures())

    assert len(cures) > 120
    assert [] == [cure for cure in cures if PLACEHOLDER.search(cure)]


@pytest.mark.parametrize(
    "cure", ["correct what the message names", "repair it", "Check the file."]
)
def test_a_placeholder_is_recognized(cure):
    assert PLACEHOLDER.search(cure)


@pytest.mark.parametrize("kind", FAULTY)
def test_cure_of_each_kind_of_fault_says_what_to_do(tmp_path, kind):
    _, files = FAULTY[kind]
    for finding in result_of_file(write_files(tmp_path, files)).findings:
        assert finding.cure
        assert not PLACEHOLDER.search(finding.cure)
