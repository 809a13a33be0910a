"""Parts of written files and of notices, for comparisons in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from tests.sites import NAMESPACES

if TYPE_CHECKING:
    from pathlib import Path


def codes(result) -> list[str]:
    """Return the code of each notice of a report, a selection or dates."""
    return [notice.code for notice in result.notices]


def content_of(folder: Path) -> dict[str, bytes]:
    """Return each file of a folder by its name."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def locs(sitemap: bytes) -> list[str]:
    """Return the URLs of a sitemap or an index, in their order."""
    return etree.fromstring(sitemap).xpath("//s:loc/text()", namespaces=NAMESPACES)


def links(sitemap: Path) -> dict[str, dict[str, str]]:
    """Return each URL of a sitemap with its versions by language."""
    return {
        url.findtext("s:loc", namespaces=NAMESPACES): {
            link.get("hreflang"): link.get("href")
            for link in url.iterfind("xhtml:link", NAMESPACES)
        }
        for url in etree.parse(sitemap).getroot()
    }
