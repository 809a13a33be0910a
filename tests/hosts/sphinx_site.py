"""Sphinx projects written file by file, and built by the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.sites import Built, Sphinx

if TYPE_CHECKING:
    from pathlib import Path

BASE_URL = "https://example.com/docs/"
MANY = """
import json, sys
from sphinx.cmd.build import main
sys.exit(max(main(arguments) for arguments in json.loads(sys.argv[1])))
"""


def title(text: str) -> str:
    return f"{text}\n{'=' * (len(text) + 9)}\n\n"


def write(folder: Path, files: dict[str, str], **settings: object) -> Path:
    """Write files by name, and conf.py, where a setting overrides ours."""
    defaults = {
        "project": "Site",
        "version": "1.0",
        "html_baseurl": BASE_URL,
        "extensions": ["sitemap_plugins.sphinx"],
        "exclude_patterns": ["out*", "doctrees*"],
        "html_theme": "basic",
        "smartquotes": False,
    }
    lines = ["import os, sys\nsys.path.insert(0, os.path.abspath('../lib'))\n"]
    lines += [f"{name} = {value!r}\n" for name, value in (defaults | settings).items()]
    for name, text in {"conf.py": "".join(lines), **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def build(folder: Path, *arguments: str, builder: str = "html", **environ: str) -> Built:
    return Sphinx().run(folder, "-b", builder, *arguments, **environ)


def build_many(folder: Path, builds: list[list[str]]) -> str:
    """Run the command several times in one process, each with its arguments; return the log."""
    command = [sys.executable, "-P", "-c", MANY, json.dumps(builds)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == run.returncode, run.stderr
    return run.stdout + run.stderr
