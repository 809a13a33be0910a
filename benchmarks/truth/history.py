"""When a file changed last, by git's own commands; nothing is shared with us.

`git log -1 -- file` is the question that a maintainer would ask. Where the answer is a
commit that left the text as it was (a move, a mode, a commit in
.git-blame-ignore-revs), the same question is asked of the parent. `last_seen` passes
over those, too, before which the file reads the same.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import weakref
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.truth.reading import seen

if TYPE_CHECKING:
    from datetime import date

LISTED = ".git-blame-ignore-revs"
MOVES, MODES, IGNORED, UNSEEN = "moves", "modes", "ignored", "unseen"
"""Why a commit does not count as a change of a file."""


class History:
    """The history of one clone; paths are relative to it, with slashes."""

    def __init__(
        self, source: Path, answers: dict[tuple[str, ...], str] | None = None
    ) -> None:
        """Read what the last commit of a clone contains, and what a build changed.

        `answers` are those of git's log for clones of the same commit.
        """
        self._source = source
        self._answers = {} if answers is None else answers
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
        ignored = {line.partition("#")[0].strip() for line in text.splitlines()}
        self.ignored = frozenset(ignored - {""})
        """Full names of the commits that the repository lists as no changes."""

    def original(self, path: str) -> str | None:
        """Return the tracked file that another one is a copy of; None for none.

        It is the only one with its bytes and its name, or else the only one with its
        bytes.
        """
        name = self._git("hash-object", "--no-filters", "--", path).strip()
        twins = self._twins.get(name, [])
        named = [twin for twin in twins if Path(twin).name == Path(path).name]
        same = named or twins
        return same[0] if len(same) == 1 else None

    def last_commit(self, path: str) -> datetime | None:
        """Return the committer's date of `git log -1` for a tracked file."""
        return self._date(path, "%cI")

    def commits(self, path: str) -> list[datetime]:
        """Return the committer's dates of all that `git log` names of a file."""
        dates = self._git("log", "--format=%cI", "--", path).split()
        return [*map(datetime.fromisoformat, dates)]

    def authored(self, path: str) -> datetime | None:
        """Return when the author of the last commit wrote it, in the author's zone."""
        return self._date(path, "%aI")

    def last_merge(self, path: str) -> datetime | None:
        """Return when the last change reached the branch, by a commit or by a merge."""
        return self._date(path, "%cI", "--first-parent")

    def is_unchanged(self, path: str) -> bool:
        """Tell whether a tracked file has not changed since it was added."""
        return len(self._git("log", "-2", "--format=%H", "--", path).split()) < 2

    @functools.cache  # noqa: B019 - One history lives as long as its site is judged.
    def last_change(self, path: str) -> tuple[datetime | None, str]:
        """Return when the text changed last, and why a newer commit does not count.

        The date is None if no commit is left, the reason empty if none is newer.
        """
        return self._last(path, content=False)

    @functools.cache  # noqa: B019
    def last_seen(self, path: str) -> tuple[datetime | None, str]:
        """Return when what readers see changed last, and why no newer commit counts.

        As for `last_change`.
        """
        return self._last(path, content=True)

    @functools.cache  # noqa: B019
    def line_added(self, path: str, line: str) -> datetime | None:
        """Return when a line was last added to a file or taken out of it."""
        text = self._git("log", "-1", "--format=%cI", f"-S{line}", "--", path).strip()
        return datetime.fromisoformat(text) if text else None

    def _last(self, path: str, *, content: bool) -> tuple[datetime | None, str]:
        start, reason = "HEAD", ""
        while found := self._git(
            "log", "-1", "--format=%H %cI %P", start, "--", path
        ).split():
            commit, date, *parents = found
            why, start, path = self._passed(commit, parents, path, content=content)
            if not why:
                return datetime.fromisoformat(date), reason
            reason = reason or why
        return None, reason

    def _passed(
        self, commit: str, parents: list[str], path: str, *, content: bool
    ) -> tuple[str, str, str]:
        """Return why a commit does not count, and where to go on; empty if it does."""
        own = self._blob(commit, path)
        earlier = {}
        for parent in parents:
            blob = self._blob(parent, path)
            if blob:
                earlier[parent] = blob
        for parent, blob in earlier.items():
            if blob == own:
                return MODES, parent, path
        for parent, blob in earlier.items():
            if commit in self.ignored:
                return IGNORED, parent, path
            if content and self._read(path, blob) == self._read(path, own):
                return UNSEEN, parent, path
        if not earlier and parents:
            return self._moved(commit, parents[0], path, content=content)
        return "", "", ""

    def _moved(
        self, commit: str, parent: str, path: str, *, content: bool
    ) -> tuple[str, str, str]:
        """Return what `_passed` does of a commit that added the file at its path."""
        own = self._blob(commit, path)
        # It fails if a mirror lacks a file that it has to compare.
        rows = self._git("show", "-M50%", "--raw", "--format=", "-z", commit)
        # Not `\0`, which a digit in the path would make another character.
        moved = re.search(rf"\sR\d+\x00([^\x00]+)\x00{re.escape(path)}\x00", rows)
        blob = self._blob(parent, moved[1]) if moved else ""
        if not moved or not blob:
            return "", "", ""
        if blob == own:
            return MOVES, parent, moved[1]
        has_name = Path(moved[1]).name == Path(path).name
        if content and has_name and self._read(path, blob) == self._read(path, own):
            return UNSEEN, parent, moved[1]
        return "", "", ""

    def _blob(self, commit: str, path: str) -> str:
        answer = self._objects.header(f"info {commit}:{path}")
        return answer[0] if answer else ""

    def _read(self, path: str, blob: str) -> object:
        return seen(path, self._objects.content(blob))

    @functools.cached_property
    def _objects(self) -> GitObjects:
        return GitObjects(self._source)

    @functools.cache  # noqa: B019
    def _date(self, path: str, form: str, *options: str) -> datetime | None:
        text = self._git("log", "-1", f"--format={form}", *options, "--", path).strip()
        return datetime.fromisoformat(text) if text else None

    def _git(self, *arguments: str) -> str:
        if arguments[0] != "log":
            return self._asked(*arguments)
        if arguments not in self._answers:
            self._answers[arguments] = self._asked(*arguments)
        return self._answers[arguments]

    def _asked(self, *arguments: str) -> str:
        """Run git; what asks for a commit that is not there has an empty answer."""
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", *arguments],
            cwd=self._source,
            capture_output=True,
            check=arguments[0] != "show",
            env=environment(),
        )
        return done.stdout.decode("utf-8", "surrogateescape")


