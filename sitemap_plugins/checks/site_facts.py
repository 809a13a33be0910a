"""A built folder → what the checks need to know of it: the plugins' own judgement of each page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sitemap_plugins.checks.context import SiteFacts
from sitemap_plugins.checks.generator_settings import is_pelican
from sitemap_plugins.core import urls
from sitemap_plugins.core.environment import CI, Environment
from sitemap_plugins.core.git.last_change import GitCache
from sitemap_plugins.core.lastmod import resolve
from sitemap_plugins.core.pages.among_others import select
from sitemap_plugins.core.server_rules import read_server_rules

if TYPE_CHECKING:
    from datetime import datetime

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.crawlers.robots_txt import Robots
    from sitemap_plugins.core.notices import Notice
    from sitemap_plugins.core.pages.among_others import Selection
    from sitemap_plugins.folder.project import Project
    from sitemap_plugins.folder.reading import FolderSite

__all__ = ["site_facts"]


def site_facts(
    project: Project,
    folder: FolderSite,
    base_url: str,
    now: datetime,
    robots: Robots | None,
) -> tuple[SiteFacts, tuple[Notice, ...]]:
    """Judge every page of a folder as a build would, and date those to be listed.

    `base_url` is normalized. The notices are those about the server's rules, then those about
    pages, with the source's path as location.
    """
    ci = CI.from_environ(project.environ)
    server_rules, about_rules = read_server_rules(
        project.site_dir, base_url, ignores_files=ci.hosting == "cloudflare"
    )
    selection = select(
        folder.reader.pages(folder.built),
        base_url=base_url,
        # Nobody is wrong who lists what was copied, if it may be indexed.
        options=replace(project.options, static_html=True),
        robots=robots,
        server_rules=server_rules,
    )
    environment = Environment(now=now, ci=ci, environ=project.environ, git_cache=GitCache())
    origins = tuple(origin for origin in project.options.lastmod if origin != "published")
    options = replace(project.options, lastmod=origins)  # Only changes are compared with dates.
    dates = resolve(selection.listed, options=options, environment=environment)
    sources, files = folder.reader.sources.by_page, folder.files
    paths = {file: folder.reader.paths[name] for name, file in files.items()}
    unlisted = frozenset() if project.options.static_html else folder.reader.copied
    facts = SiteFacts(
        site_dir=project.site_dir,
        paths=paths,
        by_path=folder.by_path,
        reasons=_reasons(folder, selection),
        sources={file: sources[name] for name, file in files.items() if name in sources},
        dates={file: dates.by_path[path] for file, path in paths.items() if path in dates.by_path},
        unlisted=frozenset(files[name] for name in unlisted),
        shows_drafts=not is_pelican(project.project_dir),
        canonicals={
            files[page.name]: page.marks.head.canonical_urls(base_url + paths[files[page.name]])
            for page in folder.built
            if page.marks.head is not None and page.marks.head.canonical
        },
        local_canonicals=sum(urls.is_local(page.marks.canonical) for page in folder.built),
        generators=frozenset(page.marks.generator.partition("-")[0] for page in folder.built),
    )
    is_base_blamed = not facts.has_local_canonicals
    by_label = {folder.reader.sources.label(name): source for name, source in sources.items()}
    about_pages = (
        replace(notice, place=by_label.get(notice.place, notice.place))
        for notice in selection.notices
        if is_base_blamed or notice.code != "wrong-base-url"
    )
    return facts, (*about_rules, *about_pages)


def _reasons(folder: FolderSite, selection: Selection) -> dict[str, Reason]:
    """Return why each file is not to be listed, by its encoded name."""
    by_label = {label: reason for reason, ls in selection.left_out.items() for label in ls}
    listed = {page.path for page in selection.listed}
    found = {}
    for name, file in folder.files.items():
        label = folder.reader.sources.label(name)
        if label in by_label and folder.reader.paths[name] not in listed:
            found[file] = by_label[label]
    return found
