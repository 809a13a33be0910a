"""The command line: only arguments and output.

Each command is the module `command` of the folder that does the work; `commands` has
the table of these folders, and loads a command when it is used.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from sitemap_plugins.cli.commands import commands  # noqa: PLC0415 may be interrupted

        commands(prog_name="sitemap-plugins")
    except KeyboardInterrupt:  # Before click handles it.
        sys.stderr.write("Aborted!\n")
        sys.exit(130)  # As shells give it: 128 and the signal's number.
