"""mike's versions, and what they mean for the site's address and for robots.txt.

mike builds each version separately, below the site's address; no build knows the others.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.urls import host_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig

__all__ = ["about_versions", "builds_a_version"]

_ALIASES = {"latest", "stable"}
"""Names that nearly every project uses for its newest version."""


def builds_a_version(config: MkDocsConfig, address: str) -> bool:
    """Tell whether mike builds a version: then `site_url` is not `address`, as in the settings."""
    return "mike" in config.plugins and _folder(config.site_url or "") != _folder(address)


def about_versions(config: MkDocsConfig, address: str, filename: str) -> Iterator[Notice]:
    """Yield notices for a site with versions; `address` is `site_url` as in the settings."""
    site_url = _folder(config.site_url or "")
    version, last = (url.rstrip("/").rpartition("/")[2] for url in (site_url, address))
    if last in _ALIASES or last == version:
        problem = (
            f"site_url = {address!r} ends in {last!r}, and mike adds a version: every URL begins"
            f" with {site_url!r}"
        )
        yield Notice("wrong-base-url", problem, cure=f"remove {last!r} from site_url")
    if _has_sitemap_at_root(config):
        return
    line = f"'Sitemap: {site_url}{filename}'"
    canonical = config.plugins["mike"].config.get("canonical_version")
    problem = f"crawlers read robots.txt only at {host_root(site_url)}robots.txt"
    cure = (
        f"add the line {line} there, once for all versions"
        if canonical
        else f"add a line such as {line} there, only for the version that readers should find"
    )
    yield Notice("robots-not-at-root", problem, cure, "robots.txt")


def _has_sitemap_at_root(config: MkDocsConfig) -> bool:
    """Tell whether the branch that mike deploys to has one: that of `merge`, or a link to one."""
    branch = config.remote_branch
    folder = Path(config.config_file_path).absolute().parent
    for name in (f"refs/heads/{branch}", f"refs/remotes/{config.remote_name}/{branch}"):
        with suppress(GitError):
            Git.at(folder, os.environ).run("cat-file", "-e", f"{name}:sitemap.xml")
            return True
    return False


def _folder(url: str) -> str:
    return url.rstrip("/") + "/"
