"""Read a sitemap of any size, and find the files of an index's parts in a folder."""

from __future__ import annotations

import codecs
import gzip
import io
import math
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core import limits, urls
from sitemap_plugins.core.messages import FileError, quoted
from sitemap_plugins.core.untrusted_files import open_regular_file, refuse_link

if TYPE_CHECKING:
    from lxml import etree  # It is slow to import, and most builds parse nothing.

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
        # Only the place at which the kept bytes begin is needed of the dropped ones.
        dropped, kept = self._blocks
        lines, line_break, rest = dropped.rpartition(b"\n")
        if line_break:
            self._lines += lines.count(b"\n") + 1
            self._columns = 0
        self._columns += len(rest.translate(None, _CONTINUATION))
        self._blocks = (kept, block)

    def split_line(self, line: int, column: int) -> tuple[str, str]:
        """Return the text of a line before a column, and the text from it on.

        `line` and `column` count from 1. Both texts are empty if the bytes are dropped,
        or if their encoding does not extend ASCII.
        """
        first, *others = b"".join(self._blocks).split(b"\n")
        lines = [first.lstrip(_CONTINUATION), *others]
        number = line - 1 - self._lines
        start = column - 1
        if number == 0:  # The beginning of this line is dropped.
            start -= self._columns
        if start < 0 or not 0 <= number < len(lines):
            return "", ""
        here = lines[number]
        if b"\0" in here:
            return "", ""
        text = here.decode("utf-8", "replace")
        return text[:start], text[start:]


# Versions of libxml2 report one fault with different words and numbers. These are the
# names of numbers in `etree.ErrorTypes`.
_NO_ROOT = "ERR_DOCUMENT_EMPTY"
_NOT_UTF_8 = "ERR_INVALID_ENCODING"
_OLD_NOT_UTF_8 = "Input is not proper UTF-8"
_BY_LIBRARY = "write the file with an XML library, which escapes what it must"
_CURES = {
    _NOT_UTF_8: "save the file as UTF-8",
    "ERR_RESERVED_XML_NAME": "write one document, and '<?xml' once at its start",
    "ERR_TAG_NAME_MISMATCH": "write the end tag that is missing",
    "ERR_ATTRIBUTE_NOT_STARTED": "write the value in quotes",
    "ERR_STRING_NOT_STARTED": "write the value in quotes",
    "ERR_INVALID_CHAR": "remove the character",
    "NS_ERR_UNDEFINED_NAMESPACE": "write the prefix's xmlns:… on the root element",
}
_NOT_ENDED = {
    "ERR_TAG_NOT_FINISHED",
    "ERR_DOCUMENT_END",  # Before 2.12, if all bytes are read.
}


def xml_fault(entry: etree._LogEntry, last: LastBytes) -> FileError:
    """Return the error for what a parser found wrong.

    `entry` is the parser's message, and `last` the bytes around the fault. The
    commonest fault by far is an address with an `&`, so this one has words of its own.
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
        problem, cure = _about_reference(reference[0])
    elif entry.type_name == _NO_ROOT:
        return _not_xml(after.strip(), entry.line)
    else:
        problem, cure = _in_words(entry, last)
    where = f"line {entry.line}, column {column}"
    text = f"{before}{after}".strip()
    if text:
        where += f", {quoted(text)}"
    msg = f"it is not well-formed XML ({where}: {problem})"
    return FileError(msg, cure=cure, line=entry.line)


def _about_reference(reference: str) -> tuple[str, str]:
    """Return what is wrong with an `&` and the name after it, and the cure."""
    cure = "write '&' as '&amp;'"
    if not reference.endswith(";"):
        return "an '&' is not escaped", cure
    problem = f"XML does not define {quoted(reference)}"
    return problem, f"write the character itself, or {cure}"


def _not_xml(beginning: str, line: int) -> FileError:
    """Return the error for a file without any element."""
    problem = "it is not XML"
    if beginning:
        problem += f" (it begins with {quoted(beginning)})"
    cure = "name an XML sitemap, or a text sitemap whose name ends in .txt"
    return FileError(problem, cure=cure, line=line)


def _in_words(entry: etree._LogEntry, last: LastBytes) -> tuple[str, str]:
    """Return what a parser found wrong, and the cure."""
    if last.has_ended and entry.type_name in _NOT_ENDED:
        return "the file ends too early", "it was cut off, so write it again"
    problem = " ".join(entry.message[:_PROBLEM].split())
    # Before 2.12, all wrong characters have one number.
    if problem.startswith(_OLD_NOT_UTF_8):
        return problem, _CURES[_NOT_UTF_8]
    return problem, _CURES.get(entry.type_name, _BY_LIBRARY)


MAX_BYTES = 1 << 30
"""Uncompressed bytes that are read of a file: twenty times what the protocol allows."""

MAX_ELEMENTS = 100_000
"""Elements in a child of the root: ten times those of a page with 1,000 images."""

MAX_CHILD_BYTES = 8 * 1024 * 1024
"""Bytes of a child of the root: four times 1,000 images with the longest URLs."""

_BEGINNING = 1024
"""Bytes in which a file shows what it is."""

_MOST_AT_ONCE = 1 << 20
"""Bytes that one call reads."""

GZIP = b"\x1f\x8b"
"""What a gzip file begins with."""

_ARCHIVES = {
    GZIP: ("compressed twice", "compress it with gzip once"),
    b"PK\x03\x04": ("a zip archive", "compress it with gzip"),
}
"""What a file begins with that is no sitemap, what it is, and the cure."""

_XML = b"<?xml "

BLANKS = " \t\r\n"
"""XML's white space; a no-break space is part of a value (XML 1.0, section 2.3)."""

