"""Git's answers, and how long they took, kept over the rebuilds of one process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sitemap_plugins.core.git.history import History
from sitemap_plugins.core.git.kept_answers import KeptParts
from sitemap_plugins.core.git.last_change import (
    LastChange,
    ReadFile,
    find_last_changes,
)
from sitemap_plugins.core.git.program import Clock
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import Environ, GitError

_Changes = dict[bytes, LastChange | None]
"""By path of the last commit; None for one beyond the limits."""


class GitCache:
    """Git's answers, kept over the rebuilds of one process."""

    def __init__(
        self, say: Callable[[str], None] = lambda _: None, parts: Path | None = None
    ) -> None:
        """Start without answers, but for those about parts that the last build kept.

        `say` shows the user a line at once, while git takes long. `parts` is the file
        of `KeptParts`; None for a host without a folder for such.
        """
        self.parts = KeptParts(parts)
        self.fetched = History(say)
        self._answers: dict[tuple[Path, ReadFile | None], tuple[object, _Changes]] = {}
        """By a repository's root and what reads its files: the state of the repository
        on which the answers depend, and the answers."""
        self._took: dict[datetime, float] = defaultdict(float)
        """By a build's beginning: seconds that questions to all repositories took."""
        self._failures: dict[tuple[datetime, str], GitError] = {}
        """By a build's beginning and a repository's root: how a question failed."""

    @contextmanager
    def repository(
        self, root: str, environ: Environ, build: datetime
    ) -> Iterator[Repository]:
        """Open a repository to ask git something.

        All questions of a build, to all its repositories, share one time limit. Once a
        question to a repository has failed, later ones to this repository fail at once.
        `build` is when the build began.

        Raises:
            GitError: As `Repository.open`, or as what is done with the repository.
        """
        failure = self._failures.get((build, root))
        if failure is not None:
            raise _copy(failure)
        clock = Clock()
        start = clock.now()
        took = self._took[build]
        try:
            yield Repository.open(root, environ=environ, took=took, clock=clock)
        except GitError as error:
            self._failures[build, root] = _copy(error)
            raise
        finally:
            self._took[build] += clock.now() - start

    def last_changes(
        self,
        repository: Repository,
        blobs: Mapping[bytes, bytes],
        *,
        ignored: frozenset[bytes],
        read: ReadFile | None = None,
    ) -> Mapping[bytes, LastChange | None]:
        """Return the newest change of each path of the last commit.

        `blobs` has the blob of each path. Git is only asked about paths without an
        answer. All answers are dropped once the last commit, the end of a shallow
        history or the ignored commits change. A path beyond git's limits has None.

        Raises:
            GitError: Git failed or took too long.
        """
        state = (repository.head, repository.boundary, ignored)
        old_state, answers = self._answers.get((repository.root, read), (None, {}))
        if old_state != state:
            answers = {}
            self._answers[repository.root, read] = (state, answers)
        asked = {path: blobs[path] for path in blobs if path not in answers}
        if asked:
            found = find_last_changes(repository, asked, ignored=ignored, read=read)
            answers.update({path: found.get(path) for path in asked})
        return answers


def _copy(error: GitError) -> GitError:
    """Return an error without its traceback, which would keep what it refers to."""
    return GitError(error.problem, cure=error.cure, code=error.code)
