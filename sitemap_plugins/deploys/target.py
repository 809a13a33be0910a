"""The target `git:BRANCH` of `sitemap-plugins check`."""

from __future__ import annotations

import os
from typing import Any

from sitemap_plugins.check.run import CheckOptions
from sitemap_plugins.check.targets import OF_FOLDERS, further_targets, refuse
from sitemap_plugins.cli.arguments import Given
from sitemap_plugins.cli.console import Output
from sitemap_plugins.findings.records import Result
from sitemap_plugins.sitemaps.locations import COMMIT

OPTIONS: tuple[Any, ...] = ()
NAMES: tuple[str, ...] = ()


def check_target(
    target: str, wanted: CheckOptions, _given: Given, console: Output
) -> Result | None:
    """Compare the deploys in a branch; None if the target names none."""
    if not target.startswith(COMMIT):
        return None
    from sitemap_plugins.deploys.check import check_deploys  # noqa: PLC0415 seldom needed

    refuse(("base_url", *OF_FOLDERS), "a folder, not for a branch: remove it")
    refuse(("required",), "a sitemap, not for a branch: remove it")
    for other in further_targets():
        refuse(other.NAMES, "a server, not for a branch: remove it")
    console.step("Reading git's history")
    return check_deploys(
        target, now=wanted.now, environ=os.environ, track=console.track
    )
