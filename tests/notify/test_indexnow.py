"""IndexNow: what is sent, to whom, when, and what each answer means."""

from __future__ import annotations

import json
import time
from types import SimpleNamespace

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.notify.indexnow import (
    ENDPOINTS,
    RefusedError,
    Submitter,
    batches,
    read_changes,
    send,
    urls_to_send,
    wait_until_live,
)
from sitemap_plugins.sitemaps.changes import UrlChange
from sitemap_plugins.sitemaps.locations import FileLocation, WebLocation
from sitemap_plugins.sitemaps.web import Deadline, Web
from tests.check.checked_site import url, urlset
from tests.folder.html_folder import write
from tests.sitemaps.loopback import serving

KEY = "0123456789abcdef0123456789abcdef"
LONG_AGO = "Wed, 21 Oct 2015 07:28:00 GMT"
DAY, LATER = "2024-05-01", "2024-05-02T10:00:00+00:00"


@pytest.fixture
def clock(monkeypatch):
    """A clock that only waiting moves; `slept` has how long each time."""
    clock = SimpleNamespace(now=0.0, slept=[], then=lambda: None)

    def sleep(seconds):
        clock.now += seconds
        if seconds:
            clock.slept.append(seconds)
            clock.then()

    fake = SimpleNamespace(monotonic=lambda: clock.now, sleep=sleep, time=time.time)
    monkeypatch.setattr("sitemap_plugins.sitemaps.web.time", fake)
    return clock


@pytest.fixture
def server(tmp_path):
    write(tmp_path, {f"{KEY}.txt": KEY})
    with serving(tmp_path) as server:
        yield server


@pytest.fixture
def web():
    with Web(user_agent="test", retries=0) as web:
        yield web


def submitter(
    server, web, seconds=300, *, endpoints=("indexnow",), location=f"{KEY}.txt"
):
    return Submitter(
        key=KEY,
        location=server.url + location,
        endpoints=[server.url + endpoint for endpoint in endpoints],
        web=web,
        deadline=Deadline(seconds),
    )


def refusal(code):
    return (
        403,
        json.dumps({"errorCode": code, "message": "no", "details": None}).encode(),
    )


def test_added_removed_and_newer_urls_are_sent():
    changes = [
        UrlChange("came", None, ""),
        UrlChange("went", "", None),
        UrlChange("newer", DAY, LATER),
        UrlChange("older", LATER, DAY),
        UrlChange("dated", "", DAY),
        UrlChange("undated", DAY, ""),
    ]

    assert ["came", "went", "newer"] == list(urls_to_send(changes))


def test_a_batch_has_one_host_and_at_most_ten_thousand_urls():
    urls = [f"https://a.example/{n}" for n in range(10_001)]
    found = batches([*urls, "https://b.example/", "http://b.example/x"])

    assert [("a.example", 10_000), ("a.example", 1), ("b.example", 2)] == [
        (host, len(some)) for host, some in found
    ]


def test_the_request_is_as_the_protocol_wants_it(server, web):
    [sent] = send(
        [f"{server.url}b", f"{server.url}a", f"{server.url}b"], submitter(server, web)
    )

    host = server.url.removeprefix("http://").rstrip("/")
    assert f"{server.url}indexnow" == sent.endpoint
    [(path, body)] = server.posts
    assert "/indexnow" == path
    assert body == {
        "host": host,
        "key": KEY,
        "keyLocation": f"{server.url}{KEY}.txt",
        "urlList": [f"{server.url}b", f"{server.url}a"],
    }


@pytest.mark.parametrize(
    ("answers", "meaning", "slept"),
    [
        ([(200,)], "200, accepted", []),
        ([(202,)], "202, accepted; the key will be verified", []),
        ([refusal("SiteVerificationNotCompleted"), (200,)], "200, accepted", [120]),
        ([(429, b"", {"Retry-After": "7"}), (200,)], "200, accepted", [7]),
        ([(429,), (200,)], "200, accepted", [60]),
        ([(429, b"", {"Retry-After": LONG_AGO}), (200,)], "200, accepted", [2]),
        ([(500,), (503,), (202,)], "202, accepted; the key will be verified", [2, 4]),
        ([(503, b"", {"Retry-After": "7"}), (200,)], "200, accepted", [7]),
    ],
)
def test_answers_that_accept_or_ask_to_wait(
    server, web, clock, answers, meaning, slept
):
    server.post_answers += answers
    [sent] = send([server.url], submitter(server, web))

    assert (meaning, slept) == (sent.meaning, clock.slept)
    assert len(answers) == len(server.posts)


@pytest.mark.parametrize(
    ("answer", "said", "asked"),
    [
        ((400,), "400, the request is malformed", 1),
        (refusal("KeyNotFound"), "403, the key file was not found: publish it", 1),
        (refusal("InvalidKey"), "403, the key file has another key", 1),
        ((422, b"invalid url"), "422, a URL is not of this host", 1),
        (
            refusal("UserForbiddedToAccessSite"),
            "403, an earlier verification failed",
            2,
        ),
        (refusal("Other"), '403, the key is refused (\'{"errorCode": "Other"', 2),
        ((403, b"[]"), "403, the key is refused ('[]')", 2),
        ((403, b"\xff"), "403, the key is refused", 2),
        ((404,), "404, which IndexNow does not know", 2),
        ((301, b"", {"Location": "/"}), "301, which IndexNow does not know", 2),
        (
            (429, b"", {"Retry-After": "999"}),
            "429, too many requests: try again in 999 s",
            2,
        ),
        ((500,), "500, the server fails: try again later", 2 * 6),
        (
            refusal("SiteVerificationNotCompleted"),
            "403, the key file is not verified yet",
            3 + 1,
        ),
    ],
)
def test_a_refusal_is_explained(server, web, clock, answer, said, asked):
    """Another endpoint is asked where that can help: `asked` counts both."""
    server.post_answers += [answer] * 20
    with pytest.raises(RefusedError) as caught:
        list(send([server.url], submitter(server, web, endpoints=("one", "two"))))

    assert f"{server.url}one: {said}" in str(caught.value)
    assert asked == len(server.posts)
    assert (f"{server.url}two: " in str(caught.value)) == (asked > 1)
    assert clock.now <= 300


