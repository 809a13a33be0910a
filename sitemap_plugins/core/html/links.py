"""Which pages of the site a built page links to."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.html.document import HtmlPage
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.url_forms import any_form

_MAX_KEPT = 20_000
"""Addresses whose paths are kept: most links of a page are on many others too."""


class SiteLinks:
    """Finds the links between the pages of one site."""

    def __init__(self, base_url: str) -> None:
        """Take the site's address, normalized."""
        self._base_url = base_url
        self._path = lru_cache(_MAX_KEPT)(self._find_path)

    def of(self, file: Path, page_url: str) -> Counter[str]:
        """Return the paths that a page links to, and how often, in the page's order.

        Paths are spelled as `any_form` spells them. Links to a place on the page itself
        do not count. A page that cannot be read has no links.
        """
        found: Counter[str] = Counter()
        try:
            html = HtmlPage.read_file(file)
        except PageError:
            return found
        folder = html.resolve(".", page_url)
        for address in html.values("a[href]", "href"):
            if address.startswith(("#", "?")):
                continue
            path = self._path(address, folder)
            if path is not None:
                found[path] += 1
        return found

    def _find_path(self, address: str, folder: str) -> str | None:
        """Return the path of an address as written; None for one of another site."""
        url = urls.resolve(address, folder).partition("?")[0]
        path = urls.path_below(url, self._base_url)
        # Links to `https://example.com//a.html` lead to `a.html` on most servers.
        return None if path is None else any_form(path.lstrip("/"))
