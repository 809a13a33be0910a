"""The time for the dates of a documentation folder, and how many of them are correct.

    python benchmarks/lastmod.py                                        # a generated repository
    python benchmarks/lastmod.py --repository ~/sphinx --folder doc     # any other

One run measures the plugin, the `git log` that it needs, `git log -1` for each file,
and the functions of two other plugins if they are installed. Ours and the log are
measured alternately and the best of several times is used, since machines are noisy;
for the same reason, times are processor time, including git's.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import tempfile
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.choice.front_matter import check_page
from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.environment import CI, Environment
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.git.last_change import find_last_changes
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

FILES, FOLDERS, COMMITS = 500, 20, 20_000
REAL = {
    "scipy/scipy": "doc",
    "sphinx-doc/sphinx": "doc",
    "jupyterhub/jupyterhub": "docs",
    "pydata/xarray": "doc",
}
"""Public repositories on GitHub, with their folders of documentation."""
OFTEN = FILES * 9 // 10
REPEAT = 5
ENVIRON = {**os.environ, "CI": "true"}
LEAN = ("-z", "--no-abbrev", "--no-renames", "--format=%H %ct")
"""What makes git say no more than a date needs."""


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--repository", type=Path)
    arguments.add_argument("--folder", default="docs")
    arguments.add_argument(
        "--no-peers", action="store_true", help="only ours, the walk and git"
    )
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as made:
        root = (chosen.repository or synthetic(Path(made))).resolve()
        measure(root, chosen.folder, peers=not chosen.no_peers)


def measure(root: Path, folder: str, *, peers: bool) -> None:
    """Print a line for each: seconds, ratio to ours, dates that differ from `git log -1`."""
    listing = git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", folder)
    names = [name for name in listing.split("\0") if (root / name).is_file()]
    commits = git(root, "rev-list", "--count", "HEAD").strip()
    print(f"{root.name}/{folder}: {len(names)} files, {int(commits):,} commits")
    pages = [Page(path=name, sources=(root / name,)) for name in names]
    walk, ours, found = 9e9, 9e9, {}
    for _ in range(REPEAT):
        walk = min(walk, timed(lambda: bare_walk(root, folder, *LEAN))[0])
        seconds, found = timed(lambda: plugin(pages))
        ours = min(ours, seconds)
    seconds, truth = timed(lambda: {name: log_of(root, name) for name in names})
    committed = {name: int(line[1]) for name, line in truth.items()}
    authored = {name: int(line[2]) for name, line in truth.items()}
    wrong = f"{differ(found, committed)}; {explained(root, found, truth)}"
    tell(f"the plugin, {processes(pages)} git processes", ours, ours, wrong)
    tell("bare git log --full-history --raw -c", walk, ours)
    plain = min(timed(lambda: bare_walk(root, folder))[0] for _ in range(REPEAT))
    tell("the same in git's own format", plain, ours)
    tell("git log -1 for each file", seconds, ours)
    for name, contender in PEERS.items() if peers else ():
        try:
            seconds, found = timed(lambda run=contender: run(root, names))
        except ImportError as error:
            print(f"  {name}: skipped ({error})")
        else:
            tell(name, seconds, ours, f"{differ(found, authored)} (author's time)")


class Dated(NamedTuple):
    """The seconds of the dates of a folder, of a bare walk, and of another plugin."""

    files: int
    commits: int
    any: float
    """If any commit dates a page that changed its source."""

    content: float
    """If only those do that change what readers see, as by default."""

    walk: float
    peer: float
    """sphinx-last-updated-by-git."""


def measure_real(mirror: Path, folder: str) -> Dated:
    """Measure a repository, of which there is a git directory without a work tree."""
    with tempfile.TemporaryDirectory() as made:
        root = Path(made).resolve() / "clone"
        clone = ["git", "clone", "--quiet", "--no-checkout", str(mirror), str(root)]
        subprocess.run(clone, check=True)
        # A mirror can lack large files elsewhere.
        git(root, "checkout", "--quiet", "HEAD", "--", folder)
        return measure_folder(root, folder)


def measure_long(commits: int) -> Dated:
    """Measure a generated repository."""
    with tempfile.TemporaryDirectory() as made:
        return measure_folder(synthetic(Path(made).resolve(), commits), "docs")


def measure_folder(root: Path, folder: str) -> Dated:
    """Measure the dates of the files below a folder."""
    listing = git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", folder)
    names = [name for name in listing.split("\0") if (root / name).is_file()]
    pages = [Page(path=name, sources=(root / name,)) for name in names]
    least = {"any": 9e9, "content": 9e9, "walk": 9e9}
    # In turns, as the machine's speed changes while they run.
    for _ in range(REPEAT):
        for changes in ("any", "content"):
            seconds, _ = timed(lambda changes=changes: plugin(pages, changes=changes))
            least[changes] = min(least[changes], seconds)
        seconds, _ = timed(lambda: bare_walk(root, folder, *LEAN))
        least["walk"] = min(least["walk"], seconds)
    return Dated(
        files=len(names),
        commits=int(git(root, "rev-list", "--count", "HEAD")),
        peer=timed(lambda: sphinx_last_updated(root, names))[0],
        **least,
    )


def tell(name: str, seconds: float, ours: float, wrong: str = "") -> None:
    """Print one line."""
    print(f"  {name:42}{seconds:9.2f} s{seconds / ours:9.2f} x  {wrong}", flush=True)


def timed(run: Callable[[], object]) -> tuple[float, object]:
    """Return the processor time of a call, in seconds, and its result."""
    start = processor_time()
    result = run()
    return processor_time() - start, result


def processor_time() -> float:
    """Return the processor time of this process and its children, in seconds."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def processes(pages: list[Page]) -> int:
    """Return how often the plugin runs git."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "git")
        program.write_text(
            f'#!/bin/sh\necho >> {folder}/runs\nexec {shutil.which("git")} "$@"\n'
        )
        program.chmod(0o755)
        plugin(pages, ENVIRON | {"PATH": folder})
        return Path(folder, "runs").read_text().count("\n")


def differ(found: dict[str, int | None], truth: dict[str, int]) -> str:
    """Return the number of dates that differ from git's."""
    return f"{sum(found.get(name) != when for name, when in truth.items())} not as git log -1"


