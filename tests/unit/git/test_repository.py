"""What a real repository contains:
files, edits, its root, and the list of ignored commits."""

from __future__ import annotations

import os
import time

import pytest

from sitemap_plugins.core.git.last_change import find_last_changes
from sitemap_plugins.core.git.program import reason_of
from sitemap_plugins.core.git.repository import Repository, read_ignore_revs
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import root_above
from tests.git_repository import ENVIRON, START, GitRepository


@pytest.fixture(params=["sha1", "sha256"])
def made(request, tmp_path):
    return GitRepository(tmp_path / "site", hash_function=request.param)


def last_changes(folder, *paths, ignored=frozenset()):
    """Return the number of each path's newest commit, by its time."""
    repository = Repository.open(folder, environ=ENVIRON)
    blobs = repository.blobs([path.encode() for path in paths])
    found = find_last_changes(repository, blobs, ignored=ignored)
    return {
        path.decode(): (change.time - START) // 60 for path, change in found.items()
    }


def test_both_hash_functions_of_git_give_dates(made, tmp_path):
    made.commit({"old/a": "1", "b": "1", "old/empty": "", "old/.keep": ""})
    made.commit({"new/a": "1", "b": "2", "new/.gitkeep": "", "new/.keep": ""})
    made.commit({"new/a": "1", "b": "3", "new/.gitkeep": "", "new/.keep": ""})
    names = made.write()
    (made.folder / ".git-blame-ignore-revs").write_text(names[3])
    ignored, notices = read_ignore_revs(made.folder, option=True)

    assert () == notices
    assert {"new/a": 1, "b": 2, "new/.gitkeep": 2, "new/.keep": 1} == last_changes(
        made.folder, "new/a", "b", "new/.gitkeep", "new/.keep", "none", ignored=ignored
    )


def test_boundary_of_a_shallow_clone_is_found(made, tmp_path):
    for number in range(3):
        made.commit({"a": str(number)})
    names = made.write()
    target = tmp_path / "clone"
    made.git("clone", "--quiet", "--depth=2", f"file://{made.folder}", str(target))

    assert frozenset() == Repository.open(made.folder, environ=ENVIRON).boundary
    assert Repository.open(target, environ=ENVIRON).boundary == {names[2].encode()}


def test_edits_of_the_working_tree_are_found(made):
    made.commit({"a": "1", "b": "1", "c": "1", ".gitignore": "ignored"})
    made.write()
    for name in ("a", "new", "ignored"):
        (made.folder / name).write_text("edited")
    repository = Repository.open(made.folder, environ=ENVIRON)

    assert {b"a", b"new"} == repository.edited([b"a", b"b", b"new", b"ignored"])
    assert set() == repository.edited([b"b"])


def test_files_moved_by_separate_commits_are_followed(made):
    names = list("abcd")
    tree = {f"old/{name}": f"text of {name}" for name in names}
    made.commit(tree)
    for name in names:  # Each by a commit of its own.
        del tree[f"old/{name}"]
        tree = {**tree, f"new/{name}": f"text of {name}"}
        made.commit(tree)
    made.write()

    assert dict.fromkeys([f"new/{name}" for name in names], 1) == last_changes(
        made.folder, *(f"new/{name}" for name in names)
    )


def test_root_is_the_nearest_folder_with_a_repository(tmp_path):
    deep = tmp_path / "root" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "root" / ".git").write_text("gitdir: elsewhere")
    known = {}

    assert str(tmp_path / "root") == root_above(str(deep), known)
    assert {
        str(folder): str(tmp_path / "root") for folder in (deep, *deep.parents[:2])
    } == known
    assert None is root_above(str(tmp_path), known)
    assert None is known[tmp_path.anchor]


def test_files_are_tracked_and_new_ones_but_not_ignored_ones(made):
    made.commit({"docs/münchen.md": "1", ".gitignore": "*.log"})
    made.write()
    for name in ("new.md", "docs/build.log"):
        (made.folder / name).write_text("text", "utf-8")

    found = Repository.open(made.folder / "docs", environ=ENVIRON).files()

    assert {"docs/münchen.md", ".gitignore", "new.md"} == found


NAME = "0123456789abcdef0123456789abcdef01234567"
USUAL = ".git-blame-ignore-revs"


def read(root, *, option=True):
    """Return the commits and the text of the only notice, if there is one."""
    commits, notices = read_ignore_revs(root, option=option)
    assert [notice.code for notice in notices] in ([], ["ignore-revs"])
    return commits, "".join(notice.text for notice in notices)


@pytest.mark.parametrize(
    ("file", "option"),
    [(USUAL, True), ("tools/revs", "tools/revs"), ("a/revs", "a/../a/revs")],
)
def test_list_of_ignored_commits_is_read(tmp_path, file, option):
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(f"# tidied\n{NAME}\n")

    assert read(tmp_path, option=option) == ({NAME.encode()}, "")


