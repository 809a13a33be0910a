"""All steps on a built folder: the written files, and no exception for any input."""

from __future__ import annotations

import gc
import gzip
import os
import re
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import get_args

import pytest
from lxml import etree

from sitemap_plugins import Alternate, Options, Page, Report, Site, generate
from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.publishing import xml
from sitemap_plugins.core.publishing.publish import stylesheet
from tests.git_repository import ENVIRON, START, GitRepository
from tests.shell_scripts import recording_git
from tests.written import codes, content_of, locs

BASE = "https://example.com/"
DAY = date(2024, 5, 1)
REASONS = table_of_codes.reasons()
NS = {
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "x": "http://www.w3.org/1999/xhtml",
}


def options(**values):
    """Parse options, by default without a style sheet, which has separate tests."""
    return Options.parse({"base_url": BASE, "stylesheet": False, **values}, where="")


def generated(folder, *pages, environ=None, **values):
    """Generate with the pages of two paths, or those given."""
    pages = pages or (Page(path="", name="index.md"), Page(path="a/", name="a.md"))
    site = Site(output_dir=folder)
    return generate(pages, site=site, options=options(**values), environ=environ or {})


def lastmods(content):
    return etree.fromstring(content).xpath("//s:lastmod/text()", namespaces=NS)


def test_site_at_the_root_of_its_host(tmp_path):
    """The sitemap, and a robots.txt that names it."""
    report = generated(tmp_path)

    content = content_of(tmp_path)
    assert {"sitemap.xml", "robots.txt"} == set(content)
    assert [BASE, f"{BASE}a/"] == locs(content["sitemap.xml"])
    assert b"Sitemap: https://example.com/sitemap.xml\n" == content["robots.txt"]
    assert report == Report(
        files=(tmp_path / "sitemap.xml", tmp_path / "robots.txt"), listed=2, undated=2
    )
    assert "sitemap.xml: 2 pages (2 without a date)" == report.summary()


def test_undated_pages_are_not_counted_if_lastmod_is_off(tmp_path):
    assert "sitemap.xml: 2 pages" == generated(tmp_path, lastmod=False).summary()


def test_all_features_together(tmp_path):
    """Dates, hints, languages, parts, gzip copies, a reason and a custom file name."""
    english = Page(
        path="en/",
        name="en.md",
        modified=datetime(2024, 5, 1, 10, tzinfo=UTC),
        alternates=(
            Alternate(language="en", path="en/"),
            Alternate(language="pt_BR", path="pt/"),
        ),
        metadata={"sitemap": {"priority": 0.9}},
    )
    portuguese = replace(english, path="pt/", name="pt.md", modified=DAY, metadata={})
    draft = Page(path="draft/", name="draft.md", exclude_reason="draft")

    report = generated(
        tmp_path, portuguese, draft, english, filename="map.xml", max_urls=1, gzip=True
    )

    content = content_of(tmp_path)
    names = [file.name for file in report.files]
    first, second = names[0], names[2]
    root = etree.fromstring(content[first])
    assert names == [
        first,
        f"{first}.gz",
        second,
        f"{second}.gz",
        "map.xml",
        "map.xml.gz",
        "robots.txt",
    ]
    assert "map.xml: 2 pages, 1 left out (1 draft)" == report.summary()
    assert locs(content["map.xml"]) == [BASE + first, BASE + second]
    assert ["2024-05-01T10:00:00+00:00"] == root.xpath(
        "//s:lastmod/text()", namespaces=NS
    )
    assert ["0.9"] == root.xpath("//s:priority/text()", namespaces=NS)
    assert ["en", "pt-BR"] == root.xpath("//x:link/@hreflang", namespaces=NS)
    assert gzip.decompress(content[f"{second}.gz"]) == content[second]
    assert content["robots.txt"] == f"Sitemap: {BASE}map.xml\n".encode()


def test_second_build_gives_the_same_bytes_and_writes_nothing(tmp_path):
    generated(tmp_path, gzip=True)
    before = {
        file: (file.stat().st_ino, file.stat().st_mtime_ns)
        for file in tmp_path.iterdir()
    }

    report = generated(tmp_path, gzip=True)

    assert before == {
        f: (f.stat().st_ino, f.stat().st_mtime_ns) for f in tmp_path.iterdir()
    }
    assert 3 == len(report.files)


def test_order_of_the_pages_does_not_matter(tmp_path):
    pages = [Page(path=path) for path in ("b/", "", "a/")]
    written = []
    for some in (pages, pages[::-1]):
        generated(tmp_path, *some)
        written.append(content_of(tmp_path))

    assert written[0] == written[1]


def test_pages_may_be_an_iterator(tmp_path):
    report = generate(
        (Page(path=f"{n}/") for n in range(3)),
        site=Site(output_dir=tmp_path),
        options=options(),
        environ={},
    )

    assert 3 == report.listed


