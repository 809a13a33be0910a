"""Patterns over pages: gitignore syntax, and regular expressions.

A pattern sees two texts of each page: its URL path as a person writes it (decoded, no
leading slash, a directory URL with its last slash: `blog/2024/`; the home page counts
as `index.html`), and the name of its source as messages show it (`blog/2024.md`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from sitemap_plugins.core.messages import WrongValueError, quoted
from sitemap_plugins.core.urls import percent_decode

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec  # It is slow to import.

Value = TypeVar("Value", str, float)

REGEX = "re:"
"""Marks an item as a regular expression, searched anywhere in either text."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """A list of patterns.

    The last gitignore pattern that matches decides, and `!` negates one.
    """

    items: tuple[str, ...]
    """All patterns as written."""

    globs: GitIgnoreSpec | None = field(compare=False)
    """All gitignore patterns, in the author's order; None if there are none."""

    glob_items: tuple[str, ...] = field(compare=False)
    """The item of each of these."""

    expressions: tuple[tuple[str, re.Pattern[str]], ...] = field(compare=False)
    """Each item that is a regular expression, and the expression, in the author's
    order."""

    @classmethod
    def compile(cls, items: Iterable[str]) -> Self:
        """Compile patterns in gitignore syntax, and regular expressions marked `re:`.

        Raises:
            WrongValueError: An item cannot be compiled; the text names it and the
                reason.
        """
        items = tuple(items)
        globs: list[Any] = []
        glob_items: list[str] = []
        expressions = []
        for item in items:
            is_expression, text = cls.read(item)
            try:
                if is_expression:
                    expressions.append((item, re.compile(text)))
                else:
                    from pathspec import GitIgnoreSpec  # noqa: PLC0415 most sites have none

                    found = GitIgnoreSpec.from_lines([text]).patterns
                    globs += found
                    glob_items += [item] * len(found)
            # pathspec raises a subclass of ValueError; `re` raises the last two for an
            # expression that is too large.
            except (re.error, ValueError, OverflowError, RecursionError) as error:
                msg = f"{quoted(item)} is not a pattern: {error}"
                raise WrongValueError(msg) from None
        spec = GitIgnoreSpec(globs) if globs else None
        return cls(items, spec, tuple(glob_items), tuple(expressions))

    @staticmethod
    def read(item: str) -> tuple[bool, str]:
        """Return whether an item is a regular expression, and the item without `re:`.

        A host can override this for other marks.
        """
        return item.startswith(REGEX), item.removeprefix(REGEX)

    def match(self, path: str, name: str = "") -> bool:
        """Tell whether a page matches, by its encoded path or its source's name."""
        return bool(self.decisive(path, name))

    def decisive(self, path: str, name: str = "") -> str:
        """Return the item because of which a page matches, as written.

        The result is empty if the page does not match.
        """
        for item, expression in self.expressions:
            if any(map(expression.search, self.searched_texts(path, name))):
                return item
        if self.globs is None:
            return ""
        found = [self.globs.check_file(text) for text in _texts(path, name)]
        matching = [
            (each.index, each.include) for each in found if each.index is not None
        ]
        if not matching:
            return ""
        index, is_included = max(matching)
        return self.glob_items[index] if is_included else ""

    def searched_texts(self, path: str, name: str) -> list[str]:
        """Return the texts of a page in which expressions are searched.

        A host can override this for other texts.
        """
        return _texts(path, name)

    def unused(self, pages: Collection[tuple[str, str]]) -> list[str]:
        """Return each item that matches none of the pages (path and name).

        A negated item counts as used if it matches a page, whether or not another item
        matches this page.
        """
        globs = self.globs.patterns if self.globs else ()
        texts = {text for page in pages for text in _texts(*page)}
        used = set()
        for item, pattern in zip(self.glob_items, globs, strict=True):
            if any(map(pattern.match_file, texts)):
                used.add(item)
        searched = {text for page in pages for text in self.searched_texts(*page)}
        for item, expression in self.expressions:
            if any(map(expression.search, searched)):
                used.add(item)
        return [item for item in self.items if item not in used]

    def __bool__(self) -> bool:
        """Tell whether there is any pattern."""
        return bool(self.items)


def cure_of_unused(items: Iterable[str], pages: Collection[tuple[str, str]]) -> str:
    r"""Return what to do about items that match none of the pages (path and name).

    Authors on Windows write `drafts\*`, where `\` only makes `*` a plain character.
    """
    for item in items:
        if item.startswith(REGEX):
            continue
        slashed = Patterns.compile([item.replace("\\", "/")])
        if not any(slashed.unused(pages)):
            return r"correct it (write / for \)"
    return "correct it"


def _texts(path: str, name: str) -> list[str]:
    """Return the texts of a page that patterns are matched against."""
    text = percent_decode(path) or "index.html"
    return [text, name] if name else [text]


@dataclass(frozen=True, slots=True)
class Rules(Generic[Value]):
    """Values by pattern, in the author's order."""

    items: tuple[tuple[Patterns, Value], ...] = ()
    """Each pattern with the value of the pages that match it."""

    def first(self, path: str, name: str = "") -> Value | None:
        """Return the value of the first pattern that a page matches, or None."""
        if not self.items:  # As on most sites, for each of their pages.
            return None
        for patterns, value in self.items:
            if patterns.match(path, name):
                return value
        return None

    def unused(self, pages: Collection[tuple[str, str]]) -> Iterator[str]:
        """Yield each pattern that matches none of the pages (path and name); lazy."""
        for patterns, _ in self.items:
            yield from patterns.unused(pages)
