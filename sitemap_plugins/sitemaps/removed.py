"""What became of URLs that a sitemap lists no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Fate = Literal["redirected", "there", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """What became of one URL."""

    url: str
    fate: Fate
    why: str = ""
    """What is wrong, in words that follow the URL; only if it is missing."""

    moved: Moved | None = None
    """Where its page is now, as git knows it; only if it is missing."""


class Moved(NamedTuple):
    """The new place of a vanished page."""

    url: str
    """The old URL, percent-encoded; below the root if the address is not known."""

    new_url: str
    """The present one, likewise."""

    source: str
    """The old source below the folder of the sources."""

    new_source: str
    """The present source of the page; only if it is missing."""

    commit: str = ""
    """The commit that moved the source; empty if the move is not committed, or not
    known."""
