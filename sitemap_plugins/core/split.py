"""Entries' bytes → parts within the protocol's limits.

Sizes are of the uncompressed file, head and foot included.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sitemap_plugins.core.dates import Moment, instant
from sitemap_plugins.core.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Element", "Frame", "Part", "into_parts"]

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)

Element = tuple[bytes, Moment | None]
"""One `<url>` or `<sitemap>` element's bytes, and when what it names last changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the elements of a file, and how much a file may hold."""

    head: bytes
    """XML declaration and the root's start tag."""

    foot: bytes
    """The root's end tag."""

    max_elements: int
    """Elements in one file."""

    max_bytes: int
    """Uncompressed bytes of one file, `head` and `foot` included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One sitemap or index file, whole in memory."""

    number: int
    """Counts from 1."""

    chunks: tuple[bytes, ...]
    """The file's bytes: head, elements, foot."""

    lastmod: Moment | None
    """The newest date inside; None where no element has one."""


def into_parts(elements: Iterable[Element], frame: Frame) -> Iterator[Part]:
    """Fill one part after the other, lazily: only the part that is being filled is in memory.

    The order stays; no element gives no part.

    Raises:
        OptionsError: One element alone is larger than a file may be.
    """
    number, chunks, newest, newest_instant = 1, [frame.head], None, _BEFORE_ALL
    room = free = frame.max_bytes - len(frame.head) - len(frame.foot)
    for chunk, lastmod in elements:
        if len(chunk) > room:
            problem = (
                f"max_bytes = {frame.max_bytes} has no room for one entry of {len(chunk)} bytes"
            )
            raise OptionsError([f"{problem}: raise it"])
        if len(chunk) > free or len(chunks) > frame.max_elements:
            yield Part(number=number, chunks=(*chunks, frame.foot), lastmod=newest)
            number, free, chunks = number + 1, room, [frame.head]
            newest, newest_instant = None, _BEFORE_ALL
        chunks.append(chunk)
        free -= len(chunk)
        if lastmod is not None and (moment := instant(lastmod)) > newest_instant:
            newest, newest_instant = lastmod, moment
    if len(chunks) > 1:
        yield Part(number=number, chunks=(*chunks, frame.foot), lastmod=newest)
