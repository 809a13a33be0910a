"""Which pages are listed, and the reason of every page that is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from sitemap_plugins.core.alternates import Link
from sitemap_plugins.core.entries import Entry, from_pages, select
from sitemap_plugins.core.options import check
from sitemap_plugins.core.pages import REASONS, Page
from sitemap_plugins.core.robots import Robots

BASE = "https://example.com/docs/"


def options(**values):
    return replace(check(values, where=""), base_url=BASE)


OPTIONS = options()
UNREADABLE = Path("/proc/self/mem")


def selected(*pages, robots=None, options=OPTIONS):
    return select(pages, options=options, robots=robots)


def reasons(selection):
    """Return each page left out with its reason."""
    return {name: reason for reason, names in selection.left_out.items() for name in names}


def codes(selection):
    return [notice.code for notice in selection.notices]


@pytest.fixture
def site(tmp_path):
    """Return a function that writes a built page and describes it."""

    def page(path, head="", **fields):
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.html"
        file.write_bytes(f"<!doctype html><html><head>{head}</head><body>x</body></html>".encode())
        return Page(path=path, output_file=file, **fields)

    return page


def canonical(url):
    return f'<link rel="canonical" href="{url}">'


def test_listed_pages_are_by_url_in_their_own_order():
    pages = [Page(path="b/"), Page(path=""), Page(path="a/")]

    selection = selected(*pages)

    assert selection.listed == {f"{BASE}b/": pages[0], BASE: pages[1], f"{BASE}a/": pages[2]}
    assert (selection.left_out, selection.notices) == ({}, ())


def test_no_page_gives_no_entry():
    assert selected().listed == {}


@pytest.mark.parametrize("reason", ["draft", "hidden", "generated", "a host's own word"])
def test_the_hosts_reason(reason):
    assert reasons(selected(Page(path="a", left_out=reason))) == {"a": reason}


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [({"sitemap": False}, "author"), ({"robots": "noindex, follow"}, "noindex")],
)
def test_the_authors_reason(metadata, expected):
    assert reasons(selected(Page(path="a", name="a.md", metadata=metadata))) == {"a.md": expected}


def test_excluded_by_an_option():
    pages = [Page(path="drafts/a"), Page(path="blog/a.html"), Page(path="b.html")]

    selection = selected(*pages, options=options(exclude=["drafts/", "re:^blog"]))

    assert reasons(selection) == {"drafts/a": "excluded", "blog/a.html": "excluded"}
    assert list(selection.listed) == [f"{BASE}b.html"]


def test_disallowed_by_robots_txt():
    text = b"User-agent: *\nDisallow: /docs/private/\n"
    robots = Robots(text, base_url="https://example.com/", on_read_the_docs=False)

    selection = selected(Page(path="private/a"), Page(path="a"), robots=robots)

    assert reasons(selection) == {"private/a": "robots"}


@pytest.mark.parametrize("path", ["/a", "a b", "../a", "a/./b", "a#b", "é", "a" * 2048, "100%"])
def test_a_path_that_is_no_url(path):
    selection = selected(Page(path=path, name="a.md"))

    assert (reasons(selection), codes(selection)) == ({"a.md": "bad-url"}, ["bad-url"])
    assert selection.notices[0].text.startswith("a.md: ")
    assert selection.notices[0].source == "a.md"


@pytest.mark.parametrize("inspect_html", [True, False])
def test_a_file_that_was_not_written(tmp_path, inspect_html):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("<p>")
    pages = [
        Page(path="gone", output_file=tmp_path / "gone.html"),
        Page(path="folder", output_file=tmp_path / "folder"),
        Page(path="below", output_file=tmp_path / "file" / "index.html"),
        Page(path="there", output_file=tmp_path / "file"),
        Page(path="unknown"),
    ]

    selection = selected(*pages, options=options(inspect_html=inspect_html))

    assert reasons(selection) == dict.fromkeys(("gone", "folder", "below"), "missing")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<meta name="robots" content="noindex">', "noindex"),
        ('<meta name="googlebot" content="none">', "noindex"),
        ('<meta http-equiv="refresh" content="0; url=../b/">', "redirect"),
        ('<meta http-equiv="refresh" content="30">', None),
        ('<meta http-equiv="refresh" content="0; url=../a/">', None),
        (canonical(f"{BASE}b/"), "canonical"),
        (canonical("../b/"), "canonical"),
        (canonical("https://other.example/a/"), "canonical"),
        (canonical(f"{BASE}a"), "canonical"),  # Without the last slash: another URL.
        (canonical(f"{BASE}a/"), None),
        (canonical("../a/"), None),
        (canonical("HTTPS://EXAMPLE.com:443/docs/a/"), None),
        (canonical(f"{BASE}%61/"), None),
        (canonical(f"{BASE}a/#top"), None),
        (canonical(""), None),
        ("", None),
    ],
)
def test_what_the_built_page_says(site, head, expected):
    home = site("", canonical(BASE))  # One page confirms the base URL.

    selection = selected(home, site("a/", head))

    assert reasons(selection) == ({"a/": expected} if expected else {})
    assert codes(selection) == []


def test_html_is_not_read_where_the_option_says_so(site):
    page = site("a/", '<meta name="robots" content="noindex">' + canonical("https://b.example/"))

    assert list(selected(page, options=options(inspect_html=False)).listed) == [f"{BASE}a/"]


def test_a_redirect_is_not_asked_for_its_canonical(site):
    """What redirects and is canonical elsewhere too is one page left out for one reason."""
    head = f'<meta http-equiv="refresh" content="0; url={BASE}">' + canonical(BASE)

    selection = selected(site("", canonical(BASE)), site("old/", head))

    assert (reasons(selection), codes(selection)) == ({"old/": "redirect"}, [])


def test_a_cheaper_reason_comes_first(site):
    """A page that the host leaves out is not read, and counts nowhere else."""
    head = '<meta name="robots" content="noindex">'

    selection = selected(
        site("a/", head, left_out="draft", metadata={"sitemap": False}),
        site("b/", head, metadata={"sitemap": False}),
        site("c/", head),
        options=options(exclude=["*"]),
    )

    assert reasons(selection) == {"a/": "draft", "b/": "author", "c/": "excluded"}


def test_canonical_elsewhere_on_every_page_means_a_wrong_base_url(site):
    """Then no page is left out, and the notice names the base that the pages use."""
    theirs = "https://new.example/site/"
    pages = [site(path, canonical(theirs + path)) for path in ("", "a/", "b/")]

    selection = selected(*pages)

    assert (reasons(selection), codes(selection)) == ({}, ["wrong-base-url"])
    assert repr(theirs) in selection.notices[0].text
    assert repr(BASE) in selection.notices[0].text


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        # One page confirms the base URL: the others are elsewhere.
        ([canonical(BASE), *[canonical("https://b.example/")] * 9], ["canonical"] * 9),
        # Most pages name none: the few that do are elsewhere.
        (["", "", "", canonical("https://b.example/")], ["canonical"]),
        (
            ["", "", canonical("https://b.example/"), canonical("https://b.example/")],
            ["canonical"] * 2,
        ),
        # Most pages name another: the base URL is wrong.
        (["", *[canonical("https://b.example/")] * 2], []),
        # Pages that are out for another reason do not count.
        ([canonical(BASE), '<meta name="robots" content="none">'], ["noindex"]),
    ],
)
def test_a_wrong_base_url_is_told_from_pages_that_are_elsewhere(site, heads, expected):
    pages = [site("" if n == 0 else f"{n}/", head) for n, head in enumerate(heads)]

    selection = selected(*pages)

    assert sorted(reasons(selection).values()) == expected
    assert ("wrong-base-url" in codes(selection)) == (expected == [])


def test_an_odd_canonical_beside_them_does_not_hide_a_wrong_base_url(site):
    theirs = "https://new.example/docs/"
    pages = [
        site("", canonical(theirs)),
        site("m%C3%BCnchen/", canonical(f"{theirs}münchen/")),  # As Sphinx writes it.
        site("a/", canonical(f"{theirs}a/")),
        site("copy/", canonical(f"{theirs}a/"), name="copy.md"),
    ]

    selection = selected(*pages)

    assert reasons(selection) == {"copy.md": "canonical"}
    assert codes(selection) == ["wrong-base-url"]
    assert "of 3 pages leads" in selection.notices[0].text


@pytest.mark.parametrize(("path", "name"), [("", "index.html"), ("a/", "a/index.html")])
def test_a_folder_and_its_index_are_one_page(site, path, name):
    """Themes name the file that they write, where the sitemap has the folder, or the other way."""
    selection = selected(
        site(path, canonical(BASE + name)),
        site("b/index.html", canonical(f"{BASE}b/")),
        site("c/", canonical(f"{BASE}c/noindex.html"), name="c"),
    )

    assert reasons(selection) == {"c": "canonical"}


def test_pages_canonical_under_the_other_scheme_stay_with_a_notice(site):
    pages = [site(path, canonical(f"http://example.com/docs/{path}")) for path in ("", "a/")]

    selection = selected(*pages)

    assert (reasons(selection), codes(selection)) == ({}, ["scheme-differs"])
    assert "'http://example.com/docs/'" in selection.notices[0].text


def test_an_http_site_has_https_twins(site):
    page = site("", canonical(BASE))

    selection = select(
        [page], options=replace(OPTIONS, base_url="http://example.com/docs/"), robots=None
    )

    assert (reasons(selection), codes(selection)) == ({}, ["scheme-differs"])


def test_twins_and_pages_elsewhere_are_told_apart(site):
    twin = site("a/", canonical("http://example.com/docs/a/"))
    elsewhere = site("b/", canonical("https://other.example/b/"))
    home = site("", canonical(BASE))

    selection = selected(home, twin, elsewhere)

    assert (reasons(selection), codes(selection)) == ({"b/": "canonical"}, ["scheme-differs"])


@pytest.mark.parametrize(
    "paths",
    [
        ("caf%C3%A9/", "caf%C3%A9/"),
        ("caf%C3%A9/", "caf%c3%a9/"),
        ("a~b", "a%7Eb"),
        ("(a)", "%28a%29"),
        ("?q=a%20b", "?q=%61%20b"),
    ],
)
def test_duplicates_are_left_out_with_a_notice_however_they_are_spelt(paths):
    first, second = (Page(path=path, name=name) for path, name in zip(paths, "ab", strict=True))

    selection = selected(first, second)

    assert (list(selection.listed.values()), reasons(selection)) == ([first], {"b": "duplicate"})
    assert codes(selection) == ["duplicate-url"]
    assert selection.notices[0].text.startswith("b: has the URL of a, ")


@pytest.mark.parametrize("paths", [("a", "A"), ("a", "a/"), ("a%2Fb", "a/b"), ("a?b", "a%3Fb")])
def test_urls_that_differ_are_no_duplicates(paths):
    assert len(selected(*[Page(path=path) for path in paths]).listed) == 2


def test_a_page_left_out_is_no_duplicate():
    selection = selected(Page(path="a", name="draft", left_out="draft"), Page(path="a", name="a"))

    assert (list(selection.listed), codes(selection)) == ([f"{BASE}a"], [])


@pytest.mark.parametrize(
    "path",
    [
        *("a?PHPSESSID=1", "a?x=1&sid=2", "a;jsessionid=1", "a?session_id=1", "a?sessionid=1"),
        *("a?ASPSESSIONIDABC=1", "a?CFID=1&CFTOKEN=2"),
    ],
)
def test_a_session_identifier_is_listed_with_a_notice(path):
    selection = selected(Page(path=path))

    assert (len(selection.listed), codes(selection)) == (1, ["session-id"])


@pytest.mark.parametrize("path", ["a?side=1", "a?obsid=1", "sid=1/", "sessionid/", "a?q=sid"])
def test_what_looks_like_a_session_identifier_is_none(path):
    assert codes(selected(Page(path=path))) == []


def test_a_file_that_no_system_can_have_is_missing(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    pages = [Page(path=name[:4], output_file=tmp_path / name) for name in ("loop", "long" * 99)]

    assert reasons(selected(*pages)) == {"loop": "missing", "long": "missing"}


def test_an_empty_file_is_no_page(tmp_path):
    (tmp_path / "authors.html").touch()
    page = Page(path="authors.html", name="authors", output_file=tmp_path / "authors.html")

    assert reasons(selected(page)) == {"authors": "missing"}


@pytest.mark.skipif(not UNREADABLE.is_file(), reason="needs a file that even root cannot read")
def test_a_page_that_cannot_be_read_is_listed_with_a_notice():
    """That it says noindex is not known, and a site without its pages would be the worse error."""
    selection = selected(Page(path="a", name="a.md", output_file=UNREADABLE))

    assert (list(selection.listed), codes(selection)) == ([f"{BASE}a"], ["html-unreadable"])
    assert selection.notices[0].text.startswith("a.md: ")


def test_every_reason_of_ours_is_documented():
    assert {
        *("author", "noindex", "redirect", "canonical", "excluded", "robots", "missing"),
        *("bad-url", "duplicate", "draft", "hidden", "generated"),
    } == set(REASONS)


def test_the_home_page_has_a_name_in_the_account():
    assert reasons(selected(Page(path="", left_out="draft"))) == {"the home page": "draft"}


def test_entries_are_sorted_and_take_what_is_known_by_path():
    link = Link("en", BASE)
    pages = [
        Page(path="b/", changefreq="daily", priority=0.0),
        Page(path="a/", changefreq=None),
        Page(path=""),
    ]

    entries = from_pages(
        {BASE + page.path: page for page in pages},
        dates={"a/": date(2024, 1, 1)},
        links={"": (link,)},
        options=options(changefreq={"a/": "weekly"}, priority={"b/": 0.9, "index.html": 1}),
    )

    assert entries == [
        Entry(url=BASE, priority=1.0, links=(link,)),
        Entry(url=f"{BASE}a/", lastmod=date(2024, 1, 1), changefreq="weekly"),
        Entry(url=f"{BASE}b/", changefreq="daily", priority=0.0),
    ]
