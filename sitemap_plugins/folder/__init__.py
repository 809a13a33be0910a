"""A folder of built HTML → Page records → core.generate.

For generators that take no plugin: Zensical, mystmd (Jupyter Book 2), mdBook, pdoc, and any other.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.git.last_change import GitCache
from sitemap_plugins.core.messages import Notice, group_notices
from sitemap_plugins.core.pages.other_files import file_page
from sitemap_plugins.folder.previous import (
    about_added,
    about_others,
    about_unlisted,
    files_of,
    listed_urls,
    other_files,
)
from sitemap_plugins.folder.reading import FolderSite, read_folder
from sitemap_plugins.folder.sources import likeliest_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sitemap_plugins.core.records import Report
    from sitemap_plugins.folder.options import Project, Track


_NAME_SOURCES = (
    "name the generator's settings with --generator-config, or the folder of the sources with"
    " --source"
)


def build(
    project: Project, *, output_dir: Path | None = None, track: Track, say: Callable[[str], None]
) -> Report:
    """Write the sitemap of a folder, and its line into robots.txt.

    `output_dir` is where to write instead, for dry runs: it has copies of the earlier files. `say`
    is as in `GitCache`.

    Raises:
        OptionsError: There is no such folder, no page in it, its address is a local server's, or
            the settings file that was named cannot be read.
    """
    folder, options = read_folder(project, output_dir=output_dir, track=track), project.options
    kept = other_files(folder.previous, folder.base_url, project.site_dir, options.filename)
    report = generate(
        chain(folder.reader.pages(folder.built), (file_page(n, folder.source_of) for n in kept)),
        site=replace(folder.site, built_dir=project.site_dir, source_of=folder.source_of),
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
    written = listed_urls(folder.site.output_dir, options.filename)
    after = files_of(written, folder.site_files, folder.base_url)
    labels = {file: folder.reader.sources.label(name) for name, file in folder.files.items()}
    more = [
        *about_unlisted(folder.previous, after, labels, report),
        *about_added(folder.previous, after, labels),
        *about_others(folder.site.output_dir, [file.name for file in report.files], written),
    ]
    return replace(report, notices=(*report.notices, *group_notices(more)))


def _with_cure(notice: Notice, folder: FolderSite, project_dir: Path) -> Notice:
    """Return the notice; that on pages without a source with what finds most of them."""
    known, files = folder.reader.sources.by_page, folder.reader.project_files
    if notice.code != "no-source":
        return notice
    unknown = (page for page in folder.built if page.name not in known)
    likeliest, count = likeliest_folder(unknown, files)
    if count > len(known):
        name = os.path.relpath(files.root / likeliest, os.path.realpath(project_dir))
        cure = f"give --source {name}, a folder that has files for {count:,} of them"
        return replace(notice, cure=cure)
    return notice if known else replace(notice, cure=_NAME_SOURCES)
