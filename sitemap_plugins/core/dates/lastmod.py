"""One date for each page: from its author, from git, or from its file.

A page of unknown date gets no `<lastmod>`. What is known about a file, a page's files
or the pages that a page lists is always an `Evidence`, and is combined in one way.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sitemap_plugins.core import date_values
from sitemap_plugins.core.date_values import (
    NEVER,
    NOTHING,
    DateOrDatetime,
    Evidence,
    Origin,
)
from sitemap_plugins.core.dates.content import read_content
from sitemap_plugins.core.dates.files import FileDates, find_file_dates
from sitemap_plugins.core.environment import CI, Environment
from sitemap_plugins.core.git.last_change import find_passed_over
from sitemap_plugins.core.git.repository import IGNORE_REVS_FILE, read_ignore_revs
from sitemap_plugins.core.messages import (
    GitError,
    Notice,
    a_few,
    cited,
    count_pages,
    quoted,
)
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage, Explanation
from sitemap_plugins.core.untrusted_files import Finder
from sitemap_plugins.core.values import DateOrigin

_WHY = {"moved": "moved only", "mode": "mode only", "same": "reads the same"}
"""Why commits are passed over, besides a list of them."""


def add_sources(
    pages: Iterable[CheckedPage], options: Options, project_dir: Path | None
) -> tuple[list[CheckedPage], tuple[Notice, ...]]:
    """Return the pages with all their sources, and a notice for each entry that names no file."""
    finder = Finder()
    rules, notices, complete = [], [], []
    for patterns, globs in options.sources:
        files = []
        for glob in globs:
            found, problem = _files(finder, project_dir, glob, below=True)
            files += found
            if problem:
                notices.append(_missing(problem, "sources"))
        rules.append((patterns, files))
    for page in pages:
        more: list[Path] = []
        for patterns, files in rules:
            more += files if patterns.match(page.path, page.label) else []
        for name in page.named_sources:
            found, problem = _files(finder, page.sources[0].parent, name)
            more += found
            if problem:
                notices.append(_missing(f"sitemap.sources: {problem}", page.label))
        complete.append(page._replace(sources=(*page.sources, *more)) if more else page)
    return complete, tuple(notices)


def _missing(problem: str, place: str) -> Notice:
    return Notice("missing-source", problem, cure="correct it", place=place)


def _files(
    finder: Finder, folder: Path | None, name: str, *, below: bool = False
) -> tuple[list[Path], str]:
    """Return the files that a relative name or glob pattern means, or why there are none."""
    try:
        found = finder.files(folder, name) if folder else []
    except ValueError as error:
        return [], f"{quoted(name)} {error}"
    where = f" below {quoted(str(folder))}" if below and folder else ""
    return found, "" if found else f"{quoted(name)} matches no file{where}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When the content of each page last changed, if that is known."""

    by_path: Mapping[str, DateOrDatetime]
    """By `Page.path`; a page whose date is not known is absent."""

    notices: tuple[Notice, ...] = ()
    """Why dates are missing."""

    evidence: Mapping[str, Evidence]
    """What is known, by `Page.path`; a page that its author dated can be absent."""

    files: FileDates


def resolve(
    pages: Sequence[CheckedPage], *, options: Options, environment: Environment
) -> Dates:
    """Find the date of each page from the origins that the options name, in their order.

    A page that lists others is as new as the newest of them, unless its author gave it
    a date. Never raises: if something fails there is no date, and a notice says why.
    """
    files, about_files = find_file_dates(pages, options, environment)
    by_path: dict[str, DateOrDatetime] = {}
    if options.lastmod[:1] == ("page",):
        by_path = _authored(
            pages, environment.now
        )  # Nothing else is asked about these.
    others = [page for page in pages if page.path not in by_path]
    known, in_future = {}, []
    for page in others:
        known[page.path], has_future = _date(
            page, files, options.lastmod, environment.now
        )
        if has_future:
            in_future.append(page.label)
    known |= _derived(pages, known, by_path)
    by_path |= {
        path: date for path, found in known.items() if (date := found.date) is not None
    }
    undated = [page for page in others if page.path not in by_path]
    cure = "" if environment.fetches_history else "set the option fetch_history, or "
    cure += environment.ci.unshallow
    notices = (
        *about_files,
        *(_about_shallow(others, known, len(pages), cure) if files.is_shallow else ()),
        *_about_undated(undated, files, options.lastmod, environment.ci),
        *_about_future(in_future),
    )
    return Dates(by_path=by_path, notices=notices, evidence=known, files=files)


