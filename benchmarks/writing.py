"""Pages → files, beside the building and writing of an xml.etree tree, which peers do.

    python benchmarks/writing.py [number of pages]

Ratios within one run; memory is Python's own, measured in a run of its own.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sitemap_plugins import Page, check, generate
from sitemap_plugins.core import fileset, output
from sitemap_plugins.core.entries import Entry

if TYPE_CHECKING:
    from collections.abc import Callable

BASE_URL = "https://docs.example.com/en/latest/"
START = datetime(2020, 1, 1, tzinfo=UTC)
OPTIONS = check({"base_url": BASE_URL, "inspect_html": False}, where="benchmark")


def path(number: int) -> str:
    return f"library/section-{number % 97}/page-{number}.html"


def lastmod(number: int) -> datetime:
    return START + timedelta(minutes=number)


def entries_to_files(count: int, folder: Path) -> Callable[[], object]:
    ready = [Entry(url=BASE_URL + path(n), lastmod=lastmod(n)) for n in range(count)]
    return lambda: output.publish(
        fileset.from_entries(ready, OPTIONS), output_dir=folder, filename=OPTIONS.filename
    )


def pages_to_files(count: int, folder: Path) -> Callable[[], object]:
    pages = [Page(path=path(n), modified=lastmod(n)) for n in range(count)]

    def write() -> None:
        report = generate(pages, options=OPTIONS, output_dir=folder, environ={})
        if report.listed != count:
            sys.exit(str(report.notices))

    return write


def tree_to_file(count: int, folder: Path) -> Callable[[], object]:
    pages = [(BASE_URL + path(n), lastmod(n)) for n in range(count)]

    def write() -> None:
        root = ET.Element("urlset", xmlns="http://www.sitemaps.org/schemas/sitemap/0.9")
        for loc, date in pages:
            url = ET.SubElement(root, "url")
            ET.SubElement(url, "loc").text = loc
            ET.SubElement(url, "lastmod").text = date.isoformat(timespec="seconds")
        ET.ElementTree(root).write(folder / "sitemap.xml", xml_declaration=True, encoding="utf-8")

    return write


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def peak(make: Callable[[int, Path], Callable[[], object]], count: int) -> float:
    """Return the peak of memory in bytes for each page, over what the pages themselves take."""
    with tempfile.TemporaryDirectory() as folder:
        run = make(count, Path(folder))
        tracemalloc.start()
        run()
        result = tracemalloc.get_traced_memory()[1] / count
        tracemalloc.stop()
    return result


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    contenders = (tree_to_file, entries_to_files, pages_to_files)
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(3):
        for make in contenders:
            with tempfile.TemporaryDirectory() as folder:
                best[make] = min(best[make], seconds(make(count, Path(folder))))
    print(f"{count} pages, best of 3")
    for make, time_taken in best.items():
        ratio = best[tree_to_file] / time_taken
        memory = peak(make, min(count, 100_000))
        print(f"{make.__name__:17} {time_taken:6.2f} s  {ratio:5.1f} x  {memory:6.0f} bytes a page")


if __name__ == "__main__":
    main()
