"""What a check can use besides the current element: all files, and the built site.

The pages of a site are judged as a build judges them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import Reason, Severity
from sitemap_plugins.core.crawlers.hosting import read_server_rules
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.date_values import DateOrDatetime
from sitemap_plugins.core.dates.lastmod import Dates, explain, resolve
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.core.messages import Notice
from sitemap_plugins.core.page_record import read_record
from sitemap_plugins.core.page_urls import PageUrls
from sitemap_plugins.core.pages.select import Selection, select
from sitemap_plugins.core.records import Explanation, LeftOut
from sitemap_plugins.core.url_forms import forms_of
from sitemap_plugins.folder.cures import with_cure
from sitemap_plugins.folder.generator_settings import is_pelican
from sitemap_plugins.folder.options import Project
from sitemap_plugins.folder.page_marks import trusted_dates
from sitemap_plugins.folder.reading import FolderSite
from sitemap_plugins.folder.versions import Version
from sitemap_plugins.sitemaps.facts import Survey
from sitemap_plugins.sitemaps.parts import SitemapFile

T = TypeVar("T")

_NOT_INDEXED: Mapping[Reason | None, str] = {
    "noindex": "which says noindex",
    "redirect": "which redirects",
    "canonical": "which names another URL as canonical",
}


@dataclass(frozen=True, kw_only=True)
class SiteFacts:
    """Facts about the built site; files are encoded names relative to its root."""

    site_dir: Path | None = None
    """None if only files are checked; then there are no facts."""

    paths: Mapping[str, str] = field(default_factory=dict)
    """The path at which each file answers, by file."""

    left_out: Mapping[str, LeftOut] = field(default_factory=dict)
    """Why a file is not to be listed, by file; those to be listed are absent."""

    sources: Mapping[str, str] = field(default_factory=dict)
    """The source of each file, relative to the repository, if known."""

    dates: Mapping[str, tuple[DateOrDatetime, DateOrDatetime]] = field(
        default_factory=dict
    )
    """When each file's source last changed, if known: by its author, and in the
    branch."""

    read_changes: Callable[[], Mapping[str, Explanation]] = dict
    """Asks git, once, why each file has its date in `dates`."""

    why_undated: tuple[Notice, ...] = ()
    """Why pages to be listed have no date in `dates`, with the cures of a build."""

    shown: Mapping[str, DateOrDatetime] = field(default_factory=dict)
    """When each page says itself that it changed, by file, if it says so and can be
    trusted."""

    elsewhere: frozenset[str] = frozenset()
    """The identities of URLs whose pages other programs make, as the option `urls`
    says."""

    unlisted: frozenset[str] = frozenset()
    """Files that the generator only copied, which need not be listed."""

    shows_drafts: bool = True
    """Whether the sources show, in a syntax that is read here, which pages are not to
    be listed."""

    heads: Mapping[str, HeadMeta] = field(default_factory=dict)
    """What each page's head says, by file; files that cannot be read are absent."""

    error_titles: Mapping[str, str] = field(default_factory=dict)
    """The titles of pages that say that there is no page, by file."""

    local_canonicals: int = 0
    """How many pages' canonical links are on a local server."""

    folder: FolderSite | None = None
    """All that was read from the folder; None if only files are checked."""

    site: PageUrls = field(default_factory=PageUrls)
    """Which file, of a page or another one, a path leads to, and which path a URL
    has."""

    @cached_property
    def reasons(self) -> Mapping[str, Reason]:
        """The reasons in `left_out`."""
        return {file: each.reason for file, each in self.left_out.items()}

    @cached_property
    def _by_path(self) -> Mapping[str, str]:
        return {urls.path_identity(path): file for file, path in self.paths.items()}

    def page_at(self, path: str) -> str:
        """Return the page's file at a path, first that which is listed there.

        Empty for none.
        """
        return self._by_path.get(path) or self.site.files.page_at(path)

    @cached_property
    def canonicals(self) -> Mapping[str, tuple[str, ...]]:
        """The canonical URLs that each page names, absolute, by file; each once."""
        found = {}
        for file, head in self.heads.items():
            if head.canonical:
                page_url = self.site.base_url + self.paths[file]
                found[file] = head.canonical_urls(page_url)
        return found

    @property
    def has_local_canonicals(self) -> bool:
        """Whether most pages' canonical links are on a local server."""
        return 2 * self.local_canonicals > len(self.paths)


