"""HTML files of this build that plugins wrote themselves, not by Pelican's writer.

Pelican tells nobody of them, so they are looked for in the output folder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.choice.other_files import files_below
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.html.head import read_head_of
from sitemap_plugins.core.html.links import SiteLinks
from sitemap_plugins.core.messages import Notice, PageError, a_few, count_pages
from sitemap_plugins.core.records import CheckedPage, LeftOut, Page, page_or_bug
from sitemap_plugins.core.url_forms import HTML_SUFFIXES, any_form
from sitemap_plugins.pelican.pages import PelicanSite, Written, reason_of_other_html


def read_other_html(
    known: Collection[str], site: PelicanSite, began: datetime
) -> Iterator[Page]:
    """Yield the HTML files that were written since `began`, without the known ones.

    In the order of their names, with the reason why they are left out. `known` are
    absolute paths with slashes.
    """
    folder = Path(site.output_dir)
    for name in sorted(files_below(folder)):
        if not name.endswith(HTML_SUFFIXES) or f"{site.output_dir}/{name}" in known:
            continue
        file = folder / name
        if _is_written_since(file, began):
            yield page_or_bug(name, partial(_describe, name, file, site))


def _is_written_since(file: Path, began: datetime) -> bool:
    try:
        seconds = file.stat().st_mtime
    except OSError:  # A link that leads nowhere.
        return False
    # Some file systems keep whole seconds.
    return datetime.fromtimestamp(seconds, UTC) >= began.replace(microsecond=0)


def _describe(name: str, file: Path, site: PelicanSite) -> Page:
    return Page(
        path=site.path(name),
        name=name,
        output_file=file,
        is_generated=True,
        exclude_reason=reason_of_other_html(name),
    )


def about_other_html(
    left_out: Sequence[LeftOut], written: Iterable[Written]
) -> Iterator[Notice]:
    """Yield a notice if listed pages link to such files, and crawlers may index these.

    `written` are the files that Pelican wrote.
    """
    others = [page for page, reason, _ in left_out if _is_other(page, reason)]
    if not others:
        return
    base_url = others[0].url.removesuffix(others[0].path)
    unlisted = {each.page.output_file for each in left_out}
    links = SiteLinks(base_url)
    linked: set[str] = set()
    for item in written:
        file = Path(item.file)
        if item.is_page and file not in unlisted:
            url = base_url + urls.percent_encode(item.save_as)
            linked.update(links.of(file, url))
    names = [page.label for page in others if any_form(page.path) in linked]
    if names:
        verb = "are" if names[1:] else "is"
        problem = (
            f"{count_pages(len(names))} that another plugin wrote {verb} not listed,"
            f" though listed pages link there: {a_few(names)}"
        )
        cure = "set `static_html` to True, or let `exclude` match"
        yield Notice("not-listed", problem, cure)


def _is_other(page: CheckedPage, reason: Reason) -> bool:
    return reason == "static" and page.is_generated and _may_be_indexed(page)


def _may_be_indexed(page: CheckedPage) -> bool:
    try:
        head = read_head_of(page.output_file or Path())
    except PageError:
        return False
    if head.noindex or head.refresh is not None:
        return False
    canonical = head.canonical_url(page.url) or page.url
    return urls.identity(canonical) == urls.identity(page.url)
