"""How other plugins' code is watched: Markdown's preprocessors, and templates.

Preprocessors are seen by an extension of our own, and templates by a loader around
jinja2's. The files that this code opens are seen by `core.opened`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from jinja2 import BaseLoader, Environment
from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

_watcher: ContextVar[Callable[[Preprocessor], None] | None] = ContextVar(
    "_watcher", default=None
)


def watch_preprocessors(watch: Callable[[Preprocessor], None] | None) -> None:
    """From now on, call `watch` with each preprocessor of each new Markdown object.

    None to stop. Only objects that use the extension of this module are seen. Those
    that mkdocstrings makes use it too, because they have the extensions of the page.
    """
    _watcher.set(watch)


class _WatchingExtension(Extension):
    """Passes the preprocessors of other extensions to the watcher; changes no text."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 Markdown's name
        if watch := _watcher.get():
            for preprocessor in md.preprocessors:
                watch(preprocessor)


def makeExtension(**_: object) -> Extension:  # noqa: N802 Markdown's name
    """Return the extension, which has no options.

    Markdown calls this by the module's name.
    """
    return _WatchingExtension()


class RecordingLoader(BaseLoader):
    """Loads templates with another loader, and records the file of each.

    Also of those that jinja2 has cached.
    """

    def __init__(self, loader: BaseLoader, record: Callable[[str], None]) -> None:
        """Load with `loader`, and call `record` with each file's path."""
        self.loader = loader
        self._record = record

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool]]:
        """Return what the other loader does.

        jinja2 asks whether it is current at each use.
        """
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
