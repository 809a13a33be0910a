"""`check` of a URL against a server on loopback that misbehaves."""

from __future__ import annotations

import errno
import gzip
import os
import socket
import struct
import time

import pytest

from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.messages import OptionsError, OutputError, WebError
from sitemap_plugins.findings.records import Finding
from sitemap_plugins.live.check import _delay
from sitemap_plugins.live.server import MAX_REDIRECTS, is_near
from tests.check.checked_site import index, url, urlset
from tests.folder.html_folder import page
from tests.live.live_site import (
    HTML,
    PATHS,
    TEXT,
    XML,
    LiveServer,
    live_file_result,
    live_result,
)


@pytest.fixture
def site():
    with LiveServer() as server:
        yield server.site


def texts_of(result):
    return [finding.problem for finding in result.findings]


def moved(target, status=301):
    return status, {"Location": target}, b""


# --- what each answer is called
# ---------------------------------------------------------------


def slow(_):
    time.sleep(2)


def endless(request):
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.end_headers()
    try:
        while True:
            request.wfile.write(b"<p>x" * 1_000)
    except OSError:
        pass


def reset(request):
    linger = struct.pack("ii", 1, 0)  # Close at once, with a reset.
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    request.connection.close()


def not_http(request):
    request.wfile.write(b"hello\r\n\r\n")
    request.close_connection = True


BOMB = gzip.compress(b" " * 50_000_000)


def bomb(_):
    return 200, {**HTML, "Content-Encoding": "gzip"}, BOMB


def robots_tag(value):
    return 200, {**HTML, "X-Robots-Tag": value}, page()


def titled(title):
    return 200, HTML, f"<!doctype html><title>{title}</title><h1>{title}</h1>"


def two_canonicals(site, path):
    return (
        200,
        HTML,
        page(f"{site.url}a/", head=f"<link rel=canonical href='{site.url}{path}'>"),
    )


def linked(site, target):
    return 200, {**HTML, "Link": f'<{target}>; rel="canonical"'}, page()


