"""What rules for robots say, in a page and in a header."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.html.head import header_says_noindex, says_noindex


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("max-image-preview : none", False),
        ("max-image-preview:\n none", False),
        ("none:x", False),
        (": none", False),
        ("none :", False),
        ("a : : none", False),
        ("a: b none", True),
        (" None ", True),
        ("x,noindex", True),
        ("\u2003noindex\x1f", True),
        (":", False),
        ("", False),
    ],
)
def test_says_noindex(content: str, *, expected: bool) -> None:
    assert expected == says_noindex(content)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("nofollow, none", True),
        ("max-snippet: 10, noindex", True),
        ("max-image-preview: large, noindex", True),
        ("max-video-preview: -1, noindex", True),
        ("unavailable_after: 2030-01-01, noindex", True),
        ("otherbot: nofollow, googlebot: noindex", True),
        ("nofollow, ROBOTS : NOINDEX", True),
        ("googlebot: nofollow, otherbot: noindex", False),
        ("otherbot: nofollow, max-snippet: 10, noindex", False),
        ("", False),
    ],
)
def test_a_crawlers_name_counts_up_to_the_next(value: str, *, expected: bool) -> None:
    assert expected == header_says_noindex(value)