def test_parts_of_a_larger_sitemap_are_removed(tmp_path):
    generated(tmp_path, *(Page(path=f"{n}/") for n in range(3)), max_urls=1, gzip=True)

    generated(tmp_path)

    assert {"sitemap.xml", "robots.txt"} == set(content_of(tmp_path))


def test_files_of_the_hosting_service_leave_pages_out(tmp_path):
    (tmp_path / "_headers").write_text("/a/*\n  X-Robots-Tag: noindex\n")
    (tmp_path / "_redirects").write_text("/b/ /c/\n/d/ /c/ 301!\n")
    pages = [
        Page(path=path, name=f"{path}.md")
        for path in ("", "a/1", "a/2", "b/", "c/", "d/")
    ]

    elsewhere = generated(tmp_path, *pages)
    on_cloudflare = generated(tmp_path, *pages, environ={"CF_PAGES": "1"})

    noindex = ("a/1.md", "a/2.md")
    assert {"noindex": noindex, "redirect": ("d/.md",)} == elsewhere.left_out
    # Cloudflare reads past `301!`.
    assert {"noindex": noindex, "redirect": ("b/.md",)} == on_cloudflare.left_out
    assert [
        (
            "_headers, line 2: it says noindex for 2 pages, such as 'a/1.md', so the sitemap does"
            " not list them: correct it if it should"
        ),
        (
            "_redirects, line 2: it redirects 1 page, such as 'd/.md', so the sitemap does not list"
            " it: correct it if it should"
        ),
    ] == [str(notice) for notice in elsewhere.notices]
    assert ["host-rule"] * 2 == codes(on_cloudflare)


def test_canonical_link_of_a_redirected_page_is_ignored(tmp_path):
    """It is left out for one reason, and is no evidence of the site's address."""
    (tmp_path / "_redirects").write_text("/old/ / 301!\n")
    old = tmp_path / "old.html"
    old.write_text(
        '<!doctype html><link rel="canonical" href="https://elsewhere.example/old/">'
    )

    report = generated(tmp_path, Page(path=""), Page(path="old/", output_file=old))

    assert ({"redirect": ("old/",)}, ["host-rule"]) == (report.left_out, codes(report))


@pytest.mark.parametrize(
    ("environ", "text", "listed"),
    [
        (
            {"WORKERS_CI": "1"},  # There, a setting may change what is answered.
            (
                "Cloudflare redirects the URLs of 3 pages, such as 'https://example.com/b/index',"
                " and crawlers want the final ones"
            ),
            ["a/", "b/index", "c.html", "e", "index.html"],
        ),
        (
            {"CF_PAGES": "1"},
            (
                "Cloudflare Pages redirects the URLs of 3 pages, such as 'https://example.com/b/index',"
                " so the sitemap lists 'https://example.com/b/'"
            ),
            ["", "a/", "b/", "c", "e"],
        ),
    ],
)
def test_cloudflare_redirects_urls_that_name_files(tmp_path, environ, text, listed):
    files = {
        "b/index": "b/index.html",
        "index.html": "index.html",
        "a/": "a/index.html",
        "c.html": "c.html",
        "e": "e.html",
    }
    for file in files.values():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("<!doctype html><title>x</title>")
    pages = [
        Page(path=path, output_file=tmp_path / file) for path, file in files.items()
    ]

    told = generated(tmp_path, *pages, environ=environ)
    locs = re.findall(
        r"<loc>https://example.com/(.*)</loc>", (tmp_path / "sitemap.xml").read_text()
    )
    silent = (
        generated(tmp_path, *pages),
        generated(tmp_path, pages[2], environ=environ),
    )

    cure = "let the generator write each page as the index.html of a folder"
    assert [f"{text}: {cure}"] == [str(notice) for notice in told.notices]
    assert (["host-redirects"], listed) == (codes(told), locs)
    assert [[], []] == [codes(report) for report in silent]


def test_invalid_robots_txt_is_reported_even_if_a_bug_leaves_out_all_pages(tmp_path):
    (tmp_path / "robots.txt").write_bytes(b"\xff\xfe\x00")

    report = generated(
        tmp_path, Page(path="a/", bug="it broke", exclude_reason="failed")
    )

    assert ["bad-robots", "failed"] == codes(report)


