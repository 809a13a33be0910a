"""One fault for each code: a site with exactly that one,
and its twin without any finding."""

from __future__ import annotations

import gzip
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.check import whole_files as files
from sitemap_plugins.check.with_pages import from_notices
from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.limits import IMAGE_NAMESPACE, MAX_BYTES
from sitemap_plugins.core.messages import Notice, OptionsError
from sitemap_plugins.core.publishing.read import Root
from sitemap_plugins.core.publishing.xml import signature_comment
from sitemap_plugins.sitemaps.facts import FileFacts
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import SitemapFile
from tests.check.checked_site import (
    BASE,
    MOMENTS,
    NOW,
    URLS,
    index,
    links,
    result_of,
    result_of_file,
    url,
    urlset,
    write_site,
)
from tests.cli.command import run
from tests.folder.html_folder import commit, html, page, report_of, write
from tests.full import usually
from tests.live.test_live import ANSWERS
from tests.sites import git

FINDINGS = table_of_codes.findings()
NOTICES = table_of_codes.notices()

if TYPE_CHECKING:
    from collections.abc import Callable

HOME, A, B = URLS
FAULTS: dict[str, Callable] = {}
"""Code → what puts the fault into the site; it may return keywords for the check.

If a code has several, a colon and a word follow it.
"""
TWINS: dict[str, Callable] = {}
"""Code → what is nearly the fault and is none."""
RECORDS = Path(__file__).with_name("findings.txt").read_text("utf-8").splitlines()
"""Each finding of each fault, with everything that its record holds."""


def fault(code):
    return _only_one(FAULTS, code)


def twin(code):
    return _only_one(TWINS, code)


def _only_one(known, code):
    assert code not in known, f"{code}: the second one would never run"
    return lambda function: known.setdefault(code, function)


def sitemap(folder, *urls, **options):
    text = urlset(*urls, **options)
    (folder / "out/sitemap.xml").write_text(text, "utf-8")


def parts(folder, *texts, lastmod=None, locs=None):
    """Write an index and its parts."""
    names = [f"sitemap-{number}.xml" for number in range(1, len(texts) + 1)]
    locs = locs or [BASE + name for name in names]
    write(
        folder, {f"out/{name}": text for name, text in zip(names, texts, strict=True)}
    )
    (folder / "out/sitemap.xml").write_text(index(*locs, lastmod=lastmod))


# --- files
# -------------------------------------------------------------------------------------


@fault("not-well-formed")
def _(folder):
    text = urlset(HOME, A, B).replace("</urlset>", "")
    (folder / "out/sitemap.xml").write_text(text)


@twin("not-well-formed")
def _(folder):
    text = urlset("<!-- a comment -->", HOME, "<?and this?>", A, B)
    (folder / "out/sitemap.xml").write_text(text)


@fault("not-a-sitemap")
def _(folder):
    text = urlset(HOME, A, B).replace("sitemaps.org", "google.com")
    (folder / "out/sitemap.xml").write_text(text)
    return {"ignore": {"unknown-element", "not-listed", "missing-loc"}}


@twin("not-a-sitemap")
def _(folder):
    text = urlset(HOME, A, B).replace("<urlset", "<!-- <html> --><urlset")
    (folder / "out/sitemap.xml").write_text(text)


@fault("feed")
def _(folder):
    write(folder, {"out/feed.xml": "<rss version='2.0'><channel/></rss>"})
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write(f"Sitemap: {BASE}feed.xml\n")


@twin("feed")
def _(folder):
    write(folder, {"out/feed.xml": "<rss version='2.0'><channel/></rss>"})


@fault("encoding")
def _(folder):
    text = urlset(HOME, A, B, declaration='<?xml version="1.0" encoding="ISO-8859-1"?>')
    (folder / "out/sitemap.xml").write_text(text, "iso-8859-1")


@twin("encoding")
def _(folder):
    text = urlset(HOME, A, B, declaration='<?xml version="1.0" encoding="us-ascii"?>')
    (folder / "out/sitemap.xml").write_text(text, "ascii")


@fault("byte-order-mark")
def _(folder):
    (folder / "out/sitemap.xml").write_text(urlset(HOME, A, B), "utf-8-sig")


@twin("byte-order-mark")
def _(folder):
    (folder / "out/sitemap.xml").write_text(
        urlset("<!-- \ufeff -->", HOME, A, B), "utf-8"
    )


@fault("empty")
def _(folder):
    sitemap(folder)


@twin("empty")
def _(folder):
    parts(folder, urlset(HOME), urlset(A, B), lastmod=MOMENTS[2])


FEW_URLS = 1_000
"""Limit of a file for the faults, because a check of 50,001 URLs takes seconds."""


@fault("too-large:urls")
def _(folder):
    many = (url(f"a/?{number}", MOMENTS[1]) for number in range(FEW_URLS + 1))
    sitemap(folder, HOME, A, B, *many)


@twin("too-large:urls")
def _(folder):
    many = [url(f"a/?{number}", MOMENTS[1]) for number in range(500)]
    parts(folder, urlset(HOME, A, B), urlset(*many), lastmod=MOMENTS[2])


@fault("robots-line")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write("Disallow: /x/\nUser-agent: *\nDisallow x/\n")


@twin("robots-line")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write("Crawl-rate: 1\nUser-agent: *\nDisallow: *.zip\nAllow:\n")


@fault("llms-txt")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write(f"Sitemap: {BASE}llms.txt\nSitemap: {BASE}llms-full.txt\n")
    write(folder, {"out/llms.txt": "# Site\n\n> Text\n"})


@twin("llms-txt")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write(f"Sitemap: {BASE}llms/pages.txt\n")
    write(folder, {"out/llms/pages.txt": f"{BASE}\n"})
    sitemap(folder, A, B)


