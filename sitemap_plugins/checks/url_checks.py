"""Checks of one `<url>` after the other: one function for each code.

Those of a URL by itself get the time of the check, those among others what is known of all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import is_future, parse_lastmod
from sitemap_plugins.core.errors import PageError, WrongValueError
from sitemap_plugins.core.languages import to_bcp47
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.values import parse_changefreq, parse_priority

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from sitemap_plugins.checks.context import Context
    from sitemap_plugins.checks.findings import Finding
    from sitemap_plugins.checks.sitemaps import Listed

    UrlCheck = Callable[[Listed, datetime], Iterator[Finding]]
    OtherCheck = Callable[[Listed, Context], Iterator[Finding]]

__all__ = ["AMONG_OTHERS", "URL_CHECKS"]

YANDEX_LOC_LENGTH = 1_024
"""Characters of a URL that Yandex reads (yandex.com/support/webmaster/error-dictionary)."""

# What nearly all URLs are like; a whole look at each would take a third of the time.
_LABEL = r"[a-z0-9]++(?:-++[a-z0-9]++)*+"
_SOUND = re.compile(
    rf"https?://(?=[^/]{{1,63}}/){_LABEL}(?:\.{_LABEL})*+/(?:(?!\.)[A-Za-z0-9\-._~]++/?+)*+"
)
_ORDER = ("loc", "lastmod", "changefreq", "priority")
# W3C Datetime (NOTE-datetime): a time needs its zone.
_W3C = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?", re.ASCII
)


def missing_loc(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """The one child that every element must have."""
    if not listed.url:
        yield listed.finding("missing-loc", f"a <{listed.element.name}> has no <loc>")


def element_order(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """The schema is a sequence; elements of other namespaces come last."""
    names = [name for name, _ in listed.element.fields]
    ranks = [_ORDER.index(name) if name in _ORDER else len(_ORDER) for name in names]
    if ranks != sorted(ranks):
        yield listed.finding("element-order", f"the order is {', '.join(names)}")


def unknown_element(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """What is in no namespace or in the protocol's, and not one of its names."""
    names = [name for name, _ in listed.element.fields if not name.startswith("{")]
    if listed.element.name != "url":
        yield listed.finding("unknown-element", f"{quoted(listed.element.name)} is not url")
    for name in dict.fromkeys(names):
        if name not in _ORDER:
            yield listed.finding("unknown-element", f"{quoted(name)} is not in the protocol")
        elif names.count(name) > 1:
            yield listed.finding("unknown-element", f"<{name}> occurs twice")


