"""Our time for one page of a large blog, compared with that of pelican-sitemap in one build.

    python benchmarks/pelican_blog.py [number of articles]

The blog has tags, categories, lists of ten and archives: about 1.8 pages for each
article. Both plugins get the same pages; the shortest of several rounds of writing is
used. Times are processor time, including git's. The times of reading HTML and of git
are also given separately.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pelican import Pelican
from pelican.plugins import signals
from pelican.plugins.sitemap.sitemap import SitemapGenerator
from pelican.settings import read_settings

from sitemap_plugins import pelican as ours
from sitemap_plugins.pelican.options import read_options

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
RUN = "SITEMAP_PLUGINS_RUN"  # Where the plugin keeps what it heard.
TEMPLATES = ("article", "page", "index", "tag", "category", "author", "period_archives")
PARTS = {
    "all": {},
    "without HTML": {"inspect_html": False},
    "without HTML and git": {"inspect_html": False, "lastmod": ["page", "published"]},
}
QUIET = (
    "FEED_ALL_ATOM",
    "CATEGORY_FEED_ATOM",
    "TRANSLATION_FEED_ATOM",
    "AUTHOR_FEED_ATOM",
)


def write_blog(folder: Path, articles: int) -> None:
    """Write HTML sources, which Pelican reads fastest, and a theme of one line."""
    chance = random.Random(1)
    (folder / "content").mkdir()
    (folder / "theme/templates").mkdir(parents=True)
    (folder / "theme/static").mkdir()
    for name in TEMPLATES:
        (folder / f"theme/templates/{name}.html").write_text(
            "<!doctype html><title>x</title>x"
        )
    for number in range(articles):
        tags = ", ".join(
            f"t{chance.randrange(max(articles // 10, 1))}x" for _ in range(4)
        )
        date = f"20{10 + number % 14}-{number % 12 + 1:02}-{number % 28 + 1:02}"
        (folder / f"content/a{number}.html").write_text(
            f"<html><head><title>A {number}</title><meta name='date' content='{date}'>"
            f"<meta name='tags' content='{tags}'><meta name='category' content='c{number % 20}y'>"
            "</head><body><p>Text.</p></body></html>"
        )
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"]
    for arguments in (
        ["init", "-q"],
        ["add", "content"],
        ["commit", "-qm", "articles"],
    ):
        subprocess.run([*git, *arguments], cwd=folder, check=True)


def blog(folder: Path) -> Pelican:
    return Pelican(
        read_settings(
            override={
                "PATH": str(folder / "content"),
                "OUTPUT_PATH": str(folder / "out"),
                "THEME": str(folder / "theme"),
                "SITEURL": "https://example.com",
                "TIMEZONE": "UTC",
                "AUTHOR": "A",
                "DEFAULT_PAGINATION": 10,
                "PAGINATED_TEMPLATES": dict.fromkeys(
                    ("index", "tag", "category", "author")
                ),
                "DIRECT_TEMPLATES": ["index"],
                "MONTH_ARCHIVE_SAVE_AS": "{date:%Y}/{date:%m}/index.html",
                "STATIC_PATHS": [],
                "PLUGINS": ["sitemap_plugins.pelican"],
                **dict.fromkeys(QUIET),
            }
        )
    )


def processor_time() -> float:
    """Return the processor time of this process and its children, in seconds."""
    of_programs = os.times()
    return time.process_time() + of_programs.children_user + of_programs.children_system


def clocked(function: Callable[..., object], spent: list[float]) -> Callable[..., None]:
    def handler(*arguments: object, **named: object) -> None:
        start = processor_time()
        function(*arguments, **named)
        spent[0] += processor_time() - start

    return handler


def shortest(function: Callable[..., object], *arguments: object) -> float:
    times = []
    for _ in range(ROUNDS):
        start = processor_time()
        function(*arguments)
        times.append(processor_time() - start)
    return min(times)


def measure(articles: int) -> tuple[int, float, dict[str, float]]:
    """Return the number of pages, and the microseconds per page of the peer and of each of ours."""
    with tempfile.TemporaryDirectory() as scratch_dir:
        folder = Path(scratch_dir)
        write_blog(folder, articles)
        site, peer = blog(folder), SitemapGenerator()
        hearing = {"ours": [0.0], "peer": [0.0]}
        handlers = [
            clocked(ours.on_content_written, hearing["ours"]),
            clocked(peer.queue_page, hearing["peer"]),
        ]
        signals.content_written.disconnect(ours.on_content_written)
        for handler in handlers:
            signals.content_written.connect(handler)
        site.run()
        pages = len(peer.page_queue)
        run = site.settings[RUN]
        of_peer = hearing["peer"][0] + shortest(peer._write_out, site)  # noqa: SLF001 its work
        of_ours = {}
        for name, options in PARTS.items():
            run.options, _ = read_options(options)
            seconds = hearing["ours"][0] + shortest(ours.on_finalized, site)
            of_ours[name] = seconds / pages * 1e6
        return pages, of_peer / pages * 1e6, of_ours


def main() -> None:
    pages, of_peer, of_ours = measure(int(sys.argv[1]) if sys.argv[1:] else 2_000)
    print(f"{pages} pages; pelican-sitemap: {of_peer:.0f} µs a page")
    for name, of_page in of_ours.items():
        print(f"  {name}: {of_page:.0f} µs a page, {of_page / of_peer:.2f} times that")


if __name__ == "__main__":
    main()
