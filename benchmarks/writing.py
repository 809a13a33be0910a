"""Writing pages to files, compared with the hosts' own sitemaps and other plugins.

    python benchmarks/writing.py [number of pages, 200000]

Prints processor time, the best of three in one run, and its ratio to xml.etree. The peers get
their pages in their hosts' form; they check nothing, and only npm's splits. That one is
skipped if node is missing or NODE_PATH names no folder with it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import jinja2
import mkdocs
import sphinx_sitemap
from lxml import etree
from pelican.plugins.sitemap.sitemap import SitemapGenerator

from sitemap_plugins import Options, Page, Site, generate

if TYPE_CHECKING:
    from collections.abc import Callable

BASE_URL = "https://docs.example.com/en/latest/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
START = datetime(2020, 1, 1, tzinfo=UTC)
ROUNDS = 3
OPTIONS = Options.parse({"base_url": BASE_URL, "inspect_html": False}, where="benchmark")


def path(number: int) -> str:
    return f"library/section-{number % 97}/page-{number}.html"


def lastmod(number: int) -> datetime:
    return START + timedelta(minutes=number)


def ours(count: int, folder: Path) -> Callable[[], object]:
    pages = [Page(path=path(n), modified=lastmod(n)) for n in range(count)]

    def write() -> None:
        report = generate(pages, site=Site(output_dir=folder), options=OPTIONS, environ={})
        if report.listed != count:
            sys.exit(str(report.notices))

    return write


def xml_etree(count: int, folder: Path) -> Callable[[], object]:
    pages = [(BASE_URL + path(n), lastmod(n)) for n in range(count)]

    def write() -> None:
        root = ET.Element("urlset", xmlns=NAMESPACE)
        for loc, date in pages:
            url = ET.SubElement(root, "url")
            ET.SubElement(url, "loc").text = loc
            ET.SubElement(url, "lastmod").text = date.isoformat(timespec="seconds")
        ET.ElementTree(root).write(folder / "sitemap.xml", xml_declaration=True, encoding="utf-8")

    return write


def lxml_xmlfile(count: int, folder: Path) -> Callable[[], object]:
    pages = [(BASE_URL + path(n), lastmod(n)) for n in range(count)]

    def write() -> None:
        with (
            etree.xmlfile(str(folder / "sitemap.xml"), encoding="utf-8") as file,
            file.element("urlset", nsmap={None: NAMESPACE}),
        ):
            for loc, date in pages:
                with file.element("url"):
                    with file.element("loc"):
                        file.write(loc)
                    with file.element("lastmod"):
                        file.write(date.isoformat(timespec="seconds"))

    return write


def mkdocs_template(count: int, folder: Path) -> Callable[[], object]:
    """Render MkDocs' template, with the date of each page; MkDocs has no function for it."""
    loader = jinja2.FileSystemLoader(Path(mkdocs.__file__).parent / "templates")
    template = jinja2.Environment(loader=loader).get_template("sitemap.xml")
    pages = [
        SimpleNamespace(
            page=SimpleNamespace(
                is_link=False,
                canonical_url=BASE_URL + path(n),
                update_date=f"{lastmod(n):%Y-%m-%d}",
            )
        )
        for n in range(count)
    ]
    return lambda: (folder / "sitemap.xml").write_text(template.render(pages=pages), "utf-8")


def sphinx_sitemap_function(count: int, folder: Path) -> Callable[[], object]:
    links: SimpleQueue[tuple[str, str]] = SimpleQueue()
    config = SimpleNamespace(
        site_url="",
        html_baseurl=BASE_URL,
        version="",
        language="",
        sitemap_url_scheme="{link}",
        sitemap_filename="sitemap.xml",
        sitemap_indent=0,
        sitemap_locales=[None],
    )
    app = SimpleNamespace(
        builder=SimpleNamespace(config=config), config=config, outdir=folder, env=SimpleNamespace()
    )
    app.env.app = SimpleNamespace(sitemap_links=links)
    for number in range(count):
        links.put((path(number), lastmod(number).isoformat(timespec="seconds")))
    return lambda: sphinx_sitemap.create_sitemap(app, None)


def pelican_sitemap_function(count: int, folder: Path) -> Callable[[], object]:
    generator = SitemapGenerator()
    for n in range(count):
        page = SimpleNamespace(url=path(n), modified=lastmod(n), status="published")
        generator.queue_page(str(folder / path(n)), {"page": page})
    settings = {"SITEURL": BASE_URL.rstrip("/")}
    return lambda: generator._write_out(  # noqa: SLF001
        SimpleNamespace(output_path=str(folder), settings=settings)
    )


def npm_sitemap(count: int) -> float | None:
    """Return the seconds of npm's package; None if it or node is missing."""
    script = Path(__file__).with_name("npm_sitemap.mjs")
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", str(script), str(count), folder]
        try:
            done = subprocess.run(command, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError):
            return None
    return float(done.stdout)


def measure(count: int) -> dict[str, float]:
    """Run all in turn, and return the best time of each in seconds, ours last."""
    makers = (
        *(xml_etree, lxml_xmlfile, mkdocs_template, sphinx_sitemap_function),
        *(pelican_sitemap_function, ours),
    )
    times: dict[str, list[float]] = {make.__name__: [] for make in makers}
    from_npm = []
    for _ in range(ROUNDS):
        for make in makers:
            with tempfile.TemporaryDirectory() as folder:
                run = make(count, Path(folder))
                start = time.process_time()
                run()
                times[make.__name__].append(time.process_time() - start)
        if (seconds := npm_sitemap(count)) is not None:
            from_npm.append(seconds)
    best = {name: min(some) for name, some in times.items()}
    return {"npm_sitemap": min(from_npm), **best} if from_npm else best


def main() -> None:
    """Print the time of each, and its ratio to xml.etree."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    best = measure(count)
    print(f"{count} pages, processor time, best of {ROUNDS}")
    for name, seconds in best.items():
        print(f"{name:25}{seconds:7.2f} s{seconds / best['xml_etree']:7.2f} x")
    if "npm_sitemap" not in best:
        print("npm's sitemap was skipped: npm install sitemap, and NODE_PATH=…/node_modules")


if __name__ == "__main__":
    main()
