"""The list of commits to ignore, a file for `git blame` → the commits' names."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.untrusted_files import is_relative, read_regular_file

__all__ = ["IGNORE_REVS_FILE", "IgnoreRevs", "parse_ignore_revs", "read_ignore_revs"]

IGNORE_REVS_FILE = ".git-blame-ignore-revs"
"""The name that GitHub, GitLab and the manual of `git blame` use."""

MAX_BYTES = 1 << 20
"""Room for 25,000 commits; Sphinx' own list holds 203."""

_OBJECT_NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class IgnoreRevs(NamedTuple):
    """The content of a list."""

    commits: frozenset[bytes] = frozenset()
    """Full object names."""

    notices: tuple[Notice, ...] = ()
    """Why the list, or a line of it, cannot be used."""


def read_ignore_revs(root: Path, *, option: str | bool) -> IgnoreRevs:
    """Read a repository's list. One with the usual name may be missing, one named by the user not.

    The option is `Options.ignore_revs`: False for no list, True for the usual name, or another
    name, relative to the root.
    """
    if option is False:
        return IgnoreRevs()
    name = IGNORE_REVS_FILE if option is True else option
    if not is_relative(name):
        return _unread(f"{quoted(name)} is not relative to the repository's root")
    file = Path(root, name)
    if option is True and not os.path.lexists(file):
        return IgnoreRevs()
    try:
        content = read_regular_file(file, root=root, max_bytes=MAX_BYTES)
    except (OSError, ValueError) as error:  # ValueError: the name contains a NUL character.
        reason = getattr(error, "strerror", None) or error
        return _unread(f"{file} cannot be read ({reason})")
    commits, wrong = parse_ignore_revs(content)
    if not wrong:
        return IgnoreRevs(commits)
    problem = f"{quoted(wrong[0])} in {file} is not a full commit name"
    return IgnoreRevs(commits, (Notice("ignore-revs", problem, cure="write all of it"),))


def _unread(problem: str) -> IgnoreRevs:
    text = f"{problem}, so no commit is ignored"
    return IgnoreRevs(notices=(Notice("ignore-revs", text, cure="correct `ignore_revs`"),))


def parse_ignore_revs(content: bytes) -> tuple[frozenset[bytes], list[str]]:
    """Return the commits that a file for `blame.ignoreRevsFile` lists, and its invalid lines.

    A line contains one full name; a comment begins with `#`.
    """
    lines = [line.partition(b"#")[0].strip().lower() for line in content.splitlines()]
    commits = frozenset(line for line in lines if _OBJECT_NAME.fullmatch(line))
    return commits, [
        line.decode(errors="replace") for line in lines if line and line not in commits
    ]
