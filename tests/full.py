"""What the usual tests leave to `nox -t full`: it takes long, and guards what is rare."""

from __future__ import annotations

import pytest

FULL = pytest.mark.full


def full(*values, **more):
    """Return a row of a table that the usual tests leave out."""
    return pytest.param(*values, marks=FULL, **more)


def usually(rows, *usual):
    """Return the rows of a table, each one value; the usual tests try `usual` alone."""
    assert {*usual} <= {*rows}
    return [row if row in usual else full(row) for row in rows]
