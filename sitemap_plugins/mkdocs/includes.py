"""Which files each page includes: those opened while MkDocs reads and renders it.

Whatever plugin, macro, hook or extension opens them, no syntax is parsed a second time.
Templates are read once for many pages, so jinja2's loaders record them. If an extension
for includes cannot be watched, or adds text that comes from no file, the page's files
are unknown.
"""

from __future__ import annotations

import mimetypes
import os
import posixpath
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from jinja2 import Environment
from markdown.preprocessors import Preprocessor
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as HostPage

from sitemap_plugins.core.opened import (
    Opened,
    Project,
    about_url,
    is_url,
    observe,
    opened_by_nearly_all,
    record,
)
from sitemap_plugins.core.options import PluginOptions
from sitemap_plugins.core.records import Excerpt
from sitemap_plugins.mkdocs.watching import RecordingLoader, watch_preprocessors

if TYPE_CHECKING:  # It is slow to import.
    from sitemap_plugins.mkdocs.modules import Documented

EXTENSION = "sitemap_plugins.mkdocs.watching"
"""Our own Markdown extension, which sees the preprocessors of the others."""

EXTENSIONS = {
    "pymdownx.snippets": "8<",
    "markdown_include": "{!",
    "mdx_include": "{!",
}
"""Markdown extensions that include files: the module, and a text that occurs in each
include."""

DOCUMENTERS = {"mkdocstrings", "mkautodoc", "mkdocs-click", "mkdocs_click"}
"""Plugins and Markdown extensions that document code, by their names in mkdocs.yml."""

PLUGINS = {"macros": "{%"}
"""Plugins that keep the files that they include: the name in mkdocs.yml, and a text
that occurs in each include."""

_ELEMENTS = re.compile(
    r"""
    <(?: img | [a-z]+-[\w-]+ )            # An image, or an element unknown to HTML
    \s (?: [^<>]*? \s )?                  # with other attributes, or none, and
    src = ["']? ( [^"'<>\s]+ )            # the address of a file.
    """,
    re.VERBOSE,
)
_TEMPLATES = (".jinja", ".jinja2", ".j2")
_OF_RENDERING = (*_TEMPLATES, ".py", ".pyi", ".html")
"""What plugins read to render a page: templates, and modules that they document.
Besides, they read the theme's files, such as icons."""


@dataclass(slots=True)
class PageFiles:
    """The files that one page is made of besides its own source."""

    files: dict[str, None] = field(default_factory=dict)
    """Absolute paths, in the order of their first use."""

    opened: dict[str, None] = field(default_factory=dict)
    """Absolute paths and URLs that were opened meanwhile, and are part of this page if
    not of nearly all, in that order."""

    excerpts: tuple[Excerpt, ...] = ()
    """What the page shows of modules of Python."""

    unknown: str = ""
    """Why some of them are unknown, for messages; empty if all are known."""

    def add(self, file: str) -> None:
        """Add a file, by any path."""
        self.files[os.path.abspath(file)] = None


