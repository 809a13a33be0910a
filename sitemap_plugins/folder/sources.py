"""Each page's source: the file that its author edits, if the page or its path names just one.

In this order: the page's edit link, mystmd's data, the copy of the source that Sphinx
links to, the routes of the generators (`guide/index.html` is made of `guide.md`,
`guide/index.md`, …), the components of Docusaurus, and posts. A name is used only if
the project has exactly one such file. A file to which the edit links of many pages lead
is the source of none of them.

Jekyll makes `_posts/2024-05-01-title.md` into `2024/05/01/title.html`,
`2024/122/title.html`, `blog/title/` or another form, by its settings and the post's
categories; Hexo makes `source/_posts/title.md` into `2024/05/01/title/`, by the date in
the post. No setting has to be
known: the form of the addresses is the one in which most posts are found.
"""

from __future__ import annotations

import os
import re
from collections import ChainMap, Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core.git.repository import Repository, root_above
from sitemap_plugins.core.languages import is_language
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import GitError
from sitemap_plugins.core.untrusted_files import read_beginning
from sitemap_plugins.folder.includes import MARKDOWN
from sitemap_plugins.folder.page_marks import LIKELY_YEARS, Built

_Numbers = tuple[int, ...]


_FOLDER = "_posts"
_POST = re.compile(
    r"(?:(?P<date>\d{4}-\d\d-\d\d)-)?(?P<title>.+)\.(?:md|markdown|html)",
    re.ASCII | re.DOTALL,
)
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"\d+", re.ASCII)

MAX_NAMESAKES = 300
"""Posts with one title, such as `weekly-links`, that are compared with a page."""

MAX_LOOKED_FOR = 1_000
"""Pages without a source that are looked for in all folders, to advise one."""

MAX_OF_PAGE = 20
"""Posts that one page's address can name, such as its translations: more prove nothing."""


class _Post(NamedTuple):
    """One file."""

    name: str

    date: date | None
    """The date that its name begins with."""


class _Match(NamedTuple):
    """A page that may be made of a post."""

    post: str

    page: str

    form: str
    """The folders of the page's address, each number as a zero."""


def find_posts(
    pages: Iterable[str], files: Iterable[str], folder: str
) -> dict[str, str]:
    """Return the posts that pages are made of, by page: one of each, by the names of their files.

    `files` are those of a project, and `folder` the one that the posts are below.
    """
    posts = _posts(
        name for name in files if not folder or name.startswith(f"{folder}/")
    )

    @cache
    def by_numbers(
        title: str, days: tuple[int, ...]
    ) -> Mapping[_Numbers | None, list[str]]:
        """Return posts by the numbers that a URL can have for their dates; None for any."""
        named: dict[_Numbers | None, list[str]] = defaultdict(list)
        for post in islice(posts.get(title, ()), MAX_NAMESAKES):
            for numbers in (
                {None} if post.date is None else _numbers_of(post.date, days)
            ):
                named[numbers].append(post.name)
        return named

    matches = (
        [match for page in pages for match in _matches(page, by_numbers)]
        if posts
        else []
    )
    forms = Counter(match.form for match in matches)
    by_post: dict[str, list[_Match]] = defaultdict(list)
    for match in matches:
        by_post[match.post].append(match)
    found = [
        best for same in by_post.values() if (best := _best(same, forms)) is not None
    ]
    counts = Counter(match.page for match in found)
    return {match.page: match.post for match in found if counts[match.page] == 1}


def _posts(files: Iterable[str]) -> dict[str, list[_Post]]:
    """Return the posts by their titles as addresses have them, with the date and without."""
    posts: dict[str, list[_Post]] = defaultdict(list)
    for file in files:
        *folders, name = file.split("/")
        if _FOLDER in folders and (found := _POST.fullmatch(name)):
            title = _title(found["title"])
            posts[title].append(_Post(file, _date(found["date"])))
            if found["date"]:
                posts[f"{found['date']}-{title}"].append(_Post(file, None))
    return posts


def _title(name: str) -> str:
    """Return a title to compare: Jekyll writes hyphens for spaces, Hexo does not."""
    return _SPACE.sub("-", name)


def _date(text: str | None) -> date | None:
    try:
        found = date.fromisoformat(text) if text else None
    except ValueError:
        return None
    return found if found and found.year in LIKELY_YEARS else None


