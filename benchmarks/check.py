"""`check` of large sitemaps and folders, beside sitemap-verify 0.1.1 in the same run.

    python -m venv VENV && VENV/bin/pip install sitemap-verify==0.1.1
    python benchmarks/check.py [VENV/bin/sitemap-verify]

Without that program, only ours is measured. Each run is a new process, including its
start; seconds are processor time. The exit code is 1 if a million URLs take more than
`MAX_MB`.

Then commands are compared with what they cannot do without: reading a sitemap with a
bare parse of the same bytes (lxml's iterparse, which clears each element), a folder
with finding, reading and parsing its pages (Lexbor), the start with the import of
click.
"""

from __future__ import annotations

import os
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
PARTS = 10
LANGUAGES = ("en", "de", "fr")
OTHER_KINDS = ("&amp;", "hreflang")
FOLDER_TARGET = 2.5
"""7 s, where 10.7 s were 3.8 times as long as the peer."""
START_TARGET = 3
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


BARE = """
import sys
from lxml import etree
for file in sys.argv[1:]:
    for _, element in etree.iterparse(file):
        element.clear()
"""


BARE_FOLDER = """
import os
import sys
from selectolax.lexbor import LexborHTMLParser
for folder, _, files in os.walk(sys.argv[1]):
    for name in files:
        if name.endswith(".html"):
            with open(os.path.join(folder, name), "rb") as file:
                LexborHTMLParser(file.read().decode())
"""


def write_part(folder: Path, part: int, kind: str, *, later: bool) -> str:
    """Write a part whose URLs are in no order; return how an index lists it."""
    entries = []
    for place in range(part * URLS, (part + 1) * URLS):
        number = place * 7_919 % (PARTS * URLS)
        day = (
            "2025-01-01"
            if later and number % 1000 == 0
            else f"2024-05-{number % 28 + 1:02}"
        )
        path, links = f"section-{number % 97}/page-{number}/", ""
        if kind == "&amp;":
            path = f"section-{number % 97}/page?id={number}&amp;view=all"
        elif kind == "hreflang":
            path = f"{LANGUAGES[number % 3]}/page-{number // 3}/"
            links = "".join(
                f'<xhtml:link rel="alternate" hreflang="{language}"'
                f' href="{BASE_URL}{language}/page-{number // 3}/"/>'
                for language in LANGUAGES
            )
        loc = f"<loc>{BASE_URL}{path}</loc><lastmod>{day}</lastmod>"
        entries.append(f"<url>{loc}{links}</url>\n")
    xhtml = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    text = f'<urlset xmlns="{NAMESPACE}" {xhtml}>\n{"".join(entries)}</urlset>\n'
    (folder / f"part-{part}.xml").write_text(text)
    return f"<sitemap><loc>{BASE_URL}part-{part}.xml</loc></sitemap>\n"


def write_parts(folder: Path, kind: str, *, later: bool = False) -> Path:
    """Write an index and its parts; every thousandth URL is newer in the later version."""
    folder.mkdir()
    parts = "".join(
        write_part(folder, part, kind, later=later) for part in range(PARTS)
    )
    (folder / "sitemap.xml").write_text(
        f'<sitemapindex xmlns="{NAMESPACE}">\n{parts}</sitemapindex>\n'
    )
    return folder


class Ratio(NamedTuple):
    """How long a command takes, to a peer."""

    title: str
    peer: str
    ratio: float
    target: float


def least(command: list[str], folder: Path) -> float:
    """Return the processor time of the fastest of three runs."""
    return min(measured(command, folder)[0] for _ in range(3))


def ratios(folder: Path) -> Iterator[Ratio]:
    """Measure each command beside its peer, which is measured just before."""
    yield from readings(folder)
    python = [sys.executable, "-c"]
    bare = least([*python, "import click"], folder)
    seconds = least([sys.executable, "-m", "sitemap_plugins", "--version"], folder)
    yield Ratio("`sitemap-plugins --version`", "`import click`", seconds / bare, 2)
    pages = write_pages(folder / "pages", URLS, SMALL)
    bare = least([*python, BARE_FOLDER, str(pages)], folder)
    title, peer = (
        f"`check` of a folder, {URLS:,} pages",
        "finding and parsing the pages",
    )
    yield Ratio(title, peer, least([*OURS, str(pages)], pages) / bare, FOLDER_TARGET)


