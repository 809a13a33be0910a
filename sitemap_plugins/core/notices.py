"""Notices: messages to the site's owner, which each adapter logs as its host does.

This module does not log: strict modes count only messages of the host's own logger.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from sitemap_plugins.core import codes
from sitemap_plugins.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemap_plugins.core.codes import Code, Level
    from sitemap_plugins.core.errors import SitemapError

MAX_EXAMPLES = 3
"""Notices with one code that are shown one by one; more are summarized in one, with a count."""


@dataclass(frozen=True, slots=True)
class Notice(Message):
    """One message about a sitemap, for the host's log."""

    details: tuple[str, ...] = ()
    """For the verbose output: the messages that this one summarizes."""

    @classmethod
    def of(cls, error: SitemapError, code: Code, *, place: str = "") -> Notice:
        """Return an error as a notice."""
        return cls(code, error.problem, error.cure, place or error.place)

    @property
    def level(self) -> Level:
        """How much it matters, fixed by the code."""
        return "info" if codes.notices()[self.code].severity == "info" else "warning"


def group_notices(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Replace many notices with one code by a single one, which has a count and some examples.

    The order is that of each code's first notice. Codes with few notices keep them as they are.
    """
    by_code: dict[Code, list[Notice]] = defaultdict(list)
    for notice in notices:
        by_code[notice.code].append(notice)
    for code, same in by_code.items():
        if len(same) > MAX_EXAMPLES:
            messages = tuple(map(str, same))
            examples = "; ".join(messages[:MAX_EXAMPLES])
            problem = f"{len(same)} times: {examples}; the verbose output has all of them"
            by_code[code] = [Notice(code, problem, details=messages)]
    return tuple(chain.from_iterable(by_code.values()))
