"""A hidden folder for the files of one build, and how they get to their places.

Builds that write into one folder wait for each other. Windows has rules of its own for
locks and read-only files; they are all here.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.untrusted_files import patiently

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_MAX_WAIT = 120
"""Seconds to wait for another build; writing a million pages takes a tenth of it."""

_LOCK = ".sitemap_plugins.lock"
_FOLDER = re.compile(r"\.sitemap_plugins-[0-9a-f]{32}")
_BETWEEN_TRIES = 0.02

_LOCKED_BYTE = 1 << 30
"""The byte of the lock file that is locked on Windows, where none can read it then."""


@contextmanager
def staging_folder(output_dir: Path) -> Iterator[Path]:
    """Make a folder for this build alone; remove it with its content at the end.

    Raises:
        OSError: The folder cannot be made.
        OutputError: Another build has been writing for a long time, or a file that is
            not ours has the lock's name.
    """
    folder = output_dir / f".sitemap_plugins-{os.urandom(16).hex()}"
    lock_file = output_dir / _LOCK
    lock = _lock(lock_file)
    try:
        if lock is not None:
            _clear_leftover(lock, lock_file)
        try:
            if lock is not None:
                lock.write(folder.name.encode())
            folder.mkdir()
            # If the build is killed, `git add --all` must not add what is left.
            (folder / ".gitignore").write_text("*\n", "utf-8")
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            # If the folder cannot be removed, the next build removes it: the lock file
            # has the folder's name, and so it stays.
            if lock is not None and not folder.exists():
                _remove_lock(lock, lock_file)
    finally:
        if lock is not None:
            lock.close()


def _clear_leftover(lock: IO[bytes], lock_file: Path) -> None:
    """Remove the folder of the build that was killed while it held the lock, if any."""
    lock.seek(0)
    leftover = lock.read(100).decode("utf-8", "replace")
    if leftover and not _FOLDER.fullmatch(leftover):
        msg = f"{lock_file} is not a lock file of this package"
        raise OutputError(msg, cure="remove it")
    if leftover:
        shutil.rmtree(lock_file.parent / leftover, ignore_errors=True)
    lock.truncate(0)


def _remove_lock(lock: IO[bytes], lock_file: Path) -> None:
    """Remove the lock file; on Windows, unless the next build has opened it already."""
    if sys.platform == "win32":
        # Windows removes no open file. A lock file that the next build has opened is
        # removed by that build.
        lock.close()
    with suppress(OSError):
        lock_file.unlink()


def _lock(file: Path) -> IO[bytes] | None:
    """Return the lock file, locked until it is closed; None if locks do not work."""
    deadline = time.monotonic() + _MAX_WAIT
    while True:
        stream = patiently(partial(_open_lock, file))
        try:
            _try_lock(stream)
            # The build that held the lock may have removed the file since it was opened
            # here. A lock on the removed file would not stop the next build.
            if os.path.samestat(os.fstat(stream.fileno()), file.lstat()):
                return stream
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError:
            # The file system has no locks, so that no build ever writes into this file.
            with stream, suppress(OSError):
                if os.fstat(stream.fileno()).st_size == 0:
                    file.unlink()
            return None
        stream.close()
        if time.monotonic() > deadline:
            busy = f"another build has been writing into {file.parent}"
            cure = "wait until it ends, then build again"
            raise OutputError(f"{busy} for {_MAX_WAIT} seconds", cure=cure)
        time.sleep(_BETWEEN_TRIES)


def _try_lock(stream: IO[bytes]) -> None:
    """Lock an open file.

    Raises:
        BlockingIOError: Another build has locked it.
        OSError: The system cannot lock the file.
    """
    if sys.platform == "win32":
        stream.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error
    else:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _open_lock(file: Path) -> IO[bytes]:
    return open(file, "a+b", buffering=0, opener=_open_itself)


def _open_itself(path: str, flags: int) -> int:
    """Open a file, not a link's target, without waiting for a pipe's other end."""
    # Windows has neither of the two, and no pipes among its files.
    for name in ("O_NOFOLLOW", "O_NONBLOCK"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags, mode=0o666)


def replace(new: Path, file: Path, mode: int | None) -> None:
    """Move a file to the place of another.

    The moved file gets the mode `mode`, and `file` must exist. If `mode` is None, the
    moved file keeps the mode of `new`, and `file` need not exist.
    """
    if mode is None:
        patiently(partial(new.replace, file))
        return
    if sys.platform != "win32":
        new.chmod(mode)
        new.replace(file)
        return
    # Windows neither replaces a file that is read-only nor removes one: so the new
    # file becomes read-only when it is in its place.
    file.chmod(stat.S_IREAD | stat.S_IWRITE)
    try:
        patiently(partial(new.replace, file))
    finally:
        file.chmod(mode)


def why_refused(error: OSError) -> str:
    """Return what to do about a file that cannot be written."""
    if sys.platform == "win32" and isinstance(error, PermissionError):
        return "close the program that has it open, or let this user write there"
    return "check the output folder"
