"""What `check` accepts beside a folder and a file: the targets that wings add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

import click
from click.core import ParameterSource

from sitemap_plugins.check.run import CheckOptions
from sitemap_plugins.cli.arguments import Given
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.findings.records import Result

_FURTHER = ("sitemap_plugins.live.target",)
"""The wings that know further targets: each module is a `FurtherTarget`."""


class FurtherTarget(Protocol):
    """A module that checks targets of a further kind."""

    OPTIONS: Sequence[Callable[[Any], Any]]
    """The decorators of click that add its options to `check`."""

    NAMES: Sequence[str]
    """The names of these options' parameters."""

    @staticmethod
    def check_target(
        target: str, wanted: CheckOptions, given: Given, console: Output, /
    ) -> Result | None:
        """Check a target; None if the target is of another kind.

        Raises:
            SitemapError: An option has no effect on the target, or it cannot be read.
        """


OF_FOLDERS = ("filename", "source_dir", "generator_config", "hosting")
"""The names of the options that are only for a folder."""


def further_targets() -> list[FurtherTarget]:
    """Load the modules that know further targets."""
    return [cast("FurtherTarget", import_module(name)) for name in _FURTHER]


def refuse(names: Iterable[str], place: str) -> None:
    """Raise an error if the command line has one of some options without effect.

    A project's settings may have them, since these are for all targets. `place` says
    what the options are for, in words that follow "--name is for".
    """
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = name.replace("_", "-")
            raise OptionsError(f"--{option} is for {place}")
