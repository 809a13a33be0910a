"""The shared behavior, on MkDocs."""

from __future__ import annotations

from tests.contract.suite import PluginSuite
from tests.sites import MkDocs


class TestMkDocs(PluginSuite):
    host = MkDocs()
    place = "Plugin 'sitemap'"
