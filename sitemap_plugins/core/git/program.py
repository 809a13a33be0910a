"""Run git: the only module that does. Git writes nothing and runs no program of the repository.

A repository is a stranger's: its own configuration can name programs and change every output.
Whatever it could set for the commands used here is set on the command line instead. It can also
contain programs, so git is looked for in absolute folders only. The configuration of the user and
the system stays in force, `safe.directory` above all.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, TYPE_CHECKING

from sitemap_plugins.core.errors import GitError

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Mapping

    from sitemap_plugins.core.codes import Code

__all__ = ["Git", "explain"]

TIMEOUT = 120.0
"""Seconds for one repository: forty times what the 82,000 commits of git's own take."""

SHORT_TIMEOUT = 20.0
"""Seconds for a command that does not read the history."""

_READ_HISTORY = frozenset({"log", "cat-file"})

MAX_ERROR_BYTES = 1 << 16
"""Bytes read from the end of git's error output, which can have a line for each file."""

_OVERRIDES = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fileMode=false"),  # Another mode is not a change.
    *("-c", "core.fsmonitor="),  # Empty is off in all versions; old ones run a program `false`.
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showRoot=true"),
    *("-c", "log.follow=false"),
    *("-c", f"diff.orderFile={os.devnull}"),
)

_EMPTY = "SITEMAP_PLUGINS_EMPTY"
_ENVIRONMENT = {
    _EMPTY: "",
    "LC_ALL": "C",  # `explain` reads git's messages.
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone would fetch missing objects with programs that its configuration names. Git
    # before 2.45 knows only the second variable; a lone colon allows no protocol.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": ":",
}
# Other GIT_* variables point to another repository (a hook's GIT_DIR) or turn tracing on.
_KEPT = re.compile(r"(?!GIT_)|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$")

_FILTER = re.compile(rb"filter\.(.*)\.[^.]+", re.DOTALL)  # A name can be empty.

MAX_QUOTED = 200
"""Characters of git's own text in a message; git can quote a setting of any length."""

