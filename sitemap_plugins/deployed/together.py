"""What only all parts together can tell: URLs listed twice, and links between languages.

All spellings of a URL are one. SQLite keeps them in a file that goes with the process.
"""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Self

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.deployed.scratch import open_scratch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemap_plugins.core.files.read import Element

__all__ = ["Together"]

_TWICE = "SELECT url, '' FROM listed GROUP BY url HAVING count(*) > 1"
_NOT_LISTED = """
SELECT source, target FROM links
WHERE substr(target, 1, length(:base)) = :base AND target NOT IN (SELECT url FROM listed)
"""
_NOT_RETURNED = """
SELECT source, target FROM links AS there
WHERE source <> target AND target IN (SELECT url FROM listed) AND NOT EXISTS (
    SELECT 1 FROM links AS back WHERE back.source = there.target AND back.target = there.source
)
"""


class Together(AbstractContextManager["Together"]):
    """All URLs of all parts, and their links; to be used in a `with` statement."""

    def __init__(self) -> None:
        """Begin with none."""
        self._scratch = open_scratch()

    def __enter__(self) -> Self:
        """Make room for the URLs."""
        self._database = self._scratch.__enter__()
        self._database.execute("CREATE TABLE listed (url TEXT)")
        self._database.execute("CREATE TABLE links (source TEXT, target TEXT)")
        return self

    def __exit__(self, *error: object) -> bool | None:
        """Give the room back."""
        return self._scratch.__exit__(*error)  # type: ignore[arg-type]

    def add(self, elements: Iterable[Element]) -> None:
        """Note the URLs and links of one part."""
        self._database.executemany("INSERT INTO listed VALUES (?)", self._noted(elements))

    def _noted(self, elements: Iterable[Element]) -> Iterator[tuple[str]]:
        for element in elements:
            source = urls.identity(element.get("loc"))
            yield (source,)
            if element.links:
                pairs = [(source, urls.identity(link.url)) for link in element.links]
                self._database.executemany("INSERT INTO links VALUES (?, ?)", pairs)
