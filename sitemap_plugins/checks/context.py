"""What a check may know beside the element in front of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.url.forms import has_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from sitemap_plugins.checks.sitemaps import SitemapFile
    from sitemap_plugins.checks.survey import Survey
    from sitemap_plugins.core.codes import Reason, Severity
    from sitemap_plugins.core.crawlers.robots_txt import Robots
    from sitemap_plugins.core.date_values import DateOrDatetime

__all__ = ["Context", "SiteFacts"]


@dataclass(frozen=True, kw_only=True)
class SiteFacts:
    """What is known of the built site; files are encoded names relative to its root."""

    site_dir: Path

    paths: Mapping[str, str]
    """The path at which each file answers, by file."""

    reasons: Mapping[str, Reason]
    """Why a file is not to be listed, by file; those to be listed are absent."""

    sources: Mapping[str, str]
    """The source of each file, relative to the repository, where it is known."""

    dates: Mapping[str, DateOrDatetime]
    """When each file's source last changed, where it is known."""

    unlisted: frozenset[str]
    """Files that the generator only copied, which need not be listed."""

    shows_drafts: bool
    """Whether the sources show, in a syntax that is read here, which pages are not to be listed."""

    canonicals: Mapping[str, tuple[str, ...]]
    """The canonical URLs that each page names, absolute, by file; each once."""

    local_canonicals: int
    """How many pages' canonical links are on a local server."""

    generators: frozenset[str]
    """The names of the programs that say they made pages, up to the first hyphen."""

    by_path: Mapping[str, str]
    """The file that answers at a path, in any form and by `urls.path_identity`."""

    def answers(self, path: str) -> bool:
        """Tell whether a page or another file is at a path, as `urls.path_identity` spells it."""
        return path in self.by_path or has_file(self.site_dir, path)

    @property
    def has_local_canonicals(self) -> bool:
        """Whether most pages' canonical links are on a local server."""
        return 2 * self.local_canonicals > len(self.paths)


@dataclass(frozen=True, kw_only=True)
class Context:
    """What all checks share."""

    survey: Survey

    submitted: SitemapFile
    """The file that crawlers are given."""

    base_url: str
    """The sitemap's own folder, normalized; empty where it is not known."""

    now: datetime
    """Aware."""

    robots: Robots | None = None
    """None where robots.txt cannot be read, or where nothing but files is checked."""

    site: SiteFacts | None = None
    """None where only files are checked."""

    hosting: str = ""
    """The hosting service, one of `hosting.SERVICES`; empty for any."""

    @cached_property
    def base(self) -> str:
        """What URLs of the site begin with, compared by `urls.identity`; empty as `base_url` is."""
        return urls.identity(self.base_url) if self.base_url else ""

    @property
    def submitted_url(self) -> str:
        """Where the submitted file will stand; empty where that is not known."""
        if self.submitted.url:
            return self.submitted.url
        name = self.submitted.path.name
        return urls.join(self.base_url, urls.percent_encode(name)) if self.base_url else ""

    @property
    def has_wrong_base(self) -> bool:
        """Whether URLs are listed, but none below the base URL: then it is the base that is wrong.

        Addresses of local servers say nothing of it, and where a sitemap was fetched is certain.
        """
        survey = self.survey
        is_certain = bool(self.submitted.url) or not self.base_url
        is_said = bool(survey.origin) and not urls.is_local(survey.origin)
        return not is_certain and is_said and not survey.below

    def announced(self) -> set[str]:
        """Return the names of the files that robots.txt calls sitemaps, and of their parts."""
        found = self.robots.sitemaps if self.robots is not None else ()
        named = set(map(_last_segment, found))
        files = (facts.file for facts in self.survey.files)
        indexes = (file for file in files if _last_segment(file.url or file.name) in named)
        return named | {_last_segment(part.url) for file in indexes for part in file.parts}

    @cached_property
    def signed(self) -> frozenset[Path]:
        """The sitemaps that we wrote: nothing that only their generator knows is judged again."""
        return frozenset(facts.file.path for facts in self.survey.files if facts.is_signed)

    @property
    def is_signed(self) -> bool:
        """Whether we wrote the submitted sitemap and all of its parts."""
        paths = {self.submitted.path, *(part.path for part in self.submitted.parts)}
        return paths <= self.signed

    @property
    def doubt(self) -> Severity | None:
        """How much a finding matters if the generator may know better; None for the usual."""
        is_certain = self.site is None or self.site.shows_drafts
        return None if is_certain and not self.is_signed else "info"

    @cached_property
    def other_sites(self) -> frozenset[str]:
        """Folders with a sitemap that is none of these, if they are of several sites."""
        if self.site is None or not self.is_of_several_sites:
            return frozenset()
        known = {facts.file.path.resolve().parent for facts in self.survey.files}
        top, name = self.site.site_dir, self.submitted.path.name
        return frozenset(
            folder
            for folder in {folder for file in self.site.paths for folder in _folders_above(file)}
            if (top / unquote(folder) / name).is_file()
            and (top / unquote(folder)).resolve() not in known
        )

    @property
    def is_of_several_sites(self) -> bool:
        """Whether the sitemap is an index of sites in folders, or a link to that of one of them.

        These are versions or languages.
        """
        top = self.submitted.path.parent.resolve()
        paths = [part.path for part in self.submitted.parts] or [self.submitted.path]
        return all(path.name == "sitemap.xml" and path.resolve().parent != top for path in paths)

    def is_of_other_site(self, file: str) -> bool:
        """Tell whether a file belongs to a site that the index leaves out."""
        return not self.other_sites.isdisjoint(_folders_above(file))

    def path_of(self, identity: str) -> str | None:
        """Return what stands after the base URL, to compare by; None where no site is known."""
        is_below = self.site is not None and bool(self.base_url) and identity.startswith(self.base)
        return identity.removeprefix(self.base) if is_below else None

    def file_of(self, identity: str) -> str | None:
        """Return the file of the site that answers at a URL; None for none or outside."""
        path = self.path_of(identity)
        if self.site is None or path is None:
            return None
        # A server of files gives the same one whatever the query.
        return self.site.by_path.get(path.partition("?")[0])

    def source_of(self, url: str) -> str:
        """Return the source of a URL's page; empty where it is not known."""
        file = self.file_of(urls.identity(url))
        return self.site.sources.get(file, "") if self.site is not None and file else ""


def _last_segment(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _folders_above(file: str) -> Iterator[str]:
    """Yield the folders that a file is in, without the site's root.

    >>> [*_folders_above("en/1.0/a.html")]
    ['en/1.0', 'en']
    """
    while file := file.rpartition("/")[0]:
        yield file
