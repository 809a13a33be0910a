"""The output of the commands: results, problems, progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, field
from typing import TextIO, TypeVar

import click

from sitemap_plugins.cli import terminal
from sitemap_plugins.cli.progress import SignOfLife, Step
from sitemap_plugins.core import codes
from sitemap_plugins.core.messages import Notice, printable
from sitemap_plugins.findings.records import CodeGroup, Finding, Result

T = TypeVar("T")

EXAMPLES = 3
"""Findings of one code that the terminal shows without --verbose."""

_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A command's output: results on standard output, the rest on standard error."""

    quiet: bool
    """Whether only problems are printed."""

    verbose: bool

    sign: SignOfLife = field(default_factory=SignOfLife)

    def step(self, what: str) -> None:
        """Say what the command does from now on, such as `Reading pages`.

        A terminal shows it once it takes longer than a second.
        """
        self._begin(Step(what))

    def track(self, items: Iterable[T], description: str) -> Iterator[T]:
        """Yield the items, which are a step; then the step before it goes on."""
        before = self.sign.step
        step = Step(description)
        if isinstance(items, Sized):
            step.total = len(items)
        self._begin(step)
        for item in items:
            yield item
            step.done += 1
        self.sign.step = before

    def _begin(self, step: Step) -> None:
        if not self.quiet:
            self.sign.begin(step)

    def data(self, text: str) -> None:
        """Print a result for programs: in UTF-8, whatever the terminal's encoding."""
        self.sign.step = None
        with self.sign.hidden():
            click.echo(text.encode(), nl=False)

    def line(self, text: str) -> None:
        """Print one line of the result."""
        self.styled(printable(text))

    def styled(self, text: str) -> None:
        """Print one line of the result, which is safe to print and can have colours."""
        if not self.quiet:
            self._print(text)

    def message(self, text: str) -> None:
        """Print one line beside the result."""
        self._print(printable(text), err=True)

    def problem(self, text: str) -> None:
        """Print one line about what must be corrected."""
        self._print(f"{_colored('error', 'Error:')} {printable(text)}", err=True)

    def notice(self, notice: Notice) -> None:
        """Print a notice with its place and code."""
        if notice.level != "info" or not self.quiet:
            level = _colored(notice.level, notice.level)
            code = _linked(_dim(f"({notice.code})"), notice.code, sys.stderr)
            self._print(f"{level} {notice} {code}", err=True)

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
        code = _linked(click.style(group.code, bold=True), group.code, sys.stdout)
        meaning = codes.findings()[group.code].meaning
        self.styled(f"{severity} {code} ({group.number:,}): {meaning}")

        shown = group.findings if self.verbose else group.findings[:EXAMPLES]
        self._examples(shown, group.number - len(shown))
        cures = dict.fromkeys(finding.cure for finding in shown)
        for cure in cures:
            self.styled(f"  → {printable(cure)}")

    def _examples(self, shown: Iterable[Finding], others: int) -> None:
        """Print some findings, each with its place, and how many others there are."""
        for finding in shown:
            place = _dim(printable(finding.place))
            self.styled(f"  {place}  {printable(finding.problem)}")
        if others:
            self.styled(f"  {_dim(f'and {others:,} more')}")

    def details(self, lines: Iterable[str]) -> None:
        """Print lines of the verbose output, which are not made unless it is wanted."""
        if self.verbose:
            for line in lines:
                self._print(_dim(line), err=True)

    def _print(self, text: str, *, err: bool = False) -> None:
        stream = sys.stderr if err else sys.stdout
        with self.sign.hidden():
            text = terminal.wrapped(text, terminal.width_of(stream))
            click.echo(text, file=stream, color=_color())
        if not err and not stream.isatty():
            # The program that reads it can have the screen, as a pager has.
            self.sign.step = None


def _color() -> bool | None:
    """Return whether colours are shown; None for only in a terminal."""
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        return False
    if os.environ.get("FORCE_COLOR"):  # https://force-color.org
        return True
    return None


def _linked(text: str, code: codes.Code, stream: TextIO) -> str:
    """Return a text that leads to a code's entry in the manual, if a terminal can."""
    if not stream.isatty() or not terminal.knows_links(os.environ):
        return text
    manual = terminal.manual()
    if not manual:
        return text
    page = "findings" if code in codes.findings() else "notices"
    return terminal.linked(text, f"{manual}{page}/#{code}")


def _colored(level: str, text: str) -> str:
    return click.style(text, fg=_COLORS[level])


def _dim(text: str) -> str:
    return click.style(text, dim=True)
