"""A folder of built HTML → Page records → core.generate.

A folder serves generators that take no plugin: Zensical, mystmd (Jupyter Book 2),
mdBook, pdoc, and any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from sitemap_plugins.core import urls
from sitemap_plugins.core.choice.other_files import file_page
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.messages import Notice
from sitemap_plugins.core.records import Page
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.url_forms import Files
from sitemap_plugins.folder import previous
from sitemap_plugins.folder.cures import with_cure
from sitemap_plugins.folder.options import Project
from sitemap_plugins.folder.reading import FolderSite


def write(folder: FolderSite, project: Project, say: Callable[[str], None]) -> Report:
    """Write the sitemap of a folder that `read_folder` returned for the project.

    Also write its line into robots.txt. `say` is as in `GitCache`.
    """
    options = project.options
    names = previous.other_files(
        folder.previous, folder.base_url, project.site_dir, options.filename
    )
    files = [file_page(name, folder.source_of) for name in names]
    if _has_lost_all(folder, project) and not files:
        return _without_sitemap(folder, options.filename)
    replaced = previous.replaced_parts(project.site_dir / options.filename)
    site = replace(folder.site, built_dir=project.site_dir, source_of=folder.source_of)
    report = generate(
        chain(folder.reader.pages(folder.built), files, _fragments(folder)),
        site=site,
        options=options,
        environ=project.environ,
        git_cache=GitCache(say),
    )
    notices = list(folder.notices)
    others = [notice for notice in report.notices if not _is_known(notice, folder)]
    notices += [with_cure(notice, folder, project.project_dir) for notice in others]
    if report.listed:
        listed = sorted(page.url for page in report.listed_pages)
        written = {file.name for file in report.files}
        _remove(replaced - written, listed, folder)
        after = previous.files_of(listed, folder.site_files, folder.base_url)
        notices += previous.about_gone(folder.previous, after)
        notices += previous.about_others(folder.site.output_dir, written, listed)
    # Without `site_files`, the report names no HTML files besides the pages: in a
    # folder, they are second names of pages.
    return replace(report, notices=tuple(notices), site_files=Files())


def _fragments(folder: FolderSite) -> Iterator[Page]:
    for name in folder.fragments:
        path = urls.percent_encode(name)
        yield Page(path=path, name=name, exclude_reason="fragment")


def _is_known(notice: Notice, folder: FolderSite) -> bool:
    """Tell whether a notice is about a URL of the option `urls` that is not new.

    The previous sitemap listed the URL, so the user means to list it.
    """
    if notice.code != "option-url":
        return False
    return urls.resolve(notice.place, folder.base_url) in folder.previous


def _without_sitemap(folder: FolderSite, filename: str) -> Report:
    vanished = previous.about_vanished(
        folder.previous, folder.base_url, folder.address.refuted_by
    )
    return Report(notices=(*folder.notices, vanished), filename=filename)


def _remove(names: Iterable[str], listed: Collection[str], folder: FolderSite) -> None:
    """Remove the parts of a replaced index whose pages the new sitemap lists.

    `names` are the file names of the parts, `listed` the URLs of the new sitemap.
    """
    for name in names:
        # A dry run has copies in `output_dir`, and removes those.
        part = folder.reader.site_dir / name
        if previous.is_known(part, folder.previous, listed):
            with suppress(OSError):  # `check` names a file that stays.
                (folder.site.output_dir / name).unlink()


def _has_lost_all(folder: FolderSite, project: Project) -> bool:
    """Tell whether the previous sitemap has URLs, but none of them leads to a page.

    In that case, the site's address is probably wrong, and no sitemap is written.
    An address that the user gives is not doubted. Without an address, or as a preview,
    the site gets no sitemap anyway.
    """
    if project.options.base_url or project.ci.preview or not folder.base_url:
        return False
    files = [file for file, _ in folder.previous.values()]
    return bool(files) and not any(files)
