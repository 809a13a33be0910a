"""Sitemaps that are in the output folder already, from an earlier build or another program.

They can be anything: a pipe, a device, a link, a file of any size.
"""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import unescape

from sitemap_plugins.core.errors import FileError
from sitemap_plugins.core.files.plan import is_submitted
from sitemap_plugins.core.files.read import open_sitemap
from sitemap_plugins.core.files.stylesheet import (
    STYLESHEET_BYTES,
    is_stylesheet,
    stylesheet_name,
)
from sitemap_plugins.core.files.xml import is_signed, signature_comment
from sitemap_plugins.core.limits import MAX_BYTES
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

__all__ = [
    "OldFiles",
    "about_replaced",
    "find_old_files",
    "has_others_stylesheet",
    "is_of_another_kind",
]

_BEGINNING = 16 * 1024
"""Bytes in which a sitemap shows that it is one."""

# Possessive, so that no hostile beginning takes longer than its length.
_SITEMAP = re.compile(
    rb"(?:\s++|<\?(?>.*?\?>)|<!--(?>.*?-->)|<!DOCTYPE[^>]*+>)*+<(?:[\w.-]++:)?(?:urlset|sitemapindex)\b"
    rb"|\s*+https?://",
    re.DOTALL,
)
_MEANT_AS_SITEMAPS = frozenset({"sitemap.xml", "sitemap.xml.gz"})
_LOC = re.compile("<loc>([^<]*)</loc>")


class OldFiles(NamedTuple):
    """The files of an earlier build that the new one does not have, each kind sorted."""

    texts: list[Path]
    """Text sitemaps."""

    indexes: list[Path]
    """Submitted files; removed first, so that none lists a part that is gone."""

    parts: list[Path]
    """All others, also the style sheet."""


def find_old_files(output_dir: Path, filename: str, *, keep: Collection[str]) -> OldFiles:
    """Return the files of the set that `filename` names, without the names to keep.

    Only files that this package wrote for this set, under the names that they have now: the first
    lines of an XML file prove it. A text sitemap can contain only URLs; it is ours if it lists the
    same URLs as our XML file of the same name. A user's own files are never among them.

    Raises:
        OSError: The folder cannot be read.
    """
    stem = re.escape(filename.removesuffix(".xml"))
    name_of_ours = re.compile(rf"({stem}(?:-([a-z0-9-]+))?)\.(xml|txt)(?:\.gz)?")
    old = OldFiles([], [], [])
    for file in sorted(output_dir.iterdir()):
        match = name_of_ours.fullmatch(file.name)
        if match is None or file.name in keep:
            continue
        name, key, extension = match.groups(default="")
        proof = signature_comment(filename, key)
        if extension == "txt":
            text = _read(file)  # Empty for a link, which is the user's.
            twins = (_read(output_dir / f"{name}{end}") for end in (".xml", ".xml.gz"))
            if text and any(twin.startswith(proof) and text == _text(twin) for twin in twins):
                old.texts.append(file)
        elif _read(file, len(proof)) == proof:
            (old.indexes if is_submitted(file.name, filename) else old.parts).append(file)
    style = output_dir / stylesheet_name(filename)
    if style.name not in keep and _is_our_stylesheet(style, filename):
        old.parts.append(style)
    return old


def is_of_another_kind(file: Path, new: Path) -> bool:
    """Tell whether `new` is a sitemap, in XML or text, and would replace a file that is not one.

    A link, an empty file and an unreadable one may be replaced. A file called `sitemap.xml` was
    meant as a sitemap: projects have templates of that name.
    """
    if file.name in _MEANT_AS_SITEMAPS:
        return False
    there = _read(file, _BEGINNING)
    return bool(there) and not _is_sitemap(there) and _is_sitemap(_read(new, _BEGINNING))


def _is_sitemap(beginning: bytes) -> bool:
    """Tell whether a file begins as a sitemap does, in XML or text."""
    return _SITEMAP.match(beginning.removeprefix(codecs.BOM_UTF8)) is not None


def about_replaced(file: Path) -> Iterator[Notice]:
    """Yield a notice if another program's sitemap stands where ours is to be written."""
    if not file.is_file():  # A pipe's other end may never come.
        return
    try:
        with open_sitemap(file) as stream:
            beginning = stream.read(_BEGINNING)
    except FileError:
        return
    if _is_sitemap(beginning) and not is_signed(beginning):
        problem = f"{file.name} was not written by this plugin and is replaced"
        cure = "if another program still writes it, keep only one of the two"
        yield Notice("replaced-file", problem, cure)


def has_others_stylesheet(output_dir: Path, filename: str) -> bool:
    """Tell whether a file that this package did not write has the name of the set's style sheet."""
    style = output_dir / stylesheet_name(filename)
    there = style.is_symlink() or style.exists()
    return there and not _is_our_stylesheet(style, filename)


def _is_our_stylesheet(file: Path, filename: str) -> bool:
    return is_stylesheet(_read(file, STYLESHEET_BYTES), filename)


def _read(file: Path, size: int = MAX_BYTES) -> bytes:
    """Return a file's first bytes, unpacked; none if it is not a regular file or is broken."""
    if file.is_symlink() or not file.is_file():
        return b""
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            return stream.read(size)
    except (EOFError, OSError, zlib.error):
        return b""


def _text(urlset: bytes) -> bytes:
    """Return the text sitemap that lists the same URLs as one of our XML files."""
    locs = "".join(f"{loc}\n" for loc in _LOC.findall(urlset.decode("utf-8", "replace")))
    return unescape(locs, {"&quot;": '"', "&apos;": "'"}).encode()
