"""Which paths git is asked for."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git import log


def test_few_files_are_their_own_pathspecs():
    assert [
        *(b"README.md", b"docs/a.md", b"docs/b.md"),
    ] == log.cover_paths([b"docs/b.md", b"README.md", b"docs/a.md"])


def test_a_lone_file_at_the_root_does_not_stand_for_the_repository():
    paths = [b"README.md", *(b"docs/%d/%d.md" % (n, m) for n in range(30) for m in range(30))]

    assert [b"README.md", b"docs"] == log.cover_paths(paths)


@pytest.mark.parametrize("files_in_docs", [4, 5, 8])
def test_the_root_stands_for_all_only_where_no_folder_is_left(files_in_docs):
    root = [b"%d.md" % number for number in range(5)]
    docs = [b"docs/%d.md" % number for number in range(files_in_docs)]

    assert [*root, b"docs"] == log.cover_paths([*root, *docs])


def test_a_root_full_of_files_stands_for_all():
    assert [] == log.cover_paths([b"%d.md" % number for number in range(100)])


EIGHT = [b"%d/a.md" % number for number in range(8)]


def test_eight_paths_are_asked_for_as_they_are():
    assert EIGHT == log.cover_paths(EIGHT)


def test_of_nine_paths_the_fullest_folders_replace_their_files():
    fullest = [b"docs/a/1", b"docs/a/2", b"docs/a/3", b"docs/a/4", b"docs/b/1", b"docs/b/2"]
    rest = [b"docs/c/1", b"src/1", b"tools/1"]

    assert [b"docs/a", b"docs/b", *rest] == log.cover_paths([*fullest, *rest])


def test_half_as_many_as_the_fullest_is_the_bound():
    """Two of `b` are half of four; the one of `c` is less, and stays a file."""
    paths = [*(b"a/%d" % n for n in range(5)), b"b/1", b"b/2", b"c/1", b"d/1"]

    assert [b"a", b"b/1", b"b/2", b"c/1", b"d/1"] == log.cover_paths(paths)
