"""What the pages of old versions say, and the page of the default version for each.

Search engines show one of several similar pages: the one that canonical links name or,
without such links, often the oldest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple, get_args
from urllib.parse import unquote

from sitemap_plugins.core import url_forms, urls
from sitemap_plugins.core.choice.other_files import files_below
from sitemap_plugins.core.html.document import read_bytes
from sitemap_plugins.core.html.head import HeadMeta, read_head, read_head_of
from sitemap_plugins.core.messages import OptionsError, PageError, quoted
from sitemap_plugins.core.url_forms import (
    ERROR_PAGE,
    HTML_SUFFIXES,
    INDEX,
    Files,
    Spelling,
    any_form,
)
from sitemap_plugins.folder.page_marks import is_fragment, reads_sitemap
from sitemap_plugins.folder.versions import Version, Versions
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import find_sitemaps, listed_in

Kind = Literal[
    "default", "itself", "nothing", "elsewhere", "noindex", "redirect", "unreadable"
]
"""What a page says.

Its canonical link names a page of the default version, itself, nothing, or something
else; or search engines drop the page anyway; or its head is not clear."""

KINDS: tuple[Kind, ...] = get_args(Kind)

UNKNOWN = "https://unknown.invalid/"
"""The site's address where nothing shows it: paths are compared all the same."""

_Said = dict[str, tuple[str, Spelling]]
"""What canonical links of files name: a version's folder, and what follows."""

_MAX_HOPS = 5
"""Redirects followed from one page of the default version to the next."""


