"""The Python files behind the pages of API documentation: mkdocstrings and mkautodoc.

mkdocstrings renders objects of Griffe, which know their files. mkautodoc imports what
it documents.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

_COMMANDS = re.compile(
    r"""
    ^ ::: [ \t]* mkdocs-click \s* \n     # The beginning of a block,
    (?: \s+ : .* \n )*?                  # other options, and
    \s+ :module: \s* ( [\w.]+ )         # the module of the command.
    """,
    re.MULTILINE | re.VERBOSE,
)
_IDENTIFIER = re.compile(r"^:::[ \t]*([A-Za-z_][\w.]*)", re.MULTILINE)


class ModuleFiles:
    """The files of the objects that mkdocstrings renders, page by page."""

    def __init__(self) -> None:
        """Start without a page."""
        self.begin()

    def begin(self) -> None:
        """Begin a page: forget the previous one."""
        self.files: list[str] = []
        self._requests = 0

    @property
    def unknown(self) -> str:
        """Why files of the page are unknown, for messages; empty if all are known."""
        if self._requests and not self.files:
            return "documents code with mkdocstrings in unknown files"
        return ""

    def watch(self, config: MkDocsConfig) -> bool:
        """Begin to watch what mkdocstrings renders; return whether that is possible.

        A build within a build may call this again.
        """
        handlers: Any = getattr(config.plugins["mkdocstrings"], "handlers", None)
        get_handler = getattr(handlers, "get_handler", None)
        if get_handler is None:
            return False
        if hasattr(get_handler, "__wrapped__"):
            return True

        @wraps(get_handler)
        def watched(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401 as mkdocstrings'
            self._requests += 1
            return self._watch_handler(get_handler(*arguments, **keywords))

        handlers.get_handler = watched
        return True

    def _watch_handler(self, handler: Any) -> Any:  # noqa: ANN401 mkdocstrings may be absent
        if hasattr(handler.render, "__wrapped__"):
            return handler
        render = handler.render

        @wraps(render)
        def watched(data: Any, *arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
            # Handlers of other languages have data of other types.
            with suppress(Exception):
                self.files += _files(data)
            return render(data, *arguments, **keywords)

        handler.render = watched
        return handler


def _files(data: Any) -> Iterator[str]:  # noqa: ANN401 Griffe may be absent
    """Yield the file of a Griffe object.

    Of a module, also those of what it exports from other modules.
    """
    yield from _paths(data)
    exports = getattr(data, "exports", None) or ()
    exported = {str(name) for name in exports}
    for name, member in getattr(data, "members", {}).items():
        if name in exported and getattr(member, "is_alias", False):
            yield from _paths(member)


def _paths(data: Any) -> list[str]:  # noqa: ANN401 Griffe may be absent
    try:
        path = data.filepath
    except Exception:  # noqa: BLE001 an alias of an object that Griffe has not loaded
        return []
    if isinstance(path, str | Path):
        return [str(path)]
    return [str(file) for file in path or ()]


def documented_modules(markdown: str) -> Iterator[str]:
    """Yield the files of what mkautodoc and mkdocs-click document on a page.

    Both import it.
    """
    if "mkdocs_click" in sys.modules:
        for name in _COMMANDS.findall(markdown):
            if name in sys.modules:
                yield from _own_file(sys.modules[name])
    if "mkautodoc" not in sys.modules:
        return
    for identifier in _IDENTIFIER.findall(markdown):
        package, _, name = identifier.rpartition(".")
        module = sys.modules.get(package)
        if module is not None:
            yield from list(_defining(name, module)) or _own_file(module)


def _defining(name: str, module: ModuleType) -> Iterator[str]:
    """Yield the files of the package's modules that define the object with this name.

    A class's own `__module__` does not help: httpx and others write the package's name
    there.
    """
    if name not in vars(module):
        return
    found = vars(module)[name]
    pattern = rf"^(?:class|def|async def) {re.escape(name)}\b"
    definition = re.compile(pattern, re.MULTILINE)
    top = module.__name__.partition(".")[0]
    for other, candidate in list(sys.modules.items()):
        if other.partition(".")[0] != top:
            continue
        if vars(candidate).get(name) is not found:
            continue
        for file in _own_file(candidate):
            with suppress(OSError, ValueError):
                if definition.search(Path(file).read_text("utf-8")):
                    yield file


def _own_file(module: ModuleType) -> list[str]:
    return [module.__file__] if module.__file__ else []
