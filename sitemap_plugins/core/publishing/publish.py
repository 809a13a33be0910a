"""Publish files in a folder: whole or not at all, in place of those of earlier builds.

Parts come first, then the index; then old parts are removed, and robots.txt and the
style sheet announce the sitemap. What is in the folder already can be anything: a pipe,
a device, a link, a file of any size. The style sheet is CSS: browsers are removing XSL,
which other sitemaps use.
"""

from __future__ import annotations

import codecs
import filecmp
import gzip
import os
import re
import shutil
import stat
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import resources
from itertools import islice
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.limits import MAX_BYTES
from sitemap_plugins.core.messages import (
    FileError,
    Notice,
    Notices,
    OutputError,
    RobotsError,
    quoted,
)
from sitemap_plugins.core.page_record import find_records, is_record
from sitemap_plugins.core.publishing.plan import File, is_submitted
from sitemap_plugins.core.publishing.read import file_at, open_sitemap, read_index
from sitemap_plugins.core.publishing.staging import replace, staging_folder, why_refused
from sitemap_plugins.core.publishing.xml import is_signed, signature_comment, unescaped
from sitemap_plugins.core.untrusted_files import patiently

STYLESHEET_BYTES = 16 * 1024
"""Bytes of a file in which the comment is looked for: the style sheet has 4 KB."""


def stylesheet_name(filename: str) -> str:
    """Return the name of the style sheet of the set that `filename` names.

    >>> stylesheet_name("sitemap.xml")
    'sitemap.css'
    """
    return f"{filename.removesuffix('.xml')}.css"


def stylesheet(filename: str) -> bytes:
    """Return the style sheet of the set that `filename` names.

    Its first comment proves whose it is. Minifiers join the lines, may remove spaces in
    a comment, and keep only comments that begin with an exclamation mark.
    """
    style = resources.files(__package__).joinpath("stylesheet.css").read_bytes()
    return f"/*! sitemap_plugins: {filename} */\n".encode() + style


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


_OF_TEXTS = (".txt", ".txt.gz")


def find_old_files(
    output_dir: Path, filename: str, *, keep: Collection[str]
) -> tuple[list[Path], list[Path]]:
    """Return old text sitemaps of the set that `filename` names, and its other files.

    Both lists are sorted and lack the names to keep. Submitted files come first, so
    that none of them lists a part that is already removed. A file counts only if this
    package wrote it for this set, under its present name: the first lines of an XML
    file prove that. A text sitemap can contain only URLs; it is ours if it lists the
    same URLs as our XML file of the same name. A user's own files are never among them.

    Raises:
        OSError: The folder cannot be read.
    """
    stem = filename.removesuffix(".xml")
    # A blog can have all its pages in one folder.
    with os.scandir(output_dir) as entries:
        names = sorted(each.name for each in entries if each.name.startswith(stem))
    there = [output_dir / name for name in names if name not in keep]
    ours = [file for file in there if _is_ours(file, filename)]
    texts = [file for file in ours if file.name.endswith(_OF_TEXTS)]
    others = [file for file in ours if not file.name.endswith(_OF_TEXTS)]
    others.sort(key=lambda file: not is_submitted(file.name, filename))
    records = find_records(output_dir, filename)
    others += [file for file in records if file.name not in keep]
    style = output_dir / stylesheet_name(filename)
    if style.name not in keep and _is_our_stylesheet(style, filename):
        others.append(style)
    return texts, others


def _is_ours(file: Path, filename: str) -> bool:
    """Tell whether a file is a sitemap of the set that `filename` names."""
    stem = re.escape(filename.removesuffix(".xml"))
    # The name without its extension, what a part adds to the set's, the extension.
    name_of_ours = rf"({stem}(?:-([a-z0-9-]+))?)\.(xml|txt)(?:\.gz)?"
    match = re.fullmatch(name_of_ours, file.name)
    if match is None:
        return False
    name, key, extension = match.groups(default="")
    proof = signature_comment(filename, key)
    if extension == "txt":
        return _is_text_of(file, file.with_name(name), proof)
    return _read(file, len(proof)) == proof


