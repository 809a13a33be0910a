"""The output of the commands: results, problems, progress."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import Notice, printable, quoted
from sitemap_plugins.findings.records import Finding, Result

if TYPE_CHECKING:
    from sitemap_plugins.cli.progress import SignOfLife

T = TypeVar("T")

EXAMPLES = 3
"""Findings of one code that the terminal shows without --verbose."""

_HANGING = " " * 4
"""What the further lines of a long one begin with."""

_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}


class _Console(Console):
    """One of the two streams, on which rich prints."""

    def on_broken_pipe(self) -> None:
        """Raise the error, as for every other stream; rich would exit."""
        raise  # noqa: PLE0704 rich handles the error


def open_console(*, stderr: bool = False) -> Console:
    """Return standard output or standard error, for `show`.

    Colours are for terminals, and for who sets FORCE_COLOR (https://force-color.org).
    """
    # https://no-color.org
    colors = None if os.environ.get("NO_COLOR") else "auto"
    return _Console(stderr=stderr, color_system=colors)  # type: ignore[arg-type]


def show(console: Console, line: Text) -> None:
    """Print a line; a terminal shows it broken at spaces, and further lines hang.

    A word is never broken, so that URLs can be followed and copied.
    """
    if console.file.isatty():
        longest = max(map(cell_len, line.plain.split()), default=0)
        width = max(console.width - len(_HANGING), longest)
        line = Text(f"\n{_HANGING}").join(line.wrap(console, width))
    console.print(line, soft_wrap=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A command's output: results on standard output, the rest on standard error."""

    quiet: bool
    """Whether only problems are printed."""

    verbose: bool

    began: float = field(default_factory=time.monotonic)
    """When the command began, in seconds of a clock of its own."""

    out: Console = field(default_factory=open_console)

    err: Console = field(default_factory=partial(open_console, stderr=True))

    sign: SignOfLife | None = field(init=False)
    """What shows steps; None if nobody watches."""

    def __post_init__(self) -> None:
        """Look whether a person sees standard error."""
        sign = None
        if not self.quiet and _is_watched(self.err):
            from sitemap_plugins.cli.progress import SignOfLife  # noqa: PLC0415 slow to import

            sign = SignOfLife(self.err)
        object.__setattr__(self, "sign", sign)

    def step(self, what: str) -> None:
        """Say what the command does from now on, such as `Reading pages`.

        A terminal shows it once it takes longer than a second.
        """
        if self.sign:
            self.sign.begin(what)

    def track(self, items: Iterable[T], description: str) -> Iterator[T]:
        """Return the items; a terminal shows how many of them were taken."""
        return self.sign.track(items, description) if self.sign else iter(items)

    def data(self, text: str) -> None:
        """Print a result for programs: in UTF-8, whatever the terminal's encoding.

        In JSON, `##[` is written with an escape, as it begins a command for GitHub's
        runner. In other formats, `printable` has changed it.
        """
        self._hide_sign()
        click.echo(text.replace("##[", "##\\u005b").encode(), nl=False)

    def line(self, text: str | Text) -> None:
        """Print one line of the result; a text with colours must be safe to print."""
        if not self.quiet:
            self._hide_sign()
            show(self.out, Text(printable(text)) if isinstance(text, str) else text)

    def message(self, text: str) -> None:
        """Print one line beside the result."""
        self._beside(Text(printable(text)))

    def problem(self, text: str) -> None:
        """Print one line about what must be corrected."""
        self._beside(Text.assemble(("Error:", "red"), f" {printable(text)}"))

    def notice(self, notice: Notice) -> None:
        """Print a notice with its place and code."""
        if notice.level != "info" or not self.quiet:
            level = (notice.level, _COLORS[notice.level])
            code = (f"({notice.code})", "dim")
            self._beside(Text.assemble(level, f" {notice} ", code))

    def findings(self, result: Result) -> None:
        """Print what was found: the place, the code, what is wrong, and the cure.

        The worst come first, then in the order of files and lines. Without `verbose`,
        a few of each code are printed, and the others are counted.
        """
        limit = None if self.verbose else EXAMPLES
        shown: list[Finding] = []
        others = []
        for group in result.groups():
            some = group.findings[:limit]
            shown += some
            if len(some) < group.number:
                others.append(f"{group.number - len(some):,} {group.code}")
        shown.sort(key=attrgetter("rank"))
        for cure, same in groupby(shown, key=attrgetter("cure")):
            for finding in same:
                self._finding(finding)
            self.line(f"  → {cure}")
        if others:
            self.line(f"not shown: {', '.join(others)} (see --verbose)")

    def _finding(self, finding: Finding) -> None:
        """Print a finding's place, code and problem."""
        place = (printable(finding.place), "bold")
        level = (finding.severity, _COLORS[finding.severity])
        code = (finding.code, "bold")
        problem = finding.problem
        if 0 < len(finding.url) <= MAX_LOC_LENGTH:
            problem = problem.replace(quoted(finding.url), finding.url)
        text = printable(problem)
        self.line(Text.assemble(place, ": ", level, "[", code, "] ", text))

    def summary(self, result: Result) -> None:
        """Print how much was checked and found, and in which time."""
        if result.findings:
            code = min(result.findings, key=attrgetter("rank")).code
            self.line(f"For more about a code: sitemap-plugins explain {code}")
        seconds = time.monotonic() - self.began
        self.line(f"{result.summary()} ({seconds:.2f} s)")

    def details(self, lines: Iterable[str]) -> None:
        """Print lines of the verbose output, which are not made unless it is wanted."""
        if self.verbose:
            for line in lines:
                self._beside(Text(line, "dim"))

    def _beside(self, line: Text) -> None:
        """Print a line on standard error."""
        self._hide_sign()
        show(self.err, line)

    def _hide_sign(self) -> None:
        if self.sign:
            self.sign.hide()


def _is_watched(console: Console) -> bool:
    """Tell whether a person sees a stream."""
    is_terminal = console.file.isatty() and not console.is_dumb_terminal
    return is_terminal and not CI.from_environ(os.environ).is_ci
