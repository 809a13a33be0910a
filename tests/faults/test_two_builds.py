"""Two simultaneous builds into one folder:
both succeed, and one whole sitemap is left."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Event, Thread

import pytest
from lxml import etree

from sitemap_plugins.core.publishing.plan import File
from sitemap_plugins.core.publishing.publish import publish
from tests.check.checked_site import url, urlset
from tests.folder.html_folder import BASE, write
from tests.full import full

pytest.importorskip("fcntl")

PAIRS = int(os.environ.get("SITEMAP_PAIRS_OF_BUILDS", "6"))
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"

# Waits for its input's end, so that two of them begin together.
PROGRAM = """
import sys
from pathlib import Path
from sitemap_plugins import Options, Page, Site, generate
pages, filename = sys.argv[1:]
values = {"base_url": "https://example.com/", "filename": filename, "max_urls": 2, "gzip": True}
options = Options.parse(values, where="")
def build(folder):
    site = Site(output_dir=Path(folder).absolute())
    return generate(pages, site=site, options=options, environ={})
pages = [Page(path=f"{number}/") for number in range(int(pages))]
build("warm")
print("ready", flush=True)
for line in sys.stdin:
    report = build(line.strip())
    print(report.listed, *(notice.text for notice in report.notices), flush=True)
"""


def names_in(folder):
    return {file.name for file in folder.iterdir()}


# The same for two indexes of one sitemap.
MERGE = """
import sys
from pathlib import Path
from sitemap_plugins.merge.merger import Merger
from sitemap_plugins.sitemaps.web import Web
def merge(folder):
    output = Path(folder, sys.argv[1])
    with Web(user_agent="test", retries=0) as web:
        merger = Merger(
            output=output, base_url="https://example.com/", web=web, environ={},
            track=lambda items, _what: items,
        )
        return merger.merge([folder + "/en.xml"])
print("ready", flush=True)
for line in sys.stdin:
    print(merge(line.strip()).urls, flush=True)
"""


def together(folder, program, *arguments, files=()):
    """Run two processes of a program again and again, in new folders;
    yield these and the output.

    `arguments` are those of the one and of the other; `files` are in each folder
    before.
    """
    (folder / "warm").mkdir()
    builds = [
        subprocess.Popen(
            [sys.executable, "-c", program, *map(str, each)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for each in arguments
    ]
    assert ["ready\n", "ready\n"] == [build.stdout.readline() for build in builds]
    for number in range(PAIRS):
        site = folder / f"site {number}"
        write(site, dict(files))
        for build in builds:
            build.stdin.write(f"{site.name}\n")
        for build in builds:
            build.stdin.flush()
        yield site, [build.stdout.readline().strip() for build in builds]
    for build in builds:
        build.communicate(timeout=60)


@pytest.mark.parametrize(
    ("program", "arguments"),
    [(PROGRAM, [1]), full(MERGE, [])],
    ids=["build", "merge"],
)
def test_robots_txt_gets_the_lines_of_both_sitemaps(tmp_path, program, arguments):
    """Each build reads the file only when the other can no longer write it."""
    both = [[*arguments, "sitemap.xml"], [*arguments, "other.xml"]]
    files = {"robots.txt": "# Ours\n", "en.xml": urlset(url("en/"))}
    for site, said in together(tmp_path, program, *both, files=files):
        assert ["1", "1"] == said
        lines = [f"Sitemap: {BASE}{name}" for name in ("other.xml", "sitemap.xml")]
        assert ["# Ours", *lines] == sorted(
            (site / "robots.txt").read_text().splitlines()
        )


def test_both_builds_succeed_and_the_index_lists_existing_parts(tmp_path):
    sitemap = "sitemap.xml"
    files = {"robots.txt": ""}
    for site, said in together(
        tmp_path, PROGRAM, [5, sitemap], [9, sitemap], files=files
    ):
        assert ["5", "9"] == said
        index = etree.parse(site / "sitemap.xml")
        parts = [loc.text.removeprefix(BASE) for loc in index.iter(LOC)]
        twins = [f"{name}.gz" for name in [*parts, "sitemap.xml"]]
        assert {*parts, *twins, "sitemap.css", "sitemap.xml", "robots.txt"} == names_in(
            site
        )
        urls = [loc for part in parts for loc in etree.parse(site / part).iter(LOC)]
        assert len(urls) in {5, 9}


@pytest.mark.parametrize("number_of_others", [1, 3])
def test_second_build_waits_for_the_first(tmp_path, number_of_others):
    """Each starts while the first is writing its files."""
    begun = []
    all_begun = Event()

    def another(number):
        begun.append(number)
        if len(begun) == number_of_others:
            all_begun.set()
        publish(
            [File(name="sitemap.xml", chunks=[b"%d" % number])],
            output_dir=tmp_path,
            filename="sitemap.xml",
        )

    others = [
        Thread(target=another, args=[number]) for number in range(number_of_others)
    ]

    def files():
        yield File(name="sitemap.xml", chunks=[b"the first"])
        for other in others:
            other.start()
        assert all_begun.wait(60)
        yield File(name="robots.txt", chunks=[b"the first"])

    written, _ = publish(files(), output_dir=tmp_path, filename="sitemap.xml")
    for other in others:
        other.join(60)

    assert ["sitemap.xml", "robots.txt"] == [file.name for file in written]
    assert {"robots.txt", "sitemap.xml"} == names_in(tmp_path)
    assert (tmp_path / "sitemap.xml").read_bytes() in {
        b"%d" % n for n in range(number_of_others)
    }
