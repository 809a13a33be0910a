"""What the last builds decided of each page, kept in the user's cache folder.

`explain`, `check` and `diff` read it, so that they derive nothing anew and never
contradict the sitemap: a record is found by the bytes of the sitemap that its build
wrote.

The record is JSON. Others can write into a cache folder, so each value is checked: a
record with a wrong one is not used.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args

from sitemap_plugins.core.codes import Reason, reasons
from sitemap_plugins.core.date_values import Origin, format_date, parse_date
from sitemap_plugins.core.dates.lastmod import add_subjects
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.limits import MAX_BYTES
from sitemap_plugins.core.messages import Environ, GitError
from sitemap_plugins.core.records import CheckedPage, Commit, Explanation
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.untrusted_files import (
    checked_values,
    checksum,
    read_regular_file,
    read_sealed,
    root_above,
    write_sealed,
)
from sitemap_plugins.core.values import DateOrigin

_FORM = "records-3"
"""The name of the form of the files; each new form gets another name."""

_MAX_BYTES = 64_000_000
"""The limit for all records together; a page takes about 200 bytes."""

_LEAST_ROW = 41
"""Bytes of a page without texts: quotes, commas and brackets."""

_ORIGINS: Collection[str] = get_args(DateOrigin)

_REASONS: Mapping[str, Reason] = {each: each for each in get_args(Reason)}
"""Reasons to leave a page out, by their codes."""

_NOWHERE = Origin("")

_KINDS = [*[str] * 12, tuple[tuple[str, str], ...]]
"""What each value of a row is: texts, then the commits that are passed over."""

_OBJECT_NAME = re.compile("[0-9a-f]{40,64}")


class Recorded(NamedTuple):
    """What a build decided of one page."""

    url: str
    """Absolute and percent-encoded; empty if the page has no valid one."""

    page: str
    """The page's name in messages."""

    source: str
    """The page's own file, as `name_of` names it; empty if unknown."""

    reason: Explanation | None = None
    """Why the page has its date, without subjects of commits; None if it is left
    out."""

    left_out: Reason | None = None
    """The code of the reason to leave the page out; None for a listed page."""

    why: str = ""
    """The reason to leave the page out, in words."""


class KeptRecord(NamedTuple):
    """What a build decided."""

    base_url: str

    pages: tuple[Recorded, ...]


def keep_record(report: Report, sitemap: Path, *, base_url: str) -> None:
    """Keep what the build that wrote a sitemap decided of each page.

    The oldest records are removed if all together are too large.

    Raises:
        OSError: The record cannot be written, or the cache folder is not the user's own.
    """
    # The rows of a million pages would take 650 MB before they are found too large.
    least = sum(len(page.url) + _LEAST_ROW for page in report.listed_pages)
    if least > _MAX_BYTES:
        raise OSError(f"it has more than {_MAX_BYTES:,} bytes")
    sources = _Sources(report)
    pages = []
    for page, why in report.explained():
        # Nearly all pages are dated by their own file, whose name git has given.
        source = _own_file(why) or sources.of(page)
        pages.append(_row(page, source, why))
    for each in report.pages_left_out:
        # What a reason means is looked up by those who read it: few builds need that.
        why = Explanation(each.page.label, None, why=each.why)
        source = sources.of(each.page)
        pages.append(_row(each.page, source, why, left_out=each.reason))
    files = {file.name: value for file, value in report.written.items()}
    document = {"base_url": base_url, "files": files, "pages": pages}
    folder = _cache_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _refuse_others(folder)
    write_sealed(folder / _name_of(sitemap), document, _FORM, max_bytes=_MAX_BYTES)
    _remove_oldest(folder)


def read_kept(sitemap: Path) -> KeptRecord | None:
    """Return what the build that wrote a sitemap decided; None if nothing is known.

    Nothing is known if a program has changed one of the sitemap's files since.
    """
    with suppress(OSError):
        folder = _cache_folder()
        _refuse_others(folder)
        file = folder / _name_of(sitemap)
        return read_sealed(file, partial(_parse, sitemap), _FORM)
    return None


def _parse(sitemap: Path, found: Any) -> KeptRecord | None:  # noqa: ANN401 whatever JSON holds
    """Return the record in `found`; None if a file of the sitemap has changed since."""
    for name, value in found["files"].items():
        if checksum(sitemap.with_name(name)) != value:
            return None
    (base_url,) = checked_values([found["base_url"]], [str])
    return KeptRecord(base_url, tuple(map(_recorded, found["pages"])))


def with_subjects(rows: Sequence[Recorded], environ: Environ) -> list[Recorded]:
    """Return rows whose commits have subjects, where git still has the commits."""
    repositories: dict[str, Repository] = {}
    reasons = []
    for row in rows:
        why = row.reason or Explanation(row.page, None)
        root = why.origin.root if why.origin else ""
        if root and root not in repositories:
            with suppress(GitError, ValueError):  # A record can have any text.
                repositories[root] = Repository.open(root, environ=environ)
        reasons.append(why)
    completed = []
    for row, why in zip(rows, add_subjects(reasons, repositories), strict=True):
        # A page that is left out has no reason for a date, and keeps none.
        completed.append(row._replace(reason=row.reason and why))
    return completed


