"""Which commit last changed a file, in real repositories of a few commits."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from sitemap_plugins.core.git import last_change, walk
from sitemap_plugins.core.git.last_change import find_last_changes
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import GitError
from tests.full import FULL, full
from tests.git_repository import ENVIRON, START, GitRepository


@pytest.fixture
def last_changes(tmp_path):
    """Return a function that writes commits
    and returns the number of each path's last change."""

    def find(commits, *paths, ignored=()):
        made = GitRepository(tmp_path)
        for tree, *parents in commits:
            made.commit(tree, parents=parents[0] if parents else None)
        names = made.write(checkout=False)
        repository = Repository.open(tmp_path, environ=ENVIRON)
        blobs = repository.blobs([path.encode() for path in paths])
        found = find_last_changes(
            repository, blobs, ignored={names[number].encode() for number in ignored}
        )
        assert all(
            names[(c.time - START) // 60].encode() == c.commit for c in found.values()
        )
        return {
            path.decode(): (change.time - START) // 60 for path, change in found.items()
        }

    return find


TWICE = [
    ({"a": "1", "b": "1", "c": "1"},),
    ({"a": "2", "b": "1", "c": "1"}, [1]),
    ({"a": "2", "b": "2", "c": "2"}, [1]),
    ({"a": "2", "b": "2", "c": "2"}, [2, 3]),
]


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ([({"a": "1"},), ({"a": "1", "b": "1"},)], 1),
        ([({"a": "0"},), ({"a": "1"},), ({"a": "2"},), ({"a": "1"},)], 4),  # A revert.
        ([({"a": "1"},), ({"b": "1"},), ({"a": "1", "b": "2"},)], 3),
        ([({"a": "1"},), ({"a": (b"100755", "1")},)], 1),  # A mode.
        # Two branches with the same change; the first parent counts.
        (TWICE, 2),
        ([*TWICE[:3], (TWICE[3][0], [3, 2])], 3),
        # A merge of one changed branch, and one whose content none of its parents has.
        (
            [
                ({"a": "0"},),
                ({"a": "0", "b": "1"}, [1]),
                ({"a": "1"}, [1]),
                ({"a": "1"}, [2, 3]),
            ],
            3,
        ),
        (
            [({"a": "0"},), ({"a": "2"}, [1]), ({"a": "3"}, [1]), ({"a": "1"}, [2, 3])],
            4,
        ),
        # Two histories without a common root; the first has none of the files.
        ([({"b": "1"}, []), ({"a": "1"}, []), ({"a": "1", "b": "1"}, [1, 2])], 2),
        # A change that was reverted on the branch that is not followed.
        (
            [
                ({"a": "1"},),
                ({"a": "2"}, [1]),
                ({"a": "1", "b": "1"}, [2]),
                ({"a": "1", "c": "1"}, [1]),
                ({"a": "1", "b": "1", "c": "1"}, [4, 3]),
            ],
            1,
        ),
    ],
)
def test_last_change_is_the_commit_that_git_names(
    last_changes, tmp_path, commits, expected
):
    assert {"a": expected} == last_changes(commits, "a")

    time = GitRepository(tmp_path).git("log", "-1", "--format=%ct", "--", "a")
    if commits[-1][0]["a"] == "1":  # Else git names a change of the mode.
        assert START + 60 * expected == int(time)


def test_date_does_not_depend_on_the_other_requested_files(last_changes):
    """A log simplified for `a` and `b` together would not show the first branch's
    change."""
    expected = {"a": 2, "b": 3, "c": 3}

    for paths in (["a"], ["a", "b"], ["a", "b", "c"]):
        assert {path: expected[path] for path in paths} == last_changes(TWICE, *paths)


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ([({"old/a": "1"},), ({"a": "1"},)], 1),
        ([({"older": "1"},), ({"old": "1"},), ({"a": "1"},)], 1),
        # What was at the new path before does not matter.
        (
            [
                ({"old": "1"},),
                ({"old": "1", "a": "1"},),
                ({"old": "1"},),
                ({"a": "1"},),
            ],
            1,
        ),
        ([({"old": "2"},), ({"old": "1"},), ({"a": "1"},)], 2),
        # A merge that moved a file is a change.
        (
            [({"o": "0"},), ({"o": "1"}, [1]), ({"o": "2"}, [1]), ({"a": "1"}, [2, 3])],
            4,
        ),
    ],
)
def test_move_is_not_a_change(last_changes, commits, expected):
    assert {"a": expected} == last_changes(commits, "a")