def _matches(
    page: str,
    by_numbers: Callable[[str, tuple[int, ...]], Mapping[_Numbers | None, list[str]]],
) -> Iterator[_Match]:
    *folders, title = page.rpartition(".")[0].removesuffix("/index").split("/")
    form = "/".join(_NUMBER.sub("0", folder) for folder in folders)
    numbers = tuple(
        sorted(int(folder) for folder in folders if _NUMBER.fullmatch(folder))
    )
    # The date in the post replaces that in its name, and its time zone can make it
    # another day.
    for days in ((0,), (-1, 1)):
        named = by_numbers(_title(title), days)
        found = [*named.get(None, ()), *named.get(numbers, ())]
        if len(found) <= MAX_OF_PAGE:
            yield from (_Match(post, page, form) for post in found)
        if found:
            return


def _numbers_of(day: date, offsets: Iterable[int]) -> set[_Numbers]:
    """Return the numbers that Jekyll's permalinks can have for days near this one, ascending."""
    found: set[_Numbers] = {()}
    for offset in offsets:
        year, month, day_of_month, *_, day_of_year, _ = (
            day + timedelta(offset)
        ).timetuple()
        forms = (
            (year,),
            (year, month),
            (year, month, day_of_month),
            (year, day_of_year),
        )
        found |= {tuple(sorted(form)) for form in forms}
    return found


def _best(matches: Sequence[_Match], forms: Mapping[str, int]) -> _Match | None:
    """Return the page of a post: a tag can have its title, but not the form of most posts' URLs."""
    ranked = sorted(
        (forms[match.form], match.form.count("0"), match) for match in matches
    )
    is_tie = len(ranked) > 1 and ranked[-1][:2] == ranked[-2][:2]
    return None if is_tie else ranked[-1][2]


USUAL_FOLDERS = (
    *(
        "docs",
        "doc",
        "docs/source",
        "doc/source",
        "source",
        "src",
        "content",
        "pages",
        "posts",
    ),
    *(
        "src/content",
        "src/content/docs",
        "src/pages",
        "website/docs",
        "website",
        "site",
        "",
    ),
)
"""Where generators look for sources by default, below the project's folder."""

MAX_SHARING = 3
"""Pages that can share an edit link: translations that fall back, pages of one list."""

_HTML = ".html"
_SUFFIXES = (
    ".md",
    ".markdown",
    ".mdx",
    ".rst",
    ".ipynb",
    ".qmd",
    ".txt",
    ".myst",
    _HTML,
)
_HOME = "index.html"
_SOURCES = "_sources/"
_COMPONENTS = (".js", ".jsx", ".ts", ".tsx")
_OF_PROJECTS = ("package.json", "conf.py", "_config.yml", "Gemfile")
"""Files beside a project's README: settings of Docusaurus, Nikola, Hexo, Jekyll."""

_OF_JEKYLL = {
    f"_{name}" for name in ("data", "drafts", "includes", "layouts", "posts", "site")
}
"""Folders with an underscore that are no collections."""

_NO_CONTENT = re.compile(r"(?:404|search|genindex)(?:/index)?\.html")
_PERMALINK = re.compile(
    rb"\A(---|\+\+\+)[ \t]*\r?\n(?:(?!\1).*\n)*?"
    rb"(permalink|url|slug)[ \t]*[:=][ \t]*[\"']?/?([^\s\"':{]*)[\"']?[ \t]*\r?\n"
)
_LOCALIZED = re.compile(
    r"((?:.*/)?i18n/([^/]+)/docusaurus-plugin-content-[\w-]+/(?:current/)?)(.+)"
)

MAX_BYTES = 8 * 1024
"""Bytes of a file in which its `permalink` is looked for."""

MAX_FILES = 50_000
"""Files of a folder outside git that are listed, in half a second; a project has fewer. Called
from `/`, a build would list the machine."""