def _authored(pages: Iterable[CheckedPage], now: datetime) -> dict[str, DateOrDatetime]:
    """Return the dates of the last change that authors gave, by path, without future ones."""
    dates = {page.path: page.modified for page in pages if page.modified is not None}
    last = date_values.newest(dates.values())
    if last is None or date_values.to_utc(last) <= now:
        return dates
    return {
        path: date
        for path, date in dates.items()
        if not date_values.is_future(date, now)
    }


def _date(
    page: CheckedPage, files: FileDates, origins: Sequence[DateOrigin], now: datetime
) -> tuple[Evidence, bool]:
    """Return the evidence of the first origin that has a date, or what prevents one.

    Also return whether an origin was skipped because its date is in the future.
    """
    unknown: Evidence | None = None
    has_future = False
    for origin in origins:
        found = _of_origin(origin, page, files, now)
        # The author's own date of the last change is true, even if git's history is
        # incomplete.
        if unknown and origin != "page":
            found = Evidence.of_all([unknown, found])
        if found.newest is None and found.unknown_until is None:
            continue
        if (date := found.date) is None:
            unknown = found
        elif date_values.is_future(date, now):
            has_future = True
        else:
            return found, has_future
    return Evidence(
        unknown_until=unknown.unknown_until if unknown else None
    ), has_future


def _of_origin(
    origin: DateOrigin, page: CheckedPage, files: FileDates, now: datetime
) -> Evidence:
    if origin == "page":
        return Evidence(page.modified, None, Origin("page", page.label))
    if origin == "published":
        return Evidence(page.published, None, Origin("published", page.label))
    if origin == "git":
        found, published = files.of(page, files.tracked), page.published
        if (
            files.options.changes == "content"
            and published
            and not date_values.is_future(published, now)
            and found != NOTHING
        ):
            # Before the commit that published it, the text can have been a draft.
            found = Evidence.of_all(
                [found, Evidence(published, None, Origin("published", page.label))]
            )
        return found
    return files.of(page, files.untracked)


def _derived(
    pages: Sequence[CheckedPage],
    known: Mapping[str, Evidence],
    authored: Mapping[str, DateOrDatetime],
) -> dict[str, Evidence]:
    """Return the evidence for pages that list others, also through pages that list pages.

    `known` and `authored` say by path what is known of each page, one or the other.
    """
    lists = {
        page.path: page.lists for page in pages if page.lists and page.modified is None
    }
    if not lists:
        return {}
    labels = {page.path: page.label for page in pages}
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
                *(
                    Evidence(authored[listed], None, Origin("page", labels[listed]))
                    for listed in seen
                    if listed in authored
                ),
            ]
        )
    return derived


