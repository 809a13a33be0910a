"""The text of messages: values quoted, lines printable, pages counted."""

from __future__ import annotations

import re
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "MAX_QUOTED",
    "count_pages",
    "count_things",
    "describe_bug",
    "named",
    "printable",
    "quoted",
]

MAX_QUOTED = 80
"""Characters of a value in a message: enough to find it, and none fills the log."""

# C0 and C1 controls, line separators, and halves of surrogate pairs: they could break a line of the
# log, recolour a terminal or not be encodable at all.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def quoted(value: object) -> str:
    """Return a value for a message: as Python writes it, cut short where it is long.

    >>> quoted("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    if isinstance(value, str):
        return repr(value if len(value) <= MAX_QUOTED else f"{value[: MAX_QUOTED - 2]}…")
    text = ""
    for piece in _pieces(value):
        text += piece
        if len(text) > MAX_QUOTED:
            return f"{text[: MAX_QUOTED - 1]}…"
    return text


def _pieces(value: object) -> Iterator[str]:
    """Yield a value as Python writes it, piece by piece: aliases make a short YAML file endless."""
    if isinstance(value, dict):
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield ", " if number else ""
            yield from _pieces(key)
            yield ": "
            yield from _pieces(item)
        yield "}"
    elif isinstance(value, list | tuple):
        opening, closing = "[]" if isinstance(value, list) else "()"
        yield opening
        for number, item in enumerate(value):
            yield ", " if number else ""
            yield from _pieces(item)
        yield f",{closing}" if isinstance(value, tuple) and len(value) == 1 else closing
    elif isinstance(value, str | bytes):
        yield repr(value[: MAX_QUOTED + 1])
    else:
        try:
            yield repr(value)
        except (RecursionError, ValueError):  # A number of more than 4,300 digits.
            yield f"a value of type {type(value).__name__}"


def named(name: object) -> str:
    r"""Return the name of a field or an option, as a user wrote it, for a message.

    >>> named("robots"), named("\x1b[31m"), named(7)
    ('robots', "'\\x1b[31m'", '7')
    """
    is_plain = isinstance(name, str) and len(name) <= MAX_QUOTED and printable(name) == name
    return str(name) if is_plain else quoted(name)


def printable(text: str) -> str:
    r"""Return a text with control characters and unpaired surrogates escaped.

    Names of pages and files come from strangers: a line break in one would forge a line of the log.

    >>> printable("a\nb")
    'a\\nb'
    """
    return _UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


def count_things(number: int, noun: str) -> str:
    """Return a number of things, named by a noun whose plural ends in `s`.

    >>> count_things(1, "URL"), count_things(1_000, "URL")
    ('1 URL', '1,000 URLs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def count_pages(number: int) -> str:
    """Return a number of pages in words."""
    return count_things(number, "page")


def describe_bug(error: Exception) -> str:
    """Say in one line what failed and in which line of code, for a report to the developers."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})"
