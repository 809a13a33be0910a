"""Any text as YAML gives a mapping of limited size or a `ValueError`, in linear time.

Run: python tests/fuzz/fuzz_yaml.py [seconds]
"""

from __future__ import annotations

from pathlib import Path

import yaml

from sitemap_plugins.core.choice.front_matter import check_page
from sitemap_plugins.core.messages import MAX_QUOTED, quoted
from sitemap_plugins.core.records import Page
from sitemap_plugins.folder.read_data import MAX_BYTES
from sitemap_plugins.folder.read_yaml import parse_yaml

ENVIRON = {"A": "text", "B": "8000", "C": "[", "D": "2024-99-99"}
SEEDS = (
    b"a: ",
    b"b: ",
    b"? ",
    b": ",
    b"- ",
    b"  ",
    b"\n",
    b"\n  ",
    b"\n- ",
    b", ",
    b"[",
    b"]",
    b"{",
    b"}",
    b"&a ",
    b"*a",
    b"&b ",
    b"*b",
    b"<<: ",
    b"<<: *a\n",
    b"<<: [*a, *b]\n",
    b"= ",
    b"a: &a [x, x]\nb: &b [*a, *a]\n",
    b"a: &a {b: &b {c: d}}\n",
    b"a: &a [*a]\n",
    b"0x",
    b"0b1",
    b"!ENV ",
    b"!ENV [A, ",
    b"!ENV [B, false]",
    b"!ENV D",
    b"!!bool ",
    b"!!int ",
    b"!!float ",
    b"!!timestamp ",
    b"!!binary ",
    b"!!set ",
    b"!!omap ",
    b"!!pairs ",
    b"!!merge ",
    b"!!null ",
    b"!!python/name:os.system ",
    b"!a!b ",
    b"!<c> ",
    b"%TAG ! !!\n",
    b"%YAML 1.1\n",
    b"---\n",
    b"...\n",
    b"'",
    b'"',
    b"\\x41",
    b"\\ud800",
    b"\\U00110000",
    b"|\n",
    b">-\n  ",
    b"# c",
    b"\t",
    b"1:1",
    b".5",
    b"1_0",
    b"9" * 50,
    b"2024-01-01",
    b"24:61",
    b"yes",
    b"~",
    b".inf",
    b"\xff",
    b"sitemap: ",
    b"sitemap: {",
    b"lastmod: ",
    b"priority: ",
    b"sources: ",
    b"robots: noindex\n",
)
# What PyYAML reads in another way, or not within bounds.
_SHORTHAND = ("<<", "!", "%", "*", "=")


def check(data: bytes) -> None:
    """Read the bytes, quote their values, and check a page with this front matter."""
    text = data.decode("utf-8", "replace")
    mapping, problem = None, ""
    try:
        mapping = parse_yaml(text, ENVIRON)
    except ValueError as error:
        problem = str(error)
        assert problem
        assert "\n" not in problem
    is_limited = problem.endswith("of the type int")
    if not is_limited and not any(mark in text for mark in _SHORTHAND):
        assert repr(mapping) == repr(_oracle(text)), text
    if mapping is not None:
        judge(mapping)


def judge(mapping) -> None:
    """Quote a value, and check a page with it."""
    assert _size(mapping, MAX_BYTES) >= 0
    assert len(quoted(mapping)) <= MAX_QUOTED
    assert quoted(mapping).isprintable()
    page = Page(path="a", metadata=mapping, sources=(Path("a.md"),))
    for notice in check_page(page, "https://example.com/a").notices:
        assert len(str(notice)) < 1_000


def _oracle(text: str):
    """Return PyYAML's own mapping, or None if it fails."""
    try:
        value = yaml.safe_load(text)
    except (
        yaml.YAMLError,
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
    ):
        return None
    except (TypeError, ValueError):
        return None
    return value if isinstance(value, dict) else {}


def _size(value: object, left: int) -> int:
    """Count down the values within a value; negative if there are more than `left`."""
    left -= 1
    items = (*value.keys(), *value.values()) if isinstance(value, dict) else value
    if isinstance(items, list | tuple):
        for item in items:
            if left < 0:
                break
            left = _size(item, left)
    return left


def long_check(data: bytes) -> None:
    """Read the bytes, and check a page."""
    try:
        mapping = parse_yaml(data.decode("utf-8", "replace"), ENVIRON)
    except ValueError:
        return
    judge(mapping)


if __name__ == "__main__":
    from driver import run

    run(check, SEEDS, slowest=b"x: {" + b"a," * 49_000 + b"}", timed=long_check)
