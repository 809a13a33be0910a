"""Lines that a page shows of files which were read while no page was.

A hook or a plugin can read files before the first page, and write what it read into
pages. No recorder of opened files sees that; but the words are there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from benchmarks.truth.bodies import Body
    from benchmarks.truth.history import History

LONG = 8
"""Words that are hardly the same in two texts by chance."""

MOST = 0.5
"""What this share of the pages shows is their layout."""


class Excerpt(NamedTuple):
    """The newest line of other files that a page shows."""

    file: str
    """Its tracked path."""

    added: datetime
    """When the line came into the file."""

    files: frozenset[str] = frozenset()
    """The tracked paths of all files of which it shows a line."""


def excerpts(
    bodies: Mapping[str, Body],
    texts: Mapping[str, str],
    own: Callable[[str], str],
    can_show: Callable[[str, str], bool],
    history: History,
) -> dict[str, Excerpt]:
    """Return the newest excerpt of each page that has one, by its output file.

    `texts` are the contents of tracked files; `own` returns what a page was made from,
    whose lines are no excerpts. `can_show` tells whether a page can show a text: two
    manuals can have the same output of a command.
    """
    lines = {}
    for path, text in texts.items():
        for words, line in _long_lines(text):
            lines[words] = (path, line)
    shown = {}
    for file, body in bodies.items():
        shown[file] = _runs(body.unlinked) & lines.keys()
    numbers = Counter(words for found in shown.values() for words in found)
    usual = {words for words, number in numbers.items() if number > MOST * len(bodies)}
    newest = {}
    for file, found in shown.items():
        others = found - usual
        if others:
            others -= _runs(_words(own(file)))
        dated = []
        for words in others:
            path, line = lines[words]
            if not can_show(file, path):
                continue
            added = history.line_added(path, line)
            if added:
                dated.append(Excerpt(path, added))
        if dated:
            last = max(dated, key=lambda excerpt: excerpt.added)
            files = frozenset(excerpt.file for excerpt in dated)
            newest[file] = last._replace(files=files)
    return newest


def _long_lines(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the first words of each line that has many, and the line."""
    for line in text.splitlines():
        words = _words(line)
        if len(words) >= LONG:
            yield tuple(words[:LONG]), line.strip()


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters, without addresses and tags."""
    return re.findall(r"\w+", re.sub(r"\]\([^)\n]*\)|<[^>\n]*>", " ", text).lower())


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    """Return all runs of so many words of a page."""
    return {tuple(words[at : at + LONG]) for at in range(len(words) - LONG + 1)}
