"""The pages of old versions: what each says about the default version's page at the same path.

Search engines show one of several similar pages: the one that canonical links name or, without
such links, often the oldest.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError, PageError
from sitemap_plugins.core.html.head import read_head, read_head_of
from sitemap_plugins.core.html.page import read_bytes
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.pages.other_files import files_below
from sitemap_plugins.core.records import ERROR_PAGE
from sitemap_plugins.core.url_forms import (
    HTML_SUFFIXES,
    INDEX,
    any_form,
    files_by_path,
    has_file,
    most_common_base,
    paths_of,
    usual_path,
)
from sitemap_plugins.folder.page_marks import is_fragment, reads_sitemap
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import find_sitemaps, listed_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.core.html.head import HeadMeta
    from sitemap_plugins.core.url_forms import Spelling
    from sitemap_plugins.folder.versions import Version, Versions

__all__ = ["KINDS", "DefaultPages", "Kind", "OldPage", "read_default"]

Kind = Literal["default", "itself", "nothing", "elsewhere", "noindex", "redirect", "unreadable"]
"""What a page says: its canonical link names a page of the default version, itself, nothing, or
something else; or search engines drop the page anyway; or its head is not clear."""

KINDS: tuple[Kind, ...] = get_args(Kind)

_UNKNOWN = "https://unknown.invalid/"
"""The site's address where nothing shows it: paths are compared all the same."""

_MOST_HOPS = 5
"""Redirects followed from one page of the default version to the next."""


class OldPage(NamedTuple):
    """A page of another version than the default one."""

    file: str
    """Its name, relative to the folder of all versions."""

    kind: Kind

    canonical: str = ""
    """What it names, absolute; empty for nothing."""

    target: str = ""
    """The URL of the default version's page; empty if that version no longer has the page."""

    url: str = ""
    """Its own."""

    is_foreign: bool = False
    """Whether the canonical link names a page of another site, or one outside of all versions."""

    is_dead: bool = False
    """Whether the canonical link names an address of this site where no page is."""

    reads_sitemap: bool = False
    """As `page_marks.reads_sitemap`."""

    @property
    def is_unprotected(self) -> bool:
        """Whether it can outrank the default version's page, as it does not name that page."""
        return bool(self.target) and self._is_rival

    @property
    def is_gone(self) -> bool:
        """Whether search engines may index it, though the default version does not have it."""
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
    """The address of the folder of all versions, normalized; empty if nothing shows it."""

    folder: str
    """The folder of the default version by the name that its own pages give it."""

    folders: frozenset[str]
    """The names of all versions' folders."""

    by_path: Mapping[str, str]
    """The file that answers at each path below the version, as `url_forms.files_by_path`."""

    url_of: Mapping[str, str]
    """Where each file's page can be found, absolute; absent for pages that are not indexed."""

    moved: Mapping[str, str]
    """Paths below an old version → paths below the default one; `*` at the end for any rest."""

    reads_sitemap: bool
    """Whether any page does, as `page_marks.reads_sitemap`."""

    def old_pages(self, version: Version, folder: str) -> Iterator[OldPage]:
        """Yield the pages in a folder of a version that is not the one to be found."""
        for file in html_files(self.versions.folder / folder):
            yield self._judge(version, folder, file)

    def _judge(self, version: Version, folder: str, file: str) -> OldPage:
        name, encoded = f"{folder}/{file}", urls.percent_encode(file)
        try:
            html = read_bytes(self.versions.folder / name)
        except PageError:
            return OldPage(name, "unreadable")
        head, base = read_head(html), self.base_url or _UNKNOWN
        url = base + usual_path(f"{urls.percent_encode(folder)}/{encoded}")
        canonical = head.canonical_url(url) or ""
        if urls.is_local(canonical) and not urls.is_local(base):
            canonical = ""
        page = OldPage(name, "nothing", canonical, self._target(encoded), url)
        page = page._replace(reads_sitemap=reads_sitemap(head.generator or ""))
        if head.refresh:
            return page._replace(kind="redirect")
        if head.noindex:
            return page._replace(kind="noindex")
        if is_fragment(html) or not head.is_whole:
            return page._replace(kind="unreadable")
        return self._judge_canonical(page, version, encoded) if canonical else page

    def _judge_canonical(self, page: OldPage, version: Version, file: str) -> OldPage:
        """Return what the canonical link names; `file` is percent-encoded, below the version."""
        beginning = urls.identity(self.base_url or _UNKNOWN)
        whole = urls.identity(page.canonical).partition("?")[0]
        is_here, below = whole.startswith(beginning), whole.removeprefix(beginning)
        folder, _, path = below.partition("/")
        is_default = is_here and unquote(folder) in self.default.folders and path in self.by_path
        # An old address of the site: GitHub redirects those that it had there.
        is_of_default = not is_here and any(self.default.spellings(page.canonical, file))
        if is_default or (is_of_default and file in self.url_of):
            return page._replace(kind="default")
        if any(version.spellings(page.canonical, file)):
            return page._replace(kind="itself")
        is_dead = is_of_default or (is_here and not has_file(self.versions.folder, below))
        is_foreign = not is_dead and not (is_here and unquote(folder) in self.folders)
        return page._replace(kind="elsewhere", is_foreign=is_foreign, is_dead=is_dead)

    def _target(self, file: str) -> str:
        """Return the URL of the default version's page for a file of an old one."""
        path = any_form(file)
        for old, new in self.moved.items():
            if old.endswith("*") and path.startswith(old[:-1]):
                path = new.removesuffix("*") + (path.removeprefix(old[:-1]) if "*" in new else "")
                break
            if path == any_form(old):
                path = new
                break
        return self.url_of.get(self.by_path.get(any_form(path), ""), "")