class Includes:
    """Watches what the pages of one build, and of the builds within it, include."""

    def __init__(self, options: PluginOptions) -> None:
        """Watch what the option `dependencies` says."""
        self.edited: dict[str, str] = {}
        """By the `src_uri` of generated pages, the file that gen-files was given."""

        self._options = options
        self._by_page: dict[tuple[str, str], PageFiles] = {}
        self._documented: Documented | None = None
        """None as long as nothing is used that documents code."""

        # What the settings say.
        self._project = Project(Path())
        self._syntaxes: dict[str, str] = {}
        self._watched: set[str] = set()
        self._auto_appended: tuple[str, ...] = ()
        self._cache_dir = ""
        self._settings: frozenset[str] = frozenset()
        self._theme: tuple[str, ...] = ()

        # Of the page that was begun last.
        self._current = PageFiles()
        self._opened = Opened()
        self._rendered_from = 0
        self._before: set[int] = set()

    def watch(self, config: MkDocsConfig) -> None:
        """Begin to watch, once every plugin is configured.

        A build within a build begins again.
        """
        if self._options.dependencies == "none":
            return
        self._syntaxes = _syntaxes(config)
        self._project = Project(Path(config.config_file_path).absolute().parent)
        self._theme = tuple(_as_prefix(each) for each in config.theme.dirs)
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
        cache = getattr(config.plugins.get("include-markdown"), "_cache", None)
        if cache:
            self._cache_dir = _as_prefix(cache.cache_dir)
        self._settings = _settings_of_parts(config)
        self._watch_templates(config)
        if "mkdocstrings" in config.plugins:
            self._syntaxes["mkdocstrings"] = ":::"
        used = (*config.plugins, *config.markdown_extensions)
        # An extension can be named with its class: `mkdocs_click:MKClickExtension`.
        if DOCUMENTERS.isdisjoint(str(name).partition(":")[0] for name in used):
            return
        from sitemap_plugins.mkdocs.modules import Documented  # noqa: PLC0415 as above

        self._documented = self._documented or Documented()
        if self._documented.watch(config):
            self._watched.add("mkdocstrings")

    def _watch_templates(self, config: MkDocsConfig) -> None:
        for name, plugin in config.plugins.items():
            environment = getattr(plugin, "env", None)
            if isinstance(environment, Environment):
                self._watch_environment(environment)
                self._watched.add(name)
        macros = config.plugins.get("macros")
        if "macros" in self._watched and macros and macros.config["include_yaml"]:
            # It has read these files, and gives data to all pages.
            self._watched.remove("macros")
            self._syntaxes["macros"] = "{{"

    def _watch_environment(self, environment: Environment) -> None:
        loader = environment.loader
        if isinstance(loader, RecordingLoader):
            # A build within a build may have the same environment.
            loader = loader.loader
        if loader is not None:
            environment.loader = RecordingLoader(loader, self._add)

    def _add(self, file: str) -> None:
        self._current.add(file)

    def begin(
        self, page: HostPage, config: MkDocsConfig, files: Iterable[File]
    ) -> None:
        """Begin a page: files included from now on belong to it."""
        source = page.file.src_uri
        for plugin in config.plugins.values():
            # gen-files forgets the page in its own on_page_content.
            path = getattr(plugin, "_edit_paths", {}).get(source)
            if path:
                self.edited[source] = str(path)
        if self._options.dependencies == "none":
            return
        self._current = PageFiles()
        self._opened = Opened()
        self._rendered_from = sys.maxsize
        self._before = {id(file) for file in files}
        if self._documented is not None:
            self._documented.begin()
        record(self._opened)
        watch_preprocessors(self._watch_preprocessor)

    def end(self, page: HostPage, html: str, files: Files) -> None:
        """End the page that was begun, as its Markdown was rendered."""
        if self._options.dependencies == "none":
            return
        record(None)
        watch_preprocessors(None)
        current = self._current
        current.opened = self._parts(page, html, files)
        cache = self._cache_dir
        if cache and any(file.startswith(cache) for file in self._opened.files):
            what = "an address that include-markdown has cached"
            current.unknown = f"includes {what}, whose date is unknown"
        if self._documented is not None:
            self._add_documented(self._documented, page.markdown or "")
        if not current.unknown:
            current.unknown = self._about_unwatched(page)
        self._by_page[_key(page.file)] = current
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
        """Decide which opened files are parts of pages, once all are read."""
        pages = self._by_page.values()
        common = opened_by_nearly_all([each.opened for each in pages])
        for page in pages:
            for name in page.opened:
                if name in common:
                    continue
                if is_url(name):
                    page.unknown = about_url(name)
                else:
                    page.files[name] = None

    def _parts(self, page: HostPage, html: str, files: Files) -> dict[str, None]:
        """Return the files and URLs that can be parts of the page, in order."""
        opened = self._opened.files
        names = []
        for number, name in enumerate(opened):
            is_rendering = number >= self._rendered_from
            if not self._is_for_rendering(name, is_rendering=is_rendering):
                names.append(name)
        names += self._shown(html, page.file, files)
        parts = self._project.parts_of(names, self._opened)
        for name in (*self._settings, page.file.abs_src_path or ""):
            parts.pop(name, None)
        return parts

    def _is_for_rendering(self, file: str, *, is_rendering: bool) -> bool:
        """Tell whether a file was opened to make HTML, not to be shown."""
        if not is_rendering:
            return file.endswith(_TEMPLATES)
        return file.endswith(_OF_RENDERING) or file.startswith(self._theme)

    def _shown(self, html: str, page: File, files: Files) -> Iterator[str]:
        """Yield the files that plugins added for the page, or that its HTML names."""
        added = [file for file in files if id(file) not in self._before]
        for file in (*added, *_named(html, page, files)):
            if file.abs_src_path and not _is_image(file.src_uri):
                yield file.abs_src_path

    def _add_documented(self, documented: Documented, text: str) -> None:
        """Add the objects of Python that the page shows."""
        current = self._current
        try:
            documented.take_imported(text)
        except Exception as error:  # noqa: BLE001 inspecting a package can raise anything
            current.unknown = f"documents code that cannot be analyzed ({error!r})"
            return
        current.excerpts = tuple(documented.excerpts(self._options.changes))
        if self._options.dependencies == "all":
            for excerpt in current.excerpts:
                current.add(str(excerpt.file))
        if not current.unknown:
            current.unknown = documented.unknown

    def _uses(self, text: str) -> list[str]:
        """Return the extensions whose syntax occurs in a text."""
        return [name for name, syntax in self._syntaxes.items() if syntax in text]

    def _about_unwatched(self, page: HostPage) -> str:
        if self._watched.issuperset(self._syntaxes):
            return ""
        used = self._uses(page.markdown or "")
        # Plugins have replaced their syntax with the included text; the source still
        # has it.
        with suppress(OSError, ValueError):
            used += self._uses(page.file.content_string)
        for name in used:
            if name not in self._watched:
                return f"may include unknown files with {name}"
        return ""

    def _watch_preprocessor(self, preprocessor: Preprocessor) -> None:
        # The page's Markdown is complete.
        self._rendered_from = min(self._rendered_from, len(self._opened.files))
        name = _extension(type(preprocessor).__module__)
        if name:
            with suppress(AttributeError):  # As in `watch`.
                run = self._observed(preprocessor.run, name)
                preprocessor.run = run  # type: ignore[method-assign]

    def _observed(self, method: Callable[..., Any], name: str) -> Callable[..., Any]:
        """Wrap a method that takes a text or its lines.

        The page includes what it opens.
        """
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
        has_content = self._project.has_content
        files = opened.files
        urls = opened.urls
        if name == "pymdownx.snippets":
            files = _before_appended(files, self._auto_appended)
            urls = [url for url in urls if url not in self._auto_appended]
        for file in filter(has_content, files):
            self._current.add(file)
        if urls:
            self._current.unknown = about_url(urls[0])
        elif grew and not opened.urls and not any(map(has_content, opened.files)):
            self._current.unknown = f"includes text from unknown files with {name}"


