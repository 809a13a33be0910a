"""What a real repository says of its files."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git.last_change import find_last_changes
from sitemap_plugins.core.git.repository import Repository, read_ignore_revs, root_above
from tests.git_repository import ENVIRON, START, GitRepository


@pytest.fixture(params=["sha1", "sha256"])
def made(request, tmp_path):
    return GitRepository(tmp_path / "site", hash_function=request.param)


def last_changes(folder, *paths, ignored=frozenset()):
    """Return the number of each path's newest commit, by its time."""
    repository = Repository.open(folder, environ=ENVIRON)
    blobs = repository.blobs([path.encode() for path in paths])
    found = find_last_changes(repository, blobs, ignored=ignored)
    return {path.decode(): (change.time - START) // 60 for path, change in found.items()}


def test_both_of_gits_hash_functions_give_dates(made, tmp_path):
    made.commit({"old/a": "1", "b": "1", "old/empty": "", "old/.keep": ""})
    made.commit({"new/a": "1", "b": "2", "new/.gitkeep": "", "new/.keep": ""})
    made.commit({"new/a": "1", "b": "3", "new/.gitkeep": "", "new/.keep": ""})
    names = made.write()
    (made.folder / ".git-blame-ignore-revs").write_text(names[3])
    ignored = read_ignore_revs(made.folder, option=True)

    assert () == ignored.notices
    assert {"new/a": 1, "b": 2, "new/.gitkeep": 2, "new/.keep": 1} == last_changes(
        made.folder, "new/a", "b", "new/.gitkeep", "new/.keep", "none", ignored=ignored.commits
    )


def test_the_end_of_a_shallow_clone_is_known(made, tmp_path):
    for number in range(3):
        made.commit({"a": str(number)})
    names = made.write()
    target = tmp_path / "clone"
    made.git("clone", "--quiet", "--depth=2", f"file://{made.folder}", str(target))

    assert frozenset() == Repository.open(made.folder, environ=ENVIRON).boundary
    assert Repository.open(target, environ=ENVIRON).boundary == {names[2].encode()}


def test_edits_of_the_working_tree_are_known(made):
    made.commit({"a": "1", "b": "1", "c": "1", ".gitignore": "ignored"})
    made.write()
    for name in ("a", "new", "ignored"):
        (made.folder / name).write_text("edited")
    repository = Repository.open(made.folder, environ=ENVIRON)

    assert {b"a", b"new"} == repository.edited([b"a", b"b", b"new", b"ignored"])
    assert set() == repository.edited([b"b"])


def test_files_from_several_folders_are_followed_from_where_each_was_moved(made):
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


def test_the_root_is_the_nearest_folder_with_a_repository(tmp_path):
    deep = tmp_path / "root" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "root" / ".git").write_text("gitdir: elsewhere")
    known = {}

    assert str(tmp_path / "root") == root_above(str(deep), known)
    assert {str(folder): str(tmp_path / "root") for folder in (deep, *deep.parents[:2])} == known
    assert None is root_above(str(tmp_path), known)
    assert None is known["/"]


def test_files_are_those_that_git_tracks_and_new_ones_but_none_that_it_ignores(made):
    made.commit({"docs/münchen.md": "1", ".gitignore": "*.log"})
    made.write()
    for name in ("new.md", "docs/build.log"):
        (made.folder / name).write_text("text", "utf-8")

    found = Repository.open(made.folder / "docs", environ=ENVIRON).files()

    assert {"docs/münchen.md", ".gitignore", "new.md"} == found
