"""The time to read the head of a built page, compared with parsing the whole page.

Run: python benchmarks/html_head.py [folders of built HTML]

Without folders, this project's manual is built with the installed themes. Each file is
first read once, so that it is in the system's cache, as after a build.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import lxml.html
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.core.html import head as html_head

if TYPE_CHECKING:
    from collections.abc import Callable

DOCS_DIR = Path(__file__).parents[1] / "docs"
MKDOCS_THEMES = ("mkdocs", "readthedocs", "material")
SPHINX_THEMES = ("alabaster", "furo", "pydata_sphinx_theme")
ROUNDS = 7
TARGET = 120  # Microseconds a page.


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch_dir:
        for folder in [Path(name) for name in sys.argv[1:]] or build(Path(scratch_dir)):
            report(folder)


def report(folder: Path) -> None:
    """Print microseconds a page of a folder, and how many times as long the others take."""
    files = [file for file in sorted(folder.rglob("*.html")) if file.stat().st_size]
    if not files:
        return
    size = sum(file.stat().st_size for file in files) / len(files)
    print(f"\n{folder.name}: {len(files)} pages, {size / 1024:.1f} KiB each on average")
    ours = microseconds(html_head.read_head_of, files)
    print(f"{'html_head.read_head_of':24} {ours:9.1f} µs a page (target: {TARGET})")
    for name, read in {
        "open and read whole": Path.read_bytes,
        "Lexbor, whole": lambda file: LexborHTMLParser(file.read_bytes()),
        "lxml.html, whole": lambda file: lxml.html.fromstring(file.read_bytes()),
        "html.parser, whole": parse_in_python,
    }.items():
        theirs = microseconds(read, files)
        print(f"{name:24} {theirs:9.1f} µs a page, {theirs / ours:6.1f} times ours", flush=True)
    said = [html_head.read_head_of(file) for file in files]
    print(
        f"canonical {sum(s.canonical is not None for s in said)},"
        f" noindex {sum(s.noindex for s in said)},"
        f" refresh {sum(s.refresh is not None for s in said)}"
    )


def microseconds(read: Callable[[Path], object], files: list[Path]) -> float:
    """Return the processor time for one file on average, in the best round."""
    times = max(1, 300 // len(files))
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for file in files * times:
            read(file)
        seconds = time.process_time() - start
        best = min(best, seconds)
        if seconds > 2:  # The slow ones need no second round.
            break
    return best / len(files) / times * 1e6


def parse_in_python(file: Path) -> None:
    HTMLParser().feed(file.read_text("utf-8", "replace"))


def build(scratch_dir: Path) -> list[Path]:
    """Build the manual once with each theme and return the folders."""
    for theme in MKDOCS_THEMES:
        config = scratch_dir / f"{theme}.yml"
        config.write_text(
            f"site_name: Manual\nsite_url: https://example.com/\ndocs_dir: {DOCS_DIR}\n"
            f"site_dir: {scratch_dir / theme}\ntheme: {theme}\n"
        )
        run("mkdocs", "build", "-q", "-f", str(config))
    for theme in SPHINX_THEMES:
        settings = ("extensions=myst_parser", f"html_theme={theme}", "html_baseurl=https://a.b/")
        options = [f"-D{setting}" for setting in settings]
        run("sphinx", "-C", "-Q", *options, str(DOCS_DIR), str(scratch_dir / theme))
    return [scratch_dir / theme for theme in (*MKDOCS_THEMES, *SPHINX_THEMES)]


def run(module: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, capture_output=True)


if __name__ == "__main__":
    main()
