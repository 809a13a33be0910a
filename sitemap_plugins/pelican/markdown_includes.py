"""Which files a Markdown page includes: by PyMdown's Snippets, or by Markdown-Include."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown.extensions import Extension

from sitemap_plugins.pelican.includes import replace_method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from markdown import Markdown
    from pelican.readers import MarkdownReader

__all__ = ["read"]


def read(
    read_page: Callable[..., Any],
    *args: Any,  # noqa: ANN401
    reader: MarkdownReader,
    files: set[str],
    **more: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Read a page with one extension more, which is in the settings only as long as that takes.

    Not in a copy of the settings: the page's tags and category would keep that.
    """
    extensions = reader.settings["MARKDOWN"]["extensions"]
    notes = _NoteIncludes(files)
    extensions.append(notes)
    try:
        return read_page(*args, **more)
    finally:
        extensions.remove(notes)


class _NoteIncludes(Extension):
    """Watches the preprocessors that include files: those of the extensions before this one."""

    def __init__(self, files: set[str]) -> None:
        super().__init__()
        self.files = files

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 Markdown's name
        for preprocessor in md.preprocessors:
            module = type(preprocessor).__module__
            if module == "pymdownx.snippets":
                replace_method(preprocessor, "get_snippet_path", self._find_snippet)
            elif module == "markdown_include.include":
                replace_method(preprocessor, "run", partial(self._run_include, preprocessor))

    def _find_snippet(self, find: Callable[..., Any], *args: Any, **more: Any) -> Any:  # noqa: ANN401
        file = find(*args, **more)
        if isinstance(file, str):
            self.files.add(file)
        return file

    def _run_include(self, preprocessor: Any, run: Callable[..., Any], lines: list[str]) -> Any:  # noqa: ANN401
        self.files.update(_markdown_includes(preprocessor, lines))
        return run(lines)  # Calls itself, and so this, for the lines of each included file.


def _markdown_includes(preprocessor: Any, lines: Iterable[str]) -> Iterator[str]:  # noqa: ANN401
    """Yield the files that Markdown-Include will read, by its own syntax and base path."""
    with suppress(AttributeError, RuntimeError):  # Another version of it; `~nobody/file`.
        syntax = sys.modules[type(preprocessor).__module__].INC_SYNTAX
        for line in lines:
            for found in syntax.finditer(line):
                yield str(Path(preprocessor.base_path, Path(found[1]).expanduser()))