def with_comments(folder, *comments):
    """Write a sitemap with these comments, a few between one URL and the next."""
    names = [f"p{number}" for number in range(len(comments) // 5 + 1)]
    write(folder, {f"out/{name}/index.html": page(f"{BASE}{name}/") for name in names})
    listed = [
        url(f"{name}/") + "".join(comments[n :: len(names)])
        for n, name in enumerate(names)
    ]
    sitemap(folder, HOME, A, B, *listed)


@fault("too-large")
def _(folder):
    with_comments(folder, *[f"<!--{' ' * 1_000_000}-->"] * 53)


@twin("too-large")
def _(folder):
    comments = [f"<!--{' ' * 1_000_000}-->"] * 52
    with_comments(folder, *comments, "<!---->")
    rest = MAX_BYTES - (folder / "out/sitemap.xml").stat().st_size
    with_comments(folder, *comments, f"<!--{' ' * rest}-->")
    assert MAX_BYTES == (folder / "out/sitemap.xml").stat().st_size


@fault("gzip-differs")
def _(folder):
    data = gzip.compress(urlset(HOME, A).encode())
    (folder / "out/sitemap.xml.gz").write_bytes(data)


@twin("gzip-differs")
def _(folder):
    data = gzip.compress((folder / "out/sitemap.xml").read_bytes())
    (folder / "out/sitemap.xml.gz").write_bytes(data)


@fault("nested-index")
def _(folder):
    parts(folder, urlset(HOME, A, B), index(f"{BASE}sitemap-1.xml"))


@twin("nested-index")
def _(folder):
    parts(folder, urlset(HOME, A), urlset(B), lastmod=MOMENTS[2])
    (folder / "out/sitemap-more.xml").write_text(
        index(f"{BASE}sitemap-1.xml", lastmod=MOMENTS[1])
    )
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write(f"Sitemap: {BASE}sitemap-more.xml\n")
    return {"ignore": {"duplicate"}}


@fault("missing-part")
def _(folder):
    parts(
        folder,
        urlset(HOME, A, B),
        locs=[f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"],
    )


@twin("missing-part")
def _(folder):
    parts(folder, urlset(HOME, A), urlset(B), lastmod=MOMENTS[2])


@fault("part-outside")
def _(folder):
    parts(folder, urlset(HOME, A, B), locs=["https://other.com/sitemap-1.xml"])


@twin("part-outside")
def _(folder):
    parts(folder, urlset(HOME, A, B), locs=["HTTPS://EXAMPLE.com:443/sitemap-1.xml"])


@fault("orphaned-part")
def _(folder):
    write(folder, {"out/sitemap-0.xml": urlset(HOME)})


@twin("orphaned-part")
def _(folder):
    sitemap(folder, HOME, A)
    write(folder, {"out/sitemap-0.xml": urlset(B)})
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write(f"Sitemap: {BASE}sitemap-0.xml\n")


@fault("index-lastmod")
def _(folder):
    parts(folder, urlset(HOME, A, B), lastmod="2024-05-01")


@twin("index-lastmod")
def _(folder):
    parts(folder, urlset(HOME, A, B), lastmod=MOMENTS[2])


@fault("missing-loc")
def _(folder):
    sitemap(folder, HOME, A, B, "<url><lastmod>2024-05-01</lastmod></url>")


@twin("missing-loc")
def _(folder):
    sitemap(folder, HOME, A, f"<url><loc>\n  {BASE}b/\n</loc></url>")


@fault("element-order")
def _(folder):
    sitemap(
        folder,
        HOME,
        A,
        "<url><priority>0.5</priority><loc>https://example.com/b/</loc></url>",
    )


@twin("element-order")
def _(folder):
    more = "<changefreq>daily</changefreq><priority>0.5</priority><i xmlns='urn:i'/>"
    sitemap(folder, HOME, A, url("b/", MOMENTS[2], more=more))


@fault("unknown-element")
def _(folder):
    sitemap(folder, HOME, A, url("b/", MOMENTS[2], more="<title>B</title>"))


@twin("unknown-element")
def _(folder):
    more = '<p:PageMap xmlns:p="http://www.google.com/schemas/sitemap-pagemap/1.0"/>'
    sitemap(folder, HOME, A, url("b/", MOMENTS[2], more=more))


@fault("bad-value")
def _(folder):
    sitemap(folder, HOME, A, url("b/", MOMENTS[2], more="<priority>7</priority>"))


@twin("bad-value")
def _(folder):
    sitemap(folder, HOME, A, url("b/", MOMENTS[2], more="<priority>1.0</priority>"))


EXTENSIONS = " ".join(
    f'xmlns:{name}="http://www.google.com/schemas/sitemap-{name}/{version}"'
    for name, version in (("image", "1.1"), ("video", "1.1"), ("news", "0.9"))
)


def with_extensions(folder, more):
    text = urlset(HOME, A, url("b/", MOMENTS[2], more=more))
    (folder / "out/sitemap.xml").write_text(
        text.replace("xmlns:xhtml", f"{EXTENSIONS} xmlns:xhtml")
    )


@fault("bad-extension")
def _(folder):
    video = "<video:thumbnail_loc>https://example.com/a.png</video:thumbnail_loc><video:title>A"
    news = (
        "<news:publication><news:name>A</news:name></news:publication>"
        "<news:publication_date>2026-11-17</news:publication_date>"
    )
    with_extensions(
        folder,
        "<image:image><image:lok>https://example.com/a.png</image:lok></image:image>"
        f"<video:video>{video}</video:title></video:video>"
        f"<news:news>{news}<news:title>A</news:title></news:news>",
    )
    return {"ignore": {"date-too-new"}}


@twin("bad-extension")
def _(folder):
    news = (
        "<news:publication><news:name>A</news:name><news:language>zh-cn</news:language>"
        "</news:publication><news:publication_date>2026-11-18</news:publication_date>"
    )
    with_extensions(
        folder,
        "<image:image><image:loc>http://cdn.example.org/a.png</image:loc></image:image>"
        f"<news:news>{news}<news:title>A</news:title></news:news>",
    )


# --- URLs
# --------------------------------------------------------------------------------------


@fault("bad-url")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/?one two", MOMENTS[1]))


@twin("bad-url")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/?one%20two&amp;b", MOMENTS[1]))


@fault("suspect-url")
def _(folder):
    paths = (
        "a/?b=1&amp;amp;c",
        "a/?b%2520",
        "/a/",
        "undefined/",
        "b/undefined/",
        "sitemap.xml",
    )
    sitemap(folder, HOME, A, B, *(url(path) for path in paths))
    return {"ignore": {"missing"}}


@twin("suspect-url")
def _(folder):
    paths = (
        "a/?to=https://example.org//b&amp;c;",
        "b/null/",
        "web/http://a.org/",
        "undefined-b/",
    )
    sitemap(folder, HOME, A, B, *(url(path) for path in paths))
    return {"ignore": {"missing"}}


@fault("url-too-long")
def _(folder):
    sitemap(folder, HOME, A, B, url(f"a/?{'x' * 2_048}", MOMENTS[1]))


@twin("url-too-long")
def _(folder):
    sitemap(folder, HOME, A, B, url(f"a/?{'x' * (2_047 - len(BASE) - 3)}", MOMENTS[1]))
    return {"ignore": {"long-url"}}


@fault("long-url")
def _(folder):
    sitemap(folder, HOME, A, B, url(f"a/?{'x' * 1_024}", MOMENTS[1]))


@twin("long-url")
def _(folder):
    sitemap(folder, HOME, A, B, url(f"a/?{'x' * (1_024 - len(BASE) - 3)}", MOMENTS[1]))


@fault("local-address")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/", base="http://localhost:3000/"))


@twin("local-address")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/?from=http://localhost:3000/", MOMENTS[1]))


@fault("outside-scope")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/", base="https://www.example.com/"))


@twin("outside-scope")
def _(folder):
    sitemap(folder, HOME, A, url("b/", MOMENTS[2], base="HTTPS://Example.com:443/"))


@fault("outside-scope:file")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/", base="https://www.example.com/"))
    return {"file": True}


@twin("outside-scope:file")
def _(folder):
    sitemap(folder, HOME, A, url("b/", base="https://EXAMPLE.com:443/"))
    return {"file": True}


@fault("duplicate")
def _(folder):
    sitemap(folder, HOME, A, B, url("%61/", MOMENTS[1]))


@twin("duplicate")
def _(folder):
    sitemap(
        folder, HOME, A, B, url("a/?page=2", MOMENTS[1]), url("a/?page=3", MOMENTS[1])
    )


@fault("session-id")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/?PHPSESSID=1", MOMENTS[1]))


@twin("session-id")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/?side=1", MOMENTS[1]))


@fault("hreflang-code")
def _(folder):
    sitemap(
        folder, HOME, *(url(p, more=links(de="a/", english="b/")) for p in ("a/", "b/"))
    )


@twin("hreflang-code")
def _(folder):
    more = links(de="a/", zh_Hans="b/", x_default="b/")
    sitemap(
        folder, HOME, url("a/", MOMENTS[1], more=more), url("b/", MOMENTS[2], more=more)
    )


@fault("hreflang-self")
def _(folder):
    b = url("b/", MOMENTS[2], more=links(de="a/", en="b/"))
    sitemap(folder, HOME, url("a/", MOMENTS[1], more=links(en="b/")), b)


@twin("hreflang-self")
def _(folder):
    more = links(de="%61/", en="b/")
    sitemap(
        folder, HOME, url("a/", MOMENTS[1], more=more), url("b/", MOMENTS[2], more=more)
    )


@fault("hreflang")
def _(folder):
    sitemap(
        folder, HOME, url("a/", MOMENTS[1], more=links(de="a/", en="b/", fr="c/")), B
    )


@twin("hreflang")
def _(folder):
    other = '<xhtml:link rel="alternate" hreflang="fr" href="https://other.com/"/>'
    more = links(de="a/", en="b/", x_default="%62/")
    sitemap(
        folder,
        HOME,
        url("a/", MOMENTS[1], more=more + other),
        url("b/", MOMENTS[2], more=more + other),
    )


# --- pages
# -------------------------------------------------------------------------------------


@fault("missing")
def _(folder):
    sitemap(folder, HOME, A, B, url("c/"))


@twin("missing")
def _(folder):
    write(folder, {"out/b/index.html": html()})
    sitemap(folder, HOME, A, url("b/index.html", MOMENTS[2]))


@fault("blank")
def _(folder):
    write(folder, {"out/b/index.html": ""})


@twin("blank")
def _(folder):
    write(folder, {"out/c/index.html": ""})


@fault("noindex")
def _(folder):
    head = "<meta name=robots content=noindex>"
    write(folder, {"out/a/index.html": page(f"{BASE}a/", head=head)})


@twin("noindex")
def _(folder):
    head = "<meta name=robots content='noarchive, max-image-preview: none'>"
    write(folder, {"out/a/index.html": page(f"{BASE}a/", head=head)})


@fault("redirect")
def _(folder):
    head = "<meta http-equiv=refresh content='0; url=../b/'>"
    write(folder, {"out/a/index.html": html(head)})


def test_a_page_that_redirects_in_its_body_is_found(tmp_path):
    write_site(tmp_path)
    body = "<p><meta http-equiv=refresh content='0; url=../b/'>"
    write(tmp_path, {"out/a/index.html": page(f"{BASE}a/", body=body)})

    assert {"redirect": 1} == result_of(tmp_path).counts


@twin("redirect")
def _(folder):
    head = "<meta http-equiv=refresh content='300; url=./'>"
    body = "<template><meta http-equiv=refresh content='0; url=../b/'></template>"
    write(folder, {"out/a/index.html": page(f"{BASE}a/", head=head, body=body)})


@fault("canonical")
def _(folder):
    write(folder, {"out/a/index.html": page("https://other.com/a/")})


@twin("canonical")
def _(folder):
    write(folder, {"out/a/index.html": page("../%61/")})


@fault("robots")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write("User-agent: *\nDisallow: /a/\n")


@twin("robots")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write(
            "User-agent: one\nDisallow: /a/\n\nUser-agent: *\nDisallow: /a/b/\n"
        )


@fault("generated")
def _(folder):
    write(folder, {"out/404.html": html()})
    sitemap(folder, HOME, A, B, url("404.html"))


@twin("generated")
def _(folder):
    write(
        folder, {"out/404.html": html(), "out/search.html": page(f"{BASE}search.html")}
    )
    sitemap(folder, HOME, A, B, url("search.html"))


@fault("front-matter")
def _(folder):
    write(folder, {"docs/a.md": "---\nsitemap: false\n---\n"})


@twin("front-matter")
def _(folder):
    write(folder, {"docs/a.md": "---\nsitemap: true\n---\n"})


@fault("excluded")
def _(_folder):
    return {"options": {"exclude": ["a/"]}}


@twin("excluded")
def _(_folder):
    return {"options": {"exclude": ["a/b/", "!a/"]}}


@fault("not-listed")
def _(folder):
    sitemap(folder, HOME, A)


@twin("not-listed")
def _(folder):
    write(folder, {"out/b/index.html": page(f"{BASE}a/")})
    sitemap(folder, HOME, A)


@fault("required")
def _(_folder):
    return {"required": ("a/", "c/")}


@twin("required")
def _(_folder):
    return {"required": ("a/", "index.html")}


@fault("host-redirects")
def _(folder):
    write(folder, {"out/c.html": page(f"{BASE}c.html")})
    sitemap(folder, HOME, A, B, url("c.html"))
    return {"hosting": "cloudflare"}


@twin("host-redirects")
def _(folder):
    write(folder, {"out/c.html": page(f"{BASE}c.html")})
    sitemap(folder, HOME, A, B, url("c.html"))
    return {"hosting": "github"}


@fault("bad-date")
def _(folder):
    sitemap(folder, HOME, A, url("b/", "03.05.2024"))


@twin("bad-date")
def _(folder):
    sitemap(folder, HOME, A, url("b/", "2024-05-03T10:00Z"))


@fault("future-date")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/?x", f"{NOW.year + 1}-01-01"))
    return {"ignore": {"date-too-new"}}


@twin("future-date")
def _(folder):
    sitemap(folder, HOME, A, B, url("a/?x", f"{NOW:%Y-%m-%d}"))
    return {"ignore": {"date-too-new"}}


@fault("date-too-new")
def _(folder):
    sitemap(folder, HOME, A, url("b/", "2024-05-05"))


@twin("date-too-new")
def _(folder):
    sitemap(folder, HOME, A, url("b/", "2024-05-04T10:00:00Z"))  # One day later.


def test_a_date_of_a_plugin_may_be_that_of_an_included_file(tmp_path):
    write_site(tmp_path)
    declaration = signature_comment("sitemap.xml").decode()
    sitemap(tmp_path, HOME, A, url("b/", "2024-05-05"), declaration=declaration)

    assert set() == codes_of(tmp_path)


@fault("date-too-old")
def _(folder):
    sitemap(folder, HOME, A, url("b/", "2024-05-01"))


@twin("date-too-old")
def _(folder):
    sitemap(folder, HOME, A, url("b/", "2024-05-02T10:00:00+00:00"))  # One day earlier.


@pytest.mark.parametrize("tool", ["its author's", "its committer's", "older"])
def test_a_date_may_be_either_of_the_newest_commit(tmp_path, tool):
    """sphinx-last-updated-by-git writes the author's,
    Sphinx's own and others the committer's."""
    write_site(tmp_path)
    write(tmp_path, {"docs/b.md": "# Text\n\nMore.\n"})
    times = {
        "GIT_AUTHOR_DATE": "2024-05-10T10:00:00Z",
        "GIT_COMMITTER_DATE": "2024-05-20T10:00:00Z",
    }
    git(tmp_path, "commit", "-qam", "rebased", **times)
    days = {
        "its author's": "2024-05-10",
        "its committer's": "2024-05-20",
        "older": "2024-05-03",
    }
    sitemap(tmp_path, HOME, A, url("b/", days[tool]))

    assert ({"date-too-old"} if tool == "older" else set()) == codes_of(tmp_path)


def test_a_page_was_not_written_before_it_was_published(tmp_path):
    """Its last commit can be of a change whose author wrote it long before."""
    write_site(tmp_path)
    write(tmp_path, {"docs/b.md": "---\ndate: 2024-05-15\n---\n# Text\n\nMore.\n"})
    rebased = {
        "GIT_AUTHOR_DATE": "2024-05-05T10:00Z",
        "GIT_COMMITTER_DATE": "2024-05-20T10:00Z",
    }
    git(tmp_path, "commit", "-qam", "rebased", **rebased)

    for day, expected in {"05-05": {"date-too-old"}, "05-15": set()}.items():
        sitemap(tmp_path, HOME, A, url("b/", f"2024-{day}"))
        assert expected == codes_of(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "lastmod: 2023-01-02",
        "last_update:\n  date: 2023-01-02",
        "updated: '2023-01-02'",
    ],
)
def test_a_date_that_the_author_wrote_is_the_pages(tmp_path, line):
    """What the generator writes from its own key is what our build writes."""
    write_site(tmp_path, git=False)
    write(tmp_path, {"docs/b.md": f"---\n{line}\n---\n# Text\n"})
    commit(tmp_path, "docs/index.md", "docs/a.md", "docs/b.md")
    sitemap(tmp_path, HOME, A, url("b/", "2023-01-02"))

    assert set() == codes_of(tmp_path)


def with_own_dates(folder, of_b):
    """Let pages say when they changed:
    dates that are all the same would be those of a build."""
    for path, date in {"a/": "2024-05-02", "b/": of_b}.items():
        head = f"<meta property='article:modified_time' content='{date}'>"
        write(folder, {f"out/{path}index.html": page(BASE + path, head=head)})


@fault("date-on-page")
def _(folder):
    with_own_dates(folder, "2024-04-01T10:00:00Z")


@twin("date-on-page")
def _(folder):
    with_own_dates(folder, "2024-05-02T23:00:00Z")  # Less than a day earlier.


def test_a_finding_names_the_date_as_written(tmp_path):
    """Midnight in Rome is the day before in UTC."""
    write_site(tmp_path)
    sitemap(tmp_path, HOME, A, url("b/", "2024-04-18T00:00:00+02:00"))

    (finding,) = result_of(tmp_path).findings
    assert finding.problem.startswith(
        "lastmod is 2024-04-18, and the source changed later (b.md: 2024-05-03, "
    )


@fault("uniform-dates")
def _(folder):
    times = [f"2026-05-01T10:0{minute}:00Z" for minute in range(8)]
    sitemap(folder, *(url(f"a/?{time}", time) for time in times))
    return {"file": True}


@twin("uniform-dates")
def _(folder):
    days = [f"2026-05-0{day}" for day in range(1, 9)]
    sitemap(folder, HOME, *(url(f"a/?{day}", day) for day in days), B)
    return {"file": True}


def without_dates(folder, *, signature=""):
    text = urlset(*(url(path) for path in ("", "a/", "b/")), declaration=signature)
    (folder / "out/sitemap.xml").write_text(text, "utf-8")


@fault("no-dates")
def _(folder):
    without_dates(folder, signature=signature_comment("sitemap.xml").decode())


@twin("no-dates")
def _(folder):
    without_dates(folder)  # Of another program.


# --- robots.txt
# --------------------------------------------------------------------------------


@fault("not-announced")
def _(folder):
    (folder / "out/robots.txt").write_text("User-agent: *\nDisallow:\n")


@pytest.mark.parametrize(
    "wrong",
    [
        "/sitemap.xml",
        "http://example.com/sitemap.xml",
        "https://example.org/sitemap.xml",
    ],
)
def test_a_sitemap_line_with_another_address_announces_nothing(tmp_path, wrong):
    write_site(tmp_path)
    (tmp_path / "out/robots.txt").write_text(f"# All\nSitemap: {wrong}\n")

    [found] = result_of(tmp_path).findings
    assert ("robots.txt", 2) == (found.file, found.line)

    assert ("not-announced", f"write 'Sitemap: {BASE}sitemap.xml'") == (
        found.code,
        found.cure,
    )
    assert repr(wrong) in found.problem


def test_an_index_that_robots_txt_names_announces_its_parts(tmp_path):
    write_site(tmp_path)
    robots = f"Sitemap: {BASE}maps/index.xml\n"
    text = index(f"{BASE}sitemap.xml")
    write(tmp_path, {"out/robots.txt": robots, "out/maps/index.xml": text})

    assert "not-announced" not in result_of(tmp_path).counts

    write(tmp_path, {"out/maps/index.xml": index("https://example.org/sitemap.xml")})
    assert 1 == result_of(tmp_path).counts["not-announced"]


@twin("not-announced")
def _(folder):
    (folder / "out/robots.txt").write_text(f"SITEMAP : {BASE}sitemap.xml # ours\n")


@fault("robots-blocks-sitemap")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write("User-agent: *\nDisallow: /*.xml$\n")


@twin("robots-blocks-sitemap")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write("User-agent: *\nDisallow: /*.xml$\nAllow: /sitemap.xml\n")


@fault("robots-too-long")
def _(folder):
    line = (folder / "out/robots.txt").read_text()
    (folder / "out/robots.txt").write_text("# comment\n" * 60_000 + line)


@twin("robots-too-long")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write("# comment\n" * 60_000)


@fault("robots-unchecked")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.writelines(
            f"User-agent: bot{'-' * n}\nDisallow: /x{n}\n" for n in range(600)
        )


@twin("robots-unchecked")
def _(folder):
    with (folder / "out/robots.txt").open("a") as robots:
        robots.writelines(f"User-agent: bot{n}\nDisallow: /x{n}\n" for n in range(200))


@fault("bad-robots")
def _(folder):
    (folder / "out/robots.txt").write_bytes(b"\0")


@twin("bad-robots")
def _(folder):
    with (folder / "out/robots.txt").open("ab") as robots:
        robots.write(b"# \xff\n")


@fault("robots-not-at-root")
def _(folder):
    base = f"{BASE}docs/"
    for path in ("", "a/", "b/"):
        write(folder, {f"out/{path}index.html": page(base + path)})
    sitemap(folder, *(url(path, base=base) for path in ("", "a/", "b/")))


@twin("robots-not-at-root")
def _(folder):
    (folder / "out/robots.txt").write_text(
        f"\ufeffSitemap: {BASE}sitemap.xml\n", "utf-8"
    )


@fault("wrong-base-url")
def _(_folder):
    for path in ("", "a/", "b/"):
        write(_folder, {f"out/{path}index.html": page(f"https://other.com/{path}")})
    return {"options": {"base_url": BASE}}


@twin("wrong-base-url")
def _(folder):
    for path in ("a/", "b/"):
        write(
            folder, {f"out/{path}index.html": page(f"HTTPS://EXAMPLE.com:443/{path}")}
        )
    return {"options": {"base_url": BASE}}


@fault("wrong-base-url:scheme")
def _(folder):
    write(folder, {"out/a/index.html": page("http://example.com/a/")})


@twin("wrong-base-url:scheme")
def _(folder):
    write(folder, {"out/a/index.html": page("//example.com/a/")})


@fault("dead-canonical")
def _(folder):
    (folder / "out/a/index.html").write_text(page(f"{BASE}gone/index/"))
    sitemap(folder, HOME, B)


@twin("dead-canonical")
def _(folder):
    write(
        folder,
        {
            "out/a/index.html": page(f"{BASE}b/index.html"),
            "out/c.html": page(f"{BASE}b"),
        },
    )
    sitemap(folder, HOME, B)


@fault("hidden-noindex")
def _(folder):
    write(folder, {"out/c/index.html": page(head="<meta name=robots content=noindex>")})
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write("User-agent: *\nDisallow: /c/\n")


@twin("hidden-noindex")
def _(folder):
    """One crawler alone is kept out, and an error page need not be hidden from any."""
    noindex = html("<meta name=robots content=noindex>")
    write(
        folder,
        {"out/c/index.html": noindex, "out/404.html": noindex, "out/d.html": html()},
    )
    with (folder / "out/robots.txt").open("a") as robots:
        robots.write(
            "User-agent: one\nDisallow: /\n\nUser-agent: *\nDisallow: /404\nDisallow: /d\n"
        )


@fault("several-canonicals")
def _(folder):
    link = f"<link rel=canonical href={BASE}b/>"
    (folder / "out/a/index.html").write_text(page(f"{BASE}a/", head=link))


@twin("several-canonicals")
def _(folder):
    link = f"<link rel=canonical href=/a/><link rel=canonical href={BASE.upper()}%61/>"
    (folder / "out/a/index.html").write_text(
        page(f"{BASE}a/", head=link.replace("A/>", "a/>"))
    )


@fault("html-unreadable")
def _(folder):
    (folder / "out/a/index.html").unlink()
    (folder / "out/a/index.html").symlink_to("/proc/self/mem")


@twin("html-unreadable")
def _(folder):
    (folder / "out/a/index.html").rename(folder / "out/a/page")
    (folder / "out/a/index.html").symlink_to("page")


def findings_of(folder, *, ignore=(), file=False, **wanted):
    result = (
        result_of_file(folder / "out/sitemap.xml")
        if file
        else result_of(folder, **wanted)
    )
    return [finding for finding in result.findings if finding.code not in ignore]


def codes_of(folder, **wanted):
    return {finding.code for finding in findings_of(folder, **wanted)}


def record(finding):
    """Write a finding in one line, without what is empty or usual,
    runs of x and commits cut."""
    usual = {"place": finding.place, "cure": FINDINGS[finding.code].advice}
    said = {k: v for k, v in asdict(finding).items() if v and v != usual.get(k)}
    parts = [
        said.pop("code"),
        finding.severity,
        *(f"{k}={v!r}" for k, v in said.items()),
    ]
    return re.sub('(xx)x{7,}|[0-9a-f]{7} (?=")', r"\1", " ".join(parts))


def test_a_sound_site_has_no_finding(tmp_path):
    write_site(tmp_path)

    assert set() == codes_of(tmp_path)
    assert set() == codes_of(tmp_path, file=True)
    assert 3 == result_of(tmp_path).urls


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_found_by_its_code_and_nothing_else_is(tmp_path, monkeypatch, case):
    code = case.partition(":")[0]
    monkeypatch.setattr(files, "MAX_URLS", FEW_URLS)
    write_site(tmp_path)
    wanted = FAULTS[case](tmp_path) or {}

    found = [
        record(finding).replace(str(tmp_path), "")
        for finding in findings_of(tmp_path, **wanted)
    ]
    records = (line.split(" ", 1) for line in RECORDS)
    assert found == [f"{code} {rest}" for head, rest in records if head == case]


@pytest.mark.parametrize(
    "code", usually(TWINS, *TWINS.keys() - {"too-large", "robots-too-long"})
)
def test_a_near_fault_is_not_a_finding(tmp_path, code):
    write_site(tmp_path)
    wanted = TWINS[code](tmp_path) or {}

    assert set() == codes_of(tmp_path, **wanted)


def test_no_notice_of_the_build_repeats_what_a_check_of_each_url_finds():
    """A finding of such a check has a line of the sitemap."""
    of_urls = {
        line.partition(" ")[0]
        for line in RECORDS
        if " url=" in line and " line=" in line
    }
    taken = {
        finding.code for finding in from_notices(Notice(code, "") for code in NOTICES)
    }

    assert {"duplicate", "future-date"} <= of_urls & NOTICES.keys()
    assert set() == of_urls & taken


def test_a_session_identifier_in_the_name_of_a_folder_is_counted_once(tmp_path):
    write_site(tmp_path)
    write(tmp_path, {"out/c;sid=1/index.html": page(f"{BASE}c;sid=1/")})
    sitemap(tmp_path, HOME, A, B, url("c;sid=1/"))

    assert {"session-id": 1} == result_of(tmp_path).counts


def test_every_code_has_its_fault_and_its_twin():
    of_answers = {code for _, code, _ in ANSWERS.values()}

    of_others = {
        "max-time",  # `tests/faults/test_hostile_servers.py` has it.
        "old-version",  # `tests/versions/test_command.py` has it.
    }
    of_sites = {case.partition(":")[0] for case in FAULTS}
    assert of_sites | of_answers | of_others == set(FINDINGS)
    assert set(FAULTS) == set(TWINS)


def test_the_line_for_robots_txt_is_shown_whole(tmp_path):
    write_site(tmp_path)
    FAULTS["robots-not-at-root"](tmp_path)

    [finding] = result_of(tmp_path).findings

    assert (
        "crawlers read robots.txt only at https://example.com/robots.txt"
        == finding.problem
    )
    assert f"add the line 'Sitemap: {BASE}docs/sitemap.xml' there" == finding.cure


@pytest.mark.parametrize(
    ("address", "expected"), [("", 1), (f"{BASE}sitemap.xml.gz", 0)]
)
def test_a_server_may_have_unpacked_a_file_called_gz(tmp_path, address, expected):
    path = tmp_path / "sitemap.xml.gz"
    path.write_text(urlset(HOME))
    facts = FileFacts(file=SitemapFile(location=FileLocation(path, url=address)))
    facts.root = Root(name="urlset", namespace="", line=1)

    assert expected == len([*files.not_compressed(facts, None)])


@pytest.mark.parametrize(
    ("children", "expected"), [(50_000, []), (50_001, ["too-large"])]
)
def test_file_may_list_fifty_thousand_urls(children, expected):
    facts = FileFacts(
        file=SitemapFile(location=FileLocation(Path("sitemap.xml"))), children=children
    )

    assert expected == [finding.code for finding in files.too_large(facts, None)]


# --- words that must be true
# --------------------------------------------------------------------


def test_an_index_that_lists_itself_is_not_a_missing_part(tmp_path):
    write_site(tmp_path)
    folder = tmp_path / "out"
    (folder / "sitemap-1.xml").write_text(urlset(*URLS))
    (folder / "sitemap.xml").write_text(
        index(f"{BASE}sitemap.xml", f"{BASE}sitemap-1.xml")
    )

    for result in (result_of(tmp_path), result_of_file(folder / "sitemap.xml")):
        assert {"nested-index": 1} == result.counts
        assert "sitemap.xml lists itself" in result.findings[0].problem


def test_an_index_that_lists_only_itself_lacks_no_part(tmp_path):
    file = tmp_path / "sitemap.xml"
    file.write_text(index(f"{BASE}sitemap.xml"))

    assert {"nested-index": 1} == result_of_file(file).counts


def test_sitemap_that_robots_txt_names_is_checked_if_none_has_the_usual_name(tmp_path):
    write_site(tmp_path)
    folder = tmp_path / "out"
    (folder / "sitemap.xml").unlink()
    (folder / "pages.xml").write_text(urlset(*URLS, url("no/such/page/")))
    (folder / "robots.txt").write_text(f"Sitemap: {BASE}pages.xml\n")

    (finding,) = result_of(tmp_path).findings
    assert ("missing", "pages.xml") == (finding.code, finding.file)
    with pytest.raises(OptionsError, match=r"has no other\.xml"):
        result_of(tmp_path, options={"filename": "other.xml"})


def test_an_index_below_the_root_that_lists_itself_is_not_a_missing_part(tmp_path):
    base = f"{BASE}docs/"
    write(
        tmp_path,
        {"out/index.html": page(base), "out/sitemap-1.xml": urlset(url("docs/"))},
    )
    parts = (f"{base}sitemap.xml", f"{base}sitemap-1.xml")
    write(tmp_path, {"out/sitemap.xml": index(*parts)})

    assert {"nested-index", "robots-not-at-root"} == set(result_of(tmp_path).counts)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {
                "out/a/index.html": page(
                    f"{BASE}a/", head="<meta name=robots content=noindex>"
                )
            },
            "its HTML says noindex",
        ),
        (
            {
                "docs/a.md": "---\nrobots: noindex\n---\n",
                "mkdocs.yml": "docs_dir: docs",
            },
            "its front matter says noindex",
        ),
        (
            {
                "out/_headers": "/a/\n  X-Robots-Tag: noindex\n",
                "mkdocs.yml": "docs_dir: docs",
            },
            "_headers:2",
        ),
        (
            {"out/robots.txt": "User-agent: *\nDisallow: /a/\n"},
            'robots.txt:2 "Disallow: /a/"',
        ),
        (
            {"out/a/index.html": page(f"{BASE}b/")},
            f"its canonical link is '{BASE}b/'",
        ),
        (
            {
                "out/a/index.html": html(
                    "<meta http-equiv=refresh content='0; url=/b/'>"
                )
            },
            f"its HTML redirects to '{BASE}b/'",
        ),
    ],
)
def test_a_finding_names_the_one_place_that_keeps_a_page_out(tmp_path, files, problem):
    write_site(tmp_path)
    write(tmp_path, files)

    kept_out = {"noindex", "redirect", "robots", "canonical"}
    found = [f for f in result_of(tmp_path).findings if f.code in kept_out]
    assert [f"'{BASE}a/': {problem}"] == [each.problem for each in found]


