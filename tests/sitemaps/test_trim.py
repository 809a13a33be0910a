"""A sitemap loses entries, and nothing else."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest

from sitemap_plugins.versions.fix import trimmed
from tests.check.checked_site import index, url, urlset
from tests.folder.html_folder import BASE, write


def is_old(loc):
    return "old" in loc


def trim(folder):
    """Return what becomes of each file, unpacked."""
    found = {}
    for file, new in trimmed(folder, is_old):
        assert "" not in found.values() or not new
        is_packed = bool(new) and file.suffix == ".gz"
        found[file.name] = (gzip.decompress(new) if is_packed else new).decode()
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (urlset(url("old1"), url("a"), url("old2")), urlset(url("a"))),
        (urlset(url("a"), url("old1"), url("b")), urlset(url("a"), url("b"))),
        (
            f"\ufeff{urlset(' <!-- é -->', url('old'), url('a'), ' <!-- z -->')}",
            f"\ufeff{urlset(' <!-- é -->', chr(10), url('a'), ' <!-- z -->')}",
        ),
        (
            urlset(url("old", more="<x/>"), "<url ><loc>é</loc></url>"),
            urlset("<url ><loc>é</loc></url>"),
        ),
        (urlset("<url ><loc>old</loc></url>", url("a")), None),
        (urlset(url("a"), url("old"), f"<!-- {url('b')} -->"), None),
        (urlset(url("a"), url("old"), "<url/>"), None),
        (urlset(url("a")), None),
        (urlset(url("old")).replace("</urlset>", ""), None),
        (urlset(), None),
        ("", None),
    ],
)
def test_every_other_byte_stays(tmp_path, before, after):
    """A file is left alone if what is left might not be what it listed."""
    write(tmp_path, {"sitemap.xml": before})

    assert ({} if after is None else {"sitemap.xml": after}) == trim(tmp_path)


def test_a_packed_file_is_unpacked_as_far_as_crawlers_read(tmp_path):
    text = f"{urlset(url('old'), url('a'))}{' ' * 250_000_000}"
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(text.encode(), 1))
    del text
    tracemalloc.start()
    assert trim(tmp_path).keys() <= {"sitemap.xml.gz"}
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400_000_000


def test_a_twin_loses_the_same(tmp_path):
    text = urlset(url("old"), url("a"))
    write(tmp_path, {"sitemap.xml": text})
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(text.encode()))
    left = urlset(url("a"))

    assert {"sitemap.xml": left, "sitemap.xml.gz": left} == trim(tmp_path)
    (tmp_path / "sitemap.xml").unlink()
    assert {"sitemap.xml.gz": left} == trim(tmp_path)


def test_a_sitemap_of_nothing_is_removed_with_its_twin(tmp_path):
    text = urlset(url("old"))
    write(tmp_path, {"sitemap.xml": text})
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(text.encode()))

    assert {"sitemap.xml": "", "sitemap.xml.gz": ""} == trim(tmp_path)


def test_an_index_loses_the_parts_of_nothing(tmp_path):
    one, two, three = parts = [f"sitemap-{name}.xml" for name in "123"]
    write(tmp_path, {"sitemap.xml": index(*(BASE + part for part in parts))})
    write(tmp_path, {one: urlset(url("old"), url("a")), two: urlset(url("old2"))})
    write(tmp_path, {three: urlset(url("b"))})

    found = trim(tmp_path)
    assert {
        one: urlset(url("a")),
        "sitemap.xml": index(BASE + one, BASE + three),
        two: "",
    } == found
    write(tmp_path, {one: urlset(url("old")), three: urlset(url("old3"))})
    assert dict.fromkeys([*parts, "sitemap.xml"], "") == trim(tmp_path)
    assert ["sitemap.xml", three, two, one] == [*trim(tmp_path)]


def test_a_link_is_not_followed(tmp_path):
    text = urlset(url("old"), url("a"))
    write(
        tmp_path,
        {"2.0/sitemap.xml": text, "1.0/a.html": "", "other/sitemap-1.xml": text},
    )
    (tmp_path / "1.0/sitemap.xml").symlink_to("../2.0/sitemap.xml")
    assert {} == trim(tmp_path / "1.0")
    (tmp_path / "1.0/sitemap.xml").unlink()
    write(tmp_path, {"1.0/sitemap.xml": index(f"{BASE}de/sitemap-1.xml")})
    (tmp_path / "1.0/de").symlink_to("../other")
    assert {} == trim(tmp_path / "1.0")
