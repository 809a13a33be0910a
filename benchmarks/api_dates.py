"""Judge the dates of Python objects by Griffe, the reader of mkdocstrings.

Run: python benchmarks/api_dates.py REPOSITORY FOLDER SEED COUNT

REPOSITORY is a git repository with its whole history, FOLDER that of its package. Its
modules are drawn by lot until they have COUNT documented public objects, at most some
of each; of a class or module, one of its parts is drawn. Each gets its date as a page
would that shows it. Two judges read the versions of the object with Griffe:

- `walk` is asked for the newest commit by the core's own walk over the history, so that
  only what is read of each version differs;
- `follow` looks at the commits of `git log` and, where the file was renamed, goes on
  with its old name (`--follow`), so that the walk differs, too. A documented object
  that is new in its file is looked for in all files of the commit, which must have lost
  it.

Each difference is printed, to be read: a later date of ours can be a rule that hosts
disagree about (`python_objects` says which), an earlier one is a mistake.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import griffe

from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.dates.python_objects import (
    ALONE,
    ORDER,
    WITH_MEMBERS,
    excerpt,
    part,
)
from sitemap_plugins.core.environment import CI, Environment
from sitemap_plugins.core.git import last_change, program
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.git.last_change import Distinct
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage, Excerpt

Parts = Mapping[str, Hashable]
Read = Callable[[bytes], Parts]

MAX_OF_MODULE = 20
"""Objects that are drawn of one module."""

OWN = ""
"""The part of a class or module with the names of its members."""


class Drawn(NamedTuple):
    """An object, and the part of it that a page shows."""

    path: str
    """Of its module, in the repository."""

    name: str
    """Of the part."""

    kind: str
    """Of the object."""


class Step(NamedTuple):
    """A commit that changed a file, as `git log --follow` names it."""

    commit: str
    parents: tuple[str, ...]
    path: str
    old_path: str


# What Griffe sees.


@lru_cache(maxsize=1024)
def judge_parts(content: bytes) -> Parts:
    """Return what Griffe sees of a module's objects, by their parts' names."""
    parts: dict[str, Hashable] = {}
    if not content:
        return parts
    try:
        text = content.decode("utf-8")
    except ValueError:
        text = content.decode("latin-1")
    with suppress(SyntaxError, ValueError, RecursionError):
        module = griffe.visit("module", filepath=Path("/module.py"), code=text)
        _add(parts, "", module)
    return parts


def _add(parts: dict[str, Hashable], name: str, seen: Any) -> Hashable:
    """Add the parts of an object and its members; return that with members."""
    in_class = seen.parent is not None and seen.parent.is_class
    is_known = seen.docstring or (in_class and seen.parent.docstring)

    def add(key: str, value: Hashable) -> None:
        parts[key] = Distinct(value) if is_known else value

    own = _view(seen)
    if not (seen.is_class or seen.is_module):
        add(name, own)
        return own
    with_members = {}
    for member in seen.members.values():
        if not member.is_alias:
            with_members[member.name] = _add(parts, part(name, member.name), member)
    shown = [each for each in with_members if _is_listed(seen, each)]
    names = tuple(sorted(shown))
    if seen.is_module and seen.exports is not None:
        names = tuple(sorted(str(export) for export in seen.exports))
    everything = (own, names, *((each, with_members[each]) for each in sorted(shown)))
    add(name, (own, names))
    add(part(name, ALONE), own)
    add(part(name, ORDER), tuple(shown))
    add(part(name, WITH_MEMBERS), everything)
    return everything


def _is_listed(seen: Any, name: str) -> bool:
    if seen.is_module and seen.exports is not None:
        return name in {str(export) for export in seen.exports}
    is_special = name.startswith("__") and name.endswith("__")
    if name.startswith("_") and not is_special:
        return False
    member = seen.members[name]
    if seen.is_module or member.docstring or "class-attribute" in member.labels:
        return True
    # `name: int` alone is written in a class, `self.name = 1` in its initializer.
    return "instance-attribute" not in member.labels or member.value is None


def _view(seen: Any) -> Hashable:
    """Return an object's docstring, signature and labels."""
    docstring = seen.docstring.value if seen.docstring else ""
    found: list[Hashable] = [seen.kind.value, docstring, tuple(sorted(seen.labels))]
    if seen.is_function:
        found.append(_signature(seen))
        found += [_signature(overload) for overload in seen.overloads or ()]
    if seen.is_class:
        found += [str(base) for base in seen.bases]
        for initializer in ("__init__", "__new__"):
            member = seen.members.get(initializer)
            if member is not None and member.is_function:
                parameters, _ = _signature(member)
                text = member.docstring.value if member.docstring else ""
                found += [parameters, text]
        if "dataclass" in seen.labels:
            found += _fields(seen)
    if seen.is_attribute:
        found += [_text(seen.annotation), _text(seen.value)]
    return tuple(found)


