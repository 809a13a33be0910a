"""Checks of one listed URL: its element, its extensions, and its URL among all others.

What images, videos and news require is from Google's documentation:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps, and
the pages video-sitemaps and news-sitemap beside it. Elements that Google no longer
reads are ignored.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from sitemap_plugins.check.context import Context
from sitemap_plugins.core import limits, urls
from sitemap_plugins.core.codes import Severity
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.date_values import (
    is_future,
    lastmod_in_utc,
    parse_lastmod,
)
from sitemap_plugins.core.languages import X_DEFAULT, to_bcp47
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import PageError, WrongValueError, quoted
from sitemap_plugins.core.publishing.read import (
    IMAGE,
    NEWS,
    TEXT,
    VIDEO,
    Element,
    Extension,
    LanguageLink,
)
from sitemap_plugins.core.url_forms import INDEX
from sitemap_plugins.core.values import parse_changefreq, parse_priority
from sitemap_plugins.findings.records import Finding, Findings
from sitemap_plugins.sitemaps.facts import ListedUrls
from sitemap_plugins.sitemaps.parts import ListedUrl

UrlCheck = Callable[[ListedUrl, datetime], Findings]
OtherCheck = Callable[[ListedUrl, Context], Findings]


YANDEX_LOC_LENGTH = 1_024
"""Characters of the longest URL for Yandex
(yandex.com/support/webmaster/error-dictionary)."""

# Nearly all URLs match this; `urls.normalize_url` takes ten times as long.
_LABEL = r"[a-z0-9]++(?:-++[a-z0-9]++)*+"
_HOST = rf"https?://(?=[^/]{{1,63}}/){_LABEL}(?:\.{_LABEL})*+/"
_SOUND = re.compile(rf"{_HOST}(?:(?!\.)[A-Za-z0-9\-._~]++/?+)*+")
_NOT_A_PAGE = re.compile(
    r"/(?:robots\.txt|sitemap[^/]*\.(?:xml|txt)(?:\.gz)?|[^/]*[-_]sitemap\d*\.xml(?:\.gz)?)"
)
_LLMS = re.compile(r"https?://[^?#]*/llms[-\w]*\.txt", re.IGNORECASE)
# The manual of a programming language has pages about `null`, such as json.nlohmann.me.
_VALUE = re.compile(
    r"(?:^[^/]*/(?:undefined|null|NaN)|/(?:undefined|NaN|%5Bobject%20Object%5D))(?=/|$)"
)
# Jinja's and Vue's, ERB's, JavaScript's, and a route's.
_TEMPLATE = re.compile(r"%7B%7B|%7B%25|%3C%25|\$%7B|/:[a-z_]+(?=/|$)", re.IGNORECASE)
_RAW_TEMPLATE = re.compile(r"\{\{|\{%|<%|\$\{")
_ESCAPED_TWICE = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,5});|%25[0-9A-Fa-f]{2}")
_SCHEMES = {"http:", "https:"}
# sitemaps.org, protocol, "Text file": "nothing other than the list of URLs".
_LINE_OF_CSV = re.compile(r",\d{4}-\d\d-\d\d$")
SAME_LINKS = "let both pages have the same links"
_OUTSIDE = "remove it: crawlers read the text of the protocol's elements only"
_ORDER = ("loc", "lastmod", "changefreq", "priority")
_PARSERS: dict[str, Callable[[object], object]] = {
    "changefreq": parse_changefreq,
    "priority": parse_priority,
}
_FIRST_PAGE = datetime(1991, 8, 6, tzinfo=UTC)
"""No page of the web changed before; programs write 1970 or 1980 for a date that they
lack."""
_NAMESPACES = {
    "xhtml": limits.XHTML_NAMESPACE,
    "sitemap-image": limits.IMAGE_NAMESPACE,
    "sitemap-video": limits.VIDEO_NAMESPACE,
    "sitemap-news": limits.NEWS_NAMESPACE,
}
"""What the namespace of an extension contains, and how it is written."""
_WRAPPERS = {"image", "video", "news", "link"}
_ROOT_FOR = {
    "url": "let <urlset> be the root",
    "sitemap": "let <sitemapindex> be the root",
}
"""The cure for an entry in the wrong kind of file."""
# W3C Datetime (NOTE-datetime): a time needs its zone.
_W3C = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?",
    re.ASCII,
)

_SPACED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d", re.ASCII)


def missing_loc(listed: ListedUrl, _now: datetime) -> Findings:
    """Every `<url>` of a sitemap, and `<sitemap>` of an index, must have a `<loc>`."""
    name = listed.element.name
    if not listed.url and name in {"url", "sitemap"}:
        yield Finding("missing-loc", f"a <{name}> has no <loc>")


def element_order(listed: ListedUrl, _now: datetime) -> Findings:
    """The schema is a sequence; elements of other namespaces come last."""
    names = [name for name, _ in listed.element.fields]
    ranks = [_ORDER.index(name) if name in _ORDER else len(_ORDER) for name in names]
    if ranks != sorted(ranks):
        yield Finding("element-order", f"the order is {', '.join(names)}")
    elif not listed.element.ends_with_links:
        yield Finding("element-order", "a link to another language comes first")


def unknown_element(listed: ListedUrl, _now: datetime) -> Findings:
    """Crawlers know the protocol's elements, and extensions by their namespace."""
    yield from strange_elements(listed.element, "url", _ORDER)