_CAUSES = {
    "detected dubious ownership": (
        "git refuses to read {place}, which belongs to another user",
        "if you trust it, run `git config --global --add safe.directory {quoted}`",
    ),
    # `status` alone reads contents of files; the others want folders and commits.
    "^status: .*promisor remote": (
        "the clone in {place} lacks a file that git needs",
        "run `git status` there, to fetch it",
    ),
    "promisor remote": (
        "the clone in {place} lacks the folders of its history",
        "run `git fetch --refetch --filter=blob:none` there, or clone without `--filter=tree:0`",
    ),
    "not a git repository": (
        "the `.git` in {place} is not a repository, or leads to none ({reason})",
        "clone again, or copy the repository that it leads to",
    ),
    r"unknown option|^\S+: usage: ": (
        "git is too old for {place} ({reason})",
        "update it to 2.31 or later",
    ),
    ": .*(?:config|repository extension|repo version|compression level|expand user dir)": (
        "git cannot use its configuration for {place} ({reason})",
        "correct that setting",
    ),
    "corrupt|object|(?:bad|read) tree|packfile|index file|parents of|could not read": (
        "git cannot read the repository in {place} ({reason})",
        "run `git fsck` there, or clone again",
    ),
    "": ("`git {command}` failed in {place} ({reason})", "run it there, and fix what it reports"),
}
"""Problem and cure by a pattern for git's English error text; the first that matches counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """The program, the folder to run it in, and its time limit."""

    program: str
    """Its absolute path."""

    folder: Path
    """A folder of the working tree."""

    environ: Mapping[str, str]
    """All environment variables that it gets."""

    deadline: float
    """When it must have answered every command, in seconds of the monotonic clock."""

    @classmethod
    def at(cls, folder: Path, environ: Mapping[str, str]) -> Git:
        """Find git, to run it in the repository that a folder belongs to.

        Raises:
            GitError: Git is not installed.
        """
        # The other folders of a PATH depend on the current folder, which can be the repository.
        search_path = environ.get("PATH", os.defpath).split(os.pathsep)
        folders = [folder for folder in search_path if Path(folder).is_absolute()]
        # Each folder alone: `which` adds others to a whole PATH on Windows.
        name = "git.exe" if os.name == "nt" else "git"
        found = (shutil.which(str(Path(folder, name))) for folder in folders)
        program = next(filter(None, found), None)
        if program is None:
            text = "git is not installed"
            raise GitError(
                text, cure="install it where the site is built, to give pages dates", code="no-git"
            )
        kept = {name: value for name, value in environ.items() if _KEPT.match(name)}
        return cls(
            program=program,
            folder=folder,
            environ=kept | _ENVIRONMENT | {"PATH": os.pathsep.join(folders)},
            deadline=time.monotonic() + TIMEOUT,
        )

    def run(self, *arguments: str, without: Collection[bytes] = (), stdin: bytes = b"") -> bytes:
        """Return git's whole output; the filters named in `without` are switched off.

        Raises:
            GitError: Git failed or took too long.
        """
        overrides = [
            # Unlike -c, this form takes a name that holds an equals sign.
            f"--config-env=filter.{os.fsdecode(name)}.{key}={_EMPTY}"
            for name in sorted(without)
            for key in ("clean", "process", "smudge", "required")
        ]
        return b"".join(self.stream(*overrides, *arguments, stdin=stdin))

    def stream(self, *arguments: str, stdin: bytes = b"") -> Generator[bytes]:
        """Yield git's output; closing the iterator ends git.

        Raises:
            GitError: Git failed or took too long; discard what was yielded.
        """
        command = [self.program, "-C", str(self.folder), *_OVERRIDES, *arguments]
        name = next(word for word in arguments if not word.startswith("-"))
        try:
            with TemporaryFile() as given, TemporaryFile() as errors:
                given.write(stdin)
                given.seek(0)
                # A file of the repository can be a pipe, so that no command may wait for ever.
                limit = TIMEOUT if name in _READ_HISTORY else SHORT_TIMEOUT
                deadline = min(self.deadline, time.monotonic() + limit)
                try:
                    yield from self._output(command, deadline, stdin=given, stderr=errors)
                except subprocess.CalledProcessError:
                    errors.seek(max(0, errors.seek(0, os.SEEK_END) - MAX_ERROR_BYTES))
                    if time.monotonic() >= deadline:
                        text = f"git did not finish within {limit:.0f} seconds in {self.folder}"
                        raise GitError(
                            text, cure=f"run `git {name}` there", code="git-failed"
                        ) from None
                    raise explain(errors.read(), command=name, place=str(self.folder)) from None
        except OSError as error:
            text = f"git cannot be run ({error})"
            raise GitError(
                text, cure=f"check the installation at {self.program}", code="git-failed"
            ) from None

    def _output(
        self, command: list[str], deadline: float, *, stdin: IO[bytes], stderr: IO[bytes]
    ) -> Iterator[bytes]:
        pipe = subprocess.PIPE
        with subprocess.Popen(  # noqa: S603 (git, with fixed arguments)
            command, env=self.environ, stdin=stdin, stdout=pipe, stderr=stderr
        ) as process:
            timer = Timer(max(0.0, deadline - time.monotonic()), process.kill)
            timer.start()
            try:
                while process.stdout and (chunk := process.stdout.read(1 << 16)):
                    yield chunk
                if code := process.wait():
                    raise subprocess.CalledProcessError(code, command)
            finally:
                timer.cancel()
                process.kill()

    def filters(self) -> set[bytes]:
        """Return the names of the filters that the repository's own configuration sets up.

        `git status` would run them to compare a file. The user's filters (Git LFS) are not among
        them.
        """
        settings = self.run("config", "--list", "--show-scope", "--name-only", "-z").split(b"\0")
        return {
            found[1]
            for scope, key in zip(settings[::2], settings[1::2], strict=False)
            if scope in {b"local", b"worktree"} and (found := _FILTER.fullmatch(key))
        }


def explain(stderr: bytes, *, command: str, place: str) -> GitError:
    """Return the error for a command that failed in a folder, from its error output."""
    reason = _reason(stderr.decode(errors="replace"))
    searched = f"{command}: {reason.replace(place, '')}"
    parts = next(
        parts for words, parts in _CAUSES.items() if re.search(words, searched, re.IGNORECASE)
    )
    problem, cure = (
        part.format(
            place=place, quoted=shlex.quote(place), command=command, reason=reason[:MAX_QUOTED]
        )
        for part in parts
    )
    code: Code = "dubious-ownership" if "dubious ownership" in reason else "git-failed"
    return GitError(problem, cure=cure, code=code)


def _reason(stderr: str) -> str:
    """Return the reason in one line: the text from `fatal:` on, or the first line but warnings."""
    lines = [line.strip() for line in stderr.splitlines()]
    for number, line in enumerate(lines):
        if line.startswith("fatal: "):
            return " ".join(lines[number:])
    return next((line for line in lines if line and not line.startswith("warning")), "no message")
