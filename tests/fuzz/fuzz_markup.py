"""Any bytes give a `Markup` or a `SitemapError`, whole or read in pieces.

Run: python tests/fuzz/fuzz_markup.py [seconds]
"""

from __future__ import annotations

import contextlib

from sitemap_plugins.core import head, markup
from sitemap_plugins.core.errors import SitemapError

SEEDS = (
    *b"< > <!-- --> --!> <!--> </ <? <! = / \" ' \0 x &#114; \xff \x1b$B \xff\xfe".split(),
    b" ",
    b"\n",
    b"\xef\xbb\xbf",
    *b"<script> </script> <title> </title> <noscript> </noscript> <template> </template>".split(),
    *b"<head> </head> <body> <svg> </svg> <style> </style> <plaintext> <img> <!doctype>".split(),
    b"<meta charset=iso-2022-jp>",
    b"<meta charset=utf-16>",
    b'<meta name="robots" content="noindex, follow">',
    b"<meta name=googlebot content=none>",
    b'<meta http-equiv="refresh" content="0; url=/a">',
    b'<link rel="canonical" href="https://example.com/caf\xc3\xa9?a=1&amp;b">',
    b"<base href=/b/>",
)


def check(html: bytes) -> None:
    """Read a page and hold the result against the invariant."""
    with contextlib.suppress(SitemapError):
        said = markup.read(html)
        for text in (said.refresh, said.canonical, said.base):
            assert text is None or (text == text.strip(" \t\n\r\f") and text.encode() is not None)
        for url in (said.canonical_url("https://a.b/c/"), said.refresh_url("https://a.b/c/")):
            assert url is None or isinstance(url, str)
    _check_pieces(html[:500])


def _check_pieces(html: bytes) -> None:
    """What a piece says of the head stays true when more is read."""
    whole = head.scan(html)
    for size in range(0, len(html), 7):
        piece = head.scan(html[:size])
        assert piece.tags == whole.tags[: len(piece.tags)]
        assert not piece.ended or piece == whole


if __name__ == "__main__":
    from driver import run

    run(check, SEEDS)
