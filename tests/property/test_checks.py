"""Any content of a sitemap file ends with findings; our own sitemaps have none."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.core import codes as table_of_codes
from tests.check.checked_site import NS, result_of_file
from tests.full import FULL

FINDINGS = table_of_codes.findings()

PIECES = st.sampled_from(
    [
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<lastmod>",
        "</lastmod>",
        "<sitemap>",
        "&amp;",
        "</sitemap>",
        "<!--",
        "-->",
        "<?x?>",
        "&x;",
        "<![CDATA[",
        "]]>",
        "https://e.com/",
        "%",
        "<x:link hreflang='de' href='//['/>",
        "2024-01-01",
        "9999-12-31T23:59:59-14:00",
        "\0",
    ]
)
# What XML 1.0 allows in a text.
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30
)


def codes(data):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sitemap.xml")
        file.write_bytes(data)
        return set(result_of_file(file).counts)


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_give_findings(data, packed):
    assert codes(gzip.compress(data) if packed else data) & {
        "not-well-formed",
        "not-a-sitemap",
    }


@FULL
@given(
    st.sampled_from(["urlset", "sitemapindex"]), st.lists(PIECES | TEXTS, max_size=20)
)
def test_any_pieces_of_a_sitemap_give_findings(root, pieces):
    start = f"<{root} xmlns='{NS}' xmlns:x='http://www.w3.org/1999/xhtml'>"
    found = codes(f"{start}{''.join(pieces)}</{root}>".encode())

    assert found <= set(FINDINGS)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_any_texts_in_a_sitemap_give_findings_or_none(values):
    urls = "".join(
        f"<url><loc>{escape(loc)}</loc><lastmod>{escape(date)}</lastmod></url>"
        for loc, date in values
    )

    assert "not-well-formed" not in codes(
        f"<urlset xmlns='{NS}'>{urls}</urlset>".encode()
    )
