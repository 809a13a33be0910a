"""Time what reading a built page's head takes, against parsing the page whole.

Run: python benchmarks/markup.py [folder of built HTML]

Without a folder, 1,000 pages are made up. The first round is not counted: it brings the files into
the system's cache, as a build that has just written them does.
"""

from __future__ import annotations

import sys
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import lxml.html

from sitemap_plugins.core import markup

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
TARGET = 100  # Microseconds a page, docs/design.md.


def main() -> None:
    """Print microseconds a page, and how many times as long the others take."""
    with tempfile.TemporaryDirectory() as scratch_dir:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _made_up(Path(scratch_dir))
        files = sorted(folder.rglob("*.html"))
        size = sum(file.stat().st_size for file in files) / max(len(files), 1)
        print(f"{len(files)} pages, {size / 1024:.1f} KiB each on average, {folder}")
        ours = _microseconds(markup.read_file, files)
        print(f"{'markup.read_file':24} {ours:9.1f} µs a page (target: {TARGET})")
        for name, read in {
            "open and read whole": Path.read_bytes,
            "lxml.html, whole": lambda file: lxml.html.fromstring(file.read_bytes() or b"<p>"),
            "html.parser, whole": _parse_in_python,
        }.items():
            theirs = _microseconds(read, files)
            print(f"{name:24} {theirs:9.1f} µs a page, {theirs / ours:6.1f} times ours")
        said = [markup.read_file(file) for file in files]
        print(
            f"canonical {sum(s.canonical is not None for s in said)},"
            f" noindex {sum(s.noindex for s in said)},"
            f" refresh {sum(s.refresh is not None for s in said)}"
        )


def _microseconds(read: Callable[[Path], object], files: list[Path]) -> float:
    """Return the best round's time for one file, on average."""
    best = float("inf")
    for round_number in range(ROUNDS + 1):
        start = time.perf_counter()
        for file in files:
            read(file)
        seconds = time.perf_counter() - start
        if round_number:
            best = min(best, seconds)
        if seconds > 20:  # The slow ones need no second round.
            best = min(best, seconds)
            break
    return best / max(len(files), 1) * 1e6


def _parse_in_python(file: Path) -> None:
    HTMLParser().feed(file.read_text("utf-8", "replace"))


def _made_up(folder: Path) -> Path:
    """Write pages with the head of a usual theme: 30 tags, inline script and style."""
    links = "".join(f'<link rel="stylesheet" href="/assets/{n}.css">\n' for n in range(10))
    metas = "".join(f'<meta property="og:{n}" content="Some &amp; more">\n' for n in range(15))
    for number in range(1_000):
        (folder / f"{number}.html").write_text(
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
            f'<title>{number}</title>{metas}<link rel="canonical" href="https://example.com/{number}/">\n{links}'
            f"<script>{'var a = 1 < 2;' * 100}</script><style>{'a { b: c }' * 200}</style></head>"
            f"<body>{'<p>Words and <a href=x>links</a>.</p>' * 550}</body></html>"
        )
    return folder


if __name__ == "__main__":
    main()
