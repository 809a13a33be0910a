"""One date for each page: from its author, from git, or from its file.

A page of unknown date gets no `<lastmod>`. What is known about a file, a page's files
or the pages that a page lists is always an `Evidence`, and is combined in one way.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core import date_values
from sitemap_plugins.core.date_values import (
    NEVER,
    NOTHING,
    DateOrDatetime,
    Evidence,
    Origin,
)
from sitemap_plugins.core.dates.of_files import FileDates, find_file_dates
from sitemap_plugins.core.environment import CI, Environment
from sitemap_plugins.core.git.repository import IGNORE_REVS_FILE, Repository
from sitemap_plugins.core.messages import (
    GitError,
    Notice,
    Notices,
    a_few,
    count_pages,
    quoted,
)
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import (
    CheckedPage,
    Commit,
    Explanation,
)
from sitemap_plugins.core.untrusted_files import Finder
from sitemap_plugins.core.values import DateOrigin

_WHY = {"moved": "moved only", "same": "reads the same"}
"""Why commits are passed over, besides a list of them."""


def add_sources(
    pages: Iterable[CheckedPage], options: Options, project_dir: Path | None
) -> tuple[list[CheckedPage], Notices]:
    """Return the pages with all sources, and a notice for each name without a file.

    Besides those of the host, sources are named by the option `sources` and by pages'
    front matter.
    """
    finder = _SourceFinder()
    rules = []
    for patterns, globs in options.sources:
        files = finder.files_of_option(project_dir, globs)
        rules.append((patterns, files))

    complete = []
    for page in pages:
        more: list[Path] = []
        for patterns, files in rules:
            if patterns.match(page.path, page.label):
                more += files
        if page.named_sources:
            more += finder.files_of_page(page)
        if more:
            complete.append(page._replace(sources=(*page.sources, *more)))
        else:
            complete.append(page)
    return complete, tuple(finder.notices)


class _SourceFinder:
    """Finds files by the names and patterns that users write."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        """One for each name without a file."""
        self._finder = Finder()

    def files_of_option(self, folder: Path | None, globs: Iterable[str]) -> list[Path]:
        """Return the files of a rule of the option `sources`."""
        files = []
        for glob in globs:
            where = "" if folder is None else f" below {quoted(str(folder))}"
            files += self._files(folder, glob, where, "sources")
        return files

    def files_of_page(self, page: CheckedPage) -> list[Path]:
        """Return the files that a page's front matter names."""
        folder = page.sources[0].parent
        files = []
        for name in page.named_sources:
            files += self._files(folder, name, "", page.label, "sitemap.sources: ")
        return files

    def _files(
        self, folder: Path | None, name: str, where: str, place: str, field: str = ""
    ) -> list[Path]:
        """Return the files that a name or pattern matches; note if there are none.

        `where`, `place` and `field` are parts of that notice: below which folder the
        name was looked for, and who wrote the name.
        """
        problem = f"matches no file{where}"
        found: list[Path] = []
        if folder is not None:
            try:
                found = self._finder.files(folder, name)
            except ValueError as error:
                problem = str(error)
        if not found:
            text = f"{field}{quoted(name)} {problem}"
            self.notices.append(Notice("missing-source", text, "correct it", place))
        return found


class Dates(NamedTuple):
    """When the content of each page last changed, if that is known."""

    evidence: Mapping[str, Evidence]
    """What is known, by `Page.path`."""

    files: FileDates

    notices: Notices
    """Why dates are missing."""

    @property
    def by_path(self) -> dict[str, DateOrDatetime]:
        """Indexed by `Page.path`; a page whose date is not known is absent."""
        found = {}
        for path, evidence in self.evidence.items():
            if evidence.date is not None:
                found[path] = evidence.date
        return found


