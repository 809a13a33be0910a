"""What a module that `tests/mutation.py` has rewritten imports, in whatever process.

Each of its functions chooses by the environment between itself and one of its mutants.
"""

from __future__ import annotations

import os
from pathlib import Path

from mutmut.mutation import trampoline

MutantDict = trampoline.MutantDict
wrap_in_trampoline = trampoline.wrap_in_trampoline

CALLS = "SITEMAP_MUTATION_CALLS"
"""The variable that names the file for the names of called functions."""

_written = set()


def write(function: str, caller: str | None = None) -> None:
    """Write the name of a function, once into each file."""
    file = os.environ.get(CALLS)
    if not file or (file, function) in _written:
        return
    # Before it is written, as this also calls what is told of files that are opened.
    _written.add((file, function))
    try:
        with Path(file).open("a", encoding="utf-8") as opened:
            opened.write(f"{function}\n")
    except OSError:  # Some tests fill the disk.
        _written.discard((file, function))


trampoline.record_trampoline_hit = write
