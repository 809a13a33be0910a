"""The posts of a blog, whose addresses hold more than their files' names say, or less.

Jekyll makes `_posts/2024-05-01-title.md` into `2024/05/01/title.html`, `2024/122/title.html`,
`blog/title/` or whatever its settings and the post's categories say; Hexo makes
`source/_posts/title.md` into `2024/05/01/title/`, by the date in the post. No setting has to be
known: the form of the addresses is that in which most posts are found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["find_posts"]

_FOLDER = "_posts"
_POST = re.compile(
    r"(?:(?P<date>\d{4}-\d\d-\d\d)-)?(?P<title>.+)\.(?:md|markdown|html)", re.ASCII | re.DOTALL
)
_YEARS = range(1901, 3000)
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"\d+", re.ASCII)

MOST_NAMESAKES = 300
"""Posts with one title that are looked at: such as `weekly-links`, each with its date."""


class _Post(NamedTuple):
    """One file."""

    name: str

    date: date | None
    """What its name begins with."""


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
    matches = [match for page in pages for match in _matches(page, posts)] if posts else []
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
    return found if found and found.year in _YEARS else None


def _matches(page: str, posts: Mapping[str, Sequence[_Post]]) -> Iterator[_Match]:
    *folders, title = page.rpartition(".")[0].removesuffix("/index").split("/")
    form = "/".join(_NUMBER.sub("0", folder) for folder in folders)
    numbers = sorted(int(folder) for folder in folders if _NUMBER.fullmatch(folder))
    namesakes = list(islice(posts.get(_title(title), ()), MOST_NAMESAKES))
    # The date in the post replaces that of its name, and its time zone can make it another day.
    for days in ((0,), (-1, 1)):
        found = [post for post in namesakes if _has_date(post, numbers, days)]
        yield from (_Match(post.name, page, form) for post in found)
        if found:
            return


def _has_date(post: _Post, numbers: Sequence[int], days: Iterable[int]) -> bool:
    """Tell whether the numbers in an address can be a post's date, some days later or earlier."""
    day = post.date
    return day is None or any(numbers in _forms(day + timedelta(days=each)) for each in days)


def _forms(day: date) -> list[list[int]]:
    """Return the numbers that Jekyll's permalinks can have for a day, ascending."""
    year, month, day_of_month, day_of_year = *day.timetuple()[:3], day.timetuple().tm_yday
    forms = ((), (year,), (year, month), (year, month, day_of_month), (year, day_of_year))
    return [sorted(form) for form in forms]


def _best(matches: Sequence[_Match], forms: Mapping[str, int]) -> _Match | None:
    """Return the page of a post: a tag can have its title, but not the form of most posts."""
    ranked = sorted((forms[match.form], match.form.count("0"), match) for match in matches)
    is_tie = len(ranked) > 1 and ranked[-1][:2] == ranked[-2][:2]
    return None if is_tie else ranked[-1][2]
