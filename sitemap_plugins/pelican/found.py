"""The plugin for sites without PLUGINS, as Pelican's own search finds it.

The wheel has this module as `pelican.plugins.sitemap_plugins`. Pelican imports all that
it finds there, for every site, so nothing is imported before `register`.
"""

from __future__ import annotations


def register() -> None:
    """Connect to Pelican's signals, as `sitemap_plugins.pelican` does."""
    from sitemap_plugins import pelican  # noqa: PLC0415 few sites want it

    pelican.register()
