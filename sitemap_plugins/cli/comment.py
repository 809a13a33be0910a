"""What a change does to a site, as Markdown for a comment on a pull request.

What must be mended comes first. Equal sitemaps give equal bytes, so that a comment that
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
    from sitemap_plugins.checks.removed import Fate, Removed  # It is slow to import.
    from sitemap_plugins.published.diff import UrlChange

FATES: dict[Fate, str] = {
    "redirected": "redirected",
    "there": "still there but not listed",
    "missing": "without a redirect",
}
"""What became of a removed URL, in words."""

MAX_ROWS = 40
"""Of the table, so that the comment can be read."""

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
        """Return how pages are named if the new sitemap has these URLs."""
        base: str | None = None
        for url in listed:
            both = (url if base is None else base, url)
            base = os.path.commonprefix(both)  # noqa: RUF071 cut at a slash below
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
    was = {each.moved.new_url: url for url, each in gone.items() if each.moved}
    rows: dict[str, list[str]] = {
        "missing": [],
        "removed": [],
        "moved": [],
        "added": [],
        "changed": [],
    }
    for change in changes:
        kind, row = _row(change, gone.get(change.url), was.get(change.url), links)
        if len(rows[kind]) < MAX_ROWS:
            rows[kind].append(row)
    total = sum(counts.values())
    words = [f"{number:,} {kind}" for kind, number in sorted(counts.items())]
    yield f"**Pages: {', '.join(words) or 'no difference'}**"
    if total:
        yield from ("", "| Page | What |", "|---|---|")
        yield from islice(chain.from_iterable(rows.values()), MAX_ROWS)
    if total > MAX_ROWS:
        yield from ("", f"and {total - MAX_ROWS:,} more")


def _row(
    change: UrlChange, became: Removed | None, was: str | None, links: Links
) -> tuple[str, str]:
    """Return the kind of a row, and the row."""
    if change.kind != "removed":
        what = "new" if change.kind == "added" else "changed"
        kind: str = change.kind
        if was:
            what += f", was {links.text(was)}"
            kind = "moved"
        return kind, f"| {links.link(change.url)} | {what} |"
    what = "**gone**"
    kind = "removed"
    if became:
        what += f", {FATES[became.fate]}"
        kind = "missing" if became.fate == "missing" else kind
    if became and became.moved:
        what += f"; now {links.link(became.moved.new_url)}"
    return kind, f"| {links.text(change.url)} | {what} |"
