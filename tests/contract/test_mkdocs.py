"""The shared behavior, on MkDocs."""

from __future__ import annotations

from tests.contract.suite import ContractSuite
from tests.sites import MkDocs


class TestMkDocs(ContractSuite):
    host = MkDocs()
    place = "Plugin 'sitemap'"
