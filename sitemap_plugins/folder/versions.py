"""The versions of a manual in one folder, and the page of the default version for each page.

Search engines show one of several similar pages: the one that canonical links name or,
without such links, often the oldest.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import unquote

from sitemap_plugins.core import url_forms, urls
from sitemap_plugins.core.html.head import HeadMeta, read_head, read_head_of
from sitemap_plugins.core.html.page import read_bytes
from sitemap_plugins.core.messages import OptionsError, PageError, a_few, quoted
from sitemap_plugins.core.pages.other_files import files_below
from sitemap_plugins.core.untrusted_files import is_folder, read_regular_file
from sitemap_plugins.core.url_forms import (
    ERROR_PAGE,
    HTML_SUFFIXES,
    INDEX,
    Files,
    any_form,
)
from sitemap_plugins.folder.page_marks import is_fragment, reads_sitemap
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import find_sitemaps, listed_in

_MAX_BYTES = 1 << 20
"""Bytes of a list of versions: room for ten thousand."""

_PAGE_BYTES = 1 << 16
"""Bytes of index.html; mike writes a few hundred."""

_OF_GENERATORS = ("objects.inv", "searchindex.js", "search/search_index.json")
"""What Sphinx and MkDocs write into the folder of a whole site."""


class Version(NamedTuple):
    """One version."""

    name: str
    """The name of its folder."""

    aliases: tuple[str, ...] = ()
    """Other folders with the same pages: copies, links, or redirects."""

    @property
    def folders(self) -> tuple[str, ...]:
        """All names of its folder."""
        return (self.name, *self.aliases)

    def spellings(
        self, url: str, file: str
    ) -> Iterator[tuple[str, url_forms.Spelling]]:
        """Yield how a URL names a page of the version, on whatever site, after the folder in it.

        `file` is percent-encoded, relative to the version's folder.
        """
        parts = {*unquote(url).split("/")}  # A list can name thousands of aliases.
        for folder in filter(parts.__contains__, self.folders):
            if spelling := url_forms.spelled_by(
                url, f"{urls.percent_encode(folder)}/{file}"
            ):
                yield folder, spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The versions in a folder."""

    folder: Path

    all: tuple[Version, ...] = ()
    """In the order of the list, which mike begins with the newest; empty for no versions."""

    default: Version | None = None
    """The version that readers should find; None if nothing shows it."""

    default_folder: str = ""
    """The name of its folder by which `index.html` or the user names it."""


def read_versions(
    folder: Path, *, patterns: Sequence[str] = (), default: str = ""
) -> Versions:
    """Return the versions in a folder; none if nothing shows that it has any.

    `patterns` are for folders that no file lists (`v*`); `default` is the name or an
    alias of the default version, or empty if the folder shows it.

    Raises: OptionsError: A list of versions is not as its program writes it, or there
        is no version of the default's name.
    """
    if not is_folder(folder):
        return Versions(folder=folder)
    first = default or _redirect(folder)
    versions, preferred = _listed(folder), ""
    if patterns:
        versions = [
            Version(name)
            for name in _subfolders(folder)
            if name == default
            or any(fnmatchcase(name, pattern) for pattern in patterns)
        ]
    elif not versions:
        versions, preferred = _switcher(folder)
    if versions:
        versions = _linked(versions, folder)
    elif first and not _is_site(folder):
        built = [
            Version(name) for name in _subfolders(folder) if _is_site(folder / name)
        ]
        # Other folders can hold whole sites too; those of versions have a page that
        # leads to one.
        linked = _linked(built, folder)
        versions = linked if first in _by_name(linked) else []
    by_name = _by_name(versions)
    if default and default not in by_name:
        raise _unknown(default, folder, by_name)
    shown = first if first in by_name else preferred
    return Versions(
        folder=folder,
        all=(*versions,),
        default=by_name.get(shown),
        default_folder=shown,
    )


def apparent_versions(folder: Path) -> Versions:
    """Return the versions as `read_versions`; none if another program wrote a list of that name."""
    try:
        return read_versions(folder)
    except OptionsError:
        return Versions(folder=folder)


def wanted_versions(versions: Versions, names: Sequence[str]) -> list[Version]:
    """Return the versions with these names or aliases; `all` and `default` are names too.

    Without names, return the default version.

    Raises:
        OptionsError: There is no version of that name, or no default.
    """
    if "all" in names:
        return [*versions.all]
    by_name = _by_name(versions.all)
    wanted = {}
    for name in names or ["default"]:
        found = versions.default if name == "default" else by_name.get(name)
        if found is None and name == "default":
            msg = f"{versions.folder} has no default version"
            raise OptionsError(msg, cure="run `mike set-default`, or give --versions")
        if found is None:
            raise _unknown(name, versions.folder, by_name)
        wanted[found.name] = found
    return [*wanted.values()]