RESET = os.strerror(errno.ECONNRESET)
ANSWERS = {
    "slow": (
        lambda _: slow,
        "no-answer",
        "'SITE/a/' gives no answer: it timed out after 0.5 seconds",
    ),
    "reset": (lambda _: reset, "no-answer", f"'SITE/a/' gives no answer: {RESET}"),
    "no HTTP": (lambda _: not_http, "no-answer", "'SITE/a/' gives no answer: hello\\r"),
    "404": (lambda _: (404, HTML, b""), "http-status", "'SITE/a/' answers 404"),
    "410": (lambda _: (410, HTML, b""), "http-status", "'SITE/a/' answers 410"),
    "503": (lambda _: (503, {}, b""), "http-status", "'SITE/a/' answers 503"),
    "304 unasked": (lambda _: (304, {}, b""), "http-status", "'SITE/a/' answers 304"),
    "redirect": (
        lambda s: moved(f"{s.url}b/"),
        "redirect",
        "'SITE/a/' redirects (301) to 'SITE/b/'",
    ),
    "relative redirect": (
        lambda _: moved("../b/", 302),
        "redirect",
        "'SITE/a/' redirects (302) to 'SITE/b/'",
    ),
    "redirect to nothing": (
        lambda _: moved("/c/"),
        "redirect",
        "'SITE/a/' redirects (301) to 'SITE/c/', which leads to an answer 404",
    ),
    "redirect in UTF-8": (
        lambda _: moved("/caf\xc3\xa9/"),
        "redirect",
        "'SITE/a/' redirects (301) to 'SITE/caf%C3%A9/', which leads to an answer 404",
    ),
    "redirect in Latin-1": (
        lambda _: moved("/caf\xe9/"),
        "redirect",
        "'SITE/a/' redirects (301) to 'SITE/caf%C3%A9/', which leads to an answer 404",
    ),
    "redirect to no URL": (
        lambda _: moved("http://["),
        "redirect",
        "'SITE/a/' redirects (301) to 'http://['",
    ),
    "redirect to itself": (
        lambda _: moved("/a/"),
        "redirect-loop",
        "'SITE/a/' redirects in a loop (last target: 'SITE/a/')",
    ),
    "redirect in a loop": (
        lambda _: moved("/x/"),
        "redirect-loop",
        "'SITE/a/' redirects in a loop (last target: 'SITE/x/')",
    ),
    "another host": (
        lambda _: moved("https://other.com/"),
        "redirect",
        "'SITE/a/' redirects (301) to 'https://other.com/'",
    ),
    "wrong type": (
        lambda _: (200, TEXT, b"x"),
        "content-type",
        "'SITE/a/' answers with the Content-Type 'text/plain'",
    ),
    "no type": (
        lambda _: (200, {}, page()),
        "content-type",
        "'SITE/a/' answers with no Content-Type",
    ),
    "noindex for all": (
        lambda _: robots_tag("noindex"),
        "noindex",
        "'SITE/a/': the header X-Robots-Tag is 'noindex'",
    ),
    "noindex for Google": (
        lambda _: robots_tag("googlebot: none"),
        "noindex",
        "'SITE/a/': the header X-Robots-Tag is 'googlebot: none'",
    ),
    "noindex in the page": (
        lambda _: (200, HTML, page(head="<meta name=robots content=noindex>")),
        "noindex",
        "'SITE/a/': the page's HTML says noindex",
    ),
    "refresh": (
        lambda _: (
            200,
            HTML,
            page(head="<meta http-equiv=refresh content='0; url=/b/'>"),
        ),
        "redirect",
        "the page 'SITE/a/' redirects to 'SITE/b/'",
    ),
    "canonical": (
        lambda s: (200, HTML, page(f"{s.url}b/")),
        "canonical",
        "the canonical link of 'SITE/a/' is 'SITE/b/'",
    ),
    "canonical in a header": (
        lambda s: linked(s, f"{s.url}b/"),
        "canonical",
        "the canonical link of 'SITE/a/' is 'SITE/b/'",
    ),
    "two canonicals": (
        lambda s: two_canonicals(s, "b/"),
        "several-canonicals",
        "'SITE/a/' names 'SITE/a/' and 'SITE/b/' as canonical",
    ),
    "nothing": (
        lambda _: (200, HTML, b" \n"),
        "soft-404",
        "'SITE/a/' answers 200 and has no content",
    ),
    "an error page": (
        lambda _: titled("404 Not Found"),
        "soft-404",
        "'SITE/a/' answers 200 and has the title '404 Not Found'",
    ),
    "an error page of a site": (
        lambda _: titled("Page not found \u2013 Site"),
        "soft-404",
        "'SITE/a/' answers 200 and has the title 'Page not found \u2013 Site'",
    ),
    "an error page by its heading": (
        lambda _: (
            200,
            HTML,
            "<title>Site</title><h1 class=x>Sorry, this page was not found!</h1>",
        ),
        "soft-404",
        "'SITE/a/' answers 200 and has the title 'Sorry, this page was not found!'",
    ),
}
SOUND = {
    "the same canonical twice": lambda s: two_canonicals(s, "a/"),
    "a page about errors": lambda _: titled("404 Not Found errors in Flask | Site"),
    "a file without a suffix": lambda _: (
        200,
        {"Content-Type": "application/pdf"},
        b"%PDF",
    ),
    "endless": lambda _: endless,
    "gzip bomb": lambda _: bomb,
    "noindex for another crawler": lambda _: robots_tag("otherbot: noindex, nofollow"),
    "nofollow": lambda _: robots_tag("nofollow, max-image-preview: none"),
    "XHTML": lambda _: (200, {"Content-Type": "application/xhtml+xml"}, page()),
    "canonical in a header": lambda s: linked(s, f"{s.url}a/"),
    "its own refresh": lambda _: (
        200,
        HTML,
        page(head="<meta http-equiv=refresh content=30>"),
    ),
    "a header that is no text": lambda _: (
        200,
        {**HTML, "X-Robots-Tag": "\xff\xfe"},
        page(),
    ),
}


def test_a_sound_server_has_no_finding_and_each_url_is_requested_once(site):
    for target in (site.url, f"{site.url}sitemap.xml"):
        site.asked.clear()
        result = live_result(target)

        assert (result.counts, result.files, result.urls) == ({}, 1, 3)
        assert 3 == result.requested
        assert ["/robots.txt", "/sitemap.xml"] == site.asked[:2]
        assert sorted(f"/{path}" for path in PATHS) == sorted(site.asked[2:])


