"""All commands, each loaded when it is used, and their exit codes."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from importlib import import_module
from typing import Any

import click

from sitemap_plugins import __version__
from sitemap_plugins.core.messages import (
    SitemapError,
    printable,
    quoted,
    without_password,
)

FOUND = 1
"""Exit code: the command ran, and found something to correct."""

CANNOT_RUN = 2
"""Exit code: the command cannot run; click uses it for wrong arguments too."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells give it: 128 and the signal's number."""

_COMMANDS = {
    "build": ("folder", "Write the sitemap of a folder of built HTML."),
    "check": ("check", "Check a sitemap for errors."),
    "diff": ("diff", "Compare two sitemaps."),
    "explain": ("explain", "Explain a code, an option, or the date of a page."),
    "merge": ("merge", "Write one index of several sitemaps."),
    "notify": ("notify", "Tell search engines what changed (IndexNow)."),
    "redirects": ("moved", "Print the redirects that moved pages need."),
    "versions": ("versions", "Keep old versions from outranking the new one."),
}
"""Each command with its folder and its short help; it is the function of its name in the
folder's module `command`."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Errors of the system if nothing more can be written."""

_IN_ASCII = {"→": "->", "…": "..."}
"""Texts for characters that the terminal's encoding does not have."""


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return ASCII for a character that an encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    error.end = error.start + 1
    text = _IN_ASCII.get(error.object[error.start])
    return (text, error.end) if text else codecs.backslashreplace_errors(error)


codecs.register_error("sitemap_plugins.in_ascii", _in_ascii)


class _Commands(click.Group):
    """Commands that print one line, not a traceback, about users' problems."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command; None if there is no such command."""
        if cmd_name not in _COMMANDS:
            return None
        folder, command_help = _COMMANDS[cmd_name]
        module = import_module(f"sitemap_plugins.{folder}.command")
        command: click.Command = getattr(module, cmd_name)
        command.short_help = command_help
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:  # noqa: ANN401
        """Take a file, folder or URL in place of a command for `check`'s target."""
        is_target = args[0] not in _COMMANDS and (
            os.path.exists(args[0])  # noqa: PTH110 of any length
            or "://" in args[0]
        )
        if is_target:
            args = ["check", *args]
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """Print the commands in the help; click's own method loads them all."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])

    def main(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 click's own signature
        """Run the command line, in a terminal of any encoding, and exit."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="sitemap_plugins.in_ascii")
        try:
            sys.exit(super().main(*args, **{**kwargs, "standalone_mode": False}))
        except click.ClickException as error:
            _show(error)
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
            if text.startswith("Got unexpected extra argument"):
                text += " Put a name with spaces in quotes."
            raise click.UsageError(text, error.ctx) from None
        except OSError as error:
            if _is_closed_pipe(error):  # The program that reads the output has ended.
                sys.stderr.close()
                ctx.exit(CANNOT_RUN)
            if error.errno == errno.ENAMETOOLONG:
                problem = (
                    f"{quoted(error.filename)} is longer than a file's name can be"
                )
                raise _Failure(f"{problem}: correct it") from None
            if isinstance(error, PermissionError) and error.filename:
                problem = f"{quoted(os.fsdecode(error.filename))} cannot be opened"
                raise _Failure(
                    f"{problem} ({error.strerror}): correct its permissions"
                ) from None
            if error.errno not in _NO_ROOM:
                raise
            raise _Failure(
                f"{error.strerror}: make room, and run the command again"
            ) from None


def _show(error: click.ClickException) -> None:
    """Print an error as click does, in lines that fit the terminal."""
    from rich.text import Text  # noqa: PLC0415 seldom needed

    from sitemap_plugins.cli.console import open_console, show  # noqa: PLC0415

    text = io.StringIO()
    error.show(text)
    for line in text.getvalue().splitlines():
        show(open_console(stderr=True), Text(printable(line)))


def _is_closed_pipe(error: OSError) -> bool:
    """Tell whether nobody reads a pipe any more, which Windows calls EINVAL."""
    is_windows_own = error.errno == errno.EINVAL and error.filename is None
    return is_windows_own or isinstance(error, BrokenPipeError)


class _Failure(click.ClickException):
    """The reason why a command cannot run, in one line."""

    exit_code = CANNOT_RUN


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 120}


# Click proposes the nearest of the names, which is all that it reads of them.
@click.group(
    cls=_Commands, commands={**dict.fromkeys(_COMMANDS)}, context_settings=_SETTINGS
)
@click.version_option(__version__)
def commands() -> None:
    """Write and check sitemaps of any static site.

    Shell completion: `_SITEMAP_PLUGINS_COMPLETE=bash_source sitemap-plugins` prints the
    script for bash; `zsh_source` and `fish_source` print those for zsh and fish.
    """
