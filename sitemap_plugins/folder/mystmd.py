"""The data that mystmd writes beside each page: which file of its project the page is made of.

The page's own address seldom says it: mystmd makes `guide/setup.md` and `setup.md` into `setup/`
and `setup-1/`, in the order of the table of contents, and the first file into the home page.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sitemap_plugins.core.untrusted_files import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["GENERATOR", "read_location"]

GENERATOR = "mystmd"
"""What `<meta name="generator">` says in its pages."""

MOST_BYTES = 8 * 1024 * 1024
"""Bytes of a page's data that are read at most: as many as of the page itself."""

_INDEX = "index"


def read_location(file: Path, path: str) -> str:
    """Return the path of a page's source below its project's folder; empty where it is not known.

    `path` is the page's, relative to the site's root.
    """
    site_dir = file.parents[path.count("/")]
    *folders, name = file.relative_to(site_dir).parts
    if name != "index.html":
        return ""
    found = {_location(site_dir, *parts) for parts in _slugs(folders)} - {""}
    return found.pop() if len(found) == 1 else ""


def _slugs(folders: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the folders of a page's data and the page's slug: `guide/a/` can be `guide.a`.

    The first folder is one of several projects, or belongs to the slug.
    """
    for start in range(min(len(folders), 1) + 1):
        project, slug = folders[:start], folders[start:]
        yield project, ".".join([*slug, _INDEX])
        if slug:
            yield project, ".".join(slug)


def _location(site_dir: Path, folders: Sequence[str], slug: str) -> str:
    file = site_dir.joinpath(*folders, f"{slug}.json")
    try:
        data = json.loads(read_regular_file(file, max_bytes=MOST_BYTES, root=site_dir))
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(data, dict) or data.get("slug") != slug:
        return ""
    location = data.get("location")
    return location.removeprefix("/") if isinstance(location, str) else ""
