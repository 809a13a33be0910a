"""Which files a page includes, as its reader itself tells while it reads the page.

Pelican's readers have no hook for that, so methods are replaced on the objects of one run: those
that find a file to include. The answer goes into the page's metadata, which Pelican caches too.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from pelican.readers import MarkdownReader, RstReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["INCLUDED", "note_included_files", "replace_method"]

INCLUDED = "sitemap_plugins_included"
"""The metadata that holds the absolute names of the files that a page includes."""


def note_included_files(readers: Iterable[Any]) -> None:
    """Have a generator's readers, which live for one run, note the files that pages include."""
    for reader in readers:
        files: set[str] = set()
        if isinstance(reader, RstReader):
            replace_method(reader, "_get_publisher", partial(_publish, files=files))
        if isinstance(environment := getattr(reader, "env", None), Environment):
            # Of pelican-jinja2content; what a template includes or imports is got by these two.
            for name in ("get_template", "select_template"):
                replace_method(environment, name, partial(_load_template, files=files))
        if isinstance(reader, MarkdownReader):
            # Pelican can do without Markdown; where it has this reader, Markdown is installed.
            from sitemap_plugins.pelican import markdown_includes  # noqa: PLC0415

            read = partial(markdown_includes.read, reader=reader, files=files)
            replace_method(reader, "read", read)
        replace_method(reader, "read", partial(_read, files=files))


def replace_method(owner: Any, name: str, by: Callable[..., Any]) -> None:  # noqa: ANN401
    """Have a function called in place of an object's method, which it gets as first argument."""
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
