"""The sitemap that a search engine can trust, for MkDocs, Pelican and Sphinx.

Importing the package loads nothing else of it: each public name is loaded when it is
used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitemap_plugins.core.generate import generate
    from sitemap_plugins.core.git.cache import GitCache
    from sitemap_plugins.core.messages import (
        GitError,
        Notice,
        OptionsError,
        OutputError,
        PageError,
        RobotsError,
        SitemapError,
    )
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.records import Alternate, Page, Site
    from sitemap_plugins.core.report import Report
    from sitemap_plugins.core.urls import percent_encode

__all__ = [
    "Alternate",
    "GitCache",
    "GitError",
    "Notice",
    "Options",
    "OptionsError",
    "OutputError",
    "Page",
    "PageError",
    "Report",
    "RobotsError",
    "Site",
    "SitemapError",
    "generate",
    "percent_encode",
]

__version__ = "0.1.0"

_MODULES = (
    "messages",
    "urls",
    "options",
    "records",
    "git.cache",
    "report",
    "generate",
)
"""The modules of the core that hold the public names, each after what it imports."""


def setup(_app: object) -> None:
    """Tell users of Sphinx the extension's name, which is not that of the package.

    Raises:
        ExtensionError: Always.
    """
    from sphinx.errors import ExtensionError  # noqa: PLC0415 Sphinx calls it

    raise ExtensionError("write 'sitemap_plugins.sphinx' in `extensions`")


if not TYPE_CHECKING:  # Checkers would take it for a promise that every name is there.

    def __getattr__(name: str) -> Any:  # noqa: ANN401 what a module's __getattr__ returns
        """Load a public name when it is first used (PEP 562)."""
        modules = _MODULES if name in __all__ else ()
        for module in modules:
            found = import_module(f"sitemap_plugins.core.{module}")
            if hasattr(found, name):
                return getattr(found, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