def test_each_finding_of_a_duplicate_names_its_line(tmp_path):
    write_site(tmp_path)
    sitemap(tmp_path, *URLS, A)

    texts = [finding.problem for finding in result_of(tmp_path).findings]
    assert [
        f"'{BASE}a/' is listed more than once, here in sitemap.xml:{n}" for n in (4, 6)
    ] == texts


def test_each_finding_of_a_duplicate_names_its_file(tmp_path):
    """A finding is printed with the page's source, which is the same for both."""
    write_site(tmp_path)
    robots = f"Sitemap: {BASE}sitemap.xml\nSitemap: {BASE}other.xml\n"
    write(tmp_path, {"out/other.xml": urlset(A), "out/robots.txt": robots})

    texts = [finding.problem for finding in result_of(tmp_path).findings]
    assert [
        f"'{BASE}a/' is listed more than once, here in {place}"
        for place in ("sitemap.xml:4", "other.xml:3")
    ] == texts


def test_a_page_that_only_the_generator_knows_need_not_be_listed(tmp_path):
    """It may be a draft, which no output shows."""
    write_site(tmp_path)
    write(tmp_path, {"out/draft/index.html": html()})
    signed = urlset(*URLS, declaration=signature_comment("sitemap.xml").decode())
    for text, severity, cure in (
        (signed, "info", "do nothing for a draft, a hidden page or a copied file; "),
        (urlset(*URLS), "warning", "build the sitemap again"),
    ):
        (tmp_path / "out/sitemap.xml").write_text(text)
        [found] = result_of(tmp_path).findings
        assert ("not-listed", severity) == (found.code, found.severity)
        assert found.cure.startswith(cure)


