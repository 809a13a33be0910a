"""Why a page of a built site has its date, or is left out: what its own sitemap says.

The date and the URL are always the sitemap's. A reason is given if it is known: from
the record beside the sitemap, or because `build` would give the page the same date.
Otherwise the build that wrote the sitemap can say it, and its command is named.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import (
    DateOrDatetime,
    Origin,
    format_date,
    parse_lastmod,
)
from sitemap_plugins.core.files.read import open_sitemap
from sitemap_plugins.core.files.xml import is_signed
from sitemap_plugins.core.html.head import read_head_of
from sitemap_plugins.core.messages import FileError, PageError, quoted
from sitemap_plugins.core.page_record import read_record
from sitemap_plugins.core.pages.other_files import files_below
from sitemap_plugins.core.records import CheckedPage, Explanation
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.untrusted_files import seen_from
from sitemap_plugins.core.url_forms import HTML_SUFFIXES, INDEX, Files, any_form
from sitemap_plugins.folder import dry_run
from sitemap_plugins.folder.address import base_of
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import elements_in, find_sitemaps

_COMMANDS = {
    "mkdocs": "mkdocs build -v",
    "properdocs": "properdocs build -v",
    "pelican": "pelican -v",
    "sphinx": "sphinx-build -v",
    "zensical": "sitemap-plugins build -v",
}
"""What prints each page's reason, by the beginning of `<meta name="generator">`."""

_OF_SPHINX = (".buildinfo", "objects.inv")
"""Files of which Sphinx writes one at least: few of its themes name the generator."""


class Answer(NamedTuple):
    """What is known of one page."""

    known: Mapping[str, Any]
    """For programs."""

    lines: Sequence[str]


