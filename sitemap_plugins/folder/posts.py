"""The posts of a blog, whose addresses differ from the names of their files.

Jekyll makes `_posts/2024-05-01-title.md` into `2024/05/01/title.html`, `2024/122/title.html`,
`blog/title/` or another form, by its settings and the post's categories; Hexo makes
`source/_posts/title.md` into `2024/05/01/title/`, by the date in the post. No setting has to be
known: the form of the addresses is the one in which most posts are found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date, timedelta
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.folder.page_marks import LIKELY_YEARS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    _Numbers = tuple[int, ...]

__all__ = ["find_posts"]

_FOLDER = "_posts"
_POST = re.compile(
    r"(?:(?P<date>\d{4}-\d\d-\d\d)-)?(?P<title>.+)\.(?:md|markdown|html)", re.ASCII | re.DOTALL
)
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"\d+", re.ASCII)

MOST_NAMESAKES = 300
"""Posts with one title, such as `weekly-links`, that are compared with a page."""

MOST_OF_PAGE = 20
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


def find_posts(pages: Iterable[str], files: Iterable[str], folder: str) -> dict[str, str]:
    """Return the posts that pages are made of, by page: one of each, by the names of their files.

    `files` are those of a project, and `folder` the one that the posts are below.
    """
    posts = _posts(name for name in files if not folder or name.startswith(f"{folder}/"))

    @cache
    def by_numbers(title: str, days: tuple[int, ...]) -> Mapping[_Numbers | None, list[str]]:
        """Return posts by the numbers that a URL can have for their dates; None for any."""
        named: dict[_Numbers | None, list[str]] = defaultdict(list)
        for post in islice(posts.get(title, ()), MOST_NAMESAKES):
            for numbers in {None} if post.date is None else _numbers_of(post.date, days):
                named[numbers].append(post.name)
        return named

    matches = [match for page in pages for match in _matches(page, by_numbers)] if posts else []
    forms = Counter(match.form for match in matches)
    by_post: dict[str, list[_Match]] = defaultdict(list)
    for match in matches:
        by_post[match.post].append(match)
    found = [best for same in by_post.values() if (best := _best(same, forms)) is not None]
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
    page: str, by_numbers: Callable[[str, tuple[int, ...]], Mapping[_Numbers | None, list[str]]]
) -> Iterator[_Match]:
    *folders, title = page.rpartition(".")[0].removesuffix("/index").split("/")
    form = "/".join(_NUMBER.sub("0", folder) for folder in folders)
    numbers = tuple(sorted(int(folder) for folder in folders if _NUMBER.fullmatch(folder)))
    # The date in the post replaces that in its name, and its time zone can make it another day.
    for days in ((0,), (-1, 1)):
        named = by_numbers(_title(title), days)
        found = [*named.get(None, ()), *named.get(numbers, ())]
        if len(found) <= MOST_OF_PAGE:
            yield from (_Match(post, page, form) for post in found)
        if found:
            return


def _numbers_of(day: date, offsets: Iterable[int]) -> set[_Numbers]:
    """Return the numbers that Jekyll's permalinks can have for days near this one, ascending."""
    found: set[_Numbers] = {()}
    for offset in offsets:
        year, month, day_of_month, *_, day_of_year, _ = (day + timedelta(offset)).timetuple()
        forms = ((year,), (year, month), (year, month, day_of_month), (year, day_of_year))
        found |= {tuple(sorted(form)) for form in forms}
    return found


def _best(matches: Sequence[_Match], forms: Mapping[str, int]) -> _Match | None:
    """Return the page of a post: a tag can have its title, but not the form of most posts' URLs."""
    ranked = sorted((forms[match.form], match.form.count("0"), match) for match in matches)
    is_tie = len(ranked) > 1 and ranked[-1][:2] == ranked[-2][:2]
    return None if is_tie else ranked[-1][2]
