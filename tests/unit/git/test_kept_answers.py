"""Answers about parts of files that a file keeps for the next build."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git.kept_answers import Answer, KeptParts

ANSWER = Answer("a" * 40, 1_700_000_000, is_complete=True)
STATE = ("b" * 40, "1", "")


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "parts.json"
    parts = KeptParts(file)
    parts.of_file(b"mod.py", STATE)["f"] = ANSWER
    parts.write()
    return file


def answers(file):
    return KeptParts(file).of_file(b"mod.py", STATE)


def test_answers_are_those_of_the_last_build(file):
    assert {"f": ANSWER} == answers(file)
    assert {} == KeptParts(file).of_file(b"mod.py", ("c" * 40, "1", ""))


def test_file_with_any_other_byte_counts_as_none(file):
    """Each would otherwise be another date, or that of another part."""
    content = file.read_bytes()
    for place in range(len(content)):
        other = content[place] ^ 1
        file.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
        assert {} == answers(file)
