"""Which include syntaxes a project uses, by the settings of its generator.

Some need no settings: AsciiDoc with Antora's ids, and MDX.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sitemap_plugins.folder import include_syntax
from sitemap_plugins.folder.antora import read_components
from sitemap_plugins.folder.include_syntax import ASCIIDOC_SUFFIXES
from sitemap_plugins.folder.includes import Syntax
from sitemap_plugins.folder.project_files import ProjectFiles

MARKDOWN = (".md", ".markdown")
"""Suffixes of Markdown files."""


def of_any_generator(project: ProjectFiles) -> Iterator[Syntax]:
    """Yield the syntaxes that no setting changes.

    These syntaxes are AsciiDoc, with Antora's ids, and MDX. If there are settings of
    mdBook or Quarto, their includes are recognized, but not followed.
    """
    yield Syntax(
        find=include_syntax.asciidoc,
        suffixes=ASCIIDOC_SUFFIXES,
        root=project.root,
        components=read_components(project) or None,
    )
    yield _mdx(project)
    if not {"book.toml", "_quarto.yml"}.isdisjoint(project.by_last_name):
        yield Syntax(
            find=include_syntax.unfollowed,
            suffixes=(*MARKDOWN, ".qmd", ".ipynb"),
            root=project.root,
            is_followed=False,
        )


def _mdx(project: ProjectFiles) -> Syntax:
    settings: list[str] = []
    for last_name, names in project.by_last_name.items():
        if last_name.startswith("docusaurus.config."):
            settings += names
    # Docusaurus reads Markdown as MDX.
    suffixes = (".mdx", *MARKDOWN) if settings else (".mdx",)
    folder = project.root
    # `@site` means the folder of the settings; with several sites, it is unknown which.
    if len(settings) == 1:
        folder = (project.root / settings[0]).parent
    return Syntax(find=include_syntax.mdx, suffixes=suffixes, root=folder)


def of_sphinx(folder: Path) -> tuple[Syntax, ...]:
    """Return the syntaxes of Sphinx, by the folder of its settings.

    Nikola's settings have the same file name. Nikola gives Docutils texts without their
    places, so names are relative to the folder in which Nikola runs.
    """
    rst = Syntax(
        find=include_syntax.rst,
        suffixes=(".rst", ".txt"),
        root=folder,
        is_run_in_root=True,
    )
    suffixes = (".md", ".myst", ".ipynb")
    return (rst, Syntax(find=include_syntax.myst, suffixes=suffixes, root=folder))


def of_mystmd(folder: Path) -> Syntax:
    """Return the syntax of mystmd, by the folder of its settings."""
    suffixes = (*MARKDOWN, ".myst", ".ipynb")
    return Syntax(find=include_syntax.myst, suffixes=suffixes, root=folder)


def of_vitepress(source_dir: Path) -> Syntax:
    """Return the syntax of VitePress."""
    return Syntax(find=include_syntax.vitepress, suffixes=MARKDOWN, root=source_dir)


def of_mkdocs(
    settings: Mapping[str, Any], docs_dir: Path, file: Path, project_dir: Path
) -> Iterator[Syntax]:
    """Yield how the Markdown extensions and the plugins that are in use include files.

    `file` holds the settings, which are those of MkDocs or Zensical.
    """
    extensions = settings.get("markdown_extensions")
    plugins = settings.get("plugins")
    folders = _Folders(docs_dir, file.parent, project_dir)
    syntax = partial(Syntax, suffixes=MARKDOWN, root=docs_dir)
    tags = options_in_use(plugins, "include-markdown")
    snippets = options_in_use(extensions, "pymdownx.snippets")
    if tags is not None:
        # Zensical turns the plugin's tags into snippets, which then have other
        # defaults.
        yield folders.snippets({**_DEFAULTS_OF_TAGS, **(snippets or {})})
    elif snippets is not None:
        yield folders.snippets(snippets)
    for name, find in _EXTENSIONS.items():
        options = options_in_use(extensions, name)
        if options is not None:
            bases = folders.named(options.get("base_path", "."))
            yield syntax(find=find, bases=bases)
    if options_in_use(plugins, "mkdocstrings") is not None:
        # Only mkdocstrings knows what a page shows of an object: no file dates it.
        yield syntax(find=include_syntax.objects, is_followed=False)
    if tags is not None:
        yield syntax(find=include_syntax.include_markdown, downloads=True)
    # Both plugins use `{% include … %}`, so without include-markdown it is a macro's.
    elif options_in_use(plugins, "macros") is not None:
        yield syntax(find=include_syntax.unfollowed, is_followed=False)


_EXTENSIONS = {
    "markdown_include.include": include_syntax.markdown_include,
    "markdown_include_variants": include_syntax.markdown_include_variants,
    "mdx_include": include_syntax.mdx_include,
}
"""What finds the files that these extensions include."""

_DEFAULTS_OF_TAGS = {
    "base_path": "$docs_dir",
    "restrict_base_path": False,
    "url_download": True,
    "check_paths": True,
}


@dataclass(frozen=True, slots=True)
class _Folders:
    """What names in the settings of MkDocs are relative to."""

    docs_dir: Path
    config_dir: Path
    project_dir: Path

    def named(self, value: object) -> tuple[Path, ...]:
        """Return the folders that a name, or each of a list, means."""
        found = []
        variables = {"$docs_dir": self.docs_dir, "$config_dir": self.config_dir}
        if not isinstance(value, list):
            value = [value]
        for name in value:
            first, _, rest = str(name).partition("/")
            if not name:
                continue
            if first in variables:
                found.append(variables[first] / rest)
            else:
                # Extensions take relative names from where the generator runs.
                found.append(self.project_dir / str(name))
        return tuple(found)

    def snippets(self, options: Mapping[str, Any]) -> Syntax:
        """Return the syntax of PyMdown's Snippets with some options."""
        base_path = options.get("base_path", ".")
        bases = self.named(base_path)
        # Only if all bases are certain is a file surely missing: if the generator ran
        # elsewhere, a base was another folder, and a base of None is the page's own.
        is_certain = self.config_dir == self.project_dir
        is_certain &= all(map(os.path.exists, bases))
        is_certain &= base_path is not None
        is_certain &= not isinstance(base_path, list) or None not in base_path
        return Syntax(
            find=include_syntax.snippets,
            suffixes=MARKDOWN,
            root=self.docs_dir,
            bases=bases,
            is_restricted=options.get("restrict_base_path") is not False,
            downloads=options.get("url_download") is True,
            skips_missing=is_certain and not options.get("check_paths"),
        )


def options_in_use(items: object, name: str) -> Mapping[str, Any] | None:
    """Return the options of an extension or a plugin; None if it is not in use.

    `items` is a list of names and mappings, or one mapping, in which TOML splits a name
    at dots.
    """
    first, _, second = name.partition(".")
    if not isinstance(items, list):
        items = [items]
    for item in items:
        if item == name:
            return {}
        if not isinstance(item, dict):
            continue
        nested = item.get(first)
        for mapping, key in ((item, name), (nested, second)):
            if isinstance(mapping, dict) and key in mapping:
                options = mapping[key]
                return options if isinstance(options, dict) else {}
    return None
