"""The shared behavior, on ProperDocs."""

from __future__ import annotations

from tests.contract.suite import PluginSuite
from tests.full import FULL
from tests.sites import ProperDocs


@FULL
class TestProperDocs(PluginSuite):
    host = ProperDocs()
    place = "Plugin 'sitemap'"
