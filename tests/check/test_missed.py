"""Faults that were missed once, each in its smallest form,
and sound sites like them."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.publishing.xml import signature_comment
from tests.check.checked_site import (
    URLS,
    index,
    result_of,
    result_of_file,
    url,
    urlset,
    write_site,
)
from tests.check.test_run import many_pages
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
VIDEO = (
    '<video:video xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">'
    f"<video:thumbnail_loc>{BASE}a.png</video:thumbnail_loc><video:title>A</video:title>"
    "<video:description>A</video:description>"
    f"<video:content_loc>{BASE}a.mp4</video:content_loc>"
    "<video:expiration_date>{}</video:expiration_date></video:video>"
)
LINK = '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'
EN, DE, FR = (LINK.format(code, f"{BASE}{code}/") for code in ("en", "de", "fr"))
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns="http://purl.org/rss/1.0/"/>'
)
FILES = {
    "text before the entries": ("unknown-element", urlset("text", *URLS)),
    "text between the entries": ("unknown-element", urlset(URLS[0], "text", URLS[1])),
    "text after the entries": ("unknown-element", urlset(*URLS, "text")),
    "text in an entry": ("unknown-element", urlset(url("", more="text"))),
    "text in an index": (
        "unknown-element",
        index(f"{BASE}s.xml").replace("<sitemap>", "text<sitemap>"),
    ),
    "an element in loc": (
        "unknown-element",
        urlset(f"<url><loc><a>{BASE}</a></loc></url>"),
    ),
    "a link before the priority": (
        "element-order",
        urlset(url("en/", more=f"{EN}<priority>0.5</priority>")),
    ),
    "fewer versions than another": (
        "hreflang",
        urlset(
            url("en/", more=EN + DE),
            url("de/", more=EN + DE + FR),
            url("fr/", more=DE + FR),
        ),
    ),
    "RSS 1.0": ("not-a-sitemap", RDF),
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


SOUND_FILES = {
    "a document type": urlset(*URLS, declaration="<!DOCTYPE urlset>\n"),
    "an element of another namespace": urlset('<x xmlns="urn:x">a</x>', *URLS),
    "one in an index": index(f"{BASE}s.xml").replace(
        "<sitemap>", '<x xmlns="urn:x">a</x><sitemap>', 1
    ),
    "text in CDATA": urlset(f"<url><loc><![CDATA[{BASE}?a&b]]></loc></url>"),
    "equal versions": urlset(
        url("en/", more=EN + DE), url("de/", more=DE + EN), url("c/")
    ),
    "a video that expires later": urlset(url("", more=VIDEO.format("2099-01-01"))),
}


@pytest.mark.parametrize("case", SOUND_FILES)
def test_a_sound_file_has_no_finding(tmp_path, case):
    write(tmp_path, {"sitemap.xml": SOUND_FILES[case], "s.xml": PART})

    assert {} == result_of_file(tmp_path / "sitemap.xml").counts


def found(result):
    return {(*each.kind, each.problem) for each in result.findings}


def test_a_sitemap_line_to_a_missing_file_is_found(tmp_path):
    write_site(tmp_path)
    lines = [f"Sitemap: {BASE}{name}\n" for name in ("sitemap.xml", "gone.xml")]
    lines += [f"Sitemap: {BASE}blog/sitemap.xml\n", f"Sitemap: {BASE}{'a' * 300}.xml\n"]
    write(tmp_path, {"out/robots.txt": "".join(lines)})

    problem = "robots.txt names '{}', which is not in this folder"
    assert [2, 3] == [finding.line for finding in result_of(tmp_path).findings]
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

    assert finding.cure.startswith("set `fetch_history: true`")


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


def test_a_redirect_of_docusaurus_has_its_own_cure(tmp_path):
    """GitHub redirects the URLs of folders that it writes without a slash."""
    write_site(tmp_path)
    head = "<meta name='generator' content='Docusaurus v3'>"
    write(
        tmp_path,
        {
            "out/a/index.html": page(f"{BASE}a", head=head),
            "out/sitemap.xml": urlset(URLS[0], url("a"), URLS[2]),
        },
    )
    findings = result_of(tmp_path, hosting="github").findings
    (cure,) = {each.cure for each in findings if each.code == "host-redirects"}

    assert "set `trailingSlash: true` in Docusaurus' settings" == cure


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
    "not themselves, of three": (
        {
            "en": alternates("de", "fr"),
            "de": alternates("en", "fr"),
            "fr": alternates("en", "de"),
        },
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


IMAGE = (
    '<image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
    "<image:loc>{}</image:loc></image:image>"
)
UNAVAILABLE = "<meta name=robots content='noarchive, unavailable_after: {}'>"
PAGES = {
    "an expired page": (
        UNAVAILABLE.format("25 Jun 2010 15:00:00 PST"),
        [("noindex", "error")],
    ),
    "one that expired by RFC 850": (
        UNAVAILABLE.format("Friday, 25-Jun-10 15:00:00 GMT"),
        [("noindex", "error")],
    ),
    "one that expires later": (UNAVAILABLE.format("2099-01-01"), []),
    "a word in place of a date": (UNAVAILABLE.format("soon"), []),
    "the title of an error page": (
        "<title>404 Not Found</title>",
        [("soft-404", "warning")],
    ),
    "a title about errors": ("<title>Errors and their causes</title>", []),
}


@pytest.mark.parametrize("case", PAGES)
def test_what_a_listed_page_says(tmp_path, case):
    head, kinds = PAGES[case]
    write_site(tmp_path)
    html = page(f"{BASE}a/", head=head)
    if "<title>" in head:
        html = html.replace("<title>x</title>", "")
    write(tmp_path, {"out/a/index.html": html})

    assert set(kinds) == result_of(tmp_path).numbers.keys()


def test_a_page_about_an_error_can_have_its_title(tmp_path):
    write_site(tmp_path)
    html = page(f"{BASE}404/").replace("<title>x", "<title>404 Not Found")
    entries = urlset(*URLS, url("404/"))
    write(tmp_path, {"out/404/index.html": html, "out/sitemap.xml": entries})

    assert "soft-404" not in result_of(tmp_path).counts


@pytest.mark.parametrize(
    ("address", "counts"),
    [
        (f"{BASE}gone.png", {"missing": 1}),
        (f"{BASE}a%20b.png", {}),
        ("https://cdn.example.net/gone.png", {}),
    ],
)
def test_an_image_of_the_site_has_a_file(tmp_path, address, counts):
    write_site(tmp_path)
    entries = [*URLS[:2], url("b/", more=IMAGE.format(address))]
    write(tmp_path, {"out/a b.png": "", "out/sitemap.xml": urlset(*entries)})

    assert counts == result_of(tmp_path).counts


def test_a_sitemap_line_to_a_page_is_found(tmp_path):
    write_site(tmp_path)
    lines = f"Sitemap: {BASE}sitemap.xml\nSitemap: {BASE}a/\n"
    write(tmp_path, {"out/robots.txt": lines})

    text = f"robots.txt names '{BASE}a/' as a sitemap, which is a page"
    assert {("not-a-sitemap", "error", text)} == found(result_of(tmp_path))


def test_a_site_without_robots_txt_is_no_warning(tmp_path):
    write_site(tmp_path)
    (tmp_path / "out/robots.txt").unlink()

    text = "there is no robots.txt to name the sitemap"
    assert {("not-announced", "info", text)} == found(result_of(tmp_path))


def test_a_part_in_a_folder_lists_what_is_there(tmp_path):
    write_site(tmp_path)
    pages = {
        f"out/en/{path}index.html": page(f"{BASE}en/{path}") for path in ("", "c/")
    }
    inside = [url("en/"), url("en/c/")]
    index_file = index(f"{BASE}en/s1.xml", f"{BASE}en/s2.xml")
    parts = {"out/en/s1.xml": urlset(*URLS), "out/en/s2.xml": urlset(*inside)}
    write(tmp_path, {**pages, **parts, "out/sitemap.xml": index_file})

    text = "'en/s1.xml': 3 URLs not below the folder of the part that lists them"
    assert {("outside-scope", "info", text)} == found(result_of(tmp_path))


def test_versions_in_folders_that_are_not_here_are_one_finding(tmp_path):
    heads = dict.fromkeys(("en", "de"), alternates(*ALL, "es"))
    translated(tmp_path, heads)

    names = f"'{BASE}fr/b/' and '{BASE}es/b/'"
    text = f"pages link to versions in folders that are not here: {names}"
    assert {("hreflang", "info", text)} == found(result_of(tmp_path))


def test_empty_folder_in_urls_moves_no_address(tmp_path):
    names = ("index.html", "2022/a.html", "2022/b.html")
    write(tmp_path, {f"out/{name}": page() for name in names})
    entries = [url(""), url("/2022/a.html"), url("/2022/b.html")]
    write(tmp_path, {"out/sitemap.xml": urlset(*entries)})
    found = result_of(tmp_path)

    assert "outside-scope" not in found.counts
    assert 2 == found.counts["suspect-url"] == found.counts["missing"]
