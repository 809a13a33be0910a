"""Run git: the only module that does.

Git writes nothing and runs no program of the repository.

A repository is a stranger's: its own configuration can name programs and change every
output. Whatever it could set for the commands used here is set on the command line
instead. It can also contain programs, so git is looked for in absolute folders only.
The configuration of the user and the system stays in force, `safe.directory` above all.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path, PureWindowsPath
from tempfile import TemporaryFile
from threading import Event, Thread
from typing import IO, Any, NamedTuple, cast

from sitemap_plugins.core.git.supervisor import MAX_ERROR_BYTES, end_group
from sitemap_plugins.core.messages import Environ, GitError

_Pipes = tuple[IO[bytes], IO[bytes]]
"""To git's input, if that is a pipe, and from its output."""

TIMEOUT = 120.0
"""Seconds for all questions to all repositories in a build: forty times what the 82,000
commits of git's own take."""

SHORT_TIMEOUT = 20.0
"""Seconds for a command that does not read the history."""

MAX_MEMORY = 1 << 31
"""Bytes of memory that git may fill: four times the history of a million commits."""

_READ_HISTORY = frozenset({"log", "cat-file", "diff-tree"})

_OVERRIDES = (
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.fileMode=false",  # Another mode is not a change.
    "-c",
    "core.fsmonitor=",  # Empty is off in all versions; old ones run a program `false`.
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "log.showRoot=true",
    "-c",
    "log.follow=false",
    "-c",
    f"diff.orderFile={os.devnull}",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
)

_EMPTY = "SITEMAP_PLUGINS_EMPTY"
_ENVIRONMENT = {
    _EMPTY: "",
    "LC_ALL": "C",  # `explain` reads git's messages.
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # Only what was published is the history. Git tells nobody of these two, and warns of
    # a file of grafts that exists, even if it is empty.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": f"{os.devnull}/none",
    # A partial clone would fetch missing objects with programs that its configuration
    # names. Git before 2.45 knows only the second variable; a lone colon allows no
    # protocol.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": ":",
}
# Other GIT_* variables point to another repository (a hook's GIT_DIR) or turn tracing
# on.
_KEPT = re.compile(
    r"(?!GIT_)|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$"
    r"|GIT_SSH(?:_COMMAND|_VARIANT)?$|GIT_SSL_CA(?:INFO|PATH)$"  # For `history`.
)

MAX_QUOTED = 200
"""Characters of git's own text in a message; git can quote a setting of any length."""


@dataclass(slots=True)
class Clock:
    """A monotonic clock for git, which stops while a caller works on git's output."""

    stopped: float = 0.0
    """For how many seconds the clock has been stopped so far."""

    since: float | None = None
    """When the clock was stopped, by `time.monotonic`; None while it runs."""

    def now(self) -> float:
        """Return the clock's time, in seconds."""
        end = time.monotonic() if self.since is None else self.since
        return end - self.stopped

    @contextmanager
    def stop(self) -> Iterator[None]:
        """Stop the clock for as long as the context lasts."""
        start = time.monotonic()
        self.since = start
        try:
            yield
        finally:
            self.stopped += time.monotonic() - start
            self.since = None


