"""The sign of life: a line in the terminal while a command prints nothing.

It is on standard error, it disappears before anything is printed, and it is only for
people who watch: not for files, pipes and services that build sites.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from sitemap_plugins.core.environment import CI

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

TICK = 0.1
"""Seconds between two looks at what a command is doing."""

PATIENCE = 10
"""Ticks without output after which the line appears: one second."""


@dataclass(slots=True, eq=False)
class Step:
    """What a command is doing."""

    what: str
    """Such as `Reading pages`."""

    total: int | None = None
    """How many items there are; None if that is not known."""

    done: int = 0
    """How many of them are finished."""


class SignOfLife:
    """Shows what a command is doing, if it prints nothing for a second."""

    def __init__(self) -> None:
        """Show nothing before the first step."""
        self.step: Step | None = None
        """What is being done; None shows nothing."""
        self._ticks = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._line: _Line | None = None

    def begin(self, step: Step) -> None:
        """Show a step, until the command ends or another begins."""
        self.step = step
        if self._thread is None and _is_watched():
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
            click.get_current_context().call_on_close(self._end)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Remove the line while something is printed; then its second begins anew."""
        with self._lock:
            self._remove()
            yield
            self._ticks = 0

    def _end(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self._remove()

    def _run(self) -> None:
        while not self._ended.wait(TICK):
            with self._lock:
                self._ticks += 1
                is_due = self._ticks >= PATIENCE
            if is_due:
                # Loading it takes a while, during which the command can print.
                import rich.progress  # noqa: F401, PLC0415 seldom needed

                with self._lock:
                    self._draw()

    def _draw(self) -> None:
        if self.step is None or self._ticks < PATIENCE:
            return
        if self._line is None:
            self._line = _Line.begin()
        self._line.draw(self.step)

    def _remove(self) -> None:
        if self._line is not None:
            self._line.remove()
            self._line = None


def _is_watched() -> bool:
    """Tell whether a person sees standard error."""
    is_dumb = os.environ.get("TERM") == "dumb"
    return sys.stderr.isatty() and not is_dumb and not CI.from_environ(os.environ).is_ci


@dataclass(slots=True)
class _Line:
    """The line on the screen."""

    progress: Progress
    task: TaskID
    step: Step | None = None
    """What it showed last."""

    @classmethod
    def begin(cls) -> _Line:
        from rich import console  # noqa: PLC0415 seldom needed, slow to import
        from rich import progress as bars  # noqa: PLC0415

        what = bars.TextColumn("{task.description}", markup=False)
        bar = bars.BarColumn(bar_width=20)
        numbers = bars.TextColumn("{task.fields[numbers]}", markup=False)
        # Programs' data passes through the real streams, as bytes.
        progress = bars.Progress(
            what,
            bar,
            numbers,
            console=console.Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        task = progress.add_task("", total=None, numbers="")
        progress.start()
        return cls(progress, task)

    def draw(self, step: Step) -> None:
        if step is not self.step:
            self.step = step
            self.progress.reset(self.task, total=step.total, description=step.what)
            if step.total is None:  # `reset` takes None for no change.
                self.progress.tasks[0].total = None
        self.progress.update(self.task, completed=step.done)
        left = self.progress.tasks[0].time_remaining
        self.progress.update(self.task, numbers=_numbers(step, left), refresh=True)

    def remove(self) -> None:
        self.progress.stop()


def _numbers(step: Step, seconds_left: float | None) -> str:
    """Return how far a step is, and how long it will take, as far as that is known."""
    if step.total is None:
        return f"{step.done:,}" if step.done else ""
    text = f"{step.done:,} of {step.total:,}"
    if seconds_left is None:
        return text
    return f"{text}, {timedelta(seconds=round(seconds_left))} left"
