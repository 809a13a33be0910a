"""The web client, against a server on loopback that misbehaves."""

from __future__ import annotations

import base64
import contextlib
import gzip
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sitemap_plugins.core.messages import SitemapError, WebError
from sitemap_plugins.sitemaps.web import Deadline, Web
from tests.faults.hostile_server import HostileServer, sending

LIMIT = 10_000


def posted(web, url, value):
    return web.post_json(
        url, value, pauses=(), pause_of=lambda *_: None, deadline=Deadline()
    )


class Handler(BaseHTTPRequestHandler):
    """Answers as the test says."""

    def handle_one_request(self):
        self.raw_requestline = self.rfile.readline()
        if self.raw_requestline and self.parse_request():
            self.server.requests.append(self)
            self.server.answer(self)
        self.close_connection = True

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.requests = []
        server.url = f"http://127.0.0.1:{server.server_port}/"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    """Return the pauses before further attempts, which are not slept."""
    found = []
    monkeypatch.setattr("sitemap_plugins.sitemaps.web.time.sleep", found.append)
    return found


@pytest.fixture
def web(server):
    with Web(
        user_agent="test/1", headers={"X-Key": "1"}, timeout=0.5, retries=2
    ) as web:
        yield web


def test_response_is_read_whole(server, web):
    server.answer = lambda request: request.send(404, b"gone", X_Robots_Tag="noindex")
    answer = web.get(server.url + "a#b", limit=4)
    assert (404, b"gone", False) == (answer.status, answer.body, answer.is_cut)
    assert "noindex" == answer.headers["x-robots-tag"]
    [request] = server.requests
    assert "/a" == request.path
    assert ("test/1", "1", "gzip") == tuple(
        request.headers[name] for name in ("User-Agent", "X-Key", "Accept-Encoding")
    )


def test_headers_are_sent_to_one_host_only(server):
    server.answer = lambda request: request.send(200)
    with Web(
        user_agent="test/1", headers={"X-Key": "1"}, headers_for=server.url
    ) as web:
        web.get(server.url, limit=LIMIT)
        web.get(server.url.replace("127.0.0.1", "localhost"), limit=LIMIT)
        posted(web, server.url.replace("127.0.0.1", "localhost"), {})

    assert ["1", None, None] == [
        request.headers["X-Key"] for request in server.requests
    ]


def test_repeated_header_is_joined(server, web):
    def twice(request):
        request.send_response(200)
        request.send_header("X-Robots-Tag", "googlebot: noindex")
        request.send_header("X-Robots-Tag", "nofollow")
        request.end_headers()

    server.answer = twice
    answer = web.get(server.url, limit=LIMIT)
    assert "googlebot: noindex, nofollow" == answer.headers["X-Robots-Tag"]


def test_redirect_is_reported_not_followed(server, web):
    server.answer = lambda request: request.send(301, Location="../b?c")
    assert server.url + "b?c" == web.get(server.url + "a/", limit=LIMIT).redirect
    assert 1 == len(server.requests)


def test_other_responses_have_no_redirect_target(server, web):
    server.answer = lambda request: request.send(200, Location="/b")
    assert "" == web.get(server.url, limit=LIMIT).redirect


def test_endless_body_is_truncated(server, web):
    def endless(request):
        request.send_response(200)
        request.end_headers()
        try:
            while True:
                request.wfile.write(b"x" * 1000)
        except OSError:
            pass

    server.answer = endless
    answer = web.get(server.url, limit=LIMIT)
    assert (LIMIT, True) == (len(answer.body), answer.is_cut)


def test_gzip_bomb_is_truncated(server, web):
    bomb = gzip.compress(bytes(50_000_000))
    server.answer = lambda request: request.send(200, bomb, Content_Encoding="gzip")
    answer = web.get(server.url, limit=LIMIT)
    assert (LIMIT, True) == (len(answer.body), answer.is_cut)


