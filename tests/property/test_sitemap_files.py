"""Any valid entries are read back from their files; any robots.txt keeps its rules.

Other programs read the files: lxml, the official schemas, gzip, urllib.robotparser and
protego.
"""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.robotparser import RobotFileParser

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from lxml import etree
from protego import Protego

from sitemap_plugins.core.crawlers.robots_txt import with_sitemaps
from sitemap_plugins.core.limits import MAX_BYTES
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.publishing import plan, xml
from sitemap_plugins.core.publishing.plan import plan_files
from sitemap_plugins.core.publishing.publish import publish
from sitemap_plugins.core.records import Link
from tests.full import FULL
from tests.property.examples import examples

from .strategies import AGENTS, BASE_URLS, PATHS, entries_below, robots_files

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
ORDER = ("loc", "lastmod", "changefreq", "priority", "link", "image")
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
XSD_DIR = os.environ.get("SITEMAP_XSD_DIR", "")

# A file takes foreign elements only with their schema (processContents="strict").
LINK_XSD = f"""
<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="{XHTML}">
  <xsd:element name="link"><xsd:complexType>
    <xsd:attribute name="rel" type="xsd:string" fixed="alternate" use="required"/>
    <xsd:attribute name="hreflang" use="required"><xsd:simpleType>
      <xsd:restriction base="xsd:language"/>
    </xsd:simpleType></xsd:attribute>
    <xsd:attribute name="href" type="xsd:anyURI" use="required"/>
  </xsd:complexType></xsd:element>
</xsd:schema>
"""
# Google, image sitemaps: `<image:image>` with one `<image:loc>`, up to 1,000 of them.
IMAGE_XSD = f"""
<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="{IMAGE}"
    elementFormDefault="qualified">
  <xsd:element name="image"><xsd:complexType><xsd:sequence>
    <xsd:element name="loc" type="xsd:anyURI"/>
  </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>
"""


@dataclass(frozen=True)
class Site:
    """The entries of a site, and the limits of its files."""

    entries: list
    options: Options
    max_index_parts: int
    max_bytes: int = MAX_BYTES


@st.composite
def sites(draw: st.DrawFn) -> Site:
    base_url = draw(BASE_URLS)
    entries = draw(entries_below(base_url, max_size=9))
    how = draw(st.sampled_from(["datetime", "date"]))
    indent = draw(st.integers(0, 2))
    largest = max(len(xml.indented(xml.url_element(e, how), indent)) for e in entries)
    header = xml.urlset_header("sitemap.xml", "0" * 12, links=True, images=True)
    frame = len(header) + len(xml.URLSET_FOOTER)
    return Site(
        entries,
        Options(
            base_url=base_url,
            lastmod_format=how,
            gzip=draw(st.booleans()),
            indent=indent,
            max_urls=draw(st.integers(1, 10)),
        ),
        draw(st.integers(1, 4)),
        # An index's entry of a part has room, too.
        frame + largest + 6 * len(base_url) + draw(st.integers(200, 1000)),
    )


def written(site: Site, folder: str) -> dict[str, bytes]:
    """Write a site's files and return them in the order of writing."""
    files = plan_files(site.entries, site.options.base_url, site.options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "MAX_INDEX_PARTS", site.max_index_parts)
        patch.setattr(plan, "MAX_BYTES", site.max_bytes)
        paths, _ = publish(
            files, output_dir=Path(folder), filename=site.options.filename
        )
    assert sorted(paths) == sorted(Path(folder).iterdir())
    return {path.name: path.read_bytes() for path in paths}


def texts(element: etree._Element, name: str) -> list[str]:
    return [child.text for child in element.findall(f"{{{SITEMAP}}}{name}")]


def as_printed(moment: date | None, how: str) -> list[str]:
    """Return the expected `<lastmod>`, computed by the standard library alone."""
    if moment is None:
        return []
    if not isinstance(moment, datetime):
        return [moment.isoformat()]
    utc = moment.astimezone(UTC)
    return [
        utc.date().isoformat()
        if how == "date"
        else utc.replace(microsecond=0).isoformat()
    ]


def instant(moment: date) -> datetime:
    if isinstance(moment, datetime):
        return moment
    return datetime(moment.year, moment.month, moment.day, tzinfo=UTC)


