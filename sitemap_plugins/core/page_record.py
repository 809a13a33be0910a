"""The record: a file that says of each page what the verbose output says, for programs.

It is JSON: an object with `sitemap_plugins`, the name of the sitemap, `version`, and
`pages`, one object a line. Its first line proves that it is ours, and of which sitemap.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, get_args

from sitemap_plugins.core.date_values import Origin, format_date, parse_date
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.records import CheckedPage, Commit, Explanation, LeftOut
from sitemap_plugins.core.untrusted_files import read_beginning, root_above
from sitemap_plugins.core.values import DateOrigin

VERSION = 1
"""Of the form: higher once a program that reads it would have to change."""

_END = "\n]}\n"

_MAX_LINE = 65_536
"""Bytes of a page's line that is read: most have 500."""

_Row = Mapping[str, Any]
"""A page as JSON has it."""


class Recorded(NamedTuple):
    """What is known of one page."""

    url: str
    """Absolute and percent-encoded; empty if it has no valid one."""

    page: str
    """Its name in messages."""

    source: str
    """Its own file, relative to the repository; empty if unknown."""

    reasons: tuple[Explanation, ...] = ()
    """Why it has its date, then what is known of its other files; empty if left out."""

    left_out: str = ""
    """The code of the reason to leave it out; empty for a listed page."""

    why: str = ""
    """That reason in words."""


def is_record(file: Path, filename: str) -> bool:
    """Tell whether a file is a record of the sitemap of a name, whatever its version.

    A link is the user's.
    """
    mark = _beginning(filename).encode()
    with suppress(OSError):
        return read_beginning(file, max_bytes=len(mark), follow_link=False) == mark
    return False


def find_records(folder: Path, filename: str) -> list[Path]:
    """Return the records of a sitemap that are beside it, sorted.

    Usually one at most.
    """
    return [file for file in sorted(folder.glob("*.json")) if is_record(file, filename)]


def read_record(folder: Path, filename: str) -> Iterator[Recorded]:
    """Yield what the records beside a sitemap say of each page, but broken lines."""
    first_line = f"{_first_line(filename)}\n".encode()
    for file in find_records(folder, filename):
        with suppress(OSError), file.open("rb") as stream:
            if stream.readline(_MAX_LINE) != first_line:
                continue
            while line := stream.readline(_MAX_LINE):
                row = _read_row(line)
                if row is not None:
                    yield row


def _read_row(line: bytes) -> Recorded | None:
    """Return what a line says of a page.

    None for the last one, and for a broken one.
    """
    try:
        row = json.loads(line.strip().removesuffix(b","))
        url, page, source = _texts(row, "url", "page", "source")
        if "left_out" in row:
            left_out, why = _texts(row, "left_out", "why")
            return Recorded(url, page, source, left_out=left_out, why=why)
        return Recorded(url, page, source, (_explanation(page, row),))
    except (LookupError, TypeError, ValueError, RecursionError, PageError):
        return None


def _explanation(page: str, row: _Row) -> Explanation:
    """Return what a row says of a date, for which it has a known origin or a commit."""
    origin, file, how, name, subject, why = _texts(
        row, "origin", "file", "how", "commit", "subject", "why"
    )
    if row["date"] is None:
        return Explanation(page, None, why=why)
    (excerpt,) = _texts({"object": "", **row}, "object")  # Older records lack it.
    if origin not in get_args(DateOrigin):
        raise ValueError(origin)
    commit = Commit(name, subject) if name else None
    passed_over = tuple(map(_passed_over, row["passed_over"]))
    return Explanation(
        name=page,
        date=parse_date(row["date"]),
        origin=Origin(origin, file, commit=name.encode(), excerpt=excerpt),
        how=how,
        commit=commit,
        passed_over=passed_over,
    )


def _passed_over(row: _Row) -> Commit:
    return Commit(*_texts(row, "commit", "subject", "why"))


def _texts(row: _Row, *names: str) -> list[str]:
    texts = [row[name] for name in names]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(texts)
    return texts


def record_chunks(
    listed: Iterable[tuple[CheckedPage, Explanation]],
    left_out: Iterable[LeftOut],
    *,
    filename: str,
    project_dir: Path | None,
) -> Iterator[bytes]:
    """Yield the record's bytes: a line for each page, ascending by URL, then by name.

    Files are named relative to their repository, or to `project_dir` outside of one,
    so that the record says nothing of the machine.
    """
    names = _Names(project_dir)
    rows = [_of_listed(page, why, names) for page, why in listed]
    rows += [_of_left_out(each, names) for each in left_out]
    rows.sort(key=lambda row: (row["url"], row["page"]))
    yield _first_line(filename).encode()
    separator = "\n"
    for row in rows:
        yield f"{separator}{json.dumps(row)}".encode()
        separator = ",\n"
    yield _END.encode()


def _beginning(filename: str) -> str:
    return f'{{"sitemap_plugins": {json.dumps(filename)}, "version": '


def _first_line(filename: str) -> str:
    return f'{_beginning(filename)}{VERSION}, "pages": ['


class _Names:
    """Names files as everybody does who has the project."""

    def __init__(self, project_dir: Path | None) -> None:
        """Name files outside of repositories relative to a folder, if there is one."""
        self._project_dir = project_dir and os.path.realpath(project_dir)
        self._roots: dict[str, str | None] = {}

    def of(self, file: Path | str) -> str:
        """Return the name of a file."""
        real = Path(os.path.realpath(file))
        root = root_above(str(real.parent), self._roots) or self._project_dir
        if root and real.is_relative_to(root):
            return real.relative_to(root).as_posix()
        return real.name


def _of_page(page: CheckedPage, names: _Names) -> dict[str, Any]:
    source = names.of(page.sources[0]) if page.sources else ""
    return {"url": page.url, "page": page.label, "source": source}


def _of_listed(page: CheckedPage, why: Explanation, names: _Names) -> _Row:
    origin = why.origin or Origin("")
    commit = why.commit or Commit("")
    # The order is that of the form.
    row = _of_page(page, names)
    row["date"] = why.date and format_date(why.date)
    row["origin"] = origin.kind
    # Git's names are relative to the repository already.
    row["file"] = names.of(origin.file) if origin.kind == "mtime" else origin.file
    row["how"] = why.how
    row["object"] = origin.excerpt
    row["commit"] = commit.name
    row["subject"] = commit.subject
    row["passed_over"] = [_of_passed_over(each) for each in why.passed_over]
    row["why"] = why.why
    return row


def _of_passed_over(commit: Commit) -> _Row:
    return {"commit": commit.name, "subject": commit.subject, "why": commit.why}


def _of_left_out(left_out: LeftOut, names: _Names) -> _Row:
    words = {"left_out": left_out.reason, "why": left_out.words}
    return _of_page(left_out.page, names) | words
