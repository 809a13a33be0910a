"""What a build of a folder would write: a build into a folder of its own."""

from __future__ import annotations

import filecmp
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.page_record import find_records
from sitemap_plugins.core.report import Report
from sitemap_plugins.folder import write
from sitemap_plugins.folder.options import Project
from sitemap_plugins.folder.reading import FolderSite

Verb = Literal["write", "replace", "remove", "keep"]


class FileChange(NamedTuple):
    """What would become of one file."""

    verb: Verb
    """`keep`: its bytes are right already."""

    name: str

    size: int
    """Bytes of the file afterwards; before, for one to be removed."""


def run_dry(
    folder: FolderSite, project: Project, *, say: Callable[[str], None]
) -> tuple[Report, list[FileChange]]:
    """Build into a temporary folder with copies of the files that a build can replace.

    Return the report, and what would become of each file, by name. `folder` is what
    `read_folder` returned for the project; `say` is as in `GitCache`.

    Raises:
        OutputError: One of the files cannot be read.
    """
    site_dir = project.site_dir
    options = project.options
    with tempfile.TemporaryDirectory(prefix="sitemap-plugins-") as scratch:
        before = {file.name: file for file in _files(site_dir, options)}
        for name, file in before.items():
            _copy(file, Path(scratch, name))
        site = replace(folder.site, output_dir=Path(scratch))
        report = write(replace(folder, site=site), project, say)
        after = {file.name: file for file in _files(Path(scratch), options)}
        changes = []
        for name, file in sorted({**before, **after}.items()):
            verb = _verb(before.get(name), after.get(name))
            changes.append(FileChange(verb, name, file.stat().st_size))
    return report, changes


def _copy(file: Path, copy: Path) -> None:
    try:
        shutil.copyfile(file, copy)
    except OSError as error:
        problem = f"{str(file)!r} cannot be read ({error.strerror})"
        raise OutputError(problem, cure="let this user read it") from None


def _verb(old: Path | None, new: Path | None) -> Verb:
    if old is None or new is None:
        return "remove" if old else "write"
    return "keep" if filecmp.cmp(old, new, shallow=False) else "replace"


def _files(site_dir: Path, options: Options) -> Iterator[Path]:
    """Yield the files that a build can replace or remove."""
    stem = options.filename.removesuffix(".xml")
    patterns = (
        "robots.txt",
        "sitemap*.xml",
        "sitemap*.xml.gz",
        f"{stem}*.xml",
        f"{stem}*.xml.gz",
        f"{stem}*.txt",
        f"{stem}.css",
    )
    for pattern in patterns:
        yield from (file for file in site_dir.glob(pattern) if file.is_file())
    record = site_dir / options.record
    if options.record and record.is_file():
        yield record
    yield from find_records(site_dir, options.filename)
