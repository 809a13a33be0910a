"""The checks together: languages in folders of their own, repositories, sizes."""

from __future__ import annotations

import gzip
import re
from collections import Counter

import pytest

from sitemap_plugins.check.run import CheckOptions, check_folder
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.core.publishing.read import is_html
from sitemap_plugins.findings.records import MAX_KEPT, Finding
from sitemap_plugins.folder.options import FolderOptions, Project
from tests.check.checked_site import (
    MOMENTS,
    NOW,
    NS,
    URLS,
    index,
    links,
    result_of,
    result_of_file,
    url,
    urlset,
    write_site,
)
from tests.folder.html_folder import BASE, commit, html, page, untracked, write
from tests.git_repository import ENVIRON
from tests.shell_scripts import recording_git
from tests.sites import git


@pytest.fixture
def languages(tmp_path):
    """Two languages, each with a sitemap in its own folder,
    both named in robots.txt."""
    write_site(tmp_path)
    more = links(en="a/", de="de/a/")
    robots = f"Sitemap: {BASE}sitemap.xml\nSitemap: {BASE}de/sitemap.xml\n"
    files = {
        "out/de/a/index.html": page(f"{BASE}de/a/"),
        "out/sitemap.xml": urlset(URLS[0], url("a/", MOMENTS[1], more=more), URLS[2]),
        "out/de/sitemap.xml": urlset(url("de/a/", more=more)),
        "out/robots.txt": robots,
    }
    write(tmp_path, files)
    return tmp_path


def test_versions_are_looked_for_in_the_sitemaps_of_all_languages(languages):
    result = result_of(languages)

    assert result.counts == Counter()
    assert (2, 4) == (result.files, result.urls)


def test_a_link_that_another_sitemap_does_not_return_is_found(languages):
    write(languages, {"out/de/sitemap.xml": urlset(url("de/a/"))})
    result = result_of(languages)

    assert {"hreflang": 1} == result.counts
    assert "docs/a.md" == result.findings[0].source