def strange_elements(element: Element, wanted: str, names: Sequence[str]) -> Findings:
    """Yield what is wrong with the names in a child of the root.

    `wanted` is the name of the child itself, and `names` are those of its children.
    """
    if _is_additional(element):
        return
    if element.name == TEXT:
        yield Finding("unknown-element", "there is text between the entries", _OUTSIDE)
        return
    if element.name in _ORDER:
        text = f"<{element.name}> is outside <{wanted}>"
        yield Finding("unknown-element", text, f"put it into a <{wanted}>")
        return
    if element.name != wanted:
        yield Finding(
            "unknown-element",
            f"{quoted(element.name)} is not <{wanted}>",
            _ROOT_FOR.get(element.name, f"write <{wanted}>, or remove it"),
        )
    found = Counter(name for name, _ in element.fields)
    for name, number in found.items():
        namespace, is_extension, local = name[1:].rpartition("}")
        if is_extension:
            yield from _about_extension(namespace, local)
        elif name == TEXT:
            yield Finding("unknown-element", "there is text beside <loc>", _OUTSIDE)
        elif name not in names:
            text = f"{quoted(name)} is not in the protocol"
            yield Finding("unknown-element", text, _meant(name, found, names))
        elif number > 1:
            text = f"<{name}> occurs {number} times"
            yield Finding("unknown-element", text, "keep one")


def _meant(name: str, found: Container[str], names: Sequence[str]) -> str:
    """Return what to write in place of an element's name, for a message.

    `found` are the names beside the element, `names` those that the protocol has there.
    """
    if name == "link":
        return "write <xhtml:link>" if "loc" in found else "write <loc>"
    near = difflib.get_close_matches(name.lower(), names, n=1)
    return f"write <{near[0]}>" if near else "remove it"


def _is_additional(element: Element) -> bool:
    """Tell whether a child of the root is of a namespace that crawlers pass over.

    The schema allows elements of other namespaces there too.
    """
    namespace, is_foreign, local = element.name[1:].rpartition("}")
    if not is_foreign or local in {"url", "sitemap"}:
        return False
    return namespace not in _NAMESPACES.values()


def _about_extension(namespace: str, local: str) -> Findings:
    """Yield what is wrong with the namespace or the place of an extension."""
    right = namespace
    for part, uri in _NAMESPACES.items():
        if part in namespace:
            right = uri
            break
    if local == "link":
        right = limits.XHTML_NAMESPACE
    if namespace != right:
        text = f"the namespace of <{local[:40]}> is {quoted(namespace)}"
        yield Finding("unknown-element", text, f"write {right!r}", matters="error")
    elif namespace in _NAMESPACES.values() and local not in _WRAPPERS:
        text = f"<{local[:40]}> is in <url>, and not in the element that groups it"
        group = namespace.partition("sitemap-")[2].partition("/")[0]
        cure = f"put it into a <{group}:{group}>"
        yield Finding("bad-extension", text, cure)


def bad_value(listed: ListedUrl, _now: datetime) -> Findings:
    """The schema names the words of `<changefreq>`, and the range of `<priority>`.

    Google, localized versions: a link to a version has rel="alternate".
    """
    for name, text in listed.element.fields:
        lower = text.lower()
        if name == "changefreq" and lower != text and lower in limits.CHANGEFREQS:
            problem = f"{name}: {text!r} is not lowercase"
            cure = f"write {lower!r}"
            yield Finding("bad-value", problem, cure, matters="warning")
        try:
            if name in _PARSERS:
                _PARSERS[name](text)
        except WrongValueError as error:
            yield Finding("bad-value", f"{name}: {error.problem}", error.cure)
    for link in listed.element.links:
        if "alternate" not in link.rel.lower().split():
            which = f"the link to the version in {quoted(link.language)}"
            text = f"{which} has rel={quoted(link.rel)}"
            yield Finding("bad-value", text, "write rel='alternate'", about=link.url)


