"""Large sites: processor time, memory, and the files that change with one page.

    python benchmarks/scale.py [numbers of pages, 10000 100000 1000000]

Each size is measured in a new process, including its pages. The exit code is 1 if ten
times as many pages take more than eleven times as long, or if one page changes too many
files.
"""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins import Options, Page, Site, generate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BASE_URL = "https://docs.example.com/en/latest/"
START = datetime(2020, 1, 1, tzinfo=UTC)
OPTIONS = Options.parse({"base_url": BASE_URL, "lastmod": "page"}, where="benchmark")
SIZES = [10_000, 100_000, 1_000_000]
ROUNDS = 3
MAX_FOR_TENFOLD = 11.0
MAX_FILES = 4  # A part that becomes two, or two that become one, and the index.


def page(number: int, *, edited: bool = False) -> Page:
    path = f"library/section-{number % 97}/page-{number}.html"
    return Page(
        path=path, modified=START + timedelta(minutes=number % 2_000_000, days=edited)
    )


def write(pages: Iterable[Page], folder: Path) -> dict[str, bytes]:
    """Write a sitemap and return a digest of each file."""
    report = generate(pages, site=Site(output_dir=folder), options=OPTIONS, environ={})
    if report.pages_left_out or report.notices:
        sys.exit(str(report))
    return {
        file.name: hashlib.sha256(file.read_bytes()).digest()
        for file in folder.iterdir()
    }


def changes(count: int) -> dict[str, Callable[[list[Page]], list[Page]]]:
    return {
        "edited": lambda pages: [page(1, edited=True), *pages[1:]],
        "removed": lambda pages: pages[1:],
        "added": lambda pages: [*pages, page(count + 1)],
        "50 edited": lambda pages: [
            page(n, edited=n in range(0, 50 * 97, 97)) for n in range(1, len(pages) + 1)
        ],
    }


class Size(NamedTuple):
    """The measurements of a site of one size."""

    pages: int

    seconds: float
    """Processor time, the best of several rounds."""

    megabytes: float
    """Peak of the whole process, to which a generator gives the pages."""

    megabytes_of_list: float
    """Peak of the whole process, which has the pages in a list."""

    files: int

    differ: list[int]
    """Files that differ after each of the `changes`."""


def seconds_to_write(pages: list[Page]) -> float:
    """Return the time of a first sitemap."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        write(pages, Path(folder))
        return time.process_time() - start


def peak() -> float:
    """Return the most memory that this process has had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_here(count: int) -> Size:
    # The list comes second, as the peak never falls.
    with tempfile.TemporaryDirectory() as folder:
        write(map(page, range(1, count + 1)), Path(folder))
    megabytes = peak()
    pages = [page(number) for number in range(1, count + 1)]
    seconds = min(seconds_to_write(pages) for _ in range(ROUNDS))
    megabytes_of_list = peak()
    with tempfile.TemporaryDirectory() as folder:
        before = write(pages, Path(folder))
        differ = []
        for change in changes(count).values():
            after = write(change(pages), Path(folder))
            names = before.keys() | after.keys()
            differ.append(sum(before.get(name) != after.get(name) for name in names))
            write(pages, Path(folder))
        return Size(count, seconds, megabytes, megabytes_of_list, len(before), differ)


def measure(count: int) -> Size:
    """Measure in a new process."""
    command = [sys.executable, __file__, "--here", str(count)]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Size(*json.loads(run.stdout))


def factor(size: Size, before: Size) -> float:
    """Return how much longer ten times as many pages take, from two sizes."""
    return (size.seconds / before.seconds) * 10 / (size.pages / before.pages)


def main() -> None:
    """Measure each size, and print a line for each."""
    titles = [f"files if {change}" for change in changes(0)]
    print("    pages   seconds     x      MB   files", *titles, sep="  ")
    worst, previous, failed = 0.0, None, False
    for count in [int(size) for size in sys.argv[1:]] or SIZES:
        size = measure(count)
        grown = factor(size, previous) if previous else 0.0
        worst, previous = max(worst, grown), size
        failed |= max(size.differ[:3]) > MAX_FILES
        counts = "  ".join(
            f"{n:{len(t)}}" for n, t in zip(size.differ, titles, strict=True)
        )
        sums = f"{count:9}{size.seconds:10.2f}{grown:6.1f}{size.megabytes:8.0f}{size.files:8}"
        print(f"{sums}  {counts}", flush=True)
    sys.exit(failed or worst > MAX_FOR_TENFOLD)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        print(json.dumps(measure_here(int(sys.argv[2]))))
    else:
        main()
