"""A nearly linear algorithm gives the same result as its simple definition."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.core.git import log

NAMES = st.sampled_from([b"a", b"a.", b"a-", b"b", b"a0", b"\xff"])
PATHS = st.sets(st.lists(NAMES, min_size=1, max_size=6).map(b"/".join), max_size=60)


def folder(path):
    return path.rpartition(b"/")[0]


def fold(paths, most):
    """Replace files by the fullest folders until few paths are left."""
    specs = set(paths)
    while len(specs) > most:
        counts = Counter(map(folder, specs))
        if len(counts) > 1:
            del counts[b""]
        full = {
            folder
            for folder, count in counts.items()
            if 2 * count >= max(counts.values())
        }
        if b"" in full:
            return set()
        specs |= full
        specs = {
            spec for spec in specs if not any(spec.startswith(f + b"/") for f in specs)
        }
    return specs


@given(paths=PATHS, most=st.sampled_from([1, 2, 3, 8]))
def test_paths_are_covered_by_the_fullest_folders(paths, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "MAX_PATHSPECS", most)
        found = log.cover_paths(paths)

    assert sorted(fold(paths, most)) == found
    assert len(found) <= most
