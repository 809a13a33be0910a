"""The shared behavior, on Sphinx."""

from __future__ import annotations

from tests.contract.suite import PluginSuite
from tests.sites import Site, Source, Sphinx


class TestSphinx(PluginSuite):
    host = Sphinx()
    place = "conf.py"

    def test_page_has_the_date_of_the_sitemap_in_its_head_and_check_compares_them(self):
        """The theme of these sites has no `metatags`;
        tests/hosts/test_page_dates.py has one."""

    def test_output_is_one_line_and_each_page_left_out_if_verbose(self, build):
        """Sphinx also writes an index of terms and a search page,
        with the reason `generated`."""
        sources = (Source("index"), Source("hidden", metadata={"sitemap": False}))
        built = build(Site(sources=(*sources, Source("old/one"))), verbose=True)

        assert (
            "sitemap.xml: 2 pages, 3 left out (1 front-matter, 2 generated)"
            in built.log
        )
        assert (
            "left out (front-matter: the page's front matter says `sitemap: false`)"
            in built.log
        )
        assert 2 == built.log.count("left out (generated: ")
