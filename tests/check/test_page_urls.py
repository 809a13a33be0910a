"""Which URL of a page is listed:
one table, through `select`, the folder command and `check`."""

from __future__ import annotations

import re
from html import unescape

import pytest

from sitemap_plugins.core.choice.select import select
from sitemap_plugins.core.crawlers.hosting import ServerRules
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Alternate, Page
from tests.check.checked_site import result_of, url, urlset
from tests.folder.html_folder import page, report_of, write
from tests.git_repository import ENVIRON

BASES = {
    "github": "https://owner.github.io/docs/",
    "cloudflare-pages": "https://name.pages.dev/docs/",
    "netlify": "https://name.netlify.app/docs/",
}
"""The address of a site on each service that an address shows."""

CASES = [
    # The host's path, the page's file, its canonical link (None for none), the service,
    # and other pages; then the path that is listed, or why none is, and the codes of
    # notices.
    ("posts/a", "posts/a.html", "posts/a.html", "", (), "posts/a.html", ()),
    ("posts/a", "posts/a.html", None, "", (), "posts/a", ()),
    ("posts/a", "posts/a.html", None, "github", (), "posts/a", ()),
    ("posts/a", "posts/a.html", None, "vercel", (), "posts/a", ("host-redirects",)),
    (
        "news/a1",
        "news/a1/index.html",
        "news/a1/index.html",
        "",
        (),
        "news/a1/index.html",
        (),
    ),
    ("news/a1", "news/a1/index.html", "news/a1/", "", (), "news/a1/", ()),
    (
        "news/a1",
        "news/a1/index.html",
        "news/a1",
        "",
        (),
        "news/a1",
        ("host-redirects",),
    ),
    (
        "news/a1",
        "news/a1/index.html",
        "news/a1",
        "github",
        (),
        "news/a1/",
        ("host-redirects",),
    ),
    ("news/a1", "news/a1/index.html", None, "", (), "news/a1/", ("host-redirects",)),
    ("news/a1", "news/a1/index.html", None, "vercel", (), "news/a1", ()),
    ("a/", "a/index.html", "a", "", (), "a/", ()),
    ("a/", "a/index.html", "a", "github", (), "a/", ()),
    ("a/", "a/index.html", "a", "vercel", (), "a", ()),
    (
        "a/",
        "a/index.html",
        "a",
        "",
        (("b/", "b/index.html", "b"), ("c/", "c/index.html", "c")),
        "a/",
        (),
    ),
    ("a/", "a/index.html", "a/index.html", "", (), "a/index.html", ()),
    ("a/", "a/index.html", "a/index.html", "cloudflare", (), "a/", ()),
    ("a.html", "a.html", "a.html", "cloudflare", (), "a.html", ("host-redirects",)),
    ("a.html", "a.html", None, "cloudflare", (), "a.html", ("host-redirects",)),
    ("a.html", "a.html", "a", "", (), "a", ()),
    ("a.html", "a.html", "a", "", (("z.html", "z.html", "z.html"),), "a.html", ()),
    (
        "a.html",
        "a.html",
        "a",
        "",
        (("z.html", "z.html", "z.html"), ("y.html", "y.html", "y.html")),
        "a.html",
        (),
    ),
    (
        "a.html",
        "a.html",
        "a",
        "github",
        (("z.html", "z.html", "z.html"), ("y.html", "y.html", "y.html")),
        "a",
        (),
    ),
    ("a.html", "a.html", "a/", "", (), "a.html", ()),
    ("a.html", "a.html", "a", "", (("a/", "a/index.html", "a/"),), "a", ()),
    (
        "a.html",
        "a.html",
        "a",
        "github",
        (("a/", "a/index.html", "a/"),),
        "a",
        (),
    ),
    (
        "a/",
        "a/index.html",
        "a",
        "github",
        (("a.html", "a.html", "a"),),
        "-- canonical",
        (),
    ),
    ("a/", "a/index.html", "a", "", (("a.html", "a.html", "a.html"),), "a/", ()),
    (
        "",
        "index.html",
        "https://example.com/docs",
        "",
        (("z.html", "z.html", "z.html"),),
        "",
        (),
    ),
    (
        "",
        "index.html",
        "https://example.com/docs",
        "github",
        (("z.html", "z.html", "z.html"),),
        "",
        (),
    ),
    (
        "",
        "index.html",
        "index",
        "github",
        (("z.html", "z.html", "z.html"),),
        "index",
        (),
    ),
    (
        "index.html",
        "index.html",
        "",
        "",
        (("z.html", "z.html", "z.html"),),
        "",
        (),
    ),
    (
        "index.html",
        "index.html",
        "index.htm",
        "",
        (("z.html", "z.html", "z.html"),),
        "-- canonical",
        ("dead-canonical", "home-left-out"),
    ),
    ("a/", "a/index.htm", "a/", "", (), "a/", ()),
    ("a/", "a/index.html", "A/", "", (), "-- canonical", ("dead-canonical",)),
    ("a/", "a/index.html", "a/?lang=de", "", (), "-- canonical", ()),
    ("a/", "a/index.html", "a/#top", "", (), "a/", ()),
    ("a/", "a/index.html", "b/../a/", "", (), "a/", ()),
    ("a/", "a/index.html", "%61/index.html", "", (), "%61/index.html", ()),
    (
        "caf%C3%A9/",
        "café/index.html",
        "café/index.html",
        "",
        (),
        "caf%C3%A9/index.html",
        (),
    ),
    ("it's/", "it's/index.html", "it%27s", "", (), "it's/", ()),
    (
        "a%2Fb.html",
        "a%2Fb.html",
        "a/b.html",
        "",
        (),
        "-- canonical",
        ("dead-canonical",),
    ),
    ("100%25.html", "100%.html", "100%25", "", (), "100%25", ()),
    (
        "a/",
        "a/index.html",
        "https://www.example.com/docs/a/",
        "",
        (),
        "-- canonical",
        (),
    ),
    (
        "a/",
        "a/index.html",
        "http://example.com/docs/a/index.html",
        "",
        (),
        "a/",
        ("wrong-base-url",),
    ),
    (
        "a/",
        "a/index.html",
        "https://example.com/docs/b/",
        "",
        (("b/", "b/index.html", "b/"),),
        "-- canonical",
        (),
    ),
    ("a/", "a/page.html", "a/", "", (), "a/", ()),
    ("a/", "a/page.html", "a/page.html", "", (), "a/page.html", ()),
    ("a/", "a/page.html", "a", "", (), "a/", ()),
    ("posts/a", "posts/a", "posts/a", "", (), "posts/a", ()),
    ("index/", "index/index.html", "index", "", (), "index/", ()),
    ("404.html", "404.html", "404", "", (), "404", ()),
    ("v1.2", "v1.2.html", "v1.2", "", (), "v1.2", ()),
    ("v1.2.html", "v1.2.html", "v1.2", "", (), "v1.2", ()),
    ("a.html", "a.html", "a.html", "cloudflare-pages", (), "a", ("host-redirects",)),
    ("a.html", "a.html", None, "cloudflare-pages", (), "a", ("host-redirects",)),
    ("a/", "a/index.html", "a/index.html", "cloudflare-pages", (), "a/", ()),
    (
        "a/index",
        "a/index.html",
        None,
        "cloudflare-pages",
        (),
        "a/",
        ("host-redirects",),
    ),
    (
        "author/me/",
        "author/me.html",
        None,
        "github",
        (),
        "author/me",
        ("host-redirects",),
    ),
    ("author/me/", "author/me.html", None, "", (), "author/me/", ()),
    (
        "author/me/",
        "author/me.html",
        None,
        "netlify",
        (),
        "author/me/",
        ("host-redirects",),
    ),
    ("a.html", "a.html", "a/", "", (("a/", "a/index.html", "a/"),), "-- canonical", ()),
    ("index/", "index/index.html", None, "github", (), "index/", ()),
    ("a", "a/index.html", None, "github", (), "a/", ("host-redirects",)),
    ("a", "a/index.html", None, "netlify", (), "a", ("host-redirects",)),
    ("a/index.html", "a/index.html", None, "", (), "a/index.html", ()),
    ("a.htm", "a.htm", "a.htm", "", (), "a.htm", ()),
]
HOME = ("", "index.html", "")


