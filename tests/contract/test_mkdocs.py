"""The contract on MkDocs."""

from __future__ import annotations

from tests.contract.suite import ContractSuite
from tests.sites import MkDocs, Site


class TestMkDocs(ContractSuite):
    host = MkDocs()
    place = "Plugin 'sitemap'"

    def test_an_unknown_option_stops_the_build_with_the_name_that_was_meant(self, tmp_path):
        """An unknown key is the host's own warning, as its users know it from every plugin."""
        built = self.host.build(Site(options={"exlude": []}), tmp_path, *self.host.strict)

        assert built.returncode != 0
        assert "Unrecognised configuration name: exlude" in built.log
