"""Read a built site with another HTML parser than ours,
and compare it with its sitemap.

    python -m tests.walk OUTPUT_FOLDER BASE_URL

This uses no code of the package: it finds independently what a crawler would find.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import html5lib
from lxml import etree

NAMESPACES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


@dataclass(frozen=True)
class Found:
    """The instructions of one HTML file to crawlers."""

    noindex: bool
    refresh: str | None
    canonical: str | None


def read(file: Path) -> Found:
    """Read the head of a file as browsers do (html5lib follows the HTML standard)."""
    tree = html5lib.parse(file.read_bytes(), namespaceHTMLElements=False)
    head = tree.find("head")
    meta = list(head.iter("meta"))
    robots = [
        item.get("content", "")
        for item in meta
        if item.get("name", "").strip().lower() in {"robots", "googlebot"}
    ]
    tokens = {
        token.strip() for content in robots for token in content.lower().split(",")
    }
    refresh = next(
        (i for i in meta if i.get("http-equiv", "").lower() == "refresh"), None
    )
    target = (
        ""
        if refresh is None
        else refresh.get("content", "").partition("=")[2].strip(" '\"")
    )
    canonical = next(
        (
            i.get("href")
            for i in head.iter("link")
            if "canonical" in i.get("rel", "").split()
        ),
        None,
    )
    return Found(bool(tokens & {"noindex", "none"}), target or None, canonical)


def file_of(url: str, output_dir: Path, base_url: str) -> Path:
    """Return the file that a static web server shows at a URL."""
    path = unquote(url.removeprefix(base_url))
    return output_dir / (
        f"{path}index.html" if path == "" or path.endswith("/") else path
    )


def locs(output_dir: Path) -> list[str]:
    """Return the URLs of the sitemap, an index's parts included."""
    root = etree.parse(output_dir / "sitemap.xml").getroot()
    names = [
        url.rpartition("/")[2]
        for url in root.xpath("s:sitemap/s:loc/text()", namespaces=NAMESPACES)
    ]
    roots = [etree.parse(output_dir / name).getroot() for name in names] or [root]
    return [
        loc
        for one in roots
        for loc in one.xpath("s:url/s:loc/text()", namespaces=NAMESPACES)
    ]


def wrongly_listed(output_dir: Path, base_url: str) -> dict[str, str]:
    """Return each URL of the sitemap that a crawler must not index, with the reason."""
    wrong = {}
    for loc in locs(output_dir):
        file = file_of(loc, output_dir, base_url)
        if not file.is_file():
            wrong[loc] = "no file"
            continue
        found = read(file)
        if found.noindex:
            wrong[loc] = "noindex"
        elif found.refresh and urldefrag(urljoin(loc, found.refresh))[0] != loc:
            wrong[loc] = f"redirects to {found.refresh}"
        elif found.canonical and unquote(urljoin(loc, found.canonical)) != unquote(loc):
            wrong[loc] = f"canonical at {found.canonical}"
    return wrong


def unlisted(output_dir: Path, base_url: str) -> list[Path]:
    """Return each HTML file that crawlers may index
    and the sitemap does not list, sorted."""
    listed = {file_of(loc, output_dir, base_url) for loc in locs(output_dir)}
    left = []
    for file in sorted(output_dir.rglob("*.html")):
        if file in listed:
            continue
        found = read(file)
        elsewhere = (
            found.canonical and file_of(found.canonical, output_dir, base_url) != file
        )
        if not (found.noindex or found.refresh or elsewhere):
            left.append(file.relative_to(output_dir))
    return left


if __name__ == "__main__":
    folder, address = Path(sys.argv[1]), sys.argv[2]
    print(f"{len(locs(folder))} URLs")
    for url, reason in wrongly_listed(folder, address).items():
        print(f"wrongly listed: {url}: {reason}")
    for path in unlisted(folder, address):
        print(f"not listed: {path}")
