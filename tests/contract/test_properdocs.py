"""The shared behavior, on ProperDocs."""

from __future__ import annotations

import pytest

from tests.contract.suite import PluginSuite
from tests.sites import ProperDocs


@pytest.mark.full
class TestProperDocs(PluginSuite):
    host = ProperDocs()
    place = "Plugin 'sitemap'"
