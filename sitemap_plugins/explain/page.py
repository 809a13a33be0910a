"""Why a page of a built site has its date, or is left out: what its own sitemap says.

The date and the URL are always the sitemap's. A reason is given if it is known: from
the record beside the sitemap, or because `build` would give the page the same date.
Otherwise the build that wrote the sitemap can say it, and its command is named.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import Origin, format_date, parse_lastmod
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.page_record import Recorded, read_record
from sitemap_plugins.core.records import CheckedPage, Explanation
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.untrusted_files import root_above, seen_from
from sitemap_plugins.core.url_forms import any_form
from sitemap_plugins.folder.dry_run import run_dry
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.folder.previous import is_ours
from sitemap_plugins.folder.reading import FolderSite, read_folder
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import find_sitemaps, listed_in

_COMMANDS = {
    "mkdocs": "mkdocs build -v",
    "properdocs": "properdocs build -v",
    "Pelican": "pelican -v",
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


class _Sitemap(NamedTuple):
    """The sitemap in the folder, as far as it can be read."""

    name: str

    entries: Mapping[str, _Entry]
    """By the URL's key, and by its identity: `a.html` and `a/` can be two pages."""

    says_why: str
    """Where to look for a reason that is not known here; empty if there is no
    sitemap."""

    def entry_of(self, url: str) -> _Entry | None:
        """Return the entry of a URL, else of another form of it."""
        return self.entries.get(urls.identity(url)) or self.entries.get(_key(url))


class _Question(NamedTuple):
    """Which page a user means."""

    name: str

    keys: frozenset[str]
    """Those of the URLs that the name can stand for."""

    source: str
    """The file of that path, relative to its repository; whole outside of one, empty
    if there is none."""

    def is_about(self, row: Recorded) -> bool:
        """Tell whether the name is a page's URL, path in the site, or source."""
        if self.name == row.page or _key(row.url or row.page) in self.keys:
            return True
        if not row.source:
            return False
        # The record names sources relative to the repository.
        if self.source.startswith("/"):
            return self.source.endswith(f"/{row.source}")
        if Path(row.source).is_absolute():  # From a dry run.
            return self.source == _source_of(Path(row.source))
        return self.source == row.source


def explain_page(
    name: str, project: Project, *, track: Track, say: Callable[[str], None]
) -> tuple[list[Answer], Report]:
    """Return what is known of each page that a user names, and the report of a dry run.

    The report has pages only if the record did not answer. `track` is as in
    `read_folder`, `say` as in `GitCache`.

    Raises:
        OptionsError: As `read_folder`.
    """
    folder = read_folder(project, track=track, local=True)
    sitemap = _read_sitemap(project, folder)
    question = _question(name, project.site_dir, folder.base_url)
    report = Report()
    recorded = read_record(project.site_dir, sitemap.name)
    found = [row for row in recorded if question.is_about(row)]
    if not found:
        # Nothing is fetched for a question.
        options = replace(
            project.options, base_url=folder.base_url, fetch_history=False
        )
        report, _ = run_dry(folder, replace(project, options=options), say=say)
        found = [*_from_rules(question, report)]
    if not found:
        listed = question.keys & sitemap.entries.keys()
        found = [Recorded(sitemap.entries[key].url, "", "") for key in listed]
    return [_answer(row, sitemap) for row in found], report


def _question(name: str, site_dir: Path, base_url: str) -> _Question:
    file = Path(os.path.realpath(name))
    folder = os.path.realpath(site_dir)
    if file.is_relative_to(folder) and file.is_file():
        name = urls.percent_encode(file.relative_to(folder).as_posix())
    name = name.replace("\\", "/")  # As on Windows, and as browsers do.
    below = base_url + name.removeprefix("/")
    keys = frozenset({_key(name), _key(below)})
    return _Question(name, keys, _source_of(file))


def _source_of(file: Path) -> str:
    if not file.is_file():
        return ""
    root = root_above(str(file.parent), {})
    if root is None:
        return f"/{file.as_posix()}"
    return file.relative_to(root).as_posix()


