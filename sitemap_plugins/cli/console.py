"""The output of the commands: results, problems, progress."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import click

from sitemap_plugins.checks.findings import CodeGroup, Finding, Result
from sitemap_plugins.core import codes
from sitemap_plugins.core.messages import Notice, printable

T = TypeVar("T")

_WAIT = 1.0
"""Seconds after which a progress bar is shown."""

EXAMPLES = 3
"""Findings of one code that the terminal shows without --verbose."""

_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A command's output: results on standard output, the rest on standard error."""

    quiet: bool
    """Whether only problems are printed."""

    verbose: bool

    def line(self, text: str) -> None:
        """Print one line of the result."""
        self._result(printable(text))

    def message(self, text: str) -> None:
        """Print one line beside the result."""
        _print(printable(text), err=True)

    def problem(self, text: str) -> None:
        """Print one line about what must be corrected."""
        _print(f"{_colored('error', 'Error:')} {printable(text)}", err=True)

    def notice(self, notice: Notice) -> None:
        """Print a notice with its place and code."""
        if notice.level != "info" or not self.quiet:
            level = _colored(notice.level, notice.level)
            code = _dim(f"({notice.code})")
            _print(f"{level} {notice} {code}", err=True)

    def findings(self, result: Result) -> None:
        """Print what was found, a few findings of each code or, if verbose, all."""
        for group in result.groups():
            self._group(group)
        if result.findings:
            code = result.findings[0].code
            self.line(f"For more about a finding: sitemap-plugins explain {code}")

    def _group(self, group: CodeGroup) -> None:
        """Print one code's findings: its meaning, the places, and each cure once."""
        severity = _colored(group.severity, group.severity)
        code = click.style(group.code, bold=True)
        meaning = codes.findings()[group.code].meaning
        self._result(f"{severity} {code} ({group.number:,}): {meaning}")

        shown = group.findings if self.verbose else group.findings[:EXAMPLES]
        self._examples(shown, group.number - len(shown))
        cures = dict.fromkeys(finding.cure for finding in shown)
        for cure in cures:
            self._result(f"  → {printable(cure)}")

    def _examples(self, shown: Iterable[Finding], others: int) -> None:
        """Print some findings, each with its place, and how many others there are."""
        for finding in shown:
            place = _dim(printable(finding.place))
            self._result(f"  {place}  {printable(finding.problem)}")
        if others:
            self._result(f"  {_dim(f'and {others:,} more')}")

    def details(self, lines: Iterable[str]) -> None:
        """Print lines of the verbose output, which are not made unless it is wanted."""
        if self.verbose:
            for line in lines:
                _print(_dim(line), err=True)

    def _result(self, text: str) -> None:
        if not self.quiet:
            _print(text)

    def track(self, items: Sequence[T], description: str) -> Iterator[T]:
        """Yield the items, in a terminal with a progress bar if it takes long."""
        end_of_wait = time.monotonic() + _WAIT
        is_shown = sys.stderr.isatty() and not self.quiet
        done = 0
        for item in items:
            if is_shown and time.monotonic() > end_of_wait:
                break
            yield item
            done += 1
        if done == len(items):
            return
        from rich import console  # noqa: PLC0415 seldom needed, slow to import
        from rich import progress as bars  # noqa: PLC0415

        with bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.MofNCompleteColumn(),
            bars.TimeElapsedColumn(),
            bars.TextColumn("left"),
            bars.TimeRemainingColumn(),
            console=console.Console(stderr=True),
            transient=True,
        ) as progress:
            task = progress.add_task(description, total=len(items), completed=done)
            for item in items[done:]:
                yield item
                progress.advance(task)


def _print(text: str, *, err: bool = False) -> None:
    color = None  # In a terminal.
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        color = False
    elif os.environ.get("FORCE_COLOR"):  # https://force-color.org
        color = True
    click.echo(text, file=sys.stderr if err else sys.stdout, color=color)


def _colored(level: str, text: str) -> str:
    return click.style(text, fg=_COLORS[level])


def _dim(text: str) -> str:
    return click.style(text, dim=True)
