"""How many dates each deploy to a branch moved, and of pages that did not change.

    python benchmarks/deploys.py REPOSITORY BRANCH[:PATH]

The branch holds a built site, such as `gh-pages`; PATH is its sitemap, by default
`sitemap.xml`. A deploy is a commit that changes the sitemap or the file of a listed page.
Nothing is checked out: a page is the same in two deploys if its blob has the same name.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import lastmod_in_utc
from sitemap_plugins.core.git.log import parse_tree
from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import FileError
from sitemap_plugins.core.url_forms import Files
from sitemap_plugins.folder.address import base_of
from sitemap_plugins.sitemaps.locations import COMMIT, CommitLocation, parse_commit
from sitemap_plugins.sitemaps.parts import elements_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

DEPLOYS = 40
"""Deploys that are compared with the one before them."""

COMMITS = 100
"""Commits that are looked at: some change only other files."""

LOG = ("log", "--first-parent", "--format=%H", f"--max-count={COMMITS}")


class Page(NamedTuple):
    """A listed URL in one deploy."""

    date: datetime | None
    """In UTC; None without a valid one."""

    blob: bytes
    """Name of the page's bytes; empty if the branch has no file of the page."""


def deploys(repository: Path, branch: str) -> Counter[str]:
    """Compare the last deploys in a branch, each with the one before, as `compared`."""
    opened = Repository.open(repository, environ=os.environ)
    revision, path = parse_commit(f"{COMMIT}{branch}")
    folder = path.rpartition("/")[0] or "."
    arguments = (*LOG, "--end-of-options", revision, "--", folder)
    commits = opened.git.run(*arguments).decode().split()
    total: Counter[str] = Counter()
    for later, earlier in pairwise(sites(opened, commits, path)):
        if total["deploys"] == DEPLOYS:
            break
        if later != earlier:
            total.update(compared(earlier, later), deploys=1)
    return total


def sites(
    repository: Repository, commits: list[str], path: str
) -> Iterator[dict[str, Page]]:
    """Yield the sites of commits, but for those whose sitemap cannot be read."""
    for commit in commits:
        # Each deploy has a time limit of its own.
        git = Git.at(repository.root, repository.git.environ)
        try:
            yield site(git, commit, path)
        except FileError:
            continue


def site(git: Git, commit: str, path: str) -> dict[str, Page]:
    """Return the pages of a deploy, indexed by `urls.identity`.

    Raises:
        FileError: The deploy has no sitemap that can be read.
    """
    listed = {}
    for part in parts_of(CommitLocation(git, commit, path)):
        for element in elements_of(part.location):
            listed.setdefault(urls.identity(element.get("loc")), element)
    blobs = blobs_in(git, commit, path.rpartition("/")[0])
    files = Files.of(blobs)
    base_url = base_of(listed, files)
    pages = {}
    for identity, element in listed.items():
        file = ""
        if base_url and identity.startswith(base_url):
            file = files.page_at(identity.removeprefix(base_url).partition("?")[0])
        date = lastmod_in_utc(element.get("lastmod"))
        pages[identity] = Page(date, blobs.get(file, b""))
    return pages


def blobs_in(git: Git, commit: str, folder: str) -> dict[str, bytes]:
    """Return the blob of each file below a folder of a commit, by its encoded name."""
    top = f"{folder}/" if folder else ""
    pathspecs = (top,) if top else ()
    listing = git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *pathspecs)
    blobs = {}
    for path, blob in parse_tree(listing).items():
        name = os.fsdecode(path).removeprefix(top)
        blobs[urls.percent_encode(name)] = blob
    return blobs


def compared(earlier: dict[str, Page], later: dict[str, Page]) -> Iterator[str]:
    """Yield what one deploy did to each URL that has a date before and after it.

    `moved with page` are dates that differ, of pages that both deploys have; `unchanged`
    are those of pages that are the same in both.
    """
    for identity, after in later.items():
        before = earlier.get(identity)
        if before is None or before.date is None or after.date is None:
            continue
        yield "dates"
        if before.date != after.date:
            yield "moved"
            if after.date < before.date:
                yield "went back"
            if before.blob and after.blob:
                yield "moved with page"
                if before.blob == after.blob:
                    yield "unchanged"


def main() -> None:
    repository, branch = sys.argv[1:]
    counts = deploys(Path(repository), branch)
    print(f"{counts['deploys']:,} deploys, {counts['dates']:,} dates")
    print(
        f"moved: {counts['moved']:,} ({counts['moved'] / max(counts['dates'], 1):.0%})"
    )
    print(f"of these, pages in the branch: {counts['moved with page']:,}")
    share = counts["unchanged"] / max(counts["moved with page"], 1)
    print(f"of these, not changed by a byte: {counts['unchanged']:,} ({share:.0%})")
    print(f"went back: {counts['went back']:,}")


if __name__ == "__main__":
    main()