@dataclass(frozen=True, kw_only=True)
class Context:
    """What all checks share."""

    survey: Survey = field(default_factory=Survey)
    """What the files contain, once they are read."""

    submitted: SitemapFile
    """The file that crawlers are given."""

    submitted_at: str = ""
    """The URL at which a server answers with that file, after redirects; empty without
    a server."""

    base_url: str
    """The URL of the sitemap's folder, normalized; empty if not known."""

    now: datetime
    """Aware."""

    robots: Robots | None = None
    """None if robots.txt cannot be read, or if only files are checked."""

    facts: SiteFacts = field(default_factory=SiteFacts)
    """Empty if only files are checked."""

    notices: tuple[Notice, ...] = ()
    """About robots.txt, the server's rules and the pages of a folder."""

    @cached_property
    def base(self) -> str:
        """What URLs of the site begin with, compared by `urls.identity`.

        Empty as `base_url` is.
        """
        return urls.identity(self.base_url) if self.base_url else ""

    @property
    def submitted_url(self) -> str:
        """The URL of the submitted file; empty if not known."""
        return self.submitted_at or self.url_of(self.submitted)

    @property
    def has_wrong_base(self) -> bool:
        """Whether URLs are listed, but none below the base URL, which is then wrong.

        Local addresses prove nothing, and the URL of a fetched sitemap is certain.
        """
        origin = self.survey.origin
        if self.submitted.url or not self.base_url:
            return False
        if not origin or urls.is_local(origin):
            return False
        return not self.survey.below

    def announced(self) -> set[str]:
        """Return the identities of robots.txt's sitemaps and of their parts."""
        if self.robots is None:
            return set()
        named = {urls.identity(url) for url in self.robots.sitemaps}
        parts: set[str] = set()
        for facts in self.survey.files:
            if urls.identity(self.url_of(facts.file)) in named:
                parts.update(urls.identity(part.url) for part in facts.file.parts)
        return named | parts

    def url_of(self, file: SitemapFile) -> str:
        """Return a sitemap file's URL; empty if not known."""
        if file.url or not self.base_url:
            return file.url
        return urls.join(self.base_url, urls.percent_encode(file.name))

    @cached_property
    def signed(self) -> frozenset[Path]:
        """The sitemaps that we wrote: what only their generator knows is not judged."""
        return frozenset(
            facts.file.path for facts in self.survey.files if facts.is_signed
        )

    @property
    def is_signed(self) -> bool:
        """Whether we wrote the submitted sitemap and all of its parts."""
        paths = {part.location.path for part in self.submitted.parts}
        return {self.submitted.path, *paths} <= self.signed

    @property
    def severity_in_doubt(self) -> Severity | None:
        """The severity of findings on which the generator may know better.

        None for the usual.
        """
        return None if self.facts.shows_drafts and not self.is_signed else "info"

    @cached_property
    def other_sites(self) -> frozenset[str]:
        """Folders whose own sitemap is not checked, if the index is one of sites."""
        top = self.facts.site_dir
        if top is None or not self.is_of_several_sites:
            return frozenset()
        checked = {facts.file.path.resolve().parent for facts in self.survey.files}
        folders: set[str] = set()
        for file in self.facts.paths:
            folders.update(_folders_above(file))
        others = set()
        for name in folders:
            folder = top / unquote(name)
            has_sitemap = (folder / self.submitted.path.name).is_file()
            if has_sitemap and folder.resolve() not in checked:
                others.add(name)
        return frozenset(others)

    @property
    def is_of_several_sites(self) -> bool:
        """Whether the sitemap is an index of sites in folders, or a link to one's.

        Such sites are versions or languages.
        """
        top = self.submitted.path.parent.resolve()
        paths = [part.location.path for part in self.submitted.parts]
        for path in paths or [self.submitted.path]:
            if path.name != "sitemap.xml" or path.resolve().parent == top:
                return False
        return True

    @cached_property
    def unlisted_versions(self) -> frozenset[str]:
        """Folders of versions that are not listed at all, if the default one is."""
        folder = self.facts.folder
        if folder is None or folder.versions.default is None:
            return frozenset()
        if not self._is_version_listed(folder.versions.default):
            return frozenset()
        with_pages = set()
        with_listed = set()
        for file in self.facts.paths:
            top = file.partition("/")[0]
            with_pages.add(top)
            if self.is_listed(file):
                with_listed.add(top)
        versions: set[str] = set()
        for version in folder.versions.all:
            versions.update(map(urls.percent_encode, version.folders))
        return frozenset(versions & with_pages - with_listed)

    def _is_version_listed(self, version: Version) -> bool:
        """Tell whether any page of a version is listed, in whichever of its folders."""
        # A link to the version's folder is not among the files.
        folders = [urls.percent_encode(name) for name in version.folders]
        for file in self.facts.paths:
            top, _, path = file.partition("/")
            if top == folders[0]:
                names = [f"{folder}/{path}" for folder in folders]
                if any(map(self.is_listed, names)):
                    return True
        return False

    def is_listed(self, file: str) -> bool:
        """Tell whether a file's page is listed, in whatever form of its URL."""
        known = self.survey.hashed_urls
        for path in (self.facts.paths.get(file, file), *forms_of(file).values()):
            if known.is_listed(urls.identity(self.base_url + path)):
                return True
        return False

    def is_of_other_site(self, file: str) -> bool:
        """Tell whether a file is of a site or version that the sitemap leaves out."""
        if file.partition("/")[0] in self.unlisted_versions:
            return True
        return not self.other_sites.isdisjoint(_folders_above(file))

    def path_of(self, url: str) -> str | None:
        """Return the path below the base URL, as `urls.path_identity`, without a query.

        The URL is absolute, in any spelling. None outside of the site.
        """
        base_url = self.facts.site.base_url
        if not base_url:
            return None
        path = urls.path_below(urls.identity(url), base_url)
        # A server of files gives the same one whatever the query.
        return path and path.partition("?")[0]

    def file_of(self, url: str) -> str:
        """Return the file that answers at a URL.

        Empty for none or outside of the site.
        """
        path = self.path_of(url)
        return "" if path is None else self.facts.page_at(path)

    def why_not_indexed(self, url: str) -> str:
        """Return why crawlers do not index the page at a URL, as a relative clause.

        Empty if they may, outside of the site, and for reasons that only the generator
        knows.
        """
        reason = self.facts.reasons.get(self.file_of(url))
        return _NOT_INDEXED.get(reason, "")

    def source_of(self, url: str) -> str:
        """Return the source of a URL's page; empty if not known."""
        return self.facts.sources.get(self.file_of(url), "")


