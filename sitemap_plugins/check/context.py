"""What a check can use besides the current element: all files, and the built site.

The pages of a site are judged as a build judges them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property, partial
from pathlib import Path
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.choice.select import Selection, select
from sitemap_plugins.core.codes import Code, Reason, Severity
from sitemap_plugins.core.crawlers.hosting import read_server_rules
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.date_values import DateOrDatetime
from sitemap_plugins.core.dates.lastmod import (
    Dates,
    add_subjects,
    explain_each,
    resolve,
)
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.core.kept_record import Recorded, read_kept
from sitemap_plugins.core.messages import Notice, Notices, quoted
from sitemap_plugins.core.page_urls import PageUrls
from sitemap_plugins.core.records import Explanation, LeftOut
from sitemap_plugins.core.untrusted_files import is_folder, is_inside
from sitemap_plugins.core.url_forms import forms_of
from sitemap_plugins.findings.records import Finding
from sitemap_plugins.folder.cures import with_cure
from sitemap_plugins.folder.generator_settings import is_pelican
from sitemap_plugins.folder.options import Project
from sitemap_plugins.folder.page_marks import Built, trusted_dates
from sitemap_plugins.folder.reading import FolderSite
from sitemap_plugins.folder.versions import Version
from sitemap_plugins.sitemaps.facts import Survey
from sitemap_plugins.sitemaps.parts import SitemapFile

_NOT_INDEXED: Mapping[Reason | None, str] = {
    "noindex": "which says noindex",
    "redirect": "which redirects",
    "canonical": "which names another URL as canonical",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """What is known of one page of the built site."""

    file: str = ""
    """Its encoded name relative to the site's root; empty for no page."""

    path: str = ""
    """The path at which the page answers."""

    url: str = ""
    """The absolute URL at which the page answers."""

    left_out: LeftOut | None = None
    """Why it is not to be listed; None if it is."""

    is_copied: bool = False
    """Whether the generator only copied it, so that it need not be listed."""

    source: str = ""
    """Its source, relative to the repository; empty if unknown."""

    dates: tuple[DateOrDatetime, DateOrDatetime] | None = None
    """When its source last changed, if known: by its author, and in the branch."""

    shown: DateOrDatetime | None = None
    """When it says itself that it changed, if it says so and can be trusted."""

    head: HeadMeta | None = None
    """What its head says; None if it cannot be read."""

    canonicals: tuple[str, ...] = ()
    """The canonical URLs that it names, absolute, each once."""

    soft_404: str = ""
    """Why it is not a page for readers, as a predicate; empty if it is."""

    @property
    def reason(self) -> Reason | None:
        """The code of `left_out`."""
        return self.left_out and self.left_out.reason

    @property
    def is_wanted(self) -> bool:
        """Whether it should be in the sitemap."""
        return self.left_out is None and not self.is_copied

    def finding(
        self, code: Code, problem: str, *, cure: str = "", about: str = ""
    ) -> Finding:
        """Return what is wrong with the page; the text begins with its URL."""
        text = f"{quoted(self.url)} {problem}"
        return Finding(code, text, cure, url=self.url, about=about)


_NO_PAGE = SitePage()


