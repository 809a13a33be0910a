"""Run git: the only module that does. It reads, and runs no program that a repository names.

A repository is a stranger's: its own configuration can name programs and change every output.
Whatever it could say about the commands used here is said on the command line instead. The
configuration of the user and the system stays in force, `safe.directory` above all.

Names of files outside this module are real paths; paths and names of objects are bytes, as git
says them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, TYPE_CHECKING

from sitemap_plugins.core import gitlog
from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.origins import Trail, moves, trace

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Iterator, Mapping

    from sitemap_plugins.core.origins import Origin

__all__ = ["Repository", "root_above"]

TIMEOUT = 120.0
"""Seconds for one repository: forty times what the 82,000 commits of git's own take."""

MAX_WALKS = 16
"""Each walk goes on where the one before lost a file that came from elsewhere; most need one."""

_OVERRIDES = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fileMode=false"),  # Another mode is no change.
    *("-c", "core.fsmonitor="),  # Empty is off in all versions; old ones run a program `false`.
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showRoot=true"),
    *("-c", "log.follow=false"),
    *("-c", f"diff.orderFile={os.devnull}"),
)
_LOG = (
    *("log", *gitlog.LOG_ARGUMENTS, "--no-color", "--no-show-signature", "--no-relative"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
)
_NEWEST = ("log", "-1", "--format=%H", "--no-patch", "--no-color", "--no-show-signature")
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"),
    "--ignore-submodules=all",
)

_EMPTY = "SITEMAP_PLUGINS_EMPTY"
_ENVIRONMENT = {
    _EMPTY: "",
    "LC_ALL": "C",  # Git's messages are read.
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone would fetch what it lacks, by programs that its configuration names; git
    # before 2.45 knows only the second variable, where a lone colon allows no protocol.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": ":",
}
# The rest of GIT_* speaks of another repository (a hook's GIT_DIR) or turns tracing on.
_KEPT = re.compile(r"(?!GIT_)|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$")

_OBJECT_NAME = re.compile(rb"[0-9a-f]{40,64}")
_FILTER = re.compile(rb"filter\.(.*)\.[^.]+", re.DOTALL)  # A name can be empty.


