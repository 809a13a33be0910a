"""Each page's source: the file that its author edits, if just one is likely.

In this order: the page's edit link, the copy of the source beside the page, and the
path that the page says (the copies that Sphinx links to) or has (`folder.paths`). A
file to which the edit links of many pages lead is the source of none of them.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.folder.page_marks import Built, PageMarks
from sitemap_plugins.folder.paths import (
    HOME,
    Found,
    Sought,
    address_of,
    find_by_paths,
    is_short_language,
    split_suffix,
)
from sitemap_plugins.folder.project_files import ProjectFiles

MAX_LOOKED_FOR = 1_000
"""Pages without a source that are looked for in all folders, to advise one."""

MAX_SHARING = 3
"""Pages of different paths that can share an edit link, such as those of one list."""

_COPIES = (".txt", ".rst", ".md", ".ipynb", ".org", ".adoc")
"""Suffixes of copies of sources beside their pages: Nikola writes them."""

_SOURCES = "_sources/"
_OF_PROJECTS = ("package.json", "conf.py", "_config.yml", "Gemfile")
"""Files beside a project's README: settings of Docusaurus, Nikola, Hexo, Jekyll."""

_UNTOLD = "mystmd"
"""The generator whose addresses do not tell the source: `guide/setup.md` and `setup.md`
become `setup/` and `setup-1/`, in the order of the table of contents."""

_NO_CONTENT = re.compile(r"(?:404|search|genindex)(?:/index)?\.html")
_TRANSLATION = re.compile(r"(?:.*/)?i18n/([^/]+)/docusaurus-plugin-content-")

# What workflows of GitHub deploy beside a site: `pr-preview/pr-1/`, `_preview/1/`.
_PREVIEW = re.compile(r"[^/]*previews?/[^/]+/", re.IGNORECASE)


_ByPage = dict[str, str]
"""The name of a source, or words about one, by the name of its page."""


class Sources(NamedTuple):
    """The sources of a site's pages."""

    folder: str
    """The folder with the sources of most pages, relative to the project's root."""

    by_page: Mapping[str, str]
    """The name of each page's source, if it is known, by the page's own."""

    dropped: Mapping[str, str]
    """The file that was considered for another page, and why it was dropped, in
    words."""

    previews: frozenset[str]
    """The pages in previews of other branches, whose sources are not those here."""

    def label(self, page: str) -> str:
        """Return the name by which an author knows a page.

        This is the name of the page's source below `folder`, or the page's own name.
        """
        return self.by_page.get(page, page).removeprefix(f"{self.folder}/")


def find_sources(
    pages: Sequence[Built],
    project: ProjectFiles,
    top: str = "",
    *,
    is_named: bool = False,
    site_dir: Path | None = None,
) -> Sources:
    """Find the source of each page, among a project's files below the folder `top`.

    `is_named` tells whether settings that the user named say that `top` is the folder
    of the sources. Copies of sources are looked for in `site_dir`; if `site_dir` is
    `top`, each page is its own source.
    """
    previews = _in_previews({page.name for page in pages})
    translated = _translated_by_docusaurus(project)
    pages = [
        page
        for page in pages
        if page.name not in previews and page.name.partition("/")[0] not in translated
    ]
    linked = _by_edit_links(pages, project)
    shared = _shared(linked)
    # A page's edit link is surer than a file, so it comes last and replaces the file.
    surest: _ByPage = {}
    if site_dir is not None:
        surest |= _by_files(pages, project, top, site_dir)
    surest |= _without(linked, shared)
    paired = _by_paths(pages, project, top, surest)
    by_path = _without(paired.by_page, surest)
    if HOME in by_path and not is_named and not _shows_home(by_path, pages, surest):
        del by_path[HOME]
    found = by_path | surest
    dropped = _without({**paired.dropped, **shared}, found)
    return Sources(paired.likeliest[0], found, dropped, frozenset(previews))


def _without(by_page: Mapping[str, str], pages: Collection[str]) -> _ByPage:
    """Return a mapping by pages without some pages."""
    return {page: text for page, text in by_page.items() if page not in pages}


def _by_paths(
    pages: Sequence[Built], project: ProjectFiles, top: str, known: _ByPage
) -> Found:
    """Return what the paths show; `known` are the sources that pages name otherwise."""
    prefix = f"{top}/" if top else ""
    sought = []
    for page in pages:
        source = known.get(page.name, "")
        if source or page.marks.generator != _UNTOLD:
            sought.append(_sought(page, source.removeprefix(prefix)))
    found = find_by_paths(sought, project, top)
    home = found.by_page.get(HOME, "")
    made_of = {*found.by_page.values(), *known.values()}
    if not _is_projects_readme(home, made_of, project):
        return found
    # The home page may be made of another file, such as a component.
    others = replace(project, names=project.names - {home})
    return find_by_paths(sought, others, top)