def test_missing_or_disabled_list_gives_no_commits(tmp_path):
    assert read(tmp_path) == (frozenset(), "")
    (tmp_path / USUAL).write_text("wrong")
    assert read(tmp_path, option=False) == (frozenset(), "")


@pytest.mark.parametrize("option", ["missing", "."])
def test_named_list_must_exist(tmp_path, option):
    commits, text = read(tmp_path, option=option)

    assert frozenset() == commits
    assert "cannot be read" in text


@pytest.mark.parametrize(
    "name",
    [
        "{}/revs",
        "//host/share/x",
        r"\\host\share\x",
        r"c:\x",
        "c:x",
        "../revs",
        "a/../../b/revs",
        "a\0b",
    ],
)
def test_name_outside_the_repository_is_refused_unread(tmp_path, name):
    """On Windows, `//host/share/x` would connect to another machine."""
    option = name.format(tmp_path)
    (tmp_path / "revs").write_text("secret")

    problem = (
        f"{quoted(option)} does not name a file below the repository's root, "
        "so no commit is ignored"
    )
    assert (frozenset(), f"{problem}: correct `ignore_revs`") == read(
        tmp_path, option=option
    )


def test_invalid_line_is_named_by_its_number(tmp_path):
    """The option can name any file of the repository, such as `.git/config`."""
    (tmp_path / USUAL).write_bytes(b"# why\nsecret\nsecret\n" + NAME.encode())

    commits, text = read(tmp_path)

    assert commits == {NAME.encode()}
    assert (
        f"line 2 of {tmp_path / USUAL} is not a full commit name: write all of it"
        == text
    )


@pytest.mark.parametrize(
    "target", ["secret", "/proc/self/environ", "/proc/kmsg", "/dev/zero", "."]
)
def test_link_is_not_followed(tmp_path, target):
    (tmp_path / "secret").write_text("TOKEN=1")
    (tmp_path / USUAL).symlink_to(target)

    reason = f"({USUAL!r} is a symbolic link), so no commit is ignored"
    assert (
        frozenset(),
        f"{USUAL!r} cannot be read {reason}: correct `ignore_revs`",
    ) == read(tmp_path)


def test_linked_folder_is_not_entered(tmp_path):
    (tmp_path / "tools").symlink_to("/proc/self")

    commits, text = read(tmp_path, option="tools/environ")

    assert frozenset() == commits
    assert "'tools' is a symbolic link" in text


def test_link_outside_the_repository_is_not_followed(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "revs").write_text(NAME)
    (tmp_path / "root/link").symlink_to("../revs")

    assert frozenset() == read(tmp_path / "root", option="link")[0]


def test_links_above_the_repository_are_followed(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (real / USUAL).write_text(NAME)
    (tmp_path / "link").symlink_to("real")

    assert read(tmp_path / "link") == ({NAME.encode()}, "")


def test_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / USUAL)

    commits, text = read(tmp_path)

    assert frozenset() == commits
    assert "not a regular file" in text


def test_endless_list_is_refused(tmp_path):
    with (tmp_path / USUAL).open("wb") as file:
        file.truncate(1 << 40)

    assert "larger than" in read(tmp_path)[1]


def test_list_contains_full_names_and_comments(tmp_path):
    (tmp_path / USUAL).write_bytes(
        b"# why\r\n" + NAME.encode() + b"  # tidied\n\nabc123\n"
    )

    commits, text = read(tmp_path)

    assert commits == {NAME.encode()}
    assert text.startswith("line 4 of ")


def test_reason_of_the_system_has_no_number(tmp_path):
    assert (
        "cannot be read (No such file or directory), so"
        in read(tmp_path, option="missing")[1]
    )


def test_name_of_a_list_is_cut_short(tmp_path):
    assert len(read(tmp_path, option="a" * 200_000)[1]) < 200


def test_reason_of_git_is_one_line_without_empty_ones():
    """As `git fetch` writes them, if nobody answers."""
    lines = b"warning: x\nfatal: unable to connect to a.example:\na.example[0: ::1]: refused\n\n\n"
    assert (
        "fatal: unable to connect to a.example: a.example[0: ::1]: refused"
        == reason_of(lines)
    )


def test_equal_files_are_not_compared_with_each_other(tmp_path):
    built = GitRepository(tmp_path / "site")
    names = [f"{number}.rst" for number in range(4_000)]
    built.commit(dict.fromkeys(names, "same") | {"alone.rst": "other"})
    built.write()
    opened = Repository.open(str(built.folder), environ=ENVIRON)
    paths = [name.encode() for name in ("alone.rst", *names)]
    start = time.process_time()

    assert paths == [*opened.originals(paths)]
    assert {opened.root / "alone.rst": "alone.rst"} == opened.same_bytes(
        [opened.root / os.fsdecode(path) for path in paths]
    )
    assert time.process_time() - start < 1.5