@pytest.mark.parametrize("name", ANSWERS)
def test_a_wrong_answer_is_found_by_its_code_and_nothing_else_is(site, name):
    answer, code, text = ANSWERS[name]
    site.answers["/a/"] = answer(site)
    site.answers["/x/"] = moved("/y/")
    site.answers["/y/"] = moved("/x/")
    result = live_result(site.url)

    text, url, file = (
        said.replace("SITE/", site.url)
        for said in (text, "SITE/a/", "SITE/sitemap.xml")
    )
    [found] = result.findings
    assert Finding(code, text, found.cure, url=url, file=file, line=4) == found


@pytest.mark.parametrize("name", SOUND)
def test_a_nearly_wrong_answer_is_not_a_finding(site, name):
    site.answers["/a/"] = SOUND[name](site)

    assert {} == live_result(site.url, timeout=2).counts


@pytest.mark.parametrize("status", [500, 429])
def test_a_server_that_recovers_is_requested_again(site, status):
    attempts = iter([(status, {"Retry-After": "0"}, b""), (200, HTML, page())])
    site.answers["/a/"] = lambda _: next(attempts)

    assert {} == live_result(site.url, retries=1).counts
    assert 2 == site.asked.count("/a/")


def test_redirects_are_followed_until_one_repeats(site):
    site.answers["/a/"] = moved("/x/")
    site.answers["/x/"] = moved("/a/")

    assert {"redirect-loop": 1} == live_result(site.url).counts
    assert 1 == site.asked.count("/a/") == site.asked.count("/x/")


def test_endless_redirects_are_followed_up_to_a_limit(site):
    site.answers["/a/"] = moved("/0/")
    site.answers |= {f"/{n}/": moved(f"/{n + 1}/") for n in range(50)}

    assert {"redirect-loop": 1} == live_result(site.url).counts
    assert f"/{MAX_REDIRECTS - 1}/" in site.asked
    assert f"/{MAX_REDIRECTS}/" not in site.asked


def test_a_listed_file_may_have_its_own_type(site):
    site.answers["/a.pdf"] = (200, {"Content-Type": "application/pdf"}, b"%PDF")
    site.list(*site.entries("a.pdf"))

    assert {} == live_result(site.url).counts


def test_disallowed_urls_are_reported_and_not_requested(site):
    site.robots("User-agent: *\nDisallow: /a/\n")

    assert {"robots": 1} == live_result(site.url).counts
    assert "/a/" not in site.asked


# --- the sitemap itself
# -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((404, HTML, b"<!doctype html>"), "http-status"),
        ((200, HTML, page()), "not-a-sitemap"),
        ((200, XML, page()), "not-a-sitemap"),
        ((200, XML, b""), "not-well-formed"),
        ((200, XML, b"\x1f\x8b broken"), "not-well-formed"),
        ((200, XML, urlset()), "empty"),
        (moved("/sitemap.xml"), "redirect-loop"),
        (reset, "no-answer"),
    ],
)
def test_a_file_that_is_not_a_sitemap_always_has_a_finding(site, answer, code):
    site.answers["/sitemap.xml"] = answer
    for target in (site.url, f"{site.url}sitemap.xml"):
        result = live_result(target)

        assert code in result.counts
        assert "error" == result.worst()
        assert 0 == result.urls


def test_a_feed_alone_cannot_be_checked(site):
    site.answers["/sitemap.xml"] = (200, XML, "<rss version='2.0'></rss>")

    with pytest.raises(
        OptionsError, match="is a feed, which search engines accept but `check` does"
    ):
        live_result(site.url)


def test_a_feed_beside_a_sitemap_is_reported_and_the_sitemap_is_read(site):
    site.answers["/feed.xml"] = (200, XML, "<rss version='2.0'><channel/></rss>")
    site.answers["/robots.txt"] = (
        200,
        TEXT,
        f"Sitemap: {site.url}feed.xml\nSitemap: {site.url}sitemap.xml\n",
    )

    assert ({"feed": 1}, 3) == ((r := live_result(site.url)).counts, r.urls)


def test_an_index_that_lists_itself_is_reported_and_read_once(site):
    site.answers["/sitemap.xml"] = (200, XML, index(f"{site.url}sitemap.xml"))

    assert {"nested-index": 1} == live_result(site.url).counts
    assert ["/robots.txt", "/sitemap.xml"] == site.asked


