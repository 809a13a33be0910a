"""The sitemap that a search engine can trust, for MkDocs, Pelican and Sphinx.

Importing the package loads no host and no parser of XML or HTML; `generate` does when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemap_plugins.core.errors import (
    GitError,
    OptionsError,
    OutputError,
    PageError,
    RobotsError,
    SitemapError,
)
from sitemap_plugins.core.git.last_change import GitCache
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Alternate, Page, Report, Site
from sitemap_plugins.core.urls import percent_encode

if TYPE_CHECKING:
    from sitemap_plugins.core.generate import generate as generate

    __version__: str

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

if not TYPE_CHECKING:  # Checkers would take it for a promise that every name is there.

    def __getattr__(name: str) -> Any:  # noqa: ANN401 what a module's __getattr__ returns
        """Load `generate` and `__version__` when they are first asked for (PEP 562)."""
        if name == "generate":
            from sitemap_plugins.core.generate import generate  # noqa: PLC0415

            return generate
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415

            return version("sitemap-plugins")
        msg = f"module {__name__!r} has no attribute {name!r}"
        if name == "register":  # Pelican asks a plugin for it, and shows this text.
            msg += ": write 'sitemap_plugins.pelican' in PLUGINS"
        raise AttributeError(msg)