def test_canonical_links_of_a_page_that_redirects_do_not_matter(tmp_path):
    write_site(tmp_path)
    head = (
        "<meta http-equiv=refresh content='0; url=/b/'>"
        f"<link rel=canonical href='{BASE}a/'><link rel=canonical href='{BASE}b/'>"
    )
    write(tmp_path, {"out/old/index.html": html(head)})

    assert {} == result_of(tmp_path).counts


@pytest.mark.parametrize(
    "files",
    [
        {
            "theme/404/index.html": page(),
            "theme/index.html": page(),
            "theme/sitemap-index.xml": "",
        },
        {
            f"{n}/{name}": page()
            for n in ("x", "y")
            for name in ("genindex.html", "search.html")
        }
        | {"x/searchindex.js": "", "y/searchindex.js": ""},
    ],
)
def test_the_pages_that_generators_make_in_the_folder_of_a_site_need_not_be_listed(
    tmp_path, files
):
    write_site(tmp_path)
    write(tmp_path, {f"out/{name}": text for name, text in files.items()})

    missing = [f.url for f in result_of(tmp_path).findings if f.code == "not-listed"]
    assert missing == [f"{BASE}theme/"] * ("theme/index.html" in files)


def test_a_link_to_a_page_is_no_second_page(tmp_path):
    write_site(tmp_path)
    (tmp_path / "out/again.html").symlink_to("a/index.html")

    assert {} == result_of(tmp_path).counts


