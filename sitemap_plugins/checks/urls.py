"""Checks of each `<url>`, alone and among others: one function for each code.

The first kind gets the time of the check, the second the context of all URLs. `Required` looks for
patterns that no URL matches.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import is_future, parse_lastmod
from sitemap_plugins.core.errors import PageError, WrongValueError
from sitemap_plugins.core.languages import X_DEFAULT, to_bcp47
from sitemap_plugins.core.limits import CHANGEFREQS, MAX_LOC_LENGTH
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.core.values import parse_changefreq, parse_priority

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from sitemap_plugins.checks.context import Context
    from sitemap_plugins.core.codes import Code
    from sitemap_plugins.core.files.read import LanguageLink
    from sitemap_plugins.sitemaps.parts import ListedUrl

    UrlCheck = Callable[[ListedUrl, datetime], Iterator[Finding]]
    OtherCheck = Callable[[ListedUrl, Context], Iterator[Finding]]

__all__ = ["AMONG_OTHERS", "URL_CHECKS", "Required", "finding_at", "is_ordinary"]

YANDEX_LOC_LENGTH = 1_024
"""Characters of the longest URL for Yandex (yandex.com/support/webmaster/error-dictionary)."""

# Nearly all URLs match this; a full check of each would take a third of the time.
_LABEL = r"[a-z0-9]++(?:-++[a-z0-9]++)*+"
_HOST = rf"https?://(?=[^/]{{1,63}}/){_LABEL}(?:\.{_LABEL})*+/"
_SOUND = re.compile(rf"{_HOST}(?:(?!\.)[A-Za-z0-9\-._~]++/?+)*+")
_PLAIN = re.compile(
    rf"{_HOST}(?:(?!\.)(?:[A-Za-z0-9\-._~]++|%[89A-F][0-9A-F])++/?+)*+(?:\?[A-Za-z0-9\-._~&=+;]*+)?+"
)
_ORDER = ("loc", "lastmod", "changefreq", "priority")
_USUAL = {
    (*frequency, *priority)
    for frequency in ((), *((("changefreq", text),) for text in CHANGEFREQS))
    for priority in ((), *((("priority", f"{n / 10}"),) for n in range(11)))
}
"""What usually follows the date, or is nothing."""
_LONGEST_DATE = 40
"""Characters; a stranger's texts of any length are not remembered."""
# W3C Datetime (NOTE-datetime): a time needs its zone.
_W3C = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?", re.ASCII
)