def resolve(
    pages: Sequence[CheckedPage], *, options: Options, environment: Environment
) -> Dates:
    """Find each page's date from the origins that the options name, in their order.

    A page that lists others is as new as the newest of them, unless its author gave it
    a date. Never raises: if something fails there is no date, and a notice says why.
    """
    files, about_files = find_file_dates(pages, options, environment)
    known = {}
    in_future = []
    now = environment.now
    for page in pages:
        known[page.path], has_future = _date(page, files, options.lastmod, now)
        if has_future:
            in_future.append(page.label)
    # A list needs the evidence of pages that come after the list, too.
    known |= _of_listed(pages, known)

    dated = []
    undated = []
    for page in pages:
        if known[page.path].date is None:
            undated.append(page)
        else:
            dated.append(page)

    notices = list(about_files)
    if files.is_shallow:
        notices += _about_shallow(undated, known, len(pages), environment)
    notices += _about_undated(undated, dated, files, environment.ci)
    notices += _about_future(in_future)
    return Dates(evidence=known, files=files, notices=tuple(notices))


def _about_undated(
    undated: Sequence[CheckedPage],
    dated: Sequence[CheckedPage],
    files: FileDates,
    ci: CI,
) -> Iterator[Notice]:
    """Yield why pages have no date, except for what a shallow clone lacks.

    Pages that include unknown files are left out here: other notices are about these.
    """
    undated = [page for page in undated if not page.unknown]
    yield from _about_copied(undated, files, ci)
    yield from _about_late(undated, files)
    if "git" in files.options.lastmod:
        yield from _about_no_source(undated, dated, files, ci)


def _date(
    page: CheckedPage, files: FileDates, origins: Sequence[DateOrigin], now: datetime
) -> tuple[Evidence, bool]:
    """Return the evidence of the first origin with a date, or what prevents one.

    Also return whether an origin was skipped because its date is in the future. A
    change of unknown time, which an earlier origin has found, also holds for the later
    origins, but not for the author's own date.
    """
    unknown = NOTHING
    has_future = False
    for origin in origins:
        if page.unknown and origin != "page":
            continue  # The unknown part of the page may be newer than its files.
        found = _of_origin(origin, page, files, now)
        # The author's own date of the last change is true, even if git's history is
        # incomplete.
        if unknown != NOTHING and origin != "page":
            found = Evidence.of_all([unknown, found])
        date = found.date
        if date is None:
            if found.lost_until is not None:
                unknown = found
        elif date_values.is_future(date, now):
            has_future = True
        else:
            return found, has_future
    return Evidence(lost_until=unknown.lost_until), has_future


def _of_origin(
    origin: DateOrigin, page: CheckedPage, files: FileDates, now: datetime
) -> Evidence:
    """Return what one of the origins in the option `lastmod` says of a page's date."""
    if origin == "page":
        return Evidence(page.modified, None, Origin("page", page.label))
    if origin == "mtime":
        return files.of(page, files.untracked)
    published = Evidence(page.published, None, Origin("published", page.label))
    if origin == "published":
        return published
    # The origin is "git".
    found = files.of(page, files.tracked)
    if found == NOTHING or page.published is None or files.options.changes == "any":
        return found
    if date_values.is_future(page.published, now):
        return found
    # The last commit of the text can be older than the page, which was a draft until
    # its publication.
    return Evidence.of_all([found, published])


def _of_listed(
    pages: Sequence[CheckedPage], known: Mapping[str, Evidence]
) -> dict[str, Evidence]:
    """Return the evidence for pages that list others.

    `known` says by path what is known of each page alone.
    """
    found = {}
    for page in pages:
        if page.lists and page.modified is None:
            parts = [known[page.path]]
            for each in page.lists:
                evidence = known.get(each)
                # The list shows this page too, and nothing tells when the page changed.
                if evidence == NOTHING:
                    evidence = Evidence(lost_until=NEVER)
                if evidence is not None:
                    parts.append(evidence)
            found[page.path] = Evidence.of_all(parts)
    return found