def _cache_folder() -> Path:
    """Return the folder of the records.

    Raises:
        OSError: The user has no home folder.
    """
    from platformdirs import user_cache_path  # noqa: PLC0415 slow to import

    folder = user_cache_path("sitemap-plugins", appauthor=False) / _FORM
    if not folder.is_absolute():  # A relative folder would be in the project.
        raise OSError("there is no home folder")
    return folder


def _refuse_others(folder: Path) -> None:
    """Refuse a folder in which somebody else could write.

    Raises:
        OSError: The folder is a link, or another user's.
    """
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(f"{folder} is not a folder")
    if sys.platform != "win32" and status.st_uid != os.getuid():
        raise OSError(f"{folder} belongs to another user")


def _name_of(sitemap: Path) -> str:
    """Return the name of a sitemap's record: equal sitemaps have one.

    A folder that was moved or copied keeps its record so.
    """
    content = read_regular_file(sitemap, max_bytes=MAX_BYTES)
    return f"{hashlib.sha256(content).hexdigest()}.json"


def _remove_oldest(folder: Path) -> None:
    """Remove the oldest records beyond the limit of bytes for all of them."""
    files = []
    for file in folder.iterdir():
        with suppress(OSError):  # Another build has just replaced or removed it.
            status = file.stat()
            files.append((status.st_mtime_ns, status.st_size, file))
    left = _MAX_BYTES
    for _, size, file in sorted(files, reverse=True):
        left -= size
        if left < 0:
            file.unlink(missing_ok=True)


def _own_file(why: Explanation) -> str:
    """Return the path in git of the page's own file, if this file dates the page.

    The result is empty if something else dates the page.
    """
    origin = why.origin
    if origin is None or origin.kind != "git" or why.how or origin.excerpt:
        return ""
    return origin.file


class _Sources:
    """The names of pages' own files."""

    def __init__(self, report: Report) -> None:
        self._real = report.dates.files.real if report.dates else {}
        self._roots: dict[str, str | None] = {}

    def of(self, page: CheckedPage) -> str:
        """Return the name of a page's own file; empty if unknown."""
        if not page.sources:
            return ""
        file = page.sources[0]
        # The files of pages left out were not dated, so their real paths are not known.
        real = self._real.get(file) or os.path.realpath(file)
        return name_of(real, self._roots)


def name_of(real: str, roots: dict[str, str | None]) -> str:
    """Return a file's path in its repository, with slashes; absolute outside of one.

    `roots` is as in `root_above`.
    """
    root = root_above(os.path.dirname(real), roots)
    if root is not None:
        real = real.removeprefix(os.path.join(root, ""))
    return real.replace(os.sep, "/")


def _row(
    page: CheckedPage,
    source: str,
    why: Explanation,
    *,
    left_out: str = "",
) -> list[Any]:
    """Return what is kept of a page, in the order in which `_recorded` reads it.

    `source` is the name of the page's own file, `why` explains its date or why it is
    left out, and `left_out` is the code of that reason; empty for a listed page.
    """
    date = format_date(why.date) if why.date else ""
    kind, file, root, commit, excerpt, _ = why.origin or _NOWHERE
    passed_over = [(each.name, each.why) for each in why.passed_over]
    return [
        page.url,
        page.label,
        source,
        left_out,
        why.why,
        date,
        kind,
        file,
        root,
        commit.decode(),
        excerpt,
        why.how,
        passed_over,
    ]


def _recorded(row: list[Any]) -> Recorded:
    """Read what is kept of a page.

    Raises:
        KeyError, TypeError, ValueError, PageError: A value is wrong.
    """
    *texts, passed_over = checked_values(row, _KINDS)
    url, page, source, left_out, why, *of_date = texts
    if left_out:
        code = _REASONS[left_out]
        words = why or reasons()[code]
        return Recorded(url, page, source, left_out=code, why=words)
    date, kind, file, root, commit, excerpt, how = of_date
    if not date:
        return Recorded(url, page, source, Explanation(page, None, why=why))
    if kind not in _ORIGINS:
        raise ValueError(kind)
    reason = Explanation(
        name=page,
        date=parse_date(date),
        origin=Origin(kind, file, root, commit.encode(), excerpt),
        how=how,
        commit=_commit(commit) if commit else None,
        passed_over=tuple(_commit(*each) for each in passed_over),
    )
    return Recorded(url, page, source, reason)


def _commit(name: str, why: str = "") -> Commit:
    if not _OBJECT_NAME.fullmatch(name):
        raise ValueError(name)
    return Commit(name, why=why)
