"""`check` of large sitemaps and folders, beside other programs in the same run.

    python -m venv VENV
    VENV/bin/pip install sitemap-verify==0.1.1 ultimate-sitemap-parser advertools
    BENCH_PEERS=VENV/bin BENCH_SCHEMAS=FOLDER python benchmarks/check.py

FOLDER has sitemaps.org's sitemap.xsd. Without these variables, only ours is measured.
Each run is a new process, including its start; seconds are processor time. The exit
code is 1 if a million URLs take more than `MAX_MB`. The start of commands is compared
with the import of click.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BASE_URL = "https://docs.example.com/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
URLS = 50_000
FILES = 20
START_TARGET = 5
"""70 ms that nobody feels: 3 cannot be had without giving up the records."""
MAX_MB = 200
LARGE_PAGES = 5_000
SMALL = "<p>Text.</p>" * 40
"""A page without what themes add."""
LARGE = (
    "<nav>" + '<li><a href="../x/"><span>Page</span></a></li>' * 150 + "</nav>"
    '<a href="{}" rel="edit">Edit</a>'
    + "<p>A line of <code>text</code>, as it is.</p>\n"
    * 500
)
"""As large as a page of Material's, with as many elements."""
OURS = [sys.executable, "-m", "sitemap_plugins", "check", "--fail-on", "error"]
QUIET = ["check", "--no-check-reachability", "--no-show-progress", "--format", "json"]

Run = tuple[float, float, str]
"""Seconds, megabytes, output."""


def paths(begin: int, end: int) -> Iterator[str]:
    return (f"section-{number % 97}/page-{number}/" for number in range(begin, end))


USP = """
import sys
from usp.tree import sitemap_from_str
with open(sys.argv[1], encoding="utf-8") as file:
    print(sum(1 for _ in sitemap_from_str(file.read()).all_pages()))
"""

ADVERTOOLS = """
import sys
from pathlib import Path
import advertools
print(len(advertools.sitemap_to_df(Path(sys.argv[1]).as_uri())))
"""

BARE = """
import sys
from lxml import etree
for file in sys.argv[1:]:
    for _, element in etree.iterparse(file):
        element.clear()
"""


class Ratio(NamedTuple):
    """How long a command takes, to a peer."""

    title: str
    peer: str
    ratio: float
    target: float


def least(command: list[str], folder: Path) -> float:
    """Return the processor time of the fastest of three runs."""
    return min(measured(command, folder)[0] for _ in range(3))


def starts(folder: Path) -> Iterator[Ratio]:
    """Measure the start of commands beside the import of click."""
    three = write_pages(folder / "three", 3, SMALL)
    bare = least([sys.executable, "-c", "import click"], folder)
    program = [sys.executable, "-m", "sitemap_plugins"]
    seconds = least([*program, "--version"], folder)
    yield Ratio("`sitemap-plugins --version`", "`import click`", seconds / bare, 2)
    for name in ("build", "check"):
        seconds = least([*program, name, str(three)], three)
        title = f"`{name}` of 3 pages"
        yield Ratio(title, "`import click`", seconds / bare, START_TARGET)