def _is_text_of(file: Path, stem: Path, proof: bytes) -> bool:
    """Tell whether a text sitemap lists the same URLs as our XML file of its name.

    `stem` is the path of both without an extension, and `proof` is how our XML file
    begins.
    """
    text = _read(file)
    if not text:  # `_read` also returns nothing for a link, which is the user's.
        return False
    twins = (_read(Path(f"{stem}{end}")) for end in (".xml", ".xml.gz"))
    return any(twin.startswith(proof) and text == _text(twin) for twin in twins)


def is_of_another_kind(file: Path, new: Path) -> bool:
    """Tell whether `new` is a sitemap and would replace a file that is not one.

    A link, an empty file and an unreadable one may be replaced. A file called
    `sitemap.xml` was meant as a sitemap: projects have templates of that name.
    """
    if file.name in _MEANT_AS_SITEMAPS:
        return False
    there = _read(file, _BEGINNING)
    if not there or _is_sitemap(there):
        return False
    return _is_sitemap(_read(new, _BEGINNING))


def _is_sitemap(beginning: bytes) -> bool:
    """Tell whether a file begins as a sitemap does, in XML or text."""
    return _SITEMAP.match(beginning.removeprefix(codecs.BOM_UTF8)) is not None


def about_replaced(file: Path) -> Iterator[Notice]:
    """Yield a notice if another program's sitemap is at `file`, where ours will be."""
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


def _is_our_stylesheet(file: Path, filename: str) -> bool:
    """Tell whether a file is this set's style sheet, minified or not."""
    comment = rf"/\*!\s*sitemap_plugins:\s*{re.escape(filename)}\s*\*/"
    return re.search(comment.encode(), _read(file, STYLESHEET_BYTES)) is not None


def _read(file: Path, size: int = MAX_BYTES) -> bytes:
    """Return a file's first bytes, unpacked.

    The result is empty if the file is not a regular one, or is damaged.
    """
    if file.is_symlink() or not file.is_file():
        return b""
    open_it = gzip.open if file.suffix == ".gz" else open
    try:
        with open_it(file, "rb") as stream:
            return stream.read(size)
    except (EOFError, OSError, zlib.error):
        return b""


def _text(urlset: bytes) -> bytes:
    """Return the text sitemap that lists the same URLs as one of our XML files."""
    locs = _LOC.findall(urlset.decode("utf-8", "replace"))
    lines = "".join(f"{loc}\n" for loc in locs)
    return unescaped(lines).encode()


_BATCH = 2_000
"""Files replaced at once: room on the disk is needed for all of them."""


def publish(
    files: Iterable[File], *, output_dir: Path, filename: str
) -> tuple[tuple[Path, ...], Notices]:
    """Write the files of the set that `filename` names, and clear its old parts.

    Returns their paths, twins included, and a notice for each old file that could not
    be removed.

    A file that already has the same bytes is left alone, with its time. Files of an
    earlier build are removed if they certainly belong to this set; nothing else ever
    is. Builds that write into one folder wait for each other, two minutes at most.

    Raises:
        OutputError: A file cannot be written, or a sitemap would replace a file of
            another kind; none, or only the first ones, have been replaced.
    """
    with _as_output_error(output_dir), staging_folder(output_dir) as staging:
        staged = _stage_all(files, staging, output_dir)
        written = tuple(output_dir / new.name for new in staged)
        keep = {new.name for new in staged}
        texts, others = find_old_files(output_dir, filename, keep=keep)
        # Text sitemaps go before the XML files, which prove that the texts are ours: if
        # this build is killed, the next one can still tell.
        about_texts = tuple(_remove(texts))
        _move_all(staged, output_dir, filename)
        about_others = tuple(_remove(others))
    return written, (*about_texts, *about_others)