def _unknown(name: str, folder: Path, names: Iterable[str]) -> OptionsError:
    problem = f"{quoted(name)} is not a version in {folder}"
    known = [*names] or _subfolders(folder)
    return OptionsError(problem, cure=f"name one of {a_few(known)}" if known else "")


def _by_name(versions: Iterable[Version]) -> dict[str, Version]:
    return {name: version for version in versions for name in version.folders}


def _listed(folder: Path) -> list[Version]:
    """Return the versions in versions.json."""
    with _rows(folder / "versions.json", "mike") as rows:
        return [
            # sphinx-polyversion: the first argument of a `GitRef` is its name.
            Version(_name(each["__jsonclass__"][1][0]))
            if "__jsonclass__" in each
            else Version(_name(each["version"]), tuple(map(_name, each["aliases"])))
            for each in rows
        ]


def _switcher(folder: Path) -> tuple[list[Version], str]:
    """Return the versions in switcher.json whose folders exist, and the name of the preferred."""
    with _rows(folder / "switcher.json", "pydata-sphinx-theme") as rows:
        named = {
            each["url"].rstrip("/").rpartition("/")[2]: each.get("preferred")
            for each in rows
        }
    named.pop("", None)
    built = _subfolders(folder) if named else ()
    preferred = next((name for name in named if named[name]), "")
    return [Version(name) for name in named if name in built], preferred


@contextmanager
def _rows(file: Path, program: str) -> Iterator[Any]:
    """Give what is in a list of versions, nothing without the file, to be read by the caller."""
    try:
        is_there = file.is_file()
        yield (
            json.loads(read_regular_file(file, max_bytes=_MAX_BYTES))
            if is_there
            else []
        )
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        RecursionError,
        AttributeError,
    ) as error:
        msg = f"{file} is not as {program} writes it ({type(error).__name__}: {error})"
        raise OptionsError(msg, cure="correct it") from None


def _redirect(folder: Path) -> str:
    """Return the name of the folder that the folder's own index.html leads to; empty for none."""
    try:
        page = read_regular_file(folder / INDEX, max_bytes=_PAGE_BYTES)
    except OSError:
        return ""
    *_, last, name = ("", "", *(read_head(page).refresh or "").rstrip("/").split("/"))
    return last if name in url_forms.INDEX_NAMES else name


def _subfolders(folder: Path) -> list[str]:
    """Return the names of the folders in a folder, sorted, without links and hidden ones."""
    return sorted(
        each.name
        for each in folder.iterdir()
        if not each.name.startswith(".") and each.is_dir() and not each.is_symlink()
    )


def _is_site(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in _OF_GENERATORS)


def _linked(versions: Iterable[Version], folder: Path) -> list[Version]:
    """Return the versions with the links to their folders among their aliases, each folder once."""
    links = defaultdict(list)
    top = os.path.realpath(folder)
    for each in sorted(folder.iterdir()):
        if each.is_symlink():  # `Path.resolve` raises for endless links.
            above, name = os.path.split(os.path.realpath(each))
            if above == top:
                links[name].append(each.name)
    aliases_of = dict(versions)
    seen, linked = {*aliases_of}, []
    for name, aliases in aliases_of.items():
        own = [a for a in dict.fromkeys((*aliases, *links[name])) if a not in seen]
        seen.update(own)
        linked.append(Version(name, (*own,)))
    return linked


def _name(value: object) -> str:
    """Return a folder's name, checked as mike checks it."""
    if (
        not isinstance(value, str)
        or value in {"", ".", ".."}
        or {"/", "\\", "\0"} & {*value}
    ):
        raise ValueError(f"{quoted(value)} is not a version")
    return value


Kind = Literal[
    "default", "itself", "nothing", "elsewhere", "noindex", "redirect", "unreadable"
]
"""What a page says: its canonical link names a page of the default version, itself, nothing, or
something else; or search engines drop the page anyway; or its head is not clear."""

KINDS: tuple[Kind, ...] = get_args(Kind)

