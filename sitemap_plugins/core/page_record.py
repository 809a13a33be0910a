"""The record: a file that says of each page what the verbose output says, for programs.

It is JSON: an object with `sitemap_plugins`, the name of the sitemap, `version`, and
`pages`, one object a line. Its first line proves that it is ours, and of which sitemap.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, get_args

from sitemap_plugins.core.date_values import Origin, format_date, parse_date
from sitemap_plugins.core.git.repository import root_above
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.records import CheckedPage, Commit, Explanation, LeftOut
from sitemap_plugins.core.untrusted_files import read_beginning
from sitemap_plugins.core.values import DateOrigin

VERSION = 1
"""Of the form: higher once a program that reads it would have to change."""

_END = "\n]}\n"

_MAX_LINE = 65_536
"""Bytes of a page's line that is read: most have 500."""

_Row = Mapping[str, Any]
"""A page as JSON has it."""


class Recorded(NamedTuple):
    """What the record says of one page."""

    url: str
    """Absolute and percent-encoded; empty if it has no valid one."""

    page: str
    """Its name in messages."""

    source: str
    """Its own file, relative to the repository; empty if unknown."""

    explanation: Explanation | None
    """Why it has its date; None if it is left out."""

    left_out: str = ""
    """The reason in words, if it is left out."""

    reason: str = ""
    """Its code; empty for a listed page."""


def is_record(file: Path, filename: str) -> bool:
    """Tell whether a file is a record of the sitemap that `filename` names, whatever its version.

    A link is the user's.
    """
    mark = _beginning(filename).encode()
    with suppress(OSError):
        return read_beginning(file, max_bytes=len(mark), follow_link=False) == mark
    return False


def find_records(folder: Path, filename: str) -> list[Path]:
    """Return the records of a sitemap that are beside it, sorted; usually one at most."""
    return [file for file in sorted(folder.glob("*.json")) if is_record(file, filename)]


def read_record(folder: Path, filename: str) -> Iterator[Recorded]:
    """Yield what the records beside a sitemap say of each page; broken lines are passed over."""
    for file in find_records(folder, filename):
        with suppress(OSError, UnicodeError), file.open("rb") as stream:
            if stream.readline(_MAX_LINE).decode().rstrip("\n") != _first_line(
                filename
            ):
                continue
            while line := stream.readline(_MAX_LINE):
                row = _read_row(line)
                if row is not None:
                    yield row


def _read_row(line: bytes) -> Recorded | None:
    """Return what a line says of a page; None for the last one, and for a broken one."""
    try:
        row = json.loads(line.strip().removesuffix(b","))
        page = (_text(row, "url"), _text(row, "page"), _text(row, "source"))
        if "left_out" in row:
            return Recorded(*page, None, _text(row, "why"), _text(row, "left_out"))
        return Recorded(*page, _explanation(row))
    except (LookupError, TypeError, ValueError, RecursionError, PageError):
        return None


def _explanation(row: _Row) -> Explanation:
    """Return what a row says of a date, for which it has a known origin or a commit."""
    date = row["date"]
    if date is None:
        return Explanation(_text(row, "page"), None, why=_text(row, "why"))
    passed_over = []
    for each in row["passed_over"]:
        name = _text(each, "commit")
        passed_over.append(Commit(name, _text(each, "subject"), _text(each, "why")))
    origin = Origin(_text(row, "origin"), _text(row, "file"))
    if origin.kind not in get_args(DateOrigin):
        raise ValueError(origin.kind)
    commit = None
    if origin.kind == "git":
        commit = Commit(_text(row, "commit"), _text(row, "subject"))
        origin = origin._replace(commit=commit.name.encode())
    return Explanation(
        name=_text(row, "page"),
        date=parse_date(_text(row, "date")),
        origin=origin,
        how=_text(row, "how"),
        commit=commit,
        passed_over=tuple(passed_over),
    )


def _text(row: _Row, name: str) -> str:
    text = row[name]
    if not isinstance(text, str):
        raise TypeError(name)
    return text


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

    def of_first(self, files: Sequence[Path]) -> str:
        """Return the name of the first of some files; empty for none."""
        return self.of(os.path.realpath(files[0])) if files else ""

    def of(self, real: str) -> str:
        """Return the name of a file, given its real path."""
        root = root_above(str(Path(real).parent), self._roots) or self._project_dir
        if root and real.startswith(f"{root}{os.sep}"):
            return real[len(root) + 1 :].replace(os.sep, "/")
        return Path(real).name


def _of_listed(page: CheckedPage, why: Explanation, names: _Names) -> _Row:
    origin = why.origin or Origin("")
    file = origin.file
    if origin.kind == "mtime":
        file = names.of(file)
    commit = why.commit or Commit("")
    # Long: each field of the form, in its order.
    return {
        "url": page.url,
        "page": page.label,
        "source": names.of_first(page.sources),
        "date": None if why.date is None else format_date(why.date),
        "origin": origin.kind,
        "file": file,
        "how": why.how,
        "commit": commit.name,
        "subject": commit.subject,
        "passed_over": [_of_passed_over(each) for each in why.passed_over],
        "why": why.why,
    }


def _of_passed_over(commit: Commit) -> _Row:
    return {"commit": commit.name, "subject": commit.subject, "why": commit.why}


def _of_left_out(left_out: LeftOut, names: _Names) -> _Row:
    return {
        "url": left_out.page.url,
        "page": left_out.page.label,
        "source": names.of_first(left_out.page.sources),
        "left_out": left_out.reason,
        "why": left_out.words,
    }