class GitObjects:
    """Git's objects, from one process that answers as long as it is asked."""

    def __init__(self, source: Path) -> None:
        """Start the process, in a clone."""
        self._git = subprocess.Popen(
            ["git", "cat-file", "--batch-command"],
            cwd=source,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        # It ends when its input does.
        weakref.finalize(self, self._git.communicate)

    def header(self, command: str) -> list[str] | None:
        """Return the name, the type and the size of an object; None for none."""
        asked, answers = self._git.stdin, self._git.stdout
        assert asked
        assert answers
        asked.write(command.encode("utf-8", "surrogateescape") + b"\n")
        asked.flush()
        answer = answers.readline().decode("utf-8", "surrogateescape")
        return None if answer.endswith(" missing\n") else answer.split()

    def content(self, name: str) -> bytes:
        """Return the bytes of an object; none if there is no such object."""
        answer = self.header(f"contents {name}")
        if not answer:
            return b""
        answers = self._git.stdout
        assert answers
        # A line end follows the content.
        return answers.read(int(answer[2]) + 1)[:-1]


def environment() -> dict[str, str]:
    """Return the environment in which git's answers are the same for everybody."""
    return {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_LITERAL_PATHSPECS": "1",
    }


def same_day(stated: date, moment: date) -> bool:
    """Tell whether both are on one day: in UTC, in a zone of theirs, each in its own.

    Either may have no time, and so no zone.
    """
    if not isinstance(stated, datetime) or not isinstance(moment, datetime):
        return not _days(stated).isdisjoint(_days(moment))
    if stated.date() == moment.date():
        return True
    for zone in (UTC, stated.tzinfo, moment.tzinfo):
        if stated.astimezone(zone).date() == moment.astimezone(zone).date():
            return True
    return False


def _days(moment: date) -> set[date]:
    """Return the days of a moment, in its zone and in UTC; a day is itself."""
    if isinstance(moment, datetime):
        return {moment.date(), moment.astimezone(UTC).date()}
    return {moment}