def _signature(function: Any) -> tuple[Hashable, str]:
    parameters = []
    for each in function.parameters:
        row = (each.name, _text(each.annotation), _text(each.default), str(each.kind))
        parameters.append(row)
    return tuple(parameters), _text(function.returns)


def _fields(seen: Any) -> Iterator[Hashable]:
    for name, member in seen.members.items():
        if not member.is_alias and member.is_attribute and member.annotation:
            yield name, _text(member.annotation), _text(member.value)


def _text(expression: Any) -> str:
    """Return an expression's text: none at all differs from `None`."""
    return "" if expression is None else f"={expression}"


# The draw.


def draw(repository: Path, folder: str, seed: int, count: int) -> list[Drawn]:
    """Return documented public objects, of modules by lot: each takes much to read."""
    listing = git(repository, "ls-files", "-z", "--", f"{folder}/*.py")
    names = [os.fsdecode(name) for name in listing.split(b"\0") if name]
    names = [name for name in names if "/tests/" not in name and "_vendor" not in name]
    lot = random.Random(seed)
    lot.shuffle(names)
    drawn: list[Drawn] = []
    for path in names:
        if len(drawn) >= count:
            break
        objects: list[tuple[str, str]] = []
        with suppress(SyntaxError, ValueError):
            text = (repository / path).read_text("utf-8")
            module = griffe.visit("module", filepath=Path("/module.py"), code=text)
            objects = list(_documented("", module))
        lot.shuffle(objects)
        for name, kind in objects[:MAX_OF_MODULE]:
            is_scope = kind in {"class", "module"}
            of = lot.choice([OWN, ALONE, ORDER, WITH_MEMBERS]) if is_scope else OWN
            drawn.append(Drawn(path, part(name, of) if of else name, kind))
    return drawn


def _documented(name: str, seen: Any) -> Iterator[tuple[str, str]]:
    if seen.docstring:
        yield name, seen.kind.value
    if not (seen.is_module or seen.is_class):
        return
    for member in seen.members.values():
        if not member.is_alias and not member.name.startswith("_"):
            yield from _documented(part(name, member.name), member)


# The dates.


def by_walk(repository: Path, drawn: list[Drawn], read: Read | None) -> list[str]:
    """Return the commit that dates each object, by our reader or another."""
    pages = []
    for number, (path, name, _) in enumerate(drawn):
        shown = excerpt(repository / path, name, "content")
        if read is not None:
            shown = Excerpt(file=repository / path, name=name, read=read)
        page = CheckedPage(str(number), str(number), excerpts=(shown,))
        pages.append(page)
    environment = Environment(
        now=datetime.now(UTC),
        ci=CI.from_environ({"CI": "true"}),
        environ=os.environ,
        git_cache=GitCache(),
    )
    options = Options.parse({"ignore_revs": False}, where="here")
    dates = lastmod.resolve(pages, options=options, environment=environment)
    for notice in dates.notices:
        print(notice)
    commits = []
    for page in pages:
        origin = dates.evidence[page.path].origin
        commits.append(origin.commit.decode() if origin else "")
    return commits


