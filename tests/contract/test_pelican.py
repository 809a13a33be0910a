"""The shared behavior, on Pelican."""

from __future__ import annotations

from tests.contract.suite import PluginSuite
from tests.sites import Pelican, Site, Source


class TestPelican(PluginSuite):
    host = Pelican()
    place = "SITEMAP in the settings"

    def test_missing_base_url_passes_a_strict_build(self, build):
        """The only warning is Pelican's own, about feeds without SITEURL."""
        assert 1 == build(Site(base_url=""), strict=False).log.count("WARNING")

    def test_exclude_takes_patterns_and_regular_expressions(self, build):
        """A bare item is a regular expression, as in pelican-sitemap;
        patterns have a prefix."""
        names = ("index", "blog/2023", "blog/2024", "notes", "tags/a")
        patterns = ["glob:tags/", "glob:blog/*", "glob:!blog/2024/", "re:^no", "tes/$"]
        built = build(
            Site(sources=tuple(map(Source, names)), options={"exclude": patterns})
        )

        assert ["https://example.com/", "https://example.com/blog/2024/"] == built.locs
