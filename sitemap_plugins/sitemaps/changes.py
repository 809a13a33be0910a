"""Two sitemaps → what was added, removed and changed, in constant memory.

SQLite sorts them, in a file that only this process sees and that is deleted with it. A
URL that is listed twice counts once, with the later text for its date.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Literal, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import lastmod_in_utc
from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.publishing.read import Element

_CACHE_KIBIBYTES = 32 * 1024
_SETTINGS = (
    "journal_mode = OFF",
    "synchronous = OFF",
    f"cache_size = -{_CACHE_KIBIBYTES}",
)

_BY_URL = """
SELECT coalesce(max(CASE side WHEN 1 THEN url END), max(url)) AS url,
       max(CASE side WHEN 0 THEN lastmod END) AS old,
       max(CASE side WHEN 1 THEN lastmod END) AS new
FROM listed GROUP BY identity HAVING old IS NOT new ORDER BY url
"""


class UrlChange(NamedTuple):
    """What happened to one URL."""

    url: str
    """As listed now, or before if it was removed; spellings are compared by
    `urls.identity`."""

    old: str | None
    """Its `<lastmod>` before, as written; empty without one, None if it was not
    listed."""

    new: str | None
    """Its `<lastmod>` now."""

    @property
    def kind(self) -> Literal["added", "removed", "changed"]:
        """Whether the URL was added, removed or changed."""
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"

    @property
    def is_newer(self) -> bool:
        """Whether both dates are known, and the new one is later."""
        before = lastmod_in_utc(self.old or "")
        now = lastmod_in_utc(self.new or "")
        return before is not None and now is not None and now > before


def find_changes(old: Iterable[Element], new: Iterable[Element]) -> Iterator[UrlChange]:
    """Yield the changes from one sitemap to another, by URL.

    Equal moments are no change, nor is a date that only one of them has: a build
    without history has no dates.

    Raises:
        OutputError: The folder for temporary files is full.
        SitemapError: What the elements raise.
    """
    with scratch_database() as database:
        database.execute(
            "CREATE TABLE listed (identity TEXT, url TEXT, lastmod TEXT, side INT)"
        )
        for side, elements in enumerate((old, new)):
            listed = (
                (element.get("loc"), element.get("lastmod")) for element in elements
            )
            rows = ((urls.identity(url), url, lastmod, side) for url, lastmod in listed)
            database.executemany("INSERT INTO listed VALUES (?, ?, ?, ?)", rows)
        for change in map(UrlChange._make, database.execute(_BY_URL)):
            if change.kind == "changed" and not (change.old and change.new):
                continue
            # The query has compared texts, and one moment can be written in many ways.
            # An added or removed URL lacks one of the two.
            before = lastmod_in_utc(change.old or "")
            if before is None or before != lastmod_in_utc(change.new or ""):
                yield change


@contextmanager
def scratch_database() -> Iterator[sqlite3.Connection]:
    """Open a database on disk for millions of URLs; only this process sees its file.

    Raises:
        OutputError: The folder for temporary files is full.
    """
    with closing(sqlite3.connect("")) as database:
        try:
            for setting in _SETTINGS:
                database.execute(f"PRAGMA {setting}")
            yield database
        except sqlite3.Error as error:
            msg = f"temporary files cannot be written ({error})"
            raise OutputError(msg, cure="set TMPDIR to a folder with room") from None
