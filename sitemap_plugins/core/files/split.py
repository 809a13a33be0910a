"""Entries → groups for one file each, so that one page's change touches one of them.

A group holds all pages whose URLs begin with certain bits, whatever their number. One that is too
large is divided by the next bit in which its URLs differ, as a telephone book is cut between two
letters and never after so many names. So the place of a page depends on its URL alone, and what a
file may list depends on the file's name alone; pages of one section stay together.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING

from sitemap_plugins.core.files.names import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitemap_plugins.core.entry import Entry

__all__ = ["Group", "halves", "sections"]


@dataclass(frozen=True, slots=True)
class Group:
    """Entries that go into one file if they fit."""

    entries: Sequence[Entry]
    """Ascending by URL, unique, at least one."""

    section: str = ""
    """Fit for a file name; empty where the whole site is one section."""

    bits: str = ""
    """With what the URLs begin, to the bit; empty where nothing was divided yet."""

    @property
    def key(self) -> str:
        """What tells the group from all others of its site, fit for a file name.

        Empty for the whole site.
        """
        return "-".join(filter(None, [self.section, self.bits and digest(self.bits)]))


def halves(group: Group) -> tuple[Group, Group]:
    """Divide a group of at least two entries by the first bit in which its URLs differ.

    Neither is empty; all URLs of the first come before those of the second.

    >>> from sitemap_plugins.core.entry import Entry
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


def sections(group: Group, name_of: Callable[[str], str]) -> list[Group]:
    """Divide a group by what `name_of` says of each URL; ascending by that name."""
    found: dict[str, list[Entry]] = {}
    for entry in group.entries:
        found.setdefault(name_of(entry.url), []).append(entry)
    return [Group(found[name], name) for name in sorted(found)]
