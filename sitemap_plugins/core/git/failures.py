"""Git's error output → an error that names the cause and the cure.

This module does no I/O.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import GitError

if TYPE_CHECKING:
    from sitemap_plugins.core.codes import Code

__all__ = ["explain"]

MAX_QUOTED = 200
"""Characters of git's own text in a message; git can quote a setting of any length."""

_CAUSES = {
    "detected dubious ownership": (
        "git refuses to read {place}, which belongs to another user",
        "if you trust it, run `git config --global --add safe.directory {quoted}`",
    ),
    # `status` alone reads contents of files; the others want folders and commits.
    "^status: .*promisor remote": (
        "the clone in {place} lacks a file that git needs",
        "run `git status` there, to fetch it",
    ),
    "promisor remote": (
        "the clone in {place} lacks the folders of its history",
        "run `git fetch --refetch --filter=blob:none` there, or clone without `--filter=tree:0`",
    ),
    "not a git repository": (
        "the `.git` in {place} is no repository, or leads to none ({reason})",
        "clone again, or copy the repository that it leads to",
    ),
    r"unknown option|^\S+: usage: ": (
        "git is too old for {place} ({reason})",
        "update it to 2.31 or later",
    ),
    ": .*(?:config|repository extension|repo version|compression level|expand user dir)": (
        "git cannot use its configuration for {place} ({reason})",
        "correct that setting",
    ),
    "corrupt|object|(?:bad|read) tree|packfile|index file|parents of|could not read": (
        "git cannot read the repository in {place} ({reason})",
        "run `git fsck` there, or clone again",
    ),
    "": ("`git {command}` failed in {place} ({reason})", "run it there, and fix what it reports"),
}
"""Problem and cure by a pattern for git's English error text; the first that matches counts."""


def explain(stderr: bytes, *, command: str, place: str) -> GitError:
    """Return the error for a command that failed in a folder, from its error output."""
    reason = _reason(stderr.decode(errors="replace"))
    searched = f"{command}: {reason.replace(place, '')}"
    parts = next(
        parts for words, parts in _CAUSES.items() if re.search(words, searched, re.IGNORECASE)
    )
    problem, cure = (
        part.format(
            place=place, quoted=shlex.quote(place), command=command, reason=reason[:MAX_QUOTED]
        )
        for part in parts
    )
    code: Code = "dubious-ownership" if "dubious ownership" in reason else "git-failed"
    return GitError(problem, cure=cure, code=code)


def _reason(stderr: str) -> str:
    """Return the reason in one line: the text from `fatal:` on, or the first line but warnings."""
    lines = [line.strip() for line in stderr.splitlines()]
    for number, line in enumerate(lines):
        if line.startswith("fatal: "):
            return " ".join(lines[number:])
    return next((line for line in lines if line and not line.startswith("warning")), "no message")
