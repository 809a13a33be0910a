"""Regular expressions that need linear time, whoever wrote them.

`re` tries one way to match after the other, so a short expression can take years. It is used where
all its ways are few. Any other expression is followed in all ways at once: each part turns the set
of positions that the parts before it can reach into the set that it can reach from there. A set is
a number with a bit for each position of the text.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from operator import or_
from re import _compiler, _parser  # type: ignore[attr-defined]
from re import _constants as ops  # type: ignore[attr-defined]
from typing import Any

_Follow = Callable[[int, str], int]
"""What a part of an expression does with positions in a text."""
_State = Any
"""The parser's own record of flags and groups."""

MAX_TEXT = 4_096
"""Characters of a text; neither a listed URL nor the name of a file has more."""

_FEW = 1_000_000
"""Ways to match that `re` tries in about ten milliseconds."""

_BEARABLE = 50_000_000
"""Ways of an expression that only `re` can match: about half a second."""

_LEAST_TEXT = 255
"""Characters of a path that each expression sees, more than most paths have."""

_REPEAT, _REPEATED_GROUP = re.compile(r"[*+{]"), re.compile(r"\)[*+{]")
_CHOICE = re.compile(r"\||(?<!\()\?")
_EMPTY = {ops.AT, ops.ASSERT, ops.ASSERT_NOT}
_CHARACTERS = {ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN}


class Expression:
    """A compiled regular expression."""

    __slots__ = ("_follow", "longest", "regex")

    def __init__(self, regex: re.Pattern[str]) -> None:
        """Find out for which texts `re` is quick enough.

        Raises:
            ValueError: It is not for all texts, and only `re` can match this expression.
        """
        self.regex = regex
        self.longest = _longest(regex.pattern, _FEW)
        """Characters of the longest text that `re` is given."""
        self._follow: _Follow | None = None
        """Nothing if only `re` can match it: that sees the beginning of a longer text."""
        if self.longest < MAX_TEXT:
            tree = _parser.parse(regex.pattern, regex.flags)
            try:
                self._follow = _sequence(tree, tree.state, tree.state.flags)
            except KeyError:
                self.longest = _longest(regex.pattern, _BEARABLE)
                if self.longest < _LEAST_TEXT:
                    cure = "write it without lookarounds, back references, atomic groups"
                    msg = f"it could take too long: {cure} and possessive repeats"
                    raise ValueError(msg) from None

    def search(self, text: str) -> bool:
        """Tell whether it matches anywhere in a text of at most `MAX_TEXT` characters."""
        if self._follow is None or len(text) <= self.longest:
            return self.regex.search(text[: self.longest]) is not None
        return self._follow((2 << len(text)) - 1, text) != 0


def _longest(source: str, ways: int) -> int:
    """Return for how long a text an expression has at most so many ways to match.

    A text has as many places to begin at, and for each repeat, as it has characters; a group that
    is repeated can have any number. What is not a repeat, but looks like one, does no harm.
    """
    if _REPEATED_GROUP.search(source):
        return 0
    powers = len(_REPEAT.findall(source)) + (not source.startswith("^"))
    left = ways / 2 ** min(99, len(_CHOICE.findall(source)))
    return min(MAX_TEXT, int(left ** (1 / max(1, powers))))


@lru_cache(maxsize=1_000)
def _positions(part: re.Pattern[str], text: str) -> int:
    """Return the positions where a part matches that is one character long, or empty."""
    bits = bytearray(b"0" * (len(text) + 1))
    for found in part.finditer(text):
        bits[len(text) - found.start()] = ord("1")
    return int(bits, 2)


def _sequence(parts: Iterable[tuple[Any, Any]], state: _State, flags: int) -> _Follow:
    follows = [_part(op, value, state, flags) for op, value in parts]
    return lambda starts, text: reduce(lambda reached, each: each(reached, text), follows, starts)


def _part(op: object, value: Any, state: _State, flags: int) -> _Follow:  # noqa: ANN401 as parsed
    """Raise KeyError if how the parts before it match decides what a part matches."""
    if op is ops.BRANCH:
        follows = [_sequence(each, state, flags) for each in value[1]]
        return lambda starts, text: reduce(or_, (each(starts, text) for each in follows))
    if op is ops.SUBPATTERN:
        _, added, removed, body = value
        return _sequence(body, state, _compiler._combine_flags(flags, added, removed))  # noqa: SLF001 as `re` does
    if op in {ops.MAX_REPEAT, ops.MIN_REPEAT}:
        least, most, body = value
        return _repeat(_sequence(body, state, flags), least, most)
    if op not in _CHARACTERS | _EMPTY or (op in _EMPTY - {ops.AT} and not _is_plain(value[1])):
        raise KeyError(op)
    state = copy.copy(state)
    state.flags = flags
    part = _compiler.compile(_parser.SubPattern(state, [(op, value)]), flags)
    width = 0 if op in _EMPTY else 1
    return lambda starts, text: (starts & _positions(part, text)) << width


def _is_plain(parts: Iterable[tuple[Any, Any]]) -> bool:
    return {op for op, _ in parts} <= _CHARACTERS | {ops.AT}


def _repeat(once: _Follow, least: int, most: int) -> _Follow:
    def follow(starts: int, text: str) -> int:
        for _ in range(least):
            if (after := once(starts, text)) == starts:
                break
            starts = after
        new = starts
        for _ in range(most - least):
            if not (new := once(new, text) & ~starts):
                break
            starts |= new
        return starts

    return follow
