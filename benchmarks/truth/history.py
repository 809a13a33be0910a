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
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

LISTED = ".git-blame-ignore-revs"
MOVES, MODES, IGNORED = "moves", "modes", "ignored"
"""Why a commit does not count as a change of a file."""


class Change(NamedTuple):
    """What one commit did to a file."""

    commit: str
    date: datetime
    before: str
    after: str
    """The names of the objects that the file was and is."""

    kind: str
    """Git's letter: A (added), M (modified), R (renamed), C (copied) and others."""


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
        listed = source / LISTED
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

    def last_commit(self, path: str) -> datetime | None:
        """Return when `git log -1` says that a tracked file changed, in the committer's zone."""
        return self._date(path, "%cI")

    def authored(self, path: str) -> datetime | None:
        """Return when the author of the last commit wrote it, in the author's zone."""
        return self._date(path, "%aI")

    def last_merge(self, path: str) -> datetime | None:
        """Return when the last change reached the branch, by a commit on it or by a merge."""
        return self._date(path, "%cI", "--first-parent")

    def is_unchanged(self, path: str) -> bool:
        """Tell whether the text of a tracked file has not changed since it was added."""
        return len(self._git("log", "-2", "--format=%H", "--", path).split()) < 2

    @functools.cache  # noqa: B019 - One history lives as long as its site is judged.
    def last_change(self, path: str) -> tuple[datetime | None, str]:
        """Return when the text changed last, and why newer commits do not count (one of them).

        The date is None if no commit is left, the reason empty if none is newer.
        """
        reason = ""
        for change in self._followed(path):
            why = self._why_not(change)
            if not why:
                return change.date, reason
            reason = reason or why
        return None, reason

    def _why_not(self, change: Change) -> str:
        """Return why a commit does not count as a change of the text; empty if it does."""
        if change.commit in self._ignored and change.kind != "A":
            return IGNORED
        if change.before != change.after or change.kind == "C":
            return ""
        return MOVES if change.kind == "R" else MODES

    @functools.cache  # noqa: B019
    def _date(self, path: str, form: str, *options: str) -> datetime | None:
        text = self._git("log", "-1", f"--format={form}", *options, "--", path).strip()
        return datetime.fromisoformat(text) if text else None

    def _followed(self, path: str) -> Iterator[Change]:
        """Yield what commits did to a file, from the newest."""
        arguments = ("log", "--follow", "-M100%", "--raw", "--no-abbrev", "--format=%x01%H %cI")
        # It ends early if a mirror lacks a file that it has to compare.
        for commit in self._git(*arguments, "--", path, check=False).split("\x01")[1:]:
            head, _, rows = commit.partition("\n")
            name, _, date = head.partition(" ")
            for row in rows.split("\n"):
                if row.startswith(":"):
                    _, _, before, after, kind = row.split("\t")[0].split()
                    yield Change(name, datetime.fromisoformat(date), before, after, kind[0])

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


def same_day(stated: date, moment: datetime) -> bool:
    """Tell whether both are on one day: in UTC, in a zone of theirs, or each in its own.

    `stated` may have no time, and so no zone.
    """
    if not isinstance(stated, datetime):
        return stated in {moment.date(), moment.astimezone(UTC).date()}
    return stated.date() == moment.date() or any(
        stated.astimezone(zone).date() == moment.astimezone(zone).date()
        for zone in (UTC, stated.tzinfo, moment.tzinfo)
    )
