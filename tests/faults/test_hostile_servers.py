"""Servers that lead requests elsewhere, never finish a response, or list too much."""

from __future__ import annotations

import time

import pytest

from sitemap_plugins.core.messages import FileError, PageError, WebError
from sitemap_plugins.core.urls import request_url
from sitemap_plugins.sitemaps.locations import find_locations
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.sitemaps.web import Deadline, Web
from tests.check.checked_site import index, url, urlset
from tests.cli.command import run
from tests.faults.hostile_server import ENDLESS, HostileServer, dripping, sending
from tests.folder.html_folder import page, write
from tests.full import usually
from tests.live.live_site import HTML, TEXT, XML, LiveServer, live_result


@pytest.fixture
def site():
    with LiveServer() as server:
        yield server.site


@pytest.fixture
def victim():
    with HostileServer(sending(b"HTTP/1.1 200 OK\r\n\r\n")) as server:
        yield server


@pytest.fixture(autouse=True)
def bounds(monkeypatch):
    """In these tests, a whole response takes no longer than its beginning may."""
    monkeypatch.setattr("sitemap_plugins.sitemaps.web._SLOWEST", 1e12)


# --- requests to another server
# ---------------------------------------------------------------

ELSEWHERE = [
    r"http://{victim}\@{site}/x",
    r"http://{site}\@{victim}/x",
    r"http:\\{victim}/x",
    r"http:/\{victim}/x",
    r"http://{victim}\.{site}/x",
    "http://{site}@{victim}/x",
    "http://{victim}@{site}/x",
    "http://me:pass@{victim}/x",
    "http://{victim}/x",
    "//{victim}/x",
    "http:///{victim}/x",
    "http://{victim}?@{site}/x",
    "http://{victim}#@{site}/x",
    "http://{victim}\t@{site}/x",
    "http://{site}\t@{victim}/x",
    " http://{victim}/x",
    "HTTP://{victim}/x",
]


def spelled(text, site, victim):
    hosts = {"site": site.url.split("/")[2], "victim": f"127.0.0.1:{victim.port}"}
    return text.format(**hosts)


@pytest.mark.parametrize("text", ELSEWHERE)
def test_part_on_another_server_is_not_requested(site, victim, text):
    text = spelled(text, site, victim)
    site.answers["/sitemap.xml"] = (200, XML, index(text))
    live_result(site.url)
    with Web(user_agent="test", retries=0) as web, pytest.raises((FileError, WebError)):
        list(all_elements(find_locations(site.url, web=web, environ={})))

    assert [] == victim.asked


@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml", "/a/"])
@pytest.mark.parametrize("text", ELSEWHERE)
def test_redirect_to_another_server_is_not_followed(site, victim, text, path):
    site.answers[path] = (301, {"Location": spelled(text, site, victim)}, b"")
    live_result(site.url)

    assert [] == victim.asked


@pytest.mark.parametrize("text", ELSEWHERE)
def test_sitemap_on_another_server_in_robots_txt_is_not_requested(site, victim, text):
    site.answers["/robots.txt"] = (
        200,
        TEXT,
        f"Sitemap: {spelled(text, site, victim)}\n",
    )
    live_result(site.url)

    assert [] == victim.asked


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (r"http://a.com:1\@b.com/", "user information"),
        (r"http://a.com/\b", "must be percent-encoded"),
        ("http://me@a.com/", "user information"),
        ("http://a.com/\x01", "control character"),
        ("http://a.com\t/", "control character"),
        ("http://a.com:70000/", "is not a URL"),
        ("http://a%2ecom/", "is not a host name"),
        ("http:a.com/", "is not an absolute"),
    ],
)
def test_ambiguous_url_is_not_requested(text, problem):
    with pytest.raises(PageError, match=problem):
        request_url(text)


# --- answers that never end
# -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", usually(ENDLESS, "a header", "chunks of one byte", "a body", "silence")
)
def test_endless_response_is_given_up(name):
    with HostileServer(ENDLESS[name]) as server:
        with Web(user_agent="test", timeout=0.3, retries=0) as web:
            with pytest.raises(
                WebError, match=r"gives no answer: .*(timed out|decod|more than)"
            ):
                web.get(server.url, limit=1_000_000)
            started = time.monotonic()
            while not server.left and time.monotonic() < started + 2:
                time.sleep(0.05)
        assert server.left or name == "silence"


@pytest.mark.parametrize("path", ["sitemap.xml", "a/"])
def test_one_hostile_url_does_not_stop_the_check(site, path):
    answer = dripping(b"HTTP/1.1 200 OK\r\n", b"a")
    site.answers[f"/{path}"] = lambda request: answer(request.connection.sendall)
    result = live_result(site.url, timeout=0.3)

    assert {"no-answer": 1} == result.counts
    assert "timed out after 0.3 seconds" in result.findings[0].problem


