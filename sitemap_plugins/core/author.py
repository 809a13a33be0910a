"""What a page's author says of it in its front matter: the keys `sitemap` and `robots`.

    sitemap: false                                  leave the page out
    sitemap: {lastmod: 2024-05-01, priority: 0.8}   fields of its entry
    sitemap: "lastmod: 2024-05-01, priority: 0.8"   the same where values can only be text
    robots: noindex                                 leave the page out

A wrong field is ignored with a notice; the others count.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core import dates
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.markup import says_noindex
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.options import checked_changefreq, checked_priority

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from sitemap_plugins.core.pages import Page

__all__ = ["applied"]

_NO = {"false", "no", "off", "0"}
_YES = {"", "true", "yes", "on", "1"}
_IN_NO_FILE_NAME = re.compile("[\0\ud800-\udfff]")


def applied(page: Page) -> tuple[Page, tuple[Notice, ...]]:
    """Return the page with what its front matter says, and a notice for each field that is wrong.

    `modified`, `changefreq`, `priority` and `left_out` are set; `sources` grows by the files that
    `sources` names, relative to the page's own source.
    """
    value = page.metadata.get("sitemap")
    robots = page.metadata.get("robots")
    if value is None and robots is None and page.changefreq is None and page.priority is None:
        return page, ()
    if _forbids_index(robots):
        return dataclasses.replace(page, left_out=page.left_out or "noindex"), ()
    wrong: list[Notice] = []
    try:
        wanted, fields = _parsed(value)
    except PageError as error:
        wanted, fields = True, {}
        wrong.append(_notice(page, "sitemap", str(error)))
    if not wanted:
        return dataclasses.replace(page, left_out=page.left_out or "author"), ()
    page, wrong_fields = _with_fields(page, fields)
    return page, (*wrong, *wrong_fields)


def _forbids_index(robots: object) -> bool:
    """Tell whether a robots value, text or a list of texts, says noindex."""
    values = robots if isinstance(robots, list | tuple) else [robots]
    return any(says_noindex(value) for value in values if isinstance(value, str))


def _parsed(value: object) -> tuple[bool, Mapping[str, object]]:
    """Return whether the page is to be listed, and the fields of its entry."""
    if isinstance(value, str):
        return _parsed_text(value.strip())
    if value is None or isinstance(value, bool):
        return value is not False, {}
    if isinstance(value, dict):
        return True, {str(key): item for key, item in value.items()}
    msg = f"{value!r} is neither false nor a mapping: write false, or lastmod, changefreq, priority"
    raise PageError(msg)


def _parsed_text(text: str) -> tuple[bool, Mapping[str, object]]:
    if text.lower() in _NO | _YES:
        return text.lower() in _YES, {}
    if text.startswith("{"):  # MyST hands a nested mapping over as JSON.
        try:
            return _parsed(json.loads(text))
        except (ValueError, RecursionError):
            pass
    pairs = [item.partition(":") for item in text.split(",")]
    if all(colon for _, colon, _ in pairs):
        return True, {key.strip(): item.strip() for key, _, item in pairs}
    msg = (
        f"{text!r} is neither false nor fields: write false, or `lastmod: 2024-05-01, priority: 1`"
    )
    raise PageError(msg)


def _with_fields(page: Page, fields: Mapping[str, object]) -> tuple[Page, list[Notice]]:
    # The host's values first, so that the author's replace them.
    given = {"changefreq": page.changefreq, "priority": page.priority}
    said = [(name, value) for name, value in given.items() if value is not None]
    readers: dict[str, tuple[str, Callable[[object], object]]] = {
        "lastmod": ("modified", dates.read),
        "changefreq": ("changefreq", checked_changefreq),
        "priority": ("priority", checked_priority),
        "sources": ("sources", lambda value: page.sources + _sources(page, value)),
    }
    changes: dict[str, Any] = {"changefreq": None, "priority": None}
    notices = []
    for name, value in (*said, *fields.items()):
        if name not in readers:
            close = difflib.get_close_matches(name, readers, n=1)
            cure = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(readers)}"
            notices.append(_notice(page, f"sitemap.{name}", f"is not a field: {cure}"))
            continue
        field, read = readers[name]
        try:
            changes[field] = read(value)
        except (PageError, ValueError) as error:
            notices.append(_notice(page, f"sitemap.{name}", str(error)))
    return dataclasses.replace(page, **changes), notices


def _sources(page: Page, value: object) -> tuple[Path, ...]:
    names = [value] if isinstance(value, str) else value
    if not page.sources:
        msg = "the page has no source that its other sources could stand beside: take it out"
        raise PageError(msg)
    if not isinstance(names, list) or not all(_is_file_name(name) for name in names):
        msg = f"{value!r} is not a list of files: write ['../snippet.md']"
        raise PageError(msg)
    return tuple(page.sources[0].parent / name for name in names)


def _is_file_name(name: object) -> bool:
    return isinstance(name, str) and not _IN_NO_FILE_NAME.search(name)


def _notice(page: Page, field: str, text: str) -> Notice:
    text = f"{page.label}: {field}: {text}"
    return Notice(code="bad-metadata", text=text, source=page.label)
