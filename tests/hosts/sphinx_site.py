"""Sphinx projects written file by file, and built by the real command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sphinx

from tests.preloaded import decode, run_module
from tests.sites import QUIET, UTC_BEFORE_SPHINX_8_1, Built, Sphinx

if TYPE_CHECKING:
    from pathlib import Path

before_8_2 = sphinx.version_info < (8, 2)
lists_all_pages_again = pytest.mark.skipif(
    before_8_2,
    reason="a build in which nothing changed does not list the pages of extensions",
)
takes_flags = pytest.mark.skipif(
    before_8_2, reason="-D takes only texts for our options"
)

BASE_URL = "https://example.com/docs/"


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
    lines += [UTC_BEFORE_SPHINX_8_1] if "html_last_updated_use_utc" in settings else []
    for name, text in {"conf.py": "".join(lines), **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def build(
    folder: Path, *arguments: str, builder: str = "html", **environ: str
) -> Built:
    return Sphinx().run(folder, "-b", builder, *arguments, **environ)


def build_many(folder: Path, builds: list[list[str]]) -> str:
    """Run the command several times, each with its arguments; return the log."""
    log = ""
    for arguments in builds:
        run = run_module("sphinx", arguments, folder=folder, usual=QUIET, environ={})
        log += decode(run.stdout + run.stderr)
        assert 0 == run.returncode, log
    return log