def test_many_sitemaps_do_not_fill_the_disk(site, monkeypatch):
    monkeypatch.setattr("sitemap_plugins.live.server.MAX_KEPT_BYTES", 2_000)
    site.answers["/sitemap.xml"] = (
        200,
        XML,
        index(*(f"{site.url}{n}.xml" for n in range(9))),
    )
    for n in range(9):
        site.list(*site.entries(), path=f"/{n}.xml")

    with pytest.raises(
        OutputError, match="the sitemaps have more than 2,000 bytes: check one"
    ):
        live_result(site.url)
    assert len(site.asked) < 9


def test_llms_txt_is_not_requested_as_a_sitemap(site):
    site.answers["/llms.txt"] = (200, TEXT, "# Site\n\n> Text\n")
    site.answers["/robots.txt"] = (
        200,
        TEXT,
        f"Sitemap: {site.url}sitemap.xml\nSitemap: {site.url}llms.txt\n",
    )

    assert {"llms-txt": 1} == live_result(site.url).counts
    assert "/llms.txt" not in site.asked


def test_the_number_of_sitemaps_in_robots_txt_is_limited(site, monkeypatch):
    monkeypatch.setattr("sitemap_plugins.live.server.MAX_FILES", 5)
    lines = "".join(f"Sitemap: {site.url}{n}.xml\n" for n in range(9))
    site.answers["/robots.txt"] = (200, TEXT, lines)

    with pytest.raises(
        OutputError, match="there are more than 5 sitemaps: check one after"
    ):
        live_result(site.url)
    assert 6 == len(site.asked)


def test_a_robots_txt_cannot_make_the_check_wait_for_ever(site):
    robots = Robots(
        b"User-agent: *\nCrawl-delay: 1e308\n",
        base_url=site.url,
        on_read_the_docs=False,
    )

    assert 60 == _delay(robots)


def test_a_hostile_link_header_costs_no_time(site):
    site.answers["/a/"] = (200, {**HTML, "Link": "<" * 60_000}, page())
    started = time.process_time()

    assert {} == live_result(site.url, timeout=5).counts
    assert time.process_time() - started < 3


def test_an_endless_sitemap_is_too_large(site, monkeypatch):
    monkeypatch.setattr("sitemap_plugins.live.server.MAX_BYTES", 100_000)
    site.answers["/sitemap.xml"] = endless

    assert {"too-large": 1} == live_result(site.url).counts


def test_a_sitemap_that_redirects_is_reported_and_read(site):
    site.answers["/new.xml"] = site.answers["/sitemap.xml"]
    site.answers["/sitemap.xml"] = moved("/new.xml")
    result = live_result(site.url)

    assert ({"redirect": 1}, 3) == (result.counts, result.urls)
    assert f"'{site.url}new.xml'" in result.findings[0].problem
    assert (
        "use that address in robots.txt and in Search Console"
        == result.findings[0].cure
    )


def test_a_sitemap_of_the_wrong_type_is_reported_and_read(site):
    status, _, body = site.answers["/sitemap.xml"]
    site.answers["/sitemap.xml"] = (status, TEXT, body)

    assert ({"content-type": 1}, 3) == ((r := live_result(site.url)).counts, r.urls)


def test_parts_of_an_index_are_fetched_and_those_of_other_hosts_are_not(site):
    site.list(*site.entries()[:2], path="/deep/sitemap.xml")
    packed = gzip.compress(urlset(*site.entries()[2:]).encode())
    site.answers["/b/sitemap.xml.gz"] = (
        200,
        {"Content-Type": "application/gzip"},
        packed,
    )
    parts = ["deep/sitemap.xml", "b/sitemap.xml.gz", "gone.xml"]
    other = site.url.replace("127.0.0.1", "localhost")
    text = index(*(site.url + part for part in parts), f"{other}sitemap.xml")
    site.answers["/sitemap.xml"] = (200, XML, text)
    result = live_result(site.url)

    assert {"missing-part": 1, "part-outside": 1} == result.counts
    assert (3, 3) == (result.files, result.urls)
    assert f"'{site.url}gone.xml' answers 404" in texts_of(result)
    assert "/deep/sitemap.xml" in site.asked


def test_a_text_sitemap_is_read(site):
    lines = "".join(f"{site.url}{path}\r\n" for path in ("", "a/", "none/"))
    site.answers["/sitemap.txt"] = (200, TEXT, lines)
    site.answers["/robots.txt"] = (200, TEXT, f"Sitemap: {site.url}sitemap.txt\n")
    result = live_result(site.url)

    assert ({"http-status": 1}, 3) == (result.counts, result.urls)
    assert 3 == result.findings[0].line


