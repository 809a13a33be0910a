"""When a file changed last, by git's own commands: one question at a time, nothing shared with us.

`git log -1 -- file` is the question that a maintainer would ask. Where the answer is a commit that
left the text as it was (a move, a mode, a commit in .git-blame-ignore-revs), the next one that did
change it is found by `git log --follow`.
"""

from __future__ import annotations

import functools
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

IGNORED = ".git-blame-ignore-revs"


class History:
    """The history of one clone; paths are relative to it, with slashes."""

    def __init__(self, source: Path) -> None:
        """Read what the last commit of a clone contains, and what a build changed of it."""
        self._source = source
        self.tracked: dict[str, str] = {}
        """The object of each tracked file."""
        for row in self._git("ls-tree", "-r", "-z", "HEAD").split("\0")[:-1]:
            about, _, path = row.partition("\t")
            self.tracked[path] = about.split()[2]
        self._twins: dict[str, list[str]] = {}
        for path, name in self.tracked.items():
            self._twins.setdefault(name, []).append(path)
        changed = self._git("diff", "--name-only", "-z", "HEAD").split("\0")
        self.changed = frozenset(changed) - {""}
        """Tracked files that differ from the commit: the build wrote them."""
        self.newest = datetime.fromisoformat(self._git("log", "-1", "--format=%cI").strip())
        """When the last commit was made."""
        listed = source / IGNORED
        text = listed.read_text("utf-8") if listed.exists() else ""
        self._ignored = {line.partition("#")[0].strip() for line in text.splitlines()} - {""}

    def original(self, path: str) -> str | None:
        """Return the tracked file that one that is not tracked is a copy of; None for none.

        It is the only one with its bytes and its name, or else the only one with its bytes.
        """
        name = self._git("hash-object", "--no-filters", "--", path).strip()
        twins = self._twins.get(name, [])
        named = [twin for twin in twins if Path(twin).name == Path(path).name]
        same = named or twins
        return same[0] if len(same) == 1 else None

    @functools.cache  # noqa: B019 - One history lives as long as its site is judged.
    def last_commit(self, path: str) -> datetime | None:
        """Return when `git log -1` says that a tracked file changed, in the committer's zone."""
        text = self._git("log", "-1", "--format=%cI", "--", path).strip()
        return datetime.fromisoformat(text) if text else None

    @functools.cache  # noqa: B019
    def authored(self, path: str) -> datetime | None:
        """Return when the author of the last commit wrote it."""
        text = self._git("log", "-1", "--format=%aI", "--", path).strip()
        return datetime.fromisoformat(text) if text else None

    def is_unchanged(self, path: str) -> bool:
        """Tell whether the text of a tracked file has not changed since it was added."""
        return len(self._git("log", "-2", "--format=%H", "--", path).split()) < 2

    @functools.cache  # noqa: B019
    def last_merge(self, path: str) -> datetime | None:
        """Return when the last change reached the branch, by a commit on it or by a merge."""
        text = self._git("log", "-1", "--first-parent", "--format=%cI", "--", path).strip()
        return datetime.fromisoformat(text) if text else None

    @functools.cache  # noqa: B019
    def last_change(self, path: str) -> datetime | None:
        """Return the newest commit that changed the text; None if no commit is left."""
        for name, date, status in self._followed(path):
            before, after, kind = status
            if name in self._ignored and kind != "A":
                continue
            if before != after or kind == "C":
                return date
        return None

    def _followed(self, path: str) -> Iterator[tuple[str, datetime, tuple[str, str, str]]]:
        """Yield the commits of a file from the newest, each with its objects before and after."""
        arguments = ("log", "--follow", "-M100%", "--raw", "--no-abbrev", "--format=%x01%H %cI")
        # It ends early if a mirror lacks a file that it has to compare.
        for commit in self._git(*arguments, "--", path, check=False).split("\x01")[1:]:
            head, _, rows = commit.partition("\n")
            name, _, date = head.partition(" ")
            for row in rows.split("\n"):
                if row.startswith(":"):
                    _, _, before, after, kind = row.split("\t")[0].split()
                    yield name, datetime.fromisoformat(date), (before, after, kind[0])

    def _git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", *arguments],
            cwd=self._source,
            capture_output=True,
            check=check,
            env={
                "PATH": os.environ["PATH"],
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_LITERAL_PATHSPECS": "1",
            },
        )
        return done.stdout.decode("utf-8", "surrogateescape")


def same_day(one: datetime, other: datetime) -> bool:
    """Tell whether two moments are on one day: in UTC, in a zone of theirs, or each in its own."""
    return one.date() == other.date() or any(
        one.astimezone(zone).date() == other.astimezone(zone).date()
        for zone in (UTC, one.tzinfo, other.tzinfo)
    )
