"""Git's bytes, read without git."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git import log
from sitemap_plugins.core.git.log import Change, Commit

LOG = (
    b"c3 30 c1 c2\0::100644 100644 100755 b1 b2 b3 MM\0docs/a\0"
    b"::100644 100644 100755 b1 b2 b2 MM\0only another mode\0\0"
    b"c2 20 \0\n:000000 100644 %(absent)s b1 A\0docs/a\nb\0:100644 000000 b1 %(absent)s D\0-x\0"
    b":100644 100755 b1 b1 M\0only another mode\0"
    b"c1  c0\0"
) % {b"absent": b"0" * 40}
COMMITS = [
    Commit(b"c3", 30, (b"c1", b"c2"), [Change(b"docs/a", b"b1", b"b3")]),
    Commit(b"c2", 20, (), [Change(b"docs/a\nb", b"", b"b1"), Change(b"-x", b"b1", b"")]),
    Commit(b"c1", None, (b"c0",), []),  # Git could not read its time.
]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_a_log_is_read_whatever_the_size_of_its_chunks(size):
    chunks = [LOG[start : start + size] for start in range(0, len(LOG), size)]

    assert COMMITS == list(log.parse_log(chunks))


@pytest.mark.parametrize("output", [b"c1\0", b"c1 soon \0", b"c1 1 \0:100644 b1 M\0a\0"])
def test_what_is_no_log_is_an_error_of_git(output):
    with pytest.raises(GitError, match="cannot parse") as caught:
        list(log.parse_log([output]))

    assert "git-failed" == caught.value.code


def test_an_empty_log_has_no_commits():
    assert [] == list(log.parse_log([]))


def test_regular_files_are_taken_from_a_tree():
    listing = (
        b"100644 blob b1\tdocs/a\tb.md\x00100755 blob b2\tdocs/run.md\x00"
        b"120000 blob b3\tdocs/link.md\x00160000 commit c1\tdocs/theme\x00"
    )

    assert {b"docs/a\tb.md": b"b1", b"docs/run.md": b"b2"} == log.parse_tree(listing)


def test_paths_are_told_by_their_filter():
    listing = b"a.md\0filter\0lfs\0b\nc.md\0filter\0\0d.md\0filter\0unspecified\0"

    assert {b"a.md"} == log.parse_filters(listing, {b"lfs"})
    assert {b"b\nc.md"} == log.parse_filters(listing, {b"", b"other"})


def test_every_path_of_a_status_counts():
    assert {
        *(b"a.md", b"docs/-b\n.md", b"c.md"),
    } == log.parse_status(b" M a.md\0?? docs/-b\n.md\0A  c.md\0")
