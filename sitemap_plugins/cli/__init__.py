"""The command line: arguments and output alone.

What is done is in `core`, `folder`, `checks` and `published`.
"""

from __future__ import annotations

import sys

__all__ = ["main"]

_NEEDED = {"click", "rich", "urllib3", "yaml"}


def main() -> None:
    """Run the command line, or say how to install what it needs."""
    try:
        from sitemap_plugins.cli.commands import commands  # noqa: PLC0415 may be missing
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        sys.exit(
            f"The command line needs {error.name}:"
            " install it with `pip install 'sitemap-plugins[cli]'`."
        )
    except KeyboardInterrupt:  # Loading takes a moment. The status is `console.INTERRUPTED`.
        sys.stderr.write("Aborted!\n")
        sys.exit(130)
    commands(prog_name="sitemap-plugins")
