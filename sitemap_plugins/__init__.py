"""The sitemap that a search engine can trust, for MkDocs, Pelican and Sphinx.

Importing the package loads nothing else of it: each public name is loaded when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitemap_plugins.core.errors import (
        GitError,
        OptionsError,
        OutputError,
        PageError,
        RobotsError,
        SitemapError,
    )
    from sitemap_plugins.core.generate import generate
    from sitemap_plugins.core.git.last_change import GitCache
    from sitemap_plugins.core.notices import Notice
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.records import Alternate, Page, Report, Site
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

_MODULES = {
    "sitemap_plugins.core.errors": {
        *("GitError", "OptionsError", "OutputError", "PageError", "RobotsError", "SitemapError"),
    },
    "sitemap_plugins.core.generate": {"generate"},
    "sitemap_plugins.core.git.last_change": {"GitCache"},
    "sitemap_plugins.core.notices": {"Notice"},
    "sitemap_plugins.core.options": {"Options"},
    "sitemap_plugins.core.records": {"Alternate", "Page", "Report", "Site"},
    "sitemap_plugins.core.urls": {"percent_encode"},
}
"""Each module with the public names that it holds."""

if not TYPE_CHECKING:  # Checkers would take it for a promise that every name is there.

    def __getattr__(name: str) -> Any:  # noqa: ANN401 what a module's __getattr__ returns
        """Load a public name when it is first used (PEP 562)."""
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(module), name)
        msg = f"module {__name__!r} has no attribute {name!r}"
        if name == "register":  # Pelican asks a plugin for it, and shows this text.
            msg += ": write 'sitemap_plugins.pelican' in PLUGINS"
        raise AttributeError(msg)
