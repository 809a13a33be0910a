"""Which files each page includes: those that are opened while MkDocs reads and renders it.

Whatever plugin, macro, hook or extension opens them, no syntax is parsed a second time.
What nearly all pages open is part of none. Templates are read once for many pages, so
jinja2's loaders record them. If an extension for includes cannot be watched, or adds
text that comes from no file, the page's files are unknown.
"""

from __future__ import annotations

import mimetypes
import os
import posixpath
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from importlib.util import cache_from_source
from typing import Any
from urllib.parse import unquote

from jinja2 import Environment
from markdown.preprocessors import Preprocessor
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as HostPage

from sitemap_plugins.core.git.repository import root_above
from sitemap_plugins.core.values import Dependencies
from sitemap_plugins.mkdocs.modules import ModuleFiles, documented_modules
from sitemap_plugins.mkdocs.watching import Opened, RecordingLoader, observe, watch_page

EXTENSION = "sitemap_plugins.mkdocs.watching"
"""Our own Markdown extension, which sees the preprocessors of the others."""

EXTENSIONS = {
    "pymdownx.snippets": "8<",
    "markdown_include": "{!",
    "mdx_include": "{!",
}
"""Markdown extensions that include files: the module, and a text that occurs in each include."""

PLUGINS = {"macros": "{%"}
"""Plugins that keep the files that they include: the name in mkdocs.yml, and a text that occurs in
each include."""

MIN_PAGES = 10
"""Pages: of fewer, nine of ten do not show that a file is part of none."""

_ELEMENTS = re.compile(
    r"""<(?:img|[a-z]+-[\w-]+)\s(?:[^<>]*?\s)??src=["']?([^"'<>\s]+)"""
)
_TEMPLATES = (".jinja", ".jinja2", ".j2")
_OF_RENDERING = (*_TEMPLATES, ".py", ".html")
"""What plugins read to render a page: templates, and modules that they document. Besides, they read
the theme's files, such as icons."""


@dataclass(slots=True)
class PageFiles:
    """The files that one page is made of besides its own source."""

    files: dict[str, None] = field(default_factory=dict)
    """Absolute paths, in the order of their first use."""

    opened: dict[str, None] = field(default_factory=dict)
    """Absolute paths and URLs that were opened meanwhile, and are part of this page if not of
    nearly all, in that order."""

    unknown: str = ""
    """Why some of them are unknown, for messages; empty if all are known."""