def bad_value(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """The schema names the words and the range."""
    for name, parse in (("changefreq", parse_changefreq), ("priority", parse_priority)):
        if text := listed.element.get(name):
            try:
                parse(text)
            except WrongValueError as error:
                yield listed.finding("bad-value", f"{name}: {error.problem}")


def bad_url(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """RFC 3986, and what crawlers need of a URL."""
    if listed.url and len(listed.url) <= MAX_LOC_LENGTH and (problem := _problem(listed.url)):
        yield listed.finding("bad-url", problem)
    for link in listed.links:
        if problem := _problem(link.url):
            text = f"the link to the version in {quoted(link.language)}: {problem}"
            yield listed.finding("bad-url", text, about=link.url)


def url_too_long(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """sitemaps.org, protocol: "This value must be less than 2,048 characters"."""
    if len(listed.url) > MAX_LOC_LENGTH:
        text = f"{quoted(listed.url)} has {len(listed.url):,} characters"
        yield listed.finding("url-too-long", text)


def long_url(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """Yandex, error dictionary: "URL longer than 1,024 characters"."""
    if YANDEX_LOC_LENGTH < len(listed.url) <= MAX_LOC_LENGTH:
        text = f"{quoted(listed.url)} has {len(listed.url):,} characters"
        yield listed.finding("long-url", text)


def local_address(listed: Listed, context: Context) -> Iterator[Finding]:
    """What mystmd writes, and a site that was built to be served at home."""
    is_asked = urls.is_local(context.submitted.url)
    if not is_asked and urls.is_local(listed.url):
        yield listed.finding("local-address", f"{quoted(listed.url)} is on a local server")


def outside_scope(listed: Listed, context: Context) -> Iterator[Finding]:
    """sitemaps.org, protocol, "Sitemap file location": at or below the sitemap's own folder."""
    is_known = bool(context.base_url) and not context.has_wrong_base
    is_below = listed.identity.startswith(context.base)
    is_asked = urls.is_local(context.submitted.url)
    if not is_known or is_below or not context.survey.has_origin(listed.identity):
        return
    if is_asked or not urls.is_local(listed.url):
        text = f"{quoted(listed.url)} is not below {quoted(context.base_url)}"
        yield listed.finding("outside-scope", text)


def mixed_hosts(listed: Listed, context: Context) -> Iterator[Finding]:
    """sitemaps.org, protocol: "All URLs listed in the Sitemap must use the same protocol"."""
    if not context.base_url and listed.url and len(context.survey.origins) > 1:
        origin = context.survey.origin
        is_elsewhere = origin and not listed.identity.startswith(f"{origin}/")
        if is_elsewhere and context.survey.has_origin(listed.identity):
            text = f"{quoted(listed.url)} is not on the host of most URLs ({quoted(origin)})"
            yield listed.finding("mixed-hosts", text)


def duplicate(listed: Listed, context: Context) -> Iterator[Finding]:
    """All spellings of one URL are the same to a crawler."""
    if context.survey.duplicates and hash(listed.identity) in context.survey.duplicates:
        yield listed.finding("duplicate", f"{quoted(listed.url)} is listed more than once")


def session_id(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """sitemaps.org, FAQ: "remove session IDs from URLs"."""
    if urls.has_session_id(listed.url):
        yield listed.finding("session-id", f"{quoted(listed.url)} contains a session identifier")


def bad_date(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """W3C Datetime, which is less than ISO 8601 allows."""
    text = listed.element.get("lastmod")
    if text and (not _W3C.fullmatch(text) or parse_lastmod(text) is None):
        yield listed.finding("bad-date", f"lastmod is {quoted(text)}")


def future_date(listed: Listed, now: datetime) -> Iterator[Finding]:
    """By the plugins' own rule."""
    text = listed.element.get("lastmod")
    date = parse_lastmod(text)
    if date is not None and is_future(date, now):
        yield listed.finding("future-date", f"lastmod is {text}")


def hreflang_code(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """Google, localized versions: ISO 639-1, optionally with a script and a region."""
    for link in listed.links:
        try:
            is_tag = to_bcp47(link.language).lower() == link.language.lower()
        except PageError:
            is_tag = False
        if not is_tag:
            text = f"hreflang is {quoted(link.language)}"
            yield listed.finding("hreflang-code", text, about=link.language)


def hreflang_self(listed: Listed, _now: datetime) -> Iterator[Finding]:
    """Google, localized versions: "Each language version must list itself"."""
    is_sound = not any(_problem(link.url) for link in listed.links)
    if listed.links and listed.identity not in listed.targets and is_sound:
        yield listed.finding("hreflang-self", f"{quoted(listed.url)} does not link to itself")


def hreflang(listed: Listed, context: Context) -> Iterator[Finding]:
    """Google, localized versions: links that are not returned "may be ignored".

    A version on another site is in another sitemap.
    """
    survey = context.survey
    base = context.base or f"{survey.origin}/"
    for link, target in zip(listed.links, listed.targets, strict=True):
        problem = cure = ""
        if not survey.is_listed(target):
            if len(base) > 1 and target.startswith(base):
                problem, cure = "is not listed", "list the translation, or remove the link"
        elif not survey.links_back(listed.identity, target):
            problem, cure = "does not link back", "add the link back"
        if problem:
            text = f"{quoted(listed.url)} links to {quoted(link.url)}, which {problem}"
            yield listed.finding("hreflang", text, cure, about=link.url)


def _problem(url: str) -> str:
    """Return why a URL is not a valid one, as a sentence; empty where it is."""
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
"""Every check of a URL by itself, in the manual's order."""

AMONG_OTHERS: tuple[OtherCheck, ...] = (
    *(local_address, outside_scope, mixed_hosts, duplicate, hreflang),
)
"""Every check of a URL by what is known of all of them, in the manual's order."""