def test_endless_empty_gzip_members_time_out(server, web):
    """Each of them is unpacked in a time that does not depend on their number."""
    members = gzip.compress(b"") * 5_000

    def endless(request):
        request.send_response(200)
        request.send_header("Content-Encoding", "gzip")
        request.end_headers()
        with contextlib.suppress(OSError):
            while True:
                request.wfile.write(members)

    server.answer = endless
    start = time.process_time()
    with pytest.raises(WebError, match=r"timed out"):
        web.get(server.url, limit=4_000_000)
    assert time.process_time() - start < 10


@pytest.mark.parametrize("pause", [0.05, 30])
def test_slow_body_times_out_and_is_not_asked_for_again(server, web, pause):
    """The time is nearly that until its beginning, as few bytes are wanted."""
    ended = threading.Event()

    def slow(request):
        request.send_response(200)
        request.end_headers()
        while not ended.wait(pause):
            request.wfile.write(b"x")

    server.answer = slow
    try:
        with pytest.raises(WebError, match=r"timed out"):
            web.get(server.url, limit=LIMIT)
    finally:
        ended.set()
    assert 1 == len(server.requests)


def test_large_body_may_take_longer(server, web):
    """As long again for each 1.7 MB."""

    def slow(request):
        request.send_response(200)
        request.end_headers()
        for _ in range(4):
            threading.Event().wait(0.2)
            request.wfile.write(b"x")

    server.answer = slow
    assert b"xxxx" == web.get(server.url, limit=1_700_000).body


def test_silent_server_times_out(server, web, pauses):
    ended = threading.Event()
    server.answer = lambda request: ended.wait(30)
    try:
        with pytest.raises(
            WebError, match=r"'http://127.* gives no answer: .*timed out"
        ):
            web.get(server.url, limit=LIMIT)
    finally:
        ended.set()
    assert [1, 2] == [pause for pause in pauses if pause]


@pytest.mark.parametrize(
    "broken", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", b"\x00\xff"]
)
def test_broken_response_is_an_error(server, web, broken):
    server.answer = lambda request: request.wfile.write(broken)
    with pytest.raises(WebError, match="gives no answer"):
        web.get(server.url, limit=LIMIT)
    assert 3 == len(server.requests)


def test_wrong_compression_is_an_error(server, web):
    server.answer = lambda request: request.send(200, b"plain", Content_Encoding="gzip")
    with pytest.raises(WebError, match="gives no answer"):
        web.get(server.url, limit=LIMIT)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_temporary_failure_is_retried(server, web, pauses, status):
    server.answer = lambda request: request.send(
        200 if len(server.requests) > 1 else status
    )
    assert 200 == web.get(server.url, limit=LIMIT).status
    assert [1] == [pause for pause in pauses if pause]


def test_response_of_the_last_attempt_is_returned(server, web):
    server.answer = lambda request: request.send(503)
    assert 503 == web.get(server.url, limit=LIMIT).status
    assert 3 == len(server.requests)


def test_retry_after_is_obeyed(server, web, pauses):
    server.answer = lambda request: request.send(429, Retry_After="7")
    web.get(server.url, limit=LIMIT)
    assert [7, 7] == [pause for pause in pauses if pause]


def test_retry_after_can_be_a_date(server, web, pauses):
    server.answer = lambda request: request.send(
        503, Retry_After=request.date_time_string(time.time() + 20)
    )
    web.get(server.url, limit=LIMIT)
    assert all(15 < pause <= 20 for pause in pauses if pause)
    assert 3 == len(server.requests)


def test_long_retry_after_ends_the_attempts(server, web, pauses):
    server.answer = lambda request: request.send(429, Retry_After="86400")
    assert 429 == web.get(server.url, limit=LIMIT).status
    assert [] == [pause for pause in pauses if pause]


def test_post_is_sent_once(server, web):
    def post(request):
        request.body = request.rfile.read(int(request.headers["Content-Length"]))
        request.send(500, b"later")

    server.answer = post
    assert b"later" == posted(web, server.url, {"a": "ü"}).body
    [request] = server.requests
    assert ("POST", b'{"a": "\\u00fc"}') == (request.command, request.body)
    assert "application/json" == request.headers["Content-Type"]