def _key(url: str) -> str:
    """Return the same text for all URLs of one page."""
    return any_form(urls.identity(url))


def _read_sitemap(project: Project, folder: FolderSite) -> _Sitemap:
    file = project.site_dir / project.options.filename
    entries = {}
    exact = {}
    for listed in listed_in(find_sitemaps(FileLocation(file))):
        if listed.url:
            entry = _Entry(listed.url, listed.element.get("lastmod"))
            entries[_key(listed.url)] = entry
            exact[listed.identity] = entry
    return _Sitemap(file.name, entries | exact, _where_to_look(file, folder))


def _where_to_look(file: Path, folder: FolderSite) -> str:
    if not file.is_file():
        return ""
    if not is_ours(file):
        return f"another program wrote {file.name}, so the reason is not known"
    command = "the verbose output (-v) of the build"
    if any((file.parent / name).is_file() for name in _OF_SPHINX):
        command = "`sphinx-build -v`"
    for beginning, name in _COMMANDS.items():
        if folder.is_made_by(beginning):
            command = f"`{name}`"
    return f"as the plugin decided: {command} says why"


def _from_rules(question: _Question, report: Report) -> Iterator[Recorded]:
    """Yield what `build` says of a page, as the record would say it."""

    def is_wanted(page: CheckedPage) -> bool:
        return question.is_about(_row(page))

    for page, reasons in report.explain(is_wanted):
        yield _row(page)._replace(reasons=tuple(map(_from_here, reasons)))
    for each in report.pages_left_out:
        if is_wanted(each.page):
            yield _row(each.page)._replace(left_out=each.reason, why=each.words)


def _row(page: CheckedPage) -> Recorded:
    source = os.path.realpath(page.sources[0]) if page.sources else ""
    return Recorded(page.url, page.label, source)


def _answer(row: Recorded, sitemap: _Sitemap) -> Answer:
    """Return what the sitemap says of a page, and the reason if it fits."""
    entry = sitemap.entry_of(row.url or row.page)
    page = _relative(row.source) or row.page
    url = entry.url if entry else row.url
    known: dict[str, Any] = {"page": page, "url": url}
    if row.left_out and entry is None:
        known |= {"left_out": row.left_out, "why": row.why}
        return Answer(known, [f"{page}: left out ({row.left_out}: {row.why})"])

    place = f"{page} → {url}" if page else url
    if row.reasons and _is_confirmed(row.reasons[0], entry, sitemap):
        known["dates"] = [*map(_as_object, row.reasons)]
        return Answer(known, _lines(place, row.reasons))

    lastmod = None
    says = f"not in {sitemap.name}"
    if entry is not None:
        lastmod = entry.lastmod
        says = _words(lastmod)
    why = sitemap.says_why
    known |= {"lastmod": lastmod, "why": why}
    return Answer(known, [f"{place}: {says}, {why}"])


def _is_confirmed(why: Explanation, entry: _Entry | None, sitemap: _Sitemap) -> bool:
    """Tell whether the sitemap says the same of a page's date, or is not there."""
    if not sitemap.says_why:
        return True  # It is not there, and contradicts nothing.
    if entry is None:
        return False
    if why.date is None:
        return not entry.lastmod
    return why.fits(entry.lastmod)


def _words(lastmod: str) -> str:
    date = parse_lastmod(lastmod)
    if date is not None:
        return format_date(date, "date")
    return quoted(lastmod) if lastmod else "no date"


def _lines(place: str, reasons: Sequence[Explanation]) -> list[str]:
    why, *others = reasons
    lines = [f"{place}: {why.words}"]
    if why.passed_over:
        lines.append(f"    passed over: {why.words_passed_over}")
    return lines + [f"    {other}" for other in others]


def _from_here(why: Explanation) -> Explanation:
    """Return it with files outside git named relative to the current folder."""
    origin = why.origin
    if origin is not None:
        origin = origin._replace(file=_relative(origin.file))
    return why._replace(name=_relative(why.name), origin=origin)


def _relative(name: str) -> str:
    return seen_from(".", name) if Path(name).is_absolute() else name


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
