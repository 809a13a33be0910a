"""Faults that were missed once, each in its smallest form,
and sound sites like them."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.files.xml import signature_comment
from tests.checks.checked_site import (
    URLS,
    index,
    result_of,
    result_of_file,
    url,
    urlset,
    write_site,
)
from tests.checks.test_run import many_pages
from tests.folder.html_folder import BASE, commit, page, write
from tests.git_repository import GitRepository

PART = urlset(*URLS)


def parts(loc):
    """Return an index of one part, which is beside it under the name in its URL."""
    name = loc.rpartition("/")[2].partition("#")[0]
    return {"sitemap.xml": index(loc), name: PART}


PARTS = {
    "not ASCII": ("bad-url", f"{BASE}s\u00fc.xml"),
    "space": ("bad-url", f"{BASE}s 1.xml"),
    "fragment": ("bad-url", f"{BASE}s1.xml#x"),
    "password": ("bad-url", "https://user:pw@example.com/s1.xml"),
    "FTP": ("bad-url", "ftp://example.com/s1.xml"),
    "local server": ("local-address", "http://localhost:3000/s1.xml"),
    "too long": ("url-too-long", f"{BASE}{'x/' * 1_100}s1.xml"),
    "scheme twice": ("suspect-url", f"https://{BASE}s1.xml"),
    "nothing": ("", f"{BASE}s1.xml"),
}


@pytest.mark.parametrize("case", PARTS)
def test_the_url_of_a_part_follows_the_rules_of_urls(tmp_path, case):
    code, loc = PARTS[case]
    write(tmp_path, parts(loc))

    found = result_of_file(tmp_path / "sitemap.xml").counts.keys() - {"missing-part"}

    assert {code} - {""} == found - {"outside-scope"}


XLINK = (
    '<x:link xmlns:x="http://www.w3.org/1999/xlink" rel="alternate" hreflang="de"'
    f' href="{BASE}de/"/>'
)
FILES = {
    "namespace of XLink": ("unknown-element", urlset(url("", more=XLINK))),
    "scheme twice": ("suspect-url", urlset(url("", base=f"https://{BASE}"))),
    "line of CSV": ("suspect-url", f"{BASE}\n{BASE}a/,2024-01-01\n"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file(tmp_path, case):
    code, text = FILES[case]
    name = "sitemap.xml" if text.startswith("<") else "sitemap.txt"
    write(tmp_path, {name: text})

    assert code in result_of_file(tmp_path / name).counts


def found(result):
    return {(*each.kind, each.problem) for each in result.findings}


def test_a_sitemap_line_to_a_missing_file_is_found(tmp_path):
    write_site(tmp_path)
    lines = [f"Sitemap: {BASE}{name}\n" for name in ("sitemap.xml", "gone.xml")]
    lines += [f"Sitemap: {BASE}blog/sitemap.xml\n", f"Sitemap: {BASE}{'a' * 300}.xml\n"]
    write(tmp_path, {"out/robots.txt": "".join(lines)})

    problem = "robots.txt names '{}', which is not in this folder"
    assert {
        ("missing-part", "error", problem.format(f"{BASE}gone.xml")),
        ("missing-part", "info", problem.format(f"{BASE}blog/sitemap.xml")),
    } <= found(result_of(tmp_path))


def test_other_hosts_and_robots_below_the_root_are_not_looked_for(tmp_path):
    write_site(tmp_path)
    robots = f"Sitemap: {BASE}sitemap.xml\nSitemap: https://example.org/gone.xml\n"
    write(tmp_path, {"out/robots.txt": robots})

    assert {} == result_of(tmp_path).counts


def undated(folder):
    declaration = signature_comment("sitemap.xml").decode()
    entries = [url(path) for path in ("", "a/", "b/")]
    write(folder, {"out/sitemap.xml": urlset(*entries, declaration=declaration)})


def test_the_cure_of_missing_dates_is_that_of_a_build(tmp_path):
    write_site(tmp_path, git=False)
    undated(tmp_path)
    GitRepository(tmp_path).git("commit", "-q", "--allow-empty", "-m", "1")

    [finding] = [e for e in result_of(tmp_path).findings if e.code == "no-dates"]

    assert "fetch_history" not in finding.cure
    assert "commit" in finding.cure


def test_dates_that_a_build_would_find_were_lost_by_a_shallow_clone(tmp_path):
    write_site(tmp_path)
    undated(tmp_path)

    [finding] = [e for e in result_of(tmp_path).findings if e.code == "no-dates"]

    assert finding.cure.startswith("Set `fetch_history: true`")


def test_dates_of_a_build_are_found_if_few_sources_are_known(tmp_path):
    commit(tmp_path, many_pages(tmp_path)[0])

    assert 1 == result_of(tmp_path).counts["uniform-dates"]


@pytest.mark.parametrize(
    ("hosting", "severity", "who"),
    [
        ("", "info", "nearly every server redirects"),
        ("github", "warning", "GitHub Pages redirects"),
    ],
)
def test_a_canonical_link_without_the_slash_is_found(tmp_path, hosting, severity, who):
    write_site(tmp_path)
    write(tmp_path, {"out/a/index.html": page(f"{BASE}a")})

    text = f"the canonical link of '{BASE}a/' is '{BASE}a', which {who}"
    assert [("host-redirects", severity, text)] == [
        *found(result_of(tmp_path, hosting=hosting))
    ]


def alternates(*languages, base=BASE):
    """Return the links of a page: each language is in a folder of its own."""
    return "".join(
        f"<link rel=alternate hreflang={language} href='{base}{language}/b/'>"
        for language in languages
    )


def translated(folder, heads):
    """Write a page in each language, with these links in its head."""
    write_site(folder)
    pages = {
        f"out/{language}/b/index.html": page(f"{BASE}{language}/b/", head=head)
        for language, head in heads.items()
    }
    entries = [url(f"{language}/b/") for language in heads]
    write(folder, {**pages, "out/sitemap.xml": urlset(*URLS, *entries)})


ALL = ("en", "de", "fr")
HREFLANG = {
    "no links at all": (
        {"en": alternates("en", "de"), "de": ""},
        [("hreflang", "error")],
    ),
    "no return to one of three": (
        {"en": alternates(*ALL), "de": alternates("de", "fr"), "fr": alternates(*ALL)},
        [("hreflang", "error")],
    ),
    "not itself": (
        {"en": alternates("de"), "de": alternates("en", "de")},
        [("hreflang-self", "info")],
    ),
    "relative": (
        dict.fromkeys(("en", "de"), alternates("en", "de", base="/")),
        [("hreflang", "info")],
    ),
    "a group": (dict.fromkeys(ALL, alternates(*ALL)), []),
    "a page to choose": (
        {
            "en": alternates("en") + alternates("x-default"),
            "x-default": "",
        },
        [],
    ),
}


@pytest.mark.parametrize("case", HREFLANG)
def test_the_links_of_pages_between_languages(tmp_path, case):
    heads, kinds = HREFLANG[case]
    translated(tmp_path, heads)

    assert set(kinds) == result_of(tmp_path).numbers.keys()


def test_a_switch_to_the_home_page_of_each_language_is_not_a_group(tmp_path):
    write_site(tmp_path)
    head = "".join(
        f"<link rel=alternate hreflang={language} href='{BASE}{path}'>"
        for language, path in (("en", ""), ("de", "de/"))
    )
    paths = ("", "a/", "b/", "de/", "de/a/")
    pages = {f"out/{path}index.html": page(BASE + path, head=head) for path in paths}
    entries = [url(path) for path in paths]
    write(tmp_path, {**pages, "out/sitemap.xml": urlset(*entries)})

    assert {} == result_of(tmp_path).counts
