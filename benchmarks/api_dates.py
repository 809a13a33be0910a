"""Judge the dates of Python objects by Griffe, the reader of mkdocstrings.

Run: python -m benchmarks.api_dates REPOSITORY FOLDER SEED COUNT

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
disagree about (`core/python/` says which), an earlier one is a mistake.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import griffe

from benchmarks.truth.python_objects import (
    Documented,
    Files,
    Parts,
    Read,
    git,
    is_listed,
    view,
    visit,
)
from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.environment import CI, Environment
from sitemap_plugins.core.git import last_change, program
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.git.last_change import Distinct
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    FIELDS,
    ORDER,
    WITH_MEMBERS,
    object_of,
    part,
)
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.records import CheckedPage, Excerpt

MAX_OF_MODULE = 20
"""Objects that are drawn of one module."""

DATACLASS = "dataclass"
"""A kind of objects, whose fields are parameters."""

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


# What Griffe sees.


@lru_cache(maxsize=1024)
def judge_parts(content: bytes) -> Parts:
    """Return what Griffe sees of a module's objects, by their parts' names."""
    parts: dict[str, Hashable] = {}
    module = visit(content)
    if module is not None:
        _add(parts, "", module)
    return parts


def core_parts(content: bytes) -> Parts:
    """Return the same, for the core's walk, which has its own mark of what can move."""
    parts: dict[str, Hashable] = {}
    for name, value in judge_parts(content).items():
        is_distinct = isinstance(value, Documented)
        parts[name] = Distinct(value.value) if is_distinct else value
    return parts


def _add(parts: dict[str, Hashable], name: str, seen: Any) -> Hashable:
    """Add the parts of an object and its members; return that with members."""
    in_class = seen.parent is not None and seen.parent.is_class
    is_known = seen.docstring or (in_class and seen.parent.docstring)

    def add(key: str, value: Hashable) -> None:
        parts[key] = Documented(value) if is_known else value

    own = view(seen)
    if not (seen.is_class or seen.is_module):
        add(name, own)
        return own
    with_members = {}
    for member in seen.members.values():
        if not member.is_alias:
            with_members[member.name] = _add(parts, part(name, member.name), member)
    shown = [each for each in with_members if is_listed(seen, each)]
    names = tuple(sorted(shown))
    if seen.is_module and seen.exports is not None:
        names = tuple(sorted(str(export) for export in seen.exports))
    everything = (own, names, *((each, with_members[each]) for each in sorted(shown)))
    add(name, (own, names))
    add(part(name, ALONE), own)
    add(part(name, ORDER), tuple(shown))
    add(part(name, WITH_MEMBERS), everything)
    return everything


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
            is_scope = kind in {"class", DATACLASS, "module"}
            of = lot.choice([OWN, ALONE, ORDER, WITH_MEMBERS]) if is_scope else OWN
            drawn.append(Drawn(path, part(name, of) if of else name, kind))
    return drawn


def _documented(name: str, seen: Any) -> Iterator[tuple[str, str]]:
    if seen.docstring:
        is_dataclass = "dataclass" in seen.labels
        yield name, DATACLASS if is_dataclass else seen.kind.value
    if not (seen.is_module or seen.is_class):
        return
    for member in seen.members.values():
        if not member.is_alias and not member.name.startswith("_"):
            yield from _documented(part(name, member.name), member)


# The dates.


def by_walk(repository: Path, drawn: list[Drawn], read: Read | None) -> list[str]:
    """Return the commit that dates each object, by our reader or another."""
    pages = []
    reader = ModuleReader()
    for number, (path, name, kind) in enumerate(drawn):
        file = repository / path
        shown = [reader.excerpt(file, name, "content")]
        if read is not None:
            shown = [Excerpt(file=file, name=name, read=read)]
        elif kind == DATACLASS and not name.endswith(ORDER):
            fields = part(object_of(name), FIELDS)
            shown.append(reader.excerpt(file, fields, "content"))
        page = CheckedPage(str(number), str(number), excerpts=tuple(shown))
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
        report(repository, "walk", drawn, ours, by_walk(repository, drawn, core_parts))
        files = Files(repository, judge_parts)
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
