"""The output of the commands: results, problems, progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.markup import escape

from sitemap_plugins.core import codes
from sitemap_plugins.core.messages import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_plugins.checks.findings import Group, Result
    from sitemap_plugins.core.messages import Notice

T = TypeVar("T")

_LONG = 200
"""Items for which a progress bar is shown."""

EXAMPLES = 3
"""Findings of one code that the terminal shows without --verbose."""

_STYLES = {"error": "red", "warning": "yellow", "info": "cyan"}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Let `commands` handle it, like that of click's output."""
        raise  # noqa: PLE0704 rich calls this while it handles the error


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The output of a command: results on standard output, the rest on standard error."""

    results: Console
    messages: Console
    verbose: bool

    @classmethod
    def make(cls, *, quiet: bool, verbose: bool) -> Output:
        """Make the two consoles; with `quiet`, only problems are printed."""
        return cls(
            results=_Console(quiet=quiet, soft_wrap=True, highlight=False),
            messages=_Console(stderr=True, soft_wrap=True, highlight=False),
            verbose=verbose,
        )

    def line(self, text: str) -> None:
        """Print one line of the result."""
        self.results.print(escape(printable(text)))

    def problem(self, text: str) -> None:
        """Print one line about what must be corrected."""
        self.messages.print(f"[red]Error:[/] {escape(printable(text))}")

    def notice(self, notice: Notice) -> None:
        """Print a notice with its place and code."""
        if notice.level == "info" and self.results.quiet:
            return
        style = _STYLES[notice.level]
        self.messages.print(
            f"[{style}]{notice.level}[/] {escape(str(notice))} [dim]({notice.code})[/]"
        )

    def findings(self, result: Result) -> None:
        """Print what was found, a few findings of each code or, if verbose, all."""
        for group in result.groups():
            self._group(group)
        if result.findings:
            code = result.findings[0].code
            self.line(f"For more about a finding: sitemap-plugins explain {code}")

    def _group(self, group: Group) -> None:
        """Print the findings of one code: what it means, where, and the cure, each once."""
        code, severity, count, found = group
        style, meaning = _STYLES[severity], escape(codes.findings()[code].meaning)
        self.results.print(f"[{style}]{severity}[/] [bold]{code}[/] ({count:,}): {meaning}")
        shown = found if self.verbose else found[:EXAMPLES]
        for finding in shown:
            place = escape(printable(finding.place))
            self.results.print(f"  [dim]{place}[/]  {escape(printable(finding.problem))}")
        if count > len(shown):
            self.results.print(f"  [dim]and {count - len(shown):,} more[/]")
        for cure in dict.fromkeys(finding.cure for finding in shown):
            self.results.print(f"  → {escape(printable(cure))}")

    def details(self, lines: Iterable[str]) -> None:
        """Print lines of the verbose output, which are not made unless it is wanted."""
        if self.verbose:
            for line in lines:
                self.messages.print(escape(line), style="dim")

    def track(self, items: Sequence[T], description: str) -> Iterator[T]:
        """Yield the items, with a progress bar in a terminal if there are many."""
        if len(items) < _LONG or not self.messages.is_terminal or self.results.quiet:
            yield from items
            return
        from rich import progress as bars  # noqa: PLC0415 seldom needed, slow to import

        with bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.MofNCompleteColumn(),
            bars.TimeElapsedColumn(),
            console=self.messages,
            transient=True,
        ) as progress:
            yield from progress.track(items, description=description)
