"""Files on disk, each whole or not at all; the only module that writes files.

All files are written in a folder of their own inside the output folder first, then moved to their
names one by one, which replaces a file, a symbolic or a hard link as a whole and never writes
through it. A crash leaves each file as it was or as it should be; the next run clears the rest.
"""

from __future__ import annotations

import filecmp
import gzip
import re
import shutil
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core.encode import mark
from sitemap_plugins.core.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemap_plugins.core.fileset import File

__all__ = ["existing", "publish"]

_STAGING_PREFIX = ".sitemap_plugins-"


def publish(files: Iterable[File], *, output_dir: Path, filename: str) -> tuple[Path, ...]:
    """Write the files of the set that `filename` names, in their order, and clear its old parts.

    A file that already has these bytes is left alone, with its time. Files of an earlier build
    go where their name and their mark prove that this set made them; nothing else ever goes.
    Returns the paths of `files`, in order, twins included.

    Raises:
        OutputError: A file cannot be written; none, or only the first ones, have been replaced.
    """
    try:
        _clear_staging(output_dir)
        with tempfile.TemporaryDirectory(prefix=_STAGING_PREFIX, dir=output_dir) as staging:
            names = [name for file in files for name in _stage(file, Path(staging))]
            for name in names:
                _move(Path(staging, name), output_dir / name)
        _remove_old_parts(output_dir, filename, keep=set(names))
    except OSError as error:
        place = error.filename2 or error.filename or output_dir
        msg = f"{place} cannot be written ({error.strerror or error}): check the output folder"
        raise OutputError(msg) from error
    return tuple(output_dir / name for name in names)


def existing(file: Path) -> bytes | None:
    """Return a file's bytes, or None where there is no such file.

    Raises:
        OutputError: It is there and cannot be read.
    """
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"{file} cannot be read ({error.strerror}): check the output folder"
        raise OutputError(msg) from error


def _stage(file: File, staging: Path) -> Iterator[str]:
    """Write a file and its twin under their names in the staging folder."""
    with (staging / file.name).open("xb") as plain:
        plain.writelines(file.chunks)
    yield file.name
    if file.gzip:
        twin = f"{file.name}.gz"
        # No name and no time in the header (RFC 1952, section 2.3): the same bytes every time.
        with (
            (staging / file.name).open("rb") as plain,
            (staging / twin).open("wb") as packed,
            gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream,
        ):
            shutil.copyfileobj(plain, stream)
        yield twin


def _move(staged: Path, target: Path) -> None:
    if (
        target.is_symlink()
        or not target.is_file()
        or not filecmp.cmp(staged, target, shallow=False)
    ):
        staged.replace(target)


def _clear_staging(output_dir: Path) -> None:
    for leftover in output_dir.glob(f"{_STAGING_PREFIX}*"):
        if leftover.is_dir() and not leftover.is_symlink():
            shutil.rmtree(leftover)


def _remove_old_parts(output_dir: Path, filename: str, *, keep: set[str]) -> None:
    stem = re.escape(filename.removesuffix(".xml"))
    name_of_ours = re.compile(rf"{stem}(?:-\d+|-index-\d+)?\.xml(?:\.gz)?")
    for file in output_dir.iterdir():
        if file.name not in keep and name_of_ours.fullmatch(file.name) and _is_ours(file, filename):
            file.unlink()


def _is_ours(file: Path, filename: str) -> bool:
    if file.is_symlink() or not file.is_file():
        return False
    proof = mark(filename)
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            return stream.read(len(proof)) == proof
    except (EOFError, OSError, zlib.error):  # What cannot be read cannot be proved.
        return False
