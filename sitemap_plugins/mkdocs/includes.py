"""Which files each page includes: those opened while MkDocs reads and renders it.

Whatever plugin, macro, hook or extension opens the files, no syntax is parsed a second
time. jinja2 keeps no templates for the next page, so that each page opens its own. A
page that has the syntax of an include, and opened no file, has unknown files.
"""

from __future__ import annotations

import mimetypes
import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as HostPage

from sitemap_plugins.core.opened import (
    Opened,
    Project,
    about_url,
    is_url,
    opened_by_nearly_all,
    record,
)
from sitemap_plugins.core.options import PluginOptions
from sitemap_plugins.core.records import Excerpt

if TYPE_CHECKING:  # It is slow to import.
    from sitemap_plugins.mkdocs.modules import Documented

_BRACES = re.compile(r"(?<!\\)\{!")
_SYNTAXES = {
    "pymdownx.snippets": re.compile("(?<![;-])-+8<"),
    "markdown_include": _BRACES,
    "mdx_include": _BRACES,
}
"""Markdown extensions that include files: the package or module, and how an include
begins that is not escaped."""

_PLUGINS = {
    "macros": re.compile("{%"),
    "markdown-exec": re.compile(r"""\bexec=["']?(?:1|on|true|yes)\b"""),
    "mkdocstrings": re.compile(":::"),
}
"""Plugins whose files are seen only if their versions are known: the name in mkdocs.yml,
and how each use begins."""

_DOCUMENTERS = {"mkdocstrings", "mkautodoc", "mkdocs-click", "mkdocs_click"}
"""Plugins and Markdown extensions that document code, by their names in mkdocs.yml."""

_OF_DOCUMENTERS = (".jinja", ".jinja2", ".j2", ".py", ".pyi", ".html")
"""What documenters read: templates, and the modules that they document."""

_ELEMENTS = re.compile(
    r"""
    <(?: img | [a-z]+-[\w-]+ )            # An image, or an element unknown to HTML
    \s (?: [^<>]*? \s )?                  # with other attributes, or none, and
    src = ["']? ( [^"'<>\s]+ )            # the address of a file.
    """,
    re.VERBOSE,
)


@dataclass(slots=True)
class PageFiles:
    """The files that one page is made of besides its own source."""

    files: dict[str, None] = field(default_factory=dict)
    """Absolute paths, in the order of their first use; URLs too until `settle`."""

    excerpts: tuple[Excerpt, ...] = ()
    """What the page shows of modules of Python."""

    unknown: str = ""
    """Why some of them are unknown, for messages; empty if all are known."""


