"""Git's answers about repositories, kept as long as the last commit stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.git.last_change import find_last_changes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from sitemap_plugins.core.git.last_change import LastChange
    from sitemap_plugins.core.git.repository import Repository

__all__ = ["GitCache"]


class GitCache:
    """Git's answers, kept over the rebuilds of one process."""

    def __init__(self) -> None:
        """Start without answers."""
        self._answers: dict[Path, _Answers] = {}

    def last_changes(
        self, repository: Repository, paths: Collection[bytes], *, ignored: frozenset[bytes]
    ) -> Mapping[bytes, LastChange | None]:
        """Return the newest change of each path, None for one that is not in the last commit.

        Git is only asked about paths that are new since the last commit changed.

        Raises:
            GitError: Git failed or took too long.
        """
        state = (repository.head, repository.boundary, ignored)
        answers = self._answers.get(repository.root)
        if answers is None or answers.state != state:
            answers = self._answers[repository.root] = _Answers(state, {})
        if asked := [path for path in paths if path not in answers.last_changes]:
            blobs = repository.blobs(asked)
            found = find_last_changes(repository, blobs, ignored=ignored)
            answers.last_changes.update({path: found.get(path) for path in asked})
        return answers.last_changes


class _Answers(NamedTuple):
    state: tuple[bytes, frozenset[bytes], frozenset[bytes]]
    last_changes: dict[bytes, LastChange | None]