class Includes:
    """Watches what the pages of one build, and of the builds within it, include."""

    def __init__(self, dependencies: Dependencies) -> None:
        """Watch included files, documented modules too (`all`), or nothing (`none`)."""
        self._dependencies = dependencies
        self._by_page: dict[tuple[str, str], PageFiles] = {}
        self._current = PageFiles()
        self._syntaxes: dict[str, str] = {}
        self._watched: set[str] = set()
        self._auto_appended: tuple[str, ...] = ()
        self._cache_dir = ""
        self._theme: tuple[str, ...] = ()
        self.edited: dict[str, str] = {}
        """By the `src_uri` of generated pages, the file that gen-files was given for each."""
        self._opened = Opened()
        self._rendered_from = 0
        self._project = ""
        self._roots: dict[str, str | None] = {}
        self._modules = ModuleFiles()
        self._before: set[int] = set()

    def watch(self, config: MkDocsConfig) -> None:
        """Begin to watch, once every plugin is configured; a build within a build begins again."""
        if self._dependencies == "none":
            return
        extensions = map(_extension, map(str, config.markdown_extensions))
        self._syntaxes = {name: EXTENSIONS[name] for name in extensions if name}
        self._syntaxes |= {
            n: syntax for n, syntax in PLUGINS.items() if n in config.plugins
        }
        project = os.path.dirname(os.path.realpath(config.config_file_path))
        self._project = os.path.join(root_above(project, self._roots) or project, "")
        self._theme = tuple(
            os.path.join(os.path.abspath(each), "") for each in config.theme.dirs
        )
        # If something cannot be watched, `end` notices; no error here may break the
        # build.
        with suppress(Exception):
            self._watch(config)

    def _watch(self, config: MkDocsConfig) -> None:
        options = config.mdx_configs.get("pymdownx.snippets") or {}
        self._auto_appended = tuple(options.get("auto_append") or ())
        if EXTENSION not in config.markdown_extensions:
            # By its name, as other plugins expect of every extension, and last, to see
            # the others.
            config.markdown_extensions.append(EXTENSION)
        if cache := getattr(config.plugins.get("include-markdown"), "_cache", None):
            self._cache_dir = os.path.join(os.path.abspath(cache.cache_dir), "")
        for name, plugin in config.plugins.items():
            environment = getattr(plugin, "env", None)
            if isinstance(environment, Environment):
                loader = (
                    environment.loader
                )  # A build within a build may have the same one.
                loader = (
                    loader.loader if isinstance(loader, RecordingLoader) else loader
                )
                environment.loader = (
                    RecordingLoader(loader, self._add) if loader else None
                )
                self._watched.add(name)
        if (
            "macros" in self._watched
            and config.plugins["macros"].config["include_yaml"]
        ):
            self._watched.remove(
                "macros"
            )  # It has read these files, and gives data to all pages.
            self._syntaxes["macros"] = "{{"
        if self._dependencies == "all" and "mkdocstrings" in config.plugins:
            self._syntaxes["mkdocstrings"] = ":::"
            if self._modules.watch(config):
                self._watched.add("mkdocstrings")

    def begin(
        self, page: HostPage, config: MkDocsConfig, files: Iterable[File]
    ) -> None:
        """Begin a page: files included from now on belong to it."""
        for (
            plugin
        ) in config.plugins.values():  # It forgets the page in its own on_page_content.
            if path := getattr(plugin, "_edit_paths", {}).get(page.file.src_uri):
                self.edited[page.file.src_uri] = str(path)
        if self._dependencies != "none":
            self._opened, self._rendered_from = Opened(), sys.maxsize
            watch_page(self._opened, self._watch_preprocessor)
            self._before = {*map(id, files)}
        self._current = PageFiles()
        self._modules.begin()

    def end(self, page: HostPage, html: str, files: Files) -> None:
        """End the page that was begun, as its Markdown was rendered."""
        watch_page(None)
        added = (file for file in files if id(file) not in self._before)
        shown = (
            (*added, *_shown(html, page.file, files))
            if self._dependencies != "none"
            else ()
        )
        texts = (file for file in shown if not _is_image(file.src_uri))
        self._take_opened(page, filter(None, (file.abs_src_path for file in texts)))
        self._by_page[_key(page.file)] = self._current
        if self._dependencies == "all":
            self._add_modules(page.markdown or "")
        self._current.unknown = self._current.unknown or self._about_unwatched(page)
        self._current = PageFiles()

    def of(self, page: HostPage) -> PageFiles:
        """Return what a page includes; also of a page that `--dirty` did not read."""
        key = _key(page.file)
        if key not in self._by_page:
            unread = page.markdown is None and self._uses(page.file.content_string)
            unknown = "was not read in this `--dirty` build" if unread else ""
            self._by_page[key] = PageFiles(unknown=unknown)
        return self._by_page[key]

    def settle(self) -> None:
        """Decide which of the files that were opened are parts of pages, once all are read."""
        counts = Counter(
            name for each in self._by_page.values() for name in each.opened
        )
        most = max(MIN_PAGES, len(self._by_page)) * 9 / 10
        for included in self._by_page.values():
            for name in (name for name in included.opened if counts[name] < most):
                if "://" in name:
                    included.unknown = f"includes {name!r}, whose date is unknown"
                else:
                    included.files[name] = None

    def _add(self, file: str) -> None:
        self._current.files[os.path.abspath(file)] = None

    def _take_opened(self, page: HostPage, shown: Iterable[str]) -> None:
        files, cache, start = self._opened.files, self._cache_dir, self._rendered_from
        read = (file for file in files[:start] if not file.endswith(_TEMPLATES))
        rendered = (
            file
            for file in files[start:]
            if not file.endswith(_OF_RENDERING) and not file.startswith(self._theme)
        )
        imported = _imported(files)
        content = (file for file in (*read, *rendered, *shown) if file not in imported)
        self._current.opened = dict.fromkeys(
            (*filter(self._is_content, content), *self._opened.urls)
        )
        self._current.opened.pop(page.file.abs_src_path or "", None)
        if cache and any(file.startswith(cache) for file in files):
            what = "an address that include-markdown has cached"
            self._current.unknown = f"includes {what}, whose date is unknown"

    def _add_modules(self, text: str) -> None:
        try:
            files = [*self._modules.files, *documented_modules(text)]
        except Exception as error:  # noqa: BLE001 inspecting a package can raise anything
            self._current.unknown = (
                f"documents code that cannot be analyzed ({error!r})"
            )
            return
        for file in files:
            self._add(file)
        self._current.unknown = self._current.unknown or self._modules.unknown

    def _uses(self, text: str) -> list[str]:
        """Return the extensions whose syntax occurs in a text."""
        return [name for name, syntax in self._syntaxes.items() if syntax in text]

    def _about_unwatched(self, page: HostPage) -> str:
        if not self._syntaxes.keys() - self._watched:
            return ""
        used = self._uses(page.markdown or "")
        # Plugins have replaced their syntax with the included text; the source still
        # has it.
        with suppress(OSError, ValueError):
            used += self._uses(page.file.content_string)
        lost = [name for name in used if name not in self._watched]
        return f"may include unknown files with {lost[0]}" if lost else ""

    def _watch_preprocessor(self, preprocessor: Preprocessor) -> None:
        # The page's Markdown is complete.
        self._rendered_from = min(self._rendered_from, len(self._opened.files))
        if name := _extension(type(preprocessor).__module__):
            with suppress(AttributeError):  # As in `watch`.
                preprocessor.run = self._observed(preprocessor.run, name)  # type: ignore[method-assign]

    def _observed(self, method: Callable[..., Any], name: str) -> Callable[..., Any]:
        """Wrap a method that takes a text or its lines: the page includes what it opens."""
        self._watched.add(name)

        @wraps(method)
        def run(text: Any, *arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401 as the host's
            before = _length(text)
            with observe() as opened:
                result = method(text, *arguments, **keywords)
            self._take(opened, name, grew=_length(result) > before)
            return result

        return run

    def _is_content(self, file: str) -> bool:
        """Tell whether an opened file can be a part of the page.

        Other files are configuration, or the code of a plugin, which Python opens for a
        warning.
        """
        real = os.path.realpath(file)
        if real.startswith(self._project):
            return True
        elsewhere = root_above(os.path.dirname(real), self._roots) is not None
        return elsewhere and not real.endswith(".py")

    def _take(self, opened: Opened, name: str, *, grew: bool) -> None:
        files, urls = opened.files, opened.urls
        if name == "pymdownx.snippets":
            files = _before_appended(files, self._auto_appended)
            urls = [url for url in urls if url not in self._auto_appended]
        for file in filter(self._is_content, files):
            self._add(file)
        if urls:
            self._current.unknown = f"includes {urls[0]!r}, whose date is unknown"
        elif grew and not opened.urls and not any(map(self._is_content, opened.files)):
            self._current.unknown = f"includes text from unknown files with {name}"


def _key(file: File) -> tuple[str, str]:
    return file.src_uri, file.dest_uri


def _extension(module: str) -> str:
    """Return which of `EXTENSIONS` a module belongs to; empty for none.

    >>> [_extension(name) for name in ("markdown_include.include", "markdown_include_more")]
    ['markdown_include', '']
    """
    parts = module.replace(":", ".").split(".")
    names = (".".join(parts[:count]) for count in (1, 2))
    return next((name for name in names if name in EXTENSIONS), "")


def _is_image(name: str) -> bool:
    return (mimetypes.guess_type(name)[0] or "").startswith("image/")


def _shown(html: str, page: File, files: Files) -> Iterator[File]:
    """Yield the site's files that browsers, or plugins later on, put into a page.

    They are named by elements that HTML does not know, and by images in no format of
    images.
    """
    for address in _ELEMENTS.findall(html):
        for beside in (
            page.url,
            page.src_uri,
        ):  # MkDocs changes links in Markdown, not in HTML.
            name = posixpath.join(posixpath.dirname(beside), unquote(address))
            if file := files.src_uris.get(posixpath.normpath(name)):
                yield file


def _length(text: str | list[str]) -> int:
    return len(text) if isinstance(text, str) else sum(len(line) + 1 for line in text)


def _imported(files: Iterable[str]) -> set[str]:
    """Return the files of imported modules: Python looks for compiled code, then for its source."""
    compiled = {file for file in files if file.endswith(".pyc")}
    sources = {file for file in files if file.endswith(".py")}
    return compiled | {file for file in sources if cache_from_source(file) in compiled}


def _before_appended(files: list[str], names: Iterable[str]) -> list[str]:
    """Return the files that were opened before those that are appended to every page."""
    for name in names:
        ending = os.sep + os.path.normpath(name)
        if places := [i for i, file in enumerate(files) if file.endswith(ending)]:
            return files[: places[-1]]
    return files
