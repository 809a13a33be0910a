"""One `<url>` of a sitemap, complete and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sitemap_plugins.core.dates import DateOrDatetime

__all__ = ["Entry", "Link"]


@dataclass(frozen=True, slots=True)
class Link:
    """One version of a page, as an `<xhtml:link rel="alternate">` names it."""

    language: str
    """BCP 47 tag, or `x-default`: the `hreflang`."""

    url: str
    """Absolute and percent-encoded: the `href`."""


class Entry(NamedTuple):  # Made in half the time of a frozen dataclass.
    """One `<url>`; every string is legal XML text, not escaped yet."""

    url: str
    """Absolute, percent-encoded, at most 2,047 characters; unique among entries."""

    lastmod: DateOrDatetime | None = None
    """When the page's content last changed; None where nobody knows."""

    changefreq: str | None = None
    """One of the protocol's words."""

    priority: float | None = None
    """0.0 to 1.0."""

    links: tuple[Link, ...] = ()
    """All versions of the page in the order to write them, itself among them; or none."""

    images: tuple[str, ...] = ()
    """URLs of the images on the page, absolute and percent-encoded, at most `MAX_IMAGES`."""
