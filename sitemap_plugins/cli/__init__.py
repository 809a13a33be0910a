"""The command line: arguments and output alone.

The work is done in `core`, `folder`, `checks` and `published`. Each command is a module, which
`commands` loads when it is wanted.
"""

from __future__ import annotations

import sys

__all__ = ["CANNOT_RUN", "FOUND", "INTERRUPTED", "main"]

FOUND = 1
"""Exit code: the command ran, and what it found must be corrected."""

CANNOT_RUN = 2
"""Exit code: the command could not do what it was asked; click's own for wrong arguments."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells give it: 128 and the signal's number."""


def main() -> None:
    """Run the command line."""
    try:
        from sitemap_plugins.cli.commands import commands  # noqa: PLC0415 may be interrupted

        commands(prog_name="sitemap-plugins")
    except KeyboardInterrupt:  # Before click handles it.
        sys.stderr.write("Aborted!\n")
        sys.exit(INTERRUPTED)
