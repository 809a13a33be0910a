"""What only all URLs together can tell: those listed twice, and broken links between languages.

The one judge for a build, a check and a merge. All spellings of a URL are one: every URL is given
as `urls.identity` spells it. Of each URL and link a hash of 64 bits is kept, so that those of a
million URLs fit into memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CrossChecks"]


class CrossChecks:
    """All listed URLs, and the links between them."""

    has_links: bool
    """Whether any URL links to its versions."""

    def __init__(self) -> None:
        """Begin with none."""
        self.has_links = False
        self._listed: set[int] = set()
        self._duplicates: set[int] = set()
        self._links: set[int] = set()

    def add(self, url: str, targets: Iterable[str] = ()) -> bool:
        """Note a listed URL and those of its versions; tell whether it was listed before."""
        key = hash(url)
        is_duplicate = key in self._listed
        (self._duplicates if is_duplicate else self._listed).add(key)
        for target in targets:
            self.has_links = True
            self.add_link(url, target)
        return is_duplicate

    def add_link(self, url: str, target: str) -> None:
        """Note a link from a listed URL to one of its versions."""
        self._links.add(hash((url, target)))

    def has_link(self, url: str, target: str) -> bool:
        """Tell whether a URL links to one of its versions."""
        return hash((url, target)) in self._links

    @property
    def duplicates(self) -> int:
        """How many URLs are listed more than once."""
        return len(self._duplicates)

    def is_listed(self, url: str) -> bool:
        """Tell whether a URL is listed."""
        return hash(url) in self._listed

    def is_duplicate(self, url: str) -> bool:
        """Tell whether a URL is listed more than once."""
        return hash(url) in self._duplicates

    def is_unlisted(self, target: str, base: str) -> bool:
        """Tell whether a link leads to a URL of the site, which begins with `base`, but no sitemap.

        A version on another site is in another sitemap.
        """
        return target.startswith(base) and not self.is_listed(target)

    def is_unreturned(self, url: str, target: str) -> bool:
        """Tell whether a listed version does not link back.

        Google, localized versions: links that are not returned "may be ignored".
        """
        return self.is_listed(target) and not self.has_link(target, url)