def bad_url(listed: ListedUrl, _now: datetime) -> Findings:
    """A URL must follow RFC 3986, and be one that crawlers can request."""
    # Without a URL, or with a longer one, other checks say so.
    if 0 < len(listed.url) <= MAX_LOC_LENGTH:
        problem, cure = url_problem(listed.url)
        if problem:
            yield Finding("bad-url", problem, cure)
    for link in listed.element.links:
        problem, cure = url_problem(link.url)
        if problem:
            text = f"the link to the version in {quoted(link.language)}: {problem}"
            yield Finding("bad-url", text, cure, about=link.url)


def suspect_url(listed: ListedUrl, _now: datetime) -> Findings:
    """The URL is valid, but programs write such ones by mistake."""
    if len(listed.url) > MAX_LOC_LENGTH:  # `long_url` reports it.
        return
    for oddity, matters in oddities(listed.url):
        text = f"{quoted(listed.url)} {oddity}"
        yield Finding("suspect-url", text, matters=matters)
    path = listed.url.partition("?")[0]
    if listed.element.name != "url":
        return
    if _NOT_A_PAGE.fullmatch(path, path.rfind("/")):
        text = f"{quoted(listed.url)} is not a page"
        yield Finding("suspect-url", text, "remove it from the sitemap")


def oddities(address: str) -> Iterator[tuple[str, Severity | None]]:
    """Yield what programs write into a URL by mistake, and how much it matters.

    The first is in words that follow the URL; the second is None for the severity that
    such findings usually have.
    """
    path = address.partition("://")[2].partition("?")[0]
    host = path.partition("/")[0]
    # The URLs of an archive contain those of other sites.
    if "//" in path.replace("://", ""):
        # RFC 3986 allows an empty segment, and most servers pass over it.
        yield "contains '//' in its path", "info"
    if host.lower() in _SCHEMES:
        yield "begins with a scheme twice", None
    if dated := _LINE_OF_CSV.search(address):
        yield f"ends with {dated[0]!r}, which is not part of the address", None
    if f"://{host}/" in path:
        yield "contains the site's address twice", None
    twice = _ESCAPED_TWICE.search(address)
    if twice:
        yield f"contains {twice[0]!r}: it is escaped twice", None
    yield from _not_replaced(path)


def _not_replaced(path: str) -> Iterator[tuple[str, Severity | None]]:
    """Yield what a template left in a path, or put there in place of a value."""
    left = _TEMPLATE.search(path)
    if left:
        yield f"contains {left[0]!r}, which a template should have replaced", None
    value = _VALUE.search(path)
    if value:
        name = value[0].rpartition("/")[2]
        # Deeper in the path, it may be the name of a page about `undefined` or `null`.
        matters: Severity | None = "info" if value.start() else None
        yield f"contains {name!r} in place of a name", matters


def long_url(listed: ListedUrl, _now: datetime) -> Findings:
    """sitemaps.org, protocol: "less than 2,048 characters".

    Yandex reads up to 1,024.
    """
    text = f"{quoted(listed.url)} has {len(listed.url):,} characters;"
    if len(listed.url) > MAX_LOC_LENGTH:
        yield Finding("url-too-long", f"{text} {MAX_LOC_LENGTH:,} are allowed")
    elif len(listed.url) > YANDEX_LOC_LENGTH:
        yield Finding("long-url", f"{text} Yandex reads {YANDEX_LOC_LENGTH:,}")


def local_address(listed: ListedUrl, context: Context) -> Findings:
    """mystmd, and builds for a local server, write URLs of that server."""
    if _is_stray_local(listed, context):
        yield Finding("local-address", f"{quoted(listed.url)} is on a local server")


