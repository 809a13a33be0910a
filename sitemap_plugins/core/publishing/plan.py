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
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import DateOrDatetime, newest
from sitemap_plugins.core.limits import MAX_BYTES, MAX_INDEX_PARTS
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.patterns import Rules
from sitemap_plugins.core.publishing import xml
from sitemap_plugins.core.records import Entry
from sitemap_plugins.core.values import is_section_name

REST = "pages"
"""The section of pages that are in no other."""

_LONGEST = 40
"""Characters of a folder's name that are kept in the name of a section made from it."""


class File(NamedTuple):
    """A file to be written."""

    name: str
    """Plain name, without a folder."""

    chunks: Iterable[bytes]
    """The content, in pieces."""

    gzip: bool = False
    """Whether a compressed twin `name.gz` is written too."""


def plan_files(
    entries: Sequence[Entry],
    base_url: str,
    options: Options,
    *,
    stylesheet: str = "",
) -> Iterator[File]:
    """Yield the files lazily: one `<urlset>`, or parts and then their index files.

    No entry gives no file. At most two parts are in memory at a time. Each `<urlset>`
    follows its text sitemap, if any, which no index can list.

    Args:
        entries: Ascending by URL, unique.
        base_url: Normalized.
        options: How to divide and name the files.
        stylesheet: URL of the style sheet that the files name; empty for none.
    """
    in_index: list[bytes] = []
    for group, chunks in _parts(entries, base_url, options, stylesheet):
        key = group.key
        if options.text:
            # The text is smaller than the XML, so that it has room in one file too.
            lines = (f"{entry.url}\n".encode() for entry in group.entries)
            yield _file(key, lines, options, extension=".txt")
        file = _file(key, chunks, options)
        if key:
            url = urls.join(base_url, file.name)
            element = xml.sitemap_element(
                url, _newest_change(group), options.lastmod_format
            )
            in_index.append(xml.indented(element, options.indent))
        yield file
    yield from _index_files(in_index, options, stylesheet)


def is_submitted(name: str, filename: str) -> bool:
    """Tell whether crawlers are given a file of `filename`'s set: all but the parts."""
    further = re.escape(filename.removesuffix(".xml")) + r"-index-\d+\.xml"
    return name == filename or re.fullmatch(further, name) is not None


def _parts(
    entries: Sequence[Entry], base_url: str, options: Options, stylesheet: str
) -> Iterator[tuple[Group, Sequence[bytes]]]:
    """Divide the site into the wanted sections, and these until each fits one file.

    Yield each group with the content of its file.
    """

    def section(url: str) -> str:
        path = url.removeprefix(base_url)
        if isinstance(options.split, Rules):
            return options.split.first(path) or REST
        return section_of(path)

    if options.split != "size":
        groups = sections(entries, section)
    elif entries:
        groups = [Group(entries)]
    else:
        groups = []

    # The next group is taken from the end of the list, so that both halves of a group
    # can take its place there.
    groups.reverse()
    while groups:
        group = groups.pop()
        chunks = _urlset(group, options, stylesheet)
        if chunks is None:
            first, second = halves(group)
            groups += [second, first]
        else:
            yield group, chunks


def _urlset(group: Group, options: Options, stylesheet: str) -> Sequence[bytes] | None:
    """Return the content of the group's file; None if it would be too large for one."""
    entries = group.entries
    if len(entries) > options.max_urls:
        return None
    header = xml.urlset_header(
        options.filename,
        group.key,
        stylesheet=stylesheet,
        links=any(entry.links for entry in entries),
        images=any(entry.images for entry in entries),
    )
    chunks = [header]
    size = len(header) + len(xml.URLSET_FOOTER)
    for entry in entries:
        element = xml.url_element(entry, options.lastmod_format, options.indent)
        size += len(element)
        # One entry has room: its URLs are short, and its links and images few.
        if size > MAX_BYTES and len(entries) > 1:
            return None
        chunks.append(element)
    chunks.append(xml.URLSET_FOOTER)
    return chunks