def _about_shallow(
    pages: Iterable[CheckedPage], known: Mapping[str, Evidence], total: int, cure: str
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
    if any(page.published for page in lost.values()):
        # Only the history shows whether the page changed since then.
        cure += ", or write the option lastmod = ['page', 'published'] to list dates of publication"
    yield Notice("shallow-clone", problem, cure)


def _about_undated(
    undated: Sequence[CheckedPage],
    files: FileDates,
    origins: Sequence[DateOrigin],
    ci: CI,
) -> Iterable[Notice]:
    """Say why files outside git give no date, and which pages git can never date.

    The latter are those that extensions and plugins make in each build.
    """

    def count(some: Collection[str]) -> int:
        return sum(
            any(files.real[file] in some for file in page.sources) for page in undated
        )

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
        yield Notice(
            "late-file", problem, cure="set the variable to the time of the last change"
        )

    unknown = [page for page in undated if _has_no_source_in_git(page, files)]
    if unknown and "git" in origins:
        labels = [page.label for page in unknown]
        pages = f"{count_pages(len(labels))} {'has' if len(labels) == 1 else 'have'}"
        folder, most = Counter(label.partition("/")[0] for label in labels).most_common(
            1
        )[0]
        inside = (
            f", {most:,} of them in {quoted(folder)}" if 1 < most < len(labels) else ""
        )
        problem = f"{pages} no source that git can date{inside} ({a_few(labels)})"
        cure = "name the files that the build makes them of in the option sources"
        if not ci.is_ci and any(
            page.sources for page in unknown
        ):  # An author's, or the build's.
            cure = f"commit the sources, or {cure}"
        yield Notice("no-source", problem, cure)


def _has_no_source_in_git(page: CheckedPage, files: FileDates) -> bool:
    if not page.sources:
        return page.is_generated and not page.lists
    real = (files.real[file] for file in page.sources)
    return all(files.tracked.get(file) == NOTHING for file in real)


def _about_future(labels: Sequence[str]) -> Iterable[Notice]:
    if labels:
        pages = f"{count_pages(len(labels))} {'is' if len(labels) == 1 else 'are'}"
        problem = f"{pages} dated in the future, so the date is omitted"
        yield Notice("future-date", problem, cure=f"correct it ({a_few(labels)})")


def explain(
    pages: Iterable[CheckedPage],
    dates: Dates,
    wanted: Callable[[CheckedPage], bool] | None = None,
) -> Iterator[tuple[CheckedPage, tuple[Explanation, ...]]]:
    """Yield each page and why it has its date, if dates are wanted at all.

    Only for `wanted` pages, if that is given; then also why each of their other files
    has its own.
    """
    files = dates.files
    asked = [
        page for page in pages if (wanted(page) if wanted else files.options.lastmod)
    ]
    found = [(page, [*_clues(page, dates)][: None if wanted else 1]) for page in asked]
    told = _told_by_git(
        files, {clue.origin for _, clues in found for clue in clues if clue.origin}
    )
    for page, clues in found:
        yield page, tuple(clue._replace(**told.get(clue.origin, {})) for clue in clues)


def _clues(page: CheckedPage, dates: Dates) -> Iterator[Explanation]:
    """Yield what is known of a page's date, then of each file that does not decide it."""
    files, date = dates.files, dates.by_path.get(page.path)
    found = dates.evidence.get(page.path, NOTHING)
    decisive = found.origin or Origin("page")
    own = files.real.get(page.sources[0]) if page.sources else None
    name, how = os.fsdecode(decisive.file), ""
    if name not in {"", page.label} and str(Path(decisive.root, name)) != own:
        how = "listed" if page.lists and page.modified is None else "included"
    is_lost = found.unknown_until is not None
    yield Explanation(
        page.label, date, None if date is None else decisive, how, is_lost=is_lost
    )
    for real in dict.fromkeys(
        files.real[file] for file in (*page.sources, *page.included)
    ):
        found = files.tracked.get(real) or files.untracked.get(real, NOTHING)
        if found.origin is None or found.origin != decisive:
            paths = (
                repository.path(real) for repository in files.repositories.values()
            )
            name, is_lost = (
                os.fsdecode(next(filter(None, paths), real)),
                bool(found.unknown_until),
            )
            yield Explanation(name, found.date, found.origin, is_lost=is_lost)


def _told_by_git(
    files: FileDates, origins: Collection[Origin]
) -> dict[Origin | None, dict[str, Any]]:
    """Return the fields that git knows of an explanation, by its origin, where it answers."""
    told: dict[Origin | None, dict[str, Any]] = {}
    option = files.options.ignore_revs
    words = {**_WHY, "ignored": option if isinstance(option, str) else IGNORE_REVS_FILE}
    read = read_content if files.options.changes == "content" else None
    for root, repository in files.repositories.items():
        own = {o: os.fsencode(o.file) for o in origins if o.commit and o.root == root}
        with suppress(GitError):
            ignored, _ = read_ignore_revs(repository.root, option=option)
            found = find_passed_over(
                repository, {*own.values()}, ignored=ignored, read=read
            )
            newer = {o: found.get((path, o.commit), ()) for o, path in own.items()}
            commits = {commit for each in newer.values() for commit, _ in each}
            subjects = repository.subjects(sorted(commits | {o.commit for o in own}))
            named = {
                name: f"{name[:7].decode()} {cited(subjects[name])}"
                for name in subjects
            }
            for origin, passed in newer.items():
                passed_over = ", ".join(
                    f"{named[name]} ({words[why]})" for name, why in passed
                )
                told[origin] = {
                    "commit": named[origin.commit],
                    "passed_over": passed_over,
                }
    return told
