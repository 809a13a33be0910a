"""The options of a folder, and the files in which a project keeps them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.checks import parse_str
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.options import Options, option, options_of
from sitemap_plugins.folder.read_data import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["FOLDER_OPTIONS", "FolderOptions", "Settings", "parse_options", "read_settings"]

_TABLES = {
    "sitemap.toml": (),
    "zensical.toml": ("project", "extra", "sitemap"),
    "pyproject.toml": ("tool", "sitemap-plugins"),
}
"""Each file with the table that holds our options; the first that has one counts."""

CHECK = "check"
"""The table within it for the command `check`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderOptions(Options):
    """The options of a folder: those that all hosts share, and two more."""

    source_dir: str = option(
        default="",
        accepts="folder",
        summary="Folder of the pages' sources, if the generator's settings do not name it.",
        parse=parse_str,
    )
    """Relative to the project's folder, or absolute; empty to look for it."""

    generator_config: str = option(
        default="",
        accepts="file name",
        summary="Settings file of the generator, if it does not have its usual name and place.",
        parse=parse_str,
    )
    """Relative to the project's folder, or absolute; empty to look for it."""


_WITHOUT_EFFECT = {"static_html"}  # All HTML is listed.

FOLDER_OPTIONS = tuple(o for o in options_of(FolderOptions) if o.name not in _WITHOUT_EFFECT)
"""Every option that has an effect on a folder, in the manual's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A project's own settings, unchecked."""

    values: Mapping[str, object]
    """What the user wrote, by the options' names."""

    check: Mapping[str, object]
    """What the user wrote for the command `check`."""

    where: str
    """The file that holds them; empty where no file does."""


def read_settings(project_dir: Path, file: Path | None = None) -> Settings:
    """Read the settings of a project, from one file or from the first that has any.

    Raises:
        OptionsError: The file that was asked for holds none.
    """
    files = [file] if file else [project_dir / name for name in _TABLES]
    for each in files:
        table = _table(each)
        if table is not None:
            check = table.get(CHECK, {})
            values = {name: value for name, value in table.items() if name != CHECK}
            return Settings(values=values, check=_mapping(check, each.name), where=each.name)
    if file:
        table_name = ".".join(_TABLES.get(file.name, ()))
        holds = f"the table [{table_name}]" if table_name else "TOML"
        msg = f"{str(file)!r} does not contain {holds}: correct the file or --config"
        raise OptionsError([msg])
    return Settings(values={}, check={}, where="")


def parse_options(settings: Settings, site_dir: Path) -> FolderOptions:
    """Check a project's settings.

    A twin `sitemap.xml.gz` that stands in the folder is written anew, unless the settings say no:
    it would announce what the sitemap no longer does.

    Raises:
        OptionsError: Any unknown name or wrong value.
    """
    options = FolderOptions.parse(settings.values, where=settings.where)
    has_twin = (site_dir / f"{options.filename}.gz").is_file()
    return replace(options, gzip=True) if has_twin and "gzip" not in settings.values else options


def _table(file: Path) -> Mapping[str, Any] | None:
    """Return our table of a file; None where it has none."""
    if not file.is_file():
        return None
    found: Any = read_toml(file)
    for name in _TABLES.get(file.name, ()):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise OptionsError([f"{CHECK} = {quoted(value)} is not a table: write [{CHECK}]"], where=where)
