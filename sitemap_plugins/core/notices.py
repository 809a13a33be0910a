"""Notices: messages to the site's owner, which each adapter logs as its host does.

This module does not log: strict modes count only messages of the host's own logger.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap_plugins.core.messages import printable
from sitemap_plugins.core.notice_kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemap_plugins.core.notice_kinds import Code, Level

__all__ = ["Notice", "group_notices", "unknown_include"]

MAX_EXAMPLES = 3
"""Notices with one code that are shown one by one; more are summarized in one, with a count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One message about a sitemap."""

    code: Code
    """The kind of notice."""

    text: str
    """One sentence: what is wrong (with the value) and the cure. The place is in `location`."""

    location: str = ""
    """The page or file that it is about, as the author knows it; empty for the whole site."""

    details: tuple[str, ...] = ()
    """For the verbose output: the messages that this one summarizes."""

    @property
    def level(self) -> Level:
        """How much it matters, fixed by the code."""
        return KINDS[self.code].level

    @property
    def message(self) -> str:
        """The location and the text in one line, safe to print."""
        return printable(f"{self.location}: {self.text}" if self.location else self.text)


def unknown_include(why: str, page: str) -> Notice:
    """Return the notice that a page has no date, because not all that it includes is known."""
    text = (
        f"the page {why}, so it has no date: give it one in its front matter,"
        " `sitemap: {lastmod: 2024-05-01}`"
    )
    return Notice(code="unknown-include", text=text, location=page)


def group_notices(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Replace many notices with one code by a single one, which has a count and some examples.

    The order is that of each code's first notice. Codes with few notices keep them as they are.
    """
    by_code: dict[Code, list[Notice]] = defaultdict(list)
    for notice in notices:
        by_code[notice.code].append(notice)
    grouped: list[Notice] = []
    for code, same in by_code.items():
        grouped += same if len(same) <= MAX_EXAMPLES else [_summary(code, same)]
    return tuple(grouped)


def _summary(code: Code, same: list[Notice]) -> Notice:
    messages = tuple(notice.message for notice in same)
    examples = "; ".join(messages[:MAX_EXAMPLES])
    text = f"{len(same)} times: {examples}; the verbose output has all of them"
    return Notice(code=code, text=text, details=messages)
