"""What a change does to a site, as Markdown for a comment on a pull request.

What must be fixed comes first. Equal sitemaps give equal bytes, so that a comment that
is kept up to date stays as it is.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import printable, without_password

if TYPE_CHECKING:
    from sitemap_plugins.sitemaps.changes import UrlChange
    from sitemap_plugins.sitemaps.removed import Fate, Removed  # It is slow to import.

FATES: dict[Fate, str] = {
    "redirected": "redirected",
    "there": "still there but not listed",
    "missing": "without a redirect",
}
"""What became of a removed URL, in words."""

MAX_ROWS = 40
"""The most rows of the table, so that the comment can be read."""

_KINDS = ("missing", "removed", "moved", "added", "changed")
"""The kinds of rows, in their order: what must be fixed comes first."""

_IN_CELLS = str.maketrans({"|": "\\|", "`": "'"})
_IN_LINKS = {ord(each): f"%{ord(each):02X}" for each in "()<>|`\\"}


class Links(NamedTuple):
    """How a table names pages."""

    base: str
    """What all URLs of the new sitemap begin with, up to a slash."""

    preview: str
    """The address of that in a preview; empty for no links."""

    @classmethod
    def of(cls, listed: Iterable[str], preview: str) -> Links:
        """Return how to name and link the pages of a sitemap that lists these URLs.

        Pages are named from the deepest folder that has all of them. `preview` is the
        address at which that folder can be read; empty if it cannot be.
        """
        base: str | None = None
        for url in listed:
            if base is None:
                base = url
            base = os.path.commonprefix((base, url))  # noqa: RUF071 cut below
        return cls((base or "").rpartition("/")[0] + "/", preview)

    def text(self, url: str) -> str:
        """Return the path of a page, or the whole URL of one elsewhere, as code."""
        path = urls.percent_decode(without_password(url).removeprefix(self.base))
        return f"`{printable(path or '/').translate(_IN_CELLS)}`"

    def link(self, url: str) -> str:
        """Return a link to a page in the preview, or its name alone."""
        if not self.preview or not url.startswith(self.base):
            return self.text(url)
        address = urls.escape(self.preview + url.removeprefix(self.base))
        return f"[{self.text(url)}]({address.translate(_IN_LINKS)})"


def comment(
    changes: Iterable[UrlChange],
    gone: Mapping[str, Removed],
    counts: Counter[str],
    links: Links,
) -> Iterator[str]:
    """Yield the lines: numbers, and a table with a row for each page, up to `MAX_ROWS`.

    `gone` has what became of removed URLs; `counts` is complete after the last change.
    """
    rows = _rows(changes, gone, links)
    total = counts.total()
    words = [f"{number:,} {kind}" for kind, number in sorted(counts.items())]
    yield f"**Pages: {', '.join(words) or 'no difference'}**"
    if total:
        yield from ("", "| Page | What |", "|---|---|")
        yield from islice(rows, MAX_ROWS)
    if total > MAX_ROWS:
        yield from ("", f"and {total - MAX_ROWS:,} more")


def _rows(
    changes: Iterable[UrlChange], gone: Mapping[str, Removed], links: Links
) -> Iterator[str]:
    """Return the rows by kind, up to `MAX_ROWS` of each."""
    rows: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    was = {each.moved.new_url: url for url, each in gone.items() if each.moved}
    for change in changes:
        if change.kind == "removed":
            kind, row = _row_of_removed(change.url, gone.get(change.url), links)
        else:
            kind, row = _row(change, was.get(change.url), links)
        if len(rows[kind]) < MAX_ROWS:
            rows[kind].append(row)
    return chain.from_iterable(rows.values())


def _row(change: UrlChange, was: str | None, links: Links) -> tuple[str, str]:
    """Return the kind of the row of a listed page, and the row."""
    what = "new" if change.kind == "added" else "changed"
    row = f"| {links.link(change.url)} | {what}"
    if was:
        return "moved", f"{row}, was {links.text(was)} |"
    return change.kind, f"{row} |"


def _row_of_removed(url: str, became: Removed | None, links: Links) -> tuple[str, str]:
    """Return likewise what became of a removed page, as far as it is known."""
    row = f"| {links.text(url)} | **gone**"
    if became is None:
        return "removed", f"{row} |"
    row += f", {FATES[became.fate]}"
    if became.moved:
        row += f"; now {links.link(became.moved.new_url)}"
    kind = "missing" if became.fate == "missing" else "removed"
    return kind, f"{row} |"