def _about_shallow(
    undated: Iterable[CheckedPage],
    known: Mapping[str, Evidence],
    total: int,
    environment: Environment,
) -> Iterator[Notice]:
    """Yield a notice if undated pages would have a date in a clone that is not shallow.

    `known` has the evidence of pages by path, and `total` is the number of all pages.
    """
    # `NEVER` stands for a change that is unknown for another reason.
    nothing_lost = {None, NEVER}
    lost = [page for page in undated if known[page.path].lost_until not in nothing_lost]
    if not lost:
        return
    problem = f"the clone is shallow, so {len(lost)} of {total} pages have no date"
    cure = environment.ci.unshallow
    if environment.fetch_limits is None:
        cure = f"set the option fetch_history to true, or {cure}"
    if any(page.published for page in lost):
        # Only the history shows whether the page changed since then.
        option = "the option lastmod = ['page', 'published']"
        cure += f", or write {option} to list dates of publication"
    yield Notice("shallow-clone", problem, cure)


def _about_copied(
    undated: Iterable[CheckedPage], files: FileDates, ci: CI
) -> Iterator[Notice]:
    """Yield a notice if files outside git have the times of copies, not of authors."""
    number = _count_of(undated, files.copied, files)
    if number:
        writer = "the checkout" if ci.is_ci else "a copy"
        problem = (
            f"the sources of {count_pages(number)} are in no git repository and their"
            f" file times are those of {writer}, so they have no date"
        )
        cure = "build from a clone of the repository, with its `.git` folder"
        yield Notice("no-repository", problem, cure)


def _about_late(undated: Iterable[CheckedPage], files: FileDates) -> Iterator[Notice]:
    number = _count_of(undated, files.late, files)
    if number:
        pages = count_pages(number)
        problem = (
            f"the sources of {pages} changed after SOURCE_DATE_EPOCH, so the date is"
            " omitted"
        )
        cure = "set the variable to the time of the last change"
        yield Notice("late-file", problem, cure)


def _count_of(
    pages: Iterable[CheckedPage], some: Collection[str], files: FileDates
) -> int:
    """Return how many pages have a source among `some`, which are real paths."""
    number = 0
    for page in pages:
        if any(files.real[source] in some for source in page.sources):
            number += 1
    return number


def _about_no_source(
    undated: Iterable[CheckedPage],
    dated: Iterable[CheckedPage],
    files: FileDates,
    ci: CI,
) -> Iterator[Notice]:
    """Yield a notice that names the undated pages without a source in git.

    `dated` are the pages with a date, which a proposed pattern must not match.
    """
    unknown = [page for page in undated if _has_no_source_in_git(page, files)]
    if not unknown:
        return
    labels = [page.label for page in unknown]
    has = "has" if len(labels) == 1 else "have"
    problem = f"{count_pages(len(labels))} {has} no source that git can date"
    cure = "name the files that the build makes them of in the option sources"
    folders = Counter(map(_top_folder, labels))
    folder, most = folders.most_common(1)[0]
    if folder and most > 1:
        # Several pages of a folder are most likely made by a program: an author would
        # have committed some of these.
        labels = [label for label in labels if label.startswith(f"{folder}/")]
        if most < len(unknown):
            problem += f", {most:,} of them in {quoted(folder)}"
        cure += f", such as {{'{_pattern(labels, folder, dated)}': ['src/*']}}"
    elif not ci.is_ci and any(page.sources for page in unknown):
        # These pages can be an author's new ones, or the build can make them.
        cure = f"commit the sources, or {cure}"
    yield Notice("no-source", f"{problem} ({a_few(labels)})", cure)


def _pattern(labels: Sequence[str], folder: str, dated: Iterable[CheckedPage]) -> str:
    """Return a pattern for pages in a folder that no page with a date matches.

    `labels` are the pages without a date in the folder. If a page of the folder has a
    date, the pattern is the first label, as an example.
    """
    pattern = f"{folder}/"
    if any(page.label.startswith(pattern) for page in dated):
        return labels[0]
    return pattern


def _top_folder(name: str) -> str:
    """Return the first folder of a path; empty for a name alone."""
    return name.rpartition("/")[0].partition("/")[0]


def _has_no_source_in_git(page: CheckedPage, files: FileDates) -> bool:
    """Tell whether git knows no change of any source of a page.

    A page without sources counts if the generator makes it, unless it is a list, whose
    pages date it.
    """
    if not page.sources:
        return page.is_generated and not page.lists
    return all(files.tracked.get(files.real[file]) == NOTHING for file in page.sources)


