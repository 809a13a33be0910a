"""The site that a command is about: its folder, project and options."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from sitemap_plugins.cli.arguments import Given
from sitemap_plugins.core.messages import OptionsError, quoted
from sitemap_plugins.core.untrusted_files import is_given_folder
from sitemap_plugins.folder.generator_settings import plugin_options
from sitemap_plugins.folder.options import (
    FolderOptions,
    Project,
    Settings,
    parse_options,
    read_settings,
)

_OF_SITES = ("base_url", "filename", "source_dir", "generator_config")
"""The names of the site's options that commands for built sites have."""


def required_base_url(given: str, site_dir: Path) -> str:
    """Return the value of `--base-url`, or else the address in the project's settings.

    Raises:
        OptionsError: The user gives no address, and the settings have none.
    """
    address = given or parse_options(read_settings(Path()), site_dir).base_url
    if not address:
        cure = "give the published address of the sitemap's folder, such as https://www.example.com/"
        raise OptionsError("--base-url is not given", cure=cure)
    return address


def site_options(settings: Settings, site_dir: Path, given: Given) -> FolderOptions:
    """Return the options of a built site.

    The command line's options come first, then the project's own, then those of our
    plugin in the generator's settings.
    """
    own = {name: given[name] for name in _OF_SITES if given.get(name)}
    named = own.get("generator_config") or str(
        settings.values.get("generator_config") or ""
    )
    of_plugin = plugin_options(Path.cwd(), os.environ, named=named)
    settings = replace(settings, values={**of_plugin, **settings.values})
    return given_options(parse_options(settings, site_dir), own)


def site_project(site_dir: Path, **given: str) -> Project:
    """Return a built site with its project in the current folder, as `site_options`."""
    options = site_options(read_settings(Path()), site_dir, given)
    return project_of(site_dir, options)


def project_of(
    site_dir: Path, options: FolderOptions, project_dir: Path | None = None
) -> Project:
    """Return a built site with its project: `project_dir`, or the current folder."""
    return Project(
        site_dir=site_dir.absolute(),
        project_dir=project_dir or Path.cwd(),
        options=options,
        environ=os.environ,
    )


def site_dir_of(text: str) -> Path:
    """Return the folder of a built site that a user names, or names the sitemap of.

    Raises:
        OptionsError: `text` names no folder or sitemap on this machine.
    """
    path = Path(text)
    if is_given_folder(path):
        return path
    if path.is_file():
        return path.parent
    msg = f"{quoted(text)} is not on this machine"
    raise OptionsError(msg, cure="name the folder of the built site, or its sitemap")


def given_options(options: FolderOptions, given: Given) -> FolderOptions:
    """Return the options of a folder with those of the command line that are not None.

    Names of files on the command line are relative to the current folder.
    """
    own = {name: value for name, value in given.items() if value is not None}
    for name in {"source_dir", "generator_config"} & own.keys():
        own[name] = str(Path(own[name]).absolute())
    return replace(options, **own)
