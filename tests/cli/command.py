"""Run the command line as a user would."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import NamedTuple

from click.testing import CliRunner

from sitemap_plugins.cli.commands import commands
from tests.preloaded import decode, run_module


class Run(NamedTuple):
    returncode: int
    out: str
    err: str


def run(folder, *arguments, code=None, encoding="utf-8", **environ) -> Run:
    """Run `sitemap-plugins`, or Python code in its place,
    in a folder and a terminal's encoding.

    Mutation testing sees only its own process, so `nox -s mutation` sets
    SITEMAP_IN_PROCESS.
    """
    if "SITEMAP_IN_PROCESS" in os.environ and not code:
        runner = CliRunner(charset=encoding, env={"COLUMNS": "80", **environ})
        with contextlib.chdir(folder):
            result = runner.invoke(
                commands,
                [*map(str, arguments)],
                prog_name="sitemap-plugins",
                catch_exceptions=False,
            )
        return Run(result.exit_code, result.stdout, result.stderr)
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
    return Run(done.returncode, out, err)
