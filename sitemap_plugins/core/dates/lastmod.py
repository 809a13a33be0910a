"""One date for each page: from its author, from git, or from its file.

A page of unknown date gets no `<lastmod>`. What is known about a file, a page's files or the pages
that a page lists is always an `Evidence`, and is combined in one way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap_plugins.core.date_values import NEVER, NOTHING, Evidence, is_future, newest, to_utc
from sitemap_plugins.core.dates.files import find_file_dates
from sitemap_plugins.core.messages import a_few, count_pages
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from sitemap_plugins.core.date_values import DateOrDatetime
    from sitemap_plugins.core.dates.files import FileDates
    from sitemap_plugins.core.environment import CI, Environment
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.records import CheckedPage
    from sitemap_plugins.core.values import DateOrigin

__all__ = ["Dates", "resolve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When the content of each page last changed, if that is known."""

    by_path: Mapping[str, DateOrDatetime]
    """By `Page.path`; a page whose date is not known is absent."""

    notices: tuple[Notice, ...] = ()
    """Why dates are missing."""


def resolve(pages: Sequence[CheckedPage], *, options: Options, environment: Environment) -> Dates:
    """Find the date of each page from the origins that the options name, in their order.

    A page that lists others is as new as the newest of them, unless its author gave it a date.
    Never raises: if something fails there is no date, and a notice says why.
    """
    files, about_files = find_file_dates(pages, options, environment)
    by_path: dict[str, DateOrDatetime] = {}
    if options.lastmod[:1] == ("page",):
        by_path = _authored(pages, environment.now)  # Nothing else is asked about these.
    others = [page for page in pages if page.path not in by_path]
    known, in_future = {}, []
    for page in others:
        known[page.path], has_future = _date(page, files, options.lastmod, environment.now)
        if has_future:
            in_future.append(page.label)
    known |= _derived(others, known, by_path)
    by_path |= {path: date for path, found in known.items() if (date := found.date) is not None}
    undated = [page for page in others if page.path not in by_path]
    notices = (
        *about_files,
        *(_about_shallow(others, known, len(pages), environment.ci) if files.is_shallow else ()),
        *_about_undated(undated, files, options.lastmod, environment.ci),
        *_about_future(in_future),
    )
    return Dates(by_path=by_path, notices=notices)


def _authored(pages: Iterable[CheckedPage], now: datetime) -> dict[str, DateOrDatetime]:
    """Return the dates of the last change that authors gave, by path, without future ones."""
    dates = {page.path: page.modified for page in pages if page.modified is not None}
    last = newest(dates.values())
    if last is None or to_utc(last) <= now:
        return dates
    return {path: date for path, date in dates.items() if not is_future(date, now)}


def _date(
    page: CheckedPage, files: FileDates, origins: Sequence[DateOrigin], now: datetime
) -> tuple[Evidence, bool]:
    """Return the evidence of the first origin that has a date, or what prevents one.

    Also return whether an origin was skipped because its date is in the future.
    """
    unknown: Evidence | None = None
    has_future = False
    for origin in origins:
        found = _of_origin(origin, page, files)
        # The author's own date of the last change is true, even if git's history is incomplete.
        if unknown and origin != "page":
            found = Evidence.of_all([unknown, found])
        if found.newest is None and found.unknown_until is None:
            continue
        if (date := found.date) is None:
            unknown = found
        elif is_future(date, now):
            has_future = True
        else:
            return found, has_future
    return Evidence(unknown_until=unknown.unknown_until if unknown else None), has_future


def _of_origin(origin: DateOrigin, page: CheckedPage, files: FileDates) -> Evidence:
    if origin == "page":
        return Evidence(page.modified)
    if origin == "published":
        return Evidence(page.published)
    tracked = files.of(page, files.tracked)
    if origin == "git":
        return Evidence.of_all(tracked)
    return NOTHING if tracked else Evidence.of_all(files.of(page, files.untracked))


def _derived(
    pages: Iterable[CheckedPage],
    known: Mapping[str, Evidence],
    authored: Mapping[str, DateOrDatetime],
) -> dict[str, Evidence]:
    """Return the evidence for pages that list others, also through pages that list pages.

    `known` and `authored` say by path what is known of each page, one or the other.
    """
    lists = {page.path: page.lists for page in pages if page.lists and page.modified is None}
    derived = {}
    for path in lists:
        seen, ahead = {path}, [path]
        while ahead:
            new = set(lists.get(ahead.pop(), ())) - seen
            seen |= new
            ahead += new
        derived[path] = Evidence.of_all(
            [
                *(known[listed] for listed in seen if listed in known),
                *(Evidence(authored[listed]) for listed in seen if listed in authored),
            ]
        )
    return derived


def _about_shallow(
    pages: Iterable[CheckedPage], known: Mapping[str, Evidence], total: int, ci: CI
) -> Iterable[Notice]:
    evidence = ((page, known[page.path]) for page in pages)
    lost = {
        page.path: page
        for page, found in evidence
        if found.date is None and found.unknown_until not in {None, NEVER}
    }
    if not lost:
        return
    problem = f"the clone is shallow, so {len(lost)} of {total} pages have no date"
    cure = ci.unshallow
    if any(page.published for page in lost.values()):
        # Only the history shows whether the page changed since then.
        cure += ", or write the option lastmod = ['page', 'published'] to list dates of publication"
    yield Notice("shallow-clone", problem, cure)


def _about_undated(
    undated: Sequence[CheckedPage], files: FileDates, origins: Sequence[DateOrigin], ci: CI
) -> Iterable[Notice]:
    """Say why files outside git give no date, and which pages git can never date.

    The latter are those that extensions and plugins make in each build.
    """

    def count(some: Collection[str]) -> int:
        return sum(any(files.real[file] in some for file in page.sources) for page in undated)

    if copied := count(files.copied):
        problem = (
            f"the sources of {count_pages(copied)} are in no git repository and their file times"
            f" are those of {'the checkout' if ci.is_ci else 'a copy'}, so they have no date"
        )
        cure = "build from a clone of the repository, with its `.git` folder"
        yield Notice("no-repository", problem, cure)
    if late := count(files.late):
        problem = (
            f"the sources of {count_pages(late)} changed after SOURCE_DATE_EPOCH, so the date is"
            " omitted"
        )
        yield Notice("late-file", problem, cure="set the variable to the time of the last change")

    labels = [page.label for page in undated if _has_no_source_in_git(page, files)]
    if labels and "git" in origins:
        pages = f"{count_pages(len(labels))} {'has' if len(labels) == 1 else 'have'}"
        problem = f"{pages} no source that git can date"
        cure = "name the files that the build makes them of in the option sources"
        yield Notice("no-source", problem, f"{cure} ({a_few(labels)})")


def _has_no_source_in_git(page: CheckedPage, files: FileDates) -> bool:
    if not page.sources:
        return page.is_generated and not page.lists
    real = (files.real[file] for file in page.sources)
    return not page.excerpts and all(files.tracked.get(file) == NOTHING for file in real)


def _about_future(labels: Sequence[str]) -> Iterable[Notice]:
    if labels:
        pages = f"{count_pages(len(labels))} {'is' if len(labels) == 1 else 'are'}"
        problem = f"{pages} dated in the future, so the date is omitted"
        yield Notice("future-date", problem, cure=f"correct it ({a_few(labels)})")
