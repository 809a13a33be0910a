"""Write the sitemap and robots.txt to disk, each file as a whole or not at all.

All files are first written to a staging folder inside the output folder, then moved to their names
one by one, which replaces a file, a symbolic or a hard link as a whole and never writes through it.
A crash leaves each file as it was or as it should be; the next run clears the rest.
"""

from __future__ import annotations

import filecmp
import gzip
import os
import re
import shutil
import stat
import time
import uuid
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING

from sitemap_plugins.core.errors import OutputError
from sitemap_plugins.core.files import existing
from sitemap_plugins.core.files.plan import is_submitted
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sitemap_plugins.core.files.plan import File

try:
    import fcntl
except ImportError:  # Windows has none.
    fcntl = None  # type: ignore[assignment]

__all__ = ["Published", "publish", "replace_files", "staging_folder", "write_files"]

_MAX_WAIT = 120.0
"""Seconds to wait for another build; writing a million pages takes a tenth of it."""

_BATCH = 2_000
"""Files replaced at once: room on the disk is needed for all of them."""

_LOCK = ".sitemap_plugins.lock"
_FOLDER = re.compile(r"\.sitemap_plugins-[0-9a-f]{32}")
_BETWEEN_TRIES = 0.02


@contextmanager
def staging_folder(output_dir: Path, *, max_wait: float = _MAX_WAIT) -> Iterator[Path]:
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
            # The folder of the build that was killed while it held the lock, if any.
            lock.seek(0)
            leftover = lock.read(100).decode("utf-8", "replace")
            if leftover and not _FOLDER.fullmatch(leftover):
                msg = f"{lock_file} is not a lock file of this package"
                raise OutputError(msg, cure="remove it")
            if leftover:
                shutil.rmtree(output_dir / leftover, ignore_errors=True)
            lock.truncate(0)
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
    """Return the lock file, open and locked until it is closed; None without support for locks."""
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
        except OSError:  # A file system without locks, where no build writes in this file.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The result of `publish`."""

    files: tuple[Path, ...]
    """The files that were to be published, twins included, in their order."""

    notices: tuple[Notice, ...] = ()
    """One for each old file that could not be removed."""


def publish(files: Iterable[File], *, output_dir: Path, filename: str) -> Published:
    """Write the files of the set that `filename` names, in their order, and clear its old parts.

    A file that already has the same bytes is left alone, with its time. Files of an earlier build
    are removed if they certainly belong to this set; nothing else ever is. Builds that write into
    one folder wait for each other, `_MAX_WAIT` seconds at most.

    Raises:
        OutputError: A file cannot be written, or a sitemap would replace a file of another kind;
            none, or only the first ones, have been replaced.
    """
    with _as_output_error(output_dir), staging_folder(output_dir) as staging:
        staged = _stage_all(files, staging, output_dir)
        written = tuple(output_dir / new.name for new in staged)
        old = existing.find_old_files(output_dir, filename, keep={new.name for new in staged})
        # Before the XML files: they are what proves that a text sitemap is ours.
        about_texts = tuple(_remove(old.texts))
        _move_all(staged, output_dir, filename)
        about_others = tuple(_remove((*old.indexes, *old.parts)))
    return Published(files=written, notices=(*about_texts, *about_others))


def write_files(files: Iterable[File], *, output_dir: Path) -> tuple[Path, ...]:
    """Write files, in their order, and nothing else; return their paths, twins included.

    Raises:
        OutputError: As `publish`.
    """
    with _as_output_error(output_dir), staging_folder(output_dir) as staging:
        staged = _stage_all(files, staging, output_dir)
        _move_all(staged, output_dir)
    return tuple(output_dir / new.name for new in staged)