class OldPage(NamedTuple):
    """A page of another version than the default one."""

    file: str
    """Its name, relative to the folder of all versions."""

    kind: Kind

    canonical: str = ""
    """What it names, absolute; empty for nothing."""

    target: str = ""
    """The URL of the default version's page; empty if that version lacks it."""

    url: str = ""
    """Its own."""

    is_foreign: bool = False
    """Whether the canonical link names a page of another site, or one outside of all
    versions."""

    is_dead: bool = False
    """Whether the canonical link names an address of this site without a page."""

    reads_sitemap: bool = False
    """As `page_marks.reads_sitemap`."""

    @property
    def is_unprotected(self) -> bool:
        """Whether it can outrank the default version's page, which it does not name."""
        return bool(self.target) and self._is_rival

    @property
    def is_gone(self) -> bool:
        """Whether search engines may index it, though the default version lacks it."""
        return not self.target and self._is_rival

    @property
    def _is_rival(self) -> bool:
        return self.kind in {"itself", "nothing", "elsewhere"} and not self.is_foreign


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultPages:
    """The pages of the default version, and where the old ones lead."""

    versions: Versions
    default: Version

    base_url: str
    """The address of the folder of all versions, normalized; empty if unknown."""

    folder: str
    """The folder of the default version by the name that its own pages give it."""

    folders: frozenset[str]
    """The names of all versions' folders."""

    files: Files
    """Which page of the version a path below it leads to."""

    url_of: Mapping[str, str]
    """Where each file's page can be found, absolute; absent for pages that are not
    indexed."""

    moved: Mapping[str, str]
    """Paths below an old version, as `any_form`, → paths below the default one.

    A `*` at the end stands for any rest, unless the path itself is there.
    """

    reads_sitemap: bool
    """Whether any page does, as `page_marks.reads_sitemap`."""

    def old_pages(self, version: Version, folder: str) -> Iterator[OldPage]:
        """Yield the pages of a version that search engines should not show.

        A version can have several folders; `folder` is one of them.
        """
        for file in html_files(self.versions.folder / folder):
            yield self._judge(version, folder, file)

    def _judge(self, version: Version, folder: str, file: str) -> OldPage:
        name = f"{folder}/{file}"
        try:
            html = read_bytes(self.versions.folder / name)
        except PageError:
            return OldPage(name, "unreadable")
        head = read_head(html)
        base = self.base_url or UNKNOWN
        url = base + url_forms.usual_path(urls.percent_encode(name))
        canonical = head.canonical_url(url)
        # A link to a local server, of a build for one, is as good as none.
        if urls.is_local(canonical) and not urls.is_local(base):
            canonical = ""
        below = urls.percent_encode(file)
        page = OldPage(
            name,
            "nothing",
            canonical,
            self._target(below),
            url,
            reads_sitemap=reads_sitemap(head.generator),
        )
        if head.refresh:
            return page._replace(kind="redirect")
        if head.noindex:
            return page._replace(kind="noindex")
        if is_fragment(html) or not head.is_whole:
            return page._replace(kind="unreadable")
        return self._judge_canonical(page, version, below) if canonical else page

    def _judge_canonical(self, page: OldPage, version: Version, file: str) -> OldPage:
        """Return the page with the kind of what its canonical link names.

        `file` is percent-encoded, below the version.
        """
        beginning = urls.identity(self.base_url or UNKNOWN)
        identity = urls.identity(page.canonical).partition("?")[0]
        if identity.startswith(beginning):
            below = identity.removeprefix(beginning)
            return self._judge_own(page, version, file, below)
        # The link can have an old address of the site: GitHub redirects old ones.
        is_old = any(self.default.spellings(page.canonical, file))
        if is_old and file in self.url_of:
            return page._replace(kind="default")
        if any(version.spellings(page.canonical, file)):
            return page._replace(kind="itself")
        return page._replace(kind="elsewhere", is_dead=is_old, is_foreign=not is_old)

    def _judge_own(
        self, page: OldPage, version: Version, file: str, below: str
    ) -> OldPage:
        """Return the page with the kind of what its canonical link names on this site.

        `below` is the link's path below the site's address.
        """
        folder, _, path = below.partition("/")
        folder = unquote(folder)
        if folder in self.default.folders and self.files.page_at(path):
            return page._replace(kind="default")
        if any(version.spellings(page.canonical, file)):
            return page._replace(kind="itself")
        is_dead = not Files(folder=self.versions.folder).at(below)
        is_foreign = not is_dead and folder not in self.folders
        return page._replace(kind="elsewhere", is_dead=is_dead, is_foreign=is_foreign)

    def _target(self, file: str) -> str:
        """Return the URL of the default version's page for a file of an old one."""
        # The table of moved pages has one form of each path on its left, and whatever
        # form the user wrote on its right.
        path = self._moved(any_form(file))
        return self.url_of.get(self.files.page_at(any_form(path)), "")

    def _moved(self, path: str) -> str:
        """Return where a path of an old version is in the default one."""
        if path in self.moved:
            return self.moved[path]
        for old, new in self.moved.items():
            beginning = old.removesuffix("*")
            if beginning != old and path.startswith(beginning):
                rest = path.removeprefix(beginning) if "*" in new else ""
                return new.removesuffix("*") + rest
        return path

    def missing(self) -> list[str]:
        """Return the paths below old versions that the default version lacks."""
        paths = set()
        for version in self.versions.all:
            top = self.versions.folder / version.name
            paths |= {any_form(urls.percent_encode(file)) for file in html_files(top)}
        return sorted(path for path in paths if not self.files.page_at(path))


def html_files(top: Path) -> list[str]:
    """Return a version's HTML files, sorted, without its error page and links."""
    names = []
    for name in sorted(files_below(top)):
        is_page = name.endswith(HTML_SUFFIXES) and name != ERROR_PAGE
        if is_page and not (top / name).is_symlink():
            names.append(name)
    return names


def read_default(
    versions: Versions, *, base_url: str, moved: Mapping[str, str]
) -> DefaultPages:
    """Read the pages of the default version.

    `base_url` is normalized; if it is empty, the address is that of the pages' own
    canonical links.

    Raises:
        OptionsError: No version is the default, or it has no page.
    """
    default = versions.default
    if default is None:
        folder = repr(str(versions.folder))
        msg = f"nothing shows which version in {folder} readers should find"
        raise OptionsError(msg, cure="name it with --default")
    heads = _heads(versions.folder / default.name, default)
    said = _said(heads, default)
    folder = _folder(said, versions, default)
    spellings = [spelling for _, spelling in said.values()]
    base = base_url or url_forms.most_common_base(spellings)
    files = Files.of(heads)
    _refuse_missing(moved.values(), files)
    generators = [head.generator for head in heads.values()]
    paths = {old if "*" in old else any_form(old): new for old, new in moved.items()}
    return DefaultPages(
        versions=versions,
        default=default,
        base_url=base,
        folder=folder,
        folders=frozenset(versions.by_name),
        files=files,
        url_of=_urls(heads, said, files, folder, base or UNKNOWN),
        moved=paths,
        reads_sitemap=any(map(reads_sitemap, generators)),
    )


