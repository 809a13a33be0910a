"""The text of messages: quoted values, printable lines, counted pages."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.messages import MAX_QUOTED, count_pages, printable, quoted


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("it's", '"it\'s"'),
        (None, "None"),
        (["a", 1], "['a', 1]"),
        ("x" * MAX_QUOTED, f"'{'x' * MAX_QUOTED}'"),
        ("x" * (MAX_QUOTED + 1), f"'{'x' * (MAX_QUOTED - 2)}…'"),
        (10 ** (MAX_QUOTED - 1), f"1{'0' * (MAX_QUOTED - 1)}"),
        (10**MAX_QUOTED, f"1{'0' * (MAX_QUOTED - 2)}…"),
        pytest.param(10**5000, "a value of type int", id="huge"),
    ],
)
def test_a_value_is_quoted_as_python_writes_it_and_cut_short(value, expected):
    assert expected == quoted(value)


def test_a_value_that_is_nested_too_deep_is_named_by_its_type():
    value: list[object] = []
    for _ in range(100_000):
        value = [value]

    assert "a value of type list" == quoted(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("naïve 日本語 100 %", "naïve 日本語 100 %"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x7f\x85\u2028\ud800", "\\x7f\\x85\\u2028\\ud800"),
    ],
)
def test_a_line_is_printable(text, expected):
    assert expected == printable(text)
    assert printable(text).encode()


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (1000, "1,000 pages")]
)
def test_pages_are_counted(number, expected):
    assert expected == count_pages(number)