def test_a_robots_txt_in_capital_letters_is_reported(tmp_path):
    write_site(tmp_path)
    (tmp_path / "out/robots.txt").rename(tmp_path / "out/Robots.txt")

    [found] = result_of(tmp_path).findings
    assert ("bad-robots", "rename it to robots.txt") == (found.code, found.cure)
    assert ["bad-robots"] == [
        n.code for n in report_of(tmp_path).notices if "obots" in n.problem
    ]
    assert not (tmp_path / "out/robots.txt").exists()


# --- faults that programs make
# ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loc", "problem"),
    [
        ("https://example.com/c/", "contains the site's address twice"),
        (
            "%7B%7Bslug%7D%7D/",
            "contains '%7B%7B', which a template should have replaced",
        ),
        ("a/:slug/", "contains '/:slug', which a template should have replaced"),
        ("page/NaN", "contains 'NaN' in place of a name"),
        ("caf&amp;eacute;/", "contains '&eacute;': it is escaped twice"),
    ],
)
def test_what_a_program_left_in_a_url_is_reported(tmp_path, loc, problem):
    """In the URL of a page, and in that of a part."""
    file = tmp_path / "sitemap.xml"
    for text in (urlset(HOME, url(loc)), index(f"{BASE}{loc}")):
        file.write_text(text)
        texts = [
            f.problem for f in result_of_file(file).findings if f.code == "suspect-url"
        ]
        assert [problem] == [text.partition("' ")[2] for text in texts]


