"""Every kind of fault is found, and nothing is found in valid sitemaps."""

from __future__ import annotations

import pytest

from tests.check.checked_site import result_of_file
from tests.check.kinds import (
    FAULTY,
    VALID,
    dated,
    image,
    news,
    page,
    video,
    write_files,
)
from tests.folder.html_folder import BASE
from tests.full import usually


@pytest.mark.parametrize("kind", usually(FAULTY, *FAULTY.keys() - {"too many entries"}))
def test_a_kind_of_fault_has_its_code_and_no_other(tmp_path, kind):
    codes, files = FAULTY[kind]

    assert set(codes.split()) == set(
        result_of_file(write_files(tmp_path, files)).counts
    )


@pytest.mark.parametrize("kind", VALID)
def test_nothing_is_found_in_a_valid_sitemap(tmp_path, kind):
    assert [] == [*result_of_file(write_files(tmp_path, VALID[kind])).findings]


def test_nearly_all_kinds_are_found():
    assert (93, 34) == (len(FAULTY), len(VALID))
    assert 90 <= sum(bool(codes) for codes, _ in FAULTY.values())


DIGITS = "1" * 1_000_000
HOSTILE = {
    "images": image("<image:loc>a</image:loc>" * 30_000),
    "URL of an image": image(f"<image:loc>{BASE}{'é' * 1_000_000}</image:loc>"),
    "relative URL of an image": image(f"<image:loc>{'a' * 2_000}</image:loc>"),
    "nested elements": image("<image:loc>" * 200 + DIGITS + "</image:loc>" * 200),
    "duration": video(duration=DIGITS),
    "description": video(description=DIGITS),
    "tags": video(more="<video:tag/>" * 90_000),
    "publication date": news(publication_date=f"2024-01-01T00:00:00.{DIGITS}Z"),
    "language of news": news(language=DIGITS),
    "date before the web": dated(f"1970-01-01T00:00:00.{DIGITS}Z"),
    "frequency": page(f"<changefreq>{'Weekly' * 100_000}</changefreq>"),
    "namespaces": page(f'<a xmlns="http://www.w3.org/xhtml{DIGITS}"/>'),
    "versions": page(
        f'<xhtml:link rel="alternate" hreflang="en" href="{BASE}"/>' * 50_000
    ),
}


@pytest.mark.parametrize("kind", usually(HOSTILE, *HOSTILE.keys() - {"versions"}))
def test_a_finding_quotes_a_strangers_text_shortly(tmp_path, kind):
    result = result_of_file(write_files(tmp_path, HOSTILE[kind]))

    assert all(
        len(f"{each.problem}{each.cure}{each.about}") < 600 for each in result.findings
    )