def explained(root: Path, found: dict[str, int], truth: dict[str, list[str]]) -> str:
    """Describe how many dates differ because of a move, and whether the content is that of HEAD."""
    others = [name for name, line in truth.items() if found.get(name) != int(line[1])]
    moved = sum(name in moves(root, truth[name][0]) for name in others)
    repository = Repository.open(root, environ=ENVIRON)
    blobs = repository.blobs([os.fsencode(name) for name in truth])
    origins = find_last_changes(repository, blobs, ignored=())
    wrong = 0
    contents: dict[bytes, set[str]] = {}
    for name, origin in origins.items():
        if origin.commit not in contents:
            tree = git(root, "ls-tree", "-r", "-z", origin.commit.decode())
            contents[origin.commit] = {
                line.split("\t")[0].split()[2] for line in tree.split("\0")[:-1]
            }
        wrong += blobs[name].decode() not in contents[origin.commit]
    return f"{moved} of them moves; content not HEAD's: {wrong}"


def moves(root: Path, commit: str) -> set[str]:
    """Return the paths to which a commit moved unchanged files, according to git."""
    said = git(
        root,
        "show",
        "-z",
        "-M100%",
        "-l0",
        "--diff-filter=R",
        "--name-status",
        "--format=",
        commit,
    )
    return set(said.strip("\0\n").split("\0")[2::3])


def plugin(
    pages: list[Page], environ: Mapping[str, str] = ENVIRON, changes: str = "content"
) -> dict[str, int]:
    """Return the dates as an adapter would."""
    dates = lastmod.resolve(
        [check_page(page, page.path).page for page in pages],
        options=Options.parse(
            {"ignore_revs": False, "changes": changes}, where="benchmark"
        ),
        environment=Environment(
            now=datetime.now(UTC),
            ci=CI.from_environ(environ),
            environ=environ,
            git_cache=GitCache(),
        ),
    )
    return {path: int(date.timestamp()) for path, date in dates.by_path.items()}


def bare_walk(root: Path, folder: str, *form: str) -> None:
    """Run the log, and discard its output."""
    command = [
        "git",
        "log",
        "--full-history",
        "--raw",
        "-c",
        *form,
        "HEAD",
        "--",
        folder,
    ]
    subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, check=True)


def log_of(root: Path, name: str) -> list[str]:
    """Return the commit that git names for a file, with the times of its committer and author."""
    return git(
        root, "--literal-pathspecs", "log", "-1", "--format=%H %ct %at", "--", name
    ).split()


