"""Canonical links that lead nowhere: their pages are left out, and nothing is listed instead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.untrusted_files import is_file, is_inside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["any_form", "has_file", "is_dead"]


def is_dead(canonical: str, base_url: str, answers: Callable[[str], bool]) -> bool:
    """Tell whether a canonical URL is below the site's address and no page is there.

    `answers` is asked for the URL's path below that address, as `urls.path_identity` spells it and
    without a query. Whether pages of other sites exist is not known.
    """
    whole, base = urls.identity(canonical).partition("?")[0], urls.identity(base_url)
    return whole.startswith(base) and not answers(whole.removeprefix(base))


def any_form(path: str) -> str:
    """Return the same text for all forms in which servers may accept a page's path.

    >>> [any_form(path) for path in ("a/", "a", "a.html", "a/index.html", "index.html")]
    ['a', 'a', 'a', 'a', '']
    """
    path = urls.path_identity(path)
    folder, _, name = path.rpartition("/")
    return (folder if name == "index.html" else path.removesuffix(".html")).rstrip("/")


def has_file(folder: Path, path: str) -> bool:
    """Tell whether a folder contains a file that servers give for a percent-encoded path."""
    name = unquote(path, errors="surrogateescape")
    if not is_inside(name):
        return False
    names = [name, os.path.join(name, "index.html")]  # noqa: PTH118
    if any_form(path).rpartition("/")[2] != "index":  # An index.html is its folder's.
        names.append(f"{name.rstrip('/')}.html")
    return any(is_file(os.path.join(folder, each)) for each in names)  # noqa: PTH118