# --- the time for a whole check
# ---------------------------------------------------------------


def slowly(answer):
    def sent(_):
        time.sleep(0.3)
        return answer

    return sent


def test_check_ends_in_time_with_its_findings_so_far(site):
    site.answers |= {f"/{n}/": slowly((404, HTML, b"")) for n in range(30)}
    site.list(*site.entries(*(f"{n}/" for n in range(30))))
    result = live_result(site.url, concurrency=1, timeout=5, deadline=Deadline(2))

    assert {"http-status", "max-time"} == set(result.counts)
    assert 0 < result.counts["http-status"] < 10
    [text] = [f.problem for f in result.findings if f.code == "max-time"]
    assert f"{result.counts['http-status'] + 3} of 33 URLs were requested" in text


def test_no_more_parts_are_fetched_when_the_time_is_up(site):
    names = [f"{n}.xml" for n in range(30)]
    site.answers["/sitemap.xml"] = (
        200,
        XML,
        index(*(site.url + name for name in names)),
    )
    for n, name in enumerate(names):
        site.answers[f"/{name}"] = slowly(
            (200, XML, urlset(url(f"{n}/", base=site.url)))
        )
    result = live_result(site.url, timeout=5, deadline=Deadline(2))

    assert {"max-time": 2} == result.counts
    assert 2 < result.files < 10
    assert len(site.asked) < 12


def test_time_for_a_check_is_an_option(site, tmp_path):
    site.answers["/a/"] = slowly((200, HTML, page(f"{site.url}a/")))
    started = time.monotonic()
    done = run(tmp_path, "check", site.url, "--max-time", "0.2", "--rate", "1000")

    assert 1 == done.returncode
    assert "max-time" in done.out
    site.answers["/robots.txt"] = slowly((404, TEXT, b""))
    done = run(tmp_path, "check", site.url, "--max-time", "0.1")
    assert (2, "") == (done.returncode, done.out)
    assert "robots.txt' gives no answer before time runs out" in done.err
    assert time.monotonic() < started + 30


# --- too much
# ---------------------------------------------------------------------------------


def test_part_listed_several_times_is_read_once(site, tmp_path):
    name = f"{site.url}part.xml"
    parts = [
        name,
        f"{name}#a",
        name.replace("part", "p%61rt"),
        name.upper()[:4] + name[4:],
    ] * 100
    site.answers["/sitemap.xml"] = (200, XML, index(*parts))
    site.list(*site.entries(), path="/part.xml")
    site.answers["/robots.txt"] = (
        200,
        TEXT,
        f"Sitemap: {name}\nSitemap: {site.url}sitemap.xml\n",
    )
    result = live_result(site.url)

    # A URL with a fragment is wrong besides.
    counts = {"duplicate": len(parts) - 1, "bad-url": 100}
    assert (counts, 2, 3) == (result.counts, result.files, result.urls)
    assert 1 == site.asked.count("/part.xml")
    site.asked.clear()
    with Web(user_agent="test", retries=0) as web:
        assert 3 == len(
            list(all_elements(find_locations(site.url, web=web, environ={})))
        )
        assert 1 == site.asked.count("/part.xml")

        write(
            tmp_path,
            {"part.xml": urlset(*site.entries()), "sitemap.xml": index(*parts)},
        )
        write(
            tmp_path,
            {"sitemap-index-2.xml": index(*(f"{name}?{n}" for n in range(100)))},
        )
        assert 3 == len(
            list(all_elements(find_locations(str(tmp_path), web=web, environ={})))
        )


def test_no_more_parts_are_fetched_than_an_index_may_list(site, monkeypatch):
    monkeypatch.setattr("sitemap_plugins.sitemaps.parts.MAX_INDEX_PARTS", 5)
    monkeypatch.setattr("sitemap_plugins.check.whole_files.MAX_URLS", 5)
    site.answers["/sitemap.xml"] = (
        200,
        XML,
        index(*(f"{site.url}{n}.xml" for n in range(90))),
    )
    result = live_result(site.url)

    assert {"missing-part": 5, "too-large": 1} == result.counts
    assert "the file has 90 URLs; 5 are allowed" in [
        finding.problem for finding in result.findings
    ]
    assert 7 == len(site.asked)


def test_index_beyond_the_limit_is_refused_with_its_number_of_parts(tmp_path):
    write(tmp_path, {"sitemap.xml": index(*["https://example.com/a.xml"] * 50_001)})
    done = run(tmp_path, "diff", "sitemap.xml", "sitemap.xml")

    assert (2, "") == (done.returncode, done.out)
    assert "sitemap.xml: it lists more than 50,000 sitemaps: divide it" in done.err
