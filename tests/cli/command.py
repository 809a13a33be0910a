"""Run the command line as its users do."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple


class Run(NamedTuple):
    returncode: int
    out: str
    err: str


def run(folder, *arguments, code=None, encoding="utf-8", **environ) -> Run:
    """Run `sitemap-plugins`, or Python code in its place, in a folder and a terminal's encoding."""
    start = ["-c", code] if code else ["-m", "sitemap_plugins"]
    done = subprocess.run(
        [sys.executable, "-P", *start, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": encoding, **environ},
        capture_output=True,
        encoding=encoding,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)
