"""Parsers of git's output, which files a commit moved, and which paths git reads."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git.log import (
    Change,
    Commit,
    cover_paths,
    moves,
    parse_filters,
    parse_log,
    parse_status,
    parse_tree,
)
from sitemap_plugins.core.messages import GitError

LOG = (
    b"c3 30 25 c1 c2\0::100644 100644 100755 b1 b2 b3 MM\0docs/a\0"
    b"::100644 100644 100755 b1 b2 b2 MM\0only another mode\0\0"
    b"c2 20 20 \0\n:000000 100644 %(absent)s b1 A\0docs/a\nb\0:100644 000000 b1 %(absent)s D\0-x\0"
    b":100644 100755 b1 b1 M\0only another mode\0"
    b"c1   c0\0"
) % {b"absent": b"0" * 40}
COMMITS = [
    Commit(b"c3", 30, (b"c1", b"c2"), [Change(b"docs/a", b"b1", b"b3")], 25),
    Commit(
        b"c2", 20, (), [Change(b"docs/a\nb", b"", b"b1"), Change(b"-x", b"b1", b"")], 20
    ),
    Commit(b"c1", None, (b"c0",), []),  # Git could not read its time.
]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_log_is_parsed_in_chunks_of_any_size(size):
    chunks = [LOG[start : start + size] for start in range(0, len(LOG), size)]

    assert COMMITS == list(parse_log(chunks))


@pytest.mark.parametrize(
    "output", [b"c1\0", b"c1 soon \0", b"c1 1 \0:100644 b1 M\0a\0"]
)
def test_invalid_log_is_an_error(output):
    with pytest.raises(GitError, match="cannot parse") as caught:
        list(parse_log([output]))

    assert "git-failed" == caught.value.code


def test_empty_log_has_no_commits():
    assert [] == list(parse_log([]))


def test_only_regular_files_of_a_tree_are_returned():
    listing = (
        b"100644 blob b1\tdocs/a\tb.md\x00100755 blob b2\tdocs/run.md\x00"
        b"120000 blob b3\tdocs/link.md\x00160000 commit c1\tdocs/theme\x00"
    )

    assert {b"docs/a\tb.md": b"b1", b"docs/run.md": b"b2"} == parse_tree(listing)


def test_paths_are_selected_by_their_filter():
    listing = b"a.md\0filter\0lfs\0b\nc.md\0filter\0\0d.md\0filter\0unspecified\0"

    assert {b"a.md"} == parse_filters(listing, {b"lfs"})
    assert {b"b\nc.md"} == parse_filters(listing, {b"", b"other"})


def test_every_path_of_a_status_is_returned():
    assert {
        b"a.md",
        b"docs/-b\n.md",
        b"c.md",
    } == parse_status(b" M a.md\0?? docs/-b\n.md\0A  c.md\0")


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
def test_move_is_a_deleted_and_an_added_path_with_the_same_content(changes, expected):
    records = [
        Change(path.encode(), old.encode(), new.encode()) for path, old, new in changes
    ]

    assert expected == moves(records)


def test_many_equal_files_are_paired_in_order():
    gone = [Change(b"old/%04d" % number, b"1", b"") for number in range(2000)]
    come = [Change(b"new/%04d" % (number + 1000), b"", b"1") for number in range(2000)]

    pairs = moves([*gone, *come])

    assert b"old/1000" == pairs[b"new/1000"]  # The same name first.
    assert b"old/0000" == pairs[b"new/2000"]
    assert len({*pairs.values()}) == len(pairs) == 2000


def test_empty_file_moves_only_under_its_own_name():
    empty = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    gone = Change(b"a/__init__.py", empty, b"")

    assert moves([gone, Change(b"b/__init__.py", b"", empty)]) != {}
    assert {} == moves([gone, Change(b"b/.nojekyll", b"", empty)])


def test_few_files_are_their_own_pathspecs():
    assert [
        b"README.md",
        b"docs/a.md",
        b"docs/b.md",
    ] == cover_paths([b"docs/b.md", b"README.md", b"docs/a.md"])


def test_single_file_at_the_root_does_not_cover_the_repository():
    paths = [
        b"README.md",
        *(b"docs/%d/%d.md" % (n, m) for n in range(30) for m in range(30)),
    ]

    assert [b"README.md", b"docs"] == cover_paths(paths)


@pytest.mark.parametrize("files_in_docs", [4, 5, 8])
def test_root_covers_all_only_if_no_folder_is_left(files_in_docs):
    root = [b"%d.md" % number for number in range(5)]
    docs = [b"docs/%d.md" % number for number in range(files_in_docs)]

    assert [*root, b"docs"] == cover_paths([*root, *docs])


def test_root_full_of_files_covers_all():
    assert [] == cover_paths([b"%d.md" % number for number in range(100)])


EIGHT = [b"%d/a.md" % number for number in range(8)]


def test_eight_paths_are_unchanged():
    assert EIGHT == cover_paths(EIGHT)


def test_fullest_folders_replace_files_from_nine_paths():
    fullest = [
        b"docs/a/1",
        b"docs/a/2",
        b"docs/a/3",
        b"docs/a/4",
        b"docs/b/1",
        b"docs/b/2",
    ]
    rest = [b"docs/c/1", b"src/1", b"tools/1"]

    assert [b"docs/a", b"docs/b", *rest] == cover_paths([*fullest, *rest])


def test_folder_with_half_as_many_files_as_the_fullest_replaces_them():
    """Five files of `a` become one path;
    the two of `b` are fewer than half, and are kept."""
    paths = [*(b"a/%d" % n for n in range(5)), b"b/1", b"b/2", b"c/1", b"d/1"]

    assert [b"a", b"b/1", b"b/2", b"c/1", b"d/1"] == cover_paths(paths)
