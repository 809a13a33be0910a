"""The dry run of a build: what it would change, found by building into a folder of its own."""

from __future__ import annotations

import filecmp
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Verb = Literal["write", "replace", "remove", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What would become of one file."""

    verb: Verb
    """`keep`: its bytes are right already."""

    name: str

    size: int
    """Bytes of the file afterwards; before, for one to be removed."""


@contextmanager
def scratch_dir(site_dir: Path, filename: str) -> Iterator[Path]:
    """Make a temporary folder with copies of the files that a build can replace."""
    with tempfile.TemporaryDirectory(prefix="sitemap-plugins-") as name:
        for file in _files(site_dir, filename):
            shutil.copyfile(file, Path(name, file.name))
        yield Path(name)


def changes(site_dir: Path, scratch: Path, filename: str) -> list[Change]:
    """Compare a site's folder with the one that was built into, by name."""
    before = {file.name: file for file in _files(site_dir, filename)}
    after = {file.name: file for file in _files(scratch, filename)}
    found = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if new is None:
            verb: Verb = "remove"
        elif old is None:
            verb = "write"
        else:
            verb = "keep" if filecmp.cmp(old, new, shallow=False) else "replace"
        size = (new or before[name]).stat().st_size
        found.append(Change(verb=verb, name=name, size=size))
    return found


def _files(site_dir: Path, filename: str) -> Iterator[Path]:
    stem = filename.removesuffix(".xml")
    patterns = ("robots.txt", f"{stem}*.xml", f"{stem}*.xml.gz", f"{stem}*.txt", f"{stem}.css")
    for pattern in patterns:
        yield from (file for file in site_dir.glob(pattern) if file.is_file())
