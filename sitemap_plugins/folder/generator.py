"""What the settings of the generator at hand say: the site's address, and where its sources are."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.folder.read_data import assigned_text, assigned_value, read_toml, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["MKDOCS_FILES", "WITH_CONF_PY", "Generator", "read_generator", "read_mkdocs"]

MKDOCS_FILES = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml")
"""Names of the settings of MkDocs and ProperDocs."""

WITH_CONF_PY = ("docs", "doc", "docs/source", "doc/source", "source", "")
"""Where projects keep Sphinx' conf.py."""

_MOST_INHERITED = 8
"""Files that `INHERIT` may lead through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """What is known of the generator; all empty where there is no settings file."""

    base_url: object = ""
    """The site's address, unchecked."""

    base_url_setting: str = "--base-url"
    """What the generator calls that setting, and in which file."""

    source_dir: Path | None = None
    """The folder of the pages' sources."""

    copied_from: tuple[Path, ...] = ()
    """The folders whose HTML files it copies, under the same names; need not exist."""

    problem: str = ""
    """Why its settings file cannot be read, with the cure; empty if it can."""


def read_generator(project_dir: Path, environ: Mapping[str, str]) -> Generator:
    """Read the first settings file of a generator that a project has."""
    try:
        return next(_found(project_dir, environ), Generator())
    except OptionsError as error:
        return Generator(problem=str(error))


def _found(project_dir: Path, environ: Mapping[str, str]) -> Iterator[Generator]:
    if (file := project_dir / "zensical.toml").is_file():
        project = read_toml(file).get("project")
        yield _like_mkdocs(file, project if isinstance(project, dict) else {})
    for name in MKDOCS_FILES:
        if (file := project_dir / name).is_file():
            files = list(_inherited(file, environ))
            with_address = next((each for each, own in files if "site_url" in own), file)
            setting = f"site_url in {os.path.relpath(with_address, file.parent)}"
            yield replace(_like_mkdocs(file, _merged(files)), base_url_setting=setting)
    for folder in WITH_CONF_PY:
        if (file := project_dir / folder / "conf.py").is_file():
            yield Generator(
                base_url=assigned_text(file, "html_baseurl"),
                base_url_setting="html_baseurl in conf.py",
                source_dir=file.parent,
                copied_from=tuple(_extra_folders(file)),
            )


def _like_mkdocs(file: Path, settings: Mapping[str, object]) -> Generator:
    docs_dir = settings.get("docs_dir")
    source_dir = file.parent / (docs_dir if isinstance(docs_dir, str) else "docs")
    return Generator(
        base_url=settings.get("site_url") or "",
        base_url_setting=f"site_url in {file.name}",
        source_dir=source_dir,
        copied_from=(source_dir,),
    )


def _extra_folders(conf_py: Path) -> Iterator[Path]:
    extra = assigned_value(conf_py, "html_extra_path")
    names = extra if isinstance(extra, list) else []
    yield from (conf_py.parent / name for name in names if isinstance(name, str))


def read_mkdocs(file: Path, environ: Mapping[str, str]) -> Mapping[str, object]:
    """Return MkDocs' settings with those of the files that `INHERIT` names below them.

    Raises:
        OptionsError: One of the files cannot be read.
    """
    return _merged(_inherited(file, environ))


def _inherited(
    file: Path, environ: Mapping[str, str]
) -> Iterator[tuple[Path, Mapping[str, object]]]:
    """Yield each file with its own settings: what stands in the first counts."""
    for _ in range(_MOST_INHERITED):
        own = read_yaml(file, environ)
        yield file, own
        parent = own.get("INHERIT")
        if not isinstance(parent, str):
            break
        file = file.parent / parent


def _merged(files: Iterable[tuple[Path, Mapping[str, object]]]) -> Mapping[str, object]:
    settings: dict[str, object] = {}
    for _, own in files:
        settings = {**own, **settings}
    return settings
