"""The first of some commits on the way down a log, found without going there."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git.lineage import Lineage
from sitemap_plugins.core.git.log import Commit


def first(text, start, landmarks):
    """Find a commit in a log of `name:parents`."""
    commits = {}
    for entry in text.split():
        name, _, parents = entry.partition(":")
        commits[name.encode()] = Commit(name.encode(), 0, tuple(parents.encode().split(b",")), [])
        if not parents:
            commits[name.encode()] = Commit(name.encode(), 0, (), [])
    lineage = Lineage(commits)
    marks = lineage.landmarks([name.encode() for name in landmarks])
    return lineage.first(start.encode(), marks).decode()


LINE = "e:d d:c c:b b:a a:"
FORK = "g:f f:m m:d,e d:c e:c c:b b:a a:"


@pytest.mark.parametrize(
    ("log", "start", "landmarks", "expected"),
    [
        (LINE, "e", "db", "d"),
        (LINE, "d", "db", "d"),
        (LINE, "c", "db", "b"),
        (LINE, "a", "db", "a"),  # The way's end.
        (LINE, "e", "", "a"),
        (LINE, "e", "a", "a"),
        (FORK, "g", "fa", "f"),
        (FORK, "g", "da", "m"),  # Not through a merge.
        (FORK, "m", "da", "m"),
        (FORK, "d", "ea", "a"),  # Not over to another branch.
        (FORK, "e", "eca", "e"),
        (FORK, "d", "eca", "c"),
        ("b:a", "b", "", "b"),  # The log ends above a.
        ("c:b b:c a:", "c", "b", "c"),  # A circle.
        (LINE, "unknown", "a", "unknown"),
    ],
)
def test_the_first_landmark_or_the_end_of_the_way(log, start, landmarks, expected):
    assert expected == first(log, start, landmarks)
