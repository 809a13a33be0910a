"""What a generator's own settings say: the site's address, its sources, and its sitemap.

Settings are read as data: values that a Python or JavaScript file computes are unknown.
"""

from __future__ import annotations

import fnmatch
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sitemap_plugins.core.messages import OptionsError, Secret, quoted
from sitemap_plugins.core.untrusted_files import is_file, leads_out, seen_from
from sitemap_plugins.folder import includes
from sitemap_plugins.folder.includes import MARKDOWN, Syntax, options_in_use
from sitemap_plugins.folder.options import FolderOptions
from sitemap_plugins.folder.read_data import assigned_value, read_text, read_toml

_MKDOCS_FILES = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml")
"""Names of the settings of MkDocs and ProperDocs."""

_WITH_CONF_PY = ("docs", "doc", "docs/source", "doc/source", "source", "")
"""Where projects keep Sphinx's conf.py."""

_FOLDERS = ("", "docs", "doc", "book", "guide", "website", "site")
"""Where projects keep the settings of the other generators."""

_VITEPRESS = tuple(
    f".vitepress/config.{suffix}" for suffix in ("mts", "ts", "mjs", "js")
)
_SRC_DIR = re.compile(r"""^\s*srcDir:\s*["']([^"'\n]+)["']""", re.MULTILINE)
_MAX_INHERITED = 8
"""Files in a chain of `INHERIT`."""

_OF_MKDOCS = {"site_name", "site_url", "docs_dir"}
"""Settings of MkDocs and Zensical, by which files of other names are recognized."""

_PELICAN = "pelicanconf.py"


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

    is_one_version: bool = False
    """Whether mike publishes other versions beside the one that is built."""

    error: OptionsError | None = None
    """Why its settings file cannot be read; None if it can."""


def read_generator(
    project_dir: Path, environ: Mapping[str, str], *, named: str = ""
) -> Generator:
    """Read the settings file that the user names, or the first that a project has.

    Raises: OptionsError: The named file does not exist, cannot be read, or is not that
        of a known generator.
    """
    if not named:
        try:
            return next(_usual(project_dir, environ), Generator())
        except OptionsError as error:
            return Generator(error=error)
    file = project_dir / named
    if not is_file(file):
        msg = f"generator_config = {str(file)!r} is not a file"
        raise OptionsError(msg, cure="correct the name")
    generator = _read(file, project_dir, environ)
    if generator is None:
        msg = f"generator_config = {str(file)!r} is not a settings file of a known generator"
        cure = "name the one of Zensical, MkDocs, Sphinx, mystmd or VitePress"
        raise OptionsError(msg, cure=cure)
    return generator


def _usual(project_dir: Path, environ: Mapping[str, str]) -> Iterator[Generator]:
    """Yield what each settings file with a usual name and place says."""
    names = [
        *("zensical.toml", *_MKDOCS_FILES, "zensical.yml"),
        *(f"{folder}/conf.py" for folder in _WITH_CONF_PY),
    ]
    others = ("myst.yml", *_VITEPRESS)
    for name in (
        *names,
        *(f"{folder}/{other}" for other in others for folder in _FOLDERS),
    ):
        file = project_dir / name.removeprefix("/")
        generator = _read(file, project_dir, environ) if file.is_file() else None
        if generator and name not in names and file.parent != project_dir:
            # It can be that of another site, so the sources are looked for in all usual
            # places.
            generator = replace(generator, source_dir=None)
        if generator:
            yield generator


def _read(
    file: Path, project_dir: Path, environ: Mapping[str, str]
) -> Generator | None:
    """Read a settings file of any name; None if it is not that of a known generator."""
    if file.suffix == ".py":
        return _sphinx(file)
    if file.suffix == ".toml":
        return _of_toml(file, project_dir)
    if file.suffix in {".yml", ".yaml"}:
        return _of_yaml(file, project_dir, environ)
    return _vitepress(file, project_dir) if file.parent.name == ".vitepress" else None


def _of_toml(file: Path, project_dir: Path) -> Generator | None:
    tables = read_toml(file)
    project = tables.get("project")
    settings = project if isinstance(project, dict) else {}
    is_zensical = file.name == "zensical.toml" or _OF_MKDOCS & settings.keys()
    return _like_mkdocs(file, settings, project_dir) if is_zensical else None


def _of_yaml(
    file: Path, project_dir: Path, environ: Mapping[str, str]
) -> Generator | None:
    files = list(_inherited(file, environ))
    settings = ChainMap(*(own for _, own in files))
    # mystmd's settings have their version, and a table for the project or the site.
    has_its_form = "version" in settings and {"project", "site"} & settings.keys()
    if has_its_form or file.name == "myst.yml":
        suffixes = (*MARKDOWN, ".myst", ".ipynb")
        syntax = Syntax(find=includes.myst, suffixes=suffixes, root=file.parent)
        source_dir = _if_below(file.parent, project_dir)
        return Generator(source_dir=source_dir, includes=(syntax,))
    if file.name not in _MKDOCS_FILES and not _OF_MKDOCS & settings.keys():
        return None
    with_address = next((each for each, own in files if "site_url" in own), file)
    setting = f"site_url in {seen_from(str(file.parent), str(with_address))}"
    return replace(_like_mkdocs(file, settings, project_dir), base_url_setting=setting)