def test_the_next_endpoint_is_not_requested_if_one_accepts(server, web):
    server.post_answers += [refusal("UserForbiddedToAccessSite"), (200,)]
    [sent] = send(
        [server.url], submitter(server, web, endpoints=("one", "two", "three"))
    )

    assert f"{server.url}two" == sent.endpoint
    assert ["/one", "/two"] == [path for path, _ in server.posts]


def test_an_endpoint_that_does_not_answer_is_skipped(server, web, clock):
    there = submitter(server, web, endpoints=("indexnow",))
    gone = "http://127.0.0.1:9/indexnow"
    both = Submitter(
        key=KEY,
        location=there.location,
        endpoints=[gone, *there.endpoints],
        web=web,
        deadline=there.deadline,
    )

    assert [there.endpoints[0]] == [sent.endpoint for sent in send([server.url], both)]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((404,), "answers 404"),
        ((301, b"", {"Location": "/key"}), "redirects to '{url}key'"),
        ((200, b"<html>soft 404"), "contains '<html>soft 404'"),
        ((200, f"{KEY}\n".encode()), f"contains '{KEY}\\n'"),
        ((200, f"{KEY}{KEY}".encode()), f"contains '{KEY}{KEY}'"),
    ],
)
def test_nothing_is_sent_without_a_valid_key_file(server, web, answer, said):
    server.answers[f"/{KEY}.txt"] = answer
    with pytest.raises(OptionsError) as caught:
        list(send([server.url], submitter(server, web)))

    assert str(caught.value) == (
        f"the key file '{server.url}{KEY}.txt' {said.format(url=server.url)}: publish one that"
        f" contains only {KEY}"
    )
    assert [] == server.posts


def test_a_key_file_is_valid_for_its_folder_only(server, web):
    write(server.folder, {f"repo/{KEY}.txt": KEY})
    below = submitter(server, web, location=f"repo/{KEY}.txt")

    assert 1 == len(list(send([f"{server.url}repo/a"], below)))
    with pytest.raises(OptionsError, match="is not in the folder of the key file"):
        list(send([f"{server.url}repo/a", f"{server.url}other/"], below))
    with pytest.raises(OptionsError, match="is not in the folder of the key file"):
        list(send(["https://example.com/repo/a"], below))
    with pytest.raises(OptionsError, match="is not in the folder of the key file"):
        list(send([f"{server.url}repository/"], below))
    assert 1 == len(server.posts)


@pytest.mark.parametrize("character", ["\n", "\x1b[31m", "\u202e", "\ud800"])
def test_a_url_with_a_control_character_is_not_sent(server, web, character):
    write(server.folder, {f"{KEY}.txt": KEY})

    with pytest.raises(OptionsError, match="must be percent-encoded"):
        list(send([f"{server.url}a{character}b"], submitter(server, web)))
    assert [] == server.posts


def test_without_changes_no_server_is_requested(server, web):
    assert [] == list(send([], submitter(server, web)))
    assert ([], []) == (server.gets, server.posts)


# --- the live sitemap
# ----------------------------------------------------------------------------


def test_waits_for_the_deploy(tmp_path, server, web, clock):
    new = urlset(url("a", LATER))
    write(tmp_path, {"sitemap.xml": urlset(url("a", DAY)), "built/sitemap.xml": new})
    clock.then = lambda: len(clock.slept) == 3 and write(tmp_path, {"sitemap.xml": new})
    built, live = (
        FileLocation(tmp_path / "built/sitemap.xml"),
        f"{server.url}sitemap.xml",
    )
    wait_until_live([built], [WebLocation(live, web)], Deadline(60))

    assert [10, 10, 10] == clock.slept


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            (200, urlset(url("a", DAY), url("b")).encode()),
            "is not the built one yet (2 differences)",
        ),
        ((404,), "cannot be read ({url}sitemap.xml: the server answers 404"),
    ],
)
def test_a_site_that_is_not_deployed_in_time_is_reported(
    tmp_path, server, web, clock, answer, said
):
    write(tmp_path, {"built/sitemap.xml": urlset(url("a", LATER))})
    server.answers["/sitemap.xml"] = answer
    built, live = (
        FileLocation(tmp_path / "built/sitemap.xml"),
        f"{server.url}sitemap.xml",
    )
    with pytest.raises(OptionsError) as caught:
        wait_until_live([built], [WebLocation(live, web)], Deadline(25))

    assert f"'{live}' {said.format(url=server.url)}" in str(caught.value)
    assert str(caught.value).endswith(
        ": deploy the site first, or give a longer --wait"
    )
    assert [10, 10] == clock.slept


def test_the_endpoints_are_those_of_two_search_engines():
    assert ENDPOINTS == (
        "https://api.indexnow.org/indexnow",
        "https://yandex.com/indexnow",
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"changes": 1}',
        '{"changes": [{}]}',
        '{"changes": [{"url": 1, "old": 1, "new": 1}]}',
    ],
)
def test_a_file_that_contains_no_changes_is_reported(tmp_path, text):
    (tmp_path / "changes.json").write_text(text)

    with pytest.raises(OptionsError, match=r"does not contain changes.* write it with"):
        read_changes(tmp_path / "changes.json")
