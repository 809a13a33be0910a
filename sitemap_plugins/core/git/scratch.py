"""Temporary folders that the next build removes, if theirs was ended without a word.

The lock of a folder says that its build still runs. The system releases it, however the
build ends. Windows has no locks of folders, so no later build can tell there whether
this one has ended: what a killed build leaves stays.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

_PREFIX = "sitemap-plugins-history-"
_UNLOCKED = "sitemap-plugins-new-"
"""Another beginning, so that no build takes a new folder for an abandoned one."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for the context, after removing those that ended builds have left.

    Raises:
        OSError: The folder cannot be made.
    """
    _remove_abandoned()
    with (
        tempfile.TemporaryDirectory(prefix=_UNLOCKED) as name,
        ExitStack() as closer,
    ):
        folder = Path(name)
        with suppress(OSError):  # Windows, or a file system without locks.
            _lock(name, closer)
            folder = folder.rename(folder.with_name(_PREFIX + token_hex()))
            closer.callback(shutil.rmtree, folder, ignore_errors=True)
        yield folder


def _remove_abandoned() -> None:
    """Remove the folders of this user's builds that have ended."""
    if sys.platform == "win32":
        return
    own = os.getuid()
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if not entry.name.startswith(_PREFIX):
                continue
            if entry.stat(follow_symlinks=False).st_uid == own:
                _remove_if_abandoned(entry.path)


def _remove_if_abandoned(folder: str) -> None:
    with suppress(OSError), ExitStack() as closer:  # Its build still runs.
        _lock(folder, closer)
        shutil.rmtree(folder, ignore_errors=True)


def _lock(folder: str, closer: ExitStack) -> None:
    """Lock a folder until `closer` ends it.

    Raises:
        OSError: The folder is locked, is missing or is not a folder, or the system
            cannot lock folders.
    """
    if sys.platform == "win32":
        raise OSError("folders have no locks")
    import fcntl  # noqa: PLC0415 Windows has none.

    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    closer.callback(os.close, number)
    fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
