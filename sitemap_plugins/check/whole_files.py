"""Checks of whole files: one function for each code."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from operator import itemgetter

from sitemap_plugins.check.context import Context
from sitemap_plugins.check.urls import (
    OF_PARTS,
    local_address,
    strange_elements,
)
from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import parse_lastmod, to_utc
from sitemap_plugins.core.limits import (
    MAX_BYTES,
    MAX_URLS,
    SITEMAP_NAMESPACE,
)
from sitemap_plugins.core.messages import FileError, count_things, quoted
from sitemap_plugins.core.publishing.read import (
    GZIP,
    Element,
    open_sitemap,
    part_names,
)
from sitemap_plugins.findings.records import Finding, Findings
from sitemap_plugins.sitemaps.facts import FileFacts
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import ListedUrl, Part

FileCheck = Callable[[FileFacts, Context], Findings]


_ROOTS = ("urlset", "sitemapindex")
FEEDS = {"rss", "feed"}
"""Root elements of the feeds that crawlers accept as sitemaps: RSS 2.0 and Atom."""


def not_well_formed(facts: FileFacts, _context: Context) -> Findings:
    """A crawler reads no further than the first fault."""
    if (error := facts.error) is not None and not facts.is_html:
        yield Finding("not-well-formed", error.problem, error.cure, line=error.line)


def not_a_sitemap(facts: FileFacts, _context: Context) -> Findings:
    """sitemaps.org: "Specify the namespace (protocol standard) within the … tag"."""
    root = facts.root
    if facts.is_html:
        cure = "name the sitemap, or build it again"
        yield Finding("not-a-sitemap", "it is an HTML page", cure, line=1)
    elif (
        root is not None
        and root.name not in FEEDS
        and (root.name not in _ROOTS or root.namespace != SITEMAP_NAMESPACE)
    ):
        near = difflib.get_close_matches(root.name, _ROOTS, n=1)
        right = near[0] if near else "urlset"
        namespace = quoted(root.namespace) if root.namespace else "none"
        text = f"the root is <{root.name[:40]}>, and its namespace is {namespace}"
        cure = f'write <{right} xmlns="{SITEMAP_NAMESPACE}">'
        yield Finding("not-a-sitemap", text, cure, line=root.line)


def feed(facts: FileFacts, context: Context) -> Findings:
    """Google and Bing accept RSS and Atom, which list only a site's latest pages.

    Generators list them by the dozen, so the first of them is reported for all.
    """
    if facts.root is None or not _is_feed(facts):
        return
    first, *others = filter(_is_feed, context.survey.files)
    if facts is not first:
        return
    text = f"{facts.file.name} is a feed ({facts.root.name}), which is not read"
    if others:
        text += f", and so are {count_things(len(others), 'other file')}"
    yield Finding("feed", text, line=facts.root.line)


def _is_feed(facts: FileFacts) -> bool:
    return facts.root is not None and facts.root.name in FEEDS


def encoding(facts: FileFacts, _context: Context) -> Findings:
    """sitemaps.org, protocol: "The Sitemap must … be UTF-8 encoded"; not a feed."""
    if _is_feed(facts):
        return
    if facts.encoding not in {"UTF-8", "UTF8", "US-ASCII", "ASCII"}:
        yield Finding("encoding", f"the encoding is {facts.encoding}")


def byte_order_mark(facts: FileFacts, _context: Context) -> Findings:
    """XML allows the mark, but not everything that reads sitemaps is an XML parser."""
    if facts.has_bom:
        yield Finding("byte-order-mark", "the file begins with a byte order mark")


def empty(facts: FileFacts, _context: Context) -> Findings:
    """The schema requires at least one child."""
    if not facts.children and facts.error is None:
        yield Finding("empty", "the file lists nothing")


def unknown_element(facts: FileFacts, _context: Context) -> Findings:
    """The schema: an index lists `<sitemap>` alone, with `<loc>` and `<lastmod>`."""
    for element in facts.strays:
        for finding in strange_elements(element, "sitemap", ("loc", "lastmod")):
            yield replace(finding, line=element.line)


def too_large(facts: FileFacts, _context: Context) -> Findings:
    """sitemaps.org: "no more than 50,000 URLs and must be no larger than 50MB".

    An index lists no more either. The bytes, 52,428,800, are those of the uncompressed
    file.
    """
    amounts = (("URLs", facts.children, MAX_URLS), ("bytes", facts.size, MAX_BYTES))
    for what, number, most in amounts:
        if number > most:
            text = f"the file has {number:,} {what}; {most:,} are allowed"
            yield Finding("too-large", text)


def not_compressed(facts: FileFacts, _context: Context) -> Findings:
    """A server sends such a file as compressed, by its name.

    A file that was fetched from a server may have been unpacked on the way.
    """
    file = facts.file
    if file.path.suffix == ".gz" and not file.url and facts.root is not None:
        with file.path.open("rb") as stream:
            is_packed = stream.read(len(GZIP)) == GZIP
        if not is_packed:
            text = f"{file.name} is not compressed, as its name says"
            yield Finding(
                "not-well-formed", text, "compress it with gzip, or rename it"
            )


def repeated_part(facts: FileFacts, _context: Context) -> Findings:
    """All spellings of one URL are the same to a crawler."""
    seen: set[str] = set()
    for part in facts.file.parts:
        if part.url and (identity := urls.identity(part.url)) in seen:
            text = f"{quoted(part.url)} is listed more than once"
            yield Finding("duplicate", text, line=part.line)
        elif part.url:
            seen.add(identity)


def empty_date(facts: FileFacts, _context: Context) -> Findings:
    """A date that is missing is no fault, and an empty one is."""
    for element in facts.strays:
        if ("lastmod", "") in element.fields:
            yield Finding("bad-date", "lastmod is empty", line=element.line)


def parts_like_pages(facts: FileFacts, context: Context) -> Findings:
    """The URL and the date of a part follow the rules of those of pages."""
    outside = set(_outside(facts, context))
    for part in facts.file.parts:
        if part in outside:  # `part_outside` reports it.
            continue
        fields = (("loc", part.url), ("lastmod", part.lastmod))
        element = Element("sitemap", part.line, tuple(filter(itemgetter(1), fields)))
        listed = ListedUrl.make(facts.file, element)
        findings = [local_address(listed, context)]
        findings += [check(listed, context.now) for check in OF_PARTS]
        for finding in chain.from_iterable(findings):
            about = finding.about or part.url
            yield replace(finding, line=part.line, about=about)


def gzip_differs(facts: FileFacts, _context: Context) -> Findings:
    """A server can send either file, the plain one or its compressed twin."""
    twin = facts.file.path.with_name(f"{facts.file.path.name}.gz")
    if facts.file.path.suffix == ".gz" or not twin.is_file():
        return
    try:
        with open_sitemap(facts.file.path) as plain, open_sitemap(twin) as packed:
            while (block := plain.read(1 << 20)) == packed.read(1 << 20):
                if not block:
                    return
    except FileError:
        pass
    yield Finding(
        "gzip-differs", f"{twin.name} and {facts.file.name} have different content"
    )


def nested_index(facts: FileFacts, context: Context) -> Findings:
    """Google, "Large sitemaps": an index must not list other indexes."""
    file = facts.file
    if (
        file.index is not None
        and facts.root is not None
        and facts.root.name == "sitemapindex"
    ):
        yield Finding(
            "nested-index", f"{file.name} is an index, and {file.index.name} lists it"
        )
    # Each other index that the file lists is a file of its own, and is reported above.
    for part in file.parts:
        if _is_itself(part, facts, context):
            text = f"{file.name} lists itself"
            yield Finding("nested-index", text, "remove the entry", line=part.line)


def missing_part(facts: FileFacts, context: Context) -> Findings:
    """The part is not below the index's folder or, of a fetched index, on the server.

    An index that somebody saved without any of its parts is checked by itself.
    """
    others = set(_outside(facts, context))
    others |= {part for part in facts.file.parts if _is_itself(part, facts, context)}
    parts = [part for part in facts.file.parts if part.url and part not in others]
    is_alone = context.facts.site_dir is None and not facts.file.url
    if is_alone and parts and all(part.location.problem for part in parts):
        text = f"it lists {count_things(len(parts), 'sitemap')}, and none is beside it"
        cure = "put them there, or check the index by its URL"
        yield Finding("missing-part", text, cure, matters="info")
        return
    for part in parts:
        if part.location.problem:
            text = f"{quoted(part.url)} {part.location.problem}"
            yield Finding("missing-part", text, line=part.line)


def part_outside(facts: FileFacts, context: Context) -> Findings:
    """sitemaps.org, protocol: an index lists sitemaps "found on the same site"."""
    for part in _outside(facts, context):
        if "://" not in part.url:
            text = f"{quoted(part.url)} is not a whole URL"
            cure = "write it with https:// and the host"
            yield Finding("part-outside", text, cure, line=part.line)
        else:
            text = f"{quoted(part.url)} is not below {quoted(_scope(facts, context))}"
            yield Finding("part-outside", text, line=part.line)


def index_lastmod(facts: FileFacts, context: Context) -> Findings:
    """Crawlers fetch a part again when its date in the index changes."""
    newest = {each.file.path: each.newest for each in context.survey.files}
    for part in facts.file.parts:
        inside = newest.get(part.location.path)
        said = parse_lastmod(part.lastmod)
        if inside and said and to_utc(said) < inside:
            said_so = f"{quoted(part.url)} is dated {part.lastmod}"
            text = f"{said_so}, and a page in it {inside:%Y-%m-%d}"
            yield Finding("index-lastmod", text, line=part.line)


FILE_CHECKS: tuple[FileCheck, ...] = (
    not_well_formed,
    not_a_sitemap,
    feed,
    encoding,
    byte_order_mark,
    empty,
    too_large,
    gzip_differs,
    nested_index,
    missing_part,
    part_outside,
    index_lastmod,
    unknown_element,
    not_compressed,
    repeated_part,
    empty_date,
    parts_like_pages,
)
"""Every check of a file, in the manual's order."""


def _is_itself(part: Part[FileLocation], facts: FileFacts, context: Context) -> bool:
    """Tell whether a part is the index that lists it."""
    if own := context.url_of(facts.file):
        return urls.identity(part.url) == urls.identity(own)
    return part_names(part.url) == [facts.file.path.name]


def _scope(facts: FileFacts, context: Context) -> str:
    """Return the URL below which an index may list sitemaps."""
    first = next((part.url for part in facts.file.parts if "://" in part.url), "")
    return context.base_url or (urls.host_root(first) if first else "")


def _outside(facts: FileFacts, context: Context) -> Iterator[Part[FileLocation]]:
    """Yield the parts that an index may not list; none if the base URL is wrong."""
    scope = urls.identity(_scope(facts, context))
    if context.has_wrong_base:
        return
    for part in facts.file.parts:
        is_inside = "://" in part.url and urls.identity(part.url).startswith(scope)
        if part.url and not is_inside:
            yield part
