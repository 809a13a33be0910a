"""Git's answers about parts of files, kept in a file for the next build.

To date one part takes the reading of many versions of its file. While the newest commit
that changed the file stays the same, so do the answers about its parts.

The file is JSON: whatever is in it, reading it runs nothing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core.untrusted_files import read_sealed, write_sealed


class Answer(NamedTuple):
    """The newest commit that changed one part."""

    commit: str
    """Full object name."""

    time: int
    """The committer's, in seconds since 1970 (UTC)."""

    is_complete: bool
    """False if older changes were not looked for, since the page is newer than this."""

    def serves(self, since: float) -> bool:
        """Tell whether it is also the answer for a page of that time, in seconds."""
        return self.is_complete or self.time < since


class _Kept(NamedTuple):
    """What is known about one file."""

    state: tuple[str, ...]
    """What its answers depend on."""

    answers: dict[str, Answer]
    """By the part's name."""


class KeptParts:
    """Answers about parts of files, each asked once until its file changes."""

    def __init__(self, file: Path | None = None) -> None:
        """Read what the last build kept in a file, if it did; None for no file.

        What another version of this package kept is not used.
        """
        self._file = file
        self._before: dict[str, _Kept] = {}
        if file is not None:
            rows = read_sealed(file, *_makers()) or {}
            self._before = {name: _kept(row) for name, row in rows.items()}
        self._kept: dict[str, _Kept] = {}

    def of_file(self, path: bytes, state: tuple[str, ...]) -> dict[str, Answer]:
        """Return the answers about a file's parts, to which new ones can be added.

        They are kept for as long as the file has this state.
        """
        name = os.fsdecode(path)
        kept = self._kept.get(name)
        if kept is None or kept.state != state:
            kept = _Kept(state, {})
            before = self._before.get(name)
            if before is not None and before.state == state:
                kept.answers.update(before.answers)
            self._kept[name] = kept
        return kept.answers

    def write(self) -> None:
        """Keep the answers of this build, if there are any that the file has not.

        Raises:
            OSError: The file cannot be written.
        """
        if self._file is None or not self._kept or self._kept == self._before:
            return
        write_sealed(self._file, self._kept, *_makers())


def _makers() -> list[str]:
    return [version("sitemap-plugins"), *Answer._fields]


def _kept(row: Sequence[Any]) -> _Kept:
    state, answers = row
    return _Kept(tuple(state), {name: Answer(*each) for name, each in answers.items()})
