"""Findings as text for programs and people, within what those who read it take."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from lxml import etree
from markdown_it import MarkdownIt

from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.codes import SEVERITIES
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.findings.formats import (
    FORMATS,
    VERSION,
    as_html,
    as_markdown,
)
from sitemap_plugins.findings.records import (
    Finding,
    Result,
    baseline_text,
    read_baseline,
)
from tests.check.checked_site import URLS, result_of, urlset, write_site
from tests.cli.command import run

FINDINGS = table_of_codes.findings()
REASONS = table_of_codes.reasons()

NASTY = "<b>&\"' \x1b[31m\n::error::x"
LINES = (
    Finding(
        code="noindex",
        problem=f"{NASTY} 1",
        url="https://e.com/a",
        source="docs/a b:,.md",
    ),
    Finding(
        code="noindex", problem="two", url="https://e.com/b", file="sitemap.xml", line=7
    ),
    Finding(
        code="not-listed", problem="three", url="https://e.com/c", file="sitemap.xml"
    ),
    Finding(
        code="long-url",
        problem="four",
        url="https://e.com/d",
        file="sitemap.xml",
        line=9,
    ),
)
RESULT = Result(
    findings=LINES,
    numbers=Counter(
        {
            ("noindex", "error"): 5_000,
            ("not-listed", "warning"): 1,
            ("long-url", "info"): 1,
        }
    ),
    files=1,
    urls=4,
)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
NOTHING = Result(findings=(), numbers=Counter(), files=1, urls=4)


def test_json_has_every_finding_and_all_counts():
    document = json.loads(FORMATS["json"](RESULT))

    assert {"noindex": 5_000, "not-listed": 1, "long-url": 1} == document["counts"]
    assert [finding["code"] for finding in document["findings"]] == [
        f.code for f in LINES
    ]
    assert 7 == document["findings"][1]["line"]
    assert [] == json.loads(FORMATS["json"](NOTHING))["findings"]


def test_junit_has_a_case_for_each_code_and_only_warnings_fail():
    suite = etree.fromstring(FORMATS["junit"](RESULT).encode())[0]
    failed = {case.get("name") for case in suite if case.find("failure") is not None}

    assert len(suite) == len(FINDINGS) == int(suite.get("tests"))
    assert {"noindex", "not-listed"} == failed
    assert 2 == int(suite.get("failures"))
    assert "5,000" in suite.xpath("testcase[@name='noindex']/failure/@message")[0]


MIXED = Result(
    findings=(
        Finding(
            code="not-listed", problem="one", url="https://e.com/a", file="sitemap.xml"
        ),
        Finding(
            code="not-listed",
            problem="two",
            url="https://e.com/b",
            file="b.xml",
            matters="info",
        ),
    ),
    numbers=Counter({("not-listed", "warning"): 1, ("not-listed", "info"): 20}),
    files=2,
    urls=9,
)
DOUBTFUL = MIXED.filtered(lambda finding: finding.severity == "info")


def test_findings_of_one_code_can_matter_more_or_less_everywhere():
    (report,) = json.loads(FORMATS["sarif"](MIXED))["runs"]
    suite = etree.fromstring(FORMATS["junit"](DOUBTFUL).encode())[0]
    lines = FORMATS["github"](MIXED).splitlines()

    assert {"not-listed": 21} == MIXED.counts
    assert ("warning", "info") == (MIXED.worst(), DOUBTFUL.worst())
    assert "9 URLs in 2 files: 1 warning, 20 info" == MIXED.summary()
    assert ["warning", "note"] == [result["level"] for result in report["results"]]
    assert 1 == len(report["tool"]["driver"]["rules"])
    assert ["::warning ", "::notice "] == [
        line[: line.index(" ") + 1] for line in lines
    ]
    assert ["| warning `not-listed` (1)", "| info `not-listed` (20)"] == [
        line.partition("<br>")[0]
        for line in as_markdown(MIXED).splitlines()
        if "`not-" in line
    ]
    assert 'class="info">not-listed' in as_html(MIXED)
    assert (0, 1) == (int(suite.get("failures")), len(suite.findall(".//system-out")))
    severities = [
        finding["severity"]
        for finding in json.loads(FORMATS["json"](MIXED))["findings"]
    ]
    assert ["warning", "info"] == severities


def test_a_known_finding_stays_known_if_it_matters_more(tmp_path):
    (tmp_path / "known.json").write_text(baseline_text(DOUBTFUL.findings))
    known = read_baseline(tmp_path / "known.json")
    worse = replace(DOUBTFUL.findings[0], matters="error")

    assert worse.fingerprint in known


def test_sarif_points_at_sources_and_keeps_fingerprints():
    (report,) = json.loads(FORMATS["sarif"](RESULT))["runs"]
    first, second, *_ = report["results"]

    place = first["locations"][0]["physicalLocation"]
    assert {"uri": "docs/a%20b%3A%2C.md", "uriBaseId": "%SRCROOT%"} == place[
        "artifactLocation"
    ]
    assert {"startLine": 7} == second["locations"][0]["physicalLocation"]["region"]
    assert first["partialFingerprints"] != second["partialFingerprints"]
    assert [
        "noindex",
        "not-listed",
        "long-url",
    ] == [rule["id"] for rule in report["tool"]["driver"]["rules"]]
    assert {"error", "warning", "note"} == {
        result["level"] for result in report["results"]
    }


FETCHED = Result(
    findings=(
        Finding(code="http-status", problem="x", file="https://e.com/a.xml", line=3),
    ),
    numbers=Counter({("http-status", "error"): 1}),
)


def test_a_fetched_sitemap_is_not_a_file_of_the_repository():
    (report,) = json.loads(FORMATS["sarif"](FETCHED))["runs"]
    place = report["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]

    assert {"uri": "https://e.com/a.xml"} == place
    assert FORMATS["github"](FETCHED).startswith("::error title=http-status%3A ")
    assert "::https://e.com/a.xml:3: x: publish a page" in FORMATS["github"](FETCHED)


def test_sarif_holds_no_more_results_than_are_shown():
    many = Result(
        findings=LINES[1:2] * 6_000, numbers=Counter({("noindex", "error"): 6_000})
    )

    assert 5_000 == len(json.loads(FORMATS["sarif"](many))["runs"][0]["results"])


def test_github_gets_one_annotation_for_each_code_and_no_other_command():
    lines = FORMATS["github"](RESULT).splitlines()

    assert ["::error", "::warning", "::notice"] == [
        line.split(" ")[0] for line in lines
    ]
    assert lines[0].startswith(
        "::error file=docs/a b%3A%2C.md,title=noindex%3A A listed page"
    )
    assert "and 4,998 more" in lines[0]


@pytest.mark.parametrize(("ground", "theme"), [("#fff", 0), ("#121212", 1)])
def test_the_reports_colours_can_be_read_in_both_themes(ground, theme):
    """At the contrast that WCAG 2.2 requires of text (1.4.3)."""
    for severity in SEVERITIES:
        colour = re.findall(rf"\.{severity} {{ color: (#\w+) }}", as_html(NOTHING))[
            theme
        ]

        assert 4.5 <= contrast(colour, ground), severity


def contrast(*colours):
    light, dark = sorted(map(luminance, colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    digits = (
        colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    )
    red, green, blue = (linear(value / 255) for value in bytes.fromhex(digits))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def test_the_report_is_one_page_that_needs_nothing_else_and_runs_nothing():
    text = as_html(RESULT)
    page = etree.HTML(text)

    assert "<p>4 URLs in 1 file</p>" in text
    assert '<p class="outcome">5,000 errors, 1 warning, 1 info</p>' in text
    assert not page.xpath("//script | //link | //img | //b")
    assert 3 == len(page.xpath("//details"))
    assert "nothing found" in as_html(NOTHING)
    assert not etree.HTML(as_html(NOTHING)).xpath("//table")


def test_the_report_shows_how_old_pages_are_and_why_others_are_not_listed():
    numbers = Result(ages={"up to a week": 30, "older": 1_200}, left_out={"noindex": 2})
    tables = etree.HTML(as_html(numbers)).xpath("//table")

    assert [
        [("up to a week", "30", "width: 2.5%"), ("older", "1,200", "width: 100.0%")],
        [(REASONS["noindex"].replace("`", ""), "2", "width: 0")],
    ] == [
        [
            tuple(
                row.xpath(f"string({part})") for part in ("*[1]", "*[2]", ".//@style")
            )
            for row in table.iter("tr")
        ]
        for table in tables
    ]
    assert ["_headers"] == [code.text for code in tables[1].iter("code")]


@pytest.mark.parametrize("form", [*FORMATS, "html"])
def test_no_format_lets_a_terminal_or_a_log_be_forged(form):
    text = as_html(RESULT) if form == "html" else FORMATS[form](RESULT)

    assert "\x1b" not in text
    assert "\n::error::x" not in text


def test_a_fingerprint_follows_the_url_and_not_the_line():
    moved = Finding(code="noindex", problem="other", url="https://e.com/b", line=99)

    assert moved.fingerprint == LINES[1].fingerprint
    assert len({finding.fingerprint for finding in LINES}) == len(LINES)


def test_a_baseline_is_read_as_it_was_written(tmp_path):
    (tmp_path / "known.json").write_text(baseline_text(LINES))

    assert read_baseline(tmp_path / "known.json") == {f.fingerprint for f in LINES}
    assert baseline_text(LINES) == baseline_text(LINES[::-1])


@pytest.mark.parametrize("text", ["", "[]", '{"known": 1}', '{"known": [{}]}'])
def test_an_invalid_baseline_is_reported_in_one_line(tmp_path, text):
    (tmp_path / "known.json").write_text(text)

    with pytest.raises(OptionsError, match="create it with --write-baseline"):
        read_baseline(tmp_path / "known.json")


LINK = Finding(
    code="hreflang-code", problem="x", url="https://e.com/z", file="z/index.html"
)
FETCHED_FINDINGS = (
    Finding(
        code="redirect",
        problem="x",
        url="https://e.com/a.xml",
        file="https://e.com/a.xml",
    ),
)
HOSTILE = Finding(
    code="noindex",
    problem="</td>\n```\n[x](javascript:1) <script> a|b *c* _d_ @e #1 &lt; \\ $f$ https://g.com `h",
    url='https://e.com/"onload=|<b>',
    line=1,
)


def test_values_in_markdown_mean_only_themselves():
    many = Result(findings=(HOSTILE,), numbers=Counter({("noindex", "error"): 12}))
    page = etree.HTML(
        MarkdownIt("commonmark").enable("table").render(as_markdown(many))
    )
    (row,) = page.xpath("//tbody/tr")
    _, places, cure = row

    assert {"code", "br", "a", "td"} == {
        element.tag for element in row.iterdescendants()
    }
    assert [{"href": HOSTILE.url}] == [dict(link.attrib) for link in row.iter("a")]
    said = HOSTILE.problem.replace("\n", "\\n")
    assert f"{HOSTILE.url} {said}and 11 more" == "".join(places.itertext())
    assert FINDINGS["noindex"].advice == cure.text


def test_markdown_begins_with_the_outcome_and_the_site():
    lines = as_markdown(replace(MIXED, site="https://e.com/", time=NOON)).splitlines()

    assert lines[0] == "**Sitemap check: 1 warning, 20 info**"
    assert lines[2].endswith("</a> · 2026-11-21 12:00 UTC · 9 URLs in 2 files")
    assert "**Sitemap check: nothing found**" in as_markdown(NOTHING)
    assert "|" not in as_markdown(NOTHING)


@pytest.mark.parametrize(
    ("findings", "urls", "fine"),
    [
        ((), 15, 15),
        (LINES[1:2] * 2, 15, 14),  # Two faults of one URL.
        (LINES[2:], 15, 15),  # Not listed, and only worth knowing.
        ((LINK, replace(LINK, about="https://e.com/y")), 15, 14),
        ((LINK, replace(LINES[2], url=LINK.url)), 15, 15),  # That page is not listed.
        (FETCHED_FINDINGS, 15, 15),  # Of a sitemap.
    ],
)
def test_fine_urls_are_listed_and_have_neither_error_nor_warning(findings, urls, fine):
    numbers = Counter((finding.code, finding.severity) for finding in findings)
    result = Result(
        findings=findings, numbers=numbers, files=1, urls=urls, requested=urls
    )

    assert fine == result.fine
    assert (
        f"<p>15 URLs in 1 file · 15 requested · {fine} without errors or warnings</p>"
        in (as_html(result))
    )
    assert RESULT.fine is None  # 4,998 findings were not kept.


def test_the_report_names_the_page_first_and_links_only_to_websites():
    script = Finding(
        code="bad-url", problem="'javascript:1' is bad", url="javascript:1", line=1
    )
    result = Result(
        findings=(HOSTILE, script), site="https://e.com/", numbers=Counter()
    )
    page = etree.HTML(as_html(result))
    hostile, other = page.xpath("//li")

    assert ["https://e.com/", HOSTILE.url] == page.xpath("//a/@href")
    assert hostile[0].text == HOSTILE.url
    assert other.text == "javascript:1 is bad"
    assert not page.xpath("//script | //*[@onload]")


SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs/check.schema.json").read_text("utf-8")
)


@pytest.mark.parametrize("result", [RESULT, NOTHING, MIXED, FETCHED])
def test_json_has_the_documented_form(result):
    document = json.loads(FORMATS["json"](result))

    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(document, SCHEMA)  # It allows no other names, and requires all.
    assert VERSION == document["version"]


def test_json_of_a_real_check_has_the_documented_form(tmp_path):
    write_site(tmp_path)
    entries = (
        "<url><loc>https://example.com/gone/</loc></url>",
        "<url/>",
        URLS[0],
        URLS[0],
    )
    (tmp_path / "out/sitemap.xml").write_text(urlset(*entries))

    document = json.loads(run(tmp_path, "check", "out", "--format", "json").out)

    jsonschema.validate(document, SCHEMA)
    assert {"missing", "missing-loc", "duplicate", "not-listed"} <= document[
        "counts"
    ].keys()


def test_files_of_a_folder_are_named_from_the_root_of_the_repository(tmp_path):
    """GitHub shows no other file."""
    write_site(tmp_path)
    (tmp_path / "out/robots.txt").write_text("")
    result = result_of(tmp_path)

    assert FORMATS["github"](result).startswith(
        "::warning file=out/robots.txt,title=not-announced"
    )
    [shown] = json.loads(FORMATS["sarif"](result))["runs"][0]["results"]
    place = shown["locations"][0]["physicalLocation"]["artifactLocation"]
    assert {"uri": "out/robots.txt", "uriBaseId": "%SRCROOT%"} == place
