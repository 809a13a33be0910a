"""The contract on Pelican."""

from __future__ import annotations

from tests.contract.suite import ContractSuite
from tests.sites import Pelican


class TestPelican(ContractSuite):
    host = Pelican()
    place = "SITEMAP in the settings"