def test_two_urls_of_one_page_are_reported(tmp_path):
    """Two spellings of the same path are two URLs to a crawler."""
    write_site(tmp_path)
    sitemap(tmp_path, HOME, A, B, url("a"), url("b/index.html"))
    write(tmp_path, {f"out/{name}/index.html": html() for name in "ab"})

    found = [f.problem for f in result_of(tmp_path).findings if f.code == "duplicate"]
    assert [
        f"'{BASE}a/' is listed, and so is '{BASE}a', the same page",
        f"'{BASE}b/' is listed, and so is '{BASE}b/index.html', the same page",
    ] == found


def test_what_is_wrong_with_a_sitemap_of_an_index(tmp_path):
    """sitemaps.org, siteindex.xsd; elements of other namespaces are allowed."""
    more = "<lastmod/><changefreq>daily</changefreq><x:y xmlns:x='https://example.org/'>1</x:y>"
    write_site(tmp_path)
    (tmp_path / "out/sitemap-1.xml").write_text(urlset(*URLS))
    text = index(f"{BASE}sitemap-1.xml", f"{BASE}/sitemap-2.xml")
    text = text.replace("</loc>", f"</loc>{more}", 1)
    (tmp_path / "out/sitemap.xml").write_text(text)

    found = {(f.code, f.line, f.problem) for f in result_of(tmp_path).findings}
    assert ("unknown-element", 2, "'changefreq' is not in the protocol") in found
    assert ("bad-date", 2, "lastmod is empty") in found
    double = f"'{BASE}/sitemap-2.xml' contains '//' in its path"
    assert ("suspect-url", 3, double) in found
    assert 4 == len(found)  # And the part is missing.


