"""The options of Pelican's `SITEMAP`: those of all hosts, and the keys of pelican-sitemap."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.options import (
    Options,
    checked_changefreq,
    checked_priority,
    checked_strings,
    checked_word,
    option,
)
from sitemap_plugins.core.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["KINDS", "PelicanOptions"]

KINDS = ("articles", "pages", "indexes")
"""The kinds of pages that pelican-sitemap tells apart, in its words."""

_ROOT = re.compile(r"(\^?)/(?=.)")


def _expressions(value: object) -> Patterns:
    return Patterns.compile(map(_marked, checked_strings(value)))


def _marked(item: str) -> str:
    """Return an item of pelican-sitemap's list, a regular expression, as all hosts write it."""
    if item.startswith("re:"):
        return item
    if item.startswith("glob:"):
        return item.removeprefix("glob:")
    # Its README writes "^/noindex/" and "/tag/", though no path begins with a slash.
    if root := _ROOT.match(item):
        item = (root[1] or "(?:^|/)") + item[root.end() :]
    return f"re:{item}"


def _by_kind(value: object, *, check: Callable[[object], Any]) -> dict[str, Any]:
    if not isinstance(value, dict):
        msg = f"{value!r} is not a dictionary: write {{'articles': …, 'pages': …, 'indexes': …}}"
        raise ValueError(msg)  # noqa: TRY004 every check of an option raises this one
    return {checked_word(kind, KINDS): check(item) for kind, item in value.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class PelicanOptions(Options):
    """The options of all hosts, and the keys of pelican-sitemap."""

    exclude: Patterns = option(
        default=[],
        kind="list of regular expressions",
        summary="Pages to leave out; `glob:` marks a pattern in gitignore syntax.",
        check=_expressions,
    )
    """Over site-relative paths."""

    format: str = option(
        default="xml",
        kind="`xml` or `txt`",
        summary="`txt` is the same as the option `text`.",
        check=partial(checked_word, words=("xml", "txt")),
    )
    """`xml` or `txt`."""

    changefreqs: Mapping[str, str] = option(
        default={},
        kind="`articles`, `pages`, `indexes` to value",
        summary="`<changefreq>` by kind of page.",
        check=partial(_by_kind, check=checked_changefreq),
    )
    """By kind; comes before the patterns of `changefreq`."""

    priorities: Mapping[str, float] = option(
        default={},
        kind="`articles`, `pages`, `indexes` to value",
        summary="`<priority>` by kind of page.",
        check=partial(_by_kind, check=checked_priority),
    )
    """By kind; comes before the patterns of `priority`."""
