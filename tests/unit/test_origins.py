"""Files, followed down a log that is written here, without git.

Every log is a table of commits, the newest first: its name, its parents, and what it changed as
`path:before>after`. A commit's time is its height in the table.
"""

from __future__ import annotations

import pytest

from sitemap_plugins.core import origins
from sitemap_plugins.core.gitlog import Change, Commit
from sitemap_plugins.core.origins import Origin, Trail


def log(*lines: str) -> list[Commit]:
    return [commit(line, len(lines) - above) for above, line in enumerate(lines)]


def commit(line: str, time: int) -> Commit:
    name, parents, *changes = line.split(" ")
    return Commit(
        name.encode(),
        time,
        tuple(parent.encode() for parent in parents.split(",") if parent != "-"),
        [change(text) for text in changes],
    )


def change(text: str) -> Change:
    path, _, contents = text.partition(":")
    before, _, after = contents.partition(">")
    return Change(path.encode(), before.encode(), after.encode())


def never(_start, _path):
    pytest.fail("git is asked where the log knows")


def trace(lines, path="a", content="1", ignored=(), below="", git=None):
    """Return the commit found for one file, and the commits that added it.

    `git` has the answer for each commit that git may be asked to start at; it must be asked.
    """
    trail = Trail(b"name", path.encode(), content.encode(), below.encode())
    answers = dict(git or {})
    traced = origins.trace(
        [trail],
        log(*lines),
        ask=lambda start, _path: answers.pop(start.decode()).encode(),
        ignored={name.encode() for name in ignored},
    )
    assert answers == {}
    assert traced.found.keys() <= {b"name"}
    found = traced.found.get(b"name")
    return found and found.commit.decode(), [name.decode() for name in traced.added]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["c2 c1 b:>1", "c1 - a:>1"], "c1"),
        # Its time does not matter, nor that it comes before its children (clocks differ).
        (["c1 - a:>1", "c2 c1 b:>1"], "c1"),
        # A revert: the newest of two commits that made the same content.
        (["c3 c2 a:2>1", "c2 c1 a:1>2", "c1 - a:>1"], "c3"),
        (["c4 c3 a:>1", "c3 c2 a:1>", "c2 c1 b:>1", "c1 - a:>1"], "c4"),
        # A merge that made a content which none of its parents has.
        (["c4 c2,c3 a:2>1", "c3 c1 a:0>3", "c2 c1 a:0>2", "c1 - a:>0"], "c4"),
        # Two histories without a common root.
        (["c3 c2,c1", "c2 - b:>1", "c1 - a:>1"], "c1"),
    ],
)
def test_the_commit_that_gave_a_file_its_content(lines, expected):
    assert trace(lines)[0] == expected


PICKED = ["c4 c2,c3", "c3 c1 a:0>1", "c2 c1 a:0>1", "c1 - a:>0"]
RESTORED = ["c6 c5,c4", "c5 c3,c2 o:1>2", "c4 c3 a:2>1", "c3 c1 a:1>2", "c2 c1 f:>1", "c1 - a:>1"]


@pytest.mark.parametrize(
    ("lines", "git", "expected"),
    [
        (PICKED, {"c4": "c3"}, "c3"),
        (["c5 c4 b:>1", *PICKED], {"c4": "c2"}, "c2"),
        (RESTORED, {"c6": "c4"}, "c4"),
    ],
)
def test_git_is_asked_which_way_a_merge_went(lines, git, expected):
    assert trace(lines, git=git)[0] == expected


def test_a_commit_that_only_changed_the_mode_is_gone_through():
    lines = ["m5 m4,c3", "m4 c2,c3", *PICKED[1:]]

    assert trace(lines, git={"m5": "m4", "c2": "c2"})[0] == "c2"


@pytest.mark.parametrize("answer", ["", "pruned"])
def test_what_git_names_outside_the_log_is_one_of_several_equal_commits(answer):
    assert trace(PICKED, git={"c4": answer})[0] == "c3"


