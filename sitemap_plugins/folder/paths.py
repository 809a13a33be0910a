"""Which text a page is made of, by their paths alone.

A site is made by few moves of folders: `docs/a.md` becomes `a/`, and
`_posts/2024-05-01-b.md` becomes `2024/05/01/b/`. A page is made of the text whose path
ends as its address does, by the move that explains most pages; of two that are as
likely, by none. No setting of a generator has to be known.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import groupby, islice
from typing import NamedTuple

from sitemap_plugins.core.languages import is_language
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.folder.page_marks import LIKELY_YEARS
from sitemap_plugins.folder.project_files import MAX_LINKED, ProjectFiles

MAX_NAMESAKES = 300
"""Texts of one name, such as `weekly-links`, that are compared with a page."""

_MAX_DEPTH = 64
"""Segments of an address or of a text's path: comparing longer ones takes very long."""

HTML = ".html"
HOME = "index.html"

_Path = tuple[str, ...]
"""Segments, without a suffix; spaces as hyphens, as Jekyll writes them in addresses."""

_DATED = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)-(?P<title>.+)", re.ASCII | re.DOTALL)
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"\d+", re.ASCII)

TEXTS = {
    ".md",
    ".markdown",
    ".mdx",
    ".mdoc",
    ".myst",
    ".qmd",
    ".rst",
    ".txt",
    ".adoc",
    ".org",
    ".ipynb",
    ".lr",
    ".njk",
    ".liquid",
    HTML,
}
"""Suffixes of files that any generator can make into a page."""

_MAKERS = {
    ".astro": "",
    ".vue": "",
    ".js": "Docusaurus",
    ".jsx": "Docusaurus",
    ".ts": "Docusaurus",
    ".tsx": "Docusaurus",
    ".py": "pdoc",
}
"""Further suffixes, each with the generator that alone makes pages of such files."""

_LOWERING = "Hugo"
"""The generator that writes addresses in lowercase, unless `disablePathToLower` is set:
https://gohugo.io/configuration/all/"""

_PAGES = "pages"
"""The folder in which a component, a file of these but for `.py`, is a page.

Antora's texts are in such folders, too.
"""

_OF_ANTORA = ".adoc"

_INDEXES = {"index": 0, "__init__": 0, "_index": 1, "contents": 1, "README": 2}
"""Names of the file that a folder's page is made of, the likeliest first."""

_LIKE_ITS_FOLDER = 1
"""The same for Eleventy's `guide/guide.md`."""

_POSTS = "_posts"
_DAY = 3
"""Numbers of a day: year, month, and day of the month."""

_NO_PAGES = {f"_{name}" for name in ("data", "drafts", "includes", "layouts", "site")}
"""Folders of Jekyll and Eleventy that contain no pages."""

_NEAR_HOME = 3
"""Folders above a text: one in so many folders is another manual's home page."""


class Sought(NamedTuple):
    """A page whose text is looked for."""

    name: str

    address: _Path
    """The address of the page, without `index`, or of the text that the page names."""

    ends: tuple[str, ...] = ()
    """How the text's path ends, each with a slash before it, as the page says it; empty
    if the page does not say."""

    generator: str = ""


class _Text(NamedTuple):
    """A file that a page can be made of."""

    name: str

    path: str
    """Its name, or that through a link to a folder; below the folder of the texts."""

    tail: _Path
    """What an address can end in."""

    rank: int
    """Higher for a file that is used if there is no other: a README comes last."""

    date: date | None = None
    """The date that its name begins with, which is not in the tail."""


class _Move(NamedTuple):
    """How addresses differ from the paths of their texts."""

    added: _Path
    """The folders that only addresses begin with, each number as a zero."""

    taken: _Path
    """The folders that only paths begin with."""

    def unexplained(self) -> int:
        """Count the added folders that are neither numbers nor part of a taken name."""
        taken = "/".join(self.taken)
        return sum(each != "0" and each not in taken for each in self.added)


class _Match(NamedTuple):
    """A page that can be made of a text."""

    page: str
    text: _Text
    common: int
    """In how many segments both end."""

    move: _Move
    is_other_day: bool
    """Whether the address has the day before or after the text's."""


