"""The style sheet beside a sitemap, with which browsers show the sitemap to people.

It is CSS: browsers are removing XSL, which other sitemaps use. It needs no script.
"""

from __future__ import annotations

from importlib.resources import files

__all__ = ["stylesheet", "stylesheet_name", "stylesheet_signature"]


def stylesheet_name(filename: str) -> str:
    """Return the name of the style sheet of the set that `filename` names.

    >>> stylesheet_name("sitemap.xml")
    'sitemap.css'
    """
    return f"{filename.removesuffix('.xml')}.css"


def stylesheet_signature(filename: str) -> bytes:
    """Return the first line of the style sheet of a set: proof that it is ours."""
    return f"/* sitemap_plugins: {filename} */\n".encode()


def stylesheet(filename: str) -> bytes:
    """Return the style sheet of the set that `filename` names."""
    return (
        stylesheet_signature(filename) + files(__package__).joinpath("stylesheet.css").read_bytes()
    )