def write_files(files: Iterable[File], *, output_dir: Path) -> tuple[Path, ...]:
    """Write files, in their order, and nothing else.

    Return their paths, twins included.

    Raises:
        OutputError: As `publish`.
    """
    with _as_output_error(output_dir), staging_folder(output_dir) as staging:
        staged = _stage_all(files, staging, output_dir)
        _move_all(staged, output_dir)
    return tuple(output_dir / new.name for new in staged)


def replace_files(files: Iterable[tuple[Path, bytes]], *, output_dir: Path) -> None:
    """Replace files below a folder with other content, each as a whole.

    A file whose content is empty is removed. A kill leaves each file as it was or as it
    should be. Files must not be links.

    Raises:
        OutputError: A file cannot be written; those before it are replaced.
    """
    ahead = iter(files)
    with _as_output_error(output_dir), staging_folder(output_dir) as staging:
        while batch := [*_staged(islice(ahead, _BATCH), staging)]:
            # To wait for each file would take ten times as long as everything else.
            if hasattr(os, "sync"):  # Windows has none.
                os.sync()
            for new, file in batch:
                if new.stat().st_size:
                    replace(new, file, file.stat().st_mode & 0o777)
                else:
                    patiently(partial(file.unlink, missing_ok=True))


def clear_leftovers(output_dir: Path) -> None:
    """Remove what a killed run left in a folder, once no other run is writing there.

    Entering the staging folder does this.

    Raises:
        OutputError: As `publish`.
    """
    with _as_output_error(output_dir), staging_folder(output_dir):
        pass


def _staged(
    files: Iterable[tuple[Path, bytes]], staging: Path
) -> Iterator[tuple[Path, Path]]:
    """Write contents into the staging folder, under numbers as names.

    Yield each new file with the file that it will replace.
    """
    for number, (file, content) in enumerate(files):
        new = staging / str(number)
        new.write_bytes(content)
        yield new, file