def replace_files(files: Iterable[tuple[Path, bytes]], *, output_dir: Path) -> None:
    """Replace files below a folder with other content, each as a whole.

    A file whose content is empty is removed. A kill leaves each file as it was or as it should be.
    Files must not be links.

    Raises:
        OutputError: A file cannot be written; those before it are replaced.
    """
    ahead = iter(files)
    with _as_output_error(output_dir), staging_folder(output_dir) as staging:
        while batch := [*_staged(islice(ahead, _BATCH), staging)]:
            # To wait for each file would take ten times as long as everything else.
            getattr(os, "sync", lambda: None)()  # Windows has none.
            for new, file in batch:
                if not new.stat().st_size:
                    file.unlink(missing_ok=True)
                    continue
                new.chmod(file.stat().st_mode & 0o777)
                new.replace(file)


def _staged(files: Iterable[tuple[Path, bytes]], staging: Path) -> Iterator[tuple[Path, Path]]:
    """Write contents under any names; yield each name with the file that it will replace."""
    for number, (file, content) in enumerate(files):
        new = staging / str(number)
        new.write_bytes(content)
        yield new, file


@contextmanager
def _as_output_error(output_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = error.filename2 or error.filename or output_dir
        msg = f"{place} cannot be written ({error.strerror or error})"
        raise OutputError(msg, cure="check the output folder") from error


def _stage_all(files: Iterable[File], staging: Path, output_dir: Path) -> list[Path]:
    """Write files and their twins into the staging folder.

    Raises:
        OutputError: A sitemap would replace a file of another kind, such as a feed.
    """
    staged = [new for file in files for new in _stage(file, staging)]
    for new in staged:
        if existing.is_of_another_kind(output_dir / new.name, new):
            msg = f"{quoted(new.name)} in the output folder is not a sitemap, so it is not replaced"
            raise OutputError(msg, cure="give the sitemap another name, or delete that file")
    return staged


def _stage(file: File, staging: Path) -> Iterator[Path]:
    """Write a file and its twin under their names in the staging folder."""
    plain = staging / file.name
    with plain.open("xb") as stream:
        stream.writelines(file.chunks)
    if file.plain:
        yield plain
    if file.gzip:
        twin = staging / f"{file.name}.gz"
        # No name and no time in the header (RFC 1952, section 2.3): the same bytes every time.
        with (
            plain.open("rb") as source,
            twin.open("wb") as packed,
            gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream,
        ):
            shutil.copyfileobj(source, stream)
        yield twin


def _move_all(staged: Iterable[Path], output_dir: Path, filename: str = "") -> None:
    """Move the files to their names so that a power cut leaves the old sitemap or the new one.

    All files that a submitted file of the set lists are on the disk before that file is.
    """
    changed = False
    for new in staged:
        if changed and is_submitted(new.name, filename):
            _sync_folder(output_dir)
        changed |= _move(new, output_dir / new.name)
    if changed:
        _sync_folder(output_dir)


def _move(staged: Path, target: Path) -> bool:
    """Move a file to its name unless an equal file is there; keep the mode of the old file.

    Returns whether anything changed.
    """
    mode = None
    with suppress(OSError):
        old_mode = target.lstat().st_mode
        # A file that cannot be read is replaced by one with a new file's mode.
        if stat.S_ISREG(old_mode) and os.access(target, os.R_OK):
            if filecmp.cmp(staged, target, shallow=False):
                return False
            mode = old_mode & 0o777
    with staged.open("r+b") as stream:
        os.fsync(stream.fileno())
    if mode is not None:
        staged.chmod(mode)
    staged.replace(target)
    return True


def _sync_folder(folder: Path) -> None:
    """Wait until the folder's names are on the disk, if the system supports that."""
    with suppress(OSError):  # Windows cannot open folders.
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(old_files: Iterable[Path]) -> Iterator[Notice]:
    """Remove files that the new sitemap does not have any more."""
    for file in old_files:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            problem = (
                f"the sitemap is written, but this file of an earlier build cannot be removed"
                f" ({error.strerror})"
            )
            yield Notice("old-file", problem, cure="delete it", place=str(file))