def test_elements_of_an_index_are_reported_in_their_order(tmp_path):
    names = ("priority", "changefreq", "a", "b", "c", "d", "e", "a")
    write_site(tmp_path)
    more = "".join(f"<{name}/>" for name in names)
    text = index(f"{BASE}sitemap-1.xml").replace("</loc>", f"</loc>{more}")
    (tmp_path / "out/sitemap.xml").write_text(text)

    found = result_of(tmp_path).findings
    problems = [f.problem for f in found if f.code == "unknown-element"]
    about = [f"{name!r} is not in the protocol" for name in names[:-1]]
    assert about == problems


def test_an_element_of_an_image_alone_is_reported(tmp_path):
    bare = f"<image:loc xmlns:image='{IMAGE_NAMESPACE}'>{BASE}a.png</image:loc>"
    (tmp_path / "sitemap.xml").write_text(urlset(url("", more=bare)))

    [found] = result_of_file(tmp_path / "sitemap.xml").findings
    text = "<loc> is in <url>, and not in the element that groups it"
    assert ("bad-extension", text) == (found.code, found.problem)


@pytest.mark.parametrize(
    ("date", "problem"),
    [
        (
            "2024-05-01T10:00:00",
            "lastmod is '2024-05-01T10:00:00', a time without a zone",
        ),
        (
            "2024-05-01 10:00",
            "lastmod is '2024-05-01 10:00', with a space in place of T",
        ),
        ("2024-02-30", "lastmod is '2024-02-30', which no calendar has"),
        ("yesterday", "lastmod is 'yesterday'"),
    ],
)
def test_a_bad_date_says_what_is_wrong_with_it(tmp_path, date, problem):
    (tmp_path / "sitemap.xml").write_text(urlset(url("", date)))

    assert [problem] == [
        f.problem for f in result_of_file(tmp_path / "sitemap.xml").findings
    ]


