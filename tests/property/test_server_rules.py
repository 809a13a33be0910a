"""Random files of hosting services."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import fuzz_server_rules


@given(st.lists(st.sampled_from(fuzz_server_rules.SEEDS), max_size=20).map(b"".join))
def test_any_file_gives_rules_or_none(data):
    fuzz_server_rules.check(data)