def base_of(service):
    return BASES.get(service, "https://example.com/docs/")


def pages_of(case, base):
    """Return the path, the file and the HTML of each page, that of the case first."""
    host, file, canonical, _, others, *_ = case
    known = [(host, file, canonical), *others]
    if "" != host and "index.html" != file:
        known.append(HOME)
    return [(path, name, page(url_of(named, base))) for path, name, named in known]


def url_of(named, base):
    if named is None or "://" not in named:
        return named if named is None else base + named
    return named.replace("https://example.com/docs", base.rstrip("/"))


def selected(folder, case, **given):
    """Return the path that is listed for the page of a case, or why none is,
    and the codes."""
    base = base_of(case[3])
    written = pages_of(case, base)
    write(folder, {file: html for _, file, html in written})
    pages = [
        Page(path=path, name=file, output_file=folder / file)
        for path, file, _ in written
    ]
    rules = ServerRules(base_url="https://example.com/", service=case[3])
    rules.add_redirects(given.pop("redirects", ""))
    given = {"options": Options.parse({}, where=""), "robots": None, **given}
    selection = select(
        pages, base_url=base, server_rules=rules, output_dir=folder, **given
    )
    listed = [
        each.url.removeprefix(base)
        for each in selection.listed
        if each.label == case[1]
    ]
    left_out = selection.pages_left_out
    reasons = [f"-- {why}" for page, why, _ in left_out if page.label == case[1]]
    return (listed or reasons)[0], tuple(notice.code for notice in selection.notices)


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(map(str, case[:4])))
def test_plugin(tmp_path, case):
    assert case[5:] == selected(tmp_path, case)