def test_sitemap_without_pages_is_not_written(tmp_path):
    """An empty sitemap is invalid:
    none is written, our old one is removed, robots.txt is kept."""
    generated(tmp_path)
    robots = (tmp_path / "robots.txt").read_bytes()

    report = generated(
        tmp_path, Page(path="a/", exclude_reason="draft"), filename="sitemap.xml"
    )

    assert content_of(tmp_path) == {"robots.txt": robots}
    assert (["no-pages"], (), 0) == (codes(report), report.files, report.listed)
    assert {"draft": ("a/",)} == report.left_out


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ([], "the site has no page"),
        (["generated"], "1 page because the generator made the page"),
        (
            ["generated", "generated", "draft"],
            "1 page because the generator treats the page as a",
        ),
        (
            ["hidden", "draft", "draft"],
            "2 pages because the generator treats the page as a draft",
        ),
    ],
)
def test_notice_without_pages_has_the_most_common_reason(tmp_path, reasons, expected):
    pages = [
        Page(path=f"{n}/", exclude_reason=reason) for n, reason in enumerate(reasons)
    ]

    report = generate(
        pages, site=Site(output_dir=tmp_path), options=options(), environ={}
    )

    [notice] = report.notices

    assert ("no-pages", True) == (notice.code, expected in notice.text)


@pytest.mark.parametrize(("option", "expected"), [("", "de/"), ("en", "en/")])
def test_option_wins_over_the_default_language_of_the_host(tmp_path, option, expected):
    links = (Alternate(language="de", path="de/"), Alternate(language="en", path="en/"))
    pages = [Page(path=link.path, alternates=links) for link in links]
    site = Site(output_dir=tmp_path, default_language="de")

    generate(pages, site=site, options=options(default_language=option), environ={})

    root = etree.parse(tmp_path / "sitemap.xml")
    x_default = root.xpath("//x:link[@hreflang='x-default']/@href", namespaces=NS)
    assert {BASE + expected} == set(x_default)


def test_missing_address(tmp_path):
    report = generate(
        [Page(path="")], site=Site(output_dir=tmp_path), options=Options(), environ={}
    )

    assert (["no-base-url"], {}) == (codes(report), content_of(tmp_path))


def test_invalid_address_of_the_host(tmp_path):
    """The host's own setting is not one of our options, so it is checked here."""
    wrong = replace(options(), base_url="example.com", filename="map.xml")

    report = generate(
        [Page(path="")], options=wrong, site=Site(output_dir=tmp_path), environ={}
    )

    assert (["bad-option"], {}) == (codes(report), content_of(tmp_path))
    assert (
        "'example.com' is not an absolute http or https URL" in report.notices[0].text
    )
    assert "map.xml: not written" == report.summary()


def test_address_of_the_host_gets_a_final_slash(tmp_path):
    unslashed = replace(options(), base_url="https://Example.com/docs")

    generate(
        [Page(path="a/")], options=unslashed, site=Site(output_dir=tmp_path), environ={}
    )

    assert ["https://example.com/docs/a/"] == locs(content_of(tmp_path)["sitemap.xml"])


def test_error_in_the_pages_is_a_notice_and_the_previous_sitemap_is_kept(tmp_path):
    generated(tmp_path)
    before = content_of(tmp_path)

    def pages():
        yield Page(path="b/")
        message = "the adapter's fault"
        raise KeyError(message)

    report = generate(
        pages(), site=Site(output_dir=tmp_path), options=options(), environ={}
    )

    assert (["failed"], before) == (codes(report), content_of(tmp_path))
    assert 'KeyError: "the adapter\'s fault"' in report.notices[0].text
    assert "test_generate.py, line " in report.notices[0].text


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (Page(path=None), "TypeError: "),
        (Page(path="a/", sources=(None,)), "TypeError: "),
        (Page(path="a/", metadata=None), "AttributeError: "),
        (Page(path="a/", lists=(["b/"],)), "TypeError: "),
    ],
    ids=["path", "sources", "metadata", "lists"],
)
def test_mistake_of_an_adapter_is_a_notice_and_the_previous_sitemap_is_kept(
    tmp_path, page, error
):
    generated(tmp_path)
    before = content_of(tmp_path)

    report = generated(tmp_path, page)

    assert before == content_of(tmp_path)
    assert codes(report) == ["failed"]
    assert error in report.notices[0].text


@pytest.mark.parametrize("zone", [-14, 0, 14])
@pytest.mark.parametrize("field", ["modified", "published"])
@pytest.mark.parametrize("day", [date(1, 1, 1), date(9999, 12, 31)])
def test_extreme_dates_do_not_prevent_the_sitemap(tmp_path, day, field, zone):
    moment = datetime.combine(day, time(12), timezone(timedelta(hours=zone)))
    pages = [
        Page(path=f"{n}/", **{field: said}) for n, said in enumerate((day, moment))
    ]

    report = generated(tmp_path, *pages)

    assert (report.listed, codes(report)) == (
        2,
        [] if day.year == 1 else ["future-date"],
    )


@pytest.mark.parametrize("value", ["", "0", "False"])
def test_variable_that_means_no_is_not_read_the_docs(tmp_path, value):
    generated(tmp_path, Page(path=""), environ={"READTHEDOCS": value})

    assert (tmp_path / "robots.txt").exists()