def outside_scope(listed: ListedUrl, context: Context) -> Findings:
    """sitemaps.org, "Sitemap file location": at or below the sitemap's own folder.

    If that is not known: "All URLs listed in the Sitemap must use the same protocol"
    and host.
    """
    origin = context.survey.origin
    scope = context.base or f"{origin}/"
    if listed.identity.startswith(scope):
        return
    if not context.survey.has_origin(listed.identity):  # `bad_url` reports it.
        return
    url = quoted(listed.url)
    if not context.base:
        is_most = 2 * context.survey.origins[origin] > context.survey.urls
        which = "the host of most URLs" if is_most else "the host of other URLs"
        text = f"{url} is not on {which} ({quoted(origin)})"
        yield Finding("outside-scope", text, "list the URLs of one site only")
        return
    # `wrong_base_url` and `local_address` report these.
    if context.has_wrong_base or _is_stray_local(listed, context):
        return
    text = f"{url} is not below {quoted(context.base_url)}"
    yield Finding("outside-scope", text)


def _is_stray_local(listed: ListedUrl, context: Context) -> bool:
    """Tell whether a URL is on a local server, and the sitemap is not."""
    if urls.is_local(listed.url):
        return not urls.is_local(context.submitted.url)
    # A site within a local network is checked at its own address.
    known = context.submitted.url or context.base_url
    return urls.is_private(listed.url) and not urls.is_private(known)


def duplicate(listed: ListedUrl, context: Context) -> Findings:
    """All spellings of one URL are the same to a crawler."""
    known = context.survey.listed
    if listed.identity in known.duplicates:
        # Printed findings name the page's source, not the file.
        place = listed.file.name
        if listed.element.line:
            place += f":{listed.element.line}"
        text = f"{quoted(listed.url)} is listed more than once, here in {place}"
        yield Finding("duplicate", text)
        return
    # An index.html can answer at its folder, with a slash or without, and by its name.
    if not listed.identity.endswith("/"):
        return
    file = context.page_of(listed.identity).file
    if not file:
        return
    for other in (listed.identity[:-1], listed.identity + INDEX):
        if known.has(other) and context.page_of(other).file == file:
            both = f"{quoted(listed.url)} is listed, and so is {quoted(other)}"
            text = f"{both}, the same page"
            yield Finding("duplicate", text, "list the canonical one")


def session_id(listed: ListedUrl, _now: datetime) -> Findings:
    """sitemaps.org, FAQ: "remove session IDs from URLs"."""
    if urls.has_session_id(listed.url):
        text = f"{quoted(listed.url)} contains a session identifier"
        yield Finding("session-id", text)


def disallowed_for_some(url: str, robots: Robots | None) -> Findings:
    """Yield a finding if robots.txt disallows a URL for some important crawlers."""
    if robots is None or not robots.allow(url):
        return
    crawlers = robots.disallowed_crawlers(url)
    if crawlers:
        text = f"robots.txt disallows {quoted(url)} for {' and '.join(crawlers)}"
        yield Finding("robots", text, matters="warning")


def bad_date(listed: ListedUrl, _now: datetime) -> Findings:
    """Dates must be in W3C Datetime, which allows less than ISO 8601."""
    for name, text in listed.element.fields:
        if name != "lastmod":
            continue
        date = lastmod_in_utc(text)
        problem = date_problem(text)
        if problem:
            yield Finding("bad-date", f"lastmod is {problem}")
        elif date is not None and date < _FIRST_PAGE:
            problem = f"lastmod is {quoted(text)}, before the web"
            cure = "write the date of the last change, or omit it"
            yield Finding("bad-date", problem, cure, matters="warning")


def future_date(listed: ListedUrl, now: datetime) -> Findings:
    """The date is in the future by the rule that plugins apply too."""
    text = listed.element.get("lastmod")
    date = parse_lastmod(text)
    if date is not None and is_future(date, now):
        yield Finding("future-date", f"lastmod is {text}")


def hreflang_code(listed: ListedUrl, _now: datetime) -> Findings:
    """Google, localized versions: ISO 639-1, optionally with a script and a region."""
    for link in listed.element.links:
        problem, cure = tag_problem(link.language)
        if problem:
            text = f"hreflang: {problem}"
            yield Finding("hreflang-code", text, cure, about=link.language)


def repeated_language(listed: ListedUrl, _now: datetime) -> Findings:
    """Crawlers cannot know which of two versions in one language is meant."""
    targets = defaultdict(list)
    for link, target in zip(listed.element.links, listed.targets, strict=True):
        targets[link.language.lower()].append(target)
    for language, found in targets.items():
        if len(found) == 1:
            continue
        times = f"{len(found)} times to a version in {quoted(language)}"
        text = f"{quoted(listed.url)} links {times}"
        # The same link twice does less harm than the usual fault, two versions.
        matters: Severity | None = None if len(set(found)) > 1 else "warning"
        cure = "keep one link"
        yield Finding("hreflang", text, cure, about=language, matters=matters)


