"""Read a sitemap, whatever its size.

And an index in a folder with the files of its parts.
"""

from __future__ import annotations

import codecs
import gzip
import io
import math
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast
from urllib.parse import unquote, urlsplit

from lxml import etree

from sitemap_plugins.core import limits, urls
from sitemap_plugins.core.messages import FileError, quoted

_BEFORE = 60
"""Characters before a fault that a message quotes."""

_AFTER = 20
"""Characters from a fault on that a message quotes."""

_PROBLEM = 120
"""Characters of a parser's own words, in which a name can be of any length."""

_CONTINUATION = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that do not begin a character."""

_REFERENCE = re.compile(r"&[^\s<>&;'\"]*;?$")
_WORD_END = re.compile(r"[^\s<>'\"]*$")
_WORD_START = re.compile(r"^[^\s<>'\"]*")


class LastBytes:
    """The last two blocks of bytes that a parser got, and their place in the file."""

    def __init__(self) -> None:
        """Begin at the start of a file."""
        self.has_ended = False
        """Whether the parser got all bytes that there are."""
        self._blocks = (b"", b"")
        self._lines = 0
        self._columns = 0

    def add(self, block: bytes) -> None:
        """Note the next block, which is empty at the end."""
        self.has_ended = not block
        dropped, kept = self._blocks
        lines, line_break, rest = dropped.rpartition(b"\n")
        if line_break:
            self._lines += lines.count(b"\n") + 1
            self._columns = 0
        self._columns += len(rest.translate(None, _CONTINUATION))
        self._blocks = (kept, block)

    def split_line(self, line: int, column: int) -> tuple[str, str]:
        """Return the text of a line before a column and from it on, both from 1.

        Two empty texts if the bytes are gone, or are not in an encoding that extends
        ASCII.
        """
        first, *others = b"".join(self._blocks).split(b"\n")
        lines = [first.lstrip(_CONTINUATION), *others]
        number = line - 1 - self._lines
        start = column - 1 - (self._columns if number == 0 else 0)
        if not 0 <= number < len(lines) or start < 0 or b"\0" in lines[number]:
            return "", ""
        text = lines[number].decode("utf-8", "replace")
        return text[:start], text[start:]


# libxml2 says in other words, from version to version, what it found.
_NO_ROOT = etree.ErrorTypes.ERR_DOCUMENT_EMPTY
_NOT_UTF_8 = etree.ErrorTypes.ERR_INVALID_ENCODING
_OLD_NOT_UTF_8 = "Input is not proper UTF-8"
_NOT_ENDED = {
    etree.ErrorTypes.ERR_TAG_NOT_FINISHED,
    etree.ErrorTypes.ERR_DOCUMENT_END,  # Before 2.12, if all bytes are read.
}


def xml_fault(entry: etree._LogEntry, last: LastBytes) -> FileError:
    """Return the error for what a parser found wrong.

    The commonest fault by far is an address with an `&`.
    """
    column = entry.column
    before, after = last.split_line(entry.line, column)
    before = before[-_BEFORE:]
    after = after[:_AFTER]
    reference = _REFERENCE.search(before)
    if reference:
        column -= len(reference[0])
        before = _WORD_END.findall(before)[0]
        after = _WORD_START.findall(after)[0]
        problem = "an '&' is not escaped"
        cure = "write '&' as '&amp;'"
        if reference[0].endswith(";"):
            problem = f"XML does not define {quoted(reference[0])}"
            cure = f"write the character itself, or {cure}"
    elif entry.type == _NO_ROOT:
        begins = f" (it begins with {quoted(after.strip())})" if after.strip() else ""
        cure = "name an XML sitemap, or a text sitemap whose name ends in .txt"
        return FileError(f"it is not XML{begins}", cure=cure, line=entry.line)
    elif last.has_ended and entry.type in _NOT_ENDED:
        problem = "the file ends too early"
        cure = "it was cut off, so write it again"
    else:
        problem = " ".join(entry.message[:_PROBLEM].split())
        # The number is that of any wrong character before 2.12.
        is_encoding = entry.type == _NOT_UTF_8 or problem.startswith(_OLD_NOT_UTF_8)
        cure = "save the file as UTF-8" if is_encoding else "correct it there"
    where = f"line {entry.line}, column {column}"
    text = f"{before}{after}".strip()
    if text:
        where += f", {quoted(text)}"
    msg = f"it is not well-formed XML ({where}: {problem})"
    return FileError(msg, cure=cure, line=entry.line)


MAX_BYTES = 1 << 30
"""Uncompressed bytes that are read of one file: twenty times what the protocol
allows."""

MAX_ELEMENTS = 100_000
"""Elements in one child of the root: ten times those of a page with a thousand
images."""

MAX_CHILD_BYTES = 8 * 1024 * 1024
"""Bytes of one child of the root: four times those of a thousand images with the
longest URLs."""

_BEGINNING = 1024
"""Bytes in which a file shows what it is."""

GZIP = b"\x1f\x8b"
"""What a gzip file begins with."""

# Possessive: a hostile run of comments would be divided in every way there is.
_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?+(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_LINK = f"{{{limits.XHTML_NAMESPACE}}}link"
_OURS = f"{{{limits.SITEMAP_NAMESPACE}}}"

IMAGE = f"{{{limits.IMAGE_NAMESPACE}}}image"
"""Name of `<image:image>`."""

VIDEO = f"{{{limits.VIDEO_NAMESPACE}}}video"
"""Name of `<video:video>`."""

NEWS = f"{{{limits.NEWS_NAMESPACE}}}news"
"""Name of `<news:news>`."""


class LanguageLink(NamedTuple):
    """One `<xhtml:link>`, as written."""

    rel: str
    language: str
    """`hreflang`."""
    url: str
    """`href`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """What the first bytes of a file say."""

    name: str
    """The root element's name without its namespace: `urlset`, `sitemapindex`, or
    another."""

    namespace: str
    """Empty for none."""

    line: int
    """Where the root element begins, from 1."""


