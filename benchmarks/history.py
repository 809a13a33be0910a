"""What a shallow clone's missing history brings and costs: the costs in docs/lastmod.md.

python -m benchmarks.history FOLDER...     (bare repositories, complete)

Each is served on loopback by git's own `http-backend`, and cloned with the depths of
GitHub's checkout (1) and Read the Docs (50). A page is a source file in a folder of
documentation. With the variables of GitHub Actions and no option, the dates must be
those of the full clone. Bytes are those that the server sent.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.dates.lastmod import resolve
from sitemap_plugins.core.environment import Environment
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Page
from tests.checked import checked
from tests.git_repository import ENVIRON
from tests.git_server import serving

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.git_server import Server

FOLDERS = ("docs", "doc", "source", "content")
SUFFIXES = {".md", ".rst", ".ipynb"}
ALL = ("origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
"""What actions/checkout fetches with `fetch-depth: 0`."""
COLUMNS = (
    "project",
    "commits",
    "pages",
    "dated at depth 1",
    "at depth 50",
    "with the history",
    "MB",
    "seconds",
    "`fetch-depth: 0`, MB",
    "with `filter: blob:none`, MB",
)
ELSEWHERE = ENVIRON | {"CI": "1"}
"""No service of the list: nothing is fetched. Only commits count, as on a service."""
ON_GITHUB = ELSEWHERE | {"GITHUB_ACTIONS": "true"}


class Measured(NamedTuple):
    """A build's dates, and what it fetched for them."""

    dates: dict[str, object]
    megabytes: float
    seconds: float


def git(folder: Path, *arguments: str) -> str:
    """Run git as in a fresh machine."""
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(
        command, env=ENVIRON, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def measure(clone: Path, server: Server, environ: Mapping[str, str]) -> Measured:
    """Date the pages of a clone as a build does that has no option."""
    files = [file for name in FOLDERS for file in (clone / name).rglob("*")]
    sources = sorted(
        file for file in files if file.suffix in SUFFIXES and file.is_file()
    )
    pages = [
        Page(path=str(file.relative_to(clone)), sources=(file,)) for file in sources
    ]
    options = Options()
    environment = Environment.of(environ, options, GitCache(), began=None)
    sent = server.sent
    start = time.monotonic()
    found = resolve(
        [checked(page) for page in pages], options=options, environment=environment
    )
    seconds = time.monotonic() - start
    codes = {notice.code for notice in found.notices}
    assert not codes & {"fetch-failed", "missing-contents"}, found.notices
    dates: dict[str, object] = {
        page.path: found.by_path.get(page.path) for page in pages
    }
    return Measured(dates, (server.sent - sent) / 1e6, seconds)


def checkout(url: str, folder: Path, server: Server, *options: str) -> str:
    """Fetch as actions/checkout does with `fetch-depth: 0`; return the megabytes."""
    sent = server.sent
    git(folder.parent, "init", "--quiet", str(folder))
    git(folder, "remote", "add", "origin", url)
    fetch = ("fetch", "--quiet", "--prune", "--no-recurse-submodules")
    git(folder, *fetch, *options, *ALL)
    head = git(folder, "ls-remote", "origin", "HEAD")[:40]
    git(folder, "checkout", "--quiet", "--detach", head)
    return f"{(server.sent - sent) / 1e6:.1f}"


def row(repository: Path, server: Server, scratch: Path) -> list[object]:
    """Measure one project."""
    name = repository.parent.name.partition("+")[2] or repository.name
    url = f"{server.url}{repository.name}"
    found = {}
    for depth in (1, 50):
        clone = scratch / f"{name}-{depth}"
        git(scratch, "clone", "--quiet", f"--depth={depth}", url, str(clone))
        for environ in (ELSEWHERE, ON_GITHUB):
            fetches = environ is ON_GITHUB
            found[depth, fetches] = measure(clone, server, environ)
    whole = [
        checkout(url, scratch / f"whole-{number}", server, *options)
        for number, options in enumerate([(), ("--filter=blob:none",)])
    ]
    full = measure(scratch / "whole-0", server, ELSEWHERE)
    fetched = found[1, True]
    assert full.dates == fetched.dates == found[50, True].dates, name
    dated = [
        sum(map(bool, found[key].dates.values())) for key in ((1, False), (50, False))
    ]
    return [
        name,
        f"{int(git(repository, 'rev-list', '--count', 'HEAD')):,}",
        len(full.dates),
        *dated,
        sum(map(bool, fetched.dates.values())),
        f"{fetched.megabytes:.1f}",
        f"{fetched.seconds:.1f}",
        *whole,
    ]


def main() -> None:
    """Print a row for each repository."""
    print("|", " | ".join(COLUMNS), "|")
    print("|---" * len(COLUMNS), end="|\n")
    for repository in map(Path, sys.argv[1:]):
        with serving(repository.parent) as server, TemporaryDirectory() as scratch:
            server.settings = {"uploadpack.allowFilter": "true", "safe.directory": "*"}
            cells = row(repository, server, Path(scratch))
        print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    main()
