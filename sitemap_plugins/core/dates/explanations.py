"""Why each page has its date: the file and the commit that decide, and the commits passed over.

Git is asked again, once for each repository, so this is only for somebody who asks.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.date_values import NOTHING, Origin
from sitemap_plugins.core.dates.content import read_content
from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.last_change import find_passed_over
from sitemap_plugins.core.git.repository import IGNORE_REVS_FILE, read_ignore_revs
from sitemap_plugins.core.messages import cited
from sitemap_plugins.core.records import Explanation

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from sitemap_plugins.core.dates.files import FileDates
    from sitemap_plugins.core.dates.lastmod import Dates
    from sitemap_plugins.core.records import CheckedPage

_WHY = {"moved": "moved only", "mode": "mode only", "same": "reads the same"}
"""Why commits are passed over, besides a list of them."""


def explain(
    pages: Iterable[CheckedPage],
    dates: Dates,
    wanted: Callable[[CheckedPage], bool] | None = None,
) -> Iterator[tuple[CheckedPage, tuple[Explanation, ...]]]:
    """Yield each page and why it has its date, if dates are wanted at all.

    Only for `wanted` pages, if that is given; then also why each of their other files has its own.
    """
    files = dates.files
    asked = [page for page in pages if (wanted(page) if wanted else files.options.lastmod)]
    found = [(page, [*_clues(page, dates)][: None if wanted else 1]) for page in asked]
    told = _ask_git(files, {clue.origin for _, clues in found for clue in clues if clue.origin})
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
    yield Explanation(page.label, date, None if date is None else decisive, how, is_lost=is_lost)
    for real in dict.fromkeys(files.real[file] for file in (*page.sources, *page.included)):
        found = files.tracked.get(real) or files.untracked.get(real, NOTHING)
        if found.origin is None or found.origin != decisive:
            paths = (repository.path(real) for repository in files.repositories.values())
            name, is_lost = os.fsdecode(next(filter(None, paths), real)), bool(found.unknown_until)
            yield Explanation(name, found.date, found.origin, is_lost=is_lost)


def _ask_git(files: FileDates, origins: Collection[Origin]) -> dict[Origin | None, dict[str, Any]]:
    """Return the fields that git knows of an explanation, by its origin, where it answers."""
    told: dict[Origin | None, dict[str, Any]] = {}
    option = files.options.ignore_revs
    words = {**_WHY, "ignored": option if isinstance(option, str) else IGNORE_REVS_FILE}
    read = read_content if files.options.changes == "content" else None
    for root, repository in files.repositories.items():
        own = {o: os.fsencode(o.file) for o in origins if o.commit and o.root == root}
        with suppress(GitError):
            ignored = read_ignore_revs(repository.root, option=option).commits
            found = find_passed_over(repository, {*own.values()}, ignored=ignored, read=read)
            newer = {o: found.get((path, o.commit), ()) for o, path in own.items()}
            commits = {commit for each in newer.values() for commit, _ in each}
            subjects = repository.subjects(sorted(commits | {o.commit for o in own}))
            named = {name: f"{name[:7].decode()} {cited(subjects[name])}" for name in subjects}
            for origin, passed in newer.items():
                passed_over = ", ".join(f"{named[name]} ({words[why]})" for name, why in passed)
                told[origin] = {"commit": named[origin.commit], "passed_over": passed_over}
    return told