def likeliest_folder(pages: Iterable[Built], project: ProjectFiles) -> tuple[str, int]:
    """Return the folder that has sources for most of `pages`, and for how many."""
    some = [_sought(page) for page in islice(pages, MAX_LOOKED_FOR)]
    return find_by_paths(some, project, "").likeliest


def _in_previews(pages: Collection[str]) -> set[str]:
    """Return the pages in folders of previews that repeat the site's own paths."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for page in pages:
        if found := _PREVIEW.match(page):
            by_folder[found[0]].append(page)
    previews: set[str] = set()
    for folder, inside in by_folder.items():
        repeated = [page for page in inside if page.removeprefix(folder) in pages]
        if 2 * len(repeated) > len(inside):
            previews.update(inside)
    return previews


def _translated_by_docusaurus(project: ProjectFiles) -> set[str]:
    """Return the languages, as folders of pages, whose sources are not looked for.

    A page is made of `i18n/de/docusaurus-plugin-content-docs/current/a.md` or, without
    one, of `docs/a.md`. Its edit link names `docs/a.md` in both cases, and so does not
    show which is the source.
    """
    found = map(_TRANSLATION.match, project.names)
    return {translation[1] for translation in found if translation}


def _sought(page: Built, source: str = "") -> Sought:
    """Return how the source of a page is looked for by paths.

    A known `source` is looked for too, since its move is one more vote for the sources
    of other pages.
    """
    said = _said(page.marks)
    named = page.name
    if source:
        said = (source,)
    elif said:
        named = said[0]
    path, _ = split_suffix(named)
    ends = tuple(f"/{each}" for each in said)
    return Sought(page.name, address_of(path), ends, page.marks.generator)


def _said(marks: PageMarks) -> tuple[str, ...]:
    """Return how the path of a page's source ends, as the page says it."""
    said = []
    for address in marks.sphinx_sources:
        below = address.partition(_SOURCES)[2].partition("?")[0]
        # Sphinx adds `.txt` to the name of a copy, unless the name ends in it already.
        if name := unquote(below, errors="replace"):
            said += [name.removesuffix(".txt"), name]
    return tuple(said)


def _shows_home(
    by_path: Mapping[str, str], pages: Sequence[Built], known: _ByPage
) -> bool:
    """Tell whether something besides its path shows what the home page is made of.

    The path alone is not enough, as the generators of manuals of code make a home page
    of their own. `known` are the sources that do not come from paths.
    """
    home = by_path[HOME]
    marks = next(page.marks for page in pages if page.name == HOME)
    folder = home.removesuffix(home.rpartition("/")[2])
    # Nothing is in a folder `pages` but what a generator makes into pages.
    if _said(marks) or folder.endswith("pages/"):
        return True
    if all(page.name == HOME or _NO_CONTENT.fullmatch(page.name) for page in pages):
        return True
    others = {*by_path.values(), *known.values()} - {home}
    return any(each.startswith(folder) for each in others)


def _by_files(
    pages: Sequence[Built], project: ProjectFiles, top: str, site_dir: Path
) -> _ByPage:
    """Return the sources that files of the built folder show.

    A page of a site that is written by hand is its own source; for other pages, a copy
    of the source can be beside the page.
    """
    own = {}
    if project.root / top == Path(os.path.realpath(site_dir)):
        own = _own(pages, project, top)
    return own | _by_copies(pages, project, site_dir)


def _own(pages: Iterable[Built], project: ProjectFiles, top: str) -> _ByPage:
    """Return the pages that are files of the project.

    A site that is written by hand has such pages.
    """
    prefix = f"{top}/" if top else ""
    own = {page.name: prefix + page.name for page in pages}
    return {page: name for page, name in own.items() if name in project.names}


def _by_copies(
    pages: Iterable[Built], project: ProjectFiles, site_dir: Path
) -> _ByPage:
    """Return the committed files whose bytes a generator copied beside their pages."""
    if project.repository is None:
        return {}
    names_in = cache(partial(_names_in, site_dir))
    copies = {}
    for page in pages:
        stem, _, _ = page.name.rpartition(".")
        folder, _, name = stem.rpartition("/")
        beside = names_in(folder)
        for suffix in _COPIES:
            if name + suffix in beside:
                copies[site_dir / (stem + suffix)] = page.name
    return {copies[file]: name for file, name in project.committed(copies).items()}


