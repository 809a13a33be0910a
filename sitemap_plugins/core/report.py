"""The result of `generate`: what was written, which pages were left out, and notices."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from sitemap_plugins.core.codes import REASONS, Reason
from sitemap_plugins.core.messages import count_pages, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.core.notices import Notice

__all__ = ["Report"]

MAX_NAMED = 5
"""Pages left out for one reason that the normal output names; of more it only has the number."""

_OF_HTML: tuple[Reason, ...] = ("redirect", "canonical")
"""Reasons that an author may not know of: a theme writes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was written, and why some pages were not."""

    files: tuple[Path, ...] = ()
    """Every file of the sitemap, in the order of writing; robots.txt last if it has our line."""

    listed: int = 0
    """Number of URLs in the sitemap, over all parts."""

    undated: int = 0
    """Number of those without a date; 0 if the options say that there are no dates."""

    left_out: Mapping[Reason, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Each reason with the names of the pages left out for it, in the order of the pages."""

    notices: tuple[Notice, ...] = ()
    """Messages to the site's owner, in the order of the pipeline; few with the same code."""

    filename: str = "sitemap.xml"
    """Name of the sitemap file."""

    def summary(self) -> str:
        """Return the outcome in one line, for the host's normal output.

        >>> Report(listed=49, undated=3, left_out={"draft": ("a", "b")}).summary()
        'sitemap.xml: 49 pages (3 without a date), 2 left out (2 draft)'
        """
        counts = [f"{len(names)} {reason}" for reason, names in self.left_out.items()]
        total = sum(map(len, self.left_out.values()))
        pages = count_pages(self.listed) if self.listed else "not written"
        undated = f" ({self.undated:,} without a date)" if self.undated else ""
        left_out = f", {total} left out ({', '.join(counts)})" if total else ""
        return f"{self.filename}: {pages}{undated}{left_out}"

    def unexpected(self) -> Iterator[str]:
        """Yield what the normal output adds: pages whose own HTML leaves them out, if few."""
        for reason in _OF_HTML:
            if len(names := self.left_out.get(reason, ())) <= MAX_NAMED:
                yield from _lines(reason, names)

    def details(self) -> Iterator[str]:
        """Yield what the verbose output adds: other pages left out, and each grouped notice."""
        for reason, names in self.left_out.items():
            if reason not in _OF_HTML or len(names) > MAX_NAMED:
                yield from _lines(reason, names)
        for notice in self.notices:
            yield from (f"{line} ({notice.code})" for line in notice.details)


def _lines(reason: Reason, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield f"{printable(name)}: left out ({reason}: {REASONS[reason]})"
