"""Files that others put into a folder:
how much of them is read, and which names stay in it."""

from __future__ import annotations

import ntpath
import os
import tracemalloc
from pathlib import Path

import pytest

from sitemap_plugins.core import untrusted_files
from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.untrusted_files import (
    is_relative,
    read_beginning,
    read_regular_file,
    write_text,
)
from tests.held_files import held

MADE_UP = Path("/proc/self/cmdline")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of five bytes."""
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    return path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", True),
        ("../a.md", True),
        ("a/b.md", True),
        ("a\\b.md", True),
        ("", True),
        ("/a.md", False),
        ("\\a.md", False),
        ("C:/a.md", False),
        ("C:a.md", False),
        ("//host/share/a.md", False),
        (r"\\host\share\a.md", False),
        (r"\\?\C:\a", False),
    ],
)
def test_relative_name_has_no_root_and_no_drive_on_any_system(
    name: str, *, expected: bool
) -> None:
    assert expected == is_relative(name)


@pytest.mark.parametrize(
    ("max_bytes", "expected"), [(4, b"1234"), (5, b"12345"), (1 << 40, b"12345")]
)
def test_beginning_has_the_requested_length(
    file: Path, max_bytes: int, expected: bytes
) -> None:
    assert expected == read_beginning(file, max_bytes=max_bytes)


def test_file_beyond_the_limit_is_refused(file: Path) -> None:
    assert b"12345" == read_regular_file(file, max_bytes=5)
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_regular_file(file, max_bytes=4)
    with pytest.raises(FileNotFoundError):
        read_regular_file(file.with_name("none"), max_bytes=4)


def test_short_file_takes_little_memory(file: Path) -> None:
    read_beginning(file, max_bytes=1)
    tracemalloc.start()

    read_beginning(file, max_bytes=100_000_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 1_000_000


@pytest.mark.skipif(not MADE_UP.exists(), reason="no files that the system makes up")
def test_virtual_file_without_a_size_is_read() -> None:
    assert 0 == MADE_UP.stat().st_size
    assert read_beginning(MADE_UP, max_bytes=10_000)
    assert 3 == len(read_beginning(MADE_UP, max_bytes=3))


def test_link_is_followed_without_a_root(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)

    assert (
        b"12345"
        == read_beginning(link, max_bytes=9)
        == read_regular_file(link, max_bytes=9)
    )
    with pytest.raises(OSError, match="'link' is a symbolic link"):
        read_regular_file(link, max_bytes=9, root=file.parent)


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="Windows")
def test_link_that_replaces_the_file_meanwhile_is_not_followed(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)

    with pytest.raises(OSError, match="symbolic link"):
        read_beginning(link, max_bytes=9, follow_link=False)


def test_only_links_below_the_root_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real" / "folder").mkdir(parents=True)
    (tmp_path / "real" / "folder" / "file").write_bytes(b"12345")
    (tmp_path / "root").symlink_to("real")
    (tmp_path / "real" / "link").symlink_to("folder")
    root = tmp_path / "root"

    assert b"12345" == read_regular_file(
        root / "folder" / "file", max_bytes=9, root=root
    )
    with pytest.raises(OSError, match="'link' is a symbolic link"):
        read_regular_file(root / "link" / "file", max_bytes=9, root=root)


def test_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="not a regular file"):
        read_beginning(tmp_path / "pipe", max_bytes=9)
    # Of an included file, or of a part of a sitemap.
    assert untrusted_files.checksum(tmp_path / "pipe") is None


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        (r"D:\site", r"D:\site\a\b.md", r"a\b.md"),
        (r"D:\site\out", r"d:\site\b.md", r"..\b.md"),
        (r"D:\site", r"C:\out\index.html", r"C:\out\index.html"),
        (r"D:\site", r"\\machine\share\a.md", r"\\machine\share\a.md"),
        (r"\\machine\share", r"\\machine\share\a.md", "a.md"),
    ],
)
def test_path_on_another_drive_is_absolute(monkeypatch, folder, path, expected):
    monkeypatch.setattr(untrusted_files, "os_path", ntpath)

    assert expected == untrusted_files.seen_from(folder, path)


def test_path_is_seen_from_a_folder(tmp_path):
    folder, file = str(tmp_path / "a"), str(tmp_path / "b" / "c.md")

    assert str(Path("..", "b", "c.md")) == untrusted_files.seen_from(folder, file)


def test_text_file_that_is_open_for_a_moment_is_replaced(file, monkeypatch):
    held(monkeypatch, 2)

    write_text(file, "new")

    assert "new" == file.read_text()
    assert [file] == [*file.parent.iterdir()]


def test_text_file_that_stays_open_is_kept(file, monkeypatch):
    held(monkeypatch, 4)

    with pytest.raises(OutputError, match="cannot be written"):
        write_text(file, "new")

    assert b"12345" == file.read_bytes()
