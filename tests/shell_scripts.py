"""Programs that tests put in the place of others;
where there is no shell, they are skipped."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def shell_script(file: Path, text: str) -> Path:
    """Write a program, and the folder that it is in."""
    if os.name == "nt":
        pytest.skip("Windows runs no shell scripts")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def recording_git(folder: Path, calls: Path) -> str:
    """Return a PATH on which git is a program that adds its arguments to a file,
    a line each."""
    shell_script(
        folder / "git", f'echo "$@" >>"{calls}"\nexec "{shutil.which("git")}" "$@"'
    )
    return os.pathsep.join([str(folder), os.environ["PATH"]])
