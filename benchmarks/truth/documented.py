"""Which objects of Python a built page shows, by the marks that generators leave.

mkdocstrings, autodoc and sphinx-autoapi give each object an anchor with its dotted
name. autosummary links the objects of its tables, and mkautodoc writes their names.
"""

from __future__ import annotations

import contextlib
import re
from html.parser import HTMLParser
from typing import NamedTuple

MARKS = re.compile(r"doc-object|\bsig-object\b|id=\"?module-|autosummary|autodoc-")
"""A page without any shows no objects; the others are read."""

DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
MODULE = "module-"
"""Sphinx' anchors of modules begin with it, and those of some headings elsewhere."""

SPHINX = "documentation_options.js"
"""All pages of Sphinx load it."""

SPECIAL = {"doc-object", "autosummary", "autodoc-signature", "autodoc-members"}
"""Classes of elements within which anchors, links and words are names."""

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"}
VOID |= {"param", "source", "track", "wbr"}
"""Elements without an end."""


class Names(NamedTuple):
    """The dotted names of the objects that a page shows."""

    whole: tuple[str, ...]
    """Those with their docstrings."""

    listed: tuple[str, ...]
    """Those in tables alone, with the beginnings of their docstrings."""

    has_nameless: bool
    """Whether the page shows an object without a name: `:no-index:` of Sphinx."""


def names_in(html: str) -> Names:
    """Return the names of the objects that a page shows; those of none are empty."""
    if not MARKS.search(html):
        return Names((), (), has_nameless=False)
    page = _Page(html)
    whole = dict.fromkeys(page.whole)
    listed = dict.fromkeys(name for name in page.listed if name not in whole)
    return Names(tuple(whole), tuple(listed), page.has_nameless)


class _Page(HTMLParser):
    """The names in one page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.whole: list[str] = []
        self.listed: list[str] = []
        self.has_nameless = False
        self._open: list[tuple[str, str]] = []
        """The elements around what comes next, and what is special in each."""
        self._written: str | None = None
        """What mkautodoc has written of a name."""
        self._owner = ""
        self._is_sphinx = SPHINX in html
        with contextlib.suppress(AssertionError):
            self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        classes = set(values.get("class", "").split())
        anchor = values.get("id", "")
        if self._is_sphinx and anchor.startswith(MODULE):
            self.whole.append(anchor.removeprefix(MODULE))
        elif "sig-object" in classes and "py" in classes:
            self._note_signature(anchor)
        elif self._is_heading(tag, classes) and DOTTED.fullmatch(anchor):
            self.whole.append(anchor)
        elif tag == "a" and self._is_within("autosummary") and values.get("title"):
            self.listed.append(values["title"])
        elif tag == "code" and self._is_within("autodoc-signature"):
            self._written = ""
        if tag not in VOID:
            marks = SPECIAL & classes
            self._open.append((tag, next(iter(marks), "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "code" and self._written is not None:
            self._note_written(self._written.strip())
            self._written = None
        if any(tag == name for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._written is not None:
            self._written += data

    def _note_signature(self, anchor: str) -> None:
        if anchor:
            self.whole.append(anchor)
        else:
            self.has_nameless = True

    def _note_written(self, name: str) -> None:
        if self._is_within("autodoc-members"):
            name = f"{self._owner}.{name}"
        else:
            self._owner = name
        self.whole.append(name)

    def _is_heading(self, tag: str, classes: set[str]) -> bool:
        """Tell whether an element can be the anchor of an object of mkdocstrings."""
        is_anchor = tag == "a" and self._is_directly_within("doc-object")
        return "doc-heading" in classes or is_anchor

    def _is_directly_within(self, mark: str) -> bool:
        return bool(self._open) and self._open[-1][1] == mark

    def _is_within(self, mark: str) -> bool:
        return any(mark == each for _, each in self._open)