def starts(folder: Path) -> Iterator[Ratio]:
    """Measure the commands of a small folder beside the import of click."""
    three = write_pages(folder / "three", 3, SMALL)
    bare = least([sys.executable, "-c", "import click"], folder)
    for name in ("build", "check"):
        seconds = least(
            [sys.executable, "-m", "sitemap_plugins", name, str(three)], three
        )
        yield Ratio(
            f"`{name}` of 3 pages", "`import click`", seconds / bare, START_TARGET
        )


def readings(folder: Path) -> Iterator[Ratio]:
    """Measure what reads sitemaps beside a bare parse."""
    plain, later = (
        write_parts(folder / "plain", ""),
        write_parts(folder / "later", "", later=True),
    )
    others = {
        kind: write_parts(folder / str(n), kind) for n, kind in enumerate(OTHER_KINDS)
    }
    program = [sys.executable, "-m", "sitemap_plugins"]
    merge = [*program, "merge", "index.xml", "sitemap.xml", "--base-url", BASE_URL]
    for title, command, read, target in (
        ("check", [*OURS, "sitemap.xml"], plain, 3),
        ("merge", merge, plain, 2),
        ("diff", [*program, "diff", str(plain), str(later)], plain, 2),
        *(
            (f"check, {k}", [*OURS, "sitemap.xml"], path, 5)
            for k, path in others.items()
        ),
    ):
        parts = [file.name for file in sorted(read.glob("part-*.xml"))]
        bare = least([sys.executable, "-c", BARE, *parts], read)
        ratio = (
            least(command, read) / bare / (2 if title == "diff" else 1)
        )  # Of two sitemaps.
        name, _, kind = title.partition(", ")
        what = f"`{name}` of {PARTS * URLS:,} URLs{f' with {kind}' if kind else ''}"
        yield Ratio(what, "lxml's bare parse of the same bytes", ratio, target)


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
    yield Case(f"one file, {URLS:,} URLs", folder / "urls/sitemap.xml", 2.0)
    yield Case(f"{FILES} files, {FILES * URLS:,} URLs", write_index(folder / "index"))
    pages = write_pages(folder / "pages", URLS, SMALL)
    yield Case(f"a folder, {URLS:,} pages of 1 KB", pages, 10.0)
    large = write_pages(folder / "large", LARGE_PAGES, LARGE)
    yield Case(f"a folder, {LARGE_PAGES:,} pages of 30 KB with edit links", large)


def run(case: Case) -> Run:
    """Check a target from its folder."""
    return measured([*OURS, str(case.target)], case.target.parent)


def report_speed(folder: Path, peer: str) -> bool:
    """Print a line for each case; return whether memory is within its bound."""
    print(f"{'':48}  seconds      MB   sitemap-verify")
    worst = 0.0
    for case in cases(folder):
        seconds, megabytes, _ = run(case)
        line = f"{case.title:48}{seconds:9.2f}{megabytes:8.0f}"
        if case.target.is_file():
            worst = max(worst, megabytes)
            if peer and case.target.name == "sitemap.xml":
                theirs, more, _ = measured([peer, *QUIET, str(case.target)], folder)
                line += f"   {theirs / seconds:.1f} times the time, "
                line += f"{more / megabytes:.1f} the memory"
        print(line, flush=True)
    return worst <= MAX_MB


def main() -> None:
    """Measure each case."""
    peer = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as folder:
        is_small = report_speed(Path(folder), peer)
        for title, peer, ratio, target in ratios(Path(folder)):
            print(f"{title:48}{ratio:9.1f} times {peer} ({target})", flush=True)
    sys.exit(not is_small)


if __name__ == "__main__":
    main()
