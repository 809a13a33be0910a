"""Each page's source: the file that its author edits, if the page or its path names just one.

In this order: the page's edit link, mystmd's data, the copy of the source that Sphinx links to, the
routes of the generators (`guide/index.html` is made of `guide.md`, `guide/index.md`, …), the
components of Docusaurus, and the posts of Jekyll and Hexo (`posts`). A name is used only if the
project has exactly one such file. A file to which the edit links of many pages lead is the source
of none of them.
"""

from __future__ import annotations

import os
from collections import ChainMap, Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.repository import Repository, root_above
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.folder.posts import find_posts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sitemap_plugins.folder.page_marks import Built

__all__ = ["USUAL_FOLDERS", "ProjectFiles", "Sources", "find_sources", "read_project_files"]

USUAL_FOLDERS = (
    *("docs", "doc", "docs/source", "doc/source", "source", "src", "content", "pages", "posts"),
    *("src/content", "src/content/docs", "src/pages", "website/docs", "website", "site", ""),
)
"""Where generators look for sources by default, below the project's folder."""

MOST_SHARING = 3
"""Pages that can share an edit link: translations that fall back, pages of one list."""

_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".ipynb", ".qmd", ".txt", ".myst")
_HOME = "index.html"
_SOURCES = "_sources/"
_COMPONENTS = (".js", ".jsx", ".ts", ".tsx")
_OF_PROJECTS = ("package.json", "conf.py", "_config.yml", "Gemfile")
"""Files beside a project's README: settings of Docusaurus, Nikola, Hexo, Jekyll."""

MOST_FILES = 1_000_000
"""Files of a folder outside git that are listed."""


@dataclass(frozen=True, kw_only=True)
class ProjectFiles:
    """Names of files, without those that git ignores."""

    root: Path
    """The real folder that the names are relative to."""

    names: frozenset[str]
    """Relative, with slashes."""

    def outside(self, folder: str) -> ProjectFiles:
        """Return those that are not in a folder, relative to the root; empty for the root."""
        inside = f"{folder}/" if folder else ""
        names = frozenset(name for name in self.names if not name.startswith(inside))
        return ProjectFiles(root=self.root, names=names)

    @cached_property
    def by_last_name(self) -> Mapping[str, Sequence[str]]:
        """The names by their last segments, sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self.names):
            found[name.rpartition("/")[2]].append(name)
        return found


class Sources(NamedTuple):
    """The sources of a site's pages."""

    folder: str
    """The folder that contains those of most pages, relative to the project's root."""

    by_page: Mapping[str, str]
    """The name of each page's source, if it is known, by the page's own."""

    def label(self, page: str) -> str:
        """Return an author's name for a page: its source's below the folder, or its own."""
        return self.by_page.get(page, page).removeprefix(f"{self.folder}/")


def find_sources(
    pages: Sequence[Built], project: ProjectFiles, folders: Sequence[str], *, html: bool = False
) -> Sources:
    """Find the source of each page.

    `folders` are those that may contain the sources, the project's own first, relative to its root,
    empty for the root itself; the one in which most pages have a source is used. With `html`, a
    page can be its own source.
    """
    # Those without such a file would take most of the time.
    suffixes = tuple(s for s in _SUFFIXES if any(name.endswith(s) for name in project.names))
    candidates = {page.name: list(_candidates(page, suffixes, html=html)) for page in pages}
    folder = _likeliest(folders, candidates, project)
    by_name = _found(folder, candidates, project)
    located = {page.name for page in pages if page.marks.location}
    by_edit_link = _without_shared(_by_edit_links(pages, project))
    by_location = {n: s for n, s in by_name.items() if n in located and n not in by_edit_link}
    by_route = {n: s for n, s in by_name.items() if n not in located}
    # The surest rule first.
    rules = (
        by_edit_link,
        # Pages of several projects can be at the same place, each in its own.
        _without_shared(by_location, most=1),
        by_route,
        _found(_folder_of_components(project), _components(pages), project),
        find_posts(candidates, project.names, folders[0] if folders else ""),
    )
    made_of = {source for rule in rules for source in rule.values()}
    if _is_projects_readme(by_route.get(_HOME, ""), made_of, project):
        del by_route[_HOME]
    return Sources(folder, dict(ChainMap(*rules)))