BY_RULES = {"a/index.htm", "a/page.html", "a%2Fb.html"}
"""Files to which the host's paths lead by rules of the server,
which a folder does not show."""

IN_FOLDERS = {
    # The error page of a folder is recognized by its name.
    ("404.html", "404"): "-- generated",
    # Without a canonical link, a folder without its slash is never taken from the old
    # sitemap.
    ("a", None): "a/",
    ("news/a1", None): "news/a1/",
}
"""What folders list otherwise, by the host's path and the canonical link."""


@pytest.mark.parametrize(
    "case",
    # No folder shows that it is on Vercel.
    [
        case
        for case in CASES
        if case[1] not in BY_RULES and not case[3].startswith("vercel")
    ],
    ids=lambda case: " ".join(map(str, case[:4])),
)
def test_folder(tmp_path, case):
    """The sitemap that the folder has already says which URLs its generator writes."""
    base, written = base_of(case[3]), pages_of(case, base_of(case[3]))
    urls = [url(path, base=base) for path, *_ in written]
    write(tmp_path / "out", {file: html for _, file, html in written})
    write(tmp_path / "out", {"sitemap.xml": urlset(*urls)})
    environ = {**ENVIRON, **({"WORKERS_CI": "1"} if case[3] == "cloudflare" else {})}

    report = report_of(tmp_path, base_url=base, environ=environ)

    text = (tmp_path / "out/sitemap.xml").read_text("utf-8")
    listed = [
        loc.removeprefix(base) for loc in re.findall("<loc>(.*)</loc>", unescape(text))
    ]
    expected = IN_FOLDERS.get((case[0], case[2]), case[5])
    if expected.startswith("-- "):
        assert case[1] in report.left_out[expected.removeprefix("-- ")]
    else:
        assert expected in listed
    assert len(written) == len(listed) + sum(map(len, report.left_out.values()))


REDIRECTED = {
    ("a.html", "a.html", "cloudflare-pages"),
    ("a/index.html", "a", ""),
    ("a/index.html", "a", "github"),
    ("a/index.html", "a/index.html", "cloudflare"),
    ("a/index.html", "a/index.html", "cloudflare-pages"),
    ("index/index.html", "index", ""),
    ("it's/index.html", "it%27s", ""),
    ("news/a1/index.html", "news/a1", "github"),
}
"""Files whose canonical link is one that a service redirects to the listed URL."""


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case[1] not in {*BY_RULES, "404.html"}],
    ids=lambda case: " ".join(map(str, case[:4])),
)
def test_check(tmp_path, case):
    """What a plugin lists has no fault but those that it reports;
    what it leaves out has one."""
    host, file, canonical, service, _, listed, codes = case
    base = base_of(service)
    written = pages_of(case, base)
    is_left_out = listed.startswith("-- ")
    own = host if is_left_out else listed
    urls = [url(path, base=base) for path in (own, *(path for path, *_ in written[1:]))]
    write(tmp_path / "out", {file: html for _, file, html in written})
    write(tmp_path / "out", {"sitemap.xml": urlset(*urls)})

    result = result_of(tmp_path, options={"base_url": base}, hosting=service)

    found = {each.code for each in result.findings if each.url == base + own}
    if is_left_out:
        assert listed.removeprefix("-- ") in found
    else:
        # The server redirects the URL, or the one that the page names.
        is_told = "host-redirects" in codes and listed == host
        if (file, canonical, service) in REDIRECTED and canonical != listed:
            is_told = True
        assert ({"host-redirects"} if is_told else set()) == found