def test_file_moved_on_a_branch_is_followed_there(last_changes):
    """The history of the file now at the old path does not include the branch."""
    commits = [
        ({"x/a": "1"},),
        ({"x/a": "1", "b": "1"}, [1]),
        ({"y/a": "1", "b": "1"}, [2]),
        ({"x/a": "2"}, [1]),
        ({"x/a": "2", "y/a": "1", "b": "1"}, [4, 3]),
    ]

    assert {"x/a": 4, "y/a": 1} == last_changes(commits, "x/a", "y/a")


@pytest.mark.parametrize("also", ["x/b", "y/b"])
def test_origin_of_a_moved_file_does_not_depend_on_the_other_files(last_changes, also):
    others = {"x/b": "3", "y/b": "3"}
    commits = [
        ({**others, "x/a": "1"},),
        ({**others, "x/a": "1", "y/a": "1"},),
        ({**others, "z/a": "1", "z/b": "4"},),
    ]

    assert 1 == last_changes(commits, "z/a", "z/b", also)["z/a"]


@pytest.mark.parametrize(
    ("commits", "ignored", "expected"),
    [
        ([({"a": "0"},), ({"a": "1"},)], [2], 1),
        ([({"a": "0"},), ({"a": "2"},), ({"a": "1"},)], [2, 3], 1),
        # What the ignored commit put in place of the older content does not count.
        ([({"a": "0"},), ({"a": "1"},), ({"a": "0"},), ({"a": "1"},)], [4], 3),
        ([({"a": "1"},), ({"a": "1", "b": "1"},)], [1], 1),  # There is nothing older.
        ([({"o": "0"},), ({"o": "1"},), ({"a": "1"},)], [2, 3], 1),
        # A merge that changed the file itself.
        (
            [({"a": "0"},), ({"a": "2"}, [1]), ({"a": "3"}, [1]), ({"a": "1"}, [2, 3])],
            [4],
            2,
        ),
        (
            [({"a": "0"},), ({"b": "1"}, [1]), ({"a": "3"}, [1]), ({"a": "1"}, [2, 3])],
            [4],
            3,
        ),
    ],
)
def test_ignored_commit_does_not_count(last_changes, commits, ignored, expected):
    assert {"a": expected} == last_changes(commits, "a", ignored=ignored)


@pytest.mark.parametrize(
    ("module", "limit"), [(walk, "MAX_WALKS"), (last_change, "MAX_LOOKED_THROUGH")]
)
@pytest.mark.parametrize("value", [1, 2, 3])
def test_file_beyond_the_limits_has_no_date(
    last_changes, monkeypatch, module, limit, value
):
    monkeypatch.setattr(module, limit, value)
    commits = [({f"{folder}/a": "1", "b": str(folder)},) for folder in range(3)]

    expected = {"2/a": 1, "b": 3} if value == 3 else {"b": 3}
    assert expected == last_changes(commits, "2/a", "b")


@FULL
@pytest.mark.parametrize("parents", [[2], full([1, 2])])
def test_cyclic_history_is_an_error(tmp_path, parents):
    """A forged commit-graph can have one, of first parents or through a merge: here,
    commits that git is told to replace have."""
    made = GitRepository(tmp_path)
    made.commit({"a": "2"})
    made.commit({"a": "1"}, parents=[])
    made.commit({"a": "1"}, parents=parents)
    names = made.write(checkout=False)
    made.git("replace", "--graft", names[2], names[3])
    repository = Repository.open(tmp_path, environ=ENVIRON)
    blobs = repository.blobs([b"a"])
    environ = {**repository.git.environ}
    del environ["GIT_NO_REPLACE_OBJECTS"]
    deadline = time.monotonic() + 2
    git = repository.git._replace(deadline=deadline, environ=environ)
    repository = replace(repository, git=git)

    with pytest.raises(GitError, match="has a cycle"):
        find_last_changes(repository, blobs, ignored=())


def test_missing_commit_of_a_branch_is_an_error(tmp_path):
    """A file that came from there would else have the date of the merge."""
    made = GitRepository(tmp_path)
    made.commit({"a": "0"})
    made.commit({"a": "1"})
    made.commit({"a": "0", "b": "1"}, parents=[1])
    made.commit({"a": "1", "b": "1"}, parents=[3, 2])
    names = made.write(checkout=False)
    for pack in tmp_path.glob(".git/objects/pack/*.pack"):
        moved = pack.rename(tmp_path / "pack")
        made.git("unpack-objects", "-q", stdin=moved.read_bytes())
    commit = tmp_path / ".git/objects" / names[2][:2] / names[2][2:]
    commit.chmod(0o600)  # Windows removes nothing that is read-only.
    commit.unlink()
    repository = Repository.open(tmp_path, environ=ENVIRON)
    blobs = repository.blobs([b"a"])

    with pytest.raises(GitError, match=f"commit {names[2]} is missing"):
        find_last_changes(repository, blobs, ignored=())
