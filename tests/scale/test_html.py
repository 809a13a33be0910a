"""Built pages that take long to read."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from sitemap_plugins.core.html import head as html_head
from sitemap_plugins.core.html.document import MAX_BYTES, MAX_READ, HtmlPage
from sitemap_plugins.core.messages import PageError
from tests.full import FULL
from tests.unit.html.test_head import NOINDEX

pytestmark = FULL


@pytest.mark.parametrize("unit", [b"<link>", b"<!-- -->", b"<meta x=y>"])
@pytest.mark.parametrize(
    ("size", "expected"), [(MAX_BYTES - 100, True), (MAX_READ, False)]
)
def test_head_of_many_tags_is_read_up_to_the_bound(
    unit: bytes, size: int, *, expected: bool
) -> None:
    said = html_head.read_head(b"<head>" + unit * (size // len(unit)) + NOINDEX)
    assert (expected, expected) == (said.noindex, said.is_whole)


@pytest.mark.parametrize(
    "part",
    [
        "<a",
        "<a=",
        "<a b=/<a",
        '<a x="<a>">',
        "<div></x>",
        "<dd><li>",
        "<div/>",
        "<p>1<b>2</p>",
    ],
)
def test_time_grows_linearly_with_the_length(part):
    def seconds(times):
        html = (part * times).encode()
        start = time.process_time()
        with suppress(PageError):
            HtmlPage(html)
        return time.process_time() - start

    # The square would be 64 times.
    assert min(seconds(80_000) for _ in range(2)) < 24 * seconds(10_000) + 0.3
