"""The list of commits to ignore, and the files that a repository may hold in its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_plugins.core.git.repository import IgnoreRevs, parse_ignore_revs, read_ignore_revs

NAME = "0123456789abcdef0123456789abcdef01234567"
USUAL = ".git-blame-ignore-revs"


def read(root, *, option=True):
    """Return the commits and the text of the only notice, if there is one."""
    found = read_ignore_revs(root, option=option)
    assert [notice.code for notice in found.notices] in ([], ["ignore-revs"])
    return found.commits, "".join(notice.text for notice in found.notices)


@pytest.mark.parametrize(
    ("file", "option"), [(USUAL, True), ("tools/revs", "tools/revs"), ("a/revs", "a/../a/revs")]
)
def test_a_list_of_the_repository_is_read(tmp_path, file, option):
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(f"# tidied\n{NAME}\n")

    assert read(tmp_path, option=option) == ({NAME.encode()}, "")


def test_no_list_is_read_where_there_is_none_or_none_is_wanted(tmp_path):
    assert read_ignore_revs(tmp_path, option=True) == IgnoreRevs()
    (tmp_path / USUAL).write_text("wrong")
    assert read_ignore_revs(tmp_path, option=False) == IgnoreRevs()


@pytest.mark.parametrize("option", ["missing", "a\0b", "."])
def test_a_list_that_was_named_must_be_there(tmp_path, option):
    commits, text = read(tmp_path, option=option)

    assert frozenset() == commits
    assert "cannot be read" in text


@pytest.mark.parametrize("name", ["{}/revs", "//host/share/x", r"\\host\share\x", r"c:\x", "c:x"])
def test_an_absolute_name_is_refused_unread(tmp_path, name):
    """Another machine's (`//host/share/x`) would be asked on Windows."""
    option = name.format(tmp_path)
    Path(tmp_path, option.rpartition("/")[2]).write_text(NAME)

    problem = f"{option!r} is not relative to the repository's root, so no commit is ignored"
    assert (frozenset(), f"{problem}: correct `ignore_revs`") == read(tmp_path, option=option)


def test_a_wrong_line_is_quoted_in_part_and_escaped(tmp_path):
    (tmp_path / USUAL).write_bytes(b"# why\n\x1b[31m" + b"secret" * 100 + b"\n" + NAME.encode())

    commits, text = read(tmp_path)

    assert commits == {NAME.encode()}
    assert text.startswith(r"'\x1b[31msecretsecret")
    assert len(text) < len(str(tmp_path)) + 160


@pytest.mark.parametrize("target", ["secret", "/proc/self/environ", "/proc/kmsg", "/dev/zero", "."])
def test_a_link_is_not_followed(tmp_path, target):
    (tmp_path / "secret").write_text("TOKEN=1")
    (tmp_path / USUAL).symlink_to(target)

    reason = f"({USUAL!r} is a symbolic link), so no commit is ignored"
    assert (
        frozenset(),
        f"{tmp_path / USUAL} cannot be read {reason}: correct `ignore_revs`",
    ) == read(tmp_path)


def test_a_linked_folder_is_not_entered(tmp_path):
    (tmp_path / "tools").symlink_to("/proc/self")

    commits, text = read(tmp_path, option="tools/environ")

    assert frozenset() == commits
    assert "'tools' is a symbolic link" in text


def test_a_link_elsewhere_is_not_followed_either(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "revs").write_text(NAME)
    (tmp_path / "link").symlink_to("revs")

    assert read(tmp_path / "root", option="../revs")[0] == {NAME.encode()}
    assert frozenset() == read(tmp_path / "root", option="../link")[0]


def test_links_above_the_repository_are_the_users_own(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (real / USUAL).write_text(NAME)
    (tmp_path / "link").symlink_to("real")

    assert read(tmp_path / "link") == ({NAME.encode()}, "")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / USUAL)

    commits, text = read(tmp_path)

    assert frozenset() == commits
    assert "not a regular file" in text


def test_an_endless_list_is_refused(tmp_path):
    with (tmp_path / USUAL).open("wb") as file:
        file.truncate(1 << 40)

    assert "larger than" in read(tmp_path)[1]


def test_a_list_of_ignored_commits_holds_full_names_and_comments():
    name = b"0123456789abcdef0123456789abcdef01234567"

    commits, wrong = parse_ignore_revs(b"# why\r\n" + name + b"  # tidied\n\nabc123\n")

    assert commits == {name}
    assert ["abc123"] == wrong


def test_a_line_in_another_encoding_is_named_too():
    assert ["caf\ufffd"] == parse_ignore_revs(b"caf\xe9\n")[1]


def test_the_reason_of_the_system_is_told_without_its_number(tmp_path):
    assert "cannot be read (No such file or directory), so" in read(tmp_path, option="missing")[1]