def _syntaxes(config: MkDocsConfig) -> dict[str, str]:
    """Return a text of each include, by the extensions and plugins that are used."""
    found = {}
    for module in config.markdown_extensions:
        name = _extension(str(module))
        if name:
            found[name] = EXTENSIONS[name]
    used = PLUGINS.keys() & config.plugins.keys()
    return found | {name: PLUGINS[name] for name in used}


def _settings_of_parts(config: MkDocsConfig) -> frozenset[str]:
    """Return the settings of a monorepo's parts, absolute.

    The plugin monorepo opens them for each page, to find its edit link.
    """
    aliases = getattr(config.plugins.get("monorepo"), "aliases", {})
    names = [part["yaml_file"] for part in aliases.values()]
    return frozenset(map(os.path.abspath, names))


def _as_prefix(folder: str) -> str:
    """Return the beginning of the absolute paths below a folder."""
    return os.path.join(os.path.abspath(folder), "")


def _key(file: File) -> tuple[str, str]:
    return file.src_uri, file.dest_uri


def _extension(module: str) -> str:
    """Return which of `EXTENSIONS` a module belongs to; empty for none.

    >>> _extension("markdown_include.include")
    'markdown_include'
    >>> _extension("markdown_include_more")
    ''
    """
    parts = module.replace(":", ".").split(".")
    for count in (1, 2):
        name = ".".join(parts[:count])
        if name in EXTENSIONS:
            return name
    return ""


def _is_image(name: str) -> bool:
    kind, _ = mimetypes.guess_type(name)
    return kind is not None and kind.startswith("image/")


def _named(html: str, page: File, files: Files) -> Iterator[File]:
    """Yield the site's files that browsers, or plugins later on, put into a page.

    They are named by elements that HTML does not know, and by images.
    """
    # MkDocs changes links in Markdown, not in HTML.
    folders = [posixpath.dirname(page.url), posixpath.dirname(page.src_uri)]
    for address in _ELEMENTS.findall(html):
        for folder in folders:
            name = posixpath.normpath(posixpath.join(folder, unquote(address)))
            file = files.src_uris.get(name)
            if file:
                yield file


def _length(text: str | list[str]) -> int:
    """Return how many characters of a text, or of its lines, are not white space.

    Snippets adds empty lines to each page if `auto_append` names a file that is not
    there.
    """
    if isinstance(text, str):
        text = [text]
    return sum(len("".join(line.split())) for line in text)


def _before_appended(files: list[str], names: Iterable[str]) -> list[str]:
    """Return the files opened before those that are appended to every page."""
    for name in names:
        ending = os.sep + os.path.normpath(name)
        places = [i for i, file in enumerate(files) if file.endswith(ending)]
        if places:
            return files[: places[-1]]
    return files
