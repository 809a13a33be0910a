"""How MkDocs' and Zensical's extensions and plugins include files, as their settings say."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from sitemap_plugins.folder import include_syntax
from sitemap_plugins.folder.includes import Syntax

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["MARKDOWN", "options_in_use", "syntaxes_in_use"]

MARKDOWN = (".md", ".markdown")
"""Suffixes of Markdown files."""


def syntaxes_in_use(
    settings: Mapping[str, Any], docs_dir: Path, file: Path, project_dir: Path
) -> Iterator[Syntax]:
    """Yield how the Markdown extensions and the plugins that are in use include files.

    `file` holds the settings.
    """
    syntax = partial(Syntax, suffixes=MARKDOWN, root=docs_dir)
    extensions, plugins = settings.get("markdown_extensions"), settings.get("plugins")
    variables = {"$docs_dir": docs_dir, "$config_dir": file.parent}

    def bases(value: object) -> tuple[Path, ...]:
        names = [str(name) for name in (value if isinstance(value, list) else [value]) if name]
        firsts = [name.partition("/") for name in names]
        return tuple(
            # Extensions take relative names from where the generator runs.
            variables[first] / rest if first in variables else project_dir / name
            for name, (first, _, rest) in zip(names, firsts, strict=True)
        )

    tags = options_in_use(plugins, "include-markdown")
    snippets = options_in_use(extensions, "pymdownx.snippets")
    if snippets is not None or tags is not None:
        # Zensical turns the plugin's tags into snippets, which then have other defaults.
        options, is_plugins = snippets or {}, tags is not None
        base_path = options.get("base_path", "$docs_dir" if is_plugins else ".")
        found = bases(base_path)
        # If the generator ran elsewhere, a base was another folder. None: the page's own.
        is_certain = file.parent == project_dir and all(map(os.path.exists, found))
        is_certain &= None not in (base_path if isinstance(base_path, list) else [base_path])
        yield syntax(
            find=include_syntax.snippets,
            bases=found,
            is_restricted=options.get("restrict_base_path", not is_plugins) is not False,
            downloads=options.get("url_download", is_plugins) is True,
            skips_missing=is_certain and options.get("check_paths", is_plugins) is False,
        )
    for name, find in (
        ("markdown_include.include", include_syntax.markdown_include),
        ("mdx_include", include_syntax.mdx_include),
        ("markdown_include_variants", include_syntax.include_variants),
    ):
        if (extension := options_in_use(extensions, name)) is not None:
            yield syntax(find=find, bases=bases(extension.get("base_path", ".")))
    if tags is not None:
        yield syntax(find=include_syntax.include_markdown, downloads=True)
    elif (macros := options_in_use(plugins, "macros")) is not None:
        found = bases(macros.get("include_dir") or "$docs_dir")
        yield syntax(find=include_syntax.jinja, bases=found)


def options_in_use(items: object, name: str) -> Mapping[str, Any] | None:
    """Return the options of an extension or a plugin; None if it is not in use.

    `items` is a list of names and mappings, or one mapping, in which TOML splits a name at dots.
    """
    for item in items if isinstance(items, list) else [items]:
        if item == name:
            return {}
        if not isinstance(item, dict):
            continue
        first, _, second = name.partition(".")
        nested = item.get(first)
        for mapping, key in ((item, name), (nested, second)):
            if isinstance(mapping, dict) and key in mapping:
                options = mapping[key]
                return options if isinstance(options, dict) else {}
    return None
