"""The forms of a page's URL: the paths at which servers answer with one HTML file.

`guide/index.html` can be `guide/`, `guide/index.html` or `guide`, and `guide.html` can be `guide`.
All paths are relative to the site's root. Percent-encoded paths are compared in any spelling.

The form of a page in a folder is that of its canonical link; without one, that in the sitemap that
the generator wrote; without that, the form of most other pages. Otherwise, it is the form
that every server answers with: the folder for its `index.html`, any other file by its name.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.untrusted_files import is_file, is_inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = [
    "ENDINGS",
    "HOME",
    "HTML_SUFFIXES",
    "INDEX",
    "INDEX_NAMES",
    "NO_SLASH",
    "PAGE_SUFFIXES",
    "Spelling",
    "any_form",
    "ends_in",
    "file_named",
    "files_by_path",
    "form_of",
    "forms_of",
    "has_file",
    "is_same_page",
    "leads_to",
    "most_common_base",
    "paths_of",
    "spelled_by",
    "usual_path",
]

INDEX = "index.html"
"""The file that servers answer with for its folder."""

INDEX_NAMES = frozenset({INDEX, "index"})
"""That file's name, with and without its suffix."""

HTML_SUFFIXES = (".html", ".htm")
"""How the name of an HTML file ends."""

PAGE_SUFFIXES = (*HTML_SUFFIXES, ".xhtml", ".shtml", ".php")
"""How the names end for which servers answer with a page, also one that they make themselves."""

HOME = INDEX_NAMES | {""}
"""Paths of a site's home page."""

ENDINGS = (INDEX, ".html")
"""What a site can leave out at the end of its URLs: `ends_in` tells which a URL has."""

NO_SLASH = 2
"""The form that is a file's name without `.html`, or its folder's without a slash."""


class Spelling(NamedTuple):
    """How an absolute URL names a file of the site."""

    base_url: str
    """What stands before the path; empty where the URL names no host."""

    path: str
    """Percent-encoded, relative to the base, as the URL spells it."""

    form: int
    """Which of `forms_of` the path is."""


def forms_of(path: str) -> tuple[str, ...]:
    """Return all paths at which servers may answer with a file: its own name and shorter ones.

    `path` is the file's, percent-encoded; the second form is its folder, or its name as a folder.

    >>> forms_of("guide/index.html"), forms_of("guide.html")
    (('guide/index.html', 'guide/', 'guide'), ('guide.html', 'guide/', 'guide'))
    >>> forms_of("index.html")
    ('index.html', '')
    """
    if path == INDEX:
        return path, ""
    folder, slash, name = path.rpartition("/")
    short = folder if name == INDEX else folder + slash + name.rpartition(".")[0]
    return path, f"{short}/", short


def usual_path(file: str) -> str:
    """Return the path with which every server answers with a file: its folder's for the index.

    >>> usual_path("guide/index.html"), usual_path("guide.html")
    ('guide/', 'guide.html')
    """
    folder, slash, name = file.rpartition("/")
    return folder + slash if name == INDEX else file


def leads_to(path: str, file: str) -> bool:
    """Tell whether servers may answer at a path with a file.

    `about/` leads to `about.html` too. Only some servers answer so, but an author whose settings
    pair these two has such a server.
    """
    stem = file.removesuffix(".html")
    return path == file or (stem != file and path in {*forms_of(file), stem, f"{stem}/"})


def form_of(path: str, file: str) -> str:
    """Return which form of its file's URL a path is, as an example with `file` or `folder`.

    >>> [form_of(path, "guide/index.html") for path in ("guide/", "guide", "guide/index.html")]
    ['folder/', 'folder', 'folder/index.html']
    >>> form_of("guide.html", "guide.html"), form_of("guide", "guide.html")
    ('file.html', 'file')
    """
    if file.rpartition("/")[2] != INDEX:
        return "file.html" if path == file else "file"
    if path.endswith(INDEX):
        return f"folder/{INDEX}"
    return "folder/" if path.endswith("/") or not path else "folder"


def file_named(path: str) -> str:
    """Return the HTML file that a path names, with or without its suffix; empty for another.

    >>> [file_named(path) for path in ("a.html", "a/index", "a/", "a")]
    ['a.html', 'a/index.html', '', '']
    """
    name = path.rpartition("/")[2]
    return f"{path}.html" if name == "index" else path if name.endswith(".html") else ""


