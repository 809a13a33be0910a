"""Changes in the output folder while the other plugins handle `on_post_build`.

MkDocs' own sitemap exists before this event, in which hooks read and rewrite it, and in which other
plugins write pages. So the sitemap is written at the beginning of the event, and at its end a
snapshot shows what has changed since.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import OutputError
from sitemap_plugins.core.files.plan import File
from sitemap_plugins.core.files.publish import write_files
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["Snapshot", "keep_rewritten"]


class Snapshot(NamedTuple):
    """The state of a sitemap's files and of the files that it depends on."""

    sitemap: Mapping[Path, int | None]
    """A checksum of each file; None if it does not exist."""

    others: Mapping[Path, tuple[int, int] | None]
    """Time and size of each file; None if it does not exist."""

    @classmethod
    def take(cls, sitemap: Iterable[Path], others: Iterable[Path]) -> Snapshot:
        """Record the state of all files."""
        return cls(
            {file: _checksum(file) for file in sitemap}, {file: _state(file) for file in others}
        )

    def rewritten(self) -> list[Path]:
        """Return the files of the sitemap that have changed or are gone."""
        return [file for file, checksum in self.sitemap.items() if _checksum(file) != checksum]

    def is_outdated(self) -> bool:
        """Tell whether any file that the sitemap depends on has changed."""
        return any(_state(file) != state for file, state in self.others.items())


def keep_rewritten(files: list[Path]) -> list[Notice]:
    """Return a notice for each file that others rewrote, and update its compressed twin."""
    notices = []
    for file in files:
        what = "changed" if file.exists() else "removed"
        problem = (
            f"a hook or another plugin {what} it in on_post_build after it was written, and the"
            " change is kept"
        )
        cure = "use an option or the front matter instead if you can"
        notices.append(Notice("sitemap-changed", problem, cure, file.name))
        twin = file.with_name(f"{file.name}.gz")
        if what == "changed" and twin.exists() and twin not in files:
            same = File(name=file.name, chunks=[file.read_bytes()], gzip=True)
            try:
                write_files([same], output_dir=file.parent)
            except OutputError as error:
                notices.append(Notice.of(error, "write-failed"))
    return notices


def _checksum(file: Path) -> int | None:
    try:
        return zlib.crc32(file.read_bytes())
    except OSError:
        return None


def _state(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
