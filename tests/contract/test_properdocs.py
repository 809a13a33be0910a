"""The shared behavior, on ProperDocs."""

from __future__ import annotations

from tests.contract.suite import PluginSuite
from tests.sites import ProperDocs


class TestProperDocs(PluginSuite):
    host = ProperDocs()
    place = "Plugin 'sitemap'"
