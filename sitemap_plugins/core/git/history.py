"""Fetch the history that a clone lacks: the only code of the plugins that connects.

The clone stays as it is: the history of its last commit, without contents of files,
goes into a temporary repository, and old contents go into another one, by their names,
as far as dates depend on them. Such a repository has nothing of the clone's
configuration but the remote's address and the headers that belong to it. The clone is a
stranger's: no setting of it may run a program, and git talks to the clone's own remote
alone. The server is not trusted either: it gets limits, and what it sent is checked,
since git can exit with 0 and leave the history incomplete.
"""

from __future__ import annotations

import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.git import supervisor
from sitemap_plugins.core.git.program import Git, reason_of
from sitemap_plugins.core.git.remote import Remote
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.git.scratch import scratch_folder
from sitemap_plugins.core.messages import (
    Environ,
    GitError,
    Notice,
    count_things,
    printable,
)


class Limits(NamedTuple):
    """What the fetches of a build may take, for all repositories together."""

    seconds: float

    bytes: int
    """The limit of received bytes: a temporary folder can be in memory."""


WANTED = Limits(60.0, 1 << 29)
"""If the settings ask for it: the time that other tools allow which fetch."""

BY_ITSELF = Limits(30.0, 1 << 27)
"""If the settings do not say it; each of 25 projects took less than 5 s, 18 MB."""

_FETCH = (
    "fetch",
    "--quiet",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
    "--no-tags",
    "--no-prune",
    "--no-write-fetch-head",
)

_CONTENTS = b"contents"


class History:
    """The histories that a build fetched; they go with this object, or at exit."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Start without any; `say` shows a line to the user at once."""
        self._say = say
        self._seconds = 0.0
        """Seconds that all fetches took."""
        self._bytes = 0
        self._known: dict[tuple[Path, bytes], Git | Notice] = {}
        """By a clone's root and last commit: how to read the history, or why not.

        By the root and `_CONTENTS`: how to read old contents, or why not.
        """

    def complete(
        self, clone: Repository, limits: Limits
    ) -> tuple[Repository, Sequence[Notice]]:
        """Return a shallow clone with its whole history; if this fails, as it is.

        A notice says why it fails. The history has no contents of files: the returned
        repository can fetch contents when they are needed.
        """
        fetch = partial(self._fetch, clone, limits, _CONTENTS)
        if not clone.boundary:
            return replace(clone, fetch=fetch), ()
        history = self._fetch(clone, limits, clone.head, [clone.head])
        if isinstance(history, Notice):
            return clone, (history,)
        return replace(clone, boundary=frozenset(), history=history, fetch=fetch), ()

    def _fetch(
        self, clone: Repository, limits: Limits, what: bytes, names: Collection[bytes]
    ) -> Git | Notice:
        """Return how to read the objects `names`, after missing ones were fetched.

        `what` says which temporary repository to use: a commit for the one with its
        history, or `_CONTENTS` for the one with old contents. Once a fetch for a
        repository has failed, each later call returns the reason.
        """
        key = (clone.root, what)
        known = self._known.get(key)
        if isinstance(known, Notice):
            return known
        with ExitStack() as undo:
            try:
                remote = Remote.of(clone)
                with remote.as_git_error():
                    git = known or _init(clone, undo)
                    # The time limit is that of the present build, not of an older one.
                    git = git._replace(
                        clock=clone.git.clock, deadline=clone.git.deadline
                    )
                    lacking = {*names} - git.objects()
                    if lacking and what == _CONTENTS:
                        self._fetch_contents(git, remote, lacking, limits)
                    elif lacking:
                        self._fetch_history(git, remote, clone, limits)
            # No name for the error afterwards: its traceback would keep the folders.
            except GitError as error:
                self._known[key] = Notice.of(error, "fetch-failed")
            else:
                self._known[key] = git
                weakref.finalize(self, undo.pop_all().close)
        return self._known[key]

    def _fetch_contents(
        self, git: Git, remote: Remote, lacking: Collection[bytes], limits: Limits
    ) -> None:
        number = count_things(len(lacking), "old version")
        self._say(f"fetching {number} of files")
        self._run(git, remote, lacking, limits)

    def _fetch_history(
        self, git: Git, remote: Remote, clone: Repository, limits: Limits
    ) -> None:
        """Fetch the history of the last commit.

        Raises:
            GitError: Git failed, the server sent less, or a limit was reached.
        """
        place = printable(str(clone.root))
        self._say(f"fetching the history of {place}, as the clone is shallow")
        began = time.monotonic()
        self._run(git, remote, [clone.head], limits, "--filter=blob:none")
        number = _count(git, clone.head)
        if not number:
            raise remote.failed("the server sent only a part of it")
        seconds = time.monotonic() - began
        size = supervisor.size_of(_packs(git)) / 1e6
        commits = count_things(number, "commit")
        self._say(f"fetched {commits} in {seconds:.1f} s ({size:.1f} MB)")

    def _run(
        self,
        git: Git,
        remote: Remote,
        names: Iterable[bytes],
        limits: Limits,
        *options: str,
    ) -> None:
        """Fetch objects by name into a temporary repository, within the limits."""
        began = time.monotonic()
        packs = _packs(git)
        before = supervisor.size_of(packs)
        command = [git.program, *_FETCH, *options, "--stdin", "origin"]
        # The supervisor also counts what earlier fetches have left in the folder.
        max_bytes = limits.bytes - self._bytes + before
        code, errors = _supervised(
            command,
            b"\n".join(names),
            git=git._replace(environ=remote.environ(git)),
            seconds=limits.seconds - self._seconds,
            max_bytes=max_bytes,
        )
        self._seconds += time.monotonic() - began
        self._bytes += supervisor.size_of(packs) - before
        if code:
            raise remote.failed(_why_failed(code, errors, limits))