def beside_peers(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield the seconds of our `check` of one full file, then of each peer that is there."""
    file = folder / "sitemap.xml"
    write_sitemap(file, paths(0, URLS))
    yield "ours", least([*OURS, str(file)], folder)
    for name, command in peers(file).items():
        if Path(command[0]).is_file():
            yield name, least(command, folder)


def peers(file: Path) -> dict[str, list[str]]:
    """Return the command with which each peer checks, or at least reads, a file.

    The environment variable BENCH_PEERS names the folder `bin` of a virtual environment
    with the Python programs, BENCH_SCHEMAS a folder with sitemap.xsd for xmllint.
    """
    found = {}
    if programs := os.environ.get("BENCH_PEERS"):
        python = f"{programs}/python"
        found["sitemap-verify"] = [f"{programs}/sitemap-verify", *QUIET, str(file)]
        found["ultimate-sitemap-parser"] = [python, "-c", USP, str(file)]
        found["advertools"] = [python, "-c", ADVERTOOLS, str(file)]
    if schemas := os.environ.get("BENCH_SCHEMAS"):
        xmllint = shutil.which("xmllint") or "xmllint"
        schema = f"{schemas}/sitemap.xsd"
        found["xmllint"] = [xmllint, "--noout", "--schema", schema, str(file)]
    return found


def write_sitemap(file: Path, listed: Iterable[str]) -> None:
    with file.open("w") as stream:
        stream.write(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n'
        )
        for number, path in enumerate(listed):
            day = f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}"
            stream.write(
                f"<url><loc>{BASE_URL}{path}</loc><lastmod>{day}</lastmod></url>\n"
            )
        stream.write("</urlset>\n")


def write_index(folder: Path) -> Path:
    """Write an index and its full parts."""
    names = [f"sitemap-{number}.xml" for number in range(1, FILES + 1)]
    for number, name in enumerate(names):
        write_sitemap(folder / name, paths(number * URLS, (number + 1) * URLS))
    parts = "".join(
        f"<sitemap><loc>{BASE_URL}{name}</loc></sitemap>\n" for name in names
    )
    index = folder / "index.xml"
    index.write_text(f'<sitemapindex xmlns="{NAMESPACE}">\n{parts}</sitemapindex>\n')
    return index


def write_pages(folder: Path, count: int, body: str) -> Path:
    """Write a built site whose pages have this body, with a link to edit each where it has `{}`."""
    for path in paths(0, count):
        (folder / path).mkdir(parents=True)
        head = f"<title>{path}</title><link rel=canonical href='{BASE_URL}{path}'>"
        text = body.replace(
            "{}", f"https://example.com/o/r/edit/main/docs/{path[:-1]}.md"
        )
        html = f"<!doctype html><html><head>{head}</head><body>{text}</body></html>"
        (folder / path / "index.html").write_text(html)
    write_sitemap(folder / "sitemap.xml", paths(0, count))
    (folder / "robots.txt").write_text(f"Sitemap: {BASE_URL}sitemap.xml\n")
    return folder


def measured(command: list[str], folder: Path) -> Run:
    """Run a command; return its processor time, its peak memory and its output."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ENVIRON},
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read()


# With bytecode, as after an installation.
ENVIRON = {"PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": ""}


class Case(NamedTuple):
    """One target of `check`."""

    title: str
    target: Path
    most_seconds: float = 0.0
    """The target in seconds; 0 for none."""


def cases(folder: Path) -> Iterator[Case]:
    """Yield the cases, and write the target of each into a separate folder."""
    for name in ("urls", "index", "pages", "large"):
        (folder / name).mkdir()
    write_sitemap(folder / "urls/sitemap.xml", paths(0, URLS))
    yield Case(f"one file, {URLS:,} URLs", folder / "urls/sitemap.xml", 1.0)
    yield Case(f"{FILES} files, {FILES * URLS:,} URLs", write_index(folder / "index"))
    pages = write_pages(folder / "pages", URLS, SMALL)
    yield Case(f"a folder, {URLS:,} pages of 1 KB", pages, 10.0)
    large = write_pages(folder / "large", LARGE_PAGES, LARGE)
    yield Case(f"a folder, {LARGE_PAGES:,} pages of 30 KB with edit links", large)


def run(case: Case) -> Run:
    """Check a target from its folder."""
    return measured([*OURS, str(case.target)], case.target.parent)


def main() -> None:
    """Measure each case, the peers, and the start."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in cases(folder):
            seconds, megabytes, _ = run(case)
            print(f"{case.title:48}{seconds:9.2f} s{megabytes:8.0f} MB", flush=True)
            if case.target.is_file():
                worst = max(worst, megabytes)
        for peer, seconds in beside_peers(folder):
            print(f"one file, {URLS:,} URLs, {peer:32}{seconds:9.2f} s", flush=True)
        for title, peer, ratio, target in starts(folder):
            print(f"{title:48}{ratio:9.1f} times {peer} ({target})", flush=True)
    sys.exit(worst > MAX_MB)


if __name__ == "__main__":
    main()