def ends_in(url: str, ending: str) -> bool:
    """Tell whether a URL has one of the `ENDINGS`; the ending of an index is not `.html`."""
    name = url.rpartition("/")[2]
    return name == ending or (name.endswith(ending) and INDEX not in {ending, name})


def is_same_page(canonical: str, url: str) -> bool:
    """Tell whether a canonical URL is the page's own, also without `.html` or `index.html`.

    It may also name the `index.html` that the page's own URL leaves out.
    """
    folder, _, name = url.rpartition("/")
    forms = {url, url.removesuffix(".html")}
    if name in {"", INDEX}:
        forms |= {f"{folder}/", f"{folder}/{INDEX}"}
    return canonical in forms or urls.identity(canonical) in map(urls.identity, forms)


def any_form(path: str) -> str:
    """Return the same text for all forms of a percent-encoded path.

    >>> [any_form(path) for path in ("a/", "a", "a.html", "a/index.html", "index.html")]
    ['a', 'a', 'a', 'a', '']
    """
    path = urls.path_identity(path)
    folder, _, name = path.rpartition("/")
    return (folder if name == INDEX else path.removesuffix(".html")).rstrip("/")


def has_file(folder: Path, path: str) -> bool:
    """Tell whether a folder contains a file that servers give for a percent-encoded path."""
    name = unquote(path, errors="surrogateescape")
    if not is_inside(name):
        return False
    names = [name, os.path.join(name, INDEX)]  # noqa: PTH118
    if any_form(path).rpartition("/")[2] != "index":  # An index.html is its folder's.
        names.append(f"{name.rstrip('/')}.html")
    return any(is_file(os.path.join(folder, each)) for each in names)  # noqa: PTH118


def files_by_path(files: Iterable[str]) -> dict[str, str]:
    """Return the file that answers at each path, in any of its forms, by `urls.path_identity`.

    A file's own name comes before a folder's `index.html`, and that before a name without suffix.
    """
    found: dict[str, str] = {}
    ranked = sorted(
        (number, _kind(file) != INDEX, file, form)
        for file in files
        for number, form in enumerate(forms_of(file))
    )
    for *_, file, form in ranked:
        found.setdefault(urls.path_identity(form), file)
    return found


def spelled_by(url: str, path: str) -> Spelling | None:
    """Return how a URL names a file; None if it names another.

    The URL is absolute, or has no host and begins with a slash; `path` is the file's,
    percent-encoded.
    """
    try:
        whole = urls.normalize_url(url) if urlsplit(url).netloc else url
    except (PageError, ValueError):
        return None
    # An empty path is part of every URL, so the home page's shorter form comes last.
    for number, form in enumerate(forms_of(path)):
        segments = form.count("/") + 1
        pieces = whole.rsplit("/", segments)
        tail = "/".join(pieces[1:])
        if len(pieces) == segments + 1 and urls.path_identity(tail) == urls.path_identity(form):
            return Spelling(f"{pieces[0]}/", tail, number)
    return None


def most_common_base(spellings: Iterable[Spelling]) -> str:
    """Return the base URL on which more than half of the spellings agree; empty for none."""
    bases = Counter(spelling.base_url for spelling in spellings)
    base_url, count = bases.most_common(1)[0] if bases else ("", 0)
    return base_url if 2 * count > bases.total() and urlsplit(base_url).netloc else ""


def paths_of(
    files: Iterable[str], *, said: Mapping[str, Spelling], listed: Mapping[str, Spelling]
) -> dict[str, str]:
    """Return the path at which each file answers.

    Files are percent-encoded paths; `said` has the spellings of their canonical links, `listed`
    those of the sitemap that is there already, both by file.
    """
    spellings = {**listed, **said}
    usual = {INDEX: 1, ".html": 0}  # The form of most files of a kind.
    for kind in usual:
        counts = Counter(
            spelling.form
            for file, spelling in spellings.items()
            if file != INDEX and _kind(file) == kind  # The home page has no third form.
        )
        if counts:
            usual[kind] = counts.most_common(1)[0][0]
    return {
        file: spellings[file].path
        if file in spellings
        else forms_of(file)[min(usual[_kind(file)], len(forms_of(file)) - 1)]
        for file in files
    }


def _kind(file: str) -> str:
    return INDEX if file.rpartition("/")[2] == INDEX else ".html"
