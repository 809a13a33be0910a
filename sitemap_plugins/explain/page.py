"""Why a page of a built site has its date, or is left out, as its build decided.

The build that wrote the sitemap keeps a record. Nothing is derived again here, and a
sitemap that was changed since then has no record.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import Origin, format_date
from sitemap_plugins.core.kept_record import Recorded, name_of, read_kept, with_subjects
from sitemap_plugins.core.messages import Environ, OptionsError, quoted
from sitemap_plugins.core.records import Explanation
from sitemap_plugins.core.untrusted_files import seen_from
from sitemap_plugins.core.url_forms import any_form


class Answer(NamedTuple):
    """What is known of one page."""

    known: Mapping[str, Any]
    """For programs."""

    lines: Sequence[str]


class _Question(NamedTuple):
    """Which page a user means."""

    name: str

    keys: frozenset[str]
    """What `_key` returns for the URLs that the name can stand for."""

    source: str
    """The file at the path `name`, as the record names sources; empty if there is none."""

    def is_about(self, row: Recorded) -> bool:
        """Tell whether the name is a page's URL, path in the site, or source."""
        is_page = self.name == row.page or _key(row.url or row.page) in self.keys
        return is_page or (bool(self.source) and row.source == self.source)


def explain_page(name: str, sitemap: Path, environ: Environ) -> list[Answer]:
    """Return what is known of each page that a user names; git has the subjects.

    Raises:
        OptionsError: No build on this machine wrote the sitemap as it is.
    """
    record = read_kept(sitemap)
    if record is None:
        name = quoted(seen_from(".", str(sitemap)))
        problem = f"this machine has no record of the build that wrote {name}"
        raise OptionsError(problem, cure="build the site here, and ask again")
    question = _question(name, sitemap.parent, record.base_url)
    rows = [row for row in record.pages if question.is_about(row)]
    listed = {(row.page, row.url) for row in rows if row.reason is not None}
    answers = []
    for row in with_subjects(rows, environ):
        # A page that the host wrote again, as for each language, is no other one.
        is_again = row.reason is None and (row.page, row.url) in listed
        if not is_again:
            answers.append(_answer(row))
    return answers


def _question(name: str, site_dir: Path, base_url: str) -> _Question:
    file = Path(os.path.realpath(name))
    folder = os.path.realpath(site_dir)
    source = name_of(str(file), {}) if file.is_file() else ""
    if file.is_relative_to(folder) and file.is_file():
        name = urls.percent_encode(file.relative_to(folder).as_posix())
    name = name.replace("\\", "/")  # As on Windows, and as browsers do.
    below = base_url + name.removeprefix("/")
    keys = frozenset({_key(name), _key(below)})
    return _Question(name, keys, source)


def _key(url: str) -> str:
    """Return the same text for all URLs of one page."""
    return any_form(urls.identity(url))


def _answer(row: Recorded) -> Answer:
    page = row.source or row.page
    if Path(page).is_absolute():
        page = seen_from(".", page)
    known: dict[str, Any] = {"page": page, "url": row.url}
    why = row.reason
    if why is None:
        known |= {"left_out": row.left_out, "why": row.why}
        return Answer(known, [f"{page}: left out ({row.left_out}: {row.why})"])
    if why.origin is not None and why.origin.kind == "mtime":
        # Git's names are relative already.
        origin = why.origin._replace(file=seen_from(".", why.origin.file))
        why = why._replace(origin=origin)
    known["dates"] = [_as_object(why)]
    lines = [f"{page} → {row.url}: {why.words}"]
    if why.passed_over:
        lines.append(f"    passed over: {why.words_passed_over}")
    return Answer(known, lines)


def _as_object(why: Explanation) -> Mapping[str, object]:
    origin = why.origin or Origin("")
    date = why.date and format_date(why.date)
    return {
        "name": why.name,
        "date": date,
        "origin": origin.kind,
        "file": origin.file,
        "commit": origin.commit.decode(),
        "words": why.words,
        "passed_over": why.words_passed_over,
    }