@dataclass(frozen=True, kw_only=True)
class ProjectFiles:
    """Names of files, without those that git ignores."""

    root: Path
    """The real folder that the names are relative to."""

    names: frozenset[str]
    """Relative, with slashes."""

    is_too_large: bool = False
    """Whether the folder is outside git and has more than `MAX_FILES`: none is listed then."""

    any_html: bool = False
    """Whether every HTML file can be a source, or only those with front matter."""

    def beginning(self, name: str) -> bytes:
        """Return how a file begins; empty if it cannot be read."""
        with suppress(OSError):
            return read_beginning(self.root / name, max_bytes=MAX_BYTES)
        return b""

    def is_source(self, name: str) -> bool:
        """Tell whether a name is that of a file that a page can be made of."""
        is_text = self.any_html or not name.endswith(_HTML)
        return name in self.names and (
            is_text or self.beginning(name).startswith(b"---")
        )

    def outside(self, folder: str) -> ProjectFiles:
        """Return those that are not in a folder, relative to the root; empty for the root."""
        inside = f"{folder}/" if folder else ""
        names = frozenset(name for name in self.names if not name.startswith(inside))
        return replace(self, names=names)

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
    pages: Sequence[Built],
    project: ProjectFiles,
    folders: Sequence[str],
    *,
    is_named: bool = False,
    html: bool = False,
) -> Sources:
    """Find the source of each page.

    `folders` are those that may contain the sources, the project's own first, relative
    to its root, empty for the root itself; the one in which most pages have a source is
    used. `is_named` tells whether the user named it, or the settings that do. With
    `html`, a page can be its own source.
    """
    project = replace(project, any_html=html)
    # Those without such a file would take most of the time.
    suffixes = tuple(
        s for s in _SUFFIXES if any(name.endswith(s) for name in project.names)
    )
    candidates = {
        page.name: list(_candidates(page, suffixes, html=html)) for page in pages
    }
    folder = _likeliest(folders, candidates, project)
    by_name = _found(folder, candidates, project)
    shown = {
        page.name: page.marks.sphinx_sources
        for page in pages
        if page.marks.sphinx_sources
    }
    located = {page.name for page in pages if page.marks.location}
    by_edit_link = _without_shared(_localized(_by_edit_links(pages, project), project))
    by_location = {
        n: s for n, s in by_name.items() if n in located and n not in by_edit_link
    }
    by_route = {n: s for n, s in by_name.items() if n not in located}
    # The surest rule first.
    rules = (
        by_edit_link,
        # Pages of several projects can be at the same place, each in its own.
        _without_shared(by_location, most=1),
        by_route,
        _components(pages, project),
        find_posts(
            candidates.keys() - shown.keys(), project.names, next(iter(folders), "")
        ),
    )
    made_of = {source for rule in rules for source in rule.values()}
    if home := by_route.get(_HOME):
        top = home.removesuffix(home.rpartition("/")[2])
        is_sites = (
            is_named
            or _HOME in shown
            or any(s.startswith(top) for s in made_of - {home})
        )
        is_sites |= all(map(_NO_CONTENT.fullmatch, candidates.keys() - {_HOME}))
        if not is_sites or _is_projects_readme(home, made_of, project):
            del by_route[_HOME]
    found = dict(ChainMap(*rules))
    left = {name: groups for name, groups in candidates.items() if name not in found}
    found |= _in_further_folders(
        [folder] if by_name else folders, left, candidates, project
    )
    return Sources(
        folder, _by_front_matter(left.keys() - found.keys(), project, found) | found
    )


def likeliest_folder(pages: Iterable[Built], project: ProjectFiles) -> tuple[str, int]:
    """Return the folder that has sources for most of some pages, and for how many it has one."""
    counts: Counter[str] = Counter()
    for page in islice(pages, MAX_LOOKED_FOR):
        names = {
            name for group in _candidates(page, _SUFFIXES, html=False) for name in group
        }
        files = {
            (file, name)
            for name in names
            for file in project.by_last_name.get(name.rpartition("/")[2], ())[
                :MAX_NAMESAKES
            ]
            if f"/{file}".endswith(f"/{name}") and project.is_source(file)
        }
        counts.update(
            sorted({file.removesuffix(name).rstrip("/") for file, name in files})
        )
    return next(iter(counts.most_common(1)), ("", 0))


