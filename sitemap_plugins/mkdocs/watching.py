"""How other plugins' code is watched: the files that it opens, and the templates that it loads.

Files are seen by an audit hook of Python, Markdown's preprocessors by an extension of
our own, and templates by a loader around jinja2's.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field

from jinja2 import BaseLoader, Environment
from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

_PACKAGES = (*site.getsitepackages(), site.getusersitepackages())
_INSTALLED = tuple(
    os.path.join(folder, "")
    for folder in (*map(sysconfig.get_path, ("stdlib", "platstdlib")), *_PACKAGES)
    if folder != sys.prefix  # Windows names it too, and a project can be in it.
) + tuple(name for name in sys.path if name.endswith(".zip"))
"""Where Python and packages are. It opens their source code to show a warning's line, and its own
archive of modules, `python311.zip`, to find entry points, even if there is none."""


@dataclass(slots=True)
class Opened:
    """The files and URLs that were opened, each in the order of opening."""

    files: list[str] = field(default_factory=list)
    """Absolute paths of files that were opened for reading, without those of Python and of
    installed packages; a file can occur twice."""

    urls: list[str] = field(default_factory=list)
    """URLs that were requested."""


# One for each thread, so that files of another thread are not attributed to the
# observed code.
_observer: ContextVar[Opened | None] = ContextVar("_observer", default=None)


@contextmanager
def observe() -> Iterator[Opened]:
    """Record what is opened inside the `with` block, except for what an inner block records.

    Python raises an audit event for each file that is opened, in whatever way (PEP
    578). So this works however an extension finds its files.
    """
    opened = Opened()
    token = _observer.set(opened)
    try:
        yield opened
    finally:
        _observer.reset(token)


def _on_audit_event(event: str, arguments: tuple[object, ...]) -> None:
    # Called for every event of the process, so the fastest check comes first. An error
    # would reach the observed code, so none may be raised.
    opened = _observer.get()
    if opened is None:
        return
    if event == "open":
        file, mode = arguments[:2]
        # Without a mode: `os.open`, as for devices and locks. A number: an open file.
        to_read = isinstance(mode, str) and "r" in mode and "+" not in mode
        if to_read and isinstance(file, str | bytes):
            with suppress(OSError):  # The working directory is gone.
                path = os.path.abspath(os.fsdecode(file))
                if not path.startswith(_INSTALLED):
                    opened.files.append(path)
    elif event == "urllib.Request":
        opened.urls.append(str(arguments[0]))


# An audit hook cannot be removed, so there is one for the life of the process.
sys.addaudithook(_on_audit_event)

_watcher: ContextVar[Callable[[Preprocessor], None] | None] = ContextVar(
    "_watcher", default=None
)


def watch_page(
    opened: Opened | None, watch: Callable[[Preprocessor], None] | None = None
) -> None:
    """From now on, record what is opened, except in the block of an observer; None to stop.

    Call `watch` with each preprocessor of each new Markdown object. Only Markdown
    objects that use the extension of this module are seen. Those that mkdocstrings
    makes use it too, because they have the extensions of the page.
    """
    _observer.set(opened)
    _watcher.set(watch)


class _WatchingExtension(Extension):
    """Passes the preprocessors of the other extensions to the watcher; changes no text."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 Markdown's name
        if watch := _watcher.get():
            for preprocessor in md.preprocessors:
                watch(preprocessor)


def makeExtension(**_: object) -> Extension:  # noqa: N802 Markdown's name
    """Return the extension, which has no options; Markdown calls this by the module's name."""
    return _WatchingExtension()


class RecordingLoader(BaseLoader):
    """Loads templates with another loader, and records the file of each, also of cached ones."""

    def __init__(self, loader: BaseLoader, record: Callable[[str], None]) -> None:
        """Load with `loader`, and call `record` with each file's path."""
        self.loader = loader
        self._record = record

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool]]:
        """Return what the other loader does; jinja2 asks whether it is current at each use."""
        source, file, is_current = self.loader.get_source(environment, template)

        def record_and_check() -> bool:
            if file is not None:
                self._record(file)
            return is_current is None or is_current()

        record_and_check()
        return source, file, record_and_check

    def list_templates(self) -> list[str]:
        """Return the names that the other loader knows."""
        return self.loader.list_templates()