def missing_loc(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """Every element must have this child."""
    if not listed.url:
        yield finding_at(listed, "missing-loc", f"a <{listed.element.name}> has no <loc>")


def element_order(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """The schema is a sequence; elements of other namespaces come last."""
    names = [name for name, _ in listed.element.fields]
    ranks = [_ORDER.index(name) if name in _ORDER else len(_ORDER) for name in names]
    if ranks != sorted(ranks):
        yield finding_at(listed, "element-order", f"the order is {', '.join(names)}")


def unknown_element(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """The element has no namespace, or the protocol's, and the protocol does not define it."""
    names = [name for name, _ in listed.element.fields if not name.startswith("{")]
    if listed.element.name != "url":
        yield finding_at(listed, "unknown-element", f"{quoted(listed.element.name)} is not url")
    for name in dict.fromkeys(names):
        if name not in _ORDER:
            yield finding_at(listed, "unknown-element", f"{quoted(name)} is not in the protocol")
        elif names.count(name) > 1:
            yield finding_at(listed, "unknown-element", f"<{name}> occurs twice")


def bad_value(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """The schema names the words and the range."""
    for name, parse in (("changefreq", parse_changefreq), ("priority", parse_priority)):
        if text := listed.element.get(name):
            try:
                parse(text)
            except WrongValueError as error:
                yield finding_at(listed, "bad-value", f"{name}: {error.problem}")


def bad_url(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """A URL must follow RFC 3986, and meet the further needs of crawlers."""
    if listed.url and len(listed.url) <= MAX_LOC_LENGTH and (problem := _problem(listed.url)):
        yield finding_at(listed, "bad-url", problem)
    for link in listed.element.links:
        if problem := _problem(link.url):
            text = f"the link to the version in {quoted(link.language)}: {problem}"
            yield finding_at(listed, "bad-url", text, about=link.url)


def url_too_long(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """sitemaps.org, protocol: "This value must be less than 2,048 characters"."""
    if len(listed.url) > MAX_LOC_LENGTH:
        text = f"{quoted(listed.url)} has {len(listed.url):,} characters"
        yield finding_at(listed, "url-too-long", text)


def long_url(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """Yandex, error dictionary: "URL longer than 1,024 characters"."""
    if YANDEX_LOC_LENGTH < len(listed.url) <= MAX_LOC_LENGTH:
        text = f"{quoted(listed.url)} has {len(listed.url):,} characters"
        yield finding_at(listed, "long-url", text)


def local_address(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Such URLs are written by mystmd, and by builds for a local server."""
    if urls.is_local(listed.url) and not urls.is_local(context.submitted.url):
        yield finding_at(listed, "local-address", f"{quoted(listed.url)} is on a local server")


def outside_scope(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """sitemaps.org, protocol, "Sitemap file location": at or below the sitemap's own folder."""
    is_known = bool(context.base_url) and not context.has_wrong_base
    if not is_known or listed.identity.startswith(context.base):
        return
    is_expected = urls.is_local(context.submitted.url) or not urls.is_local(listed.url)
    if is_expected and context.survey.has_origin(listed.identity):
        text = f"{quoted(listed.url)} is not below {quoted(context.base_url)}"
        yield finding_at(listed, "outside-scope", text)


def mixed_hosts(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """sitemaps.org, protocol: "All URLs listed in the Sitemap must use the same protocol"."""
    if context.base_url or not context.survey.has_origin(listed.identity):
        return
    origin = context.survey.origin
    if not listed.identity.startswith(f"{origin}/"):
        text = f"{quoted(listed.url)} is not on the host of most URLs ({quoted(origin)})"
        yield finding_at(listed, "mixed-hosts", text)


def duplicate(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """All spellings of one URL are the same to a crawler."""
    if context.survey.cross_checks.is_duplicate(listed.identity):
        yield finding_at(listed, "duplicate", f"{quoted(listed.url)} is listed more than once")


def session_id(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """sitemaps.org, FAQ: "remove session IDs from URLs"."""
    if urls.has_session_id(listed.url):
        yield finding_at(
            listed, "session-id", f"{quoted(listed.url)} contains a session identifier"
        )


def bad_date(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """Dates must be in W3C Datetime, which allows less than ISO 8601."""
    text = listed.element.get("lastmod")
    if text and (not _W3C.fullmatch(text) or parse_lastmod(text) is None):
        yield finding_at(listed, "bad-date", f"lastmod is {quoted(text)}")


def future_date(listed: ListedUrl, now: datetime) -> Iterator[Finding]:
    """The date is in the future by the rule that plugins apply too."""
    text = listed.element.get("lastmod")
    date = parse_lastmod(text)
    if date is not None and is_future(date, now):
        yield finding_at(listed, "future-date", f"lastmod is {text}")


def hreflang_code(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """Google, localized versions: ISO 639-1, optionally with a script and a region."""
    for link in listed.element.links:
        if not _is_tag(link.language):
            text = f"hreflang is {quoted(link.language)}"
            yield finding_at(listed, "hreflang-code", text, about=link.language)


def hreflang_self(listed: ListedUrl, _now: datetime) -> Iterator[Finding]:
    """Google, localized versions: "Each language version must list itself"."""
    is_sound = not any(_problem(link.url) for link in listed.element.links)
    if listed.element.links and listed.identity not in listed.targets and is_sound:
        yield finding_at(listed, "hreflang-self", f"{quoted(listed.url)} does not link to itself")


def hreflang(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Google, localized versions: links that are not returned "may be ignored"."""
    found = context.survey.cross_checks
    base = context.base or f"{context.survey.origin}/"
    for link, target in zip(listed.element.links, listed.targets, strict=True):
        if len(base) > 1 and found.is_unlisted(target, base):
            problem, cure = "is not listed", "list the translation, or remove the link"
            if why := context.why_not_indexed(target):
                if link.language.lower() == X_DEFAULT:
                    continue  # It may be a home page that redirects by language.
                problem = why.removeprefix("which ")
                cure = "link to a page that may be indexed, or remove the link"
        elif found.is_unreturned(listed.identity, target):
            problem, cure = "does not link back", "add the link back"
        else:
            continue
        text = f"{quoted(listed.url)} links to {quoted(link.url)}, which {problem}"
        yield finding_at(listed, "hreflang", text, cure, about=link.url)


class Required:
    """The patterns that no URL has matched yet."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Begin with all of them."""
        self._left = {pattern: Patterns.compile([pattern]) for pattern in patterns}

    def note(self, identity: str) -> None:
        """Note a listed URL, as `urls.identity` returns it."""
        path = identity.partition("://")[2].partition("/")[2]
        self._left = {text: p for text, p in self._left.items() if not p.match(path)}

    def findings(self, file: str) -> Iterator[Finding]:
        """Yield a finding for each pattern that no URL has matched."""
        for pattern in self._left:
            yield Finding("required", f"no listed URL matches {quoted(pattern)}", file=file)


def is_ordinary(listed: ListedUrl, now: datetime) -> bool:
    """Tell of nearly all URLs, soon, that no check in `URL_CHECKS` finds anything.

    False says nothing.
    """
    _, (name, _, fields, links), url, identity, targets = listed
    others = fields[1:]
    if others and others[0][0] == "lastmod":
        if len(others[0][1]) > _LONGEST_DATE or not _is_past(others[0][1], now):
            return False
        others = others[1:]
    return (
        others in _USUAL
        and name == "url"
        and _is_plain(url)
        and not urls.has_session_id(url)
        and (not links or (identity in targets and all(map(_is_plain_link, links))))
    )


def finding_at(
    listed: ListedUrl, code: Code, problem: str, cure: str = "", *, about: str = ""
) -> Finding:
    """Return what is wrong with a URL, and where."""
    return Finding(
        code,
        problem,
        cure,
        url=listed.url,
        file=listed.file.name,
        line=listed.element.line,
        about=about,
    )


def _is_plain(url: str) -> bool:
    return len(url) <= YANDEX_LOC_LENGTH and _PLAIN.fullmatch(url) is not None


def _is_plain_link(link: LanguageLink) -> bool:
    return _is_plain(link.url) and _is_tag(link.language)


def _is_tag(language: str) -> bool:
    try:
        return to_bcp47(language).lower() == language.lower()
    except PageError:
        return False


@lru_cache(maxsize=10_000)
def _is_past(lastmod: str, now: datetime) -> bool:
    """Tell whether a date is neither wrong nor in the future."""
    date = parse_lastmod(lastmod)
    return date is not None and _W3C.fullmatch(lastmod) is not None and not is_future(date, now)


def _problem(url: str) -> str:
    """Return why a URL is not valid, as a sentence; empty if it is."""
    if _SOUND.fullmatch(url):
        return ""
    try:
        urls.normalize_url(url)
    except PageError as error:
        return error.problem
    return "" if url.isascii() else f"{quoted(url)} is not ASCII"


URL_CHECKS: tuple[UrlCheck, ...] = (
    *(missing_loc, element_order, unknown_element, bad_value, bad_url, url_too_long, long_url),
    *(session_id, bad_date, future_date, hreflang_code, hreflang_self),
)
"""Every check of a URL by itself."""

AMONG_OTHERS: tuple[OtherCheck, ...] = (
    *(local_address, outside_scope, mixed_hosts, duplicate, hreflang),
)
"""Every check of a URL among the others."""
