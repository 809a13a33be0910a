"""Patterns over site-relative paths: gitignore syntax, and regular expressions.

A pattern sees a page's path as a person writes it: decoded, without a leading slash, a directory
URL with its last slash (`blog/2024/`). The home page, whose path is empty, counts as `index.html`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pathspec import GitIgnoreSpec

from sitemap_plugins.core.urls import decoded

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Patterns", "Rules"]

Value = TypeVar("Value", str, float)

REGEX = "re:"
"""Marks an item as a regular expression, searched anywhere in the path."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """A list of patterns; of the gitignore ones the last that matches decides, `!` takes back."""

    globs: GitIgnoreSpec
    """All gitignore patterns, in the author's order."""

    expressions: tuple[re.Pattern[str], ...]
    """All regular expressions, in the author's order."""

    @classmethod
    def compile(cls, items: Iterable[str]) -> Patterns:
        """Compile patterns in gitignore syntax, and regular expressions marked `re:`.

        Raises:
            ValueError: An item cannot be compiled; the text names it and the reason.
        """
        globs, expressions = [], []
        for item in items:
            try:
                if item.startswith(REGEX):
                    expressions.append(re.compile(item.removeprefix(REGEX)))
                else:
                    GitIgnoreSpec.from_lines([item])
                    globs.append(item)
            # pathspec raises a ValueError of its own; `re` the others for what is too large.
            except (re.error, ValueError, OverflowError, RecursionError) as error:
                msg = f"{item!r} is not a pattern: {error}"
                raise ValueError(msg) from None
        return cls(GitIgnoreSpec.from_lines(globs), tuple(expressions))

    def match(self, path: str) -> bool:
        """Tell whether a percent-encoded site-relative path matches."""
        name = decoded(path) or "index.html"
        return bool(self.globs and self.globs.match_file(name)) or any(
            expression.search(name) for expression in self.expressions
        )

    def __bool__(self) -> bool:
        """Tell whether there is any pattern."""
        return bool(self.globs) or bool(self.expressions)


@dataclass(frozen=True, slots=True)
class Rules(Generic[Value]):
    """Values by pattern, in the author's order."""

    items: tuple[tuple[Patterns, Value], ...] = ()
    """Each pattern with the value of the pages that match it."""

    def first(self, path: str) -> Value | None:
        """Return the value of the first pattern that a percent-encoded path matches, or None."""
        if not self.items:
            return None
        return next((value for patterns, value in self.items if patterns.match(path)), None)
