"""The web client that commands share."""

from __future__ import annotations

from sitemap_plugins import __version__
from sitemap_plugins.checks.live import AGENT
from sitemap_plugins.web import Web

__all__ = ["USER_AGENT", "make_client"]

USER_AGENT = f"{AGENT}/{__version__}"
"""Says who asks, where the user does not."""


def make_client() -> Web:
    """Return a client that says who asks."""
    return Web(user_agent=USER_AGENT)