def test_git_is_asked_once_for_files_that_changed_together_and_not_without_end(monkeypatch):
    monkeypatch.setattr(origins, "MAX_ASKED", 2)
    commits = log(
        "c4 c2,c3",
        "c3 c1 a:0>1 b:0>1 c:0>1 d:0>1",
        "c2 c1 a:0>1 b:0>1 c:0>1 d:0>2",
        "c1 - a:>0 b:>0 c:>1 d:>1",
    )
    asked = []

    def ask(start, path):
        asked.append((start, path))
        return b"c2"

    trails = [Trail(name, name, b"1") for name in (b"a", b"b", b"c", b"d")]
    traced = origins.trace(trails, commits, ask=ask)

    assert asked == [(b"c4", b"a"), (b"c4", b"c")]
    assert traced.found[b"b"] == Origin(b"c2", 2)
    assert traced.found[b"d"] == Origin(b"c3", 3)  # The newest of them.


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["c1 - b:>1"],
        ["c2 c1 a:1>2", "c1 - a:>0"],
    ],
)
def test_a_log_that_does_not_know_the_content_gives_no_answer(lines):
    assert trace(lines) == (None, [])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["c2 c1 a:>1 old:1>", "c1 - old:>1"], "c1"),
        (["c3 c2 a:>1 old:1>", "c2 c1 old:>1 older:1>", "c1 - older:>1"], "c1"),
        # Below the move counts what the old path held, not what the new one did before.
        (["c4 c3 a:>1 old:1>", "c3 c2 a:1>", "c2 c1 a:>1", "c1 - old:>1"], "c1"),
        (["c3 c2 a:>1 old:1>", "c2 c1 old:2>1", "c1 - old:>1"], "c2"),
        # A merge that moved it against all of its parents has no single one to go on below.
        (["c3 c2,c1 a:>1 old:1>", "c2 c1 old:0>1", "c1 - old:>0"], "c3"),
    ],
)
def test_a_move_is_looked_through(lines, expected):
    assert trace(lines)[0] == expected


@pytest.mark.parametrize(
    ("lines", "ignored", "expected"),
    [
        (["c2 c1 a:0>1", "c1 - a:>0"], {"c2"}, "c1"),
        (["c3 c2 a:2>1", "c2 c1 a:0>2", "c1 - a:>0"], {"c2", "c3"}, "c1"),
        # What the ignored commit put in place of the older text is not found above it.
        (["c4 c3 a:0>1", "c3 c2 a:1>0", "c2 c1 a:0>1", "c1 - a:>0"], {"c4"}, "c3"),
        (["c2 c1 b:>1", "c1 - a:>1"], {"c1"}, "c1"),  # There is nothing older.
        (["c3 c1,c2 a:0>1", "c2 c1 a:0>2", "c1 - a:>0"], {"c3"}, "c3"),  # There is no single one.
    ],
)
def test_an_ignored_commit_is_looked_through(lines, ignored, expected):
    assert trace(lines, ignored=ignored)[0] == expected


def test_a_log_that_contradicts_itself_is_no_endless_way():
    assert trace(["c3 c2 a:0>1", "c2 c1 a:1>0", "c1 -"], ignored={"c2", "c3"}) == (None, [])


def test_a_file_that_the_log_saw_appear_is_told_with_its_commit():
    assert trace(["c2 c1 a:1>2", "c1 - a:>1"], content="1") == ("c1", ["c1"])
    assert trace(["c2 c1 a:1>2", "c1 - a:>1"], content="2") == ("c2", [])


def test_a_file_goes_on_below_the_commit_that_moved_it():
    lines = ["c5 c4 a:2>1", "c4 c3 x:1>2", "c3 c2 a:1>2", "c2 c1 a:0>1", "c1 - a:>0"]

    assert trace(lines, below="c3")[0] == "c2"
    assert trace(lines, below="c1")[0] is None


def test_all_files_of_a_log_are_followed_at_once():
    trails = [Trail(b"a", b"a", b"1"), Trail(b"b", b"b", b"1"), Trail(b"c", b"c", b"1")]
    commits = log("c2 c1 b:>1", "c1 - a:>1")

    assert origins.trace(trails, commits, ask=never).found == {
        b"a": Origin(b"c1", 1),
        b"b": Origin(b"c2", 2),
    }


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

    assert origins.moves(records) == expected


def test_many_equal_files_are_paired_in_order():
    gone = [Change(b"old/%04d" % number, b"1", b"") for number in range(2000)]
    come = [Change(b"new/%04d" % (number + 1000), b"", b"1") for number in range(2000)]

    pairs = origins.moves([*gone, *come])

    assert pairs[b"new/1000"] == b"old/1000"  # The same name first.
    assert pairs[b"new/2000"] == b"old/0000"
    assert len({*pairs.values()}) == len(pairs) == 2000


def test_an_empty_file_moves_only_under_its_own_name():
    empty = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    gone = Change(b"a/__init__.py", empty, b"")

    assert origins.moves([gone, Change(b"b/__init__.py", b"", empty)]) != {}
    assert origins.moves([gone, Change(b"b/.nojekyll", b"", empty)]) == {}
