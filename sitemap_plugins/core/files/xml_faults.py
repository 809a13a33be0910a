"""Where a parser stopped in a sitemap that is not well-formed, the text there, and the cure."""

from __future__ import annotations

import re

from sitemap_plugins.core.errors import FileError
from sitemap_plugins.core.messages import quoted

__all__ = ["LastBytes", "xml_fault"]

_BEFORE, _AFTER = 60, 20
"""Characters of the text around a fault that a message quotes."""

_PROBLEM = 120
"""Characters of a parser's own words, in which a name can be of any length."""

_CONTINUATION = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that do not begin a character."""

_REFERENCE = re.compile(r"&[^\s<>&;'\"]*;?$")
_WORD_END = re.compile(r"[^\s<>'\"]*$")
_WORD_START = re.compile(r"^[^\s<>'\"]*")


class LastBytes:
    """The last two blocks of bytes that a parser got, and where they are in the file."""

    def __init__(self) -> None:
        """Begin at the start of a file."""
        self._blocks = (b"", b"")
        self._lines = 0
        self._columns = 0

    def add(self, block: bytes) -> None:
        """Note the next block."""
        dropped, kept = self._blocks
        lines, line_break, rest = dropped.rpartition(b"\n")
        if line_break:
            self._lines += lines.count(b"\n") + 1
            self._columns = 0
        self._columns += len(rest.translate(None, _CONTINUATION))
        self._blocks = (kept, block)

    def split_line(self, line: int, column: int) -> tuple[str, str]:
        """Return the text of a line before a column and from it on, both from 1.

        Two empty texts if the bytes are gone, or are not in an encoding that extends ASCII.
        """
        first, *others = b"".join(self._blocks).split(b"\n")
        lines = [first.lstrip(_CONTINUATION), *others]
        number = line - 1 - self._lines
        start = column - 1 - (self._columns if number == 0 else 0)
        if not 0 <= number < len(lines) or start < 0 or b"\0" in lines[number]:
            return "", ""
        text = lines[number].decode("utf-8", "replace")
        return text[:start], text[start:]


def xml_fault(problem: str, line: int, column: int, last: LastBytes) -> FileError:
    """Return the error for a fault that a parser found before a place, both numbers from 1.

    The commonest fault by far is an address with an `&`.
    """
    before, after = last.split_line(line, column)
    before, after = before[-_BEFORE:], after[:_AFTER]
    problem = " ".join(problem[:_PROBLEM].split())
    cure = "correct it there"
    if reference := _REFERENCE.search(before):
        column -= len(reference[0])
        before, after = _WORD_END.findall(before)[0], _WORD_START.findall(after)[0]
        problem, cure = "an '&' is not escaped", "write '&' as '&amp;'"
        if reference[0].endswith(";"):
            problem = f"XML does not define {quoted(reference[0])}"
            cure = f"write the character itself, or {cure}"
    elif problem.startswith("Start tag expected"):
        begins = f" (it begins with {quoted(after.strip())})" if after.strip() else ""
        cure = "name an XML sitemap, or a text sitemap whose name ends in .txt"
        return FileError(f"it is not XML{begins}", cure=cure, line=line)
    elif problem.startswith("Premature end"):
        problem, cure = "the file ends too early", "it was cut off, so write it again"
    elif problem.startswith(("Invalid bytes", "Input is not proper UTF-8")):
        cure = "save the file as UTF-8"
    text = f"{before}{after}".strip()
    where = f"line {line}, column {column}" + (f", {quoted(text)}" if text else "")
    return FileError(f"it is not well-formed XML ({where}: {problem})", cure=cure, line=line)