@contextmanager
def _as_output_error(output_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = error.filename2 or error.filename or output_dir
        msg = f"{place} cannot be written ({error.strerror or error})"
        raise OutputError(msg, cure=why_refused(error)) from error


def _stage_all(files: Iterable[File], staging: Path, output_dir: Path) -> list[Path]:
    """Write files and their twins into the staging folder.

    Raises:
        OutputError: A sitemap would replace a file of another kind, such as a feed.
    """
    staged: list[Path] = []
    for file in files:
        staged += _stage(file, staging)
    for new in staged:
        if is_of_another_kind(output_dir / new.name, new):
            place = f"{quoted(new.name)} in the output folder"
            msg = f"{place} is not a sitemap, so it is not replaced"
            cure = "give the sitemap another name, or delete that file"
            raise OutputError(msg, cure=cure)
    return staged


def _stage(file: File, staging: Path) -> Iterator[Path]:
    """Write a file and its twin under their names in the staging folder."""
    plain = staging / file.name
    with plain.open("xb") as stream:
        stream.writelines(file.chunks)
    yield plain
    if file.gzip:
        twin = staging / f"{file.name}.gz"
        # No name and no time in the header (RFC 1952, section 2.3): the same bytes
        # every time.
        with (
            plain.open("rb") as source,
            twin.open("wb") as packed,
            gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream,
        ):
            shutil.copyfileobj(source, stream)
        yield twin


def _move_all(staged: Iterable[Path], output_dir: Path, filename: str = "") -> None:
    """Move files to their names; a power cut leaves the old sitemap or the new one.

    A submitted file of the set that `filename` names is moved only once all files that
    it lists are on the disk. Without `filename`, no file is a submitted one.
    """
    changed = False
    for new in staged:
        if changed and is_submitted(new.name, filename):
            _sync_folder(output_dir)
        changed |= _move(new, output_dir / new.name)
    if changed:
        _sync_folder(output_dir)


def _move(staged: Path, target: Path) -> bool:
    """Move a file to its name unless an equal file is there; return whether it moved.

    The new file gets the mode of the old one.
    """
    mode = None
    with suppress(OSError):
        old_mode = target.lstat().st_mode
        # A file that cannot be read is replaced by one with a new file's mode.
        if stat.S_ISREG(old_mode) and os.access(target, os.R_OK):
            if filecmp.cmp(staged, target, shallow=False):
                return False
            mode = old_mode & 0o777
    with staged.open("r+b") as stream:
        os.fsync(stream.fileno())
    replace(staged, target, mode)
    return True


def _sync_folder(folder: Path) -> None:
    """Wait until the folder's names are on the disk, if the system supports that."""
    with suppress(OSError):  # Windows cannot open folders.
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(old_files: Iterable[Path]) -> Iterator[Notice]:
    """Remove files that the new sitemap does not have any more.

    Yield a notice for each file that cannot be removed.
    """
    for file in old_files:
        try:
            patiently(partial(file.unlink, missing_ok=True))
        except OSError as error:
            problem = (
                "the sitemap is written, but this file of an earlier build cannot be"
                f" removed ({error.strerror})"
            )
            yield Notice("old-file", problem, cure="delete it", place=str(file))


def find_stylesheet(output_dir: Path, filename: str) -> tuple[File | None, Notices]:
    """Return the style sheet to write beside a sitemap.

    The result is None if another program's file has the name.
    """
    style = output_dir / stylesheet_name(filename)
    # A link counts even if its target is missing.
    there = style.is_symlink() or style.exists()
    if not there or _is_our_stylesheet(style, filename):
        return File(name=style.name, chunks=[stylesheet(filename)]), ()
    problem = (
        f"this plugin did not write {style.name}, so it is kept, and browsers show the"
        " sitemap without style"
    )
    cure = "rename the file, or set stylesheet to false"
    return None, (Notice("other-stylesheet", problem, cure),)


def about_other_record(
    output_dir: Path, record: str, filename: str
) -> Iterator[Notice]:
    """Yield a notice if another program's file has the name of the record."""
    file = output_dir / record
    # A link counts even if its target is missing.
    there = file.is_symlink() or file.exists()
    if not there or is_record(file, filename):
        return
    kept = f"this plugin did not write {record}, so it is kept"
    cure = "choose another name for the record, or delete that file"
    yield Notice("other-record", f"{kept}, and there is no record", cure, "record")


def announce(
    submitted: Sequence[str], robots: Robots, *, output_dir: Path, is_wanted: bool
) -> tuple[tuple[Path, ...], Notices]:
    """Add the lines of a sitemap to robots.txt; return the file if it was written.

    Args:
        submitted: Absolute URLs of the files that crawlers are given.
        robots: The robots.txt of the output folder, as it was before.
        output_dir: That folder.
        is_wanted: Whether to write the lines; the notices say what is wrong either way.
    """
    indexed = _indexed(robots, submitted, output_dir)
    lines = [url for url in submitted if urls.identity(url) not in indexed]
    is_written = is_wanted and bool(lines)
    notices = tuple(robots.notices(submitted, announced=is_written))
    if not is_written:
        return (), notices

    def file() -> Iterator[File]:
        # robots.txt is read again once the folder is locked, so that no line is lost
        # that another build has added.
        there = robots.read_again(output_dir)
        text = there.with_sitemap_lines(lines)
        if text is not None:
            yield File(name="robots.txt", chunks=[text])

    try:
        return write_files(file(), output_dir=output_dir), notices
    except (OutputError, RobotsError) as error:
        return (), (*notices, Notice.of(error, "write-failed"))


def _indexed(robots: Robots, submitted: Sequence[str], output_dir: Path) -> set[str]:
    """Return the identities of sitemaps in the other indexes that robots.txt names.

    Such sitemaps need no line of their own.
    """
    indexed: set[str] = set()
    if not robots.counts:
        return indexed
    for address in {*robots.sitemaps}.difference(submitted):
        index = file_at(output_dir, robots.base_url, address)
        if index is not None:
            indexed.update(urls.identity(url) for url in read_index(index))
    return indexed
