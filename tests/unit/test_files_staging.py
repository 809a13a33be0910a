"""One build at a time; what a killed one left goes, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sitemap_plugins.core.errors import OutputError
from sitemap_plugins.core.files.publish import staging_folder

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
        assert (tmp_path / LOCK).read_text() == staging.name


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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_the_place_of_the_lock_stays_and_nobody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / LOCK)

    with pytest.raises(OSError, match="seek"):
        staging_folder(tmp_path).__enter__()

    assert [LOCK] == names_in(tmp_path)


def test_a_lock_file_that_somebody_removes_meanwhile_is_missed_by_nobody(tmp_path):
    with staging_folder(tmp_path):
        (tmp_path / LOCK).unlink()

    assert [] == names_in(tmp_path)


def test_a_lock_file_can_be_opened_by_whom_any_new_file_can(tmp_path):
    """Two users can build into one folder, if new files are writable for their group."""
    before = os.umask(0o002)
    try:
        (tmp_path / "any").touch()
        with staging_folder(tmp_path):
            assert (tmp_path / LOCK).stat().st_mode == (tmp_path / "any").stat().st_mode
    finally:
        os.umask(before)


def between_opening_and_locking(act):
    """Do something once, when the next lock file is open and is not yet locked."""

    def profile(_frame, event, function):
        if event == "c_call" and function is fcntl.flock:
            sys.setprofile(None)
            act()

    sys.setprofile(profile)


def test_a_lock_file_that_its_last_holder_removes_is_opened_again(tmp_path):
    between_opening_and_locking((tmp_path / LOCK).unlink)

    with staging_folder(tmp_path) as staging:
        assert names_in(tmp_path) == sorted([LOCK, staging.name])


def test_a_build_waits_for_one_that_locked_a_new_file_in_the_place_of_the_removed_one(tmp_path):
    another = staging_folder(tmp_path)

    def overtake():
        (tmp_path / LOCK).unlink()
        another.__enter__()

    between_opening_and_locking(overtake)

    with pytest.raises(OutputError, match="another build has been writing"):
        staging_folder(tmp_path, max_wait=0).__enter__()

    another.__exit__(None, None, None)
    assert [] == names_in(tmp_path)


def test_a_build_that_does_not_end_is_named(tmp_path):
    expected = r"another build has been writing into .* for 0 seconds: wait until it ends"
    with (
        staging_folder(tmp_path) as first,
        pytest.raises(OutputError, match=expected),
    ):
        staging_folder(tmp_path, max_wait=0).__enter__()

    assert not first.exists()
    assert [] == names_in(tmp_path)


NO_LOCKS = {
    "Windows": "sys.modules['fcntl'] = None",
    # Network file systems that are mounted so: no file of theirs can be locked.
    "no lock on this file system": """
import errno, fcntl
def refuse(*_):
    raise OSError(errno.ENOLCK, "No locks available")
fcntl.flock = refuse
""",
}
PROGRAM = """
from pathlib import Path
from sitemap_plugins.core.files.publish import staging_folder
folder = Path(sys.argv[1])
with staging_folder(folder) as first:
    with staging_folder(folder) as second:
        print({*folder.iterdir()} == {first, second} and first != second)
    print([*folder.iterdir()] == [first])
"""


@pytest.mark.parametrize("missing", NO_LOCKS.values(), ids=NO_LOCKS)
def test_where_there_are_no_locks_builds_have_folders_of_their_own(tmp_path, missing):
    """Neither build takes the other's folder for a leftover, and nothing is left."""
    program = f"import sys\n{missing}\n{PROGRAM}"
    command = [sys.executable, "-c", program, str(tmp_path)]

    run = subprocess.run(command, capture_output=True, text=True, check=True)

    assert ["True", "True"] == run.stdout.split()
    assert [] == names_in(tmp_path)


def test_where_no_lock_can_be_had_what_another_build_wrote_into_the_lock_file_stays(tmp_path):
    """Memory for locks can be short for a moment."""
    (tmp_path / LOCK).write_text(LEFTOVER)
    refusing = NO_LOCKS["no lock on this file system"]
    program = f"import sys\n{refusing}\n{PROGRAM}"

    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)

    assert [LOCK] == names_in(tmp_path)
    assert (tmp_path / LOCK).read_text() == LEFTOVER
