"""What `merge` found out about the parts of an index, kept in a file for the next one.

A part with the same bytes lists the same URLs. What is kept holds of all its parts
together: each lists URLs of its own folder alone, none is listed twice, and none links
to another language. So parts whose folders meet need not be read again if all of them
are kept, and no other part can list one of their URLs.

Parts are a stranger's, the file is not: it says which of them were checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.publishing.read import MAX_BYTES
from sitemap_plugins.core.untrusted_files import is_file, read_json, write_json
from sitemap_plugins.sitemaps.locations import FileLocation, Location
from sitemap_plugins.sitemaps.parts import Part

_KEY = "sitemap-plugins merge"
"""With the version that checked the parts: another one may check more."""


class CheckedPart(NamedTuple):
    """What a part that was read, or need not be, lists."""

    urls: int
    """How many."""

    newest: str
    """The latest date of a page, as listed; empty for none."""

    digest: str = ""
    """SHA-256 of the file, hexadecimal; empty for one that is not to be kept."""


def digest_of(location: Location) -> str:
    """Return the SHA-256 of a file on disk, hexadecimal; empty for another place."""
    if not isinstance(location, FileLocation) or not is_file(location.path):
        return ""
    try:
        if location.path.stat().st_size > MAX_BYTES:
            return ""
        with location.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""


def read_checked(file: Path) -> dict[str, CheckedPart]:
    """Return the parts that are kept in a file, by URL; none if it does not exist.

    Raises:
        OptionsError: The file has other content.
    """
    if not file.exists():
        return {}
    problem = "is not a file that `merge --cache` wrote"
    return read_json(file, _parse, problem=problem, cure="name another, or remove it")


def _parse(found: Any) -> dict[str, CheckedPart]:  # noqa: ANN401 whatever JSON holds
    if found[_KEY] != version("sitemap-plugins"):
        return {}
    parts = {}
    for url, (number, newest, digest) in found["parts"].items():
        parts[url] = CheckedPart(int(number), str(newest), str(digest))
    return parts


def write_checked(file: Path, parts: Mapping[str, CheckedPart]) -> None:
    """Keep parts, by URL, that were checked together.

    Raises:
        OptionsError: The file has other content: it can be the index itself.
        OutputError: The file cannot be written; the index is.
    """
    read_checked(file)
    kept = {url: part for url, part in parts.items() if part.digest}
    try:
        write_json(file, {_KEY: version("sitemap-plugins"), "parts": kept})
    except OSError as error:
        msg = f"{file} cannot be written ({error.strerror})"
        raise OutputError(msg, cure="name another file with --cache") from None


def scope_of(part: Part[Location]) -> str:
    """Return the identity of the folder that a part lists URLs of, with a last slash.

    Sitemaps.org, protocol, "Sitemap file location": a sitemap "located at
    http://example.com/catalog/sitemap.xml can include any URLs starting with
    http://example.com/catalog/".
    """
    return urls.identity(part.url.rpartition("/")[0] + "/")


def by_scope(parts: Iterable[Part[Location]]) -> list[list[Part[Location]]]:
    """Divide parts into groups: no URL can be in the scopes of two groups."""
    groups: list[list[Part[Location]]] = []
    widest = ""
    # A folder comes right before all that is below it.
    for part in sorted(parts, key=scope_of):
        scope = scope_of(part)
        if not groups or not scope.startswith(widest):
            groups.append([])
            widest = scope
        groups[-1].append(part)
    return groups
