"""The images that a page shows, for `<image:image>`, from its built HTML.

Google:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps.
Only what belongs to the page's content counts: no icons, emoji or single pixels, and
nothing from its sidebars and footers. If an image has several sizes, the one in `src`
and the one that the image links to count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.html.document import HtmlPage, ImageElement
from sitemap_plugins.core.limits import MAX_IMAGES
from sitemap_plugins.core.messages import Notice, Notices, PageError
from sitemap_plugins.core.records import CheckedPage

CONTENT = (".md-content", "[role=main]", "main", "article", ".body")
"""The element of a page's content, the surest first: Material's, ARIA's, HTML's two,
Sphinx's."""

_IMAGE_SUFFIXES = (".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".webp")
# Classes of pymdownx.emoji and others.
_EMOJI = frozenset({"emoji", "emojione", "twemoji"})
_PIXEL = frozenset({"0", "1", "0px", "1px"})
_ROBOTS = frozenset({"robots", "googlebot", "googlebot-image"})
# Google, robots meta tags: images on the page are not indexed.
_NO_IMAGES = "noimageindex"


def find_images(
    pages: Iterable[CheckedPage], *, base_url: str, robots: Robots | None
) -> tuple[Mapping[str, tuple[str, ...]], Notices]:
    """Return the URLs of the images on each page, by the page's URL, each once.

    The images are on the host of `base_url`, absolute, percent-encoded and in the
    page's order, at most `MAX_IMAGES` for each page; images that robots.txt disallows
    are left out. A page that cannot be read has no images, and a notice says so.
    """
    found = {}
    notices = []
    root = urls.host_root(base_url)
    for page in pages:
        if page.output_file is None:
            continue
        try:
            html = HtmlPage.read_file(page.output_file)
        except PageError as error:
            problem = f"images were not read: {error.problem}"
            notices.append(Notice("html-unreadable", problem, error.cure, page.label))
            continue
        images = _images(html, page.url)
        own = dict.fromkeys(url for url in images if url.startswith(root))
        allowed = [url for url in own if robots is None or robots.allow(url)]
        if allowed:
            found[page.url] = tuple(allowed[:MAX_IMAGES])
    return found, tuple(notices)


def _images(html: HtmlPage, page_url: str) -> Iterator[str]:
    """Yield the absolute URL of each image of the content that has a valid one.

    A page whose robots tag forbids the indexing of images has none. SVG files are left
    out.
    """
    for name, content in html.rows("meta", "name", "content"):
        if name.lower() in _ROBOTS and _NO_IMAGES in content.lower():
            return
    for image in html.images(CONTENT):
        for address in _addresses(image):
            try:
                url = urls.normalize_url(urls.escape(html.resolve(address, page_url)))
            except PageError:  # Among others `data:`.
                continue
            if not urlsplit(url).path.lower().endswith(".svg"):
                yield url


def _addresses(image: ImageElement) -> Iterator[str]:
    """Yield the addresses of an image, as written, unless it is part of the layout."""
    attributes = image.attributes
    classes = (attributes.get("class") or "").lower().split()
    size = {attributes.get("width") or "", attributes.get("height") or ""}
    if not _EMOJI.isdisjoint(classes) or size & _PIXEL:
        return
    source = (attributes.get("src") or "").strip()
    # A script will replace such a source by the address in `data-src`.
    if not source or source.lower().startswith("data:"):
        source = (attributes.get("data-src") or "").strip()
    if source:
        yield source
    if image.link.partition("?")[0].lower().endswith(_IMAGE_SUFFIXES):
        yield image.link
