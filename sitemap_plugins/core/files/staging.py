"""The staging folder inside the output folder, and a lock so that one build writes at a time.

The lock file `.sitemap_plugins.lock` exists while a build writes. It contains the name of that
build's folder, so that the next build knows what a killed one left: whoever holds the lock may
remove the folder that it names, and nothing else. Where the system has no such locks (Windows,
some network file systems), builds do not wait for each other, and a killed build's folder stays.
"""

from __future__ import annotations

import os
import re
import shutil
import time
import uuid
from contextlib import contextmanager, nullcontext, suppress
from typing import IO, TYPE_CHECKING

from sitemap_plugins.core.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has none.
    fcntl = None  # type: ignore[assignment]

__all__ = ["MAX_WAIT", "staging_folder"]

MAX_WAIT = 120.0
"""Seconds to wait for another build; writing a million pages takes a tenth of it."""

_LOCK = ".sitemap_plugins.lock"
_FOLDER = re.compile(r"\.sitemap_plugins-[0-9a-f]{32}")
_BETWEEN_TRIES = 0.02


@contextmanager
def staging_folder(output_dir: Path, *, max_wait: float = MAX_WAIT) -> Iterator[Path]:
    """Make a folder for this build alone; remove it with its content at the end.

    Raises:
        OSError: It cannot be made.
        OutputError: Another build has been writing for `max_wait` seconds, or a file that is not
            ours has the lock's name.
    """
    folder = output_dir / f".sitemap_plugins-{uuid.uuid4().hex}"
    lock_file = output_dir / _LOCK
    with _lock(lock_file, max_wait) or nullcontext() as lock:
        if lock is not None:
            _clear_leftover(lock, lock_file)
        try:
            if lock is not None:
                lock.write(folder.name.encode())
            folder.mkdir()
            yield folder
        finally:
            # If it cannot be removed, the next build does, which finds its name in the lock file.
            shutil.rmtree(folder, ignore_errors=True)
            if lock is not None and not folder.exists():
                with suppress(OSError):
                    lock_file.unlink()


def _lock(file: Path, max_wait: float) -> IO[bytes] | None:
    """Return the lock file, open and locked until it is closed; None where there are no locks."""
    if fcntl is None:
        return None
    deadline = time.monotonic() + max_wait
    while True:
        stream = open(file, "a+b", buffering=0, opener=_open_itself)  # noqa: SIM115
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Its last holder may have removed it since; the next build would lock another file.
            if os.path.samestat(os.fstat(stream.fileno()), file.lstat()):
                return stream
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError:  # A file system without locks, where nobody writes in this file.
            with stream, suppress(OSError):
                if os.fstat(stream.fileno()).st_size == 0:
                    file.unlink()
            return None
        stream.close()
        if time.monotonic() > deadline:
            msg = f"another build has been writing into {file.parent} for {max_wait:.0f} seconds"
            raise OutputError(msg, cure="wait until it ends, then build again")
        time.sleep(_BETWEEN_TRIES)


def _open_itself(path: str, flags: int) -> int:
    """Open a file itself, not a link's target, and without waiting for a pipe's other end."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, mode=0o666)


def _clear_leftover(lock: IO[bytes], file: Path) -> None:
    """Remove the folder of the build that was killed while it held the lock, if any."""
    lock.seek(0)
    name = lock.read(100).decode("utf-8", "replace")
    if not _FOLDER.fullmatch(name) and name:
        raise OutputError(f"{file} is not a lock file of this package", cure="remove it")
    if name:
        shutil.rmtree(file.with_name(name), ignore_errors=True)
    lock.truncate(0)