class Found(NamedTuple):
    """What the paths show."""

    by_page: Mapping[str, str]
    """The name of the text that each page is made of."""

    dropped: Mapping[str, str]
    """The text that was considered for another page, and why it is not the page's."""

    likeliest: tuple[str, int]
    """The folder from which most pages come without an added one, and how many do."""


class _Votes(NamedTuple):
    """How many pages each move explains."""

    moves: Mapping[_Move, int]

    added: Mapping[_Path, int]
    """How many pages any move with these added folders explains."""

    @classmethod
    def of(cls, matches: Sequence[_Match]) -> _Votes:
        """Count pages, each once for a move and once for a move's added folders."""
        moved = {(match.page, match.move) for match in matches}
        added = {(page, move.added) for page, move in moved}
        return cls(
            Counter(move for _, move in moved), Counter(folders for _, folders in added)
        )

    def is_usual(self, match: _Match) -> bool:
        """Tell whether a match's move is usual, so that it is hardly an accident."""
        move = match.move
        count = self.moves[move]
        if not move.added:
            is_near = match.page != HOME or len(move.taken) < _NEAR_HOME
            return is_near or count > 1
        if _POSTS in match.text.name.split("/"):
            return True
        # A name and its day in the address are no accident.
        is_of_day = match.text.date is not None and move.added.count("0") >= _DAY
        if is_of_day and move.unexplained() == 0:
            return True
        # Several pages confirm it, and at least half of those with these added folders.
        return 1 < count >= self.added[move.added] / 2

    def likeliness(self, match: _Match) -> tuple[int, ...]:
        """Return what ranks matches: the least comes first."""
        taken = match.move.taken
        # Pages at the site's root can have their texts in a folder of their language.
        is_of_language = not taken or is_short_language(taken[-1])
        return (
            match.move.unexplained(),
            -match.common,
            -self.moves[match.move],
            match.text.rank + match.is_other_day,
            not is_of_language,
            len(taken),
        )


def find_by_paths(pages: Iterable[Sought], project: ProjectFiles, top: str) -> Found:
    """Return the texts that pages are made of, among those below the folder `top`."""
    pages = [*pages]
    is_lower = is_in_lowercase(page.generator for page in pages)
    texts = _by_end(_texts(project, top, is_lower=is_lower))
    matches = list(_matches(pages, texts, project))
    votes = _Votes.of(matches)
    usual = [match for match in matches if votes.is_usual(match)]
    ranked = sorted((votes.likeliness(m), m.page, m.text.name) for m in usual)
    by_page, dropped = _assigned(ranked)
    page_of = {text: page for page, text in by_page.items()}
    # Messages say why a page has no text, by the first text that it could have had.
    for match in matches:
        if match.page in by_page or match.page in dropped:
            continue
        text = match.text.name
        why = "which no second page would confirm"
        if text in page_of:
            why = f"the source of {quoted(page_of[text])}"
        dropped[match.page] = f"{quoted(text)}, {why}"
    return Found(by_page, dropped, _likeliest(matches, votes.moves, top))


def is_in_lowercase(generators: Iterable[str]) -> bool:
    """Tell whether a site's addresses are in lowercase, by what its pages name.

    One page is enough: if a theme of Hugo does not name the generator, only the home
    page does.
    """
    return any(each.startswith(_LOWERING) for each in generators)


def is_short_language(name: str) -> bool:
    """Tell whether a folder's name is a language's, and not `src` or `api`."""
    return len(name.partition("-")[0]) == 2 and is_language(name)


def address_of(path: str) -> _Path:
    """Return an address's segments, from a page's or text's path without suffix."""
    *folders, last = _SPACE.sub("-", path).split("/")
    return (*folders,) if last in _INDEXES else (*folders, last)


def split_suffix(path: str) -> tuple[str, str]:
    """Return a path without its suffix, and the suffix.

    The suffix is empty for a name without one.
    """
    folder, slash, last = path.rpartition("/")
    stem, dot, ending = last.rpartition(".")
    return (f"{folder}{slash}{stem}", dot + ending) if stem else (path, "")


