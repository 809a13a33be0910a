"""Which files a page includes, recorded while Pelican's own reader reads the page.

Pelican's readers have no hook for that, so the methods that find a file to include are
replaced, on the objects of one run. The files go into the page's metadata, which
Pelican caches too.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from pelican.readers import MarkdownReader, RstReader

from sitemap_plugins.core.untrusted_files import checksum

try:
    from markdown.extensions import Extension
except ImportError:  # Pelican can do without Markdown, and then has no reader for it.
    Extension = object  # type: ignore[assignment, misc]

from collections.abc import Callable, Iterable, Iterator

from markdown import Markdown

INCLUDED = "sitemap_plugins_includes"
"""The metadata that holds the files that a page includes: absolute name → `checksum`, by which the
page is known to show an older text, as Pelican's cache looks at the page's own file
only."""


def note_included_files(readers: Iterable[Any]) -> None:
    """Have a generator's readers, which live for one run, note the files that pages include."""
    for reader in readers:
        recorder = _Recorder()
        _replace_method(reader, "read", partial(recorder.read, reader))
        if isinstance(reader, RstReader):
            _replace_method(reader, "_get_publisher", recorder.publish)
        if isinstance(environment := getattr(reader, "env", None), Environment):
            # Of pelican-jinja2content: these two load every template that another one
            # includes or imports.
            for name in ("get_template", "select_template"):
                _replace_method(environment, name, recorder.load_template)


def _replace_method(owner: Any, name: str, by: Callable[..., Any]) -> None:  # noqa: ANN401
    """Replace an object's method with a function that gets the method before its arguments."""
    if method := getattr(owner, name, None):
        setattr(owner, name, partial(by, method))


class _Recorder(Extension):
    """Records the files that a reader's current page includes.

    In Markdown it is an extension that watches the preprocessors of the extensions
    before it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.files: set[str] = set()

    def read(
        self,
        reader: Any,  # noqa: ANN401
        read: Callable[..., Any],
        *args: Any,  # noqa: ANN401
        **more: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Read a page with one more extension, which is in the settings only for that time.

        A copy of the settings would not do: the page's tags and category would keep it.
        """
        self.files.clear()
        is_markdown = isinstance(reader, MarkdownReader)
        extensions = reader.settings["MARKDOWN"]["extensions"] if is_markdown else []
        extensions.append(self)
        try:
            content, metadata = read(*args, **more)
        finally:
            extensions.remove(self)
        if self.files:
            names = sorted(map(os.path.abspath, self.files))
            metadata[INCLUDED] = {name: checksum(Path(name)) for name in names}
        return content, metadata

    def publish(self, publish: Callable[..., Any], *args: Any, **more: Any) -> Any:  # noqa: ANN401
        """Run docutils, which records the files itself."""
        publisher = publish(*args, **more)
        with suppress(
            AttributeError, TypeError
        ):  # Another plugin's publisher need not.
            self.files.update(publisher.settings.record_dependencies.list)
        return publisher

    def load_template(self, load: Callable[..., Any], *args: Any, **more: Any) -> Any:  # noqa: ANN401
        """Load a template and record its file."""
        template = load(*args, **more)
        if file := getattr(template, "filename", None):
            self.files.add(file)
        return template

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 Markdown's name
        """Watch the preprocessors that include files."""
        for preprocessor in md.preprocessors:
            module = type(preprocessor).__module__
            if module == "pymdownx.snippets":
                _replace_method(preprocessor, "get_snippet_path", self._find_snippet)
            elif module == "markdown_include.include":
                find = partial(_markdown_includes, preprocessor)
                _replace_method(preprocessor, "run", partial(self._run, find))
            elif module.endswith("liquid_tags.mdx_liquid_tags"):  # Its package varies.
                find = partial(_liquid_tags, preprocessor)
                _replace_method(preprocessor, "run", partial(self._run, find))

    def _find_snippet(self, find: Callable[..., Any], *args: Any, **more: Any) -> Any:  # noqa: ANN401
        file = find(*args, **more)
        if isinstance(file, str):
            self.files.add(file)
        return file

    def _run(
        self, find: Callable[..., Any], run: Callable[..., Any], lines: list[str]
    ) -> Any:  # noqa: ANN401
        with suppress(
            AttributeError, RuntimeError
        ):  # Another version of it; `~nobody/file`.
            self.files.update(find(lines))
        # Markdown-Include calls itself, and so this, for the lines of each included
        # file.
        return run(lines)


def _markdown_includes(preprocessor: Any, lines: Iterable[str]) -> Iterator[str]:  # noqa: ANN401
    """Yield the files that Markdown-Include will read, by its own syntax and base path."""
    syntax = sys.modules[type(preprocessor).__module__].INC_SYNTAX
    for line in lines:
        for found in syntax.finditer(line):
            yield str(Path(preprocessor.base_path, Path(found[1]).expanduser()))


def _liquid_tags(preprocessor: Any, lines: Iterable[str]) -> Iterator[str]:  # noqa: ANN401
    """Yield the files whose text pelican-liquid-tags will show, from the folders it looks in."""
    folders = {"include_code": "CODE_DIR", "notebook": "NOTEBOOK_DIR"}
    for tag, name in re.findall(r"\{%\s*(\w+)\s+(\S+?)(?=\s|%\})", "\n".join(lines)):
        if tag in folders:
            file = Path("content", preprocessor.configs.getConfig(folders[tag]), name)
            if (
                file.is_file()
            ):  # The plugin fails if not, unless the tag is not enabled.
                yield str(file)
