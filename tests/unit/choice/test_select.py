"""Which pages are listed, and the reason of every page that is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitemap_plugins.core.choice.select import select
from sitemap_plugins.core.crawlers.hosting import ServerRules, read_server_rules
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Alternate, Page, page_or_bug
from tests.written import codes

BASE = "https://example.com/docs/"


def options(**values):
    return Options.parse(values, where="")


OPTIONS = options()
UNREADABLE = Path("/proc/self/mem")


def selected(*pages, robots=None, options=OPTIONS, base_url=BASE, server_rules=None):
    return select(
        pages,
        base_url=base_url,
        options=options,
        robots=robots,
        server_rules=server_rules,
    )


def urls(selection):
    return [page.url for page in selection.listed]


def reasons(selection):
    """Return each page left out with its reason."""
    return {page.label: reason for page, reason, _ in selection.pages_left_out}


@pytest.fixture
def site(tmp_path):
    """Return a function that writes a built page and describes it."""

    def page(path, head="", **fields):
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.html"
        file.write_bytes(
            f"<!doctype html><html><head>{head}</head><body>x</body></html>".encode()
        )
        return Page(path=path, output_file=file, **fields)

    return page


def canonical(url):
    return f'<link rel="canonical" href="{url}">'


def test_listed_pages_keep_their_order():
    pages = [Page(path="b/"), Page(path=""), Page(path="a/")]

    selection = selected(*pages)

    assert [f"{BASE}b/", BASE, f"{BASE}a/"] == urls(selection)
    assert ((), ()) == (selection.pages_left_out, selection.notices)


def test_head_that_is_not_read_to_its_end_is_reported(site):
    links = "<link rel=preload href=/a.js as=script>" * 1_000
    slow = f"{links}<meta {' '.join(f'a{number}' for number in range(1_000))}>"

    b = site("b/", canonical(f"{BASE}b/"))
    read = selected(b, site("a/", links + canonical(f"{BASE}b/")))
    told = selected(b, site("a/", slow + canonical(f"{BASE}b/"), name="a.md"))

    assert ({"a/": "canonical"}, []) == (reasons(read), codes(read))
    assert ({}, ["html-unreadable"]) == (reasons(told), codes(told))
    assert str(told.notices[0]).startswith("a.md: the built page is too long")


def test_no_pages_give_no_entries():
    assert () == selected().listed


@pytest.mark.parametrize("reason", ["draft", "hidden", "generated"])
def test_reason_of_the_host(reason):
    assert reasons(selected(Page(path="a", exclude_reason=reason))) == {"a": reason}


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [({"sitemap": False}, "front-matter"), ({"robots": "noindex, follow"}, "noindex")],
)
def test_reason_of_the_author(metadata, expected):
    assert {"a.md": expected} == reasons(
        selected(Page(path="a", name="a.md", metadata=metadata))
    )


def test_excluded_by_an_option():
    pages = [Page(path="drafts/a"), Page(path="blog/a.html"), Page(path="b.html")]

    selection = selected(*pages, options=options(exclude=["drafts/", "re:^blog"]))

    assert {"drafts/a": "excluded", "blog/a.html": "excluded"} == reasons(selection)
    assert [f"{BASE}b.html"] == urls(selection)


@pytest.mark.parametrize("key", [b"User-agent", b"Useragent"])
def test_disallowed_by_robots_txt(key):
    why = 'robots.txt:2 "Disallow: /docs/private/"'
    text = key + b": *\nDisallow: /docs/private/\n"
    robots = Robots(text, base_url="https://example.com/", on_read_the_docs=False)

    selection = selected(Page(path="private/a"), Page(path="a"), robots=robots)

    assert {"private/a": "robots"} == reasons(selection)
    assert [why] == [left.why for left in selection.pages_left_out]


@pytest.mark.parametrize(
    "path", ["/a", "a b", "../a", "a/./b", "a#b", "é", "a" * 2048, "100%"]
)
def test_path_that_is_not_a_url(path):
    selection = selected(Page(path=path, name="a.md"))

    assert ({"a.md": "bad-url"}, ["bad-url"]) == (reasons(selection), codes(selection))
    assert "a.md" == selection.notices[0].place
    assert {None: ""} == selection.urls


@pytest.mark.parametrize("inspect_html", [True, False])
def test_file_that_was_not_written(tmp_path, inspect_html):
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

    assert dict.fromkeys(("gone", "folder", "below"), "missing") == reasons(selection)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<meta name="robots" content="noindex">', "noindex"),
        ('<meta name="googlebot" content="none">', "noindex"),
        ('<meta http-equiv="refresh" content="0; url=../b/">', "redirect"),
        ('<meta http-equiv="refresh" content="30">', None),
        ('<meta http-equiv="refresh" content="0; url=../a/">', None),
        ('<meta http-equiv="refresh" content="0; url=../%61/">', None),
        (canonical(f"{BASE}b/"), "canonical"),
        (canonical("../b/"), "canonical"),
        (canonical("https://other.example/a/"), "canonical"),
        (canonical(f"{BASE}a"), None),  # Without the last slash: the same file.
        (canonical(f"{BASE}a/"), None),
        (canonical("../a/"), None),
        (canonical("HTTPS://EXAMPLE.com:443/docs/a/"), None),
        (canonical(f"{BASE}%61/"), None),
        (canonical(f"{BASE}de/../a/"), None),
        (canonical(f"{BASE}de/%2e%2E/a/"), None),
        (canonical(f"{BASE}a/#top"), None),
        (canonical(""), None),
        ("", None),
    ],
)
def test_reason_in_the_built_page(site, head, expected):
    home = site("", canonical(BASE))  # One page confirms the base URL.

    selection = selected(home, site("a/", head))

    assert reasons(selection) == ({"a/": expected} if expected else {})
    assert [] == codes(selection)


def test_wrong_front_matter_is_reported_if_the_built_page_is_right(site):
    page = site("a/", metadata={"sitemap": {"priority": "high"}})

    assert ["bad-metadata"] == codes(selected(page))


def test_head_that_the_host_has_read_is_not_read_again(site):
    page = replace(site("a/", canonical(f"{BASE}a/")), head=HeadMeta(noindex=True))

    assert {"a/": "noindex"} == reasons(selected(page))
    assert {} == reasons(selected(page, options=options(inspect_html=False)))


def test_html_is_not_read_if_the_option_is_off(site):
    page = site(
        "a/", '<meta name="robots" content="noindex">' + canonical("https://b.example/")
    )

    assert [f"{BASE}a/"] == urls(selected(page, options=options(inspect_html=False)))


def test_canonical_link_of_a_redirect_is_ignored(site):
    """A page that redirects and is canonical elsewhere is left out for one reason."""
    head = f'<meta http-equiv="refresh" content="0; url={BASE}">' + canonical(BASE)

    selection = selected(site("", canonical(BASE)), site("old/", head))

    assert ({"old/": "redirect"}, []) == (reasons(selection), codes(selection))


def test_cheaper_reason_comes_first(site):
    """A page that the host leaves out is not read, and has no second reason."""
    head = '<meta name="robots" content="noindex">'

    selection = selected(
        site("a/", head, exclude_reason="draft", metadata={"sitemap": False}),
        site("b/", head, metadata={"sitemap": False}),
        site("c/", head),
        options=options(exclude=["*"]),
    )

    assert {"a/": "draft", "b/": "front-matter", "c/": "excluded"} == reasons(selection)


def test_canonical_links_elsewhere_on_every_page_mean_a_wrong_base_url(site):
    """No page is left out, and the notice names the base that the pages use."""
    theirs = "https://new.example/site/"
    pages = [site(path, canonical(theirs + path)) for path in ("", "a/", "b/")]

    selection = selected(*pages)

    assert ({}, ["wrong-base-url"]) == (reasons(selection), codes(selection))
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
def test_wrong_base_url_is_distinguished_from_pages_elsewhere(site, heads, expected):
    pages = [site("" if n == 0 else f"{n}/", head) for n, head in enumerate(heads)]

    selection = selected(*pages)

    assert expected == sorted(reasons(selection).values())
    assert ("wrong-base-url" in codes(selection)) == (expected == [])


def test_single_odd_canonical_link_does_not_hide_a_wrong_base_url(site):
    theirs = "https://new.example/docs/"
    pages = [
        site("", canonical(theirs)),
        site("m%C3%BCnchen/", canonical(f"{theirs}münchen/")),  # As Sphinx writes it.
        site("a/", canonical(f"{theirs}a/")),
        site("copy/", canonical(f"{theirs}a/"), name="copy.md"),
    ]

    selection = selected(*pages)

    assert {"copy.md": "canonical"} == reasons(selection)
    assert ["wrong-base-url"] == codes(selection)
    assert "of 3 pages is below" in selection.notices[0].text


@pytest.mark.parametrize(
    ("named", "is_dead"),
    [
        *((path, True) for path in ("topic/index/", "copied/index/", "copied/i")),
        ("nothing/", True),
        ("a/%2e%2e/nothing", True),
        ("..%2Fsecret", True),  # Beside the output folder.
        ("a%00b", True),
        ("a" * 300, True),
        # Pages in other forms, also those that are left out; a file; a query.
        *((path, False) for path in ("b", "b/index.html", "b/index", "hidden", "")),
        *(
            (path, False)
            for path in ("b/?page=2", "paper.pdf", "copied/", "copied", "c%C3%B6/")
        ),
    ],
)
def test_canonical_link_that_leads_nowhere_is_named(site, tmp_path, named, is_dead):
    out = tmp_path / "out"
    for name in ("paper.pdf", "copied/index.html", "cö.html", "../secret"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("x")
    pages = [site(path, canonical(BASE + path)) for path in ("", "b/")]
    hidden = site("hidden.html", exclude_reason="hidden")
    lost = site("topic/", canonical(BASE + named), name="topic.md")

    selection = select(
        [*pages, hidden, lost],
        base_url=BASE,
        options=OPTIONS,
        robots=None,
        output_dir=out,
    )

    assert "canonical" == reasons(selection)["topic.md"]
    assert codes(selection) == ["dead-canonical"] * is_dead
    for notice in selection.notices:
        assert "topic.md" == notice.place
        assert repr(f"{BASE}topic/") in notice.text
        assert f"names '{BASE}" in notice.text


def test_canonical_link_to_another_site_is_not_looked_up(site, tmp_path):
    pages = [
        site("", canonical(BASE)),
        site("a/", canonical("https://example.com/docs2/a/")),
    ]

    selection = select(
        pages, base_url=BASE, options=OPTIONS, robots=None, output_dir=tmp_path
    )

    assert ({"a/": "canonical"}, []) == (reasons(selection), codes(selection))


@pytest.mark.parametrize(("path", "name"), [("", "index.html"), ("a/", "a/index.html")])
def test_folder_and_its_index_are_one_page(site, path, name):
    """Themes name the file that they write, where the sitemap has the folder,
    or the other way."""
    selection = selected(
        site(path, canonical(BASE + name)),
        site("b/index.html", canonical(f"{BASE}b/")),
        site("c/", canonical(f"{BASE}c/noindex.html"), name="c"),
    )

    assert {"c": "canonical"} == reasons(selection)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("no", "noindex.html"),
        ("noindex.html", "no"),
        ("a.html", ""),
        ("a", "index.html"),
    ],
)
def test_only_the_index_of_a_folder_is_its_page(site, path, name):
    selection = selected(site("", canonical(BASE)), site(path, canonical(BASE + name)))

    assert {path: "canonical"} == reasons(selection)


def test_pages_canonical_under_the_other_scheme_are_listed_with_a_notice(site):
    pages = [
        site(path, canonical(f"http://example.com/docs/{path}")) for path in ("", "a/")
    ]

    selection = selected(*pages)

    assert ({}, ["wrong-base-url"]) == (reasons(selection), codes(selection))
    assert "'http://example.com/docs/'" in selection.notices[0].text


def test_http_site_may_have_https_canonical_links(site):
    page = site("", canonical(BASE))

    selection = selected(page, base_url="http://example.com/docs/")

    assert ({}, ["wrong-base-url"]) == (reasons(selection), codes(selection))


def test_other_scheme_is_distinguished_from_pages_elsewhere(site):
    twin = site("a/", canonical("http://example.com/docs/a/"))
    elsewhere = site("b/", canonical("https://other.example/b/"))
    home = site("", canonical(BASE))

    selection = selected(home, twin, elsewhere)

    assert ({"b/": "canonical"}, ["wrong-base-url"]) == (
        reasons(selection),
        codes(selection),
    )


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
def test_last_page_of_a_url_is_listed_however_the_url_is_spelled(paths):
    first, second = (
        Page(path=path, name=name) for path, name in zip(paths, "ab", strict=True)
    )

    selection = selected(first, second)

    assert ("b", {"a": "duplicate"}) == (selection.listed[0].label, reasons(selection))
    assert ["duplicate"] == codes(selection)
    assert str(selection.notices[0]).startswith("a: same URL as b, ")


@pytest.mark.parametrize(
    "paths", [("a", "A"), ("a", "a/"), ("a%2Fb", "a/b"), ("a?b", "a%3Fb")]
)
def test_different_urls_are_not_duplicates(paths):
    assert 2 == len(selected(*[Page(path=path) for path in paths]).listed)


def test_page_that_is_left_out_is_not_a_duplicate():
    selection = selected(
        Page(path="a", name="draft", exclude_reason="draft"), Page(path="a", name="a")
    )

    assert ([f"{BASE}a"], []) == (urls(selection), codes(selection))


def test_impossible_file_name_is_a_missing_file(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    pages = [
        Page(path=name[:4], output_file=tmp_path / name)
        for name in ("loop", "long" * 99)
    ]

    assert {"loop": "missing", "long": "missing"} == reasons(selected(*pages))


def test_empty_file_is_not_a_page(tmp_path):
    (tmp_path / "authors.html").touch()
    page = Page(
        path="authors.html", name="authors", output_file=tmp_path / "authors.html"
    )

    assert {"authors": "blank"} == reasons(selected(page))


@pytest.mark.skipif(
    not UNREADABLE.is_file(), reason="needs a file that even root cannot read"
)
def test_unreadable_page_is_listed_with_a_notice():
    """It may have noindex, but a site without its pages would be the worse error."""
    selection = selected(Page(path="a", name="a.md", output_file=UNREADABLE))

    assert ([f"{BASE}a"], ["html-unreadable"]) == (urls(selection), codes(selection))
    assert "a.md" == selection.notices[0].place


def test_home_page_has_a_name_in_the_report():
    assert {"the home page": "draft"} == reasons(
        selected(Page(path="", exclude_reason="draft"))
    )


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("api.md", ["api.md"]),  # The source's name, as messages show it.
        ("*.md", ["api.md", "blog/one.md"]),
        ("blog/", ["blog/one.md"]),
        ("api/", ["api.md"]),  # The URL path.
        ("re:^blog/one", ["blog/one.md"]),
    ],
)
def test_pattern_matches_the_url_path_or_the_name_of_the_source(pattern, expected):
    pages = [
        Page(path="api/", name="api.md"),
        Page(path="blog/one/", name="blog/one.md"),
    ]

    selection = selected(*pages, options=options(exclude=[pattern]))

    assert expected == sorted(reasons(selection))
    assert [] == codes(selection)


def test_last_pattern_that_matches_either_text_decides():
    page = Page(path="api/", name="api.md")

    assert [] == urls(selected(page, options=options(exclude=["!api.md", "api/"])))
    assert [f"{BASE}api/"] == urls(
        selected(page, options=options(exclude=["api/", "!api.md"]))
    )


def test_pattern_that_matches_nothing_is_a_notice():
    values = {
        "exclude": ["docs/api.md", "*/", "!a/", "!b/"],
        "changefreq": {"c/": "daily", "a/": "weekly"},
        "priority": {"a/": 1, "re:^b": 0.1},
        "split": {"d/": "d", "a/": "a"},
    }

    selection = selected(Page(path="a/"), options=options(**values))

    assert [
        (
            "exclude: 'docs/api.md' and '!b/' match no page's URL path or source name: correct it,"
            " or remove it if only another sitemap plugin needed it"
        ),
        "changefreq: 'c/' matches no page's URL path or source name: correct it",
        "priority: 're:^b' matches no page's URL path or source name: correct it",
        "split: 'd/' matches no page's URL path or source name: correct it",
    ] == [str(notice) for notice in selection.notices]


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        (r"drafts\*", r" (write / for \)"),
        (r"!drafts\a*", r" (write / for \)"),
        (r"drafts\b", ""),
        (r"re:drafts\s", ""),
        (r"re:(drafts\))", ""),
    ],
)
def test_pattern_with_backslashes_that_slashes_would_fix_says_so(pattern, hint):
    page = Page(path="drafts/a/")

    selection = selected(page, options=options(changefreq={pattern: "daily"}))

    assert [f"correct it{hint}"] == [notice.cure for notice in selection.notices]


def test_sitemap_true_lists_a_page_that_a_pattern_excludes():
    page = Page(path="a/", metadata={"sitemap": True})

    assert [f"{BASE}a/"] == urls(selected(page, options=options(exclude=["*"])))


@pytest.mark.parametrize("listed", [False, True])
def test_static_html_is_listed_if_the_option_is_on(listed):
    page = Page(path="a.html", exclude_reason="static")

    selection = selected(page, options=options(static_html=listed))

    assert listed == bool(selection.listed)
    assert ({} if listed else {"a.html": "static"}) == reasons(selection)


def test_short_canonical_urls_that_most_pages_use_are_listed(site):
    """Every server answers `/about` with `about.html`;
    four of 23 Pelican themes link it so."""
    pages = [site(f"{name}.html", canonical(BASE + name)) for name in ("a", "b", "c")]
    odd = site("d.html", canonical(f"{BASE}d.html"))

    selection = selected(*pages, odd)

    assert [BASE + name for name in ("a", "b", "c", "d.html")] == urls(selection)
    assert [] == codes(selection)


def test_front_page_that_is_canonical_as_a_folder_is_listed_as_one(site):
    home = site("index.html", canonical(BASE))
    page = site("a.html", canonical(f"{BASE}a.html"))

    selection = selected(home, page)

    assert ([BASE, f"{BASE}a.html"], []) == (
        urls(selection),
        codes(selection),
    )


def test_folders_and_other_pages_are_shortened_independently(site):
    """A theme that leaves out `.html` can name the file of each folder,
    and the other way."""
    folders = [
        site(f"{n}/index.html", canonical(f"{BASE}{n}/index.html")) for n in range(3)
    ]
    pages = [site(f"{name}.html", canonical(BASE + name)) for name in ("a", "b%7E")]

    selection = selected(*folders, *pages)

    assert [*(page.path for page in folders), "a", "b%7E"] == [
        url.removeprefix(BASE) for url in urls(selection)
    ]
    assert [] == codes(selection)


@pytest.mark.parametrize(
    ("metadata", "expected"), [({}, {"a.html": "excluded"}), ({"sitemap": True}, {})]
)
def test_pattern_excludes_the_url_that_a_canonical_link_chose(site, metadata, expected):
    page = site("a.html", canonical(f"{BASE}a"), metadata=metadata)

    selection = selected(page, options=options(exclude=["/a"]))

    assert expected == reasons(selection)
    assert "unused-pattern" not in codes(selection)


@pytest.mark.parametrize(
    ("path", "named"), [("a/index.html", "a/"), ("a/", "a/index.html")]
)
def test_links_to_other_languages_have_the_form_of_the_canonical_link(
    site, path, named
):
    """The other language's build has the same theme,
    and its sitemap lists that form."""
    german = Alternate(language="de", url=f"https://example.com/de/{path}")
    odd = Alternate(language="fr", url="https://example.com/fr/autre.html")
    page = replace(site(path, canonical(BASE + named)), alternates=(german, odd))

    selection = selected(page)

    [listed] = selection.listed
    expected = [f"https://example.com/de/{named}", "https://example.com/fr/autre.html"]
    assert expected == [alternate.url for alternate in listed.alternates]


@pytest.mark.parametrize("others", ["ab", "a"])
def test_short_canonical_urls_that_most_pages_do_not_use_change_nothing(site, others):
    pages = [site(f"{name}.html", canonical(f"{BASE}{name}.html")) for name in others]

    selection = selected(*pages, site("c.html", canonical(f"{BASE}c")))

    assert [f"{BASE}{name}.html" for name in (*others, "c")] == urls(selection)
    assert [] == codes(selection)


def test_folders_are_listed_at_the_index_file_that_their_canonical_links_name(site):
    """The theme of hyphanet/website: `{{ SITEURL }}/{{ output_file }}`."""
    pages = [
        site("", canonical(f"{BASE}index.html")),
        site("a%7Eb/", canonical(f"{BASE}a~b/index.html#top")),
        site("other/", canonical(f"{BASE}other/")),
    ]

    selection = selected(*pages)

    assert [f"{BASE}index.html", f"{BASE}a%7Eb/index.html", f"{BASE}other/"] == urls(
        selection
    )
    assert [] == codes(selection)


REFUSALS = {
    "robots.txt": ("User-agent: Googlebot\nDisallow: /docs/index.html\n", "", ""),
    "_redirects": ("", "/docs/index.html /docs/ 301!\n", ""),
    "hosting": ("", "", "cloudflare"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_folder_whose_index_file_crawlers_cannot_get_is_listed_as_a_folder(site, case):
    text, redirects, service = REFUSALS[case]
    robots = Robots(
        text.encode(), base_url="https://example.com/", on_read_the_docs=False
    )
    rules = ServerRules(base_url="https://example.com/", service=service)
    rules.add_redirects(redirects)
    home = site("", canonical(f"{BASE}index.html"))

    selection = selected(home, robots=robots, server_rules=rules)

    assert ([BASE], [], {}) == (urls(selection), codes(selection), reasons(selection))


@pytest.mark.parametrize(
    ("service", "expected"), [("github", {"both/": "canonical"}), ("vercel", {})]
)
def test_service_decides_which_of_two_files_a_short_canonical_link_names(
    site, service, expected
):
    rules = ServerRules(base_url="https://example.com/", service=service)
    other = site("both/", canonical(f"{BASE}both"))

    selection = selected(site("both.html"), other, server_rules=rules)

    assert expected == reasons(selection)


# --- pages on which something fails
# -------------------------------------------------------------


class Unreadable(dict):
    """Front matter of another plugin, which fails when it is read."""

    def get(self, key, default=None):
        msg = f"no {key}"
        raise RuntimeError(msg)


def test_page_on_which_an_adapter_fails_does_not_affect_others():
    broken = page_or_bug("b.md", lambda: Page(path=None.url))
    selection = selected(Page(path="a"), broken, Page(path="c"))

    assert [f"{BASE}a", f"{BASE}c"] == urls(selection)
    assert {"b.md": "failed"} == reasons(selection)
    (notice,) = selection.notices
    assert ("failed", "b.md") == (notice.code, notice.place)
    assert "AttributeError: 'NoneType' object has no attribute 'url'" in notice.text
    assert __file__ in notice.text


def test_page_on_which_the_core_fails_does_not_affect_others():
    broken = Page(path="b", name="b.md", metadata=Unreadable())
    selection = selected(Page(path="a", lists=("b",)), broken, Page(path="c"))

    assert [f"{BASE}a", f"{BASE}c"] == urls(selection)
    assert {"b.md": "failed"} == reasons(selection)
    assert ["b"] == [page.path for page in selection.unlisted_members]
    assert ["failed"] == codes(selection)


@pytest.mark.parametrize("path", [None, 5, ["b"]])
@pytest.mark.parametrize("values", [{}, {"exclude": ["none"]}])
def test_page_whose_path_is_not_a_string_does_not_affect_others(path, values):
    broken = Page(path=path, name="b.md")
    selection = selected(
        Page(path="a", lists=("c",)), broken, Page(path="c"), options=options(**values)
    )

    assert [f"{BASE}a", f"{BASE}c"] == urls(selection)
    assert {"b.md": "failed"} == reasons(selection)
    assert "failed" == codes(selection)[0]


def test_page_or_bug_returns_the_page_itself():
    page = Page(path="a")

    assert page is page_or_bug("a.md", lambda: page)


# --- the home page
# ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "index.html", "index"])
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (
            {"exclude_reason": "hidden"},
            "hidden: the generator treats the page as hidden",
        ),
        (
            {"metadata": {"sitemap": False}},
            "front-matter: the page's front matter says `sitemap: false`",
        ),
        ({"metadata": {"robots": "noindex"}}, "noindex: its front matter says noindex"),
    ],
)
def test_home_page_that_is_left_out_is_reported_with_the_reason(path, fields, reason):
    selection = selected(Page(path=path, name="index.md", **fields), Page(path="a"))

    (notice,) = selection.notices
    assert ("home-left-out", "index.md") == (notice.code, notice.place)
    assert notice.text.startswith(f"the home page is left out ({reason})")


def test_excluded_home_page_is_reported():
    selection = selected(
        Page(path=""), Page(path="a"), options=options(exclude=["index.html"])
    )

    assert ["home-left-out"] == codes(selection)


def test_home_page_that_was_written_twice_is_listed():
    selection = selected(
        Page(path="", exclude_reason="draft"), Page(path=""), Page(path="a")
    )

    assert [] == codes(selection)


def test_missing_home_page_is_not_reported_if_no_page_is_listed():
    assert [] == codes(selected(Page(path="", exclude_reason="hidden")))


@pytest.mark.parametrize(
    ("path", "reason"),
    [("a b", "bad-url"), ("/a", "bad-url"), ("a\n/b", "bad-url"), (None, "failed")],
)
def test_one_invalid_path_among_many_is_found(path, reason):
    pages = [Page(path=f"page-{number}.html") for number in range(250)]
    pages[120] = Page(path=path, name="odd.md")

    selection = selected(*pages)

    assert {"odd.md": reason} == reasons(selection)
    assert 249 == len(selection.listed)


def test_distant_pages_with_two_spellings_of_one_url_are_duplicates():
    pages = [Page(path=f"page-{number}.html") for number in range(500)]

    selection = selected(*pages, Page(path="page%2D0.html"))

    assert {"page-0.html": "duplicate"} == reasons(selection)


# --- noindex that no crawler sees
# ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "inspect", "is_reported"),
    [
        (canonical(f"{BASE}a/"), True, True),
        ("<meta name=robots content=noindex>", True, False),
        ("<meta http-equiv=refresh content='0; url=/b/'>", True, False),
        ("", False, False),
    ],
)
def test_noindex_that_only_the_front_matter_says_is_reported(
    site, head, inspect, is_reported
):
    page = site("a/", head, name="a.md", metadata={"robots": "noindex"})
    selection = selected(page, options=options(inspect_html=inspect))

    assert {"a.md": "noindex"} == reasons(selection)
    assert ["hidden-noindex"] * is_reported == codes(selection)
    assert all("a.md" in notice.problem for notice in selection.notices)


def test_noindex_of_the_front_matter_may_stand_in_a_header(site, tmp_path):
    headers = tmp_path / "_headers"
    headers.write_text("/a/\n  X-Robots-Tag: noindex\n")
    root = "https://example.com/"
    rules, _ = read_server_rules(tmp_path, root, service="netlify")
    page = site("a/", name="a.md", metadata={"robots": "noindex"})

    assert [] == codes(selected(page, base_url=root, server_rules=rules))


@pytest.mark.parametrize(("lost", "expected"), [(9, []), (10, ["canonical"])])
def test_canonical_links_of_more_than_a_tenth_of_the_pages_are_reported(
    site, lost, expected
):
    """A few pages can be left out for another site's on purpose."""
    away = [
        site(f"{number}/", canonical(f"{BASE}lost-{number}/")) for number in range(lost)
    ]
    pages = [Page(path=f"page-{number}/") for number in range(90 - lost)]

    assert expected == codes(selected(*pages, *away))