def _texts(project: ProjectFiles, top: str, *, is_lower: bool) -> Iterator[_Text]:
    """Yield each file below the folder `top` once for each end of an address that fits.

    For instance, the address of `2024-05-01-a.md` can end in `2024-05-01-a` or in `a`.
    `is_lower` says that the generator writes addresses in lowercase.
    """
    prefix = f"{top}/" if top else ""
    paths = [(name, name) for name in sorted(project.names)]
    paths += islice(project.linked(), MAX_LINKED)
    for path, name in paths:
        if not path.startswith(prefix):
            continue
        for text in _named(name, path.removeprefix(prefix)):
            yield text
            if not is_lower:
                continue
            tail = tuple(map(str.lower, text.tail))
            if tail != text.tail:
                yield text._replace(tail=tail)


def _named(name: str, path: str) -> Iterator[_Text]:
    """Yield a file with each end of an address that it can be the text of.

    `name` and `path` are as in `_Text`.
    """
    stem, suffix = split_suffix(path)
    *folders, last = stem.split("/")
    if not _can_be_page(suffix, folders):
        return
    # Jekyll's collections: `_docs/a.md` is made into `docs/a/`.
    above = tuple(folder.removeprefix("_") for folder in folders)
    is_collection = above != (*folders,)
    if suffix == _OF_ANTORA:
        above = _without_pages(above)
    if last in _INDEXES:
        yield _Text(name, path, above, _INDEXES[last])
        return
    if folders and folders[-1] == last:
        yield _Text(name, path, above, _LIKE_ITS_FOLDER)
    dated = _DATED.fullmatch(last)
    rank = int(is_collection and not dated)
    yield _Text(name, path, (*above, _SPACE.sub("-", last)), rank)
    if dated:
        tail = (*above, _SPACE.sub("-", dated["title"]))
        yield _Text(name, path, tail, 0, _date(dated["date"]))


def _without_pages(folders: _Path) -> _Path:
    """Return the folders that an address has, without Antora's own.

    `modules/setup/pages/a.adoc` is made into `setup/a.html`, and the pages of the
    module ROOT have no folder for it:
    https://docs.antora.org/antora/latest/standard-directories/
    """
    for number, (modules, module, pages) in enumerate(
        zip(folders, folders[1:], folders[2:], strict=False)
    ):
        if (modules, pages) == ("modules", _PAGES):
            named = () if module == "ROOT" else (module,)
            return (*folders[: number + 1], *named, *folders[number + 3 :])
    return folders


def _can_be_page(suffix: str, folders: Collection[str]) -> bool:
    """Tell whether any generator makes a page of a file with this suffix.

    `folders` are those above the file.
    """
    if not _NO_PAGES.isdisjoint(folders):
        return False
    if suffix in TEXTS or suffix == ".py":
        return True
    return suffix in _MAKERS and _PAGES in folders


def _date(text: str) -> date | None:
    """Return the day in a file's name; None if the name has no likely one."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.year in LIKELY_YEARS else None


def _by_end(texts: Iterable[_Text]) -> Mapping[str, Sequence[_Text]]:
    """Return texts by the last segment of their addresses; the home page has none.

    Its key is empty, and has the texts of all folders, as one of them can be the home
    page's: `docs/index.md`.
    """
    found: dict[str, list[_Text]] = defaultdict(list)
    for text in texts:
        end = text.tail[-1] if text.tail else ""
        found[end].append(text)
        stands_for_folder = len(text.tail) <= text.path.count("/")
        if end and stands_for_folder:
            found[""].append(text)
    return found


def _matches(
    pages: Sequence[Sought],
    texts: Mapping[str, Sequence[_Text]],
    project: ProjectFiles,
) -> Iterator[_Match]:
    """Yield each text that a page can be made of, with the page.

    `texts` has the texts by the last segment of their pages' addresses.
    """
    has_metadata = cache(project.has_metadata)
    languages = {
        page.address[0]
        for page in pages
        if len(page.address) > 1 and is_short_language(page.address[0])
    }
    for page in pages:
        end = page.address[-1] if page.address else ""
        named = texts.get(end, ())
        # Many pages can have one end, but only one is the home page, without an end.
        if end:
            named = named[:MAX_NAMESAKES]
        for text in named:
            if not _can_be(page, text):
                continue
            # HTML without metadata is copied by the generator, or made by a program.
            if text.name.endswith(HTML) and not has_metadata(text.name):
                continue
            match = _match(page, text)
            if match is None:
                continue
            # `fr/a/` is made of a file in `fr`, and `a/` is not: no address of a site
            # with languages lacks the folder of its text's language.
            nearest_taken = match.move.taken[-1:]
            if match.move.added or languages.isdisjoint(nearest_taken):
                yield match


def _can_be(page: Sought, text: _Text) -> bool:
    """Tell whether a page's generator makes pages of such a file."""
    if max(len(page.address), len(text.tail)) > _MAX_DEPTH:
        return False
    if page.ends:
        return f"/{text.path}".endswith(page.ends)
    maker = _MAKERS.get(split_suffix(text.path)[1], "")
    if page.generator.startswith("pdoc"):
        return maker == "pdoc"
    return page.generator.startswith(maker)


