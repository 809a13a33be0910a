"""The forms of a page's URL: the paths at which servers may answer with one HTML file.

`guide/index.html` can be `guide/`, `guide/index.html`, `guide` or `guide/index`, and
`guide.html` can be `guide` or `guide/`. All paths are relative to the site's root.
Percent-encoded paths are compared in any spelling. Which form of a page is listed:
`core.page_urls`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.untrusted_files import is_file, is_inside

INDEX = "index.html"
"""The file that servers answer with for its folder."""

INDEX_NAMES = frozenset({INDEX, "index"})
"""The name of a folder's index file, with and without its suffix."""

HTML_SUFFIXES = (".html", ".htm")
"""How the name of an HTML file ends."""

PAGE_SUFFIXES = (*HTML_SUFFIXES, ".xhtml", ".shtml", ".php")
"""How the names end for which servers answer with a page, also one that they make
themselves."""

HOME = INDEX_NAMES | {""}
"""Paths of a site's home page."""

ERROR_PAGE = "404.html"
"""The file at the site's root that servers show for missing pages."""

Form = Literal[
    "folder/",
    "folder/index.html",
    "folder",
    "folder/index",
    "file.html",
    "file",
    "file/",
    "",
]
"""A form of a URL, as an example with `file` or `folder`; empty for the URL of another
file."""

CERTAIN: frozenset[Form] = frozenset({"file.html", "folder/", "folder/index.html"})
"""The forms with which every server answers."""


class Spelling(NamedTuple):
    """How an absolute URL names a file of the site."""

    base_url: str
    """What stands before the path, as `urls.identity`; without a host where the URL
    names none."""

    form: Form


@lru_cache(maxsize=256)
def forms_of(file: str) -> dict[Form, str]:
    """Return the path of each form that a file's URL can have.

    The first form is one with which every server answers.

    >>> forms_of("guide.html")
    {'file.html': 'guide.html', 'file': 'guide', 'file/': 'guide/'}
    >>> forms_of("index.html")
    {'folder/': '', 'folder/index.html': 'index.html', 'folder/index': 'index'}
    """
    folder, slash, name = file.rpartition("/")
    short = folder + slash + name.removesuffix(".html")
    if name == INDEX:
        top = folder + slash
        paths: dict[Form, str] = {
            "folder/": top,
            "folder/index.html": file,
            "folder/index": short,
        }
        return paths | {"folder": folder} if slash else paths
    if short in {file, folder + slash}:  # Another suffix, or nothing before it.
        return {"file.html": file}
    return {"file.html": file, "file": short, "file/": f"{short}/"}


def usual_path(file: str) -> str:
    """Return the path with which every server answers with a file.

    The path of an index is that of its folder.

    >>> usual_path("guide/index.html"), usual_path("guide.html")
    ('guide/', 'guide.html')
    """
    return next(iter(forms_of(file).values()))


@lru_cache(maxsize=256)
def form_of(path: str, file: str) -> Form:
    """Return the form in which a path names a file; empty if it does not name it.

    >>> form_of("guide", "guide/index.html"), form_of("guide", "guide.html")
    ('folder', 'file')
    """
    path = urls.path_identity(path)
    forms = forms_of(urls.path_identity(file))
    return next((form for form, other in forms.items() if other == path), "")


def files_at(path: str, *, file_first: bool = False) -> Iterator[str]:
    """Yield the files that servers may give at a path, nearest first.

    The names are spelled as `path_identity` spells them.

    With `file_first`, `guide` is `guide.html` rather than `guide/index.html`, if both
    are there.

    >>> [*files_at("guide")], [*files_at("guide/")]
    (['guide', 'guide/index.html', 'guide.html'], ['guide/index.html', 'guide.html'])
    """
    is_folder = not path or path.endswith("/")
    stem = path.removesuffix("/")
    found = [f"{stem}/{INDEX}" if stem else INDEX]
    # A server that gives `a.html` at `a/` does so for no folder named `index`.
    if stem and not (is_folder and stem.rpartition("/")[2] == "index"):
        found.append(f"{stem}.html")
    if not is_folder:
        yield path
        if file_first:
            found.reverse()
    yield from found


