"""Run Linux' git for the `git.exe` of `git.c`, and translate paths of Wine's drives."""

from __future__ import annotations

import os
import re
import socketserver
import struct
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

_PATH = re.compile(r"\b([A-Za-z]):([\\/][^'\"]*)")

_HANDED_ON = (
    "GIT_",
    "LC_ALL",
    "SITEMAP_",
    # What a web server gives to `git http-backend`.
    "CONTENT_",
    "HTTP_",
    "PATH_INFO",
    "QUERY_STRING",
    "REQUEST_METHOD",
)
"""How the variables begin that git gets."""


class GitServer(socketserver.ThreadingTCPServer):
    """Serves on loopback until it is shut down.

    `drives` has each drive's folder on Linux, the drive of its root last.
    """

    daemon_threads = True

    def __init__(self, drives: dict[str, Path]) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.drives = drives
        above = {str(folder.parent) for folder in drives.values()}
        self.above_drives = os.pathsep.join(above - {"/"})

    def to_linux(self, text: str) -> str:
        """Translate the paths in an argument or a variable."""

        def path(found: re.Match[str]) -> str:
            folder = self.drives.get(found[1].upper())
            if folder is None:
                return found[0]
            rest = found[2].replace("\\", "/").lstrip("/")
            return f"{folder}/{rest}"

        if text == "nul" or text.endswith("=nul"):
            return f"{text[:-3]}/dev/null"
        return _PATH.sub(path, text)

    def to_windows(self, output: bytes) -> bytes:
        """Translate the paths at line starts in git's output."""
        for drive, folder in self.drives.items():
            start = os.fsencode(folder).rstrip(b"/") + b"/"
            output = re.sub(
                rb"(?m)^" + re.escape(start), drive.encode() + b":/", output
            )
        return output


class _Call(socketserver.StreamRequestHandler):
    """One call of git."""

    server: GitServer

    def handle(self) -> None:
        command, folder, environ = self._read_call()
        pipe = subprocess.PIPE
        self._lock = threading.Lock()
        # A client can be gone, and git before it has read its input.
        with (
            suppress(OSError),
            subprocess.Popen(
                command, cwd=folder, env=environ, stdin=pipe, stdout=pipe, stderr=pipe
            ) as git,
        ):
            feeding = threading.Thread(target=self._feed, args=(git,), daemon=True)
            feeding.start()
            saying = threading.Thread(target=self._pump, args=(b"x", git.stderr))
            saying.start()
            has_paths = not {"--show-toplevel", "--git-path"}.isdisjoint(command)
            self._pump(b"o", git.stdout, has_paths=has_paths)
            saying.join()
            self._give(b"q", bytes([git.wait() & 255]))
        # The client closes first: else the exit code could be lost.
        feeding.join()

    def _read_call(self) -> tuple[list[str], str, dict[str, str]]:
        """Return git's command, the folder to run it in, and its environment."""
        command = ["git"]
        folder = "/"
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            # No repository is above a drive.
            "GIT_CEILING_DIRECTORIES": self.server.above_drives,
        }
        while True:
            kind, content = self._take()
            text = content.decode()
            if kind == b"d":
                folder = self.server.to_linux(text)
            elif kind == b"a":
                command.append(self.server.to_linux(text))
            elif kind == b"e" and text.startswith(_HANDED_ON):
                name, _, value = text.partition("=")
                environ[name] = self.server.to_linux(value)
            elif kind == b"g":
                return command, folder, environ

    def _take(self) -> tuple[bytes, bytes]:
        head = self.rfile.read(5)
        if len(head) < 5:  # The client is gone.
            raise BrokenPipeError
        kind, length = struct.unpack("<cI", head)
        return kind, self.rfile.read(length)

    def _give(self, kind: bytes, content: bytes) -> None:
        with self._lock:
            self.wfile.write(struct.pack("<cI", kind, len(content)) + content)

    def _pump(self, kind, stream, *, has_paths=False) -> None:
        while content := stream.read1(1 << 15):
            if has_paths:
                content = self.server.to_windows(content)
            self._give(kind, content)

    def _feed(self, git) -> None:
        """Hand on the input; a client that is gone ends git, as Windows would not.

        What a git that has ended does not read is taken too: else the connection is
        reset, and the exit code is lost.
        """
        while True:
            try:
                _, content = self._take()
            except OSError:
                git.kill()
                return
            # ValueError: git has ended, and the pipe is closed.
            with suppress(OSError, ValueError):
                if content:
                    git.stdin.write(content)
                    git.stdin.flush()
                else:
                    git.stdin.close()

    def finish(self) -> None:
        """Say nothing of a client that has gone."""
        with suppress(OSError):
            super().finish()
