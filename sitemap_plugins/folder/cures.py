"""The cures of a build's notices that fit the project, by the files of the folder."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from sitemap_plugins.core.messages import Notice, quoted
from sitemap_plugins.core.untrusted_files import seen_from
from sitemap_plugins.folder.project_files import MAX_OUTSIDE_GIT
from sitemap_plugins.folder.reading import FolderSite
from sitemap_plugins.folder.sources import likeliest_folder

TRAILING_SLASH = "set `trailingSlash: true` in Docusaurus' settings"

_NAME_SOURCES = (
    "name the generator's settings with --generator-config, or the folder of the"
    " sources with --source; if you write the HTML by hand, give --source"
)
_NAME_FOLDER = "run this in the project's folder, or name the sources with --source"


def with_cure(notice: Notice, folder: FolderSite, project_dir: Path) -> Notice:
    """Return the notice, with what the folder knows of its cure."""
    if notice.code == "host-redirects" and folder.is_made_by("Docusaurus"):
        return replace(notice, cure=TRAILING_SLASH)
    files = folder.reader.project_files
    if notice.code == "no-source" and files.is_too_large:
        most = f"{MAX_OUTSIDE_GIT:,}"
        place = f"{quoted(str(files.root))} has more than {most} files and no git"
        problem = f"{notice.problem}: {place}, so sources are not looked for in it"
        return replace(notice, problem=problem, cure=_NAME_FOLDER)
    if notice.code == "no-source":
        cure = _find_sources(folder, project_dir) or notice.cure
        dropped = folder.reader.sources.dropped
        why = [f"{page}: considered {words}" for page, words in sorted(dropped.items())]
        return replace(notice, cure=cure, details=tuple(why))
    return notice


def _find_sources(folder: FolderSite, project_dir: Path) -> str:
    """Return the cure that finds the sources of most pages without a source, or ""."""
    sources = folder.reader.sources
    files = folder.reader.project_files
    unknown = [page for page in folder.built if page.name not in sources.by_page]
    if 2 * len(sources.previews) > len(unknown):
        first = min(sources.previews).partition("/")[0]
        return f"exclude '{first}/', where previews repeat the site's own pages"
    likeliest, count = likeliest_folder(unknown, files)
    here = os.path.realpath(project_dir)
    # One file alone can have a page's name by chance, as README has the home page's.
    if count > max(1, len(sources.by_page)):
        name = seen_from(here, str(files.root / likeliest))
        return f"give --source {name}, a folder that has files for {count:,} of them"
    if sources.by_page:
        return ""
    return f"{_NAME_SOURCES} {seen_from(here, str(folder.reader.site_dir))}"
