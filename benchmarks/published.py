"""Time and memory of `diff` and `merge` with large sitemaps.

    python benchmarks/published.py [URLS]

`diff` compares two sitemaps of URLS URLs (by default a million), in parts of 50,000
whose URLs are unsorted. `merge` joins ten shards of a tenth of them each.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from check import BARE, measured

if TYPE_CHECKING:
    from collections.abc import Iterable

BASE = "https://example.com/"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PART = 50_000
STEP = 7_919  # Has no divisor in common with a round number: the order is none.


def write_part(file: Path, urls: Iterable[tuple[str, str]]) -> None:
    elements = "".join(
        f"<url><loc>{url}</loc><lastmod>{date}</lastmod></url>\n" for url, date in urls
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<urlset {NS}>\n{elements}</urlset>\n")


def write_sitemap(folder: Path, count: int, *, later: bool) -> None:
    """Write a sitemap; if `later`, every thousandth URL is a new one or has a later date."""
    parts = []
    for start in range(0, count, PART):
        urls = []
        for place in range(start, min(start + PART, count)):
            number = place * STEP % count
            date = (
                "2025-01-01"
                if later and number % 1000 == 0
                else f"2024-05-{number % 28 + 1:02}"
            )
            number += count if later and number % 1000 == 1 else 0
            urls.append((f"{BASE}docs/section-{number % 97}/page-{number}/", date))
        write_part(folder / f"sitemap-{start}.xml", urls)
        parts.append(f"<sitemap><loc>{BASE}sitemap-{start}.xml</loc></sitemap>\n")
    (folder / "sitemap.xml").write_text(
        f"<sitemapindex {NS}>\n{''.join(parts)}</sitemapindex>\n"
    )


def measure(folder: Path, parts: str, *arguments: str) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "sitemap_plugins", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    last = (done.stdout or done.stderr).splitlines()[-1]
    print(
        f"{arguments[0]}: {time.perf_counter() - start:.1f} s, of the processor {seconds:.1f} s;"
    )
    print(f"  at most {after.ru_maxrss // 1024} MB so far; {last}")
    files = [str(file) for file in sorted(folder.glob(f"{parts}/*.xml"))]
    bare, *_ = measured([sys.executable, "-c", BARE, *files], folder)
    print(
        f"  {seconds / bare:.1f} times lxml's bare parse of the same files ({bare:.1f} s)"
    )


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side in ("old", "new"):
            write_sitemap(folder / side, count, later=side == "new")
        for shard in range(10):
            urls = (
                (f"{BASE}shard-{shard}/{n}/", "2024-05-01") for n in range(count // 10)
            )
            write_part(folder / f"site/shard-{shard}/sitemap.xml", urls)
        shards = [f"site/shard-{shard}" for shard in range(10)]
        measure(folder, "[on]*", "diff", "old", "new")
        measure(
            folder, "site/*", "merge", "site/sitemap.xml", *shards, "--base-url", BASE
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