def test_a_version_that_no_sitemap_lists_is_found(languages):
    write(languages, {"out/robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})

    assert {"hreflang": 1, "not-listed": 1} == result_of(languages).counts


def test_an_index_in_robots_txt_that_lists_the_sitemap_announces_it_and_is_read_once(
    tmp_path,
):
    """Nikola's default, with feeds among the parts."""
    write_site(tmp_path)
    files = {
        "out/robots.txt": f"Sitemap: {BASE}sitemapindex.xml\n",
        "out/sitemapindex.xml": index(f"{BASE}sitemap.xml", f"{BASE}de/sitemap.xml"),
        "out/de/sitemap.xml": urlset(url("de/")),
        "out/de/index.html": html(),
    }
    write(tmp_path, files)
    result = result_of(tmp_path)

    assert {} == result.counts
    assert (3, 4) == (result.files, result.urls)


def test_feeds_of_an_index_are_one_finding(tmp_path):
    """Nikola lists one for each tag."""
    write_site(tmp_path)
    names = [f"{n}.xml" for n in range(5)]
    feeds = {f"out/{name}": "<rss version='2.0'><channel/></rss>" for name in names}
    urls = [f"{BASE}{name}" for name in ("sitemap.xml", *names)]
    write(tmp_path, {**feeds, "out/all.xml": index(*urls)})
    write(tmp_path, {"out/robots.txt": f"Sitemap: {BASE}all.xml\n"})
    result = result_of(tmp_path)

    assert {"feed": 1} == result.counts
    assert result.findings[0].problem.endswith("and so are 4 other files")


def test_parts_of_an_unknown_index_are_not_orphans(tmp_path):
    """As `@astrojs/sitemap` leaves it behind."""
    write_site(tmp_path)
    more = {
        "sitemap-index.xml": index(f"{BASE}sitemap-0.xml"),
        "sitemap-0.xml": urlset(*URLS),
    }
    write(tmp_path, {f"out/{name}": text for name, text in more.items()})
    result = result_of(tmp_path)

    assert {"orphaned-part": 1} == result.counts
    assert "sitemap-index.xml" == result.findings[0].file


@pytest.mark.parametrize("text", ["---\ndate: 2020-01-01\n---\n", "# Text\n"])
def test_a_date_of_publication_is_not_when_the_source_changed(tmp_path, text):
    """Outside git and under CI, where nothing else is known."""
    write_site(tmp_path, git=False)
    write(tmp_path, {"docs/a.md": text})

    assert {} == result_of(tmp_path, environ={**ENVIRON, "CI": "true"}).counts


def test_the_error_page_of_a_language_should_not_be_listed(languages):
    """Docusaurus does not list it."""
    files = dict.fromkeys(("out/de/index.html", "out/de/404.html"), html())
    write(languages, files)
    listed = [url("de/a/", more=links(en="a/", de="de/a/")), url("de/")]
    write(languages, {"out/de/sitemap.xml": urlset(*listed)})
    assert {} == result_of(languages).counts

    write(languages, {"out/de/sitemap.xml": urlset(*listed, url("de/404.html"))})
    assert {"generated": 1} == result_of(languages).counts


def test_an_invalid_url_in_robots_txt_does_not_end_the_check(languages):
    with (languages / "out/robots.txt").open("a") as robots:
        robots.write(f"Sitemap: http://[\nSitemap: {BASE}{'a' * 300}\n")

    assert 2 == result_of(languages).files


@pytest.mark.parametrize(
    "name", ["../secret.xml", "/{top}/secret.xml", "%2F{top}/secret.xml"]
)
def test_robots_cannot_lead_out_of_the_folder(languages, name):
    write(languages, {"secret.xml": urlset(URLS[0])})
    with (languages / "out/robots.txt").open("a") as robots:
        robots.write(f"Sitemap: {BASE}{name.format(top=str(languages).strip('/'))}\n")

    assert 2 == result_of(languages).files


def test_two_wrong_links_of_one_page_are_two_findings_to_a_baseline(tmp_path):
    """One that is known does not hide the other, which came later."""
    write_site(tmp_path)
    more = links(en="", xx1="", xx2="", de="a/", fr="b/", it="c/", es="d/")
    write(
        tmp_path, {"out/sitemap.xml": urlset(url("", MOMENTS[0], more=more), *URLS[1:])}
    )

    found = [
        f.fingerprint for f in result_of(tmp_path).findings if f.code == "hreflang-code"
    ]

    assert [2, 2] == [len(found), len(set(found))]


def test_parts_of_an_index_are_read_with_it(tmp_path):
    write_site(tmp_path)
    parts = [f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"]
    files = {
        "out/sitemap.xml": index(*parts),
        "out/sitemap-1.xml": urlset(*URLS[:2]),
        "out/sitemap-2.xml": urlset(URLS[2], url("a/", MOMENTS[1])),
    }
    write(tmp_path, files)

    for result in (result_of(tmp_path), result_of_file(tmp_path / "out/sitemap.xml")):
        assert {"duplicate": 2} == result.counts
        assert (3, 4) == (result.files, result.urls)


def test_parts_that_exist_only_compressed_are_read_and_are_not_orphans(tmp_path):
    write_site(tmp_path)
    write(tmp_path, {"out/sitemap.xml": index(f"{BASE}sitemap-1.xml.gz")})
    (tmp_path / "out/sitemap-1.xml.gz").write_bytes(
        gzip.compress(urlset(*URLS).encode())
    )
    result = result_of(tmp_path)

    assert (result.counts, result.urls) == (Counter(), 3)


@pytest.mark.parametrize("name", ["sitemap.txt", "sitemap.txt.gz"])
def test_a_text_sitemap_is_read_line_by_line(tmp_path, name):
    lines = [
        "\ufeffhttps://e.com/",
        "",
        "https://e.com/a b",
        "https://e.com/c",
        "https://e.com/c",
    ]
    data = "\r\n".join(lines).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    result = result_of_file(tmp_path / name)

    assert {"bad-url": 1, "byte-order-mark": 1, "duplicate": 2} == result.counts
    assert 4 == result.urls
    assert [3] == [f.line for f in result.findings if f.code == "bad-url"]


def test_a_line_without_an_end_is_cut_and_does_not_take_the_memory(tmp_path):
    with (tmp_path / "sitemap.txt").open("wb") as stream:
        for _ in range(50):
            stream.write(b"https://e.com/" + b"x" * 1_000_000)
    result = result_of_file(tmp_path / "sitemap.txt")

    assert {"url-too-long": 1} == result.counts
    assert len(result.findings[0].problem) < 200


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.txt"])
def test_a_broken_gzip_file_is_not_well_formed(tmp_path, name):
    data = gzip.compress(urlset(*URLS).encode())
    (tmp_path / f"{name}.gz").write_bytes(data[:-20])

    assert {"not-well-formed": 1} == result_of_file(tmp_path / f"{name}.gz").counts


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "sitemap.txt"])
def test_a_page_in_place_of_a_sitemap_is_one_finding(tmp_path, name):
    content = b"<!-- x -->\n<!DOCTYPE html>\n<html><p>Not here<br></html>"
    (tmp_path / name).write_bytes(
        gzip.compress(content) if name.endswith("gz") else content
    )
    result = result_of_file(tmp_path / name)

    cure = "name the sitemap, or build it again"
    assert result.findings == (
        Finding(
            code="not-a-sitemap",
            problem="it is an HTML page",
            file=name,
            line=1,
            cure=cure,
        ),
    )


@pytest.mark.parametrize(
    "root", ["<rss version='2.0'>", "<feed xmlns='http://www.w3.org/2005/Atom'>"]
)
def test_a_feed_is_reported_as_such(tmp_path, root):
    (tmp_path / "feed.xml").write_text(f"{root}<x/></{root[1:].split()[0]}>")

    with pytest.raises(
        OptionsError, match=r"'feed\.xml' is a feed, which search engines accept but"
    ):
        result_of_file(tmp_path / "feed.xml")


def test_a_feed_may_have_any_encoding(tmp_path):
    """Nikola's index lists feeds, and a folder can keep those of old versions."""
    write_site(tmp_path)
    feed = '<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel/></rss>'
    files = {
        "out/robots.txt": f"Sitemap: {BASE}sitemapindex.xml\n",
        "out/sitemapindex.xml": index(f"{BASE}sitemap.xml", f"{BASE}rss.xml"),
        "out/rss.xml": feed,
    }
    write(tmp_path, files)

    assert {"feed": 1} == result_of(tmp_path).counts


def test_findings_about_all_urls_need_no_second_reading(tmp_path):
    locs = [url(path, base="http://localhost:3000/") for path in ("", "a/")]
    (tmp_path / "sitemap.xml").write_text(urlset(*locs))

    assert {"local-address": 2} == result_of_file(tmp_path / "sitemap.xml").counts
    base = "https://other.com/"
    assert {"outside-scope": 1} == result_of_file(
        write_one(tmp_path, base), base_url=base
    ).counts


def write_one(folder, base):
    (folder / "two.xml").write_text(urlset(url("", base=base), url("a/")))
    return folder / "two.xml"


def test_an_index_cannot_lead_out_of_its_folder(tmp_path):
    (tmp_path / "sitemap.xml").write_text(
        index("https://e.com/%2e%2e/", "https://e.com/..%2fx")
    )

    found = result_of_file(tmp_path / "sitemap.xml").counts
    assert {"bad-url", "missing-part"} == found.keys()


def test_many_findings_of_one_kind_are_counted_and_not_all_kept(tmp_path):
    write_site(tmp_path)
    many = (url(f"none/{number}/") for number in range(MAX_KEPT + 5))
    write(tmp_path, {"out/sitemap.xml": urlset(*URLS, *many)})
    result = result_of(tmp_path)

    assert {"missing": MAX_KEPT + 5} == result.counts
    assert MAX_KEPT == len(result.findings)
    assert result.filtered(lambda _: False).counts == Counter()
    assert result.filtered(lambda _: True).counts == result.counts


@pytest.mark.parametrize(
    ("changes", "expected"), [("any", {"date-too-old": 1}), ("content", {})]
)
def test_only_changes_that_count_are_compared(tmp_path, changes, expected):
    write_site(tmp_path)
    write(tmp_path, {"docs/b.md": "---\ntags: x\n---\n# Text\n"})
    git(
        tmp_path,
        "commit",
        "-qam",
        "tags",
        GIT_COMMITTER_DATE="2026-11-20T10:00:00+00:00",
    )

    assert expected == result_of(tmp_path, options={"changes": changes}).counts


def test_without_a_repository_dates_cannot_be_compared_and_are_not(tmp_path):
    write_site(tmp_path, git=False)
    write(
        tmp_path,
        {"out/sitemap.xml": urlset(*(url(p, "2001-01-01") for p in ("", "a/", "b/")))},
    )

    assert not {"date-too-new", "date-too-old"} & set(
        result_of(tmp_path, options=NO_DATES).counts
    )


# --- one fault, one finding
# -------------------------------------------------------------------


def test_an_index_of_urls_is_empty_and_says_why(tmp_path):
    text = (
        index(f"{BASE}1.xml")
        .replace("<sitemap>", "<url>")
        .replace("</sitemap>", "</url>")
    )
    (tmp_path / "sitemap.xml").write_text(text)
    result = result_of_file(tmp_path / "sitemap.xml")

    assert {"empty": 1, "unknown-element": 1} == result.counts
    assert "'url' is not <sitemap>" == result.findings[1].problem


def test_a_sitemap_of_an_index_needs_its_loc(tmp_path):
    write(tmp_path, {"sitemap.xml": index("", f"{BASE}1.xml"), "1.xml": urlset(*URLS)})

    assert {"missing-loc": 1} == result_of_file(tmp_path / "sitemap.xml").counts


def test_an_index_must_list_whole_urls(tmp_path):
    file = tmp_path / "sitemap.xml"
    write(
        tmp_path,
        {"sitemap.xml": index("/1.xml", f"{BASE}2.xml"), "2.xml": urlset(*URLS)},
    )

    assert {"part-outside": 1} == (result := result_of_file(file)).counts
    assert "'/1.xml' is not a whole URL" == result.findings[0].problem

    file.write_text(index("/1.xml"))
    assert {"part-outside": 1} == result_of_file(file).counts


def test_an_index_that_was_saved_without_its_parts_is_checked_by_itself(tmp_path):
    parts = [f"{BASE}sitemap-{number}.xml" for number in range(40)]
    (tmp_path / "sitemap.xml").write_text(index(*parts))
    result = result_of_file(tmp_path / "sitemap.xml")

    assert {("missing-part", "info"): 1} == result.numbers
    assert "it lists 40 sitemaps, and none is beside it" == result.findings[0].problem

    (tmp_path / "sitemap-7.xml").write_text(urlset(*URLS))
    assert {("missing-part", "error"): 39} == result_of_file(
        tmp_path / "sitemap.xml"
    ).numbers


def test_the_parts_of_an_index_in_a_site_must_be_there(tmp_path):
    write_site(tmp_path)
    write(tmp_path, {"out/sitemap.xml": index(f"{BASE}sitemap-1.xml")})

    assert ("missing-part", "error") in result_of(tmp_path).numbers


@pytest.mark.parametrize(
    "loc", ["/a/", "a/", "example.com/a/", "https://exa mple.com/", "http://["]
)
def test_an_invalid_url_is_not_reported_as_on_another_host_too(tmp_path, loc):
    write_site(tmp_path)
    bad = f"<url><loc>{loc}</loc></url>\n"
    write(tmp_path, {"out/sitemap.xml": urlset(bad, *URLS)})

    assert {"bad-url": 1} == result_of(tmp_path).counts
    assert {"bad-url": 1} == result_of_file(tmp_path / "out/sitemap.xml").counts
    assert 4 == result_of(tmp_path).urls


def test_a_relative_link_to_a_version_is_reported_as_such(tmp_path):
    write_site(tmp_path)
    more = links(en="", de="a/").replace(BASE, "/")
    write(
        tmp_path, {"out/sitemap.xml": urlset(url("", MOMENTS[0], more=more), *URLS[1:])}
    )
    result = result_of(tmp_path)

    problem = "is not an absolute http or https URL"
    assert result.findings == tuple(
        Finding(
            code="bad-url",
            problem=f"the link to the version in '{language}': '{link}' {problem}",
            cure="write it as https://www.example.com/",
            url=BASE,
            file="sitemap.xml",
            line=3,
            about=link,
            source="docs/index.md",
        )
        for language, link in (("en", "/"), ("de", "/a/"))
    )


@pytest.mark.parametrize("namespace", [NS.replace("http", "https"), f"{NS}/", "urn:x"])
def test_a_wrong_namespace_is_one_finding(tmp_path, namespace):
    write_site(tmp_path)
    write(tmp_path, {"out/sitemap.xml": urlset(*URLS).replace(NS, namespace)})

    assert {"not-a-sitemap": 1} == result_of(tmp_path).counts
    assert 3 == result_of(tmp_path).urls


def test_files_other_than_html_may_be_listed(tmp_path):
    write_site(tmp_path)
    names = ("a%20b.pdf", "feed.xml", "llms.txt", "i/x.png")
    write(tmp_path, {f"out/{name.replace('%20', ' ')}": "x" for name in names})
    listed = urlset(*URLS, *map(url, (*names, "a%20b.pdf?page=2", "gone.pdf", "i/")))
    write(tmp_path, {"out/sitemap.xml": listed})
    result = result_of(tmp_path)

    assert {"missing": 2} == result.counts
    assert [f"{BASE}gone.pdf", f"{BASE}i/"] == [
        finding.url for finding in result.findings
    ]


def test_a_robots_txt_that_is_a_page_is_reported(tmp_path):
    write_site(tmp_path)
    write(tmp_path, {"out/robots.txt": f"\n{html()}"})

    assert {"bad-robots": 1} == result_of(tmp_path).counts


@pytest.mark.parametrize(
    ("crawler", "expected"),
    [
        ("Googlebot", {("robots", "warning"): 1}),
        ("bingbot", {("robots", "warning"): 1}),
        ("GPTBot", {}),
        ("*", {("robots", "error"): 1}),
    ],
)
def test_pages_disallowed_for_the_largest_search_engines_are_reported(
    tmp_path, crawler, expected
):
    write_site(tmp_path)
    with (tmp_path / "out/robots.txt").open("a") as robots:
        robots.write(f"\nUser-agent: {crawler}\nDisallow: /a/\n")

    assert expected == result_of(tmp_path).numbers


def many_pages(folder, *, more=""):
    """Write eight pages, the sources of which changed day by day,
    all dated by one build."""
    names = [f"p{number}" for number in range(8)]
    write(folder, {f"out/{name}/index.html": page(f"{BASE}{name}/") for name in names})
    write(folder, {f"docs/{name}.md": "# Text\n" for name in names})
    write(folder, {"out/robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})
    urls = (url(f"{name}/", "2026-11-20T10:00:00Z", more=more) for name in names)
    write(folder, {"out/sitemap.xml": urlset(*urls)})
    return [f"docs/{name}.md" for name in names]


def test_the_dates_of_a_build_are_found_by_those_of_the_sources(tmp_path):
    commit(tmp_path, *many_pages(tmp_path))

    assert {("uniform-dates", "warning"): 1, ("date-too-new", "info"): 8} == result_of(
        tmp_path
    ).numbers


def test_the_dates_of_a_first_commit_are_alike_and_right(tmp_path):
    many_pages(tmp_path)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "docs")
    git(
        tmp_path, "commit", "-qm", "all", GIT_COMMITTER_DATE="2026-11-20T10:00:00+00:00"
    )

    assert {} == result_of(tmp_path).numbers


def test_news_are_of_one_day(tmp_path):
    news = "http://www.google.com/schemas/sitemap-news/0.9"
    many_pages(tmp_path, more=f"<n:news xmlns:n='{news}'/>")
    write(
        tmp_path, {"other.xml": urlset(*(url(f"{n}/", "2026-11-20") for n in range(9)))}
    )

    assert {"bad-extension"} == set(result_of_file(tmp_path / "out/sitemap.xml").counts)
    assert {"uniform-dates": 1} == result_of_file(tmp_path / "other.xml").counts


@pytest.mark.parametrize(
    ("together", "apart", "expected"),
    [
        (9, 1, ["9 of 10 dates lie within 15 minutes"]),
        (8, 1, []),
        (5, 0, ["5 of 5 dates lie within 15 minutes"]),
        (4, 0, []),
    ],
)
def test_dates_are_uniform_from_nine_of_ten(tmp_path, together, apart, expected):
    dates = [f"2026-05-01T10:0{minute}:00Z" for minute in range(together)]
    dates += [f"2026-06-0{day}" for day in range(1, apart + 1)]
    text = urlset(*(url(f"{number}/", date) for number, date in enumerate(dates)))
    (tmp_path / "sitemap.xml").write_text(text)
    found = result_of_file(tmp_path / "sitemap.xml").findings

    assert expected == [finding.problem for finding in found]


# --- versions in folders
# ----------------------------------------------------------------------


@pytest.mark.parametrize("is_link", [False, True])
def test_versions_that_the_index_leaves_out_need_not_be_listed(tmp_path, is_link):
    """As after `merge` of the default version, or a link to it;
    those without a sitemap are."""
    for version in ("1.0", "2.0", "3.0"):
        pages = {
            f"out/{version}/{p}index.html": page(f"{BASE}{version}/{p}")
            for p in ("", "a/b/")
        }
        write(tmp_path, pages)
    write(
        tmp_path, {"out/1.0/old/index.html": page(f"{BASE}2.0/old/")}
    )  # Which is gone there.
    for version in ("1.0", "2.0"):
        listed = urlset(*(url(f"{version}/{p}") for p in ("", "a/b/")))
        write(tmp_path, {f"out/{version}/sitemap.xml": listed})
    if is_link:
        (tmp_path / "out/sitemap.xml").symlink_to("2.0/sitemap.xml")
    else:
        write(tmp_path, {"out/sitemap.xml": index(f"{BASE}2.0/sitemap.xml")})
    write(tmp_path, {"out/robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})
    result = result_of(tmp_path)

    assert {"not-listed": 2} == result.counts
    assert [f"{BASE}3.0/", f"{BASE}3.0/a/b/"] == sorted(f.url for f in result.findings)


def test_a_checkout_of_what_was_published_is_not_its_own_source(tmp_path):
    """The project is the site: its files changed when they were deployed."""
    write_site(tmp_path, git=False)
    site = tmp_path / "out"
    commit(site, "index.html", "a/index.html", "b/index.html")
    write(
        site,
        {
            "sitemap.xml": urlset(
                *(url(path, "2001-01-01") for path in ("", "a/", "b/"))
            )
        },
    )

    def checked(**options):
        project = Project(
            site_dir=site,
            project_dir=site,
            options=FolderOptions.parse(options, where="test"),
            environ=ENVIRON,
        )
        return check_folder(project, CheckOptions(now=NOW), track=untracked).counts

    assert {} == checked()
    assert {"date-too-old": 3} == checked(source_dir=".")


def test_a_folder_whose_subfolders_have_the_sitemaps_names_them(tmp_path):
    write_site(tmp_path)
    (tmp_path / "out/sitemap.xml").unlink()
    for version in ("1.0", "1.1", "1.2", "2.0"):
        write(tmp_path, {f"out/{version}/sitemap.xml": urlset(*URLS)})

    with pytest.raises(OptionsError) as caught:
        result_of(tmp_path)

    assert (
        "has no sitemap.xml, but its folders '1.0', '1.1', '1.2' and 1 more have one:"
        " check these, or write an index (`merge`)"
    ) in str(caught.value)


def test_a_sitemap_of_another_name_is_proposed(tmp_path):
    """As Astro writes it."""
    write_site(tmp_path)
    (tmp_path / "out/sitemap.xml").rename(tmp_path / "out/sitemap-0.xml")
    write(tmp_path, {"out/sitemap-index.xml": index("sitemap-0.xml")})

    with pytest.raises(OptionsError, match=r"or give --filename 'sitemap-index\.xml'"):
        result_of(tmp_path)


NO_DATES = {"lastmod": ["page", "git"]}


def test_the_worst_severity_decides():
    noindex = Finding(code="noindex", problem="x")

    assert "error" == noindex.severity
    assert "" == noindex.place
    assert "a.xml:3" == Finding(code="noindex", problem="x", file="a.xml", line=3).place


def test_what_is_not_a_url_does_not_name_the_sites_address(tmp_path):
    """A URL can begin with an invisible character."""
    write_site(tmp_path)
    listed = urlset(f"<url><loc>\u200b{BASE}a/</loc></url>")
    robots = f"Sitemap: {BASE}sitemap.xml\n"
    write(tmp_path, {"out/sitemap.xml": listed, "out/robots.txt": robots})
    for name in ("index.html", "a/index.html", "b/index.html"):
        write(tmp_path, {f"out/{name}": html()})

    assert "bad-url" in result_of(tmp_path).counts


def test_a_page_that_the_server_redirects_is_not_to_be_listed(tmp_path):
    write_site(tmp_path)
    write(tmp_path, {"out/_redirects": "/a/ /b/ 301!\n/b/ /a/\n"})

    anywhere = result_of(tmp_path)

    assert [("redirect", f"{BASE}a/")] == [(f.code, f.url) for f in anywhere.findings]


@pytest.mark.parametrize(
    ("hosting", "environ", "expected"),
    [
        ("", {}, []),
        ("cloudflare", {}, ["redirect"]),
        ("", {"CF_PAGES": "1"}, ["redirect"]),
        ("netlify", {"CF_PAGES": "1"}, []),
    ],
)
def test_the_hosting_service_that_is_named_counts_and_otherwise_the_one_that_builds(
    tmp_path, hosting, environ, expected
):
    """On Cloudflare, a redirect comes before the file."""
    write_site(tmp_path)
    write(tmp_path, {"out/_redirects": "/a/ /b/ 301\n"})
    found = result_of(tmp_path, environ={**ENVIRON, **environ}, hosting=hosting)

    assert expected == [f.code for f in found.findings if f.code == "redirect"]


def test_a_hostile_run_of_comments_costs_no_time():
    assert not is_html(b"<!---->" * 140 + b"<urlset")
    assert is_html(b"<!-- a --> <!-- <b> -->\n<html>")


def test_versions_in_folders_have_error_pages_and_sitemaps_of_their_own(tmp_path):
    head = "<meta name=generator content='mkdocs-1.6.1, mkdocs-material-9.8.1'>"
    versions = ["1.0", "2.0"]
    pages = {
        f"out/{v}/{p}index.html": page(f"{BASE}{v}/{p}", head=head)
        for v in versions
        for p in ("", "a/")
    }
    errors = {f"out/{v}/404.html": page() for v in (*versions, "3.0")}
    maps = {
        f"out/{v}/sitemap.xml": urlset(*(url(f"{v}/{p}") for p in ("", "a/")))
        for v in versions
    }
    top = {"out/sitemap.xml": index(*(f"{BASE}{v}/sitemap.xml" for v in versions))}
    robots = {"out/robots.txt": f"Sitemap: {BASE}sitemap.xml\n"}
    write(tmp_path, {**pages, **errors, **maps, **top, **robots})
    result = result_of(tmp_path, base_url=BASE)

    assert [f"{BASE}3.0/404.html"] == [
        f.url for f in result.findings if f.code == "not-listed"
    ]
    assert {"not-listed": 1} == result.counts


def test_how_old_pages_are_and_why_others_are_not_listed_is_counted(tmp_path):
    write_site(tmp_path)
    noindex = "<!doctype html><meta name=robots content=noindex><title>a</title>"
    old, young, future = "2015-01-01", "2026-11-20T10:00:00Z", "2099-01-01"
    entries = [url("", old), url("a/", young), url("b/", future), url("c/")]
    write(tmp_path, {"out/c/index.html": noindex, "out/sitemap.xml": urlset(*entries)})
    found = result_of(tmp_path)

    assert {"in the future": 1, "up to a week": 1, "older": 1, "no date": 1} == {
        age: count for age, count in found.ages.items() if count
    }
    assert ["in the future", "up to a week", "up to a month"] == list(found.ages)[:3]
    assert {"noindex": 1} == found.left_out


@pytest.mark.parametrize("folder", ["", "book/", "a/b/"])
def test_the_sitemap_shows_the_folder_of_a_site_if_its_pages_do_not(tmp_path, folder):
    """So it is with pdoc's pages after `build --base-url`,
    in a folder below the host's root."""
    listed = urlset(*(url(path, base=BASE + folder) for path in ("", "a/", "b.html")))
    pages = {
        f"out/{name}": html()
        for name in ("index.html", "a/index.html", "b.html", "c.html")
    }
    write(tmp_path, {**pages, "out/sitemap.xml": listed})

    result = result_of(tmp_path)

    about_robots = "robots-not-at-root" if folder else "not-announced"
    assert {"not-listed": 1, about_robots: 1} == result.counts
    assert f"{BASE}{folder}c.html" in next(f.url for f in result.findings if f.url)


def test_a_few_moved_pages_do_not_show_a_folder(tmp_path):
    listed = urlset(*map(url, ("old/a/", "b/", "c/", "")))
    write(tmp_path, {"out/index.html": html(), "out/a/index.html": html()})
    write(tmp_path, {"out/sitemap.xml": listed, "out/robots.txt": ""})

    assert 3 == result_of(tmp_path).counts["missing"]


def test_copied_html_is_judged_if_it_is_listed(tmp_path):
    """It need not be listed; what is must be indexable."""
    copied = html("<meta name=robots content=noindex>")
    write(
        tmp_path,
        {"mkdocs.yml": f"site_url: {BASE}", "docs/a.html": copied, "docs/b.html": ""},
    )
    files = {"index.html": page(BASE), "a.html": copied, "b.html": html()}
    write(tmp_path, {f"out/{name}": text for name, text in files.items()})
    robots = f"Sitemap: {BASE}sitemap.xml\n"
    write(
        tmp_path,
        {"out/sitemap.xml": urlset(url(""), url("a.html")), "out/robots.txt": robots},
    )

    assert {"noindex": 1} == result_of(tmp_path).counts


# --- pages that other pages name
# --------------------------------------------------------------

NOT_INDEXED = {
    "<meta name=robots content=noindex>": "which says noindex",
    "<meta http-equiv=refresh content='0; url=/a/'>": "which redirects",
    f"<link rel=canonical href='{BASE}b/'>": "which names another URL as canonical",
}
"""What the head of a page says, and what it means for a page that names it."""


@pytest.mark.parametrize("head", NOT_INDEXED)
def test_a_canonical_link_to_a_page_that_is_not_indexed_is_found(tmp_path, head):
    write_site(tmp_path)
    write(
        tmp_path,
        {"out/c/index.html": page(f"{BASE}old/"), "out/old/index.html": html(head)},
    )
    [finding] = result_of(tmp_path).findings

    problem = f"names '{BASE}old/' as its canonical URL, {NOT_INDEXED[head]}"
    assert ("dead-canonical", f"'{BASE}c/' {problem}") == (
        finding.code,
        finding.problem,
    )


@pytest.mark.parametrize("head", NOT_INDEXED)
def test_a_language_link_to_a_page_that_is_not_indexed_is_found(tmp_path, head):
    """In a page and in the sitemap; a home page may redirect by language."""
    write_site(tmp_path)
    found = "".join(
        f"<link rel=alternate hreflang={language} href='{BASE}{path}'>"
        for language, path in (("en", "a/"), ("de", "old/"), ("x-default", "old/"))
    )
    files = {
        "out/a/index.html": page(f"{BASE}a/", head=found),
        "out/old/index.html": html(head),
    }
    write(tmp_path, files)
    [finding] = result_of(tmp_path).findings
    assert "hreflang" == finding.code
    problem = (
        f"links in its HTML to its version in 'de', '{BASE}old/', {NOT_INDEXED[head]}"
    )
    assert f"'{BASE}a/' {problem}" == finding.problem

    write_site(tmp_path, git=False)
    write(
        tmp_path,
        {"out/a/index.html": page(f"{BASE}a/"), "out/old/index.html": html(head)},
    )
    more = links(en="a/", de="old/", x_default="old/")
    write(
        tmp_path,
        {"out/sitemap.xml": urlset(URLS[0], url("a/", MOMENTS[1], more=more), URLS[2])},
    )
    [finding] = result_of(tmp_path).findings
    assert "hreflang" == finding.code
    assert f"'{BASE}a/' links to '{BASE}old/', {NOT_INDEXED[head]}" == finding.problem


@pytest.mark.parametrize("listed", ["a/index.html", "a"])
def test_a_listed_url_is_spelled_as_the_canonical_link_of_its_page(tmp_path, listed):
    write_site(tmp_path)
    write(
        tmp_path, {"out/sitemap.xml": urlset(URLS[0], url(listed, MOMENTS[1]), URLS[2])}
    )
    [finding, *about_server] = result_of(tmp_path).findings

    assert ["host-redirects"] * (listed == "a") == [each.code for each in about_server]
    problem = f"the canonical link of '{BASE}{listed}' is '{BASE}a/'"
    assert ("canonical", problem) == (finding.code, finding.problem)


def test_a_page_that_cannot_be_read_has_one_fingerprint_wherever_the_folder_is(
    tmp_path,
):
    found = [
        Finding("html-unreadable", f"'/{place}/a.html' cannot be read", source="a.md")
        for place in ("one", "two")
    ]

    assert 1 == len({finding.fingerprint for finding in found})


def test_git_is_asked_each_question_once(tmp_path):
    """To start it takes as long as to read twenty pages."""
    write_site(tmp_path / "project")
    calls = tmp_path / "calls"
    path = recording_git(tmp_path / "bin", calls)

    result_of(tmp_path / "project", environ=ENVIRON | {"PATH": path})

    asked = Counter(calls.read_text().splitlines())
    # The repository is opened for its files, and again for their dates.
    again = {line for line in asked if asked[line] > 1 and "rev-parse" not in line}
    assert not again
    words = re.findall(r" (ls-tree|config|status) ", "\n".join(asked))
    assert ["config", "ls-tree", "status"] == sorted(words)


def test_urls_beyond_those_that_one_file_may_list_are_counted_not_judged(
    tmp_path, monkeypatch
):
    """Ten megabytes can be a million faults; `too-large` says so."""
    monkeypatch.setattr("sitemap_plugins.check.run.MAX_URLS", 2)
    faulty = [url(f"{name} /") for name in "abcd"]
    write(tmp_path, {"sitemap.xml": urlset(*faulty)})
    found = result_of_file(
        tmp_path / "sitemap.xml", required=("d*/", "missing/"), base_url=BASE
    )

    assert 4 == found.urls
    assert (2, 1) == (found.counts["bad-url"], found.counts["required"])
