"""The address of a sitemap's folder, as commands are given it."""

from __future__ import annotations

from pathlib import Path

import click

from sitemap_plugins.core.errors import OptionsError, PageError
from sitemap_plugins.core.urls import normalize_base_url
from sitemap_plugins.folder.options import parse_options, read_settings

__all__ = ["normalize_option", "parse_base_url"]


def parse_base_url(given: str, site_dir: Path) -> str:
    """Return an address as `--base-url` gives it, or else the project's settings; normalized.

    Raises:
        BadParameter: It is no address.
        OptionsError: Neither gives one.
    """
    address = given or parse_options(read_settings(Path()), site_dir).base_url
    if not address:
        msg = "--base-url is not given: give the published address of the sitemap's folder"
        raise OptionsError(f"{msg}, such as https://www.example.com/")
    return normalize_option(address)


def normalize_option(address: str) -> str:
    """Return an address as `--base-url` gives it, normalized.

    Raises:
        BadParameter: It is no address.
    """
    try:
        return normalize_base_url(address)
    except PageError as error:
        raise click.BadParameter(str(error), param_hint="--base-url") from None
