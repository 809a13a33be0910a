"""The web client that commands share."""

from __future__ import annotations

from sitemap_plugins import __version__
from sitemap_plugins.web import Web

__all__ = ["make_client"]


def make_client() -> Web:
    """Return a client that says who asks."""
    return Web(user_agent=f"sitemap-plugins/{__version__}")
