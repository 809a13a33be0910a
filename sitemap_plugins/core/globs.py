"""Gitignore patterns as pathspec compiles them, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pathspec import GitIgnoreSpec
from pathspec.pattern import RegexMatchResult, RegexPattern

from sitemap_plugins.core.expressions import Expression


def compiled(item: str) -> Iterator[Any]:
    """Yield a pattern, or nothing for an empty line and a comment.

    Raises:
        ValueError: It is not a pattern.
    """
    for each in GitIgnoreSpec.from_lines([item]).patterns:
        if each.regex and each.include is not None:
            yield _Glob(each.regex, include=each.include)


def spec(patterns: list[Any]) -> GitIgnoreSpec:
    """Return what decides between patterns in the author's order."""
    return GitIgnoreSpec(patterns)


class _Glob(RegexPattern):
    """A gitignore pattern, as pathspec compiled it, that takes linear time."""

    __slots__ = ("_expression", "_longest", "_search")

    def __init__(self, regex: re.Pattern[str], *, include: bool) -> None:
        super().__init__(regex, include)
        self._expression = Expression(regex)
        self._longest = self._expression.longest
        self._search = regex.search

    def match_file(self, file: str) -> RegexMatchResult | None:
        """Return a match, which has the group `ps_d` if it matches only what is above a file."""
        if len(file) <= self._longest:
            found = self._search(file)
        elif self._expression.search(file):
            is_whole = _without_below(self._expression.regex.pattern).search(file)
            found = re.match("(?P<ps_d>/)?", "" if is_whole else "/")
        else:
            found = None
        return found and RegexMatchResult(found)


@lru_cache
def _without_below(source: str) -> Expression:
    """Return pathspec's expression without its group for what is below a folder."""
    return Expression(re.compile(source.replace("(?P<ps_d>/)", r"[^\s\S]")))
