"""Sources of pages hold anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import fuzz_include_syntax


@given(st.lists(st.sampled_from(fuzz_include_syntax.SEEDS), max_size=20).map(b"".join))
def test_any_text_includes_names_that_it_holds(data):
    fuzz_include_syntax.check(data)
