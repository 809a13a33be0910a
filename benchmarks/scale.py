"""Large sites: processor time, memory, and the files that one page's change touches.

    python benchmarks/scale.py [numbers of pages, 10000 100000 1000000]

Each size in a process of its own, pages and all. Ends with exit code 1 where ten times as many
pages take more than eleven times as long, or where one page changes more than it should.
"""

from __future__ import annotations

import hashlib
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins import Options, Page, Site, generate

if TYPE_CHECKING:
    from collections.abc import Callable

BASE_URL = "https://docs.example.com/en/latest/"
START = datetime(2020, 1, 1, tzinfo=UTC)
OPTIONS = Options.parse({"base_url": BASE_URL, "lastmod": "page"}, where="benchmark")
MOST_FOR_TENFOLD = 11.0
MOST_FILES = 4  # A part that becomes two, or two that become one, and the index.


def page(number: int, *, edited: bool = False) -> Page:
    path = f"library/section-{number % 97}/page-{number}.html"
    return Page(path=path, modified=START + timedelta(minutes=number, days=edited))


def write(pages: list[Page], folder: Path) -> dict[str, bytes]:
    """Write a sitemap and return a digest of each file."""
    report = generate(pages, site=Site(output_dir=folder), options=OPTIONS, environ={})
    if report.listed != len(pages):
        sys.exit(str(report.notices))
    return {file.name: hashlib.sha256(file.read_bytes()).digest() for file in folder.iterdir()}


def changes(count: int) -> dict[str, Callable[[list[Page]], list[Page]]]:
    return {
        "edited": lambda pages: [page(1, edited=True), *pages[1:]],
        "removed": lambda pages: pages[1:],
        "added": lambda pages: [*pages, page(count + 1)],
        "50 edited": lambda pages: [
            page(n, edited=n in range(0, 50 * 97, 97)) for n in range(1, len(pages) + 1)
        ],
    }


def measure(count: int) -> None:
    """Print seconds, megabytes, parts and the files that differ after each change, tab by tab."""
    with tempfile.TemporaryDirectory() as folder:
        pages = [page(number) for number in range(1, count + 1)]
        start = time.process_time()
        before = write(pages, Path(folder))
        seconds = time.process_time() - start
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        differ = []
        for change in changes(count).values():
            after = write(change(pages), Path(folder))
            names = before.keys() | after.keys()
            differ.append(sum(before.get(name) != after.get(name) for name in names))
            write(pages, Path(folder))
        print(seconds, megabytes, len(before), *differ, sep="\t")


def main() -> None:
    """Measure each size in a process of its own, and print a line for each."""
    sizes = [int(size) for size in sys.argv[1:]] or [10_000, 100_000, 1_000_000]
    titles = [f"files if {change}" for change in changes(0)]
    print("    pages   seconds     x      MB   files", *titles, sep="  ")
    worst, previous, failed = 0.0, None, False
    for size in sizes:
        command = [sys.executable, __file__, "--measure", str(size)]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        seconds, megabytes, *files = map(float, run.stdout.split("\t"))
        # As if each size were ten times the one before.
        factor = (seconds / previous[1]) * 10 / (size / previous[0]) if previous else 0.0
        worst, previous = max(worst, factor), (size, seconds)
        failed |= max(files[1:4]) > MOST_FILES
        counts = "  ".join(
            f"{n:{len(t)}.0f}" for n, t in zip(files, ["files", *titles], strict=True)
        )
        print(f"{size:9}{seconds:10.2f}{factor:6.1f}{megabytes:8.0f}   {counts}", flush=True)
    sys.exit(failed or worst > MOST_FOR_TENFOLD)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(int(sys.argv[2]))
    else:
        main()