def test_a_page_that_expired_is_found(site):
    header = {**HTML, "X-Robots-Tag": "unavailable_after: 25 Jun 2010 15:00:00 PST"}
    meta = "<meta name=robots content='unavailable_after: 2010-06-25'>"
    later = "<meta name=robots content='unavailable_after: 2099-06-25'>"
    site.answers["/"] = (200, header, page())
    site.answers["/a/"] = (200, HTML, page(head=meta))
    site.answers["/b/"] = (200, HTML, page(head=later))

    assert {"noindex": 2} == live_result(site.url).counts


def test_a_page_that_is_sent_as_a_file_is_found(site):
    as_file = {"Content-Disposition": "attachment; filename=a.html"}
    site.answers["/a/"] = (200, {**HTML, **as_file}, page())
    site.answers["/b.pdf"] = (
        200,
        {"Content-Type": "application/pdf", **as_file},
        "%PDF",
    )
    site.list(*site.entries("b.pdf"))

    assert {"content-type": 1} == live_result(site.url).counts


def test_a_version_that_no_sitemap_lists_is_found(site):
    links = "".join(
        f"<link rel=alternate hreflang={code} href='{site.url}{path}'>"
        for code, path in (("en", "a/"), ("de", "b/"), ("fr", "gone/"))
    )
    for path in ("/a/", "/b/"):
        site.answers[path] = (200, HTML, page(head=links))

    assert {("hreflang", "info"): 1} == live_result(site.url).numbers


# --- robots.txt


def test_robots_txt_has_the_type_of_plain_text(site):
    status, _, body = site.answers["/robots.txt"]
    site.answers["/robots.txt"] = (status, HTML, body)

    assert {("content-type", "warning"): 1} == live_result(site.url).numbers


# -------------------------------------------------------------------------------


def test_a_page_in_place_of_robots_txt_is_reported(site):
    site.answers["/robots.txt"] = (200, HTML, page())
    result = live_result(site.url)

    assert {"bad-robots": 1} == result.counts
    assert (
        "robots.txt is an HTML page, which crawlers cannot use"
        == result.findings[0].problem
    )


def test_urls_disallowed_for_search_engines_are_reported(site):
    site.robots("User-agent: Googlebot\nDisallow: /a/\n")
    result = live_result(site.url)

    assert {("robots", "warning"): 1} == result.numbers
    text = f"robots.txt disallows '{site.url}a/' for Googlebot"
    assert result.findings == (
        Finding(
            code="robots",
            problem=text,
            url=f"{site.url}a/",
            file=f"{site.url}sitemap.xml",
            line=4,
            matters="warning",
        ),
    )
    assert "/a/" in site.asked


def test_a_domain_without_robots_txt_has_its_sitemap_at_the_usual_place(site):
    del site.answers["/robots.txt"]

    assert 3 == live_result(site.url).urls


def test_all_sitemaps_of_the_host_that_robots_txt_names_are_read(site):
    site.list(*site.entries()[:1])
    site.list(*site.entries()[1:], path="/maps/more.xml")
    lines = [
        f"{site.url}sitemap.xml",
        f"{site.url}maps/more.xml",
        "https://other.com/s.xml",
    ]
    text = "".join(f"Sitemap: {line}\n" for line in lines)
    site.answers["/robots.txt"] = (200, TEXT, text)
    result = live_result(site.url)

    # The second lies deeper than what it lists: robots.txt may name it all the same.
    assert ({}, 2, 3) == (result.counts, result.files, result.urls)


def test_a_sitemap_that_robots_txt_does_not_name_is_reported(site):
    site.answers["/robots.txt"] = (200, TEXT, "User-agent: *\nDisallow:\n")

    assert {"not-announced": 1} == live_result(f"{site.url}sitemap.xml").counts

    for not_a_sitemap in (page(), "Hello"):
        site.answers["/sitemap.xml"] = (200, XML, not_a_sitemap)
        assert "not-announced" not in live_result(f"{site.url}sitemap.xml").counts


def test_a_sitemap_may_list_urls_below_its_folder_and_those_of_the_host_if_in_robots_txt(
    site,
):
    site.list(*site.entries(), path="/maps/s.xml")
    site.answers["/robots.txt"] = (200, TEXT, "")
    result = live_result(f"{site.url}maps/s.xml")
    assert {"outside-scope": 3, "not-announced": 1} == result.counts

    site.answers["/robots.txt"] = (200, TEXT, f"Sitemap: {site.url}maps/s.xml\n")
    assert {} == live_result(f"{site.url}maps/s.xml").counts


