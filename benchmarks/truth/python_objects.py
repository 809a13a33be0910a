"""What Griffe, the reader of mkdocstrings, sees of the objects in versions of a module.

Nothing is imported or run. `benchmarks/api_dates.py` judges parts of objects by this,
and `benchmarks.truth` pages that show some.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import griffe

Parts = Mapping[str, Hashable]
"""What is seen of the objects of a module, by names that the reader of it gives."""

Read = Callable[[bytes], Parts]


class Documented(NamedTuple):
    """What is seen of an object with a docstring: it is known again in another file."""

    value: Hashable


def visit(content: bytes) -> Any | None:
    """Return Griffe's module of a file; None for one that is empty or not readable."""
    if not content:
        return None
    try:
        text = content.decode("utf-8")
    except ValueError:
        text = content.decode("latin-1")
    with suppress(SyntaxError, ValueError, RecursionError):
        return griffe.visit("module", filepath=Path("/module.py"), code=text)
    return None


def is_listed(seen: Any, name: str) -> bool:
    """Tell whether hosts list a member of a class or module: it is public."""
    if seen.is_module and seen.exports is not None:
        return name in {str(export) for export in seen.exports}
    is_special = name.startswith("__") and name.endswith("__")
    return is_special or not name.startswith("_")


def docstring(seen: Any) -> str:
    """Return an object's docstring; empty for none."""
    return seen.docstring.value if seen.docstring else ""


def view(seen: Any) -> Hashable:
    """Return an object's docstring, signature and labels."""
    found: list[Hashable] = [seen.kind.value, docstring(seen)]
    found.append(tuple(sorted(seen.labels)))
    if seen.is_function:
        found.append(signature(seen))
        found += [signature(overload) for overload in seen.overloads or ()]
    if seen.is_class:
        found += [str(base) for base in seen.bases]
        for initializer in ("__init__", "__new__"):
            member = seen.members.get(initializer)
            if member is not None and member.is_function:
                parameters, _ = signature(member)
                found += [parameters, docstring(member)]
        if "dataclass" in seen.labels:
            found += _fields(seen)
    if seen.is_attribute:
        found += [text(seen.annotation), text(seen.value)]
    return tuple(found)


def signature(function: Any) -> tuple[Hashable, str]:
    """Return the parameters of a function, and the annotation of what it returns."""
    parameters = []
    for each in function.parameters:
        row = (each.name, text(each.annotation), text(each.default), str(each.kind))
        parameters.append(row)
    return tuple(parameters), text(function.returns)


def text(expression: Any) -> str:
    """Return an expression's text: none at all differs from `None`."""
    return "" if expression is None else f"={expression}"


def _fields(seen: Any) -> Iterator[Hashable]:
    for name, member in seen.members.items():
        if not member.is_alias and member.is_attribute and member.annotation:
            yield name, text(member.annotation), text(member.value)


class Step(NamedTuple):
    """A commit that changed a file, as `git log --follow` names it."""

    commit: str
    parents: tuple[str, ...]
    path: str
    old_path: str


class Files:
    """The versions of files, along `git log --follow`."""

    def __init__(
        self, repository: Path, read: Read, ignored: frozenset[str] = frozenset()
    ) -> None:
        """Start to read contents; what `ignored` commits changed counts for nothing."""
        self._repository = repository
        self._read = read
        self._ignored = ignored
        command = ["git", "-C", str(repository), "cat-file", "--batch"]
        pipe = subprocess.PIPE
        self._contents = subprocess.Popen(command, stdin=pipe, stdout=pipe)

    def close(self) -> None:
        """End the program that reads contents."""
        with self._contents:
            self._contents.terminate()

    @cache  # noqa: B019 one for each run
    def steps(self, start: str, path: str) -> list[Step]:
        """Return the commits that changed a file, from the newest.

        Those of `git log`, which leaves branches out that left nothing; `--follow`
        says which file was renamed.
        """
        renames = {step.commit: step for step in self._follow(start, path)}
        output = git(self._repository, "log", "--format=%H %P", start, "--", path)
        steps = []
        for line in output.decode().splitlines():
            commit, *parents = line.split()
            step = Step(commit, tuple(parents), path, path)
            renamed = renames.get(commit, step)
            if renamed.old_path == path or renamed.path != path:
                steps.append(step)
            else:
                # What the path was before, another file was.
                return [*steps, renamed, *self.steps(parents[0], renamed.old_path)]
        return steps

    def _follow(self, start: str, path: str) -> list[Step]:
        """Return the commits of `git log --follow`, which takes no branch out."""
        form = ("--name-status", "-z", "--format=%x01%H %P", "--follow")
        try:
            output = git(self._repository, "log", *form, "-M", start, "--", path)
        except subprocess.CalledProcessError:
            # A mirror can lack large files: then only exact moves are found.
            output = git(self._repository, "log", *form, "-M100%", start, "--", path)
        log = output.decode(errors="replace")
        steps = []
        for block in log.split("\x01")[1:]:
            head, _, rest = block.partition("\0")
            commit, *parents = head.split()
            fields = [it.strip("\n") for it in rest.split("\0") if it.strip("\n")]
            if len(fields) > 1:
                steps.append(Step(commit, tuple(parents), fields[-1], fields[1]))
        return steps

    @lru_cache(maxsize=512)  # noqa: B019 one for each run
    def read(self, commit: str, path: str) -> Parts:
        """Return what is seen in a version; nothing in one that is not there."""
        stdin, stdout = self._contents.stdin, self._contents.stdout
        assert stdin
        assert stdout
        stdin.write(f"{commit}:{path}\n".encode())
        stdin.flush()
        head = stdout.readline().split()
        if head[-1] == b"missing":
            return {}
        content = stdout.read(int(head[-1]))
        stdout.read(1)
        return self._read(content)

    @cache  # noqa: B019 one for each run
    def newest(self, path: str, name: str, start: str = "HEAD") -> str:
        """Return the newest commit that changed a part; empty for none."""
        for commit, parents, now, before in self.steps(start, path):
            if commit in self._ignored:
                continue
            old = [self.read(parent, before).get(name) for parent in parents]
            new = self.read(commit, now).get(name)
            if new in (old or [None]):
                continue
            if old == [None] and isinstance(new, Documented):
                for other in self.changed(commit):
                    had = self.read(parents[0], other).get(name) == new
                    # A copy is no move.
                    if had and self.read(commit, other).get(name) != new:
                        return self.newest(other, name, parents[0])
            return commit
        return ""

    @cache  # noqa: B019 one for each run
    def changed(self, commit: str) -> list[str]:
        """Return the modules that a commit changed."""
        form = (
            "--name-only",
            "-z",
            "--format=",
            "-m",
            "--first-parent",
            "--no-renames",
        )
        output = git(self._repository, "show", *form, commit, "--", "*.py")
        return [os.fsdecode(name) for name in output.split(b"\0") if name]


def git(repository: Path, *arguments: str) -> bytes:
    """Return what a git command prints.

    Raises:
        CalledProcessError: It failed.
    """
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout
