"""Random sources of pages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import fuzz_include_syntax


@given(st.lists(st.sampled_from(fuzz_include_syntax.SEEDS), max_size=20).map(b"".join))
def test_included_names_are_in_the_text(data):
    fuzz_include_syntax.check(data)


@pytest.mark.parametrize(
    "text",
    [
        "```" + " " * 50_000 + "`",
        ":" * 50_000 + " `",
        "- " * 50_000 + "`",
        "<!-- @include:" + " " * 2_000_000,
        ("{{#include " + "x" * 500) * 2_000,
        "{* " + "x" * 50_000,
    ],
    ids=lambda text: text[:15],
)
def test_no_text_takes_long(text):
    start = time.process_time()
    fuzz_include_syntax.check(text.encode())
    assert time.process_time() - start < 2
