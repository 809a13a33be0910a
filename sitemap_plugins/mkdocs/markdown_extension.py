"""A Markdown extension that passes the preprocessors of the other extensions to a watcher.

It does not change any text. Markdown finds it by the name of this module; so does mkdocstrings,
which uses the extensions of a page in Markdown objects of its own.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from markdown import Extension

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown import Markdown
    from markdown.preprocessors import Preprocessor

__all__ = ["makeExtension", "watcher"]

watcher: ContextVar[Callable[[Preprocessor], None] | None] = ContextVar("watcher", default=None)
"""Called with each preprocessor of each new Markdown object while it is set."""


class _WatchingExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 Markdown's name
        if watch := watcher.get():
            for preprocessor in md.preprocessors:
                watch(preprocessor)


def makeExtension(**_: object) -> Extension:  # noqa: N802 Markdown's name
    """Return the extension; it has no options."""
    return _WatchingExtension()