class Extension(NamedTuple):
    """One image, video or news article of an entry, as written; every text stripped."""

    name: str
    """`IMAGE`, `VIDEO` or `NEWS`."""

    fields: tuple[tuple[str, str], ...]
    """All elements in it in order, with their own texts; those of its namespace as
    `title`."""

    def get(self, name: str) -> str:
        """Return the first text of a field that has one; empty if there is none."""
        return next((text for field, text in self.fields if field == name and text), "")


class Element(NamedTuple):  # Made in a third of the time of a frozen dataclass.
    """One child of the root, as written; every text without white space around it."""

    name: str
    """`url`, `sitemap`, or another; a namespace that is not the protocol's before it in
    braces."""

    line: int
    """Where it ends, from 1."""

    fields: tuple[tuple[str, str], ...] = ()
    """Its children with their texts in order, links apart; names as `name`."""

    links: tuple[LanguageLink, ...] = ()
    """In order."""

    extensions: tuple[Extension, ...] = ()
    """In order; they are among the fields too, with all their text in one."""

    def get(self, name: str) -> str:
        """Return the text of the first field with a name; empty where there is none."""
        for field, text in self.fields:
            if field == name:
                return text
        return ""


class SitemapStream(io.RawIOBase):
    """The unpacked bytes of a file, which end with an error when they are too many."""

    size: int
    """How many bytes have been read."""

    beginning: bytes
    """The first of them, as many as show what the file is; none before the first
    reading."""

    def __init__(self, stream: BinaryIO) -> None:
        """Read from a stream of unpacked bytes, which is closed with this one."""
        self.size = 0
        self.beginning = b""
        self._stream = stream

    def readable(self) -> bool:
        """Say yes, as `io` asks."""
        return True

    def close(self) -> None:
        """Close the file too."""
        self._stream.close()
        super().close()

    def rewind(self) -> None:
        """Begin again."""
        self._stream.seek(0)
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        """Return at most so many bytes; fewer at the end.

        Raises:
            FileError: They are too many, or cannot be read or unpacked.
        """
        try:
            data = self._stream.read(size if 0 <= size <= 1 << 20 else 1 << 20)
        except (OSError, EOFError, zlib.error) as error:
            raise FileError(
                f"it cannot be read ({error})", cure="write it again"
            ) from None
        if not self.size:
            self.beginning = data[:_BEGINNING]
        self.size += len(data)
        if self.size > MAX_BYTES:
            raise FileError("it is too large to be read", cure="split it")
        return data