def _like_mkdocs(
    file: Path, settings: Mapping[str, Any], project_dir: Path
) -> Generator:
    docs_dir = settings.get("docs_dir")
    source_dir = file.parent / (docs_dir if isinstance(docs_dir, str) else "docs")
    return Generator(
        base_url=settings.get("site_url") or "",
        base_url_setting=f"site_url in {file.name}",
        source_dir=source_dir,
        copied_from=(source_dir,),
        includes=tuple(
            includes.syntaxes_in_use(settings, source_dir, file, project_dir)
        ),
        is_one_version=options_in_use(settings.get("plugins"), "mike") is not None,
    )


def _sphinx(file: Path) -> Generator:
    folder, extra = file.parent, assigned_value(file, "html_extra_path")
    address = assigned_value(file, "html_baseurl")
    names = extra if isinstance(extra, list) else []
    return Generator(
        base_url=address if isinstance(address, str) else "",
        base_url_setting="html_baseurl in conf.py",
        source_dir=folder,
        copied_from=tuple(folder / name for name in names if isinstance(name, str)),
        includes=(
            Syntax(find=includes.rst, suffixes=(".rst", ".txt"), root=folder),
            Syntax(
                find=includes.myst, suffixes=(".md", ".myst", ".ipynb"), root=folder
            ),
        ),
    )


def _vitepress(file: Path, project_dir: Path) -> Generator:
    """Return VitePress' settings: `srcDir` if it is a plain string, as JavaScript is never run."""
    found = _SRC_DIR.search(read_text(file))
    source_dir = file.parent.parent / (found[1] if found else "")
    syntax = Syntax(find=includes.vitepress, suffixes=MARKDOWN, root=source_dir)
    return Generator(source_dir=_if_below(source_dir, project_dir), includes=(syntax,))


def _if_below(folder: Path, project_dir: Path) -> Path | None:
    """Return a folder of sources; None for the whole project, which contains other texts too."""
    return None if folder.absolute() == project_dir.absolute() else folder


def _inherited(
    file: Path, environ: Mapping[str, str]
) -> Iterator[tuple[Path, dict[str, object]]]:
    """Yield each file with its own settings; an earlier file overrides the later ones."""
    from sitemap_plugins.folder.read_yaml import read_yaml  # noqa: PLC0415 slow to import

    top = file.parent
    for _ in range(_MAX_INHERITED):
        own = read_yaml(file, environ)
        yield file, own
        parent = own.get("INHERIT")
        if not isinstance(parent, str):
            break
        file = file.parent / parent
        if leads_out(file, top) or (isinstance(parent, Secret) and not is_file(file)):
            msg = f"INHERIT = {quoted(parent)} names no file of the project"
            raise OptionsError(msg, cure="correct it")


def is_pelican(project_dir: Path) -> bool:
    """Tell whether Pelican builds the site: its status and dates are not in front matter."""
    return (project_dir / _PELICAN).is_file()


def plugin_options(
    project_dir: Path, environ: Mapping[str, str], *, named: str = ""
) -> dict[str, object]:
    """Return the sitemap's `filename`, `exclude` and `urls` in the settings of a plugin of ours.

    They are in mkdocs.yml, pelicanconf.py or conf.py, or in the settings file that the
    user names. Invalid values are left out.
    """
    found: dict[str, object] = {}
    for name, value in _sitemap_options(project_dir, environ, named):
        if not value or name not in ("filename", "exclude", "urls"):
            continue
        with suppress(OptionsError):
            FolderOptions.parse({name: value}, where="")
            found.setdefault(name, value)
    return found


def _sitemap_options(
    project_dir: Path, environ: Mapping[str, str], named: str
) -> Iterator[tuple[str, object]]:
    usual = (*_MKDOCS_FILES, *(f"{folder}/conf.py" for folder in _WITH_CONF_PY))
    names = (named,) if named else tuple(name.removeprefix("/") for name in usual)
    for file in filter(is_file, (project_dir / name for name in names)):
        if file.suffix == ".py":
            yield "filename", assigned_value(file, "sitemap_filename")
            yield "urls", assigned_value(file, "sitemap_urls")
            wildcards = _strings(
                assigned_value(file, "sitemap_excludes")
            )  # sphinx-sitemap's.
            patterns = _strings(assigned_value(file, "sitemap_exclude"))
            yield (
                "exclude",
                [*patterns, *(f"re:^{fnmatch.translate(item)}" for item in wildcards)],
            )
        elif file.suffix in {".yml", ".yaml"}:
            with suppress(OptionsError):
                plugins = ChainMap(*(own for _, own in _inherited(file, environ))).get(
                    "plugins"
                )
                yield from (options_in_use(plugins, "sitemap") or {}).items()
    if is_pelican(project_dir) and not named:
        options = assigned_value(project_dir / _PELICAN, "SITEMAP")
        if isinstance(options, dict):
            patterns = [
                _as_in_a_folder(item) for item in _strings(options.get("exclude"))
            ]
            yield from {**options, "exclude": patterns}.items()


def _strings(value: object) -> list[str]:
    return (
        [item for item in value if isinstance(item, str)]
        if isinstance(value, list)
        else []
    )


def _as_in_a_folder(pattern: str) -> str:
    """Write a pattern of Pelican's plugins, a regular expression if nothing marks it, as ours."""
    glob = pattern.removeprefix("glob:")
    return glob if glob != pattern else f"re:{pattern.removeprefix('re:')}"