def _in_further_folders(
    folders: Iterable[str],
    left: Mapping[str, Sequence[tuple[str, ...]]],
    pages: Iterable[str],
    project: ProjectFiles,
) -> dict[str, str]:
    """Return the sources of pages that are in folders which do not occur in the pages' addresses.

    These are Jekyll's collections, if its settings say so, and the language at the
    site's root: `content/en`, if the site has no `en/`, but a home page from there, or
    a `de/` of `content/de`.
    """
    # Hugo's `en/index.html` redirects to the root.
    tops = {
        top for top, _, page in (page.partition("/") for page in pages) if page != _HOME
    }
    found: list[dict[str, str]] = []
    languages: list[dict[str, str]] = []
    for folder in folders if left else ():
        above = f"{folder}/" if folder else ""
        is_jekyll = f"{above}_config.yml" in project.names
        inside = (
            name.removeprefix(above) for name in project.names if name.startswith(above)
        )
        below = {name.partition("/")[0] for name in inside if "/" in name}
        has_others = any(map(_is_short_language, below & tops))
        for name in below - tops:
            of_name = _found(above + name, left, project)
            if is_jekyll and name.startswith("_") and name not in _OF_JEKYLL:
                found.append(of_name)
            elif _is_short_language(name) and (has_others or _HOME in of_name):
                languages.append(of_name)
    most = max(map(len, languages), default=0)  # Others are not published.
    found += [of_name for of_name in languages if len(of_name) == most]
    counts = Counter(page for each in found for page in each)
    return {page: s for each in found for page, s in each.items() if counts[page] == 1}


def _is_short_language(name: str) -> bool:
    return len(name.partition("-")[0]) == 2 and is_language(name)  # Not `src` or `api`.


def _by_front_matter(
    pages: Collection[str], project: ProjectFiles, known: Mapping[str, str]
) -> dict[str, str]:
    """Return the files whose front matter gives the address of a page, one of each.

    Or Hugo's `slug`, its end: the folders before it, without those of a date, are then
    among the file's, and the default language at the root takes what is left. `known`
    are others' sources.
    """
    links, slugs = defaultdict(list), defaultdict(set)
    for name in project.names if pages else ():
        is_text = name.endswith((*MARKDOWN, _HTML))
        if is_text and (link := _PERMALINK.match(project.beginning(name))):
            address = _stem(unquote(link[3].decode("utf-8", "replace")))
            if link[2] != b"slug":
                links[address].append(name)
            elif name not in known.values():
                slugs[address.lower()].add(name)
    found = {page: names[0] for page in pages if len(names := links[_stem(page)]) == 1}
    folders = {page: _stem(page).lower().split("/") for page in pages - found.keys()}
    for page, (*above, last) in sorted(folders.items(), key=lambda item: -len(item[1])):
        own = {folder for folder in above if not _NUMBER.fullmatch(folder)}
        files = [
            name for name in slugs[last] if own.issubset(name.lower().split("/")[:-1])
        ]
        if len(files) == 1:
            found[page] = files[0]
            slugs[last].remove(files[0])
    return found


def _stem(path: str) -> str:
    """Return what the forms of a page's address have in common."""
    return path.removesuffix(_HOME).removesuffix(_HTML).strip("/")


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
    # A project below the root of its repository: two segments at least tell it from
    # others.
    candidates = project.by_last_name.get(segments[-1], ()) if segments else ()
    ends = [name for name in candidates if name.endswith("/" + "/".join(segments[-2:]))]
    return ends[0] if len(ends) == 1 else ""


def _localized(found: Mapping[str, str], project: ProjectFiles) -> dict[str, str]:
    """Return the sources, with Docusaurus' translation in place of the original if there is one.

    The edit link is the original's: of `docs/a.md`, not of
    `i18n/de/docusaurus-plugin-content-docs/current/a.md`.
    """
    translations: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for name in project.names:
        if match := _LOCALIZED.fullmatch(name):
            translations[match[2], match[3]].append((match[1], name))
    matches = []
    for page, source in found.items():
        segments, locale = source.split("/"), page.partition("/")[0]
        for tail in ("/".join(segments[start:]) for start in range(len(segments))):
            for folder, name in translations.get((locale, tail), ()):
                matches.append((page, folder, source.removesuffix(tail), name))
    # `docs/b/a.md` too ends in `a.md`, but most originals are below `docs`.
    counts = Counter((folder, top) for _, folder, top, _ in matches)
    tops = {folder: top for (folder, top), _ in reversed(counts.most_common())}
    return {
        **found,
        **{page: name for page, folder, top, name in matches if tops[folder] == top},
    }


def _without_shared(
    sources: Mapping[str, str], *, most: int = MAX_SHARING
) -> dict[str, str]:
    counts = Counter(sources.values())
    return {page: source for page, source in sources.items() if counts[source] <= most}