def test_a_robots_txt_that_fails_keeps_crawlers_away(site):
    site.answers["/robots.txt"] = (503, {}, b"")

    assert {"bad-robots": 1} == live_result(site.url).counts


def test_a_robots_txt_with_nul_bytes_is_reported(site):
    site.answers["/robots.txt"] = (200, TEXT, b"\0")

    assert {"bad-robots": 1} == live_result(site.url).counts


def test_the_crawl_delay_is_kept(site):
    site.robots("User-agent: *\nCrawl-delay: 0.2\n")
    started = time.monotonic()
    live_result(site.url)

    # The sitemap and three pages, with three pauses between them.
    assert time.monotonic() - started > 0.6


def test_a_server_that_does_not_answer_at_all_cannot_be_checked(site):
    site.answers["/robots.txt"] = reset
    with pytest.raises(WebError, match="gives no answer"):
        live_result(site.url)


# --- what is asked for
# ------------------------------------------------------------------------


def test_only_urls_of_the_same_host_are_requested_each_once(site):
    other = site.url.replace("127.0.0.1", "localhost")
    site.list(*site.entries("a/", "%61/"), url("a/", base=other))
    result = live_result(site.url)

    assert {"duplicate": 3, "outside-scope": 1} == result.counts
    assert 1 == site.asked.count("/a/")
    assert {site.url.split("/")[2]} == {
        request.headers["Host"] for request in site.requests
    }


def test_a_sample_is_spread_over_all_urls_and_always_the_same(site):
    site.answers |= {f"/{n}/": (200, HTML, page()) for n in range(100)}
    site.list(*site.entries(*(f"{n}/" for n in range(100))))
    asked = []
    for _ in range(2):
        site.asked.clear()
        live_result(site.url, sample=4)
        asked.append(
            sorted(path for path in site.asked if not path.endswith((".xml", ".txt")))
        )

    assert [["/", "/22/", "/48/", "/74/"]] * 2 == asked


def test_without_fetching_only_the_sitemap_is_requested(site):
    live_result(site.url, fetches=False)

    assert ["/robots.txt", "/sitemap.xml"] == site.asked


def test_headers_go_with_every_request(site):
    live_result(site.url, headers={"X-Key": "1"})

    assert {("test/1", "1")} == {
        (request.headers["User-Agent"], request.headers["X-Key"])
        for request in site.requests
    }


# --- a preview in place of the site
# -----------------------------------------------------------

FROM = "https://example.com/"


def test_a_preview_is_judged_as_if_it_were_published(site, tmp_path):
    site.answers["/a/"] = (200, HTML, page(f"{FROM}a/"))
    site.answers["/"] = (200, HTML, page(FROM))
    site.answers["/b/"] = moved("/a/")
    site.answers["/c/"] = (200, HTML, page(f"{site.url}c/"))
    site.robots("User-agent: *\nDisallow: /d/\n")
    paths = ("", "a/", "b/", "c/", "d/")
    (tmp_path / "sitemap.xml").write_text(urlset(*(url(path) for path in paths)))
    result = live_file_result(tmp_path / "sitemap.xml", host_root=FROM, at=site.url)

    assert {"redirect": 1, "canonical": 1, "robots": 1} == result.counts
    assert f"'{FROM}b/' redirects (301) to '{FROM}a/'" in texts_of(result)
    assert f"the canonical link of '{FROM}c/' is '{site.url}c/'" in texts_of(result)


def test_a_sitemap_on_the_preview_is_read_there(site):
    site.list(*(url(path) for path in PATHS))
    site.answers |= {f"/{path}": (200, HTML, page(FROM + path)) for path in PATHS}
    site.answers["/robots.txt"] = (200, TEXT, f"Sitemap: {FROM}sitemap.xml\n")

    for target in (site.url, f"{site.url}sitemap.xml"):
        result = live_result(target, host_root=FROM, at=site.url)
        assert ({}, 3) == (result.counts, result.urls)


