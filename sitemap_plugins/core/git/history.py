"""Fetch the history that a shallow clone lacks: the only code of the plugins that connects.

The clone stays as it is: the history of its last commit, without contents of files,
goes into a temporary repository, and old contents go into another one, by their names,
as far as dates depend on them. Such a repository has nothing of the clone's
configuration but the remote's address and the headers that belong to it. The clone is a
stranger's: no setting of it may run a program, and git talks to the clone's own remote
alone. The user's and the system's configuration is in force. The server is not trusted
either: it gets limits, and what it sent is checked, since git can exit with 0 and leave
the history incomplete.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import weakref
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from sitemap_plugins.core.git.program import (
    MAX_ERROR_BYTES,
    MAX_QUOTED,
    Git,
    cause_of,
    reason_of,
)
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import (
    GitError,
    Notice,
    count_things,
    printable,
    quoted,
)

MAX_SECONDS = 60.0
"""For all repositories of a build together: what projects that fetch by themselves allow."""

MAX_BYTES = 1 << 29
"""For all repositories of a build together: a temporary folder can be in memory."""

_SETTINGS = {
    "protocol.version": "2",  # Older ones give branches and tags only, not any commit.
    "http.followRedirects": "false",  # The headers would go to the other host too.
    # A process that outlives its killed build must end by itself.
    "http.lowSpeedLimit": "1",
    "http.lowSpeedTime": "60",
    "http.saveCookies": "false",
    "fetch.unpackLimit": "1",  # One file, however few objects.
    "fetch.uriProtocols": "",  # Nothing from hosts that the server names.
    "fetch.writeCommitGraph": "false",
    "pack.threads": "1",
}
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "https:http:ssh:git",
    "GIT_ALLOC_LIMIT": str(MAX_BYTES),  # Of one object, which can claim any size.
    # Nobody is asked for a password.
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
}
_FETCH = (
    *(
        "fetch",
        "--quiet",
        "--no-auto-maintenance",
        "--no-recurse-submodules",
        "--no-tags",
    ),
    *("--no-prune", "--no-write-fetch-head"),
)

_CONTENTS = b"contents"

# `host:path` is an address too; a colon or slashes after it belong to `ext::` and
# `file://`.
_URL = re.compile(r"(?:https?|ssh|git)://.+|(?:[^-:/\s][^:/\s]*@)?\w[\w.-]+:(?!:|//).+")
_LOGIN = re.compile(r"(\w+://)([^/?#:]*)(?::([^/?#]*))?@([^/?#@]*)(.*)", re.DOTALL)
_HEADER = re.compile(r"http\..+\.extraheader", re.DOTALL)

_SSH_COMMAND = (
    "; not the clone's own `core.sshCommand` is run, but the variable GIT_SSH_COMMAND"
)


class History:
    """The histories that a build fetched; they are removed with this object, or at exit."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Start without any; `say` shows a line to the user at once."""
        self._say = say
        self._seconds, self._bytes = MAX_SECONDS, MAX_BYTES
        self._known: dict[tuple[Path, bytes], Git | Notice] = {}
        """By a clone's root and last commit: how to read the history, or why not. Likewise, by the
        root and `_CONTENTS`: old contents."""

    def complete(self, clone: Repository) -> tuple[Repository, Sequence[Notice]]:
        """Return a shallow clone with its whole history, or as it is, and why.

        The history has no contents of files: the repository can fetch them when they
        are needed.
        """
        fetch = partial(self._fetch, clone, _CONTENTS)
        if not clone.boundary:
            return replace(clone, fetch=fetch), ()
        history = self._fetch(clone, clone.head, [clone.head])
        if isinstance(history, Notice):
            return clone, (history,)
        return replace(clone, boundary=frozenset(), history=history, fetch=fetch), ()

    def _fetch(
        self, clone: Repository, what: bytes, names: Collection[bytes]
    ) -> Git | Notice:
        """Return how to read objects, after those that are not there yet were fetched.

        `what` is a commit for its history, or `_CONTENTS`. If that fails once, return
        always why.
        """
        key = (clone.root, what)
        known = self._known.get(key)
        if isinstance(known, Notice):
            return known
        with ExitStack() as undo:
            try:
                remote = _Remote.of(clone)
                git = (
                    replace(known, deadline=clone.git.deadline)
                    if known
                    else _init(clone, undo)
                )
                if lacking := {*names} - git.objects():
                    if what == _CONTENTS:
                        self._say(
                            f"fetching {count_things(len(lacking), 'old version')} of files"
                        )
                        self._run(git, remote, lacking)
                    else:
                        self._fetch_history(git, remote, clone)
            except (GitError, OSError) as error:
                # No name for the error: its traceback would keep the folders.
                self._known[key] = Notice.of(
                    error
                    if isinstance(error, GitError)
                    else _failed(str(error), remote),
                    "fetch-failed",
                )
            else:
                self._known[key] = git
                weakref.finalize(self, undo.pop_all().close)
        return self._known[key]

    def _fetch_history(self, git: Git, remote: _Remote, clone: Repository) -> None:
        """Fetch the history of the last commit.

        Raises:
            GitError: Git failed, the server sent less, or a limit was reached.
        """
        place = printable(str(clone.root))
        self._say(f"fetching the history of {place}, as the clone is shallow")
        began = time.monotonic()
        self._run(git, remote, [clone.head], "--filter=blob:none")
        commits = _count(git, clone.head)
        if not commits:
            raise _failed("the server sent only a part of it", remote)
        seconds, size = time.monotonic() - began, _size(git.folder) / 1e6
        self._say(
            f"fetched {count_things(commits, 'commit')} in {seconds:.1f} s ({size:.1f} MB)"
        )

    def _run(
        self, git: Git, remote: _Remote, names: Iterable[bytes], *options: str
    ) -> None:
        """Fetch objects by name into a temporary repository, within the limits."""
        began, before = time.monotonic(), _size(git.folder)
        given: bytes | None = b"\n".join(names)
        errors, problem, has_ended = b"", "", False
        with subprocess.Popen(  # noqa: S603 (git, with fixed arguments)
            [git.program, *_FETCH, *options, "--stdin", "origin"],
            cwd=git.folder,
            env=remote.environ(git.environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,  # A file could not be written on a full disk.
            start_new_session=True,
        ) as process:
            try:
                while not (has_ended or problem):
                    # A connection of SSH that is kept for later holds the pipe open.
                    has_ended = process.poll() is not None
                    try:
                        _, errors = process.communicate(given, timeout=0.05)
                        has_ended = True
                    except subprocess.TimeoutExpired as error:
                        given, errors = None, error.stderr or b""
                    if time.monotonic() - began > self._seconds:
                        problem = f"it took more than the {MAX_SECONDS:.0f} seconds of a build"
                    elif _size(git.folder) - before + len(errors) > self._bytes:
                        problem = (
                            f"it is larger than the {MAX_BYTES >> 20} MB of a build"
                        )
            finally:
                if problem or process.returncode != 0:
                    _kill(process)
        self._seconds -= time.monotonic() - began
        self._bytes -= _size(git.folder) - before
        if problem or process.returncode:
            raise _failed(problem or reason_of(errors[-MAX_ERROR_BYTES:]), remote)


def _init(clone: Repository, undo: ExitStack) -> Git:
    """Make a temporary repository, which `undo` removes."""
    folder = undo.enter_context(TemporaryDirectory(prefix="sitemap-plugins-"))
    git = replace(
        clone.git, folder=Path(folder), environ={**clone.git.environ, "GIT_DIR": folder}
    )
    form = "sha1" if len(clone.head) == len("0" * 40) else "sha256"
    git.run("init", "--quiet", "--bare", "--template=", f"--object-format={form}")
    return git


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End git and the programs that it started, which are a group of their own."""
    with suppress(OSError):
        process.kill() if os.name == "nt" else os.killpg(process.pid, signal.SIGKILL)


def _count(git: Git, commit: bytes) -> int:
    """Return the number of commits in a history; 0 if a part of it is missing."""
    with suppress(GitError):
        if not (git.folder / "shallow").exists():
            return int(git.run("rev-list", "--count", commit.decode()))
    return 0


def _size(folder: Path) -> int:
    """Return the bytes of what a repository received."""
    with suppress(OSError):  # It is not there yet, or git renames a file.
        return sum(
            entry.stat().st_size for entry in os.scandir(folder / "objects/pack")
        )
    return 0


def _failed(reason: str, remote: _Remote) -> GitError:
    for secret in remote.secrets:  # A server can repeat what it was sent.
        reason = reason.replace(secret, "…")
    cure = cause_of(reason, "fetch")["cure"]
    problem = f"the history cannot be fetched from {quoted(remote.url)} ({reason[:MAX_QUOTED]})"
    return GitError(problem, cure=cure + remote.hint, code="fetch-failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remote:
    """Where a clone is from."""

    url: str
    """Without a password; without a user too, except for SSH."""

    settings: Sequence[tuple[str, str]]
    """Keys and values of git's configuration that belong to it."""

    secrets: Sequence[str]
    """What no message may contain."""

    hint: str
    """What else to say about a failure; may be empty."""

    @classmethod
    def of(cls, clone: Repository) -> _Remote:
        """Return the remote of the branch, else `origin`, else the only one.

        Raises:
            GitError: There is none, or it is not on a server.
        """
        entries = [
            (os.fsdecode(key), os.fsdecode(value))
            for key, value in clone.git.settings()
        ]
        first = dict(
            reversed(entries)
        )  # Of several addresses, git fetches from the first.
        branch = clone.git.run("rev-parse", "--symbolic-full-name", "HEAD").strip()
        name = first.get(
            f"branch.{os.fsdecode(branch).removeprefix('refs/heads/')}.remote"
        )
        remotes = [
            key[7:-4]
            for key in first
            if key.startswith("remote.") and key.endswith(".url")
        ]
        if name is None:
            name = remotes[0] if len(remotes) == 1 else "origin"
        url = first.get(f"remote.{name}.url", "")
        if not _URL.fullmatch(url):
            what = (
                f"is {quoted(url)}, which is not on a server"
                if url
                else "has no address"
            )
            problem = f"the history cannot be fetched: the remote {quoted(name)} {what}"
            raise GitError(
                problem, cure=cause_of("", "fetch")["cure"], code="fetch-failed"
            )
        headers = [(key, value) for key, value in entries if _HEADER.fullmatch(key)]
        url, login, secrets = _without_login(url)
        return cls(
            url=url,
            settings=[*login, *headers],
            secrets=[
                *secrets,
                *filter(None, (value.rpartition(" ")[2] for _, value in headers)),
            ],
            hint=_SSH_COMMAND
            if "core.sshcommand" in first and not url.startswith("http")
            else "",
        )

    def environ(self, environ: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a fetch: settings in it are in no file and no command line."""
        settings = [*_SETTINGS.items(), ("remote.origin.url", self.url), *self.settings]
        count = int(environ.get("GIT_CONFIG_COUNT") or 0)  # The user's own come first.
        numbered = {"GIT_CONFIG_COUNT": str(count + len(settings))}
        for number, (key, value) in enumerate(settings, count):
            numbered |= {
                f"GIT_CONFIG_KEY_{number}": key,
                f"GIT_CONFIG_VALUE_{number}": value,
            }
        return {**environ, **_ENVIRONMENT, **numbered}


def _without_login(url: str) -> tuple[str, list[tuple[str, str]], list[str]]:
    """Return an address without user and password, the settings that replace them, and secrets."""
    found = _LOGIN.fullmatch(url)
    if found is None:
        return url, [], []
    scheme, user, password, host, path = found.groups()
    if not scheme.startswith("http"):
        return f"{scheme}{user}@{host}{path}", [], [password] if password else []
    if not password:  # A server that wants one asks a helper of the user for it.
        return (
            f"{scheme}{host}{path}",
            [(f"credential.{scheme}{host}.username", user)],
            [],
        )
    token = b64encode(os.fsencode(f"{unquote(user)}:{unquote(password)}")).decode()
    header = (f"http.{scheme}{host}/.extraheader", f"Authorization: Basic {token}")
    return f"{scheme}{host}{path}", [header], [token, password, unquote(password)]