def _about_future(labels: Sequence[str]) -> Iterable[Notice]:
    if labels:
        are = "is" if len(labels) == 1 else "are"
        pages = count_pages(len(labels))
        problem = f"{pages} {are} dated in the future, so the date is omitted"
        yield Notice("future-date", problem, cure=f"correct it ({a_few(labels)})")


def explain_each(pages: Iterable[CheckedPage], dates: Dates) -> dict[str, Explanation]:
    """Return why each page has its date, by `Page.path`, in the order of the pages.

    Commits have no subjects, for which git would have to be asked.
    """
    return {page.path: _of_page(page, dates) for page in pages}


def add_subjects(
    reasons: Iterable[Explanation], repositories: Mapping[str, Repository]
) -> list[Explanation]:
    """Return reasons with the subjects of their commits, where git answers.

    `repositories` has the repositories by root. Each of them is asked once.
    """
    wanted = list(reasons)
    by_root: dict[str, set[str]] = defaultdict(set)
    for why in wanted:
        if why.origin is not None and why.origin.root in repositories:
            by_root[why.origin.root].update(each.name for each in why.commits)
    subjects: dict[str, str] = {}
    for root, names in by_root.items():
        with suppress(GitError):
            subjects |= repositories[root].subjects(names)
    return [why.with_subjects(subjects) for why in wanted]


def _of_page(page: CheckedPage, dates: Dates) -> Explanation:
    """Return why a page has its date, or why it has none."""
    evidence = dates.evidence.get(page.path, NOTHING)
    date = evidence.date
    origin = evidence.origin
    if date is None or origin is None:
        return Explanation(page.label, None, why=_why_undated(page, evidence, dates))
    # How a file that is not the page's own can date the page.
    how = ""
    if not (origin.excerpt or _is_own(origin, page, dates.files)):
        how = "listed" if page.lists and page.modified is None else "included"
    if not origin.commit:
        return Explanation(page.label, date, origin, how)
    passed_over = _passed_over(origin, dates.files.options)
    commit = Commit(origin.commit.decode())
    return Explanation(page.label, date, origin, how, commit, passed_over)


def _passed_over(origin: Origin, options: Options) -> tuple[Commit, ...]:
    """Return the newer commits that do not count, each with the reason in words."""
    if not origin.passed_over:
        return ()
    words = {**_WHY, "ignored": _lists(options)}
    return tuple(
        Commit(name.decode(), why=words[why]) for name, why in origin.passed_over
    )


def _why_undated(page: CheckedPage, evidence: Evidence, dates: Dates) -> str:
    """Return why a page has no date, in words that follow `no date,`."""
    files = dates.files
    own = [files.real[file] for file in page.sources]
    if not files.options.lastmod:
        return "because the option lastmod names no origin"
    if page.unknown:
        return f"because the page {page.unknown}"
    if evidence.lost_until is not None and not page.lists:
        why = "its last change is unknown"
    elif page.lists:
        why = "a page that it lists has no date"
    elif "git" not in files.options.lastmod:
        why = "its author wrote no date"
    elif not own and not page.excerpts:
        why = "its source is unknown"
    elif own and all(file in files.copied for file in own):
        why = "its source is in no git repository and has the time of a copy"
    elif own and all(files.tracked.get(file) == NOTHING for file in own):
        why = "its source is not committed"
    else:
        why = "nothing that it shows has a known date"
    return why


def _is_own(origin: Origin, page: CheckedPage, files: FileDates) -> bool:
    """Tell whether a date is from a page's author or its first source."""
    if origin.file == page.label:
        return True
    if not page.sources:
        return False
    own = files.real.get(page.sources[0], "")
    name = origin.file.replace("/", os.sep)
    # The file of an origin is a real path or, from git, a path below the root.
    return own in {name, f"{origin.root}{os.sep}{name}"}


def _lists(options: Options) -> str:
    """Return the names of the lists of ignored commits."""
    names = options.ignore_revs
    if isinstance(names, str):
        return names
    if isinstance(names, tuple):
        return " or ".join(names)
    return IGNORE_REVS_FILE
