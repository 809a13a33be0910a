"""Files that others put into a repository or output folder, and the names in them.

A repository can hold a symbolic link to the builder's secrets or to an endless device;
an output folder can hold a pipe. A name can lead to another machine, or be longer than
any file's. On Windows, a file that others have open can be neither replaced nor
removed.
"""

from __future__ import annotations

import errno
import fnmatch
import hashlib
import json
import os
import re
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from io import BufferedReader
from itertools import dropwhile
from os import path as os_path
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar, get_args, get_origin

from sitemap_plugins.core.messages import OptionsError, OutputError, PageError, quoted

T = TypeVar("T")

MAX_ENTRIES = 500_000
"""Files and folders that all patterns together may look at."""

_WILD = re.compile(r"[*?\[]")

_NOT_LOOKED_AT = {errno.EACCES, errno.EPERM, errno.ENAMETOOLONG}

_WHOLE_BYTES = 1 << 28
"""The size limit of a file that is read whole: room for JSON of a million URLs."""

_WRONG_VALUES = (
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    RecursionError,
    PageError,
)
"""What code raises for JSON that it has not written."""

_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4)
"""Seconds between tries to replace a file that another program has open: a second."""


def is_file(file: Path | str) -> bool:
    """Tell whether there is a file.

    `Path.is_file` raises for names that are too long.
    """
    return os.path.isfile(file)


def is_folder(folder: Path | str) -> bool:
    """Tell whether there is a folder.

    `Path.is_dir` raises for names that are too long.
    """
    return os.path.isdir(folder)


def is_given_folder(path: Path) -> bool:
    """Tell whether a path that the user gave is a folder.

    As `Path.is_dir` does before Python 3.14.

    Raises:
        OSError: The user may not look at the path, or the path is too long.
    """
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError) as error:
        if getattr(error, "errno", 0) in _NOT_LOOKED_AT:
            raise
        return False


def is_relative(name: str) -> bool:
    r"""Tell whether a file's name is relative on every system.

    Such a name has no root and no drive. Windows would open a network connection for
    the other names here:

    >>> names = ("../a.md", "//host/share/a.md", r"\\host\share\a.md")
    >>> [is_relative(name) for name in names]
    [True, False, False]
    """
    return not (PurePosixPath(name).anchor or PureWindowsPath(name).anchor)


def checksum(file: Path) -> int | None:
    """Return the checksum of a file's content; None if it cannot be read."""
    try:
        return zlib.crc32(read_regular_file(file, max_bytes=_WHOLE_BYTES))
    except OSError:
        return None


def seen_from(folder: str, path: str) -> str:
    """Return a path as it is named from a folder; absolute if no relative path exists.

    On Windows, no relative path leads to another drive, or to a share of another
    machine.
    """
    whole = os_path.abspath(path)
    there, _ = os_path.splitdrive(whole)
    here, _ = os_path.splitdrive(os_path.abspath(folder))
    if os_path.normcase(there) != os_path.normcase(here):
        return whole
    return os_path.relpath(whole, folder)


def is_inside(name: str) -> bool:
    r"""Tell whether a name relative to a folder stays inside it on every system.

    >>> names = ("a..b/c.md", "a/../b.md", r"..\b.md", "/a.md", "\0")
    >>> [is_inside(name) for name in names]
    [True, False, False, False, False]
    """
    if not is_relative(name) or "\0" in name:
        return False
    return ".." not in PureWindowsPath(name).parts


def root_above(folder: str, known: dict[str, str | None]) -> str | None:
    """Return the nearest folder that contains a `.git`, from this real path upwards.

    The result is None if there is no such folder. `known` caches the answer for each
    folder from call to call.
    """
    passed = []
    while folder not in known:
        passed.append(folder)
        parent = os.path.dirname(folder)
        # It is a file in worktrees and submodules.
        if os.path.lexists(os.path.join(folder, ".git")):
            known[folder] = folder
        elif folder == parent:
            known[folder] = None
        else:
            folder = parent
    known.update(dict.fromkeys(passed, known[folder]))
    return known[folder]


def leads_out(file: Path, folder: Path, *, is_alone: bool = False) -> bool:
    """Tell whether a file's real path is outside the repository of a folder.

    Git's own files count as outside: they can hold a password. If the folder is in no
    repository, no file counts as outside. With `is_alone`, each file does then that is
    not in the folder.
    """
    top = os.path.realpath(folder)
    root = root_above(top, {}) or (top if is_alone else None)
    name = seen_from(root, os.path.realpath(file)) if root else ""
    return not is_inside(name) or ".git" in name.split(os.sep)


