"""When a page's source was last removed, moved or merged, as far as git knows.

Then a page disappeared from a sitemap, went to another part, or arrived with the older
date of its branch, and no date of a listed page shows that.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import closing

from sitemap_plugins.core.date_values import NEVER, NOTHING, Evidence, is_future
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.log import Commit, cover_paths
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import GitError
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage
from sitemap_plugins.core.untrusted_files import root_above

_SUFFIXES = frozenset({".md", ".rst", ".html", ".ipynb", ".txt"})
"""Suffixes of pages' sources, besides those of the present pages."""


def find_last_removal(
    pages: Iterable[CheckedPage], options: Options, environment: Environment
) -> Evidence:
    """Return the evidence of the last removal, move or merge of a file like them.

    That is, in the same top folders of the repositories, with the same suffixes.
    """
    if "git" not in options.lastmod:
        return NOTHING
    sources = {str(page.sources[0]) for page in pages if page.sources}
    places = {(os.path.dirname(file), os.path.splitext(file)[1]) for file in sources}
    folders: dict[str, set[str]] = defaultdict(set)
    known: dict[str, str | None] = {}
    for folder in {os.path.realpath(folder) for folder, _ in places}:
        root = root_above(folder, known)
        if root is not None:
            folders[root].add(folder)
    suffixes = _SUFFIXES.union(suffix for _, suffix in places)
    found = [
        _in_repository(root, some, suffixes, environment)
        for root, some in folders.items()
    ]
    return Evidence.of_all(found)


def _in_repository(
    root: str,
    folders: Iterable[str],
    suffixes: Collection[str],
    environment: Environment,
) -> Evidence:
    try:
        with environment.repository(root) as clone:
            repository, _ = environment.complete(clone)
            top_folders = set()
            for folder in folders:
                path = repository.path(os.path.join(folder, "")) or b""
                top_folders.add(path.partition(b"/")[0])
            pathspecs = [] if b"" in top_folders else cover_paths(top_folders)
            removal = _newest(repository, pathspecs, suffixes)
    except GitError:  # The notice about the pages' dates names it.
        return Evidence(lost_until=NEVER)
    if removal is None:
        return NOTHING
    found = Evidence.of_change(removal.time, lost=removal.id in repository.boundary)
    if found.date is not None and is_future(found.date, environment.now):
        return Evidence(lost_until=NEVER)
    return found


def _newest(
    repository: Repository, pathspecs: Collection[bytes], suffixes: Collection[str]
) -> Commit | None:
    """Return the newest commit that removed such a file, or merged a change of one.

    A merge is the commit by which all changes on its branch arrived. In a shallow
    clone, the search can end at a commit whose own changes are unknown.
    """
    form = ("--first-parent", "--diff-merges=first-parent")
    with closing(
        repository.log(*form, starts=[repository.head], paths=pathspecs)
    ) as log:
        for commit in log:
            if commit.id in repository.boundary:
                return commit
            is_merge = len(commit.parents) > 1
            for change in commit.changes:
                suffix = os.path.splitext(os.fsdecode(change.path))[1]
                if suffix in suffixes and (is_merge or not change.after):
                    return commit
    return None
