"""What a terminal can: its width, and links."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import TextIO

HANGING = 2
"""Columns by which the further lines of a long one are indented, beside its own."""

# Styles (ECMA-48, SGR) and the halves of a link (OSC 8), which take no column.
_UNSEEN = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")

_WORD = re.compile(r" *[^ ]+")
"""A word, with the spaces before it."""

_OLDEST_VTE = 5000
"""The version of GNOME's terminal from which links are links: 0.50."""

_PROGRAMS = {"Hyper", "WezTerm", "ghostty", "iTerm.app", "terminology", "vscode"}
"""Values of TERM_PROGRAM of terminals that know links."""

_TERMS = {"alacritty", "foot", "xterm-ghostty", "xterm-kitty"}
"""Values of TERM of terminals that know links."""

_MARKS = {"DOMTERM", "KONSOLE_VERSION", "WT_SESSION"}
"""Variables that only terminals set which know links."""


def width_of(stream: TextIO) -> int:
    """Return the columns of the terminal that shows a stream; 0 if none does."""
    if not stream.isatty():
        return 0
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except OSError:
        return 0


def wrapped(line: str, width: int) -> str:
    r"""Break a line at spaces, so that it fits a terminal; further lines hang.

    A word is never broken: URLs can be followed and copied. No width breaks nothing.

    >>> wrapped("  → correct it", 12)
    '  → correct\n    it'
    """
    if not width or _columns(line) <= width:
        return line
    margin = " " * (len(line) - len(line.lstrip(" ")) + HANGING)
    lines = []
    current = ""
    for word in _WORD.findall(line):
        if current and _columns(current + word) > width:
            lines.append(current)
            word = margin + word.lstrip(" ")  # noqa: PLW2901
            current = ""
        current += word
    return "\n".join([*lines, current])


def _columns(text: str) -> int:
    """Return how many columns a text takes in a terminal."""
    seen = _UNSEEN.sub("", text)
    if seen.isascii():
        return len(seen)
    from rich.cells import cell_len  # noqa: PLC0415 seldom needed

    return cell_len(seen)


def linked(text: str, url: str) -> str:
    """Return a text that is a link, for terminals that know links."""
    # https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"


def knows_links(environ: Mapping[str, str]) -> bool:
    """Tell whether a terminal is known to show links as links.

    FORCE_HYPERLINK decides for others, as in many programs.
    """
    forced = environ.get("FORCE_HYPERLINK", "")
    if forced:
        return forced != "0"
    if environ.get("TERM_PROGRAM") in _PROGRAMS or environ.get("TERM") in _TERMS:
        return True
    version = environ.get("VTE_VERSION", "")
    if version.isdecimal() and int(version) >= _OLDEST_VTE:
        return True
    return not _MARKS.isdisjoint(environ)


@cache
def manual() -> str:
    """Return the manual's address, with a slash; empty if the package names none."""
    from importlib.metadata import PackageNotFoundError, metadata  # noqa: PLC0415

    try:
        addresses = metadata("sitemap-plugins").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    for address in addresses:
        label, _, url = address.partition(", ")
        if label == "Documentation":
            return f"{url.rstrip('/')}/"
    return ""
