"""The benchmark of hostile input, with small amounts,
because it uses internal functions."""

from __future__ import annotations

import pytest

from benchmarks import growth


@pytest.mark.parametrize(
    ("run", "little"),
    [pytest.param(run, little, id=name) for name, run, little in growth.cases()],
)
def test_case_of_the_benchmark_runs(run, little):
    run(little // 16)