def test_netrc_and_cookies_are_not_sent(server, web, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret")
    monkeypatch.setenv("NETRC", str(netrc))
    server.answer = lambda request: request.send(200, Set_Cookie="a=b")
    web.get(server.url, limit=LIMIT)
    web.get(server.url, limit=LIMIT)
    assert [(None, None)] * 2 == [
        (request.headers["Authorization"], request.headers["Cookie"])
        for request in server.requests
    ]


def test_requests_are_limited_to_the_rate(server, pauses):
    server.answer = lambda request: request.send(200)
    with Web(user_agent="test/1", rate=0.01) as web:
        for _ in range(3):
            web.get(server.url, limit=LIMIT)
    assert [0, 100, 200] == [round(pause) for pause in pauses]


@pytest.mark.parametrize(
    "url",
    ["", "a", "http://[::1", "http://a..b/", "http://127.0.0.1:99999/", "ftp://a/"],
)
def test_invalid_url_is_an_error(web, url):
    with pytest.raises(WebError, match=r"is not (a URL|an absolute http|a host name)"):
        web.get(url, limit=LIMIT)


def test_error_has_the_innermost_reason(server, web):
    server.answer = lambda request: request.send(
        200, b"no gzip", Content_Encoding="gzip"
    )
    with pytest.raises(WebError) as caught:
        web.get(server.url, limit=LIMIT)

    assert "gives no answer: Error -3 while decompressing data" in str(caught.value)


# --- the user's proxies
# ---------------------------------------------------------------------------


@pytest.fixture
def proxy(monkeypatch):
    """A proxy that answers in place of every server; `asked` has its requests."""
    for name in (
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "REQUEST_METHOD",
    ):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with HostileServer(
        sending(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
    ) as proxy:
        yield proxy


def body_of(url, **wanted):
    with Web(user_agent="test", retries=0, timeout=0.5, **wanted) as web:
        return web.get(url, limit=LIMIT).body


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_proxy_of_the_environment_is_used(proxy, monkeypatch, name):
    monkeypatch.setenv(name, proxy.url.replace("//", "//me:s%40cret@"))

    assert b"proxy" == body_of("http://a.invalid:8080/b?c#d")
    [request] = proxy.asked
    assert request.startswith(b"GET http://a.invalid:8080/b?c HTTP/1.1\r\n")
    assert b"\r\nHost: a.invalid:8080\r\n" in request
    encoded = base64.b64encode(b"me:s@cret")
    assert b"\r\nproxy-authorization: Basic " + encoded in request.replace(
        b"Proxy-A", b"proxy-a"
    )


def test_https_uses_a_tunnel(proxy, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", f"127.0.0.1:{proxy.port}")
    with pytest.raises(WebError, match="gives no answer"):
        body_of("https://a.invalid/secret")

    [request] = proxy.asked
    assert request.startswith(b"CONNECT a.invalid:443 HTTP/1.")
    assert b"secret" not in request


@pytest.mark.parametrize(
    ("exempt", "is_exempt"),
    [
        ("*", True),
        ("127.0.0.1", True),
        ("example.com, 127.0.0.1", True),
        ("127.0.0.0/8", True),
        ("10.0.0.0/8,::/0", False),
        ("example.com", False),
        ("127.0.0.1:1", False),
    ],
)
def test_no_proxy_can_name_hosts_and_networks(
    server, proxy, monkeypatch, exempt, is_exempt
):
    server.answer = lambda request: request.send(200, b"server")
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    monkeypatch.setenv("NO_PROXY", exempt)

    assert (b"server" if is_exempt else b"proxy") == body_of(server.url)


@pytest.mark.parametrize(
    "address",
    [
        "socks5://me:secret@127.0.0.1:9",
        "http://me:secret@[",
        "http://me:secret@127.0.0.1:9",
    ],
)
def test_unusable_proxy_is_one_sentence_without_its_password(
    proxy, monkeypatch, address
):
    monkeypatch.setenv("HTTP_PROXY", address)
    with pytest.raises(SitemapError) as caught:
        body_of("http://a.invalid/")

    assert "'http://a.invalid/' gives no answer: " in str(caught.value)
    assert "secret" not in str(caught.value)