@pytest.mark.parametrize(
    "names", ["a\0b", "\ud800", "x" * 5000, "/", "../../../../..", ""]
)
def test_impossible_sources_do_not_prevent_the_sitemap(tmp_path, names):
    page = Page(
        path="a/",
        sources=(tmp_path / "a.md",),
        metadata={"sitemap": {"sources": [names]}},
    )

    assert 1 == generated(tmp_path, page).listed


def test_folder_that_cannot_be_written_is_a_notice(tmp_path):
    report = generated(tmp_path / "nowhere")

    assert ["write-failed"] == codes(report)


# robots.txt


def test_robots_txt_of_the_user_keeps_its_bytes(tmp_path):
    theirs = b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /a/\r\n# caf\xe9"
    (tmp_path / "robots.txt").write_bytes(theirs)

    report = generated(tmp_path)

    assert content_of(tmp_path)["robots.txt"] == (
        theirs + b"\r\nSitemap: https://example.com/sitemap.xml\r\n"
    )
    assert {"robots": ("a.md",)} == report.left_out


@pytest.mark.parametrize("theirs", [None, b"User-agent: *\nDisallow: /a/"])
def test_rules_apply_without_the_robots_line(tmp_path, theirs):
    if theirs is not None:
        (tmp_path / "robots.txt").write_bytes(theirs)

    report = generated(tmp_path, robots=False)

    assert content_of(tmp_path).get("robots.txt") == theirs
    assert report.listed == (2 if theirs is None else 1)
    assert [] == codes(report)


def test_disallowed_sitemap_is_reported_without_the_robots_line(tmp_path):
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /sitemap.xml")

    assert ["robots-blocks-sitemap"] == codes(generated(tmp_path, robots=False))


def test_line_at_the_root_is_not_requested_if_robots_is_false(tmp_path):
    report = generated(tmp_path, robots=False, base_url="https://example.com/docs/")

    assert ([], {"sitemap.xml"}) == (codes(report), set(content_of(tmp_path)))


def test_each_index_is_announced(tmp_path):
    """Crawlers find the parts in the indexes."""
    report = generated(tmp_path, max_urls=1)

    assert (
        content_of(tmp_path)["robots.txt"] == f"Sitemap: {BASE}sitemap.xml\n".encode()
    )
    assert 4 == len(report.files)


@pytest.mark.parametrize("kind", ["utf-16", "folder"])
def test_unreadable_robots_txt_prevents_only_its_line(tmp_path, kind):
    robots = tmp_path / "robots.txt"
    if kind == "folder":
        robots.mkdir()
    else:
        robots.write_bytes("User-agent: *\n".encode("utf-16"))

    report = generated(tmp_path)

    assert (["bad-robots"], 2) == (codes(report), report.listed)
    assert ["sitemap.xml"] == [file.name for file in report.files]
    assert robots.is_dir() or robots.read_bytes() == "User-agent: *\n".encode("utf-16")


def test_address_with_a_path_needs_the_line_at_the_root(tmp_path):
    report = generated(tmp_path, base_url="https://example.com/docs/")

    assert {"sitemap.xml"} == set(content_of(tmp_path))
    assert [] == codes(report)
    line = (
        "robots.txt: crawlers read robots.txt only at https://example.com/robots.txt:"
        " add the line 'Sitemap: https://example.com/docs/sitemap.xml' there"
        " (robots-not-at-root)"
    )
    assert f"  {line}" in report.details()


# Read the Docs


THERE = {
    "READTHEDOCS": "True",
    "READTHEDOCS_VERSION_TYPE": "branch",
    "READTHEDOCS_CANONICAL_URL": "https://docs.example.com/en/latest/",
}


def test_address_of_read_the_docs_is_used_if_there_is_no_other(tmp_path):
    report = generate(
        [Page(path="a/")],
        options=Options.parse({}, where=""),
        site=Site(output_dir=tmp_path),
        environ=THERE,
    )

    assert [] == codes(report)
    assert ["https://docs.example.com/en/latest/a/"] == locs(
        content_of(tmp_path)["sitemap.xml"]
    )


def test_address_of_the_site_wins_over_read_the_docs(tmp_path):
    generated(tmp_path, environ=THERE)

    assert BASE == locs(content_of(tmp_path)["sitemap.xml"])[0]


@pytest.mark.parametrize("base_url", [BASE, "https://docs.example.com/en/latest/"])
def test_robots_txt_is_never_created_on_read_the_docs(tmp_path, base_url):
    """A new file would replace the service's own, which hides versions."""
    report = generated(tmp_path, base_url=base_url, environ=THERE)

    assert ({"sitemap.xml"}, []) == (set(content_of(tmp_path)), codes(report))


