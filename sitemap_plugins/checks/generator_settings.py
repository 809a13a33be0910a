"""Pages that a site leaves out of its sitemap on purpose, as the generator's own settings say.

The settings are read as data: what a Python file computes is not known.
"""

from __future__ import annotations

import fnmatch
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.untrusted_files import read_beginning
from sitemap_plugins.folder.generator import MKDOCS_FILES, WITH_CONF_PY, read_mkdocs
from sitemap_plugins.folder.options import FolderOptions
from sitemap_plugins.folder.read_data import assigned_text, assigned_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.folder.project import Project

__all__ = ["plugin_options", "unlisted_files"]

_READ = ("exclude", "filename", "inspect_html", "static_html")
"""The options of the plugins that say which pages are listed, and where."""

_PELICAN = "pelicanconf.py"
_PELICAN_SOURCES = {".md", ".markdown", ".mkd", ".mdown", ".rst"}
# Markdown's `Status: hidden`, with or without `---` around it, and `:status: hidden` of docutils.
_PELICAN_FIELD = re.compile(
    r"^:?(status|slug|title)[ \t]*:[ \t]*(.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_HEAD_BYTES = 4_096
_MOST_SOURCES = 50_000


def plugin_options(project_dir: Path, environ: Mapping[str, str]) -> dict[str, object]:
    """Return the options of our plugin, or its peer, in mkdocs.yml, pelicanconf.py or conf.py.

    Only those that say which pages are listed; what is not valid is left out.
    """
    found: dict[str, object] = {}
    for name, value in _found(project_dir, environ):
        if name in _READ and name not in found:
            try:
                FolderOptions.parse({name: value}, where="")
            except OptionsError:
                continue
            found[name] = value
    return found


def unlisted_files(project: Project, files: Collection[str]) -> frozenset[str]:
    """Return the built files, by name, that the generator does not list on purpose.

    These are Pelican's drafts and hidden pages.
    """
    if not (project.project_dir / _PELICAN).is_file():
        return frozenset()
    hidden = _hidden_slugs(project.project_dir)
    return frozenset(n for n in files if n.startswith("drafts/") or _slug(n) in hidden)


def _found(project_dir: Path, environ: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for name in MKDOCS_FILES:
        if (file := project_dir / name).is_file():
            with suppress(OptionsError):
                yield from _of_mkdocs(read_mkdocs(file, environ).get("plugins"))
    if (file := project_dir / _PELICAN).is_file():
        yield from _of_pelican(assigned_value(file, "SITEMAP"))
    for folder in WITH_CONF_PY:
        if (file := project_dir / folder / "conf.py").is_file():
            yield from _of_sphinx(file)


def _of_mkdocs(plugins: object) -> Iterator[tuple[str, object]]:
    """`plugins` is a list of names and mappings, or one mapping."""
    for plugin in plugins if isinstance(plugins, list) else [plugins]:
        options = plugin.get("sitemap") if isinstance(plugin, dict) else None
        if isinstance(options, dict):
            yield from options.items()


def _of_pelican(options: object) -> Iterator[tuple[str, object]]:
    """`exclude` holds regular expressions, and patterns that are marked `glob:`."""
    if isinstance(options, dict):
        patterns = options.get("exclude")
        if isinstance(patterns, list) and all(isinstance(item, str) for item in patterns):
            yield "exclude", [_pelican_pattern(item) for item in patterns]
        yield from options.items()


def _pelican_pattern(item: str) -> str:
    if item.startswith(("glob:", "re:")):
        return item.removeprefix("glob:")
    # People write a slash first, and no path begins with one.
    return "re:" + re.sub(r"^(\^?)/", lambda found: found[1] or "(?:^|/)", item)


def _of_sphinx(file: Path) -> Iterator[tuple[str, object]]:
    """`sitemap_excludes` is sphinx-sitemap's list of wildcards."""
    for name in _READ:
        value = assigned_value(file, f"sitemap_{name}")
        wildcards = assigned_value(file, "sitemap_excludes") if name == "exclude" else None
        if isinstance(wildcards, list) and all(isinstance(item, str) for item in wildcards):
            own = value if isinstance(value, list) else []
            value = [*own, *(f"re:^{fnmatch.translate(item)}" for item in wildcards)]
        if value is not None:
            yield name, value


def _hidden_slugs(project_dir: Path) -> frozenset[str]:
    """Return what the files of Pelican's hidden articles and pages may be called."""
    content = project_dir / (assigned_text(project_dir / _PELICAN, "PATH") or "content")
    slugs = set()
    for number, file in enumerate(content.rglob("*")):
        if number >= _MOST_SOURCES:
            break
        if file.suffix.lower() in _PELICAN_SOURCES:
            fields = {name.lower(): value for name, value in _PELICAN_FIELD.findall(_head(file))}
            if fields.get("status", "").lower() == "hidden":
                slugs |= {fields.get("slug") or _slugified(fields.get("title", "")), file.stem}
    return frozenset(slugs)


def _head(file: Path) -> str:
    try:
        return read_beginning(file, max_bytes=_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _slugified(title: str) -> str:
    """As Pelican does by default (`SLUG_REGEX_SUBSTITUTIONS`)."""
    words = re.sub(r"[^\w\s-]", "", title).strip().lower()
    return re.sub(r"[-\s]+", "-", words)


def _slug(name: str) -> str:
    """Return the last name of a built file, without `.html` or `/index.html`."""
    return name.removesuffix("/index.html").removesuffix(".html").rpartition("/")[2]
