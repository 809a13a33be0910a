"""Write a page's date into its head, for crawlers.

A page is changed only if a parser sees the tag there afterwards; otherwise readers
could see it, or lose what is behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.core.date_values import DateOrDatetime, format_date
from sitemap_plugins.core.html.document import is_slow
from sitemap_plugins.core.messages import Notice, a_few, count_pages

PROPERTY = "article:modified_time"
"""When a page changed, for search engines (https://ogp.me/#type_article)."""

_END_TAG = re.compile(r"</head\s*>", re.IGNORECASE)
_MAX_PLACES = 20
"""End tags that are tried: all but one are in scripts, comments and attributes."""


def meta_tag(date: DateOrDatetime) -> str:
    """Return the element of a page's head that says when the page changed."""
    return f'<meta property="{PROPERTY}" content="{format_date(date)}" />'


def with_meta_tag(html: str, date: DateOrDatetime) -> str | None:
    """Return a page with its date in the head; as it is if the head names one.

    Likewise a part of a page, which has no head. None if it is not certain where the
    head ends.
    """
    if not _END_TAG.search(html):
        return html
    tag = meta_tag(date)
    for found in islice(_END_TAG.finditer(html), _MAX_PLACES):
        head = html[: found.start()]
        if is_slow(head):
            return None
        if not _is_seen(f"{head}{tag}", date):
            continue
        if PROPERTY in head:
            return html
        return f"{head}{tag}\n{html[found.start() :]}"
    return None


def about_unchanged(labels: Sequence[str]) -> Iterator[Notice]:
    """Yield a notice if there are pages for which there was no place."""
    if labels:
        pages = count_pages(len(labels))
        problem = f"the head of {pages} ends before `</head>`, so no date was put there"
        cure = "remove what does not belong in a head, such as an image or text"
        yield Notice("date-not-shown", problem, f"{cure} ({a_few(labels)})")


def _is_seen(html: str, date: DateOrDatetime) -> bool:
    """Tell whether the tag at the end of a text is the last element of the page's head.

    Then the parser is between two elements, where the tag changes nothing that follows.
    """
    head = LexborHTMLParser(html, scripting=True).head
    last = head.last_child if head is not None else None
    if last is None or last.tag != "meta":
        return False
    return last.attributes == {"property": PROPERTY, "content": format_date(date)}
