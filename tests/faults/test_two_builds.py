"""Two builds that write into one folder at once: both succeed, and one whole sitemap is left."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Event, Thread

import pytest
from lxml import etree

from sitemap_plugins.core.files.layout import File
from sitemap_plugins.core.files.publish import publish

pytest.importorskip("fcntl")

PAIRS = int(os.environ.get("SITEMAP_PAIRS_OF_BUILDS", "6"))
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
BASE = "https://example.com/"

# Waits for its input's end, so that two of them begin together.
PROGRAM = """
import sys
from pathlib import Path
from sitemap_plugins import Options, Page, Site, generate
values = {"base_url": "https://example.com/", "max_urls": 2, "gzip": True}
options = Options.parse(values, where="")
def build(folder):
    return generate(pages, site=Site(output_dir=Path(folder)), options=options, environ={})
pages = [Page(path=f"{number}/") for number in range(int(sys.argv[1]))]
build("warm")
print("ready", flush=True)
for line in sys.stdin:
    report = build(line.strip())
    print(report.listed, *(notice.text for notice in report.notices), flush=True)
"""


def names_in(folder):
    return {file.name for file in folder.iterdir()}


def test_neither_fails_and_the_index_names_what_is_there(tmp_path):
    (tmp_path / "warm").mkdir()
    builds = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(pages)],
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for pages in (5, 9)
    ]
    assert ["ready\n", "ready\n"] == [build.stdout.readline() for build in builds]

    for number in range(PAIRS):
        site = tmp_path / f"site {number}"
        site.mkdir()
        for build in builds:
            build.stdin.write(f"{site.name}\n")
        for build in builds:
            build.stdin.flush()
        said = [build.stdout.readline().strip() for build in builds]

        assert ["5", "9"] == said
        index = etree.parse(site / "sitemap.xml")
        parts = [loc.text.removeprefix(BASE) for loc in index.iter(LOC)]
        twins = [f"{name}.gz" for name in [*parts, "sitemap.xml"]]
        assert {*parts, *twins, "sitemap.css", "sitemap.xml", "robots.txt"} == names_in(site)
        urls = [loc for part in parts for loc in etree.parse(site / part).iter(LOC)]
        assert len(urls) in {5, 9}

    for build in builds:
        build.communicate(timeout=60)


@pytest.mark.parametrize("number_of_others", [1, 3])
def test_the_second_waits_for_the_first(tmp_path, number_of_others):
    """Each begins while the first is in the middle of its files."""
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

    others = [Thread(target=another, args=[number]) for number in range(number_of_others)]

    def files():
        yield File(name="sitemap.xml", chunks=[b"the first"])
        for other in others:
            other.start()
        assert all_begun.wait(60)
        yield File(name="robots.txt", chunks=[b"the first"])

    published = publish(files(), output_dir=tmp_path, filename="sitemap.xml")
    for other in others:
        other.join(60)

    assert ["sitemap.xml", "robots.txt"] == [file.name for file in published.files]
    assert {"robots.txt", "sitemap.xml"} == names_in(tmp_path)
    assert (tmp_path / "sitemap.xml").read_bytes() in {b"%d" % n for n in range(number_of_others)}