def _by_edit_links(pages: Iterable[Built], project: ProjectFiles) -> dict[str, str]:
    found = {}
    for page in pages:
        targets = (_edited(link, project) for link in page.marks.edit_links)
        if source := next(filter(None, targets), ""):
            found[page.name] = source
    return found


def _edited(link: str, project: ProjectFiles) -> str:
    """Return the file whose path an address ends in, the longest path first; empty for none.

    Before the path are the repository and the branch, which may contain slashes.
    """
    if len(link) > MAX_LOC_LENGTH:
        return ""
    try:
        path = unquote(urlsplit(link).path, errors="replace")
    except ValueError:
        return ""
    segments = [segment for segment in path.split("/") if segment]
    for start in range(len(segments)):
        if (name := "/".join(segments[start:])) in project.names:
            return name
    # A project below the root of its repository: two segments at least tell it from others.
    candidates = project.by_last_name.get(segments[-1], ()) if segments else ()
    ends = [name for name in candidates if name.endswith("/" + "/".join(segments[-2:]))]
    return ends[0] if len(ends) == 1 else ""


def _without_shared(sources: Mapping[str, str], *, most: int = MOST_SHARING) -> dict[str, str]:
    counts = Counter(sources.values())
    return {page: source for page, source in sources.items() if counts[source] <= most}


def _candidates(page: Built, suffixes: Collection[str], *, html: bool) -> Iterator[tuple[str, ...]]:
    """Yield groups of names that a page's source may have below the folder of the sources, by rank.

    Exactly one of a group must be a file.
    """
    if page.marks.location:
        yield (page.marks.location,)
        return
    for address in page.marks.sphinx_sources:
        name = unquote(address.partition(_SOURCES)[2].partition("?")[0], errors="replace")
        if name:
            yield (name.removesuffix(".txt"),)
            yield (name,)
    if html:
        yield (page.name,)
    stem = page.name.rpartition(".")[0]
    if page.marks.generator.startswith("pdoc"):
        yield (f"{stem}.py", f"{stem}/__init__.py")
    else:
        yield from _routes(stem, suffixes)


def _routes(stem: str, suffixes: Collection[str]) -> Iterator[tuple[str, ...]]:
    """A README comes last: beside another file, it describes the folder to its readers."""
    folder, slash, last = stem.rpartition("/")
    if last == "index":
        stems = [stem, folder] if folder else [stem]
        readme = f"{folder}{slash}README"
    else:
        stems, readme = [stem, f"{stem}/index"], f"{stem}/README"
    yield tuple(each + suffix for each in stems for suffix in suffixes)
    if slash:  # Jekyll's collections: `_docs/a.md` is made into `docs/a/`.
        yield tuple(f"_{each}{suffix}" for each in stems for suffix in suffixes)
    if last == "index" and folder:  # Eleventy: `guide/guide.md`.
        yield tuple(f"{folder}/{folder.rpartition('/')[2]}{suffix}" for suffix in suffixes)
    yield tuple(readme + suffix for suffix in suffixes)


def _components(pages: Iterable[Built]) -> dict[str, list[tuple[str, ...]]]:
    """Return what pages of Docusaurus can be made of among its components, by page."""
    suffixes = (*_COMPONENTS, *_SUFFIXES)
    found = {}
    for page in pages:
        if page.marks.generator.startswith("Docusaurus"):
            stem = page.name.removesuffix(".html")
            stems = {stem, stem.removesuffix("/index")}
            found[page.name] = [tuple(each + suffix for each in stems for suffix in suffixes)]
    return found


