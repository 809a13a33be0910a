"""Run the command line as a user would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import NamedTuple

from tests.preloaded import decode, run_module

TIME = re.compile(r" \(\d+\.\d\d s\)$", re.MULTILINE)
"""What a check took, at the end of its summary."""


class Run(NamedTuple):
    returncode: int
    out: str
    err: str


def run(folder, *arguments, code=None, encoding="utf-8", **environ) -> Run:
    """Run `sitemap-plugins`, or Python code in its place,
    in a folder and a terminal's encoding."""
    usual = {"COLUMNS": "80", "PYTHONIOENCODING": encoding}
    if code:
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, *map(str, arguments)],
            cwd=folder,
            env={**os.environ, **usual, **environ},
            capture_output=True,
            check=False,
        )
    else:
        done = run_module(
            "sitemap_plugins",
            [*map(str, arguments)],
            folder=folder,
            usual=usual,
            environ=environ,
        )
    out, err = (decode(output, encoding) for output in (done.stdout, done.stderr))
    return Run(done.returncode, TIME.sub("", out), err)
