"""Room for millions of URLs, on disk and for this process alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["scratch_database"]

_CACHE_KIBIBYTES = 32 * 1024
_SETTINGS = ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE_KIBIBYTES}")


@contextmanager
def scratch_database() -> Iterator[sqlite3.Connection]:
    """Open a database without a name, whose file nobody else sees and that goes at the end.

    Raises:
        OutputError: The folder for temporary files is full.
    """
    with closing(sqlite3.connect("")) as database:
        try:
            for setting in _SETTINGS:
                database.execute(f"PRAGMA {setting}")
            yield database
        except sqlite3.Error as error:
            msg = f"temporary files cannot be written ({error})"
            raise OutputError(msg, cure="set TMPDIR to a folder with room") from None