def _candidates(
    page: Built, suffixes: Collection[str], *, html: bool
) -> Iterator[tuple[str, ...]]:
    """Yield groups of names that a page's source may have below the folder of the sources, by rank.

    Exactly one of a group must be a file.
    """
    if page.marks.location:
        yield (page.marks.location,)
        return
    for address in page.marks.sphinx_sources:
        name = unquote(
            address.partition(_SOURCES)[2].partition("?")[0], errors="replace"
        )
        if name:
            yield (name.removesuffix(".txt"),)
            yield (name,)
    if html:
        yield (page.name,)
    if page.marks.sphinx_sources:  # Files of other names have nothing to do with it.
        return
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
        yield tuple(
            f"{folder}/{folder.rpartition('/')[2]}{suffix}" for suffix in suffixes
        )
    if last == "index":  # Hugo's, Lektor's.
        names = (*(f"_index{suffix}" for suffix in suffixes), "contents.lr")
        yield tuple(f"{folder}{slash}{name}" for name in names)
    yield tuple(readme + suffix for suffix in suffixes)


def _components(pages: Iterable[Built], project: ProjectFiles) -> dict[str, str]:
    """Return the components that pages of Docusaurus are made of, by page.

    Their folder is beside Docusaurus' settings, if there is one such file.
    """
    settings = [
        n
        for n in project.names
        if n.rpartition("/")[2].startswith("docusaurus.config.")
    ]
    folder, slash, _ = (
        settings[0].rpartition("/") if len(settings) == 1 else ("", "", "")
    )
    suffixes = (*_COMPONENTS, *_SUFFIXES)
    candidates = {}
    for page in pages:
        if page.marks.generator.startswith("Docusaurus"):
            stem = page.name.removesuffix(_HTML)
            stems = {stem, stem.removesuffix("/index")}
            candidates[page.name] = [
                tuple(each + suffix for each in stems for suffix in suffixes)
            ]
    return _found(f"{folder}{slash}src/pages", candidates, project)


def _is_projects_readme(
    source: str, made_of: Iterable[str], project: ProjectFiles
) -> bool:
    """Tell whether a file is a README about its project, and not the source of the home page.

    Such a file is at the root, or beside a project's settings. There, it is the home
    page's source only if another page is made of a file of the same folder, and the
    folder has no index.
    """
    folder, slash, _ = source.rpartition("/")
    beside = {f"{folder}{slash}{each}" for each in _OF_PROJECTS}
    if not _is_readme(source) or (folder and beside.isdisjoint(project.names)):
        return False
    if any(each.startswith(f"{folder}{slash}index.") for each in project.names):
        return True
    return not any(
        each.rpartition("/")[0] == folder for each in made_of if each != source
    )


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
    folder: str,
    candidates: Mapping[str, Iterable[Collection[str]]],
    project: ProjectFiles,
) -> dict[str, str]:
    """Return the sources that are there, by page."""
    found = (
        (page, _only_one(folder, groups, project))
        for page, groups in candidates.items()
    )
    return {page: source for page, source in found if source}


def _only_one(
    folder: str, groups: Iterable[Collection[str]], project: ProjectFiles
) -> str:
    """Return the file of the first group of names that has any; empty if it has several."""
    prefix = f"{folder}/" if folder else ""
    for names in groups:
        files = [prefix + name for name in names if project.is_source(prefix + name)]
        if files:
            return files[0] if len(files) == 1 else ""
    return ""


def read_project_files(
    folder: Path, environ: Mapping[str, str], *, site_dir: Path | None
) -> ProjectFiles:
    """List the files of the repository that a folder is in; outside of one, those below it.

    Outside a repository, the folder of the built site is left out, as git usually
    ignores it; `site_dir` is None for a site that is its own source. Of a folder with
    more than `MAX_FILES`, no file is listed.
    """
    real = os.path.realpath(folder)
    root = root_above(real, {})
    if root is not None:
        with suppress(
            GitError
        ):  # The dates need git too, and report what is wrong with it.
            names = Repository.open(root, environ=environ).files()
            return ProjectFiles(root=Path(root), names=names)
    built = os.path.realpath(site_dir) if site_dir else ""
    names = frozenset(islice(_walk(real, built), MAX_FILES + 1))
    if len(names) > MAX_FILES:
        return ProjectFiles(root=Path(real), names=frozenset(), is_too_large=True)
    return ProjectFiles(root=Path(real), names=names)


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