UNKNOWN = "https://unknown.invalid/"
"""The site's address where nothing shows it: paths are compared all the same."""

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

    files: Files
    """Which page of the version a path below it leads to."""

    url_of: Mapping[str, str]
    """Where each file's page can be found, absolute; absent for pages that are not indexed."""

    moved: Mapping[str, str]
    """Paths below an old version, as `any_form`, → paths below the default one; a `*` at the end
    stands for any rest, unless the path itself is there."""

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
        head, base = read_head(html), self.base_url or UNKNOWN
        url = base + url_forms.usual_path(f"{urls.percent_encode(folder)}/{encoded}")
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
        beginning = urls.identity(self.base_url or UNKNOWN)
        whole = urls.identity(page.canonical).partition("?")[0]
        is_here, below = whole.startswith(beginning), whole.removeprefix(beginning)
        folder, _, path = below.partition("/")
        is_in_default = is_here and unquote(folder) in self.default.folders
        is_default = is_in_default and self.files.page_at(path)
        # An old address of the site: GitHub redirects those that it had there.
        is_of_default = not is_here and any(
            self.default.spellings(page.canonical, file)
        )
        if is_default or (is_of_default and file in self.url_of):
            return page._replace(kind="default")
        if any(version.spellings(page.canonical, file)):
            return page._replace(kind="itself")
        is_dead = is_of_default or (
            is_here and not Files(folder=self.versions.folder).at(below)
        )
        is_foreign = not is_dead and not (is_here and unquote(folder) in self.folders)
        return page._replace(kind="elsewhere", is_foreign=is_foreign, is_dead=is_dead)

    def _target(self, file: str) -> str:
        """Return the URL of the default version's page for a file of an old one."""
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
        """Return the paths below old versions that the default version does not have."""
        paths = set()
        for version in self.versions.all:
            top = self.versions.folder / version.name
            paths |= {any_form(urls.percent_encode(file)) for file in html_files(top)}
        return sorted(path for path in paths if not self.files.page_at(path))


def html_files(top: Path) -> list[str]:
    """Return the names of a version's HTML files, sorted, without its error page and links."""
    return sorted(
        name
        for name in files_below(top)
        if name.endswith(HTML_SUFFIXES)
        and name != ERROR_PAGE
        and not (top / name).is_symlink()
    )


def read_default(
    versions: Versions, *, base_url: str, moved: Mapping[str, str]
) -> DefaultPages:
    """Read the pages of the default version.

    `base_url` is normalized; if it is empty, the address is that of the pages' own
    canonical links.

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
    folder = max(
        folders, key=folders.__getitem__, default=_listed_name(top, versions.default)
    )
    folder = folder or _own_name(versions, versions.default)
    base = base_url or url_forms.most_common_base(
        spelling for _, spelling in said.values()
    )
    files = Files.of(heads)
    for new in moved.values():
        if "*" not in new and not files.page_at(any_form(new)):
            msg = f"the default version has no page {quoted(new)}"
            raise OptionsError(msg, cure="correct --map")
    return DefaultPages(
        versions=versions,
        default=versions.default,
        base_url=base,
        folder=folder,
        folders=frozenset(name for version in versions.all for name in version.folders),
        files=files,
        url_of=_urls(heads, said, files, folder, base),
        moved={old if "*" in old else any_form(old): new for old, new in moved.items()},
        reads_sitemap=any(
            reads_sitemap(head.generator or "") for head in heads.values()
        ),
    )


def _listed_name(top: Path, version: Version) -> str:
    """Return the version's folder in the first URL of its own sitemap; empty for none."""
    location = FileLocation(top / "sitemap.xml")
    files = [] if location.problem else find_sitemaps(location)
    first = "".join(listed.url for listed in islice(listed_in(files), 1))
    return next(
        (n for n in version.folders if f"/{urls.percent_encode(n)}/" in first), ""
    )


def _own_name(versions: Versions, default: Version) -> str:
    """Return the default version's name without canonical links: the alias, unless it redirects."""
    with suppress(PageError):
        if read_head_of(versions.folder / versions.default_folder / INDEX).refresh:
            return default.name
    return versions.default_folder


def _urls(
    heads: Mapping[str, HeadMeta],
    said: Mapping[str, tuple[str, url_forms.Spelling]],
    files: Files,
    folder: str,
    base_url: str,
) -> dict[str, str]:
    """Return where each page of the default version can be found, by its file.

    A page that redirects, or has a canonical link to another page of the version, is
    found there.
    """
    base, prefix = base_url or UNKNOWN, f"{urls.percent_encode(folder)}/"
    forms = {
        prefix + f: spelling.form
        for f, (name, spelling) in said.items()
        if name == folder
    }
    paths = url_forms.paths_of(
        (prefix + file for file in heads), known=forms, votes=forms
    )
    own = {file: base + paths[prefix + file] for file in heads}
    by_url = {urls.identity(url): file for file, url in own.items()}
    start = urls.identity(base + prefix)

    def file_at(url: str) -> str:
        whole = urls.identity(url).partition("?")[0]
        return by_url.get(whole) or files.page_at(whole.removeprefix(start))

    found = {}
    for first in heads:
        file = first
        for _ in range(_MAX_HOPS):
            head, url = heads[file], own[file]
            there = head.refresh_url(url) if head.refresh else head.canonical_url(url)
            following = file_at(there) if there else ""
            if not following or following == file:
                break
            file = following
        if not heads[file].noindex and not heads[file].refresh:
            found[first] = own[file]
    return found
