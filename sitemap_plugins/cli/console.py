"""The output of the commands: results, problems, progress."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

import click
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from sitemap_plugins.core import codes
from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.messages import Notice, printable
from sitemap_plugins.findings.records import CodeGroup, Finding, Result

if TYPE_CHECKING:
    from sitemap_plugins.cli.progress import SignOfLife

T = TypeVar("T")

EXAMPLES = 3
"""Findings of one code that the terminal shows without --verbose."""

HANGING = 2
"""Columns by which the further lines of a long one are indented, beside its own."""

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

    A word is never broken: URLs can be followed and copied.
    """
    if console.file.isatty():
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        margin = " " * (indent + HANGING)
        longest = max(map(cell_len, line.plain.split()), default=0)
        width = max(console.width - len(margin), longest)
        line = Text(f"\n{margin}").join(line.wrap(console, width))
    console.print(line, soft_wrap=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A command's output: results on standard output, the rest on standard error."""

    quiet: bool
    """Whether only problems are printed."""

    verbose: bool

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
        """Print a result for programs: in UTF-8, whatever the terminal's encoding."""
        self._hide_sign()
        click.echo(text.encode(), nl=False)

    def line(self, text: str | Text) -> None:
        """Print one line of the result; a text with colours must be safe to print."""
        if not self.quiet:
            self._hide_sign()
            show(self.out, text if isinstance(text, Text) else Text(printable(text)))

    def message(self, text: str) -> None:
        """Print one line beside the result."""
        self._beside(Text(printable(text)))

    def problem(self, text: str) -> None:
        """Print one line about what must be corrected."""
        self._beside(_colored("error", "Error:").append(f" {printable(text)}"))

    def notice(self, notice: Notice) -> None:
        """Print a notice with its place and code."""
        if notice.level != "info" or not self.quiet:
            line = _colored(notice.level, notice.level).append(f" {notice} ")
            linked = Style(dim=True, link=_entry(notice.code, self.err))
            self._beside(line.append(f"({notice.code})", linked))

    def findings(self, result: Result) -> None:
        """Print what was found, a few findings of each code or, if verbose, all."""
        for group in result.groups():
            self._group(group)
        if result.findings:
            code = result.findings[0].code
            self.line(f"For more about a finding: sitemap-plugins explain {code}")

    def _group(self, group: CodeGroup) -> None:
        """Print one code's findings: its meaning, the places, and each cure once."""
        linked = Style(bold=True, link=_entry(group.code, self.out))
        line = _colored(group.severity, group.severity).append(" ")
        line.append(group.code, linked)
        meaning = codes.findings()[group.code].meaning
        self.line(line.append(f" ({group.number:,}): {meaning}"))

        shown = group.findings if self.verbose else group.findings[:EXAMPLES]
        self._examples(shown, group.number - len(shown))
        cures = dict.fromkeys(finding.cure for finding in shown)
        for cure in cures:
            self.line(f"  → {cure}")

    def _examples(self, shown: Iterable[Finding], others: int) -> None:
        """Print some findings, each with its place, and how many others there are."""
        for finding in shown:
            line = Text("  ").append(printable(finding.place), "dim")
            self.line(line.append(f"  {printable(finding.problem)}"))
        if others:
            self.line(Text("  ").append(f"and {others:,} more", "dim"))

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


def _colored(level: str, text: str) -> Text:
    # The colour is the word's; what is appended has its own.
    return Text().append(text, _COLORS[level])


def _entry(code: codes.Code, console: Console) -> str | None:
    """Return the address of a code's entry in the manual, for a terminal's link."""
    address = _manual() if console.file.isatty() else ""
    if not address:
        return None
    return f"{address}messages/#{code}"


@cache
def _manual() -> str:
    """Return the manual's address, with a slash; empty if the package names none."""
    from importlib.metadata import PackageNotFoundError, metadata  # noqa: PLC0415

    try:
        addresses = metadata("sitemap-plugins").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    for address in addresses:
        label, _, url = address.partition(", ")
        if label == "Documentation":
            return f"{url.rstrip('/')}/"
    return ""
