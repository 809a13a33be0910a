"""The style sheet beside a sitemap, with which browsers show the sitemap to people.

It is CSS: browsers are removing XSL, which other sitemaps use. It needs no script.
"""

from __future__ import annotations

import re
from importlib.resources import files

__all__ = ["STYLESHEET_BYTES", "is_stylesheet", "stylesheet", "stylesheet_name"]

STYLESHEET_BYTES = 16 * 1024
"""Bytes of a file in which the comment is looked for: the style sheet has 4 KB."""


def stylesheet_name(filename: str) -> str:
    """Return the name of the style sheet of the set that `filename` names.

    >>> stylesheet_name("sitemap.xml")
    'sitemap.css'
    """
    return f"{filename.removesuffix('.xml')}.css"


def stylesheet(filename: str) -> bytes:
    """Return the style sheet of the set that `filename` names.

    Its first comment proves whose it is. Minifiers join the lines, may remove spaces in a comment,
    and keep only comments that begin with an exclamation mark.
    """
    style = files(__package__).joinpath("stylesheet.css").read_bytes()
    return f"/*! sitemap_plugins: {filename} */\n".encode() + style


def is_stylesheet(content: bytes, filename: str) -> bool:
    """Tell whether a file was written as the style sheet of this set, minified or not.

    >>> is_stylesheet(b"/*!sitemap_plugins:sitemap.xml*/body{}", "sitemap.xml")
    True
    """
    comment = rf"/\*!\s*sitemap_plugins:\s*{re.escape(filename)}\s*\*/"
    return re.search(comment.encode(), content[:STYLESHEET_BYTES]) is not None