class Git(NamedTuple):
    """The program, the folder to run it in, and its time limit."""

    program: str
    """Its absolute path."""

    folder: Path
    """A folder of the working tree."""

    environ: Environ
    """All environment variables that it gets."""

    clock: Clock
    """Counts the time that it takes."""

    deadline: float
    """When it must have answered every command, by the clock."""

    @classmethod
    def at(
        cls,
        folder: Path,
        environ: Environ,
        *,
        took: float = 0,
        clock: Clock | None = None,
    ) -> Git:
        """Find git, to run it in the repository that a folder belongs to.

        Git's time limit is `TIMEOUT` less `took`, the seconds that git took before.
        `clock` measures the time; a new one does by default.

        Raises:
            GitError: Git is not installed.
        """
        # The other folders of a PATH depend on the current folder, which can be the
        # repository.
        search_path = environ.get("PATH", os.defpath).split(os.pathsep)
        folders = [folder for folder in search_path if Path(folder).is_absolute()]
        program = _find_program(folders)
        if program is None:
            cure = "install it where the site is built, to give pages dates"
            raise GitError("git is not installed", cure=cure, code="no-git")
        clock = clock or Clock()
        kept = {name: value for name, value in environ.items() if _KEPT.match(name)}
        return cls(
            program=program,
            folder=folder,
            environ=kept | _ENVIRONMENT | {"PATH": os.pathsep.join(folders)},
            clock=clock,
            deadline=clock.now() + TIMEOUT - took,
        )

    def is_late(self) -> bool:
        """Tell whether git's time is over."""
        return self.clock.now() >= self.deadline

    def run(
        self, *arguments: str, without: Collection[bytes] = (), stdin: bytes = b""
    ) -> bytes:
        """Return git's whole output; the filters named in `without` are switched off.

        Raises:
            GitError: Git failed or took too long.
        """
        overrides = []
        for name in sorted(without):
            for key in ("clean", "process", "smudge", "required"):
                # Unlike -c, this form takes a name that holds an equals sign.
                setting = f"filter.{os.fsdecode(name)}.{key}={_EMPTY}"
                overrides.append(f"--config-env={setting}")
        return b"".join(self.stream(*overrides, *arguments, stdin=stdin))

    def stream(self, *arguments: str, stdin: bytes = b"") -> Generator[bytes]:
        """Yield git's output; closing the iterator ends git.

        Raises:
            GitError: Git failed or took too long; discard what was yielded.
        """
        with self._as_git_error(), TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            with self._running(*arguments, stdin=given) as (_, output):
                while chunk := output.read(1 << 16):
                    yield chunk

    @contextmanager
    def blobs(self, *, max_bytes: int) -> Iterator[Callable[[bytes], bytes | None]]:
        """Start to read blobs, all in one run of git.

        The yielded function takes a blob's name and returns its content, or None if the
        blob is missing or too large. In a partial clone, git before 2.45 fails at the
        first missing one.

        Raises:
            GitError: Git failed or took too long.
        """
        pipe = subprocess.PIPE
        with self._running("cat-file", "--batch", stdin=pipe) as (given, output):

            def read(name: bytes) -> bytes | None:
                # If git has ended, its error output says why. Windows calls a broken
                # pipe EINVAL.
                with suppress(OSError):
                    os.write(given.fileno(), name + b"\n")
                head = output.readline()
                if not head:
                    raise EOFError
                size = head.split()[-1]
                if not size.isdigit():  # `<name> missing`
                    return None
                length = int(size) + 1  # Git adds a line break.
                if length <= max_bytes:
                    return output.read(length)[:-1]
                # The next answer begins after this content.
                while length > 0 and (chunk := output.read(min(length, 1 << 16))):
                    length -= len(chunk)
                return None

            yield read
            given.close()

    @contextmanager
    def commits(self, *arguments: str) -> Iterator[Callable[[bytes], bytes]]:
        """Start `git diff-tree`, to read commits in one run of git.

        The yielded function takes a commit's name and returns the output, which is
        empty for a commit that is missing.

        Raises:
            GitError: Git failed or took too long.
        """
        command = ("diff-tree", "--stdin", *arguments)
        with self._running(*command, stdin=subprocess.PIPE) as (given, output):
            # Git gives back a line that does not begin with a name. No output of the
            # repository's can contain this one.
            end = b"end %b\n" % os.urandom(8).hex().encode()

            def show(name: bytes) -> bytes:
                # If git has ended, its error output says why. Windows calls a broken
                # pipe EINVAL.
                with suppress(OSError):
                    os.write(given.fileno(), name + b"\n" + end)
                shown = bytearray()
                while not shown.endswith(end):
                    chunk = os.read(output.fileno(), 1 << 16)
                    if not chunk:
                        raise EOFError
                    shown += chunk
                return bytes(shown[: -len(end)])

            yield show
            given.close()

    @contextmanager
    def _running(self, *arguments: str, stdin: IO[bytes] | int) -> Iterator[_Pipes]:
        """Run git with its input from a file or a pipe, and end it with the context.

        Raises:
            GitError: Git failed or took too long.
        """
        command = [self.program, "-C", str(self.folder), *_OVERRIDES, *arguments]
        name = next(word for word in arguments if not word.startswith("-"))
        # A file of the repository can be a pipe, so that no command may wait for ever.
        limit = TIMEOUT if name in _READ_HISTORY else SHORT_TIMEOUT
        deadline = min(self.deadline, self.clock.now() + limit)
        pipe = subprocess.PIPE
        with (
            self._as_git_error(),
            TemporaryFile() as errors,
            subprocess.Popen(  # noqa: S603 (git, with fixed arguments)
                command,
                env=self.environ,
                stdin=stdin,
                stdout=pipe,
                stderr=errors,
                process_group=0,
            ) as process,
        ):
            _limit_memory(process.pid)
            ended = Event()
            Thread(target=self._end_late, args=(process, deadline, ended)).start()
            try:
                yield cast("_Pipes", (process.stdin, process.stdout))
                failed = process.wait() != 0
            except EOFError:
                failed = True
            finally:
                ended.set()
                if process.poll() is None:
                    end_group(process)
            if not failed:
                return
            if self.clock.now() < deadline:
                errors.seek(max(0, errors.seek(0, os.SEEK_END) - MAX_ERROR_BYTES))
                raise explain(errors.read(), command=name, place=str(self.folder))
            if deadline == self.deadline:
                limit = TIMEOUT  # Earlier commands took a part of the time.
            raise self._too_slow(name, limit)

    def _end_late(
        self, process: subprocess.Popen[bytes], deadline: float, ended: Event
    ) -> None:
        """End git at a deadline, which the clock can put off."""
        while not ended.wait(max(0.0, deadline - self.clock.now())):
            if self.clock.now() >= deadline:
                end_group(process)
                return

    def _too_slow(self, command: str, seconds: float) -> GitError:
        text = f"git did not finish within {seconds:.0f} seconds in {self.folder}"
        return GitError(
            text, cure=f"run `git {command}` there to see why", code="git-failed"
        )

    @contextmanager
    def _as_git_error(self) -> Iterator[None]:
        """Raise GitError if git cannot be run, or there is no room for its files."""
        try:
            yield
        except OSError as error:
            text = f"git cannot be run ({error})"
            cure = f"check the installation at {self.program}"
            raise GitError(text, cure=cure, code="git-failed") from None

    def objects(self) -> frozenset[bytes]:
        """Return the names of all objects that are there."""
        listing = ("--batch-check=%(objectname)", "--batch-all-objects", "--unordered")
        return frozenset(self.run("cat-file", *listing).split())

    def settings(self) -> list[tuple[bytes, bytes]]:
        """Return names and values of the repository's own configuration, in order."""
        listing = self.run("config", "--list", "--show-scope", "-z").split(b"\0")
        found = []
        for scope, entry in zip(listing[::2], listing[1::2], strict=False):
            if scope in {b"local", b"worktree"}:
                key, _, value = entry.partition(b"\n")
                found.append((key, value))
        return found


