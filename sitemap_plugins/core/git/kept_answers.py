"""Git's answers about parts of files, kept in a file for the next build.

To date one part takes the reading of many versions of its file. While the newest commit
that changed the file stays the same, so do the answers about its parts.

The file is JSON: whatever is in it, reading it runs nothing.
"""

from __future__ import annotations

import os
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from sitemap_plugins.core.untrusted_files import (
    checked_values,
    read_sealed,
    write_sealed,
)

_COMMIT = re.compile(r"[0-9a-f]{40,64}")


class Answer(NamedTuple):
    """The newest commit that changed one part."""

    commit: str
    """Full object name."""

    time: int
    """The committer's, in seconds since 1970 (UTC)."""

    is_complete: bool
    """False if older changes were not looked for, since the page is newer than this."""

    def serves(self, since: float) -> bool:
        """Tell whether the answer holds for a page whose own files are from `since`.

        An older change does not matter to the page, so that an incomplete answer holds
        if its commit is older than the page. Times are in seconds since 1970.
        """
        return self.is_complete or self.time < since


_KINDS = [*get_type_hints(Answer).values()]
"""What each value of an answer is, in their order."""


class _Kept(NamedTuple):
    """What is known about one file."""

    state: tuple[str, ...]
    """What its answers depend on."""

    answers: dict[str, Answer]
    """Indexed by the part's name."""


class KeptParts:
    """Answers about parts of files, each asked once until its file changes."""

    def __init__(self, file: Path | None = None) -> None:
        """Read what the last build kept in a file, if it did; None for no file.

        A file of another version of this package is not used.
        """
        self._file = file
        self._before: dict[str, _Kept] = {}
        if file is not None:
            self._before = read_sealed(file, _parse, _maker()) or {}
        self._kept: dict[str, _Kept] = {}

    def of_file(self, path: bytes, state: tuple[str, ...]) -> dict[str, Answer]:
        """Return the answers about a file's parts, to which new ones can be added.

        `state` is what the answers depend on: those of another state are dropped.
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
        """Write the answers of this build, unless the file has just these.

        Raises:
            OSError: The file cannot be written.
        """
        if self._file is None or not self._kept or self._kept == self._before:
            return
        write_sealed(self._file, self._kept, _maker())


def _maker() -> str:
    return version("sitemap-plugins")


def _parse(found: Any) -> dict[str, _Kept]:  # noqa: ANN401 whatever JSON holds
    kept = {}
    for name, (state, rows) in found.items():
        answers = {part: _answer(row) for part, row in rows.items()}
        kept[name] = _Kept(tuple(state), answers)
    return kept


def _answer(row: object) -> Answer:
    answer = Answer(*checked_values(row, _KINDS))
    if not _COMMIT.fullmatch(answer.commit):
        raise ValueError(answer.commit)
    return answer
