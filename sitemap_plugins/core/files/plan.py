"""Entries → the files of one sitemap, named, in the order in which to write them.

`sitemap.xml` is always the name that crawlers get: the `<urlset>` itself while one file
holds all entries, the index of the parts once there are more, or if each section has
its own. An index that is full is followed by `sitemap-index-2.xml`; indexes never list
each other, because crawlers refuse that.

A file holds all pages whose URLs begin with certain bits, whatever their number. One
that is too large is divided at the next bit in which its URLs differ, as a telephone
book is cut between two letters and never after so many names. So the file of a page
depends on its URL alone, and what a file may list depends on the file's name alone;
pages of one section stay together.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import zip_longest
from operator import attrgetter

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import Evidence, newest
from sitemap_plugins.core.files import xml
from sitemap_plugins.core.limits import MAX_BYTES, MAX_INDEX_PARTS
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.patterns import Rules
from sitemap_plugins.core.records import Entry
from sitemap_plugins.core.values import is_section_name

REST = "pages"
"""The section of pages that are in no other."""

_LONGEST = 40
"""Characters of a folder's name that are kept in the name of a section made from it."""

_ENTRIES_IN_CHUNK = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file to be written."""

    name: str
    """Plain name, without a folder."""

    chunks: Iterable[bytes]
    """The content, in pieces."""

    plain: bool = True
    """Whether the file is written under its own name."""

    gzip: bool = False
    """Whether a compressed twin `name.gz` is written too, or alone."""


def plan_files(
    entries: Sequence[Entry],
    base_url: str,
    options: Options,
    *,
    stylesheet: str = "",
    find_last_removal: Callable[[], Evidence] = Evidence,
) -> Iterator[File]:
    """Yield the files lazily: parts, then the index files that list them; or one `<urlset>`.

    No entry gives no file. At most two parts are in memory at a time. Each `<urlset>`
    follows its text sitemap, if any, which no index can list.

    Args: entries: Ascending by URL, unique. base_url: Normalized. options: How to
        divide and name the files. stylesheet: URL of the style sheet that the files
        name; empty for none. find_last_removal: When an entry was last removed, from
        any part; asked if there are parts.

    Raises:
        OptionsError: `max_bytes` is too small for an entry.
    """
    in_index: list[bytes] = []
    removal = Evidence()
    for group, chunks in _parts(entries, base_url, options, stylesheet):
        key = group.key
        if (
            options.text
        ):  # It is smaller than the XML, so that it has room in one file too.
            text = (f"{entry.url}\n".encode() for entry in group.entries)
            yield _file(key, text, options, part=bool(key), extension=".txt")
        file = _file(key, chunks, options, part=bool(key))
        if key:
            url = urls.join(base_url, file.name if file.plain else f"{file.name}.gz")
            removal = removal if in_index else find_last_removal()
            date = newest(filter(None, map(attrgetter("lastmod"), group.entries)))
            # A removal is a change too, and may be the last one.
            lastmod = (
                None
                if date is None
                else Evidence.of_all([Evidence(date), removal]).date
            )
            element = xml.sitemap_element(url, lastmod, options.lastmod_format)
            in_index.append(xml.indented(element, options.indent))
        yield file
    yield from _index_files(in_index, options, stylesheet)


def is_submitted(name: str, filename: str) -> bool:
    """Tell whether crawlers are given a file of the set that `filename` names; not the parts."""
    further = re.escape(filename.removesuffix(".xml")) + r"-index-\d+\.xml"
    return name == filename or re.fullmatch(further, name) is not None


def _parts(
    entries: Sequence[Entry], base_url: str, options: Options, stylesheet: str
) -> Iterator[tuple[Group, Sequence[bytes]]]:
    """Divide the site: into the sections that the user wants, then until each group fits a file.

    Each group comes with the content of its file.
    """

    def section(url: str) -> str:
        path = url.removeprefix(base_url)
        if isinstance(options.split, Rules):
            return options.split.first(path) or REST
        return section_of(path)

    whole = [Group(entries)] if entries else []
    waiting = whole if options.split == "size" else sections(entries, section)[::-1]
    while waiting:
        group = waiting.pop()
        if chunks := _urlset(group, options, stylesheet):
            yield group, chunks
        else:
            waiting.extend(reversed(halves(group)))


def _urlset(group: Group, options: Options, stylesheet: str) -> Sequence[bytes] | None:
    """Return the content of the group's file; None if it would be too large for one."""
    entries = group.entries
    if len(entries) > options.max_urls:
        return None
    header = xml.urlset_header(
        options.filename,
        group.key,
        stylesheet=stylesheet,
        links=any(map(attrgetter("links"), entries)),
        images=any(map(attrgetter("images"), entries)),
    )
    chunks = [header]
    room = options.max_bytes - len(header) - len(xml.URLSET_FOOTER)
    for start in range(0, len(entries), _ENTRIES_IN_CHUNK):
        some = entries[start : start + _ENTRIES_IN_CHUNK]
        chunk = b"".join(
            xml.url_element(entry, options.lastmod_format, options.indent)
            for entry in some
        )
        room -= len(chunk)
        if room < 0 and len(entries) == 1:
            problem = f"max_bytes = {options.max_bytes} has no room for one entry of"
            raise OptionsError(f"{problem} {len(chunk)} bytes", cure="raise it")
        if room < 0:
            return None
        chunks.append(chunk)
    return [*chunks, xml.URLSET_FOOTER]


