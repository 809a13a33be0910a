"""The path at which each file of a folder answers: the form of URLs that the site itself uses.

`guide/index.html` can be `guide/`, `guide/index.html` or `guide`, and `guide.html` can be `guide`.
A page's canonical link says it; then the sitemap that the generator wrote; then most other pages of
the site; and where nobody says it, the form that every server answers with: the folder for its
`index.html`, any other file by its name.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "NO_SLASH",
    "Spelling",
    "files_by_path",
    "forms_of",
    "most_common_base",
    "paths_of",
    "spelled_by",
]

NO_SLASH = 2
"""The form that is a file's name without `.html`, or its folder's without a slash."""

_INDEX = "index.html"


class Spelling(NamedTuple):
    """How an absolute URL names a file of the site."""

    base_url: str
    """What stands before the path; empty where the URL names no host."""

    path: str
    """Percent-encoded, relative to the base, as the URL spells it."""

    form: int
    """Which of `forms_of` the path is."""


def forms_of(path: str) -> tuple[str, ...]:
    """Return all paths at which servers may answer with a file, as long as its own name or shorter.

    `path` is the file's, percent-encoded; the second form is its folder's, or its name's as one.

    >>> forms_of("guide/index.html"), forms_of("guide.html")
    (('guide/index.html', 'guide/', 'guide'), ('guide.html', 'guide/', 'guide'))
    >>> forms_of("index.html")
    ('index.html', '')
    """
    if path == _INDEX:
        return path, ""
    short = path.removesuffix(f"/{_INDEX}") if path.endswith(f"/{_INDEX}") else _stem(path)
    return path, f"{short}/", short


def files_by_path(files: Iterable[str]) -> dict[str, str]:
    """Return the file that answers at each path, in any of its forms, by `urls.path_identity`.

    A file's own name comes before a folder's `index.html`, and that before a name without suffix.
    """
    found: dict[str, str] = {}
    ranked = sorted(
        (number, _kind(file) != _INDEX, file, form)
        for file in files
        for number, form in enumerate(forms_of(file))
    )
    for *_, file, form in ranked:
        found.setdefault(urls.path_identity(form), file)
    return found


def spelled_by(url: str, path: str) -> Spelling | None:
    """Return how an absolute URL names a file, or a URL without a host that begins with a slash.

    None where it names another; `path` is the file's, percent-encoded.
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

    Files are percent-encoded paths; `said` is what their canonical links spell, `listed` what the
    sitemap that is there already does, both by file.
    """
    usual = _usual_forms({**listed, **said})
    return {
        file: spelling.path
        if (spelling := said.get(file) or listed.get(file))
        else forms_of(file)[min(usual[_kind(file)], len(forms_of(file)) - 1)]
        for file in files
    }


def _usual_forms(spellings: Mapping[str, Spelling]) -> dict[str, int]:
    """Return which form most files of a kind have; the home page, which has no third, apart."""
    usual = {_INDEX: 1, ".html": 0}
    for kind in usual:
        counts = Counter(
            spelling.form
            for file, spelling in spellings.items()
            if file != _INDEX and _kind(file) == kind
        )
        if counts:
            usual[kind] = counts.most_common(1)[0][0]
    return usual


def _kind(file: str) -> str:
    return _INDEX if file.rpartition("/")[2] == _INDEX else ".html"


def _stem(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.rpartition(".")[0]
