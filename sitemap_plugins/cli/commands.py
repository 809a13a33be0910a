"""All commands, and how they end."""

from __future__ import annotations

import click

from sitemap_plugins.cli.build import build
from sitemap_plugins.cli.check import check
from sitemap_plugins.cli.console import CommandGroup
from sitemap_plugins.cli.diff import diff
from sitemap_plugins.cli.merge import merge
from sitemap_plugins.cli.notify import notify

__all__ = ["commands"]


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 120}


@click.group(cls=CommandGroup, context_settings=_SETTINGS)
@click.version_option(package_name="sitemap-plugins")
def commands() -> None:
    """Write and check sitemaps of any static site.

    Shell completion: `_SITEMAP_PLUGINS_COMPLETE=bash_source sitemap-plugins` prints the script for
    bash; `zsh_source` and `fish_source` those for zsh and fish.
    """


commands.add_command(build)
commands.add_command(check)
commands.add_command(diff)
commands.add_command(merge)
commands.add_command(notify)
