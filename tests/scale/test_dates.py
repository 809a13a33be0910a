"""Sites whose dates take long to find."""

from __future__ import annotations

from sitemap_plugins.core.records import Page
from tests.full import FULL
from tests.unit.dates.test_lastmod import at, resolve


@FULL
def test_long_chain_of_lists_is_followed_to_its_end():
    pages = [Page(path=str(number), lists=(str(number + 1),)) for number in range(2000)]

    assert 2001 == len(resolve(*pages, Page(path="2000", modified=at(1))).by_path)
