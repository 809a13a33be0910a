"""Files, followed down a log that is written here, without git.

Every log is a table of commits, the newest first: its name, its parents, and what it changed as
`path:before>after`. A commit's time is its height in the table.
"""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git import last_change
from sitemap_plugins.core.git.last_change import LastChange, TracedFile
from sitemap_plugins.core.git.log import Change, Commit


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
    trail = TracedFile(b"name", path.encode(), content.encode(), below.encode())
    answers = dict(git or {})
    commits = {commit.id.decode(): commit for commit in log(*lines)}
    traced = last_change.trace(
        [trail],
        log(*lines),
        ask=lambda start, _path: commits.get(answers.pop(start.decode())),
        ignored={name.encode() for name in ignored},
    )
    assert {} == answers
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
    assert expected == trace(lines)[0]


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
    assert expected == trace(lines, git=git)[0]


def test_a_commit_that_only_changed_the_mode_is_gone_through():
    lines = ["m5 m4,c3", "m4 c2,c3", *PICKED[1:]]

    assert "c2" == trace(lines, git={"m5": "m4", "c2": "c2"})[0]


def test_a_first_commit_that_only_gives_a_mode_ends_the_questions():
    assert "c3" == trace([*PICKED, "m -"], git={"c4": "m"})[0]


@pytest.mark.parametrize("answer", ["none", "x", "c1"])
def test_what_the_log_denies_is_one_of_several_equal_commits(answer):
    """Git names no commit, one outside of the log, or one with another content."""
    outside = Commit(b"x", 0, (), [Change(b"a", b"", b"1")])
    commits = log(*PICKED)
    answers = {commit.id: commit for commit in [*commits, outside]}

    traced = last_change.trace(
        [TracedFile(b"a", b"a", b"1")],
        commits,
        ask=lambda _start, _path: answers.get(answer.encode()),
    )

    assert traced.found == {b"a": LastChange(b"c3", 3)}


def test_git_is_asked_once_for_files_that_changed_together_and_not_without_end(monkeypatch):
    monkeypatch.setattr(last_change, "MAX_ASKED", 2)
    commits = log(
        "c4 c2,c3",
        "c3 c1 a:0>1 b:3>4 c:0>1 d:0>1 e:1>2",
        "c2 c1 a:0>1 b:3>4 c:0>1 d:0>2 e:1>2",
        "c1 - a:>0 b:>3 c:>1 d:>1 e:>2",
    )
    asked = []

    def ask(start, path):
        asked.append((start, path))
        return commits[2]

    contents = {b"a": b"1", b"b": b"4", b"c": b"1", b"d": b"1", b"e": b"2"}
    trails = [TracedFile(name, name, content) for name, content in contents.items()]
    traced = last_change.trace(trails, commits, ask=ask)

    assert [(b"c4", b"a"), (b"c4", b"c")] == asked
    assert traced.found[b"b"] == LastChange(b"c2", 2)
    assert traced.found[b"d"] == LastChange(b"c3", 3)  # The newest of them.


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["c1 - b:>1"],
        ["c2 c1 a:1>2", "c1 - a:>0"],
    ],
)
def test_a_log_that_does_not_know_the_content_gives_no_answer(lines):
    assert (None, []) == trace(lines)


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
    assert expected == trace(lines)[0]


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
    assert expected == trace(lines, ignored=ignored)[0]


def test_a_log_that_contradicts_itself_is_no_endless_way():
    assert (None, []) == trace(["c3 c2 a:0>1", "c2 c1 a:1>0", "c1 -"], ignored={"c2", "c3"})


def test_a_file_that_the_log_saw_appear_is_told_with_its_commit():
    assert ("c1", ["c1"]) == trace(["c2 c1 a:1>2", "c1 - a:>1"], content="1")
    assert ("c2", []) == trace(["c2 c1 a:1>2", "c1 - a:>1"], content="2")


def test_a_file_goes_on_below_the_commit_that_moved_it():
    lines = ["c5 c4 a:2>1", "c4 c3 x:1>2", "c3 c2 a:1>2", "c2 c1 a:0>1", "c1 - a:>0"]

    assert "c2" == trace(lines, below="c3")[0]
    assert trace(lines, below="c1")[0] is None


def test_all_files_of_a_log_are_followed_at_once():
    trails = [
        TracedFile(b"a", b"a", b"1"),
        TracedFile(b"b", b"b", b"1"),
        TracedFile(b"c", b"c", b"1"),
    ]
    commits = log("c2 c1 b:>1", "c1 - a:>1")

    assert last_change.trace(trails, commits, ask=never).found == {
        b"a": LastChange(b"c1", 1),
        b"b": LastChange(b"c2", 2),
    }


def follow(lines, git, content="1", ignored=(), below="m"):
    """Follow the file `a` below a commit, with git's answer for each start."""
    commits = {commit.id.decode(): commit for commit in log(*lines)}
    answers = dict(git)
    found = last_change.follow(
        [TracedFile(b"name", b"a", content.encode(), below.encode())],
        b"head",
        ask=lambda start, path: commits.get(answers.pop((start + b":" + path).decode())),
        ignored={name.encode() for name in ignored},
    )
    assert {} == answers
    return found and found[b"name"]


@pytest.mark.parametrize(
    ("lines", "git", "ignored", "expected"),
    [
        (["c1 - a:>1"], {"m^:a": "c1"}, "", ("c1", 1)),
        (["c2 c1 a:0>1"], {"m^:a": "c2"}, "", ("c2", 1)),
        (["c2 c1 a:0>1", "c1 - a:>0"], {"m^:a": "c2", "c1:a": "c1"}, {"c2"}, ("c1", 1)),
        (["c2 c1 b:1> a:>1", "c1 - b:>1"], {"m^:a": "c2", "c1:b": "c1"}, "", ("c1", 1)),
        (["c2 c1", "c1 - a:>1"], {"m^:a": "c2", "c1:a": "c1"}, "", ("c1", 1)),  # A mode.
        (["c2 c1,c0 a:0>1"], {"m^:a": "c2"}, {"c2"}, ("c2", 1)),
        # Answers that contradict the content, or that are none.
        (["c1 - a:>2"], {"m^:a": "c1"}, "", None),
        (["c2 c1 a:0>1", "c1 - a:>2"], {"m^:a": "c2", "c1:a": "c1"}, {"c2"}, ("c2", 2)),
        ([], {"m^:a": "c1"}, "", None),
    ],
)
def test_a_lone_file_is_followed_by_asking_git(lines, git, ignored, expected):
    found = follow(lines, git, ignored=ignored)

    assert (expected and (expected[0].encode(), expected[1])) == (found or None)


def test_a_lone_file_that_was_not_moved_is_asked_for_from_the_head():
    assert (b"c1", 1) == follow(["c1 - a:>1"], {"head:a": "c1"}, below="")


def test_questions_about_lone_files_have_an_end(monkeypatch):
    monkeypatch.setattr(last_change, "MAX_ASKED", 3)
    asked = []

    def ask(start, path):
        asked.append((start, path))
        number = len(asked)
        return Commit(b"c%d" % number, number, (b"p",), [Change(path, b"1", b"1")])

    trails = [TracedFile(b"a", b"a", b"1", b"m"), TracedFile(b"b", b"b", b"1", b"m")]
    found = last_change.follow(trails, b"head", ask=ask, ignored={b"c1", b"c2", b"c3"})

    assert [(b"m^", b"a"), (b"p", b"a"), (b"p", b"a")] == asked
    assert found == {b"a": LastChange(b"c3", 3)}
