"""A folder of built HTML → Page records → core.generate.

For generators that take no plugin: Zensical, mystmd (Jupyter Book 2), mdBook, pdoc, and any other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.notices import group_notices
from sitemap_plugins.folder.previous import about_unlisted, files_of, listed_urls
from sitemap_plugins.folder.reading import read_folder

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_plugins.core.report import Report
    from sitemap_plugins.folder.project import Project, Track

__all__ = ["build"]


def build(project: Project, *, output_dir: Path | None = None, track: Track) -> Report:
    """Write the sitemap of a folder, and its line into robots.txt.

    `output_dir` is where to write instead, with what stands there already; for dry runs.

    Raises:
        OptionsError: There is no such folder, no page in it, or its address is a local server's.
    """
    folder, options = read_folder(project, output_dir=output_dir, track=track), project.options
    report = generate(
        folder.reader.pages(folder.built),
        site=folder.site,
        options=options,
        environ=project.environ,
    )
    report = replace(report, notices=(*folder.notices, *report.notices))
    if not report.listed:
        return report
    written = listed_urls(folder.site.output_dir, options.filename)
    after = files_of(written, folder.by_path, folder.base_url)
    labels = {file: folder.reader.sources.label(name) for name, file in folder.files.items()}
    unlisted = group_notices(about_unlisted(folder.listed, after, labels, report))
    return replace(report, notices=(*report.notices, *unlisted))
