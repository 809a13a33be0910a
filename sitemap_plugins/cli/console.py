"""What the commands print, and how they end: 0 all is well, 1 something was found, 2 cannot run."""

from __future__ import annotations

import codecs
import errno
import io
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from sitemap_plugins.core.errors import SitemapError
from sitemap_plugins.core.messages import printable, quoted, without_password

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_plugins.checks.findings import Finding
    from sitemap_plugins.core.codes import Code, Kind
    from sitemap_plugins.core.notices import Notice

__all__ = ["CANNOT_RUN", "FOUND", "INTERRUPTED", "CommandGroup", "Output"]

T = TypeVar("T")

FOUND = 1
"""Exit code: the command ran, and what it found must be corrected."""

CANNOT_RUN = 2
"""Exit code: the command could not do what it was asked; click's own for wrong arguments."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells give it: 128 and the signal's number."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""What the system says where nothing more can be written."""

_LONG = 200
"""Items that are worth a progress bar."""

_STYLES = {"error": "red", "warning": "yellow", "info": "cyan"}

_IN_ASCII = {"→": "->", "…": "..."}
"""What we write for these characters where an encoding does not have them."""


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write a character that an encoding does not have in ASCII: an arrow, or else an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    error.end = error.start + 1
    text = _IN_ASCII.get(error.object[error.start])
    return (text, error.end) if text else codecs.backslashreplace_errors(error)


codecs.register_error("sitemap_plugins.in_ascii", _in_ascii)


class CommandGroup(click.Group):
    """Commands whose users see one line, never a traceback, for what they can correct."""

    def main(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 click's own signature
        """Run the command line, in a terminal of any encoding, and exit."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="sitemap_plugins.in_ascii")
        try:
            sys.exit(super().main(*args, **{**kwargs, "standalone_mode": False}))
        except click.ClickException as error:
            # Without the stream, click writes UTF-8 where the encoding is ASCII.
            error.show(sys.stderr)
            sys.exit(error.exit_code)
        except click.Abort:
            click.echo("Aborted!", file=sys.stderr)
            sys.exit(INTERRUPTED)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 click's own signature
        """Run a command."""
        try:
            return super().invoke(ctx)
        except SitemapError as error:
            raise _Failure(str(error)) from None
        except click.UsageError as error:
            text = without_password(error.format_message())
            raise click.UsageError(text, error.ctx) from None
        except BrokenPipeError:
            sys.stderr.close()  # What reads the output has ended: nothing is left to say.
            ctx.exit(CANNOT_RUN)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                problem = f"{quoted(error.filename)} is longer than a file's name can be"
                raise _Failure(f"{problem}: correct it") from None
            if error.errno not in _NO_ROOM:
                raise
            raise _Failure(f"{error.strerror}: make room, and run the command again") from None


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to `CommandGroup`, as where click prints."""
        raise  # noqa: PLE0704 rich calls this while it handles the error


class _Failure(click.ClickException):
    """What keeps a command from running, in one line."""

    exit_code = CANNOT_RUN


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Where a command says what it does: results on standard output, the rest on standard error."""

    results: Console
    messages: Console
    verbose: bool

    @classmethod
    def make(cls, *, quiet: bool, verbose: bool) -> Output:
        """Make the two consoles; quiet ones say only what is wrong."""
        return cls(
            results=_Console(quiet=quiet, soft_wrap=True, highlight=False),
            messages=_Console(stderr=True, soft_wrap=True, highlight=False),
            verbose=verbose,
        )

    def line(self, text: str, style: str = "") -> None:
        """Print one line of the result."""
        self.results.print(escape(printable(text)), style=style or None)

    def problem(self, text: str) -> None:
        """Print one line about what must be corrected."""
        self.messages.print(f"[red]Error:[/] {escape(printable(text))}")

    def notice(self, notice: Notice) -> None:
        """Print a notice: where, what, and its code."""
        if notice.level == "info" and self.results.quiet:
            return
        style = _STYLES[notice.level]
        self.messages.print(
            f"[{style}]{notice.level}[/] {escape(str(notice))} [dim]({notice.code})[/]"
        )

    def group(self, code: Code, kind: Kind, count: int, shown: Sequence[Finding]) -> None:
        """Print the findings of one code: what it means, where, and the cure, each once."""
        style = _STYLES[kind.severity]
        self.results.print(
            f"[{style}]{kind.severity}[/] [bold]{code}[/] ({count:,}): {escape(kind.meaning)}"
        )
        for finding in shown:
            place = escape(printable(finding.place))
            self.results.print(f"  [dim]{place}[/]  {escape(printable(finding.problem))}")
        if count > len(shown):
            self.results.print(f"  [dim]and {count - len(shown):,} more[/]")
        for cure in dict.fromkeys(finding.cure for finding in shown):
            self.results.print(f"  → {escape(printable(cure))}")

    def details(self, lines: Iterable[str]) -> None:
        """Print what only the verbose output has."""
        if self.verbose:
            for line in lines:
                self.messages.print(escape(line), style="dim")

    def track(self, items: Sequence[T], description: str) -> Iterator[T]:
        """Yield the items, with a progress bar where there are many and a terminal."""
        if len(items) < _LONG or not self.messages.is_terminal or self.results.quiet:
            yield from items
            return
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.messages,
            transient=True,
        ) as progress:
            yield from progress.track(items, description=description)
