"""Git's bytes, read and followed, without git."""

from __future__ import annotations

import pytest

from sitemap_plugins.core import gitlog
from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.gitlog import Change, Commit, Origin, Search, Trail

LOG = (
    b"c3 30 c1 c2\0"
    b"c2 20 \0\n:000000 100644 00 b1 A\0docs/a\nb\0:100644 000000 b1 00 D\0-x\0"
    b"c1 10 \0"
)
COMMITS = [
    Commit(b"c3", 30, (b"c1", b"c2"), ()),
    Commit(b"c2", 20, (), (Change(b"docs/a\nb", b"", b"b1"), Change(b"-x", b"b1", b""))),
    Commit(b"c1", 10, (), ()),
]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_a_log_is_read_whatever_the_size_of_its_chunks(size):
    chunks = [LOG[start : start + size] for start in range(0, len(LOG), size)]

    assert list(gitlog.commits(chunks)) == COMMITS


@pytest.mark.parametrize("log", [b"c1\0", b"c1 soon \0", b"c1 1 \0:100644 b1 M\0a\0"])
def test_what_is_no_log_is_an_error_of_git(log):
    with pytest.raises(GitError, match="cannot read") as caught:
        list(gitlog.commits([log]))

    assert caught.value.code == "git-failed"


def test_an_empty_log_has_no_commits():
    assert list(gitlog.commits([])) == []


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

    assert gitlog.moves(records) == expected


def test_an_empty_file_moves_only_under_its_own_name():
    empty = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    gone = Change(b"a/__init__.py", empty, b"")

    assert gitlog.moves([gone, Change(b"b/__init__.py", b"", empty)]) != {}
    assert gitlog.moves([gone, Change(b"b/.nojekyll", b"", empty)]) == {}


def test_regular_files_are_taken_from_a_tree():
    listing = (
        b"100644 blob b1\tdocs/a\tb.md\x00100755 blob b2\tdocs/run.md\x00"
        b"120000 blob b3\tdocs/link.md\x00160000 commit c1\tdocs/theme\x00"
    )

    assert gitlog.files(listing) == {b"docs/a\tb.md": b"b1", b"docs/run.md": b"b2"}


def test_every_path_of_a_status_counts():
    assert gitlog.status(b" M a.md\0?? docs/-b\n.md\0A  c.md\0") == {
        *(b"a.md", b"docs/-b\n.md", b"c.md"),
    }


def test_a_list_of_ignored_commits_holds_full_names_and_comments():
    name = b"0123456789abcdef0123456789abcdef01234567"

    commits, wrong = gitlog.ignored_commits(b"# why\r\n" + name + b"  # tidied\n\nabc123\n")

    assert commits == {name}
    assert wrong == ["abc123"]


def test_few_files_are_their_own_pathspecs():
    assert gitlog.pathspecs([b"docs/b.md", b"README.md", b"docs/a.md"]) == [
        *(b"README.md", b"docs/a.md", b"docs/b.md"),
    ]


def test_a_lone_file_at_the_root_does_not_stand_for_the_repository():
    paths = [b"README.md", *(b"docs/%d/%d.md" % (n, m) for n in range(30) for m in range(30))]

    assert gitlog.pathspecs(paths) == [b"README.md", b"docs"]


def test_a_root_full_of_files_stands_for_all():
    assert gitlog.pathspecs([b"%d.md" % number for number in range(100)]) == []


def search(*starts: Trail) -> Search:
    return Search({b"head": starts})


def test_a_search_is_done_when_every_file_is_answered():
    found = search(Trail(b"a", b"a", b"1"))

    found.take(Commit(b"head", 2, (b"root",), ()))
    assert not found.done
    found.take(Commit(b"root", 1, (), (Change(b"a", b"", b"1"),)))

    assert found.done
    assert found.found == {b"a": Origin(b"root", 1)}


def test_a_parent_that_came_before_its_child_is_remembered():
    found = search(Trail(b"a", b"a", b"1"))

    found.take(Commit(b"root", 9, (), (Change(b"a", b"", b"1"),)))
    found.take(Commit(b"head", 2, (b"root",), ()))

    assert found.found == {b"a": Origin(b"root", 9)}


def test_a_parent_that_came_too_long_before_waits_for_another_search(monkeypatch):
    monkeypatch.setattr(gitlog, "MAX_PASSED", 1)
    trail = Trail(b"a", b"a", b"1")
    found = search(trail)

    found.take(Commit(b"root", 9, (), (Change(b"a", b"", b"1"),)))
    found.take(Commit(b"head", 2, (b"root",), ()))

    assert found.waiting == {b"root": [trail]}


def test_a_log_that_contradicts_the_tree_gives_no_answer():
    found = search(Trail(b"a", b"a", b"1"))

    found.take(Commit(b"head", 2, (b"root",), (Change(b"a", b"", b"other"),)))

    assert found.done
    assert found.found == {}