@examples(80)
@given(site=sites())
def test_parts_contain_every_entry_once_in_order(site):
    """The values are unchanged, and each part is within the limits."""
    with TemporaryDirectory() as folder:
        files = written(site, folder)

    options = site.options
    urlsets = [
        name for name in files if f'<urlset xmlns="{SITEMAP}"'.encode() in files[name]
    ]
    left = iter(site.entries)
    for name in urlsets:
        elements = etree.fromstring(files[name]).findall(f"{{{SITEMAP}}}url")
        assert 1 <= len(elements) <= options.max_urls
        assert len(files[name]) <= site.max_bytes
        for element, entry in zip(elements, left, strict=False):
            order = [child.tag.rpartition("}")[2] for child in element]
            ranks = [ORDER.index(n) for n in order]
            assert ranks == sorted(ranks)
            assert texts(element, "loc") == [entry.url]
            assert texts(element, "lastmod") == as_printed(
                entry.lastmod, options.lastmod_format
            )
            assert texts(element, "changefreq") == [c for c in [entry.changefreq] if c]
            priorities = [Decimal(text) for text in texts(element, "priority")]
            assert len(priorities) == (entry.priority is not None)
            assert all(
                abs(p - Decimal(entry.priority)) <= Decimal("0.005") for p in priorities
            )
            links = element.findall(f"{{{XHTML}}}link")
            assert all(link.get("rel") == "alternate" for link in links)
            images = element.findall(f"{{{IMAGE}}}image/{{{IMAGE}}}loc")
            assert entry.images == tuple(image.text for image in images)
            assert entry.links == tuple(
                Link(x.get("hreflang"), x.get("href")) for x in links
            )
    assert next(left, None) is None


@examples(80)
@given(site=sites())
def test_indexes_list_exactly_the_parts_with_their_newest_dates(site):
    with TemporaryDirectory() as folder:
        files = written(site, folder)

    plain = {
        name: etree.fromstring(text)
        for name, text in files.items()
        if name.endswith(".xml")
    }
    parts = [name for name, root in plain.items() if root.tag == f"{{{SITEMAP}}}urlset"]
    indexes = [
        name for name, root in plain.items() if root.tag == f"{{{SITEMAP}}}sitemapindex"
    ]
    assert list(plain) == parts + indexes
    assert "sitemap.xml" in plain
    if len(parts) == 1:
        assert [] == indexes
        return
    remaining = {entry.url: entry for entry in site.entries}
    expected = []
    for name in parts:
        inside = [
            remaining.pop(loc.text) for loc in plain[name].iter(f"{{{SITEMAP}}}loc")
        ]
        newest = max(
            (e.lastmod for e in inside if e.lastmod), key=instant, default=None
        )
        date_of_part = as_printed(newest, site.options.lastmod_format)
        expected.append(([site.options.base_url + name], date_of_part))
    listed = [plain[name].findall(f"{{{SITEMAP}}}sitemap") for name in indexes]
    assert all(1 <= len(elements) <= site.max_index_parts for elements in listed)
    assert expected == [
        (texts(element, "loc"), texts(element, "lastmod"))
        for elements in listed
        for element in elements
    ]


@FULL
@examples(50)
@given(site=sites())
def test_gzip_copies_have_the_same_bytes_and_a_second_run_writes_nothing(site):
    with TemporaryDirectory() as folder:
        files = written(site, folder)
        stats = {file: file.stat().st_ino for file in Path(folder).iterdir()}
        again = written(site, folder)
        assert stats == {file: file.stat().st_ino for file in Path(folder).iterdir()}

    plain = {name: text for name, text in files.items() if name.endswith(".xml")}
    twins = {
        name.removesuffix(".gz"): gzip.decompress(files[name])
        for name in files.keys() - plain
    }
    assert twins == (plain if site.options.gzip else {})
    assert files == again


@st.composite
def changes(draw: st.DrawFn) -> tuple[Site, Site]:
    """Return a site, and the same site after one page was added, removed or edited."""
    before = draw(sites())
    options = replace(
        before.options,
        gzip=False,
        split=draw(st.sampled_from(["size", "section"])),
    )
    one = draw(st.sampled_from(before.entries))
    others = [entry for entry in before.entries if entry is not one]
    if draw(st.booleans()) and others:  # Read backwards it is an addition.
        after = others
    else:
        lastmod = draw(st.none() | st.dates())
        after = [
            entry._replace(lastmod=lastmod) if entry is one else entry
            for entry in [*others, one]
        ]
    after = sorted(after, key=lambda entry: entry.url)
    pair = [Site(entries, options, 50_000) for entries in (before.entries, after)]
    return (pair[0], pair[1]) if draw(st.booleans()) else (pair[1], pair[0])


@examples(300)
@given(change=changes())
def test_one_page_changes_one_part_or_divides_it_or_joins_two(change):
    """All other files except the index keep their names and bytes."""
    before, after = (
        {
            file.name: b"".join(file.chunks)
            for file in plan_files(site.entries, site.options.base_url, site.options)
            if file.name != "sitemap.xml"
        }
        for site in change
    )

    names = before.keys() | after.keys()
    differ = {name for name in names if before.get(name) != after.get(name)}
    come, gone = differ - before.keys(), differ - after.keys()
    if before and after:
        # One part is new, has gone or has other bytes; one becomes two, or two become
        # one.
        assert len(differ) <= 1 or {len(come), len(gone)} == {1, 2}
        assert len(differ) <= 3
    else:
        # The whole site fits one file, sitemap.xml, on one side of the change.
        assert len(names) in {0, 2} or change[0].options.split == "section"