def _newest_change(group: Group) -> DateOrDatetime | None:
    """Return the newest date of a part's entries; None if none has one."""
    dates = (entry.lastmod for entry in group.entries)
    return newest(date for date in dates if date is not None)


def _index_files(
    elements: Sequence[bytes], options: Options, stylesheet: str
) -> Iterator[File]:
    """Yield the files of an index; `elements` has a `<sitemap>` for each part.

    Without elements there is no index. The first file has the name of the sitemap.
    """
    if not elements:
        return
    longest_header = xml.index_header(
        options.filename, "index-50000", stylesheet=stylesheet
    )
    room = MAX_BYTES - len(longest_header) - len(xml.INDEX_FOOTER)
    largest = max(len(element) for element in elements)
    # So many elements fit into one file, even if all are as long as the longest.
    step = min(MAX_INDEX_PARTS, room // largest)
    for number, start in enumerate(range(0, len(elements), step), start=1):
        key = "" if number == 1 else f"index-{number}"
        header = xml.index_header(options.filename, key, stylesheet=stylesheet)
        chunks = [header, *elements[start : start + step], xml.INDEX_FOOTER]
        yield _file(key, chunks, options)


def _file(
    key: str, chunks: Iterable[bytes], options: Options, extension: str = ".xml"
) -> File:
    """Return a file of the set; `key` is what its name adds to the sitemap's name."""
    stem = options.filename.removesuffix(".xml")
    if key:
        stem = f"{stem}-{key}"
    return File(name=f"{stem}{extension}", chunks=chunks, gzip=options.gzip)


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
    """Return a digest of 12 hexadecimal digits.

    Among 50,000 texts, two have the same digest in 1 of 200,000 cases.
    """
    return blake2b(text.encode(), digest_size=6).hexdigest()


class Group(NamedTuple):
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

        The key is empty if the group is the whole site.
        """
        if not self.bits:
            return self.section
        part = digest(self.bits)
        return f"{self.section}-{part}" if self.section else part


def halves(group: Group) -> tuple[Group, Group]:
    """Divide a group of at least two entries by the first bit in which its URLs differ.

    Neither is empty; all URLs of the first come before those of the second.

    >>> from sitemap_plugins.core.records import Entry
    >>> base = "https://example.com/"
    >>> whole = Group([Entry(base + name) for name in ("api", "blog", "guide")])
    >>> first, second = halves(whole)
    >>> [entry.url for entry in first.entries]
    ['https://example.com/api', 'https://example.com/blog']
    >>> [entry.url for entry in second.entries]
    ['https://example.com/guide']
    """
    entries = group.entries
    # Because the URLs are sorted, all of them begin with what the first and the last
    # have in common.
    first = f"{entries[0].url}\0"  # The last URL may begin with the whole first one.
    last = entries[-1].url
    length = 0
    while first[length] == last[length]:
        length += 1
    common = last[:length]

    # In the character after the common part, `bit` is the number of the highest bit
    # that differs: 0 in the first URL and 1 in the last. `high` is the smallest
    # character of the second half, and `low` that of the first half.
    after = ord(last[length])
    bit = (ord(first[length]) ^ after).bit_length() - 1
    high = after >> bit << bit
    low = high - (1 << bit)
    middle = bisect_left(entries, common + chr(high), key=attrgetter("url"))
    first_bits = f"{common}{chr(low)} {bit}"
    second_bits = f"{common}{chr(high)} {bit}"
    return (
        Group(entries[:middle], group.section, first_bits),
        Group(entries[middle:], group.section, second_bits),
    )


def sections(entries: Iterable[Entry], name_of: Callable[[str], str]) -> list[Group]:
    """Group entries by section, sorted; `name_of` returns the section of a URL."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(name_of(entry.url), []).append(entry)
    return [Group(found[name], name) for name in sorted(found)]