@dataclass(frozen=True, kw_only=True)
class SiteFacts:
    """Facts about the built site."""

    site_dir: Path | None = None
    """None if only files are checked; then there are no facts."""

    pages: Mapping[str, SitePage] = field(default_factory=dict)
    """By file, in the order of the names."""

    read_changes: Callable[[], Mapping[str, Explanation]] = dict
    """Asks git, once, why each file has its date in the branch."""

    why_undated: Notices = ()
    """Why pages to be listed have no dates, with the cures of a build."""

    elsewhere: frozenset[str] = frozenset()
    """The identities of URLs whose pages other programs make, as the option `urls`
    says."""

    shows_drafts: bool = True
    """Whether the sources show, in a syntax that is read here, which pages are not to
    be listed."""

    local_canonicals: int = 0
    """How many pages' canonical links are on a local server."""

    folder: FolderSite | None = None
    """All that was read from the folder; None if only files are checked."""

    site: PageUrls = field(default_factory=PageUrls)
    """Which file, of a page or another one, a path leads to, and which path a URL
    has."""

    @cached_property
    def _by_path(self) -> Mapping[str, SitePage]:
        return {urls.path_identity(page.path): page for page in self.pages.values()}

    def page_at(self, path: str) -> SitePage:
        """Return the page at a path: the one whose own path it is, else any there."""
        page = self._by_path.get(path)
        return page or self.pages.get(self.site.files.page_at(path), _NO_PAGE)

    @property
    def has_local_canonicals(self) -> bool:
        """Whether most pages' canonical links are on a local server."""
        return 2 * self.local_canonicals > len(self.pages)


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

    notices: Notices = ()
    """About robots.txt, the server's rules and the pages of a folder."""

    @cached_property
    def base(self) -> str:
        """What URLs of the site begin with, compared by `urls.identity`.

        Empty if `base_url` is.
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
        name = file.name
        if self.facts.site_dir is None:  # The name is the path that the user typed.
            name = Path(name).name
        return urls.join(self.base_url, urls.percent_encode(name))

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

        None for the usual severity: the sources show which pages are not to be listed,
        and no plugin of ours wrote the sitemap.
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
        for file in self.facts.pages:
            folders.update(_folders_above(file))
        others = set()
        for name in folders:
            folder = top / unquote(name)
            has_sitemap = (folder / self.submitted.path.name).is_file()
            if has_sitemap and folder.resolve() not in checked:
                others.add(name)
        return frozenset(others)

    def has_top(self, path: str) -> bool:
        """Tell whether the folder at the top of a path was built.

        The name of a page in the root has no such folder: the root itself was built.
        """
        site_dir = self.facts.site_dir
        top, slash, _ = path.partition("/")
        if not slash and top.endswith(".html"):
            return True
        name = unquote(top, errors="surrogateescape")
        return site_dir is not None and is_inside(name) and is_folder(site_dir / name)

    @property
    def is_of_several_sites(self) -> bool:
        """Whether the sitemap is an index of sites in folders, or a link to one site's.

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
        for file in self.facts.pages:
            top = file.partition("/")[0]
            with_pages.add(top)
            if self.is_listed(file):
                with_listed.add(top)
        versions = set(map(urls.percent_encode, folder.versions.by_name))
        return frozenset(versions & with_pages - with_listed)

    def _is_version_listed(self, version: Version) -> bool:
        """Tell whether any page of a version is listed, in whichever of its folders."""
        # A link to the version's folder is not among the files.
        folders = [urls.percent_encode(name) for name in version.folders]
        for file in self.facts.pages:
            top, _, path = file.partition("/")
            if top == folders[0]:
                names = [f"{folder}/{path}" for folder in folders]
                if any(map(self.is_listed, names)):
                    return True
        return False

    def is_listed(self, file: str) -> bool:
        """Tell whether a file's page is listed, in whatever form of its URL."""
        known = self.survey.listed
        page = self.facts.pages.get(file)
        own = page.path if page else file
        for path in (own, *forms_of(file).values()):
            if known.has(urls.identity(self.base_url + path)):
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

    def page_of(self, url: str) -> SitePage:
        """Return the page that answers at a URL, on this site."""
        path = self.path_of(url)
        return _NO_PAGE if path is None else self.facts.page_at(path)

    def why_not_indexed(self, url: str) -> str:
        """Return why crawlers do not index the page at a URL, as a relative clause.

        Empty if they may, outside of the site, and for reasons that only the generator
        knows.
        """
        return _NOT_INDEXED.get(self.page_of(url).reason, "")

    def source_of(self, url: str) -> str:
        """Return the source of a URL's page; empty if not known."""
        return self.page_of(url).source


def site_facts(  # noqa: PLR0913 everything that pages are judged by
    project: Project,
    folder: FolderSite,
    base_url: str,
    *,
    now: datetime,
    robots: Robots | None,
    hosting: str,
) -> tuple[SiteFacts, Notices]:
    """Judge every page of a folder as a build would, and date those to be listed.

    `base_url` is normalized; `hosting` is one of `hosting.SERVICES`, or empty for the
    service that builds the site. The notices about the server's rules come first; those
    about pages have the source's path as place.
    """
    selection, about_rules = _select(project, folder, base_url, robots, hosting)
    dates, latest = _source_dates(selection, project, now)
    reader = _PageReader(project, folder, selection, base_url, dates)
    pages = {page.file: page for page in map(reader.page, folder.built)}
    project_dir = project.project_dir
    why_undated = [with_cure(n, folder, project_dir) for n in latest.notices]
    read_changes = partial(_changes, selection, latest, folder)
    local = sum(urls.is_local(page.marks.canonical) for page in folder.built)
    facts = SiteFacts(
        site_dir=project.site_dir,
        pages=pages,
        site=selection.site,
        why_undated=tuple(why_undated),
        read_changes=cache(read_changes),
        elsewhere=_elsewhere(project, base_url),
        shows_drafts=not is_pelican(project_dir),
        local_canonicals=local,
        folder=folder,
    )
    about_pages = _at_sources(selection.notices, folder, pages)
    return facts, (*about_rules, *about_pages)


