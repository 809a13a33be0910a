"""What `check` can be given beside a folder and a file; other folders of the package add it."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType

import click
from click.core import ParameterSource

from sitemap_plugins.core.messages import OptionsError

_FURTHER = (
    "sitemap_plugins.deploys.target",
    "sitemap_plugins.live.target",
)
"""Modules, each with `OPTIONS`, their `NAMES`, and `check_target`: it returns a result, or
None if the target is not of its kind."""

OF_FOLDERS = ("filename", "source_dir", "generator_config", "links", "hosting")
"""The names of the options that are only for a folder."""


def further_targets() -> list[ModuleType]:
    """Return the modules that know further targets."""
    return [*map(import_module, _FURTHER)]


def refuse(names: Iterable[str], place: str) -> None:
    """Refuse options without effect.

    Settings of the same names are for other targets.
    """
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = name.replace("_", "-")
            raise OptionsError(f"--{option} is for {place}")
