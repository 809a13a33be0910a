"""Which pages a page that lists others shows: those that its built HTML links to.

Links that nearly all pages of a site have are its layout. A list can show a page that
the layout names too, and then links to it once more than that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sitemap_plugins.core import urls
from sitemap_plugins.core.html.page import HtmlPage
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.pages.select import Selection
from sitemap_plugins.core.records import CheckedPage
from sitemap_plugins.core.url_forms import any_form

_MIN_PAGES = 5
"""Pages: of fewer, nine of ten do not show what the layout is."""

_MAX_LOOKED_AT = 50
"""Pages with a text of their own that are read to see a site's layout."""


def find_listed(selection: Selection, base_url: str) -> Selection:
    """Return the selection with what its lists show, and those of that left out."""
    if not any(page.lists for page in selection.listed):
        return selection
    left_out = [each.page for each in selection.pages_left_out]
    links = _Links([*left_out, *selection.listed], base_url)
    layout = _layout([page for page in selection.listed if not page.lists], links)
    listed = []
    shown: set[str] = set()
    for page in selection.listed:
        if page.lists:
            shows = links.of(page) - layout
            lists = tuple(path for path in page.lists if path in shows)
            page = page._replace(lists=lists)  # noqa: PLW2901
            shown.update(page.lists)
        listed.append(page)
    shown -= {page.path for page in listed}
    unlisted = tuple(page for page in left_out if page.path in shown)
    return replace(selection, listed=tuple(listed), unlisted_members=unlisted)


class _Links:
    """Finds the links of pages to those with a text of their own."""

    def __init__(self, pages: Iterable[CheckedPage], base_url: str) -> None:
        self._base_url = base_url
        self._paths = {any_form(it.path): it.path for it in pages if not it.lists}

    def of(self, page: CheckedPage) -> Counter[str]:
        """Return the paths that a page links to, and how often, in the page's order."""
        found: Counter[str] = Counter()
        if page.output_file is None:
            return found
        try:
            html = HtmlPage.read_file(page.output_file)
        except PageError:
            return found
        for address in html.values("a[href]", "href"):
            url = html.resolve(address, page.url).partition("?")[0]
            path = urls.path_below(url, self._base_url)
            path = None if path is None else self._paths.get(any_form(path.lstrip("/")))
            if path not in {None, page.path}:
                found[path] += 1
        return found


def _layout(pages: Sequence[CheckedPage], links: _Links) -> Counter[str]:
    """Return the links that nine of ten pages have, and how often these have each."""
    looked_at = pages[:: len(pages) // _MAX_LOOKED_AT + 1]
    counts: dict[str, list[int]] = defaultdict(list)
    for page in looked_at:
        for path, count in links.of(page).items():
            counts[path].append(count)
    most = max(_MIN_PAGES, len(looked_at)) * 9 // 10
    layout: Counter[str] = Counter()
    for path, each in counts.items():
        # A page is not counted for the links to itself.
        own = any(page.path == path for page in looked_at)
        if len(each) + own >= most:
            layout[path] = sorted(each, reverse=True)[most - own - 1]
    return layout
