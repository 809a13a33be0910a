"""Which pages a list shows, such as an archive or the front page of a blog.

Rules:

- A list shows those of the pages that it can show to which its built HTML links.
- What nearly all pages with a text of their own link to is the site's layout. A list
  shows a page of the layout if it links there more often than these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from sitemap_plugins.core.html.links import SiteLinks
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage
from sitemap_plugins.core.url_forms import any_form

_MIN_PAGES = 5
"""Pages: of fewer, nine of ten do not show what the layout is."""

_MAX_READ = 50
"""Pages with a text of their own that are read to find the layout."""

_SHOWS_NONE = "links to none of the pages that it can list"
_UNREAD = "can list several pages, and inspect_html is false"


def narrow_lists(
    pages: Sequence[CheckedPage], base_url: str, options: Options
) -> tuple[CheckedPage, ...]:
    """Return a site's pages; a list keeps only the pages that its HTML links to.

    A list without a file keeps all its pages. If no HTML may be read, a list of several
    pages has no date, because it is unknown which of them it shows. `base_url` is
    normalized.
    """
    if not any(page.lists for page in pages):
        return tuple(pages)
    links = SiteLinks(base_url)
    layout: Counter[str] = Counter()
    if options.inspect_html:
        layout = _find_layout([page for page in pages if not page.lists], links)
    by_form = cache(_by_form)  # Parts of a divided list can show the same pages.
    narrowed = []
    for page in pages:
        if not page.lists or page.output_file is None:
            narrowed.append(page)
        elif options.inspect_html:
            # The difference keeps what the list links to more often than the layout.
            linked = links.of(page.output_file, page.url) - layout
            narrowed.append(_narrow(page, linked, by_form(page.lists)))
        elif len(page.lists) > 1:
            narrowed.append(page._replace(lists=(), unknown=_UNREAD))
        else:
            narrowed.append(page)
    return tuple(narrowed)


def _find_layout(pages: Sequence[CheckedPage], links: SiteLinks) -> Counter[str]:
    """Return the links that nine of ten pages have, and how often.

    The number of a link is the largest one that nine of ten pages reach. Of many pages,
    an even sample is read.
    """
    read = pages[:: len(pages) // _MAX_READ + 1]
    counts = defaultdict(list)
    for page in read:
        if page.output_file:
            for form, count in links.of(page.output_file, page.url).items():
                counts[form].append(count)
    layout: Counter[str] = Counter()
    if len(read) < _MIN_PAGES:
        return layout
    most = len(read) - max(1, len(read) // 10)
    for form, found in counts.items():
        if len(found) >= most:
            found.sort(reverse=True)
            layout[form] = found[most - 1]
    return layout


def _by_form(paths: Iterable[str]) -> dict[str, str]:
    return {any_form(path): path for path in paths}


def _narrow(
    page: CheckedPage, linked: Iterable[str], by_form: Mapping[str, str]
) -> CheckedPage:
    """Return a list with only the pages to which it links, in the order of the links.

    `linked` has the forms of the linked URLs, and `by_form` the paths of the pages that
    the list can show. A list without any such link and without a source has no date.
    """
    shown = tuple(by_form[form] for form in linked if form in by_form)
    unknown = page.unknown
    if not (shown or page.sources):
        unknown = _SHOWS_NONE
    return page._replace(lists=shown, unknown=unknown)
