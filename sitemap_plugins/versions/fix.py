"""Which pages of old versions can outrank those of the default version.

Such pages can be fixed. One walk over all pages does both: each page is judged, and
fixed if that is wanted. A tag is put into the bytes of its head, by rules that can only
fail to find the place; what was written is read again as crawlers read it, and must say
what it said before, except for that tag. In the same way, a version's sitemap loses the
entries of fixed pages and nothing else. Otherwise page or sitemap is left alone. No
file is written here: the caller replaces those that are yielded.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from html import escape
from itertools import islice
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import Code
from sitemap_plugins.core.html.document import MAX_READ, declared_encoding, read_bytes
from sitemap_plugins.core.html.head import HeadMeta, read_head, read_head_of
from sitemap_plugins.core.limits import MAX_BYTES
from sitemap_plugins.core.messages import (
    FileError,
    PageError,
    count_pages,
    count_things,
    quoted,
)
from sitemap_plugins.core.publishing.read import GZIP, Element, unpacked
from sitemap_plugins.core.untrusted_files import is_file, read_regular_file
from sitemap_plugins.core.url_forms import INDEX, any_form
from sitemap_plugins.findings.records import (
    Collector,
    Finding,
    Findings,
    Result,
)
from sitemap_plugins.folder.options import Track
from sitemap_plugins.folder.versions import Version
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import find_sitemaps, read_stream
from sitemap_plugins.versions.old_pages import (
    KINDS,
    UNKNOWN,
    DefaultPages,
    Kind,
    OldPage,
)

_SPACE = r"[\t\n\f\r ]"
# HTML standard, "Tokenization": a tag ends at the first ">" outside of quoted values.
_ATTRIBUTES = (
    rf"""(?:{_SPACE}|/(?!>)|[^\t\n\f\r />"'=<]++(?:{_SPACE}*+={_SPACE}*+"""
    r"""(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r "'=<>`]++))?+)*+"""
)
_COMMENT = r"<!--(?!-?>)(?:(?!--!?>).)*+-->"
# Nothing else can stand before a written `<head>`: any other tag or text begins the
# head itself.
_HEAD = re.compile(
    rf"(?:\ufeff|\xef\xbb\xbf)?(?:{_SPACE}|{_COMMENT}|<!doctype{_SPACE}[^>]*+>"
    rf"|<html(?={_SPACE}|>){_ATTRIBUTES}>)*+<head(?={_SPACE}|>){_ATTRIBUTES}>",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_LINK = re.compile(
    rf"<link(?={_SPACE}|/){_ATTRIBUTES}/?>", re.IGNORECASE | re.DOTALL | re.ASCII
)

_NewFiles = Iterator[tuple[Path, bytes]]
"""Files to be written, with their new contents."""

_MAX_TRIED = 5
"""Tags tried as the canonical link: those in comments and scripts look like it."""


def with_canonical(html: bytes, url: str) -> bytes | None:
    """Return a page whose only canonical link is to a URL.

    The result is None if the place for the link is not certain. The link takes the
    place of the one that the page has, or stands right after `<head>`. `url` is
    absolute and percent-encoded. A page that already has the link is returned as it is.
    """
    head = read_head(html)
    wanted = head._replace(canonical=url, other_canonicals=())
    return _with_tag(
        html, f'<link rel="canonical" href="{escape(url)}" />', head, wanted
    )


def with_noindex(html: bytes) -> bytes | None:
    """Return a page with a robots tag that says noindex.

    The result is None if the place for the tag is not certain. The tag takes the place
    of a canonical link: search engines want one of the two.
    """
    head = read_head(html)
    wanted = head._replace(noindex=True, canonical=None, other_canonicals=())
    return _with_tag(html, '<meta name="robots" content="noindex" />', head, wanted)


def _with_tag(html: bytes, tag: str, head: HeadMeta, wanted: HeadMeta) -> bytes | None:
    """Return a page with a tag in its head, which then says what is `wanted`.

    `head` is what the head says now. The result is None if no place is certain.
    """
    if head == wanted:
        return html
    encoding = declared_encoding(html)
    if encoding == "iso-2022-jp":  # There, the bytes of a tag can be other characters.
        return None
    try:
        # One character for each byte, or for two: every byte comes back as it was.
        codec = _codec(html)
        text = html.decode(codec)
    except UnicodeDecodeError:
        return None
    # The page must then say what is wanted, and nothing else may differ.
    for start, end in _places(text, has_canonical=head.canonical is not None):
        new = f"{text[:start]}{tag}{text[end:]}".encode(codec)
        if declared_encoding(new) == encoding and read_head(new) == wanted:
            return new
    return None


def _codec(html: bytes) -> str:
    if html.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if html.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    return "latin-1"


def _places(text: str, *, has_canonical: bool) -> Iterator[tuple[int, int]]:
    """Yield where the tag may belong: an old link's span, or the end of `<head>`."""
    if has_canonical:
        tried = 0
        for link in _LINK.finditer(text):
            if tried < _MAX_TRIED and "canonical" in link[0].lower():
                tried += 1
                yield link.span()
        return
    head = _HEAD.match(text)
    if head is not None:
        yield head.end(), head.end()


def trimmed(folder: Path, is_unwanted: Callable[[str], bool]) -> _NewFiles:
    """Yield each sitemap file that lists unwanted URLs, with its new content.

    The content is empty for a file without any other URL, as crawlers treat a list of
    nothing as a fault: it is to be removed, after the index that lists it is replaced.
    Compressed twins are trimmed too; links are not followed.
    """
    sitemap = folder / "sitemap.xml"
    if not is_file(sitemap):
        sitemap = folder / "sitemap.xml.gz"
    if not is_file(sitemap):
        return
    first, *parts = find_sitemaps(FileLocation(sitemap))
    emptied = []
    unlisted: set[str] = set()

    def is_left_out(url: str) -> bool:
        return url in unlisted or is_unwanted(url)

    # Parts come first, so that the index loses those that are emptied.
    for file in (*parts, first):
        plain = file.path.with_name(file.path.name.removesuffix(".gz"))
        for each in (plain, plain.with_name(f"{plain.name}.gz")):
            new = _left(each, folder, is_left_out)
            if new:
                yield each, new
            elif new is not None:
                emptied.append((each, new))
                same = [part for part in first.parts if part.location.path == each]
                unlisted.update(part.url for part in same)
    yield from reversed(emptied)  # An index before its parts.


def _left(file: Path, top: Path, is_unwanted: Callable[[str], bool]) -> bytes | None:
    """Return a file's new content, empty without an entry.

    The result is None if the file is to stay as it is.
    """
    try:
        packed = read_regular_file(file, max_bytes=MAX_BYTES, root=top)
        blocks = iter(unpacked(io.BytesIO(packed)).read, b"")
        # Blocks have 1 MiB. What follows those that crawlers read is cut off, and then
        # the file is not read.
        old = b"".join(islice(blocks, MAX_BYTES >> 20))
        left, number = _without(old, is_unwanted)
    except (OSError, FileError, ValueError):
        # Nothing to read, or entries that are not plain.
        return None
    if left == old:
        return None
    if not number:
        return b""
    return gzip.compress(left, mtime=0) if packed.startswith(GZIP) else left


def _without(old: bytes, is_unwanted: Callable[[str], bool]) -> tuple[bytes, int]:
    """Return a sitemap without some of its entries, and how many it still has.

    Raises:
        FileError: The sitemap cannot be read.
        ValueError: Its entries are not written as plainly as they are cut out here.
    """
    root, entries = _listed(old)
    name = b"sitemap" if root == "sitemapindex" else b"url"
    *texts, end = old.split(b"</%s>" % name)
    new = []
    wanted = []
    for text, entry in zip(texts, entries, strict=True):
        if is_unwanted(entry.get("loc")):
            new.append(text.rpartition(b"<%s>" % name)[0].rstrip())
        else:
            new.append(b"%s</%s>" % (text, name))
            wanted.append(entry)
    left = b"".join((*new, end))
    if _listed(left) != (root, wanted):
        raise ValueError(root)
    return left, len(wanted)


def _listed(content: bytes) -> tuple[str, list[Element]]:
    """Return the root's name and what the file lists, without the lines of entries."""
    root, *found = read_stream(unpacked(io.BytesIO(content)), "")
    entries = [each for each in found if isinstance(each, Element)]
    return root.name, [entry._replace(line=0) for entry in entries]


_LISTED: frozenset[Kind] = frozenset({"itself", "nothing", "unreadable"})
"""What the pages say that stay in the sitemaps of their versions."""


NUMBERS = ("pages", *KINDS, "gone", "unprotected", "fixed")
"""What is counted of a folder: its pages; what they say, after some were fixed; pages
that the default version does not have; pages that can outrank its own and could be
fixed; fixed pages."""


class VersionsCheck:
    """The pages of all old versions, judged one after the other."""

    def __init__(self, default: DefaultPages, *, fixes: bool, noindex: bool) -> None:
        """Prepare to judge.

        With `fixes`, pages are fixed if the place is certain; with `noindex`, pages
        that the default version no longer has get a robots tag, so that search engines
        drop them.
        """
        self.default = default
        """The pages of the default version, which each other version's pages should
        name."""
        self._fixes = fixes
        self._noindex = noindex
        self._found = Collector()
        self._unreadable: dict[str, list[str]] = {}
        """The folders of each page that cannot be judged, by its name below them."""
        self.rows: dict[str, Counter[str]] = {}
        """The `NUMBERS` of pages of each folder of an old version, by the folder's
        name."""
        self.added_bytes = 0
        """By how many bytes all fixed pages together become longer."""
        self.sitemaps = 0
        """How many files of sitemaps are fixed."""
        self.keeps_sitemaps = default.reads_sitemap
        """Whether sitemaps stay as they are, because pages read them in the browser."""
        self._is_listed: dict[str, bool] = {}
        """Whether sitemaps list any page at a path, by `any_form` of the path."""

    def fixed(self, track: Track) -> _NewFiles:
        """Judge every page, and yield each fixed file with its new content.

        Then come the files of the old versions' own sitemaps, as `trimmed` yields them.
        """
        top = self.default.versions.folder
        folders = self.default.versions.by_name
        self._found.add(_about_alias(self.default))
        for folder in track([*folders], "Reading old versions"):
            # The folder that a symbolic link leads to is judged by its own name.
            if folder != self.default.folder and not (top / folder).is_symlink():
                yield from self._fixed_in(folders[folder], folder)
        if not self._fixes or self.keeps_sitemaps:
            return
        for folder in self.rows:
            if folder not in self.default.default.folders:
                files = [*trimmed(top / folder, self._is_elsewhere)]
                self.sitemaps += len(files)
                yield from files

    def _fixed_in(self, version: Version, folder: str) -> _NewFiles:
        """Judge every page in a folder, and yield the fixed ones."""
        row: Counter[str] = Counter()
        for page in self.default.old_pages(version, folder):
            row.update(pages=1, gone=page.is_gone)
            yield from self._look(page, folder, row)
        if row["pages"]:
            self.rows[folder] = row
        self._found.add(self._about_gone(row["gone"], folder))

    def result(self) -> Result:
        """Return what was found, once all pages are judged."""
        for name, folders in self._unreadable.items():
            self._found.add([_about_unreadable(name, folders)])
        pages = sum(row["pages"] for row in self.rows.values())
        whole = Result(files=len(self.rows), urls=pages)
        return self._found.result(whole)

    def _look(self, page: OldPage, folder: str, row: Counter[str]) -> _NewFiles:
        """Judge a page, count it in `row`, and yield its file if it can be fixed.

        What is counted and reported is what the page says afterwards.
        """
        if self._can_be_better(page):
            file = self.default.versions.folder / page.file
            html = read_bytes(file)
            new = self._fix(page, html)
            if new is None:
                page = page._replace(kind="unreadable")
            elif self._fixes:
                row["fixed"] += 1
                self.added_bytes += len(new) - len(html)
                yield file, new
                page = page._replace(kind=self._kind_fixed(page), is_dead=False)
        self.keeps_sitemaps |= page.reads_sitemap
        path = any_form(urls.percent_encode(page.file))
        if page.kind in _LISTED:
            self._is_listed[path] = True
        self._is_listed.setdefault(path, False)
        row.update({page.kind: 1, "unprotected": page.is_unprotected})
        if page.kind == "unreadable":
            name = page.file.removeprefix(f"{folder}/")
            self._unreadable.setdefault(name, []).append(folder)
        else:
            self._found.add(_findings(page))

    def _can_be_better(self, page: OldPage) -> bool:
        if page.is_unprotected:
            return True
        # A page that the default version lacks gets noindex, or a canonical link to
        # itself in place of a dead one.
        return page.is_gone and (self._noindex or page.is_dead)

    def _kind_fixed(self, page: OldPage) -> Kind:
        """Return what a page says once it is fixed.

        Its canonical link names the default version's page, or the page itself; or the
        page says noindex.
        """
        if page.target:
            return "default"
        return "noindex" if self._noindex else "itself"

    def _is_elsewhere(self, url: str) -> bool:
        """Tell whether a page names another as canonical, or is not to be indexed."""
        path = urls.identity(url).removeprefix(urls.identity(self.default.base_url))
        return not self._is_listed.get(any_form(path), True)

    def _fix(self, page: OldPage, html: bytes) -> bytes | None:
        """Return a page's new content; None where the tag's place is not certain."""
        if len(html) >= MAX_READ:  # The rest of the file would be lost.
            return None
        if page.is_gone and self._noindex:
            return with_noindex(html)
        return with_canonical(html, page.target or page.url)

    def _about_gone(self, gone: int, folder: str) -> Findings:
        if not gone or (self._fixes and self._noindex):
            return
        problem = f"the default version does not have {count_pages(gone)} of {folder}"
        options = "use --gone noindex, or --map if they moved"
        cure = f"leave them if they are useful; or {options}"
        yield Finding("old-version", problem, cure, file=folder, matters="info")


def _about_alias(default: DefaultPages) -> Findings:
    """Yield a finding if canonical links name an alias that mike made of redirects."""
    alias = default.folder
    folder = default.default.name
    with suppress(PageError):
        if read_head_of(default.versions.folder / alias / INDEX).refresh:
            problem = (
                f"the canonical links name {quoted(alias)}, a folder of redirects to"
                f" {quoted(folder)}"
            )
            cure = "set mike's alias_type to symlink or copy"
            yield Finding("dead-canonical", problem, cure, file=f"{alias}/{INDEX}")


def _about_unreadable(name: str, folders: Sequence[str]) -> Finding:
    """Return one finding for a page of several versions: mostly a file of a theme."""
    text = "where a canonical link belongs is not certain, or it cannot be read"
    if len(folders) > 1:
        text += f"; the same in {count_things(len(folders) - 1, 'more version')}"
    return Finding("html-unreadable", text, file=f"{folders[0]}/{name}")


def _findings(page: OldPage) -> Findings:
    # If the site's address is unknown, messages have the paths below it.
    url = page.url.removeprefix(UNKNOWN)
    canonical = quoted(page.canonical.removeprefix(UNKNOWN))
    target = quoted(page.target.removeprefix(UNKNOWN))
    code: Code = "old-version"
    if page.is_dead:
        code = "dead-canonical"
        text = f"it names {canonical} as its canonical URL, where there is no page"
    elif page.is_unprotected and page.canonical:
        named = "itself" if page.kind == "itself" else canonical
        text = f"it names {named} as canonical, and not {target}"
    elif page.is_unprotected:
        text = f"it has no canonical link to {target}"
    else:
        return
    yield Finding(code, text, url=url, file=page.file)