def _folder_of_components(project: ProjectFiles) -> str:
    """Return Docusaurus' folder of components: beside its settings, if there is one such file."""
    settings = [n for n in project.names if n.rpartition("/")[2].startswith("docusaurus.config.")]
    folder, slash, _ = settings[0].rpartition("/") if len(settings) == 1 else ("", "", "")
    return f"{folder}{slash}src/pages"


def _is_projects_readme(source: str, made_of: Iterable[str], project: ProjectFiles) -> bool:
    """Tell whether a file is a README about its project, and not the source of the home page.

    Such a file is at the root, or beside a project's settings. There, it is the home page's source
    only if another page is made of a file of the same folder, and the folder has no index.
    """
    folder, slash, _ = source.rpartition("/")
    beside = {f"{folder}{slash}{each}" for each in _OF_PROJECTS}
    if not _is_readme(source) or (folder and beside.isdisjoint(project.names)):
        return False
    if any(each.startswith(f"{folder}{slash}index.") for each in project.names):
        return True
    return not any(each.rpartition("/")[0] == folder for each in made_of if each != source)


def _is_readme(source: str) -> bool:
    return source.rpartition("/")[2].partition(".")[0] == "README"


def _likeliest(
    folders: Sequence[str],
    candidates: Mapping[str, Sequence[tuple[str, ...]]],
    project: ProjectFiles,
) -> str:
    """Return the folder that names the sources of most pages; the first of equals.

    A README as the home page decides only between folders that are equal without it.
    """
    # Most of the usual folders do not exist, and each one takes time for every page.
    there = {""}
    for name in project.names:
        while (name := name.rpartition("/")[0]) not in there:
            there.add(name)
    found = {f: _found(f, candidates, project) for f in folders if f in there}

    def rank(folder: str) -> tuple[int, int]:
        count = len(found[folder])
        return count - _is_readme(found[folder].get(_HOME, "")), count

    return max(found, key=rank, default="")


def _found(
    folder: str, candidates: Mapping[str, Iterable[Collection[str]]], project: ProjectFiles
) -> dict[str, str]:
    """Return the sources that are there, by page."""
    found = ((page, _only_one(folder, groups, project)) for page, groups in candidates.items())
    return {page: source for page, source in found if source}


def _only_one(folder: str, groups: Iterable[Collection[str]], project: ProjectFiles) -> str:
    """Return the file of the first group of names that has any; empty if it has several."""
    prefix = f"{folder}/" if folder else ""
    for names in groups:
        files = [prefix + name for name in names if prefix + name in project.names]
        if files:
            return files[0] if len(files) == 1 else ""
    return ""


def read_project_files(
    folder: Path, environ: Mapping[str, str], *, site_dir: Path | None
) -> ProjectFiles:
    """List the files of the repository that a folder is in; outside of one, those below it.

    Outside a repository, the folder of the built site is left out; git usually ignores it. None for
    a site that is its own source.
    """
    real = os.path.realpath(folder)
    root = root_above(real, {})
    if root is not None:
        with suppress(GitError):  # The dates need git too, and report what is wrong with it.
            names = Repository.open(root, environ=environ).files()
            return ProjectFiles(root=Path(root), names=names)
    built = os.path.realpath(site_dir) if site_dir else ""
    files = islice(_walk(real, built), MOST_FILES)
    return ProjectFiles(root=Path(real), names=frozenset(files))


def _walk(root: str, site_dir: str) -> Iterator[str]:
    for folder, subfolders, files in os.walk(root):
        if folder == site_dir:
            subfolders.clear()
            continue
        subfolders[:] = sorted(
            f for f in subfolders if not f.startswith(".") and f != "node_modules"
        )
        name = folder.removeprefix(root).strip(os.sep).replace(os.sep, "/")
        prefix = f"{name}/" if name else ""
        yield from (prefix + file for file in files)