def html_files(top: Path) -> list[str]:
    """Return the names of a version's HTML files, sorted, without its error page and links."""
    return sorted(
        name
        for name in files_below(top)
        if name.endswith(HTML_SUFFIXES) and name != ERROR_PAGE and not (top / name).is_symlink()
    )


def read_default(versions: Versions, *, base_url: str, moved: Mapping[str, str]) -> DefaultPages:
    """Read the pages of the default version.

    `base_url` is normalized; if it is empty, the address is that of the pages' own canonical links.

    Raises:
        OptionsError: There is no default version, or no page in it.
    """
    if versions.default is None:
        msg = f"nothing shows which version in {str(versions.folder)!r} readers should find"
        raise OptionsError(msg, cure="name it with --default")
    top = versions.folder / versions.default.name  # An alias can hold redirects only.
    names = {file: urls.percent_encode(file) for file in html_files(top)}
    if not names:
        msg = f"the default version {quoted(versions.default.name)} has no HTML file"
        raise OptionsError(msg, cure="deploy it, or name another with --default")
    heads = {}
    for file, encoded in names.items():
        with suppress(PageError):
            html = read_bytes(top / file)
            if not is_fragment(html):
                heads[encoded] = read_head(html)
    said = {
        file: named
        for file, head in heads.items()
        if (url := head.canonical) and "://" in url and not urls.is_local(url)
        for named in versions.default.spellings(url, file)
    }
    folders = Counter(name for name, _ in said.values())
    named_by_sitemap = _listed_name(top, versions.default)
    folder = max(folders, key=folders.__getitem__, default=named_by_sitemap)
    folder = folder or _own_name(versions, versions.default)
    base = base_url or most_common_base(spelling for _, spelling in said.values())
    by_path = files_by_path(heads)
    for new in moved.values():
        if "*" not in new and any_form(new) not in by_path:
            msg = f"the default version has no page {quoted(new)}"
            raise OptionsError(msg, cure="correct --map")
    return DefaultPages(
        versions=versions,
        default=versions.default,
        base_url=base,
        folder=folder,
        folders=frozenset(name for version in versions.all for name in version.folders),
        by_path=by_path,
        url_of=_urls(heads, said, folder, base),
        moved=moved,
        reads_sitemap=any(reads_sitemap(head.generator or "") for head in heads.values()),
    )


def _listed_name(top: Path, version: Version) -> str:
    """Return the version's folder in the first URL of its own sitemap; empty for none."""
    location = FileLocation(top / "sitemap.xml")
    files = [] if location.problem else find_sitemaps(location)
    first = "".join(listed.url for listed in islice(listed_in(files), 1))
    return next((n for n in version.folders if f"/{urls.percent_encode(n)}/" in first), "")


def _own_name(versions: Versions, default: Version) -> str:
    """Return the default version's name without canonical links: the alias, unless it redirects."""
    with suppress(PageError):
        if read_head_of(versions.folder / versions.default_folder / INDEX).refresh:
            return default.name
    return versions.default_folder


def _urls(
    heads: Mapping[str, HeadMeta],
    said: Mapping[str, tuple[str, Spelling]],
    folder: str,
    base_url: str,
) -> dict[str, str]:
    """Return where each page of the default version can be found, by its file.

    A page that redirects, or has a canonical link to another page of the version, is found there.
    """
    base, prefix = base_url or _UNKNOWN, f"{urls.percent_encode(folder)}/"
    paths = paths_of(
        (prefix + file for file in heads),
        said={prefix + file: spelling for file, (name, spelling) in said.items() if name == folder},
        listed={},
    )
    own = {file: base + paths[prefix + file] for file in heads}
    by_url = {urls.identity(url): file for file, url in own.items()}
    by_path = files_by_path(heads)
    start = urls.identity(base + prefix)

    def file_at(url: str) -> str:
        whole = urls.identity(url).partition("?")[0]
        return by_url.get(whole) or by_path.get(whole.removeprefix(start), "")

    found = {}
    for first in heads:
        file = first
        for _ in range(_MOST_HOPS):
            head, url = heads[file], own[file]
            there = head.refresh_url(url) if head.refresh else head.canonical_url(url)
            following = file_at(there) if there else ""
            if not following or following == file:
                break
            file = following
        if not heads[file].noindex and not heads[file].refresh:
            found[first] = own[file]
    return found