def test_existing_robots_txt_on_read_the_docs_gets_the_line(tmp_path):
    (tmp_path / "robots.txt").write_bytes(b"#\n")

    generated(tmp_path, base_url="https://docs.example.com/en/latest/", environ=THERE)

    assert (
        b"#\nSitemap: https://docs.example.com/en/latest/sitemap.xml\n"
    ) == content_of(tmp_path)["robots.txt"]


def test_preview_of_a_pull_request_has_no_sitemap(tmp_path):
    report = generated(
        tmp_path, environ={**THERE, "READTHEDOCS_VERSION_TYPE": "external"}
    )

    assert (["preview-build"], {}) == (codes(report), content_of(tmp_path))
    assert "info" == report.notices[0].level


# Dates


def test_time_of_the_build_is_not_a_date(tmp_path):
    generated(tmp_path)

    assert b"<lastmod>" not in content_of(tmp_path)["sitemap.xml"]


def test_log_is_read_once_for_several_builds_with_one_cache(tmp_path):
    made = GitRepository(tmp_path / "site")
    made.commit({"a.md": "1"}, time=START)
    made.write()
    page = Page(path="a/", sources=(made.folder / "a.md",))
    path = recording_git(tmp_path / "bin", tmp_path / "asked")
    environ = ENVIRON | {"PATH": path}

    def asked(**values):
        (tmp_path / "asked").write_text("")
        (tmp_path / "sitemap.xml").unlink(missing_ok=True)
        site = Site(output_dir=tmp_path)
        assert () == generate([page], site=site, options=options(), **values).notices
        written = lastmods((tmp_path / "sitemap.xml").read_bytes())
        assert [datetime.fromtimestamp(START, UTC).isoformat()] == written
        return " log " in (tmp_path / "asked").read_text()

    cache = GitCache()
    assert [True, False] == [asked(environ=environ, git_cache=cache) for _ in range(2)]
    assert asked(environ=environ)


@pytest.mark.parametrize(
    "base_url", ["http://localhost:8000/", "http://127.0.0.1/docs/"]
)
def test_local_address_is_named(tmp_path, base_url):
    (notice,) = generated(tmp_path, base_url=base_url, lastmod=[]).notices

    assert ("local-address", "info") == (notice.code, notice.level)
    assert notice.problem == (
        f"base_url = {base_url!r} is on a local server, and so is each URL of the"
        " sitemap"
    )


def test_images_without_html_are_no_silent_option(tmp_path):
    report = generated(tmp_path, images=True, inspect_html=False, lastmod=[])

    (notice,) = report.notices
    assert ("unused-pattern", "info") == (notice.code, notice.level)
    assert "images = true lists none, because inspect_html = false" == notice.problem


@pytest.mark.parametrize(
    ("values", "expected"),
    [({"images": True}, 1), ({"images": True, "inspect_html": False}, 0), ({}, 0)],
)
def test_images_are_listed_if_requested_and_html_may_be_read(
    tmp_path, values, expected
):
    file = tmp_path / "index.html"
    file.write_text("<!doctype html><main><img src=a.png></main>")

    generated(tmp_path, Page(path="", output_file=file), Page(path="b/"), **values)

    written = (tmp_path / "sitemap.xml").read_text("utf-8")
    assert expected == written.count(f"<image:loc>{BASE}a.png</image:loc>")


def test_future_date_is_left_out_with_a_notice(tmp_path):
    tomorrow = datetime.now(UTC) + timedelta(days=3)

    report = generated(tmp_path, Page(path="a/", name="a.md", modified=tomorrow))

    assert ["future-date"] == codes(report)
    assert b"<lastmod>" not in content_of(tmp_path)["sitemap.xml"]


def lines(report):
    """Return the verbose line of each page by its name."""
    return dict(line.strip().split(": ", 1) for line in report.details())


OF_HOSTS = (
    "draft",
    "hidden",
    "private",
    "not-built",
    "generated",
    "static",
    "fragment",
)
"""Reasons that only hosts give."""


def html(folder, name, head):
    (folder / name).write_text(
        f"<!doctype html><html><head>{head}</head><body>x</body></html>"
    )
    return folder / name


