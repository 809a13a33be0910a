"""Let the manual's search find pages for users before those about the project.

A hook of MkDocs. The sections of the navigation decide what a page is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

PROJECT = "The project"
"""The section whose pages are not for users."""
GENERATED = ("benchmarks.md", "changelog.md", "truth.md")
"""Tables and lists of this section, which would answer nearly every query."""


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Tell Material's search how much a page weighs."""
    section = page.ancestors[-1].title if page.ancestors else ""
    if page.file.src_uri in GENERATED:
        page.meta["search"] = {"exclude": True}
    elif section == PROJECT:
        page.meta["search"] = {"boost": 0.3}
    return markdown
