"""What a generator's own settings say of the address, the sources and the sitemap.

Settings are read as data: those in Python are not, and values that a JavaScript file
computes are unknown.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sitemap_plugins.core.messages import Environ, OptionsError, Secret, quoted
from sitemap_plugins.core.untrusted_files import is_file, leads_out, seen_from
from sitemap_plugins.folder import include_settings
from sitemap_plugins.folder.include_settings import options_in_use
from sitemap_plugins.folder.includes import Syntax
from sitemap_plugins.folder.options import FolderOptions
from sitemap_plugins.folder.read_data import read_text, read_toml

_MKDOCS_FILES = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml")
"""Names of the settings of MkDocs and ProperDocs."""

_CONF_PY = tuple(
    f"{folder}conf.py"
    for folder in ("docs/", "doc/", "docs/source/", "doc/source/", "source/", "")
)
"""Where projects keep Sphinx's settings."""

_FOLDERS = ("", "docs", "doc", "book", "guide", "website", "site")
"""Where projects keep the settings of the other generators."""

_VITEPRESS = tuple(f".vitepress/config.{each}" for each in ("mts", "ts", "mjs", "js"))
_SRC_DIR = re.compile(r"""^[ \t]*srcDir:\s*["']([^"'\n]+)["']""", re.MULTILINE)
_MAX_INHERITED = 8
"""Files in a chain of `INHERIT`."""

_OF_MKDOCS = {"site_name", "site_url", "docs_dir"}
"""Settings of MkDocs and Zensical, by which files of other names are recognized."""

_PELICAN = "pelicanconf.py"

_SHARED = {"filename", "exclude", "urls"}
"""Options of the plugins that a check of the folder needs too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """What is known of the generator; all empty if there is no settings file."""

    base_url: object = ""
    """The site's address, unchecked."""

    base_url_setting: str = "--base-url"
    """The generator's name for that setting, and its file."""

    source_dir: Path | None = None
    """The folder of the pages' sources."""

    copied_from: tuple[Path, ...] = ()
    """The folders whose HTML files it copies, under the same names; need not exist."""

    includes: tuple[Syntax, ...] = ()
    """How its sources include files."""

    error: OptionsError | None = None
    """Why its settings file cannot be read; None if it can."""


def read_generator(
    project_dir: Path, environ: Environ, *, named: str = ""
) -> Generator:
    """Read the settings file that the user names, or the first that a project has.

    Raises:
        OptionsError: The named file does not exist, cannot be read, or is not that of a
            known generator.
    """
    if not named:
        try:
            return next(_usual(project_dir, environ), Generator())
        except OptionsError as error:
            return Generator(error=error)
    file = project_dir / named
    if not is_file(file):
        msg = f"generator_config = {quoted(named)} is not a file"
        raise OptionsError(msg, cure="correct the name")
    generator = _read(file, project_dir, environ)
    if generator is None:
        msg = (
            f"generator_config = {quoted(named)} is not a settings file of a known"
            " generator"
        )
        cure = "name the one of Zensical, MkDocs, Sphinx, mystmd or VitePress"
        raise OptionsError(msg, cure=cure)
    return generator


def _usual(project_dir: Path, environ: Environ) -> Iterator[Generator]:
    """Yield what each settings file with a usual name and place says."""
    for name in ("zensical.toml", *_MKDOCS_FILES, "zensical.yml", *_CONF_PY):
        generator = _read(project_dir / name, project_dir, environ)
        if generator is not None:
            yield generator
    for name in ("myst.yml", *_VITEPRESS):
        for folder in _FOLDERS:
            generator = _read(project_dir / folder / name, project_dir, environ)
            if generator is not None:
                # A file with this name can belong to another site, so the sources are
                # looked for in all usual places.
                yield replace(generator, source_dir=None)


def _read(file: Path, project_dir: Path, environ: Environ) -> Generator | None:
    """Read a settings file of any name; None if it is not that of a known generator."""
    if not file.is_file():
        return None
    if file.suffix == ".py":
        # Sphinx's settings are a program, which is neither read nor run here.
        includes = include_settings.of_sphinx(file.parent)
        return Generator(source_dir=file.parent, includes=includes)
    if file.suffix == ".toml":
        return _of_toml(file, project_dir)
    if file.suffix in {".yml", ".yaml"}:
        return _of_yaml(file, project_dir, environ)
    if file.parent.name == ".vitepress":
        return _vitepress(file, project_dir)
    return None


