"""Links within the site that lead nowhere (`--links`)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.html.page import HtmlPage
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import is_folder, is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemap_plugins.checks.context import Context, SiteFacts
    from sitemap_plugins.folder.project import Track

__all__ = ["broken_links"]


def broken_links(context: Context, track: Track) -> Iterator[Finding]:
    """Yield each link of a page to be listed whose target on this site is no page and no file."""
    site = context.site
    if site is None or not context.base_url:
        return
    unlisted = site.reasons.keys() | site.unlisted
    files = [file for file in site.paths if file not in unlisted]
    for file in track(files, "Following links"):
        page_url = context.base_url + site.paths[file]
        for address in _addresses(site, file, page_url):
            path = _path(address, context.base_url)
            if path and not site.answers(path) and not _is_folder(site, path):
                yield Finding(
                    "broken-link",
                    f"a link leads to {quoted(address)}, which does not exist",
                    url=page_url,
                    file=file,
                    about=address,
                )


def _addresses(site: SiteFacts, file: str, page_url: str) -> Iterator[str]:
    """Yield each address that a page links to, absolute, once, without its fragment."""
    try:
        page = HtmlPage.read_file(site.site_dir / unquote(file))
    except PageError:
        return
    addresses = (page.resolve(href, page_url) for href in page.values("a[href]", "href"))
    yield from dict.fromkeys(address.partition("#")[0] for address in addresses)


def _path(address: str, base_url: str) -> str:
    """Return what an address's path below the base compares by; empty for another site."""
    whole, base = urls.identity(address), urls.identity(base_url)
    return whole.removeprefix(base).partition("?")[0] if whole.startswith(base) else ""


def _is_folder(site: SiteFacts, path: str) -> bool:
    """Tell whether a path names a folder, which servers may show in ways of their own."""
    name = unquote(path, errors="surrogateescape")
    return is_inside(name) and is_folder(site.site_dir / name)
