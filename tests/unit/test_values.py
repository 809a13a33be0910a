"""Parsers of values that options and front matter share."""

from __future__ import annotations

import re

import pytest

from sitemap_plugins.core.limits import CHANGEFREQS
from sitemap_plugins.core.messages import WrongValueError
from sitemap_plugins.core.values import parse_changefreq, parse_priority


@pytest.mark.parametrize("value", [*CHANGEFREQS, "Daily", "NEVER"])
def test_changefreq_is_one_of_seven_words_in_any_case(value):
    assert value.lower() == parse_changefreq(value)


@pytest.mark.parametrize("value", ["", "dayly", None, 1, ["daily"]])
def test_invalid_changefreq_is_refused(value):
    with pytest.raises(
        WrongValueError, match=re.escape(f"{value!r} is not one of 'always', ")
    ):
        parse_changefreq(value)


@pytest.mark.parametrize(
    ("value", "expected"), [(0, 0.0), (1, 1.0), ("0.5", 0.5), (0.25, 0.25), (-0.0, 0.0)]
)
def test_priority_is_a_number_from_0_to_1(value, expected):
    assert expected == parse_priority(value)


@pytest.mark.parametrize(
    "value",
    [
        -0.01,
        1.01,
        float("nan"),
        float("inf"),
        "high",
        None,
        True,
        False,
        [0.5],
        pytest.param(10**400, id="beyond floats"),
    ],
)
def test_invalid_priority_is_refused(value):
    with pytest.raises(WrongValueError, match=r"is not a number from 0\.0 to 1\.0"):
        parse_priority(value)