@examples(100)
@given(site=sites(), how=st.sampled_from(["size", "section"]))
def test_name_of_a_part_determines_its_urls(site, how):
    """Among any parts of any builds of one site,
    files of one name hold nothing that is not theirs.

    So a crawler that reads an old index beside new parts still finds each page that
    both have.
    """
    options = replace(site.options, split=how)
    place: dict[str, set[str]] = {}
    for entries in (
        site.entries,
        site.entries[::2],
        site.entries[1::2],
        site.entries[:-1],
    ):
        for file in plan_files(entries, options.base_url, options):
            root = etree.fromstring(b"".join(file.chunks))
            if root.tag == f"{{{SITEMAP}}}urlset" and file.name != "sitemap.xml":
                place.setdefault(file.name, set()).update(
                    loc.text for loc in root.iter(f"{{{SITEMAP}}}loc")
                )
    whole = {file.name for file in plan_files(site.entries, options.base_url, options)}
    for name in whole & place.keys():
        others = [place[other] for other in whole & place.keys() if other != name]
        assert all(place[name].isdisjoint(urls) for urls in others)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory) -> dict[str, etree.XMLSchema]:
    """Return the official schemas by the root element that each of them is for."""
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "link.xsd").write_text(LINK_XSD, "utf-8")
    (folder / "image.xsd").write_text(IMAGE_XSD, "utf-8")
    found = {}
    for root, name in {
        "urlset": "sitemap.xsd",
        "sitemapindex": "siteindex.xsd",
    }.items():
        official = Path(XSD_DIR, name).resolve().as_uri()
        both = f"""
        <xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
          <xsd:import namespace="{SITEMAP}" schemaLocation="{official}"/>
          <xsd:import namespace="{XHTML}" schemaLocation="{(folder / "link.xsd").as_uri()}"/>
          <xsd:import namespace="{IMAGE}" schemaLocation="{(folder / "image.xsd").as_uri()}"/>
        </xsd:schema>"""
        found[root] = etree.XMLSchema(etree.fromstring(both))
    return found


@pytest.mark.skipif(
    not XSD_DIR, reason="SITEMAP_XSD_DIR does not name the schemas' folder"
)
@examples(80)
@given(site=sites())
def test_every_file_follows_the_official_schemas(schemas, site):
    """The schemas are those of sitemaps.org."""
    with TemporaryDirectory() as folder:
        files = written(site, folder)

    for name, text in files.items():
        if name.endswith(".xml"):
            root = etree.fromstring(text)
            schemas[etree.QName(root).localname].assertValid(root)


URLS = ["https://example.com/sitemap.xml", "https://example.com/sitemap-index-2.xml"]


def verdicts_of_stdlib(text: str) -> tuple[list[bool], list[str]]:
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    allowed = [
        parser.can_fetch(a, f"https://example.com/{p}") for a in AGENTS for p in PATHS
    ]
    return allowed, parser.site_maps() or []


def verdicts_of_protego(text: str) -> tuple[list[bool], list[str]]:
    parser = Protego.parse(text)
    allowed = [
        parser.can_fetch(f"https://example.com/{p}", a) for a in AGENTS for p in PATHS
    ]
    return allowed, list(parser.sitemaps)


@examples(200)
@given(before=robots_files())
@example(before=b"\xef\xbb\xbf")
@example(before=b"User-agent: *\nDisallow: /a")
@example(before=b"Sitemap: https://example.com/sitemap.xml and more")
@example(before=b"User-agent: *\nDisallow: /\nAllow: /a #\r")
@example(before=b"Sitemap: https://example.com/sitemap.xml\x01")
@example(before=b"Sitemap: \x1fhttps://example.com/sitemap.xml")
@pytest.mark.parametrize("read", [verdicts_of_stdlib, verdicts_of_protego])
def test_robots_txt_names_our_sitemaps_and_keeps_its_rules(read, before):
    """Readers find each line once; no rule changes its effect;
    the user's bytes are kept."""
    assume(not before.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"))  # HTML.
    after = with_sitemaps(before, URLS)

    allowed, named = read(before.decode("utf-8-sig", "replace"))
    allowed_after, named_after = read(after.decode("utf-8-sig", "replace"))
    assert after.startswith(before)
    assert allowed_after == allowed
    assert named_after[: len(named)] == named
    assert set(URLS) <= set(named_after)
    assert len(named_after) - len(named) == after.count(b"Sitemap: ") - before.count(
        b"Sitemap: "
    )
    assert with_sitemaps(after, URLS) == after