def _match(page: Sought, text: _Text) -> _Match | None:
    """Return how a text becomes a page.

    The result is None if the text has a date, and the page's address has another one.
    """
    common = 0
    for ours, theirs in zip(reversed(page.address), reversed(text.tail), strict=False):
        if ours != theirs:
            break
        common += 1
    added = page.address[: len(page.address) - common]
    taken = text.tail[: len(text.tail) - common]
    move = _Move(tuple(_NUMBER.sub("0", each) for each in added), taken)
    if text.date is None:
        return _Match(page.name, text, common, move, is_other_day=False)
    numbers = sorted(int(each) for each in added if _NUMBER.fullmatch(each))
    # In another time zone, a post can have the address of the day before or after.
    for days in (0, -1, 1):
        if numbers in _forms_of(text.date + timedelta(days)):
            return _Match(page.name, text, common, move, is_other_day=days != 0)
    return None


def _forms_of(day: date) -> list[list[int]]:
    """Return the numbers, ascending, that Jekyll's permalinks can have for a day."""
    year, month, day_of_month, *_, day_of_year, _ = day.timetuple()
    forms = [
        [],
        [year],
        [year, month],
        [year, month, day_of_month],
        [year, day_of_year],
    ]
    return [sorted(form) for form in forms]


def _assigned(
    ranked: Iterable[tuple[tuple[int, ...], str, str]],
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the text of each page, and why other pages have no text.

    `ranked` are tuples of rank, page and text, the likeliest first. Pairs of equal rank
    are decided together. Once a text is given to a page, no other page gets it.
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    dropped: dict[str, str] = {}
    for _, group in groupby(ranked, key=lambda each: each[0]):
        pairs = []
        for _, page, text in group:
            if page not in found and page not in dropped and text not in used:
                pairs.append((page, text))
        for page, text, why in _likely(pairs):
            if why:
                dropped[page] = f"{quoted(text)}, {why}"
            else:
                found[page] = text
                used.add(text)
    return found, dropped


def _likely(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Yield one text for each page of equally likely pairs, and why it is in doubt.

    `pairs` are of a page and a text. The last value is empty if there is no doubt: the
    page is in no other pair, nor is the text.
    """
    texts_of: dict[str, set[str]] = defaultdict(set)
    pages_of: dict[str, list[str]] = defaultdict(list)
    for page, text in pairs:
        texts_of[page].add(text)
        # Two pages show the doubt; there can be thousands.
        pages_of[text] = [*pages_of[text][:1], page]
    for page, texts in texts_of.items():
        text, *others = sorted(texts)
        pages = {*pages_of[text]} - {page}
        why = ""
        if others:
            why = f"as likely as {quoted(others[0])}"
        elif pages:
            why = f"as likely the source of {quoted(min(pages))}"
        yield page, text, why


def _likeliest(
    matches: Iterable[_Match], votes: Mapping[_Move, int], top: str
) -> tuple[str, int]:
    """Return the folder that the move of most pages takes, and the number of pages.

    Moves that add folders do not count. `top` is the folder that contains all texts.
    """
    plain = [match for match in matches if not match.move.added]
    if not plain:
        return top, 0
    best = max(plain, key=lambda match: (votes[match.move], match.text.path))
    folders = best.text.path.split("/")[: len(best.move.taken)]
    if top:
        folders.insert(0, top)
    return "/".join(folders), votes[best.move]
