"""Announce a sitemap: to crawlers by a line in robots.txt, to people by its style sheet.

The same for a sitemap that a build writes and for an index that `merge` writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OutputError, RobotsError
from sitemap_plugins.core.files.existing import has_others_stylesheet
from sitemap_plugins.core.files.indexes import file_at, read_index
from sitemap_plugins.core.files.plan import File
from sitemap_plugins.core.files.publish import write_files
from sitemap_plugins.core.files.stylesheet import stylesheet, stylesheet_name
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemap_plugins.core.crawlers.robots_txt import Robots

__all__ = ["announce", "find_stylesheet"]


def find_stylesheet(output_dir: Path, filename: str) -> tuple[File | None, tuple[Notice, ...]]:
    """Return the style sheet to write beside a sitemap; None if another program's has its name."""
    name = stylesheet_name(filename)
    if not has_others_stylesheet(output_dir, filename):
        return File(name=name, chunks=[stylesheet(filename)]), ()
    problem = (
        f"this plugin did not write {name}, so it is kept, and browsers show the sitemap"
        " without style"
    )
    cure = "rename the file, or set stylesheet to false"
    return None, (Notice("other-stylesheet", problem, cure),)


def announce(
    submitted: Sequence[str], robots: Robots, *, output_dir: Path, is_wanted: bool
) -> tuple[tuple[Path, ...], tuple[Notice, ...]]:
    """Add the lines of a sitemap to robots.txt; return the file if it was written.

    Args:
        submitted: Absolute URLs of the files that crawlers are given.
        robots: The robots.txt of the output folder, as it was before.
        output_dir: That folder.
        is_wanted: Whether to write the lines; the notices say what is wrong either way.
    """
    # Sitemaps in an index of another program that robots.txt names need no line.
    found = (file_at(output_dir, robots.base_url, url) for url in robots.sitemaps if robots.counts)
    indexed = {urls.identity(url) for file in found if file is not None for url in read_index(file)}
    lines = [url for url in submitted if urls.identity(url) not in indexed]
    notices = tuple(robots.notices(submitted, announced=is_wanted and bool(lines)))
    if not (is_wanted and lines):
        return (), notices

    def file() -> Iterator[File]:
        # Read again once the folder is locked, so that no line of another build is lost.
        if (text := robots.read_again(output_dir).with_sitemap_lines(lines)) is not None:
            yield File(name="robots.txt", chunks=[text])

    try:
        return write_files(file(), output_dir=output_dir), notices
    except (OutputError, RobotsError) as error:
        return (), (*notices, Notice.of(error, "write-failed"))