def test_verbose_line_of_a_page_left_out_names_what_decided(tmp_path):
    """The codes without anything to name have their words alone."""
    (tmp_path / "robots.txt").write_bytes(
        b"User-agent: a\n\nUser-agent: *\r\nDisallow: /\nAllow: /*\nDisallow: /sec # No \x1b[0m\n"
        b"disallow:/secret\nDisallow: /sec*\n\nUser-agent: b\nDisallow: /secret/more\n"
    )
    (tmp_path / "_headers").write_text("# Ours\n/h/\n  X-Robots-Tag: noindex\n")
    (tmp_path / "_redirects").write_text("/r/ / 301!\n")
    canonical, refresh = (
        '<link rel=canonical href="/\'">',
        "<meta http-equiv=refresh content=0;/>",
    )
    files = {
        "noindex.md": html(tmp_path, "1.html", "<meta name=robots content=noindex>"),
        "refresh.md": html(tmp_path, "2.html", refresh),
        "canonical.md": html(tmp_path, "3.html", canonical),
        "missing.md": tmp_path / "4.html",
        "blank.md": tmp_path / "5.html",
    }
    files["blank.md"].touch()
    report = generated(
        tmp_path,
        *(
            Page(path=f"{name}/", name=name, output_file=file)
            for name, file in files.items()
        ),
        *(Page(path=f"{name[0]}/", name=name) for name in ("header.md", "redirect.md")),
        Page(path="secret/more/", name="robots.md"),
        Page(path="old/1/", name="glob.md"),
        Page(path="old/2/", name="re.md"),
        Page(path="x/", name="one.md"),
        Page(path="x/", name="two.md"),
        Page(path="f/", name="front.md", metadata={"robots": "none"}),
        Page(path="s/", name="false.md", metadata={"sitemap": False}),
        Page(path="%", name="bad-url.md"),
        Page(
            path="bug/", name="failed.md", exclude_reason="failed", bug="it has failed"
        ),
        *(Page(path=f"{r}/", name=f"{r}.md", exclude_reason=r) for r in OF_HOSTS),
        lastmod=False,
        exclude=["old/", "old/*/", "!old/3/", "re:2"],
    )

    assert {
        "noindex.md": "left out (noindex: its HTML says noindex)",
        "header.md": "left out (noindex: _headers:3)",
        "missing.md": f"left out (missing: {REASONS['missing']})",
        "blank.md": f"left out (blank: {REASONS['blank']})",
        "robots.md": 'left out (robots: robots.txt:7 "disallow:/secret")',
        "glob.md": "left out (excluded: 'old/*/' in the option exclude)",
        "re.md": "left out (excluded: 're:2' in the option exclude)",
        "one.md": "left out (duplicate: same URL as two.md, 'https://example.com/x/')",
        "front.md": "left out (noindex: its front matter says noindex)",
        "false.md": f"left out (front-matter: {REASONS['front-matter']})",
        "bad-url.md": f"left out (bad-url: {REASONS['bad-url']})",
        "failed.md": f"left out (failed: {REASONS['failed']})",
        **{f"{r}.md": f"left out ({r}: {REASONS[r]})" for r in OF_HOSTS},
    } == lines(report)
    assert {*get_args(Reason)} == set(report.left_out)
    assert [
        "  refresh.md: left out (redirect: its HTML redirects to 'https://example.com/')",
        "  redirect.md: left out (redirect: _redirects:1)",
        '  canonical.md: left out (canonical: its canonical link is "https://example.com/\'")',
    ] == sorted(report.unexpected(), reverse=True)


def test_verbose_line_of_a_page_names_where_its_date_is_from(tmp_path):
    made = GitRepository(tmp_path / "repository")
    made.commit({"a.md": "1", "post.md": "1", "sub/CHANGELOG.md": "1"})
    names = made.write()
    files = {
        name: made.folder / name for name in ("a.md", "post.md", "docs/changelog.md")
    }
    (made.folder / "docs").mkdir()
    files["docs/changelog.md"].write_text("1")
    outside = tmp_path / "outside.md"
    outside.write_text("1")
    os.utime(outside, (START, START))
    commit = f'2017-07-14, {names[1][:7]} "commit 1"'

    report = generated(
        tmp_path,
        Page(path="", name="home", lists=("post/", "author/"), is_generated=True),
        Page(
            path="all/",
            name="all",
            lists=("post/", "author/", "late/"),
            is_generated=True,
        ),
        *(Page(path=f"{n[0]}/", name=n, sources=(file,)) for n, file in files.items()),
        Page(path="post/", name="post", sources=(files["post.md"],)),
        Page(path="author/", name="author", modified=date(2001, 1, 1)),
        Page(path="late/", name="late", modified=date(2020, 1, 1)),
        Page(path="published/", name="published", published=date(2002, 1, 1)),
        Page(path="out/", name="out", sources=(outside,)),
        Page(path="with/", name="with", sources=(files["a.md"], outside)),
        Page(path="none/", name="none"),
        environ=ENVIRON,
        lastmod=["page", "git", "published", "mtime"],
    )

    assert {
        "home": f"{commit}, in post.md (listed)",
        "all": "2020-01-01, as its author wrote, in late (listed)",
        "a.md": commit,
        "post.md": commit,
        "docs/changelog.md": f"{commit}, in sub/CHANGELOG.md (included)",
        "post": commit,
        "author": "2001-01-01, as its author wrote",
        "late": "2020-01-01, as its author wrote",
        "published": "2002-01-01, its date of publication",
        "out": "2017-07-14, the time of the file",
        "with": commit,
        "none": "no date, its source is unknown",
    } == lines(report)