class Finder:
    """Finds files by glob patterns of others, with one bound on the work for all."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._left = MAX_ENTRIES
        self._known: dict[tuple[str, tuple[str, ...]], list[Path]] = {}

    def files(self, folder: Path, pattern: str) -> list[Path]:
        """Return the files that a name or a pattern, relative to a folder, matches.

        The files are in ascending order. `**` matches any folders, but does not follow
        links.

        Raises:
            ValueError: `pattern` has `..` after a wildcard, or leads to too many files.
        """
        parts = PurePath(pattern).parts
        if not is_relative(pattern) or "\0" in pattern:
            return []
        if is_file(folder / pattern):
            return [folder / pattern]
        wild = list(dropwhile(lambda part: not _WILD.search(part), parts))
        if ".." in wild:
            raise ValueError("has '..' after a wildcard")
        if not wild:
            return []
        top = os.path.realpath(folder.joinpath(*parts[: -len(wild)]))
        key = (top, tuple(wild))
        if key not in self._known:
            self._known[key] = sorted(self._matching(*key))
        return self._known[key]

    def _matching(self, top: str, parts: tuple[str, ...]) -> Iterator[Path]:
        """Yield the files below a folder that match.

        `**` stands for any number of folders.
        """
        # Folders to look into, each with the number of the part that the names in this
        # folder have to match. With `**`, several ways lead to one folder.
        ahead = [(top, 0)]
        seen = set()
        while ahead:
            folder, number = ahead.pop()
            if (folder, number) in seen:
                continue
            seen.add((folder, number))
            part = parts[number]
            below = number + 1
            is_deep = part == "**"
            is_last = below == len(parts)
            if is_deep and not is_last:
                ahead.append((folder, below))
            for entry in self._entries(folder):
                is_named = fnmatch.fnmatch(entry.name, part)
                # The entry's own methods raise on endless links.
                if is_deep and entry.is_dir(follow_symlinks=False):
                    ahead.append((entry.path, number))
                elif is_last:
                    if is_named and is_file(entry.path):
                        yield Path(entry)
                elif is_named and not is_deep and is_folder(entry.path):
                    ahead.append((entry.path, below))

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                self._left -= 1
                if self._left < 0:
                    files = f"more than {MAX_ENTRIES:,} files were examined"
                    msg = f"matches too much: {files}"
                    raise ValueError(msg)
                yield entry


def read_regular_file(file: Path, *, max_bytes: int, root: Path | None = None) -> bytes:
    """Return a file's content.

    No symbolic link below `root` is followed; without it, all are.

    Raises:
        OSError: The file is missing, is not a regular file, is too large or cannot be
            read.
    """
    if root is not None:
        for part in (file, *file.parents):
            if root in part.parents and part.is_symlink():
                raise OSError(f"{part.name!r} is a symbolic link")
    content = read_beginning(file, max_bytes=max_bytes + 1, follow_link=root is None)
    if len(content) > max_bytes:
        raise OSError(f"larger than {max_bytes:,} bytes")
    return content


def read_own_file(file: Path, *, max_bytes: int, is_alone: bool = True) -> bytes:
    """Return the content of a file that is published or quoted.

    The path is checked so that no other file is shown.

    Raises:
        OSError: As `read_regular_file` and `refuse_link`.
    """
    refuse_link(file, is_alone=is_alone)
    return read_regular_file(file, max_bytes=max_bytes)


def refuse_link(file: Path, *, is_alone: bool = True) -> None:
    """Refuse a file that would show another one.

    Raises:
        OSError: The file is a link that leads out, as `leads_out` says.
    """
    if leads_out(file, file.parent, is_alone=is_alone):
        raise OSError("a link to a file outside its folder and repository")


def read_beginning(file: Path, *, max_bytes: int, follow_link: bool = True) -> bytes:
    """Return a file's content, as far as `max_bytes` go.

    Raises:
        OSError: The file is missing, is not a regular file, or cannot be read.
    """
    with open_regular_file(file, follow_link=follow_link) as stream:
        size = os.fstat(stream.fileno()).st_size
        # Room for many bytes takes longer to make than most files take to read. Files
        # that a system makes up, and those that grow, have more bytes than it says.
        content = stream.read(min(max_bytes, size + 1))
        if len(content) > size:
            content += stream.read(max_bytes - len(content))
        return content


def open_regular_file(file: Path, *, follow_link: bool = True) -> BufferedReader:
    """Open a file for reading, without waiting for a pipe's other end.

    Raises:
        OSError: There is no such file, it is not a regular file, or cannot be read.
    """
    flags = getattr(os, "O_NONBLOCK", 0)
    if not follow_link:
        flags |= getattr(os, "O_NOFOLLOW", 0)

    def opener(path: str, how: int) -> int:
        return os.open(path, how | flags)

    stream = open(file, "rb", opener=opener)  # noqa: SIM115 the caller's
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError("not a regular file")
    return stream


def read_json(file: Path, parse: Callable[[Any], T], *, problem: str, cure: str) -> T:
    """Return what `parse` makes of a JSON file's value.

    `problem` describes a file with other content than expected.

    Raises:
        OptionsError: The file cannot be read or is not JSON, or `parse` raises an error
            for the kind of its values.
    """
    try:
        return parse(json.loads(read_regular_file(file, max_bytes=_WHOLE_BYTES)))
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
    except (LookupError, TypeError, AttributeError):
        pass
    except (ValueError, OverflowError, RecursionError) as error:
        problem = f"{problem} ({error})"
    raise OptionsError(f"{str(file)!r} {problem}", cure=cure)


def checked_values(values: Any, kinds: Sequence[Any]) -> tuple[Any, ...]:  # noqa: ANN401
    """Return a list of JSON as values of these kinds, with tuples in place of lists.

    >>> checked_values(["a", [1, 2]], [str, tuple[int, ...]])
    ('a', (1, 2))

    Raises:
        TypeError, ValueError: A value is of another kind.
    """
    if not isinstance(values, list):
        raise TypeError(values)
    checked = []
    for value, kind in zip(values, kinds, strict=True):
        if get_origin(kind) is tuple:
            items = get_args(kind)
            if items[-1] is ...:
                items = items[:1] * len(value)
            checked.append(checked_values(value, items))
        elif isinstance(value, kind):
            checked.append(value)
        else:
            raise TypeError(value)
    return tuple(checked)


def write_text(file: Path, text: str, *, append: bool = False) -> None:
    """Write a text into a file that the user names, whole or not at all.

    The file's folder is made. A link is replaced by the file. With `append`, and if the
    file is a device or a pipe, the text is added to what is there.

    Raises:
        OutputError: The file cannot be written, or is a link to add to that leads out.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if append or (file.exists() and not file.is_file()):
            refuse_link(file, is_alone=False)
            with file.open("a", encoding="utf-8") as stream:
                stream.write(text)
            return
        new = file.with_name(f"{file.name}.new")
        # What has this name could be a link to another file, or a pipe.
        new.unlink(missing_ok=True)
        try:
            new.write_text(text, "utf-8")
            patiently(partial(new.replace, file))
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        msg = f"{quoted(str(file))} cannot be written ({error.strerror or error})"
        raise OutputError(msg, cure="name another file") from None