class _Entry(NamedTuple):
    """An entry of the sitemap, as written."""

    url: str

    lastmod: str
    """Empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sitemap:
    """The sitemap in the folder, as far as it can be read."""

    name: str

    entries: Mapping[str, _Entry]
    """By the key of the URL."""

    base_url: str
    """The address below which most entries have a file; empty if there is none."""

    is_ours: bool
    """Whether it was written by `build` or one of the plugins."""

    command: str
    """What prints the reasons; empty if that is unknown."""

    @property
    def says_why(self) -> str:
        """Where to look for a reason that is not known here."""
        if not self.is_ours:
            return f"another program wrote {self.name}, so the reason is not known"
        if self.command:
            return f"the plugin's answer: `{self.command}` says why"
        return "the plugin's answer: the verbose output (-v) of the build says why"


def explain_page(
    name: str, project: Project, *, track: Track, say: Callable[[str], None]
) -> tuple[list[Answer], Report]:
    """Return what is known of each page that a user names, and the report of a dry run.

    The report has pages only if the record did not answer. `track` and `say` are as in
    `folder.build`.

    Raises:
        OptionsError: As `folder.build`.
    """
    site_dir = project.site_dir
    options = project.options
    name = _below(name, site_dir)
    sitemap = _read_sitemap(site_dir, options.filename)
    if sitemap is not None:
        found = [*_from_record(name, site_dir, sitemap)]
        if found:
            return found, Report()
        options = replace(options, base_url=options.base_url or sitemap.base_url)
    # Nothing is fetched for a question.
    options = replace(options, fetch_history=False)
    report, _ = dry_run(replace(project, options=options), track=track, say=say)
    return [*_from_rules(name, report, sitemap)], report


def _below(name: str, site_dir: Path) -> str:
    """Return the path in the site of a built file that a user names; any other name as it is."""
    file = Path(os.path.realpath(name))
    folder = Path(os.path.realpath(site_dir))
    if file.is_relative_to(folder) and file.is_file():
        return urls.percent_encode(file.relative_to(folder).as_posix())
    return name


def _read_sitemap(site_dir: Path, filename: str) -> _Sitemap | None:
    """Return the sitemap of a folder; None if it has none."""
    file = site_dir / filename
    if not file.is_file():
        return None
    entries = {}
    for each in find_sitemaps(FileLocation(file)):
        for element in elements_in(each):
            if url := element.get("loc"):
                entries[_key(url)] = _Entry(url, element.get("lastmod"))
    try:
        with open_sitemap(file) as stream:
            is_ours = is_signed(stream.read(1024))
    except FileError:
        is_ours = False
    names = [name for name in files_below(site_dir) if name.endswith(HTML_SUFFIXES)]
    files = Files.of(map(urls.percent_encode, names))
    return _Sitemap(
        name=filename,
        entries=entries,
        base_url=base_of([entry.url for entry in entries.values()], files),
        is_ours=is_ours,
        command=_command(site_dir),
    )


def _key(url: str) -> str:
    """Return the same text for all URLs of one page."""
    return any_form(urls.identity(url))


def _command(site_dir: Path) -> str:
    """Return what prints the reasons of a site, by the generator that made it."""
    try:
        generator = read_head_of(site_dir / INDEX).generator or ""
    except PageError:
        generator = ""
    for beginning, command in _COMMANDS.items():
        if generator.lower().startswith(beginning):
            return command
    if any((site_dir / name).is_file() for name in _OF_SPHINX):
        return _COMMANDS["sphinx"]
    return ""


def _from_record(name: str, site_dir: Path, sitemap: _Sitemap) -> Iterator[Answer]:
    """Yield what the record says of a page, as far as the sitemap says the same."""
    for row in read_record(site_dir, sitemap.name):
        path = row.page
        if row.url:
            path = row.url.removeprefix(sitemap.base_url)
        is_source = row.source and _is_source(name, row.source)
        if not is_source and not _is_named(name, row.page, row.url, path):
            continue
        entry = sitemap.entries.get(_key(row.url))
        label = row.source or row.page
        if row.explanation is None:
            if entry is None:
                yield _left_out(label, row.url, row.reason, row.left_out)
        elif entry is not None and _is_same(row.explanation.date, entry.lastmod):
            yield _dated(label, entry.url, [row.explanation])


def _is_source(name: str, source: str) -> bool:
    """Tell whether a user names a file that the record names relative to the repository."""
    file = Path(os.path.realpath(name))
    return file.as_posix().endswith(f"/{source}") and file.is_file()


def _is_named(name: str, label: str, url: str, path: str) -> bool:
    """Tell whether a user means a page by its label, its URL, or its path in any form."""
    if name == label or any_form(path) == any_form(name.removeprefix("/")):
        return True
    return _key(url or label) == _key(name)


def _from_rules(
    name: str, report: Report, sitemap: _Sitemap | None
) -> Iterator[Answer]:
    """Yield what `build` says of a page, if the sitemap says the same; or else what that says."""
    seen = False
    is_wanted = partial(_is_page, name)
    for page, reasons in report.explain(is_wanted):
        seen = True
        yield _answer(page, [*map(_from_here, reasons)], sitemap)
    for left_out in report.pages_left_out:
        page = left_out.page
        if not is_wanted(page):
            continue
        seen = True
        source = _source(page)
        entry = None
        if sitemap is not None:
            entry = sitemap.entries.get(_key(page.url or page.label))
        if sitemap is not None and entry is not None:
            yield _of_sitemap(source, entry, sitemap)
        else:
            yield _left_out(source, page.url, left_out.reason, left_out.words)
    if not seen and sitemap is not None:
        entries = sitemap.entries
        entry = entries.get(_key(name)) or entries.get(_key(sitemap.base_url + name))
        if entry is not None:
            yield _of_sitemap("", entry, sitemap)


def _is_page(name: str, page: CheckedPage) -> bool:
    if _is_named(name, page.label, page.url, page.path):
        return True
    if not page.sources:
        return False
    return os.path.realpath(name) == os.path.realpath(page.sources[0])


def _answer(
    page: CheckedPage, reasons: Sequence[Explanation], sitemap: _Sitemap | None
) -> Answer:
    """Return the answer for a page that `build` would list."""
    source = _source(page)
    if sitemap is None:
        return _dated(source, page.url, reasons)
    entry = sitemap.entries.get(_key(page.url))
    if entry is None:
        text = f"not in {sitemap.name}, {sitemap.says_why}"
        known = {"page": source, "url": page.url, "not_listed": sitemap.says_why}
        return Answer(known, [f"{_arrow(source, page.url)}: {text}"])
    if _is_same(reasons[0].date, entry.lastmod):
        return _dated(source, entry.url, reasons)
    return _of_sitemap(source, entry, sitemap)


def _is_same(date: DateOrDatetime | None, lastmod: str) -> bool:
    """Tell whether the sitemap has a date, to the precision of what it says."""
    said = parse_lastmod(lastmod)
    if date is None or said is None:
        return date is None and not lastmod
    text = format_date(date)
    if format_date(said) == text:
        return True
    is_day = "T" not in format_date(said)
    return is_day and format_date(said) == format_date(date, "date")


def _dated(source: str, url: str, reasons: Sequence[Explanation]) -> Answer:
    why, *others = reasons
    lines = [f"{_arrow(source, url)}: {why.words}"]
    if why.passed_over:
        lines.append(f"    passed over: {why.words_passed_over}")
    lines += [f"    {other}" for other in others]
    dates = [_as_object(each) for each in reasons]
    return Answer({"page": source, "url": url, "dates": dates}, lines)


def _of_sitemap(source: str, entry: _Entry, sitemap: _Sitemap) -> Answer:
    """Return what the sitemap says, whose reason is not known."""
    date = parse_lastmod(entry.lastmod)
    words = "no date"
    if date is not None:
        words = format_date(date, "date")
    elif entry.lastmod:
        words = quoted(entry.lastmod)
    line = f"{_arrow(source, entry.url)}: {words}, {sitemap.says_why}"
    known = {
        "page": source,
        "url": entry.url,
        "lastmod": entry.lastmod,
        "why": sitemap.says_why,
    }
    return Answer(known, [line])


def _left_out(source: str, url: str, reason: str, words: str) -> Answer:
    known = {"page": source, "url": url, "left_out": reason, "why": words}
    return Answer(known, [f"{source}: left out ({reason}: {words})"])


def _arrow(source: str, url: str) -> str:
    return f"{source} → {url}" if source else url


def _source(page: CheckedPage) -> str:
    return seen_from(".", str(page.sources[0])) if page.sources else page.label


def _from_here(explanation: Explanation) -> Explanation:
    """Name files outside git as they are seen from the current folder; git's names are relative."""

    def relative(name: Any) -> Any:  # noqa: ANN401 bytes or text, as it comes
        text = os.fsdecode(name)
        return seen_from(".", text) if Path(text).is_absolute() else name

    origin = explanation.origin
    origin = origin and origin._replace(file=relative(origin.file))
    return explanation._replace(name=relative(explanation.name), origin=origin)


def _as_object(explanation: Explanation) -> Mapping[str, object]:
    origin = explanation.origin or Origin("")
    date = explanation.date
    return {
        "name": explanation.name,
        "date": date and format_date(date),
        "origin": origin.kind,
        "file": origin.file,
        "commit": origin.commit.decode(),
        "words": explanation.words,
        "passed_over": explanation.words_passed_over,
    }