def _of_toml(file: Path, project_dir: Path) -> Generator | None:
    project = read_toml(file).get("project")
    settings = project if isinstance(project, dict) else {}
    if file.name == "zensical.toml" or _OF_MKDOCS & settings.keys():
        return _like_mkdocs(file, settings, project_dir)
    return None


def _of_yaml(file: Path, project_dir: Path, environ: Environ) -> Generator | None:
    files = list(_inherited(file, environ))
    settings = ChainMap(*(own for _, own in files))
    # mystmd's settings have their version, and a table for the project or the site.
    has_its_form = "version" in settings and {"project", "site"} & settings.keys()
    if has_its_form or file.name == "myst.yml":
        return Generator(
            source_dir=_if_below(file.parent, project_dir),
            includes=(include_settings.of_mystmd(file.parent),),
        )
    if file.name not in _MKDOCS_FILES and not _OF_MKDOCS & settings.keys():
        return None
    generator = _like_mkdocs(file, settings, project_dir)
    # Messages name the file that sets the address, which `file` can inherit.
    for each, own in files:
        if "site_url" in own:
            name = seen_from(str(file.parent), str(each))
            return replace(generator, base_url_setting=f"site_url in {name}")
    return generator


def _like_mkdocs(
    file: Path, settings: Mapping[str, Any], project_dir: Path
) -> Generator:
    docs_dir = settings.get("docs_dir")
    if not isinstance(docs_dir, str):
        docs_dir = "docs"
    source_dir = file.parent / docs_dir
    syntaxes = include_settings.of_mkdocs(settings, source_dir, file, project_dir)
    return Generator(
        base_url=settings.get("site_url") or "",
        base_url_setting=f"site_url in {file.name}",
        source_dir=source_dir,
        copied_from=(source_dir,),
        includes=tuple(syntaxes),
    )


def _vitepress(file: Path, project_dir: Path) -> Generator:
    """Return VitePress' settings: `srcDir` if it is a plain string.

    JavaScript is never run.
    """
    found = _SRC_DIR.search(read_text(file))
    source_dir = file.parent.parent
    if found:
        source_dir /= found[1]
    return Generator(
        source_dir=_if_below(source_dir, project_dir),
        includes=(include_settings.of_vitepress(source_dir),),
    )


def _if_below(folder: Path, project_dir: Path) -> Path | None:
    """Return a folder of sources; None for the whole project.

    A whole project contains other texts too.
    """
    return None if folder.absolute() == project_dir.absolute() else folder


def _inherited(
    file: Path, environ: Environ
) -> Iterator[tuple[Path, dict[str, object]]]:
    """Yield `file` and those that it inherits (`INHERIT`), each with its own settings.

    The settings of an earlier file override those of the later ones.
    """
    from sitemap_plugins.folder.read_yaml import read_yaml  # noqa: PLC0415 slow to import

    top = file.parent
    for _ in range(_MAX_INHERITED):
        own = read_yaml(file, environ)
        yield file, own
        parent = own.get("INHERIT")
        if not isinstance(parent, str):
            break
        file = file.parent / parent
        # A variable of the environment must not show which files exist.
        is_hidden = isinstance(parent, Secret) and not is_file(file)
        if is_hidden or leads_out(file, top):
            msg = f"INHERIT = {quoted(parent)} names no file of the project"
            raise OptionsError(msg, cure="correct it")


def is_pelican(project_dir: Path) -> bool:
    """Tell whether Pelican builds the site.

    Pelican's pages have their status and dates in metadata, not in front matter.
    """
    return (project_dir / _PELICAN).is_file()


def plugin_options(
    project_dir: Path, environ: Environ, *, named: str = ""
) -> dict[str, object]:
    """Return the sitemap's `filename`, `exclude` and `urls` of a plugin of ours.

    These options are in mkdocs.yml, or in the settings file that the user names.
    Settings in Python are not read. Invalid values are left out.
    """
    found: dict[str, object] = {}
    for name, value in _sitemap_options(project_dir, environ, named):
        if value and name in _SHARED:
            with suppress(OptionsError):
                FolderOptions.parse({name: value}, where="")
                found.setdefault(name, value)
    return found


def _sitemap_options(
    project_dir: Path, environ: Environ, named: str
) -> Iterator[tuple[str, object]]:
    names = [named] if named else _MKDOCS_FILES
    for name in names:
        file = project_dir / name
        if is_file(file) and file.suffix in {".yml", ".yaml"}:
            with suppress(OptionsError):
                settings = ChainMap(*(own for _, own in _inherited(file, environ)))
                options = options_in_use(settings.get("plugins"), "sitemap")
                yield from (options or {}).items()