def _names_in(site_dir: Path, folder: str) -> frozenset[str]:
    """Return the names in a folder of the site; none if it cannot be listed."""
    with suppress(OSError), os.scandir(site_dir / folder) as entries:
        return frozenset(entry.name for entry in entries)
    return frozenset()


def _is_projects_readme(
    source: str, made_of: Iterable[str], project: ProjectFiles
) -> bool:
    """Tell whether a file is a README about its project, not the home page's source.

    Such a file is at the root, or beside a project's settings. Such a README is the
    home page's source only if another page is made of a file of the same folder, and
    the folder has no index.
    """
    folder, slash, name = source.rpartition("/")
    if name.partition(".")[0] != "README":
        return False
    beside = {f"{folder}{slash}{each}" for each in _OF_PROJECTS}
    if folder and beside.isdisjoint(project.names):
        return False
    if any(each.startswith(f"{folder}{slash}index.") for each in project.names):
        return True
    folders = [each.rpartition("/")[0] for each in made_of if each != source]
    return folder not in folders


class _Edited(NamedTuple):
    """The file whose path an edit link ends in."""

    name: str

    before: tuple[str, ...] = ()
    """The host and the segments before the path, which name repository and branch."""

    is_whole: bool = True
    """Whether the link has all of the path."""

    @property
    def start(self) -> tuple[str, ...]:
        """The link's part before the path; empty if it lacks a part of the path."""
        return self.before if self.is_whole else ()


def _by_edit_links(pages: Iterable[Built], project: ProjectFiles) -> _ByPage:
    """Return the file that each page's first edit link to a file of the project names.

    An edit link consists of a start, such as `…/edit/main`, and a file's path. The
    start that most links share is taken as that of all. Without this rule, a link to a
    missing file could be read as a link to another one: `…/main/api/README.md` is not
    the project's README.
    """
    targets: dict[str, list[_Edited]] = {}
    votes: Counter[tuple[str, ...]] = Counter()
    for page in pages:
        found = [_edited(link, project) for link in page.marks.edit_links]
        targets[page.name] = [each for each in found if each is not None]
        for each in targets[page.name]:
            votes[each.start] += 1
    sources = {}
    for page_name, edited in targets.items():
        for each in edited:
            if not _is_elsewhere(each, votes):
                sources[page_name] = each.name
                break
    return sources


def _is_elsewhere(edited: _Edited, votes: Mapping[tuple[str, ...], int]) -> bool:
    """Tell whether a link probably names another file, by a longer path.

    This is so if more links have a shorter start, which the link begins with too.
    `votes` counts the links of each start.
    """
    own = votes[edited.start]
    lengths = range(1, len(edited.before))
    return any(votes.get(edited.before[:length], 0) > own for length in lengths)


def _edited(link: str, project: ProjectFiles) -> _Edited | None:
    """Return the file whose path an address ends in, the longest path first.

    Before the path are the repository and the branch, which may contain slashes.
    """
    if len(link) > MAX_LOC_LENGTH:
        return None
    try:
        parts = urlsplit(link)
        path = unquote(parts.path, errors="replace")
    except ValueError:
        return None
    # A relative link begins with as many `..` as its page has folders.
    segments = [each for each in path.split("/") if each not in {"", ".", ".."}]
    for start in range(len(segments)):
        name = "/".join(segments[start:])
        if name in project.names:
            return _Edited(name, (parts.netloc, *segments[:start]))
    # The link can lack the first folders of the file's name, if the project is below
    # the root of a repository. Its last two segments have to tell the file from others.
    name = project.only("/".join(segments[-2:]))
    if not name:
        return None
    return _Edited(name, (parts.netloc, *segments[:-1]), is_whole=False)


def _shared(sources: _ByPage) -> _ByPage:
    """Return why a file is no page's source, by page, if too many pages name it.

    A page in a language's folder, such as `de/a/`, may show the text of `a/` where a
    translation is missing, as Starlight's pages do: both count as one page.
    """
    places = defaultdict(set)
    for page, source in sources.items():
        first, _, rest = page.partition("/")
        if not rest or not is_short_language(first):
            rest = page
        places[source].add(rest)
    shared = {}
    for page, source in sources.items():
        count = len(places[source])
        if count > MAX_SHARING:
            why = f"{quoted(source)}, which the edit links of {count} pages name"
            shared[page] = why
    return shared
