"""The shared behavior, on ProperDocs."""

from __future__ import annotations

from tests.contract.suite import ContractSuite
from tests.sites import ProperDocs


class TestProperDocs(ContractSuite):
    host = ProperDocs()
    place = "Plugin 'sitemap'"
