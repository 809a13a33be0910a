"""What the rules for robots say in a `<meta name=robots>`, front matter or the header X-Robots-Tag.

https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
"""

from __future__ import annotations

import re

__all__ = ["header_says_noindex", "says_noindex"]

_NOT_INDEXED = frozenset({"noindex", "none"})
_BETWEEN_WORDS = re.compile(r"[,\s]+")
# In a header, rules may follow the name of a crawler and a colon; these rules have a colon too.
_WITH_VALUE = frozenset(
    {"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"}
)
_ALL_OR_GOOGLE = frozenset({"", "*", "robots", "googlebot"})


def says_noindex(content: str) -> bool:
    """Tell whether the content of a robots meta tag has the token `noindex` or `none`, any case.

    Google, robots meta tags: "none: equivalent to noindex, nofollow".

    >>> says_noindex("max-image-preview: none, NOINDEX"), says_noindex("max-image-preview: none")
    (True, False)
    """
    # Values such as `max-image-preview: none` are one word each.
    joined = ":".join(part.strip() for part in content.lower().split(":"))
    return not _NOT_INDEXED.isdisjoint(_BETWEEN_WORDS.split(joined))


def header_says_noindex(value: str) -> bool:
    """Tell whether an X-Robots-Tag header forbids all crawlers, or Google's, to index the page.

    A crawler's name counts for what follows it, up to the next name.

    >>> header_says_noindex("noindex"), header_says_noindex("otherbot: noindex, nofollow")
    (True, False)
    >>> header_says_noindex("unavailable_after: 25 Jun 2010 15:00:00 PST, googlebot: none")
    True
    """
    crawler = ""
    for item in value.split(","):
        name, colon, rule = item.partition(":")
        if colon and name.strip().lower() not in _WITH_VALUE:
            crawler, item = name.strip().lower(), rule  # noqa: PLW2901
        if crawler in _ALL_OR_GOOGLE and says_noindex(item):
            return True
    return False