def read_sealed(file: Path, parse: Callable[[Any], T], *makers: str) -> T | None:
    """Return what `parse` makes of the value that `write_sealed` wrote.

    `makers` are as in `write_sealed`. The result is None if the file cannot be read, if
    other makers or other bytes were written, or if `parse` raises an error for the
    value.
    """
    with suppress(OSError, *_WRONG_VALUES):
        content = read_regular_file(file, max_bytes=_WHOLE_BYTES)
        seal, _, text = content.partition(b"\n")
        if seal == _seal(text, makers):
            return parse(json.loads(text))
    return None


def write_sealed(
    file: Path, value: object, *makers: str, max_bytes: int = _WHOLE_BYTES
) -> None:
    """Keep a value for a later build, as JSON, whole or not at all.

    `makers` are the versions of the code that reads the value: other versions do not
    use it. Two builds can write at once; only this user can read the file.

    Raises:
        OSError: The file cannot be written, or is larger than `max_bytes`.
    """
    text = json.dumps(value, separators=(",", ":")).encode()
    if len(text) > max_bytes:
        raise OSError(f"it has more than {max_bytes:,} bytes")
    descriptor, new = tempfile.mkstemp(dir=file.parent)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(_seal(text, makers) + b"\n" + text)
        patiently(partial(os.replace, new, file))
    finally:
        Path(new).unlink(missing_ok=True)


def _seal(text: bytes, makers: Iterable[str]) -> bytes:
    """Return a digest of a text and its makers, by which damage is known."""
    digest = hashlib.sha256("\n".join(makers).encode())
    digest.update(text)
    return digest.hexdigest().encode()


def patiently(act: Callable[[], T]) -> T:
    """Do something with a file; on Windows, try again while a program has it open.

    Virus scanners, indexers and OneDrive open each new file for a moment.

    Raises:
        PermissionError: The system refused `act` for about a second.
    """
    if sys.platform == "win32":
        for pause in _PAUSES:
            with suppress(PermissionError):
                return act()
            time.sleep(pause)
    return act()