def disallow(path):
    text = f"User-agent: *\nDisallow: /docs/{path}\n".encode()
    return Robots(text, base_url="https://example.com/", on_read_the_docs=False)


@pytest.mark.parametrize(
    ("case", "given", "expected"),
    [
        # robots.txt judges the URL that is listed, and a closed canonical link is not
        # adopted.
        (("a.html", "a.html", "b.html"), {"robots": disallow("a.html")}, "-- robots"),
        (
            ("a/index.html", "a/index.html", "a/"),
            {"robots": disallow("a/index.html")},
            "a/",
        ),
        (
            ("a/", "a/index.html", "a/index.html"),
            {"robots": disallow("a/index.html")},
            "a/",
        ),
        # A rule that sends crawlers to the same file is followed.
        (("a.html", "a.html", None), {"redirects": "/docs/a.html /docs/a 301!\n"}, "a"),
        (
            ("a.html", "a.html", None),
            {"redirects": "/docs/a.html /docs/b 301!\n"},
            "-- redirect",
        ),
        (
            ("a/", "a/index.html", "a/index.html"),
            {"redirects": "/docs/a/index.html / 301!"},
            "a/",
        ),
        # Patterns match the host's URL and the listed one.
        (
            ("posts/a", "posts/a.html", "posts/a.html"),
            {"options": Options.parse({"exclude": ["posts/a.html"]}, where="")},
            "-- excluded",
        ),
        (
            ("posts/a", "posts/a.html", "posts/a.html"),
            {"options": Options.parse({"exclude": ["re:posts/a$"]}, where="")},
            "-- excluded",
        ),
        # A longer form can be too long for a sitemap.
        (("a" * 2_010 + "/", "a/index.html", None), {}, "a" * 2_010 + "/"),
    ],
)
def test_what_keeps_crawlers_from_a_form(tmp_path, case, given, expected):
    listed, codes = selected(tmp_path, (*case, "", ()), **given)

    assert expected == listed
    assert "unused-pattern" not in codes


def test_pattern_that_matches_the_listed_url_alone_is_used(tmp_path):
    options = Options.parse({"exclude": ["posts/a.html"]}, where="")

    assert ("-- excluded", ()) == selected(
        tmp_path, ("posts/a", "posts/a.html", "posts/a.html", "", ()), options=options
    )


def test_links_to_other_builds_have_the_form_of_the_page(tmp_path):
    write(
        tmp_path,
        {"guide/index.html": page("https://example.com/docs/guide/index.html")},
    )
    other = Alternate(language="de", url="https://example.com/de/anleitung/")
    written = Page(
        path="guide/", output_file=tmp_path / "guide/index.html", alternates=(other,)
    )

    [listed] = select(
        [written],
        base_url="https://example.com/docs/",
        options=Options.parse({}, where=""),
        robots=None,
        output_dir=tmp_path,
    ).listed

    assert "https://example.com/docs/guide/index.html" == listed.url
    assert "https://example.com/de/anleitung/index.html" == listed.alternates[0].url


@pytest.mark.parametrize(("lost", "told"), [(4, False), (5, True)])
def test_many_pages_that_name_unlisted_urls_are_told(tmp_path, lost, told):
    """Copies that name a listed page, as old versions do,
    are right however many they are."""
    base = "https://example.com/docs/"
    files = {"index.html": page(f"{base}index.html"), "b.html": page(f"{base}b.html")}
    files |= {f"old/{n}.html": page(f"{base}b.html") for n in range(20)}
    files |= {
        f"lost/{n}.html": page(f"https://example.org/{n}.html") for n in range(lost)
    }
    write(tmp_path, files)
    pages = [Page(path=name, output_file=tmp_path / name) for name in files]

    selection = select(
        pages,
        base_url=base,
        options=Options.parse({}, where=""),
        robots=None,
        output_dir=tmp_path,
    )

    assert (["canonical"] if told else []) == [
        notice.code for notice in selection.notices
    ]
    for notice in selection.notices:
        assert str(notice).startswith(
            "lost/0.html: 5 of 27 pages are left out because their"
        )
