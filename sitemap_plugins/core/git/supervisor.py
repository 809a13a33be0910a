"""Run a program within limits, and end it when the build that wants it has ended.

This is a program of its own, which needs the standard library alone. Whatever ends the
build, even `SIGKILL`, closes the pipe between them. The supervisor then ends the whole
group of processes that git started. If the supervisor is killed too, only the system's
limits are left.

Arguments: bytes of the input for the program, the folder whose files are counted, the
seconds and bytes that are allowed, the command. Input: that of the program. Output: the
end of its error output.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO

TOO_LONG = 101
"""The exit code if the time was too short; all others are the program's own."""

TOO_LARGE = 102
"""The exit code if it wrote too many bytes."""

MAX_ERROR_BYTES = 1 << 16
"""Bytes kept from the end of the error output, which the server can fill."""

_INTERVAL = 0.05
"""Seconds between two looks at the limits."""

_SPARE_BYTES = 1 << 26
"""What the system allows beyond the limit: indexes, and files between two looks."""


class _Errors(Thread):
    """Reads an error output, and keeps its end."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self.end = b""
        """The last `MAX_ERROR_BYTES` of what was read."""
        self.size = 0
        """Bytes that were read."""

    def run(self) -> None:
        while text := os.read(self._stream.fileno(), MAX_ERROR_BYTES):
            self.size += len(text)
            self.end = (self.end + text)[-MAX_ERROR_BYTES:]


def main(input_size: str, folder: str, seconds: str, size: str, *command: str) -> int:
    """Run the command, print the end of its error output, and return the exit code."""
    ends_at = time.monotonic() + float(seconds)
    max_bytes = int(size)
    _limit(float(seconds), max_bytes)
    given = sys.stdin.buffer.read(int(input_size))
    has_ended = Event()
    Thread(target=_wait_for_end, args=(has_ended,), daemon=True).start()

    process = subprocess.Popen(  # noqa: S603 (git, with fixed arguments)
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,  # A file could not be written on a full disk.
        process_group=0,
    )
    if process.stdin is None or process.stderr is None:
        raise TypeError
    errors = _Errors(process.stderr)
    errors.start()
    # A broken pipe, which Windows calls EINVAL: the program's errors say why.
    with suppress(OSError), process.stdin as pipe:
        pipe.write(given)

    while True:
        code = process.poll()
        if size_of(Path(folder)) + errors.size > max_bytes:
            code = TOO_LARGE
        elif code is None and (has_ended.wait(_INTERVAL) or time.monotonic() > ends_at):
            code = TOO_LONG
        if code is not None:
            break
    if code != 0:
        end_group(process)
        # A connection that SSH keeps for later can hold the error output open for long.
        errors.join(1)
        with suppress(OSError):  # The build has ended, so that nobody reads.
            sys.stdout.buffer.write(errors.end)
    return code


def _wait_for_end(has_ended: Event) -> None:
    """Wait until the build closes its end of the pipe, or has ended."""
    os.read(sys.stdin.fileno(), 1)
    has_ended.set()


def _limit(seconds: float, max_bytes: int) -> None:
    """Limit the processor time and the size of files, where the system supports it."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 Windows has none.

    # ValueError: a limit that this build has is lower.
    with suppress(OSError, ValueError):
        longest = int(seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (longest, longest))
        largest = max_bytes + _SPARE_BYTES
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def size_of(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    with suppress(OSError):  # It is not there yet, or git renames a file.
        return sum(entry.stat().st_size for entry in os.scandir(folder))
    return 0


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program that leads a group, and all in it: git can be a wrapper."""
    if sys.platform == "win32":
        taskkill = Path(os.environ["SYSTEMROOT"], "System32", "taskkill.exe")
        command = [str(taskkill), "/T", "/F", "/PID", str(process.pid)]
        with suppress(OSError):
            subprocess.run(command, capture_output=True, check=False)  # noqa: S603
        process.kill()
        return
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
