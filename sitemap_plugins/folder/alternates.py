"""The versions of each page in other languages, as its own `<link rel="alternate">` names them.

Themes also link from every page to the home page of each language (Material's `extra.alternate`):
that is no version of the page, and the home page does not link back. So a link within the site
counts if it is returned, as search engines want it, and one to another site if no second page has
the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.html_head import HeadMeta
from sitemap_plugins.core.languages import X_DEFAULT
from sitemap_plugins.core.records import Alternate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemap_plugins.folder.sources import Built

__all__ = ["alternates_of"]


class _Link(NamedTuple):
    """What a page says of one version."""

    language: str

    url: str
    """Absolute, as written."""

    path: str | None
    """The path of the page of this site that answers there; None outside the site."""


def alternates_of(
    pages: Sequence[Built], paths: Mapping[str, str], by_path: Mapping[str, str], base_url: str
) -> dict[str, tuple[Alternate, ...]]:
    """Return the versions of each page by its name.

    `paths` are the pages' percent-encoded paths by name, `by_path` is what
    `forms.files_by_path` returned for them, `base_url` is normalized.
    """
    links = _links(pages, paths, by_path, base_url)
    returned = {(paths[name], link.path) for name, found in links.items() for link in found}
    outside = Counter(link.url for found in links.values() for link in found if link.path is None)
    return {
        name: tuple(
            _alternate(link)
            for link in found
            if (link.path, paths[name]) in returned or _is_outside(link, outside)
        )
        for name, found in links.items()
    }


def _is_outside(link: _Link, outside: Counter[str]) -> bool:
    """Tell whether a link leads to another site, and from one page only."""
    is_one_pages = outside[link.url] == 1 or link.language.lower() == X_DEFAULT
    return link.path is None and is_one_pages


def _links(
    pages: Sequence[Built], paths: Mapping[str, str], by_path: Mapping[str, str], base_url: str
) -> dict[str, list[_Link]]:
    """Return the links of each page by its name, without those to pages that are not there."""
    files = {urls.percent_encode(page.name): paths[page.name] for page in pages}
    beginning = urls.identity(base_url)
    links: dict[str, list[_Link]] = defaultdict(list)
    for page in pages:
        head = page.marks.head or HeadMeta()
        for language, address in head.alternates:
            url = urls.resolve(address, f"{base_url}{paths[page.name]}", head.base or "")
            whole = urls.identity(url)
            if not whole.startswith(beginning):
                links[page.name].append(_Link(language, url, None))
            elif (file := by_path.get(whole.removeprefix(beginning))) is not None:
                links[page.name].append(_Link(language, url, files[file]))
    return links


def _alternate(link: _Link) -> Alternate:
    if link.path is None:
        return Alternate(language=link.language, url=link.url)
    return Alternate(language=link.language, path=link.path)