def hreflang_self(listed: ListedUrl, _now: datetime) -> Findings:
    """Google, localized versions: "Each language version must list itself"."""
    # `bad_url` reports an invalid link, which may be meant as the link to the URL.
    is_sound = not any(url_problem(link.url)[0] for link in listed.element.links)
    if listed.element.links and listed.identity not in listed.targets and is_sound:
        yield Finding("hreflang-self", f"{quoted(listed.url)} does not link to itself")


def hreflang(listed: ListedUrl, context: Context) -> Findings:
    """Google, localized versions: links that are not returned "may be ignored"."""
    found = context.survey.listed
    base = context.base or f"{context.survey.origin}/"
    links = list(zip(listed.element.links, listed.targets, strict=True))
    by_language = {link.language: target for link, target in links}
    for link, target in links:
        cure = SAME_LINKS
        matters: Severity | None = None
        # A base of one slash stands for an address that is not known.
        if len(base) > 1 and target.startswith(base) and not found.has(target):
            problem, cure = _why_unlisted(link, target, context)
            # Without the folder, another sitemap of the site may list it.
            matters = None if context.facts.site_dir else "info"
        else:
            problem = _why_not_mutual(listed.identity, target, by_language, found)
        if problem:
            text = f"{quoted(listed.url)} links to {quoted(link.url)}, which {problem}"
            yield Finding("hreflang", text, cure, about=link.url, matters=matters)


def _why_not_mutual(
    identity: str, target: str, by_language: Mapping[str, str], found: ListedUrls
) -> str:
    """Return how a version's links contradict those of a URL that links to it.

    `identity` is the URL, and `by_language` has the targets of its links; `target` is
    the version. The result is empty if the links do not contradict each other.
    """
    if found.has(target) and not found.has_link(target, identity):
        return "does not link back"
    links = found.links.get(target, ())
    theirs = {language for language, _ in links}
    linked = {each for _, each in links}
    for language, own in by_language.items():
        if language.lower() in theirs and own not in linked:
            return f"names another version in {quoted(language)}"
    return ""


def hreflang_sets(listed: ListedUrl, context: Context) -> Findings:
    """Google, localized versions: each version lists "all other language versions"."""
    known = context.survey.listed.links
    if listed.identity not in listed.targets:
        return  # `hreflang_self` reports it.
    own = {link.language.lower() for link in listed.element.links}
    for link, target in zip(listed.element.links, listed.targets, strict=True):
        theirs = [language for language, _ in known.get(target, ())]
        if language := next((each for each in theirs if each not in own), ""):
            text = f"{quoted(listed.url)} has no link in {quoted(language)}, and its"
            text += f" version {quoted(link.url)} has one"
            about = language
            yield Finding("hreflang", text, SAME_LINKS, about=about, matters="info")
            return


def _why_unlisted(link: LanguageLink, target: str, context: Context) -> tuple[str, str]:
    """Return what is wrong with an unlisted version, and the cure; empty if nothing."""
    why = context.why_not_indexed(target)
    if not why:
        return "is not listed", "list the translation, or remove the link"
    if link.language.lower() == X_DEFAULT:
        return "", ""  # It may be a home page that redirects by language.
    cure = "link to a page that may be indexed, or remove the link"
    return why.removeprefix("which "), cure


def is_llms_txt(url: str) -> bool:
    """Tell whether a URL is that of llms.txt, or of a file beside it (llmstxt.org).

    >>> is_llms_txt("https://example.com/llms-full.txt")
    True
    """
    return _LLMS.fullmatch(url) is not None


def date_problem(text: str) -> str:
    """Return what a text is in place of a W3C datetime, for a message.

    Empty for nothing.
    """
    if not text:
        return "empty"
    if _W3C.fullmatch(text):
        return "" if parse_lastmod(text) else f"{quoted(text)}, which no calendar has"
    if _W3C.fullmatch(f"{text}Z"):
        return f"{quoted(text)}, a time without a zone"
    if _SPACED.match(text):
        return f"{quoted(text)}, with a space in place of T"
    return quoted(text)


