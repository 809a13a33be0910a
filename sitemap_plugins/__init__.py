"""The sitemap that a search engine can trust, for MkDocs, Pelican and Sphinx.

Importing the package loads no host and no XML library; `generate` brings lxml when it is asked for.
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
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.options import Options, check
from sitemap_plugins.core.pages import Alternate, Page, Report

if TYPE_CHECKING:
    from sitemap_plugins.core.generate import generate as generate

__all__ = [
    "Alternate",
    "GitError",
    "Notice",
    "Options",
    "OptionsError",
    "OutputError",
    "Page",
    "PageError",
    "Report",
    "RobotsError",
    "SitemapError",
    "check",
    "generate",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 what a module's __getattr__ returns
    """Load `generate` and `__version__` when they are first asked for (PEP 562)."""
    if name == "generate":
        from sitemap_plugins.core.generate import generate  # noqa: PLC0415

        return generate
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("sitemap-plugins")
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
