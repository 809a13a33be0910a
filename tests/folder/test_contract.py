"""The contract on a folder of built HTML, which is written before the command runs."""

from __future__ import annotations

from tests.contract.suite import ContractSuite
from tests.sites import Folder, Site


class TestFolder(ContractSuite):
    host = Folder()
    place = "sitemap.toml"
    not_needed = frozenset({"urllib3"})  # This host is the command line.

    def test_missing_base_url_is_one_line_and_no_file(self, tmp_path):
        """Whoever runs the command wants a sitemap,
        so not to write one is a failure."""
        built = self.host.build(Site(base_url=""), tmp_path)

        assert 2 == built.returncode
        assert not built.wrote("sitemap.xml")
        assert 1 == built.log.count("is not set, so no sitemap is written")

    def test_page_has_the_date_of_the_sitemap_in_its_head_and_check_compares_them(self):
        """The command writes into no page."""

    def test_urls_that_other_programs_make_are_listed_as_far_as_crawlers_may_read_them(
        self, build
    ):
        """The whole folder is known, so addresses without a file are named."""
        robots = b"User-agent: *\nDisallow: /private/\n"
        built = build(Site(options={"urls": ["/app/", "private/"]}, robots=robots))

        added = {f"https://example.com/{path}" for path in ("app/", "private/")}
        assert {"https://example.com/app/"} == added.intersection(built.locs)
        assert (
            "/app/: it has no file in the folder, so another program has to publish it"
            in built.log
        )

    test_missing_base_url_passes_a_strict_build = (
        test_missing_base_url_is_one_line_and_no_file
    )

    def test_wrong_option_is_named_and_stops_the_build(self, tmp_path):
        """The site is built before the command runs."""
        options = {"lastmod_format": "dates", "max_urls": 60_000}
        built = self.host.build(Site(options=options), tmp_path)

        assert 2 == built.returncode
        assert not built.wrote("sitemap.xml")
        (line,) = built.log.splitlines()
        assert line.startswith("Error: sitemap.toml: ")
        assert "'dates' is not one of 'datetime', 'date': did you mean 'date'?" in line
        assert "60000 is not a whole number from 1 to 50,000" in line