def _why_failed(code: int, errors: bytes, limits: Limits) -> str:
    """Return why a fetch failed, by its exit code and the end of its errors."""
    if code == supervisor.TOO_LONG:
        return f"it took more than the {limits.seconds:.0f} seconds of a build"
    if code == supervisor.TOO_LARGE:
        return f"it is larger than the {limits.bytes >> 20} MB of a build"
    return reason_of(errors)


def _supervised(
    command: Sequence[str], given: bytes, *, git: Git, seconds: float, max_bytes: int
) -> tuple[int, bytes]:
    """Run a command with an input; return its exit code and the end of its errors.

    The command ends with this process. `max_bytes` includes what the folder holds
    already.

    Raises:
        OSError: The command cannot be run.
    """
    # In a program that embeds Python, `sys.executable` is empty or None.
    if not sys.executable:
        raise OSError("Python does not know where its own program is")
    # -I: no module of the current folder is imported.
    program = [sys.executable, "-I", supervisor.__file__]
    limits = [str(len(given)), str(_packs(git)), str(seconds), str(max_bytes)]
    process = subprocess.Popen(  # noqa: S603 (Python and git, with fixed arguments)
        [*program, *limits, *command],
        cwd=git.folder,
        env=git.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    if process.stdin is None or process.stdout is None:
        raise TypeError
    try:
        # Windows calls a broken pipe EINVAL.
        with suppress(OSError):
            process.stdin.write(given)
            process.stdin.flush()
        errors = process.stdout.read()
    finally:
        # The fetch ends once its input is closed, also by the end of this process.
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        code = process.wait()
    return code, errors


def _init(clone: Repository, undo: ExitStack) -> Git:
    """Make a temporary repository, which `undo` removes."""
    folder = undo.enter_context(scratch_folder())
    environ: Environ = {**clone.git.environ, "GIT_DIR": str(folder)}
    git = clone.git._replace(folder=folder, environ=environ)
    form = "sha1" if len(clone.head) == len("0" * 40) else "sha256"
    git.run("init", "--quiet", "--bare", "--template=", f"--object-format={form}")
    return git


def _packs(git: Git) -> Path:
    """Return the folder of what a repository received."""
    return git.folder / "objects/pack"


def _count(git: Git, commit: bytes) -> int:
    """Return the number of commits in a history; 0 if a part of it is missing."""
    # A server can send a history that is shallow again.
    with suppress(GitError):
        if not (git.folder / "shallow").exists():
            return int(git.run("rev-list", "--count", commit.decode()))
    return 0
