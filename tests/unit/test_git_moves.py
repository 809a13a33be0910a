"""Files that a commit only moved."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git.log import Change, moves


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([("a/x", "1", ""), ("b/x", "", "1")], {b"b/x": b"a/x"}),
        ([("a/x", "1", ""), ("a/y", "1", ""), ("b/y", "", "1")], {b"b/y": b"a/y"}),
        ([("a/x", "1", ""), ("b/y", "", "1"), ("b/z", "", "1")], {b"b/y": b"a/x"}),
        ([("a/x", "1", ""), ("b/x", "", "2")], {}),
        ([("a/x", "1", "1"), ("b/x", "", "1")], {}),  # A copy.
        ([("a/x", "1", ""), ("b/x", "2", "1")], {}),  # It replaces what was there.
    ],
)
def test_a_move_is_a_deleted_and_an_added_path_with_one_content(changes, expected):
    records = [Change(path.encode(), old.encode(), new.encode()) for path, old, new in changes]

    assert expected == moves(records)


def test_many_equal_files_are_paired_in_order():
    gone = [Change(b"old/%04d" % number, b"1", b"") for number in range(2000)]
    come = [Change(b"new/%04d" % (number + 1000), b"", b"1") for number in range(2000)]

    pairs = moves([*gone, *come])

    assert b"old/1000" == pairs[b"new/1000"]  # The same name first.
    assert b"old/0000" == pairs[b"new/2000"]
    assert len({*pairs.values()}) == len(pairs) == 2000


def test_an_empty_file_moves_only_under_its_own_name():
    empty = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    gone = Change(b"a/__init__.py", empty, b"")

    assert moves([gone, Change(b"b/__init__.py", b"", empty)]) != {}
    assert {} == moves([gone, Change(b"b/.nojekyll", b"", empty)])
