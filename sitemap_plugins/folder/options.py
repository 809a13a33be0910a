"""The options of a folder, the files that hold them, and what a command works on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.messages import Environ, OptionsError, quoted
from sitemap_plugins.core.options import Accepts, Options, option, options_of
from sitemap_plugins.core.values import parse_str
from sitemap_plugins.folder.read_data import read_text, read_toml

T = TypeVar("T")

_TABLES = {
    "sitemap.toml": (),
    "zensical.toml": ("project", "extra", "sitemap"),
    "pyproject.toml": ("tool", "sitemap-plugins"),
}
"""Each file with the table that holds our options; the first that has one is used."""

CHECK = "check"
"""The table in that table for the command `check`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderOptions(Options):
    """The options of a folder: those that all hosts share, and two more."""

    source_dir: str = option(
        default="",
        example="content",
        accepts=Accepts("folder", parse_str, "FOLDER"),
        summary="Folder of the pages' sources, if the generator's settings do not name"
        " it.",
    )
    """Relative to the project's folder, or absolute; empty to look for it."""

    generator_config: str = option(
        default="",
        example="config/mkdocs.yml",
        accepts=Accepts("file name", parse_str, "FILE"),
        summary="Settings file of the generator, if it does not have its usual name and"
        " place.",
    )
    """Relative to the project's folder, or absolute; empty to look for it."""


FOLDER_OPTIONS = options_of(FolderOptions)
"""Every option of a folder, in the manual's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A project's own settings, unchecked."""

    values: Mapping[str, object]
    """What the user wrote, by the options' names."""

    check: Mapping[str, object]
    """What the user wrote for the command `check`."""

    where: str
    """The file that has them; empty for none."""


@dataclass(frozen=True, kw_only=True)
class Project:
    """A built site and its project."""

    site_dir: Path
    """The folder of built HTML, absolute."""

    project_dir: Path
    """Where the generator's settings are, absolute."""

    options: FolderOptions

    environ: Environ
    """Environment variables, which describe the service that builds the site."""

    @cached_property
    def ci(self) -> CI:
        """The service that builds the site."""
        return CI.from_environ(self.environ)


class Track(Protocol):
    """Shows how far the work on a sequence is, while it yields its items."""

    def __call__(self, items: Sequence[T], description: str) -> Iterable[T]:
        """Yield the items."""


def read_settings(project_dir: Path, file: Path | None = None) -> Settings:
    """Read the settings of a project, from one file or from the first that has any.

    Raises:
        OptionsError: A file is not TOML or cannot be read, or `file` does not exist or
            has no settings of ours.
    """
    if file and not file.exists():
        cure = "let --config name a TOML file"
        raise OptionsError(f"{str(file)!r} does not exist", cure=cure)
    if file and file.suffix in {".yml", ".yaml", ".json"}:
        msg = f"{str(file)!r} is not a TOML file"
        raise OptionsError(msg, cure="write the options in TOML, as in sitemap.toml")
    files = [file] if file else [project_dir / name for name in _TABLES]
    # Every file is read, not only the first that has settings: a broken file may be the
    # one that the user meant.
    existing = [each for each in files if file or each.exists()]
    tables = {each.name: _table(each, is_named=bool(file)) for each in existing}
    for where, table in tables.items():
        if table is not None:
            return _settings(table, where)
    if file:
        table_name = ".".join(_TABLES[file.name])
        msg = f"{str(file)!r} does not contain the table [{table_name}]"
        raise OptionsError(msg, cure="write the options there")
    return Settings(values={}, check={}, where="")


def _settings(table: Mapping[str, object], where: str) -> Settings:
    values = dict(table)
    # The tables of zensical.toml and pyproject.toml, copied into sitemap.toml.
    for name in ("sitemap", "tool"):
        if name in values:
            msg = f"{where} has the table [{name}]"
            raise OptionsError(msg, cure="write the options without a table")
    check = values.pop(CHECK, {})
    if not isinstance(check, dict):
        problem = f"{CHECK} = {quoted(check)} is not a table"
        raise OptionsError(problem, cure=f"write [{CHECK}]", place=where)
    return Settings(values=values, check=check, where=where)


def parse_options(settings: Settings, site_dir: Path) -> FolderOptions:
    """Check a project's settings.

    A compressed twin that exists, such as `sitemap.xml.gz`, is written again unless the
    settings forbid it: otherwise it would still list what the sitemap no longer does.

    Raises:
        OptionsError: Any unknown name or wrong value.
    """
    options = FolderOptions.parse(settings.values, where=settings.where)
    has_twin = (site_dir / f"{options.filename}.gz").is_file()
    if has_twin and "gzip" not in settings.values:
        return replace(options, gzip=True)
    return options


def _table(file: Path, *, is_named: bool) -> Mapping[str, Any] | None:
    """Return our table of a file.

    The result is None if the file has no such table. A pyproject.toml that is not valid
    TOML has no table if its text does not name the table either.

    Raises:
        OptionsError: The file is not TOML, or cannot be read.
    """
    try:
        found: Any = read_toml(file)
    except OptionsError:
        if is_named or file.name != "pyproject.toml":
            raise
        # Most projects have that file, for other programs.
        if "tool.sitemap-plugins" in read_text(file):
            raise
        return None
    for name in _TABLES.get(file.name, ()):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None