class Files:
    """The versions of files, along `git log --follow`."""

    def __init__(self, repository: Path) -> None:
        """Start to read contents."""
        self._repository = repository
        command = ["git", "-C", str(repository), "cat-file", "--batch"]
        pipe = subprocess.PIPE
        self._contents = subprocess.Popen(command, stdin=pipe, stdout=pipe)

    @cache  # noqa: B019 one for each run
    def steps(self, start: str, path: str) -> list[Step]:
        """Return the commits that changed a file, from the newest.

        Those of `git log`, which leaves branches out that left nothing; `--follow`
        says which file was renamed.
        """
        renames = {step.commit: step for step in self.follow(start, path)}
        output = git(self._repository, "log", "--format=%H %P", start, "--", path)
        steps = []
        for line in output.decode().splitlines():
            commit, *parents = line.split()
            plain = Step(commit, tuple(parents), path, path)
            steps.append(renames.get(commit, plain))
        if steps and steps[-1].old_path != path:
            steps += self.steps(steps[-1].parents[0], steps[-1].old_path)
        return steps

    def follow(self, start: str, path: str) -> list[Step]:
        """Return the commits of `git log --follow`."""
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
        """Return what Griffe sees in a version."""
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
        return judge_parts(content)

    def newest(self, path: str, name: str, start: str = "HEAD") -> str:
        """Return the newest commit that changed a part; empty for none."""
        for commit, parents, now, before in self.steps(start, path):
            old = [self.read(parent, before).get(name) for parent in parents]
            new = self.read(commit, now).get(name)
            if new in (old or [None]):
                continue
            if old == [None] and isinstance(new, Distinct):
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
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout


def main() -> None:
    # This machine may have other work.
    program.TIMEOUT = 36_000.0
    last_change.MAX_READ = 1 << 40
    source, folder, seed, count = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        repository = Path(scratch, "clone")
        # A clone in a folder of its own: nothing that runs in the source is used.
        clone = ["git", "clone", "-q", "-n", "--shared", source, str(repository)]
        subprocess.run(clone, check=True)
        git(repository, "checkout", "-q", "HEAD", "--", folder)
        drawn = draw(repository, folder, int(seed), int(count))
        start = time.process_time()
        ours = by_walk(repository, drawn, None)
        took = time.process_time() - start
        print(f"{len(drawn)} objects took {took:.1f} s of processor time, without git")
        report(repository, "walk", drawn, ours, by_walk(repository, drawn, judge_parts))
        files = Files(repository)
        follow = [files.newest(path, name) for path, name, _ in drawn]
        report(repository, "follow", drawn, ours, follow)


def report(
    repository: Path,
    judge: str,
    drawn: list[Drawn],
    ours: list[str],
    theirs: list[str],
) -> None:
    """Print each difference and the numbers."""
    every = sorted({commit for commit in (*ours, *theirs) if commit})
    lines = git(repository, "show", "-s", "--format=%H %ct", *every).split(b"\n")
    times = dict(line.decode().split() for line in lines if line)
    counts: Counter[str] = Counter()
    for each, own, other in zip(drawn, ours, theirs, strict=True):
        verdict = _verdict(own, other, times)
        counts[verdict] += 1
        if verdict != "same":
            print(judge, verdict, own[:10], other[:10], each.path, each.name)
    print(judge, dict(counts), flush=True)


def _verdict(own: str, theirs: str, times: Mapping[str, str]) -> str:
    if own == theirs:
        return "same"
    if not own or not theirs:
        return "one is missing"
    return "later" if int(times[own]) > int(times[theirs]) else "EARLIER"


if __name__ == "__main__":
    main()
