"""What a generator's own settings say of its sitemap: its name, and the pages that it leaves out.

The settings are read as data: what a Python file computes is not known.
"""

from __future__ import annotations

import fnmatch
from contextlib import suppress
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.folder.generator import (
    MKDOCS_FILES,
    WITH_CONF_PY,
    options_in_use,
    read_mkdocs,
)
from sitemap_plugins.folder.options import FolderOptions
from sitemap_plugins.folder.read_data import assigned_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["is_pelican", "plugin_options"]

_PELICAN = "pelicanconf.py"


def is_pelican(project_dir: Path) -> bool:
    """Tell whether Pelican builds the site, whose status and dates are in no front matter."""
    return (project_dir / _PELICAN).is_file()


def plugin_options(project_dir: Path, environ: Mapping[str, str]) -> dict[str, object]:
    """Return `filename` and `exclude`, as far as mkdocs.yml, pelicanconf.py or conf.py say them.

    What a plugin of ours excludes is not read: it wrote its sitemap by that. What is not valid is
    left out.
    """
    found: dict[str, object] = {}
    for name, value in _found(project_dir, environ):
        try:
            FolderOptions.parse({name: value}, where="")
        except OptionsError:
            continue
        found.setdefault(name, value)
    return found


def _found(project_dir: Path, environ: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for name in MKDOCS_FILES:
        if (file := project_dir / name).is_file():
            with suppress(OptionsError):
                plugins = read_mkdocs(file, environ).get("plugins")
                yield from _filename(options_in_use(plugins, "sitemap"))
    if is_pelican(project_dir):
        yield from _filename(assigned_value(project_dir / _PELICAN, "SITEMAP"))
    for folder in WITH_CONF_PY:
        if (file := project_dir / folder / "conf.py").is_file():
            yield from _filename({"filename": assigned_value(file, "sitemap_filename")})
            wildcards = assigned_value(file, "sitemap_excludes")  # sphinx-sitemap's.
            if isinstance(wildcards, list) and all(isinstance(item, str) for item in wildcards):
                yield "exclude", [f"re:^{fnmatch.translate(item)}" for item in wildcards]


def _filename(options: object) -> Iterator[tuple[str, object]]:
    if isinstance(options, dict) and options.get("filename"):
        yield "filename", options["filename"]
