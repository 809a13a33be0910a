"""What the core has to say to the site's owner; an adapter says it in its host's voice.

This module does not log: strict modes count only what a host's own logger says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["CODES", "Level", "Notice"]

Level = Literal["warning", "info"]
"""`warning`: nothing was written, or something in it needs the author. `info`: right but poorer."""

CODES: dict[str, tuple[Level, str]] = {
    "no-base-url": ("warning", "The site's address is not set, so no sitemap is written."),
    "preview-build": ("info", "A pull request's preview, which crawlers must not find."),
    "no-pages": ("warning", "No page may be listed, so no sitemap is written."),
    "bad-url": ("warning", "A page's URL cannot stand in a sitemap; the page is left out."),
    "duplicate-url": ("warning", "Several pages have the same URL; the first is listed."),
    "bad-metadata": ("warning", "A page's own sitemap value is wrong; it is ignored."),
    "bad-option": ("warning", "The site's address, or an option beside it, cannot be used."),
    "bad-robots": ("warning", "robots.txt cannot be read; it is left as it is."),
    "write-failed": ("warning", "A file cannot be written; the files before it stand."),
    "internal-error": ("warning", "The plugin failed where it should not; please report it."),
    "wrong-base-url": ("warning", "Most pages name a canonical URL under another base URL."),
    "scheme-differs": ("warning", "Pages are canonical under http where the sitemap says https."),
    "session-id": ("warning", "A URL carries a session identifier."),
    "hreflang": ("warning", "A page's links to its translations are not as crawlers need them."),
    "robots-blocks-sitemap": ("warning", "A rule in robots.txt forbids crawlers the sitemap."),
    "robots-not-at-root": ("info", "robots.txt counts only at the host's root; the line to add."),
    "robots-too-long": ("info", "The Sitemap line stands where crawlers may not read any more."),
    "html-unreadable": ("info", "A built page cannot be read; it is listed unread."),
    "future-date": ("info", "A page's date lies in the future; the page is listed without it."),
    "no-git": ("info", "Git is not installed, so pages have no date from it."),
    "no-commits": ("info", "The repository has no commits yet."),
    "shallow-clone": ("info", "The clone is shallow; pages older than it have no date."),
    "dubious-ownership": ("info", "Git refuses a repository that another user owns."),
    "git-failed": ("info", "Git failed or took too long; pages have no date from it."),
    "ignore-revs": ("info", "The list of commits to ignore cannot be read."),
}
"""Each stable code with its level and its meaning; what users suppress and the manual lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One thing to say about a finished sitemap."""

    code: str
    """Stable name, a key of `CODES`."""

    text: str
    """One sentence: what is wrong (with the value), where, and the cure."""

    source: str = ""
    """The page or file that it is about, as the author knows it; empty for the whole site."""

    @property
    def level(self) -> Level:
        """How much it matters, fixed by the code."""
        return CODES[self.code][0]
