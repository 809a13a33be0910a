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
from typing import Any

from sitemap_plugins.core.date_values import Origin, format_date
from sitemap_plugins.core.records import CheckedPage, Commit, Explanation, LeftOut
from sitemap_plugins.core.untrusted_files import read_beginning, root_above

VERSION = 1
"""The version of the form, which is higher once a program that reads it would have to
change."""

_END = "\n]}\n"

_Row = Mapping[str, Any]
"""A page as JSON has it."""


def is_record(file: Path, filename: str) -> bool:
    """Tell whether a file is the record of a sitemap with this name, of any version.

    A link never is: the user made it.
    """
    mark = _beginning(filename).encode()
    with suppress(OSError):
        return read_beginning(file, max_bytes=len(mark), follow_link=False) == mark
    return False


def find_records(folder: Path, filename: str) -> list[Path]:
    """Return the records of a sitemap that are beside it, sorted.

    There is usually one at most.
    """
    return [file for file in sorted(folder.glob("*.json")) if is_record(file, filename)]


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
        """Name files outside of repositories relative to the project, if given."""
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
    """Return the row of a listed page; the order of the keys is that of the form."""
    origin = why.origin or Origin("")
    commit = why.commit or Commit("")
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