# Possessive: a hostile run of comments would be divided in every way there is.
_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?+(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_LINK = f"{{{limits.XHTML_NAMESPACE}}}link"
_OURS = f"{{{limits.SITEMAP_NAMESPACE}}}"

TEXT = "#text"
"""Name of text where the schema allows only elements."""

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


class Root(NamedTuple):
    """What the first bytes of a file say."""

    name: str
    """`urlset`, `sitemapindex`, or another; without its namespace."""

    namespace: str
    """Empty for none."""

    line: int
    """Where the root element begins, from 1."""


class Extension(NamedTuple):
    """One image, video or news article of an entry, as written; every text stripped."""

    name: str
    """`IMAGE`, `VIDEO` or `NEWS`."""

    fields: tuple[tuple[str, str], ...]
    """All its elements in order, with their own texts; of its namespace, as `title`."""

    def get(self, name: str) -> str:
        """Return the first text of a field that has one; empty if there is none."""
        return next((text for field, text in self.fields if field == name and text), "")


class Element(NamedTuple):  # Made in a third of the time of a frozen dataclass.
    """One child of the root, as written; every text without white space around it."""

    name: str
    """`url`, `sitemap`, or another; a foreign namespace comes before it in braces.

    `TEXT` for text between the children of the root.
    """

    line: int
    """Where it ends, from 1."""

    fields: tuple[tuple[str, str], ...] = ()
    """Its children with their texts in order, links apart; names as `name`.

    A child of a child of the protocol, as in `<loc><a>…`, follows that as `loc/a`.
    """

    links: tuple[LanguageLink, ...] = ()
    """In order."""

    extensions: tuple[Extension, ...] = ()
    """In order; they are among the fields too, with all their text in one."""

    ends_with_links: bool = True
    """Whether none of the protocol's elements follows a link."""

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
    """The first bytes, by which a file is recognized; empty before the first `read`."""

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
        """Go back to the first byte."""
        self._stream.seek(0)
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes; fewer at the end, or if `size` is large.

        Raises:
            FileError: The file has too many bytes, or cannot be read or unpacked.
        """
        if not 0 <= size <= _MOST_AT_ONCE:
            size = _MOST_AT_ONCE
        try:
            data = self._stream.read(size)
        except (OSError, EOFError, zlib.error) as error:
            msg = f"it cannot be read ({error})"
            raise FileError(msg, cure="write it again") from None
        if not self.size:
            self.beginning = data[:_BEGINNING]
        self.size += len(data)
        if self.size > MAX_BYTES:
            raise too_large(MAX_BYTES)
        return data


def too_large(limit: int) -> FileError:
    """Return the error for a file that has more bytes than are read."""
    msg = f"it has more than {limit:,} bytes, the most that is read of a sitemap"
    return FileError(msg, cure="split it")


def open_sitemap(file: Path) -> SitemapStream:
    """Open a sitemap file, bounded, and unpacked if its first bytes are gzip's.

    A link that leads out is refused, because messages quote a sitemap's content.

    Raises:
        FileError: The file cannot be opened, or is a link that leads out.
    """
    try:
        refuse_link(file)
        return unpacked(open_regular_file(file))
    except OSError as error:
        msg = f"it cannot be read ({error.strerror or error})"
        cure = "make it readable, or put the file itself where the link is"
        raise FileError(msg, cure=cure) from None


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
        FileError: The file is an HTML page, not well-formed, has a document type with
            declarations, is too large, cannot be read or unpacked, a child has more
            than `MAX_ELEMENTS`, or a child or the root's tag more than
            `MAX_CHILD_BYTES`; with the line if it is known. What was yielded before is
            sound.
    """
    from lxml import etree  # noqa: PLC0415 as above

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


def refuse_others(beginning: bytes) -> None:
    """Raise FileError for a file that begins as no XML document does."""
    if is_html(beginning):
        msg = "it is an HTML page, not a sitemap"
        raise FileError(msg, cure="name the sitemap, or build it again", line=1)
    for magic, (problem, cure) in _ARCHIVES.items():
        if beginning.startswith(magic):
            raise FileError(f"it is not XML, but {problem}", cure=cure, line=1)
    before, declaration, _ = beginning.removeprefix(codecs.BOM_UTF8).partition(_XML)
    if before and declaration and b"<" not in before:
        text = before.decode("utf-8", "replace").strip()[:_BEFORE]
        what = quoted(text) if text else "a blank"
        cure = "remove it, or the code that prints it before the sitemap"
        raise FileError(f"{what} stands before <?xml", cure=cure, line=1)


class _ParsedStream:
    """The bytes for a parser; HTML and an element that is too large are errors.

    A parser keeps all bytes of the root's tag, and of a child, until it ends, and an
    attribute takes thirty times its bytes.
    """

    def __init__(self, stream: BinaryIO | SitemapStream) -> None:
        self.last = LastBytes()
        self.left = float(MAX_CHILD_BYTES)
        """Bytes that the root's tag, or the child that is being read, may still have."""
        self._stream = stream
        self._has_begun = False

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self.left -= len(data)
        if self.left < 0:
            msg = f"it has more than {MAX_CHILD_BYTES:,} bytes in one element"
            raise FileError(msg, cure="write less")
        if not self._has_begun:
            refuse_others(data)
        self._has_begun = True
        self.last.add(data)
        return data


def _elements(
    events: etree.iterparse[tuple[str, etree._Element]], bounded: _ParsedStream
) -> Iterator[Root | Element]:
    """Yield the root and its children, and forget each child.

    A child is forgotten only after the next one, which needs the text between them.
    """
    depth = 0
    within = 0  # Elements of a child so far.
    for event, node in events:
        depth += 1 if event == "start" else -1
        if event == "start":
            within += 1
            if depth == 1:
                root = node
                bounded.left = math.inf
                yield _root(root)
            elif depth == 2:  # A child of the root.
                bounded.left = MAX_CHILD_BYTES
            elif within > MAX_ELEMENTS:
                number = f"{MAX_ELEMENTS:,} elements"
                msg = f"it has more than {number} in one child of its root"
                raise FileError(msg, cure="list fewer there", line=_line(node))
        elif depth == 1:  # A child of the root ends.
            within = 0
            bounded.left = math.inf
            before = node.getprevious()
            text = root.text if before is None else before.tail
            if _has_text(text):
                yield Element(TEXT, _line(node))
            yield _element(node)
            while (before := node.getprevious()) is not None:
                root.remove(before)
        # The root ends: text can follow its last child.
        elif depth == 0 and len(node) and _has_text(node[-1].tail):
            yield Element(TEXT, _line(node[-1]))


def _has_text(text: str | None) -> bool:
    """Tell whether an element's own text or the text after it is more than space."""
    return text is not None and text.strip(BLANKS) != ""


def _line(node: etree._Element) -> int:
    return cast("int | None", node.sourceline) or 1


def _root(node: etree._Element) -> Root:
    # A document type alone, `<!DOCTYPE urlset>`, changes nothing.
    document = node.getroottree().docinfo
    if document.internalDTD is not None and _declares(document):
        msg = "its document type declares entities or elements, which are not read"
        raise FileError(msg, cure="remove it", line=1)
    # Not by etree.QName, which raises an error for a namespace with a brace.
    namespace, _, name = str(node.tag).rpartition("}")
    return Root(name=name, namespace=namespace.removeprefix("{"), line=_line(node))


def _declares(document: etree.DocInfo) -> bool:
    """Tell whether a document type says more than the name of the root."""
    if document.public_id or document.system_url:  # type: ignore[attr-defined]
        return True
    inside = document.internalDTD
    # What these methods return, the stubs of lxml do not know.
    return bool(inside.entities() or inside.elements())  # type: ignore[attr-defined]


def _element(node: etree._Element) -> Element:
    """Return a child of the root with its fields, as written."""
    fields = []
    links = []
    extensions = []
    ends_with_links = True
    # Text before the first element of the child.
    if _has_text(node.text) and len(node):
        fields.append((TEXT, ""))
    for child in node:
        if _has_text(child.tail):
            fields.append((TEXT, ""))
        if child.tag == _LINK and _is_of_language(child):
            words = (child.get(name) or "" for name in ("rel", "hreflang", "href"))
            links.append(LanguageLink(*(str(word).strip(BLANKS) for word in words)))
        elif isinstance(child.tag, str):
            name = child.tag.removeprefix(_OURS)
            fields.append((name, _text(child)))
            if child.tag in {IMAGE, VIDEO, NEWS}:
                extensions.append(_extension(child))
            elif name != child.tag:
                ends_with_links = ends_with_links and not links
                if len(child):
                    fields += [(f"{name}/{_local_name(each)}", "") for each in child]
    return Element(
        name=str(node.tag).removeprefix(_OURS),
        line=_line(node),
        fields=tuple(fields),
        links=tuple(links),
        extensions=tuple(extensions),
        ends_with_links=ends_with_links,
    )


def _local_name(node: etree._Element) -> str:
    return str(node.tag).rpartition("}")[2]


def _is_of_language(link: etree._Element) -> bool:
    """Tell whether a link names a version in a language.

    Google, mobile sites: one with `media` and without `hreflang` does not.
    """
    return "hreflang" in link.attrib or "media" not in link.attrib


def _extension(node: etree._Element) -> Extension:
    name = str(node.tag)
    namespace = name[: name.index("}") + 1]
    fields = []
    for each in node.iterdescendants():
        field = str(each.tag).removeprefix(namespace)
        fields.append((field, (each.text or "").strip(BLANKS)))
    return Extension(name, tuple(fields))


def _text(node: etree._Element) -> str:
    if not len(node):
        return (node.text or "").strip(BLANKS)
    return "".join(map(str, node.itertext())).strip(BLANKS)


MAX_NAME_BYTES = 255
"""Maximum bytes of a file's or folder's name on nearly every system."""

_MAX_PART_FOLDERS = 20
"""Folders of a part's name, itself included: a file is looked for in each."""

_UNUSUAL = re.compile(r"[\0\\:]")
"""Characters that no file's name has, or that lead to another folder on Windows."""


def read_index(file: Path) -> Iterator[str]:
    """Yield the URLs of an index's parts, as written, as far as it can be read.

    A file that is not an index lists no URL.
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
    if path.endswith("/") or _UNUSUAL.search(path):
        return []
    names = path.strip("/").split("/")
    if not {"", ".", ".."}.isdisjoint(names):
        return []
    if any(len(name.encode(errors="replace")) > MAX_NAME_BYTES for name in names):
        return []
    names = names[-_MAX_PART_FOLDERS:]
    return ["/".join(names[start:]) for start in range(len(names))]


def part_file(index: Path, url: str) -> Path:
    """Return the file of a part below its index, or where it would be if missing.

    `url` is the part's URL. The longest of its possible names that has a file counts;
    without any file, the shortest name.
    """
    folder = index.parent
    files = [folder / name for name in part_names(url) if folder / name != index]
    for file in files:
        if file.is_file():
            return file
    return files[-1] if files else folder / "?"


def file_at(folder: Path, base_url: str, url: str) -> Path | None:
    """Return the file of a site that answers at a URL, which need not exist.

    The result is None for a URL outside the site. `base_url` is normalized.
    """
    if not url.startswith(base_url):
        return None
    name = urls.percent_decode(url.removeprefix(base_url))
    # `part_names` refuses names that lead out of the folder, or that no file can have.
    return folder / name if name in part_names(url) else None
