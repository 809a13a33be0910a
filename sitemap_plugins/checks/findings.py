"""One thing that a check found."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemap_plugins.core.codes import FINDINGS
from sitemap_plugins.core.messages import Message

if TYPE_CHECKING:
    from sitemap_plugins.core.codes import Severity

__all__ = ["MOST_NAMED", "Finding"]

MOST_NAMED = 3
"""URLs or folders that a message names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Message):
    """One thing that is wrong; the cure is the code's where it has none of its own."""

    place: str = field(init=False, default="")
    """Where to look first: the page's source, or the file and the line."""

    url: str = ""
    """The listed URL that it is about; empty for a whole file or site."""

    file: str = ""
    """The sitemap file, as the user knows it."""

    line: int = 0
    """Where in that file, from 1; 0 for all of it."""

    about: str = ""
    """What tells it from others of its kind at the same URL: the language or target of a link."""

    source: str = ""
    """The page's source, relative to the repository; empty where it is not known."""

    matters: Severity | None = None
    """How much it matters, if that differs from most findings with its code."""

    def __post_init__(self) -> None:
        """Complete what a message has."""
        place = self.source or (f"{self.file}:{self.line}" if self.line else self.file)
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "cure", self.cure or FINDINGS[self.code].cure)

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.matters or FINDINGS[self.code].severity

    @property
    def is_fetched(self) -> bool:
        """Whether the file is a URL: nothing in the repository is to be shown then."""
        return not self.source and self.file.startswith(("http://", "https://"))

    @property
    def fingerprint(self) -> str:
        """What stays the same from run to run, wherever the URL moves to in the file."""
        about = f"\0{self.about}" if self.about else ""
        key = f"{self.code}\0{self.url or self.file or self.problem}{about}"
        return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
