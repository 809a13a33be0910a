"""Further files that date a page: those that its front matter names, and those of the options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.untrusted_files import is_relative

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.records import CheckedPage

__all__ = ["add_sources"]


_MOST_RECURSIVE = 2
"""Wildcards `**` of a pattern; with each, `glob` walks through every folder again."""


def add_sources(
    pages: Iterable[CheckedPage], options: Options, project_dir: Path | None
) -> tuple[list[CheckedPage], tuple[Notice, ...]]:
    """Return the pages with all their sources, and a notice for each entry that names no file."""
    rules, notices, complete = [], [], []
    for patterns, globs in options.sources:
        files = []
        for glob in globs:
            found = _files(project_dir, glob) if project_dir else []
            files += found
            if not found:
                below = f" below {quoted(str(project_dir))}" if project_dir else ""
                notices.append(_missing(f"{quoted(glob)} matches no file{below}", "sources"))
        rules.append((patterns, files))
    for page in pages:
        more: list[Path] = []
        for patterns, files in rules:
            more += files if patterns.match(page.path, page.label) else []
        for name in page.named_sources:
            found = _files(page.sources[0].parent, name)
            more += found
            if not found:
                problem = f"sitemap.sources: {quoted(name)} matches no file"
                notices.append(_missing(problem, page.label))
        complete.append(page._replace(sources=(*page.sources, *more)) if more else page)
    return complete, tuple(notices)


def _missing(problem: str, place: str) -> Notice:
    return Notice("missing-source", problem, cure="correct it", place=place)


def _files(folder: Path, name: str) -> list[Path]:
    """Return the files that a relative name or glob pattern means, ascending."""
    if not is_relative(name) or name.count("**") > _MOST_RECURSIVE:
        return []
    try:
        if (folder / name).is_file():
            return [folder / name]
        return sorted(file for file in folder.glob(name) if file.is_file())
    except (OSError, ValueError):  # Too long, or empty.
        return []
