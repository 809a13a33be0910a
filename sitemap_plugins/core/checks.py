"""Check one value that a user wrote: it comes back as what it means, or with what is wrong.

Every function raises an error whose problem begins with the value, so that the caller needs to add
only where the value stands.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, cast

from sitemap_plugins.core.errors import WrongValueError
from sitemap_plugins.core.limits import CHANGEFREQS
from sitemap_plugins.core.messages import MAX_QUOTED, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "did_you_mean",
    "parse_bool",
    "parse_changefreq",
    "parse_choice",
    "parse_priority",
    "parse_str",
    "parse_strings",
]


def parse_changefreq(value: object) -> str:
    """Return a `<changefreq>` value in lower case.

    Raises:
        WrongValueError: It is none of the protocol's seven words.
    """
    return parse_choice(value.lower() if isinstance(value, str) else value, CHANGEFREQS)


def parse_priority(value: object) -> float:
    """Return a `<priority>` value; text that is a number counts as one.

    Raises:
        WrongValueError: It is no number from 0.0 to 1.0 (sitemaps.org, protocol).
    """
    try:
        number = float(cast("str", value)) if not isinstance(value, bool) else -1.0
    except (OverflowError, TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= 1.0:  # Not a number (nan) fails here too.
        msg = f"{quoted(value)} is not a number from 0.0 to 1.0"
        raise WrongValueError(msg, cure="write one, such as 0.5")
    return number


def parse_choice(value: object, words: Sequence[str]) -> str:
    """Return a value that is one of a few words.

    Raises:
        WrongValueError: It is none of them.
    """
    if isinstance(value, str) and value in words:
        return value
    choices = ", ".join(map(repr, words))
    msg = f"{quoted(value)} is not one of {choices}"
    raise WrongValueError(msg, cure=did_you_mean(value, words))


def did_you_mean(value: object, words: Sequence[str]) -> str:
    """Return `did you mean 'x'?` for the closest word; empty where none is close."""
    word = value[:MAX_QUOTED] if isinstance(value, str) else ""
    close = difflib.get_close_matches(word, words, n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def parse_bool(value: object) -> bool:
    """Return a value that is true or false.

    Raises:
        WrongValueError: It is neither.
    """
    if isinstance(value, bool):
        return value
    msg = f"{quoted(value)} is not true or false"
    raise WrongValueError(msg, cure="write one of them, without quotes")


def parse_str(value: object) -> str:
    """Return a value that is text.

    Raises:
        WrongValueError: It is something else.
    """
    if isinstance(value, str):
        return value
    raise WrongValueError(f"{quoted(value)} is not a string", cure="put it in quotes")


def parse_strings(value: object) -> tuple[str, ...]:
    """Return a list of texts, each once; one text alone counts as a list of it.

    Raises:
        WrongValueError: It is something else.
    """
    items = [value] if isinstance(value, str) else value
    if isinstance(items, list | tuple) and all(isinstance(item, str) for item in items):
        return tuple(dict.fromkeys(items))
    raise WrongValueError(f"{quoted(value)} is not a list of strings", cure="write ['one', 'two']")
