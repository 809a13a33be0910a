"""Each page's source: the file that its author edits, where the page or its path names just one.

In this order: the page's edit link, mystmd's data, the copy of the source that Sphinx links to, and
the routes of the generators (`guide/index.html` is made of `guide.md`, `guide/index.md`, …). A name
counts only if the project has exactly one such file. A file that the edit links of many pages name
is the source of none of them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core.limits import MAX_LOC_LENGTH

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sitemap_plugins.folder.marks import Marks
    from sitemap_plugins.folder.tracked import ProjectFiles

__all__ = ["USUAL_FOLDERS", "Built", "Sources", "find_sources"]

USUAL_FOLDERS = (
    *("docs", "doc", "docs/source", "doc/source", "source", "src", "content", "pages", "posts"),
    *("src/content", "src/content/docs", "src/pages", "website/docs", "website", "site", ""),
)
"""Where generators look for sources by default, below the project's folder."""

MOST_SHARING = 3
"""Pages that can share an edit link: translations that fall back, pages of one list."""

_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".ipynb", ".qmd", ".txt", ".myst")
_PYTHON = "pdoc"
_SOURCES = "_sources/"


class Built(NamedTuple):
    """One built file."""

    name: str
    """Raw path, relative to the site's root, with slashes."""

    marks: Marks


class Sources(NamedTuple):
    """The sources of a site's pages."""

    folder: str
    """The folder that holds those of most pages, relative to the project's root."""

    by_page: Mapping[str, str]
    """The name of each page's source, where it is known, by the page's own."""

    def label(self, page: str) -> str:
        """Return what authors call a page: its source's name below the folder, or its own."""
        return self.by_page.get(page, page).removeprefix(f"{self.folder}/")


def find_sources(
    pages: Sequence[Built], project: ProjectFiles, folders: Sequence[str], *, html: bool = False
) -> Sources:
    """Find the source of each page.

    `folders` are those that may hold the sources, relative to the project's root, empty for the
    root itself: of several that one counts which names the sources of most pages. `html` says that
    a page can be its own source.
    """
    by_edit_link = _without_shared(_by_edit_links(pages, project))
    named = {page.name: list(_named(page, html=html)) for page in pages}
    folder = _likeliest(folders, named.values(), project)
    found = {name: _only_one(folder, names, project) for name, names in named.items()}
    located = {page.name for page in pages if page.marks.location}
    # Where no other page is made of the repository's files, its README is about the repository.
    if not folder and len(folders) > 1 and all(map(_is_repositorys, filter(None, found.values()))):
        found = {name: source for name, source in found.items() if name in located}
    found = {name: file for name, file in found.items() if file and name not in by_edit_link}
    others = {name: source for name, source in found.items() if name not in located}
    by_location = {name: source for name, source in found.items() if name in located}
    # Pages of several projects can be at the same place, each in its own.
    return Sources(folder, by_edit_link | _without_shared(by_location, most=1) | others)


def _by_edit_links(pages: Iterable[Built], project: ProjectFiles) -> dict[str, str]:
    found = {}
    for page in pages:
        targets = (_edited(link, project) for link in page.marks.edit_links)
        if source := next(filter(None, targets), ""):
            found[page.name] = source
    return found


def _edited(link: str, project: ProjectFiles) -> str:
    """Return the file whose path an address ends in, the longest path first; empty for none.

    What stands before the path is the repository and the branch, which may hold slashes.
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


def _named(page: Built, *, html: bool) -> Iterator[tuple[str, ...]]:
    """Yield the names that a page's source may have below the folder of the sources, by rank.

    Of each group exactly one must be a file.
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
    if page.marks.generator.startswith(_PYTHON):
        yield (f"{stem}.py", f"{stem}/__init__.py")
        return
    folder, slash, last = stem.rpartition("/")
    stems = [f"{folder}{slash}{name}" for name in ("index", "README")] if last == "index" else []
    stems += [folder] if last == "index" and folder else []
    stems += [stem, f"{stem}/index", f"{stem}/README"] if last != "index" else []
    yield tuple(each + suffix for each in stems for suffix in _SUFFIXES)
    if last == "index" and folder:  # Eleventy: `guide/guide.md`.
        yield tuple(f"{folder}/{folder.rpartition('/')[2]}{suffix}" for suffix in _SUFFIXES)


def _is_repositorys(source: str) -> bool:
    return source.partition(".")[0] == "README"


def _likeliest(
    folders: Sequence[str],
    pages: Iterable[Sequence[tuple[str, ...]]],
    project: ProjectFiles,
) -> str:
    """Return the folder that names the sources of most pages; the first of equals."""
    pages = list(pages)
    # Most of the usual folders are not there, and each takes a look at every page.
    there = _folders(project.names)
    folders = [folder for folder in folders if folder in there]
    counts = [sum(bool(_only_one(f, names, project)) for names in pages) for f in folders]
    return folders[counts.index(max(counts))] if counts else ""


def _folders(names: Iterable[str]) -> set[str]:
    """Return every folder that holds a file, at whatever depth."""
    found = {""}
    for name in names:
        while (name := name.rpartition("/")[0]) not in found:
            found.add(name)
    return found


def _only_one(folder: str, groups: Iterable[Collection[str]], project: ProjectFiles) -> str:
    """Return the file that the first group with any names, if it names exactly one."""
    prefix = f"{folder}/" if folder else ""
    for names in groups:
        files = [prefix + name for name in names if prefix + name in project.names]
        if files:
            return files[0] if len(files) == 1 else ""
    return ""
