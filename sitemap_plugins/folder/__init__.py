"""A folder of built HTML → Page records → core.generate.

For generators that take no plugin: Zensical, mystmd (Jupyter Book 2), mdBook, pdoc, and any other.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.messages import count_pages
from sitemap_plugins.core.notices import Notice, group_notices
from sitemap_plugins.core.pages.other_files import file_page
from sitemap_plugins.folder.previous import (
    about_added,
    about_others,
    about_unlisted,
    files_of,
    listed_urls,
    other_files,
)
from sitemap_plugins.folder.reading import read_folder

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_plugins.core.records import Report
    from sitemap_plugins.folder.options import Project, Track

__all__ = ["build"]


def build(project: Project, *, output_dir: Path | None = None, track: Track) -> Report:
    """Write the sitemap of a folder, and its line into robots.txt.

    `output_dir` is where to write instead, for dry runs: it has copies of the earlier files.

    Raises:
        OptionsError: There is no such folder, no page in it, its address is a local server's, or
            the settings file that was named cannot be read.
    """
    folder, options = read_folder(project, output_dir=output_dir, track=track), project.options
    kept = other_files(folder.previous, folder.base_url, project.site_dir)
    report = generate(
        chain(folder.reader.pages(folder.built), (file_page(n, folder.source_of) for n in kept)),
        site=replace(folder.site, built_dir=project.site_dir, source_of=folder.source_of),
        options=options,
        environ=project.environ,
    )
    report = replace(report, notices=(*folder.notices, *report.notices))
    if not report.listed:
        return report
    written = listed_urls(folder.site.output_dir, options.filename)
    after = files_of(written, folder.by_path, folder.base_url)
    labels = {file: folder.reader.sources.label(name) for name, file in folder.files.items()}
    more = [
        *folder.reader.about_includes(),
        *about_unlisted(folder.previous, after, labels, report),
        *about_added(folder.previous, after, labels),
        *about_others(folder.site.output_dir, [file.name for file in report.files], written),
    ]
    if report.undated and not folder.reader.sources.by_page and "git" in options.lastmod:
        pages = f"{count_pages(report.undated)} {'has' if report.undated == 1 else 'have'}"
        problem = f"no page's source was found, so {pages} no date"
        cure = (
            "name the generator's settings with --generator-config, or the folder of the sources"
            " with --source"
        )
        more.insert(0, Notice("no-source", problem, cure))
    return replace(report, notices=(*report.notices, *group_notices(more)))
