"""A log → the first of some commits among a commit's ancestors, up to the next merge.

A commit with one parent has one way down. So a log consists of trees, each with a merge or a first
commit at its root. The commits are numbered so that a commit's descendants in its tree follow it
without a gap: then a binary search finds the first of some commits on the way down, however long
that is. This module does no I/O.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitemap_plugins.core.git.log import Commit

__all__ = ["Landmarks", "Lineage"]


class Landmarks(NamedTuple):
    """Some commits to look for on the way down."""

    numbers: list[int]
    """Ascending: from each one up to the next, the same landmark is the first."""

    names: list[bytes]
    """That landmark; empty for none."""


class Lineage:
    """The commits of a log, numbered."""

    def __init__(self, commits: Mapping[bytes, Commit]) -> None:
        """Number the commits; those in a cycle, which only a forged log has, get no number."""
        above: dict[bytes, list[bytes]] = {b"": []}
        for commit in commits.values():
            parents = commit.parents
            below = parents[0] if len(parents) == 1 and parents[0] in commits else b""
            above.setdefault(below, []).append(commit.id)
        # All trees stand on an empty name, the only one with the number 0.
        self._number: dict[bytes, int] = {}
        parent_of: list[int] = []
        ahead = [(b"", 0)]
        while ahead:
            name, parent = ahead.pop()
            number = self._number[name] = len(parent_of)
            parent_of.append(parent)
            if name in above:
                ahead += [(child, number) for child in above[name]]
        self._end = [*range(1, len(parent_of) + 1)]
        """By number: the first number after a commit's descendants."""
        for number in range(len(parent_of) - 1, 0, -1):
            parent = parent_of[number]
            self._end[parent] = max(self._end[parent], self._end[number])
        self._roots = self.landmarks(above[b""])

    def landmarks(self, names: Iterable[bytes]) -> Landmarks:
        """Make some commits landmarks."""
        known = {self._number[name]: name for name in names if name in self._number}
        borders = [*known.items()]
        borders += [(self._end[number], b"") for number in known]  # Sorted before a beginning.
        found, around = Landmarks([-1], [b""]), [b""]
        for number, name in sorted(borders):
            if name:
                around.append(name)
            else:
                around.pop()
            found.numbers.append(number)
            found.names.append(around[-1])
        return found

    def first(self, start: bytes, landmarks: Landmarks) -> bytes:
        """Return the first landmark on the way down from a commit, or else the way's end.

        Either can be the commit itself.
        """
        number = self._number.get(start, 0)
        for numbers, names in (landmarks, self._roots):
            if found := names[bisect_right(numbers, number) - 1]:
                return found
        return start