def test_verbose_line_in_a_shallow_clone_says_that_the_last_change_is_unknown(tmp_path):
    made = GitRepository(tmp_path / "origin")
    for text in "12":
        made.commit({"a.md": "1", "b.md": text})
    made.write()
    clone = tmp_path / "clone"
    made.git("clone", "-q", "--depth=1", f"file://{made.folder}", str(clone))

    report = generated(tmp_path, Page(path="a/", name="a", sources=(clone / "a.md",)))

    assert "no date, its last change is unknown" == lines(report)["a"]


def test_list_has_the_date_of_a_page_that_is_left_out(tmp_path):
    later = DAY + timedelta(days=9)
    report = generated(
        tmp_path,
        Page(path="", lists=("a/", "b/")),
        Page(path="a/", modified=DAY),
        Page(path="b/", modified=later, metadata={"sitemap": False}),
        Page(path="c/", modified=date(2999, 1, 1), metadata={"sitemap": False}),
    )
    content = (tmp_path / "sitemap.xml").read_bytes()

    assert (2, []) == (report.listed, codes(report))
    assert lastmods(content) == [later.isoformat(), DAY.isoformat()]


def test_page_does_not_get_the_date_of_a_draft_with_its_url(tmp_path):
    report = generated(
        tmp_path,
        Page(path="", lists=("a/",), modified=DAY),
        Page(path="a/", name="draft.md", modified=DAY, exclude_reason="draft"),
        Page(path="a/", name="a.md"),
    )

    assert (2, {"draft": ("draft.md",)}) == (report.listed, report.left_out)
    assert 1 == len(lastmods((tmp_path / "sitemap.xml").read_bytes()))


def test_notices_are_in_the_order_of_the_pipeline(tmp_path):
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /sitemap.xml\n")
    future = datetime.now(UTC) + timedelta(days=3)

    report = generated(
        tmp_path,
        Page(path="a", modified=future),
        Page(path="b", metadata={"sitemap": "maybe"}),
    )

    assert ["bad-metadata", "future-date", "robots-blocks-sitemap"] == codes(report)


def test_written_sitemap_has_our_signature(tmp_path):
    """The next build may remove only files with a signature."""
    generated(tmp_path)

    assert content_of(tmp_path)["sitemap.xml"].startswith(
        xml.signature_comment("sitemap.xml")
    )


INSTRUCTION = b'<?xml-stylesheet type="text/css" href="%s"?>\n'


@pytest.mark.parametrize("max_urls", [1, 2])
def test_every_file_names_the_style_sheet(tmp_path, max_urls):
    report = generated(tmp_path, filename="map.xml", max_urls=max_urls, stylesheet=True)

    content = content_of(tmp_path)
    sitemaps = [name for name in content if name.endswith(".xml")]
    assert {1: 3, 2: 1}[max_urls] == len(sitemaps)
    assert all(INSTRUCTION % b"map.css" in content[name] for name in sitemaps)
    assert content["map.css"] == stylesheet("map.xml")
    assert tmp_path / "map.css" == report.files[0]


def test_style_sheet_is_removed_without_the_option(tmp_path):
    generated(tmp_path, stylesheet=True)
    generated(tmp_path, stylesheet=False)

    content = content_of(tmp_path)
    assert ["robots.txt", "sitemap.xml"] == sorted(content)
    assert b"stylesheet" not in content["sitemap.xml"]


def test_site_without_pages_has_no_style_sheet(tmp_path):
    generated(tmp_path, stylesheet=True)
    generated(tmp_path, Page(path="", metadata={"sitemap": False}), stylesheet=True)

    assert ["robots.txt"] == sorted(content_of(tmp_path))


@pytest.mark.parametrize("own", [b"", b"body {}", stylesheet("other.xml")])
def test_style_sheet_of_the_user_is_kept_and_not_named(tmp_path, own):
    (tmp_path / "sitemap.css").write_bytes(own)

    report = generated(tmp_path, stylesheet=True)
    generated(tmp_path, stylesheet=False)

    content = content_of(tmp_path)
    assert content["sitemap.css"] == own
    assert b"stylesheet" not in content["sitemap.xml"]
    assert ["other-stylesheet"] == codes(report)


def test_minified_style_sheet_is_recognized_as_ours(tmp_path):
    generated(tmp_path, stylesheet=True)
    style = tmp_path / "sitemap.css"
    written = style.read_bytes()
    style.write_bytes(b" ".join(written.split()))  # As pelican-minify joins its lines.

    report = generated(tmp_path, stylesheet=True)

    assert [] == codes(report)
    assert written == style.read_bytes()


