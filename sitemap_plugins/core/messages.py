"""The text of messages: values quoted, lines printable, passwords hidden, pages counted."""

from __future__ import annotations

import re
import traceback

__all__ = [
    "count_pages",
    "count_things",
    "describe_bug",
    "printable",
    "quoted",
    "without_password",
]

MAX_QUOTED = 80
"""Characters of a value in a message: enough to find it, and none fills the log."""

# C0 and C1 controls, line separators, and halves of surrogate pairs: they could break a line of the
# log, recolour a terminal or not be encodable at all.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# The user information of a URL (RFC 3986, section 3.2.1), also if a file path has only one of its
# slashes, or of a host alone. A password may contain characters that it must encode: if what
# follows the first colon is not a port, all up to an "@" belongs to it.
_USER = re.compile(
    r"(://|(?<=http):/|(?<=https):/)(?:[^/?#\s]*@|[^/?#@:\s\[]*+:(?!\d*(?:[/?#\s]|$))[^'\"]{0,300}@)"
    r"|\A()[^/:@\s'\"]+:[^/@\s]*@(?=[\w-]+\.)"
)
_MAX_URL = 4_096
"""Characters of a value in which a password is looked for, more than a URL may have."""


def quoted(value: object) -> str:
    """Return a value for a message: as Python writes it, cut short where it is long, no password.

    >>> quoted("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    if isinstance(value, str):
        value = without_password(value[:_MAX_URL])
        return repr(value if len(value) <= MAX_QUOTED else f"{value[: MAX_QUOTED - 2]}…")
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # A number of more than 4,300 digits.
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"


def printable(text: str) -> str:
    r"""Return a text with control characters and unpaired surrogates escaped, without passwords.

    Names of pages and files come from strangers: a line break in one would forge a line of the log.

    >>> printable("a\nb")
    'a\\nb'
    """
    return _UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], without_password(text))


def without_password(text: str) -> str:
    """Return a text in which no URL has a user name or password.

    >>> without_password("https://me:secret@example.com/@me")
    'https://…@example.com/@me'
    """
    return _USER.sub(r"\1…@", text) if "@" in text else text


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