class Includes:
    """Watches what the pages of one build, and of the builds within it, include."""

    def __init__(self, options: PluginOptions) -> None:
        """Watch nothing yet."""
        self.edited: dict[str, str] = {}
        """By the `src_uri` of generated pages, the file that gen-files was given."""

        self._options = options
        self._by_page: dict[tuple[str, str], PageFiles] = {}
        self._documented: Documented | None = None
        """The objects of Python that pages show; None as long as nothing is used that
        documents code."""

        # What the settings say.
        self._project = Project(Path())
        self._syntaxes: dict[str, re.Pattern[str]] = {}
        self._auto_appended: tuple[str, ...] = ()
        self._appended: dict[str, re.Pattern[str]] = {}
        """How a text includes what is appended, by how that file's path ends."""
        # How the paths of what include-markdown has cached begin; empty for none.
        self._cache_dir = ""
        self._settings: frozenset[str] = frozenset()
        # How the paths of the theme's files begin.
        self._theme: tuple[str, ...] = ()

        # Of the page that was begun last; the `id` of each file that was there before.
        self._opened = Opened()
        self._before: set[int] = set()

    def watch(self, config: MkDocsConfig) -> None:
        """Begin to watch, once every plugin is configured.

        A build within a build begins again.
        """
        self._syntaxes = _syntaxes(config)
        self._project = Project(Path(config.config_file_path).absolute().parent)
        self._theme = tuple(_as_prefix(each) for each in config.theme.dirs)
        # A page of which nothing can be seen is undated; no error here may break the
        # build.
        with suppress(Exception):
            self._watch(config)

    def _watch(self, config: MkDocsConfig) -> None:
        options = config.mdx_configs.get("pymdownx.snippets") or {}
        self._auto_appended = tuple(options.get("auto_append") or ())
        # A name is in quotes, or on a line of a block.
        self._appended = {
            os.sep + os.path.normpath(name): re.compile(rf"""["'\s]{re.escape(name)}""")
            for name in self._auto_appended
        }
        cache = getattr(config.plugins.get("include-markdown"), "_cache", None)
        if cache:
            self._cache_dir = _as_prefix(cache.cache_dir)
        self._settings = _settings_of_parts(config)
        for name, plugin in config.plugins.items():
            environment = getattr(plugin, "env", None)
            # Each page opens its own templates without a cache, so all are seen.
            if isinstance(environment, Environment):
                environment.cache = None
                self._syntaxes.pop(name, None)
        macros = config.plugins.get("macros")
        if macros and macros.config["include_yaml"]:
            # The plugin has read these files already; any use can show their data.
            self._syntaxes["macros"] = re.compile("{{")
        used = (*config.plugins, *config.markdown_extensions)
        # An extension can be named with its class: `mkdocs_click:MKClickExtension`.
        if _DOCUMENTERS.isdisjoint(str(name).partition(":")[0] for name in used):
            return
        from sitemap_plugins.mkdocs.modules import Documented  # noqa: PLC0415 as above

        self._documented = self._documented or Documented()
        if self._documented.watch(config):
            self._syntaxes.pop("mkdocstrings", None)

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
        self._opened = Opened()
        self._before = {id(file) for file in files}
        if self._documented is not None:
            self._documented.begin()
        record(self._opened)

    def end(self, page: HostPage, html: str, files: Files) -> None:
        """End the page that was begun, as its Markdown was rendered."""
        record(None)
        # Plugins have replaced their syntax with the included text; the source still
        # has it.
        text = page.markdown or ""
        with suppress(OSError, ValueError):
            text += page.file.content_string
        opened = self._opened_for(text, page.file.abs_src_path or "")
        current = PageFiles(opened, unknown=self._about_unseen(text, opened))
        shown = self._shown(html, page.file, files)
        current.files |= self._project.parts_of(shown, Opened())
        current.files.pop(page.file.abs_src_path or "", None)
        if self._documented is not None and not current.unknown:
            self._add_documented(self._documented, page.markdown or "", current)
        self._by_page[_key(page.file)] = current

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
        common = opened_by_nearly_all([each.files for each in pages])
        for page in pages:
            for name in common.intersection(page.files):
                del page.files[name]
            for url in filter(is_url, [*page.files]):
                page.unknown = about_url(url)
                del page.files[url]

    def _opened_for(self, text: str, source: str) -> dict[str, None]:
        """Return the files and URLs that were opened for a text to show, in order.

        The text's own `source` is not among them.
        """
        shown = [name for name in self._opened.files if self._is_shown(name, text)]
        opened = self._project.parts_of(shown, self._opened)
        # What every page opens is not a part of this one.
        for name in (source, *self._settings, *self._auto_appended):
            opened.pop(name, None)
        return opened

    def _is_shown(self, file: str, text: str) -> bool:
        """Tell whether a file was opened for a text to show, not only to make HTML.

        Some files count only if the text names them: themes' files, such as icons;
        those of documenters; and those that are appended to every text, also to each
        docstring.
        """
        for end, included in self._appended.items():
            if file.endswith(end):
                return included.search(text) is not None
        is_documenters = self._documented is not None and file.endswith(_OF_DOCUMENTERS)
        if is_documenters or file.startswith(self._theme):
            return os.path.basename(file) in text
        return True

    def _shown(self, html: str, page: File, files: Files) -> Iterator[str]:
        """Yield the files that plugins added for the page, or that its HTML names."""
        added = [file for file in files if id(file) not in self._before]
        for file in (*added, *_named(html, page, files)):
            if file.abs_src_path and not _is_image(file.src_uri):
                yield file.abs_src_path

    def _add_documented(
        self, documented: Documented, text: str, current: PageFiles
    ) -> None:
        """Add the objects of Python that the page shows."""
        try:
            documented.take_imported(text)
        except Exception as error:  # noqa: BLE001 inspecting a package can raise anything
            current.unknown = f"documents code that cannot be analyzed ({error!r})"
            return
        current.excerpts = tuple(documented.excerpts(self._options.changes))
        current.unknown = documented.unknown

    def _uses(self, text: str) -> list[str]:
        """Return the extensions and plugins whose syntax occurs in a text."""
        return [name for name, start in self._syntaxes.items() if start.search(text)]

    def _about_unseen(self, text: str, opened: dict[str, None]) -> str:
        """Return why the files of a page are unknown; empty if all were opened."""
        cache = self._cache_dir
        if cache and any(file.startswith(cache) for file in self._opened.files):
            what = "an address that include-markdown has cached"
            return f"includes {what}, whose date is unknown"
        # An extension's include is seen if a file was opened; a plugin's is not.
        for name in self._uses(text):
            if name in _PLUGINS or not opened:
                return f"may include unknown files with {name}"
        return ""


def _syntaxes(config: MkDocsConfig) -> dict[str, re.Pattern[str]]:
    """Return how uses begin, by the extensions and plugins that the site has."""
    used = _PLUGINS.keys() & config.plugins.keys()
    found = {name: _PLUGINS[name] for name in used}
    for module in config.markdown_extensions:
        name = _extension(str(module))
        if name:
            found[name] = _SYNTAXES[name]
    return found


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
    """Return which of `_SYNTAXES` a module belongs to; empty for none.

    >>> _extension("markdown_include.include")
    'markdown_include'
    >>> _extension("markdown_include_more")
    ''
    """
    parts = module.replace(":", ".").split(".")
    for count in (1, 2):
        name = ".".join(parts[:count])
        if name in _SYNTAXES:
            return name
    return ""


def _is_image(name: str) -> bool:
    kind, _ = mimetypes.guess_type(name)
    return kind is not None and kind.startswith("image/")


def _named(html: str, page: File, files: Files) -> Iterator[File]:
    """Yield the site's files that browsers, or plugins later on, put into a page.

    Elements that HTML does not know, and images, name such files.
    """
    # MkDocs changes links in Markdown, not in HTML: there, an address can be relative
    # to the page, or to its source for a plugin that changes it later.
    folders = [posixpath.dirname(page.url), posixpath.dirname(page.src_uri)]
    for address in _ELEMENTS.findall(html):
        for folder in folders:
            name = posixpath.normpath(posixpath.join(folder, unquote(address)))
            file = files.src_uris.get(name)
            if file:
                yield file