def test_link_in_place_of_the_style_sheet_is_kept(tmp_path):
    theirs = tmp_path / "theirs.css"
    theirs.write_bytes(stylesheet("sitemap.xml"))
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitemap.css").symlink_to(theirs)

    assert ["other-stylesheet"] == codes(generated(site, stylesheet=True))
    assert (site / "sitemap.css").is_symlink()


def test_style_sheet_on_read_the_docs_is_found_from_the_root(tmp_path):
    """Read the Docs serves the default version's sitemap at the root of the host."""
    base = "https://example.com/en/latest/"
    site = Site(base_url=base, output_dir=tmp_path)
    environ = {"READTHEDOCS": "True"}
    generate([Page(path="")], site=site, options=Options(), environ=environ)

    assert (
        INSTRUCTION % b"/en/latest/sitemap.css"
        in (tmp_path / "sitemap.xml").read_bytes()
    )


def test_changefreq_and_priority_come_from_the_page_then_from_the_first_pattern(
    tmp_path,
):
    pages = [
        Page(path="b/", changefreq="daily", priority=0.0),
        Page(path="a/", name="a.md"),
        Page(path=""),
    ]
    rules = {
        "changefreq": {"a/": "weekly"},
        "priority": {"b/": 0.9, "a.md": 0.4, "index.html": 1},
    }

    generated(tmp_path, *pages, **rules)

    root = etree.fromstring(content_of(tmp_path)["sitemap.xml"])
    assert [
        [BASE, "1.0"],
        [f"{BASE}a/", "weekly", "0.4"],
        [f"{BASE}b/", "daily", "0.0"],
    ] == [[child.text for child in url] for url in root]


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_restored_afterwards(tmp_path, enabled):
    def pages():
        yield Page(path="a/")
        raise ValueError

    (gc.enable if enabled else gc.disable)()
    try:
        report = generate(
            pages(),
            site=Site(base_url=BASE, output_dir=tmp_path),
            options=Options(),
            environ={},
        )

        assert enabled == gc.isenabled()
        assert ["failed"] == codes(report)
    finally:
        gc.enable()


@contextmanager
def largest_file(size):
    """Limit the size of files, as on a full disk."""
    resource = pytest.importorskip("resource")  # Windows has none.
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", [0, 1_000, 6_000])
def test_full_disk_is_one_notice_and_the_previous_sitemap_is_kept(tmp_path, room):
    (tmp_path / "sitemap.xml").write_text("previous")

    with largest_file(room):
        report = generated(
            tmp_path, *(Page(path=f"{number}.html") for number in range(400))
        )

    assert ["write-failed"] == codes(report)
    assert {"sitemap.xml": b"previous"} == content_of(tmp_path)


def test_unwritable_robots_txt_prevents_only_its_line(tmp_path):
    theirs = b"#\n" * 5_000
    (tmp_path / "robots.txt").write_bytes(theirs)

    with largest_file(len(theirs)):
        report = generated(tmp_path)

    assert (["write-failed"], (tmp_path / "sitemap.xml",)) == (
        codes(report),
        report.files,
    )
    assert (2, theirs) == (report.listed, content_of(tmp_path)["robots.txt"])


def test_urls_of_other_programs_are_judged_by_scope_form_and_what_the_output_shows(
    tmp_path,
):
    html(tmp_path, "app.html", "<meta name=robots content=noindex>")
    (tmp_path / "api.json").write_text("{}")
    given = [
        "app",
        "api.json",
        "up?x=1",
        "../a/",
        "https://other.example/",
        "http://[",
        "ü/",
        "#x",
    ]
    site = Site(output_dir=tmp_path, built_dir=tmp_path)
    pages = [Page(path="g/", name="g")]
    found = options(base_url=f"{BASE}docs/", urls=given)
    report = generate(pages, site=site, options=found, environ={})

    below = [f"{BASE}docs/{path}" for path in ("api.json", "g/", "up?x=1")]
    assert below == locs((tmp_path / "sitemap.xml").read_bytes())
    assert {
        "bad-url": ("../a/", "https://other.example/", "http://[", "ü/", "#x"),
        "noindex": ("app",),
    } == report.left_out
    assert "  app: left out (noindex: its HTML says noindex)" in report.details()
    told = [
        line for notice in report.notices for line in notice.details or [str(notice)]
    ]
    outside = f"it is not below '{BASE}docs/': correct the option urls"
    without = "it has no file in the folder, so another program has to publish it"
    encode = "write it percent-encoded, a space as %20 for instance"
    for line in (
        *(f"{address}: {outside}" for address in given[3:6]),
        f"up?x=1: {without}",
        f"ü/: 'ü/' contains a character that must be percent-encoded: {encode}",
        "#x: '#x' has a fragment, which is not part of a page's address: remove it",
    ):
        assert line in told
    assert f"api.json: {without}" not in told