class _PageReader:
    """Describes the pages of a folder to the checks."""

    def __init__(
        self,
        project: Project,
        folder: FolderSite,
        selection: Selection,
        base_url: str,
        dates: Mapping[str, tuple[DateOrDatetime, DateOrDatetime]],
    ) -> None:
        """Take what is known of all pages.

        `dates` are what `_source_dates` returned, by the host's path of the page.
        """
        self._folder = folder
        self._base_url = base_url
        self._dates = dates
        self._urls = selection.urls
        self._site_dir = project.site_dir
        self._left_out = {each.page.label: each for each in selection.pages_left_out}
        self._listed = {page.path: page for page in selection.listed}
        self._shown = trusted_dates({page.name: page.marks for page in folder.built})
        record = read_kept(project.site_dir / project.options.filename)
        rows = record.pages if record else ()
        self._recorded = {row.url: row for row in rows}
        self._copied = folder.reader.copied
        # With this option, copied pages are to be listed as all others.
        if project.options.static_html:
            self._copied = frozenset()

    def page(self, built: Built) -> SitePage:
        """Describe a page, at the URL that `select` found for it.

        The page itself, by its canonical link, can decide the form of the URL.
        """
        name = built.name
        reader = self._folder.reader
        own_path = reader.paths[name]
        url = self._urls[self._site_dir / name]
        path = url.removeprefix(self._base_url) or own_path
        # The build's record of the page is surer than what the folder shows.
        recorded = self._recorded.get(url, Recorded(url, page="", source=""))
        source = recorded.source or reader.sources.by_page.get(name, "")
        left_out = None
        if own_path not in self._listed:
            left_out = self._left_out.get(reader.sources.label(name))
        # Only the record shows what the generator alone knows of a page.
        elif recorded.left_out:
            listed = self._listed[own_path]
            left_out = LeftOut(listed, recorded.left_out, recorded.why)
        head = built.marks.head
        canonicals = head.canonical_urls(self._base_url + path) if head else ()
        return SitePage(
            file=self._folder.files[name],
            path=path,
            url=self._base_url + path,
            left_out=left_out,
            is_copied=name in self._copied,
            source=source,
            dates=self._dates.get(own_path),
            shown=self._shown.get(name),
            head=head,
            canonicals=canonicals,
            soft_404=built.marks.soft_404,
        )


def _at_sources(
    notices: Iterable[Notice], folder: FolderSite, pages: Mapping[str, SitePage]
) -> list[Notice]:
    """Return notices about pages with their sources' paths as places, if known."""
    places = {}
    for name, file in folder.files.items():
        label = folder.reader.sources.label(name)
        places[label] = pages[file].source or label
    return [replace(n, place=places.get(n.place, n.place)) for n in notices]


def _elsewhere(project: Project, base_url: str) -> frozenset[str]:
    """Return the identities of the URLs that the option `urls` lists."""
    found = set()
    for item in project.options.urls:
        url = urls.resolve(str(item["loc"]), base_url)
        found.add(urls.identity(url))
    return frozenset(found)


def _changes(
    selection: Selection, dates: Dates, folder: FolderSite
) -> dict[str, Explanation]:
    """Return why pages have their dates, by file."""
    known = explain_each(selection.listed, dates)
    reasons = add_subjects(known.values(), dates.files.repositories)
    by_path = dict(zip(known, reasons, strict=True))
    found = {}
    for name, path in folder.reader.paths.items():
        if path in by_path:
            found[folder.files[name]] = by_path[path]
    return found


def _source_dates(
    selection: Selection, project: Project, now: datetime
) -> tuple[dict[str, tuple[DateOrDatetime, DateOrDatetime]], Dates]:
    """Return when the source of each listed page last changed, by path, by two clocks.

    The earliest date is the author's, as some programs date pages, the latest that of
    the branch; they differ if the change was written before it was committed. Also
    return what is known of the latter.
    """
    environment = Environment(
        now=now, ci=project.ci, environ=project.environ, git_cache=GitCache()
    )
    # A date of publication is not the date of a change of the source.
    origins = [each for each in project.options.lastmod if each != "published"]
    options = replace(project.options, lastmod=tuple(origins))
    latest = resolve(selection.listed, options=options, environment=environment)
    known = {}
    for path, date in latest.by_path.items():
        known[path] = (latest.evidence[path].written or date, date)
    return known, latest


def _select(
    project: Project,
    folder: FolderSite,
    base_url: str,
    robots: Robots | None,
    hosting: str,
) -> tuple[Selection, Notices]:
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