def _index_files(
    elements: Sequence[bytes], options: Options, stylesheet: str
) -> Iterator[File]:
    """Yield the files of an index that lists these elements."""
    if not elements:
        return
    header_of = partial(xml.index_header, options.filename, stylesheet=stylesheet)
    frame = len(header_of("index-50000")) + len(xml.INDEX_FOOTER)
    step = min(MAX_INDEX_PARTS, (MAX_BYTES - frame) // max(map(len, elements)))
    for number, start in enumerate(range(0, len(elements), step), start=1):
        key = f"index-{number}" if number > 1 else ""
        chunks = [header_of(key), *elements[start : start + step], xml.INDEX_FOOTER]
        yield _file(key, chunks, options, part=False)


def _file(
    key: str,
    chunks: Iterable[bytes],
    options: Options,
    *,
    part: bool,
    extension: str = ".xml",
) -> File:
    """Return a file; `part` says whether it is one of several."""
    stem = options.filename.removesuffix(".xml")
    only = options.gzip == "only"
    return File(
        name=f"{stem}-{key}{extension}" if key else f"{stem}{extension}",
        chunks=chunks,
        plain=not (part and only),
        gzip=part if only else bool(options.gzip),
    )


def section_of(path: str) -> str:
    """Return the section of a page by the first folder of its path, percent-encoded.

    A folder that is not a section's name as it stands becomes one, with its own digest.

    >>> [section_of(path) for path in ("guide/start/", "guide/", "about.html", "")]
    ['guide', 'pages', 'pages', 'pages']
    >>> section_of("Caf%C3%A9/menu/")
    'caf-c3-a9-f9b1dcb5b496'
    """
    folder, _, rest = path.partition("/")
    if not rest:
        return REST
    if is_section_name(folder):
        return folder
    words = re.sub(r"[^a-z0-9]+", "-", folder.lower())[:_LONGEST].strip("-")
    return f"{words}-{digest(folder)}".lstrip("-")


def digest(text: str) -> str:
    """Return 12 hexadecimal digits: of 50,000 texts, two share them in one case of 200,000."""
    return blake2b(text.encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class Group:
    """Entries that go into one file if they fit."""

    entries: Sequence[Entry]
    """Ascending by URL, unique, at least one."""

    section: str = ""
    """Fit for a file name; empty where the whole site is one section."""

    bits: str = ""
    """What the URLs begin with, to the bit; empty if nothing was divided yet."""

    @property
    def key(self) -> str:
        """What tells the group from all others of its site, fit for a file name.

        Empty for the whole site.
        """
        return "-".join(filter(None, [self.section, self.bits and digest(self.bits)]))


def halves(group: Group) -> tuple[Group, Group]:
    """Divide a group of at least two entries by the first bit in which its URLs differ.

    Neither is empty; all URLs of the first come before those of the second.

    >>> from sitemap_plugins.core.records import Entry
    >>> whole = Group([Entry("https://example.com/" + name) for name in ("api", "blog", "guide")])
    >>> [[entry.url for entry in half.entries] for half in halves(whole)]
    [['https://example.com/api', 'https://example.com/blog'], ['https://example.com/guide']]
    """
    first, last = group.entries[0].url, group.entries[-1].url
    # What these two have in common, all between them have, because they are sorted.
    pairs = enumerate(zip_longest(first, last, fillvalue="\0"))
    length, before, after = next((i, ord(a), ord(b)) for i, (a, b) in pairs if a != b)
    common, bit = first[:length], (before ^ after).bit_length() - 1
    low, high = after >> bit + 1 << bit + 1, after >> bit << bit
    middle = bisect_left(group.entries, common + chr(high), key=attrgetter("url"))
    return (
        Group(group.entries[:middle], group.section, f"{common}{chr(low)} {bit}"),
        Group(group.entries[middle:], group.section, f"{common}{chr(high)} {bit}"),
    )


def sections(entries: Iterable[Entry], name_of: Callable[[str], str]) -> list[Group]:
    """Group entries by the section that `name_of` returns for each URL; ascending by its name."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(name_of(entry.url), []).append(entry)
    return [Group(found[name], name) for name in sorted(found)]
