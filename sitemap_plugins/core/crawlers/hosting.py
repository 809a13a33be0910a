"""How hosting services answer the different URLs of a file.

From https://github.com/slorber/trailing-slash-guide (docs/Hosting-Providers.md, 2024-11) and
https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core.messages import count_pages, quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.url_forms import file_named, form_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["DISPLAY_NAMES", "SERVICES", "about_redirects", "answer"]

_REDIRECTS = "redirects"
_NOT_FOUND = "does not serve"

_ANSWERS: dict[str, dict[str, str]] = {
    "cloudflare": {"file.html": _REDIRECTS, "folder": _REDIRECTS, "folder/index.html": _REDIRECTS},
    "github": {"folder": _REDIRECTS},
    "netlify": {"folder": _REDIRECTS},
    "vercel": {"file": _NOT_FOUND},
    "vercel-cleanurls": {"file.html": _REDIRECTS, "folder/index.html": _REDIRECTS},
}
"""By `form_of` the URL; every other form is answered with the file."""

DISPLAY_NAMES = {
    "cloudflare": "Cloudflare",
    "github": "GitHub Pages",
    "netlify": "Netlify",
    "vercel": "Vercel",
    "vercel-cleanurls": "Vercel with cleanUrls",
}
"""The supported services, with their default settings unless the name says otherwise."""

SERVICES = tuple(DISPLAY_NAMES)
"""What users and `CI.hosting` call them."""


def answer(service: str, *, path: str, file: str) -> str:
    """Return what a service does at a path instead of answering with its file; empty for nothing.

    Both are encoded and relative to the site's root.

    >>> answer("cloudflare", path="guide.html", file="guide.html")
    'redirects'
    >>> answer("cloudflare", path="guide", file="guide.html")
    ''
    """
    return _ANSWERS[service].get(form_of(path, file), "")


def about_redirects(
    service: str, listed_urls: Iterable[str], base_url: str, *, cure: str
) -> Iterator[Notice]:
    """Yield a notice if a service redirects listed URLs that name a file, such as `guide.html`.

    Args:
        service: One of `SERVICES`, or empty: then there is no notice.
        listed_urls: Absolute and percent-encoded, below the base URL.
        base_url: Normalized.
        cure: How to get URLs that end in a slash, for the message.
    """
    if not service:
        return
    redirected = [
        url
        for url in listed_urls
        if (file := file_named(path := url.removeprefix(base_url).partition("?")[0]))
        and answer(service, path=path, file=file) == _REDIRECTS
    ]
    if redirected:
        problem = (
            f"{DISPLAY_NAMES[service]} redirects the URLs of {count_pages(len(redirected))},"
            f" such as {quoted(redirected[0])}, and crawlers want the final ones"
        )
        yield Notice("host-redirects", problem, cure=cure)
