"""What files in the output folder tell crawlers: robots.txt, `_headers` and `_redirects`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import OutputError, RobotsError
from sitemap_plugins.core.files.existing import read_existing
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.robots_txt import Robots
from sitemap_plugins.core.server_rules import read_server_rules

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_plugins.core.ci import CI
    from sitemap_plugins.core.server_rules import ServerRules

__all__ = ["CrawlerRules", "read_crawler_rules", "read_robots"]


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
        text = read_existing(folder / "robots.txt")
        return Robots(text, base_url=base_url, on_read_the_docs=ci.read_the_docs), ()
    except (OutputError, RobotsError) as error:
        return None, (Notice(code="bad-robots", text=str(error)),)