def _refuse_missing(targets: Iterable[str], files: Files) -> None:
    """Raise an error if a target of `--map` is no page of the default version."""
    for new in targets:
        if "*" not in new and not files.page_at(any_form(new)):
            msg = f"the default version has no page {quoted(new)}"
            raise OptionsError(msg, cure="correct --map")


def _heads(top: Path, default: Version) -> dict[str, HeadMeta]:
    """Return the heads of the default version's pages, by file, percent-encoded.

    The pages are read in the version's own folder: an alias can hold redirects only.

    Raises:
        OptionsError: The default version has no page.
    """
    names = html_files(top)
    if not names:
        msg = f"the default version {quoted(default.name)} has no HTML file"
        raise OptionsError(msg, cure="deploy it, or name another with --default")
    heads = {}
    for name in names:
        with suppress(PageError):
            html = read_bytes(top / name)
            if not is_fragment(html):
                heads[urls.percent_encode(name)] = read_head(html)
    return heads


def _said(heads: Mapping[str, HeadMeta], default: Version) -> _Said:
    """Return how canonical links name pages: the version's folder, and what follows."""
    said = {}
    for file, head in heads.items():
        url = head.canonical or ""
        if "://" in url and not urls.is_local(url):
            for named in default.spellings(url, file):
                said[file] = named
    return said


def _folder(said: _Said, versions: Versions, default: Version) -> str:
    """Return the folder of the default version by the name that readers see.

    Readers see the name in most canonical links, or in the version's own sitemap.
    Without these, the name is the alias, unless the alias redirects.
    """
    folders = Counter(name for name, _ in said.values())
    if folders:
        return folders.most_common(1)[0][0]
    location = FileLocation(versions.folder / default.name / "sitemap.xml")
    if not location.problem:
        for listed in islice(listed_in(find_sitemaps(location)), 1):
            for name in default.folders:
                if f"/{urls.percent_encode(name)}/" in listed.url:
                    return name
    with suppress(PageError):
        if read_head_of(versions.folder / versions.default_folder / INDEX).refresh:
            return default.name
    return versions.default_folder


def _urls(
    heads: Mapping[str, HeadMeta],
    said: _Said,
    files: Files,
    folder: str,
    base_url: str,
) -> dict[str, str]:
    """Return where each page of the default version can be found, by its file.

    A page that redirects, or has a canonical link to another page of the version, is
    found at the URL of that page.
    """
    own = _own_urls(heads, said, folder, base_url)
    file_of = {urls.identity(url): file for file, url in own.items()}
    start = urls.identity(f"{base_url}{urls.percent_encode(folder)}/")

    def following(file: str) -> str:
        there = _leads_to(heads[file], own[file])
        if not there:
            return ""
        identity = urls.identity(there).partition("?")[0]
        return file_of.get(identity) or files.page_at(identity.removeprefix(start))

    found = {}
    for first in heads:
        last = _last_hop(first, following)
        if not heads[last].noindex and not heads[last].refresh:
            found[first] = own[last]
    return found


def _own_urls(
    heads: Iterable[str],
    said: _Said,
    folder: str,
    base_url: str,
) -> dict[str, str]:
    """Return the URL of each page of the default version, by its file.

    A URL's form, such as `a/` or `a.html`, is that in the page's own canonical link, or
    in those of most pages. `said` has what the links name; `folder` is the version's.
    """
    prefix = f"{urls.percent_encode(folder)}/"
    forms = {}
    for file, (name, spelling) in said.items():
        # Some pages' links name another version.
        if name == folder:
            forms[prefix + file] = spelling.form
    names = [prefix + file for file in heads]
    paths = url_forms.paths_of(names, known=forms, votes=forms)
    return {file: base_url + paths[prefix + file] for file in heads}


def _last_hop(file: str, following: Callable[[str], str]) -> str:
    """Return the file to which a page leads at last; itself if it leads to none."""
    for _ in range(_MAX_HOPS):
        there = following(file)
        if not there or there == file:
            break
        file = there
    return file


def _leads_to(head: HeadMeta, url: str) -> str:
    """Return the URL that a page redirects to or names as canonical; empty for none."""
    return head.refresh_url(url) if head.refresh else head.canonical_url(url)