def any_form(path: str) -> str:
    """Return a text to compare by: the same for all forms of a percent-encoded path.

    >>> [any_form(path) for path in ("a/", "a", "a.html", "a/index.html", "index.html")]
    ['a', 'a', 'a', 'a', '']
    """
    path = urls.path_identity(path)
    folder, _, name = path.rpartition("/")
    return (folder if name == INDEX else path.removesuffix(".html")).rstrip("/")


@dataclass(slots=True)
class Files:
    """Which file of a site a path leads to."""

    pages: Mapping[str, str] = field(default_factory=dict)
    """The percent-encoded names of the pages' files, by `urls.path_identity`."""

    folder: Path | None = None
    """Where other files are looked for; None to look for none."""

    file_first: bool = False
    """As for `files_at`."""

    _names: dict[str, frozenset[str]] = field(default_factory=dict)
    """The names of the files in each folder that was looked into so far."""

    @classmethod
    def of(
        cls,
        names: Iterable[str],
        folder: Path | None = None,
        *,
        file_first: bool = False,
    ) -> Files:
        """Return the files of a site with these pages' names, percent-encoded."""
        return cls(
            {urls.path_identity(name): name for name in names}, folder, file_first
        )

    def at(self, path: str) -> str:
        """Return the file that servers give at a path, as `path_identity` spells it.

        The result is empty if there is none.
        """
        found = files_at(urls.path_identity(path), file_first=self.file_first)
        return next(filter(self.has, found), "")

    def page_at(self, path: str) -> str:
        """Return the page's file that servers give at a path, percent-encoded.

        The result is empty if there is no file, or if it is not a page's.
        """
        return self.pages.get(self.at(path), "")

    def has(self, file: str) -> bool:
        """Tell whether there is a file of a name, as `path_identity` spells it."""
        if file in self.pages:
            return True
        if self.folder is None or len(file) > MAX_LOC_LENGTH:
            return False
        folder, _, name = unquote(file, errors="surrogateescape").rpartition("/")
        if folder not in self._names:
            self._names[folder] = frozenset()
            if not folder or is_inside(folder):
                with suppress(OSError), os.scandir(self.folder / folder) as entries:
                    self._names[folder] = frozenset(
                        # The entry's own method raises on endless links.
                        each.name
                        for each in entries
                        if each.is_file(follow_symlinks=False) or is_file(each.path)
                    )
        return name in self._names[folder]


def spelled_by(url: str, file: str) -> Spelling | None:
    """Return how a URL names a percent-encoded file; None if it names another.

    The URL is absolute, or has no host and begins with a slash.
    """
    whole = urls.identity(url)
    forms = forms_of(urls.path_identity(file))
    # An empty path is part of every URL, so the home page's shorter form comes last.
    for form, path in sorted(forms.items(), key=lambda item: -len(item[1])):
        if whole.endswith(f"/{path}"):
            return Spelling(whole.removesuffix(path), form)
    return None


def most_common_base(spellings: Iterable[Spelling]) -> str:
    """Return the base URL on which more than half of the spellings agree, if any.

    The result is empty if there is none.
    """
    bases = Counter(spelling.base_url for spelling in spellings)
    # A stranger's link can be no URL, such as `https://[::1/`.
    with suppress(ValueError):
        for base_url, count in bases.most_common(1):
            # A path alone, such as `/docs/`, is not a base URL.
            if 2 * count > bases.total() and urlsplit(base_url).netloc:
                return base_url
    return ""


def paths_of(
    files: Iterable[str], *, known: Mapping[str, Form], votes: Mapping[str, Form]
) -> dict[str, str]:
    """Return a path of each file, in the known form or in the form of most others.

    Files are percent-encoded. `known` has the form of some files, and `votes` the forms
    that are counted, by file. Index files and other files have a usual form each; the
    index at the root says nothing about others.
    """
    counts = Counter((_is_index(f), form) for f, form in votes.items() if f != INDEX)
    usual: dict[bool, Form] = {}
    for (kind, form), _ in counts.most_common():
        usual.setdefault(kind, form)
    paths = {}
    for file in files:
        form = known.get(file) or usual.get(_is_index(file), "")
        paths[file] = forms_of(file).get(form, usual_path(file))
    return paths


def _is_index(file: str) -> bool:
    return file.rpartition("/")[2] == INDEX