def sphinx_last_updated(root: Path, names: list[str]) -> dict[str, int | None]:
    """Call what sphinx-last-updated-by-git calls: once for each folder."""
    from sphinx_last_updated_by_git import update_file_dates  # noqa: PLC0415

    found: dict[str, int | None] = {}
    folders: dict[Path, dict[str, object]] = defaultdict(dict)
    for name in names:
        folders[(root / name).parent][Path(name).name] = None
    for folder, dates in folders.items():
        try:
            update_file_dates(folder, set(), dates)
        except (
            AssertionError,
            OSError,
        ):  # It cannot read some histories; the rest has no date.
            print(
                f"    (sphinx-last-updated-by-git failed in {folder.relative_to(root)})"
            )
        for file, date in dates.items():
            found[str((folder / file).relative_to(root))] = (
                int(date[0]) if date else None
            )
    return found


def mkdocs_revision_date(root: Path, names: list[str]) -> dict[str, int]:
    """Call what mkdocs-git-revision-date-localized calls for each page, with its defaults."""
    from mkdocs_git_revision_date_localized_plugin.util import Util  # noqa: PLC0415

    util = Util({"enable_git_follow": True, "fallback_to_build_date": False}, str(root))
    return {
        name: int(util.get_git_commit_timestamp(str(root / name))[1]) for name in names
    }


PEERS = {
    "sphinx-last-updated-by-git": sphinx_last_updated,
    "mkdocs-git-revision-date-localized": mkdocs_revision_date,
}


def synthetic(folder: Path, commits: int = COMMITS) -> Path:
    """Create a repository of pages that are edited one by one, on branches, and sometimes moved."""
    root = folder / "synthetic"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    script = b"".join(story(random.Random(0), commits))
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=root, input=script, check=True
    )
    git(root, "reset", "--quiet", "--hard")
    return root


def story(chance: random.Random, commits: int) -> Iterator[bytes]:
    """Yield commands for fast-import: a branch of 5 commits in every 25, a move in every 100.

    As everywhere, few pages are edited often, most seldom, and a tenth of them never
    again.
    """
    names = [f"docs/part{number % FOLDERS}/page{number}.md" for number in range(FILES)]
    yield commit(1, [page(name, 0) for name in names], "")
    main, mark = 1, 1
    while mark < commits:
        fork, branch = main, []
        for _ in range(19):
            mark += 1
            name = names[int(OFTEN * chance.random() ** 16)]
            yield commit(mark, [page(name, mark)], f"from :{main}\n")
            main = mark
        tip, edited = fork, chance.sample(names[:50], 5)
        for name in edited:
            mark += 1
            branch.append(page(name, mark))
            yield commit(mark, branch[-1:], f"from :{tip}\n", ref="refs/branch")
            tip = mark
        mark += 1
        yield commit(mark, branch, f"from :{main}\nmerge :{tip}\n")
        main = mark
        if mark % 4 == 1:
            mark += 1
            index = chance.randrange(OFTEN)
            old, names[index] = (
                names[index],
                f"docs/part{chance.randrange(FOLDERS)}/moved{mark}.md",
            )
            yield commit(mark, [f"R {old} {names[index]}\n"], f"from :{main}\n")
            main = mark


def commit(
    mark: int, changes: list[str], parents: str, ref: str = "refs/heads/main"
) -> bytes:
    """Return the command for one commit, a minute after the one before."""
    start = f"reset {ref}\n{parents.splitlines()[0]}\n\n" if parents else ""
    time = f"committer T <t@example.com> {1_400_000_000 + 60 * mark} +0000"
    head = f"commit {ref}\nmark :{mark}\n{time}\n"
    return f"{start}{head}data 1\n.\n{parents}{''.join(changes)}\n".encode()


def page(name: str, version: int) -> str:
    """Return the command that gives a page another text."""
    return write(name, f"# {name}\n\nVersion {version}\n")


def write(name: str, text: str) -> str:
    """Return the command that gives a file another text, in ASCII."""
    return f"M 100644 inline {name}\ndata {len(text)}\n{text}\n"


def git(root: Path, *arguments: str) -> str:
    """Return the output of git."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, check=True
    )
    return os.fsdecode(done.stdout)


if __name__ == "__main__":
    main()
