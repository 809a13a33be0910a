"""Files that stand in the output folder: any kind of file, of any size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_plugins.core.errors import OutputError
from sitemap_plugins.core.files.existing import MAX_READ_BYTES, read_existing


def test_a_file_is_read_as_it_is(tmp_path):
    (tmp_path / "robots.txt").write_bytes(b"\xff\r\n\0")

    assert b"\xff\r\n\0" == read_existing(tmp_path / "robots.txt")
    assert read_existing(tmp_path / "nothing") is None


def test_a_link_to_a_file_is_read(tmp_path):
    (tmp_path / "source.txt").write_bytes(b"the user's")
    (tmp_path / "robots.txt").symlink_to(tmp_path / "source.txt")

    assert b"the user's" == read_existing(tmp_path / "robots.txt")


def test_a_link_to_nowhere_is_no_file(tmp_path):
    (tmp_path / "robots.txt").symlink_to(tmp_path / "nowhere")

    assert read_existing(tmp_path / "robots.txt") is None


def test_a_folder_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"cannot be read \(Is a directory\)"):
        read_existing(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_nobody_waits_for_a_named_pipe(tmp_path):
    os.mkfifo(tmp_path / "robots.txt")

    with pytest.raises(
        OutputError, match=r"robots\.txt cannot be read \(not a regular file\): put"
    ):
        read_existing(tmp_path / "robots.txt")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs devices")
def test_a_device_is_not_read_through_a_link(tmp_path):
    (tmp_path / "robots.txt").symlink_to("/dev/zero")

    with pytest.raises(
        OutputError, match=r"robots\.txt cannot be read \(not a regular file\): put"
    ):
        read_existing(tmp_path / "robots.txt")


@pytest.mark.parametrize("spare", [0, 1])
def test_a_file_is_read_up_to_a_size(tmp_path, spare):
    with (tmp_path / "robots.txt").open("wb") as file:
        file.truncate(MAX_READ_BYTES + spare)  # Of no blocks.

    if spare == 0:
        assert MAX_READ_BYTES == len(read_existing(tmp_path / "robots.txt"))
    else:
        with pytest.raises(OutputError, match=r"\(larger than 16,777,216 bytes\): put"):
            read_existing(tmp_path / "robots.txt")
