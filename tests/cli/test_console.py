"""A command that takes long shows in a terminal how far it is."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty")

PROGRAM = """
import time
from sitemap_plugins.cli.console import Output
output = Output(quiet={quiet}, verbose=False)
items = list(range({number}))
seen = []
for item in output.track(items, "Requesting URLs"):
    time.sleep({seconds})
    seen.append(item)
assert seen == items
"""


def shown(**values):
    """Return what a run of the program writes to a terminal."""
    program = PROGRAM.format(**{"quiet": False, **values})
    terminal, end = pty.openpty()
    with os.fdopen(terminal, "rb", buffering=0) as output:
        environ = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
        command = [sys.executable, "-c", program]
        subprocess.run(command, stderr=end, check=True, env=environ)
        os.close(end)
        text = b""
        try:
            while block := output.read(4096):
                text += block
        except OSError:  # Linux reports the end of a terminal as an error.
            pass
    return text.decode()


def test_few_items_that_take_long_have_a_bar_with_the_time_left():
    text = shown(number=6, seconds=0.4)

    assert "Requesting URLs" in text
    assert "left" in text
    assert "/6" in text


@pytest.mark.parametrize(
    "values",
    [
        {"number": 1_000, "seconds": 0},
        {"number": 0, "seconds": 0},
        {"number": 4, "seconds": 0.4, "quiet": True},
    ],
)
def test_short_and_quiet_runs_have_none(values):
    assert "" == shown(**values)
