"""Which files a piece of code opens for reading, as Python itself reports it.

Python raises an audit event for each file that is opened, in whatever way (PEP 578). So this works
however an extension finds its files, and nothing of the extension is replaced.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Opened", "observe"]


@dataclass(slots=True)
class Opened:
    """The files and URLs that were opened, each in the order of opening."""

    files: list[str] = field(default_factory=list)
    """Absolute paths of files that were opened for reading; a file can occur twice."""

    urls: list[str] = field(default_factory=list)
    """URLs that were requested."""


# One for each thread, so that no other thread's files are taken for those of the observed code.
_observer: ContextVar[Opened | None] = ContextVar("_observer", default=None)


@contextmanager
def observe() -> Iterator[Opened]:
    """Record what is opened inside the `with` block, except for what an inner block records."""
    opened = Opened()
    token = _observer.set(opened)
    try:
        yield opened
    finally:
        _observer.reset(token)


def _on_audit_event(event: str, arguments: tuple[object, ...]) -> None:
    # Called for every event of the process, so the fastest check comes first. An error would reach
    # the observed code, so none may be raised.
    opened = _observer.get()
    if opened is None:
        return
    if event == "open":
        file, mode = arguments[:2]
        # Without a mode: `os.open`, as for devices and locks. A number: an open file.
        to_read = isinstance(mode, str) and "r" in mode and "+" not in mode
        if to_read and isinstance(file, str | bytes):
            with suppress(OSError):  # The working directory is gone.
                opened.files.append(os.path.abspath(os.fsdecode(file)))
    elif event == "urllib.Request":
        opened.urls.append(str(arguments[0]))


# An audit hook cannot be removed, so there is one for the life of the process.
sys.addaudithook(_on_audit_event)