def open_sitemap(file: Path) -> SitemapStream:
    """Open a sitemap file, bounded, and unpacked if its first bytes are gzip's.

    Raises:
        FileError: The file cannot be opened.
    """
    try:
        return unpacked(file.open("rb"))
    except OSError as error:
        raise FileError(
            f"it cannot be read ({error.strerror})", cure="check the file"
        ) from None


def unpacked(stream: BinaryIO) -> SitemapStream:
    """Return a seekable stream's bytes, unpacked and bounded as `open_sitemap` does."""
    packed = stream.read(2) == GZIP
    stream.seek(0)
    if packed:
        stream = cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    return SitemapStream(stream)


def read_sitemap(stream: BinaryIO | SitemapStream) -> Iterator[Root | Element]:
    """Yield the root of an XML sitemap, then each of its children; lazy.

    Comments and processing instructions are passed over.

    Raises:
        FileError: The file is an HTML page, not well-formed, has a document type, is
            too large, cannot be read or unpacked, or a child has more than
            `MAX_ELEMENTS` or `MAX_CHILD_BYTES`; with the line where known. What was
            yielded before is sound.
    """
    bounded = _ParsedStream(stream)
    events = etree.iterparse(
        cast("BinaryIO", bounded),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        yield from _elements(events, bounded)
    except etree.XMLSyntaxError:
        for entry in events.error_log:
            if entry.level > etree.ErrorLevels.WARNING:
                raise xml_fault(entry, bounded.last) from None
        raise FileError("it is empty", cure="build it again") from None


def is_html(beginning: bytes) -> bool:
    """Tell whether a file begins as a page for people does."""
    return _HTML.match(beginning[:_BEGINNING].removeprefix(codecs.BOM_UTF8)) is not None


def refuse_html(beginning: bytes) -> None:
    """Raise FileError for a file that begins as a page for people does."""
    if is_html(beginning):
        msg = "it is an HTML page, not a sitemap"
        raise FileError(msg, cure="name the sitemap, or build it again", line=1)


class _ParsedStream:
    """The bytes for a parser; HTML and a child that is too large are errors.

    A parser keeps them all until the child ends, and an attribute takes thirty times
    its bytes.
    """

    def __init__(self, stream: BinaryIO | SitemapStream) -> None:
        self.last = LastBytes()
        self.left_of_child = math.inf
        """Bytes that the child that is being read may still have."""
        self._stream = stream
        self._has_begun = False

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self.left_of_child -= len(data)
        if self.left_of_child < 0:
            msg = f"it has more than {MAX_CHILD_BYTES:,} bytes in one child of its root"
            raise FileError(msg, cure="write less")
        if not self._has_begun:
            refuse_html(data)
        self._has_begun = True
        self.last.add(data)
        return data


def _elements(
    events: etree.iterparse[tuple[str, etree._Element]], bounded: _ParsedStream
) -> Iterator[Root | Element]:
    depth = within = 0
    for event, node in events:
        depth += 1 if event == "start" else -1
        if event == "start":
            within += 1
            if depth == 1:
                root = node
                yield _root(root)
            elif depth == 2:  # A child of the root.
                bounded.left_of_child = MAX_CHILD_BYTES
            elif within > MAX_ELEMENTS:
                msg = f"it has more than {MAX_ELEMENTS:,} elements in one child of its root"
                raise FileError(msg, cure="list fewer there", line=_line(node))
        elif depth == 1:
            within = 0
            bounded.left_of_child = math.inf
            yield _element(node)
            while (before := node.getprevious()) is not None:
                root.remove(before)


def _line(node: etree._Element) -> int:
    return cast("int | None", node.sourceline) or 1


def _root(node: etree._Element) -> Root:
    document = node.getroottree().docinfo
    if document.internalDTD is not None:
        msg = "it has a document type, which sitemaps must not have"
        raise FileError(msg, cure="remove it", line=1)
    # Not by etree.QName, which raises an error for a namespace with a brace.
    namespace, _, name = str(node.tag).rpartition("}")
    return Root(name=name, namespace=namespace.removeprefix("{"), line=_line(node))


def _element(node: etree._Element) -> Element:
    fields = []
    links = []
    extensions = []
    for child in node:
        # Google, mobile sites: a link with `media` and without `hreflang` names no
        # version.
        if child.tag == _LINK and (
            "hreflang" in child.attrib or "media" not in child.attrib
        ):
            rel, language, url = (
                str(child.get(name) or "").strip()
                for name in ("rel", "hreflang", "href")
            )
            links.append(LanguageLink(rel, language, url))
        elif isinstance(child.tag, str):
            fields.append((child.tag.removeprefix(_OURS), _text(child)))
            if child.tag in {IMAGE, VIDEO, NEWS}:
                extensions.append(_extension(child))
    return Element(
        name=str(node.tag).removeprefix(_OURS),
        line=_line(node),
        fields=tuple(fields),
        links=tuple(links),
        extensions=tuple(extensions),
    )


def _extension(node: etree._Element) -> Extension:
    name = str(node.tag)
    namespace = name[: name.index("}") + 1]
    found = [
        (str(each.tag), (each.text or "").strip()) for each in node.iterdescendants()
    ]
    return Extension(
        name, tuple((field.removeprefix(namespace), text) for field, text in found)
    )


def _text(node: etree._Element) -> str:
    if not len(node):
        return (node.text or "").strip()
    return "".join(map(str, node.itertext())).strip()


MAX_NAME_BYTES = 255
"""Maximum bytes of a file's or folder's name on nearly every system."""

_UNUSUAL = re.compile(r"[\0\\:]")
"""Characters that no file's name has, or that lead to another folder on Windows."""


def read_index(file: Path) -> Iterator[str]:
    """Yield the URLs of an index's parts, as written, as far as it can be read.

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
    """Return a part's possible names from its index's folder, the longest first.

    An index does not know its own URL, so that any end of the part's path can be the
    name: the parts of a merged index are in folders below it. No name leads out of the
    folder.

    >>> part_names("https://example.com/docs/2.0/sitemap.xml")
    ['docs/2.0/sitemap.xml', '2.0/sitemap.xml', 'sitemap.xml']
    """
    if len(url) > limits.MAX_LOC_LENGTH:
        return []
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return []
    names = path.strip("/").split("/")
    if any(len(name.encode(errors="replace")) > MAX_NAME_BYTES for name in names):
        return []
    if (
        path.endswith("/")
        or not {"", ".", ".."}.isdisjoint(names)
        or _UNUSUAL.search(path)
    ):
        return []
    return ["/".join(names[start:]) for start in range(len(names))]


def part_file(index: Path, url: str) -> Path:
    """Return the file of a part, looked for below its index.

    Where it would be if it is missing.
    """
    files = [file for name in part_names(url) if (file := index.parent / name) != index]
    found = (file for file in files if file.is_file())
    return next(found, files[-1] if files else index.parent / "?")


def file_at(folder: Path, base_url: str, url: str) -> Path | None:
    """Return the file of a site that answers at a URL, which need not exist.

    None outside the site. `base_url` is normalized.
    """
    name = urls.percent_decode(url.removeprefix(base_url))
    is_below = url.startswith(base_url) and name in part_names(url)
    return folder / name if is_below else None
