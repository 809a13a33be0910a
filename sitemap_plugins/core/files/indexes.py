"""Indexes in a folder: what they list, and where the files of their parts are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import FileError
from sitemap_plugins.core.files.read import Element, Root, open_sitemap, read_sitemap
from sitemap_plugins.core.limits import MAX_LOC_LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["file_at", "part_file", "part_names", "read_index"]

MAX_NAME_BYTES = 255
"""Maximum bytes of a file's or folder's name on nearly every system."""

_UNUSUAL = re.compile(r"[\0\\:]")
"""Characters that no file's name has, or that lead to another folder on Windows."""


def read_index(file: Path) -> Iterator[str]:
    """Yield the URLs of the parts that an index lists, as written and as far as it can be read.

    Any other file lists none.
    """
    if not file.is_file():  # A pipe's other end may never come.
        return
    try:
        with open_sitemap(file) as stream:
            for element in read_sitemap(stream):
                if isinstance(element, Element):
                    yield element.get("loc")
                elif isinstance(element, Root) and element.name != "sitemapindex":
                    return
    except FileError:
        return


def part_names(url: str) -> list[str]:
    """Return what a part can be called, seen from its index's folder, the longest name first.

    An index does not know its own URL, so that any end of the part's path can be the name: the
    parts of a merged index are in folders below it. No name leads out of the folder.

    >>> part_names("https://example.com/docs/2.0/sitemap.xml")
    ['docs/2.0/sitemap.xml', '2.0/sitemap.xml', 'sitemap.xml']
    """
    if len(url) > MAX_LOC_LENGTH:
        return []
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return []
    names = path.strip("/").split("/")
    if any(len(name.encode(errors="replace")) > MAX_NAME_BYTES for name in names):
        return []
    if path.endswith("/") or not {"", ".", ".."}.isdisjoint(names) or _UNUSUAL.search(path):
        return []
    return ["/".join(names[start:]) for start in range(len(names))]


def part_file(index: Path, url: str) -> Path:
    """Return the file of a part, looked for below its index; where it would be if it is missing."""
    files = [file for name in part_names(url) if (file := index.parent / name) != index]
    found = (file for file in files if file.is_file())
    return next(found, files[-1] if files else index.parent / "?")


def file_at(folder: Path, base_url: str, url: str) -> Path | None:
    """Return the file of a site that answers at a URL, which need not exist; None outside the site.

    `base_url` is normalized.
    """
    name = urls.percent_decode(url.removeprefix(base_url))
    is_below = url.startswith(base_url) and name in part_names(url)
    return folder / name if is_below else None
