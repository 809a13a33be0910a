"""Sitemaps that take much memory or time to read."""

from __future__ import annotations

import io
import subprocess
import sys
from itertools import chain, repeat
from pathlib import Path

import pytest

from sitemap_plugins.core.messages import FileError
from sitemap_plugins.core.publishing.read import (
    MAX_CHILD_BYTES,
    MAX_ELEMENTS,
    read_sitemap,
)
from tests.full import FULL, full
from tests.unit.publishing.test_read import NS, ROOT, read


class Long(io.RawIOBase):
    """A sitemap of many URLs that is never in memory as a whole."""

    def __init__(self, count):
        many = repeat(b"<url><loc>https://example.com/page/</loc></url>\n" * 100, count)
        self.pieces = chain([f'<urlset xmlns="{NS}">'.encode()], many, [b"</urlset>"])

    def readable(self):
        return True

    def read(self, size=-1):
        return next(self.pieces, b"")


PEAK = """
import re, sys
from pathlib import Path
from sitemap_plugins.core.publishing.read import read_sitemap
from tests.scale.test_reading import Long
print(sum(1 for _ in read_sitemap(Long(int(sys.argv[1])))))
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@FULL
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs Linux's account"
)
def test_memory_does_not_grow_with_the_file():
    """The system's count is used because Python does not count the parser's memory."""
    peaks = []
    for count in (10, 1000):
        command = [sys.executable, "-c", PEAK, str(count)]
        run = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True
        )
        elements, kilobytes = map(int, run.stdout.split())
        assert 100 * count + 1 == elements
        peaks.append(kilobytes)

    assert peaks[1] < peaks[0] + 5_000


@pytest.mark.parametrize(("more", "expected"), [(0, 2), full(1, 0)])
def test_elements_of_one_child_are_limited(more, expected):
    """A gzip file of 20 kB can hold millions, which take a gigabyte of memory."""
    inside = "<a/>" * (MAX_ELEMENTS // 2 - 1 + more)
    one = f"<url>{inside}<b>{inside}</b></url>"
    elements = read_sitemap(
        io.BytesIO(f"<urlset>\n<url/>\n{one * 2}</urlset>".encode())
    )

    assert ["urlset", "url"] == [next(elements).name for _ in range(2)]
    if expected:
        assert expected == len(list(elements))
    else:
        with pytest.raises(
            FileError, match="more than 100,000 elements in one child"
        ) as caught:
            next(elements)
        assert 3 == caught.value.line


@pytest.mark.parametrize(("more", "expected"), [(-100_000, 3), (100_000, 0)])
def test_bytes_of_one_child_are_limited(more, expected):
    """A gzip file of 280 kB can hold ten million attributes,
    which take 2 GB of memory."""
    inside = '<a b="" c=""/>'
    one = (
        f"<url>{inside}<loc>{'a' * (MAX_CHILD_BYTES + more - len(inside))}</loc></url>"
    )
    elements = read_sitemap(io.BytesIO(f"<urlset>{one * 3}</urlset>".encode()))

    assert "urlset" == next(elements).name
    if expected:
        assert expected == len(list(elements))
    else:
        with pytest.raises(FileError, match="more than 8,388,608 bytes in one element"):
            next(elements)


def test_bytes_of_the_tag_of_the_root_are_limited():
    """Its attributes fill more than fifty times their bytes of memory."""
    names = " ".join(f"a{number}=''" for number in range(MAX_CHILD_BYTES // 8))

    with pytest.raises(FileError, match="more than 8,388,608 bytes in one element"):
        read(f"<urlset {names}><url/></urlset>")


def test_comments_between_children_do_not_count():
    comments = f"<!--{'a' * 5_000_000}-->" * 2

    found = read(f"<urlset>{comments}<url/>{comments}<url/>{comments}</urlset>")

    assert ["urlset", "url", "url"] == [each.name for each in found]