def site_facts(  # noqa: PLR0913 everything that pages are judged by
    project: Project,
    folder: FolderSite,
    base_url: str,
    *,
    now: datetime,
    robots: Robots | None,
    hosting: str,
) -> tuple[SiteFacts, tuple[Notice, ...]]:
    """Judge every page of a folder as a build would, and date those to be listed.

    `base_url` is normalized; `hosting` is one of `hosting.SERVICES`, or empty for the
    service that builds the site. The notices about the server's rules come first; those
    about pages have the source's path as place.
    """
    selection, about_rules = _select(project, folder, base_url, robots, hosting)
    dates, latest = _source_dates(selection, project, now)
    names = _names(project, folder, selection)
    paths = {}
    for file, url in names.urls.items():
        paths[file] = url.removeprefix(base_url) or names.hosts[file]
    sources = _sources(project, folder, names)
    heads, local_canonicals = _heads(folder)
    read_changes = cache(partial(_changes, selection, latest, names))
    shows_drafts = not is_pelican(project.project_dir)
    project_dir = project.project_dir
    why_undated = [with_cure(n, folder, project_dir) for n in latest.notices]
    facts = SiteFacts(
        site_dir=project.site_dir,
        paths=paths,
        site=selection.site,
        left_out=_left_out(selection, names),
        sources=sources,
        dates=names.by_file(dates),
        why_undated=tuple(why_undated),
        read_changes=read_changes,
        shown=_shown(folder),
        elsewhere=_elsewhere(project, base_url),
        unlisted=_unlisted(project, folder),
        shows_drafts=shows_drafts,
        heads=heads,
        error_titles=_error_titles(folder),
        local_canonicals=local_canonicals,
        folder=folder,
    )
    about_pages = _at_sources(selection.notices, names, sources)
    return facts, (*about_rules, *about_pages)


@dataclass(frozen=True, slots=True)
class _Names:
    """What names each file of a folder, besides its own name."""

    labels: dict[str, str] = field(default_factory=dict)
    """The page's name in messages."""

    hosts: dict[str, str] = field(default_factory=dict)
    """The path that the host gives the page."""

    urls: dict[str, str] = field(default_factory=dict)
    """The page's URL."""

    def by_file(self, by_path: Mapping[str, T]) -> dict[str, T]:
        """Return values by file, given those of pages by the host's path."""
        found = {}
        for file, path in self.hosts.items():
            if path in by_path:
                found[file] = by_path[path]
        return found


def _names(project: Project, folder: FolderSite, selection: Selection) -> _Names:
    names = _Names()
    for name, file in folder.files.items():
        names.labels[file] = folder.reader.sources.label(name)
        names.hosts[file] = folder.reader.paths[name]
        # At which URL a page is listed is for the page itself to say too.
        names.urls[file] = selection.urls[project.site_dir / name]
    return names