def test_a_noindex_line_in_robots_txt_has_no_effect(tmp_path):
    write_site(tmp_path)
    with (tmp_path / "out/robots.txt").open("a") as robots:
        robots.write("User-agent: *\nNoindex: /a/ # old\n")

    [found] = result_of(tmp_path).findings
    assert ("hidden-noindex", "robots.txt") == (found.code, found.file)
    assert found.problem.startswith("'Noindex: /a/' has no effect")


# --- links between languages in pages
# -----------------------------------------------------------


def alternates(**targets):
    return "".join(
        f"<link rel=alternate hreflang='{language.replace('_', '-')}' href='{BASE}{path}'>"
        for language, path in targets.items()
    )


@pytest.mark.parametrize(
    ("links", "code", "problem"),
    [
        (
            {"en": "a/", "de": "b/"},
            "hreflang",
            f"'de', '{BASE}b/', which does not link back",
        ),
        (
            {"en": "a/", "de": "b/none/"},
            "hreflang",
            f"'de', '{BASE}b/none/', where there is no page",
        ),
        ({"en_UK": "a/"}, "hreflang-code", "'en-UK' is not a country"),
        (
            {"en": "a/", "de": "de/a/"},
            "hreflang",
            f"link are in folders that are not here ('{BASE}de/a/')",
        ),
        ({"en": "a/"}, None, ""),
    ],
)
def test_links_between_languages_in_pages_are_checked(tmp_path, links, code, problem):
    write_site(tmp_path)
    back = alternates(fr="b/")
    write(tmp_path, {"out/a/index.html": page(f"{BASE}a/", head=alternates(**links))})
    write(tmp_path, {"out/b/index.html": page(f"{BASE}b/", head=back)})

    found = [(f.code, f.problem) for f in result_of(tmp_path).findings]
    assert [code] * bool(code) == [each for each, _ in found]
    assert all(text.endswith(problem) for _, text in found)


def test_contradictory_groups_in_a_sitemap_are_reported(tmp_path):
    groups = {
        "a/": links(de="a/", en="b/", fr="c/"),
        "b/": links(de="a/", en="b/", fr="d/"),
        "c/": links(de="a/", fr="c/"),
        "d/": links(en="b/", fr="d/"),
    }
    text = urlset(HOME, *(url(path, more=more) for path, more in groups.items()))
    write(tmp_path, {"sitemap.xml": text})

    found = [f.problem for f in result_of_file(tmp_path / "sitemap.xml").findings]
    assert [
        f"'{BASE}a/' links to '{BASE}b/', which names another version in 'fr'",
        f"'{BASE}b/' links to '{BASE}a/', which names another version in 'fr'",
        f"'{BASE}c/' has no link in 'en', and its version '{BASE}a/' has one",
        f"'{BASE}d/' has no link in 'de', and its version '{BASE}b/' has one",
    ] == found


def test_pages_are_not_missed_if_the_sites_address_is_unknown(tmp_path):
    """pkgdown lists `/a.html` if its settings have no `url`;
    the URLs are reported alone."""
    out = {
        "out/a.html": "<html></html>",
        "out/sitemap.xml": urlset("<url><loc>/a.html</loc></url>"),
    }
    write(tmp_path, out)

    assert {"bad-url": 1} == result_of(tmp_path).counts


def test_contradictory_groups_in_pages_are_reported(tmp_path):
    """An incomplete group is none."""
    groups = {
        "a": {"de": "a/", "en": "b/", "fr": "c/"},
        "b": {"de": "a/", "en": "b/", "fr": "d/"},
        "c": {"de": "a/", "fr": "c/"},
        "d": {"en": "b/", "fr": "d/"},
    }
    write_site(tmp_path)
    for name, group in groups.items():
        text = page(f"{BASE}{name}/", head=alternates(**group))
        write(tmp_path, {f"out/{name}/index.html": text})

    found = [f.problem for f in result_of(tmp_path).findings if f.code == "hreflang"]
    links = "links in its HTML to its version in"
    why = "which names another version in 'fr'"
    assert [
        f"'{BASE}a/' {links} 'en', '{BASE}b/', {why}",
        f"'{BASE}b/' {links} 'de', '{BASE}a/', {why}",
    ] == sorted(found)


def test_the_language_selector_of_a_theme_links_back_to_no_page(tmp_path):
    """Material's `extra.alternate` leads from every page to the home page
    of each language."""
    write_site(tmp_path)
    head = alternates(en="", de="b/")
    write(
        tmp_path, {"out/index.html": page(BASE, head=head, body="<a href='a/'>A</a>")}
    )
    write(
        tmp_path, {f"out/{n}/index.html": page(f"{BASE}{n}/", head=head) for n in "ab"}
    )

    assert {} == result_of(tmp_path).counts


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", {"soft-404"}),
        (" \n<!-- content -->\n", {"soft-404"}),
        ("<img src=a.png>", set()),
        ("<script src=a.js></script>", set()),
    ],
)
def test_page_with_an_empty_body_is_found(tmp_path, body, expected):
    write_site(tmp_path)
    write(tmp_path, {"out/a/index.html": page(f"{BASE}a/", body=body)})

    assert expected == codes_of(tmp_path)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("docs.example.com", {"wrong-base-url"}), ("example.com", set())],
)
def test_host_in_cname_is_that_of_the_sitemap(tmp_path, host, expected):
    write_site(tmp_path)
    write(tmp_path, {"out/CNAME": f"{host}\n"})

    assert expected == codes_of(tmp_path)


def test_sitemap_in_a_folder_has_its_own_address(tmp_path):
    write_site(tmp_path)
    (tmp_path / "out/map").mkdir()
    (tmp_path / "out/sitemap.xml").rename(tmp_path / "out/map/sitemap.xml")
    write(tmp_path, {"out/robots.txt": f"Sitemap: {BASE}map/sitemap.xml\n"})

    done = run(tmp_path, "check", "out", "--filename", "map/sitemap.xml")
    assert "not-announced" not in done.out
