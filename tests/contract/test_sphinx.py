"""The contract on Sphinx."""

from __future__ import annotations

from tests.contract.suite import ContractSuite
from tests.sites import Sphinx


class TestSphinx(ContractSuite):
    host = Sphinx()
    place = "conf.py"