def root_above(folder: str, known: dict[str, str | None]) -> str | None:
    """Return the nearest folder, from this real path upwards, that holds a `.git`; or None.

    `known` keeps what was found from call to call.
    """
    passed = []
    while folder not in known:
        passed.append(folder)
        if os.path.lexists(os.path.join(folder, ".git")):  # A file in worktrees and submodules.
            known[folder] = folder
        elif folder == (parent := os.path.dirname(folder)):
            known[folder] = None
        else:
            folder = parent
    known.update(dict.fromkeys(passed, known[folder]))
    return known[folder]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """The repository that holds some files, as its last commit has them.

    Every method raises GitError where git fails or takes too long.
    """

    root: Path
    """The working tree's real path."""

    head: bytes
    """The last commit."""

    boundary: frozenset[bytes]
    """Commits of a shallow clone whose parents are missing: what they changed is not known."""

    git: _Git
    """How to run git here."""

    @classmethod
    def open(cls, folder: str | Path, *, environ: Mapping[str, str]) -> Repository:
        """Ask git for the repository that a directory belongs to.

        Raises:
            GitError: There is no git, git refuses or fails, or there is no commit yet.
        """
        git = _Git.at(Path(folder), environ)
        answer = git.run(
            *("rev-parse", "--is-shallow-repository", "--revs-only", "HEAD", "--show-toplevel")
        )
        shallow, _, rest = answer.removesuffix(b"\n").partition(b"\n")
        head, _, root = rest.partition(b"\n")
        if not _OBJECT_NAME.fullmatch(head):  # It is missing, and the root is an absolute path.
            text = f"{folder} has no commits yet: commit the pages to give them dates"
            raise GitError(text, code="no-commits")
        git = replace(git, folder=Path(os.path.realpath(os.fsdecode(root))))
        boundary = frozenset(git.boundary() if shallow == b"true" else ())
        return cls(root=git.folder, head=head, boundary=boundary, git=git)

    def path(self, file: str) -> bytes | None:
        """Return the path that git has for a file's real path, or None outside the working tree."""
        folder = os.path.join(self.root, "")
        if not file.startswith(folder):
            return None
        return os.fsencode(file.removeprefix(folder).replace(os.sep, "/"))

    def blobs(self, paths: Collection[bytes]) -> dict[bytes, bytes]:
        """Return the content's name of each path that is a file in the last commit."""
        listing = self.git.run(
            *("ls-tree", "-r", "-z", self.head.decode(), "--", *_pathspecs(paths))
        )
        files = gitlog.files(listing)
        return {path: files[path] for path in paths if path in files}

    def edited(self, paths: Collection[bytes]) -> set[bytes]:
        """Return the paths that are not as in the last commit, without those that git ignores.

        Only a filter could tell of a file with one that the repository's configuration sets up; it
        is not run, and the file counts as it was committed.
        """
        filters = self.git.filters()
        listing = self.git.run(*_STATUS, "--", *_pathspecs(paths), overrides=_without(filters))
        edited = gitlog.status(listing).intersection(paths)
        if filters and edited:
            names = self.git.run("check-attr", "-z", "--stdin", "filter", stdin=b"\0".join(edited))
            edited -= gitlog.filtered(names, filters)
        return edited

    def origins(
        self, blobs: Mapping[bytes, bytes], *, ignored: Collection[bytes]
    ) -> dict[bytes, Origin]:
        """Return the newest commit that changed each path, which has this content now."""
        found: dict[bytes, Origin] = {}
        trails = [Trail(path, path, blob) for path, blob in blobs.items()]
        for _ in range(MAX_WALKS):
            with closing(self._walk(trails)) as chunks:
                log = gitlog.commits(chunks)
                traced = trace(trails, log, ask=self._newest_change, ignored=ignored)
            found |= traced.found
            trails = self._moved(traced.added)
            if not trails:
                break
        return found

    def _walk(self, trails: Iterable[Trail]) -> Generator[bytes]:
        """Begin a log of the commits that led to some files."""
        starts = {trail.below or self.head for trail in trails}
        paths = {trail.path for trail in trails}
        return self.git.stream(
            *(*_LOG, "--stdin", "--", *_pathspecs(paths)), stdin=b"\n".join(starts)
        )

    def _newest_change(self, start: bytes, path: bytes) -> bytes:
        """Return the commit that `git log -1` names for one path; empty for none."""
        found = self.git.run(*_NEWEST, start.decode(), "--", os.fsdecode(path))
        return found.strip()

    def _moved(self, added: Mapping[bytes, Iterable[Trail]]) -> list[Trail]:
        """Return the files that only came from outside the walk's folders, to go on below there."""
        commits = added.keys() - self.boundary
        if not commits:
            return []
        found = []
        chunks = self.git.stream(*_LOG, "--no-walk", "--stdin", stdin=b"\n".join(commits))
        for commit in gitlog.commits(chunks):
            old_paths = moves(commit.changes) if len(commit.parents) == 1 else {}
            found += [
                trail._replace(path=old_paths[trail.path], below=commit.id)
                for trail in added[commit.id]
                if trail.path in old_paths
            ]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Git:
    """The program, the place to run it in, and how long."""

    program: str
    folder: Path
    environ: Mapping[str, str]
    deadline: float

    @classmethod
    def at(cls, folder: Path, environ: Mapping[str, str]) -> _Git:
        program = shutil.which("git", path=environ.get("PATH"))
        if program is None:
            text = "git is not installed: install it where the site is built, to give pages dates"
            raise GitError(text, code="no-git")
        kept = {name: value for name, value in environ.items() if _KEPT.match(name)}
        return cls(
            program=program,
            folder=folder,
            environ=kept | _ENVIRONMENT,
            deadline=time.monotonic() + TIMEOUT,
        )

    def run(self, *arguments: str, overrides: Iterable[str] = (), stdin: bytes = b"") -> bytes:
        """Return git's whole output."""
        return b"".join(self.stream(*overrides, *arguments, stdin=stdin))

    def stream(self, *arguments: str, stdin: bytes = b"") -> Generator[bytes]:
        """Yield git's output; closing the iterator ends git.

        Raises:
            GitError: Git failed or took too long; what it said before is not to be used.
        """
        command = [self.program, "-C", str(self.folder), *_OVERRIDES, *arguments]
        try:
            with TemporaryFile() as given, TemporaryFile() as said:
                given.write(stdin)
                given.seek(0)
                try:
                    yield from self._output(command, stdin=given, stderr=said)
                except subprocess.CalledProcessError:
                    said.seek(0)
                    raise self._error(said.read()) from None
        except OSError as error:
            text = f"git cannot be run ({error}): check the installation at {self.program}"
            raise GitError(text, code="git-failed") from None

    def _output(
        self, command: list[str], *, stdin: IO[bytes], stderr: IO[bytes]
    ) -> Iterator[bytes]:
        pipe = subprocess.PIPE
        with subprocess.Popen(  # noqa: S603 (git, with fixed arguments)
            command, env=self.environ, stdin=stdin, stdout=pipe, stderr=stderr
        ) as process:
            timer = Timer(max(0.0, self.deadline - time.monotonic()), process.kill)
            timer.start()
            try:
                while process.stdout and (chunk := process.stdout.read(1 << 16)):
                    yield chunk
                if code := process.wait():
                    raise subprocess.CalledProcessError(code, command)
            finally:
                timer.cancel()
                process.kill()

    def boundary(self) -> list[bytes]:
        """Return the commits at the end of a shallow clone."""
        name = self.run("rev-parse", "--git-path", "shallow").removesuffix(b"\n")
        try:
            return Path(self.folder, os.fsdecode(name)).read_bytes().split()
        except OSError as error:
            text = f"the end of a shallow clone cannot be read ({error}): make the file readable"
            raise GitError(text, code="git-failed") from None

    def filters(self) -> set[bytes]:
        """Return the names of the filters that the repository's configuration sets up.

        To compare a file, `git status` runs them. The user's own (Git LFS) stay.
        """
        settings = self.run("config", "--list", "--show-scope", "--name-only", "-z").split(b"\0")
        return {
            found[1]
            for scope, key in zip(settings[::2], settings[1::2], strict=False)
            if scope in {b"local", b"worktree"} and (found := _FILTER.fullmatch(key))
        }

    def _error(self, said: bytes) -> GitError:
        place = str(self.folder)
        if time.monotonic() >= self.deadline:
            text = f"git took more than {TIMEOUT:.0f} seconds in {place}: try it there, it may hang"
            return GitError(text, code="git-failed")
        if b"detected dubious ownership" in said:
            cure = f"run `git config --global --add safe.directory {shlex.quote(place)}`"
            text = f"git refuses {place}, which belongs to another user: if you trust it, {cure}"
            return GitError(text, code="dubious-ownership")
        lines = said.decode(errors="replace").splitlines() or ["no message"]
        reason = next((line for line in lines if line.startswith("fatal: ")), lines[-1])
        text = f"git failed in {place} ({reason}): run `git fsck` there, it needs git 2.31 or later"
        return GitError(text, code="git-failed")


def _pathspecs(paths: Collection[bytes]) -> list[str]:
    return [os.fsdecode(path) for path in gitlog.pathspecs(paths)]


def _without(filters: Iterable[bytes]) -> list[str]:
    """Return arguments that turn filters off."""
    # Unlike -c, this form takes a name that holds an equals sign.
    return [
        f"--config-env=filter.{os.fsdecode(name)}.{key}={_EMPTY}"
        for name in sorted(filters)
        for key in ("clean", "process", "smudge", "required")
    ]
