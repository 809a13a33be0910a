"""Which files each page includes: those that extensions open while they process it.

An extension's own event or preprocessor runs as always, and the page includes what it opens; for
mkdocs-macros, jinja2's loader records the files. No syntax is parsed a second time. If an extension
cannot be watched, or adds text that comes from no file, the page's files are unknown.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.date_values import published_and_modified
from sitemap_plugins.core.notices import unknown_include
from sitemap_plugins.core.pages.front_matter import has_lastmod
from sitemap_plugins.mkdocs.modules import ModuleFiles, documented_modules
from sitemap_plugins.mkdocs.watching import Opened, RecordingLoader, observe, watch_preprocessors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from markdown.preprocessors import Preprocessor
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as HostPage

    from sitemap_plugins.core.notices import Notice
    from sitemap_plugins.core.values import Dependencies

__all__ = ["Included", "Includes"]

EXTENSION = "sitemap_plugins.mkdocs.watching"
"""Our own Markdown extension, which sees the preprocessors of the others."""

EXTENSIONS = {
    "pymdownx.snippets": "8<",
    "markdown_include": "{!",
    "mdx_include": "{!",
}
"""Markdown extensions that include files: the module, and a text that occurs in each include."""

PLUGINS = {"include-markdown": "{%", "macros": "{%"}
"""Plugins that include files: the name in mkdocs.yml, and a text that occurs in each include."""


@dataclass(slots=True)
class Included:
    """The files that one page is made of besides its own source."""

    files: dict[str, None] = field(default_factory=dict)
    """Absolute paths, in the order of their first use."""

    unknown: str = ""
    """Why some of them are unknown, for messages; empty if all are known."""


class Includes:
    """Watches what the pages of one build, and of the builds within it, include."""

    def __init__(self, dependencies: Dependencies) -> None:
        """Watch included files, documented modules too (`all`), or nothing (`none`)."""
        self._dependencies = dependencies
        self._by_page: dict[tuple[str, str], Included] = {}
        self._current = Included()
        self._syntaxes: dict[str, str] = {}
        self._watched: set[str] = set()
        self._auto_appended: tuple[str, ...] = ()
        self._cache_dir = ""
        self._modules = ModuleFiles()

    def watch(self, config: MkDocsConfig) -> None:
        """Begin to watch, once every plugin is configured; a build within a build begins again."""
        if self._dependencies == "none":
            return
        extensions = map(_extension, map(str, config.markdown_extensions))
        self._syntaxes = {name: EXTENSIONS[name] for name in extensions if name}
        self._syntaxes |= {n: syntax for n, syntax in PLUGINS.items() if n in config.plugins}
        # If something cannot be watched, `end` notices; no error here may break the build.
        with suppress(Exception):
            self._watch(config)

    def _watch(self, config: MkDocsConfig) -> None:
        options = config.mdx_configs.get("pymdownx.snippets") or {}
        self._auto_appended = tuple(options.get("auto_append") or ())
        if EXTENSION not in config.markdown_extensions:
            # By its name, as other plugins expect of every extension, and last, to see the others.
            config.markdown_extensions.append(EXTENSION)
        if (plugin := config.plugins.get("include-markdown")) is not None:
            events = config.plugins.events["page_markdown"]
            for i, method in enumerate(events):
                original = getattr(method, "__wrapped__", method)
                if getattr(original, "__self__", None) is plugin:
                    events[i] = self._observed(original, "include-markdown")
            if cache := getattr(plugin, "_cache", None):
                self._cache_dir = os.path.join(os.path.abspath(cache.cache_dir), "")
        environment = getattr(config.plugins.get("macros"), "env", None)
        if environment is not None:
            loader = environment.loader  # A build within a build may have the same one.
            loader = loader.loader if isinstance(loader, RecordingLoader) else loader
            environment.loader = RecordingLoader(loader, self._add)
            self._watched.add("macros")
        if self._dependencies == "all" and "mkdocstrings" in config.plugins:
            self._syntaxes["mkdocstrings"] = ":::"
            if self._modules.watch(config):
                self._watched.add("mkdocstrings")

    def begin(self) -> None:
        """Begin a page: files included from now on belong to it."""
        if self._dependencies != "none":
            watch_preprocessors(self._watch_preprocessor)
        self._current = Included()
        self._modules.begin()

    def end(self, page: HostPage) -> None:
        """End the page that was begun."""
        watch_preprocessors(None)
        self._by_page[_key(page.file)] = self._current
        if self._dependencies == "all":
            self._add_modules(page.markdown or "")
        self._current.unknown = self._current.unknown or self._about_unwatched(page)
        if has_lastmod(page.meta) or published_and_modified(page.meta.get("date"))[1]:
            self._current.unknown = ""
        self._current = Included()

    def of(self, page: HostPage) -> Included:
        """Return what a page includes; also of a page that `--dirty` did not read."""
        key = _key(page.file)
        if key not in self._by_page:
            unread = page.markdown is None and self._uses(page.file.content_string)
            unknown = "was not read in this `--dirty` build" if unread else ""
            self._by_page[key] = Included(unknown=unknown)
        return self._by_page[key]

    def notices(self) -> Iterator[Notice]:
        """Yield a notice for each page with unknown files."""
        for (name, _), included in self._by_page.items():
            if included.unknown:
                yield unknown_include(included.unknown, name)

    def _add(self, file: str) -> None:
        self._current.files[os.path.abspath(file)] = None

    def _add_modules(self, text: str) -> None:
        try:
            files = [*self._modules.files, *documented_modules(text)]
        except Exception as error:  # noqa: BLE001 inspecting a package can raise anything
            self._current.unknown = f"documents code that cannot be analyzed ({error!r})"
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
        # Plugins have replaced their syntax with the included text; the source still has it.
        with suppress(OSError, ValueError):
            used += self._uses(page.file.content_string)
        lost = [name for name in used if name not in self._watched]
        return f"may include unknown files with {lost[0]}" if lost else ""

    def _watch_preprocessor(self, preprocessor: Preprocessor) -> None:
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

    def _take(self, opened: Opened, name: str, *, grew: bool) -> None:
        files, urls = opened.files, opened.urls
        if name == "pymdownx.snippets":
            files = _before_appended(files, self._auto_appended)
            urls = [url for url in urls if url not in self._auto_appended]
        cache = self._cache_dir  # Where include-markdown keeps what it has downloaded.
        local = [file for file in files if not (cache and file.startswith(cache))]
        for file in local:
            self._add(file)
        if urls:
            self._current.unknown = f"includes {urls[0]!r}, whose date is unknown"
        elif len(local) < len(files):
            what = f"an address that {name} has cached"
            self._current.unknown = f"includes {what}, whose date is unknown"
        elif grew and not opened.files and not opened.urls:
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


def _length(text: str | list[str]) -> int:
    return len(text) if isinstance(text, str) else sum(len(line) + 1 for line in text)


def _before_appended(files: list[str], names: Iterable[str]) -> list[str]:
    """Return the files that were opened before those that are appended to every page."""
    for name in names:
        ending = os.sep + os.path.normpath(name)
        if places := [i for i, file in enumerate(files) if file.endswith(ending)]:
            return files[: places[-1]]
    return files
