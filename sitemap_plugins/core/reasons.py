"""Why a page is left out: the stable words, each with what it means."""

from __future__ import annotations

from typing import Literal

__all__ = ["REASONS", "Reason"]

Reason = Literal[
    "draft",
    "hidden",
    "private",
    "not-built",
    "generated",
    "static",
    "front-matter",
    "noindex",
    "redirect",
    "canonical",
    "excluded",
    "robots",
    "missing",
    "bad-url",
    "duplicate",
    "failed",
]
"""One word for each; an adapter may give any of them, and the core decides on the rest."""

REASONS: dict[Reason, str] = {
    "draft": "the generator treats the page as a draft",
    "hidden": "the generator treats the page as hidden",
    "private": "the page's metadata says `Private: True`",
    "not-built": "the generator's settings exclude the page, such as `exclude_docs` in MkDocs",
    "generated": "the generator made the page: search, an index, source code, an error page",
    "static": "the generator only copied the HTML file; the option `static_html` lists it",
    "front-matter": "the page's front matter says `sitemap: false`",
    "noindex": "the page's front matter or HTML, or the file `_headers`, says noindex",
    "redirect": "the page's HTML, or the file `_redirects`, redirects to another address",
    "canonical": "the page's canonical link names another URL",
    "excluded": "the option `exclude` matches",
    "robots": "robots.txt disallows the page for every crawler",
    "missing": "the page's file is missing from the output folder, or empty",
    "bad-url": "the page's URL is not valid in a sitemap",
    "duplicate": "another page has the same URL",
    "failed": "the plugin failed on the page because of a bug",
}
"""What each reason means, for the verbose output and the manual."""
