"""Which files a page includes, recorded while Pelican's own reader reads the page.

Pelican's readers have no hook for that, so the methods that find a file to include are replaced, on
the objects of one run. The files go into the page's metadata, which Pelican caches too.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from pelican.readers import MarkdownReader, RstReader

try:
    from markdown.extensions import Extension
except ImportError:  # Pelican can do without Markdown, and then has no reader for it.
    Extension = object  # type: ignore[assignment, misc]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from markdown import Markdown

__all__ = ["INCLUDED", "note_included_files"]

INCLUDED = "sitemap_plugins_included"
"""The metadata that holds the absolute names of the files that a page includes."""


def note_included_files(readers: Iterable[Any]) -> None:
    """Have a generator's readers, which live for one run, note the files that pages include."""
    for reader in readers:
        files: set[str] = set()
        if isinstance(reader, RstReader):
            _replace_method(reader, "_get_publisher", partial(_publish, files=files))
        if isinstance(environment := getattr(reader, "env", None), Environment):
            # Of pelican-jinja2content: these two load every template that another one includes or
            # imports.
            for name in ("get_template", "select_template"):
                _replace_method(environment, name, partial(_load_template, files=files))
        if isinstance(reader, MarkdownReader):
            read = partial(_read_markdown, reader=reader, files=files)
            _replace_method(reader, "read", read)
        _replace_method(reader, "read", partial(_read, files=files))


def _replace_method(owner: Any, name: str, by: Callable[..., Any]) -> None:  # noqa: ANN401
    """Replace an object's method with a function that gets the method as its first argument."""
    if method := getattr(owner, name, None):
        setattr(owner, name, partial(by, method))


def _read(read: Callable[..., Any], *args: Any, files: set[str], **more: Any) -> tuple[Any, Any]:  # noqa: ANN401
    files.clear()
    content, metadata = read(*args, **more)
    if files:
        metadata[INCLUDED] = tuple(sorted(map(os.path.abspath, files)))
    return content, metadata


def _publish(publish: Callable[..., Any], *args: Any, files: set[str], **more: Any) -> Any:  # noqa: ANN401
    publisher = publish(*args, **more)
    with suppress(AttributeError, TypeError):  # Another plugin's publisher: the page comes first.
        files.update(publisher.settings.record_dependencies.list)
    return publisher


def _load_template(load: Callable[..., Any], *args: Any, files: set[str], **more: Any) -> Any:  # noqa: ANN401
    template = load(*args, **more)
    if file := getattr(template, "filename", None):
        files.add(file)
    return template


def _read_markdown(
    read_page: Callable[..., Any],
    *args: Any,  # noqa: ANN401
    reader: MarkdownReader,
    files: set[str],
    **more: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Read a page with one more extension, which is in the settings only for that time.

    A copy of the settings would not do: the page's tags and category would keep it.
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
                _replace_method(preprocessor, "get_snippet_path", self._find_snippet)
            elif module == "markdown_include.include":
                _replace_method(preprocessor, "run", partial(self._run_include, preprocessor))

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
