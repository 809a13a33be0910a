"""Checks of Google's extensions for images, videos and news, by its documentation.

https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps, and the pages
video-sitemaps and news-sitemap beside it. Elements that Google does not read any more are ignored.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.checks.urls import date_problem, finding_at, url_problem
from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import lastmod_in_utc
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.files.read import IMAGE, NEWS, VIDEO
from sitemap_plugins.core.languages import to_bcp47
from sitemap_plugins.core.limits import MAX_IMAGES, MAX_LOC_LENGTH, MAX_NEWS
from sitemap_plugins.core.messages import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from sitemap_plugins.checks.context import Context
    from sitemap_plugins.core.files.read import Extension
    from sitemap_plugins.sitemaps.facts import FileFacts
    from sitemap_plugins.sitemaps.parts import ListedUrl

__all__ = ["bad_extension", "too_many_news"]

_MAX_DESCRIPTION = 2_048
_MAX_TAGS = 32
_MOST = {IMAGE: MAX_IMAGES, NEWS: 1}
"""How many an entry may have."""

_FTP = re.compile("^ftp://", re.IGNORECASE)
_NOT_THE_PAGE = {"content_loc", "player_loc"}
_NEWS_DAYS = timedelta(days=2)
_ONE_DAY = timedelta(days=1)


class _Rules(NamedTuple):
    """What Google documents for one kind of extension, by name of its fields."""

    required: tuple[tuple[str, ...], ...]
    """Fields of which one must be there."""

    urls: tuple[str, ...]
    dates: tuple[str, ...]
    values: dict[str, tuple[Callable[[str], bool], str]]
    """Whether a text is a value of a field, and what that is in words."""


def _is_between(lowest: float, highest: float) -> Callable[[str], bool]:
    number = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)
    return lambda text: number.fullmatch(text) is not None and lowest <= float(text) <= highest


def _is_news_language(text: str) -> bool:
    """ISO 639 with two or three letters; for Chinese, `zh-cn` or `zh-tw`."""
    try:
        return text.lower() in {"zh-cn", "zh-tw"} or to_bcp47(text) == text.lower()[:3]
    except PageError:
        return text.isascii() and text.isalpha() and len(text) == 3  # Such as `eng`.


_YES_OR_NO = (lambda text: text.lower() in {"yes", "no"}), "yes or no"
_RULES = {
    IMAGE: _Rules(required=(("loc",),), urls=("loc",), dates=(), values={}),
    VIDEO: _Rules(
        required=(
            *(("thumbnail_loc",), ("title",), ("description",)),
            ("content_loc", "player_loc"),
        ),
        urls=("thumbnail_loc", "content_loc", "player_loc"),
        dates=("publication_date", "expiration_date"),
        values={
            "description": (lambda text: len(text) <= _MAX_DESCRIPTION, "at most 2,048 characters"),
            "duration": (_is_between(1, 28_800), "a number of seconds from 1 to 28,800"),
            "rating": (_is_between(0, 5), "a number from 0.0 to 5.0"),
            "view_count": (str.isdecimal, "a whole number"),
            **dict.fromkeys(("family_friendly", "requires_subscription", "live"), _YES_OR_NO),
        },
    ),
    NEWS: _Rules(
        required=(("name",), ("language",), ("publication_date",), ("title",)),
        urls=(),
        dates=("publication_date",),
        values={"language": (_is_news_language, "a language of ISO 639 such as 'en'")},
    ),
}


def bad_extension(listed: ListedUrl, now: datetime) -> Iterator[Finding]:
    """Google ignores an image, video or article without what it requires."""
    extensions = listed.element.extensions
    counts = Counter(extension.name for extension in extensions)
    for name, most in _MOST.items():
        if counts[name] > most:
            text = f"{counts[name]:,} {_written(name)} are in one entry, which may have {most:,}"
            yield finding_at(listed, "bad-extension", text)
    for extension in extensions:
        for problem in (*_missing(extension), *_wrong(extension, listed)):
            text = f"{_written(extension.name)}: {problem}"
            yield finding_at(listed, "bad-extension", text, about=problem)
        if extension.name == NEWS and (age := _too_old(extension, now)):
            text = f"<news:news>: the article was published on {age}"
            cure = "remove <news:news> from entries older than two days"
            yield finding_at(listed, "bad-extension", text, cure, matters="warning")


def too_many_news(facts: FileFacts, _context: Context) -> Iterator[Finding]:
    """Google, news sitemaps: up to 1,000 articles in one sitemap."""
    if facts.news > MAX_NEWS:
        text = f"the file has {facts.news:,} <news:news>, and may have {MAX_NEWS:,}"
        yield Finding("bad-extension", text, file=facts.file.name)


def _missing(extension: Extension) -> Iterator[str]:
    for names in _RULES[extension.name].required:
        if not any(map(extension.get, names)):
            yield f"it has no {' or '.join(f'<{name}>' for name in names)}"


def _wrong(extension: Extension, listed: ListedUrl) -> Iterator[str]:
    rules = _RULES[extension.name]
    for name, text in extension.fields:
        if name in rules.urls and text:
            problem = _about_url(text, extension.name)
            if name in _NOT_THE_PAGE and urls.identity(text) == listed.identity:
                problem = f"{quoted(text)} is the page itself"
        elif name in rules.dates and text:
            problem = f"{found} is not a W3C datetime" if (found := date_problem(text)) else ""
        elif name in rules.values and text and not rules.values[name][0](text):
            problem = f"{quoted(text)} is not {rules.values[name][1]}"
        else:
            continue
        if problem:
            yield f"<{name}>: {problem}"
    tags = sum(name == "tag" for name, _ in extension.fields)
    if tags > _MAX_TAGS:
        yield f"it has {tags} <tag>, and may have {_MAX_TAGS}"


def _about_url(url: str, name: str) -> str:
    """Return why a URL is not valid; Google documents no length, and videos can be on FTP."""
    if len(url) > MAX_LOC_LENGTH:
        return ""
    return url_problem(_FTP.sub("http://", url) if name == VIDEO else url)


def _too_old(extension: Extension, now: datetime) -> str:
    """Return the date of an article that is older than two days, quoted; empty for none.

    A day ends up to a day after it began, wherever its author lives.
    """
    text = extension.get("publication_date")
    date = lastmod_in_utc(text)
    if date is None:
        return ""
    age = now - date - (timedelta() if ":" in text else _ONE_DAY)
    return quoted(text) if age > _NEWS_DAYS else ""


def _written(name: str) -> str:
    """Return the name of an extension as it is usually written."""
    local = name.rpartition("}")[2]
    return f"<{local}:{local}>"
