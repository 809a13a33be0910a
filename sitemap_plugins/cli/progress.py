"""The sign of life: what a command does, shown while it prints nothing for a second.

It is on standard error, it disappears before anything is printed, and it is only for
people who watch: not for files, pipes and services that build sites.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sized
from typing import TYPE_CHECKING, TypeVar

import click
from rich.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds without output after which the sign appears."""


class SignOfLife:
    """Shows the step of a command, and how many of the step's items are done."""

    def __init__(self, console: Console) -> None:
        """Show nothing before the first step."""
        # Programs' data passes through the real streams, as bytes.
        self._progress = Progress(
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._step = self._progress.add_task("", total=None)
        self._timer: threading.Timer | None = None
        """It shows the sign, or has shown it; None after something was printed."""
        click.get_current_context().call_on_close(self.hide)

    def begin(self, step: str) -> None:
        """Show a step, until something is printed or another step begins."""
        self._progress.update(self._step, description=step)
        self._wait()

    def track(self, items: Iterable[T], description: str) -> Iterator[T]:
        """Yield the items, and show below the step how many of them are done."""
        total = len(items) if isinstance(items, Sized) else None
        task = self._progress.add_task(description, total=total)
        self._wait()
        for item in items:
            yield item
            self._progress.advance(task)
        self._progress.remove_task(task)

    def hide(self) -> None:
        """Remove the sign, until the next step begins."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._progress.stop()
            self._timer = None

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(PATIENCE, self._progress.start)
            self._timer.daemon = True
            self._timer.start()