def _at_sources(
    notices: Iterable[Notice], names: _Names, sources: Mapping[str, str]
) -> list[Notice]:
    """Return notices about pages with their sources' paths as places, if known."""
    by_label = {names.labels[file]: source for file, source in sources.items()}
    placed = []
    for notice in notices:
        place = by_label.get(notice.place, notice.place)
        placed.append(replace(notice, place=place))
    return placed


def _heads(folder: FolderSite) -> tuple[dict[str, HeadMeta], int]:
    """Return what heads say, by file, and how many canonical links are local."""
    heads = {}
    local_canonicals = 0
    for page in folder.built:
        if page.marks.head:
            heads[folder.files[page.name]] = page.marks.head
        local_canonicals += urls.is_local(page.marks.canonical)
    return heads, local_canonicals


def _elsewhere(project: Project, base_url: str) -> frozenset[str]:
    """Return the identities of the URLs that the option `urls` lists."""
    found = set()
    for item in project.options.urls:
        url = urls.resolve(str(item["loc"]), base_url)
        found.add(urls.identity(url))
    return frozenset(found)


def _unlisted(project: Project, folder: FolderSite) -> frozenset[str]:
    """Return the files that need not be listed, because they are only copied."""
    if project.options.static_html:
        return frozenset()
    return frozenset(folder.files[name] for name in folder.reader.copied)


def _sources(project: Project, folder: FolderSite, names: _Names) -> dict[str, str]:
    """Return the source of each file, if known: the record knows best."""
    rows = read_record(project.site_dir, project.options.filename)
    recorded = {row.url: row.source for row in rows if row.source}
    sources = {}
    for name, file in folder.files.items():
        source = recorded.get(names.urls[file]) or folder.reader.sources.by_page.get(
            name
        )
        if source:
            sources[file] = source
    return sources


def _shown(folder: FolderSite) -> dict[str, DateOrDatetime]:
    """Return when pages say themselves that they changed, by file."""
    modified = trusted_dates({page.name: page.marks for page in folder.built})
    return {folder.files[name]: date for name, date in modified.items()}


def _error_titles(folder: FolderSite) -> dict[str, str]:
    """Return the titles of pages that say that there is no page, by file."""
    titles = {}
    for page in folder.built:
        if page.marks.error_title:
            titles[folder.files[page.name]] = page.marks.error_title
    return titles


def _left_out(selection: Selection, names: _Names) -> dict[str, LeftOut]:
    """Return why pages are left out, by file."""
    left_out = {each.page.label: each for each in selection.pages_left_out}
    listed = {page.path for page in selection.listed}
    reasons = {}
    for file, label in names.labels.items():
        if label in left_out and names.hosts[file] not in listed:
            reasons[file] = left_out[label]
    return reasons


def _changes(
    selection: Selection, dates: Dates, names: _Names
) -> dict[str, Explanation]:
    by_path = {page.path: why for page, (why, *_) in explain(selection.listed, dates)}
    return names.by_file(by_path)


def _source_dates(
    selection: Selection, project: Project, now: datetime
) -> tuple[dict[str, tuple[DateOrDatetime, DateOrDatetime]], Dates]:
    """Return when the source of each listed page last changed, by path, by two clocks.

    The earliest date is the author's, the latest that of the branch; they differ if the
    change was written before it was committed. Also return what is known of the latter.
    """
    environment = Environment(
        now=now, ci=project.ci, environ=project.environ, git_cache=GitCache()
    )
    # Only changes are compared with dates.
    origins = [each for each in project.options.lastmod if each != "published"]
    options = replace(project.options, lastmod=tuple(origins))
    latest = resolve(selection.listed, options=options, environment=environment)
    by_author = replace(environment, earliest=True)
    earliest = resolve(selection.listed, options=options, environment=by_author)
    known = {}
    for path, date in latest.by_path.items():
        known[path] = (earliest.by_path.get(path, date), date)
    return known, latest


def _select(
    project: Project,
    folder: FolderSite,
    base_url: str,
    robots: Robots | None,
    hosting: str,
) -> tuple[Selection, tuple[Notice, ...]]:
    server_rules, notices = read_server_rules(
        project.site_dir, base_url, service=hosting or project.ci.hosting
    )
    selection = select(
        folder.reader.pages(folder.built),
        base_url=base_url,
        # A copied page that search engines may index can be listed.
        options=replace(project.options, static_html=True),
        robots=robots,
        server_rules=server_rules,
        output_dir=project.site_dir,
    )
    return selection, notices


def _folders_above(file: str) -> Iterator[str]:
    """Yield the folders that a file is in, without the site's root.

    >>> [*_folders_above("en/1.0/a.html")]
    ['en/1.0', 'en']
    """
    while file := file.rpartition("/")[0]:
        yield file
