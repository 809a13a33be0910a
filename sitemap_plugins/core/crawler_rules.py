"""What files in the output folder tell crawlers: robots.txt, `_headers` and `_redirects`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import OutputError, RobotsError
from sitemap_plugins.core.files.existing import read_existing
from sitemap_plugins.core.files.layout import File
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.robots_txt import Robots
from sitemap_plugins.core.server_rules import read_server_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitemap_plugins.core.ci import CI
    from sitemap_plugins.core.server_rules import ServerRules

__all__ = ["CrawlerRules", "announced", "read_crawler_rules", "read_robots"]


class CrawlerRules(NamedTuple):
    """The rules of one output folder."""

    robots: Robots | None
    """None where robots.txt cannot be read."""

    of_server: ServerRules


def read_crawler_rules(
    folder: Path, base_url: str, ci: CI
) -> tuple[CrawlerRules, tuple[Notice, ...]]:
    """Read all rules of an output folder; notices say what cannot be read."""
    robots, about_robots = read_robots(folder, base_url, ci)
    of_server, about_server = read_server_rules(
        folder, base_url, ignores_files=ci.hosting == "cloudflare"
    )
    return CrawlerRules(robots, of_server), (*about_robots, *about_server)


def read_robots(folder: Path, base_url: str, ci: CI) -> tuple[Robots | None, tuple[Notice, ...]]:
    """Return the robots.txt of a folder whose address is `base_url`, normalized.

    None with a notice where it cannot be read.
    """
    try:
        return _read_robots(folder, base_url, ci), ()
    except (OutputError, RobotsError) as error:
        return None, (Notice.of(error, "bad-robots"),)


def announced(folder: Path, base_url: str, ci: CI, sitemaps: Sequence[str]) -> Iterator[File]:
    """Yield robots.txt with the lines for these absolute URLs; nothing if it is to be left alone.

    The file is read when it is asked for: while `write_files` has locked the folder, no other build
    adds a line that would be lost.

    Raises:
        OutputError: It cannot be read.
        RobotsError: The bytes are no robots.txt.
    """
    text = _read_robots(folder, base_url, ci).with_sitemap_lines(sitemaps)
    if text is not None:
        yield File(name="robots.txt", chunks=[text])


def _read_robots(folder: Path, base_url: str, ci: CI) -> Robots:
    text = read_existing(folder / "robots.txt")
    return Robots(text, base_url=base_url, on_read_the_docs=ci.read_the_docs)