def _find_program(folders: Iterable[str]) -> str | None:
    """Return git's absolute path; None if it is in none of the folders."""
    name = "git.exe" if os.name == "nt" else "git"
    # Each folder alone: `which` adds others to a whole PATH on Windows.
    for folder in folders:
        program = shutil.which(str(Path(folder, name)))
        if program:
            return program
    return None


def _limit_memory(process: int) -> None:
    """Limit what a process can fill, on Linux; mapped files do not count."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 Windows has none.

    with suppress(OSError):
        resource.prlimit(process, resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))


def explain(stderr: bytes, *, command: str, place: str) -> GitError:
    """Return the error for a command that failed in a folder, from its error output."""
    reason = reason_of(stderr)
    searched = f"{command}: {reason.replace(place, '')}"
    if b"lazy fetching disabled" in stderr:  # Only in a partial clone.
        searched += ", lazy fetching disabled"
    found = cause_of(searched, "command")
    words = {
        "place": place,
        "quoted": _for_shell(place, system=os.name),
        "command": command,
        "reason": reason[:MAX_QUOTED],
    }
    problem = found["problem"].format_map(words)
    cure = found["cure"].format_map(words)
    code = "dubious-ownership" if "dubious ownership" in reason else "git-failed"
    return GitError(problem, cure=cure, code=code)


def _for_shell(folder: str, *, system: str) -> str:
    r"""Return a folder's path as an argument of git in the usual shell of a system.

    >>> _for_shell("/my site", system="posix"), _for_shell(r"D:\my site", system="nt")
    ("'/my site'", '"D:/my site"')
    """
    if system != "nt":
        return shlex.quote(folder)
    # cmd.exe knows only double quotes, and git only slashes in `safe.directory`.
    path = PureWindowsPath(folder).as_posix()
    if path.startswith("//"):
        path = f"%(prefix)/{path}"  # Of another machine.
    return f'"{path}"'


def cause_of(reason: str, kind: str) -> dict[str, str]:
    """Return the row of causes.toml for a failed `command` or `fetch`."""
    rows: list[dict[str, str]] = _causes()[kind]
    return next(row for row in rows if re.search(row["pattern"], reason, re.IGNORECASE))


@cache
def _causes() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("causes.toml").read_text("utf-8"))


def reason_of(stderr: bytes) -> str:
    """Return the reason in one line.

    The reason is the text from `fatal:` on, or the first line that is not a warning.
    """
    lines = [line.strip() for line in stderr.decode(errors="replace").splitlines()]
    for number, line in enumerate(lines):
        if line.startswith("fatal: "):
            return " ".join(filter(None, lines[number:]))
    for line in lines:
        if line and not line.startswith("warning"):
            return line
    return "no message"
