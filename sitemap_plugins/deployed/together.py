"""What only all parts together can tell: URLs listed twice, and links between languages.

All spellings of a URL are one (`urls.identity`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import count_things, quoted
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from sitemap_plugins.core.files.read import Element

__all__ = ["Together"]

_TABLES = ("CREATE TABLE listed (url TEXT)", "CREATE TABLE links (source TEXT, target TEXT)")
_INDEXES = ("CREATE INDEX by_url ON listed (url)", "CREATE INDEX by_link ON links (source, target)")
_TWICE = "SELECT url, '' AS target FROM listed GROUP BY url HAVING count(*) > 1"
_NOT_LISTED = """
SELECT source AS url, target FROM links
WHERE substr(target, 1, length(:base)) = :base
  AND NOT EXISTS (SELECT 1 FROM listed WHERE url = target)
"""
# Google, localized versions: links that are not returned "may be ignored".
_NOT_RETURNED = """
SELECT source AS url, target FROM links AS there
WHERE source <> target AND EXISTS (SELECT 1 FROM listed WHERE url = target)
  AND NOT EXISTS (
    SELECT 1 FROM links AS back WHERE back.source = there.target AND back.target = there.source)
"""


class Together:
    """All URLs of all parts, and their links."""

    def __init__(self, database: sqlite3.Connection, base_url: str) -> None:
        """Begin with none; `base_url` is that of the site that the parts are of."""
        self._database = database
        self._base = urls.identity(base_url)
        for statement in _TABLES:
            database.execute(statement)

    def add(self, elements: Iterable[Element]) -> None:
        """Note the URLs and links of one part."""
        self._database.executemany("INSERT INTO listed VALUES (?)", self._noted(elements))

    def notices(self) -> Iterator[Notice]:
        """Say what is wrong, once for each kind, with the first example."""
        for statement in _INDEXES:
            self._database.execute(statement)
        if found := self._first(_TWICE):
            number, url, _ = found
            them = f"{count_things(number, 'URL')} {'is' if number == 1 else 'are'}"
            text = f"{them} listed more than once, such as {quoted(url)}"
            yield Notice("duplicate", text, cure="list each once")
        for query, problem, cure in (
            (_NOT_LISTED, "which no sitemap lists", "add the sitemap of that language"),
            (_NOT_RETURNED, "which does not link back", "build both languages with the same links"),
        ):
            if found := self._first(query):
                number, source, target = found
                more = f", and {number - 1:,} more links are like it" if number > 1 else ""
                text = f"{quoted(source)} links to {quoted(target)}, {problem}{more}"
                yield Notice("hreflang", text, cure=cure)

    def _noted(self, elements: Iterable[Element]) -> Iterator[tuple[str]]:
        for element in elements:
            source = urls.identity(element.get("loc"))
            if element.links:
                pairs = [(source, urls.identity(link.url)) for link in element.links]
                self._database.executemany("INSERT INTO links VALUES (?, ?)", pairs)
            yield (source,)

    def _first(self, query: str) -> tuple[int, str, str] | None:
        """Return how many rows there are, and the first by its text; None for no row."""
        counted = f"SELECT count(*), min(url), target FROM ({query})"  # noqa: S608 of this module
        number, url, target = self._database.execute(counted, {"base": self._base}).fetchone()
        return (number, url, target) if number else None
