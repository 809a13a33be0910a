"""`notify` against endpoints, key files and live sitemaps that misbehave."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.messages import OptionsError, WebError
from sitemap_plugins.notify.indexnow import (
    RefusedError,
    Submitter,
    send,
    wait_until_live,
)
from sitemap_plugins.sitemaps.locations import FileLocation, WebLocation
from sitemap_plugins.sitemaps.web import Deadline, Web
from tests.check.checked_site import url, urlset
from tests.cli.command import run
from tests.faults.hostile_server import ENDLESS, HostileServer, flooding, sending
from tests.folder.html_folder import write
from tests.full import usually
from tests.sitemaps.loopback import serving

KEY = "0123456789abcdef"


@pytest.fixture
def site(tmp_path):
    """A site with a valid key file."""
    write(tmp_path, {f"{KEY}.txt": KEY})
    with serving(tmp_path) as server:
        yield server


@pytest.fixture
def web(monkeypatch):
    monkeypatch.setattr("sitemap_plugins.sitemaps.web._SLOWEST", 1 << 40)
    with Web(user_agent="test", timeout=0.3, retries=0) as web:
        yield web


def submitter(site, web, *endpoints, seconds=0):
    return Submitter(
        key=KEY,
        location=f"{site.url}{KEY}.txt",
        endpoints=endpoints,
        web=web,
        deadline=Deadline(seconds),
    )


def answer(status, body=b"", headers=b""):
    start = b"HTTP/1.1 %d x\r\nContent-Length: %d\r\n" % (status, len(body))
    return sending(start + headers + b"\r\n" + body)


@pytest.mark.parametrize("name", usually(ENDLESS, "a header", "a body"))
def test_endless_endpoint_is_skipped(site, web, name):
    with HostileServer(ENDLESS[name]) as endless, HostileServer(answer(200)) as other:
        [sent] = send([site.url], submitter(site, web, endless.url, other.url))

        assert other.url == sent.endpoint
        with pytest.raises(
            RefusedError, match=r"gives no answer: .*(timed out|decod|more than)"
        ):
            list(send([site.url], submitter(site, web, endless.url)))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_of_an_endpoint_is_not_followed(site, web, status):
    with HostileServer(answer(200)) as victim:
        headers = f"Location: {victim.url}\r\n".encode()
        with HostileServer(answer(status, headers=headers)) as endpoint:
            with pytest.raises(
                RefusedError, match=f"{status}, which IndexNow does not know"
            ):
                list(send([site.url], submitter(site, web, endpoint.url)))
            assert 1 == len(endpoint.asked)
        assert [] == victim.asked


@pytest.mark.parametrize("status", [201, 204, 206, 299, 304, 401, 418, 599, 999])
def test_only_success_codes_of_indexnow_are_accepted(site, web, status):
    endpoint = HostileServer(answer(status))
    with endpoint, pytest.raises(RefusedError, match=f"{status}, "):
        list(send([site.url], submitter(site, web, endpoint.url)))


@pytest.mark.parametrize(
    "body",
    [
        b"x" * 10_000_000,
        b"[" * 10_000_000,
        b'{"errorCode": ' + b"9" * 60_000 + b"}",
        b'{"errorCode": {}}',
        b"\x1b[31m\r\nError: \x00\xff",
    ],
)
def test_huge_or_unusual_refusal_is_one_short_line(site, web, body):
    with (
        HostileServer(answer(403, body)) as endpoint,
        pytest.raises(RefusedError) as caught,
    ):
        list(send([site.url], submitter(site, web, endpoint.url)))

    text = str(caught.value)
    assert "403, the key is refused" in text
    assert len(text) < 250
    assert text.isprintable()


def test_endless_response_with_a_success_code_is_accepted(site, web):
    endless = flooding(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 1_000)
    with HostileServer(endless) as endpoint:
        assert 1 == len(list(send([site.url], submitter(site, web, endpoint.url))))


@pytest.mark.parametrize(
    "value", ["-1", "9" * 400, "1e9", "NaN", "Thu, 32 Foo 99999 99:99:99 GMT"]
)
def test_endpoint_cannot_make_notify_wait_forever(site, web, value):
    headers = f"Retry-After: {value}\r\n".encode()
    endpoint = HostileServer(answer(429, headers=headers))
    with endpoint, pytest.raises(RefusedError, match="429, too many requests"):
        list(send([site.url], submitter(site, web, endpoint.url, seconds=1)))


def test_nothing_is_sent_if_the_key_file_is_endless(site, web):
    for name in ("a body", "a header"):
        with (
            HostileServer(ENDLESS[name]) as host,
            HostileServer(answer(200)) as endpoint,
        ):
            with pytest.raises(WebError, match="timed out"):
                list(send([host.url], submitter(host, web, endpoint.url)))
            assert [] == endpoint.asked


def test_endless_live_sitemap_is_not_the_built_one(tmp_path, web):
    write(tmp_path, {"sitemap.xml": urlset(url("a"))})
    built = FileLocation(tmp_path / "sitemap.xml")
    for name in ("a body", "100 Continue"):
        with (
            HostileServer(ENDLESS[name]) as host,
            pytest.raises(OptionsError, match="timed out"),
        ):
            wait_until_live([built], [WebLocation(host.url, web)], Deadline(0))


def test_retries_are_limited_to_the_rate(site):
    """The web client makes the attempts at an endpoint."""
    with HostileServer(answer(503)) as endpoint:
        with Web(user_agent="test", rate=1_000) as web, pytest.raises(RefusedError):
            list(send([site.url], submitter(site, web, endpoint.url, seconds=2.5)))
        assert 2 == len(endpoint.asked)


def test_refusal_by_hostile_endpoints_is_exit_code_one(tmp_path, site):
    write(tmp_path, {"sitemap.xml": urlset(url("a", base=site.url))})
    with HostileServer(answer(403, b"\x1b]0;x\x07" * 1_000)) as endpoint:
        command = [
            "notify",
            ".",
            "--all",
            "--base-url",
            site.url,
            "--key",
            KEY,
            "--wait",
            "0",
        ]
        done = run(tmp_path, *command, "--endpoint", endpoint.url)

    assert 1 == done.returncode
    assert "403, the key is refused" in done.err
    assert "\x1b" not in done.err
