"""One build at a time; what a killed one left goes, and nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sitemap_plugins.core.errors import OutputError
from sitemap_plugins.core.files.staging import staging_folder

fcntl = pytest.importorskip("fcntl")

LOCK = ".sitemap_plugins.lock"
LEFTOVER = f".sitemap_plugins-{'0af' * 10}00"


def names_in(folder):
    return sorted(file.name for file in folder.iterdir())


def test_the_folder_is_there_for_a_while_and_nothing_is_left(tmp_path):
    with staging_folder(tmp_path) as staging:
        (staging / "sitemap.xml").write_bytes(b"half")
        assert names_in(tmp_path) == sorted([LOCK, staging.name])
        assert (tmp_path / LOCK).read_text() == staging.name

    assert [] == names_in(tmp_path)


def test_nothing_is_left_after_an_error(tmp_path):
    def fail():
        with staging_folder(tmp_path) as staging:
            (staging / "sitemap.xml").write_bytes(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert [] == names_in(tmp_path)


def test_what_the_lock_of_a_killed_build_names_is_removed(tmp_path):
    (tmp_path / LOCK).write_text(LEFTOVER)
    (tmp_path / LEFTOVER).mkdir()
    (tmp_path / LEFTOVER / "sitemap.xml").write_bytes(b"half")

    with staging_folder(tmp_path) as staging:
        assert names_in(tmp_path) == sorted([LOCK, staging.name])


def test_a_folder_that_no_lock_names_stays(tmp_path):
    for name in (LEFTOVER, ".sitemap_plugins-backup", ".sitemap_plugins"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sitemap.xml").write_bytes(b"the user's")
    (tmp_path / LOCK).touch()

    with staging_folder(tmp_path):
        pass

    assert names_in(tmp_path) == sorted([LEFTOVER, ".sitemap_plugins-backup", ".sitemap_plugins"])
    assert b"the user's" == (tmp_path / LEFTOVER / "sitemap.xml").read_bytes()


@pytest.mark.parametrize(
    "text", ["..", "precious", f"../{LEFTOVER}", f"{LEFTOVER}\n", ".sitemap_plugins-", "\0", "é"]
)
def test_a_lock_file_of_another_is_neither_believed_nor_removed(tmp_path, text):
    (tmp_path / "precious").mkdir()
    (tmp_path / LOCK).write_text(text, encoding="latin-1")

    with pytest.raises(OutputError, match=r"lock is not a lock file of this package: remove it"):
        staging_folder(tmp_path).__enter__()

    assert [LOCK, "precious"] == names_in(tmp_path)
    assert (tmp_path / LOCK).read_text(encoding="latin-1") == text


def test_a_leftover_that_is_a_link_is_not_followed(tmp_path):
    precious, output = tmp_path / "precious", tmp_path / "output"
    for folder in (precious, output):
        folder.mkdir()
    (precious / "file").touch()
    (output / LOCK).write_text(LEFTOVER)
    (output / LEFTOVER).symlink_to(precious)

    with staging_folder(output):
        pass

    assert (precious / "file").exists()


def test_a_lock_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "precious").write_bytes(b"")
    (tmp_path / LOCK).symlink_to(tmp_path / "precious")

    with pytest.raises(OSError, match=r"sitemap_plugins\.lock"):
        staging_folder(tmp_path).__enter__()


def test_a_build_that_does_not_end_is_named(tmp_path):
    expected = r"another build has been writing into .* for 0 seconds: wait until it ends"
    with (
        staging_folder(tmp_path) as first,
        pytest.raises(OutputError, match=expected),
    ):
        staging_folder(tmp_path, max_wait=0).__enter__()

    assert not first.exists()
    assert [] == names_in(tmp_path)


PROGRAM = """
import sys
from pathlib import Path
sys.modules["fcntl"] = None
from sitemap_plugins.core.files.staging import staging_folder
folder = Path(sys.argv[1])
with staging_folder(folder) as first:
    with staging_folder(folder) as second:
        print({*folder.iterdir()} == {first, second} and first != second)
    print([*folder.iterdir()] == [first])
"""


def test_where_there_are_no_locks_builds_have_folders_of_their_own(tmp_path):
    """Windows has no `fcntl`: neither build takes the other's folder for a leftover."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]

    run = subprocess.run(command, capture_output=True, text=True, check=True)

    assert ["True", "True"] == run.stdout.split()
    assert [] == names_in(tmp_path)