def url_problem(url: str) -> tuple[str, str]:
    """Return why a URL is not valid, as a sentence, and the cure; empty if it is."""
    if len(url) > MAX_LOC_LENGTH:  # A stranger's can have millions.
        text = (
            f"{quoted(url)} has {len(url):,} characters; {MAX_LOC_LENGTH:,} are allowed"
        )
        return text, "shorten the page's address"
    if _SOUND.fullmatch(url):
        return "", ""
    left = _RAW_TEMPLATE.search(url)
    if left:
        text = f"the template {quoted(url[left.start() :])} was not filled in"
        return text, "let the program that writes the sitemap fill it in"
    try:
        # A no-break space at the end is no part of what is meant.
        encoded = urls.normalize_url(url.strip())
    except PageError as error:
        return error.problem, error.cure
    if url.isascii():
        return "", ""
    return f"{quoted(url)} is not ASCII", f"write {quoted(encoded)}"


def tag_problem(language: str) -> tuple[str, str]:
    """Return what is wrong with a language, and the cure; empty if it is right."""
    try:
        tag = to_bcp47(language)
    except PageError as error:
        return error.problem, error.cure
    if tag.lower() == language.lower():
        return "", ""
    return f"{quoted(language)} is not a language tag", f"write {tag!r}"


_REQUIRED: dict[str, list[tuple[str, ...]]] = {
    IMAGE: [("loc",)],
    VIDEO: [
        ("thumbnail_loc",),
        ("title",),
        ("description",),
        ("content_loc", "player_loc"),
    ],
    NEWS: [("name",), ("language",), ("publication_date",), ("title",)],
}
"""Fields that Google requires: of each row, one must be there."""


_YES_OR_NO = ("yes|no", "write yes or no")
_DATE = (_W3C.pattern, "write it as 2004-12-23 or 2004-12-23T18:00:15+00:00")
_OF_VIDEOS = {
    "duration": (r"0*[1-9]\d{0,4}", "write the seconds, from 1 to 28800"),
    "rating": (r"[0-4](?:\.\d+)?|5(?:\.0+)?", "write a number from 0.0 to 5.0"),
    "expiration_date": _DATE,
    "publication_date": _DATE,
    "family_friendly": _YES_OR_NO,
    "requires_subscription": _YES_OR_NO,
    "live": _YES_OR_NO,
}
_OF_NEWS = {
    "language": (r"[a-z]{2,3}|zh-(?:cn|tw)", "write a code of ISO 639, such as en"),
    "publication_date": _DATE,
}
_FORMS: dict[str, dict[str, tuple[str, str]]] = {
    IMAGE: {},
    VIDEO: _OF_VIDEOS,
    NEWS: _OF_NEWS,
}
"""Fields that have a form of their own: a pattern, and the cure."""


def bad_extension(listed: ListedUrl, _now: datetime) -> Findings:
    """Google ignores an image, video or article without what it requires."""
    for extension in listed.element.extensions:
        for problem, cure in _faults(extension):
            text = f"{_written(extension.name)}: {problem}"
            yield Finding("bad-extension", text, cure, about=problem)


def _faults(extension: Extension) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with an extension's fields, and the cure."""
    for names in _REQUIRED[extension.name]:
        if not any(map(extension.get, names)):
            wanted = " or ".join(f"<{name}>" for name in names)
            yield f"it has no {wanted}", f"add {wanted}"
    numbers = Counter(name for name, _ in extension.fields)
    for name in ("title", "description", "publication_date"):
        if numbers[name] > 1:
            yield f"it has {numbers[name]} <{name}>", "keep one"
    for name, text in extension.fields:
        pattern, cure = _FORMS[extension.name].get(name, ("", ""))
        if pattern and text and not re.fullmatch(pattern, text, re.IGNORECASE):
            yield f"<{name}> is {quoted(text)}", cure
        if name == "loc" and text:
            problem, cure = url_problem(text)
            if problem:
                yield f"<{name}>: {problem}", cure


def _written(name: str) -> str:
    """Return the name of an extension as it is usually written."""
    local = name.rpartition("}")[2]
    return f"<{local}:{local}>"


URL_CHECKS: tuple[UrlCheck, ...] = (
    missing_loc,
    element_order,
    unknown_element,
    bad_value,
    bad_url,
    suspect_url,
    long_url,
    session_id,
    bad_date,
    future_date,
    hreflang_code,
    hreflang_self,
    repeated_language,
    bad_extension,
)
"""Every check of a URL by itself."""

OF_PARTS: tuple[UrlCheck, ...] = (
    missing_loc,
    bad_url,
    suspect_url,
    long_url,
    bad_date,
    future_date,
)
"""The checks of a URL that are those of a sitemap in an index too."""

AMONG_OTHERS: tuple[OtherCheck, ...] = (
    local_address,
    outside_scope,
    duplicate,
    hreflang,
    hreflang_sets,
)
"""Every check of a URL among the others."""
