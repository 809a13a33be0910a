"""The options of a folder, and the files in which a project keeps them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.checks import parse_str
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.options import Options, option, options_of
from sitemap_plugins.core.untrusted_files import read_regular_file

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

MOST_BYTES = 1024 * 1024
"""Bytes of the largest settings file that is read."""

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
        OptionsError: A file is not TOML or cannot be read, or the one that was asked for is missing
            or holds none.
    """
    files = [file] if file else [project_dir / name for name in _TABLES]
    # All are read: a broken one may be the one that was meant.
    found = [(each, _table(each)) for each in files if file or each.exists()]
    for each, table in found:
        if table is not None:
            check = table.get(CHECK, {})
            values = {name: value for name, value in table.items() if name != CHECK}
            return Settings(values=values, check=_mapping(check, each.name), where=each.name)
    if file:
        msg = f"{quoted(str(file))} does not contain the table [{'.'.join(_TABLES[file.name])}]"
        raise OptionsError([f"{msg}: add it, or correct --config"])
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
    """Return our table of a file; None where it has none.

    Raises:
        OptionsError: The file is not TOML, or cannot be read.
    """
    found: Any = _read_toml(file)
    for name in _TABLES.get(file.name, ()):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _read_toml(file: Path) -> Mapping[str, Any]:
    try:
        content = read_regular_file(file, max_bytes=MOST_BYTES)
        return tomllib.loads(content.decode("utf-8-sig"))
    except FileNotFoundError:
        problem, cure = "does not exist", "correct --config"
    except OSError as error:
        problem, cure = f"cannot be read ({error.strerror or error})", "correct the file"
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problem, cure = f"is not UTF-8 (line {line})", "save it in that encoding"
    except tomllib.TOMLDecodeError as error:
        last = len(content.rstrip().splitlines())
        where = str(error).replace("at end of document", f"in the last line, {last}")
        problem = f"is not valid TOML ({where})"
        cure = "correct it there, or close the bracket or quote before it"
    except (ValueError, RecursionError) as error:  # A number of more than 4,300 digits.
        problem, cure = f"is not valid TOML ({error})", "correct it"
    raise OptionsError([f"{quoted(str(file))} {problem}: {cure}"])


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise OptionsError([f"{CHECK} = {quoted(value)} is not a table: write [{CHECK}]"], where=where)