def test_the_sitemap_of_the_real_site_is_checked_against_a_preview(site):
    """A page that the new version would lose is found."""
    with LiveServer() as server:
        preview = server.site
        preview.answers |= {
            f"/{path}": (200, HTML, page(site.url + path)) for path in ("", "a/")
        }
        del preview.answers["/b/"]
        result = live_result(
            f"{site.url}sitemap.xml", host_root=site.url, at=preview.url
        )

        assert {"http-status": 1} == result.counts
        assert f"{site.url}b/" == result.findings[0].url
        assert ["/robots.txt", "/sitemap.xml"] == site.asked
        assert ["/", "/a/", "/b/"] == sorted(preview.asked)


@pytest.mark.parametrize("target", ["http://other.invalid/robots.txt", "/robots.txt"])
def test_a_robots_txt_that_redirects_to_another_host_or_in_a_loop_is_reported(
    site, target
):
    site.answers["/robots.txt"] = moved(target)
    result = live_result(site.url)

    assert ({"bad-robots": 1}, 3) == (result.counts, result.urls)
    assert "robots.txt redirects to" in result.findings[0].problem


def test_a_redirect_of_robots_txt_within_the_host_is_followed(site):
    site.answers["/r.txt"] = site.answers["/robots.txt"]
    site.answers["/robots.txt"] = moved("/r.txt")

    assert {} == live_result(f"{site.url}sitemap.xml").counts


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("http://example.com/", "https://www.example.com/", True),
        ("https://example.com:443/", "http://example.com/", True),
        ("http://example.com:8000/", "http://example.com:8000/a", True),
        ("http://example.com:8000/", "http://example.com/", False),
        ("https://example.com/", "https://example.com.evil.org/", False),
        ("https://example.com/", "ftp://example.com/", False),
        ("https://example.com/", "http://[", False),
    ],
)
def test_other_names_of_the_same_site(one, other, near):
    assert near == is_near(one, other) == is_near(other, one)


@pytest.mark.parametrize(
    ("status", "cure"),
    [
        (401, "let crawlers in"),
        (403, "let crawlers in"),
        (404, "publish a page"),
        (429, "check again with a lower --rate"),
        (500, "fix what the server's log says"),
    ],
)
def test_the_cure_fits_the_status(site, status, cure):
    """Once for a page, once for the sitemap itself."""
    for path in ("/a/", "/sitemap.xml"):
        site.answers[path] = (status, HTML, b"")
        [found] = [f for f in live_result(site.url).findings if f.code == "http-status"]
        assert found.cure.startswith(cure)


def test_an_answer_of_a_preview_is_reported_as_such(site):
    with LiveServer() as server:
        del server.site.answers["/b/"]
        preview = server.site.url
        found = live_result(
            f"{site.url}sitemap.xml", host_root=site.url, at=preview
        ).findings

    assert f"'{site.url}b/' answers 404 at '{preview}'" in [
        each.problem for each in found
    ]


@pytest.mark.parametrize(
    "title",
    ["Seite nicht gefunden", "Page introuvable", "Página no encontrada", "页面未找到"],
)
def test_error_pages_of_other_languages_are_found(site, title):
    site.answers["/a/"] = titled(title)

    assert {"soft-404": 1} == live_result(site.url).counts


def test_a_refresh_in_a_header_is_a_redirect(site):
    site.answers["/a/"] = (200, {**HTML, "Refresh": "0; url=/b/"}, page())

    [found] = live_result(site.url).findings
    assert ("redirect", f"the page '{site.url}a/' redirects to '{site.url}b/'") == (
        found.code,
        found.problem,
    )


def test_a_canonical_link_in_a_header_counts_beside_that_of_the_page(site):
    header = {**HTML, "Link": f'<{site.url}b/>; rel="canonical"'}
    site.answers["/a/"] = (200, header, page(f"{site.url}a/"))

    assert {"several-canonicals": 1} == live_result(site.url).counts


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ((200, HTML, "<p>Loading"), {"soft-404": 1}),
        ((302, {"Location": "/"}, ""), {}),
        ((410, HTML, "<p>Gone"), {}),
    ],
    ids=["200", "302", "410"],
)
def test_answer_for_a_made_up_address(site, answer, expected):
    site.answer_for_others = answer

    assert expected == live_result(site.url).counts
    assert {} == live_result(site.url, fetches=False).counts


def test_made_up_address_is_one_that_robots_txt_allows(site):
    site.answer_for_others = (200, HTML, "<p>Loading")
    site.robots(
        "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /sitemap\nAllow: /a/\nAllow: /b/\n"
    )

    assert {} == live_result(site.url).counts
