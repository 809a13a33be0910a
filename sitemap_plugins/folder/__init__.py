"""A folder of built HTML → Page records → core.generate; also into a folder of its own, a dry run.

For generators that take no plugin: Zensical, mystmd (Jupyter Book 2), mdBook, pdoc, and
any other.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.git.last_change import GitCache
from sitemap_plugins.core.messages import Notice, group_notices, quoted
from sitemap_plugins.core.pages.other_files import file_page
from sitemap_plugins.core.records import Report
from sitemap_plugins.folder import previous
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.folder.reading import FolderSite, read_folder
from sitemap_plugins.folder.sources import MAX_FILES, likeliest_folder

Verb = Literal["write", "replace", "remove", "keep"]

_NAME_SOURCES = (
    "name the generator's settings with --generator-config, or the folder of the sources with"
    " --source"
)
_NAME_FOLDER = "run this in the project's folder, or name the sources with --source"


def build(
    project: Project,
    *,
    output_dir: Path | None = None,
    track: Track,
    say: Callable[[str], None],
) -> Report:
    """Write the sitemap of a folder, and its line into robots.txt.

    `output_dir` is where to write instead, for dry runs: it has copies of the earlier
    files. `say` is as in `GitCache`.

    Raises: OptionsError: There is no such folder, no page in it, its address is a local
        server's, or the settings file that was named cannot be read.
    """
    folder, options = (
        read_folder(project, output_dir=output_dir, track=track),
        project.options,
    )
    files = previous.other_files(
        folder.previous, folder.base_url, project.site_dir, options.filename
    )
    report = generate(
        chain(
            folder.reader.pages(folder.built),
            (file_page(n, folder.source_of) for n in files),
        ),
        site=replace(
            folder.site, built_dir=project.site_dir, source_of=folder.source_of
        ),
        options=options,
        environ=project.environ,
        git_cache=GitCache(say),
    )
    # No host names other URLs than the pages themselves.
    others = (notice for notice in report.notices if notice.code != "url-form")
    notices = (_with_cure(notice, folder, project.project_dir) for notice in others)
    report = replace(report, notices=(*folder.notices, *notices))
    if not report.listed:
        return report
    urls = previous.listed_urls(folder.site.output_dir, options.filename)
    after = previous.files_of(urls, folder.site_files, folder.base_url)
    labels = {
        file: folder.reader.sources.label(name) for name, file in folder.files.items()
    }
    more = [
        *previous.about_changes(folder.previous, after, labels, report),
        *previous.about_others(
            folder.site.output_dir, [f.name for f in report.files], urls
        ),
    ]
    return replace(report, notices=(*report.notices, *group_notices(more)))


def _with_cure(notice: Notice, folder: FolderSite, project_dir: Path) -> Notice:
    """Return the notice; that on pages without a source with what finds most of them."""
    known, files = folder.reader.sources.by_page, folder.reader.project_files
    if notice.code != "no-source":
        return notice
    if files.is_too_large:
        place = (
            f"{quoted(str(files.root))} has more than {MAX_FILES:,} files and no git"
        )
        problem = f"{notice.problem}: {place}, so sources are not looked for in it"
        return replace(notice, problem=problem, cure=_NAME_FOLDER)
    unknown = (page for page in folder.built if page.name not in known)
    likeliest, count = likeliest_folder(unknown, files)
    if count > len(known):
        name = os.path.relpath(files.root / likeliest, os.path.realpath(project_dir))
        cure = f"give --source {name}, a folder that has files for {count:,} of them"
        return replace(notice, cure=cure)
    return notice if known else replace(notice, cure=_NAME_SOURCES)


class FileChange(NamedTuple):
    """What would become of one file."""

    verb: Verb
    """`keep`: its bytes are right already."""

    name: str

    size: int
    """Bytes of the file afterwards; before, for one to be removed."""


def dry_run(
    project: Project, *, track: Track, say: Callable[[str], None]
) -> tuple[Report, list[FileChange]]:
    """Build into a temporary folder with copies of the files that a build can replace.

    Return the report, and what would become of each file, by name. Arguments and errors
    are those of `build`.
    """
    site_dir, filename = project.site_dir, project.options.filename
    with tempfile.TemporaryDirectory(prefix="sitemap-plugins-") as scratch:
        before = {file.name: file for file in _files(site_dir, filename)}
        for name, file in before.items():
            shutil.copyfile(file, Path(scratch, name))
        report = build(project, output_dir=Path(scratch), track=track, say=say)
        after = {file.name: file for file in _files(Path(scratch), filename)}
        changes = [
            FileChange(
                _verb(before.get(name), after.get(name)), name, file.stat().st_size
            )
            for name, file in sorted({**before, **after}.items())
        ]
    return report, changes


def _verb(old: Path | None, new: Path | None) -> Verb:
    if old is None or new is None:
        return "remove" if old else "write"
    return "keep" if filecmp.cmp(old, new, shallow=False) else "replace"


def _files(site_dir: Path, filename: str) -> Iterator[Path]:
    stem = filename.removesuffix(".xml")
    patterns = (
        "robots.txt",
        f"{stem}*.xml",
        f"{stem}*.xml.gz",
        f"{stem}*.txt",
        f"{stem}.css",
    )
    for pattern in patterns:
        yield from (file for file in site_dir.glob(pattern) if file.is_file())
