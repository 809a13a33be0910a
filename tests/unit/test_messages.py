"""The text of messages: quoted values, printable lines, counted pages."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.messages import (
    MAX_QUOTED,
    count_pages,
    named,
    printable,
    quoted,
    sentence,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("it's", '"it\'s"'),
        (None, "None"),
        (["a", 1], "['a', 1]"),
        ((1,), "(1,)"),
        (("a", []), "('a', [])"),
        ({"a": {"b": ()}, 1: b"c"}, "{'a': {'b': ()}, 1: b'c'}"),
        ({}, "{}"),
        ("x" * MAX_QUOTED, f"'{'x' * MAX_QUOTED}'"),
        ("x" * (MAX_QUOTED + 1), f"'{'x' * 39}…{'x' * 39}'"),
        (
            f"https://example.com/{'a/' * 40}typo.html",
            "'https://example.com/a/a/a/a/a/a/a/a/a/a…a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/typo.html'",
        ),
        (10 ** (MAX_QUOTED - 1), f"1{'0' * (MAX_QUOTED - 1)}"),
        (10**MAX_QUOTED, f"1{'0' * (MAX_QUOTED - 2)}…"),
        pytest.param(10**5000, "a value of type int", id="huge"),
    ],
)
def test_value_is_quoted_as_in_python_and_shortened(value, expected):
    assert expected == quoted(value)


def test_only_the_shown_part_of_a_value_is_formatted():
    """The values are nested too deeply, contain themselves, or would never end."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    endless: dict[str, object] = {"a": 1}
    endless["a"] = endless
    wide: list[object] = ["x"] * 10
    for _ in range(100):
        wide = [wide] * 10

    assert "[[[[[...]]]]]" == quoted(deep)
    assert "{'a': {'a': {'a': {'a': {...}}}}}" == quoted(endless)
    assert quoted({1: wide}).startswith("{1: [[[[...], [...], ")
    assert MAX_QUOTED == len(quoted(wide))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("robots", "robots"),
        ("résumé", "résumé"),
        (7, "7"),
        ("\x1b[31m\0", r"'\x1b[31m\x00'"),
        pytest.param("x" * 1_000, quoted("x" * 1_000), id="long"),
        pytest.param(16**4_000, "a value of type int", id="huge"),
    ],
)
def test_short_printable_name_is_shown_as_written(name, expected):
    assert expected == named(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("naïve 日本語 100 %", "naïve 日本語 100 %"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x7f\x85\u2028\ud800", "\\x7f\\x85\\u2028\\ud800"),
    ],
)
def test_line_is_printable(text, expected):
    assert expected == printable(text)
    assert printable(text).encode()


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (1000, "1,000 pages")],
)
def test_pages_are_counted(number, expected):
    assert expected == count_pages(number)


def test_only_a_place_longer_than_any_url_is_cut_short():
    path = "a/" * 1_000

    assert f"{path}: it is wrong" == sentence("it is wrong", place=path)
    assert 100 > len(sentence("it is wrong", place=path * 100))


def test_ordinary_text_in_any_script_is_unchanged():
    assert "naïve 日本語 100 %" == printable("naïve 日本語 100 %")
